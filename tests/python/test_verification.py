"""Verification of a culprit or a flake: reasons, order in time, drivers, text."""

import asyncio
import math
import pickle
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import firstbad as fb

GRAPH = fb.CommitGraph.linear([f"c{place}" for place in range(10)])
MERGE = fb.CommitGraph({"root": [], "a": ["root"], "b": ["root"], "m": ["a", "b"], "top": ["m"]})


def from_c5(revision):
    return int(revision[1:]) < 5


async def awaited_from_c5(revision):
    await asyncio.sleep(0)
    return from_c5(revision)


def verify(oracle=from_c5, graph=GRAPH, **options):
    return fb.verify_culprit(graph, oracle, **{"culprit": "c5", "bad": "c9", "good": "c0", **options})


def codes(report):
    return [(reason.code, reason.revision) for reason in report.reasons]


def test_a_culprit_is_verified_by_reruns():
    report = verify()
    assert report.correct is True
    assert (report.status, report.culprit, report.reasons, report.reruns) == ("found", "c5", (), 9)
    assert report.checks == (
        fb.Check("good", "c0", fb.RunCounts(2, 0)),
        fb.Check("parent", "c4", fb.RunCounts(2, 0)),
        fb.Check("culprit", "c5", fb.RunCounts(0, 9)),
        fb.Check("bad", "c9", fb.RunCounts(0, 9)),
    )
    assert report.runs == len(report.observations) == 22
    assert str(report).startswith("Confirmed: c5\n")
    assert "  culprit     c5: 0 passed, 9 failed" in str(report)
    assert repr(report) == f"<VerificationReport: {report.message}>"


def test_a_merge_has_several_parents_to_check():
    report = fb.verify_culprit(MERGE, lambda name: name not in ("m", "top"), culprit="m", bad="top")
    assert report.correct is True
    assert [check.revision for check in report.checks if check.role == "parent"] == ["a", "b"]


def test_the_culprit_can_be_the_bad_revision():
    report = verify(lambda revision: revision != "c9", culprit="c9")
    assert report.correct is True
    assert [check.role for check in report.checks] == ["good", "parent", "culprit"]


@pytest.mark.parametrize(
    ("options", "reruns"),
    [
        ({}, 9),
        ({"flake_rate": 0.5}, 29),
        ({"flake_rate": 0.5, "confidence": 0.99}, 9),
        ({"flake_rate": 0.01, "min_flake_rate": 0.01, "confidence": 0.99}, 2),
        ({"flake_rate": fb.RunCounts(passes=49, fails=49)}, 29),
        ({"flake_rate": {"passes": 49, "fails": 49}}, 29),
    ],
)
def test_the_flake_rate_determines_the_number_of_reruns(options, reruns):
    assert verify(**options).reruns == reruns


def test_a_flake_is_verified_by_a_pass():
    fails = [True, True, False]
    report = verify(lambda revision: not fails.pop(0), culprit=None)
    assert (report.correct, report.culprit, report.runs) == (True, None, 3)
    report = verify(lambda revision: False, culprit=None)
    assert report.correct is False
    assert codes(report) == [("bad_never_passes", "c9")]


@pytest.mark.parametrize(
    ("oracle", "culprit", "expected"),
    [
        (lambda revision: True, "c5", {("bad_passes", "c9")}),
        (from_c5, "c3", {("culprit_passes", "c3")}),
        (from_c5, "c7", {("parent_never_passes", "c6")}),
        (lambda revision: False, "c5", {("good_never_passes", "c0")}),
    ],
)
def test_counterevidence_is_named(oracle, culprit, expected):
    report = verify(oracle, culprit=culprit)
    assert report.correct is False
    assert set(codes(report)) == expected
    [reason] = report.reasons
    assert reason.revision in reason.message
    assert str(reason) == reason.message
    assert reason.message in report.message


