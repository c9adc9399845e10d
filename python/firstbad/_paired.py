"""Paired measurements: a revision and a good revision in the same run, on the same machine."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from firstbad._observation import Observation

__all__ = ["Pair", "Paired"]


class Pair(NamedTuple):
    """What one run measured.

    Attributes:
        metric: The result for the revision.
        control: The result for the good revision.
    """

    metric: Any
    control: Any


@dataclass(frozen=True)
class Paired:
    """A function that measures a revision and then the good revision. Process pools can pickle it."""

    measure: Callable[[str], Any]
    good: str

    def __call__(self, revision: str) -> Any:
        measured = self.measure(revision)
        if inspect.isawaitable(measured):
            return self._awaited(measured)
        return Pair(measured, self.measure(self.good)) if _needs_control(measured) else measured

    async def _awaited(self, first: Awaitable[Any]) -> Any:
        measured = await first
        if not _needs_control(measured):
            return measured
        control = self.measure(self.good)
        return Pair(measured, await control if inspect.isawaitable(control) else control)


def _needs_control(measured: Any) -> bool:
    """Returns whether the good revision must be measured: the result has a number and no control."""
    if isinstance(measured, Observation):
        return measured.metric is not None and measured.control is None
    return measured is not None
