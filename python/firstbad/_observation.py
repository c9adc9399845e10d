"""The results of an oracle: `Outcome` and `Observation`."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Literal, SupportsFloat, TypeAlias, TypeVar

from firstbad import _native
from firstbad._arguments import check_count, checked_text
from firstbad._errors import InvalidArgumentError
from firstbad._lean import Lean

__all__ = [
    "Answer",
    "AsyncMeasure",
    "AsyncOracle",
    "AsyncSuiteCallback",
    "Measure",
    "Measured",
    "Observation",
    "Oracle",
    "Outcome",
    "PortObservation",
    "RevisionObservation",
    "Stage",
    "SubsetObservation",
    "SuiteAnswer",
    "SuiteCallback",
    "SuiteObservation",
    "TestAnswer",
    "TestResult",
]


class Outcome(str, Enum):
    """The outcome of a test. Unresolved is not a failure.

    Functions also take a boolean (True is pass), None (unresolved), or the name. An outcome has no truth value, so
    compare it: `outcome is Outcome.PASS`.
    """

    PASS = "pass"
    """The test passed ("valid" in RPA, Definition 1)."""
    FAIL = "fail"
    """The test failed."""
    UNRESOLVED = "unresolved"
    """The test did not decide: a failed build, a missing dependency, or a timeout (git bisect's skip)."""

    def __str__(self) -> str:
        return self.value

    def __bool__(self) -> bool:
        raise TypeError("an Outcome is neither true nor false. Compare it, as in `outcome is Outcome.PASS`")


class Stage(str, Enum):
    """A stage of a test, in order. Functions also take its name.

    Artho, "Iterative Delta Debugging", Section 5.1.
    """

    PATCH = "patch"
    """A patch is applied to the revision."""
    PARSE = "parse"
    """A patched file is parsed. If it does not parse, nothing runs."""
    SETUP = "setup"
    """The requirements are prepared: submodules and a setup command."""
    CONFIGURE = "configure"
    """The build is configured."""
    BUILD = "build"
    """The build runs."""
    TEST = "test"
    """The test runs."""
    CONTROL = "control"
    """A second command runs after a failed test. The failure counts only if it passes."""

    def __str__(self) -> str:
        return self.value


class _ByCounts:
    """No outcome is given, so the counts determine it."""

    def __repr__(self) -> str:
        return "<by the counts>"


_BY_COUNTS: Any = _ByCounts()

Self = TypeVar("Self", bound="Observation")


class _Counted:
    """An outcome with counts."""

    outcome: Outcome
    passes: int | None
    fails: int | None

    def _check_counts(self, *arguments: str) -> None:
        for argument in arguments:
            count = getattr(self, argument)
            if count is not None:
                object.__setattr__(self, argument, check_count(argument, count, 0))

    def _is_measured(self) -> bool:
        """Returns whether there is a number, so that the outcome is a pass by default."""
        return False

    def _outcome_name(self) -> str:
        if self.outcome is not _BY_COUNTS:
            return _native.outcome_name(self.outcome)
        if self.passes is None and self.fails is None:
            if self._is_measured():
                return Outcome.PASS.value
            raise InvalidArgumentError("outcome: no value is given\nhelp: pass an outcome, or counts (passes, fails)")
        return _native.counted_outcome(self.passes or 0, self.fails or 0)


@dataclass(frozen=True, repr=False)
class TestResult(_Counted, Lean):
    """The result of one test in an observation of several tests. Only `outcome` or counts are required.

    Attributes:
        outcome: The outcome, converted from a boolean, None or a name. Default: derived from the counts.
        signature: A text that identifies the failure. It orders the work and is never a verdict.
        seconds: The duration of the test, in seconds.
        passes: The number of passed runs, if the test ran several times.
        fails: The number of failed runs, if the test ran several times.

    Raises:
        InvalidArgumentError: If the outcome or a count is invalid, or neither an outcome nor counts are given.
    """

    __test__ = False  # pytest must not collect the class

    outcome: Outcome = _BY_COUNTS
    signature: str | None = None
    seconds: float | None = None
    passes: int | None = None
    fails: int | None = None

    if TYPE_CHECKING:

        def __init__(
            self,
            outcome: Outcome | bool | Literal["pass", "fail", "unresolved"] | None = ...,
            signature: str | None = None,
            seconds: float | None = None,
            passes: int | None = None,
            fails: int | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        self._check_counts("passes", "fails")
        object.__setattr__(self, "outcome", Outcome(self._outcome_name()))

    @classmethod
    def of(cls, answer: TestAnswer) -> TestResult:
        """Returns the result for an outcome of a test.

        Raises:
            InvalidArgumentError: If the value is not an outcome.
        """
        if isinstance(answer, TestResult):
            return answer
        if isinstance(answer, Observation):
            return cls(answer.outcome, answer.signature, answer.seconds, answer.passes, answer.fails)
        return cls(Outcome(_native.outcome_name(answer)))

    @classmethod
    def _as_written(cls, given: Mapping[str, Any]) -> TestResult:
        """Returns the result of fields from the core."""
        return cls(**given)

    def __bool__(self) -> bool:
        raise TypeError("a TestResult is neither true nor false. Compare its outcome")


@dataclass(frozen=True, repr=False)
class Observation(_Counted, Lean):
    """An outcome with its details. Only `outcome`, counts, or a number are required.

    An observation has no truth value: `if oracle(revision)` raises TypeError.

    Attributes:
        outcome: The outcome, converted from a boolean, None or a name. Default: derived from the counts. Only passes
            are a pass, only fails are a failure, and other counts are unresolved for searches that do not count. With
            a number and without counts, the default is a pass.
        signature: A text that identifies the failure. A failure with another signature than the one searched for is
            unresolved.
        passes: The number of passed runs, if the test ran several times.
        fails: The number of failed runs, if the test ran several times.
        metric: A measured number, in any unit.
        seconds: The duration of the test, in seconds.
        cost: The cost of the test, in the unit of `Budget.cost`.
        signals: Additional facts, as any JSON value.
        note: A note for people, such as why the outcome is unresolved.
        started: The start of the test, in seconds on any clock that all observations of a search share.
        ended: The end of the test, on the same clock.
        output: The file with the output of the test.
        ran: Whether the test ran. An outcome without a run does not count toward a budget.
        stage: The stage at which the test did not pass, converted from a name, or None if it is unknown.
        memory: The peak resident memory of a process of the test, in bytes.
        reused: Whether the test reused build results of an earlier run in the same worktree.
        results: The result of each test by its id, if the search tests several tests at once, converted from outcomes.
            A missing test is unresolved. By default, the outcome is a failure if a test fails, and a pass if a test
            passes and none fails.
        censored: Whether `metric` is only a limit that the measurement exceeded, such as the timeout of a benchmark.
        control: The number that the same run measured at a good revision, in a search with `paired=True`.
        metrics: The measured numbers by name, if the search has several metrics.

    Raises:
        InvalidArgumentError: If the outcome, a count or the stage is invalid, or no outcome, count or number is given.

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
    results: Mapping[str, TestResult] | None = field(default=None, hash=False)
    censored: bool = False
    control: float | None = None
    metrics: Mapping[str, float] | None = field(default=None, hash=False)

    if TYPE_CHECKING:
        # Arguments can be values that stand for an outcome or a stage. The fields contain an `Outcome` and a `Stage`.
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
            results: Mapping[str, TestAnswer] | None = None,
            censored: bool = False,
            control: float | None = None,
            metrics: Mapping[str, float] | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        self._check_counts("passes", "fails", "memory")
        if self.results is not None:
            self._take(self.results)
        object.__setattr__(self, "outcome", Outcome(self._outcome_name()))
        if self.stage is not None:
            object.__setattr__(self, "stage", Stage(_native.stage_name(self.stage)))

    def _is_measured(self) -> bool:
        return self.metric is not None or self.metrics is not None

    def _take(self, results: Mapping[str, Any]) -> None:
        """Takes the results of several tests, and by default their outcome and stage."""
        outcome, stage = _native.outcome_of_results(results)
        object.__setattr__(self, "results", {id: TestResult.of(one) for id, one in results.items()})
        if self.outcome is _BY_COUNTS and self.passes is None and self.fails is None:
            object.__setattr__(self, "outcome", outcome)
            object.__setattr__(self, "stage", self.stage or stage)

    @classmethod
    def of(cls, answer: SuiteAnswer) -> Observation:
        """Returns the observation for a result of an oracle.

        Raises:
            InvalidArgumentError: If the result is not an outcome.
        """
        if isinstance(answer, Mapping):
            return Observation(results=answer)
        return answer if isinstance(answer, Observation) else Observation(Outcome(_native.outcome_name(answer)))

    @classmethod
    def from_json(cls: type[Self], text: str) -> Self:
        """Reads an observation from a JSON object.

        Raises:
            InvalidArgumentError: If the text is not an observation.
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
        """Returns the observation of fields from the core, without checks."""
        seen = cls.__new__(cls)
        seen.__dict__.update(_NOTHING_ELSE)
        seen.__dict__.update(given)
        seen.__dict__["outcome"] = _OUTCOMES[given["outcome"]]
        if "stage" in given:
            seen.__dict__["stage"] = Stage(given["stage"])
        if "results" in given:
            seen.__dict__["results"] = {id: TestResult._as_written(one) for id, one in given["results"].items()}
        return seen

    def __bool__(self) -> bool:
        raise TypeError(
            "an Observation is neither true nor false. Compare its outcome, as in "
            "`oracle(revision).outcome is Outcome.PASS`"
        )

    def __str__(self) -> str:
        numbers = (("passes", self.passes), ("fails", self.fails), ("metric", self.metric))
        extra = [f"{name} {value}" for name, value in numbers if value is not None]
        if self.results:
            failed = sum(one.outcome is Outcome.FAIL for one in self.results.values())
            extra.append(f"{failed} of {len(self.results)} tests fail")
        extra += [f"stage {self.stage}"] if self.stage not in (None, Stage.TEST) else []
        extra += [f"{name} {value!r}" for name, value in (("signature", self.signature), ("note", self.note)) if value]
        return f"{self.outcome} ({', '.join(extra)})" if extra else str(self.outcome)


_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
_NOTHING_ELSE = {field.name: field.default for field in fields(Observation) if field.name != "outcome"}


@dataclass(frozen=True, kw_only=True, repr=False)
class RevisionObservation(Observation):
    """An observation with its revision.

    Attributes:
        revision: The revision.
        probe: The id of the probe, or None if the outcome was told without a probe.
    """

    revision: str
    probe: int | None


@dataclass(frozen=True, kw_only=True, repr=False)
class SuiteObservation(RevisionObservation):
    """An observation with the revision and the tests that it is about.

    Attributes:
        set: The tests that were asked, as indices in short form, in the order in which the search found the failing
            tests. Empty for a build, and None for the whole suite.
    """

    set: str | None = None

    @classmethod
    def _as_written(cls: type[Self], given: Mapping[str, Any]) -> Self:
        seen = {**given}
        return super()._as_written({"set": seen.pop("tests", None), **seen})


@dataclass(frozen=True, kw_only=True, repr=False)
class SubsetObservation(Observation):
    """An observation with its set of items.

    Attributes:
        set: The indices of the items in short form: `"0-3,7"` is 0, 1, 2, 3, and 7.
        probe: The id of the probe, or None if the outcome was told without a probe.
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
    """An observation with its target.

    Attributes:
        revision: The revision.
        set: The changes in short form (`"0-3,7"`), or None for the unchanged revision.
        universe: The id of the read whose changes they are, or None without changes.
        probe: The id of the probe, or None if the outcome was told without a probe.
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
"""A value that an oracle can return."""

Oracle: TypeAlias = "Callable[[str], Answer]"
"""A function that tests a revision."""

TestAnswer: TypeAlias = "Answer | TestResult"
"""An outcome of one test."""

SuiteAnswer: TypeAlias = "Answer | Mapping[str, TestAnswer]"
"""A value that an oracle of several tests can return: outcomes by test, or one outcome of all tests."""

SuiteCallback: TypeAlias = "Callable[[str, tuple[str, ...] | None], SuiteAnswer]"
"""A function that runs tests of a revision: all tests if the second argument is None."""

AsyncSuiteCallback: TypeAlias = "Callable[[str, tuple[str, ...] | None], Awaitable[SuiteAnswer]]"
"""A coroutine function that runs tests of a revision."""

AsyncOracle: TypeAlias = "Callable[[str], Awaitable[Answer]]"
"""A coroutine function that tests a revision."""

Measured: TypeAlias = "SupportsFloat | Mapping[str, SupportsFloat | None] | Observation | None"
"""A value that a function of a search for a change can return: a number, None (unresolved), or an Observation.

If the search has several metrics, numbers by name.
"""

Measure: TypeAlias = "Callable[[str], Measured]"
"""A function that measures a revision."""

AsyncMeasure: TypeAlias = "Callable[[str], Awaitable[Measured]]"
"""A coroutine function that measures a revision."""
