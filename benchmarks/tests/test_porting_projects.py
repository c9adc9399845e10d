"""The benchmark on public projects takes git directories as they are, and writes nothing into them."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1]
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS.parent / "tests" / "end_to_end")]

import porting_projects  # noqa: E402
import porting_searches  # noqa: E402
from regressions import REGRESSIONS, Regression  # noqa: E402
from situations import SITUATIONS, git, made  # noqa: E402

RENAMED = next(one for one in SITUATIONS if one.name == "refactoring")


def digest(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return hashlib.sha256(b"".join(str(path).encode() + path.read_bytes() for path in files)).hexdigest()


def mirrored(tmp_path: Path) -> tuple[Path, Regression]:
    """A situation as if it were a public project."""
    there = made(RENAMED, tmp_path / "made")
    [(file, text)] = RENAMED.files.items()
    mirror = tmp_path / "mirrors" / "owner+name"
    mirror.parent.mkdir()
    git(there.repository, "clone", "--quiet", "--mirror", str(there.repository), str(mirror))
    good, bad = there.ends
    assert good is not None
    assert bad is not None
    regression = Regression(
        project="owner/name",
        name="a new name",
        known="by construction",
        start=there.shas[-1],
        culprit=bad,
        oldest=good,
        needs="",
        file=file,
        text=text,
        # Its control is one that always passes.
        command=("sh", "-c", "test {what} = control || exec " + " ".join(RENAMED.test)),
    )
    return mirror, regression


def test_a_culprit_is_right_where_it_is_named_and_the_mirror_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror, regression = mirrored(tmp_path)
    assert porting_projects.directory(mirror.parent, "owner/name") == mirror
    before = digest(mirror)
    monkeypatch.setattr(porting_projects, "SEARCHES", porting_searches.SEARCHES[:1])
    [row] = porting_projects.rows(regression, mirror)

    assert digest(mirror) == before
    assert (row.named, row.right, row.commits > 0) == (regression.culprit, True, True)
    wrong = Regression(**{**vars(regression), "culprit": regression.start})
    assert not porting_projects.rows(wrong, mirror)[0].right


def test_a_project_that_is_not_there_is_named(tmp_path: Path) -> None:
    words = [sys.executable, str(BENCHMARKS / "porting_projects.py"), str(tmp_path)]
    told = subprocess.run(words, capture_output=True, text=True)
    assert told.returncode == 1
    assert "has no astanin+python-tabulate; see benchmarks/README.md" in told.stderr


def test_every_language_has_a_regression() -> None:
    assert {one.file for one in REGRESSIONS} == {"regression.py", "regression.js", "regression.c"}
    assert len({porting_projects.title(one) for one in REGRESSIONS}) == len(REGRESSIONS)
