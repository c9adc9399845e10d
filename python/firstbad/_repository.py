"""Git repositories: their graphs, their patches, and their command oracles."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firstbad import _native
from firstbad._arguments import (
    check_whole,
    checked_flag,
    checked_path,
    checked_text,
    given,
    names,
)
from firstbad._changelist import Changelist, MergeRule
from firstbad._command_arguments import COMMAND, MEASURE, SUITE, command_options, words
from firstbad._command_oracle import CommandOracle, MeasureOracle, Revision, SuiteOracle
from firstbad._errors import InvalidArgumentError
from firstbad._find import Base, find, find_async
from firstbad._graph import CommitGraph
from firstbad._minimize import (
    MINIMIZE,
    CommitAsyncOptions,
    CommitOptions,
    Granularity,
    PatchMinimizer,
    options_for_a_patch,
)
from firstbad._patch import Patch
from firstbad._run_options import KEEP, RUN, THREADS
from firstbad._shown import check, shows

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._generated.options import CommandOptions, MeasureOptions, SuiteOptions
    from firstbad._observation import Answer
    from firstbad._reduction_report import MinimizeReport

    class SuiteCommandOptions(SuiteOptions, CommandOptions, total=False):
        """The options of `Repository.suite_oracle`."""

    class MeasureCommandOptions(MeasureOptions, CommandOptions, total=False):
        """The options of `Repository.measure_oracle`."""


__all__ = ["Repository"]

_GIVEN = ("parents", "depth", "later", "keep")
_OF_ONE_OUTCOME = ("control", "fail_pattern", "pass_pattern")


class Repository:
    """A Git repository. firstbad never changes your checkout, index, refs, stash or configuration, except by `fetch`.

    You can pickle a repository for an oracle in another process, which opens the same path.

    Args:
        path: The repository, or a folder inside it.
        fetch: Whether to fetch missing objects of a shallow or partial clone: the rest of the history for a graph, and
            the files of a revision before a run. firstbad fetches from the remote that your branch tracks (or the only
            remote, or `origin`), and from the remote of the partial clone. It never runs a program that the
            configuration of the repository names.

    Raises:
        GitError: If the path is not in a repository, or Git fails.
        InvalidArgumentError: If `path` is not a path.
    """

    __slots__ = ("__weakref__", "_core", "_fetch")

    def __init__(self, path: str | os.PathLike[str] = ".", *, fetch: bool = False) -> None:
        self._core = _native.Repository(checked_path("path", path), checked_flag("fetch", fetch))
        self._fetch = fetch

    @property
    def path(self) -> Path:
        """The folder of the repository."""
        return self._core.path

    def resolve(self, revision: str) -> str:
        """Returns the full hash of a revision in Git's syntax (`main`, `v1.0~3`).

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            GitError: If Git fails.
        """
        return self._core.resolve(checked_text("revision", revision))

    def tree_ids(self, revisions: str | Iterable[str]) -> list[tuple[str, str]]:
        """Returns the full hashes of the commit and the tree of each revision, with a single Git process.

        Revisions with the same tree have the same files, and the same outcome.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            GitError: If Git fails.
        """
        return self._core.tree_ids(names("revisions", revisions))

    def graph(
        self,
        tips: str | Iterable[str] | None = None,
        exclude: str | Iterable[str] | None = None,
        first_parent: bool = False,
        paths: str | Iterable[str] | None = None,
    ) -> CommitGraph:
        """Reads the commit graph. The arguments are those of `CommitGraph.from_git`.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            InvalidArgumentError: See `CommitGraph.from_git`.
            GitError: If Git fails.
        """
        return CommitGraph._of(
            self._core.graph(
                given("tips", tips),
                given("exclude", exclude),
                checked_flag("first_parent", first_parent),
                given("paths", paths),
            )
        )

    def changes(
        self, good: str | Iterable[str], bad: str | Iterable[str], *, merges: MergeRule = "own"
    ) -> list[Changelist]:
        """Returns the changes of the commits that are reachable from `bad` and not from `good`, oldest first.

        A renamed file has both names. Merges without changes are omitted.

        Args:
            good: One good revision, several, or none.
            bad: One bad revision or several.
            merges: The changes of a merge. `"own"`: files that differ from all parents. `"first-parent"`: files that
                differ from the first parent, following only first parents as `graph(first_parent=True)` does.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            GitError: If Git fails.
        """
        return Changelist._listed(
            self._core.changes(names("good", good), names("bad", bad), checked_text("merges", merges))
        )

    def diff(self, old: str, new: str) -> Patch:
        """Returns the patch between two revisions, with renames and binary content. It ignores your diff configuration.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            GitError: If Git fails.
        """
        return Patch(self._core.diff(checked_text("old", old), checked_text("new", new)))

    def read(self, request: Mapping[str, Any]) -> bytes:
        """Returns the content for a request of `Search.reads`, so that a repository can be the `reader` of `run`.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            InvalidArgumentError: If the request is invalid, or a repository cannot answer it.
            GitError: If Git fails.
        """
        if not isinstance(request, Mapping):
            raise InvalidArgumentError(
                f"request: {request!r} ({type(request).__name__}) is not valid; expected one, as in search.reads"
            )
        wanted = {str(key): value for key, value in request.items() if key != "id"}
        check_whole("request", [text for one in wanted.items() for text in one if isinstance(text, str)])
        return self._core.read(json.dumps(wanted, default=repr))

    @shows(MINIMIZE, THREADS, KEEP, but=_GIVEN)
    def minimize_commit(
        self,
        culprit: str,
        oracle: CommandOracle | Callable[[Patch], Answer],
        parent: str | None = None,
        *,
        granularity: Granularity = "lines",
        **options: Unpack[CommitOptions],
    ) -> MinimizeReport[Patch]:
        """Finds the smallest part of a commit that still breaks its parent, by files, hunks, definitions, and lines.

        The method is that of Artho, "Iterative Delta Debugging", Sections 3.3 and 3.4. A part that does not apply is
        unresolved without a run, and so is a part with a file that does not parse, if the file parses in the commit and
        its parent. A part is also unresolved if a command oracle fails in another way than with the whole commit: with
        another exit code, or another error line or `signature`.

        Args:
            culprit: The commit.
            oracle: A command oracle of this repository, which runs in a worktree of the parent with the part applied,
                or a function that tests a `Patch`. It returns True if the test passes.
            parent: The revision that parts apply to. None: the first parent.
            granularity: The smallest unit: `"lines"`, `"edits"`, `"definitions"`, `"hunks"` or `"files"`. An edit keeps
                replaced lines together, and a line with its condition. `explain=True` uses edits.
            **options: See `MinimizerOptions`, without `keep` and the tree, and `FindOptions`.

        Raises:
            NotReproducedError: If the parent does not fail with the whole patch.
            InvalidArgumentError: If the commit has no parent or no changes, or the command oracle belongs to another
                repository.
            BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
            FirstbadError: See `Minimizer` and `run`.
        """
        given = options_for_a_patch(options, granularity, keep="fail")
        patch, callback, base = self._part_of(culprit, oracle, parent)
        return find(PatchMinimizer, patch, callback, given, base)

    @shows(MINIMIZE, RUN, KEEP, but=_GIVEN, like=minimize_commit)
    async def minimize_commit_async(
        self,
        culprit: str,
        oracle: CommandOracle | Callable[[Patch], Awaitable[Answer] | Answer],
        parent: str | None = None,
        *,
        granularity: Granularity = "lines",
        **options: Unpack[CommitAsyncOptions],
    ) -> MinimizeReport[Patch]:
        """Async version of `minimize_commit`, driven by `run_async`.

        Raises:
            NotReproducedError: If the parent does not fail with the whole patch.
            InvalidArgumentError: If the commit has no parent or no changes.
            BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
            FirstbadError: See `Minimizer` and `run_async`.
        """
        given = options_for_a_patch(options, granularity, keep="fail")
        patch, callback, base = self._part_of(culprit, oracle, parent)
        return await find_async(PatchMinimizer, patch, callback, given, base)

    def _part_of(self, culprit: str, oracle: Any, parent: str | None) -> tuple[Patch, Callable[[Patch], Any], Base]:
        """Returns the patch of a commit, the function that tests its parts, and the base of the parts."""
        if isinstance(oracle, CommandOracle) and oracle._repository.path != self.path:
            raise InvalidArgumentError(
                f"oracle: one of {str(oracle._repository.path)!r} is not valid; expected a command oracle of "
                f"{str(self.path)!r}"
            )
        checked_text("culprit", culprit)
        parents = self._core.parents(culprit) if parent is None else [self.resolve(parent)]
        if not parents:
            raise InvalidArgumentError(f"culprit: {culprit!r} is not valid; expected a commit that has a parent")
        patch = Patch(self._core.diff_to_reduce(parents[0], culprit))
        if len(patch) == 0:
            raise InvalidArgumentError(
                f"culprit: {culprit!r} is not valid; expected a commit that changes something: "
                f"{parents[0]} has the same files"
            )
        callback = Revision(oracle, parents[0]) if isinstance(oracle, CommandOracle) else oracle
        return patch, callback, Base(self._core, parents[0], patch)

    @shows(COMMAND)
    def command_oracle(
        self, command: Sequence[str | os.PathLike[str]], **options: Unpack[CommandOptions]
    ) -> CommandOracle:
        """Creates an oracle that runs a command for a revision, in a worktree outside your checkout.

        Exit codes mean what they mean to `git bisect run`: 0 passes, 1 to 124 fail, 125 is unresolved, 126 and 127
        raise a CommandError ("command not found"), and any other code stops the search.

        A test can have stages: `setup`, `configure`, `build`, the test, and, after a test that failed, `control`. All
        stages run in the same worktree and write to the same output file. If a stage other than the test does not exit
        with 0, the revision is unresolved. `Observation.stage` is the stage, and `Observation.signature` says how it
        ended (Artho, "Iterative Delta Debugging", Section 5.1).

        Args:
            command: The program and its arguments. For a line of shell, `["sh", "-c", line]`.

        Raises:
            InvalidArgumentError: If the command is a text or empty, or if an option is not valid.
            PatchError: If a text in `apply_patches` is not a patch.
        """
        check(options, COMMAND)
        return CommandOracle(self._core.command_oracle(words("command", command), command_options(options)), self._core)

    @shows(SUITE, COMMAND, but=_OF_ONE_OUTCOME)
    def suite_oracle(
        self, command: Sequence[str | os.PathLike[str]], **options: Unpack[SuiteCommandOptions]
    ) -> SuiteOracle:
        """Creates an oracle that runs chosen tests of a revision with one build, for `triage`.

        The test runner reports the result of each test, and a test without a result is unresolved. The stages,
        worktrees, and limits are those of `command_oracle`. If `setup`, `configure`, or `build` fails, or the runner
        cannot start, the revision is unresolved. If the runner crashes or exceeds its time limit, the results that it
        has written count, and the other tests run again.

        Args:
            command: The program and its arguments. `{tests}` is replaced by the arguments that choose the tests, which
                are otherwise at the end. `{tests_file}` is replaced by the path of a file with one id in each line.

        Raises:
            InvalidArgumentError: If the command is a text or empty, if the runner is unknown, if the command has no
                place for the tests, or if an option is not valid.
            PatchError: If a text in `apply_patches` is not a patch.
        """
        check(options, SUITE, COMMAND)
        return SuiteOracle(self._core.suite_oracle(words("command", command), command_options(options)), self._core)

    @shows(MEASURE, COMMAND, but=(*_OF_ONE_OUTCOME, "distinguish_failures"))
    def measure_oracle(
        self, command: Sequence[str | os.PathLike[str]], **options: Unpack[MeasureCommandOptions]
    ) -> MeasureOracle:
        """Creates an oracle that measures numbers at a revision, for `find_change`.

        The stages, worktrees, and limits are those of `command_oracle`. The command must exit with 0, because a broken
        benchmark is not slow: otherwise, the revision is unresolved. Worktrees keep the builds of the last revisions,
        so that measuring a revision again does not build it again. `find_change` takes the unit of the number, or the
        names and units of several metrics, from this oracle.

        Args:
            command: The program and its arguments. For a line of shell, `["sh", "-c", line]`.

        Raises:
            InvalidArgumentError: If the command is a text or empty, if a metric is unknown, or if an option is not
                valid.
            PatchError: If a text in `apply_patches` is not a patch.

        Example:
            >>> import firstbad as fb
            >>> def slower(repository: fb.Repository) -> fb.ChangeReport:
            ...     with repository.measure_oracle(["./bench"], metric="seconds", build=["make"]) as measure:
            ...         return fb.find_change(repository.graph(["main"]), measure, bad="main", good="v2.0")
        """
        check(options, MEASURE, COMMAND)
        return MeasureOracle(self._core.measure_oracle(words("command", command), command_options(options)), self._core)

    def __reduce__(self) -> tuple[Any, ...]:
        """Opens the same path again, also in another process."""
        return partial(type(self), fetch=self._fetch), (self.path,)

    def __repr__(self) -> str:
        return f"Repository({str(self.path)!r})"
