"""Figures over many runs, drawn with matplotlib: `pip install "firstbad[plot]"`.

Every function returns matplotlib's `Axes`, which you can change. Without `ax`, a function creates a figure that is
legible on light and dark pages. With `ax`, the figure keeps its style. The figures show only observed outcomes. Names
are drawn literally, without math or markup.

>>> from firstbad import plot
>>> axes = plot.runs({"git bisect": [4, 5], "firstbad": [4, 2]}, names=["main", "dev"])
>>> axes.get_xlabel()
'runs'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, TypeVar

from firstbad._arguments import check_count
from firstbad._change_plot import change
from firstbad._culprit import CulpritSearch
from firstbad._culprit_report import CulpritReport
from firstbad._figure import (
    AFTER,
    BEFORE,
    FAIL,
    INK,
    OTHER,
    PASS,
    UNRESOLVED,
    drawing,
    invalid,
    legend,
    percent,
    shown,
    whole,
)
from firstbad._observation import Outcome
from firstbad._patch import Patch
from firstbad._port_report import PorterReport
from firstbad._posterior import Posterior
from firstbad._reduction_report import MinimizeReport
from firstbad._slice_report import SlicerReport
from firstbad._words import Words

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from firstbad._observation import RevisionObservation

__all__ = ["Cost", "change", "patch_sizes", "posterior", "reduction_sizes", "run_shares", "runs", "slice_sizes"]

Cost: TypeAlias = "int | SupportsIndex | Words"
"""The cost of a search: a number of runs, or a report, whose `runs` counts."""

Report = TypeVar("Report")

_SERIES = (AFTER, OTHER, FAIL, UNRESOLVED, BEFORE, PASS)
_DASHES = ("-", "--", ":", "-.")
_BAR = 0.26
"""Inches of height for each bar."""
_HIGHEST = 20.0
"""The maximum height of a figure, in inches."""


def runs(
    searches: Mapping[str, Iterable[Cost]] | Iterable[Cost],
    *,
    names: Iterable[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws the number of runs of each search as bars. For many searches, see `run_shares`.

    Args:
        searches: The cost of each search, in order. To compare algorithms, a mapping from the name of each algorithm to
            the costs of the same searches.
        names: The name of each search. Default: its number, from 1.
        ax: The axes to draw in. Default: a new figure.

    Raises:
        InvalidArgumentError: If there is no search, the numbers of searches and names differ, or a cost is neither a
            report nor a count.
    """
    groups = _costs(searches)
    [(first, costs), *others] = groups.items()
    for name, other in others:
        if len(other) != len(costs):
            raise invalid(
                f"searches[{name!r}]", f"{len(other)} searches", f"as many as searches[{first!r}] has, {len(costs)}"
            )
    called = [str(number + 1) for number in range(len(costs))] if names is None else list(map(shown, names))
    if len(called) != len(costs):
        raise invalid("names", f"{len(called)} names", f"one for each of the {len(costs)} searches")
    bar = 0.8 / len(groups)
    height = min(1.2 + _BAR * len(costs) * (len(groups) + 0.3), _HIGHEST)
    with drawing(ax, height) as axes:
        drawn = []
        for number, (costs, colour) in enumerate(zip(groups.values(), cycle(_SERIES), strict=False)):
            places = [place - 0.4 + bar * (number + 0.5) for place in range(len(costs))]
            bars = axes.barh(places, costs, 0.9 * bar, color=colour)
            axes.bar_label(bars, padding=3)
            drawn.append(bars)
        axes.set_yticks(range(len(called)), called)
        for text in axes.get_yticklabels():
            text.set_parse_math(False)
        axes.tick_params("y", length=0)
        axes.set_ylim(len(called) - 0.4, -0.6)
        axes.margins(x=0.12)
        axes.xaxis.set_major_locator(whole())
        axes.set_xlabel("runs")
        legend(axes, drawn, groups)
    return axes


def run_shares(searches: Mapping[str, Iterable[Cost]] | Iterable[Cost], *, ax: Axes | None = None) -> Axes:
    """Draws the share of searches that needed at most a given number of runs. A curve further left is better.

    Args:
        searches: The cost of each search. To compare algorithms, a mapping from the name of each algorithm to costs.
        ax: The axes to draw in. Default: a new figure.

    Raises:
        InvalidArgumentError: If there is no search, or a cost is neither a report nor a count.
    """
    groups = _costs(searches)
    with drawing(ax) as axes:
        drawn = []
        for costs, look in zip(groups.values(), _looks(), strict=False):
            steps = sorted(costs)
            shares = [number / len(steps) for number in range(len(steps) + 1)]
            drawn += axes.plot([steps[0], *steps], shares, drawstyle="steps-post", linewidth=2, **look)
        axes.set_ylim(0, 1.02)
        axes.set_xlim(left=0)
        axes.xaxis.set_major_locator(whole())
        axes.yaxis.set_major_formatter(percent())
        axes.set_xlabel("runs")
        axes.set_ylabel("searches done by then")
        legend(axes, drawn, groups)
    return axes


