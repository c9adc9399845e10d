"""Changes in numbers: conversions, conclusions, paired measurements, and reports."""

import asyncio
import json
import pickle
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from xml.etree import ElementTree

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstbad as fb

GRAPH = fb.CommitGraph.linear([f"r{number}" for number in range(32)])
ENDS = {"bad": "r31", "good": "r0"}


def place(revision):
    return int(revision[1:])


def size(revision):
    """A number without noise: 1,000 bytes before r20, and 1,100 from there on."""
    return 1100 if place(revision) >= 20 else 1000


def benchmark(steps, noise=0.01, seed=3):
    """Returns a function that measures seconds with noise. Each step multiplies them from a revision on."""
    chance = random.Random(seed)

    def measure(revision):
        seconds = 0.2
        for first, factor in steps.items():
            seconds *= factor if place(revision) >= first else 1
        return seconds * (1 + chance.gauss(0, noise))

    return measure


def told(search):
    """Returns the last observation that a search was told, as JSON."""
    return [event["observation"] for event in search.events if "observation" in event][-1]


@pytest.mark.parametrize(
    ("measured", "observation"),
    [
        (12.5, {"outcome": "pass", "metric": 12.5}),
        (3, {"outcome": "pass", "metric": 3.0}),
        (numpy.float32(0.5), {"outcome": "pass", "metric": 0.5}),
        (numpy.int64(7), {"outcome": "pass", "metric": 7.0}),
        (Decimal("0.25"), {"outcome": "pass", "metric": 0.25}),
        (None, {"outcome": "unresolved"}),
        (fb.Outcome.UNRESOLVED, {"outcome": "unresolved"}),
        (fb.Observation(metric=2.5), {"outcome": "pass", "metric": 2.5}),
        (fb.Observation(metric=60, censored=True), {"outcome": "pass", "metric": 60.0, "censored": True}),
        (fb.Observation(metric=3, control=2), {"outcome": "pass", "metric": 3.0, "control": 2.0}),
        (fb.Observation("fail", metric=3), {"outcome": "fail", "metric": 3.0}),
    ],
)
def test_a_number_is_told_as_it_is(measured, observation):
    search = fb.ChangeSearch(GRAPH, **ENDS)
    [probe] = search.ask()
    search.tell(probe.id, measured)
    assert told(search) == observation
    seen = []
    fb.run(fb.ChangeSearch(GRAPH, **ENDS), lambda _: measured, progress=seen.append, budget=1)
    assert seen[1].observation.metric == observation.get("metric")
    search.observe("r9", measured)
    assert told(search) == observation


@pytest.mark.parametrize(
    ("measured", "message"),
    [
        (True, "outcome: True (bool) is not valid; expected a number, None (unresolved), or an Observation"),
        (numpy.bool_(False), "outcome: "),
        ("pass", "outcome: 'pass' (str) is not valid"),
        (float("nan"), "outcome: nan (float) is not valid; expected a finite number, or None (unresolved)"),
        (float("inf"), "outcome: inf (float) is not valid; expected a finite number"),
        ([1.5], "outcome: [1.5] (list) is not valid"),
        ({"a": 1}, "this search has no metrics by name"),
        (fb.Observation(metric=float("nan")), "metric: nan (float) is not valid; expected a finite number"),
        (fb.Observation(results={"t": True}), "does not ask for several tests"),
    ],
)
def test_a_value_that_is_not_a_number_is_refused(measured, message):
    search = fb.ChangeSearch(GRAPH, **ENDS)
    [probe] = search.ask()
    with pytest.raises(fb.InvalidArgumentError) as caught:
        search.tell(probe.id, measured)
    assert message in str(caught.value)
    with pytest.raises(fb.InvalidArgumentError) as caught:
        fb.find_change(GRAPH, lambda revision: measured, **ENDS)
    assert message in str(caught.value)
    if not isinstance(measured, fb.Observation):
        assert str(caught.value).startswith(f"measure, at revision {probe.revision!r}: ")


