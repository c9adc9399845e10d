"""What the smallest slice of a history costs: the searches that are held against one another, and their tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shared import table

import firstbad as fb

__all__ = ["SEARCHES", "Row", "Search", "observed", "proof", "searches", "targets"]


@dataclass(frozen=True)
class Search:
    """One way to search.

    Attributes:
        name: What it is called.
        options: What it is told.
        starts: Whether it is told which changes are covered.
        learns: Whether runs of the test show facts.
    """

    name: str
    options: dict[str, Any]
    starts: bool = False
    learns: bool = False


NONE = {"dependencies": "none"}
SEARCHES = (
    Search("ddmin", {"algorithm": "ddmin", **NONE}),
    Search("recursive", {"algorithm": "recursive", **NONE}),
    Search("auto", {"algorithm": "auto", **NONE}),
    Search("ddmin, dependencies", {"algorithm": "ddmin"}),
    Search("recursive, dependencies", {"algorithm": "recursive"}),
    Search("auto, dependencies", {"algorithm": "auto"}),
    Search("auto, learning", {"algorithm": "auto", **NONE}, learns=True),
    Search("auto, dependencies, learning", {"algorithm": "auto"}, learns=True),
    Search("definer neg, dependencies, learning", {"algorithm": "definer", "scheme": "neg"}, learns=True),
    Search("coverage alone", {"algorithm": "coverage"}, starts=True),
    Search("auto, dependencies, coverage as a start", {"algorithm": "auto"}, starts=True),
)
RATIOS = (
    ("auto", "ddmin", 0.7),
    ("auto, dependencies", "ddmin", 0.7),
    ("auto, dependencies", "ddmin, dependencies", 0.7),
    ("auto", "recursive", 0.95),
    ("auto, dependencies", "recursive", 0.95),
    ("auto, dependencies", "recursive, dependencies", 0.95),
)
"""How many questions the first may ask for each of the second's, and its slice may be no larger."""


@dataclass(frozen=True)
class Row:
    """What one search did.

    Attributes:
        feature: For which feature.
        search: Which one.
        status: How it ended.
        commits: How many commits there were.
        asked: How many questions it asked.
        runs: How many of them cost a run.
        conflicts: How many of them git could not put together.
        size: How many commits the slice has.
        start: How many commits it was told to start with; None if none.
        proof: What shows that the slice is 1-minimal, by `proof`; None if that is not shown.
    """

    feature: str
    search: str
    status: str
    commits: int
    asked: int
    runs: int
    conflicts: int
    size: int
    start: int | None
    proof: str | None


def proof(report: fb.SlicerReport) -> str | None:
    """What shows that no change can go, looked up in the answers and not taken from the report's word for it.

    For each change an answer that is no pass, of the slice without it. Where that could not be put together, or all
    that the answer names besides: answers that say so, and one of the slice without more than that one.
    """
    kept, runs, conflicts = set(report.kept), 0, 0
    answers = report.observations
    whole = [seen for seen in answers if set(seen.changes) == kept]
    if not any(seen.outcome is fb.Outcome.PASS for seen in whole):
        return None
    why = {one.change: one for one in report.why}
    for change in report.kept:
        if change not in why:
            return None
        shown = answers[why[change].observation]
        unbuilt = [answers[one] for one in why[change].unbuilt]
        without = kept - {change}
        straight = set(shown.changes) == without or any(set(one.changes) == without for one in unbuilt)
        if shown.outcome is fb.Outcome.PASS or not set(shown.changes) <= without or not straight:
            return None
        if not all(is_conflict(one) for one in unbuilt):
            return None
        # An answer that cost no run because an equal tree was run before counts as that run.
        conflicts += is_conflict(shown)
        runs += not is_conflict(shown)
    parts = [(runs, "run"), (conflicts, "conflict")]
    return ", ".join(f"{number} {what}{'' if number == 1 else 's'}" for number, what in parts if number)


def is_conflict(seen: fb.SubsetObservation) -> bool:
    """Whether git could not put it together."""
    return seen.stage == "patch"


def observed(feature: str, search: str, report: fb.SlicerReport, start: int | None) -> Row:
    """What a search did, as its report says."""
    return Row(
        feature=feature,
        search=search,
        status=report.status,
        commits=report.of,
        asked=report.asked,
        runs=report.runs,
        conflicts=sum(is_conflict(seen) for seen in report.observations),
        size=len(report.kept),
        start=start,
        proof=proof(report),
    )


def searches(found: list[Row]) -> str:
    """A line for each row."""
    names = ["feature", "commits", "search", "asked", "runs", "conflicts", "slice", "1-minimal, shown by"]
    lines = []
    for one in found:
        name = one.search if one.start is None else f"{one.search} ({one.start} covered)"
        size = one.status if one.status != "found" else f"all {one.size}" if one.size == one.commits else one.size
        lines.append(
            [one.feature, one.commits, name, one.asked, one.runs, one.conflicts, size, one.proof or "not shown"]
        )
    return table(names, lines)


def targets(found: list[Row]) -> str:
    """What the searches come to beside one another, and each target with "met" or "missed"."""
    of = {(one.feature, one.search): one for one in found}
    features = list(dict.fromkeys(one.feature for one in found))
    lines: list[list[Any]] = []

    def line(what: str, measured: object, target: object = "", met: bool | None = None) -> None:
        lines.append([what, measured, target, "" if met is None else "met" if met else "**missed**"])

    for search, beside, most in RATIOS:
        pairs = {name: (of[name, search], of[name, beside]) for name in features}
        shares = {name: mine.asked / other.asked for name, (mine, other) in pairs.items()}
        for name, share in shares.items():
            both = " of ".join(str(one.asked) for one in pairs[name])
            line(f'{name}: questions, "{search}" to "{beside}"', f"{both}: {share:.3f}", most, share <= most)
        asked, runs = (
            [sum(getattr(pair[at], what) for pair in pairs.values()) for at in (0, 1)] for what in ("asked", "runs")
        )
        share = asked[0] / asked[1]
        line(f'all: questions, "{search}" to "{beside}"', f"{asked[0]} of {asked[1]}: {share:.3f}", most, share <= most)
        line(f'all: runs, "{search}" to "{beside}"', f"{runs[0]} of {runs[1]}: {runs[0] / runs[1]:.3f}")
        larger = [
            f"{name} ({mine.size}, {other.size})" for name, (mine, other) in pairs.items() if mine.size > other.size
        ]
        line(f'larger slices, "{search}" than "{beside}"', ", ".join(larger) or "none", "none", not larger)
    alone = "coverage alone"
    open_ones = [f"{one.feature}: {one.search}" for one in found if one.search != alone and one.proof is None]
    line("slices not shown to be 1-minimal", ", ".join(open_ones) or "none", "none", not open_ones)
    return table(["what", "measured", "target", ""], lines)
