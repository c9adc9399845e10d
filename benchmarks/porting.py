"""Iterative delta debugging in small histories and in regressions of public projects.

python porting.py [DATA] [--to FOLDER] [--only NAME]... [--full] writes FOLDER/porting.csv with one row per case and
search. DATA/repositories has a Git directory for each project, as from `git clone --mirror`. Without it, only the small
histories run. The rows of cases that do not run stay in the file. An empty cell is unknown.

The program does not write into the Git directories. Without --full, it omits parson, and "IDD, as printed" in public
projects, because they take thousands of runs.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from regressions import REGRESSIONS, Regression
from shared import directory

import firstbad as fb

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "end_to_end"))
from situations import LONG, SITUATIONS, SQUASHED, Situation, git, made


@dataclass(frozen=True)
class Search:
    """A way to search.

    Attributes:
        name: The name in the file.
        options: Options of `iterative_delta_debugging`.
        guarded: Whether the search has the control and the files that are always kept.
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    guarded: bool = True

    def skips(self, case: Case) -> bool:
        """Whether the search takes too long for the case."""
        return isinstance(case, Regression) and (not self.guarded or case.project in SLOW)


Case = Regression | Situation
_HIERARCHICAL = {"walk": "strict", "algorithm": "recursive"}
_FLAT = {**_HIERARCHICAL, "hierarchical": False}
SEARCHES = (
    Search("firstbad"),
    Search("IDD-h", _HIERARCHICAL),
    Search("IDD", _FLAT),
    Search("IDD, as printed", {**_FLAT, "early_pass": False}, guarded=False),
)
"""The last one is Figure 2 of the paper: without a control, and without passes inside a reduction (Section 4.1)."""
SLOW = {"kgabis/parson"}
"""Projects whose searches by lines take thousands of runs."""
STEPS = {"patch": "patch", "setup": "build", "configure": "build", "build": "build"}
STEPS |= {"test": "test", "timeout": "timeout", "control": "control"}
PARTS = {**STEPS, "patch": "none", "parse": "none"}
"""The columns of reasons. "none" has no run."""


def changed(mirror: Path, fix: str) -> int:
    """Returns the number of lines that a commit adds and removes, without those in tests and texts."""
    lines = git(mirror, "diff", "--numstat", f"{fix}^", fix, "--", ":!*test*", ":!*.md", ":!*.rst").splitlines()
    return sum(int(count) for line in lines for count in line.split("\t")[:2] if count != "-")


def tally(prefix: str, columns: dict[str, str], reasons: Iterable[tuple[str, int]]) -> dict[str, int]:
    counts = {f"{prefix}_{name}": 0 for name in (*columns.values(), "other")}
    for reason, count in reasons:
        counts[f"{prefix}_{columns.get(reason, 'other')}"] += count
    return counts


def searched(
    known: dict[str, Any],
    search: Search,
    repository: Path,
    words: list[str],
    stages: dict[str, Any],
    told: dict[str, Any],
    is_right: Callable[[fb.PorterReport], bool],
    also: list[str] | None = None,
) -> dict[str, Any]:
    """Returns the row of a search. `known` has the columns that are known before."""
    stages, options = dict(stages), {**told, **search.options}
    if not search.guarded:
        stages.pop("control", None)
        options.pop("always_keep", None)
    with fb.Repository(repository).command_oracle(words, **stages) as oracle:
        # Without the fix at the start, the runs show what the explanation takes.
        short = fb.iterative_delta_debugging(repository, oracle, **options) if search == SEARCHES[0] else None
        report = fb.iterative_delta_debugging(repository, oracle, forward=options["start"], also=also, **options)
    ended = [one for one in report.reductions if one.after is not None and one.before > 0]
    shares = [1 - one.after / one.before for one in ended if one.after is not None]
    sizes = {name: patch.changes for name, patch in report.details.items()}
    return {
        **known,
        "search": search.name,
        "right": int(is_right(report)),
        "named": (report.bad or "")[:8],
        "to_commit": report.runs_to_commit,
        "runs": report.runs,
        "explained": None if short is None else short.runs,
        "second_test": None if report.also is None else report.also.message,
        **tally("step", STEPS, ((str(step.reason), 1) for step in report.steps if step.patch and step.reason)),
        **tally("part", PARTS, ((str(why), count) for one in report.reductions for why, count in one.failed.items())),
        "removed": round(mean(shares), 4) if shares else None,
        "carried": sizes.get("carried", 0),
        "initial": sizes.get("repair"),
        "final": sizes.get("forward"),
    }


