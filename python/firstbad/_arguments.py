"""Arguments that may be one thing or several."""

from __future__ import annotations

import os
from collections.abc import Iterable
from operator import index
from typing import SupportsIndex

from firstbad._errors import InvalidArgumentError

__all__ = ["check_count", "checked_path", "given", "names"]


def names(argument: str, given: str | Iterable[str] | None) -> list[str]:
    """One id, several, or none, as a list.

    Raises:
        InvalidArgumentError: Something in it is no text.
    """
    if given is None:
        return []
    if isinstance(given, str):
        return [given]
    if isinstance(given, Iterable):
        found = list(given)
        wrong = next((name for name in found if not isinstance(name, str)), None)
        if wrong is None:
            return found
        given = wrong
    raise InvalidArgumentError(
        f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected one id, or several, that are str"
    )


def given(argument: str, given: str | Iterable[str] | None) -> list[str] | None:
    """The same, where none and an empty list are not one."""
    return None if given is None else names(argument, given)


def check_count(argument: str, given: int, least: int) -> int:
    """A whole number of at least `least`; other libraries' integers are as good.

    Raises:
        InvalidArgumentError: It is something else.
    """
    if isinstance(given, SupportsIndex) and not isinstance(given, bool):
        number = index(given)
        if number >= least:
            return number
    raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected a whole number, {least} or above")


def checked_path(argument: str, path: str | os.PathLike[str]) -> str:
    """A path as text.

    Raises:
        InvalidArgumentError: It is none.
    """
    if isinstance(path, (str, os.PathLike)):
        found = os.fspath(path)
        if isinstance(found, str):
            return found
    raise InvalidArgumentError(f"{argument}: {path!r} ({type(path).__name__}) is not valid; expected a path")
