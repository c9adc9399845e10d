"""What all reductions have in common: they search among sets of items, or of a patch's changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, TypeVar

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
    from firstbad._tally import RateLike

__all__ = [
    "REDUCTION",
    "DepthOptions",
    "Keep",
    "Kept",
    "Needs",
    "OutcomeOptions",
    "PropertyOptions",
    "Reduction",
    "ReductionOptions",
]

Kept = TypeVar("Kept")
"""Some of the items in their original order: a list, or a patch."""

Self = TypeVar("Self", bound="Reduction[Any, Any]")

Needs: TypeAlias = "Mapping[int, Iterable[int | Iterable[int]]]"
"""By index, the indices of what an item needs; a list among them means any one of its members."""

Keep: TypeAlias = Literal["pass", "fail"]
"""Which outcome means that the property holds."""


class PropertyOptions(TypedDict, total=False):
    """What every reduction can be told about the property.

    Attributes:
        dependencies: By index, the indices of what an item needs, all of it; a list among them means any one of its
            members. A set without what its items need is never asked, and items that need each other stay together. By
            default no item needs another.
        monotone: Whether what has the property has it with any further item, too: then nothing is asked that follows.
            By default not.
        confidence: If answers may be wrong: how sure the result is to be, at least 0.5 and below 1; sets are then asked
            until they are sure. By default every answer is trusted.
        flake_rate: With a `confidence`: how often a set that has the property is seen without it: a rate in [0, 1),
            counts of past runs, or `"estimate"`, the default.
        false_pass_rate: With a `confidence`: how often a set that has not the property is seen with it, in the forms of
            `flake_rate`; by default it is estimated.
        signature: With `keep="fail"`: the failure to be kept, others count as unresolved. By default the one seen
            first.
    """

    dependencies: Needs | None
    monotone: bool
    confidence: float | None
    flake_rate: RateLike
    false_pass_rate: RateLike
    signature: str | None


class OutcomeOptions(TypedDict, total=False):
    """Which outcome is kept.

    Attributes:
        keep: Which outcome means that the property holds: `"pass"`, the default, or `"fail"` if an oracle is asked.
    """

    keep: Keep


class DepthOptions(TypedDict, total=False):
    """How far to go down a tree of items.

    Attributes:
        depth: How many levels of the tree to go through, at least 1: what lies deeper stays together. By default all;
            entries of the tree times levels may be 2^24 at most.
    """

    depth: int | None


class ReductionOptions(PropertyOptions, OutcomeOptions, DepthOptions, total=False):
    """What every reduction of items can be told before it starts.

    Attributes:
        parents: The tree that the items form: for each the index of its parent, or none. Indices from the number of
            items on are groups, which are no items themselves. The tree is gone through from the top, level by level,
            and an item goes with its parent. By default there is no tree.
    """

    parents: Iterable[int | None] | None


REDUCTION = (PropertyOptions, OutcomeOptions, DepthOptions, ReductionOptions)
"""What declares the options that all reductions of items have."""


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
        """The search that a snapshot was taken of, probes in flight included. The items are not in the snapshot.

        Raises:
            SnapshotError: The text is no snapshot of this kind of search, or was taken with another number of items.
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
        """Puts a set of items at the head of what is asked next.

        Raises:
            InvalidArgumentError: An index that no item has, or that is given twice.
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
