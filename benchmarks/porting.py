"""Iterative delta debugging in small histories and in public projects, with the tables of the paper.

python porting.py [REPOS] [--only NAME]... [--json FILE] prints tables in Markdown. REPOS has a Git directory for each
project, as from `git clone --mirror`, named OWNER+NAME, OWNER+NAME.git, or OWNER+NAME/repo. The program does not fetch,
and does not write into them. With FILE, a later call continues after the last finished case.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from porting_tables import SEARCHES, Row, observed, table2, table3, table4
from regressions import REGRESSIONS, Regression
from shared import directory, table

import firstbad as fb

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "end_to_end"))
from situations import LONG, SITUATIONS, SQUASHED, Situation, git, made


def title(one: Regression) -> str:
    return f"{one.project.split('/')[1]}: {one.name}"


def _rows(
    group: str,
    case: str,
    repository: fb.Repository,
    words: list[str],
    stages: dict[str, Any],
    told: dict[str, Any],
    is_right: Callable[[fb.PorterReport], bool],
    *,
    also: list[str] | None = None,
    human: int | None = None,
) -> list[Row]:
    """Returns the results of all searches in a case."""
    found = []
    for search in SEARCHES:
        began = time.monotonic()
        own, options = dict(stages), {**told, **search.options}
        if not search.guarded:
            own.pop("control", None)
            options.pop("always_keep", None)
        with repository.command_oracle(words, **own) as oracle:
            # Without the fix at the start, the runs show what the explanation takes.
            is_first = search is SEARCHES[0]
            short = fb.iterative_delta_debugging(repository, oracle, **options) if is_first else None
            whole = fb.iterative_delta_debugging(repository, oracle, forward=options["start"], also=also, **options)
        explained = None if short is None else short.runs
        found.append(observed(group, case, search.name, is_right(whole), whole, explained, human))
        print(f"{case}, {search.name}: {whole.runs} runs in {time.monotonic() - began:.0f} s", file=sys.stderr)
    return found


def situation_rows(situation: Situation) -> list[Row]:
    """Returns the results in a small history."""
    with tempfile.TemporaryDirectory() as folder:
        there = made(situation, Path(folder))

        def is_right(report: fb.PorterReport) -> bool:
            return (report.status, (report.good, report.bad)) == (situation.status, there.ends)

        told = {"start": "main", **{name: value for name, value in situation.told.items() if name != "forward"}}
        words = there.words(situation.test) or []
        repository = fb.Repository(there.repository)
        return _rows("situations", situation.name, repository, words, there.stages(), told, is_right)


def regression_rows(one: Regression, mirror: Path) -> list[Row]:
    """Returns the results for a regression of a public project."""
    with tempfile.TemporaryDirectory() as folder:
        # The worktrees belong to a clone.
        clone, tests = Path(folder) / "clone", Path(folder) / "tests"
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", mirror, clone], check=True)
        tests.mkdir()
        (tests / one.file).write_text(one.text)
        start, culprit, oldest, fix = (
            git(mirror, "rev-parse", f"{name}^{{commit}}").strip()
            for name in (one.start, one.culprit, one.oldest, one.fix)
        )
        words, control = ([word.format(tests=tests, what=what) for word in one.command] for what in ("test", "control"))
        stages = {"control": control, "build": one.build, "timeout": 20, "on_signal": "fail"}
        return _rows(
            "public projects",
            title(one),
            fb.Repository(clone),
            words,
            stages,
            {"start": start, "oldest": oldest},
            lambda report: culprit in (report.bad, *report.between),
            also=None if one.also is None else list(one.also),
            human=changed(mirror, fix),
        )


def changed(mirror: Path, fix: str) -> int:
    """Returns the number of lines that a commit adds and removes, without those in tests and texts."""
    lines = git(mirror, "diff", "--numstat", f"{fix}^", fix, "--", ":!*test*", ":!*.md", ":!*.rst").splitlines()
    counts = [line.split("\t")[:2] for line in lines]
    return sum(int(count) for pair in counts for count in pair if count != "-")


def cases(rows: list[Row]) -> str:
    """Returns the cases of public projects with the result of the default search."""
    names = ["regression", "culprit", "known from", "named", "runs to the commit", "to explain it", "to port the fix"]
    lines = []
    of = {title(one): one for one in REGRESSIONS}
    for row in rows:
        if row.case in of and row.search == SEARCHES[0].name:
            one, explained = of[row.case], row.explained or row.runs
            first, named = row.to_commit or explained, (row.named or "none")[:8]
            runs = [first, explained - first, row.runs - explained]
            lines.append([row.case, one.culprit, one.known, named, *runs])
    return table([*names, "second test"], [[*line, also(rows, line[0])] for line in lines])


def also(rows: list[Row], case: str) -> str:
    return next((row.also or "" for row in rows if row.case == case), "")


def totals(rows: list[Row]) -> str:
    """Returns the sums of each search."""
    lines = []
    for group in dict.fromkeys(row.group for row in rows):
        for search in SEARCHES:
            own = [row for row in rows if (row.group, row.search) == (group, search.name)]
            right = sum(row.right for row in own)
            known = sum(row.to_commit or row.runs for row in own)
            later = sum(row.runs for row in own) - known
            lines.append([f"{search.name}, {group}", f"{right} of {len(own)}", known, later])
    return table(["search", "right", "runs to the commit", "later runs"], lines)


def section(rows: list[Row]) -> str:
    """Returns all tables."""
    parts = [
        "# Iterative delta debugging\n",
        "The output of `benchmarks/porting.py`. README.md describes the method.\n",
        "## Public projects\n\n" + cases(rows),
        "## All searches\n\n" + totals(rows),
        "## Table 2: versions at which a carried patch did not work\n\n" + table2(rows),
        "## Table 3: parts of patches that did not keep the outcome\n\n" + table3(rows),
        f"## Table 4: changed lines and runs\n\n{' / '.join(search.name for search in SEARCHES)}; "
        "the paper's IDD-h / IDD.\n\n" + table4(rows),
    ]
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repositories", type=Path, nargs="?", help="folder with the Git directories")
    parser.add_argument("--only", action="append", help="part of the name of a case; can be given several times")
    parser.add_argument("--json", type=Path, help="file for all rows, whose cases are not searched again")
    options = parser.parse_args()
    known: dict[str, list[dict[str, Any]]] = {}
    if options.json is not None and options.json.exists():
        known = json.loads(options.json.read_text())
    found: dict[str, Callable[[], list[Row]]] = {}
    for one in REGRESSIONS if options.repositories is not None else ():
        mirror = directory(options.repositories, one.project)
        if mirror is None:
            name = one.project.replace("/", "+")
            print(f"{options.repositories} has no {name}; see benchmarks/README.md", file=sys.stderr)
            continue
        found[title(one)] = lambda one=one, mirror=mirror: regression_rows(one, mirror)
    for situation in (*SITUATIONS, LONG, SQUASHED):
        found[situation.name] = lambda situation=situation: situation_rows(situation)
    rows = []
    for name, search in found.items():
        if options.only is not None and not any(part in name for part in options.only):
            continue
        if name not in known:
            known[name] = [asdict(row) for row in search()]
            if options.json is not None:
                options.json.write_text(json.dumps(known, indent=1))
        rows += [Row(**row) for row in known[name]]
    print(section(rows))


if __name__ == "__main__":
    main()
