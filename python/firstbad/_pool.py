"""Drives a search with several probes in flight."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import TYPE_CHECKING, Any

from firstbad._calls import Interrupter, call
from firstbad._driver import GRACE, Driver
from firstbad._threads import DaemonThreads

if TYPE_CHECKING:
    from firstbad import _native
    from firstbad._observation import Answer

__all__ = ["drive"]

_SLICE = 0.1
"""The maximum wait in seconds. A signal right before a wait is handled only after the wait."""


def drive(
    driver: Driver[Any, Any], oracle: Callable[[Any], Answer], executor: Executor | None, interrupter: Interrupter
) -> None:
    """Drives a search with an executor, or by default with daemon threads."""
    if executor is not None:
        _Pool(driver, oracle, executor, interrupter).drive()
        return
    threads = DaemonThreads(driver.jobs)
    try:
        _Pool(driver, oracle, threads, interrupter).drive()
    finally:
        threads.shutdown(wait=False)


def _slice(left: float | None) -> float:
    return _SLICE if left is None else min(left, _SLICE)


class _Pool:
    """The probes that run in an executor."""

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
            driver.show_reads()
            for probe in driver.take():
                future = self._executor.submit(call, self._oracle, probe, driver.given(probe), driver.timed)
                self._running[future] = probe
            wait(self._running, timeout=_slice(driver.left), return_when=FIRST_COMPLETED)
            driver.collect(self._running)
            driver.cancel_useless(self._running)

    def _stop(self) -> None:
        """Stops the running probes as far as possible, without an unlimited wait."""
        for future in self._running:
            future.cancel()
        unfinished = [future for future in self._running if not future.done()]
        if unfinished and self._interrupter.interrupt():
            wait(unfinished, timeout=GRACE)
