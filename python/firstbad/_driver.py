"""The loop that all drivers share: take probes, tell outcomes, and watch the clock."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from reprlib import repr as shortened
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from firstbad import _native
from firstbad._ahead import Ahead
from firstbad._arguments import check_count
from firstbad._budget import Budget
from firstbad._calls import Timed, about, command_of, is_bare
from firstbad._errors import FirstbadError, InvalidArgumentError, Retry
from firstbad._observation import Observation
from firstbad._progress import Progress, ProgressLike, listener
from firstbad._reader import AsyncReaderLike, reading
from firstbad._search import Given, Report, Search, check_search

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future

__all__ = ["GRACE", "Driver"]

GRACE = 1.0
"""Seconds that interrupted oracles have to stop. A command has half a second between SIGTERM and SIGKILL."""

Running = TypeVar("Running", "Future[Any]", "asyncio.Task[Any]")
"""A running oracle: a future of an executor, or a task."""

_logger = logging.getLogger("firstbad")


def _command(search: Search[Any, Any], oracle: object) -> _native.CommandOracle | None:
    """Returns the command of a command oracle, or None if the oracle is a function.

    Raises:
        InvalidArgumentError: If the oracle is not callable.
        JournalError: If the oracle is a command and the search is kept in a journal that belongs to another command.
    """
    if not callable(oracle):
        raise InvalidArgumentError(
            f"oracle: {shortened(oracle)} is not valid; expected a function that tests a revision or a set of changes"
        )
    command = command_of(oracle)
    if command is not None:
        _native.tested_by(search._core, command)
    return command


class Driver(Generic[Report, Given]):
    """One run of a search: its clock, its listeners, and the exceptions of its oracle.

    Use it in a `with` statement. No other run can drive the search until the statement ends.

    Args:
        oracle: The oracle that tests probes.
        here: Whether the oracle runs in this process.

    Raises:
        InvalidArgumentError: If an argument is invalid.
        JournalError: If the oracle is a command and the search is kept in a journal that belongs to another command.
        SearchInUseError: If another run is driving the search.
    """

    def __init__(
        self,
        search: Search[Report, Given],
        oracle: Callable[..., Any],
        *,
        here: bool = True,
        jobs: int,
        budget: Budget | int | None,
        progress: ProgressLike,
        retries: int,
        reader: AsyncReaderLike | None,
    ) -> None:
        check_search(search)
        self.jobs = check_count("jobs", jobs, 1)
        self._retries = check_count("retries", retries, 0, 0xFFFF_FFFF)
        self.reader = reading(reader)
        self._listener = listener(progress, search)
        self._search = search
        self.given = search._given
        self._began = time.monotonic()
        limits = Budget.of(budget)
        spending = None if limits is None else (limits.runs, limits.cost, limits.builds)
        command = _command(search, oracle)
        self.oracle = search._prepared(oracle)
        self._run = _native.Run(search._core, self.jobs, self._retries, spending)
        seconds = None if limits is None else limits.seconds
        self._deadline = None if seconds is None else self._began + seconds
        self._ahead = Ahead(self._run, command) if here and command is not None else None

    def over(self) -> bool:
        """Whether the run is over. Stops the search when its time is up."""
        return self._run.over(self._deadline is not None and self.late)

    @property
    def timed(self) -> bool:
        """Whether the search uses the times of runs."""
        return self._search._timed

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return self._deadline is not None and time.monotonic() >= self._deadline

    @property
    def left(self) -> float | None:
        """The seconds until the time is up or the search can continue without a result; None for no limit."""
        ends = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        return min((seconds for seconds in (ends, self._run.patience()) if seconds is not None), default=None)

    @property
    def reads(self) -> list[dict[str, Any]]:
        """The reads of the search. Without a reader, `take` raises an error for them."""
        return self._search.reads

    def give(self, request: dict[str, Any], content: bytes) -> None:
        """Gives the content for a read."""
        self._search.give(request["id"], content)

    def show_reads(self) -> None:
        """Gives the search the contents that it has requested."""
        while self.reader is not None and (requests := self.reads):
            for request in requests:
                self.give(request, self.reader(request))

    def take(self) -> list[_native.Probe]:
        """Returns probes for idle workers.

        Raises:
            InvalidArgumentError: If the search must read content first, and there is no reader.
        """
        probes = self._run.take()
        if probes and self._ahead is not None:
            self._ahead.begun()
        if self._listener is not None:
            for probe in probes:
                self._say("asked", probe)
        return probes

    def tell(self, probe: _native.Probe, answer: Any) -> None:
        """Tells an outcome.

        Raises:
            InvalidArgumentError: If the result of the oracle is not an outcome.
        """
        if self._search._measures or not is_bare(answer):
            try:
                answer = self._observation(answer)
            except InvalidArgumentError as error:
                called = about(probe, "measure" if self._search._measures else None)
                raise InvalidArgumentError(f"{called}: {error}") from None
        counts = self._run.answered(probe.id, answer)
        logged = _logger.isEnabledFor(logging.INFO)
        if counts and (logged or self._listener is not None):
            seen = Observation.of(answer)
            if logged:
                _logger.info("%s: %s (answer %d)", probe, seen, self._search.runs)
            self._say("told", probe, seen)

    def _observation(self, answer: Any) -> Observation:
        """Returns the observation of an outcome, with its times unless it already has times."""
        if not isinstance(answer, Timed):
            return self._returned(answer)
        seen = self._returned(answer.answer)
        if seen.started is None and seen.ended is None:
            return replace(seen, started=answer.started, ended=answer.ended)
        return seen

    def _returned(self, answer: Any) -> Observation:
        """Returns the observation of a returned value, with a hint if the value is None."""
        if answer is None:
            return Observation.from_json(_native.none_returned())
        return self._search._observation(answer)

    def collect(self, running: dict[Running, _native.Probe]) -> None:
        """Removes finished runs from `running`, tells all outcomes, and then raises the first error."""
        failure: BaseException | None = None
        finished = [answer for answer in running if answer.done()]
        for answer in sorted(finished, key=lambda answer: running[answer].id):
            probe = running.pop(answer)
            if self._run.ended(probe.id):
                # A canceled run has no trustworthy outcome. Read its exception, or asyncio logs a warning.
                _ = answer.cancelled() or answer.exception()
                continue
            try:
                self.tell(probe, answer.result())
            except Retry as error:
                try:
                    self.retry(probe, error)
                except Retry:
                    failure = failure or error
            except BaseException as error:
                failure = failure or error
        if failure is not None:
            raise failure

    def retry(self, probe: _native.Probe, error: Retry) -> None:
        """Abandons a probe for a retry, or raises the error after too many retries."""
        if not self._run.retry(probe.id):
            error.revision, error.tries = probe.revision, self._retries + 1
            if sys.version_info >= (3, 11):
                error.add_note(f"firstbad: {probe} raised Retry {error.tries} times in a row")
            raise error
        _logger.info("%s: will be run again (%s)", probe, error or "no reason given")
        self._say("retried", probe)

    def cancel_useless(self, running: dict[Running, _native.Probe]) -> None:
        """Cancels runs whose outcome is no longer wanted. Runs that cannot be canceled continue, and count."""
        useless = self._run.useless()
        if not useless:
            return
        for answer, probe in list(running.items()):
            if probe.id in useless and answer.cancel():
                self._run.cancelled(probe.id)
                if answer.done():
                    self._run.ended(probe.id)
                    del running[answer]
                self._say("cancelled", probe)

    def tell_finished(self, running: dict[Running, _native.Probe]) -> None:
        """Tells the outcomes of finished runs without new errors, so that they do not hide the first one."""
        for answer, probe in running.items():
            if answer.done() and not answer.cancelled() and answer.exception() is None:
                self.tell(probe, answer.result())

    def __enter__(self) -> None:
        """Locks the search. `__exit__` releases everything that starts here."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Abandons the probes in flight, so that late outcomes do not count."""
        if self._ahead is not None:
            self._ahead.end()
        try:
            self._run.give_back()
        except FirstbadError:
            # An error of the journal must not hide the error that stopped the run.
            if error is None:
                raise

    def finish(self) -> Report:
        """Returns the report, and calls the listeners a last time."""
        _logger.info("%s after %d answers", self._search.status, self._search.runs)
        self._say("done", None)
        return self._search.report()

    def _say(
        self,
        kind: Literal["asked", "told", "retried", "cancelled", "done"],
        probe: _native.Probe | None,
        seen: Observation | None = None,
    ) -> None:
        if self._listener is not None:
            seconds = time.monotonic() - self._began
            counts, outlook = self._run.progress()
            numbers = (*counts, *outlook)
            self._listener(Progress(kind, probe, seen, *numbers, seconds))
