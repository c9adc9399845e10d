"""What a test needs installed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

from firstbad._arguments import checked_text
from firstbad._errors import InvalidArgumentError

__all__ = ["Environment", "EnvironmentPreset", "environment_fields"]

EnvironmentPreset: TypeAlias = Literal["venv", "uv", "npm", "pnpm"]
"""What has a name of what tests need installed: by requirements.txt, uv.lock, package-lock.json or pnpm-lock.yaml."""


class _Described(TypedDict):
    files: Sequence[str]
    command: Sequence[str | os.PathLike[str]]


class Environment(_Described, total=False):
    """What a test needs installed, and the files that say so: one serves all revisions where these are the same.

    It is kept in the cache folder, where later revisions, runs and processes find it.

    Attributes:
        files: The files that say what belongs into it, as paths from the revision's root, or patterns of them: `*`
            stands for anything within a name, `**/` for folders, and a folder for all that it holds. What is not
            tracked is not seen.
        command: A program and its arguments, run in the work tree. It fills the folder that `FIRSTBAD_ENVIRONMENT`
            names, which is empty and outside the work tree. Where it does not end with 0 the revision is unresolved at
            the stage `setup`.
        link: Paths that work trees have as links into the environment, such as `node_modules`; what the command leaves
            there is moved into it. None if it is left out.
        version: A program and its arguments, run in each work tree, that prints what else the environment depends on,
            such as the version of an interpreter. Nothing else if it is left out.
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
    """Several texts or paths."""
    if not isinstance(given, (str, bytes)) and isinstance(given, Iterable):
        several = list(given)
        if all(isinstance(one, (str, os.PathLike)) for one in several):
            return [checked_text(argument, os.fspath(one)) for one in several]
    raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected a list of texts")
