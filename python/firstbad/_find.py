"""From a search and an oracle to a report: what all functions that find something have in common."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from firstbad._arguments import checked_path
from firstbad._errors import JournalError
from firstbad._run import run
from firstbad._run_options import KEEP, RUN, THREADS, parted
from firstbad._session import Session, prepare
from firstbad._shown import Options, check
from firstbad._store import OutcomeStore, settle

if TYPE_CHECKING:
    from firstbad import _native
    from firstbad._known import KnownOutcomes
    from firstbad._patch import Patch
    from firstbad._search import Given, Report, Search

__all__ = ["Base", "find", "find_async", "kept"]


@dataclass(frozen=True)
class Base:
    """What a patch is applied to: a revision of a repository."""

    repository: _native.Repository
    revision: str
    patch: Patch

    def known_to(self, search: Search[Any, Any]) -> None:
        """Lets a search among the changes of the patch ask nothing that is known without a run."""
        self.repository.known_to(search._core, self.revision, self.patch._core)


def find(
    make: type[Search[Report, Any]],
    world: object,
    callback: Callable[..., Any],
    options: Mapping[str, object],
    base: Base | None = None,
) -> Report:
    """Makes a search in a graph, or among items, of the options that belong to it; `run` drives it with the others.

    `base` is what the parts of a patch are applied to.
    """
    return searched(make, world, callback, options, base)[1]


def searched(
    make: type[Search[Report, Any]],
    world: object,
    callback: Callable[..., Any],
    options: Mapping[str, object],
    base: Base | None = None,
) -> tuple[Search[Report, Any], Report]:
    """The same, with the search at its end."""
    with _made(make, world, callback, options, THREADS, base) as (search, running):
        report = run(search, callback, **running)
        search._check_ending()
        return search, report


async def find_async(
    make: type[Search[Report, Any]],
    world: object,
    callback: Callable[..., Any],
    options: Mapping[str, object],
    base: Base | None = None,
) -> Report:
    """The same with `run_async`."""
    return (await searched_async(make, world, callback, options, base))[1]


async def searched_async(
    make: type[Search[Report, Any]],
    world: object,
    callback: Callable[..., Any],
    options: Mapping[str, object],
    base: Base | None = None,
) -> tuple[Search[Report, Any], Report]:
    """The same, with the search at its end."""
    from firstbad._run_async import run_async

    with _made(make, world, callback, options, RUN, base) as (search, running):
        report = await run_async(search, callback, **running)
        search._check_ending()
        return search, report


@contextmanager
def _made(
    make: type[Search[Report, Given]],
    world: object,
    callback: Callable[..., Any],
    options: Mapping[str, object],
    driver: Options,
    base: Base | None,
) -> Iterator[tuple[Search[Report, Given], dict[str, Any]]]:
    """The search, kept as its options say, with the options that belong to its run."""
    check(options, make._options, driver, KEEP)
    searching, running, keeping = parted(options)
    command = getattr(callback, "_command", None)
    if command is not None and "test" in make._options.parameters and searching.get("test") is None:
        searching["test"] = command.tests() or None
    opened: Callable[..., Search[Report, Given]] = make
    with kept(opened(world, **searching), callback, **keeping, base=base) as search:
        yield search, running


@contextmanager
def kept(
    search: Search[Report, Given],
    callback: Callable[..., Any],
    journal: str | os.PathLike[str] | None = None,
    known: KnownOutcomes | None = None,
    store: OutcomeStore | None = None,
    base: Base | None = None,
) -> Iterator[Search[Report, Given]]:
    """Keeps a search that `callback` answers as its options say, and hands it to whoever catches what ends it early.

    Raises:
        FirstbadError: As `Session.open` says.
    """
    if base is not None:
        base.known_to(search)
    revision = None if base is None else base.revision
    if journal is not None:
        path = checked_path("journal", journal)
        search = Session._open(path, search, known, store, base=revision, answered_by=callback)
    else:
        prepare(search, known, store, base=revision)
    try:
        yield search
    except BaseException as error:
        _note(error, search)
        with suppress(RuntimeWarning):  # where warnings are errors, the first one counts
            _end(search)
        raise
    else:
        _end(search)


def _end(search: Search[Any, Any]) -> None:
    if isinstance(search, Session):
        search.close()
    else:
        settle(search)


def _note(error: BaseException, search: Search[Any, Any]) -> None:
    """Says with the error what is kept, and how to go on."""
    try:
        error.firstbad_search = search  # type: ignore[attr-defined]
    except AttributeError:
        return
    if sys.version_info < (3, 11) or search.done:
        return
    if isinstance(search, Session):
        what = "what was told before" if isinstance(error, JournalError) else f"everything ({search.runs} answers)"
        error.add_note(
            f"firstbad: the journal {str(search.path)!r} has {what}; the same call with the same journal goes on from "
            "there"
        )
    elif search.runs:
        error.add_note(
            f"firstbad: {search.runs} answers are kept; fb.run(error.firstbad_search, oracle) goes on from there"
        )
