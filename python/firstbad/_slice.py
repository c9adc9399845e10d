"""Slices of a history that keep a behavior: dynamic delta refinement (Li et al. 2016, DEFINER)."""

from __future__ import annotations

import json
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
    """A search for the smallest set of changes that keeps a behavior (Li et al. 2016, DEFINER).

    Use the ask/tell interface, or `slice_history` for a repository. The search tests all changes first, then none. If
    changes conflict, tell `Observation("unresolved", ran=False)`. Its `signals` can name the change that does not
    apply, `{"conflict": 3}`, or give facts that show which changes matter, `{"facts": [...]}`.

    Args:
        items: The number of changes, or their names, oldest first.
        **options: See `SlicerOptions`.

    Raises:
        InvalidArgumentError: If there are no changes, a name occurs twice, or an index is out of range.

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
        """Returns the search of a snapshot, including probes in flight.

        Raises:
            SnapshotError: If the text is not a snapshot of this kind of search, or the number of changes differs.
        """
        return super().restore(items if isinstance(items, Patch) else _named(items), snapshot)

    def report(self) -> SlicerReport:
        """The result so far, which is final when the search is `done`."""
        return SlicerReport._written(self._core.report())._of(self._core)

    def _given(self, probe: _native.Probe) -> _native.Probe:
        return probe

    def _check_ending(self) -> None:
        """Does nothing, because the report has the status."""


def _named(items: int | Iterable[str]) -> Iterable[str]:
    """Returns the names of changes. Default: the names that the core gives."""
    return [str(index) for index in range(items)] if isinstance(items, int) else items


@dataclass(frozen=True)
class SliceProbe:
    """A history with some of its changes, as an oracle of `slice_history` gets it.

    Attributes:
        id: The number of the probe.
        revision: The full hash of the base, or of `onto`.
        changes: The names of the included changes, oldest first.
        patch: The patch from `revision`, which applies exactly. It is empty for `revision` itself.
        tree: The full hash of the resulting tree. Equal hashes mean equal files.
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
    """Runs an oracle for the probes of a slice, without runs for conflicts and known trees."""

    def __init__(self, repository: Repository, oracle: AsyncSliceOracle, history: Mapping[str, Any]) -> None:
        super().__init__(repository, oracle)
        self.slices = _native.Slices(repository._core, encoded({"history": history}))
        base, tip, onto = self.slices.ends()
        # Sets of changes are applied to this commit.
        self.ground = base if onto is None else onto
        self.history = {**history, "base": base, "tip": tip, "onto": onto}
        self.names: tuple[str, ...] = ()

    def search(self, options: Mapping[str, Any]) -> Slicer:
        """Returns a new search."""
        made = Slicer.__new__(Slicer)
        made._core = self.slices.search(encoded({**options, "history": self.history}))
        self.names = tuple(json.loads(made._core.configuration())["changes"])
        made._items = list(self.names)
        return made

    def open(self, search: Search[Any, Any], store: OutcomeStore | None) -> None:
        """Prepares the runs of a search, which can be a resumed one."""
        self.slices.remember(search._core)
        if isinstance(self.oracle, CommandOracle):
            # Let tests with `--firstbad-facts` write facts.
            self.slices.trace(self.oracle._core)
        if store is not None:
            share_trees(self.slices, store, search)

    def trial(self, probe: _native.Probe) -> _native.Carried | str:
        return self.slices.trial(probe)

    def shown(self, probe: _native.Probe, trial: _native.Carried) -> SliceProbe:
        changes = tuple(self.names[index] for index in probe.changes or ())
        return SliceProbe(probe.id, self.ground, changes, Patch.parse(trial.patch), trial.tree)

    def revision(self, _: _native.Probe, /) -> str:
        return self.ground

    def seen(self, _: _native.Probe, trial: _native.Carried, seen: Any, _control: Any, /) -> str:
        return self.slices.seen(trial, seen)

    def close(self) -> None:
        """Removes temporary objects."""
        self.slices.close()
        warn(self.slices.store_trouble())


class _AwaitedSliced(Awaited[SliceProbe], _Sliced):
    """`_Sliced` on an event loop."""


class _CoveragePaths(TypedDict):
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


class SliceCoverage(_CoveragePaths, total=False):
    """Coverage reports, and how to read them.

    Attributes:
        paths: The report or reports. For V8, the folder.
        format: `"lcov"`, `"coverage_py"`, `"cobertura"`, `"v8"` or `"lines"`. Default: detected from the content.
        root: The folder of the run. An absolute path is the top of the repository on the machine of the run. A relative
            path is the folder that relative paths in the report start from. Default: the top of the repository.
    """

    format: Literal["lcov", "coverage_py", "cobertura", "v8", "lines"] | None
    root: str | None


Coverage: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | SliceCoverage"


class SliceOptions(SliceWayOptions, FindOptions, total=False):
    """The options of `slice_history`."""


class SliceAsyncOptions(SliceWayOptions, FindAsyncOptions, total=False):
    """The options of `slice_history_async`."""


