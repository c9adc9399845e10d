"""What reductions answer."""

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
"""How many items a card shows, and so many characters of each."""
_LONG = 1_000
Kept = TypeVar("Kept", covariant=True)


class ReductionReport(Words, Generic[Kept]):
    """What all reductions answer."""

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
        """A report that was written as JSON: by `to_json`, or with `--json` by the command line, or by the core.

        Args:
            text: The report.
            pick: Gives the items of indices, which are all that is written: `patch.subset` of a patch, `list` for the
                indices themselves.

        Raises:
            InvalidArgumentError: The text is no such report.
        """
        return cls._picked(cls._read(text), pick)

    @classmethod
    def _picked(cls, text: str, pick: Callable[[Iterable[int]], Any]) -> Self:
        """Returns the report that the core wrote, with the items that it keeps."""
        return cls._written(text, items=pick(json.loads(text)[cls._indices]))

    _source: ClassVar[Any] = None
    """What was reduced; None once the report was copied, pickled or written down."""

    def _made_of(self, items: Any) -> Self:
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
class MinimizeReport(ReductionReport[Kept], MinimizeFields):
    """The smallest set of items that still has the property, final or the best so far.

    Attributes:
        items: What is kept: a list of items in their original order; of a `Patch`, a `Patch`.
    """

    items: Kept

    _algorithm: ClassVar[str] = "minimize"
    _indices: ClassVar[str] = "kept"


@dataclass(frozen=True, repr=False, kw_only=True)
class IsolateReport(ReductionReport[Kept], IsolateFields):
    """Two sets as near to each other as was found: one has the property, the other one, within it, has it not.

    Attributes:
        items: The items that make the difference, in their original order; of a `Patch` a `Patch`, with those that can
            stand alone.
    """

    items: Kept

    _algorithm: ClassVar[str] = "isolate"
    _indices: ClassVar[str] = "difference"
