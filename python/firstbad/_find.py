"""From a search and an oracle to a report: what all functions that find something have in common."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from firstbad._errors import InvalidArgumentError
from firstbad._run import run
from firstbad._run_async import run_async

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from firstbad._budget import Budget
    from firstbad._progress import ProgressLike
    from firstbad._search import Report, Search

__all__ = ["RunOptions", "ThreadOptions", "find", "find_async", "kept", "parted", "takes_options_of"]


class RunOptions(TypedDict, total=False):
    """How to run a search on an event loop; see `run_async`."""

    jobs: int
    budget: Budget | int | None
    progress: ProgressLike
    retries: int
    journal: None


class ThreadOptions(RunOptions, total=False):
    """How to run a search without an event loop; see `run`."""

    executor: Executor | None


def find(
    make: Callable[..., Search[Report, Any]], world: object, callback: Callable[..., Any], options: Mapping[str, object]
) -> Report:
    """Makes a search in a graph, or among items, of the options that belong to it, and `run`s it with the others."""
    searching, running = parted(options)
    search = make(world, **searching)
    with kept(search):
        report = run(search, callback, **running)
        search._check_ending()
        return report


async def find_async(
    make: Callable[..., Search[Report, Any]], world: object, callback: Callable[..., Any], options: Mapping[str, object]
) -> Report:
    """The same with `run_async`."""
    searching, running = parted(options)
    search = make(world, **searching)
    with kept(search):
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
        options.append(inspect.Parameter("journal", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="None"))
        function.__signature__ = own.replace(parameters=[*named, *options])  # type: ignore[attr-defined]
        return function

    return show


def parted(options: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What belongs to the search, and what belongs to its run.

    Raises:
        InvalidArgumentError: A journal.
    """
    running = {name: value for name, value in options.items() if name in ThreadOptions.__annotations__}
    searching = {name: value for name, value in options.items() if name not in running}
    journal = running.pop("journal", None)
    if journal is not None:
        raise InvalidArgumentError(
            f"journal: {journal!r} is not valid; journals are not available in this version; use snapshot()"
        )
    return searching, running


@contextmanager
def kept(search: Search[Any, Any]) -> Iterator[None]:
    """Hands the search to whoever catches what ends it early."""
    try:
        yield
    except BaseException as error:
        try:
            error.firstbad_search = search  # type: ignore[attr-defined]
        except AttributeError:
            raise error from None
        if sys.version_info >= (3, 11) and search.queries and not search.done:
            error.add_note(
                f"firstbad: {search.queries} answers are kept; fb.run(error.firstbad_search, oracle) goes on from there"
            )
        raise
