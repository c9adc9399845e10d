"""Converts the options of command oracles for the core."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import index
from typing import Any, SupportsIndex

from firstbad._arguments import checked_path, checked_text
from firstbad._environment import environment_fields
from firstbad._errors import InvalidArgumentError
from firstbad._generated.options import (
    COMMAND_DEFAULTS,
    KINDS,
    MEASURE_DEFAULTS,
    SUITE_DEFAULTS,
    CommandOptions,
    MeasureOptions,
    SuiteOptions,
)
from firstbad._options import encoded
from firstbad._patch import Patch, as_bytes
from firstbad._shown import Options

__all__ = ["COMMAND", "MEASURE", "SUITE", "command_options", "words"]

COMMAND = Options(CommandOptions, defaults=COMMAND_DEFAULTS)
SUITE = Options(SuiteOptions, defaults=SUITE_DEFAULTS)
MEASURE = Options(MeasureOptions, defaults=MEASURE_DEFAULTS)


def command_options(options: Mapping[str, Any]) -> str:
    """Returns the options of a command oracle as a JSON object. The core checks their values.

    Raises:
        InvalidArgumentError: If an option cannot be converted.
    """
    converters: dict[str | None, Callable[[str, Any], Any]] = {
        "CopyFiles": _carried,
        "Command": words,
        "Environment": environment_fields,
        "ExitCodes": _exit_codes,
        "Patches": _patches,
        "Path": checked_path,
        "Variables": _variables,
    }
    return encoded(
        {
            name: converters[KINDS[name]](name, value) if value is not None and KINDS.get(name) in converters else value
            for name, value in options.items()
        }
    )


def words(argument: str, command: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Returns a command as a list of texts.

    Raises:
        InvalidArgumentError: If `command` is not a sequence of texts and paths, or a text has a zero byte.
    """
    if isinstance(command, (str, bytes)) or not isinstance(command, Sequence):
        raise InvalidArgumentError(
            f"{argument}: {command!r} is not valid; expected a list of the program and its "
            'arguments\nhelp: to run a line in a shell, use ["sh", "-c", line]'
        )
    wrong = next((part for part in command if not isinstance(part, (str, os.PathLike))), None)
    if wrong is not None:
        raise InvalidArgumentError(
            f"{argument}: {wrong!r} is not valid; expected texts\nhelp: convert other values with str()"
        )
    found = [checked_text(argument, os.fspath(part)) for part in command]
    wrong = next((part for part in found if "\0" in part), None)
    if wrong is not None:
        raise InvalidArgumentError(f"{argument}: {wrong!r} is not valid; expected texts without zero bytes")
    return found


def _exit_codes(argument: str, exit_codes: Any) -> dict[str, Any]:
    if not isinstance(exit_codes, Mapping):
        raise InvalidArgumentError(
            f"{argument}: {exit_codes!r} ({type(exit_codes).__name__}) is not valid; expected a mapping from exit "
            "codes to what they mean"
        )
    for code in exit_codes:
        if not isinstance(code, SupportsIndex) or isinstance(code, bool) or not -1 << 31 <= index(code) < 1 << 31:
            raise InvalidArgumentError(f"{argument}: {code!r} is not valid; expected an exit code, an int of 32 bits")
    return {str(index(code)): meaning for code, meaning in exit_codes.items()}


def _variables(argument: str, env: Any) -> dict[str, str]:
    if not isinstance(env, Mapping):
        raise InvalidArgumentError(
            f"{argument}: {env!r} ({type(env).__name__}) is not valid; expected a mapping from names to texts"
        )
    for name, value in env.items():
        # Windows has internal variables whose names start with `=`.
        start = 1 if os.name == "nt" else 0
        if not checked_text(argument, name, "a name, as str") or "=" in name[start:] or "\0" in name:
            raise InvalidArgumentError(f"{argument}: {name!r} is not valid; expected a name without `=` and zero bytes")
        place = f"{argument}[{name!r}]"
        if "\0" in checked_text(place, value, "a text; convert others with str()"):
            raise InvalidArgumentError(f"{place}: {value!r} is not valid; expected a text without zero bytes")
    return dict(env)


def _carried(argument: str, copy_files: Any) -> Any:
    if copy_files == "auto" or copy_files is False:
        return copy_files
    if isinstance(copy_files, (str, bytes)) or not isinstance(copy_files, Sequence):
        raise InvalidArgumentError(
            f'{argument}: {copy_files!r} is not valid; expected "auto", False or a list of paths'
        )
    return words(argument, copy_files)


def _patches(argument: str, patches: Any) -> list[str]:
    several: Iterable[Any] = (
        patches if isinstance(patches, Iterable) and not isinstance(patches, (Patch, str, bytes)) else (patches,)
    )
    found = []
    for place, patch in enumerate(several):
        name = f"{argument}[{place}]"
        if not isinstance(patch, (Patch, str, bytes)):
            raise InvalidArgumentError(f"{name}: {patch!r} is not valid; expected a Patch, or its text or bytes")
        content = bytes(patch) if isinstance(patch, Patch) else as_bytes(name, patch)
        found.append(b64encode(content).decode())
    return found
