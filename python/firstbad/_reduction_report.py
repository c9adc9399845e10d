"""What reductions answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from firstbad import _native
from firstbad._observation import Observation
from firstbad._patch import Patch
from firstbad._status import Status
from firstbad._words import Words

__all__ = ["SubsetObservation", "Guarantee", "IsolateReport", "MinimizeReport"]

_SHOWN = 200
"""How many items a card shows, and so many characters of each."""
_LONG = 1_000
Kept = TypeVar("Kept", covariant=True)

Guarantee: TypeAlias = Literal["1-minimal", "fixpoint", "best so far"]
"""What is certain about a reduction's result.

`1-minimal`: without any single one of its items (or of the difference's) the property was not seen to hold, each of
which was tested. `fixpoint`: no single item can go, in a tree with all below it, if larger sets have the property
whenever smaller ones have it; else, and in a text, single ones may still go. `best so far`: the search was ended early.
"""


@dataclass(frozen=True, kw_only=True, repr=False)
class SubsetObservation(Observation):
    """An observation with the set of items that it is about.

    Attributes:
        set: The indices of the items in short: `"0-3,7"` stands for 0, 1, 2, 3 and 7.
        probe: The id of the probe that it answered; None if it was known without being asked.
    """

    set: str
    probe: int | None

    @property
    def changes(self) -> tuple[int, ...]:
        """The indices of the items, ascending."""
        ends = (run.split("-") for run in self.set.split(",") if run)
        return tuple(index for run in ends for index in range(int(run[0]), int(run[-1]) + 1))


@dataclass(frozen=True, repr=False, kw_only=True)
class ReductionReport(Words, Generic[Kept]):
    """What all reductions answer.

    Attributes:
        status: Where the search stands.
        message: The same in one sentence, for people.
        items: The items that matter, in their original order; of a `Patch`, a `Patch`.
        guarantee: What is certain about them.
        runs: How many answers came from the oracle.
        observations: Everything that was seen, in the order told.
        warnings: Warnings about the result, in sentences.
    """

    status: Status
    message: str
    items: Kept
    guarantee: Guarantee
    runs: int
    observations: tuple[SubsetObservation, ...]
    warnings: tuple[str, ...]
    _text: str = field(default="", repr=False, compare=False)

    @property
    def runs(self) -> int:
        """How often the callback answered: `runs`."""
        return self.runs

    _source: ClassVar[Any] = None
    """What was reduced; None once the report was copied, pickled or written down."""

    def _made_of(self, items: Any) -> Any:
        """The very same report, of these items."""
        object.__setattr__(self, "_source", items)
        return self

    def _card(self) -> str:
        if not self._text:
            return ""
        source = self._source
        if isinstance(source, Patch):
            return _native.reduction_card(self._algorithm, self._text, patch=source._core)
        if source is None:
            return _native.reduction_card(self._algorithm, self._text)
        if isinstance(source, _native.Text):
            return _native.reduction_card(self._algorithm, self._text, source=source)
        kept: Any = islice(self.items, _SHOWN)  # type: ignore[call-overload]
        left = [repr(item)[:_LONG] for item in kept]
        return _native.reduction_card(self._algorithm, self._text, left=(len(source), left))

    def _known(self) -> dict[str, Any]:
        return {"text": str(self.items)} if isinstance(self.items, Patch) else {}

    def __repr__(self) -> str:
        runs = f"{self.runs} {'run' if self.runs == 1 else 'runs'}"
        return f"<{type(self).__name__}: {self.status} after {runs} ({self.guarantee}): {self.message}>"


@dataclass(frozen=True, repr=False, kw_only=True)
class MinimizeReport(ReductionReport[Kept]):
    """The smallest set of items that still has the property, final or the best so far.

    Attributes:
        status: Where the search stands: `found`, `not_reproduced` (the property does not hold for all items together),
            `budget`, `stopped` or `running`.
        message: The same in one sentence, for people.
        items: What is kept: a list of items in their original order; of a `Patch`, a `Patch`.
        kept: The indices of the items that are kept, ascending.
        guarantee: What is certain about them.
        runs: How many answers came from the oracle.
        observations: Everything that was seen, in the order told.
        warnings: Warnings about the result, in sentences.
    """

    kept: tuple[int, ...]

    _algorithm: ClassVar[str] = "minimize"

    @classmethod
    def from_json(cls, text: str, pick: Callable[[Iterable[int]], Kept]) -> MinimizeReport[Kept]:
        """A report that was written as JSON: by `to_json`, or with `--json` by the command line, or by the core.

        Args:
            text: The report.
            pick: Gives the items of indices, which are all that is written: `patch.subset` of a patch, `list` for the
                indices themselves.

        Raises:
            InvalidArgumentError: The text is no such report.
        """
        return cls._written(cls._read(text), pick)

    @classmethod
    def _written(cls, text: str, pick: Callable[[Iterable[int]], Kept]) -> MinimizeReport[Kept]:
        """The report in a JSON object that the core wrote."""
        report = _read(text)
        return cls(**report, items=pick(report["kept"]), _text=text)


@dataclass(frozen=True, repr=False, kw_only=True)
class IsolateReport(ReductionReport[Kept]):
    """Two sets as near to each other as was found: one has the property, the other one, within it, has it not.

    Attributes:
        status: Where the search stands: `found`, `not_reproduced` (the property does not hold for all items together,
            or holds without any), `budget`, `stopped` or `running`.
        message: The same in one sentence, for people.
        items: The items that make the difference, in their original order; of a `Patch` a `Patch`, with those that can
            stand alone.
        difference: Their indices, ascending: what is in `kept` and not in `lacking`.
        kept: The indices of the set that has the property, ascending.
        lacking: The indices of the set that has it not, ascending: all of them in `kept`.
        guarantee: What is certain about the difference.
        runs: How many answers came from the oracle.
        observations: Everything that was seen, in the order told.
        warnings: Warnings about the result, in sentences.
    """

    difference: tuple[int, ...]
    kept: tuple[int, ...]
    lacking: tuple[int, ...]

    _algorithm: ClassVar[str] = "isolate"

    @classmethod
    def from_json(cls, text: str, pick: Callable[[Iterable[int]], Kept]) -> IsolateReport[Kept]:
        """A report that was written as JSON: by `to_json`, or with `--json` by the command line, or by the core.

        Args:
            text: The report.
            pick: Gives the items of indices, which are all that is written: `patch.subset` of a patch, `list` for the
                indices themselves.

        Raises:
            InvalidArgumentError: The text is no such report.
        """
        return cls._written(cls._read(text), pick)

    @classmethod
    def _written(cls, text: str, pick: Callable[[Iterable[int]], Kept]) -> IsolateReport[Kept]:
        """The report in a JSON object that the core wrote."""
        report = _read(text)
        return cls(**report, items=pick(report["difference"]), _text=text)


def _read(text: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(_native.spelled(text))
    report["observations"] = tuple(
        SubsetObservation._as_written({"set": seen.pop("changes"), **seen}) for seen in report["observations"]
    )
    return {name: tuple(value) if isinstance(value, list) else value for name, value in report.items()}
