"""Converts the arguments of command oracles for the core."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, Literal, SupportsIndex, TypeAlias, get_args

from firstbad._arguments import checked_text
from firstbad._errors import InvalidArgumentError
from firstbad._patch import Patch, as_bytes

__all__ = [
    "Verdict",
    "carried_paths",
    "exit_code_meanings",
    "patches",
    "size_in_bytes",
    "stage_command",
    "variables",
    "verdict_name",
    "words",
]

Verdict: TypeAlias = Literal["pass", "fail", "unresolved", "stop", "retry"]
"""The meaning of an exit code, a signal, or a timeout.

`stop` ends the search with a CommandError. `retry` runs the revision again, as `Retry` does, if the machine failed.
"""


def size_in_bytes(limit: int) -> int:
    """Checks a number of bytes.

    Raises:
        InvalidArgumentError: If `limit` is not an integer from 0 to 2^64 - 1.
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit < 1 << 64:
        raise InvalidArgumentError(f"output_limit: {limit!r} is not valid; expected bytes, at least 4096")
    return limit


def exit_code_meanings(exit_codes: Mapping[int, Verdict] | None) -> list[tuple[int, str]]:
    """Returns pairs of exit codes and their meanings. The core checks their values.

    Raises:
        InvalidArgumentError: If `exit_codes` is not a mapping from 32-bit integers to texts.
    """
    if exit_codes is None:
        return []
    if not isinstance(exit_codes, Mapping):
        raise InvalidArgumentError(
            f"exit_codes: {exit_codes!r} ({type(exit_codes).__name__}) is not valid; expected a mapping from exit "
            "codes to what they mean"
        )
    for code in exit_codes:
        if not isinstance(code, SupportsIndex) or isinstance(code, bool) or not -1 << 31 <= index(code) < 1 << 31:
            raise InvalidArgumentError(f"exit_codes: {code!r} is not valid; expected an exit code, an int of 32 bits")
    return [(index(code), verdict_name(f"exit_codes[{code}]", meaning)) for code, meaning in exit_codes.items()]


def verdict_name(argument: str, verdict: Verdict) -> str:
    """Checks that a verdict is a text. The core checks its value.

    Raises:
        InvalidArgumentError: If `verdict` is not a text.
    """
    return checked_text(argument, verdict, "one of " + ", ".join(f'"{word}"' for word in get_args(Verdict)))


def variables(env: Mapping[str, str] | None) -> list[tuple[str, str]]:
    """Returns pairs of names and values of environment variables.

    Raises:
        InvalidArgumentError: If `env` is not a mapping from names to texts, or has a name or value that the operating
            system does not accept.
    """
    if env is None:
        return []
    if not isinstance(env, Mapping):
        raise InvalidArgumentError(
            f"env: {env!r} ({type(env).__name__}) is not valid; expected a mapping from names to texts"
        )
    for name, value in env.items():
        # Windows has internal variables whose names start with `=`.
        start = 1 if os.name == "nt" else 0
        if not checked_text("env", name, "a name, as str") or "=" in name[start:] or "\0" in name:
            raise InvalidArgumentError(f"env: {name!r} is not valid; expected a name without `=` and zero bytes")
        if "\0" in checked_text(f"env[{name!r}]", value, "a text; convert others with str()"):
            raise InvalidArgumentError(f"env[{name!r}]: {value!r} is not valid; expected a text without zero bytes")
    return list(env.items())


def words(argument: str, command: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Returns a command as a list of texts.

    Raises:
        InvalidArgumentError: If `command` is not a sequence of texts and paths, or a text has a zero byte.
    """
    if isinstance(command, (str, bytes)) or not isinstance(command, Sequence):
        raise InvalidArgumentError(
            f"{argument}: {command!r} is not valid; expected a list of the program and its arguments; "
            'for a shell\'s line, ["sh", "-c", line]'
        )
    wrong = next((part for part in command if not isinstance(part, (str, os.PathLike))), None)
    if wrong is not None:
        raise InvalidArgumentError(f"{argument}: {wrong!r} is not valid; expected texts; convert others with str()")
    found = [checked_text(argument, os.fspath(part)) for part in command]
    wrong = next((part for part in found if "\0" in part), None)
    if wrong is not None:
        raise InvalidArgumentError(f"{argument}: {wrong!r} is not valid; expected texts without zero bytes")
    return found


def stage_command(argument: str, command: Sequence[str | os.PathLike[str]] | None) -> list[str] | None:
    """Returns the command of a stage, or None without one.

    Raises:
        InvalidArgumentError: As `words` does.
    """
    return None if command is None else words(argument, command)


def carried_paths(carry: object) -> list[str] | None:
    """Returns the paths of files to carry, or None for the files that the commands name.

    Raises:
        InvalidArgumentError: If `carry` is not "auto", False, or a sequence of paths.
    """
    if carry == "auto" or carry is False:
        return None if carry == "auto" else []
    if isinstance(carry, (str, bytes)) or not isinstance(carry, Sequence):
        raise InvalidArgumentError(f'carry: {carry!r} is not valid; expected "auto", False or a list of paths')
    return words("carry", carry)


def patches(fixups: Patch | str | bytes | Iterable[Patch | str | bytes]) -> list[bytes]:
    """Returns patches as bytes.

    Raises:
        InvalidArgumentError: If an item is not a patch, a text, or bytes.
    """
    several: Iterable[Any] = (
        fixups if isinstance(fixups, Iterable) and not isinstance(fixups, (Patch, str, bytes)) else (fixups,)
    )
    found = []
    for place, fixup in enumerate(several):
        if not isinstance(fixup, (Patch, str, bytes)):
            raise InvalidArgumentError(
                f"fixups[{place}]: {fixup!r} is not valid; expected a Patch, or its text or bytes"
            )
        found.append(bytes(fixup) if isinstance(fixup, Patch) else as_bytes(f"fixups[{place}]", fixup))
    return found