def test_a_changed_environment_is_detected():
    calls = []

    def oracle(revision):
        calls.append(revision)
        return from_c5(revision) and "c9" not in calls

    assert ("no_bad_fail_before_good_pass", "c0") in codes(verify(oracle))

    def parents_too(revision):
        calls.append(revision)
        return revision == "c0" or (from_c5(revision) and "c5" not in calls)

    calls.clear()
    assert codes(verify(parents_too)) == [("no_culprit_fail_before_parent_pass", "c4")]


@pytest.mark.parametrize(
    ("passing", "failing", "before", "after"),
    [
        ("c0", "c9", "no_good_pass_before_bad_fail", "no_bad_fail_before_good_pass"),
        ("c4", "c5", "no_parent_pass_before_culprit_fail", "no_culprit_fail_before_parent_pass"),
    ],
)
def test_overlapping_runs_have_no_order(passing, failing, before, after):
    search = fb.CulpritVerifier(GRAPH, bad="c9", good="c0", culprit="c5")
    search.observe(passing, fb.Observation(True, started=0, ended=10))
    search.observe(failing, fb.Observation(False, started=5, ended=6))
    assert search.report().correct is None
    for start in range(20, 29):
        search.observe(passing, fb.Observation(False, started=start, ended=start + 1))
    report = search.report()
    assert report.correct is False
    assert {(before, passing), (after, passing)} <= set(codes(report))


def test_unresolved_revisions_prove_nothing():
    report = verify(lambda revision: None)
    assert (report.correct, report.status) == (None, "ambiguous")
    assert codes(report)[0] == ("unresolved", "c0")


def test_other_failures_prove_nothing():
    def oracle(revision):
        return True if from_c5(revision) else fb.Observation(False, signature="E1" if revision == "c9" else "E2")

    assert verify(oracle, signature="E1").correct is None
    assert verify(oracle, signature="E2").correct is None


def test_a_later_verification_must_agree():
    first = verify()
    assert verify(again=first).correct is True
    later = verify(lambda revision: False, again=first)
    assert later.correct is False
    assert {code for code, _ in codes(later)} == {"good_never_passes", "not_reproducible"}
    wrong = verify(lambda revision: False)
    now_right = verify(again=wrong)
    assert now_right.correct is False
    assert codes(now_right) == [("not_reproducible", "c5")]


def test_a_used_up_budget_gives_no_verdict():
    report = verify(budget=3)
    assert (report.correct, report.status, report.runs) == (None, "budget", 3)


def test_undo_and_snapshots():
    search = fb.CulpritVerifier(GRAPH, bad="c9", good="c0", culprit="c5")
    for _ in range(4):
        [probe] = search.ask()
        assert search.ask(5) == []  # without times one flies at a time
        search.tell(probe.id, from_c5(probe.revision))
    restored = fb.CulpritVerifier.restore(GRAPH, search.snapshot())
    assert restored.report() == search.report()
    assert fb.run(restored, from_c5).correct is True
    search.undo(4)
    assert search.report().checks[0].runs == fb.RunCounts()


# --- Times


def test_drivers_record_the_times_of_runs():
    resolution = time.get_clock_info("time").resolution
    began = time.time() - resolution
    report = verify(lambda revision: fb.Observation(from_c5(revision), note=fb.current_probe().revision))
    ended = time.time() + resolution
    assert all(began <= seen.started <= seen.ended <= ended for seen in report.observations)
    assert all(seen.note == seen.revision for seen in report.observations)
    found = fb.find_culprit(GRAPH, from_c5, bad="c9", flake_rate=0.1)
    assert all(seen.started is None for seen in found.observations)


def test_times_from_the_oracle_are_kept():
    clock = iter(range(1000))

    def oracle(revision):
        return fb.Observation(from_c5(revision), started=(start := next(clock)), ended=start + 0.5)

    report = verify(oracle)
    assert report.correct is True
    assert [seen.started for seen in report.observations] == list(range(22))


class Crowd:
    """Counts parallel runs."""

    def __init__(self):
        self.now = self.most = 0
        self.lock = threading.Lock()

    def __enter__(self):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)

    def __exit__(self, *problem):
        with self.lock:
            self.now -= 1


