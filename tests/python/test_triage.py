"""Triage: one search for the culprits of a red suite."""

import asyncio
import json
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstbad as fb

GRAPH = fb.CommitGraph.linear([f"r{number}" for number in range(16)])
ENDS = {"bad": "r15", "good": "r0"}
CULPRITS = {"a": 5, "b": 5, "c": 11}


def place(revision):
    return int(revision[1:])


def suite(revision, tests):
    """Runs a suite whose tests break at `CULPRITS`. More tests than asked are reported."""
    return {"green": True, **{test: place(revision) < CULPRITS[test] for test in CULPRITS}}


def found(report):
    return {test.id: test.culprit for test in report.tests}


def test_tests_are_asked_and_told_by_their_ids():
    search = fb.TriageSearch(GRAPH, tests=list(CULPRITS), **ENDS)
    [probe] = search.ask()
    assert (probe.revision, probe.tests) == ("r15", ("a", "b", "c"))
    assert pickle.loads(pickle.dumps(probe)) == probe
    assert pickle.loads(pickle.dumps(probe)).tests == probe.tests
    assert eval(repr(probe), {"Probe": fb.Probe}).tests == probe.tests
    search.tell(
        probe.id,
        {
            "a": False,
            "b": fb.TestResult(fails=2, passes=1, outcome="fail", signature="TypeError"),
            "c": fb.Observation("fail", signature="KeyError", seconds=2.0),
            "unknown": True,
        },
    )
    told = search.events[1]["observation"]
    assert told == {
        "outcome": "fail",
        "results": {
            "a": {"outcome": "fail"},
            "b": {"outcome": "fail", "signature": "TypeError", "passes": 1, "fails": 2},
            "c": {"outcome": "fail", "signature": "KeyError", "seconds": 2.0},
        },
    }
    while not search.done:
        for probe in search.ask(2):
            assert set(probe.tests) <= {"a", "b", "c"}
            search.tell(probe, suite(probe.revision, probe.tests))
    report = search.report()
    assert found(report) == {"a": "r5", "b": "r5", "c": "r11"}
    [first, _] = report.culprits
    assert (first.commit, first.parents, first.tests, first.parents_pass) == ("r5", ("r4",), ("a", "b"), True)
    assert report.tests[1].signature == "TypeError"
    assert isinstance(report.tests[0].observations[0], fb.RevisionRuns)


def test_one_outcome_is_that_of_every_test():
    search = fb.TriageSearch(GRAPH, tests=["x", "y"], **ENDS)
    while not search.done:
        for probe in search.ask():
            search.tell(probe.id, place(probe.revision) < 9)
    assert found(search.report()) == {"x": "r9", "y": "r9"}


def test_missing_tests_are_unresolved():
    search = fb.TriageSearch(GRAPH, tests=["x", "y"], **ENDS)
    [probe] = search.ask()
    search.tell(probe.id, {"x": False})
    assert {test.id: test.observations[0].unresolved for test in search.report().tests} == {"x": 0, "y": 1}
    [probe] = search.ask()
    search.tell(probe.id, {})
    observation = search.report().observations[1]
    assert (observation.outcome, observation.stage) == (fb.Outcome.UNRESOLVED, fb.Stage.TEST)


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        ({"x": 3.5}, 'results["x"]: 3.5 (float) is not valid'),
        ({7: True}, "results: 7 (int) is not valid; expected ids of tests, as str"),
        ({"x": "passes"}, "results[\"x\"]: 'passes' (str) is not valid"),
        ([True], "outcome: [True] (list) is not valid"),
        ("passes", "outcome: 'passes' (str) is not valid"),
    ],
)
def test_wrong_results_are_refused(outcome, message):
    search = fb.TriageSearch(GRAPH, tests=["x"], **ENDS)
    [probe] = search.ask()
    with pytest.raises(fb.InvalidArgumentError) as caught:
        search.tell(probe.id, outcome)
    assert message in str(caught.value)
    with pytest.raises(fb.InvalidArgumentError) as caught:
        fb.run(search, lambda revision, tests: outcome)
    assert message in str(caught.value)
    with pytest.raises(fb.InvalidArgumentError, match="does not ask for several tests"):
        fb.run(fb.RegressionSearch(GRAPH, **ENDS), lambda revision: {"x": True})


def test_without_tests_the_suite_runs_once_at_each_end():
    calls = []

    def oracle(revision, tests):
        calls.append((revision, tests))
        return suite(revision, tests)

    report = fb.triage(GRAPH, oracle, **ENDS)
    assert found(report) == {"a": "r5", "b": "r5", "c": "r11"}
    assert calls[:3] == [("r15", None), ("r0", None), ("r15", ("a", "b", "c"))]
    assert [seen.set for seen in report.observations[:3]] == [None, None, "0-2"]
    assert all(tests is not None for _, tests in calls[2:])
    passing = fb.triage(GRAPH, lambda revision, tests: {"a": True}, **ENDS)
    assert (passing.status, passing.message, passing.runs) == ("not_reproduced", "no test fails at r15", 1)


