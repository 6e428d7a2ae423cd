"""Shared by the tests of combat."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

HANGS = 30  # seconds of processor time: ten times what the slowest takes; it tells no speed


@contextmanager
def _soon() -> Iterator[None]:
    """Give up on what is worked out for ever instead of being refused."""

    def late(*_: object) -> None:
        pytest.fail(f"not done after {HANGS} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.fixture
def soon() -> Callable[..., AbstractContextManager[None]]:
    """Return a context manager that fails when its body hangs."""
    return _soon
