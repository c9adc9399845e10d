"""The reports of reductions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from firstbad import _native
from firstbad._generated.reports import Guarantee, IsolateFields, MinimizeFields, Status
from firstbad._patch import Patch
from firstbad._words import Words

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["IsolateReport", "MinimizeReport"]

_SHOWN = 200
"""The maximum number of items in a card."""
_LONG = 1_000
Kept = TypeVar("Kept", covariant=True)


class ReductionReport(Words, Generic[Kept]):
    """The result of any reduction."""

    __slots__ = ()

    status: Status
    message: str
    guarantee: Guarantee
    runs: int
    items: Kept

    _indices: ClassVar[str]
    """The field with the indices of the items."""

    @classmethod
    def from_json(cls, text: str, pick: Callable[[Iterable[int]], Kept]) -> Self:
        """Reads a report from JSON, written by `to_json` of any front end or by the command line with `--json`.

        Args:
            text: The report.
            pick: A function that returns the items for indices, because a report contains only indices. Pass
                `patch.subset` for a patch, or `list` for the indices themselves.

        Raises:
            InvalidArgumentError: If the text is not a report of this kind.
        """
        return cls._picked(cls._read(text), pick)

    @classmethod
    def _picked(cls, text: str, pick: Callable[[Iterable[int]], Any]) -> Self:
        """Returns the report that the core wrote, with the items that it keeps."""
        return cls._written(text, items=pick(json.loads(text)[cls._indices]))

    _source: ClassVar[Any] = None
    """The items before the reduction, or None after the report was copied, pickled, or written."""

    def _made_of(self, items: Any) -> Self:
        """Attaches the items to the report, and returns the report."""
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
class MinimizeReport(ReductionReport[Kept], MinimizeFields):
    """The smallest set of items that still has the property, final or the best so far.

    Attributes:
        items: The kept items: a list in the original order, or a `Patch` if a `Patch` was reduced.
    """

    items: Kept

    _algorithm: ClassVar[str] = "minimize"
    _indices: ClassVar[str] = "kept"


@dataclass(frozen=True, repr=False, kw_only=True)
class IsolateReport(ReductionReport[Kept], IsolateFields):
    """The smallest difference found between a set with a property and a subset without it.

    Attributes:
        items: The items of the difference in their original order, or a `Patch` if a `Patch` was reduced. The patch
            omits changes that cannot stand alone.
    """

    items: Kept

    _algorithm: ClassVar[str] = "isolate"
    _indices: ClassVar[str] = "difference"
