"""The waist: every search is asked for probes and told observations, and never runs a test itself."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from firstbad import _native
from firstbad._arguments import check_count, check_kind, checked_text
from firstbad._budget import Budget
from firstbad._card import Card
from firstbad._errors import InvalidArgumentError
from firstbad._explanation import explanations
from firstbad._generated.reports import Explanation, SelectionReason
from firstbad._graph import GraphLike, as_graph
from firstbad._options import encoded, priced
from firstbad._shown import Options, check

if TYPE_CHECKING:
    from firstbad._generated.reports import Status
    from firstbad._observation import Answer

__all__ = ["Given", "HistorySearch", "Report", "RevisionSearch", "Search", "check_search"]

Report = TypeVar("Report", covariant=True)
Given = TypeVar("Given")
Self = TypeVar("Self", bound="HistorySearch[Any, Any]")

_AN_ID = "a revision's id, as str"


class Search(Card, ABC, Generic[Report, Given]):
    """A search as drivers see it: the same for every algorithm.

    Its types are that of its report, and what a callback gets for a probe: `Search[RegressionReport, str]`. State is
    configuration plus events: the same configuration and the same answers give the same asks, everywhere. A search
    may be looked at from other threads while one of them drives it.
    """

    __slots__ = ("__weakref__", "_core")

    _core: _native.Search
    _algorithm: ClassVar[str]
    """The core's name for it."""
    _options: ClassVar[Options]
    """What it can be told before it starts."""
    _timed: bool = False
    """Whether it looks at when a test was run, so that drivers note it."""

    @abstractmethod
    def report(self) -> Report:
        """The best answer so far, at any moment; the final one when `done`."""

    def explain(self) -> list[Explanation]:
        """How the search came to where it stands: what was asked, why that, and what it ruled out.

        One for each answer that counts, in the order told. Every answer is told to the same search again, which takes
        as long as it took to decide then.

        Example:
            >>> import firstbad as fb
            >>> search = fb.RegressionSearch(fb.CommitGraph.linear(list("abcdefgh")), bad="h", good="a")
            >>> report = fb.run(search, lambda version: version < "d")
            >>> print(search.explain()[3])
            run 4: b passes. Asked because it is, or comes after, 1 of 3 suspects. It ruled out 1 of them; 2 are left
        """
        return explanations(self._core)

    @abstractmethod
    def _given(self, probe: _native.Probe) -> Given:
        """What a callback gets for a probe."""

    def _card(self) -> str:
        """What is known so far; empty for an algorithm that is none of ours."""
        report = self.report()
        return report._card() if isinstance(report, Card) else ""

    def _digest(self) -> str | None:
        """What it searches in, so that a journal is not resumed with something else; None if that is a graph."""
        return None

    def _check_ending(self) -> None:
        """Raises what a function that finds something raises instead of returning the report."""

    def ask(self, k: int = 1) -> list[_native.Probe]:
        """At most `k` probes to run next, useful side by side, given what is in flight already.

        With those they are never more than 1,024. Empty when the search is done, when answers in flight must come
        first, or when it has to see something first (`reads`).

        Raises:
            InvalidArgumentError: `k` is below 1.
        """
        return self._core.ask(min(check_count("k", k, 1, None), sys.maxsize))

    def tell(self, id: int | _native.Probe, outcome: Answer) -> None:
        """Answers a probe, given by itself or by its id.

        In any order; the same answer twice is accepted, and one for an abandoned probe counts.

        Raises:
            UnknownProbeError: There is no such probe.
            ContradictionError: What it tests (with a flaky test: this very probe) is known to be otherwise; the first
                answer is kept.
            InvalidArgumentError: The answer is none.
        """
        self._core.tell(_number(id), outcome)

    def abandon(self, id: int | _native.Probe) -> None:
        """Says that a probe will not be answered: what it tests may be asked again, and nothing is concluded.

        Raises:
            UnknownProbeError: There is no such probe.
        """
        self._core.abandon(_number(id))

    def wanted(self, id: int | _native.Probe) -> bool:
        """Whether an answer to a probe is still of use; a driver may cancel one that is not.

        Raises:
            UnknownProbeError: There is no such probe.
        """
        return self._core.wanted(_number(id))

    def give(self, id: int, content: bytes) -> None:
        """Hands over what a read asks for. The same content twice is accepted.

        Raises:
            UnknownReadError: There is no such read.
            ContradictionError: Another content was given for it; the first is kept.
            InvalidArgumentError: The content is too large, or is not what was asked for.
        """
        if not isinstance(content, (bytes, bytearray, memoryview)):
            raise InvalidArgumentError(
                f"content: {shortened(content)} ({type(content).__name__}) is not valid; expected bytes"
            )
        self._core.give(check_count("id", id, 0), bytes(content))

    def stop(self, reason: Literal["stopped", "budget"] = "stopped") -> None:
        """Ends the search from outside; answers in flight still count when they come."""
        self._core.stop(checked_text("reason", reason))

    def resume(self) -> None:
        """Takes up a search that was ended from outside. One that has its answer keeps it."""
        self._core.resume()

    def set_budget(self, budget: Budget | int | None) -> None:
        """Limits all answers of this search; a larger budget resumes a search that ended for want of one.

        The clock is for drivers to watch: give `seconds` to `run`.

        Raises:
            InvalidArgumentError: `seconds` is given, or a number is negative.
        """
        given = Budget.of(budget) or Budget()
        if given.seconds is not None:
            raise InvalidArgumentError("budget.seconds: a search has no clock; give seconds to fb.run instead")
        self._core.set_budget(given.runs, given.cost)

    def undo(self, n: int = 1) -> None:
        """Takes back the last `n` answers. Their probes count as abandoned; corrected answers are accepted.

        Raises:
            InvalidArgumentError: There are fewer answers.
        """
        self._core.undo(check_count("n", n, 0, 0xFFFF_FFFF))

    @property
    def status(self) -> Status:
        """Where the search stands."""
        return self._core.status

    @property
    def done(self) -> bool:
        """Whether there is nothing left to ask or to wait for."""
        return self._core.done

    @property
    def in_flight(self) -> list[_native.Probe]:
        """Probes asked and not answered, oldest first."""
        return self._core.in_flight

    @property
    def reads(self) -> list[dict[str, Any]]:
        """What the search has to see before it can ask on, oldest first, for `give`. It costs no run and no budget.

        As JSON objects: `{"id": 0, "read": "diff", "from": ..., "to": ...}` (the patch from one revision to another),
        `{"id": 1, "read": "file", "revision": ..., "path": ...}` or `{"id": 2, "read": "tree", "revision": ...}` (the
        names of all files, each with a zero byte behind it). Most searches have to see nothing.
        """
        requests = self._core.reads()
        return [] if requests is None else json.loads(requests)

    @property
    def runs(self) -> int:
        """How many answers of the oracle cost a run."""
        return self._core.runs

    @property
    def asked(self) -> int:
        """How many answers came to probes, those that cost no run included (`Observation(ran=False)`)."""
        return self._core.asked

    @property
    def events(self) -> list[dict[str, Any]]:
        """Everything that happened, in order, as JSON objects: `{"event": "asked", "id": 0, "revision": ...}`.

        Events are `asked`, `told`, `abandoned`, `enqueued`, `observed`, `read`, `undone`, `budgeted`, `stopped` and
        `resumed`.
        """
        events: list[dict[str, Any]] = json.loads(self._core.events(0))
        return events

    def apply(self, event: Mapping[str, Any]) -> None:
        """Applies one event of another run of the same search.

        Raises:
            SnapshotError: It is no event, or does not fit; and what the event itself can raise.
        """
        if not isinstance(event, Mapping):
            raise InvalidArgumentError(
                f"event: {shortened(event)} ({type(event).__name__}) is not valid; expected one, as in search.events"
            )
        self._core.apply(json.dumps(dict(event), default=repr))

    def snapshot(self) -> str:
        """Configuration and events as one JSON text; `restore` makes the same search of it, probes in flight too."""
        return self._core.snapshot()

    def __repr__(self) -> str:
        flying = len(self.in_flight)
        return f"<{type(self).__name__}: {self.status}, {self.runs} answers, {flying} in flight>"