def posterior(
    search: CulpritSearch | CulpritReport | Iterable[CulpritReport], *, most: int = 8, ax: Axes | None = None
) -> Axes:
    """Draws the probability of each suspect after each outcome.

    The line of the culprit is thick, the line of "no culprit" is dashed, and marks below the lines are the outcomes.

    Args:
        search: A culprit search, its report, or reports in the order of time, for example from `Session.replay`. A
            report that was read from JSON contains only the suspects of its `credible_set`.
        most: The maximum number of suspects, at least 1. The figure shows those that were the most likely at some time.
        ax: The axes to draw in. Default: a new figure.

    Raises:
        InvalidArgumentError: If there is no report, a report is of another kind, or a single report was copied or read.
            Such a report has no history of probabilities.
    """
    check_count("most", most, 1)
    last, steps = _belief(search)
    best: dict[str, float] = {}
    for _, belief in steps:
        # A suspect in the top `most` of all was also in the top `most` at that time.
        for one in belief.credible_set(1.0, most=most + 1):
            if one.revision is not None:
                best[one.revision] = max(best.get(one.revision, 0.0), one.probability)
    suspects = sorted(best, key=lambda suspect: -best[suspect])[:most]
    if last.culprit in best and last.culprit not in suspects:
        suspects[-1] = last.culprit
    answers = [answer for answer, _ in steps]
    with drawing(ax) as axes:
        known: dict[str, Artist] = {}
        for suspect in suspects:
            line = [belief.get(suspect, float("nan")) for _, belief in steps]
            if suspect == last.culprit:
                [known[shown(suspect)]] = axes.plot(answers, line, color=FAIL, linewidth=2.5, label=suspect, zorder=3)
            else:
                [known["other suspects"]] = axes.plot(answers, line, color=OTHER, linewidth=1, label=suspect)
        flake = [belief.no_culprit for _, belief in steps]
        [known["flake"]] = axes.plot(answers, flake, color=INK, linewidth=1.5, linestyle="--", label="flake")
        known |= _answers(axes, last.observations[: answers[-1]])
        axes.set_ylim(-0.1, 1.02)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
        axes.yaxis.set_major_formatter(percent())
        axes.xaxis.set_major_locator(whole())
        axes.set_xlabel("outcomes")
        axes.set_ylabel("probability")
        legend(axes, list(known.values()), known)
    return axes


