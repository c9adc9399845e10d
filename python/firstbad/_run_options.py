"""How a search is run and kept: what every function that runs one takes beside the options of its search."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from firstbad._shown import Options

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from firstbad._budget import Budget
    from firstbad._known import KnownOutcomes
    from firstbad._progress import ProgressLike
    from firstbad._reader import AsyncReaderLike
    from firstbad._store import OutcomeStore

__all__ = [
    "KEEP",
    "RUN",
    "SESSION",
    "THREADS",
    "FindAsyncOptions",
    "FindOptions",
    "RunOptions",
    "SessionOptions",
    "ThreadOptions",
    "parted",
]


class RunOptions(TypedDict, total=False):
    """How to run a search.

    Attributes:
        jobs: How many probes to have out at the same time; by default 1.
        budget: How much may be spent: a `Budget`, or a number of runs; by default there is no limit.
        progress: True to show it (in a notebook as a card, elsewhere as a bar), or a function that gets every
            `Progress`; by default none.
        retries: How often in a row one and the same may be asked again after `Retry`; by default 3.
        reader: What shows a search what it has to see between tests: a `Repository`, or a function that gets a request
            as in `search.reads` and returns bytes (on an event loop it may be a coroutine function). Most searches have
            to see nothing. By default none.
    """

    jobs: int
    budget: Budget | int | None
    progress: ProgressLike
    retries: int
    reader: AsyncReaderLike | None


class ThreadOptions(RunOptions, total=False):
    """How to run a search without an event loop.

    Attributes:
        executor: What runs the probes in place of threads of our own: anything from concurrent.futures, or that follows
            it, as Dask's `client.get_executor()`. For processes the oracle must be picklable. It is not shut down. A
            worker that dies is no outcome: what the executor makes of it (BrokenProcessPool, Dask's KilledWorker)
            reaches the caller as it is. By default none.
    """

    executor: Executor | None


class KnownOptions(TypedDict, total=False):
    """What a search knows before it begins.

    Attributes:
        known: Outcomes that exist already: answers by revision, pairs of a revision and an answer, or observations as
            in `report.observations`; in reductions with indices for the revision. They are no queries, and told once
            however often a journal is opened. By default none.
        store: Outcomes that other runs share with this one, an `OutcomeStore`. By default none.
    """

    known: KnownOutcomes | None
    store: OutcomeStore | None


class KeepOptions(KnownOptions, total=False):
    """What a run keeps and what it knows before it begins.

    Attributes:
        journal: The file that keeps the run, so that the same call goes on after a crash; see `Session`. It belongs to
            one test: another command is refused, and so is a function where a command was. By default none.
    """

    journal: str | os.PathLike[str] | None


class SessionOptions(KnownOptions, total=False):
    """How a journal is opened.

    Attributes:
        wait: Seconds to wait for another process that writes to it; by default 0.
    """

    wait: float


class FindAsyncOptions(RunOptions, KeepOptions, total=False):
    """How to run and to keep a search on an event loop."""


class FindOptions(ThreadOptions, KeepOptions, total=False):
    """How to run and to keep a search."""


_DEFAULTS = {"jobs": 1, "retries": 3}

RUN = Options(RunOptions, defaults=_DEFAULTS)
THREADS = Options(RunOptions, ThreadOptions, defaults=_DEFAULTS)
KEEP = Options(KnownOptions, KeepOptions, defaults={})
SESSION = Options(KnownOptions, SessionOptions, defaults={"wait": 0.0})


def parted(options: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What belongs to the search, what to its run, and what to keeping it."""
    parts: tuple[dict[str, Any], dict[str, Any], dict[str, Any]] = ({}, {}, {})
    for name, value in options.items():
        parts[2 if name in KEEP.parameters else 1 if name in THREADS.parameters else 0][name] = value
    return parts
