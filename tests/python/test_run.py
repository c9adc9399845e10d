"""The driver: jobs, executors, exceptions, retries, budgets, progress."""

import asyncio
import logging
import sys
import threading
import time
import types
from collections import Counter
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from porting_reads import outcome_of, patch, porter

import firstbad as fb

COUNT = 64
VERSIONS = [str(number) for number in range(COUNT)]


def graph():
    return fb.CommitGraph.linear(VERSIONS)


def make(**options):
    return fb.RegressionSearch(
        graph(), **{"bad": VERSIONS[-1], "good": VERSIONS[0], "search": "binary", "test_endpoints": False, **options}
    )


def broken_at_40(version):
    return int(version) < 40


def probed_in_another_process(version):
    probe = fb.current_probe()
    assert probe is not None
    assert probe.revision == version
    return fb.Observation(broken_at_40(version), note="elsewhere")


def raise_in_another_process(version):
    raise ValueError(version)


@settings(max_examples=30, derandomize=True, deadline=None)
@given(st.integers(1, COUNT - 1), st.integers(1, 5))
def test_the_number_of_jobs_does_not_change_the_points(broken, jobs):
    report = fb.find_regressions(
        graph(), lambda version: int(version) < broken, bad=VERSIONS[-1], good=VERSIONS[0], jobs=jobs
    )
    assert report.status == "found"
    assert [(point.good, point.bad) for point in report.points] == [(str(broken - 1), str(broken))]
    revisions = [seen.revision for seen in report.observations]
    assert len(revisions) == report.runs
    assert len(set(revisions)) == len(revisions) - report.confirmations


def test_one_job_runs_in_the_calling_thread_and_knows_its_probe():
    threads, probes = set(), []

    def oracle(version):
        threads.add(threading.current_thread())
        probes.append((fb.current_probe().id, fb.current_probe().revision == version))
        return broken_at_40(version)

    report = fb.run(make(), oracle)
    assert threads == {threading.current_thread()}
    assert probes == [(number, True) for number in range(report.runs)]
    assert fb.current_probe() is None


def test_jobs_are_kept_busy_in_threads():
    gate = threading.Barrier(3, timeout=5)
    seen = []

    def oracle(version):
        if len(seen) < 3:
            seen.append(version)
            gate.wait()
        return broken_at_40(version)

    report = fb.run(make(), oracle, jobs=3)
    assert report.points[0].bad == "40"
    assert len(set(seen[:3])) == 3


def test_executors_of_the_caller_stay_open():
    with ThreadPoolExecutor(2) as pool:
        for _ in range(2):
            assert fb.run(make(), broken_at_40, jobs=2, executor=pool).points[0].bad == "40"


def test_process_pools_are_executors():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        report = fb.run(make(), probed_in_another_process, jobs=2, executor=pool)
        assert report.points[0].bad == "40"
        assert {seen.note for seen in report.observations} == {"elsewhere"}
        search = make()
        with pytest.raises(ValueError, match=r"\d+"):
            fb.run(search, raise_in_another_process, jobs=2, executor=pool)
        assert (search.runs, search.in_flight) == (0, [])


@pytest.mark.parametrize("jobs", [1, 2, 4])
@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit, AssertionError])
def test_an_exception_in_an_oracle_is_the_same_object(jobs, kind):
    error = kind("mine")
    told = []

    def oracle(version):
        if len(told) == 3:
            raise error
        told.append(version)
        return broken_at_40(version)

    search = make()
    with pytest.raises(kind) as caught:
        fb.run(search, oracle, jobs=jobs)
    assert caught.value is error
    assert search.runs >= 3
    assert search.in_flight == []
    assert not search.done
    assert fb.run(search, broken_at_40).points[0].bad == "40"


def test_an_exception_has_the_search():
    def oracle(version):
        if version == "40":
            raise ValueError("no")
        return broken_at_40(version)

    with pytest.raises(ValueError, match="no") as caught:
        fb.find_regressions(graph(), oracle, bad=VERSIONS[-1], good=VERSIONS[0], search="binary")
    search = caught.value.firstbad_search
    assert search.runs > 0
    if sys.version_info >= (3, 11):
        assert "firstbad_search" in caught.value.__notes__[0]
    assert fb.run(search, broken_at_40).points[0].bad == "40"


