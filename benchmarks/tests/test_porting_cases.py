"""The benchmark of iterative delta debugging takes Git directories as they are, and does not write into them."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1]
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS.parent / "tests" / "end_to_end")]

import porting  # noqa: E402
import porting_tables  # noqa: E402
from regressions import REGRESSIONS, Regression  # noqa: E402
from shared import directory  # noqa: E402
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
        fix=bad,
        needs="",
        file=file,
        text=text,
        # The control always passes.
        command=("sh", "-c", "test {what} = control || exec " + " ".join(RENAMED.test)),
        also=("true",),
    )
    return mirror, regression


def test_a_search_is_right_if_it_names_the_culprit_and_the_mirror_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror, regression = mirrored(tmp_path)
    assert directory(mirror.parent, "owner/name") == mirror
    before = digest(mirror)
    monkeypatch.setattr(porting, "SEARCHES", porting_tables.SEARCHES[:1])
    [row] = porting.regression_rows(regression, mirror)

    assert digest(mirror) == before
    assert (row.named, row.right, row.human) == (regression.culprit, True, 2)
    assert 0 < (row.to_commit or 0) < (row.explained or 0) < row.runs
    assert row.also == "the other test passes with the fix, and passes without it"
    assert sum(row.steps.values()) > 0
    assert sum(row.parts.values()) > 0
    [wrong] = porting.regression_rows(replace(regression, culprit=regression.start), mirror)
    assert not wrong.right

    text = porting.section([row])
    assert f"| name: a new name | {row.carried} | {row.initial} | {row.final} | 2 | {row.runs} |" in text
    assert "| the paper's IDD, 13 cases | 433 | 88 | 28 | 1 |" in text


def test_a_missing_project_is_named(tmp_path: Path) -> None:
    words = [sys.executable, str(BENCHMARKS / "porting.py"), str(tmp_path), "--only", "no case"]
    told = subprocess.run(words, capture_output=True, text=True)
    assert told.returncode == 0
    assert "has no astanin+python-tabulate; see benchmarks/README.md" in told.stderr


def test_every_language_has_a_regression() -> None:
    assert {one.file for one in REGRESSIONS} == {"regression.py", "regression.js", "regression.c"}
    assert len({porting.title(one) for one in REGRESSIONS}) == len(REGRESSIONS)
