"""The garbage collector is left as it was found."""

import gc

import pytest

from tricord.memory import collector_paused


def fail_within():
    with collector_paused():
        with collector_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
        raise KeyError


def test_nested_and_after_an_error():
    assert gc.isenabled()
    with pytest.raises(KeyError):
        fail_within()
    assert gc.isenabled()


def test_switched_off_by_someone_else():
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
