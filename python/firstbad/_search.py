"""The ask/tell interface that all searches share."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
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
from firstbad._observation import Observation
from firstbad._options import encoded, priced
from firstbad._shown import Options, check

if TYPE_CHECKING:
    from firstbad._generated.reports import Status
    from firstbad._observation import SuiteAnswer

__all__ = ["Given", "HistorySearch", "Report", "RevisionSearch", "Search", "check_search"]

Report = TypeVar("Report", covariant=True)
Given = TypeVar("Given")
Self = TypeVar("Self", bound="HistorySearch[Any, Any]")

_AN_ID = "a revision's id, as str"


class Search(Card, ABC, Generic[Report, Given]):
    """The ask/tell interface of a search, which is the same for every algorithm.

    The type parameters are the type of the report and the type that the oracle gets for a probe:
    `Search[RegressionReport, str]`. A search never runs a test itself. Its state is its configuration and its events.
    The same configuration and outcomes always give the same probes. Other threads can read a search while one thread
    drives it.
    """

    __slots__ = ("__weakref__", "_core")

    _core: _native.Search
    _algorithm: ClassVar[str]
    """The name of the algorithm in the core."""
    _options: ClassVar[Options]
    """The options that the search takes."""
    _timed: bool = False
    """Whether the search uses the times of runs, so that drivers must record them."""
    _measures: bool = False
    """Whether the search is told numbers, so that a boolean is an error."""

    @abstractmethod
    def report(self) -> Report:
        """The result so far, which is final when the search is `done`."""

    def explain(self) -> list[Explanation]:
        """Returns why the search tested each revision, and which suspects each outcome ruled out.

        The list has one entry for each outcome that counts, in the order told. The search is replayed, which takes as
        long as its decisions took.

        Example:
            >>> import firstbad as fb
            >>> search = fb.RegressionSearch(fb.CommitGraph.linear(list("abcdefgh")), bad="h", good="a")
            >>> report = fb.run(search, lambda version: version < "d")
            >>> print(search.explain()[3])
            run 4: b passes. Tested because 1 of 3 suspects is at or before it. It ruled out 1 suspect, and 2 are left
        """
        return explanations(self._core)

    @abstractmethod
    def _given(self, probe: _native.Probe) -> Given:
        """Returns the argument of the oracle for a probe."""

    def _card(self) -> str:
        """The card of the search, or an empty text for an algorithm from outside the package."""
        report = self.report()
        return report._card() if isinstance(report, Card) else ""

    def _digest(self) -> str | None:
        """The digest of the items, which a journal compares. None for a graph."""
        return None

    def _observation(self, answer: Any) -> Observation:
        """Returns the observation of a value that the oracle can return.

        Raises:
            InvalidArgumentError: If the value is not an outcome.
        """
        return Observation.of(answer)

    def _prepared(self, oracle: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the function to call for each probe."""
        return oracle

    def _check_ending(self) -> None:
        """Raises an exception if the result is an error of the caller."""

    def ask(self, k: int = 1) -> list[_native.Probe]:
        """Returns at most `k` probes to run next, in parallel with the probes in flight.

        At most 1,024 probes can be in flight. The list is empty if the search is done, must wait for outcomes in
        flight, or must read content first (`reads`).

        Raises:
            InvalidArgumentError: If `k` is less than 1.
        """
        return self._core.ask(min(check_count("k", k, 1, None), sys.maxsize))

    def tell(self, id: int | _native.Probe, outcome: SuiteAnswer) -> None:
        """Tells the outcome of a probe, given as the probe or its id. Only a triage takes outcomes by test.

        Outcomes can arrive in any order. You can tell the same outcome again, and the outcome of an abandoned probe
        counts.

        Raises:
            UnknownProbeError: If the search has not asked for this probe.
            ContradictionError: If the revision or set already has another outcome. With a flaky test, only if this
                probe has one. The search keeps the first outcome.
            InvalidArgumentError: If `outcome` is not an outcome.
        """
        self._core.tell(_number(id), outcome)

    def abandon(self, id: int | _native.Probe) -> None:
        """Abandons a probe without an outcome. The search can ask for its revision or set again.

        Raises:
            UnknownProbeError: If the search has not asked for this probe.
        """
        self._core.abandon(_number(id))

    def wanted(self, id: int | _native.Probe) -> bool:
        """Returns whether the outcome of a probe is still useful. If not, a driver can cancel the run.

        Raises:
            UnknownProbeError: If the search has not asked for this probe.
        """
        return self._core.wanted(_number(id))

    def give(self, id: int, content: bytes) -> None:
        """Gives the content for a read. You can give the same content again.

        Raises:
            UnknownProbeError: If the search has no such read.
            ContradictionError: If the read already has other content. The search keeps the first content.
            InvalidArgumentError: If the content is too large, or not of the requested kind.
        """
        if not isinstance(content, (bytes, bytearray, memoryview)):
            raise InvalidArgumentError(
                f"content: {shortened(content)} ({type(content).__name__}) is not valid; expected bytes"
            )
        self._core.give(check_count("id", id, 0), bytes(content))

    def stop(self, reason: Literal["stopped", "budget"] = "stopped") -> None:
        """Stops the search. Outcomes of probes in flight still count."""
        self._core.stop(checked_text("reason", reason))

    def resume(self) -> None:
        """Resumes a stopped search. A search with a final result keeps it."""
        self._core.resume()

    def set_budget(self, budget: Budget | int | None) -> None:
        """Limits the outcomes of this search. A larger budget resumes a search that used up its budget.

        Pass a limit in seconds to `run`, because only drivers watch the clock.

        Raises:
            InvalidArgumentError: If `seconds` is given, or a number is negative.
        """
        given = Budget.of(budget) or Budget()
        if given.seconds is not None:
            raise InvalidArgumentError("budget.seconds: a search has no clock\nhelp: pass seconds to fb.run")
        self._core.set_budget(given.runs, given.cost, given.builds)

    def undo(self, n: int = 1) -> None:
        """Takes back the last `n` outcomes. Their probes count as abandoned, and you can tell corrected outcomes.

        Raises:
            InvalidArgumentError: If the search has fewer outcomes.
        """
        self._core.undo(check_count("n", n, 0, 0xFFFF_FFFF))

    @property
    def status(self) -> Status:
        """The status of the search."""
        return self._core.status

    @property
    def done(self) -> bool:
        """Whether the search has nothing left to ask or to wait for."""
        return self._core.done

    @property
    def in_flight(self) -> list[_native.Probe]:
        """The probes without an outcome, oldest first."""
        return self._core.in_flight

    @property
    def reads(self) -> list[dict[str, Any]]:
        """The content that the search must read before it can continue, oldest first. Pass the content to `give`.

        A read is a JSON object. It costs no run and no budget, and most searches need none. The kinds are:
        `{"id": 0, "read": "diff", "from": ..., "to": ...}` for the patch between two revisions,
        `{"id": 1, "read": "file", "revision": ..., "path": ...}` for a file, and
        `{"id": 2, "read": "tree", "revision": ...}` for the names of all files, each followed by a zero byte.
        """
        requests = self._core.reads()
        return [] if requests is None else json.loads(requests)

    @property
    def runs(self) -> int:
        """The number of outcomes that cost a run."""
        return self._core.runs

    @property
    def asked(self) -> int:
        """The number of outcomes of probes, including those without a run (`Observation(ran=False)`)."""
        return self._core.asked

    @property
    def events(self) -> list[dict[str, Any]]:
        """All events in order, as JSON objects: `{"event": "asked", "id": 0, "revision": ...}`.

        Events are `asked`, `told`, `abandoned`, `enqueued`, `observed`, `read`, `undone`, `budgeted`, `stopped` and
        `resumed`.
        """
        events: list[dict[str, Any]] = json.loads(self._core.events(0))
        return events

    def apply(self, event: Mapping[str, Any]) -> None:
        """Applies an event of another run of the same search.

        Raises:
            SnapshotError: If `event` is not an event, or does not fit this search.
            FirstbadError: If the search refuses the event.
        """
        if not isinstance(event, Mapping):
            raise InvalidArgumentError(
                f"event: {shortened(event)} ({type(event).__name__}) is not valid; expected one, as in search.events"
            )
        self._core.apply(json.dumps(dict(event), default=repr))

    def snapshot(self) -> str:
        """Returns the configuration and events as JSON. `restore` recreates the search, including probes in flight."""
        return self._core.snapshot()

    def __repr__(self) -> str:
        flying = len(self.in_flight)
        return f"<{type(self).__name__}: {self.status}, {self.runs} answers, {flying} in flight>"


