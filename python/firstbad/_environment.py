"""Environments with the dependencies of a test."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

from firstbad._arguments import checked_text
from firstbad._errors import InvalidArgumentError

__all__ = ["Environment", "EnvironmentPreset", "environment_fields"]

EnvironmentPreset: TypeAlias = Literal["venv", "uv", "npm", "pnpm"]
"""A preset environment, defined by requirements.txt, uv.lock, package-lock.json or pnpm-lock.yaml."""


class _Described(TypedDict):
    files: Sequence[str]
    command: Sequence[str | os.PathLike[str]]


class Environment(_Described, total=False):
    """The dependencies of a test, and the files that define them. Revisions with equal files share an environment.

    Environments are kept in the cache folder for later revisions, runs and processes.

    Attributes:
        files: The files that define the environment, as paths or patterns from the root of the revision: `*` matches
            within a name, `**/` matches folders, and a folder matches all its files. Only tracked files match.
        command: A program and its arguments, which run in the worktree and fill the empty folder `FIRSTBAD_ENVIRONMENT`
            outside the worktree. If the exit code is not 0, the revision is unresolved at the stage `setup`.
        link: Paths of the worktree that are links into the environment, such as `node_modules`. If the command creates
            them in the worktree, they are moved into the environment. Default: no links.
        version: A program and its arguments, run in each worktree. Its output also identifies the environment, such as
            the version of an interpreter. Default: no program.
    """

    link: Sequence[str]
    version: Sequence[str | os.PathLike[str]]


def environment_fields(argument: str, environment: Any) -> Any:
    """Returns an environment in the types that JSON knows.

    Raises:
        InvalidArgumentError: If `environment` is not a text or a mapping.
    """
    if isinstance(environment, str):
        return checked_text(argument, environment)
    if not isinstance(environment, Mapping):
        raise InvalidArgumentError(
            f"{argument}: {environment!r} is not valid; expected a preset's name, or a mapping with files and a command"
        )
    return {name: _texts(f"{argument}.{name}", value) for name, value in environment.items()}


def _texts(argument: str, given: Any) -> list[str]:
    """Returns several texts or paths."""
    if not isinstance(given, (str, bytes)) and isinstance(given, Iterable):
        several = list(given)
        if all(isinstance(one, (str, os.PathLike)) for one in several):
            return [checked_text(argument, os.fspath(one)) for one in several]
    raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected a list of texts")
