"""Budgets of runs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from firstbad._arguments import check_count
from firstbad._errors import InvalidArgumentError

__all__ = ["Budget"]


@dataclass(frozen=True)
class Budget:
    """A limit for a run. Functions also take a number, which means `runs`. An attribute that is None is not limited.

    A search that uses up its budget has the status `"budget"` and reports the result so far. To continue, run the
    search again with a larger budget.

    Attributes:
        runs: The maximum number of runs of the oracle, including earlier calls with the same search.
        seconds: The maximum wall-clock time from the start of this call, in seconds.
        cost: The maximum sum of the `cost` of observations. When the sum reaches it, no new probe starts.
        builds: The maximum number of builds: of runs without `Observation.reused`, including earlier calls.

    Raises:
        InvalidArgumentError: If a value is negative or not a number.
    """

    runs: int | None = None
    seconds: float | None = None
    cost: float | None = None
    builds: int | None = None

    def __post_init__(self) -> None:
        for argument in ("runs", "builds"):
            count = getattr(self, argument)
            if count is not None:
                object.__setattr__(self, argument, check_count(f"budget.{argument}", count, 0))
        for argument, value in (("seconds", self.seconds), ("cost", self.cost)):
            if value is not None and not (isinstance(value, (int, float)) and math.isfinite(value) and value >= 0):
                raise InvalidArgumentError(
                    f"budget.{argument}: {value!r} is not valid; expected a finite number, 0 or above"
                )

    @classmethod
    def of(cls, given: Budget | int | None) -> Budget | None:
        """Returns the budget for an argument. A number means runs."""
        if given is None or isinstance(given, Budget):
            return given
        return cls(runs=check_count("budget", given, 0))
