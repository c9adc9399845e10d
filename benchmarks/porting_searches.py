"""What iterative delta debugging costs: the searches that are held against one another, and their tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import firstbad as fb

__all__ = ["SEARCHES", "Row", "Search", "conflicts", "observed", "ratios", "searches", "table", "ways"]


@dataclass(frozen=True)
class Search:
    """One way to search.

    Attributes:
        name: What it is called.
        options: What it is told beside the situation's own options.
        guarded: Whether it has the situation's control, and what is always kept.
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    guarded: bool = True

    def told(self, own: dict[str, Any]) -> dict[str, Any]:
        """All options, for a situation with options of its own."""
        left = {name: value for name, value in own.items() if self.guarded or name != "always_keep"}
        return {**left, **self.options}


RECURSIVE = {"algorithm": "recursive"}
FLAT = {"hierarchical": False}
STRICT = {"walk": "strict"}
SEARCHES = (
    Search("gallop"),
    Search("gallop, flat", FLAT),
    Search("gallop, recursive", RECURSIVE),
    Search("gallop, recursive, flat", RECURSIVE | FLAT),
    Search("strict", STRICT),
    Search("strict, recursive", STRICT | RECURSIVE),
    Search("strict, recursive, flat", STRICT | RECURSIVE | FLAT),
    Search("plain", STRICT | RECURSIVE | FLAT | {"early_pass": False}, guarded=False),
)
"""The first is the default. The last is the paper's Figure 2 as printed: no control, nothing always kept, and a pass
inside a reduction ignored."""
LEVELS = (
    ("gallop", "gallop, flat"),
    ("gallop, recursive", "gallop, recursive, flat"),
    ("strict, recursive", "strict, recursive, flat"),
)
"""Level by level, and at once to lines, otherwise the same."""


@dataclass(frozen=True)
class Row:
    """What one search did.

    Attributes:
        situation: On what.
        search: Which one.
        named: The version that it named as the one that broke it; None if none.
        right: Whether that is right.
        commits: How many revisions there are.
        runs: How often the test was run.
        asked: How many answers there were.
        conflicts: How many of them were patches that did not apply.
        visited: How many revisions were looked at.
        carried: How many changes the test needs.
        cause: How many changes bring the failure back.
        steps: How patches came to the revisions that were looked at.
        ways: How they came to everything that was answered.
        failed: How many answers were neither a pass nor the failure that is followed.
    """

    situation: str
    search: str
    named: str | None
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
    failed: int


def observed(
    situation: str, search: str, commits: int, report: fb.PorterReport, is_right: Callable[[fb.PorterReport], bool]
) -> Row:
    """What a search did, as its report says."""
    with_patch = [seen for seen in report.observations if seen.universe is not None]
    ways = Counter("conflict" if seen.stage == "patch" else str((seen.signals or {})["carried"]) for seen in with_patch)
    details = report.details
    failure = next((seen for seen in report.observations if seen.universe is None), None)
    usual = (failure.outcome, failure.stage, failure.signature) if failure is not None else None
    return Row(
        situation=situation,
        search=search,
        named=report.bad,
        right=is_right(report),
        commits=commits,
        runs=report.runs,
        asked=report.asked,
        conflicts=sum(seen.stage == "patch" for seen in report.observations),
        visited=report.visited,
        carried=details["carried"].changes if "carried" in details else 0,
        cause=details["cause"].changes if "cause" in details else 0,
        steps=dict(Counter("conflict" if "stage patch" in step.seen else str(step.carried) for step in report.steps)),
        ways=dict(ways),
        failed=sum(
            seen.outcome != "pass" and (seen.outcome, seen.stage, seen.signature) != usual
            for seen in report.observations
        ),
    )


def table(names: list[str], lines: list[list[Any]]) -> str:
    cells = [names, ["---"] * len(names), *lines]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in cells) + "\n"


def searches(found: list[Row], first: str) -> str:
    """A line for each row; `first` is what a situation is called."""
    names = [first, "commits", "search", "right", "visited", "runs", "asked", "conflicts", "carried", "cause"]
    lines = [[one.situation, one.commits, one.search, "yes" if one.right else "**no**", *sizes(one)] for one in found]
    return table(names, lines)


def sizes(one: Row) -> list[int]:
    return [one.visited, one.runs, one.asked, one.conflicts, one.carried, one.cause]


def counted(found: list[Row], which: str) -> str:
    lines = []
    for search in SEARCHES:
        total: Counter[str] = Counter()
        for one in found:
            if one.search == search.name:
                total.update(getattr(one, which))
        lines.append([search.name, *(total[way] for way in WAYS)])
    return table(["search", *WAYS], lines)


