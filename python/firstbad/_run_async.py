"""Driving a search on an asyncio event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from firstbad._calls import Interrupter, call_async
from firstbad._desk import Desk
from firstbad._errors import InvalidArgumentError
from firstbad._run_options import RUN
from firstbad._shown import shows
from firstbad._threads import DaemonThreads

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad import _native
    from firstbad._observation import Answer
    from firstbad._run_options import RunOptions
    from firstbad._search import Given, Report, Search

__all__ = ["run_async"]


@shows(RUN)
async def run_async(
    search: Search[Report, Given],
    oracle: Callable[[Given], Awaitable[Answer] | Answer],
    **options: Unpack[RunOptions],
) -> Report:
    """The same as `run` on an event loop: awaits an oracle that is a coroutine function, runs another in a thread.

    Probes whose answers are no longer wanted are cancelled at once. When this coroutine is cancelled, or an oracle
    raises, all its tasks are cancelled and awaited; an oracle with an `interrupt()` method is interrupted, and one
    that blocks a thread is left behind, without an effect on the search.

    Args:
        search: Any search, a restored one too.
        oracle: Called with a revision's id, or with the items that are kept; see `run`.
        **options: Those of `RunOptions`, as keywords.

    Raises:
        BaseException: What the oracle raised, the very same object.
        InvalidArgumentError: An answer that is none, or an argument that cannot be meant.
    """
    desk = Desk(search, **RUN.complete(options))
    if not callable(oracle):
        raise InvalidArgumentError(f"oracle: {oracle!r} is not valid; expected a function of what is to be tested")
    interrupter = Interrupter(oracle)
    threads = DaemonThreads(desk.jobs)
    loop = asyncio.get_running_loop()

    def in_thread(job: Callable[[], Any]) -> Awaitable[Any]:
        return loop.run_in_executor(threads, job)

    try:
        await _Tasks(desk, oracle, in_thread, interrupter).drive()
    finally:
        interrupter.release()
        threads.shutdown(wait=False)
        desk.abandon()
    return desk.finish()


class _Tasks:
    """The probes that are out, one task each."""

    def __init__(
        self,
        desk: Desk[Any, Any],
        oracle: Callable[[Any], Any],
        in_thread: Callable[[Callable[[], Any]], Awaitable[Any]],
        interrupter: Interrupter,
    ) -> None:
        self._desk = desk
        self._oracle = oracle
        self._in_thread = in_thread
        self._interrupter = interrupter
        self._running: dict[asyncio.Task[Any], _native.Probe] = {}
        self._leaving: set[asyncio.Task[Any]] = set()

    async def drive(self) -> None:
        desk = self._desk
        try:
            while not desk.over():
                for probe in desk.take(desk.jobs - len(self._running)):
                    given = desk.given(probe)
                    task = asyncio.create_task(call_async(self._oracle, probe, given, self._in_thread, desk.timed))
                    self._running[task] = probe
                if self._running:
                    await asyncio.wait(self._running, timeout=desk.left, return_when=asyncio.FIRST_COMPLETED)
                desk.collect(self._running)
                self._cancel_unwanted()
        finally:
            await self._wind_down()

    def _cancel_unwanted(self) -> None:
        for task, probe in list(self._running.items()):
            if not self._desk.wanted(probe):
                task.cancel()
                del self._running[task]
                self._leaving.add(task)
                self._desk.cancel(probe)

    async def _wind_down(self) -> None:
        """Cancels what is still out and waits until it is gone."""
        out = self._leaving | self._running.keys()
        if any(not task.done() for task in out):
            self._interrupter.interrupt()
        for task in out:
            task.cancel()
        await asyncio.gather(*out, return_exceptions=True)
        for task, probe in self._running.items():
            if not task.cancelled() and task.exception() is None:
                self._desk.tell(probe, task.result())
