"""Drives a search on an asyncio event loop."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, overload

from firstbad._calls import Interrupter, call_async, is_async
from firstbad._driver import Driver
from firstbad._run_options import RUN
from firstbad._shown import shows
from firstbad._threads import DaemonThreads

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad import _native
    from firstbad._calls import SuiteCall
    from firstbad._change_report import ChangeReport
    from firstbad._observation import Answer, AsyncMeasure, AsyncSuiteCallback, Measure, SuiteCallback
    from firstbad._run_options import RunOptions
    from firstbad._search import Given, Report, Search

__all__ = ["run_async"]


@overload
async def run_async(
    search: Search[ChangeReport, str], oracle: AsyncMeasure | Measure, **options: Unpack[RunOptions]
) -> ChangeReport: ...


@overload
async def run_async(
    search: Search[Report, SuiteCall], oracle: AsyncSuiteCallback | SuiteCallback, **options: Unpack[RunOptions]
) -> Report: ...


@overload
async def run_async(
    search: Search[Report, Given], oracle: Callable[[Given], Awaitable[Answer] | Answer], **options: Unpack[RunOptions]
) -> Report: ...


@shows(RUN)
async def run_async(
    search: Search[Report, Any],
    oracle: Callable[..., Any],
    **options: Unpack[RunOptions],
) -> Report:
    """Async version of `run`, which awaits a coroutine function and runs another oracle in a thread.

    Probes that are no longer wanted are canceled, and count toward `jobs` until they end. If this coroutine is canceled
    or an oracle raises an exception, all tasks are canceled and awaited. An oracle with a method `interrupt()` is
    interrupted. An oracle that blocks a thread continues without an effect on the search.

    Args:
        search: A search, a restored search, or a `Session`.
        oracle: A function or coroutine function of a revision's id or of the kept items. See `run`.
        **options: See `RunOptions`.

    Raises:
        BaseException: The exception that the oracle or the reader raised, the same object. A StopIteration is replaced
            by a RuntimeError.
        SearchInUseError: If another run is driving the search. That run continues.
        InvalidArgumentError: If an argument is invalid, or the oracle returns something other than an outcome.
    """
    driver = Driver(search, oracle, **RUN.complete(options))
    interrupter = Interrupter(oracle)
    threads = DaemonThreads(driver.jobs)
    loop = asyncio.get_running_loop()

    def in_thread(job: Callable[[], Any]) -> Awaitable[Any]:
        return loop.run_in_executor(threads, functools.partial(_awaitable, job))

    try:
        await _Tasks(driver, driver.oracle, in_thread, interrupter).drive()
    finally:
        interrupter.release()
        threads.shutdown(wait=False)
    return driver.finish()


def _awaitable(job: Callable[[], Any]) -> Any:
    """Calls a function. A coroutine cannot raise StopIteration, so it becomes a RuntimeError.

    Raises:
        RuntimeError: If the function raised StopIteration.
    """
    try:
        return job()
    except StopIteration as error:
        raise RuntimeError("a function of the caller's raised StopIteration") from error


class _Tasks:
    """The probes in flight, one task each."""

    def __init__(
        self,
        driver: Driver[Any, Any],
        oracle: Callable[[Any], Any],
        in_thread: Callable[[Callable[[], Any]], Awaitable[Any]],
        interrupter: Interrupter,
    ) -> None:
        self._driver = driver
        self._oracle = oracle
        self._in_thread = in_thread
        self._interrupter = interrupter
        self._running: dict[asyncio.Task[Any], _native.Probe] = {}

    async def drive(self) -> None:
        try:
            with self._driver:
                try:
                    await self._work()
                finally:
                    self._driver.tell_finished(self._running)
        finally:
            await self._stop()

    async def _work(self) -> None:
        driver = self._driver
        while not driver.over():
            await self._read()
            for probe in driver.take():
                given = driver.given(probe)
                task = asyncio.create_task(call_async(self._oracle, probe, given, self._in_thread, driver.timed))
                self._running[task] = probe
            if self._running:
                await asyncio.wait(self._running, timeout=driver.left, return_when=asyncio.FIRST_COMPLETED)
            else:
                # The search is only recording known outcomes, so let other tasks run.
                await asyncio.sleep(0)
            driver.collect(self._running)
            driver.cancel_useless(self._running)

    async def _read(self) -> None:
        driver = self._driver
        reader = driver.reader
        while reader is not None and (requests := driver.reads):
            for request in requests:
                if is_async(reader):
                    content = await reader(request)
                else:
                    content = await self._in_thread(functools.partial(reader, request))
                    if inspect.isawaitable(content):
                        content = await content
                driver.give(request, content)

    async def _stop(self) -> None:
        """Cancels the running tasks and waits until they end."""
        if any(not task.done() for task in self._running):
            self._interrupter.interrupt()
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