def _history(
    base: str | None,
    tip: str,
    onto: str | None,
    paths: Iterable[str] | None,
    tests: Iterable[str] | None,
    granularity: SliceGranularity,
) -> dict[str, Any]:
    ends = {"base": base, "tip": tip, "onto": onto}
    given = {argument: revision for argument, revision in ends.items() if argument == "tip" or revision is not None}
    for argument, revision in given.items():
        if not isinstance(revision, str):
            raise InvalidArgumentError(f"{argument}: {revision!r} is not valid; expected a revision, as str")
    listed = {"paths": paths, "tests": tests}
    return {
        **given,
        "granularity": granularity,
        **{name: _paths(name, given) for name, given in listed.items() if given is not None},
    }


def _paths(argument: str, given: Any) -> list[str]:
    """Returns one path or several as a list."""
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
        raise InvalidArgumentError("reader: a reader is not valid here, because the search reads the repository")
    store = keeping.pop("store", None)
    if store is not None:
        check_for_trees(store)
    if coverage is not None:
        searching["coverage"] = _coverage(coverage)
    return sliced.search({**searching, "dependencies": dependencies}), store, running, keeping


def _coverage(given: Coverage) -> Any:
    """Returns coverage reports as JSON."""
    if isinstance(given, Mapping):
        options: dict[str, Any] = {**given}
        return {**options, **({"paths": _paths("coverage.paths", options["paths"])} if "paths" in options else {})}
    return _paths("coverage", given)


@shows(SLICE, THREADS, KEEP)
def slice_history(
    repo: Repository | str | os.PathLike[str],
    oracle: SliceOracle,
    *,
    tip: str,
    base: str | None = None,
    onto: str | None = None,
    paths: Iterable[str] | None = None,
    tests: Iterable[str] | None = None,
    granularity: SliceGranularity = "commit",
    dependencies: Dependencies | None = "auto",
    coverage: Coverage | None = None,
    **options: Unpack[SliceOptions],
) -> SlicerReport:
    """Finds the smallest slice of a history that keeps a behavior (Li et al. 2016, DEFINER).

    Use it to find the commits between `base` and `tip` that a feature needs, to port the feature or split a pull
    request. With `keep="fail"`, it finds the commits that together break the test.

    The search tests all commits first, then none, and then smaller and smaller slices. A slice is the base with only
    its changes, merged without a checkout. A merge conflict is an unresolved outcome that costs no run. Slices with
    equal files are tested once.

    Args:
        repo: The repository, or its path.
        oracle: A function that tests a `SliceProbe`, or a command oracle of the repository.
        tip: The revision with all changes.
        base: The revision before the first change, a first-parent ancestor of `tip`. Required without `onto`.
        onto: The branch to pick `tip` for, such as a release branch. Finds the other commits that `tip` needs for the
            test to pass on the branch. Sets of commits are applied to the branch, and every set contains `tip`. Commits
            that the branch already has are left out. None: sets of commits are applied to `base`.
        paths: The files and folders to consider, from the top of the repository. Other files stay as they are at
            `base`. None: all files.
        tests: Files and folders that every slice takes from `tip`. They are not part of any change. None: no files.
        coverage: Coverage reports of the test at `tip`. The search starts with the changes to covered code and their
            dependencies (CSlicer), if that slice keeps the behavior. Give paths, or a `SliceCoverage`, of lcov,
            coverage.py (`coverage json`), Cobertura, a folder of Node's `NODE_V8_COVERAGE`, or a JSON object with the
            lines of each file. It replaces `start`. None: no reports.
        granularity: The unit of a slice: a `"commit"` (a merge counts as one), the changes of a commit to a `"file"`, a
            `"hunk"`, or the changes of a commit to a `"definition"`.
        dependencies: The expected dependencies, which decide the order of tests. `"hunks"`: a hunk needs the hunks
            whose lines it edits. `"syntax"`: a change needs the definitions that it uses, in languages with a built-in
            grammar. `"auto"`: both. `"none"`: no dependencies. Or a mapping from indices to indices of changes.
        **options: See `SliceWayOptions` and `FindOptions`, without `reader`. A `store` must not have keys, because
            outcomes are stored by tree.

    Raises:
        UnknownRevisionError: If Git cannot find the revision.
        InvalidArgumentError: If `base` is not a first-parent ancestor of `tip`, nothing changes in `paths`, a file in
            `tests` is not in `tip`, `onto` already has `tip`, or another argument is invalid.
        BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Slicer` and `run`.
    """
    sliced = _Sliced(opened(repo), oracle, _history(base, tip, onto, paths, tests, granularity))
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
    tip: str,
    base: str | None = None,
    onto: str | None = None,
    paths: Iterable[str] | None = None,
    tests: Iterable[str] | None = None,
    granularity: SliceGranularity = "commit",
    dependencies: Dependencies | None = "auto",
    coverage: Coverage | None = None,
    **options: Unpack[SliceAsyncOptions],
) -> SlicerReport:
    """Async version of `slice_history`, driven by `run_async`.

    Raises:
        UnknownRevisionError: If Git cannot find the revision.
        InvalidArgumentError: If an argument is invalid, as for `slice_history`.
        BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Slicer` and `run_async`.
    """
    from firstbad._run_async import run_async

    sliced = _AwaitedSliced(opened(repo), oracle, _history(base, tip, onto, paths, tests, granularity))
    try:
        made, store, running, keeping = _parts(sliced, dependencies, coverage, options, RUN)
        with kept(made, sliced, **keeping) as search:
            sliced.open(search, store)
            return (await run_async(search, sliced, **running))._in(sliced.repository, sliced.history)
    finally:
        sliced.close()
