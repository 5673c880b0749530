"""Benchmarks: what the package costs, as ratios measured side by side in one run."""
