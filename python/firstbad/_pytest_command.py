"""The command that runs tests in a worktree with the options of the current pytest run."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import firstbad_facts

__all__ = ["PytestCommand", "top_of", "without_group"]

_DROPPED = (
    # Options that wait for a person.
    *("--pdb", "--trace"),
    # Options that depend on earlier runs, or stop a run at something other than a failed test.
    *("--lf", "--last-failed", "--ff", "--failed-first", "--nf", "--new-first"),
    *("--sw", "--stepwise", "--sw-skip", "--stepwise-skip", "--sw-reset", "--stepwise-reset"),
    "--firstbad-flaky",
)
# Options of this search that take a value.
_OWN = (
    *("--firstbad-good", "--firstbad-bad", "--firstbad-max", "--firstbad-journal"),
    *("--firstbad-build", "--firstbad-timeout", "--firstbad-copy"),
    *("--firstbad-flake-rate", "--firstbad-false-pass-rate"),
)


class PytestCommand:
    """Creates commands from the current pytest run: its folder, its options, and its module paths.

    pytest reads the configuration file of the revision and `PYTEST_ADDOPTS` itself.

    Attributes:
        started: The folder that pytest was started in.

    Args:
        config: The configuration of pytest.
        top: The top of the repository.
    """

    def __init__(self, config: Any, top: Path) -> None:
        self.started: Path = config.invocation_params.dir
        self._top = top
        self._root: Path = config.rootpath
        # A folder outside the repository does not exist in a worktree.
        self._folder = self.started if _is_inside(self.started, top) else top
        self._options = [self._moved(one) for one in _options(config)]
        # Only the outcome of one test matters, so undo options that select, count, or report.
        self._options += ["-k", "", "-m", "", "--verbosity=0"]
        plugins = (("junitxml", "--junitxml="), ("xdist", "--numprocesses=0"), ("pytest_cov", "--no-cov"))
        self._options += [option for plugin, option in plugins if config.pluginmanager.hasplugin(plugin)]
        inside = [_relative(one, top) for one in _imported() if _is_inside(Path(one), top)]
        self._imported = os.pathsep.join(dict.fromkeys(inside))

    def place(self, test: str) -> tuple[str, str]:
        """Returns the file of a test, from the top of the repository, and the rest of its id."""
        file, colons, name = test.partition("::")
        return _relative(self._root / file, self._top), colons + name

    def file(self, path: str) -> str:
        """Converts a path from the folder that pytest was started in to one from the top of the repository."""
        return _relative(self.started / path, self._top)

    def argument(self, test: str) -> str:
        """Returns the argument that selects the test."""
        file, colons, name = test.partition("::")
        return _relative(self._root / file, self.started) + colons + name

    def of(self, test: str) -> list[str]:
        """Returns the command for a test."""
        file, colons, name = test.partition("::")
        return [*self._start(), self._named(self._root / file) + colons + name]

    def of_many(self) -> list[str]:
        """Returns the command of a triage, which puts the tests in the place of `{tests}`."""
        return [*self._start(), "--", "{tests}"]

    def _start(self) -> list[str]:
        """Returns the command without its tests."""
        return [
            *(sys.executable, str(Path(firstbad_facts.__file__).with_name("pytest_at_revision.py"))),
            *(_relative(self._folder, self._top), self._imported),
            *self._options,
        ]

    def _named(self, file: Path) -> str:
        """Returns the path of a test file in a worktree. Files outside the repository keep their path."""
        return _relative(file, self._folder) if _is_inside(file, self._top) else str(file)

    def _moved(self, word: str) -> str:
        """Returns an option with paths of the checkout replaced by paths of the worktree."""
        option, equals, value = word.rpartition("=")
        if os.path.isabs(value) and _is_inside(Path(value), self._top):
            return option + equals + _relative(Path(value), self._folder)
        return word


def _options(config: Any) -> list[str]:
    """Returns the words of the command line without the selected tests."""
    words = [str(word) for word in config.invocation_params.args]
    left = set(range(len(words)))
    for name in config.option.file_or_dir:
        places = [place for place in sorted(left) if words[place] == name]
        # A word after an option is more likely the value of the option.
        left -= set(sorted(places, key=lambda place: place > 0 and _is_option(words[place - 1]))[:1])
    for place, word in enumerate(words):
        if word in _OWN:
            left -= {place, place + 1}
        # pytest has already read the tests that a file of arguments names.
        elif word in ("--", *_DROPPED) or word.startswith(("@", *(f"{own}=" for own in _OWN))):
            left.discard(place)
    return [words[place] for place in sorted(left)]


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "--"


def _imported() -> list[str]:
    """Returns the folders of the module path, without those of the interpreter."""
    own = {os.path.realpath(prefix) for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix)}
    folders = [os.path.abspath(one) for one in sys.path]
    # setuptools keeps packages that it installed from a checkout in a table.
    for finder in sys.meta_path:
        table = getattr(sys.modules.get(getattr(finder, "__module__", "")), "MAPPING", None)
        if isinstance(table, dict):
            folders += [os.path.dirname(path) for path in table.values() if isinstance(path, str)]
    return [one for one in folders if not any(_is_inside(Path(one), Path(prefix)) for prefix in own)]


def _is_inside(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _relative(path: str | Path, folder: Path) -> str:
    """Returns a path relative to a folder, with forward slashes as in test ids and Git."""
    real = os.path.realpath(path)
    if real != os.path.realpath(folder):
        # A symbolic link keeps its name.
        real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    return Path(os.path.relpath(real, os.path.realpath(folder))).as_posix()


def top_of(started: list[str], folder: Path) -> Path | None:
    """Returns the top of the repository of the first of these files, folders or tests."""
    for one in started:
        path = (folder / one.partition("::")[0]).absolute()
        for parent in (path, *path.parents):
            if (parent / ".git").exists():
                return parent
    return None


def without_group(test: str) -> str:
    """Returns the id of a test without the group that pytest-xdist appends with `--dist loadgroup`."""
    place = test.rfind("@")
    return test[:place] if place > test.rfind("]") and "::" in test[:place] else test
