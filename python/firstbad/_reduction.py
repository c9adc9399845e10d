"""What all reductions have in common: they search among sets of items, or of a patch's changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from firstbad import _native
from firstbad._arguments import checked_text
from firstbad._digest import digest
from firstbad._errors import InvalidArgumentError, NotReproducedError
from firstbad._options import encoded
from firstbad._patch import Patch
from firstbad._search import Report, Search
from firstbad._shown import check

if TYPE_CHECKING:
    from firstbad._observation import Answer

__all__ = [
    "Kept",
    "Reduction",
]

Kept = TypeVar("Kept")
"""Some of the items in their original order: a list, or a patch."""

Self = TypeVar("Self", bound="Reduction[Any, Any]")


class Reduction(Search[Report, Kept]):
    """A search among sets of items, or of a patch's changes; callbacks get what is kept, in its original order."""

    __slots__ = ("_items",)

    _items: list[Any] | Patch | _native.Text

    def _open(self, items: Iterable[Any] | Patch | _native.Text, options: Mapping[str, Any]) -> None:
        check(options, self._options)
        self._items = _taken(items)
        self._core = _native.open(self._algorithm, len(self._items), self._completed(encoded(options)))

    def _completed(self, options: str) -> str:
        """The options, as JSON, with what the items say themselves: of a patch its tree and its dependencies."""
        if isinstance(self._items, Patch):
            return _native.options_in_patch(options, self._items._core, "lines")
        return options

    @classmethod
    def restore(cls: type[Self], items: Iterable[Any] | Patch, snapshot: str) -> Self:
        """Returns the search of a snapshot, including probes in flight. A snapshot does not contain the items.

        Raises:
            SnapshotError: If the text is not a snapshot of this kind of search, or the number of items differs.
        """
        search = cls.__new__(cls)
        search._items = _taken(items)
        search._core = _native.restore(cls._algorithm, len(search._items), checked_text("snapshot", snapshot))
        return search

    def observe(self, indices: Iterable[int], outcome: Answer) -> None:
        """Tells something known about a set of items that was never asked. It is no query.

        Args:
            indices: The items of the set.
            outcome: Whether they have the property.

        Raises:
            NonDeterministicError: The set is known to be otherwise; the first answer is kept.
            InvalidArgumentError: An index that no item has, or that is given twice; the answer is none.
        """
        self._core.observe(indices, outcome)

    def enqueue(self, indices: Iterable[int]) -> None:
        """Moves a set of items to the front of the queue.

        Raises:
            InvalidArgumentError: If an index is out of range or occurs twice.
        """
        self._core.enqueue(indices)

    def _given(self, probe: _native.Probe) -> Kept:
        kept: Any = self._picked(probe.changes or ()) if isinstance(self._items, Patch) else probe.pick(self._items)  # type: ignore[arg-type]
        return kept  # type: ignore[no-any-return]

    def _digest(self) -> str | None:
        return digest(self._items)

    def _check_ending(self) -> None:
        if self.status == "not_reproduced":
            raise NotReproducedError(json.loads(self._core.report())["message"])

    def _picked(self, indices: Iterable[int]) -> Any:
        """The items with these indices."""
        items = self._items
        return (
            items.subset(indices) if isinstance(items, (Patch, _native.Text)) else [items[index] for index in indices]
        )


def _taken(items: Iterable[Any] | Patch | _native.Text) -> list[Any] | Patch | _native.Text:
    """The items as a list of our own, for the indices are to stay true."""
    if isinstance(items, (Patch, _native.Text)):
        return items
    if not isinstance(items, Iterable):
        raise InvalidArgumentError(
            f"items: {items!r} ({type(items).__name__}) is not valid; expected something to iterate over, or a Patch"
        )
    return list(items)
