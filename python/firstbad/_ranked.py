"""The base class of rankings, which are changes with numbers, best first."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Protocol, overload

from firstbad._arguments import check_count
from firstbad._card import Card

__all__ = ["Ranked"]


class _Core(Protocol):
    """A ranking of the native module."""

    def __len__(self) -> int: ...
    def json(self) -> str: ...
    def text(self, most: int) -> str: ...
    def markdown(self, most: int) -> str: ...


class Ranked(Card, Sequence["tuple[str, float]"]):
    """A sequence of `(change, number)` pairs, best first, that equals the list of them."""

    __slots__ = ("__dict__", "_core")

    _number: ClassVar[str]
    """The field with the number of a change."""
    _kind: ClassVar[Any]
    """The class in the native module."""

    _core: Any

    def __init__(self, native: _Core) -> None:
        self._core = native

    @cached_property
    def _json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._core.json())
        return found

    @cached_property
    def _pairs(self) -> list[tuple[str, float]]:
        return [(suspect["change"], suspect[self._number]) for suspect in self._json["suspects"]]

    @property
    @abstractmethod
    def message(self) -> str:
        """The ranking in one or two sentences."""

    def to_text(self, most: int = 20) -> str:
        """Returns the first `most` suspects and their reasons as plain text."""
        text: str = self._core.text(check_count("most", most, 0))
        return text

    def to_markdown(self, most: int = 20) -> str:
        """Returns the first `most` suspects and their reasons as Markdown."""
        text: str = self._core.markdown(check_count("most", most, 0))
        return text

    def _card(self) -> str:
        card: str = self._core.card()
        return card

    def to_json(self) -> str:
        """Returns the ranking as a JSON object, which is the same in every language."""
        text: str = self._core.json()
        return text

    @overload
    def __getitem__(self, index: int) -> tuple[str, float]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[str, float]]: ...
    def __getitem__(self, index: int | slice) -> tuple[str, float] | list[tuple[str, float]]:
        return self._pairs[index]

    def __len__(self) -> int:
        return len(self._core)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return iter(self._pairs)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Ranked):
            return bool(self._core == other._core)
        return self._pairs == list(other) if isinstance(other, (list, tuple)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.to_json())

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.message}>"

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def _again(kind: type[Ranked], text: str) -> Ranked:
    return kind(kind._kind.parse(text))