def test_available_outcomes_are_told_before_an_exception():
    class Together(Executor):
        """Waits for all jobs, and then finishes all at once."""

        def __init__(self):
            self.held = []

        def submit(self, fn, /, *args, **kwargs):
            self.held.append((Future(), fn, args))
            future = self.held[-1][0]
            if len(self.held) == 3:
                for held, fn, args in self.held:
                    try:
                        held.set_result(fn(*args))
                    except Exception as error:
                        held.set_exception(error)
            return future

    error = ValueError("second")

    def oracle(version):
        if fb.current_probe().id == 1:
            raise error
        return broken_at_40(version)

    search = make()
    with pytest.raises(ValueError, match="second") as caught:
        fb.run(search, oracle, jobs=3, executor=Together())
    assert caught.value is error
    assert search.runs == 2


class Blocking:
    """An oracle that blocks after some runs until it is interrupted."""

    def __init__(self, quick):
        self.quick = quick
        self.calls = 0
        self.blocked = threading.Event()
        self.released = threading.Event()

    def __call__(self, version):
        self.calls += 1
        if self.calls <= self.quick:
            return broken_at_40(version)
        self.blocked.set()
        assert self.released.wait(10)
        raise fb.Interrupted("interrupted")

    def interrupt(self):
        self.released.set()


def test_other_probes_are_interrupted_when_one_raises():
    blocking = Blocking(0)

    class Oracle:
        interrupt = staticmethod(blocking.interrupt)

        def __call__(self, version):
            if fb.current_probe().id == 0:
                return blocking(version)
            assert blocking.blocked.wait(5)
            raise ValueError("no")

    search = make()
    began = time.monotonic()
    with pytest.raises(ValueError, match="no"):
        fb.run(search, Oracle(), jobs=2)
    assert time.monotonic() - began < 2
    assert search.in_flight == []


def test_a_hanging_oracle_is_not_waited_for():
    never = threading.Event()
    hanging = threading.Event()

    def oracle(version):
        if fb.current_probe().id == 0:
            hanging.set()
            never.wait()
        assert hanging.wait(5)
        raise ValueError("no")

    began = time.monotonic()
    with pytest.raises(ValueError, match="no"):
        fb.run(make(), oracle, jobs=2)
    assert time.monotonic() - began < 2
    never.set()


def test_useless_probes_do_not_delay_the_end():
    """When the boundary is known, the run does not wait for other probes."""
    never = threading.Event()
    # A confirmation run would wait for the other probes for some seconds.
    search = make(search="linear", confirm=False)

    def oracle(version):
        if int(version) < 38:
            never.wait()
        return broken_at_40(version)

    report = fb.run(search, oracle, jobs=30)
    never.set()
    assert report.points[0].bad == "40"
    assert search.in_flight == []


class Holding(Executor):
    """Runs the oldest job at each step of a wait, so that later jobs can be canceled."""

    def __init__(self):
        self.jobs = []
        self.cancelled = 0

    def submit(self, fn, /, *args, **kwargs):
        future = Counting(self)
        self.jobs.append((future, fn, args))
        threading.Timer(0.02 * len(self.jobs), self.step).start()
        return future

    def step(self):
        future, fn, args = self.jobs.pop(0)
        if future.set_running_or_notify_cancel():
            future.set_result(fn(*args))


class Counting(Future):
    def __init__(self, owner):
        super().__init__()
        self.owner = owner

    def cancel(self):
        cancelled = super().cancel()
        self.owner.cancelled += cancelled
        return cancelled


def test_useless_probes_are_canceled():
    executor = Holding()
    kinds = []
    report = fb.run(make(), broken_at_40, jobs=8, executor=executor, progress=lambda step: kinds.append(step.kind))
    assert report.points[0].bad == "40"
    assert executor.cancelled > 0
    assert kinds.count("asked") > report.runs


