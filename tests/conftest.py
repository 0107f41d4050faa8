"""Fixtures that all tests share; and a private cache, set before `evaluate` is imported, so that no test sees another's."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_CACHE = tempfile.mkdtemp(prefix="tricord-tests-")
atexit.register(shutil.rmtree, _CACHE, ignore_errors=True)
os.environ["HF_HOME"] = _CACHE
os.environ["HF_EVALUATE_OFFLINE"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"

# A busy machine is slow; that is no fault of what is tested.
settings.register_profile("tricord", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tricord")

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
# Helpers are imported from here: `from dico_nli import naive`.
sys.path.insert(0, str(Path(__file__).resolve().parent))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data with known results, which lies beside the checkout; tests that need it skip without."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip(f"the real data is not at {folder}")
    return folder


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT
