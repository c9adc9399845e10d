"""The ids of a graph as a view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from firstbad import _native

__all__ = ["Ids"]

_CHUNK = 4096


class Ids(Sequence[str]):
    """A view of all ids of a commit graph, parents before children."""

    __slots__ = ("_graph",)

    def __init__(self, graph: _native.CommitGraph) -> None:
        self._graph = graph

    def __len__(self) -> int:
        return len(self._graph)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return self._graph.ids(start, max(start, stop))
            return [self[place] for place in range(start, stop, step)]
        place = range(len(self))[index]
        return self._graph.ids(place, place + 1)[0]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _CHUNK):
            yield from self._graph.ids(start, start + _CHUNK)

    def __contains__(self, id: object) -> bool:
        try:
            return isinstance(id, str) and id in self._graph
        except UnicodeEncodeError:
            return False  # no id has lone surrogates

    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        """Returns the position of an id.

        Raises:
            ValueError: If the id is not in the graph.
        """
        place = self._graph.rank(value) if value in self else None
        if place is None or place not in range(len(self))[start:stop]:
            raise ValueError(f"{value!r} is not in the commit graph")
        return place

    def count(self, value: str) -> int:
        """Returns 1 if the id is in the graph, and 0 otherwise."""
        return int(value in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(ours == theirs for ours, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # equal to lists, which have none

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:5]))
        return f"Ids([{shown}{', ...' if len(self) > 5 else ''}], {len(self)} in all)"
