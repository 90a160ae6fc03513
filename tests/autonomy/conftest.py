"""What the tests of more than one room of the host start from."""

from pathlib import Path

import pytest


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a database of the test's own."""
    return f"sqlite:///{tmp_path / 'jiritsu.db'}"