def test_reports_of_runners_start_the_search():
    tonight = fb.read_results(
        b'<testsuite><testcase classname="m" name="a"><failure message="1 != 2"/></testcase>'
        b'<testcase classname="m" name="old"><failure message="no"/></testcase></testsuite>'
    )
    assert tonight["m::a"] == fb.TestResult("fail", signature="# != #")
    last = {"m::a": True, "m::old": False, "m::gone": fb.Outcome.PASS}

    def oracle(revision, tests):
        assert tests == ("m::a",)
        return {"m::a": place(revision) < 3}

    report = fb.triage(GRAPH, oracle, tonight=tonight, last=last, **ENDS)
    assert {test.id: (test.verdict, test.culprit) for test in report.tests} == {
        "m::a": ("broken", "r3"),
        "m::old": ("failed_before", None),
        "m::gone": ("removed", None),
    }
    with pytest.raises(fb.InvalidArgumentError, match=r'last\["x"\]: 3.5'):
        fb.TriageSearch(GRAPH, last={"x": 3.5}, **ENDS)
    with pytest.raises(fb.InvalidArgumentError, match="tonight: "):
        fb.TriageSearch(GRAPH, tonight=["x"], **ENDS)


def test_threads_processes_and_tasks_find_the_same():
    expected = {"a": "r5", "b": "r5", "c": "r11"}
    at_once, together = set(), threading.Barrier(2, timeout=20)

    def oracle(revision, tests):
        if tests is None:
            at_once.add(revision)
            together.wait()  # both runs of the whole suite are in flight
        return suite(revision, tests)

    assert found(fb.triage(GRAPH, oracle, jobs=4, **ENDS)) == expected
    assert at_once == {"r0", "r15"}
    with ProcessPoolExecutor(1) as executor:
        assert found(fb.triage(GRAPH, suite, jobs=2, executor=executor, **ENDS)) == expected

    async def awaited(revision, tests):
        return suite(revision, tests)

    for oracle in (awaited, suite):
        assert found(asyncio.run(fb.triage_async(GRAPH, oracle, jobs=2, **ENDS))) == expected


def test_an_exception_keeps_all_outcomes_and_retry_repeats_a_probe():
    calls, failures = [], [fb.Retry("the disk is full"), ZeroDivisionError("stop")]

    def oracle(revision, tests):
        calls.append((revision, tests))
        if len(calls) in (2, 6):
            raise failures.pop(0)
        return suite(revision, tests)

    with pytest.raises(ZeroDivisionError) as caught:
        fb.triage(GRAPH, oracle, **ENDS)
    search = caught.value.firstbad_search
    assert calls[1] == calls[2]
    assert search.runs == 4
    assert found(fb.run(search, oracle)) == {"a": "r5", "b": "r5", "c": "r11"}


def test_the_report_has_every_form(tmp_path):
    report = fb.triage(GRAPH, suite, **ENDS)
    assert repr(report) == f"<TriageReport: found after {report.runs} runs: 3 tests broken by 2 commits>"
    again = fb.TriageReport.from_json(report.to_json())
    assert again == report
    assert again.observations[2].results["a"] == fb.TestResult("fail")
    assert json.loads(report.to_json())["algorithm"] == "triage"
    annotations = map(report.to_annotations, ("github", "gitlab"))
    for text in [str(report), report.to_markdown(), report.to_html(), *annotations]:
        assert "r5" in text
    assert len(report.to_rows()) == len(report.observations) == len(report.explain())
    assert report.separate_estimate.builds > report.builds
    assert pickle.loads(pickle.dumps(report)) == report


def test_budgets_of_builds_and_known_outcomes():
    search = fb.TriageSearch(GRAPH, tests=["a"], **ENDS)
    stopped = fb.run(search, suite, budget=fb.Budget(builds=3))
    assert (stopped.status, stopped.runs) == ("budget", 3)
    observations = fb.triage(GRAPH, suite, tests=["a"], **ENDS).observations
    known = fb.triage(GRAPH, suite, tests=["a"], known=observations, **ENDS)
    assert (known.runs, found(known)) == (0, {"a": "r5"})
    known = fb.triage(GRAPH, suite, known={"r15": suite("r15", None), "r0": suite("r0", None)}, **ENDS)
    assert found(known) == {"a": "r5", "b": "r5", "c": "r11"}
    assert known.observations[0].probe is None


def test_known_outcomes_count_once_in_a_journal(tmp_path):
    known = {"r8": suite("r8", None)}
    reports = [
        fb.triage(GRAPH, suite, tests=["a"], known=known, journal=tmp_path / "run.jsonl", **ENDS) for _ in range(2)
    ]
    assert reports[0] == reports[1]
    assert reports[0].observations[0].results == {"a": fb.TestResult("fail")}


