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
from firstbad._run_options import THREADS
from firstbad._shown import shows
from firstbad._threads import DaemonThreads

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad import _native
    from firstbad._observation import Answer
    from firstbad._run_options import ThreadOptions
    from firstbad._search import Given, Report, Search

__all__ = ["run"]

_SLICE = 0.1
"""Seconds of the longest wait in one go: a signal that comes just before a wait begins is heard only after it."""


@shows(THREADS)
def run(
    search: Search[Report, Given],
    oracle: Callable[[Given], Answer],
    **options: Unpack[ThreadOptions],
) -> Report:
    """Asks `oracle` until `search` is done, and returns its report.

    Nothing is decided here: it is a loop around `ask` and `tell`, and whatever was told stays in the search. After an
    exception, an interrupt or a spent budget, running the same search again goes on where it stopped. With one job and
    no executor probes run in this thread.

    Args:
        search: Any search, a restored one or a `Session` too; probes that it has in flight, lent or not, are run first.
        oracle: Called with a revision's id, or in a reduction with the items that are kept; returns an Outcome, a
            boolean (True is pass, or that the property holds), None (unresolved), or an Observation. May raise `Retry`
            where the machine failed and not the code.
        **options: Those of `ThreadOptions`, as keywords.

    Raises:
        BaseException: What the oracle raised, the very same object, once the answers that were there already were told.
            Other probes are given back; an oracle with an `interrupt()` method is interrupted, any other is not
            waited for.
        InvalidArgumentError: An answer that is none, or an argument that cannot be meant.
    """
    settings = THREADS.complete(options)
    executor: Executor | None = settings.pop("executor")
    desk = Desk(search, **settings)
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
