"""Shared by the tests of rules."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture
def collector_off() -> Iterator[None]:
    """Keep a measured time free of what the collector does for all tests before."""
    gc.disable()
    yield
    gc.enable()
