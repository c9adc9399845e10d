"""Figures over many runs, drawn with matplotlib: `pip install "firstbad[plot]"`.

Every function returns matplotlib's `Axes`, to be changed at will. Without `ax` it is that of a new figure, which is
legible on light and on dark pages: it has no background, and colours between the two. With `ax` a figure keeps its own
style. Only what was observed is drawn. Names are shown as they are: no sign in them is obeyed.

>>> from firstbad import plot
>>> axes = plot.runs({"git bisect": [4, 5], "firstbad": [4, 2]}, names=["main", "dev"])
>>> axes.get_xlabel()
'runs'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, TypeVar

from firstbad._arguments import check_count
from firstbad._culprit import CulpritSearch
from firstbad._culprit_report import CulpritReport
from firstbad._errors import InvalidArgumentError
from firstbad._observation import Outcome
from firstbad._patch import Patch
from firstbad._port_report import PorterReport
from firstbad._posterior import Posterior
from firstbad._reduction_report import MinimizeReport
from firstbad._slice_report import SlicerReport
from firstbad._words import Words

try:
    from matplotlib import pyplot
    from matplotlib.axes import Axes
    from matplotlib.ticker import MaxNLocator, PercentFormatter
except ImportError as error:
    raise ImportError('firstbad.plot needs matplotlib: pip install "firstbad[plot]"', name="matplotlib") from error

if TYPE_CHECKING:
    from matplotlib.artist import Artist

    from firstbad._observation import RevisionObservation

__all__ = ["Cost", "patch_sizes", "posterior", "reduction_sizes", "run_shares", "runs", "slice_sizes"]

Cost: TypeAlias = "int | SupportsIndex | Words"
"""What a search cost: its report, or how many runs it took. The report of a culprit search says how many executions of
the test its answers stand for (`runs`), others how many answers cost a run (`runs`)."""

Report = TypeVar("Report")

_PASS, _FAIL, _UNRESOLVED = "#2b83c6", "#d2571a", "#8d73b8"
_AFTER, _BEFORE, _OTHER = "#12899f", "#a87414", "#8a8f96"
_INK = "#7d7d7d"
_SERIES = (_AFTER, _OTHER, _FAIL, _UNRESOLVED, _BEFORE, _PASS)
_DASHES = ("-", "--", ":", "-.")
_BAR = 0.26
"""How much a bar adds to the height of a figure, in inches."""
_HIGHEST = 20.0
"""How high a figure becomes at most, in inches."""
_LONG = 24
"""How many characters of a name are shown."""
_SHA = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")

# At 400 pixels a notebook has room for two thirds of this width: letters are large, so that they can be read there.
_SIZE = (4.4, 3.1)
# Versions of matplotlib type it differently.
_STYLE: Any = {
    "axes.facecolor": "none",
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 12.0,
    "legend.borderaxespad": 0.2,
    "legend.columnspacing": 1.2,
    "legend.edgecolor": "none",
    "legend.facecolor": "none",
    "legend.handlelength": 1.6,
    "text.color": _INK,
    "xtick.color": _INK,
    # A shade lighter: behind pictures whose ticks are all dark, or all light, Jupyter puts a box of the other colour.
    "ytick.color": "#808080",
}


def runs(
    searches: Mapping[str, Iterable[Cost]] | Iterable[Cost],
    *,
    names: Iterable[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """How many runs each search took, as bars; several ways to search side by side. For many, see `run_shares`.

    Args:
        searches: What each search cost, in order; or, by the name of each way to search, what the same searches cost
            with it.
        names: What each search is called, by default its number, from 1.
        ax: Where to draw; by default in a new figure.

    Raises:
        InvalidArgumentError: There is no search; ways to search have different numbers of them, or `names` has; one of
            them is neither a report nor a count.
    """
    groups = _costs(searches)
    [(first, costs), *others] = groups.items()
    for name, other in others:
        if len(other) != len(costs):
            raise _invalid(
                f"searches[{name!r}]", f"{len(other)} searches", f"as many as searches[{first!r}] has, {len(costs)}"
            )
    called = [str(number + 1) for number in range(len(costs))] if names is None else list(map(_shown, names))
    if len(called) != len(costs):
        raise _invalid("names", f"{len(called)} names", f"one for each of the {len(costs)} searches")
    bar = 0.8 / len(groups)
    height = min(1.2 + _BAR * len(costs) * (len(groups) + 0.3), _HIGHEST)
    with _axes(ax, height) as axes:
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
        axes.xaxis.set_major_locator(_whole())
        axes.set_xlabel("runs")
        _legend(axes, drawn, groups)
    return axes


def run_shares(searches: Mapping[str, Iterable[Cost]] | Iterable[Cost], *, ax: Axes | None = None) -> Axes:
    """Which share of many searches took no more than so many runs: further to the left is better.

    Args:
        searches: What each search cost; or, by the name of each way to search, what searches cost with it.
        ax: Where to draw; by default in a new figure.

    Raises:
        InvalidArgumentError: There is no search, or one of them is neither a report nor a count.
    """
    groups = _costs(searches)
    with _axes(ax) as axes:
        drawn = []
        for costs, look in zip(groups.values(), _looks(), strict=False):
            steps = sorted(costs)
            shares = [number / len(steps) for number in range(len(steps) + 1)]
            drawn += axes.plot([steps[0], *steps], shares, drawstyle="steps-post", linewidth=2, **look)
        axes.set_ylim(0, 1.02)
        axes.set_xlim(left=0)
        axes.xaxis.set_major_locator(_whole())
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_xlabel("runs")
        axes.set_ylabel("searches done by then")
        _legend(axes, drawn, groups)
    return axes


def posterior(
    search: CulpritSearch | CulpritReport | Iterable[CulpritReport], *, most: int = 8, ax: Axes | None = None
) -> Axes:
    """How likely each suspect was after each answer: the culprit thick, nobody dashed, others thin.

    The marks below the lines are the answers.

    Args:
        search: A culprit search; a report straight from one; or reports in the order in which they were made, for
            instance of `Session.replay`. A report that was written down knows the suspects of its `credible_set`
            alone: of others nothing is drawn there.
        most: How many suspects are shown, 1 or above: those that were likeliest at some time.
        ax: Where to draw; by default in a new figure.

    Raises:
        InvalidArgumentError: There is no report; something is none of a culprit search; a copied report, or one that
            was read, by itself: how the belief moved is not in it.
    """
    check_count("most", most, 1)
    last, steps = _belief(search)
    best: dict[str, float] = {}
    for _, belief in steps:
        # Who is among the likeliest of all was among the likeliest when it was.
        for one in belief.credible_set(1.0, most=most + 1):
            if one.revision is not None:
                best[one.revision] = max(best.get(one.revision, 0.0), one.probability)
    suspects = sorted(best, key=lambda suspect: -best[suspect])[:most]
    if last.culprit in best and last.culprit not in suspects:
        suspects[-1] = last.culprit
    answers = [answer for answer, _ in steps]
    with _axes(ax) as axes:
        known: dict[str, Artist] = {}
        for suspect in suspects:
            line = [belief.get(suspect, float("nan")) for _, belief in steps]
            if suspect == last.culprit:
                [known[_shown(suspect)]] = axes.plot(answers, line, color=_FAIL, linewidth=2.5, label=suspect, zorder=3)
            else:
                [known["other suspects"]] = axes.plot(answers, line, color=_OTHER, linewidth=1, label=suspect)
        nobody = [belief.no_culprit for _, belief in steps]
        [known["nobody"]] = axes.plot(answers, nobody, color=_INK, linewidth=1.5, linestyle="--", label="nobody")
        known |= _answers(axes, last.observations[: answers[-1]])
        axes.set_ylim(-0.1, 1.02)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.xaxis.set_major_locator(_whole())
        axes.set_xlabel("answers")
        axes.set_ylabel("probability")
        _legend(axes, list(known.values()), known)
    return axes


def reduction_sizes(
    reports: MinimizeReport[Any] | Mapping[str, MinimizeReport[Any]] | Iterable[MinimizeReport[Any]],
    *,
    ax: Axes | None = None,
) -> Axes:
    """How small a reduction was after each run: the smallest set of items that was seen to have the property.

    Args:
        reports: A report of `minimize`, `minimize_text` or `minimize_patch`; several; or several by their names.
        ax: Where to draw; by default in a new figure.

    Raises:
        InvalidArgumentError: There is none, or something else; a report in which no set was seen to have the property.
    """
    found = _named("reports", reports, MinimizeReport, "reports of minimize, minimize_text or minimize_patch")
    lines = {name: _reduced(report) for name, report in found.items()}
    kinds = {_kind(report.items) for report in found.values()}
    label = f"{kinds.pop() if len(kinds) == 1 else 'items'} left"
    with _axes(ax) as axes:
        _falling(axes, lines, label, isinstance(reports, Mapping))
    return axes


def slice_sizes(
    reports: SlicerReport | Mapping[str, SlicerReport] | Iterable[SlicerReport], *, ax: Axes | None = None
) -> Axes:
    """How small a slice of a history was after each run (Li et al. 2016, DEFINER, Figure 13).

    Args:
        reports: A report of `slice_history`; several; or several by their names.
        ax: Where to draw; by default in a new figure.

    Raises:
        InvalidArgumentError: There is none, or something else; a report in which nothing was seen to hold.
    """
    found = _named("reports", reports, SlicerReport, "reports of slice_history")
    lines = {}
    for name, report in found.items():
        if not report.sizes:
            raise _invalid(f"reports[{name!r}]", repr(report), "one in which a slice was seen to hold")
        ends = [(size.run, size.changes) for size in report.sizes]
        lines[name] = [*ends, (report.runs, ends[-1][1])]
    with _axes(ax) as axes:
        _falling(axes, lines, "changes left", isinstance(reports, Mapping))
    return axes


def patch_sizes(report: PorterReport, *, ax: Axes | None = None) -> Axes:
    """How large the patch was that was carried to each revision, and how each reduction changed it.

    Newer revisions are to the right, as in Artho, "Iterative Delta Debugging", Figures 9 to 22.
    `report.to_svg("sizes")` draws the same without matplotlib.

    Args:
        report: A report of `iterative_delta_debugging`.
        ax: Where to draw; by default in a new figure.

    Raises:
        InvalidArgumentError: It is something else, or no revision was looked at.
    """
    if not isinstance(report, PorterReport):
        raise _invalid("report", repr(report), "a report of iterative_delta_debugging")
    if not report.steps:
        raise _invalid("report", repr(report), "one of a search that has looked at a revision")
    known: dict[str, Artist] = {}
    with _axes(ax) as axes:
        for name, forward, dashes in (("back", False, "-"), ("forward", True, "--")):
            kept = _carried(report, forward)
            if len(kept) > 1:
                [known[name]] = axes.plot(
                    *_columns(kept), drawstyle="steps-post", color=_OTHER, linewidth=2, linestyle=dashes, marker="."
                )
        along = [made for made in report.reductions if made.purpose in ("walk", "carried", "forward")]
        befores = [(made.place, made.before) for made in along]
        afters = [(made.place, made.after) for made in along if made.after is not None]
        if befores:
            known["before reduction"] = axes.scatter(
                *_columns(befores), s=90, marker="v", edgecolors=_BEFORE, facecolors="none", linewidths=2, zorder=3
            )
        if afters:
            known["after it"] = axes.scatter(*_columns(afters), s=70, marker="o", color=_AFTER, zorder=3)
        places = [step.place for step in report.steps if step.revision == report.good and not step.forward]
        if places:
            known["passes"] = axes.axvline(places[0], color=_PASS, linewidth=2, linestyle=":")
        axes.invert_xaxis()
        axes.set_ylim(bottom=0)
        axes.margins(y=0.12)
        axes.xaxis.set_major_locator(_whole())
        axes.yaxis.set_major_locator(_whole())
        axes.set_xlabel("revisions before the start")
        axes.set_ylabel("changes in the patch")
        _legend(axes, list(known.values()), known)
    return axes


@contextmanager
def _axes(given: Axes | None, height: float | None = None) -> Iterator[Axes]:
    """Where to draw, and in which style."""
    if given is not None:
        if not isinstance(given, Axes):
            raise _invalid("ax", repr(given), "matplotlib's Axes, or None")
        yield given
        return
    # The first figure sets up what shows figures, whose settings are to last.
    figure = pyplot.figure(figsize=(_SIZE[0], height or _SIZE[1]), facecolor="none", layout="constrained")
    with pyplot.rc_context(_STYLE):
        yield figure.add_subplot()


def _legend(axes: Axes, drawn: Sequence[Any], names: Iterable[str]) -> None:
    """What is what, above the figure; left out where there is one thing without a name."""
    called = list(names)
    if called == [""]:
        return
    # Names are set afterwards, for matplotlib obeys signs in them: "_" at the start, "$".
    numbers = [str(number) for number in range(len(called))]
    legend = axes.legend(drawn, numbers, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)
    for text, name in zip(legend.get_texts(), called, strict=True):
        text.set_text(_shown(name))
        text.set_parse_math(False)


def _whole() -> MaxNLocator:
    """Marks at whole numbers, as one counts: by ones, twos, fives, tens."""
    return MaxNLocator(6, integer=True, steps=[1, 2, 5, 10])


def _looks() -> Iterator[dict[str, Any]]:
    """Lines that can be told apart without their colours, too."""
    for colour, dashes in zip(cycle(_SERIES), cycle(_DASHES)):
        yield {"color": colour, "linestyle": dashes}


def _costs(searches: Any) -> dict[str, list[int]]:
    """How many runs each search took, by ways to search."""
    if not isinstance(searches, Mapping):
        return {"": _all("searches", searches)}
    if not searches:
        raise _invalid("searches", repr(searches), "at least one way to search")
    return {name: _all(f"searches[{name!r}]", costs) for name, costs in searches.items()}


def _all(argument: str, given: Any) -> list[int]:
    if isinstance(given, (str, bytes, Words)) or not isinstance(given, Iterable):
        raise _invalid(argument, repr(given), "reports, or counts of runs, in a list")
    costs = [_cost(f"{argument}[{place}]", one) for place, one in enumerate(given)]
    if not costs:
        raise _invalid(argument, repr(given), "at least one search")
    return costs


def _cost(argument: str, one: Any) -> int:
    if isinstance(one, CulpritReport):
        return one.runs
    if isinstance(one, Words):
        runs: int = one.runs  # type: ignore[attr-defined]
        return runs
    if isinstance(one, SupportsIndex) and not isinstance(one, bool):
        return check_count(argument, index(one), 0)
    raise _invalid(argument, repr(one), "a report, or how many runs the search took")


def _named(argument: str, given: Any, kind: type[Report], expected: str) -> dict[str, Report]:
    """Reports by their names; by their numbers, from 0, where they have none, and by "" where there is one alone."""
    if isinstance(given, kind):
        return {"": given}
    if isinstance(given, (str, bytes, Words)) or not isinstance(given, Iterable):
        raise _invalid(argument, repr(given), f"{expected}: one, several, or several by their names")
    found = dict(given) if isinstance(given, Mapping) else dict(enumerate(given))
    if not found:
        raise _invalid(argument, repr(given), f"{expected}, one at least")
    for name, report in found.items():
        if not isinstance(report, kind):
            raise _invalid(f"{argument}[{name!r}]", repr(report), expected)
    return {str(name): report for name, report in found.items()}


def _belief(search: Any) -> tuple[CulpritReport, list[tuple[int, Posterior]]]:
    """The last report, and how many answers there were at each moment with what was believed then."""
    expected = "a culprit search, a report straight from one, or its reports in the order in which they were made"
    if isinstance(search, CulpritSearch):
        search = search.report()
    if isinstance(search, CulpritReport):
        if search._search is None:
            raise _invalid(
                "search", repr(search), f"{expected}; a copy, or one that was read, does not know the way there"
            )
        return search, list(_again(search))
    if isinstance(search, (str, bytes, Words)) or not isinstance(search, Iterable):
        raise _invalid("search", repr(search), expected)
    reports = list(search)
    for place, report in enumerate(reports):
        if not isinstance(report, CulpritReport):
            raise _invalid(f"search[{place}]", repr(report), "a report of a culprit search")
    if not reports:
        raise _invalid("search", repr(reports), expected)
    return reports[-1], [(len(report.observations), report.posterior) for report in reports]


def _again(report: CulpritReport) -> Iterator[tuple[int, Posterior]]:
    """What the search believed, from before its first answer on: the same answers, told to a new one."""
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
    """What was answered, below the lines."""
    known: dict[str, Artist] = {}
    marks = ((Outcome.PASS, "o", _PASS), (Outcome.FAIL, "s", _FAIL), (Outcome.UNRESOLVED, "D", _UNRESOLVED))
    for outcome, marker, colour in marks:
        places = [number for number, seen in enumerate(observations, 1) if seen.outcome is outcome]
        if places:
            below = [-0.055] * len(places)
            known[outcome.value] = axes.scatter(places, below, s=18, marker=marker, color=colour, label=outcome.value)
    return known


def _kind(items: object) -> str:
    """What a reduction took away."""
    # Texts are reduced by pieces: lines and parts of lines.
    return "changes" if isinstance(items, Patch) else "pieces" if isinstance(items, str) else "items"


def _reduced(report: MinimizeReport[Any]) -> list[tuple[int, int]]:
    """After which run how many items were left."""
    kept = [one.outcome for one in report.observations if one.changes == report.kept]
    resolved = Counter(outcome for outcome in kept if outcome is not Outcome.UNRESOLVED)
    if not resolved:
        raise _invalid("reports", repr(report), "one in which a set of items was seen to have the property")
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
    """Where the outcome was kept, and with how many changes, in the order of the way."""
    kept = [(one.place, one.patch) for one in report.steps if one.forward == forward and one.outcome == "kept"]
    walked = [made for made in report.reductions if made.forward == forward and made.purpose == "walk"]
    kept += [(made.place, made.after) for made in walked if made.after is not None]
    return sorted(kept, reverse=forward)


def _falling(axes: Axes, lines: Mapping[str, Sequence[tuple[int, int]]], label: str, are_named: bool) -> None:
    """Sizes that become smaller, run by run."""
    drawn = []
    looks: Iterator[dict[str, Any]] = _looks() if are_named else cycle([{"color": _AFTER}])
    for points, look in zip(lines.values(), looks, strict=False):
        drawn += axes.plot(*_columns(points), drawstyle="steps-post", linewidth=2, **look)
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(_whole())
    axes.yaxis.set_major_locator(_whole())
    axes.set_xlabel("runs")
    axes.set_ylabel(label)
    if are_named:
        _legend(axes, drawn, lines)


def _columns(points: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Points as matplotlib takes them: all x, all y."""
    both = list(points)
    return [x for x, _ in both], [y for _, y in both]


def _shown(name: object) -> str:
    """A name as it is shown: short, and without signs that turn or hide what is beside them."""
    text = str(name)
    if _SHA.fullmatch(text):
        return text[:8]
    text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[: _LONG + 1])
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


def _invalid(argument: str, shown: str, expected: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"{argument}: {shown[:200]} is not valid; expected {expected}")
