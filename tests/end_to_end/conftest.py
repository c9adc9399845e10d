"""What the end-to-end tests share: the demo's modules and its repository."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "demo"), str(Path(__file__).parent)]


@pytest.fixture
def shop(tmp_path):
    """The demo's history, written into a new repository at `tmp_path / "shop"`."""
    from history import make

    return make(tmp_path / "shop")
