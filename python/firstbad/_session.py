"""Searches that are kept in a journal."""

from __future__ import annotations

import copy
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from firstbad import _native
from firstbad._arguments import check_count, check_whole, checked_path, checked_seconds
from firstbad._calls import command_of
from firstbad._known import KnownOutcomes, pairs
from firstbad._run_options import SESSION
from firstbad._search import Given, Report, Search, check_search
from firstbad._shown import shows
from firstbad._store import OutcomeStore, settle, share

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._generated.reports import Status
    from firstbad._observation import Observation, SuiteAnswer
    from firstbad._run_options import SessionOptions

__all__ = ["ReplayStep", "Session", "prepare"]

Self = TypeVar("Self", bound="Session[Any, Any]")


class Session(Search[Report, Given]):
    """A search that is kept in a journal, a file of JSON lines.

    A session is a search like the one it was made from: use the ask/tell interface, or `run`, which also runs the
    probes in flight. Each event is on disk before the call returns, so a killed search can resume. Only one process at
    a time can write to a journal. `close` and the end of the process release the lock.

    Attributes:
        path: The absolute path of the journal, without symbolic links.
        id: The unique name of the run, which stays the same when the journal is opened again.
        resumed: Whether the journal existed before.
        recovered: A description of lost events, or None if the journal is complete. A crash can tear the last line, and
            journals of older versions have no checksums to detect losses.

    Example:
        >>> import tempfile, firstbad as fb
        >>> path = tempfile.mkdtemp() + "/run.jsonl"
        >>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
        >>> with fb.Session.open(path, fb.RegressionSearch(graph, bad="1.3", good="1.0")) as session:
        ...     [probe] = session.ask()
        ...     session.tell(probe.id, True)
        >>> with fb.Session.open(path, fb.RegressionSearch(graph, bad="1.3", good="1.0")) as session:
        ...     session.resumed, session.runs
        (True, 1)
    """

    __slots__ = ("_measures", "_search", "_settled", "_timed", "id", "path", "recovered", "resumed")

    _search: Search[Report, Given]
    _settled: bool
    path: Path
    id: str
    resumed: bool
    recovered: str | None

    @classmethod
    @shows(SESSION)
    def open(
        cls,
        path: str | os.PathLike[str],
        search: Search[Report, Given],
        **options: Unpack[SessionOptions],
    ) -> Session[Report, Given]:
        """Opens a journal for a search. If the journal exists, the search is resumed.

        A search that was stopped, or that used up its budget, continues. The journal records the command of the first
        command oracle that runs and refuses other commands. It does not compare functions or outcomes that you tell
        yourself.

        Args:
            path: The path of the journal, in an existing folder. Files with a longer name, such as
                `run.jsonl.graph.gz`, belong to the journal.
            search: A new search, with the same options as before if the journal exists. Use only the session from then
                on.
            **options: See `SessionOptions`.

        Raises:
            JournalError: If the journal is in use by another process (`journal_locked`), belongs to another search, or
                cannot be read or written, or if it exists and `search` already has events (`journal`).
            UnknownRevisionError: If `known` contains a revision that does not exist.
            ContradictionError: If a known outcome contradicts the journal.
            StoreError: If the store cannot be opened.
            InvalidArgumentError: If an argument is invalid.
        """
        return cls._open(path, search, **SESSION.complete(options))

    @classmethod
    def _open(
        cls,
        path: str | os.PathLike[str],
        search: Search[Report, Given],
        known: KnownOutcomes | None,
        store: OutcomeStore | None,
        wait: float = 0.0,
        base: str | None = None,
        answered_by: Callable[..., Any] | None = None,
    ) -> Session[Report, Given]:
        """Opens a journal, with the base revision of patches and the oracle that will run."""
        check_search(search)
        command = command_of(answered_by)
        session = cls.__new__(cls)
        session._search = search
        session._core = search._core
        session._timed = search._timed
        session._measures = search._measures
        session.path, session.id, session.resumed, session.recovered = _native.attach(
            search._core,
            checked_path("path", path),
            search._digest(),
            checked_seconds("wait", wait),
            command,
            command is None and answered_by is not None,
        )
        session._settled = False
        try:
            prepare(search, known, store, session.id, base)
        except BaseException:
            session.close()
            raise
        return session

    def report(self) -> Report:
        """The result so far, which is final when the search is `done`."""
        return self._search.report()

    def _given(self, probe: _native.Probe) -> Given:
        return self._search._given(probe)

    def _observation(self, answer: Any) -> Observation:
        return self._search._observation(answer)

    def _prepared(self, oracle: Callable[..., Any]) -> Callable[..., Any]:
        return self._search._prepared(oracle)

    def _check_ending(self) -> None:
        self._search._check_ending()

    def ask(self, k: int = 1, lease: float | None = None) -> list[_native.Probe]:
        """Returns at most `k` probes to run next, leased for `lease` seconds.

        If a lease ends without an outcome, a later `ask` returns the probe again, also after the journal is reopened.
        Late outcomes still count. Without a lease, a probe stays in flight until you tell its outcome or abandon it.

        Raises:
            InvalidArgumentError: If `k` is less than 1, or `lease` is not a positive number.
            JournalError: If the journal cannot be written, or is closed.
        """
        return self._core.ask(
            min(check_count("k", k, 1, None), sys.maxsize), None if lease is None else checked_seconds("lease", lease)
        )

    def observe(self, target: str | Iterable[int], outcome: SuiteAnswer) -> None:
        """Tells an outcome, of a revision or a set of items, that the search did not ask for. It costs no run.

        Raises:
            UnknownRevisionError: If the revision does not exist.
            ContradictionError: If the revision or set already has another outcome. The search keeps the first one.
            InvalidArgumentError: If `outcome` is not an outcome, or an item does not exist.
            JournalError: If the journal cannot be written, or is closed.
        """
        self._core.observe(_target(target), outcome)

    def enqueue(self, target: str | Iterable[int]) -> None:
        """Moves a revision or a set of items to the front of the queue.

        Raises:
            UnknownRevisionError: If the revision does not exist.
            InvalidArgumentError: If an item does not exist.
            JournalError: If the journal cannot be written, or is closed.
        """
        self._core.enqueue(_target(target))

    def replay(self) -> Iterator[ReplayStep[Report]]:
        """Yields the state of the run after each event in the journal.

        The replay uses a separate search, so this session does not change, and other processes can write to the
        journal.

        Raises:
            JournalError: If the journal cannot be read.
        """
        records: list[dict[str, Any]] = json.loads(_native.records(os.fspath(self.path)))
        times = [record.pop("at") for record in records]
        for record in records:
            record.pop("until", None)
        played = _Played(self._search, records)
        for number, (event, at) in enumerate(zip(records, times, strict=True), 1):
            search = played.upto(number)
            yield ReplayStep(event, at, search.status, search.runs, number, played)

    def close(self) -> None:
        """Releases the lock of the journal. You can still read the search, but not change it."""
        _native.detach(self._core)
        if not self._settled:
            self._settled = True
            settle(self)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _card(self) -> str:
        return _native.journal_card(str(self.path), self.id, len(self.events)) + self._search._card()

    def __repr__(self) -> str:
        return f"<Session in {str(self.path)!r}: {self._search!r}>"


