"""How much a run may spend."""

from __future__ import annotations

import math
from dataclasses import dataclass

from firstbad._arguments import check_count
from firstbad._errors import InvalidArgumentError

__all__ = ["Budget"]


@dataclass(frozen=True)
class Budget:
    """How much a run may spend; what is None is not limited. Where a budget is due, a number alone means `runs`.

    A search that ends for want of budget has the status `"budget"` and reports the best answer so far; run it again
    with a larger one and it goes on.

    Attributes:
        runs: At most this many answers of the oracle, all runs of the same search together.
        seconds: At most this long, by the wall clock, from the beginning of this run.
        cost: No further probe once the observations' `cost` adds up to this.

    Raises:
        InvalidArgumentError: A negative number, or none at all.
    """

    runs: int | None = None
    seconds: float | None = None
    cost: float | None = None

    def __post_init__(self) -> None:
        if self.runs is not None:
            object.__setattr__(self, "runs", check_count("budget.runs", self.runs, 0))
        for argument, value in (("seconds", self.seconds), ("cost", self.cost)):
            if value is not None and not (isinstance(value, (int, float)) and math.isfinite(value) and value >= 0):
                raise InvalidArgumentError(
                    f"budget.{argument}: {value!r} is not valid; expected a finite number, 0 or above"
                )

    @classmethod
    def of(cls, given: Budget | int | None) -> Budget | None:
        """The budget that an argument stands for: a number is runs."""
        if given is None or isinstance(given, Budget):
            return given
        return cls(runs=check_count("budget", given, 0))
