"""Checks of arguments. Errors name the argument and the expected value."""

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
    """Returns one id, several, or none as a list.

    Raises:
        InvalidArgumentError: If a value is not a text, or contains lone surrogates.
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
    """Returns ids as a list, but None for None."""
    return None if given is None else names(argument, given)


def check_whole(argument: str, texts: Collection[str]) -> None:
    """Checks that texts contain no lone surrogates.

    Raises:
        InvalidArgumentError: If a text contains a lone surrogate.
    """
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        wrong = next(text for text in texts if any("\ud800" <= sign <= "\udfff" for sign in text))
        raise InvalidArgumentError(
            f"{argument}: {wrong!r} is not valid; expected a string without lone surrogates"
        ) from None


def checked_text(argument: str, given: str, expected: str = "a text, as str") -> str:
    """Returns a text.

    Raises:
        InvalidArgumentError: If the value is not a text, or contains lone surrogates.
    """
    if not isinstance(given, str):
        raise InvalidArgumentError(f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected {expected}")
    check_whole(argument, (given,))
    return given


def check_kind(argument: str, given: object, kind: type, expected: str) -> None:
    """Checks the class of a value.

    Raises:
        InvalidArgumentError: If the value has another class.
    """
    if not isinstance(given, kind):
        raise InvalidArgumentError(f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected {expected}")


def checked_flag(argument: str, given: bool) -> bool:
    """Returns a boolean. Other values, such as `"no"`, are refused.

    Raises:
        InvalidArgumentError: If the value is not a boolean.
    """
    if isinstance(given, bool):
        return given
    raise InvalidArgumentError(f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected True or False")


def check_count(argument: str, given: int, least: int, most: int | None = sys.maxsize) -> int:
    """Returns an integer from `least` to `most`, also from an integer type of another library.

    Raises:
        InvalidArgumentError: If the value is not an integer in the range.
    """
    if isinstance(given, SupportsIndex) and not isinstance(given, bool):
        number = index(given)
        if most is not None and number > most:
            raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected a whole number, at most {most}")
        if number >= least:
            return number
    raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected a whole number, {least} or above")


def checked_seconds(argument: str, given: float) -> float:
    """Returns a time in seconds. The core checks its range.

    Raises:
        InvalidArgumentError: If the value is not a number.
    """
    if isinstance(given, (SupportsFloat, SupportsIndex)) and not isinstance(given, bool):
        try:
            return float(given)
        except OverflowError:
            pass
    raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected seconds as a number, like 300")


def checked_path(argument: str, path: str | os.PathLike[str]) -> str:
    """Returns a path as a text.

    Raises:
        InvalidArgumentError: If the value is not a path.
    """
    if isinstance(path, (str, os.PathLike)):
        found = os.fspath(path)
        if isinstance(found, str) and found and "\0" not in found:
            try:
                # Names of files that are not valid text contain surrogate escapes.
                os.fsencode(found)
            except UnicodeEncodeError:
                check_whole(argument, (found,))
            return found
    raise InvalidArgumentError(f"{argument}: {path!r} ({type(path).__name__}) is not valid; expected a path")


def checked_repository(argument: str, given: Any) -> _native.Repository:
    """Returns the native object of a `Repository`.

    Raises:
        InvalidArgumentError: If the value is not a `Repository`.
    """
    core = getattr(given, "_core", None)
    if isinstance(core, _native.Repository):
        return core
    raise InvalidArgumentError(
        f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected a Repository, like Repository('.')"
    )
