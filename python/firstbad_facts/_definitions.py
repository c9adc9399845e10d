"""The traced definitions."""

from __future__ import annotations

import ast
import json
import os
from types import CodeType
from typing import Any

#: The variable that names the file with the definitions.
VARIABLE = "FIRSTBAD_DEFINITIONS"

#: The most definitions that are traced.
MOST = 100_000

#: Codes of functions, and of nothing else (`CO_OPTIMIZED`).
_FUNCTION = 0x1

_EXPECTED = 'a JSON list of objects with a "file" and a "name"'


class DefinitionsError(ValueError):
    """The definitions are invalid. The message names the variable, the file and the entry."""


class Definition:
    """A traced definition.

    Attributes:
        file: The file, from the top of the repository.
        name: The qualified name.
        calls: The number of traced calls.
    """

    __slots__ = ("calls", "file", "name")

    def __init__(self, file: str, name: str) -> None:
        self.file = file
        self.name = name
        self.calls = 0


def read(path: str) -> list[tuple[str, str]]:
    """Reads the file and name of each definition from a file.

    Raises:
        DefinitionsError: If the file cannot be read or is invalid.
    """
    try:
        with open(path, encoding="utf-8") as file:
            given = json.load(file)
    except (OSError, ValueError, RecursionError) as error:
        raise DefinitionsError(f"{VARIABLE}: {path}: {error}; expected {_EXPECTED}") from None
    if not isinstance(given, list) or len(given) > MOST:
        raise DefinitionsError(f"{VARIABLE}: {path}: expected {_EXPECTED}, at most {MOST}")
    return [_pair(path, place, entry) for place, entry in enumerate(given)]


def _pair(path: str, place: int, entry: Any) -> tuple[str, str]:
    pair = (entry.get("file"), entry.get("name")) if isinstance(entry, dict) else (None, None)
    file, name = pair
    if isinstance(file, str) and isinstance(name, str):
        return file, name
    raise DefinitionsError(f"{VARIABLE}: {path}: entry {place} is not valid; expected {_EXPECTED}")


class Definitions:
    """Maps code objects to definitions.

    Args:
        definitions: The file and the name of each.
        root: The top of the repository, as a folder.
    """

    def __init__(self, definitions: list[tuple[str, str]], root: str) -> None:
        self._by_path: dict[str, dict[str, Definition]] = {}
        for file, name in definitions:
            path = os.path.realpath(os.path.join(root, file))
            self._by_path.setdefault(path, {})[name] = Definition(file, name)
        #: By the names that code has for its file.
        self._files: dict[str, dict[str, Definition] | None] = {}
        #: By the id of code, which is kept so that the id is its own.
        self._codes: dict[int, tuple[CodeType, Definition | None]] = {}

    def of(self, code: CodeType) -> Definition | None:
        """Returns the definition of a code object, or None if it is not traced."""
        file = code.co_filename
        if file in self._files:
            names = self._files[file]
        else:
            names = self._by_path.get(os.path.realpath(file))
            if len(self._files) < MOST:
                self._files[file] = names
        if names is None or not code.co_flags & _FUNCTION:
            return None
        known = self._codes.get(id(code))
        if known is not None:
            return known[1]
        definition = names.get(qualified_name(code))
        # A program can create code without limit.
        if len(self._codes) < MOST:
            self._codes[id(code)] = (code, definition)
        return definition


def qualified_name(code: CodeType) -> str:
    """Returns the qualified name of a function, which code objects contain from Python 3.11 on."""
    known = getattr(code, "co_qualname", None)
    return known if known is not None else written_name(code)


def written_name(code: CodeType) -> str:
    """Returns the qualified name of a function by its position in the file, if the file can be read."""
    try:
        with open(code.co_filename, "rb") as file:
            module = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return code.co_name
    around: list[tuple[str, ast.AST]] = [("", module)]
    while around:
        prefix, node = around.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                if (child.name, first) == (code.co_name, code.co_firstlineno):
                    return prefix + child.name
                around.append((f"{prefix}{child.name}.<locals>.", child))
            elif isinstance(child, ast.ClassDef):
                around.append((f"{prefix}{child.name}.", child))
            else:
                around.append((prefix, child))
    return code.co_name
