"""The smallest slice of a history that keeps a behaviour: dynamic delta refinement (Li et al. 2016, DEFINER)."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, TypeVar

from firstbad import _native
from firstbad._arguments import names
from firstbad._command_oracle import CommandOracle
from firstbad._errors import InvalidArgumentError
from firstbad._find import kept
from firstbad._generated.options import SlicerOptions, SliceWayOptions
from firstbad._option_types import Needs
from firstbad._options import defaults, encoded
from firstbad._patch import Patch
from firstbad._reduction import Reduction
from firstbad._repository import Repository
from firstbad._run import run
from firstbad._run_options import KEEP, RUN, THREADS, FindAsyncOptions, FindOptions, parted
from firstbad._shown import Options, check, shows
from firstbad._slice_report import SlicerReport
from firstbad._store import OutcomeStore, check_for_trees, share_trees, warn
from firstbad._trials import Awaited, Trials, opened

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._observation import Answer
    from firstbad._search import Search

__all__ = ["SliceProbe", "Slicer", "slice_history", "slice_history_async"]

SliceGranularity: TypeAlias = Literal["commit", "file", "hunk", "definition"]
Self = TypeVar("Self", bound="Slicer")


SLICER = Options(SlicerOptions, defaults=defaults("slice"))
SLICE = Options(SliceWayOptions, defaults=defaults("slice"))


@shows(SLICER)
class Slicer(Reduction[SlicerReport, _native.Probe]):
    """The search for the smallest set of changes that keeps a behaviour, by hand (Li et al. 2016, DEFINER).

    All changes are asked about first, then none. `slice_history` does all that with a repository. An answer that
    cost no run, because the changes cannot be put together, is an `Observation` of `"unresolved"` with `ran=False`;
    its `signals` may say which one could not be picked: `{"conflict": 3}`. Facts in them, as `{"facts": [...]}`, teach
    which changes matter.

    Args:
        items: How many changes there are; or their names, oldest first.
        **options: Those of `SlicerOptions`, as keywords.

    Raises:
        InvalidArgumentError: No changes, a name twice, an index that no change has.

    Example:
        >>> import firstbad as fb
        >>> search = fb.Slicer(["a", "b", "c", "d"])
        >>> while not search.done:
        ...     for probe in search.ask():
        ...         search.tell(probe.id, {1, 3} <= set(probe.changes))
        >>> search.report().commits, search.report().guarantee
        (('b', 'd'), '1-minimal')
    """

    __slots__ = ()

    _algorithm = "slice"
    _options = SLICER

    def __init__(self, items: int | Iterable[str], **options: Unpack[SlicerOptions]) -> None:
        given: dict[str, Any] = dict(options)
        if given.get("changes") is not None:
            given["changes"] = names("changes", given["changes"])
        elif not isinstance(items, int):
            items = given["changes"] = names("items", items)
        self._open(_named(items), given)

    @classmethod
    def restore(cls: type[Self], items: int | Iterable[Any] | Patch, snapshot: str) -> Self:
        """The search that a snapshot was taken of, probes in flight included.

        Raises:
            SnapshotError: The text is no snapshot of this kind of search, or was taken with another number of changes.
        """
        return super().restore(items if isinstance(items, Patch) else _named(items), snapshot)

    def report(self) -> SlicerReport:
        """What is known so far, at any moment; the answer when `done`."""
        return SlicerReport._written(self._core.report())._of(self._core)

    def _given(self, probe: _native.Probe) -> _native.Probe:
        return probe

    def _check_ending(self) -> None:
        """Its endings are in the report."""


def _named(items: int | Iterable[str]) -> Iterable[str]:
    """The names of changes; of a number of them those that the core gives."""
    return [str(index) for index in range(items)] if isinstance(items, int) else items


@dataclass(frozen=True)
class SliceProbe:
    """What an oracle of `slice_history` is asked about: a history with just some of its changes.

    Attributes:
        id: The number of the probe.
        revision: The base, as a full sha.
        changes: The names of the changes that are on it, oldest first.
        patch: What is to be applied to the base, which works exactly; empty for the base as it is.
        tree: The full id of the tree that this makes: equal ids are equal files.
    """

    id: int
    revision: str
    changes: tuple[str, ...]
    patch: Patch
    tree: str


SliceOracle: TypeAlias = "CommandOracle | Callable[[SliceProbe], Answer]"
AsyncSliceOracle: TypeAlias = "SliceOracle | Callable[[SliceProbe], Awaitable[Answer]]"
Dependencies: TypeAlias = "Literal['auto', 'hunks', 'syntax', 'none'] | Needs"


class _Sliced(Trials[SliceProbe]):
    """Answers the probes of a search with an oracle: puts sets of changes together, and leaves out what is known."""

    def __init__(self, repository: Repository, oracle: AsyncSliceOracle, history: Mapping[str, Any]) -> None:
        super().__init__(repository, oracle)
        self.slices = _native.Slices(repository._core, encoded({"history": history}))
        self.base, self.tip = self.slices.ends()
        self.history = {**history, "base": self.base, "tip": self.tip}
        self.names: tuple[str, ...] = ()

    def search(self, options: Mapping[str, Any]) -> Slicer:
        """The search for the smallest slice."""
        made = Slicer.__new__(Slicer)
        made._core = self.slices.search(encoded({**options, "history": self.history}))
        self.names = made.report().commits
        made._items = list(self.names)
        return made

    def open(self, search: Search[Any, Any], store: OutcomeStore | None) -> None:
        """For this search, which may have come some way."""
        self.slices.remember(search._core)
        if isinstance(self.oracle, CommandOracle):
            # For tests that make facts of what they run.
            self.slices.trace(self.oracle._core)
        if store is not None:
            share_trees(self.slices, store, search)

    def trial(self, probe: _native.Probe) -> _native.Carried | str:
        return self.slices.trial(probe)

    def shown(self, probe: _native.Probe, trial: _native.Carried) -> SliceProbe:
        changes = tuple(self.names[index] for index in probe.changes or ())
        return SliceProbe(probe.id, self.base, changes, Patch.parse(trial.patch), trial.tree)

    def revision(self, _: _native.Probe, /) -> str:
        return self.base

    def seen(self, _: _native.Probe, trial: _native.Carried, seen: Any, _control: Any, /) -> str:
        return self.slices.seen(trial, seen)

    def close(self) -> None:
        """Removes what was made for it."""
        self.slices.close()
        warn(self.slices.store_trouble())


class _AwaitedSliced(Awaited[SliceProbe], _Sliced):
    """The same on an event loop."""


class _CoveragePaths(TypedDict):
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


class SliceCoverage(_CoveragePaths, total=False):
    """Reports of coverage tools, and how they are read.

    Attributes:
        paths: The report, or several; of V8, a folder of them.
        format: `"lcov"`, `"coverage_py"`, `"cobertura"`, `"v8"` or `"lines"`; by default their content says it.
        root: The folder that they were made under: an absolute one was the repository's top, on whatever machine; a
            relative one is the folder of the repository that their relative paths start at. By default the repository's
            top.
    """

    format: Literal["lcov", "coverage_py", "cobertura", "v8", "lines"] | None
    root: str | None


Coverage: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | SliceCoverage"


class SliceOptions(SliceWayOptions, FindOptions, total=False):
    """The options of `slice_history`."""


class SliceAsyncOptions(SliceWayOptions, FindAsyncOptions, total=False):
    """The options of `slice_history_async`."""


def _history(
    base: str, tip: str, paths: Iterable[str] | None, tests: Iterable[str] | None, granularity: SliceGranularity
) -> dict[str, Any]:
    for argument, revision in (("base", base), ("tip", tip)):
        if not isinstance(revision, str):
            raise InvalidArgumentError(f"{argument}: {revision!r} is not valid; expected a revision, as str")
    listed = {"paths": paths, "tests": tests}
    return {
        "base": base,
        "tip": tip,
        "granularity": granularity,
        **{name: _paths(name, given) for name, given in listed.items() if given is not None},
    }


def _paths(argument: str, given: Any) -> list[str]:
    """Paths as texts: one, or several."""
    if isinstance(given, (str, os.PathLike)):
        given = [given]
    if not isinstance(given, Iterable):
        return names(argument, given)
    return names(argument, [os.fspath(path) if isinstance(path, os.PathLike) else path for path in given])


def _parts(
    sliced: _Sliced,
    dependencies: Dependencies | None,
    coverage: Coverage | None,
    options: Mapping[str, object],
    driver: Options,
) -> tuple[Slicer, OutcomeStore | None, dict[str, Any], dict[str, Any]]:
    check(options, SLICE, driver, KEEP)
    searching, running, keeping = parted(options)
    if running.get("reader") is not None:
        raise InvalidArgumentError("reader: a reader is not valid here; the repository shows what has to be seen")
    store = keeping.pop("store", None)
    if store is not None:
        check_for_trees(store)
    if coverage is not None:
        searching["coverage"] = _coverage(coverage)
    return sliced.search({**searching, "dependencies": dependencies}), store, running, keeping


def _coverage(given: Coverage) -> Any:
    """Reports, and how they are read, as JSON has them."""
    if isinstance(given, Mapping):
        options: dict[str, Any] = {**given}
        return {**options, **({"paths": _paths("coverage.paths", options["paths"])} if "paths" in options else {})}
    return _paths("coverage", given)


@shows(SLICE, THREADS, KEEP)
def slice_history(
    repo: Repository | str | os.PathLike[str],
    oracle: SliceOracle,
    *,
    base: str,
    tip: str,
    paths: Iterable[str] | None = None,
    tests: Iterable[str] | None = None,
    granularity: SliceGranularity = "commit",
    dependencies: Dependencies | None = "auto",
    coverage: Coverage | None = None,
    **options: Unpack[SliceOptions],
) -> SlicerReport:
    """Finds the smallest slice of a history that keeps a behaviour (Li et al. 2016, DEFINER).

    Which commits between `base` and `tip` does a feature need, to port it or to split a pull request? Or, with
    `keep="fail"`, which commits together break it? All of them are tested first, then none, and then smaller and
    smaller parts: each is the base with just these changes, put together by merges, without a checkout. What git cannot
    merge is an answer that costs no run, and equal files are tested once.

    Args:
        repo: The repository, or its path.
        oracle: Does the base with this patch pass? A command oracle of the repository, or a function of a `SliceProbe`
            that answers as oracles do.
        base: The revision before the first change, on the line of first parents of `tip`.
        tip: The revision with all changes.
        paths: The files and folders that count, from the top of the repository: what is elsewhere stays as it is at
            `base`. None: all count.
        tests: Files and folders that every part has as they are at `tip`, and that are no part of any change. None:
            there are none.
        coverage: Reports of what the test runs at `tip`, to start with the changes to that and what they rest on
            (CSlicer): tested once, and dropped if that does not hold. The path of a report or several, or a
            `SliceCoverage`: of lcov, coverage.py (`coverage json`), Cobertura, the folder of Node's `NODE_V8_COVERAGE`,
            or a JSON object with the lines of each file. It takes the place of `start`. None: there are none.
        granularity: How finely to take the history apart: to a `"commit"` (a merge is one), to what a commit changes in
            a `"file"`, to a single `"hunk"`, or to what it changes in a `"definition"`.
        dependencies: What changes are thought to rest on: parts without it are put off. `"hunks"`: where a hunk edits
            what another one wrote; `"syntax"`: where a definition uses what another change defines, in languages whose
            grammars are built in; `"auto"`: both; `"none"`; or by index the indices of changes.
        **options: Those of `SliceWayOptions` and `FindOptions`, as keywords; no `reader`. A `store` files outcomes
            under trees, so it has no keys of its own.

    Raises:
        UnknownRevisionError: git knows no such revision.
        InvalidArgumentError: A `base` that is not on the line of first parents of `tip`, `paths` in which nothing
            changes, `tests` that `tip` does not have, and other arguments that cannot be meant.
        BaseException: What the oracle raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `Slicer` and `run` say.
    """
    sliced = _Sliced(opened(repo), oracle, _history(base, tip, paths, tests, granularity))
    try:
        made, store, running, keeping = _parts(sliced, dependencies, coverage, options, THREADS)
        with kept(made, sliced, **keeping) as search:
            sliced.open(search, store)
            return run(search, sliced, **running)._in(sliced.repository, sliced.history)
    finally:
        sliced.close()


@shows(SLICE, RUN, KEEP, like=slice_history)
async def slice_history_async(
    repo: Repository | str | os.PathLike[str],
    oracle: AsyncSliceOracle,
    *,
    base: str,
    tip: str,
    paths: Iterable[str] | None = None,
    tests: Iterable[str] | None = None,
    granularity: SliceGranularity = "commit",
    dependencies: Dependencies | None = "auto",
    coverage: Coverage | None = None,
    **options: Unpack[SliceAsyncOptions],
) -> SlicerReport:
    """The same as `slice_history`, for functions that are coroutines; driven by `run_async`.

    Raises:
        UnknownRevisionError: git knows no such revision.
        InvalidArgumentError: A `base` that is not on the line of first parents of `tip`, `paths` in which nothing
            changes, `tests` that `tip` does not have, and other arguments that cannot be meant.
        BaseException: What the oracle raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `Slicer` and `run_async` say.
    """
    from firstbad._run_async import run_async

    sliced = _AwaitedSliced(opened(repo), oracle, _history(base, tip, paths, tests, granularity))
    try:
        made, store, running, keeping = _parts(sliced, dependencies, coverage, options, RUN)
        with kept(made, sliced, **keeping) as search:
            sliced.open(search, store)
            return (await run_async(search, sliced, **running))._in(sliced.repository, sliced.history)
    finally:
        sliced.close()
