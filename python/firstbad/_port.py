"""Iterative delta debugging (Artho 2011): finds a good version behind broken ones, and ports the fix."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from firstbad import _native
from firstbad._command_oracle import CommandOracle
from firstbad._errors import InvalidArgumentError
from firstbad._find import kept
from firstbad._generated.options import PorterOptions, WalkOptions
from firstbad._graph import GraphLike
from firstbad._observation import Observation
from firstbad._options import defaults, encoded
from firstbad._patch import Patch
from firstbad._port_report import PorterReport
from firstbad._repository import Repository
from firstbad._run import run
from firstbad._run_options import KEEP, RUN, THREADS, FindAsyncOptions, FindOptions, parted
from firstbad._search import HistorySearch, Search
from firstbad._shown import Options, check, shows
from firstbad._store import OutcomeStore, check_for_trees, share_trees, warn
from firstbad._trials import Awaited, Trials, opened

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._observation import Answer

__all__ = ["PortProbe", "Porter", "iterative_delta_debugging", "iterative_delta_debugging_async"]


PORTER = Options(PorterOptions, defaults=defaults("port"))
WALK = Options(WalkOptions, defaults=defaults("port"))


@shows(PORTER)
class Porter(HistorySearch[PorterReport, _native.Probe]):
    """A search for a good version behind broken ones (Artho, "Iterative Delta Debugging", 2011).

    A probe is a revision, or a revision with changes: `probe.changes` are changes of the diff with the read id
    `probe.universe`. The search must read diffs between probes, so pass a reader to `run`, or `give` the content of
    `reads`. For a repository, use `iterative_delta_debugging`.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        **options: See `PorterOptions`.

    Raises:
        UnknownRevisionError: If an id is not in the graph.
        InvalidArgumentError: If a revision is not an ancestor of the start, or a number is out of range.

    Example:
        >>> import firstbad as fb
        >>> search = fb.Porter(fb.CommitGraph.linear(["1.0", "1.1", "1.2"]), start="1.2")
        >>> for probe in search.ask(2):
        ...     search.tell(probe.id, fb.Observation("fail", signature="no such option"))
        >>> [probe.revision for probe in search.ask()], search.report().failure
        (['1.1'], 'fail (signature "no such option")')
    """

    __slots__ = ()

    _algorithm = "port"
    _options = PORTER

    def __init__(self, graph: GraphLike, **options: Unpack[PorterOptions]) -> None:
        self._open(graph, options)

    def report(self) -> PorterReport:
        """The result so far, which is final when the search is `done`."""
        return PorterReport._written(self._core.report())._of(self._core)

    def _given(self, probe: _native.Probe) -> _native.Probe:
        return probe


@dataclass(frozen=True)
class PortProbe:
    """A revision with a patch, as an oracle of `iterative_delta_debugging` gets it.

    Attributes:
        id: The number of the probe.
        revision: The full hash of the revision.
        patch: The patch to apply, which applies exactly. It is empty for the revision itself.
        tree: The full hash of the resulting tree. Equal hashes mean equal files.
        carried: How the patch was carried to the revision: `none`, `exact`, `three_way`, `renamed`, `whitespace`,
            `fuzzy` or `already`.
    """

    id: int
    revision: str
    patch: Patch
    tree: str
    carried: str


PortOracle: TypeAlias = "CommandOracle | Callable[[PortProbe], Answer]"
AsyncPortOracle: TypeAlias = "PortOracle | Callable[[PortProbe], Awaitable[Answer]]"
Control: TypeAlias = "Sequence[str | os.PathLike[str]] | AsyncPortOracle"


class _Tested(Trials[PortProbe]):
    """Runs an oracle for the probes of a search, without runs for known trees."""

    def __init__(
        self, repository: Repository, oracle: AsyncPortOracle, control: Control | None, also: Control | None
    ) -> None:
        super().__init__(repository, oracle)
        self.owned: list[CommandOracle] = []
        self._control = self._second(control)
        self.also = self._second(also)
        self._tell_of_endings(self._control)
        self.search: Search[Any, Any] | None = None
        self.variants: _native.Variants | None = None

    def _second(self, given: Control | None) -> Any:
        """Returns the oracle of `control` or `also`."""
        if given is None or callable(given):
            return given
        self.owned.append(self.repository.command_oracle(given))
        return self.owned[-1]

    def fix(self, report: PorterReport) -> tuple[PortProbe, PortProbe] | None:
        """Returns the probes for `also`, without and with the fix, or None if `also` does not run."""
        if self.also is None or report.forward is None:
            return None
        revision = str(report.details["forward"].on["revision"])
        without = PortProbe(report.asked, revision, Patch.parse(""), "", "none")
        return without, PortProbe(report.asked + 1, revision, report.forward, "", "exact")

    def open(self, search: Search[Any, Any], store: OutcomeStore | None) -> None:
        """Prepares the runs of a search."""
        self.variants = _native.Variants.of_search(self.repository._core, search._core)
        self.search = search
        if store is not None:
            share_trees(self.variants, store, search)

    def read(self, request: dict[str, Any]) -> bytes:
        """Returns the content for a read."""
        return self._variants.read(
            self._core, json.dumps({key: value for key, value in request.items() if key != "id"})
        )

    @property
    def _variants(self) -> _native.Variants:
        assert self.variants is not None
        return self.variants

    @property
    def _core(self) -> _native.Search:
        assert self.search is not None
        return self.search._core

    @property
    def control(self) -> Any:
        return self._control

    def guards(self, probe: _native.Probe, seen: Any, /) -> bool:
        return self._control is not None and self._variants.wants_control(probe, seen)

    def trial(self, probe: _native.Probe) -> _native.Carried | str:
        return self._variants.trial(self._core, probe)

    def shown(self, probe: _native.Probe, trial: _native.Carried) -> PortProbe:
        return PortProbe(probe.id, str(probe.revision), Patch.parse(trial.patch), trial.tree, trial.way)

    def revision(self, probe: _native.Probe, /) -> str:
        return str(probe.revision)

    def seen(self, probe: _native.Probe, trial: _native.Carried, seen: Any, control: Any, /) -> str:
        guard = None if control is None else Observation.of(control)
        return self._variants.seen(probe, trial, seen, guard)

    def close(self) -> None:
        """Removes temporary objects."""
        if self.variants is not None:
            self.variants.close()
        for oracle in self.owned:
            oracle.close()
        if self.variants is not None:
            warn(self.variants.store_trouble())


class _AwaitedTest(Awaited[PortProbe], _Tested):
    """`_Tested` on an event loop."""


def _checked(report: PorterReport, before: Any, after: Any) -> PorterReport:
    """Returns the report with the outcomes of `also`."""
    written = _native.port_also(report._text, Observation.of(before), Observation.of(after))
    whole: PorterReport = PorterReport._written(written)._of(report._search)
    return whole


def _tell(oracle: Any, probe: PortProbe) -> Any:
    """Calls an oracle with a probe, or runs its command."""
    if isinstance(oracle, CommandOracle):
        patch = bytes(probe.patch) if len(probe.patch) else None
        return Observation.from_json(oracle._core.run(probe.revision, patch, True))
    return oracle(probe)


class PortOptions(WalkOptions, FindOptions, total=False):
    """The options of `iterative_delta_debugging`."""


class PortAsyncOptions(WalkOptions, FindAsyncOptions, total=False):
    """The options of `iterative_delta_debugging_async`."""


def _made(
    tested: _Tested, options: Mapping[str, object], driver: Options
) -> tuple[Porter, OutcomeStore | None, dict[str, Any], dict[str, Any]]:
    check(options, WALK, driver, KEEP)
    searching, running, keeping = parted(options)
    if running.get("reader") is not None:
        raise InvalidArgumentError("reader: a reader is not valid here, because the search reads the repository")
    store = keeping.pop("store", None)
    if store is not None:
        check_for_trees(store)
    oracle = tested.oracle
    controlled = tested.control is not None or (isinstance(oracle, CommandOracle) and oracle._core.controlled)
    made = Porter.__new__(Porter)
    made._core = tested.repository._core.porter(encoded({**searching, "controlled": controlled}))
    return made, store, running, keeping


@shows(WALK, THREADS, KEEP)
def iterative_delta_debugging(
    repo: Repository | str | os.PathLike[str],
    oracle: PortOracle,
    *,
    control: Sequence[str | os.PathLike[str]] | PortOracle | None = None,
    also: Sequence[str | os.PathLike[str]] | PortOracle | None = None,
    **options: Unpack[PortOptions],
) -> PorterReport:
    """Finds a good version behind broken ones, what broke it, and the fix (Artho, "Iterative Delta Debugging", 2011).

    Use it if a test fails at `start` and older versions cannot run it. The search walks back through older versions
    with the smallest patch that lets the test run and fail in the same way. At a version that passes, it finds the
    changes that the test needs, the smallest change that breaks it, and the smallest change that fixes it. With
    `forward`, it ports the fix to a newer version.

    Args:
        repo: The repository, or its path.
        oracle: A function that tests a `PortProbe`, or a command oracle of the repository, preferably with stages
            (`build=`). The `signature` and `stage` of an `Observation` identify the failure.
        control: A command, as a list of words, or a function like `oracle`. A failure of the test counts only if the
            control passes, and so does a pass with part of a patch on the way back. None: no control. The `control=` of
            a command oracle runs in the same worktree instead.
        also: A second test, given as for `control`. It runs at the revision that the fix was ported to, once without
            the fix and once with it. The report contains both outcomes. None: no second test.
        **options: See `WalkOptions` and `FindOptions`, without `reader`. A `store` must not have keys, because outcomes
            are stored by tree.

    Raises:
        UnknownRevisionError: If Git cannot find the revision.
        InvalidArgumentError: If `good` is not an ancestor of the start, or another argument is invalid.
        BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Porter` and `run`.
    """
    tested = _Tested(opened(repo), oracle, control, also)
    try:
        made, store, running, keeping = _made(tested, options, THREADS)
        with kept(made, tested, **keeping) as search:
            tested.open(search, store)
            report = run(search, tested, reader=tested.read, **running)
            fix = tested.fix(report)
            return report if fix is None else _checked(report, *(_tell(tested.also, probe) for probe in fix))
    finally:
        tested.close()


@shows(WALK, RUN, KEEP, like=iterative_delta_debugging)
async def iterative_delta_debugging_async(
    repo: Repository | str | os.PathLike[str],
    oracle: AsyncPortOracle,
    *,
    control: Control | None = None,
    also: Control | None = None,
    **options: Unpack[PortAsyncOptions],
) -> PorterReport:
    """Async version of `iterative_delta_debugging`, driven by `run_async`.

    Raises:
        UnknownRevisionError: If Git cannot find the revision.
        InvalidArgumentError: If `good` is not an ancestor of the start, or another argument is invalid.
        BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Porter` and `run_async`.
    """
    import asyncio

    from firstbad._run_async import run_async

    tested = _AwaitedTest(opened(repo), oracle, control, also)
    try:
        made, store, running, keeping = _made(tested, options, RUN)
        with kept(made, tested, **keeping) as search:
            tested.open(search, store)
            report = await run_async(search, tested, reader=tested.read, **running)
            fix = tested.fix(report)
            if fix is None:
                return report
            seen = [await asyncio.to_thread(_tell, tested.also, probe) for probe in fix]
            return _checked(report, *[await one if inspect.isawaitable(one) else one for one in seen])
    finally:
        tested.close()
