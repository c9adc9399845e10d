"""The benchmark of slices counts runs and conflicts, and needs no public project for these tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1]
sys.path.insert(0, str(BENCHMARKS.parent / "tests" / "end_to_end"))

import slicing_projects  # noqa: E402
from situations import git  # noqa: E402
from slicing_projects import FEATURES, SEARCHES, Feature  # noqa: E402

# Git cannot apply the last change without the one before it.
VERSIONS = [f"one = {one}\n\n\n\n\n\nfour = {four}\n" for one, four in ((1, 3), (1, 4), (2, 4), (3, 4))]
TEST = "import sys\n\nsys.path.insert(0, '')\nimport a\n\nassert a.one == 3\n"


def mirrored(folder: Path) -> Path:
    """Returns the Git directory of a history with three changes, of which the test needs the last two."""
    made = folder / "made"
    subprocess.run(["git", "init", "--quiet", made], check=True)
    for text in VERSIONS:
        (made / "a.py").write_text(text)
        git(made, "add", "--all")
        git(made, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "change")
    git(made, "tag", "v2")
    git(made, "tag", "v1", "HEAD~3")
    return made / ".git"


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_finds_and_proves_the_slice(search: str, tmp_path: Path) -> None:
    row = slicing_projects.row(
        Feature("owner/name", "three", "v1", "v2", ("a.py",), text=TEST), search, mirrored(tmp_path)
    )
    assert (row["commits"], row["slice"], row["proven"]) == (3, 2, 1)
    assert 2 < row["found_runs"] <= row["runs"] <= 7
    assert row["conflicts"] >= 1


def test_a_call_without_repositories_keeps_the_file(tmp_path: Path) -> None:
    (tmp_path / "slicing_projects.csv").write_text("known\n")
    for data in ([], [tmp_path]):
        words = [sys.executable, BENCHMARKS / "slicing_projects.py", *data, "--to", tmp_path]
        called = subprocess.run(words, capture_output=True, text=True, check=True)
        assert called.stderr.startswith("No repository of a feature found.")
    assert (tmp_path / "slicing_projects.csv").read_text() == "known\n"


def test_every_feature_has_its_own_name() -> None:
    assert len({one.name for one in FEATURES}) == len(FEATURES)