def test_jobs_run_in_parallel():
    crowd = Crowd()

    def oracle(revision):
        with crowd:
            time.sleep(0.01)
            return from_c5(revision)

    assert verify(oracle, jobs=4).correct is True
    assert 2 <= crowd.most <= 4
    crowd = Crowd()
    with ThreadPoolExecutor(4) as pool:
        assert verify(oracle, jobs=4, executor=pool).correct is True
    assert 2 <= crowd.most <= 4
    crowd = Crowd()
    search = fb.CulpritVerifier(GRAPH, bad="c9", good="c0", culprit="c5")
    assert fb.run(search, oracle, jobs=4).correct is True
    assert crowd.most >= 2


def test_coroutines_run_in_parallel():
    crowd = Crowd()

    async def oracle(revision):
        with crowd:
            await asyncio.sleep(0.01)
            return from_c5(revision)

    async def check(oracle, **options):
        return await fb.verify_culprit_async(GRAPH, oracle, culprit="c5", bad="c9", good="c0", **options)

    report = asyncio.run(check(oracle, jobs=4))
    assert report.correct is True
    assert all(seen.started <= seen.ended for seen in report.observations)
    assert 2 <= crowd.most <= 4
    assert asyncio.run(check(awaited_from_c5)).correct is True
    assert asyncio.run(check(from_c5, jobs=3)).correct is True


def test_processes_can_run_the_probes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        report = verify(jobs=2, executor=pool)
    assert report.correct is True
    assert all(seen.started <= seen.ended for seen in report.observations)


# --- Unchanged errors


def test_retries_and_exceptions_pass_through():
    calls = []

    def tired(revision):
        calls.append(revision)
        if len(calls) == 2:
            raise fb.Retry("machine gone")
        return from_c5(revision)

    assert verify(tired).correct is True
    assert len(calls) == 23
    problem = OSError("no space")

    def broken(revision):
        if len(calls) == 25:
            calls.append(revision)
            raise problem
        calls.append(revision)
        return from_c5(revision)

    with pytest.raises(OSError, match="no space") as caught:
        verify(broken)
    assert caught.value is problem
    assert fb.run(problem.firstbad_search, broken, jobs=2).correct is True


def test_invalid_outcomes_are_named():
    with pytest.raises(fb.InvalidArgumentError, match=r"oracle, at revision 'c0': .*3"):
        verify(lambda revision: 3)
    with pytest.raises(fb.InvalidArgumentError, match="for coroutines, use the _async version"):
        verify(awaited_from_c5)


def test_reports_are_values():
    report = verify(lambda revision: fb.Observation(from_c5(revision), started=1, ended=1))
    again = verify(lambda revision: fb.Observation(from_c5(revision), started=1, ended=1))
    assert report == again == pickle.loads(pickle.dumps(report))
    assert hash(report) == hash(again)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"culprit": "c0"}, "culprit: .*c0.*suspect"),
        ({"culprit": 3}, "culprit: 3"),
        ({"flake_rate": "estimate"}, "flake_rate: .*estimate"),
        ({"flake_rate": 1.0}, "flake_rate: 1"),
        ({"flake_rate": math.nan}, "flake_rate: .*nan"),
        ({"min_flake_rate": 0}, "min_flake_rate: 0.*expected a rate above 0 and below 1"),
        ({"confidence": 1}, "confidence: 1"),
        ({"confidence": math.nan}, "confidence: .*nan"),
        ({"again": "c5"}, "again: 'c5'.*VerificationReport"),
        ({"bad": ["c9", "c8"]}, "bad: .*exactly one"),
    ],
)
def test_invalid_options_are_errors(options, words):
    with pytest.raises(fb.InvalidArgumentError, match=words) as caught:
        verify(**options)
    assert caught.value.code == "invalid_argument"


def test_a_repeated_verification_needs_the_same_conclusion():
    with pytest.raises(fb.InvalidArgumentError, match=r"again: .*same conclusion"):
        verify(culprit="c4", again=verify())
    with pytest.raises(fb.UnknownRevisionError, match="culprit: unknown revision"):
        verify(culprit="nobody")
