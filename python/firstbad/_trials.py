"""Conversion between probes about trees and runs of an oracle, without runs for known outcomes."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from firstbad._calls import about, check_not_awaitable
from firstbad._command_oracle import CommandOracle
from firstbad._errors import InvalidArgumentError
from firstbad._observation import Observation
from firstbad._repository import Repository

if TYPE_CHECKING:
    from firstbad import _native

__all__ = ["Awaited", "Trials", "opened"]

Shown = TypeVar("Shown")
"""What an oracle that is a function gets."""


def opened(repo: Any) -> Repository:
    """Returns a repository, opened from its path if necessary."""
    return repo if isinstance(repo, Repository) else Repository(repo)


def _said(answer: Any, probe: _native.Probe, callback: str) -> Observation:
    """Returns the observation of a result. An error names the call and its probe."""
    check_not_awaitable(answer, probe, callback)
    try:
        return Observation.of(answer)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{about(probe, callback)}: {error}") from None


class Trials(ABC, Generic[Shown]):
    """Runs an oracle for the probes of a search."""

    def __init__(self, repository: Repository, oracle: Any) -> None:
        if isinstance(oracle, CommandOracle) and oracle._repository.path != repository.path:
            raise InvalidArgumentError(
                f"oracle: one of {str(oracle._repository.path)!r} is not valid; expected a command oracle of "
                f"{str(repository.path)!r}"
            )
        if not callable(oracle):
            raise InvalidArgumentError(
                f"oracle: {shortened(oracle)} is not valid; expected a command oracle, or a function"
            )
        self.repository = repository
        self.oracle = oracle
        if isinstance(oracle, CommandOracle):
            # The command that a journal records.
            self._command = oracle._core
        # Only oracles that can be notified. Others are polled.
        self._told: list[Any] = []
        self._tell_of_endings(oracle)

    def _tell_of_endings(self, test: Any) -> None:
        """Lets the oracle notify the run when a test ends."""
        if callable(getattr(test, "interrupt", None)):
            self._told.append(test)
            self.interrupt = self._interrupt

    @abstractmethod
    def trial(self, probe: _native.Probe) -> _native.Carried | str:
        """Returns the run for a probe, or the outcome as JSON if it is known."""

    @abstractmethod
    def shown(self, probe: _native.Probe, trial: _native.Carried) -> Shown:
        """Returns the argument of an oracle that is a function."""

    @abstractmethod
    def revision(self, probe: _native.Probe, /) -> str:
        """Returns the revision that the patch of a probe applies to."""

    @abstractmethod
    def seen(self, probe: _native.Probe, trial: _native.Carried, seen: Any, control: Any, /) -> str:
        """Returns the outcome as JSON, from the results of the oracle and the control."""

    @property
    def control(self) -> Any:
        """Returns the control, or None."""
        return None

    def guards(self, _probe: _native.Probe, _seen: Any, /) -> bool:
        """Returns whether the control must run after a result."""
        return False

    def __call__(self, probe: _native.Probe) -> Observation:
        trial = self.trial(probe)
        if isinstance(trial, str):
            return Observation.from_json(trial)
        seen = _said(self.ask(self.oracle, probe, trial), probe, "oracle")
        control = _said(self.ask(self.control, probe, trial), probe, "control") if self.guards(probe, seen) else None
        return Observation.from_json(self.seen(probe, trial, seen, control))

    def ask(self, oracle: Any, probe: _native.Probe, trial: _native.Carried) -> Any:
        """Returns the result of an oracle."""
        if isinstance(oracle, CommandOracle):
            return self._described(oracle, probe, trial)
        return oracle(self.shown(probe, trial))

    def _described(self, oracle: CommandOracle, probe: _native.Probe, trial: _native.Carried) -> Observation:
        """Returns the observation of a command, with the signature of the failure."""
        return Observation.from_json(oracle._core.run(self.revision(probe), trial.patch or None, True))

    def _interrupt(self) -> None:
        """Interrupts the current runs."""
        for test in self._told:
            test.interrupt()

    def resume(self) -> None:
        """Resumes after an interruption."""
        for test in self._told:
            if callable(getattr(test, "resume", None)):
                test.resume()


class Awaited(Trials[Shown]):
    """`Trials` on an event loop."""

    async def __call__(self, probe: _native.Probe) -> Observation:  # type: ignore[override]  # a coroutine instead
        import asyncio

        trial = await asyncio.to_thread(self.trial, probe)
        if isinstance(trial, str):
            return Observation.from_json(trial)
        seen = _said(await self._await(self.oracle, probe, trial), probe, "oracle")
        if self.guards(probe, seen):
            control = _said(await self._await(self.control, probe, trial), probe, "control")
        else:
            control = None
        return Observation.from_json(self.seen(probe, trial, seen, control))

    async def _await(self, oracle: Any, probe: _native.Probe, trial: _native.Carried) -> Any:
        if isinstance(oracle, CommandOracle):
            import asyncio

            return await asyncio.to_thread(self._described, oracle, probe, trial)
        answer = oracle(self.shown(probe, trial))
        return await answer if inspect.isawaitable(answer) else answer