def test_a_store_is_refused(tmp_path):
    store = fb.OutcomeStore(tmp_path / "outcomes.db", oracle="suite")
    with pytest.raises(TypeError, match='has no option "store"'):
        fb.triage(GRAPH, suite, store=store, **ENDS)
    with pytest.raises(fb.InvalidArgumentError, match="no store for a triage"):
        fb.Session.open(tmp_path / "run.jsonl", fb.TriageSearch(GRAPH, **ENDS), store=store)


@pytest.mark.parametrize(
    ("report", "error", "code"),
    [
        (b"", fb.ReportError, "empty_report"),
        (b"what is this", fb.ReportError, "unknown_format"),
        (b"<testsuite></wrong>", fb.ReportError, "report_syntax"),
        ("missing.xml", fb.HostError, "io"),
        (7, fb.InvalidArgumentError, "invalid_argument"),
    ],
)
def test_reports_that_cannot_be_read_have_codes(report, error, code):
    with pytest.raises(error) as caught:
        fb.read_results([report])
    assert caught.value.code == code


def test_reports_are_read_from_files_and_contents(tmp_path):
    path = tmp_path / "night.tap"
    path.write_text("TAP version 14\nok 1 - a\nnot ok 2 - b\n1..2\n")
    assert fb.read_results(str(path)) == {"a": fb.TestResult("pass"), "b": fb.TestResult("fail")}
    both = fb.read_results([path, b"TAP version 14\nok 1 - b\n1..1\n"])
    assert both["b"] == fb.TestResult("fail", passes=1, fails=1)
    xml = b'<testsuite><testcase classname="tests.test_a.Sum" name="b"/></testsuite>'
    assert list(fb.read_results(xml, runner="pytest")) == ["tests/test_a.py::Sum::b"]
    (tmp_path / "tests" / "test_a").mkdir(parents=True)
    (tmp_path / "tests" / "test_a" / "Sum.py").touch()
    assert list(fb.read_results(xml, runner="pytest", root=tmp_path)) == ["tests/test_a/Sum.py::b"]
    with pytest.raises(fb.InvalidArgumentError, match="unknown runner"):
        fb.read_results(path, runner="tox")


@st.composite
def worlds(draw):
    """A history, and an oracle that gives each test of each revision any outcome, or none."""
    count = draw(st.integers(2, 9))
    parents = {"r0": []}
    for number in range(1, count):
        chosen = draw(st.sets(st.integers(0, number - 1), min_size=1, max_size=2))
        parents[f"r{number}"] = [f"r{parent}" for parent in sorted(chosen)]
    tests = ["a", "b", "c"][: draw(st.integers(1, 3))]
    outcome = st.sampled_from([True, True, False, False, None, "missing"])
    outcomes = {revision: {test: draw(outcome) for test in tests} for revision in parents}
    broken = draw(st.sets(st.sampled_from(sorted(parents)), max_size=2))

    def oracle(revision, asked):
        if revision in broken:
            return fb.Observation("unresolved", stage="build")
        seen = {test: outcome for test, outcome in outcomes[revision].items() if outcome != "missing"}
        return seen if asked is None else {test: outcome for test, outcome in seen.items() if test in asked}

    options = {"bad": f"r{count - 1}", "good": "r0" if draw(st.booleans()) else None}
    if draw(st.booleans()):
        options["tests"] = tests
    return fb.CommitGraph(parents), oracle, options


@settings(max_examples=60, deadline=None)
@given(worlds(), st.integers(1, 3))
def test_every_triage_ends_and_names_only_what_failed_and_passed_before(world, jobs):
    graph, oracle, options = world
    search = fb.TriageSearch(graph, **options)
    for _ in range(400):
        if search.done:
            break
        for probe in search.ask(jobs):
            search.tell(probe.id, oracle(probe.revision, probe.tests))
    report = search.report()
    assert report.status != "running"
    for test in report.tests:
        if test.verdict not in ("broken", "intermittent") or test.id == "(build)":
            continue
        seen = {runs.revision: runs for runs in test.observations}
        assert seen[test.culprit].fails > 0
        assert oracle(test.culprit, (test.id,))[test.id] is False
        for parent in graph.parents(test.culprit):
            assert seen[parent].passes > 0
            assert oracle(parent, (test.id,))[test.id] is True


