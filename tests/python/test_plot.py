"""Figures: their lines, bars and marks, and invalid input."""

import copy
import os
import random
import subprocess
import sys

import matplotlib
import numpy
import pytest

matplotlib.use("Agg")

from matplotlib import colors, pyplot

import firstbad as fb
from firstbad import plot

VERSIONS = [f"1.{number}" for number in range(16)]
GRAPH = fb.CommitGraph.linear(VERSIONS)


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def searched(first_bad):
    return fb.find_regressions(GRAPH, lambda version: VERSIONS.index(version) < first_bad, bad="1.15", good="1.0")


def flaky(first_bad=11, **options):
    chance = random.Random(4)
    search = fb.CulpritSearch(GRAPH, bad="1.15", good="1.0", flake_rate=0.1, **options)
    fb.run(search, lambda version: VERSIONS.index(version) < first_bad and chance.random() > 0.1)
    return search


def minimized(needed, count=40):
    return fb.minimize(list(range(count)), lambda kept: set(needed) <= set(kept))


def commit(folder, name, text):
    (folder / name).write_text(text)
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@shop.example", "-c", "commit.gpgsign=false"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for words in (["init", "--quiet", "--initial-branch=main"], ["add", "."], [*who, "commit", "-qm", name]):
        subprocess.run(["git", *words], cwd=folder, env=environment, check=True)


@pytest.fixture
def shop(tmp_path):
    """Six commits. "3" breaks the price, and the test needs changes of "4" and "5"."""
    folder = tmp_path / "shop"
    folder.mkdir()
    for number in range(1, 7):
        commit(folder, f"{number}.txt", f"price {'good' if number < 3 else 'bad'}\n")
    return fb.Repository(folder)


def points(line):
    return list(zip(*(numpy.asarray(data).tolist() for data in line.get_data()), strict=True))


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def by_label(axes):
    return {line.get_label(): line for line in axes.get_lines()}


def test_bars_are_the_runs_of_reports_and_counts():
    reports = [searched(first_bad) for first_bad in (3, 9, 12)]
    axes = plot.runs({"firstbad": reports, "git bisect": [4, numpy.int64(3), 5]}, names=["one", "two", "three"])
    ours, theirs = axes.containers
    assert [bar.get_width() for bar in ours] == [report.runs for report in reports]
    assert [bar.get_width() for bar in theirs] == [4, 3, 5]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["one", "two", "three"]
    assert legend(axes) == ["firstbad", "git bisect"]
    # Bars of the same search are side by side at its name, with the first search at the top.
    middles = [[bar.get_y() + bar.get_height() / 2 for bar in group] for group in (ours, theirs)]
    assert [round(sum(pair) / 2, 6) for pair in zip(*middles, strict=True)] == [0, 1, 2]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_searches_without_names_have_numbers_and_no_legend():
    axes = plot.runs([flaky().report(), 7])
    assert [bar.get_width() for bar in axes.containers[0]] == [flaky().report().runs, 7]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["1", "2"]
    assert axes.get_legend() is None


def test_a_culprit_search_costs_its_runs_not_its_outcomes():
    search = fb.CulpritSearch(GRAPH, bad="1.15", good="1.0", flake_rate=0.1)
    fb.run(search, lambda v: fb.Observation("pass") if VERSIONS.index(v) < 5 else fb.Observation("fail", ran=False))
    report = search.report()
    assert 0 < report.runs < report.asked
    assert plot.runs([report]).containers[0][0].get_width() == report.runs


def test_shares_of_searches():
    [line] = plot.run_shares([5, 2, 5, 3]).get_lines()
    assert points(line) == [(2, 0), (2, 0.25), (3, 0.5), (5, 0.75), (5, 1)]
    assert line.get_drawstyle() == "steps-post"
    axes = plot.run_shares({"a": [1], "b": [2]})
    assert legend(axes) == ["a", "b"]
    assert len({(line.get_color(), line.get_linestyle()) for line in axes.get_lines()}) == 2


def test_the_posterior_plot_shows_every_run():
    search = flaky()
    report = search.report()
    assert report.culprit == "1.11"
    for given in (search, report):
        axes = plot.posterior(given)
        lines = by_label(axes)
        culprit, nobody = points(lines["1.11"]), points(lines["flake"])
        assert [answers for answers, _ in culprit] == list(range(len(report.observations) + 1))
        assert culprit[0][1] == pytest.approx(0.6 / 15)
        assert nobody[0][1] == pytest.approx(0.4)
        assert culprit[-1][1] == pytest.approx(report.posterior["1.11"])
        assert nobody[-1][1] == pytest.approx(report.no_culprit)
        assert lines["1.11"].get_linewidth() == max(line.get_linewidth() for line in lines.values())
        assert lines["flake"].get_linestyle() == "--"
        assert len(lines) == 8 + 1
        assert legend(axes) == ["1.11", "other suspects", "flake", "pass", "fail"]


