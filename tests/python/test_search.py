"""Searches with the ask/tell interface."""

import json
import pickle
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstbad as fb

VERSIONS = [f"1.{minor}" for minor in range(20)]


def make(**options):
    options = {"bad": "1.19", "good": "1.0", "search": "binary", **options}
    return fb.RegressionSearch(fb.CommitGraph.linear(VERSIONS), **options)


def passes(version, broken=13):
    return int(version.split(".")[1]) < broken


def drive(search, answer=passes):
    while not search.done:
        for probe in search.ask():
            search.tell(probe.id, answer(probe.revision))
    return search.report()


def test_ask_and_tell_find_the_point():
    search = make()
    assert (search.status, search.done, search.runs, search.in_flight) == ("running", False, 0, [])
    [probe] = search.ask()
    assert probe.id == 0
    assert probe.revision in VERSIONS
    assert probe.changes is None
    assert search.in_flight == [probe]
    assert search.wanted(probe.id)
    search.tell(probe.id, passes(probe.revision))
    assert (search.runs, search.in_flight) == (1, [])
    report = drive(search)
    assert report.status == "found"
    [point] = report.points
    assert (point.good, point.bad, point.leaves, point.distances) == ("1.12", "1.13", ("1.19",), (6,))
    assert point.parents_pass is True
    assert point.candidates == ()
    assert report.runs == search.runs == len(report.observations)
    assert {seen.revision: seen.outcome is fb.Outcome.PASS for seen in report.observations} == {
        seen.revision: passes(seen.revision) for seen in report.observations
    }
    assert report.leaves == (fb.LeafReport("1.19", "searched", (0,), None),)
    assert str(report).startswith("First bad commit: 1.13\n")
    assert repr(report).startswith(f"<RegressionReport: found after {report.runs} runs: ")


def test_every_outcome_is_explained():
    search = make()
    report = drive(search)
    explained = search.explain()
    assert report.explain() == explained
    assert [one.run for one in explained] == list(range(1, report.runs + 1))
    assert [(one.revision, one.outcome) for one in explained] == [
        (seen.revision, seen.outcome) for seen in report.observations
    ]
    first, last = explained[0], explained[-1]
    assert (
        str(first)
        == "run 1: 1.19 fails. Tested because it is the bad revision. It ruled out no suspect, and 19 are left"
    )
    assert first.changes is None
    halves = next(one for one in explained if one.reason and "suspects are at or before it" in one.reason)
    assert halves.suspects_after < halves.suspects_before
    assert (last.suspects_after, last.best) == (0, "the culprit is 1.13")
    search.undo(1)
    assert search.explain() == explained[:-1]
    with pytest.raises(fb.InvalidArgumentError, match=r"^report: a report without its search"):
        pickle.loads(pickle.dumps(report)).explain()
    kept = fb.minimize("abcd", lambda kept: "c" in kept)
    assert kept.explain()[0].message == "run 1: with changes 0-3, the test passes. 4 of 4 items are kept so far"


def test_a_report_is_available_at_any_time_and_immutable():
    report = make().report()
    assert report.status == "running"
    with pytest.raises(AttributeError):
        report.status = "found"


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (True, "pass"),
        (False, "fail"),
        (None, "unresolved"),
        ("pass", "pass"),
        ("fail", "fail"),
        ("unresolved", "unresolved"),
        (fb.Outcome.PASS, "pass"),
        (fb.Outcome.FAIL, "fail"),
        (fb.Outcome.UNRESOLVED, "unresolved"),
        (fb.Observation(fb.Outcome.PASS), "pass"),
        (fb.Observation(False, note="log"), "fail"),
        (fb.Observation(None), "unresolved"),
    ],
)
def test_accepted_forms_of_an_outcome(answer, outcome):
    search = make()
    [probe] = search.ask()
    search.tell(probe.id, answer)
    [seen] = search.report().observations
    assert (seen.outcome, seen.revision, seen.probe) == (outcome, probe.revision, probe.id)
    assert fb.Observation.of(answer).outcome is fb.Outcome(outcome)


