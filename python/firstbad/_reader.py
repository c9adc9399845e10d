"""Readers of the content that a search requests between tests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, TypeAlias

from firstbad._errors import InvalidArgumentError

__all__ = ["AsyncReaderLike", "ReaderLike", "reading"]


class Readable(Protocol):
    """An object that returns the content for a request, such as a `Repository`."""

    def read(self, request: Mapping[str, Any], /) -> bytes:
        """Returns the content."""


ReaderLike: TypeAlias = Readable | Callable[[dict[str, Any]], bytes]
"""A repository, or a function that returns the bytes for a request of `Search.reads`."""

AsyncReaderLike: TypeAlias = "ReaderLike | Callable[[dict[str, Any]], Awaitable[bytes]]"
"""A reader, or a coroutine function."""


def reading(given: AsyncReaderLike | None) -> Callable[[dict[str, Any]], Any] | None:
    """Returns the function to call with each request, or None.

    Raises:
        InvalidArgumentError: If the value is not a reader.
    """
    if given is None or callable(given):
        return given
    read: Callable[[dict[str, Any]], bytes] | None = getattr(given, "read", None)
    if callable(read):
        return read
    raise InvalidArgumentError(
        f"reader: {given!r} is not valid; expected a Repository, or a function that takes a request and returns bytes"
    )