@pytest.mark.parametrize(
    ("measured", "message"),
    [
        (1.5, "outcome: 1.5 (float) is not valid; expected numbers by name (memory, seconds), None (unresolved), or"),
        ({"second": 1.5}, "outcome: {'second': 1.5} (dict) is not valid; expected numbers by name (memory, seconds)"),
        ({"seconds": True}, 'outcome["seconds"]: True (bool) is not valid; expected a finite number'),
        ({"seconds": float("inf")}, 'outcome["seconds"]: inf (float) is not valid; expected a finite number'),
        ({"seconds": 1, 2: 3}, "outcome: 2 (int) is not valid; expected names of metrics, as str"),
    ],
)
def test_several_metrics_are_told_by_name(measured, message):
    search = fb.ChangeSearch(GRAPH, metrics={"seconds": {}, "memory": {"at_least": "1MB", "worse": "up"}}, **ENDS)
    first, *_ = search.ask()
    search.tell(first.id, {"seconds": numpy.float64(1.5), "memory": None, "more": 3})
    assert told(search) == {"outcome": "pass", "metrics": {"seconds": 1.5, "more": 3.0}}
    [probe] = search.ask()
    with pytest.raises(fb.InvalidArgumentError) as caught:
        search.tell(probe.id, measured)
    assert message in str(caught.value)
    search.tell(probe.id, {"seconds": None})
    assert told(search) == {"outcome": "unresolved"}


def test_options_of_metrics_are_checked():
    for metrics, message in [
        ({"a": {"worst": "up"}}, 'metrics["a"]["worst"]: "up" is not valid'),
        ({"a": {"at_least": -1}}, "at_least"),
        ({"a": 3}, "metrics"),
        ({3: {}}, "metrics: 3 (int)"),
    ]:
        with pytest.raises(fb.InvalidArgumentError) as caught:
            fb.ChangeSearch(GRAPH, metrics=metrics, **ENDS)
        assert message in str(caught.value)
    with pytest.raises(TypeError, match='did you mean "at_least"'):
        fb.find_change(GRAPH, size, at_lest=3, **ENDS)


def test_a_number_without_noise_is_found_by_halving():
    report = fb.find_change(GRAPH, size, at_least="50B", **ENDS)
    [step] = report.steps
    assert isinstance(step, fb.Step)
    assert (step.commit, step.parents, step.before, step.after, step.change) == ("r20", ("r19",), 1000, 1100, 100)
    assert (report.status, report.conclusion, report.exact, report.unit) == ("found", "step", True, "B")
    assert step.measurements >= 2
    assert report.measurements < 20


def test_a_slower_commit_is_found_in_noise():
    report = fb.find_change(GRAPH, benchmark({12: 1.1}), unit="s", **ENDS)
    [step] = report.steps
    assert (step.commit, report.conclusion, report.exact) == ("r12", "step", False)
    assert step.interval[0] < step.change < step.interval[1]
    assert 0.005 < report.noise.percent / 100 < 0.03
    assert report.measurements == report.runs == len(report.observations)
    assert [point.revision for point in report.series][:: len(report.series) - 1] == ["r0", "r31"]
    assert sum(len(point.values) for point in report.series) == report.measurements


def test_a_faster_commit_is_found():
    report = fb.find_change(GRAPH, benchmark({12: 0.8}), find="fix", **ENDS)
    assert [step.commit for step in report.steps] == ["r12"]


def test_nothing_is_named_without_a_change():
    report = fb.find_change(GRAPH, benchmark({}), **ENDS)
    assert (report.status, report.conclusion, report.steps) == ("no_change", "none", ())


def test_all_steps_are_found():
    report = fb.find_change(GRAPH, benchmark({8: 1.2, 24: 1.3}), all_steps=True, **ENDS)
    assert (report.conclusion, {step.commit for step in report.steps}) == ("several", {"r8", "r24"})
    assert abs(report.unexplained.percent) < 6


def test_revisions_without_a_number_leave_candidates():
    report = fb.find_change(GRAPH, lambda revision: None if 18 <= place(revision) < 22 else size(revision), **ENDS)
    assert (report.conclusion, report.steps) == ("set", ())
    candidates = [candidate.revision for candidate in report.candidates]
    assert sorted(candidates) == ["r18", "r19", "r20", "r21", "r22"]
    assert set(report.unresolved) <= {"r18", "r19", "r20", "r21"}


def test_metrics_have_their_own_culprits_on_shared_builds():
    def measure(revision):
        return {"seconds": 2.0 if place(revision) >= 9 else 1.0, "size": size(revision)}

    report = fb.find_change(GRAPH, measure, metrics={"seconds": {"unit": "s"}, "size": {"at_least": "50B"}}, **ENDS)
    [other] = report.other_metrics
    assert (report.metric, [step.commit for step in report.steps]) == ("seconds", ["r9"])
    assert (other.metric, other.unit, [step.commit for step in other.steps]) == ("size", "B", ["r20"])


