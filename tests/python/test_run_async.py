"""The driver on an event loop."""

import asyncio
import functools
import inspect
import threading
import time

import pytest
from porting_reads import outcome_of, patch, porter

import firstbad as fb
from firstbad._calls import call_async

VERSIONS = [str(number) for number in range(64)]


def make(**options):
    graph = fb.CommitGraph.linear(VERSIONS)
    return fb.RegressionSearch(
        graph, **{"bad": "63", "good": "0", "search": "binary", "test_endpoints": False, **options}
    )


async def broken_at_40(version):
    await asyncio.sleep(0)
    assert fb.current_probe().revision == version
    return int(version) < 40


class AsyncCallable:
    async def __call__(self, version):
        return await broken_at_40(version)


@pytest.mark.parametrize("jobs", [1, 4])
@pytest.mark.parametrize(
    "oracle",
    [
        broken_at_40,
        AsyncCallable(),
        functools.partial(broken_at_40),
        lambda version: broken_at_40(version),
        lambda version: int(version) < 40,
    ],
)
def test_coroutines_and_functions(oracle, jobs):
    report = asyncio.run(fb.run_async(make(), oracle, jobs=jobs))
    assert report.points[0].bad == "40"
    graph = fb.CommitGraph.linear(VERSIONS)
    report = asyncio.run(fb.find_regressions_async(graph, oracle, bad="63", good="0", jobs=jobs))
    assert report.points[0].bad == "40"


def test_functions_do_not_block_the_loop():
    async def main():
        beats = 0

        async def beat():
            nonlocal beats
            while True:
                beats += 1
                await asyncio.sleep(0.001)

        heart = asyncio.create_task(beat())
        await fb.run_async(make(), lambda version: time.sleep(0.005) or int(version) < 40)
        heart.cancel()
        return beats

    assert asyncio.run(main()) > 5


@pytest.mark.parametrize("jobs", [1, 3])
def test_exceptions_are_the_same_object_and_end_all_tasks(jobs):
    error = ValueError("mine")
    calls = 0

    async def oracle(version):
        nonlocal calls
        calls += 1
        if calls == 4:
            raise error
        if calls > 4:
            await asyncio.sleep(60)
        return int(version) < 40

    async def main():
        search = make()
        with pytest.raises(ValueError, match="mine") as caught:
            await fb.run_async(search, oracle, jobs=jobs)
        assert caught.value is error
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert search.in_flight == []
        assert search.runs >= 2
        return await fb.run_async(search, broken_at_40)

    assert asyncio.run(main()).points[0].bad == "40"


def test_an_exception_has_the_search():
    async def oracle(version):
        raise ValueError(version)

    with pytest.raises(ValueError, match="c") as caught:
        asyncio.run(fb.find_regressions_async({"a": [], "b": ["a"], "c": ["b"]}, oracle, bad="c", good="a"))
    assert isinstance(caught.value.firstbad_search, fb.RegressionSearch)


def test_cancellation_cancels_all_tasks():
    cancelled = []

    async def oracle(version):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(version)
            raise

    async def main():
        search = make()
        task = asyncio.create_task(fb.run_async(search, oracle, jobs=3))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return search

    search = asyncio.run(main())
    assert len(cancelled) == 3
    assert search.in_flight == []
    assert search.status == "running"


def test_cancellation_interrupts_a_blocking_oracle():
    class Oracle:
        def __init__(self):
            self.released = threading.Event()

        def __call__(self, version):
            assert self.released.wait(10)
            raise fb.Interrupted("interrupted")

        def interrupt(self):
            self.released.set()

    async def main():
        await asyncio.wait_for(fb.run_async(make(), Oracle(), jobs=2), 0.02)

    began = time.monotonic()
    with pytest.raises((asyncio.TimeoutError, TimeoutError)):
        asyncio.run(main())
    assert time.monotonic() - began < 2


def test_useless_probes_are_cancelled():
    cancelled = []

    async def oracle(version):
        try:
            await asyncio.sleep(0.001 if version == "39" or int(version) >= 40 else 60)
        except asyncio.CancelledError:
            cancelled.append(version)
            raise
        return int(version) < 40

    report = asyncio.run(fb.run_async(make(search="linear"), oracle, jobs=30))
    assert report.points[0].bad == "40"
    assert cancelled


def test_retries_and_budgets():
    calls = []

    async def flaky(version):
        calls.append(version)
        if calls.count(version) < 2:
            raise fb.Retry
        return int(version) < 40

    assert asyncio.run(fb.run_async(make(), flaky, jobs=2)).points[0].bad == "40"
    report = asyncio.run(fb.run_async(make(), broken_at_40, budget=2))
    assert (report.status, report.runs) == ("budget", 2)

    async def slow(version):
        await asyncio.sleep(60)

    began = time.monotonic()
    report = asyncio.run(fb.run_async(make(), slow, jobs=2, budget=fb.Budget(seconds=0.02)))
    assert (report.status, report.runs) == ("budget", 0)
    assert time.monotonic() - began < 2


def test_invalid_outcomes_and_progress():
    async def oracle(version):
        return 3

    with pytest.raises(fb.InvalidArgumentError, match="int"):
        asyncio.run(fb.run_async(make(), oracle))
    steps = []
    asyncio.run(fb.run_async(make(), broken_at_40, jobs=2, progress=steps.append))
    assert steps[-1].kind == "done"


async def patch_later(request):
    await asyncio.sleep(0)
    return patch(request)


@pytest.mark.parametrize("reader", [patch, patch_later, lambda request: patch_later(request)])
def test_a_reader_supplies_content(reader):
    found = asyncio.run(fb.run_async(porter(), outcome_of, jobs=2, reader=reader))
    assert (found.good, str(found.cause).splitlines()[-1]) == ("r0", "+r1 two")
    with pytest.raises(fb.InvalidArgumentError, match="reader: "):
        asyncio.run(fb.run_async(porter(), outcome_of))


def test_a_canceled_probe_keeps_its_place_and_its_outcome_does_not_count():
    running, most, stubborn = set(), 0, []

    async def oracle(version):
        nonlocal most
        running.add(version)
        most = max(most, len(running))
        try:
            await asyncio.sleep(0.001 if int(version) >= 32 or version == "31" else 60)
            return int(version) < 40
        except asyncio.CancelledError:
            stubborn.append(version)
            await asyncio.sleep(0.005)
            return False
        finally:
            running.discard(version)

    search = make()
    report = asyncio.run(fb.run_async(search, oracle, jobs=3))
    assert report.points[0].bad == "40"
    assert stubborn
    assert most <= 3
    assert not {seen.revision for seen in report.observations} & set(stubborn)


@pytest.mark.parametrize("late", [False, True])
def test_an_unawaited_coroutine_is_closed(late):
    made = []

    def oracle(version):
        made.append(broken_at_40(version))
        return made[0]

    async def given_up(work):
        if not late:
            work()
        else:
            left.append(work)
        raise asyncio.CancelledError

    left = []
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(call_async(oracle, make().ask()[0], "1", given_up))
    for work in left:
        work()
    assert inspect.getcoroutinestate(made[0]) == inspect.CORO_CLOSED