def test_numpy_booleans_are_booleans():
    numpy = pytest.importorskip("numpy")
    assert fb.Observation.of(numpy.bool_(True)).outcome is fb.Outcome.PASS
    assert fb.Observation.of(numpy.array([1, 2])[0] > 1).outcome is fb.Outcome.FAIL
    with pytest.raises(fb.InvalidArgumentError):
        fb.Observation.of(numpy.int64(0))


@pytest.mark.parametrize("answer", [1, 0, 0.5, "passed", b"pass", [], {}, object()])
def test_other_outcomes_are_rejected_with_their_type(answer):
    search = make()
    [probe] = search.ask()
    with pytest.raises(fb.InvalidArgumentError, match=type(answer).__name__):
        search.tell(probe.id, answer)
    assert search.in_flight == [probe]


def test_details_of_observations_are_kept():
    given = fb.Observation(
        fb.Outcome.FAIL,
        signature="AssertionError",
        passes=1,
        fails=2,
        metric=1.5,
        seconds=0.25,
        cost=3,
        signals={"lines": [1, 2]},
        note="see the log",
        stage="test",
        memory=1 << 40,
    )
    search = make()
    [probe] = search.ask()
    search.tell(probe.id, given)
    [seen] = search.report().observations
    assert {name: getattr(seen, name) for name in given.__dataclass_fields__} == given.__dict__
    restored = fb.RegressionSearch.restore(fb.CommitGraph.linear(VERSIONS), search.snapshot())
    assert restored.report() == search.report()


@pytest.mark.parametrize(
    "fields",
    [
        {"seconds": -1},
        {"cost": float("nan")},
        {"metric": float("inf")},
        {"passes": -1},
        {"signature": 5},
        {"seconds": "long"},
        {"signals": object()},
        {"stage": "link"},
        {"stage": 5},
        {"memory": -1},
        {"memory": 0.5},
        {"memory": 1 << 64},
    ],
)
def test_invalid_fields_are_named(fields):
    search = make()
    [probe] = search.ask()
    [name] = fields
    with pytest.raises(fb.InvalidArgumentError, match=name):
        search.tell(probe.id, fb.Observation(True, **fields))


def test_an_outcome_can_be_told_twice_but_not_changed():
    search = make()
    [probe] = search.ask()
    search.tell(probe.id, True)
    search.tell(probe.id, fb.Outcome.PASS)
    assert search.runs == 1
    with pytest.raises(fb.ContradictionError, match=r"pass.*fail") as caught:
        search.tell(probe.id, False)
    assert caught.value.code == "contradiction"
    assert search.report().observations[0].outcome == "pass"


def test_the_stage_is_part_of_an_outcome_and_the_memory_is_not():
    search = make()
    [probe] = search.ask()
    search.tell(probe.id, fb.Observation(None, stage=fb.Stage.BUILD, memory=7))
    search.tell(probe.id, fb.Observation(None, stage="build", memory=8))
    search.tell(probe.id, None)
    # An unresolved outcome at this stage says nothing about the revision.
    search.tell(probe.id, fb.Observation(None, stage=fb.Stage.SETUP))
    [seen] = search.report().observations
    assert (seen.stage, seen.memory) == (fb.Stage.BUILD, 7)
    other = make()
    [probe] = other.ask()
    other.tell(probe.id, fb.Observation(False, stage=fb.Stage.BUILD))
    with pytest.raises(fb.ContradictionError, match=r"stage build.*fail"):
        other.tell(probe.id, fb.Observation(False, stage=fb.Stage.TEST))
    assert "stage" not in make_told(True)
    assert "memory" not in make_told(fb.Observation(True))
    assert make_told(fb.Observation(None, stage="patch"))["stage"] == "patch"


def make_told(answer):
    """Returns the observation in the events of a search."""
    search = make()
    [probe] = search.ask()
    search.tell(probe.id, answer)
    return search.events[-1]["observation"]


def test_stages_are_those_of_the_core():
    with pytest.raises(fb.InvalidArgumentError) as caught:
        fb.Observation(None, stage="link")
    names = ", ".join(f'"{stage}"' for stage in fb.Stage)
    assert str(caught.value) == f'stage: "link" is not valid; expected one of {names}'