def test_every_outcome_has_a_mark():
    report = flaky().report()
    for marks in plot.posterior(report).collections:
        outcome = fb.Outcome(marks.get_label())
        runs = [number for number, seen in enumerate(report.observations, 1) if seen.outcome is outcome]
        assert [x for x, _ in marks.get_offsets().tolist()] == runs
    assert len(plot.posterior(report).collections) == 2


def test_the_plot_has_the_most_likely_suspects_of_every_run():
    search = flaky()
    belief = [search._core.fresh().report_with_posterior()[1]]
    playing = search._core.fresh()
    for seen in search.report().observations:
        playing.observe(seen.revision, seen)
        belief.append(playing.report_with_posterior()[1])
    best = {version: max(step.get(version) for step in belief) for version in VERSIONS[1:]}
    expected = sorted(best, key=best.get)[-3:]
    assert set(by_label(plot.posterior(search, most=3))) == {*expected, "flake"}
    assert "1.11" in expected
    assert set(by_label(plot.posterior(search, most=1))) == {"1.11", "flake"}


def test_ordered_reports_give_a_posterior_plot(tmp_path):
    search = fb.CulpritSearch(GRAPH, bad="1.15", good="1.0", flake_rate=0.1)
    with fb.Session.open(tmp_path / "run.jsonl", search) as session:
        fb.run(session, lambda version: VERSIONS.index(version) < 11)
        steps = [step.report for step in session.replay() if step.event["event"] == "told"]
    whole = points(by_label(plot.posterior(search))["1.11"])
    assert points(by_label(plot.posterior(steps))["1.11"]) == whole[1:]
    # A report from JSON contains only its credible set, so no other suspects are drawn.
    read = [fb.CulpritReport.from_json(step.to_json()) for step in steps]
    for suspect, line in by_label(plot.posterior(read)).items():
        for (_, shown), report in zip(points(line), read, strict=True):
            known = report.no_culprit if suspect == "flake" else report.posterior.get(suspect)
            assert numpy.isnan(shown) if known is None else shown == known


def test_reduction_sizes_are_observed_sizes():
    report = minimized([7, 33])
    axes = plot.reduction_sizes(report)
    [line] = axes.get_lines()
    held = [
        (run, len(seen.changes)) for run, seen in enumerate(report.observations, 1) if seen.outcome is fb.Outcome.PASS
    ]
    smaller = [pair for place, pair in enumerate(held) if all(pair[1] < size for _, size in held[:place])]
    assert points(line) == [*smaller, (report.runs, 2)]
    assert points(line)[0] == (1, 40)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("runs", "items left")
    assert axes.get_legend() is None


def test_sizes_with_a_kept_failure_and_unreliable_outcomes():
    kept = fb.minimize(list(range(20)), lambda items: 3 not in items, keep="fail")
    [line] = plot.reduction_sizes(kept).get_lines()
    assert (points(line)[0], points(line)[-1]) == ((1, 20), (kept.runs, 1))
    wrong = iter([True])  # once, and never again

    def holds(items):
        return 3 in items and not (items == [3] and next(wrong, False))

    sure = fb.minimize(list(range(20)), holds, confidence=0.99, flake_rate=0.2)
    assert {seen.outcome.value for seen in sure.observations if seen.changes == (3,)} == {"pass", "fail"}
    [line] = plot.reduction_sizes(sure).get_lines()
    assert (points(line)[0], points(line)[-1]) == ((1, 20), (sure.runs, 1))


def test_known_outcomes_are_not_runs():
    report = fb.minimize(list(range(20)), lambda items: 3 in items, known=[(range(20), True), (range(10), True)])
    [line] = plot.reduction_sizes(report).get_lines()
    assert points(line)[:2] == [(0, 20), (0, 10)]
    assert points(line)[-1] == (report.runs, 1)


def test_several_reductions():
    reports = {"two": minimized([7, 33]), "one": minimized([5])}
    axes = plot.reduction_sizes(reports)
    assert legend(axes) == ["two", "one"]
    assert [points(line)[-1] for line in axes.get_lines()] == [
        (report.runs, len(report.kept)) for report in reports.values()
    ]
    axes = plot.reduction_sizes(reports.values())
    assert [points(line)[-1][1] for line in axes.get_lines()] == [2, 1]
    assert axes.get_legend() is None


