"""What iterative delta debugging finds in public projects, whose culprits are known by hand.

python porting_projects.py FOLDER [--only NAME]... [--json FILE] prints tables and targets as Markdown. FOLDER holds a
git directory for each project, as `git clone --mirror` makes it: OWNER+NAME, OWNER+NAME.git or OWNER+NAME/repo. Nothing
is fetched, and nothing is written into them. With FILE a run that was ended goes on with the next regression. Searches
of one regression share what was said of equal trees; each is told of it as of a run of its own, and counts it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from porting_searches import SEARCHES, Row, observed, ratios, searches, table, ways
from regressions import REGRESSIONS, Regression

import firstbad as fb

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "end_to_end"))
from situations import git, remembering


def directory(folder: Path, project: str) -> Path | None:
    """The git directory of a project; None if it is not there."""
    name = project.replace("/", "+")
    names = (name, f"{name}.git", f"{name}/repo")
    return next((folder / one for one in names if (folder / one / "HEAD").exists()), None)


def title(one: Regression) -> str:
    return f"{one.project.split('/')[1]}: {one.name}"


def rows(one: Regression, mirror: Path) -> list[Row]:
    """What each search does about a regression."""
    with tempfile.TemporaryDirectory() as folder:
        # Work trees belong to a repository of our own.
        clone, tests = Path(folder) / "clone", Path(folder) / "tests"
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", mirror, clone], check=True)
        tests.mkdir()
        (tests / one.file).write_text(one.text)
        repository = fb.Repository(clone)
        start, culprit, oldest = (
            git(mirror, "rev-parse", f"{name}^{{commit}}").strip() for name in (one.start, one.culprit, one.oldest)
        )
        between = int(git(mirror, "rev-list", "--count", "--first-parent", f"{culprit}..{start}"))
        words, control = ([word.format(tests=tests, what=what) for word in one.command] for what in ("test", "control"))
        told = {"start": start, "oldest": oldest}

        def is_right(report: fb.PorterReport) -> bool:
            return culprit in (report.bad, *report.between)

        # A program in C of which parts are missing may well crash.
        stages = {"build": one.build, "timeout": 60, "on_signal": "fail"}
        with (
            repository.command_oracle(words, control=control, **stages) as command,
            repository.command_oracle(words, **stages) as alone,
        ):
            guarded, plain = remembering(command), remembering(alone)
            found = []
            for search in SEARCHES:
                began = time.monotonic()
                oracle = guarded if search.guarded else plain
                report = fb.iterative_delta_debugging(repository, oracle, **search.told(told))
                found.append(observed(title(one), search.name, between, report, is_right))
                print(f"{title(one)}, {search.name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
            return found


def regressions(done: list[Regression], found: list[Row]) -> str:
    """What is known of each, and what the default search named."""
    names = ["regression", "start", "culprit", "known from", "what the test needs", "named"]
    named = {one.situation: one.named for one in found if one.search == SEARCHES[0].name}
    return table(
        names,
        [
            [title(one), one.start[:8], one.culprit, one.known, one.needs, (named[title(one)] or "none")[:8]]
            for one in done
        ],
    )


def section(done: list[Regression], found: list[Row]) -> str:
    """All tables."""
    parts = [
        "## Public projects\n\nMade by `benchmarks/porting_projects.py`; see README.md for the method.\n",
        "### Regressions\n\n" + regressions(done, found),
        "### Searches\n\n" + searches(found, "regression"),
        "### Targets\n\n" + ratios(found),
        ways(found),
    ]
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the git directories")
    parser.add_argument(
        "--only", action="append", help="regressions with this in their names; may be given several times"
    )
    parser.add_argument("--json", type=Path, help="a file for all rows; what is in it is not searched again")
    options = parser.parse_args()
    known: dict[str, list[dict[str, Any]]] = {}
    if options.json is not None and options.json.exists():
        known = json.loads(options.json.read_text())
    done, found = [], []
    for one in REGRESSIONS:
        if options.only is not None and not any(part in title(one) for part in options.only):
            continue
        mirror = directory(options.folder, one.project)
        if mirror is None:
            sys.exit(f"{options.folder} has no {one.project.replace('/', '+')}; see benchmarks/README.md")
        if title(one) not in known:
            known[title(one)] = [asdict(row) for row in rows(one, mirror)]
            if options.json is not None:
                options.json.write_text(json.dumps(known, indent=1))
        done.append(one)
        found += [Row(**row) for row in known[title(one)]]
    print(section(done, found))


if __name__ == "__main__":
    main()