@pytest.mark.parametrize("jobs", [1, 3])
def test_retries_are_limited(jobs):
    calls = []

    def flaky(version):
        calls.append(version)
        if calls.count(version) < 3:
            raise fb.Retry("the machine is gone")
        return broken_at_40(version)

    report = fb.run(make(), flaky, jobs=jobs, retries=2)
    assert report.points[0].bad == "40"
    assert all(seen.outcome in ("pass", "fail") for seen in report.observations)

    error = fb.Retry("gone for good")

    def gone(version):
        raise error

    search = make()
    with pytest.raises(fb.Retry) as caught:
        fb.run(search, gone, jobs=jobs, retries=2)
    assert caught.value is error
    assert (search.runs, search.in_flight) == (0, [])
    with pytest.raises(fb.Retry):
        fb.run(make(), lambda version: (_ for _ in ()).throw(fb.Retry), retries=0)


@pytest.mark.parametrize("jobs", [1, 3])
def test_only_consecutive_retries_count(jobs):
    lock, calls, answers = threading.Lock(), [], []

    def every_other_time(version):
        with lock:
            calls.append(version)
            if calls.count(version) % 2:
                raise fb.Retry
            answers.append(version)
            return broken_at_40(version)

    search = fb.CulpritSearch(graph(), bad=VERSIONS[-1], flake_rate=0.3, confidence=0.9999)
    report = fb.run(search, every_other_time, jobs=jobs, retries=3)
    assert report.culprit == "40"
    assert max(Counter(answers).values()) > 3


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_budget_of_runs(jobs):
    search = make()
    report = fb.run(search, broken_at_40, jobs=jobs, budget=3)
    assert (report.status, report.runs) == ("budget", 3)
    report = fb.run(search, broken_at_40, jobs=jobs, budget=fb.Budget(runs=100))
    assert report.points[0].bad == "40"


def test_a_budget_of_cost():
    def oracle(version):
        return fb.Observation(broken_at_40(version), cost=2.0)

    report = fb.run(make(), oracle, budget=fb.Budget(cost=5))
    assert (report.status, report.runs) == ("budget", 3)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_budget_of_seconds_interrupts_running_probes(jobs):
    oracle = Blocking(2)
    search = make()
    report = fb.run(search, oracle, jobs=jobs, budget=fb.Budget(seconds=0.05))
    assert report.status == "budget"
    assert report.runs == 2
    assert search.in_flight == []
    assert fb.run(search, broken_at_40, budget=fb.Budget(seconds=60)).points[0].bad == "40"


def test_a_budget_of_zero_seconds():
    report = fb.run(make(), broken_at_40, budget=fb.Budget(seconds=0))
    assert (report.status, report.runs) == ("budget", 0)


@pytest.mark.parametrize(
    "budget", [-1, 1.5, True, "3", lambda: fb.Budget(seconds=-1), lambda: fb.Budget(cost=float("nan"))]
)
def test_invalid_budgets_are_errors(budget):
    with pytest.raises(fb.InvalidArgumentError, match="budget"):
        fb.run(make(), broken_at_40, budget=budget() if callable(budget) else budget)


@pytest.mark.parametrize("options", [{"jobs": 0}, {"jobs": 1.5}, {"retries": -1}, {"progress": 5}, {"jobs": True}])
def test_invalid_options_are_errors(options):
    with pytest.raises(fb.InvalidArgumentError, match=next(iter(options))):
        fb.run(make(), broken_at_40, **options)


def test_an_oracle_must_be_callable():
    with pytest.raises(fb.InvalidArgumentError, match="oracle"):
        fb.run(make(), "make test")


@pytest.mark.parametrize("jobs", [1, 2])
def test_invalid_outcomes_name_the_revision_and_the_type(jobs):
    search = make()
    with pytest.raises(fb.InvalidArgumentError, match=r"at revision '\d+': .* 3 \(int\)"):
        fb.run(search, lambda version: 3, jobs=jobs)
    assert search.in_flight == []