@dataclass(frozen=True, repr=False)
class ReplayStep(Generic[Report]):
    """An event of a run, with the state of the search after it.

    Attributes:
        event: The event: `{"event": "told", "id": 0, "observation": ...}`.
        at: The time of the event, in seconds since 1970.
        status: The status of the search after the event.
        runs: The number of outcomes after the event.
    """

    event: dict[str, Any]
    at: float | None
    status: Status
    runs: int
    _number: int
    _played: _Played[Report]

    @property
    def report(self) -> Report:
        """The report after the event, computed when you call this method."""
        return self._played.upto(self._number).report()

    def __repr__(self) -> str:
        return f"<ReplayStep {self._number}: {self.event['event']}, {self.status}, {self.runs} answers>"


class _Played(Generic[Report]):
    """A replay of a run."""

    def __init__(self, search: Search[Report, Any], events: list[dict[str, Any]]) -> None:
        self._search = search
        self._events = events
        self._at = 0
        self._playing = _fresh(search)

    def upto(self, number: int) -> Search[Report, Any]:
        """Returns the search after `number` events. An earlier number restarts the replay."""
        if number < self._at:
            self._at, self._playing = 0, _fresh(self._search)
        for event in self._events[self._at : number]:
            self._playing.apply(event)
        self._at = number
        return self._playing


def _target(given: str | Iterable[int]) -> str | Iterable[int]:
    """Returns a revision or a set of items for the core, which checks it.

    Raises:
        InvalidArgumentError: If a text contains lone surrogates.
    """
    if isinstance(given, str):
        check_whole("target", (given,))
    return given


def _fresh(search: Search[Report, Any]) -> Search[Report, Any]:
    """Returns the same search without events."""
    made = copy.copy(search)
    made._core = search._core.fresh()
    return made


def prepare(
    search: Search[Any, Any],
    known: KnownOutcomes | None,
    store: OutcomeStore | None,
    run: str | None = None,
    base: str | None = None,
) -> None:
    """Applies `known` and `store` to a search before it starts.

    Raises:
        UnknownRevisionError: If `known` contains a revision that does not exist.
        ContradictionError: If a known outcome contradicts the search.
        InvalidArgumentError: If `known` or `store` has the wrong type.
        StoreError: If the store cannot be opened.
    """
    # Known outcomes first: they can come from the store, and must not count twice.
    if known is not None:
        search._core.assume(pairs(known, search._observation))
    if store is not None:
        share(search, store, run or os.urandom(16).hex(), base)