def test_reduction_plots_name_changes_and_pieces():
    patch = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n one\n+two\n+three\n")
    report = fb.minimize_patch(patch, lambda part: "three" in str(part))
    axes = plot.reduction_sizes(report)
    assert axes.get_ylabel() == "changes left"
    text = fb.minimize_text("one\ntwo\nthree\n", lambda part: "three" in part)
    assert plot.reduction_sizes(text).get_ylabel() == "pieces left"
    assert plot.reduction_sizes([report, text]).get_ylabel() == "items left"
    assert points(axes.get_lines()[0])[-1][1] == 1


def test_sizes_of_a_slice(shop):
    oracle = lambda probe: "3.txt" in str(probe.patch)  # noqa: E731
    report = fb.slice_history(shop, oracle, base="main~5", tip="main")
    [line] = plot.slice_sizes(report).get_lines()
    assert points(line) == [*((size.run, size.changes) for size in report.sizes), (report.runs, 1)]
    assert points(line)[0] == (1, 5)
    assert legend(plot.slice_sizes({"auto": report})) == ["auto"]


def test_sizes_of_patches(shop):
    def oracle(probe):
        number = 6 - int(
            subprocess.check_output(["git", "-C", shop.path, "rev-list", "--count", f"{probe.revision}..main"])
        )
        there = {f"{one}.txt" for one in range(1, number + 1)} | {
            f"{one}.txt" for one in range(1, 7) if f"+++ b/{one}.txt" in str(probe.patch)
        }
        if not {"4.txt", "5.txt"} <= there:
            return fb.Observation(False, stage="test", signature="something is missing")
        return fb.Observation("3.txt" not in there, stage="test", signature="the price is wrong")

    report = fb.iterative_delta_debugging(shop, oracle, start="main")
    axes = plot.patch_sizes(report)
    assert legend(axes) == ["back", "before reduction", "after it", "passes"]
    before, after = axes.collections
    walked = [made for made in report.reductions if made.purpose in ("walk", "carried")]
    assert before.get_offsets().tolist() == [[made.place, made.before] for made in walked]
    assert after.get_offsets().tolist() == [[made.place, made.after] for made in walked if made.after is not None]
    back, passes = axes.get_lines()
    kept = {(step.place, step.patch) for step in report.steps if step.outcome == "kept"}
    assert kept <= set(points(back))
    assert sorted(points(back)) == points(back)
    [good] = [step for step in report.steps if step.revision == report.good]
    assert set(passes.get_xdata()) == {good.place}
    assert axes.get_xlim()[0] > axes.get_xlim()[1], "newer revisions are to the right"


def slower(**options):
    chance = random.Random(2)

    def measure(version):
        return (0.2 if VERSIONS.index(version) < 9 else 0.26) * (1 + chance.gauss(0, 0.01))

    return fb.find_change(GRAPH, measure, bad="1.15", good="1.0", unit="s", **options)


def offsets(marks):
    return [tuple(place) for place in marks.get_offsets().tolist()]


