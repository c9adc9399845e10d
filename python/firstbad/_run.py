"""Drives a search in this thread, in several threads, or with an executor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast, overload

from firstbad._calls import Interrupter, call
from firstbad._driver import Driver
from firstbad._errors import Interrupted, InvalidArgumentError, Retry
from firstbad._run_options import THREADS
from firstbad._shown import shows

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._calls import SuiteCall
    from firstbad._change_report import ChangeReport
    from firstbad._observation import Answer, Measure, SuiteCallback
    from firstbad._run_options import ThreadOptions
    from firstbad._search import Given, Report, Search

__all__ = ["run"]


@overload
def run(search: Search[ChangeReport, str], oracle: Measure, **options: Unpack[ThreadOptions]) -> ChangeReport: ...


@overload
def run(search: Search[Report, SuiteCall], oracle: SuiteCallback, **options: Unpack[ThreadOptions]) -> Report: ...


@overload
def run(
    search: Search[Report, Given], oracle: Callable[[Given], Answer], **options: Unpack[ThreadOptions]
) -> Report: ...


@shows(THREADS)
def run(
    search: Search[Report, Any],
    oracle: Callable[..., Any],
    **options: Unpack[ThreadOptions],
) -> Report:
    """Runs `oracle` until `search` is done, and returns the report.

    The function is a loop of `ask` and `tell`, and all outcomes stay in the search. After an exception, an interrupt,
    or a used-up budget, call `run` with the same search to continue. If a reduction ended because all items together
    did not have the property, the search tests all items again. With one job and no executor, probes run in this
    thread.

    Args:
        search: A search, a restored search, or a `Session`. Its probes in flight run first.
        oracle: A function of a revision's id, in a reduction of the kept items, or in a triage of a revision's id and
            the ids of the tests. It returns an Outcome, a boolean (True for a pass, or for a set with the property),
            None (unresolved), an Observation, in a triage outcomes by test, or in a search for a change a number. It
            can raise `Retry` if the machine failed rather than the code.
        **options: See `ThreadOptions`.

    Raises:
        BaseException: The exception that the oracle or the reader raised, unchanged. Outcomes that were ready are told
            before, and other probes are abandoned. An oracle with a method `interrupt()` is interrupted. firstbad does
            not wait for other oracles.
        JournalError: If the oracle is a command and the search is kept in a journal that belongs to another command.
        SearchInUseError: If another run is driving the search. That run continues.
        InvalidArgumentError: If an argument is invalid, or the oracle returns something other than an outcome.
    """
    settings = THREADS.complete(options)
    executor = _executor(settings.pop("executor"))
    driver = Driver(search, oracle, here=executor is None, **settings)
    interrupter = Interrupter(oracle)
    try:
        if executor is None and driver.jobs == 1:
            with driver:
                _inline(driver, driver.oracle, interrupter)
        else:
            # The module imports concurrent.futures, which sequential runs do not need.
            from firstbad._pool import drive

            drive(driver, driver.oracle, executor, interrupter)
    finally:
        interrupter.release()
    return driver.finish()


def _executor(given: object) -> Executor | None:
    """Returns the executor for probes.

    Raises:
        InvalidArgumentError: If the value is not an executor.
    """
    is_client = callable(getattr(given, "get_executor", None))
    if given is None or (callable(getattr(given, "submit", None)) and not is_client):
        return cast("Executor | None", given)
    of_a_client = ". For a Dask client, use client.get_executor()" if is_client else ""
    jobs = f". For threads, use jobs={given}" if isinstance(given, int) else ""
    raise InvalidArgumentError(
        f"executor: {given!r} ({type(given).__name__}) is not valid; expected an executor of concurrent.futures, or "
        f"a compatible one{of_a_client}{jobs}"
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
    """Interrupts the oracle after `seconds`."""
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
