"""A good version behind broken ones, and the fix brought forward: iterative delta debugging (Artho 2011)."""

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
    """The search for a good version behind broken ones (Artho, "Iterative Delta Debugging", 2011), by hand.

    Its probes are revisions, or revisions with changes on them: `probe.changes` of the diff that was read as
    `probe.universe`. Between probes it has to see diffs: `run` it with a reader, or `give` what `reads` lists.
    `iterative_delta_debugging` does all that with a repository.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        **options: See `PorterOptions`.

    Raises:
        UnknownRevisionError: If an id is not in the graph.
        InvalidArgumentError: A revision that is no ancestor of the start; a number out of range.

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
        report: PorterReport = PorterReport._written(self._core.report())._of(self._core)
        return report

    def _given(self, probe: _native.Probe) -> _native.Probe:
        return probe


@dataclass(frozen=True)
class PortProbe:
    """What an oracle of `iterative_delta_debugging` is asked about: a revision with a patch on it.

    Attributes:
        id: The number of the probe.
        revision: The revision, as a full sha.
        patch: What is to be applied to it, which works exactly; empty for the revision as it is.
        tree: The full id of the tree that this makes: equal ids are equal files.
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
    """Answers the probes of a search with an oracle: makes the trees, and leaves out what need not be run."""

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
        """Another test: a function, or an oracle that is ours for a command."""
        if given is None or callable(given):
            return given
        self.owned.append(self.repository.command_oracle(given))
        return self.owned[-1]

    def fix(self, report: PorterReport) -> tuple[PortProbe, PortProbe] | None:
        """What the second test is asked about: the revision without the fix, and with it; None if it is not asked."""
        if self.also is None or report.forward is None:
            return None
        revision = str(report.details["forward"].on["revision"])
        without = PortProbe(report.asked, revision, Patch.parse(""), "", "none")
        return without, PortProbe(report.asked + 1, revision, report.forward, "", "exact")

    def open(self, search: Search[Any, Any], store: OutcomeStore | None) -> None:
        """For this search."""
        self.variants = _native.Variants.of_search(self.repository._core, search._core)
        self.search = search
        if store is not None:
            share_trees(self.variants, store, search)

    def read(self, request: dict[str, Any]) -> bytes:
        """What the search has to see."""
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
        """Removes what was made for it."""
        if self.variants is not None:
            self.variants.close()
        for oracle in self.owned:
            oracle.close()
        if self.variants is not None:
            warn(self.variants.store_trouble())


class _AwaitedTest(Awaited[PortProbe], _Tested):
    """The same on an event loop."""


def _checked(report: PorterReport, before: Any, after: Any) -> PorterReport:
    """The report with what the second test said of the fix."""
    written = _native.port_also(report._text, Observation.of(before), Observation.of(after))
    whole: PorterReport = PorterReport._written(written)._of(report._search)
    return whole


def _tell(oracle: Any, probe: PortProbe) -> Any:
    """What an oracle says of a revision with a patch that applies to it."""
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
        raise InvalidArgumentError("reader: a reader is not valid here; the repository shows what has to be seen")
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

    A test fails at `start`, and older versions cannot run it. The search walks back, carries along the smallest patch
    with which the test fails as it does at the start, and makes a new one where the old one does not do. Once a version
    passes, it finds what the test needs there, the smallest change that brings the failure back, and the one that mends
    it; with `forward`, it brings that fix to a newer version.

    Args:
        repo: The repository, or its path.
        oracle: Does this revision with this patch pass? A command oracle of the repository, best one with stages
            (`build=`), or a function of a `PortProbe` that answers as oracles do. An `Observation` with `signature` and
            `stage` tells one failure from another.
        control: A command (a list of words), or another such function: it must pass wherever the test fails, else that
            failure does not count; nor, going back, does a pass of the test with a part of a patch. None: nothing is
            run. A command oracle's own `control=` shares its work tree.
        also: A command (a list of words), or another such function: what it says of the revision that the fix was
            brought to, without the fix and with it, is in the report; two runs more. None: nothing is run.
        **options: See `WalkOptions` and `FindOptions`, as keywords; no `reader`. A `store` files outcomes under trees,
            so it has no keys of its own.

    Raises:
        UnknownRevisionError: If Git cannot find the revision.
        InvalidArgumentError: A `good` that is no ancestor of the start, and other arguments that cannot be meant.
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
    """The same as `iterative_delta_debugging`, for functions that are coroutines; driven by `run_async`.

    Raises:
        UnknownRevisionError: If Git cannot find the revision.
        InvalidArgumentError: A `good` that is no ancestor of the start, and other arguments that cannot be meant.
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
