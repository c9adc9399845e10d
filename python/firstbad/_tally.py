"""Counts of runs and rates of a flaky test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from firstbad._arguments import check_count
from firstbad._written import Written

__all__ = ["KnownRate", "RateLike", "RunCounts"]


@dataclass(frozen=True)
class RunCounts(Written):
    """The numbers of runs of a test that passed and failed.

    Attributes:
        passes: The number of runs that passed, 0 or above.
        fails: The number of runs that failed, 0 or above.

    Raises:
        InvalidArgumentError: If a count is not an integer of 0 or above.

    Example:
        >>> RunCounts(passes=95, fails=5).rate
        0.05
    """

    passes: int = 0
    fails: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "passes", check_count("passes", self.passes, 0))
        object.__setattr__(self, "fails", check_count("fails", self.fails, 0))

    @property
    def runs(self) -> int:
        """The number of all runs."""
        return self.passes + self.fails

    @property
    def rate(self) -> float | None:
        """The share of runs that failed, in [0, 1], or None without runs."""
        return self.fails / self.runs if self.runs else None

    def __str__(self) -> str:
        return f"{self.fails} of {self.runs} {'run' if self.runs == 1 else 'runs'} failed"


KnownRate: TypeAlias = "float | RunCounts | Mapping[str, int]"
"""A rate in [0, 1), or counts of past runs: a `RunCounts`, or a mapping with `passes` and `fails`."""

RateLike: TypeAlias = "KnownRate | Literal['estimate']"
"""A rate, counts of past runs, or `"estimate"` to integrate over all rates."""
