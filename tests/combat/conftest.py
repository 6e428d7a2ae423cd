"""Shared by the tests of combat."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest


@contextmanager
def _soon(seconds: float = 1.0) -> Iterator[None]:
    """Give up on what takes longer than that, in processor time: the machine may be busy."""

    def late(*_: object) -> None:
        pytest.fail(f"took longer than {seconds} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.fixture
def soon() -> Callable[..., AbstractContextManager[None]]:
    """Return a context manager that fails when its body takes too long."""
    return _soon
