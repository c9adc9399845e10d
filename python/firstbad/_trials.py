"""From probes about trees to what an oracle runs, and back: what need not be run is left out."""

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
    """A repository, from itself or its path."""
    return repo if isinstance(repo, Repository) else Repository(repo)


def _said(answer: Any, probe: _native.Probe, callback: str) -> Observation:
    """An answer as an observation; where it is none, the error says what was asked, and about what."""
    check_not_awaitable(answer, probe, callback)
    try:
        return Observation.of(answer)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{about(probe, callback)}: {error}") from None


class Trials(ABC, Generic[Shown]):
    """Answers the probes of a search with an oracle."""

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
            # What a journal says was run.
            self._command = oracle._core
        # Only what can be told is: others are waited for otherwise.
        self._told: list[Any] = []
        self._tell_of_endings(oracle)

    def _tell_of_endings(self, test: Any) -> None:
        """Has a test ended where the run is."""
        if callable(getattr(test, "interrupt", None)):
            self._told.append(test)
            self.interrupt = self._interrupt

    @abstractmethod
    def trial(self, probe: _native.Probe) -> _native.Carried | str:
        """What there is to run; or the answer, as JSON, if it is known."""

    @abstractmethod
    def shown(self, probe: _native.Probe, trial: _native.Carried) -> Shown:
        """What an oracle that is a function gets."""

    @abstractmethod
    def revision(self, probe: _native.Probe, /) -> str:
        """What the patch of a probe is for."""

    @abstractmethod
    def seen(self, probe: _native.Probe, trial: _native.Carried, seen: Any, control: Any, /) -> str:
        """The answer as JSON, from what the oracle said, and the control if one was run."""

    @property
    def control(self) -> Any:
        """What must pass for some answers to count; None if nothing is run."""
        return None

    def guards(self, _probe: _native.Probe, _seen: Any, /) -> bool:
        """Whether a control is to be run after an answer."""
        return False

    def __call__(self, probe: _native.Probe) -> Observation:
        trial = self.trial(probe)
        if isinstance(trial, str):
            return Observation.from_json(trial)
        seen = _said(self.ask(self.oracle, probe, trial), probe, "oracle")
        control = _said(self.ask(self.control, probe, trial), probe, "control") if self.guards(probe, seen) else None
        return Observation.from_json(self.seen(probe, trial, seen, control))

    def ask(self, oracle: Any, probe: _native.Probe, trial: _native.Carried) -> Any:
        """What an oracle says."""
        if isinstance(oracle, CommandOracle):
            return self._described(oracle, probe, trial)
        return oracle(self.shown(probe, trial))

    def _described(self, oracle: CommandOracle, probe: _native.Probe, trial: _native.Carried) -> Observation:
        """What a command says, with which failure it was."""
        return Observation.from_json(oracle._core.run(self.revision(probe), trial.patch or None, True))

    def _interrupt(self) -> None:
        """Ends what runs now."""
        for test in self._told:
            test.interrupt()

    def resume(self) -> None:
        """Takes an interruption back."""
        for test in self._told:
            if callable(getattr(test, "resume", None)):
                test.resume()


class Awaited(Trials[Shown]):
    """The same on an event loop."""

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
