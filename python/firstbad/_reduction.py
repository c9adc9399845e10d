"""The shared code of searches among sets of items or changes of a patch."""

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
"""Some of the items in their original order: a list or a patch."""

Self = TypeVar("Self", bound="Reduction[Any, Any]")


class Reduction(Search[Report, Kept]):
    """A search among sets of items or changes of a patch. The oracle gets the kept items in their original order."""

    __slots__ = ("_items",)

    _items: list[Any] | Patch | _native.Text

    def _open(self, items: Iterable[Any] | Patch | _native.Text, options: Mapping[str, Any]) -> None:
        check(options, self._options)
        self._items = _taken(items)
        self._core = _native.open(self._algorithm, len(self._items), self._completed(encoded(options)))

    def _completed(self, options: str) -> str:
        """Returns the options as JSON, with the tree and dependencies of a patch."""
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
        """Tells an outcome of a set that the search did not ask for. It costs no run.

        Args:
            indices: The items of the set.
            outcome: The outcome of the set.

        Raises:
            NonDeterministicError: If the set already has another outcome. The search keeps the first one.
            InvalidArgumentError: If an index is out of range or occurs twice, or `outcome` is not an outcome.
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
            raise NotReproducedError(json.loads(_native.spelled(self._core.report()))["message"])

    def _picked(self, indices: Iterable[int]) -> Any:
        """Returns the items with these indices."""
        items = self._items
        return (
            items.subset(indices) if isinstance(items, (Patch, _native.Text)) else [items[index] for index in indices]
        )


def _taken(items: Iterable[Any] | Patch | _native.Text) -> list[Any] | Patch | _native.Text:
    """Returns the items as a new list, so that the indices stay valid."""
    if isinstance(items, (Patch, _native.Text)):
        return items
    if not isinstance(items, Iterable):
        raise InvalidArgumentError(
            f"items: {items!r} ({type(items).__name__}) is not valid; expected something to iterate over, or a Patch"
        )
    return list(items)