def test_abandoned_revisions_are_returned_again():
    search = make()
    [probe] = search.ask()
    search.abandon(probe.id)
    [again] = search.ask()
    assert (again.id, again.revision) == (1, probe.revision)


def test_observed_and_enqueued():
    search = make()
    search.observe("1.5", True)
    assert search.runs == 0
    assert search.report().observations[0].probe is None
    search.enqueue("1.7")
    assert search.ask()[0].revision == "1.7"
    with pytest.raises(fb.UnknownRevisionError):
        search.enqueue("9.9")
    with pytest.raises(fb.UnknownRevisionError):
        search.observe("9.9", True)


def test_undo_removes_outcomes():
    search = make()
    [probe] = search.ask()
    search.tell(probe.id, True)
    search.undo()
    assert search.runs == 0
    search.tell(probe.id, False)
    assert search.runs == 1
    with pytest.raises(fb.InvalidArgumentError, match="answers"):
        search.undo(5)
    with pytest.raises(fb.InvalidArgumentError, match="n: -1"):
        search.undo(-1)


def test_stop_and_budget():
    search = make()
    search.stop()
    assert (search.status, search.done, search.ask()) == ("stopped", True, [])
    search = make()
    search.set_budget(1)
    [probe] = search.ask(5)
    search.tell(probe.id, False)
    assert search.status == "budget"
    search.set_budget(fb.Budget(runs=10))
    assert search.status == "running"
    with pytest.raises(fb.InvalidArgumentError, match="reason"):
        search.stop("because")
    with pytest.raises(fb.InvalidArgumentError, match="seconds"):
        search.set_budget(fb.Budget(seconds=1))


def test_unknown_probes_are_named():
    search = make()
    for call in (lambda: search.tell(7, True), lambda: search.abandon(7), lambda: search.wanted(7)):
        with pytest.raises(fb.UnknownProbeError, match="7") as caught:
            call()
        assert caught.value.code == "unknown_probe"
        assert isinstance(caught.value, LookupError)


@pytest.mark.parametrize("k", [0, -1])
def test_asking_for_zero_probes_is_an_error(k):
    with pytest.raises(fb.InvalidArgumentError, match="k"):
        make().ask(k)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bad": None}, "bad"),
        ({"bad": []}, "bad"),
        ({"bad": 5}, r"5 \(int\)"),
        ({"bad": ["1.3", 4]}, r"4 \(int\)"),
        ({"search": "bogo"}, "search"),
        ({"prefer": "best"}, "prefer"),
        ({"find": "bug"}, "find"),
        ({"check_parents": "yes"}, "check_parents"),
        ({"propagate": object()}, "propagate"),
        ({"good": "1.19"}, "1.19"),
    ],
)
def test_invalid_options_are_errors(options, words):
    with pytest.raises(fb.InvalidArgumentError, match=words):
        make(**options)


def test_unknown_endpoints_suggest_similar_names():
    with pytest.raises(fb.UnknownRevisionError, match=r"1\.19"):
        make(bad="1.199")


def test_graphs_can_be_mappings_and_endpoints_tuples():
    search = fb.RegressionSearch({"a": [], "b": ["a"], "c": ["b"]}, bad=("c",), good=("a",))
    assert drive(search, lambda id: id == "a").points[0].bad == "b"


def test_fix_swaps_the_roles():
    search = make(find="fix", good="1.19", bad="1.0")
    [point] = drive(search, lambda version: not passes(version)).points
    assert (point.good, point.bad) == ("1.13", "1.12")
    assert (search.report().find, make().report().find) == ("fix", "regression")
    # A report without a point also knows the property that was searched for.
    seen = drive(make(find="fix", good="1.19", bad="1.0"), lambda _: True)
    assert str(fb.RegressionReport.from_json(seen.to_json())).startswith("1.0 was given as bad, but it passes")


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.integers(1, 19), st.lists(st.integers(0, 3), max_size=12), st.integers(1, 4))
def test_snapshots_and_events_restore_the_search(broken, moves, k):
    graph = fb.CommitGraph.linear(VERSIONS)
    search = make(search="auto")
    for move in moves:
        flying = search.in_flight
        if move == 0:
            search.ask(k)
        elif move == 1 and flying:
            search.tell(flying[-1].id, passes(flying[-1].revision, broken))
        elif move == 2 and flying:
            search.abandon(flying[0].id)
        elif move == 3 and search.runs:
            search.undo()
    restored = fb.RegressionSearch.restore(graph, search.snapshot())
    replayed = make(search="auto")
    for event in search.events:
        replayed.apply(event)
    for other in (restored, replayed):
        assert other.snapshot() == search.snapshot()
        assert other.in_flight == search.in_flight
        assert other.report() == search.report()
        assert other.ask(2) == fb.RegressionSearch.restore(graph, search.snapshot()).ask(2)


