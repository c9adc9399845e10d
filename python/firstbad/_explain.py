"""Reduces the patch at a regression point to its cause.

The core chooses the points, the options, and the rest of the budget.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from firstbad import _native
from firstbad._budget import Budget
from firstbad._command_oracle import CommandOracle, Revision
from firstbad._errors import InvalidArgumentError
from firstbad._find import Base, kept
from firstbad._minimize import PatchMinimizer
from firstbad._patch import Patch
from firstbad._run import run
from firstbad._run_options import parted

if TYPE_CHECKING:
    from firstbad._reduction_report import MinimizeReport
    from firstbad._report import RegressionReport
    from firstbad._search import Search

__all__ = ["Explanation"]


@dataclass(frozen=True)
class Cause:
    """The search for the cause of one point, and how to run it."""

    place: int
    patch: Patch
    search: PatchMinimizer
    callback: Revision
    keeping: dict[str, Any]
    running: dict[str, Any]


class Explanation:
    """The second half of a regression search with `explain`. Created first, so that one budget covers both halves.

    Raises:
        InvalidArgumentError: If the oracle is not a command oracle, because only those can test part of a patch.
    """

    def __init__(self, oracle: object, options: Mapping[str, Any]) -> None:
        if not isinstance(oracle, CommandOracle):
            raise InvalidArgumentError(
                "explain: True is not valid with this oracle; expected one of Repository.command_oracle, which can "
                "test parts of a patch"
            )
        self._oracle = oracle
        _, self._running, keeping = parted(options)
        self._journal = keeping.get("journal")
        self._store = keeping.get("store")
        self._budget = Budget.of(self._running.pop("budget", None)) or Budget()
        self._began = time.monotonic()
        self._causes: dict[int, MinimizeReport[Patch]] = {}
        self._explained: dict[int, dict[str, Any]] = {}
        self._core: dict[str, Any] = {}

    def of(self, search: Search[RegressionReport, Any], report: RegressionReport) -> RegressionReport:
        """Returns the report with the causes of its points."""
        with _handed_out(report):
            for cause in self._due(search):
                with kept(cause.search, cause.callback, **cause.keeping) as begun:
                    self._told(cause, run(begun, cause.callback, **cause.running))
        return self._with_causes(report)

    async def of_async(self, search: Search[RegressionReport, Any], report: RegressionReport) -> RegressionReport:
        """Async version of `of`."""
        from firstbad._run_async import run_async

        with _handed_out(report):
            for cause in self._due(search):
                with kept(cause.search, cause.callback, **cause.keeping) as begun:
                    self._told(cause, await run_async(begun, cause.callback, **cause.running))
        return self._with_causes(report)

    def _due(self, search: Search[RegressionReport, Any]) -> Iterator[Cause]:
        """Yields the searches to run. Run each before you request the next."""
        core = search._core
        budget = {"runs": self._budget.runs, "cost": self._budget.cost, "builds": self._budget.builds}
        self._core = json.loads(_native.explain(core.configuration(), core.report(), json.dumps(budget)))
        for place, point in enumerate(self._core["points"]):
            if point["no_cause"] is not None:
                continue
            patch = Patch(self._oracle._repository.diff_to_reduce(point["good"], point["bad"]))
            if not patch:
                self._core = json.loads(_native.explained(json.dumps(self._core), place, None))
                continue
            reduction = PatchMinimizer(patch, granularity=self._core["granularity"], **self._core["configuration"])
            running = self._running | {"budget": self._left()}
            base = Base(self._oracle._repository, point["good"], patch)
            callback = Revision(self._oracle, point["good"])
            yield Cause(place, patch, reduction, callback, self._keeping(point, base), running)

    def _told(self, cause: Cause, report: MinimizeReport[Patch]) -> None:
        written = json.dumps(self._core)
        found = cause.search._core.report()
        self._core = json.loads(_native.explained(written, cause.place, found))
        self._explained[cause.place] = {"report": json.loads(found), "patch": str(cause.patch)}
        self._causes[cause.place] = report

    def _keeping(self, point: Mapping[str, Any], base: Base) -> dict[str, Any]:
        """Returns the options that keep the search for a cause, if the first half has a journal or store."""
        journal = None if self._journal is None else os.fspath(self._journal) + point["journal_suffix"]
        return {"journal": journal, "store": self._store, "base": base}

    def _left(self) -> Budget:
        """Returns the rest of the budget."""
        seconds = self._budget.seconds
        spent = time.monotonic() - self._began
        return Budget(**self._core["left"], seconds=None if seconds is None else max(0.0, seconds - spent))

    def _with_causes(self, report: RegressionReport) -> RegressionReport:
        places = range(len(report.points))
        causes = tuple(self._causes.get(place) for place in places)
        explained = tuple(self._explained.get(place) for place in places)
        written = _native.explained_report(json.dumps(self._core), report._text)
        return report._with_causes(written, causes, explained)


@contextmanager
def _handed_out(report: RegressionReport) -> Iterator[None]:
    """Attaches the points to an exception that stops the second half."""
    try:
        yield
    except BaseException as error:
        try:
            error.firstbad_report = report  # type: ignore[attr-defined]
        except AttributeError:
            raise error from None
        raise
