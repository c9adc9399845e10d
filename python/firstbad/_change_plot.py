"""The figure of a search for a change in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from firstbad._figure import FAIL, INK, PASS, drawing, engineering, invalid, legend, percent, shown, whole
from firstbad._generated.reports import ChangeFields, MetricChange, SeriesPoint, Step

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["change"]

_GOLDEN = 0.618034
_CONTROLS = 3
"""The number of measurements of an endpoint that are worth a picture."""


def change(report: ChangeFields, *, metric: str | None = None, ax: Axes | None = None) -> Axes:
    """Draws the measurements of each revision, their median, and the fitted steps with their 95% intervals.

    Without `ax`, the measurements of the endpoints are below, in the order of time: they show whether the machine
    became slower. `report.to_svg()` draws a similar figure without matplotlib.

    Args:
        report: A report of `find_change`.
        metric: The name of the metric, if the search has several. Default: the first one.
        ax: The axes to draw in. Default: a new figure.

    Raises:
        InvalidArgumentError: If `report` is of another kind or has no measurement, or there is no such metric.
    """
    if not isinstance(report, ChangeFields):
        raise invalid("report", repr(report), "a report of find_change")
    told = _metric(report, metric)
    series = sorted(told.series, key=lambda point: point.position)
    if not series:
        raise invalid("report", repr(report), "one with a measurement")
    endpoints = [] if told.exact or ax is not None else list(_endpoints(report, series))
    with drawing(ax, 4.6 if endpoints else None) as axes:
        _draw(axes, told, series)
        axes.set_xlabel(f"commits since {shown(report.good[0])}")
        axes.set_ylabel(told.metric or ("time" if told.unit == "s" else "size" if told.unit == "B" else "number"))
        if endpoints:
            _draw_endpoints(axes, endpoints)
    return axes


def _metric(report: ChangeFields, name: str | None) -> ChangeFields | MetricChange:
    """Returns the result for a metric. That of the first metric is the report itself."""
    found: dict[str | None, ChangeFields | MetricChange] = {report.metric: report}
    found |= {other.metric: other for other in report.other_metrics}
    if name is None:
        return report
    if name not in found:
        known = ", ".join(one for one in found if one is not None) or "no metric, because the search has only one"
        raise invalid("metric", repr(name), known)
    return found[name]


def _draw(axes: Axes, told: ChangeFields | MetricChange, series: list[SeriesPoint]) -> None:
    """Draws the numbers along the history."""
    known: dict[str, Any] = {}
    for limited, marker, name in ((False, "o", "measurement"), (True, "^", "timeout")):
        dots = [dot for dot in _dots(series) if dot[2] is limited]
        if dots:
            xs, ys, _ = zip(*dots, strict=True)
            known[name] = axes.scatter(xs, ys, s=16, marker=marker, color=PASS, alpha=0.7, linewidths=0)
    places, medians = [point.position for point in series], [point.median for point in series]
    known["median"] = axes.scatter(places, medians, s=90, marker="_", color=INK, linewidths=2, zorder=3)
    fitted = [(point.position, point.fitted) for point in series if point.fitted is not None]
    if fitted:
        xs, ys = zip(*fitted, strict=True)
        [known["fitted"]] = axes.plot(xs, ys, drawstyle="steps-mid", color=FAIL, linewidth=2)
    for step, name in _bands(axes, told, series):
        known[name] = axes.axvline(step.position, color=FAIL, linestyle=":", label=name)
    axes.xaxis.set_major_locator(whole())
    if told.unit is not None:
        axes.yaxis.set_major_formatter(engineering(told.unit))
    legend(axes, list(known.values()), known)


def _dots(series: list[SeriesPoint]) -> Iterator[tuple[float, float, bool]]:
    """Yields the place, the number, and whether the number is only a limit, spread around the revision."""
    room = max(0.35, (series[-1].position - series[0].position) / 80)
    for point in series:
        for count, value in enumerate(point.values):
            turn = (0.5 + _GOLDEN * count) % 1 - 0.5
            # The largest numbers of a revision are its limits.
            limited = point.censored > 0 and value >= sorted(point.values)[-point.censored]
            yield point.position + room * turn, value, limited


def _bands(
    axes: Axes, told: ChangeFields | MetricChange, series: list[SeriesPoint]
) -> Iterator[tuple[SeriesPoint, str]]:
    """Draws the interval of each step until the next step, and yields its revision and its name."""
    at = {point.revision: place for place, point in enumerate(series)}
    steps = sorted((at[step.commit], step) for step in told.steps if step.commit in at) if told.steps else []
    for number, (place, step) in enumerate(steps):
        point, before = series[place], series[max(place - 1, 0)]
        start = (before.position + point.position) / 2
        end = series[-1].position if number + 1 == len(steps) else series[steps[number + 1][0]].position
        if not told.exact:
            low, high = _band(point, step)
            axes.fill_between([start, end], low, high, color=FAIL, alpha=0.15, linewidth=0)
        yield point, shown(step.commit)


def _band(point: SeriesPoint, step: Step) -> tuple[float, float]:
    """Returns the limits of the number after a step."""
    level = (step.after if point.fitted is None else point.fitted) - step.change
    return level + step.interval[0], level + step.interval[1]


def _endpoints(report: ChangeFields, series: list[SeriesPoint]) -> Iterator[tuple[SeriesPoint, str]]:
    """Yields the endpoints with enough measurements, and their color."""
    for revision, colour in ((report.good[0], PASS), (report.bad, FAIL)):
        for point in series:
            if point.revision == revision and len(point.values) >= _CONTROLS:
                yield point, colour


def _draw_endpoints(axes: Axes, endpoints: list[tuple[SeriesPoint, str]]) -> None:
    """Draws the measurements of the endpoints below the figure, in the order of time."""
    figure: Any = axes.figure
    grid = figure.add_gridspec(2, 1, height_ratios=[3, 1])
    axes.set_subplotspec(grid[0])
    below = figure.add_subplot(grid[1])
    is_relative = all(point.median > 0 for point, _ in endpoints)
    known: dict[str, Any] = {}
    for point, colour in endpoints:
        apart = [value / point.median - 1 if is_relative else value - point.median for value in point.values]
        [known[point.revision]] = below.plot(point.observations, apart, marker=".", linewidth=1, color=colour)
    below.axhline(0, color=INK, linewidth=0.8, linestyle=":")
    if is_relative:
        below.yaxis.set_major_formatter(percent())
    below.xaxis.set_major_locator(whole())
    below.set_xlabel("endpoints, by measurement")
    legend(below, list(known.values()), known)
