"""numba caches kernels by file, blind to changes in the files they call: a cache of its own for each state."""

import hashlib
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

SOURCE = Path(__file__).parents[1] / "src" / "petree"


def state_of_kernels() -> str:
    digest = hashlib.sha256()
    for path in sorted([*SOURCE.glob("kernels/*.py"), SOURCE / "conditions.py", *SOURCE.glob("splitting/codes.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(tempfile.gettempdir()) / f"petree-kernels-{state_of_kernels()}"))

# The first call of a kernel compiles it, so the time of an example says nothing.
settings.register_profile("petree", deadline=None)
settings.load_profile("petree")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-calls", type=int, default=3000, help="random calls at the doors of the compiled core")