class Machine:
    """A machine that becomes 10% slower after every fourth run."""

    def __init__(self):
        self.calls = []

    def __call__(self, revision):
        # Both numbers of a pair are from one run.
        runs = len(self.calls) // 2
        self.calls.append(revision)
        return size(revision) * 1.1 ** (runs // 4)

    async def awaited(self, revision):
        return self(revision)


def test_a_pair_is_measured_in_one_run():
    machine = Machine()
    report = fb.find_change(GRAPH, machine, paired=True, **ENDS)
    assert [step.commit for step in report.steps] == ["r20"]
    assert machine.calls[1::2] == ["r0"] * report.runs
    assert machine.calls[::2] == [seen.revision for seen in report.observations]
    assert all(seen.control == pytest.approx(1000 * 1.1 ** (run // 4)) for run, seen in enumerate(report.observations))
    awaited = Machine()
    assert asyncio.run(fb.find_change_async(GRAPH, awaited.awaited, paired=True, **ENDS)) == report
    assert awaited.calls == machine.calls
    with ProcessPoolExecutor(1) as executor:
        pooled = fb.find_change(GRAPH, size, paired=True, executor=executor, **ENDS)
    assert [seen.control for seen in pooled.observations] == [1000] * pooled.runs


@pytest.mark.parametrize(
    ("measured", "calls", "observation"),
    [
        (None, 1, {"outcome": "unresolved"}),
        (fb.Observation(metric=3, control=2, seconds=1), 1, {"metric": 3.0, "control": 2.0, "seconds": 1.0}),
        (fb.Observation("unresolved", stage="build"), 1, {"outcome": "unresolved", "stage": "build"}),
        (fb.Observation(metric=3, seconds=1), 2, {"metric": 3.0, "control": 9.0, "seconds": 1.0}),
    ],
)
def test_a_pair_needs_a_number_without_a_control(measured, calls, observation):
    asked = []

    def measure(revision):
        asked.append(revision)
        return measured if len(asked) == 1 else 9

    search = fb.ChangeSearch(GRAPH, paired=True, **ENDS)
    fb.run(search, measure, budget=1)
    assert len(asked) == calls
    assert told(search).items() >= observation.items()


def test_a_pair_without_a_control_is_unresolved():
    asked = []
    search = fb.ChangeSearch(GRAPH, paired=True, **ENDS)

    def measure(revision):
        asked.append(revision)
        return None if len(asked) == 2 else 1.5

    fb.run(search, measure, budget=1)
    observation = told(search)
    assert observation["outcome"] == "unresolved"
    assert "no number at the good revision" in observation["note"]
    with pytest.raises(fb.InvalidArgumentError, match=r"^measure, at revision 'r"):
        fb.run(fb.ChangeSearch(GRAPH, paired=True, **ENDS), lambda _: True)


def test_threads_processes_and_tasks_find_the_same():
    async def awaited(revision):
        return size(revision)

    reports = [fb.find_change(GRAPH, size, jobs=3, **ENDS)]
    with ProcessPoolExecutor(1) as executor:
        reports.append(fb.find_change(GRAPH, size, jobs=2, executor=executor, **ENDS))
    reports += [asyncio.run(fb.find_change_async(GRAPH, measure, **ENDS)) for measure in (awaited, size)]
    assert [[step.commit for step in report.steps] for report in reports] == [["r20"]] * 4


def test_an_exception_keeps_all_numbers_and_retry_repeats_a_run():
    calls, failures = [], [fb.Retry("the disk is full"), ZeroDivisionError("stop")]

    def measure(revision):
        calls.append(revision)
        if len(calls) in (2, 6):
            raise failures.pop(0)
        return size(revision)

    with pytest.raises(ZeroDivisionError) as caught:
        fb.find_change(GRAPH, measure, **ENDS)
    search = caught.value.firstbad_search
    assert calls[1] == calls[2]
    assert search.runs == 4
    assert [step.commit for step in fb.run(search, measure).steps] == ["r20"]


def test_known_numbers_cost_no_run():
    whole = fb.find_change(GRAPH, size, **ENDS)
    known = fb.find_change(GRAPH, size, known=whole.observations, **ENDS)
    assert (known.runs, [step.commit for step in known.steps]) == (0, ["r20"])
    some = fb.find_change(GRAPH, size, known=[("r0", 1000), ("r31", None)], **ENDS)
    assert [seen.metric for seen in some.observations[:2]] == [1000, None]
    with pytest.raises(fb.InvalidArgumentError, match=r"^known, for 'r0': outcome: True"):
        fb.find_change(GRAPH, size, known={"r0": True}, **ENDS)


def test_a_store_is_refused(tmp_path):
    store = fb.OutcomeStore(tmp_path / "outcomes.db", oracle="size")
    with pytest.raises(TypeError, match='has no option "store"'):
        fb.find_change(GRAPH, size, store=store, **ENDS)
    with pytest.raises(fb.InvalidArgumentError, match="no store for a search for a change"):
        fb.Session.open(tmp_path / "run.jsonl", fb.ChangeSearch(GRAPH, **ENDS), store=store)


def test_the_report_has_every_form():
    report = fb.find_change(GRAPH, benchmark({12: 1.1}), unit="s", **ENDS)
    assert repr(report) == f"<ChangeReport: found after {report.runs} runs: {report.message}>"
    assert fb.ChangeReport.from_json(report.to_json()) == report
    assert json.loads(report.to_json())["algorithm"] == "change"
    annotations = map(report.to_annotations, ("github", "gitlab"))
    for text in [
        str(report),
        report.to_markdown(),
        report.to_html(),
        report._repr_mimebundle_()["text/html"],
        *annotations,
    ]:
        assert "r12" in text
    assert len(report.to_rows()) == len(report.observations) == len(report.explain())
    assert list(report.to_pandas()["metric"]) == [seen.metric for seen in report.observations]
    assert pickle.loads(pickle.dumps(report)) == report
    picture = ElementTree.fromstring(report.to_svg())
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert any("r12" in (text or "") for text in picture.itertext())
    assert str(report.observations[0]).startswith("pass (metric 0.")


def rounded(number):
    return round(number, 6)


@st.composite
def worlds(draw):
    """A history, numbers for each revision in the order of measuring, and options."""
    count = draw(st.integers(2, 9))
    parents = {"r0": []}
    for number in range(1, count):
        chosen = draw(st.sets(st.integers(0, number - 1), min_size=1, max_size=2))
        parents[f"r{number}"] = [f"r{parent}" for parent in sorted(chosen)]
    number = st.one_of(st.none(), st.integers(-3, 3), st.floats(-1e9, 1e9).map(rounded), st.floats(0.9, 1.1))
    numbers = {revision: draw(st.lists(number, min_size=1, max_size=4)) for revision in parents}
    options = {
        "bad": f"r{count - 1}",
        "good": "r0" if draw(st.booleans()) else None,
        "worse": draw(st.sampled_from(["up", "down", "either"])),
        "at_least": draw(st.sampled_from([0.03, "50%", "2"])),
        "all_steps": draw(st.booleans()),
        "exact": draw(st.sampled_from([True, False, "auto"])),
        "max_measurements": draw(st.integers(6, 40)),
    }
    return fb.CommitGraph(parents), numbers, options


def measure_in_turn(numbers):
    """Returns a function that returns the numbers of a revision in turn."""
    calls = dict.fromkeys(numbers, 0)

    def measure(revision):
        calls[revision] += 1
        return numbers[revision][calls[revision] % len(numbers[revision])]

    return measure


@settings(max_examples=60, deadline=None)
@given(worlds(), st.integers(1, 3))
def test_every_search_ends_and_names_only_what_it_measured(world, jobs):
    graph, numbers, options = world
    search, measure = fb.ChangeSearch(graph, **options), measure_in_turn(numbers)
    measured = set()
    while not search.done:
        probes = search.ask(jobs)
        assert probes
        for probe in probes:
            number = measure(probe.revision)
            search.tell(probe.id, number)
            measured |= {probe.revision} if number is not None else set()
    report = search.report()
    assert report.status != "running"
    assert report.measurements <= options["max_measurements"] + jobs - 1
    for step in report.steps:
        assert set(step.parents) == set(graph.parents(step.commit))
        assert step.commit in measured
        # An ancestor of another parent cannot be the culprit either.
        known = measured.intersection(step.parents)
        assert all(any(graph.is_ancestor(parent, one) for one in known) for parent in step.parents)
    assert fb.ChangeReport.from_json(report.to_json()) == report


@settings(max_examples=5, deadline=None)
@given(world=worlds())
def test_a_search_that_is_killed_after_any_event_resumes(tmp_path_factory, world):
    graph, numbers, options = world

    def measure(revision):
        return numbers[revision][0]

    path = tmp_path_factory.mktemp("killed") / "run.jsonl"
    whole = fb.find_change(graph, measure, journal=path, **options)
    lines = path.read_text().splitlines(keepends=True)
    for count in range(1, len(lines), 3):
        path.write_text("".join(lines[:count]))
        assert fb.find_change(graph, measure, journal=path, **options) == whole
    with fb.Session.open(path, fb.ChangeSearch(graph, **options)) as session:
        assert [step.status for step in session.replay()][-1] == whole.status
    snapshot = fb.ChangeSearch(graph, **options).snapshot()
    assert fb.run(fb.ChangeSearch.restore(graph, snapshot), measure) == whole


BENCHMARK = """
import pathlib, sys
number = float(pathlib.Path("number.txt").read_text())
if number < 0:
    sys.exit(1)
print(f"throughput: {number}")
print(2 * number)
"""


@pytest.fixture
def shop(tmp_path):
    """A repository with two steps, a broken benchmark between them, and a file that grows."""
    folder = tmp_path / "shop"
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    (folder / "bench.py").write_text(BENCHMARK)
    for number, throughput in enumerate([50, 50, 50, 40, 40, -1, 40, 40, 40]):
        (folder / "number.txt").write_text(str(throughput))
        (folder / "app.js").write_text("x" * (1000 if number < 7 else 5000))
        (folder / "count.txt").write_text(str(number))
        subprocess.run(["git", "add", "."], cwd=folder, check=True)
        subprocess.run(["git", *identity, "commit", "-q", "-m", f"Change {number}"], cwd=folder, check=True)
    return fb.Repository(folder)


RUN = [sys.executable, "-S", "bench.py"]


def subjects(report, steps):
    return [report.commits[step.commit].subject for step in steps]


@pytest.mark.parametrize("paired", [False, True])
def test_a_measure_oracle_measures_a_command(shop, tmp_path, paired):
    graph = shop.graph(["main"])
    ends = {"bad": "main", "good": graph.roots}
    options = {"metric": "regex:throughput: ([0-9.]+)", "output_dir": tmp_path / "output"}
    with shop.measure_oracle(RUN, **options) as measure:
        report = fb.find_change(
            graph, measure, worse="down", paired=paired, journal=tmp_path / "run.jsonl", prior="uniform", **ends
        )
        assert subjects(report, report.steps) == ["Change 3"]
        assert {seen.control for seen in report.observations} <= ({50.0, None} if paired else {None})
        assert measure("main").metric == 40
        assert measure("main").reused
        assert measure("main~3").outcome is fb.Outcome.UNRESOLVED
        assert (measure.run_paired("main", "main~6").metric, measure.run_paired("main", "main~6").control) == (40, 50)
        assert asyncio.run(fb.find_change_async(graph, measure, worse="down", prior="uniform", **ends)).steps
        with pytest.raises(TypeError, match="a MeasureOracle cannot be pickled"):
            pickle.dumps(measure)
    with (
        shop.measure_oracle(RUN, metric="last-number") as other,
        pytest.raises(fb.JournalError, match="another test"),
    ):
        fb.find_change(
            graph, other, worse="down", paired=paired, journal=tmp_path / "run.jsonl", prior="uniform", **ends
        )


def test_a_measure_oracle_names_its_metrics_and_units(shop):
    graph = shop.graph(["main"])
    ends = {"bad": "main", "good": graph.roots, "prior": "uniform"}
    with shop.measure_oracle(RUN, metric=["file-size:app.js", "last-number"], warmup=0) as measure:
        report = fb.find_change(graph, measure, worse="either", **ends)
    [other] = report.other_metrics
    assert (report.metric, report.unit, subjects(report, report.steps)) == ("file-size:app.js", "B", ["Change 7"])
    assert (other.metric, other.unit, subjects(report, other.steps)) == ("last-number", None, ["Change 3"])
    with shop.measure_oracle(RUN, metric="file-size:app.js") as measure:
        assert fb.find_change(graph, measure, **ends).unit == "B"
        assert fb.find_change(graph, measure, unit="chars", **ends).unit == "chars"


def test_options_of_a_measure_oracle_are_checked(shop):
    for options, message in [
        ({"metric": "second"}, 'did you mean "seconds"'),
        ({"metric": []}, "metric"),
        ({"metric": "seconds", "take": "max"}, "take"),
        ({"metric": "seconds", "fail_pattern": "x"}, "fail_pattern"),
    ]:
        with pytest.raises(fb.InvalidArgumentError, match=message):
            shop.measure_oracle(RUN, **options)
    with pytest.raises(TypeError, match="needs the option 'metric'"):
        shop.measure_oracle(RUN)
    assert "take: How several values" in fb.Repository.measure_oracle.__doc__
    assert "fail_pattern:" not in fb.Repository.measure_oracle.__doc__