def test_the_error_for_coroutines_names_the_async_function():
    async def oracle(version):
        return True

    with pytest.raises(fb.InvalidArgumentError, match="_async"):
        fb.run(make(), oracle)


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_reports_every_step(jobs):
    steps = []
    report = fb.run(make(), broken_at_40, jobs=jobs, progress=steps.append)
    asked = [step.probe for step in steps if step.kind == "asked"]
    told = [step for step in steps if step.kind == "told"]
    assert len(told) == report.runs
    assert len(asked) >= len(told)
    assert all(step.observation.outcome == ("pass" if broken_at_40(step.probe.revision) else "fail") for step in told)
    assert [step.runs for step in told] == list(range(1, len(told) + 1))
    assert steps[-1].kind == "done"
    assert steps[-1].status == report.status
    assert all(0 <= step.in_flight <= jobs and step.seconds >= 0 for step in steps)
    assert all(step.asked == step.runs for step in steps)
    assert (steps[0].suspects, steps[-1].suspects) == (COUNT - 1, 0)
    assert 0 < steps[0].likely_runs <= steps[0].worst_runs <= 2 * COUNT
    assert (steps[-1].likely_runs, steps[-1].worst_runs) == (None, None)


def test_exceptions_in_progress_lose_no_outcome():
    error = RuntimeError("listener")

    def listen(step):
        if step.runs == 2:
            raise error

    search = make()
    with pytest.raises(RuntimeError) as caught:
        fb.run(search, broken_at_40, progress=listen)
    assert caught.value is error
    assert (search.runs, search.in_flight) == (2, [])


def test_progress_can_stop_the_search():
    search = make()
    report = fb.run(search, broken_at_40, jobs=2, progress=lambda step: step.runs >= 2 and search.stop())
    assert report.status == "stopped"


def test_progress_has_the_best_result_so_far():
    steps = []
    search = make()
    fb.run(search, broken_at_40, progress=steps.append)
    assert steps[0].best is None
    assert steps[-1].best == "the culprit is 40"
    culprits = []
    fb.find_culprit(graph(), broken_at_40, bad="63", good="0", flake_rate=0.1, progress=culprits.append)
    assert culprits[-1].best.startswith("the most likely culprit is 40 (")
    sizes = []
    fb.minimize(range(9), lambda kept: 3 in kept, progress=sizes.append)
    assert [step.best for step in sizes][-1].startswith("1 of 9 items is kept")


def test_the_bar(capsys):
    pytest.importorskip("tqdm")
    fb.run(make(), broken_at_40, progress=True)
    err = capsys.readouterr().err
    assert "firstbad" in err
    assert "found: the culprit is 40" in err


