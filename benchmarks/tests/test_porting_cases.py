"""The benchmark of iterative delta debugging does not write into the Git directories that it reads."""

from __future__ import annotations

import csv
import hashlib
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import porting
from regressions import REGRESSIONS, Regression
from shared import directory
from situations import SITUATIONS, git, made

RENAMED = next(one for one in SITUATIONS if one.name == "refactoring")


def digest(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return hashlib.sha256(b"".join(str(path).encode() + path.read_bytes() for path in files)).hexdigest()


def mirrored(tmp_path: Path) -> tuple[Path, Regression]:
    """A situation as if it were a public project."""
    there = made(RENAMED, tmp_path / "made")
    [text] = RENAMED.files.values()
    mirror = tmp_path / "mirrors" / "owner+name"
    mirror.parent.mkdir()
    git(there.repository, "clone", "--quiet", "--mirror", str(there.repository), str(mirror))
    good, bad = there.ends
    assert good is not None
    assert bad is not None
    return mirror, Regression(
        project="owner/name",
        name="a new name",
        known="by construction",
        start=there.shas[-1],
        culprit=bad,
        oldest=good,
        fix=bad,
        file="regression.py",
        # The control always passes.
        text=f'import sys\n\nif sys.argv[1] == "control":\n    sys.exit()\n{text}',
    )


def test_a_search_is_right_if_it_names_the_culprit_and_the_mirror_stays_as_it_is(tmp_path: Path) -> None:
    mirror, regression = mirrored(tmp_path)
    assert directory(mirror.parent, "owner/name") == mirror
    before = digest(mirror)
    row = porting.row(regression, porting.SEARCHES[0], mirror)

    assert digest(mirror) == before
    assert (row["case"], row["search"]) == ("name: a new name", "firstbad")
    assert (row["named"], row["right"], row["human"]) == (regression.culprit[:8], 1, 2)
    assert 0 < row["to_commit"] < row["explained"] < row["runs"]
    assert sum(count for name, count in row.items() if name.startswith("step_")) > 0
    assert sum(count for name, count in row.items() if name.startswith("part_")) > 0
    wrong = porting.row(replace(regression, culprit=regression.start), porting.SEARCHES[0], mirror)
    assert wrong["right"] == 0


def test_a_call_replaces_only_the_rows_of_its_cases(tmp_path: Path) -> None:
    path = tmp_path / "porting.csv"
    path.write_text("case,search,runs\nnothing to carry,firstbad,999\nlong history,IDD,999\nno case,IDD,999\n")
    words = [sys.executable, porting.__file__, tmp_path, "--to", tmp_path, "--only", "nothing to carry"]
    called = subprocess.run(words, capture_output=True, text=True, check=True)

    assert "no repository of astanin/python-tabulate; see benchmarks/README.md" in called.stderr
    rows = list(csv.DictReader(path.read_text().splitlines()))
    new = [("nothing to carry", search.name) for search in porting.SEARCHES]
    assert [(row["case"], row["search"]) for row in rows] == [*new, ("long history", "IDD")]
    assert [row["case"] for row in rows if row["runs"] == "999"] == ["long history"]


def test_every_language_has_a_regression() -> None:
    assert {one.file for one in REGRESSIONS} == {"regression.py", "regression.js", "regression.c"}
    assert len({one.title for one in REGRESSIONS}) == len(REGRESSIONS)
