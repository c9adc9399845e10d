"""What an oracle answers: an `Outcome`, or an `Observation` with what came along."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, TypeAlias

from firstbad import _native

__all__ = ["Answer", "AsyncOracle", "Observation", "Oracle", "Outcome"]


class Outcome(str, Enum):
    """Whether a revision has the wanted property. Unresolved is never a failure.

    A boolean may stand for it (True is pass), None (unresolved), or the name itself.
    """

    PASS = "pass"
    """The test ran and passed ("valid" in RPA, Definition 1)."""
    FAIL = "fail"
    """The test ran and failed."""
    UNRESOLVED = "unresolved"
    """It could not be told: does not build, dependency missing, timed out (git's skip)."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Observation:
    """An outcome with what came along. Only `outcome` is needed.

    Attributes:
        outcome: What was seen; a boolean, None or a name is turned into an `Outcome`.
        signature: Which failure it was, as any text. Another failure than the one searched for counts as unresolved.
        passes: How many runs passed, where the test was run several times.
        fails: How many runs failed, where the test was run several times.
        metric: A measured number, in your unit.
        seconds: How long the test took.
        cost: What the test cost, in the unit of `Budget.cost`.
        signals: Facts seen along the way; anything that has a JSON form.
        note: Words for people: where the log is, why it is unresolved.

    Raises:
        InvalidArgumentError: `outcome` is nothing that can stand for one.
    """

    outcome: Outcome
    signature: str | None = None
    passes: int | None = None
    fails: int | None = None
    metric: float | None = None
    seconds: float | None = None
    cost: float | None = None
    signals: Any = None
    note: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcome", Outcome(_native.outcome_name(self.outcome)))

    @classmethod
    def of(cls, answer: Answer) -> Observation:
        """The observation that an answer stands for.

        Raises:
            InvalidArgumentError: It stands for none.
        """
        return answer if isinstance(answer, Observation) else Observation(Outcome(_native.outcome_name(answer)))

    @classmethod
    def from_json(cls, text: str) -> Observation:
        """The observation in a JSON object, as the core writes it."""
        fields: Mapping[str, Any] = json.loads(text)
        return cls(**fields)

    def __str__(self) -> str:
        extra = [f"{name} {value!r}" for name, value in (("signature", self.signature), ("note", self.note)) if value]
        return f"{self.outcome} ({', '.join(extra)})" if extra else str(self.outcome)


Answer: TypeAlias = "Outcome | Observation | bool | Literal['pass', 'fail', 'unresolved'] | None"
"""What an oracle may return."""

Oracle: TypeAlias = "Callable[[str], Answer]"
"""Does this revision pass?"""

AsyncOracle: TypeAlias = "Callable[[str], Awaitable[Answer]]"
"""The same as a coroutine."""
