"""Driving a search: in this thread, in several, or with any executor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from firstbad._calls import Interrupter, call
from firstbad._desk import GRACE, Desk
from firstbad._errors import Interrupted, InvalidArgumentError, Retry
from firstbad._threads import DaemonThreads

if TYPE_CHECKING:
    from firstbad import _native
    from firstbad._budget import Budget
    from firstbad._observation import Answer
    from firstbad._progress import ProgressLike
    from firstbad._search import Given, Report, Search

__all__ = ["run"]

_SLICE = 0.1
"""Seconds of the longest wait in one go: a signal that comes just before a wait begins is heard only after it."""


def run(
    search: Search[Report, Given],
    oracle: Callable[[Given], Answer],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    budget: Budget | int | None = None,
    progress: ProgressLike = None,
    retries: int = 3,
) -> Report:
    """Asks `oracle` until `search` is done, and returns its report.

    Nothing is decided here: it is a loop around `ask` and `tell`, and whatever was told stays in the search. After an
    exception, an interrupt or a spent budget, running the same search again goes on where it stopped.

    Args:
        search: Any search, a restored one or a `Session` too; probes that it has in flight, lent or not, are run first.
        oracle: Called with a revision's id, or in a reduction with the items that are kept; returns an Outcome, a
            boolean (True is pass, or that the property holds), None (unresolved), or an Observation. May raise `Retry`
            where the machine failed and not the code.
        jobs: How many probes to have out at the same time. 1 without an executor runs them in this thread.
        executor: Where to run them instead of threads of our own: anything from concurrent.futures, or that follows
            it, as Dask's `client.get_executor()`. For processes the oracle must be picklable. It is not shut down. A
            worker that dies is no outcome: what the executor makes of it (BrokenProcessPool, Dask's KilledWorker)
            reaches the caller as it is.
        budget: A `Budget`, or a number of runs.
        progress: True for a bar (where tqdm is installed), or a function that gets every `Progress`.
        retries: How often in a row one and the same may be asked again after `Retry`.

    Raises:
        BaseException: What the oracle raised, the very same object, once the answers that were there already were told.
            Other probes are given back; an oracle with an `interrupt()` method is interrupted, any other is not
            waited for.
        InvalidArgumentError: An answer that is none, or an argument that cannot be meant.
    """
    desk = Desk(search, jobs=jobs, budget=budget, progress=progress, retries=retries)
    if not callable(oracle):
        raise InvalidArgumentError(f"oracle: {oracle!r} is not valid; expected a function of what is to be tested")
    interrupter = Interrupter(oracle)
    try:
        if executor is not None:
            _Pool(desk, oracle, executor, interrupter).drive()
        elif desk.jobs == 1:
            _inline(desk, oracle, interrupter)
        else:
            threads = DaemonThreads(desk.jobs)
            try:
                _Pool(desk, oracle, threads, interrupter).drive()
            finally:
                threads.shutdown(wait=False)
    finally:
        interrupter.release()
        desk.abandon()
    return desk.finish()


def _inline(desk: Desk[Any, Given], oracle: Callable[[Given], Answer], interrupter: Interrupter) -> None:
    with _alarm(interrupter, desk.left):
        while not desk.over():
            for probe in desk.take(1):
                try:
                    answer = call(oracle, probe, desk.given(probe), desk.timed)
                except Retry as error:
                    desk.retry(probe, error)
                except Interrupted:
                    if not desk.late:
                        raise
                else:
                    desk.tell(probe, answer)


@contextmanager
def _alarm(interrupter: Interrupter, seconds: float | None) -> Iterator[None]:
    """Interrupts the oracle after so many seconds."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, interrupter.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _slice(left: float | None) -> float:
    return _SLICE if left is None else min(left, _SLICE)


class _Pool:
    """The probes that are out with an executor."""

    def __init__(
        self, desk: Desk[Any, Any], oracle: Callable[[Any], Answer], executor: Executor, interrupter: Interrupter
    ) -> None:
        self._desk = desk
        self._oracle = oracle
        self._executor = executor
        self._interrupter = interrupter
        self._running: dict[Future[Any], _native.Probe] = {}

    def drive(self) -> None:
        desk = self._desk
        try:
            while not desk.over():
                for probe in desk.take(desk.jobs - len(self._running)):
                    future = self._executor.submit(call, self._oracle, probe, desk.given(probe), desk.timed)
                    self._running[future] = probe
                wait(self._running, timeout=_slice(desk.left), return_when=FIRST_COMPLETED)
                desk.collect(self._running)
                self._cancel_unwanted()
        finally:
            self._wind_down()

    def _cancel_unwanted(self) -> None:
        for future, probe in list(self._running.items()):
            if not self._desk.wanted(probe) and future.cancel():
                del self._running[future]
                self._desk.cancel(probe)

    def _wind_down(self) -> None:
        """Ends what is still out. What is finished meanwhile is told; nothing is waited for without an end."""
        for future in self._running:
            future.cancel()
        unfinished = [future for future in self._running if not future.done()]
        if unfinished and self._interrupter.interrupt():
            wait(unfinished, timeout=GRACE)
        for future, probe in self._running.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                self._desk.tell(probe, future.result())
