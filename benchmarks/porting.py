"""What iterative delta debugging costs on the situations of the end-to-end tests: runs, conflicts, sizes of patches.

python porting.py [--only NAME] [--json FILE] prints tables and targets as Markdown. The searches of one situation share
what a compiler or an interpreter said of equal trees, so that each is asked once; every search is told of it as of a
run of its own, and counts it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import firstbad as fb

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "end_to_end"))
from situations import LONG, SITUATIONS, SQUASHED, Made, made, remembering

SEARCHES: dict[str, dict[str, Any]] = {
    "gallop": {},
    "strict": {"walk": "strict"},
    "gallop, recursive": {"algorithm": "recursive"},
    "gallop, flat": {"hierarchical": False},
    "strict, recursive, flat": {"walk": "strict", "algorithm": "recursive", "hierarchical": False},
}
"""The first is the default, the last the paper's; as in all of them, a pass inside a reduction ends the walk."""


@dataclass(frozen=True)
class Row:
    """What one search did.

    Attributes:
        situation: On what.
        search: Which one.
        right: Whether it named the version that broke it, or rightly none.
        commits: How many revisions there are.
        runs: How often the test was run.
        asked: How many answers there were.
        conflicts: How many of them were patches that did not apply.
        visited: How many revisions were looked at.
        carried: How many changes the test needs.
        cause: How many changes bring the failure back.
        steps: How patches came to the revisions that were looked at.
        ways: How they came to everything that was answered.
    """

    situation: str
    search: str
    right: bool
    commits: int
    runs: int
    asked: int
    conflicts: int
    visited: int
    carried: int
    cause: int
    steps: dict[str, int]
    ways: dict[str, int]


def row(there: Made, search: str, report: fb.PorterReport) -> Row:
    conflicts = [seen for seen in report.observations if seen.stage == "patch"]
    with_patch = [seen for seen in report.observations if seen.universe is not None]
    ways = Counter("conflict" if seen.stage == "patch" else str((seen.signals or {})["carried"]) for seen in with_patch)
    right = (report.status, (report.good, report.bad)) == (there.situation.status, there.ends)
    details = report.details
    return Row(
        situation=there.situation.name,
        search=search,
        right=right,
        commits=len(there.shas),
        runs=report.runs,
        asked=report.asked,
        conflicts=len(conflicts),
        visited=report.visited,
        carried=details["carried"].changes if "carried" in details else 0,
        cause=details["cause"].changes if "cause" in details else 0,
        steps=dict(Counter("conflict" if "stage patch" in step.seen else str(step.carried) for step in report.steps)),
        ways=dict(ways),
    )


def rows(only: str | None) -> list[Row]:
    found = []
    for situation in (*SITUATIONS, LONG, SQUASHED):
        if only is not None and only not in situation.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            there = made(situation, Path(folder))
            repository = fb.Repository(there.repository)
            with repository.command_oracle(there.words(situation.test) or [], **there.stages()) as command:
                oracle = remembering(command)
                for search, options in SEARCHES.items():
                    told = {"start": "main", **situation.told, **options}
                    report = fb.iterative_delta_debugging(repository, oracle, **told)
                    found.append(row(there, search, report))
    return found


def table(names: list[str], lines: list[list[Any]]) -> str:
    cells = [names, ["---"] * len(names), *lines]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in cells) + "\n"


def sizes(one: Row) -> list[int]:
    return [one.visited, one.runs, one.asked, one.conflicts, one.carried, one.cause]


def searches(found: list[Row]) -> str:
    names = ["situation", "commits", "search", "right", "visited", "runs", "asked", "conflicts", "carried", "cause"]
    lines = [[one.situation, one.commits, one.search, "yes" if one.right else "**no**", *sizes(one)] for one in found]
    return table(names, lines)


def counted(found: list[Row], which: str) -> list[list[Any]]:
    lines = []
    for search in SEARCHES:
        total: Counter[str] = Counter()
        for one in found:
            if one.search == search:
                total.update(getattr(one, which))
        lines.append([search, *(total[way] for way in WAYS)])
    return lines


WAYS = ["none", "exact", "three_way", "renamed", "whitespace", "fuzzy", "already", "conflict"]


def ratios(found: list[Row]) -> str:
    """What the searches come to beside one another, and each target with "met" or "missed"."""
    of = {(one.situation, one.search): one for one in found}
    names = list(dict.fromkeys(one.situation for one in found))

    def runs(search: str, beside: str) -> tuple[float, str, float]:
        each = {name: of[name, search].runs / of[name, beside].runs for name in names}
        worst = max(each, key=each.__getitem__)
        total = sum(of[name, search].runs for name in names) / sum(of[name, beside].runs for name in names)
        return total, worst, each[worst]

    def verdict(met: bool) -> str:
        return "met" if met else "**missed**"

    lines: list[list[Any]] = []
    for name in (name for name in names if of[name, "gallop"].commits >= 100):
        gallop, strict = of[name, "gallop"], of[name, "strict"]
        share = gallop.visited / strict.visited
        what = f"{name}: revisions that galloping visits, of the strict walk's"
        lines.append([what, f"{gallop.visited} of {strict.visited}: {share:.2f}", "1/3", verdict(share <= 1 / 3)])
        lines.append([f"{name}: runs of the two", f"{gallop.runs} of {strict.runs}", "", ""])
    for search, beside, most in (("gallop", "gallop, recursive", 1.2), ("gallop", "gallop, flat", 0.8)):
        total, worst, ratio = runs(search, beside)
        what = f'runs, "{search}" to "{beside}"'
        lines.append([f"{what}, in all", f"{total:.2f}", most, verdict(total <= most)])
        lines.append([f"{what}, most ({worst})", f"{ratio:.2f}", most, verdict(ratio <= most)])
    larger = [
        name
        for name in names
        if of[name, "gallop"].right
        and of[name, "gallop, flat"].right
        and any(
            getattr(of[name, "gallop"], size) > getattr(of[name, "gallop, flat"], size) for size in ("carried", "cause")
        )
    ]
    lines.append(["larger patches than flat", ", ".join(larger) or "none", "none", verdict(not larger)])
    for search in SEARCHES:
        wrong = [name for name in names if not of[name, search].right]
        lines.append([f"wrong answers, {search}", ", ".join(wrong) or "none", "none", verdict(not wrong)])
    differ = [name for name in names if len({of[name, one].right for one in ("gallop", "strict")}) > 1]
    lines.append(
        [
            "galloping is right where strict is not, or the reverse",
            ", ".join(differ) or "none",
            "none",
            verdict(not differ),
        ]
    )
    return table(["what", "measured", "target", ""], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="situations with this in their names")
    parser.add_argument("--json", type=Path, help="a file for all rows")
    options = parser.parse_args()
    found = rows(options.only)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(one) for one in found], indent=1))
    print("# Iterative delta debugging\n\nMade by `benchmarks/porting.py`; see README.md for the method.\n")
    print("## Searches\n\n" + searches(found))
    print("## Targets\n\n" + ratios(found))
    print(
        "## How patches came to the revisions that were looked at\n\n"
        + table(["search", *WAYS], counted(found, "steps"))
    )
    print("## How patches came to all that was answered\n\n" + table(["search", *WAYS], counted(found, "ways")))


if __name__ == "__main__":
    main()