WAYS = ["none", "exact", "three_way", "renamed", "whitespace", "fuzzy", "already", "conflict"]


def ways(found: list[Row]) -> str:
    """How patches came to where they were tested."""
    return (
        "### How patches came to the revisions that were looked at\n\n"
        + counted(found, "steps")
        + "\n### How patches came to all that was answered\n\n"
        + counted(found, "ways")
        + "\n### What failed, and how much of it was a conflict\n\n"
        + conflicts(found)
    )


def conflicts(found: list[Row]) -> str:
    """Of the answers that were neither a pass nor the failure that is followed, how many were conflicts."""
    lines = []
    for search in SEARCHES:
        those = [one for one in found if one.search == search.name]
        failed, not_applied = sum(one.failed for one in those), sum(one.conflicts for one in those)
        lines.append([search.name, failed, not_applied, f"{not_applied / failed:.0%}" if failed else ""])
    return table(["search", "failed", "conflicts", "share"], lines)


class _Rows:
    """All rows, by situation and search."""

    def __init__(self, found: list[Row]) -> None:
        self.of = {(one.situation, one.search): one for one in found}
        self.names = list(dict.fromkeys(one.situation for one in found))
        self.lines: list[list[Any]] = []

    def line(self, what: str, measured: object, target: object = "", met: bool | None = None) -> None:
        self.lines.append([what, measured, target, "" if met is None else "met" if met else "**missed**"])

    def total(self, search: str, names: Iterable[str]) -> int:
        return sum(self.of[name, search].runs for name in names)

    def runs(self, search: str, beside: str, most: float) -> None:
        """How many runs one search takes for each of another one's: in all, and where it is most."""
        each = {name: self.of[name, search].runs / self.of[name, beside].runs for name in self.names}
        worst = max(each, key=each.__getitem__)
        total = self.total(search, self.names) / self.total(beside, self.names)
        what = f'runs, "{search}" to "{beside}"'
        self.line(f"{what}, in all", f"{total:.2f}", most, total <= most)
        self.line(f"{what}, most ({worst})", f"{each[worst]:.2f}", most, each[worst] <= most)

    def larger(self, search: str, beside: str) -> None:
        """Where one search ends with larger patches than another one, both being right."""
        both = [name for name in self.names if self.of[name, search].right and self.of[name, beside].right]
        mine, other = ([sizes(self.of[name, which])[-2:] for name in both] for which in (search, beside))
        larger = [
            name for name, a, b in zip(both, mine, other, strict=True) if any(x > y for x, y in zip(a, b, strict=True))
        ]
        sums = [sum(map(sum, which)) for which in (mine, other)]
        self.line(f'larger patches, "{search}" than "{beside}"', ", ".join(larger) or "none", "none", not larger)
        self.line(
            f"changes carried and causing, of the two, where both are right ({len(both)})", f"{sums[0]} and {sums[1]}"
        )


def ratios(found: list[Row]) -> str:
    """What the searches come to beside one another, and each target with "met" or "missed"."""
    rows = _Rows(found)
    of = rows.of
    for name in rows.names:
        gallop, strict = of[name, "gallop"], of[name, "strict"]
        if gallop.commits >= 100:
            share = gallop.visited / strict.visited
            what = f"{name}: revisions that galloping visits, of the strict walk's"
            rows.line(what, f"{gallop.visited} of {strict.visited}: {share:.2f}", "1/3", share <= 1 / 3)
            rows.line(f"{name}: runs of the two", f"{gallop.runs} of {strict.runs}")
    rows.runs("gallop", "gallop, recursive", 1.2)
    for search, beside in LEVELS:
        rows.runs(search, beside, 0.8)
        rows.larger(search, beside)
    for search in SEARCHES[:2]:
        long = [f"{name} ({of[name, search.name].cause})" for name in rows.names if of[name, search.name].cause > 5]
        rows.line(f"causes of more than 5 changes, {search.name}", ", ".join(long) or "none", "none", not long)
    for search in SEARCHES:
        wrong = [name for name in rows.names if not of[name, search.name].right]
        # The plain one is shown beside the others: it is known to miss some.
        target = ("none", not wrong) if search.guarded else ()
        rows.line(f"wrong answers, {search.name}", ", ".join(wrong) or "none", *target)
    differ = [name for name in rows.names if of[name, "gallop"].named != of[name, "strict"].named]
    what = "galloping and strict walks that name different versions"
    rows.line(what, ", ".join(differ) or "none", "none", not differ)
    return table(["what", "measured", "target", ""], rows.lines)
