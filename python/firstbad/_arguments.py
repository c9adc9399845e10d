"""What functions take, before it goes to the core: an error names the argument, and says what would be right."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable
from operator import index
from typing import Any, SupportsFloat, SupportsIndex

from firstbad import _native
from firstbad._errors import InvalidArgumentError

__all__ = [
    "check_count",
    "check_kind",
    "check_whole",
    "checked_flag",
    "checked_path",
    "checked_repository",
    "checked_seconds",
    "checked_text",
    "given",
    "names",
]


def names(argument: str, given: str | Iterable[str] | None) -> list[str]:
    """One id, several, or none, as a list.

    Raises:
        InvalidArgumentError: Something in it is no text, or no whole one.
    """
    if given is None:
        return []
    if isinstance(given, str):
        return [checked_text(argument, given)]
    if isinstance(given, Iterable):
        found = list(given)
        wrong = next((name for name in found if not isinstance(name, str)), None)
        if wrong is None:
            check_whole(argument, found)
            return found
        given = wrong
    raise InvalidArgumentError(
        f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected one id, or several, that are str"
    )


def given(argument: str, given: str | Iterable[str] | None) -> list[str] | None:
    """The same, where none and an empty list are not one."""
    return None if given is None else names(argument, given)


def check_whole(argument: str, texts: Collection[str]) -> None:
    """Refuses texts with halves of characters, which are in no other program's texts.

    Raises:
        InvalidArgumentError: The first such text is named.
    """
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        wrong = next(text for text in texts if any("\ud800" <= sign <= "\udfff" for sign in text))
        raise InvalidArgumentError(
            f"{argument}: {wrong!r} is not valid; expected a string without lone surrogates"
        ) from None


def checked_text(argument: str, given: str, expected: str = "a text, as str") -> str:
    """A text.

    Raises:
        InvalidArgumentError: It is none, or no whole one.
    """
    if not isinstance(given, str):
        raise InvalidArgumentError(f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected {expected}")
    check_whole(argument, (given,))
    return given


def check_kind(argument: str, given: object, kind: type, expected: str) -> None:
    """Refuses what is not of a class.

    Raises:
        InvalidArgumentError: It is of another one.
    """
    if not isinstance(given, kind):
        raise InvalidArgumentError(f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected {expected}")


def checked_flag(argument: str, given: bool) -> bool:
    """Yes or no. Nothing else stands for it: `"no"` would be true.

    Raises:
        InvalidArgumentError: It is neither.
    """
    if isinstance(given, bool):
        return given
    raise InvalidArgumentError(f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected True or False")


def check_count(argument: str, given: int, least: int, most: int | None = sys.maxsize) -> int:
    """A whole number of at least `least`; other libraries' integers are as good.

    Raises:
        InvalidArgumentError: It is something else, or above `most`.
    """
    if isinstance(given, SupportsIndex) and not isinstance(given, bool):
        number = index(given)
        if most is not None and number > most:
            raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected a whole number, at most {most}")
        if number >= least:
            return number
    raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected a whole number, {least} or above")


def checked_seconds(argument: str, given: float) -> float:
    """A time in seconds; whether there can be such a one is for the core to say.

    Raises:
        InvalidArgumentError: It is no number.
    """
    if isinstance(given, (SupportsFloat, SupportsIndex)) and not isinstance(given, bool):
        try:
            return float(given)
        except OverflowError:
            pass
    raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected seconds as a number, like 300")


def checked_path(argument: str, path: str | os.PathLike[str]) -> str:
    """A path as text.

    Raises:
        InvalidArgumentError: It is none, or one that no file can have.
    """
    if isinstance(path, (str, os.PathLike)):
        found = os.fspath(path)
        if isinstance(found, str) and found and "\0" not in found:
            try:
                # Names of files that are no text are in it as Python writes them.
                os.fsencode(found)
            except UnicodeEncodeError:
                check_whole(argument, (found,))
            return found
    raise InvalidArgumentError(f"{argument}: {path!r} ({type(path).__name__}) is not valid; expected a path")


def checked_repository(argument: str, given: Any) -> _native.Repository:
    """What the core knows of a `Repository`.

    Raises:
        InvalidArgumentError: It is none.
    """
    core = getattr(given, "_core", None)
    if isinstance(core, _native.Repository):
        return core
    raise InvalidArgumentError(
        f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected a Repository, like Repository('.')"
    )
