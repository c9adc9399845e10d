"""Tests of the structure of the Rust tests."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = sorted(ROOT.glob("crates/*/tests/all/main.rs"))


@pytest.mark.parametrize("main", PROGRAMS, ids=lambda main: main.parts[-4])
def test_every_file_of_tests_is_compiled(main: Path) -> None:
    """Cargo would silently skip a file that `main.rs` does not name."""
    named = set(re.findall(r"^mod (\w+);$", main.read_text(encoding="utf-8"), re.MULTILINE))
    assert named == {file.stem for file in main.parent.glob("*.rs")} - {"main"}


def test_there_are_such_programs() -> None:
    assert len(PROGRAMS) >= 8
