"""Driving a search: in this thread, in several, or with any executor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from firstbad._calls import Interrupter, call
from firstbad._driver import GRACE, Driver
from firstbad._errors import Interrupted, InvalidArgumentError, Retry
from firstbad._threads import DaemonThreads

if TYPE_CHECKING:
    from firstbad import _native
    from firstbad._budget import Budget
    from firstbad._observation import Answer
    from firstbad._progress import ProgressLike
    from firstbad._reader import ReaderLike
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
    reader: ReaderLike | None = None,
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
        reader: Shows a search what it has to see between tests: a `Repository`, or a function that gets a request as in
            `search.reads` and returns bytes. Most searches have to see nothing.

    Raises:
        BaseException: What the oracle (or the reader) raised, the very same object, once the answers that were there
            already were told. Other probes are given back, and what comes of them later does not count; an oracle with
            an `interrupt()` method is interrupted, any other is not waited for.
        InvalidArgumentError: An answer that is none, or an argument that cannot be meant.
    """
    driver = Driver(search, jobs=jobs, budget=budget, progress=progress, retries=retries, reader=reader)
    if not callable(oracle):
        raise InvalidArgumentError(f"oracle: {oracle!r} is not valid; expected a function of what is to be tested")
    interrupter = Interrupter(oracle)
    try:
        if executor is not None:
            _Pool(driver, oracle, executor, interrupter).drive()
        elif driver.jobs == 1:
            with driver:
                _inline(driver, oracle, interrupter)
        else:
            threads = DaemonThreads(driver.jobs)
            try:
                _Pool(driver, oracle, threads, interrupter).drive()
            finally:
                threads.shutdown(wait=False)
    finally:
        interrupter.release()
    return driver.finish()


def _read(driver: Driver[Any, Any]) -> None:
    reader = driver.reader
    while reader is not None and (requests := driver.reads):
        for request in requests:
            driver.give(request, reader(request))


def _inline(driver: Driver[Any, Given], oracle: Callable[[Given], Answer], interrupter: Interrupter) -> None:
    with _alarm(interrupter, driver.left):
        while not driver.over():
            _read(driver)
            for probe in driver.take():
                try:
                    answer = call(oracle, probe, driver.given(probe), driver.timed)
                except Retry as error:
                    driver.retry(probe, error)
                except Interrupted:
                    if not driver.late:
                        raise
                else:
                    driver.tell(probe, answer)


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
        self, driver: Driver[Any, Any], oracle: Callable[[Any], Answer], executor: Executor, interrupter: Interrupter
    ) -> None:
        self._driver = driver
        self._oracle = oracle
        self._executor = executor
        self._interrupter = interrupter
        self._running: dict[Future[Any], _native.Probe] = {}

    def drive(self) -> None:
        try:
            with self._driver:
                try:
                    self._work()
                finally:
                    self._driver.tell_finished(self._running)
        finally:
            self._stop()

    def _work(self) -> None:
        driver = self._driver
        while not driver.over():
            _read(driver)
            for probe in driver.take():
                future = self._executor.submit(call, self._oracle, probe, driver.given(probe), driver.timed)
                self._running[future] = probe
            wait(self._running, timeout=_slice(driver.left), return_when=FIRST_COMPLETED)
            driver.collect(self._running)
            driver.cancel_useless(self._running)

    def _stop(self) -> None:
        """Ends what still runs, as far as it can be ended. Nothing is waited for without an end."""
        for future in self._running:
            future.cancel()
        unfinished = [future for future in self._running if not future.done()]
        if unfinished and self._interrupter.interrupt():
            wait(unfinished, timeout=GRACE)