def in_situation(situation: Situation, search: Search) -> dict[str, Any]:
    """Returns the row of a search in a small history."""
    with tempfile.TemporaryDirectory() as folder:
        there = made(situation, Path(folder))
        known = {"group": "situations", "case": situation.name, "culprit": (there.ends[1] or "")[:8]}
        return searched(
            {**known, "known_from": "by construction", "human": None},
            search,
            there.repository,
            there.words(situation.test) or [],
            there.stages(),
            {"start": "main", **{name: value for name, value in situation.told.items() if name != "forward"}},
            lambda report: (report.status, (report.good, report.bad)) == (situation.status, there.ends),
        )


def in_project(one: Regression, search: Search, mirror: Path) -> dict[str, Any]:
    """Returns the row of a search in a public project."""
    with tempfile.TemporaryDirectory() as folder:
        # The worktrees belong to a clone.
        clone, tests = Path(folder) / "clone", Path(folder) / "tests"
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", mirror, clone], check=True)
        tests.mkdir()
        (tests / one.file).write_text(one.text)
        names = (one.start, one.culprit, one.oldest, one.fix)
        start, culprit, oldest, fix = (git(mirror, "rev-parse", f"{name}^{{commit}}").strip() for name in names)
        words, control = (one.words(tests, what) for what in ("test", "control"))
        known = {"group": "public projects", "case": one.title, "culprit": one.culprit, "known_from": one.known}
        return searched(
            {**known, "human": changed(mirror, fix)},
            search,
            clone,
            words,
            {"control": control, "build": one.build, "timeout": 20, "on_signal": "fail"},
            {"start": start, "oldest": oldest},
            lambda report: culprit in (report.bad, *report.between),
            also=one.second,
        )


def row(case: Case, search: Search, mirror: Path | None) -> dict[str, Any]:
    began = time.monotonic()
    if isinstance(case, Situation):
        found = in_situation(case, search)
    else:
        assert mirror is not None
        found = in_project(case, search, mirror)
    print(f"{found['case']}, {search.name}: {found['runs']} runs in {time.monotonic() - began:.0f} s", file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?", help="folder with repositories/")
    parser.add_argument("--to", type=Path, default=Path(__file__).parent / "data", help="folder of porting.csv")
    parser.add_argument("--only", action="append", help="part of the name of a case; can be given several times")
    parser.add_argument("--full", action="store_true", help="run all searches, also the slow ones")
    options = parser.parse_args()
    names = {one.title: one for one in REGRESSIONS} | {one.name: one for one in (*SITUATIONS, LONG, SQUASHED)}
    jobs = []
    for name, case in names.items():
        mirror, searches = None, [search for search in SEARCHES if options.full or not search.skips(case)]
        if searches and isinstance(case, Regression):
            mirror = options.data and directory(options.data / "repositories", case.project)
            if mirror is None:
                print(f"no repository of {case.project}; see benchmarks/README.md", file=sys.stderr)
                continue
        if options.only is None or any(part in name for part in options.only):
            jobs += [(name, case, search, mirror) for search in searches]
    path, running = options.to / "porting.csv", {name for name, *_ in jobs}
    known = csv.DictReader(path.read_text().splitlines() if path.exists() else [])
    rows = {(one["case"], one["search"]): one for one in known if one["case"] not in running}
    # The longest searches come first.
    jobs.sort(key=lambda job: (job[3] is None, -SEARCHES.index(job[2])))
    path.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(2) as pool:
        for done in as_completed([pool.submit(row, *job[1:]) for job in jobs]):
            found = done.result()
            rows[found["case"], found["search"]] = found
            order = [(name, search.name) for name in names for search in SEARCHES]
            with path.open("w", newline="") as file:
                writer = csv.DictWriter(file, list(found), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows[key] for key in order if key in rows)


if __name__ == "__main__":
    main()
