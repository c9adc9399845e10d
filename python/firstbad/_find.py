"""The shared code of all functions that create a search, run it, and return its report."""

from __future__ import annotations

import json
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
    """The revision that a patch applies to."""

    repository: _native.Repository
    revision: str
    patch: Patch

    def known_to(self, search: Search[Any, Any]) -> None:
        """Tells a search in a patch the outcomes that are known without a run."""
        self.repository.known_to(search._core, self.revision, self.patch._core)


def find(
    make: type[Search[Report, Any]],
    world: object,
    callback: Callable[..., Any],
    options: Mapping[str, object],
    base: Base | None = None,
) -> Report:
    """Creates a search from its options, and runs it with the other options.

    `base` is the revision that parts of a patch apply to.
    """
    return searched(make, world, callback, options, base)[1]


def searched(
    make: type[Search[Report, Any]],
    world: object,
    callback: Callable[..., Any],
    options: Mapping[str, object],
    base: Base | None = None,
) -> tuple[Search[Report, Any], Report]:
    """Returns the finished search and its report."""
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
    """Async version of `find`."""
    return (await searched_async(make, world, callback, options, base))[1]


async def searched_async(
    make: type[Search[Report, Any]],
    world: object,
    callback: Callable[..., Any],
    options: Mapping[str, object],
    base: Base | None = None,
) -> tuple[Search[Report, Any], Report]:
    """Async version of `searched`."""
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
    """Yields the search, kept as its options say, and the options of its run."""
    check(options, make._options, driver, KEEP)
    searching, running, keeping = parted(options)
    command = getattr(callback, "_command", None)
    if command is not None and "test" in make._options.parameters and searching.get("test") is None:
        searching["test"] = command.tests() or None
    if command is not None and "keep_builds" in make._options.parameters:
        searching.setdefault("keep_builds", json.loads(command.keep_builds() or "null"))
    if command is not None and "metrics" in make._options.parameters:
        searching = {**json.loads(command.search_options()), **searching}
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
    """Keeps a search in a journal or store, and attaches the search to exceptions.

    Raises:
        FirstbadError: See `Session.open`.
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
    """Adds a note to an error that says how to resume."""
    try:
        error.firstbad_search = search  # type: ignore[attr-defined]
    except AttributeError:
        return
    if sys.version_info < (3, 11) or search.done:
        return
    if isinstance(search, Session):
        what = "the earlier outcomes" if isinstance(error, JournalError) else f"all outcomes ({search.runs})"
        error.add_note(
            f"firstbad: the journal {str(search.path)!r} has {what}. The same call with this journal resumes the search"
        )
    elif search.runs:
        error.add_note(
            f"firstbad: {search.runs} outcomes are kept. To resume, call fb.run(error.firstbad_search, oracle)"
        )
