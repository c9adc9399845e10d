"""Factors: functions of a `Changelist` that make a change more (above 1) or less suspicious.

Pass factors to `find_culprit(..., factors=[...])`, or combine them with `weigh` for `Ranking.prior`. Any function from
a `Changelist` to a number, 0 or more, is a factor.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from firstbad import _native
from firstbad._changelist import Changelist, Changelists, as_changelists
from firstbad._errors import InvalidArgumentError
from firstbad._options import numbers
from firstbad._patch import Patch

__all__ = ["Factor", "authors", "lines", "size", "trace", "weigh", "words"]

Factor: TypeAlias = Callable[[Changelist], float]
"""A function that returns the factor of a changelist, finite and 0 or more."""


class _Built:
    """A factor that the core computes."""

    __slots__ = ("_config", "_core")

    def __init__(self, name: str, **config: Any) -> None:
        self._config = json.dumps({"factor": name, **config})
        self._core = _native.Factor(self._config)

    def __call__(self, changelist: Changelist) -> float:
        if not isinstance(changelist, Changelist):
            raise InvalidArgumentError(f"changelist: {type(changelist).__name__} is not valid; expected a Changelist")
        return self._core.of(changelist._json())

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._config,)

    def __repr__(self) -> str:
        return f"<factor: {self._config[:80]}>"


def _again(config: str) -> _Built:
    fields = json.loads(config)
    return _Built(fields.pop("factor"), **fields)


def size(strength: float = 1.0) -> Factor:
    """Returns a factor that grows with the change: `(1 + log(1 + lines added and deleted)) ** strength`.

    Args:
        strength: The exponent, 0 or more. With 0, all changes are equal.

    Raises:
        InvalidArgumentError: If `strength` is out of range.
    """
    return _Built("size", strength=_number("strength", strength))


def words(factors: Mapping[str, float] | Iterable[str]) -> Factor:
    """Returns the product of the factors of the words that occur in the message.

    Args:
        factors: A factor for each word, such as `{"revert": 0.3, "refactor": 2}`. If it contains only words, each has
            the factor 2. Matches are whole words (or phrases) in any case: `fix` does not match `prefix` or `fixes`.

    Raises:
        InvalidArgumentError: If a factor is negative, or a word has no letter or digit.
    """
    given = factors if isinstance(factors, Mapping) else dict.fromkeys(_several("words", factors), 2.0)
    return _Built("words", factors=numbers("words", given, "a finite number, 0 or above"))


def authors(factors: Mapping[str, float]) -> Factor:
    """Returns a factor by the e-mail address or name of the author, in any case, and 1 for other authors.

    Raises:
        InvalidArgumentError: If a factor is negative.
    """
    return _Built("authors", factors=numbers("authors", factors, "a finite number, 0 or above"))


def trace(text: str, *, file: float = 4.0, line: float = 16.0) -> Factor:
    """Returns a factor for changes to files that a stack trace or a log names.

    Args:
        text: The trace or log, of any language.
        file: The factor of a change to a named file.
        line: The factor of a change within three lines of a named line. It requires `Changelist.lines` (see `lines`).

    Raises:
        InvalidArgumentError: If `text` is not a text, or a factor is negative.
    """
    if not isinstance(text, str):
        raise InvalidArgumentError(f"text: {type(text).__name__} is not valid; expected str")
    text = text.encode(errors="replace").decode()
    return _Built("trace", text=text, file=_number("file", file), line=_number("line", line))


def lines(patch: Patch) -> dict[str, list[tuple[int, int]]]:
    r"""Returns the lines that a patch adds, and the places of deleted lines, by file, for `Changelist.lines`.

    Example:
        >>> import firstbad as fb
        >>> patch = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n")
        >>> fb.Changelist("c1", ["x"], lines=fb.factors.lines(patch)).lines
        {'x': [(2, 3)]}
    """
    if not isinstance(patch, Patch):
        raise InvalidArgumentError(f"patch: {type(patch).__name__} is not valid; expected a Patch")
    found: dict[str, list[tuple[int, int]]] = {}
    changes = patch.changes
    for file in patch.files:
        for hunk in file.hunks:
            ranges = found.setdefault(file.path, [])
            added = [changes[index].line for index in hunk.changes if changes[index].kind == "added"]
            for line in added or [hunk.new_start]:
                assert line is not None, "lines of a hunk have numbers"
                if ranges and ranges[-1][1] == line - 1:
                    ranges[-1] = (ranges[-1][0], line)
                else:
                    ranges.append((line, line))
    return found


def weigh(changes: Changelists, factors: Iterable[Factor]) -> dict[str, float]:
    """Returns the product of the factors of each changelist, by id, for `Ranking.prior`.

    Raises:
        InvalidArgumentError: If a factor is not a finite number, 0 or more.
        BaseException: The exception that a factor raised.
    """
    listed = list(factors) if isinstance(factors, Iterable) else [factors]
    for wrong in (factor for factor in listed if not callable(factor)):
        raise InvalidArgumentError(
            f"factors: {wrong!r} ({type(wrong).__name__}) is not valid; expected functions of a Changelist"
        )
    found = {}
    for changelist in as_changelists(changes):
        product = 1.0
        for factor in listed:
            given = factor(changelist)
            try:
                number = float(given)
            except (TypeError, ValueError):
                number = math.nan
            if not (math.isfinite(number) and number >= 0):
                raise InvalidArgumentError(
                    f"factors: {given!r} of {factor!r} for {changelist.id!r} is not valid; expected a finite number, 0 "
                    "or above"
                )
            product *= number
        found[changelist.id] = product
    return found


def _several(argument: str, given: object) -> list[str]:
    if isinstance(given, str) or not isinstance(given, Iterable) or not all(isinstance(one, str) for one in given):
        raise InvalidArgumentError(
            f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected a mapping from words to factors, "
            "or several words"
        )
    return list(given)


def _number(argument: str, given: object) -> float:
    try:
        number = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected a finite number, 0 or above")
    return number
