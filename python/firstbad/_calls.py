"""One call of an oracle, wherever it happens: in this thread, in another, in another process."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from firstbad._errors import InvalidArgumentError

if TYPE_CHECKING:
    from firstbad import _native

__all__ = ["Interrupter", "call", "call_async", "current_probe"]

_current: ContextVar[_native.Probe | None] = ContextVar("firstbad_current_probe", default=None)


def current_probe() -> _native.Probe | None:
    """The probe that the oracle running here was called for; None outside an oracle."""
    return _current.get()


def call(oracle: Callable[[str], Any], probe: _native.Probe) -> Any:
    """Calls the oracle for a probe. A function of the module, so that a process pool can be sent it.

    Raises:
        InvalidArgumentError: The oracle returned a coroutine.
    """
    answer = call_any(oracle, probe)
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise InvalidArgumentError(
            f"oracle: it returned {type(answer).__name__} for revision {probe.revision!r}; use the _async twin of this "
            "function for oracles that are coroutines"
        )
    return answer


def call_any(oracle: Callable[[str], Any], probe: _native.Probe) -> Any:
    """Calls the oracle for a probe and returns whatever it returns, a coroutine included."""
    token = _current.set(probe)
    try:
        return oracle(probe.revision)
    finally:
        _current.reset(token)


def is_async(oracle: Callable[[str], Any]) -> bool:
    """Whether calling the oracle is known to give a coroutine."""
    return inspect.iscoroutinefunction(oracle) or inspect.iscoroutinefunction(getattr(oracle, "__call__", None))  # noqa: B004


async def call_async(
    oracle: Callable[[str], Any], probe: _native.Probe, in_thread: Callable[[Callable[[], Any]], Any]
) -> Any:
    """Awaits the oracle for a probe; `in_thread` runs one that is not known to be a coroutine function."""
    _current.set(probe)  # a task has a context of its own
    if is_async(oracle):
        return await oracle(probe.revision)
    answer = await in_thread(lambda: call_any(oracle, probe))
    return await answer if inspect.isawaitable(answer) else answer


class Interrupter:
    """Ends an oracle's runs where it can be told to, and lets it run again afterwards.

    An oracle says that it can by a method `interrupt()`, and by `resume()` that it has to be allowed to go on.
    """

    def __init__(self, oracle: object) -> None:
        self._oracle = oracle
        self._used = False

    def interrupt(self) -> bool:
        """Ends what runs now; whether the oracle can be told."""
        method = getattr(self._oracle, "interrupt", None)
        if not callable(method):
            return False
        self._used = True
        method()
        return True

    def release(self) -> None:
        """Takes an interruption of ours back; one of the caller's stays."""
        method = getattr(self._oracle, "resume", None)
        if self._used and callable(method):
            method()
