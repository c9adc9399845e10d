"""From a search and an oracle to a report: what all functions that find something have in common."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from firstbad._arguments import checked_path
from firstbad._errors import JournalError
from firstbad._run import run
from firstbad._run_async import run_async
from firstbad._session import Session, prepare
from firstbad._store import OutcomeStore, settle

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from firstbad._budget import Budget
    from firstbad._known import Known
    from firstbad._progress import ProgressLike
    from firstbad._reader import AsyncReaderLike
    from firstbad._search import Given, Report, Search

__all__ = ["RunOptions", "ThreadOptions", "find", "find_async", "kept", "parted", "takes_options_of"]


class KeepOptions(TypedDict, total=False):
    """What a run keeps and what it knows before it begins.

    Attributes:
        journal: The file that keeps the run, so that the same call goes on after a crash; see `Session`.
        known: Outcomes that exist already: answers by revision, pairs, or observations of a report.
        store: Outcomes that other runs share with this one.
    """

    journal: str | os.PathLike[str] | None
    known: Known | None
    store: OutcomeStore | None


class RunOptions(KeepOptions, total=False):
    """How to run a search on an event loop; see `run_async`."""

    jobs: int
    budget: Budget | int | None
    progress: ProgressLike
    retries: int
    reader: AsyncReaderLike | None


class ThreadOptions(RunOptions, total=False):
    """How to run a search without an event loop; see `run`."""

    executor: Executor | None


def find(
    make: Callable[..., Search[Report, Any]],
    world: object,
    callback: Callable[..., Any],
    options: Mapping[str, object],
    base: str | None = None,
) -> Report:
    """Makes a search in a graph, or among items, of the options that belong to it, and `run`s it with the others.

    `base` is the revision that patches are applied to.
    """
    searching, running, keeping = parted(options)
    with kept(make(world, **searching), **keeping, base=base) as search:
        report = run(search, callback, **running)
        search._check_ending()
        return report


async def find_async(
    make: Callable[..., Search[Report, Any]],
    world: object,
    callback: Callable[..., Any],
    options: Mapping[str, object],
    base: str | None = None,
) -> Report:
    """The same with `run_async`."""
    searching, running, keeping = parted(options)
    with kept(make(world, **searching), **keeping, base=base) as search:
        report = await run_async(search, callback, **running)
        search._check_ending()
        return report


Function = TypeVar("Function", bound=Callable[..., Any])


def takes_options_of(
    search: Callable[..., Any], driver: Callable[..., Any], but: Collection[str] = ()
) -> Callable[[Function], Function]:
    """Shows the options of a function one by one, with their defaults, to `help` and to whoever inspects it.

    After its own they are those of the search that it makes and of the driver that it runs it with, `but` some, and are
    written down there.
    """

    def show(function: Function) -> Function:
        own = inspect.signature(function)
        *named, _ = own.parameters.values()
        options = [
            option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for source in (search, driver)
            for option in list(inspect.signature(source).parameters.values())[1 if source is search else 2 :]
            if option.name not in but
        ]
        for name, kind in KeepOptions.__annotations__.items():
            annotation = kind.__forward_arg__
            options.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation))
        function.__signature__ = own.replace(parameters=[*named, *options])  # type: ignore[attr-defined]
        return function

    return show


def parted(options: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What belongs to the search, what to its run, and what to keeping it."""
    parts: tuple[dict[str, Any], dict[str, Any], dict[str, Any]] = ({}, {}, {})
    for name, value in options.items():
        part = 2 if name in KeepOptions.__annotations__ else 1 if name in ThreadOptions.__annotations__ else 0
        parts[part][name] = value
    return parts


@contextmanager
def kept(
    search: Search[Report, Given],
    journal: str | os.PathLike[str] | None = None,
    known: Known | None = None,
    store: OutcomeStore | None = None,
    base: str | None = None,
) -> Iterator[Search[Report, Given]]:
    """Keeps a search as its options say while it runs, and hands it to whoever catches what ends it early.

    Raises:
        FirstbadError: As `Session.open` says.
    """
    if journal is not None:
        search = Session._open(checked_path("journal", journal), search, known, store, base=base)
    else:
        prepare(search, known, store, base=base)
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
        what = "what was told before" if isinstance(error, JournalError) else f"everything ({search.queries} answers)"
        error.add_note(
            f"firstbad: the journal {str(search.path)!r} has {what}; the same call with the same journal goes on from "
            "there"
        )
    elif search.queries:
        error.add_note(
            f"firstbad: {search.queries} answers are kept; fb.run(error.firstbad_search, oracle) goes on from there"
        )