@settings(max_examples=5, deadline=None)
@given(world=worlds())
def test_a_triage_that_is_killed_after_any_event_resumes(tmp_path_factory, world):
    graph, oracle, options = world
    path = tmp_path_factory.mktemp("killed") / "run.jsonl"
    whole = fb.triage(graph, oracle, journal=path, **options)
    lines = path.read_text().splitlines(keepends=True)
    for count in range(1, len(lines)):
        path.write_text("".join(lines[:count]))
        resumed = fb.triage(graph, oracle, journal=path, **options)
        assert resumed == whole
    with fb.Session.open(path, fb.TriageSearch(graph, **options)) as session:
        assert [step.status for step in session.replay()][-1] == whole.status
        if session.runs:
            session.undo()
            assert fb.run(session, oracle).tests == whole.tests
    snapshot = fb.TriageSearch(graph, **options).snapshot()
    assert fb.run(fb.TriageSearch.restore(graph, snapshot), oracle) == whole


RUNNER = """
import json, pathlib, sys
wanted = pathlib.Path(sys.argv[1]).read_text().split()
for line in pathlib.Path("shop.txt").read_text().splitlines():
    id, outcome = line.split()
    if id in wanted or not wanted:
        print(json.dumps({"id": id, "outcome": outcome, "message": f"{id} is wrong"}))
"""


@pytest.fixture
def shop(tmp_path):
    """A repository with two breaking commits, and the file that counts its builds."""
    folder = tmp_path / "shop"
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    (folder / "run.py").write_text(RUNNER)
    outcomes = {"price": "pass", "tax": "pass", "green": "pass"}
    for number, change in enumerate([{}, {}, {"price": "fail"}, {}, {"tax": "fail"}, {}]):
        outcomes |= change
        (folder / "shop.txt").write_text("".join(f"{id} {outcome}\n" for id, outcome in outcomes.items()))
        (folder / "number.txt").write_text(str(number))
        subprocess.run(["git", "add", "."], cwd=folder, check=True)
        subprocess.run(["git", *identity, "commit", "-q", "-m", f"Change {number}"], cwd=folder, check=True)
    return fb.Repository(folder), tmp_path / "builds"


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_suite_oracle_runs_chosen_tests_of_each_build(shop, tmp_path, jobs):
    repository, builds = shop
    graph = repository.graph(["main"])
    run = [sys.executable, "-S", "run.py", "{tests_file}"]
    build = [sys.executable, "-S", "-c", f"open({str(builds)!r}, 'a').write('x')"]
    options = {"results": "jsonl:-", "build": build, "output_dir": tmp_path / "output"}
    ends = {"bad": "main", "good": graph.roots}
    with repository.suite_oracle(run, worktrees=tmp_path / "trees", **options) as oracle:
        report = fb.triage(graph, oracle, jobs=jobs, journal=tmp_path / "run.jsonl", **ends)
        culprits = {report.commits[one.commit].subject: one.tests for one in report.culprits}
        assert culprits == {"Change 2": ("price",), "Change 4": ("tax",)}
        # A cancelled probe can have built its revision.
        made = len(builds.read_text())
        assert report.builds == made if jobs == 1 else 0 < report.builds <= made
        assert any(seen.reused for seen in report.observations)
        whole = oracle("main")
        assert whole.results["price"].signature == "price is wrong"
        assert {id: str(result.outcome) for id, result in whole.results.items()} == {
            "price": "fail",
            "tax": "fail",
            "green": "pass",
        }
        assert list(oracle("main", ["tax", "missing"]).results) == ["tax"]
        assert oracle("main", []).outcome is fb.Outcome.PASS
        assert oracle.output_dir == tmp_path / "output"
        with pytest.raises(TypeError, match="a SuiteOracle cannot be pickled"):
            pickle.dumps(oracle)
        with pytest.raises(fb.InvalidArgumentError, match="tests: 7"):
            oracle("main", [7])
        assert found(asyncio.run(fb.triage_async(graph, oracle, **ends))) == found(report)
    with pytest.raises(fb.OracleClosedError):
        oracle("main")
    with (
        repository.suite_oracle([*run, "-v"], **options) as other,
        pytest.raises(fb.JournalError, match="another test"),
    ):
        fb.triage(graph, other, journal=tmp_path / "run.jsonl", **ends)


def test_options_of_a_suite_oracle_are_checked(shop):
    repository, _ = shop
    for options, message in [
        ({"runner": "tox"}, "unknown runner"),
        ({"fail_pattern": "x"}, "fail_pattern"),
        ({"infra": ["("]}, "infra"),
    ]:
        with pytest.raises(fb.InvalidArgumentError, match=message):
            repository.suite_oracle(["pytest"], **options)
    with pytest.raises(fb.InvalidArgumentError, match="no known test runner"):
        repository.suite_oracle(["./check.sh"])
    with pytest.raises(TypeError, match='did you mean "runner"'):
        repository.suite_oracle(["pytest"], runer="pytest")
    assert "runner: The test runner" in fb.Repository.suite_oracle.__doc__
    assert "fail_pattern:" not in fb.Repository.suite_oracle.__doc__