def test_snapshots_of_other_searches_are_rejected():
    graph = fb.CommitGraph.linear(VERSIONS)
    text = make().snapshot()
    other = json.loads(text)
    other["fingerprint"] = "0" * 32
    for bad in ("{}", "nonsense", json.dumps(other)):
        with pytest.raises(fb.SnapshotError) as caught:
            fb.RegressionSearch.restore(graph, bad)
        assert caught.value.code == "snapshot"
    with pytest.raises(fb.SnapshotError):
        make().apply({"event": "nonsense"})


def test_probes_are_values():
    probe = fb.Probe(3, "abc")
    assert pickle.loads(pickle.dumps(probe)) == probe
    assert len({probe, fb.Probe(3, "abc")}) == 1
    assert probe != fb.Probe(4, "abc")
    assert repr(probe) == "Probe(id=3, revision='abc')"


def test_observations_and_errors_can_be_sent_to_other_processes():
    for value in (fb.Observation(True, note="x"), make().report(), fb.Budget(runs=3)):
        assert pickle.loads(pickle.dumps(value)) == value
    error = pickle.loads(pickle.dumps(fb.GraphError("no", "cycle")))
    assert (str(error), error.code) == ("no", "cycle")
    assert isinstance(pickle.loads(pickle.dumps(fb.Retry("machine"))), fb.Retry)


def test_other_threads_can_read_a_search():
    search = fb.RegressionSearch(fb.CommitGraph.linear(map(str, range(20_000))), bad="19999", good="0", search="linear")
    stop = threading.Event()
    failures = []

    def look():
        try:
            while not stop.is_set():
                assert search.status in ("running", "good_end_fails")
                assert search.report().runs <= search.runs
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=look)
    thread.start()
    for _ in range(50):
        for probe in search.ask():
            search.tell(probe.id, False)
    stop.set()
    thread.join()
    assert not failures


def test_without_a_good_revision_the_search_finds_one():
    graph = fb.CommitGraph.linear([f"r{place}" for place in range(1000)])

    def asked(**options):
        search, seen = fb.RegressionSearch(graph, bad="r999", **options), []
        while not search.done and len(seen) < 4:
            [probe] = search.ask()
            seen.append(probe.revision)
            search.tell(probe.id, int(probe.revision[1:]) < 900)
        return seen

    assert asked(find_good=True) == ["r999", "r983", "r967", "r935"]
    assert asked(find_good=["r990"]) == ["r999", "r990", "r981", "r963"] == asked(find_good="r990")
    assert asked(find_good=False) == asked(find_good=None) == asked()
    with pytest.raises(
        fb.InvalidArgumentError, match="find_good: true is not valid; expected nothing, because an older endpoint"
    ):
        asked(good="r0", find_good=True)
    with pytest.raises(fb.UnknownRevisionError, match="find_good"):
        asked(find_good=["v1"])
    with pytest.raises(fb.InvalidArgumentError, match="find_good: 3"):
        asked(find_good=3)


def test_two_different_failures_are_both_reported():
    def failing(words):
        return lambda version: passes(version) or fb.Observation("fail", signals={"failure": words(version)})

    assert drive(make(), failing(lambda _: "the same")).warnings == ()
    [warning] = drive(make(), failing(lambda version: f"{version} is wrong")).warnings
    assert warning.startswith(
        '1.13 fails in another way than 1.19, so there may be two bugs: "1.13 is wrong" instead of "1.19 is'
    )