def check_search(given: object) -> None:
    """Refuses what is no search.

    Raises:
        InvalidArgumentError: It is none.
    """
    check_kind("search", given, Search, "a search, for instance RegressionSearch(graph, bad=...)")


def _number(probe: int | _native.Probe) -> int:
    """The id of a probe.

    Raises:
        InvalidArgumentError: It is neither a probe nor an id.
    """
    return probe.id if isinstance(probe, _native.Probe) else check_count("id", probe, 0)


class HistorySearch(Search[Report, Given]):
    """A search in a commit graph."""

    __slots__ = ()

    def _open(self, graph: GraphLike, options: Mapping[str, Any]) -> None:
        check(options, self._options)
        world = as_graph(graph)._core
        self._core = _native.open(self._algorithm, world, encoded(priced(world, options)))

    @classmethod
    def restore(cls: type[Self], graph: GraphLike, snapshot: str) -> Self:
        """The search that a snapshot was taken of, probes in flight included.

        Raises:
            SnapshotError: The text is no snapshot of this kind of search, or was taken on another history.
        """
        search = cls.__new__(cls)
        search._core = _native.restore(cls._algorithm, as_graph(graph)._core, checked_text("snapshot", snapshot))
        return search

    def observe(self, revision: str, outcome: Answer) -> None:
        """Tells something known that was never asked. It is no query.

        Raises:
            UnknownRevisionError: There is no such revision.
            ContradictionError: The revision is known to be otherwise; the first answer is kept.
            InvalidArgumentError: The answer is none.
        """
        self._core.observe(checked_text("revision", revision, _AN_ID), outcome)

    def why(self, revision: str) -> SelectionReason | None:
        """Why a revision, by its full id, is tried early: what speaks for it, or for the one right after it.

        None if the prior does not know (`prior="changes"` and a `CommitRanking` do), or nothing does.
        """
        written = self._core.why(checked_text("revision", revision, _AN_ID))
        return None if written is None else SelectionReason._from(json.loads(written))

    def enqueue(self, revision: str) -> None:
        """Puts a suspect at the head of what is asked next.

        Raises:
            UnknownRevisionError: There is no such revision.
        """
        self._core.enqueue(checked_text("revision", revision, _AN_ID))


class RevisionSearch(HistorySearch[Report, str]):
    """A search among the revisions of a commit graph; callbacks get a revision's id."""

    __slots__ = ()

    def _given(self, probe: _native.Probe) -> str:
        return probe.revision
