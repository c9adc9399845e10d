"""What an oracle answers: an `Outcome`, or an `Observation` with what came along."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from firstbad import _native
from firstbad._arguments import check_count, checked_text
from firstbad._errors import InvalidArgumentError
from firstbad._lean import Lean

__all__ = [
    "Answer",
    "AsyncOracle",
    "Observation",
    "Oracle",
    "Outcome",
    "PortObservation",
    "RevisionObservation",
    "Stage",
    "SubsetObservation",
]


class Outcome(str, Enum):
    """Whether a revision has the wanted property. Unresolved is never a failure.

    A boolean may stand for it (True is pass), None (unresolved), or the name itself. The other way round it is neither
    true nor false, so that nobody takes a failure for a pass: compare it, as in `outcome is Outcome.PASS`.
    """

    PASS = "pass"
    """The test ran and passed ("valid" in RPA, Definition 1)."""
    FAIL = "fail"
    """The test ran and failed."""
    UNRESOLVED = "unresolved"
    """It could not be told: does not build, dependency missing, timed out (git's skip)."""

    def __str__(self) -> str:
        return self.value

    def __bool__(self) -> bool:
        raise TypeError("an Outcome is neither true nor false; compare it, as in `outcome is Outcome.PASS`")


class Stage(str, Enum):
    """A stage of a test, in the order in which they come; its name may stand for it.

    Artho, "Iterative Delta Debugging", Section 5.1.
    """

    PATCH = "patch"
    """Applying a patch to the revision."""
    PARSE = "parse"
    """Reading what the patch makes of a file in that file's language: where it does not parse, nothing was run."""
    SETUP = "setup"
    """What the test needs around it: submodules, and a command that installs things."""
    CONFIGURE = "configure"
    """Configuring the build."""
    BUILD = "build"
    """The build."""
    TEST = "test"
    """The test itself."""
    CONTROL = "control"
    """A second command after a test that failed: what must go well wherever that failure is to count."""

    def __str__(self) -> str:
        return self.value


class _ByCounts:
    """No outcome given: the counts tell it."""

    def __repr__(self) -> str:
        return "<by the counts>"


_BY_COUNTS: Any = _ByCounts()

Self = TypeVar("Self", bound="Observation")


@dataclass(frozen=True, repr=False)
class Observation(Lean):
    """An outcome with what came along. Only `outcome` is needed, or counts.

    It is neither true nor false: `if oracle(revision)` raises TypeError, and says what to write instead.

    Attributes:
        outcome: What was seen; a boolean, None or a name is turned into an `Outcome`. Left out, the counts tell it:
            passes alone are a pass, fails alone a failure, both or neither unresolved (for searches that do not count).
        signature: Which failure it was, as any text. Another failure than the one searched for counts as unresolved.
        passes: How many runs passed, where the test was run several times.
        fails: How many runs failed, where the test was run several times.
        metric: A measured number, in your unit.
        seconds: How long the test took.
        cost: What the test cost, in the unit of `Budget.cost`.
        signals: Facts seen along the way; anything that has a JSON form.
        note: Words for people: how it ended, why it is unresolved.
        started: When the test was started, in seconds on any clock that all observations of a search share.
        ended: When it ended, on the same clock.
        output: The file that holds what the test printed.
        ran: Whether the test was run: False for an answer that cost no run, which no budget counts.
        stage: The stage at which the test ended, where it did not pass; a name is turned into a `Stage`. None if that
            is not known.
        memory: The most memory that a process of the test had at once (resident), in bytes.
        reused: Whether the test reused what an earlier run had built in the same worktree.

    Raises:
        InvalidArgumentError: `outcome` is nothing that can stand for one; neither an outcome nor counts are given; a
            count that is none; no such stage.

    Example:
        >>> Observation(passes=9, fails=1).outcome
        <Outcome.UNRESOLVED: 'unresolved'>
    """

    outcome: Outcome = _BY_COUNTS
    signature: str | None = None
    passes: int | None = None
    fails: int | None = None
    metric: float | None = None
    seconds: float | None = None
    cost: float | None = None
    signals: Any = None
    note: str | None = None
    started: float | None = None
    ended: float | None = None
    output: str | None = None
    ran: bool = True
    stage: Stage | None = None
    memory: int | None = None
    reused: bool = False

    if TYPE_CHECKING:
        # What stands for an outcome or a stage is taken as well as these themselves, which the fields have in the end.
        def __init__(
            self,
            outcome: Outcome | bool | Literal["pass", "fail", "unresolved"] | None = ...,
            signature: str | None = None,
            passes: int | None = None,
            fails: int | None = None,
            metric: float | None = None,
            seconds: float | None = None,
            cost: float | None = None,
            signals: Any = None,
            note: str | None = None,
            started: float | None = None,
            ended: float | None = None,
            output: str | None = None,
            ran: bool = True,
            stage: Stage | Literal["patch", "parse", "setup", "configure", "build", "test", "control"] | None = None,
            memory: int | None = None,
            reused: bool = False,
        ) -> None: ...

    def __post_init__(self) -> None:
        for argument in ("passes", "fails", "memory"):
            count = getattr(self, argument)
            if count is not None:
                object.__setattr__(self, argument, check_count(argument, count, 0))
        object.__setattr__(self, "outcome", Outcome(self._outcome_name()))
        if self.stage is not None:
            object.__setattr__(self, "stage", Stage(_native.stage_name(self.stage)))

    def _outcome_name(self) -> str:
        if self.outcome is not _BY_COUNTS:
            return _native.outcome_name(self.outcome)
        if self.passes is None and self.fails is None:
            raise InvalidArgumentError("outcome: it is missing; give one, or counts (passes, fails)")
        return _native.counted_outcome(self.passes or 0, self.fails or 0)

    @classmethod
    def of(cls, answer: Answer) -> Observation:
        """The observation that an answer stands for.

        Raises:
            InvalidArgumentError: It stands for none.
        """
        return answer if isinstance(answer, Observation) else Observation(Outcome(_native.outcome_name(answer)))

    @classmethod
    def from_json(cls: type[Self], text: str) -> Self:
        """The observation in a JSON object, as the core writes it.

        Raises:
            InvalidArgumentError: The text is none.
        """
        checked_text("text", text)
        try:
            return cls._as_written(json.loads(text))
        except (ValueError, LookupError, TypeError):
            raise InvalidArgumentError(
                f"text: {shortened(text)} is not valid; expected an observation as a JSON object"
            ) from None

    @classmethod
    def _as_written(cls: type[Self], given: Mapping[str, Any]) -> Self:
        """The observation of fields that the core wrote: nothing in them has to be looked at again."""
        seen = cls.__new__(cls)
        seen.__dict__.update(_NOTHING_ELSE)
        seen.__dict__.update(given)
        seen.__dict__["outcome"] = _OUTCOMES[given["outcome"]]
        if "stage" in given:
            seen.__dict__["stage"] = Stage(given["stage"])
        return seen

    def __bool__(self) -> bool:
        raise TypeError(
            "an Observation is neither true nor false; look at its outcome, as in "
            "`oracle(revision).outcome is Outcome.PASS`"
        )

    def __str__(self) -> str:
        extra = [
            f"{name} {value}" for name, value in (("passes", self.passes), ("fails", self.fails)) if value is not None
        ]
        extra += [f"stage {self.stage}"] if self.stage not in (None, Stage.TEST) else []
        extra += [f"{name} {value!r}" for name, value in (("signature", self.signature), ("note", self.note)) if value]
        return f"{self.outcome} ({', '.join(extra)})" if extra else str(self.outcome)


_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
_NOTHING_ELSE = {field.name: field.default for field in fields(Observation) if field.name != "outcome"}


@dataclass(frozen=True, kw_only=True, repr=False)
class RevisionObservation(Observation):
    """An observation with the revision that it is about.

    Attributes:
        revision: The revision.
        probe: The id of the probe that it answered; None if it was known without being asked.
    """

    revision: str
    probe: int | None


@dataclass(frozen=True, kw_only=True, repr=False)
class SubsetObservation(Observation):
    """An observation with the set of items that it is about.

    Attributes:
        set: The indices of the items in short: `"0-3,7"` stands for 0, 1, 2, 3 and 7.
        probe: The id of the probe that it answered; None if it was known without being asked.
    """

    set: str
    probe: int | None

    @classmethod
    def _as_written(cls: type[Self], given: Mapping[str, Any]) -> Self:
        seen = {**given}
        return super()._as_written({"set": seen.pop("changes"), **seen})

    @property
    def changes(self) -> tuple[int, ...]:
        """The indices of the items, ascending."""
        ends = (run.split("-") for run in self.set.split(",") if run)
        return tuple(index for run in ends for index in range(int(run[0]), int(run[-1]) + 1))


@dataclass(frozen=True, kw_only=True, repr=False)
class PortObservation(Observation):
    """An observation with what it is about.

    Attributes:
        revision: The revision.
        set: The indices of the changes on it in short (`"0-3,7"`); None for the revision as it is.
        universe: The number of the read that they are changes of; None without changes.
        probe: The id of the probe that it answered; None if it was known without being asked.
    """

    revision: str
    set: str | None = None
    universe: int | None = None
    probe: int | None = None

    @classmethod
    def _as_written(cls: type[Self], given: Mapping[str, Any]) -> Self:
        seen = {**given}
        return super()._as_written({"set": seen.pop("changes", None), "universe": None, **seen})


Answer: TypeAlias = "Outcome | Observation | bool | Literal['pass', 'fail', 'unresolved'] | None"
"""What an oracle may return."""

Oracle: TypeAlias = "Callable[[str], Answer]"
"""Does this revision pass?"""

AsyncOracle: TypeAlias = "Callable[[str], Awaitable[Answer]]"
"""The same as a coroutine."""