def test_a_change_has_dots_medians_a_fitted_step_and_its_band():
    report = slower()
    axes = plot.change(report)
    [fitted, culprit] = axes.get_lines()
    assert set(culprit.get_xdata()) == {9}
    assert points(fitted) == [(point.position, pytest.approx(point.fitted)) for point in report.series]
    assert fitted.get_drawstyle() == "steps-mid"
    dots, medians, band = axes.collections
    assert sorted(y for _, y in offsets(dots)) == sorted(value for point in report.series for value in point.values)
    assert {round(x) for x, _ in offsets(dots)} == {point.position for point in report.series}
    assert offsets(medians) == [(point.position, pytest.approx(point.median)) for point in report.series]
    [step] = report.steps
    corners = band.get_paths()[0].vertices[:, 1]
    assert max(corners) - min(corners) == pytest.approx(step.interval[1] - step.interval[0])
    assert min(corners) < step.after < max(corners)
    assert legend(axes) == ["measurement", "median", "fitted", "1.9"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("commits since 1.0", "time")
    axes.figure.canvas.draw()
    assert any("ms" in text.get_text() for text in axes.get_yticklabels())


def test_the_endpoints_are_below_in_the_order_of_time():
    report = slower()
    axes, below = plot.change(report).figure.axes
    ends = [point for point in report.series if point.revision in (report.good[0], report.bad)]
    good, bad, _ = below.get_lines()
    for line, point in zip((good, bad), ends, strict=True):
        apart = [pytest.approx(value / point.median - 1) for value in point.values]
        assert points(line) == list(zip(point.observations, apart, strict=True))
    assert legend(below) == ["1.0", "1.15"]
    figure, own = pyplot.subplots()
    assert report.plot(ax=own) is own
    assert figure.axes == [own]
    exact = fb.find_change(GRAPH, lambda version: VERSIONS.index(version) // 9, bad="1.15", good="1.0", at_least="1")
    assert exact.exact
    assert len(exact.plot().figure.axes) == 1
    assert len(axes.get_legend().get_texts()) == 4


def test_a_change_without_a_step_has_no_line():
    report = fb.find_change(GRAPH, lambda _: 5, bad="1.15", good="1.0")
    axes = report.plot()
    assert (report.conclusion, legend(axes), axes.get_lines()[:]) == ("none", ["measurement", "median"], [])
    limited = fb.Observation(metric=60, censored=True)
    stuck = fb.find_change(GRAPH, lambda v: 5 if VERSIONS.index(v) < 9 else limited, bad="1.15", good="1.0")
    assert legend(stuck.plot())[:3] == ["measurement", "timeout", "median"]


def test_one_of_several_metrics_is_drawn():
    metrics = {"seconds": {"unit": "s"}, "bytes": {"unit": "B"}}
    report = fb.find_change(
        GRAPH,
        lambda version: {"seconds": 5, "bytes": 900 + 200 * (VERSIONS.index(version) >= 4)},
        bad="1.15",
        good="1.0",
        metrics=metrics,
    )
    axes = report.plot(metric="bytes")
    assert axes.get_ylabel() == "bytes"
    assert legend(axes)[-1] == "1.4"
    with pytest.raises(fb.InvalidArgumentError, match="metric: 'memory' is not valid; expected bytes, seconds"):
        plot.change(report, metric="memory")
    with pytest.raises(fb.InvalidArgumentError, match="only one"):
        slower().plot(metric="memory")
    with pytest.raises(fb.InvalidArgumentError, match="report: 3 is not valid; expected a report of find_change"):
        plot.change(3)
    with pytest.raises(fb.InvalidArgumentError, match="one with a measurement"):
        fb.ChangeSearch(GRAPH, bad="1.15").report().plot()


def test_names_in_plots_are_not_interpreted_as_markup():
    names = ["$\\frac$", "_hidden", "feature/\u202eabc\n", "a" * 40, "b" * 30]
    shown = [
        "$\\frac$",
        "_hidden",
        "feature/\N{REPLACEMENT CHARACTER}abc\N{REPLACEMENT CHARACTER}",
        "a" * 8,
        "b" * 23 + "…",
    ]
    axes = plot.runs({name: [1] for name in names})
    assert legend(axes) == shown
    named = plot.runs([1] * 5, names=names)
    assert [label.get_text() for label in named.get_yticklabels()] == shown
    for one in (axes, named):
        one.figure.draw_without_rendering()
    graph = fb.CommitGraph.linear(["$a", "_b$", "$_c"])
    axes = plot.posterior(fb.find_culprit(graph, lambda version: version == "$a", bad="$_c", good="$a", flake_rate=0.0))
    assert legend(axes)[0] == "_b$"
    axes.figure.draw_without_rendering()


def luminance(colour):
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colors.to_rgb(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("page", ["#fff", "#111"])
def test_default_figures_are_legible_on_any_background(page):
    axes = plot.posterior(flaky())
    assert colors.to_rgba(axes.figure.get_facecolor())[3] == colors.to_rgba(axes.get_facecolor())[3] == 0
    texts = [*axes.get_xticklabels(), *axes.get_yticklabels(), axes.xaxis.label, axes.yaxis.label]
    for text in [*texts, *axes.get_legend().get_texts()]:
        assert contrast(text.get_color(), page) > 3.9
        assert text.get_fontsize() == 12
    drawn = [line.get_color() for line in axes.get_lines()] + [marks.get_facecolor()[0] for marks in axes.collections]
    assert min(contrast(colour, page) for colour in drawn) > 3


def test_custom_figures_keep_their_style():
    before = dict(matplotlib.rcParams)
    figure, own = pyplot.subplots(facecolor="yellow")
    assert plot.runs([1, 2], ax=own) is own
    assert colors.same_color(figure.get_facecolor(), "yellow")
    assert colors.same_color(own.xaxis.label.get_color(), "black")
    plot.runs([1, 2])
    assert dict(matplotlib.rcParams) == before


REFUSED = [
    (plot.runs, ([],), {}, r"searches: \[\] is not valid; expected at least one search"),
    (plot.runs, ({},), {}, "searches: {} is not valid; expected at least one way to search"),
    (plot.runs, ({"git": []},), {}, r"searches\['git'\]: \[\] is not valid; expected at least one search"),
    (plot.runs, ({"a": [1], "b": [1, 2]},), {}, r"searches\['b'\]: 2 searches .* as many as searches\['a'\] has, 1"),
    (plot.runs, ([1, 2],), {"names": ["one"]}, "names: 1 names is not valid; expected one for each of the 2 searches"),
    (plot.runs, ([1, "2"],), {}, r"searches\[1\]: '2' is not valid; expected a report, or how many runs"),
    (plot.runs, ([1, True],), {}, r"searches\[1\]: True is not valid; expected a report"),
    (plot.runs, ([-1],), {}, r"searches\[0\]: -1 is not valid; expected a whole number, 0 or above"),
    (plot.runs, (3,), {}, "searches: 3 is not valid; expected reports, or counts of runs, in a list"),
    (plot.runs, ([1],), {"ax": "axes"}, "ax: 'axes' is not valid; expected matplotlib's Axes, or None"),
    (plot.run_shares, ([],), {}, "searches: .* expected at least one search"),
    (
        plot.posterior,
        ([],),
        {},
        r"search: \[\] is not valid; expected a culprit search, a report of one in this process, or its reports",
    ),
    (plot.posterior, (7,), {}, "search: 7 is not valid; expected a culprit search"),
    (plot.posterior, ([7],), {}, r"search\[0\]: 7 is not valid; expected a report of a culprit search"),
    (plot.posterior, (searched(3),), {}, "search: <RegressionReport.* is not valid; expected a culprit search"),
    (plot.posterior, (flaky(),), {"most": 0}, "most: 0 is not valid; expected a whole number, 1 or above"),
    (plot.posterior, (copy.copy(flaky().report()),), {}, "A report that was copied or read has no history"),
    (plot.reduction_sizes, ([],), {}, r"reports: \[\] is not valid; expected reports of minimize.*, one at least"),
    (plot.reduction_sizes, (searched(3),), {}, "reports: <RegressionReport.*; expected reports of minimize"),
    (plot.reduction_sizes, ([searched(3)],), {}, r"reports\[0\]: <RegressionReport.*; expected reports of minimize"),
    (plot.reduction_sizes, (fb.Minimizer([1, 2]).report(),), {}, "expected one in which a set of items was seen"),
    (
        plot.slice_sizes,
        ({"a": minimized([3])},),
        {},
        r"reports\['a'\]: <MinimizeReport.*expected reports of slice_history",
    ),
    (
        plot.patch_sizes,
        (minimized([3]),),
        {},
        "report: <MinimizeReport.*expected a report of iterative_delta_debugging",
    ),
]


@pytest.mark.parametrize(("function", "given", "options", "message"), REFUSED)
def test_invalid_plots_are_rejected_before_drawing(function, given, options, message):
    with pytest.raises(fb.InvalidArgumentError, match=message):
        function(*given, **options)
    assert pyplot.get_fignums() == []


def test_without_matplotlib_the_error_names_the_package():
    program = (
        "import sys\nsys.modules['matplotlib'] = None\nimport firstbad\nassert 'numpy' not in sys.modules\n"
        "try:\n    import firstbad.plot\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == 'firstbad.plot needs matplotlib: pip install "firstbad[plot]"\n'


SHOWN = """
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()

import matplotlib
from firstbad import plot

for count in (1, 2):
    axes = plot.runs([count])
    # Not before: the first figure brings it in.
    from matplotlib_inline.backend_inline import _fetch_figure_metadata, show

    print(matplotlib.is_interactive(), len(show._to_draw), _fetch_figure_metadata(axes.figure))
"""


def test_figures_in_notebooks_have_backgrounds(tmp_path):
    environment = {
        **os.environ,
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "IPYTHONDIR": str(tmp_path),
    }
    done = subprocess.run([sys.executable, "-c", SHOWN], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "True 1 None\nTrue 2 None\n"


def test_matplotlib_is_imported_on_demand():
    program = "import sys, firstbad; print('matplotlib' in sys.modules, 'firstbad.plot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
