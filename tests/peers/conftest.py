"""Peers that do not run on every Python."""

from __future__ import annotations

import sys

# Neither phylotrackpy nor ete3, which the conversion of ALife data needs, has come to 3.13 yet.
collect_ignore = ["test_phylogenies.py"] if sys.version_info >= (3, 13) else []
