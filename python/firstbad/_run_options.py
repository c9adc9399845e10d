"""The options of runs, which all functions that run a search share."""

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
    "UNSHARED",
    "FindAsyncOptions",
    "FindOptions",
    "RunOptions",
    "SessionOptions",
    "ThreadOptions",
    "UnsharedAsyncOptions",
    "UnsharedOptions",
    "parted",
]


class RunOptions(TypedDict, total=False):
    """How to run a search.

    Attributes:
        jobs: The maximum number of probes in flight. Default: 1.
        budget: A `Budget`, or a maximum number of runs. Default: no limit.
        progress: True to show the progress (a card in a notebook, otherwise a bar), or a function that gets every
            `Progress`. Default: no progress.
        retries: How often in a row a probe can run again after `Retry`. Default: 3.
        reader: A `Repository`, or a function that returns the bytes for a request of `search.reads`. On an event loop
            the function can be a coroutine function. Most searches need no reader. Default: no reader.
    """

    jobs: int
    budget: Budget | int | None
    progress: ProgressLike
    retries: int
    reader: AsyncReaderLike | None


class ThreadOptions(RunOptions, total=False):
    """How to run a search without an event loop.

    Attributes:
        executor: An executor with the interface of concurrent.futures that runs the probes, such as Dask's
            `client.get_executor()`. For processes, the oracle must be picklable. firstbad does not shut down the
            executor. If a worker dies, the exception of the executor (BrokenProcessPool, Dask's KilledWorker) reaches
            the caller. Default: threads of firstbad.
    """

    executor: Executor | None


class KnownOptions(TypedDict, total=False):
    """Outcomes that a search has before it starts.

    Attributes:
        known: Known outcomes: outcomes by revision, pairs of a revision and an outcome, or observations as in
            `report.observations`. In reductions, indices replace the revision. Known outcomes cost no runs, and count
            once even if a journal is opened several times. Default: no outcomes.
    """

    known: KnownOutcomes | None


class StoreOptions(TypedDict, total=False):
    """Where runs share outcomes.

    Attributes:
        store: An `OutcomeStore` that shares outcomes with other runs. Default: no store.
    """

    store: OutcomeStore | None


class JournalOptions(TypedDict, total=False):
    """Where to keep a run.

    Attributes:
        journal: The file that keeps the run. After a crash, the same call resumes the run. See `Session`. A journal
            belongs to one test. You cannot resume it with another command, or with a function instead of a command.
            Default: no journal.
    """

    journal: str | os.PathLike[str] | None


class KeepOptions(KnownOptions, StoreOptions, JournalOptions, total=False):
    """What a run keeps, and what it knows before it starts."""


class SessionOptions(KnownOptions, StoreOptions, total=False):
    """How to open a journal.

    Attributes:
        wait: The seconds to wait for another process that writes to the journal. Default: 0.
    """

    wait: float


class FindAsyncOptions(RunOptions, KeepOptions, total=False):
    """How to run and keep a search on an event loop."""


class FindOptions(ThreadOptions, KeepOptions, total=False):
    """How to run and keep a search."""


class UnsharedAsyncOptions(RunOptions, KnownOptions, JournalOptions, total=False):
    """How to run and keep a search on an event loop, without a store."""


class UnsharedOptions(ThreadOptions, KnownOptions, JournalOptions, total=False):
    """How to run and keep a search, without a store."""


_DEFAULTS = {"jobs": 1, "retries": 3}

RUN = Options(RunOptions, defaults=_DEFAULTS)
THREADS = Options(RunOptions, ThreadOptions, defaults=_DEFAULTS)
KEEP = Options(KnownOptions, StoreOptions, JournalOptions, defaults={})
UNSHARED = Options(KnownOptions, JournalOptions, defaults={})
SESSION = Options(KnownOptions, StoreOptions, SessionOptions, defaults={"wait": 0.0})


def parted(options: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Returns the options of the search, of its run, and of keeping the search."""
    parts: tuple[dict[str, Any], dict[str, Any], dict[str, Any]] = ({}, {}, {})
    for name, value in options.items():
        parts[2 if name in KEEP.parameters else 1 if name in THREADS.parameters else 0][name] = value
    return parts