def check_search(given: object) -> None:
    """Checks that a value is a search.

    Raises:
        InvalidArgumentError: If the value is not a search.
    """
    check_kind("search", given, Search, "a search, for instance RegressionSearch(graph, bad=...)")


def _number(probe: int | _native.Probe) -> int:
    """Returns the id of a probe.

    Raises:
        InvalidArgumentError: If the value is neither a probe nor an id.
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
        """Returns the search of a snapshot, including probes in flight.

        Raises:
            SnapshotError: If the text is not a snapshot of this kind of search, or its graph differs.
        """
        search = cls.__new__(cls)
        search._core = _native.restore(cls._algorithm, as_graph(graph)._core, checked_text("snapshot", snapshot))
        return search

    def observe(self, revision: str, outcome: SuiteAnswer) -> None:
        """Tells an outcome that the search did not ask for. It costs no run. Only a triage takes outcomes by test.

        Raises:
            UnknownRevisionError: If the revision does not exist.
            ContradictionError: If the revision already has another outcome. The search keeps the first one.
            InvalidArgumentError: If `outcome` is not an outcome.
        """
        self._core.observe(checked_text("revision", revision, _AN_ID), outcome)

    def why(self, revision: str) -> SelectionReason | None:
        """Returns why the prior prefers a revision, given by its full id.

        The reasons concern the revision or the one right after it. The result is None if the prior gives no reasons.
        `prior="changes"` and a `CommitRanking` give reasons.
        """
        written = self._core.why(checked_text("revision", revision, _AN_ID))
        return None if written is None else SelectionReason._from(json.loads(written))

    def enqueue(self, revision: str) -> None:
        """Moves a suspect to the front of the queue.

        Raises:
            UnknownRevisionError: If the revision does not exist.
        """
        self._core.enqueue(checked_text("revision", revision, _AN_ID))


class RevisionSearch(HistorySearch[Report, str]):
    """A search among the revisions of a commit graph. The oracle gets the id of a revision."""

    __slots__ = ()

    def _given(self, probe: _native.Probe) -> str:
        return probe.revision
