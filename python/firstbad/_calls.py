"""Calls of an oracle in this thread, another thread, or another process."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from firstbad import _native
from firstbad._errors import InvalidArgumentError

__all__ = [
    "Interrupter",
    "SuiteCall",
    "Timed",
    "about",
    "call",
    "call_async",
    "check_not_awaitable",
    "command_of",
    "current_probe",
    "is_bare",
]

Given = TypeVar("Given")
"""What a callback gets: a revision's id, the items that are kept, a patch."""


class SuiteCall(NamedTuple):
    """The arguments of an oracle that runs several tests.

    Attributes:
        revision: The id of the revision.
        tests: The ids of the tests to run. None for the whole suite, and empty for a build.
    """

    revision: str
    tests: tuple[str, ...] | None


_current: ContextVar[_native.Probe | None] = ContextVar("firstbad_current_probe", default=None)


def command_of(oracle: object) -> _native.CommandOracle | None:
    """Returns the command of an oracle, or None if the oracle is a function."""
    command = getattr(oracle, "_command", None)
    return command if isinstance(command, _native.CommandOracle) else None


def current_probe() -> _native.Probe | None:
    """Returns the probe of the oracle that runs here, or None outside an oracle."""
    return _current.get()


# On Windows, `monotonic` has a resolution of 16 ms up to Python 3.12.
_ORIGIN = time.time() - time.perf_counter()


def now() -> float:
    """Returns seconds since 1970 that never jump within a process, even if the clock is set."""
    return _ORIGIN + time.perf_counter()


@dataclass(frozen=True)
class Timed:
    """The result of an oracle with its start and end, in seconds since 1970 by the clock of its machine."""

    answer: Any
    started: float
    ended: float

    @classmethod
    def since(cls, started: float, answer: Any) -> Timed:
        """Returns the result of a run that has just ended."""
        return cls(answer, started, now())


def is_bare(answer: object) -> bool:
    """Returns whether a value is True or False."""
    return answer is True or answer is False


def about(probe: _native.Probe, callback: str | None = None) -> str:
    """Describes a call of an oracle in a message."""
    if probe.revision is None:
        return f"{callback or 'interesting'}, for {probe}"
    return f"{callback or 'oracle'}, at revision {probe.revision!r}"


def check_not_awaitable(answer: Any, probe: _native.Probe, callback: str | None = None) -> None:
    """Refuses a coroutine as a result.

    Raises:
        InvalidArgumentError: If the result is a coroutine.
    """
    if is_bare(answer) or not inspect.isawaitable(answer):
        return
    if inspect.iscoroutine(answer):
        answer.close()
    raise InvalidArgumentError(
        f"{about(probe, callback)}: it returned a value of type {type(answer).__name__}\nhelp: for coroutines, use the "
        "_async version of this function"
    )


def call(oracle: Callable[[Given], Any], probe: _native.Probe, given: Given, timed: bool = False) -> Any:
    """Calls the oracle for a probe. It is a module function so that process pools can pickle it.

    Returns the result, as `Timed` if `timed` is true.

    Raises:
        InvalidArgumentError: If the oracle returns a coroutine.
    """
    started = now() if timed else 0.0
    answer = call_any(oracle, probe, given)
    check_not_awaitable(answer, probe)
    return Timed.since(started, answer) if timed else answer


def call_any(oracle: Callable[[Given], Any], probe: _native.Probe, given: Given) -> Any:
    """Calls the oracle for a probe and returns its result, which can be a coroutine."""
    token = _current.set(probe)
    try:
        return _called(oracle, given)
    finally:
        _current.reset(token)


def _called(oracle: Callable[..., Any], given: Any) -> Any:
    return oracle(*given) if isinstance(given, SuiteCall) else oracle(given)


def is_async(oracle: Callable[..., Any]) -> bool:
    """Returns whether an oracle is known to return a coroutine."""
    return inspect.iscoroutinefunction(oracle) or inspect.iscoroutinefunction(getattr(oracle, "__call__", None))  # noqa: B004


async def call_async(
    oracle: Callable[[Given], Any],
    probe: _native.Probe,
    given: Given,
    in_thread: Callable[[Callable[[], Any]], Any],
    timed: bool = False,
) -> Any:
    """Awaits the oracle for a probe. `in_thread` runs an oracle that is not known to be a coroutine function."""
    _current.set(probe)  # a task has a context of its own
    started = now()
    if is_async(oracle):
        answer = await _called(oracle, given)
    else:
        answer = await _from_thread(lambda: call_any(oracle, probe, given), in_thread)
        if inspect.isawaitable(answer):
            answer = await answer
    return Timed.since(started, answer) if timed else answer


async def _from_thread(work: Callable[[], Any], in_thread: Callable[[Callable[[], Any]], Any]) -> Any:
    """Returns the result of a function on a thread. A coroutine that arrives after a cancellation is closed."""
    came: list[Any] = []
    is_given_up = False

    def closed() -> None:
        if is_given_up and came and inspect.iscoroutine(came[0]):
            came[0].close()

    def working() -> Any:
        came.append(work())
        closed()
        return came[0]

    try:
        return await in_thread(working)
    except BaseException:
        is_given_up = True
        closed()
        raise


class Interrupter:
    """Interrupts an oracle, and lets it run again.

    An oracle can be interrupted if it has a method `interrupt()`. Its method `resume()` allows new runs.
    """

    def __init__(self, oracle: object) -> None:
        self._oracle = oracle
        self._used = False

    def interrupt(self) -> bool:
        """Interrupts the current runs. Returns whether the oracle has `interrupt()`."""
        method = getattr(self._oracle, "interrupt", None)
        if not callable(method):
            return False
        self._used = True
        method()
        return True

    def release(self) -> None:
        """Resumes the oracle, unless the caller interrupted it."""
        method = getattr(self._oracle, "resume", None)
        if self._used and callable(method):
            method()
