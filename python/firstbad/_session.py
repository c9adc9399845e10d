"""Searches that outlive their process: every event is on disk before anybody hears of it."""

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
    from firstbad._observation import Answer
    from firstbad._run_options import SessionOptions

__all__ = ["ReplayStep", "Session", "prepare"]

Self = TypeVar("Self", bound="Session[Any, Any]")


class Session(Search[Report, Given]):
    """A search that is kept in a journal: a file of JSON lines that has every event before anybody hears of it.

    It is a search like the one that was handed in: asked and told by hand, or driven by `run`, which takes over the
    probes in flight, lent or not. Killed at any moment, it goes on where it was once it is opened again. One process
    writes to a journal at a time; the lock goes with the process, and with `close`.

    Attributes:
        path: The journal's file, as an absolute path without links.
        id: A name for the run that no other has, the same each time it is opened.
        resumed: Whether there was a journal already.
        recovered: A description of the journal's losses: a last line torn by a crash, or possible undetected losses in
            a journal of an older version, which has no checksums. None if the journal is complete.

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

    __slots__ = ("_search", "_settled", "_timed", "id", "path", "recovered", "resumed")

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
        """Keeps a search in a journal: in a new one, or in one of the same search, which is then resumed.

        A search that a budget or a `stop` had ended goes on. A command oracle that is then `run` is compared with the
        one that the journal knows; where it knows none, it is written down. What is told by hand, and what functions
        answer, is not compared.

        Args:
            path: The journal; its folder exists. What is beside it with a longer name (`run.jsonl.graph.gz`) belongs to
                it.
            search: The search: a new one where there is a journal, with the options that it was made with. It and the
                session are one from here on.
            **options: Those of `SessionOptions`, as keywords.

        Raises:
            JournalError: The journal is in use by somebody else, who is named (`journal_locked`); it belongs to another
                search, whose difference is named; it cannot be read or written; there is a journal, and the search has
                events already (`journal`).
            UnknownRevisionError: Something is known of a revision that does not exist.
            ContradictionError: What is known is in the journal otherwise.
            StoreError: The store cannot be opened.
            InvalidArgumentError: An argument that cannot be meant.
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
        """The same; `base` is the revision that patches are applied to, `answered_by` what is going to answer."""
        check_search(search)
        command = command_of(answered_by)
        session = cls.__new__(cls)
        session._search = search
        session._core = search._core
        session._timed = search._timed
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
        """The best answer so far, at any moment; the final one when `done`."""
        return self._search.report()

    def _given(self, probe: _native.Probe) -> Given:
        return self._search._given(probe)

    def _check_ending(self) -> None:
        self._search._check_ending()

    def ask(self, k: int = 1, lease: float | None = None) -> list[_native.Probe]:
        """At most `k` probes to run next, lent for `lease` seconds.

        What is not answered by then is handed out again by a later `ask`, here or wherever the journal is opened next.
        That is no outcome, and a late answer still counts. Without a lease a probe is in flight until it is answered or
        abandoned.

        Raises:
            InvalidArgumentError: `k` is below 1, or `lease` is no number above 0.
            JournalError: The journal cannot be written, or is closed.
        """
        return self._core.ask(
            min(check_count("k", k, 1, None), sys.maxsize), None if lease is None else checked_seconds("lease", lease)
        )

    def observe(self, target: str | Iterable[int], outcome: Answer) -> None:
        """Tells something known that was never asked, of a revision or of a set of items. It is no query.

        Raises:
            UnknownRevisionError: There is no such revision.
            ContradictionError: It is known to be otherwise; the first answer is kept.
            InvalidArgumentError: The answer is none, or there is no such item.
            JournalError: The journal cannot be written, or is closed.
        """
        self._core.observe(_target(target), outcome)

    def enqueue(self, target: str | Iterable[int]) -> None:
        """Puts a revision, or a set of items, at the head of what is asked next.

        Raises:
            UnknownRevisionError: There is no such revision.
            InvalidArgumentError: There is no such item.
            JournalError: The journal cannot be written, or is closed.
        """
        self._core.enqueue(_target(target))

    def replay(self) -> Iterator[ReplayStep[Report]]:
        """The run from its first event to its last, step by step, as the journal has it.

        On a search of its own: this one stays as it is, and others may write to the journal meanwhile.

        Raises:
            JournalError: The journal cannot be read.
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
        """Lets others write to the journal. The search can still be looked at, and not be changed any more."""
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
    """One event of a run, and where the search stood after it.

    Attributes:
        event: What happened: `{"event": "told", "id": 0, "observation": ...}`.
        at: When, in seconds since 1970.
        status: Where the search stood then.
        runs: How many answers it had then.
    """

    event: dict[str, Any]
    at: float | None
    status: Status
    runs: int
    _number: int
    _played: _Played[Report]

    @property
    def report(self) -> Report:
        """The best answer there was then. Made when it is asked for."""
        return self._played.upto(self._number).report()

    def __repr__(self) -> str:
        return f"<ReplayStep {self._number}: {self.event['event']}, {self.status}, {self.runs} answers>"


class _Played(Generic[Report]):
    """A run that is played again, up to any of its events."""

    def __init__(self, search: Search[Report, Any], events: list[dict[str, Any]]) -> None:
        self._search = search
        self._events = events
        self._at = 0
        self._playing = _fresh(search)

    def upto(self, number: int) -> Search[Report, Any]:
        """The search after so many events: quick from one to the next, from the start for an earlier one."""
        if number < self._at:
            self._at, self._playing = 0, _fresh(self._search)
        for event in self._events[self._at : number]:
            self._playing.apply(event)
        self._at = number
        return self._playing


def _target(given: str | Iterable[int]) -> str | Iterable[int]:
    """A revision, or a set of items, to which the core says what is wrong with it.

    Raises:
        InvalidArgumentError: It is a text with lone surrogates.
    """
    if isinstance(given, str):
        check_whole("target", (given,))
    return given


def _fresh(search: Search[Report, Any]) -> Search[Report, Any]:
    """The same search at its start."""
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
    """Tells a search what is known before it begins, and lets it share outcomes, as `run`.

    Raises:
        UnknownRevisionError: Something is known of a revision that does not exist.
        ContradictionError: The search knows otherwise.
        InvalidArgumentError: What is known is not in a form that can be meant; no store.
        StoreError: The store cannot be opened.
    """
    # In this order, for what is known may come from the store, and is not to count twice.
    if known is not None:
        search._core.assume(pairs(known))
    if store is not None:
        share(search, store, run or os.urandom(16).hex(), base)