def reduction_sizes(
    reports: MinimizeReport[Any] | Mapping[str, MinimizeReport[Any]] | Iterable[MinimizeReport[Any]],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draws the size of the smallest set with the property after each run of a reduction.

    Args:
        reports: A report of `minimize`, `minimize_text` or `minimize_patch`, several reports, or a mapping from names
            to reports.
        ax: The axes to draw in. Default: a new figure.

    Raises:
        InvalidArgumentError: If there is no report, a report is of another kind, or no set in it had the property.
    """
    found = _named("reports", reports, MinimizeReport, "reports of minimize, minimize_text or minimize_patch")
    lines = {name: _reduced(report) for name, report in found.items()}
    kinds = {_kind(report.items) for report in found.values()}
    label = f"{kinds.pop() if len(kinds) == 1 else 'items'} left"
    with drawing(ax) as axes:
        _falling(axes, lines, label, isinstance(reports, Mapping))
    return axes


def slice_sizes(
    reports: SlicerReport | Mapping[str, SlicerReport] | Iterable[SlicerReport], *, ax: Axes | None = None
) -> Axes:
    """Draws the size of a slice of a history after each run (Li et al. 2016, DEFINER, Figure 13).

    Args:
        reports: A report of `slice_history`, several reports, or a mapping from names to reports.
        ax: The axes to draw in. Default: a new figure.

    Raises:
        InvalidArgumentError: If there is no report, a report is of another kind, or no set of changes in it passed.
    """
    found = _named("reports", reports, SlicerReport, "reports of slice_history")
    lines = {}
    for name, report in found.items():
        if not report.sizes:
            raise invalid(f"reports[{name!r}]", repr(report), "one in which a slice was seen to hold")
        ends = [(size.run, size.changes) for size in report.sizes]
        lines[name] = [*ends, (report.runs, ends[-1][1])]
    with drawing(ax) as axes:
        _falling(axes, lines, "changes left", isinstance(reports, Mapping))
    return axes


def patch_sizes(report: PorterReport, *, ax: Axes | None = None) -> Axes:
    """Draws the size of the patch at each revision, and the effect of each reduction.

    Newer revisions are to the right, as in Artho, "Iterative Delta Debugging", Figures 9 to 22.
    `report.to_svg("sizes")` draws the same figure without matplotlib.

    Args:
        report: A report of `iterative_delta_debugging`.
        ax: The axes to draw in. Default: a new figure.

    Raises:
        InvalidArgumentError: If `report` is of another kind, or the search visited no revision.
    """
    if not isinstance(report, PorterReport):
        raise invalid("report", repr(report), "a report of iterative_delta_debugging")
    if not report.steps:
        raise invalid("report", repr(report), "one of a search that has looked at a revision")
    known: dict[str, Artist] = {}
    with drawing(ax) as axes:
        for name, forward, dashes in (("back", False, "-"), ("forward", True, "--")):
            kept = _carried(report, forward)
            if len(kept) > 1:
                [known[name]] = axes.plot(
                    *_columns(kept), drawstyle="steps-post", color=OTHER, linewidth=2, linestyle=dashes, marker="."
                )
        along = [made for made in report.reductions if made.purpose in ("walk", "carried", "forward")]
        befores = [(made.place, made.before) for made in along]
        afters = [(made.place, made.after) for made in along if made.after is not None]
        if befores:
            known["before reduction"] = axes.scatter(
                *_columns(befores), s=90, marker="v", edgecolors=BEFORE, facecolors="none", linewidths=2, zorder=3
            )
        if afters:
            known["after it"] = axes.scatter(*_columns(afters), s=70, marker="o", color=AFTER, zorder=3)
        places = [step.place for step in report.steps if step.revision == report.good and not step.forward]
        if places:
            known["passes"] = axes.axvline(places[0], color=PASS, linewidth=2, linestyle=":")
        axes.invert_xaxis()
        axes.set_ylim(bottom=0)
        axes.margins(y=0.12)
        axes.xaxis.set_major_locator(whole())
        axes.yaxis.set_major_locator(whole())
        axes.set_xlabel("revisions before the start")
        axes.set_ylabel("changes in the patch")
        legend(axes, list(known.values()), known)
    return axes


def _looks() -> Iterator[dict[str, Any]]:
    """Yields line styles that differ without color."""
    for colour, dashes in zip(cycle(_SERIES), cycle(_DASHES)):
        yield {"color": colour, "linestyle": dashes}


def _costs(searches: Any) -> dict[str, list[int]]:
    """Returns the number of runs of each search, by algorithm."""
    if not isinstance(searches, Mapping):
        return {"": _all("searches", searches)}
    if not searches:
        raise invalid("searches", repr(searches), "at least one way to search")
    return {name: _all(f"searches[{name!r}]", costs) for name, costs in searches.items()}


def _all(argument: str, given: Any) -> list[int]:
    if isinstance(given, (str, bytes, Words)) or not isinstance(given, Iterable):
        raise invalid(argument, repr(given), "reports, or counts of runs, in a list")
    costs = [_cost(f"{argument}[{place}]", one) for place, one in enumerate(given)]
    if not costs:
        raise invalid(argument, repr(given), "at least one search")
    return costs


def _cost(argument: str, one: Any) -> int:
    if isinstance(one, CulpritReport):
        return one.runs
    if isinstance(one, Words):
        runs: int = one.runs  # type: ignore[attr-defined]
        return runs
    if isinstance(one, SupportsIndex) and not isinstance(one, bool):
        return check_count(argument, index(one), 0)
    raise invalid(argument, repr(one), "a report, or how many runs the search took")


def _named(argument: str, given: Any, kind: type[Report], expected: str) -> dict[str, Report]:
    """Returns reports by name: by number from 0 without names, and by "" for a single one."""
    if isinstance(given, kind):
        return {"": given}
    if isinstance(given, (str, bytes, Words)) or not isinstance(given, Iterable):
        raise invalid(argument, repr(given), f"{expected}: one, several, or several by their names")
    found = dict(given) if isinstance(given, Mapping) else dict(enumerate(given))
    if not found:
        raise invalid(argument, repr(given), f"{expected}, one at least")
    for name, report in found.items():
        if not isinstance(report, kind):
            raise invalid(f"{argument}[{name!r}]", repr(report), expected)
    return {str(name): report for name, report in found.items()}


def _belief(search: Any) -> tuple[CulpritReport, list[tuple[int, Posterior]]]:
    """Returns the last report, and the probabilities after each number of outcomes."""
    expected = "a culprit search, a report of one in this process, or its reports in order"
    if isinstance(search, CulpritSearch):
        search = search.report()
    if isinstance(search, CulpritReport):
        if search._search is None:
            raise invalid("search", repr(search), f"{expected}. A report that was copied or read has no history")
        return search, list(_again(search))
    if isinstance(search, (str, bytes, Words)) or not isinstance(search, Iterable):
        raise invalid("search", repr(search), expected)
    reports = list(search)
    for place, report in enumerate(reports):
        if not isinstance(report, CulpritReport):
            raise invalid(f"search[{place}]", repr(report), "a report of a culprit search")
    if not reports:
        raise invalid("search", repr(reports), expected)
    return reports[-1], [(len(report.observations), report.posterior) for report in reports]


def _again(report: CulpritReport) -> Iterator[tuple[int, Posterior]]:
    """Yields the probabilities of a search by a replay of its outcomes."""
    assert report._search is not None
    playing = report._search.fresh()
    for count in range(len(report.observations) + 1):
        if count:
            seen = report.observations[count - 1]
            playing.observe(seen.revision, seen)
        posterior = playing.report_with_posterior()[1]
        assert posterior is not None, "a culprit search keeps one"
        yield count, Posterior(posterior)


def _answers(axes: Axes, observations: Sequence[RevisionObservation]) -> dict[str, Artist]:
    """Draws the outcomes below the lines."""
    known: dict[str, Artist] = {}
    marks = ((Outcome.PASS, "o", PASS), (Outcome.FAIL, "s", FAIL), (Outcome.UNRESOLVED, "D", UNRESOLVED))
    for outcome, marker, colour in marks:
        places = [number for number, seen in enumerate(observations, 1) if seen.outcome is outcome]
        if places:
            below = [-0.055] * len(places)
            known[outcome.value] = axes.scatter(places, below, s=18, marker=marker, color=colour, label=outcome.value)
    return known


def _kind(items: object) -> str:
    """Returns the unit of a reduction, in plural."""
    # A text is reduced by lines and parts of lines.
    return "changes" if isinstance(items, Patch) else "pieces" if isinstance(items, str) else "items"


def _reduced(report: MinimizeReport[Any]) -> list[tuple[int, int]]:
    """Returns the number of items left after each run."""
    kept = [one.outcome for one in report.observations if one.changes == report.kept]
    resolved = Counter(outcome for outcome in kept if outcome is not Outcome.UNRESOLVED)
    if not resolved:
        raise invalid("reports", repr(report), "one in which a set of items was seen to have the property")
    [(holds, _)] = resolved.most_common(1)
    points: list[tuple[int, int]] = []
    run = 0
    for one in report.observations:
        run += one.ran and one.probe is not None
        size = len(one.changes)
        if one.outcome is holds and (not points or size < points[-1][1]):
            points.append((run, size))
    return [*points, (run, points[-1][1])]


def _carried(report: PorterReport, forward: bool) -> list[tuple[int, int]]:
    """Returns the number of changes at each step with the kept outcome."""
    kept = [(one.place, one.patch) for one in report.steps if one.forward == forward and one.outcome == "kept"]
    walked = [made for made in report.reductions if made.forward == forward and made.purpose == "walk"]
    kept += [(made.place, made.after) for made in walked if made.after is not None]
    return sorted(kept, reverse=forward)


def _falling(axes: Axes, lines: Mapping[str, Sequence[tuple[int, int]]], label: str, are_named: bool) -> None:
    """Draws sizes that decrease from run to run."""
    drawn = []
    looks: Iterator[dict[str, Any]] = _looks() if are_named else cycle([{"color": AFTER}])
    for points, look in zip(lines.values(), looks, strict=False):
        drawn += axes.plot(*_columns(points), drawstyle="steps-post", linewidth=2, **look)
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(whole())
    axes.yaxis.set_major_locator(whole())
    axes.set_xlabel("runs")
    axes.set_ylabel(label)
    if are_named:
        legend(axes, drawn, lines)


def _columns(points: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Returns all x and all y, as matplotlib takes them."""
    both = list(points)
    return [x for x, _ in both], [y for _, y in both]
