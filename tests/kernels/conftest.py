"""One kernel of each supported ipykernel, with the extension loaded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.kernel import Kernel
from tests.support.kernels import VERSIONS, Kernels, kernel_name


@pytest.fixture(scope="module", params=VERSIONS)
def _kernel(request: pytest.FixtureRequest, kernels: Kernels) -> Iterator[Kernel]:
    version = request.param
    with Kernel(kernels.specs, kernel_name(version)) as kernel:
        told = kernel.run("import ipykernel; print(ipykernel.__version__)")
        assert told == f"{version}\n"
        kernel.load()
        yield kernel


@pytest.fixture
def kernel(_kernel: Kernel) -> Kernel:
    """The kernel, with an SDK that has seen nothing."""
    _kernel.begin_anew()
    return _kernel