def test_without_tqdm_each_outcome_has_a_line(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    report = fb.run(make(), broken_at_40, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == report.runs + 1
    assert lines[0].startswith("firstbad: 1 run: 32 pass, 31 left, about ")
    assert lines[-1].startswith(f"firstbad: found after {report.runs} runs in ")
    assert lines[-1].endswith(" s: the culprit is 40")


def test_a_notebook_shows_the_running_search_and_keeps_one_line(monkeypatch):
    shown = []

    class Place:
        def update(self, what):
            shown.append(what)

    def display(what, display_id):
        shown.append(what)
        return Place()

    shell = types.SimpleNamespace(kernel=object())
    notebook = types.SimpleNamespace(get_ipython=lambda: shell, display=types.SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", notebook.display)
    search = make()
    report = fb.run(search, broken_at_40, progress=True)
    first, *_, last = shown
    assert 'aria-label="Search in progress"' in first._repr_html_()
    assert repr(last).startswith(f"found after {report.runs} runs in ")
    assert last._repr_html_() == f"<p>{last!r}</p>"
    # Cards are drawn at intervals, not for each outcome.
    assert len(shown) == 2


def test_logging(caplog):
    with caplog.at_level(logging.INFO, logger="firstbad"):
        report = fb.run(make(), broken_at_40)
    assert len(caplog.records) == report.runs + 1
    assert "found" in caplog.messages[-1]


@pytest.mark.parametrize("jobs", [1, 3])
def test_probes_in_flight_of_a_restored_search_are_run(jobs):
    search = make()
    asked = search.ask(2)
    restored = fb.RegressionSearch.restore(graph(), search.snapshot())
    calls = []

    def oracle(version):
        calls.append(version)
        return broken_at_40(version)

    report = fb.run(restored, oracle, jobs=jobs)
    assert report.points[0].bad == "40"
    first, second = [probe.revision for probe in asked]
    assert first in calls
    if jobs == 1:
        assert calls[0] == first
        assert second not in calls, "it has become useless by then"
    assert restored.in_flight == []


def test_two_searches_can_run_in_parallel():
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda jobs: fb.run(make(), broken_at_40, jobs=jobs), [1, 2, 1, 2]))
    assert {report.points[0].bad for report in reports} == {"40"}


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_reader_supplies_content(jobs):
    search, seen, steps = porter(), [], []

    def reader(request):
        seen.append((request["read"], request["from"], request["to"]))
        return patch(request)

    found = fb.run(search, outcome_of, jobs=jobs, reader=reader, progress=steps.append)
    assert (found.good, found.bad) == ("r0", "r1")
    assert [str(part).splitlines()[-1] for part in (found.cause, found.repair)] == ["+r1 two", "+r0 two"]
    assert seen == [("diff", "r0", "r1"), ("diff", "r1", "r0")]
    assert (search.reads, search.in_flight) == ([], [])
    assert search.asked == steps[-1].asked == found.asked
    assert search.runs == steps[-1].runs == found.runs < search.asked
    assert [event["id"] for event in search.events if event["event"] == "read"] == [0, 1]


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_missing_reader_is_an_error(jobs):
    search = porter()
    with pytest.raises(fb.InvalidArgumentError, match=r'reader: .*the patch from "r0" to "r1"'):
        fb.run(search, outcome_of, jobs=jobs)
    assert search.in_flight == []
    assert search.reads == [{"id": 0, "read": "diff", "from": "r0", "to": "r1"}]
    search.give(0, patch(search.reads[0]))
    with pytest.raises(fb.UnknownProbeError):
        search.give(5, b"")
    with pytest.raises(fb.InvalidArgumentError, match="reader: 5"):
        fb.run(search, outcome_of, reader=5)


def test_errors_of_a_reader_lose_no_outcome():
    error = ValueError("no such thing")

    def reader(request):
        if request["id"] == 1:
            raise error
        return patch(request)

    search = porter()
    with pytest.raises(ValueError, match="no such thing") as caught:
        fb.run(search, outcome_of, reader=reader)
    assert caught.value is error
    assert search.in_flight == []
    kept = search.runs
    assert kept > 0
    assert fb.run(search, outcome_of, reader=patch).runs > kept


def test_a_stopped_search_is_resumed():
    search = make()
    search.stop()
    assert fb.run(search, broken_at_40).status == "stopped"
    search.resume()
    assert fb.run(search, broken_at_40).points[0].bad == "40"
    assert [event["event"] for event in search.events[:2]] == ["stopped", "resumed"]


def test_outcomes_after_the_end_do_not_count():
    """Outcomes that are available at the end of a run are told. Outcomes of interrupted oracles are not."""
    going, error = threading.Event(), ValueError("no")

    class Oracle:
        def __call__(self, version):
            if fb.current_probe().id == 0:
                assert going.wait(5)
                return False
            raise error

        def interrupt(self):
            going.set()

    search = make()
    with pytest.raises(ValueError, match="no"):
        fb.run(search, Oracle(), jobs=2)
    assert (search.runs, search.in_flight) == (0, [])


def test_journal_errors_do_not_hide_the_original_error(tmp_path):
    search = make()
    session = fb.Session.open(tmp_path / "run.jsonl", search)
    error = ValueError("mine")

    def oracle(version):
        session.close()
        raise error

    with pytest.raises(ValueError, match="mine") as caught:
        fb.run(session, oracle)
    assert caught.value is error
    assert len(search.in_flight) <= 1


def test_an_observation_has_no_truth_value():
    seen = fb.Observation("fail")
    with pytest.raises(TypeError, match=r"oracle\(revision\).outcome is Outcome.PASS"):
        bool(seen)
    with pytest.raises(TypeError, match=r"outcome is Outcome.PASS"):
        bool(seen.outcome)
    with pytest.raises(TypeError, match="neither true nor false"):
        fb.run(make(), lambda _: bool(seen))


def in_use(act):
    with pytest.raises(fb.SearchInUseError, match="another run") as caught:
        act()
    assert caught.value.code == "search_in_use"
    return caught.value


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_second_run_is_rejected_and_the_first_continues(jobs):
    search = make()
    refused = []

    def oracle(version):
        if not refused:
            refused.append(in_use(lambda: fb.run(search, broken_at_40, budget=1, jobs=jobs)))
        return broken_at_40(version)

    def listening(step):
        if step.kind == "told":
            refused.append(in_use(lambda: fb.run(search, broken_at_40)))

    report = fb.run(search, oracle, jobs=jobs, progress=listening)
    assert (report.status, report.points[0].bad) == ("found", "40")
    assert len(refused) > report.runs
    assert fb.run(search, broken_at_40).points == report.points


def test_a_run_on_another_thread_is_rejected():
    search, refused = make(), []

    def oracle(version):
        if not refused:
            thread = threading.Thread(target=lambda: refused.append(in_use(lambda: fb.run(search, broken_at_40))))
            thread.start()
            thread.join()
        return broken_at_40(version)

    assert fb.run(search, oracle).status == "found"
    assert len(refused) == 1


def test_a_second_run_on_an_event_loop_is_rejected():
    async def both(search):
        async def oracle(version):
            await asyncio.sleep(0)
            return broken_at_40(version)

        runs = [fb.run_async(search, oracle) for _ in range(2)]
        return await asyncio.gather(*runs, return_exceptions=True)

    report, refused = asyncio.run(both(make()))
    assert (report.status, type(refused)) == ("found", fb.SearchInUseError)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_failed_run_releases_its_search(jobs):
    search = make()

    def failing(version):
        raise ValueError(version)

    with pytest.raises(ValueError, match="32") as first:
        fb.run(search, failing, jobs=jobs)
    with pytest.raises(fb.InvalidArgumentError) as second:
        fb.run(search, "no function", jobs=jobs)
    assert fb.run(search, broken_at_40, jobs=jobs).status == "found"
    assert (first.value, second.value) != (None, None)


class Read:
    """A list with too few outcomes."""

    def __init__(self, *answers):
        self._answers = iter(answers)

    def __call__(self, _):
        return next(self._answers)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_stop_iteration_in_an_oracle_becomes_a_runtime_error(jobs):
    text = "a\nb\nc\n"
    functions = [
        lambda: fb.run_async(make(), Read(), jobs=jobs),
        lambda: fb.find_regressions_async(graph(), Read(False), bad="63", good="0", jobs=jobs),
        lambda: fb.find_culprit_async(graph(), Read(False), bad="63", good="0", jobs=jobs),
        lambda: fb.minimize_async(range(9), Read(True), jobs=jobs),
        lambda: fb.minimize_text_async(text, Read(True), jobs=jobs),
        lambda: fb.isolate_async(range(9), Read(True), jobs=jobs),
    ]

    async def awaited(start):
        return await asyncio.wait_for(start(), 30)

    for start in functions:
        with pytest.raises(RuntimeError, match="StopIteration") as caught:
            asyncio.run(awaited(start))
        assert isinstance(caught.value.__cause__, StopIteration)


def test_a_reader_that_raises_stop_iteration_does_not_hang_a_run():
    def reader(_):
        raise StopIteration

    async def awaited():
        return await asyncio.wait_for(fb.run_async(porter(), outcome_of, reader=reader), 30)

    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(awaited())


def test_equal_lines_are_tested_once():
    text = "x;\n" * 3000
    asked = []

    def interesting(kept):
        asked.append(len(kept))
        return kept == text

    report = fb.minimize_text(text, interesting)
    assert (report.items, report.guarantee) == (text, "1-minimal")
    assert len(asked) == len(set(asked)) < 60
