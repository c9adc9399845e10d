"""What every driver does with a search: take probes, pass answers on, keep time. No decision is made here."""

from __future__ import annotations

import logging
import time
from collections import Counter, deque
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from firstbad._arguments import check_count
from firstbad._budget import Budget
from firstbad._calls import Timed, about, is_bare
from firstbad._errors import FirstbadError, InvalidArgumentError, JournalError, Retry
from firstbad._observation import Observation
from firstbad._progress import Progress, ProgressLike, listener
from firstbad._search import Given, Report, Search

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future

    from firstbad import _native

__all__ = ["GRACE", "Desk"]

GRACE = 1.0
"""Seconds that interrupted oracles have to end; a command then has half a second between SIGTERM and SIGKILL."""

Running = TypeVar("Running", "Future[Any]", "asyncio.Task[Any]")
"""What an answer comes from: a future of an executor, or a task."""

_logger = logging.getLogger("firstbad")


class Desk(Generic[Report, Given]):
    """One run of a search: the probes out, the retries, the budget, the listeners.

    Probes already in flight when the run begins (of a restored search, of a run that was killed) are taken over.
    """

    def __init__(
        self,
        search: Search[Report, Given],
        *,
        jobs: int,
        budget: Budget | int | None,
        progress: ProgressLike,
        retries: int,
    ) -> None:
        self.jobs = check_count("jobs", jobs, 1)
        self._retries = check_count("retries", retries, 0)
        self._listener = listener(progress)
        self._search = search
        self._out: dict[int, _native.Probe] = {}
        self._adopted = deque(search.in_flight)
        if self._adopted:
            search._core.take_over()
        self._retried: Counter[str] = Counter()
        self.given = search._given
        self._began = time.monotonic()
        self._deadline: float | None = None
        limits = Budget.of(budget)
        if limits is not None:
            search.set_budget(Budget(runs=limits.runs, cost=limits.cost))
            if limits.seconds is not None:
                self._deadline = self._began + limits.seconds

    def over(self) -> bool:
        """Whether there is nothing more to do; ends the search when its time is up."""
        if self._deadline is not None and self.late:
            self._search.stop("budget")
        return self._search.done

    @property
    def timed(self) -> bool:
        """Whether the search looks at when a test was run."""
        return self._search._timed

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return self._deadline is not None and time.monotonic() >= self._deadline

    @property
    def left(self) -> float | None:
        """Seconds until the time is up; None where it is not limited."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def take(self, free: int) -> list[_native.Probe]:
        """Probes for `free` idle workers.

        Raises:
            FirstbadError: There is nothing to ask and nothing to wait for, which a search never says.
        """
        probes: list[_native.Probe] = []
        while self._adopted and len(probes) < free:
            probes.append(self._adopted.popleft())
        if len(probes) < free:
            probes += self._search.ask(free - len(probes))
        for probe in probes:
            self._out[probe.id] = probe
        if not self._out and not self._search.done:
            raise FirstbadError("the search asks nothing though nothing is in flight; please report it", "internal")
        for probe in probes:
            self._say("asked", probe)
        return probes

    def wanted(self, probe: _native.Probe) -> bool:
        """Whether the answer is still of use."""
        return self._search.wanted(probe.id)

    def tell(self, probe: _native.Probe, answer: Any) -> None:
        """Passes an answer on.

        Raises:
            InvalidArgumentError: It is none.
        """
        if not is_bare(answer):
            try:
                answer = _observation(answer)
            except InvalidArgumentError as error:
                raise InvalidArgumentError(f"{about(probe)}: {error}") from None
        self._search.tell(probe.id, answer)
        self._out.pop(probe.id, None)
        if self._retried:
            # Retries count in a row: a flaky test asks one revision many times.
            del self._retried[str(probe)]
        logged = _logger.isEnabledFor(logging.INFO)
        if logged or self._listener is not None:
            seen = Observation.of(answer)
            if logged:
                _logger.info("%s: %s (answer %d)", probe, seen, self._search.queries)
            self._say("told", probe, seen)

    def collect(self, running: dict[Running, _native.Probe]) -> None:
        """Passes on the answers that are there, out of `running`; only then raises what went wrong first."""
        failure: BaseException | None = None
        finished = [answer for answer in running if answer.done()]
        for answer in sorted(finished, key=lambda answer: running[answer].id):
            probe = running.pop(answer)
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
        """Gives a probe back to be asked again, or raises the error where that happened too often."""
        self._drop(probe)
        self._retried[str(probe)] += 1
        if self._retried[str(probe)] > self._retries:
            raise error
        _logger.info("%s: to be asked again (%s)", probe, error or "no reason given")
        self._say("retried", probe)

    def cancel(self, probe: _native.Probe) -> None:
        """Gives a probe back whose answer will not come."""
        self._drop(probe)
        self._say("cancelled", probe)

    def abandon(self) -> None:
        """Gives everything back that is still out."""
        for probe in list(self._out.values()):
            # A journal that cannot be written has it in flight, and so has whoever goes on with it.
            with suppress(JournalError):
                self._drop(probe)

    def finish(self) -> Report:
        """The report, announced."""
        _logger.info("%s after %d answers", self._search.status, self._search.queries)
        self._say("done", None)
        return self._search.report()

    def _drop(self, probe: _native.Probe) -> None:
        self._out.pop(probe.id, None)
        self._search.abandon(probe.id)

    def _say(
        self,
        kind: Literal["asked", "told", "retried", "cancelled", "done"],
        probe: _native.Probe | None,
        seen: Observation | None = None,
    ) -> None:
        if self._listener is not None:
            search = self._search
            seconds = time.monotonic() - self._began
            self._listener(Progress(kind, probe, seen, search.status, search.queries, len(self._out), seconds))


def _observation(answer: Any) -> Observation:
    """The observation that an answer stands for, with its times unless it has some of its own."""
    if not isinstance(answer, Timed):
        return Observation.of(answer)
    seen = Observation.of(answer.answer)
    if seen.started is None and seen.ended is None:
        return replace(seen, started=answer.started, ended=answer.ended)
    return seen
