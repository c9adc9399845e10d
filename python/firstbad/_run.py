"""Driving a search: in this thread, in several, or with any executor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from firstbad._calls import Interrupter, call
from firstbad._driver import Driver
from firstbad._errors import Interrupted, InvalidArgumentError, Retry
from firstbad._run_options import THREADS
from firstbad._shown import shows

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._observation import Answer
    from firstbad._run_options import ThreadOptions
    from firstbad._search import Given, Report, Search

__all__ = ["run"]


@shows(THREADS)
def run(
    search: Search[Report, Given],
    oracle: Callable[[Given], Answer],
    **options: Unpack[ThreadOptions],
) -> Report:
    """Asks `oracle` until `search` is done, and returns its report.

    Nothing is decided here: it is a loop around `ask` and `tell`, and whatever was told stays in the search. After an
    exception, an interrupt or a spent budget, running the same search again goes on where it stopped. A reduction whose
    items together were not seen to have the property is asked about all of them again: the machine, a variable or the
    network may have been the reason. With one job and no executor probes run in this thread.

    Args:
        search: Any search, a restored one or a `Session` too; probes that it has in flight, lent or not, are run first.
        oracle: Called with a revision's id, or in a reduction with the items that are kept; returns an Outcome, a
            boolean (True is pass, or that the property holds), None (unresolved), or an Observation. May raise `Retry`
            where the machine failed and not the code.
        **options: See `ThreadOptions`.

    Raises:
        BaseException: What the oracle (or the reader) raised, the very same object, once the answers that were there
            already were told. Other probes are given back, and what comes of them later does not count; an oracle with
            an `interrupt()` method is interrupted, any other is not waited for.
        JournalError: A command oracle, and the search is kept in a journal that belongs to another command.
        SearchInUseError: If another run is driving the search. That run continues.
        InvalidArgumentError: An answer that is none, or an argument that cannot be meant.
    """
    settings = THREADS.complete(options)
    executor = _executor(settings.pop("executor"))
    driver = Driver(search, oracle, here=executor is None, **settings)
    interrupter = Interrupter(oracle)
    try:
        if executor is None and driver.jobs == 1:
            with driver:
                _inline(driver, oracle, interrupter)
        else:
            # With concurrent.futures, which one probe after another does not need.
            from firstbad._pool import drive

            drive(driver, oracle, executor, interrupter)
    finally:
        interrupter.release()
    return driver.finish()


def _executor(given: object) -> Executor | None:
    """What runs the probes.

    Raises:
        InvalidArgumentError: It is no executor.
    """
    is_client = callable(getattr(given, "get_executor", None))
    if given is None or (callable(getattr(given, "submit", None)) and not is_client):
        return cast("Executor | None", given)
    of_a_client = "; of a Dask client client.get_executor()" if is_client else ""
    jobs = f"; for threads of our own jobs={given}" if isinstance(given, int) else ""
    raise InvalidArgumentError(
        f"executor: {given!r} ({type(given).__name__}) is not valid; expected an executor of concurrent.futures, or "
        f"one that follows it{of_a_client}{jobs}"
    )


def _inline(driver: Driver[Any, Given], oracle: Callable[[Given], Answer], interrupter: Interrupter) -> None:
    with _alarm(interrupter, driver.left):
        while not driver.over():
            driver.show_reads()
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
