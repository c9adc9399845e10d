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
from firstbad._command_arguments import COMMAND, command_options, words
from firstbad._command_oracle import CommandOracle, Revision
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

    from firstbad._generated.options import CommandOptions
    from firstbad._observation import Answer
    from firstbad._reduction_report import MinimizeReport

__all__ = ["Repository"]

_GIVEN = ("parents", "depth", "later", "keep")


class Repository:
    """A git repository. Your checkout, index, refs, stash and configuration are only ever read, but for `fetch`.

    It can be pickled, for an oracle in another process: there it is opened again, at the same place.

    Args:
        path: The repository, or a folder inside it.
        fetch: Whether what a shallow or partial clone does not have may be fetched, into it: the rest of the history
            when a graph is read, and what a revision holds, all at once, before it is looked at. It comes from the
            remote of the branch that is checked out (or the only one, or `origin`), and from the one that a partial
            clone was made from. No program that the repository's own configuration names is run for it.

    Raises:
        GitError: If the path is not in a repository, or Git fails.
        InvalidArgumentError: No path.
    """

    __slots__ = ("__weakref__", "_core", "_fetch")

    def __init__(self, path: str | os.PathLike[str] = ".", *, fetch: bool = False) -> None:
        self._core = _native.Repository(checked_path("path", path), checked_flag("fetch", fetch))
        self._fetch = fetch

    @property
    def path(self) -> Path:
        """The repository's own folder."""
        return self._core.path

    def resolve(self, revision: str) -> str:
        """The full sha that git's name for a revision stands for (`main`, `v1.0~3`).

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            GitError: If Git fails.
        """
        return self._core.resolve(checked_text("revision", revision))

    def tree_ids(self, revisions: str | Iterable[str]) -> list[tuple[str, str]]:
        """For each revision the full shas of its commit and of its tree, from one call of git.

        Revisions with the same tree have the same files: what a test says about one it says about the other.

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
        """The commit graph; the arguments are those of `CommitGraph.from_git`.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            InvalidArgumentError: As for `CommitGraph.from_git`.
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
        """What each commit changed that is reachable from `bad` and not from `good`, oldest first.

        Renames are followed: both names are among the files. Merges that changed nothing are left out.

        Args:
            good: Where it passed: one revision, several, or none.
            bad: Where it fails: one revision or several.
            merges: What a merge has changed. `"own"`: files that differ from all of its parents; what came with a
                branch belongs to the branch's commits. `"first-parent"`: all that differs from its first parent; only
                first parents are followed, as in `graph(first_parent=True)`.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            GitError: If Git fails.
        """
        return Changelist._listed(
            self._core.changes(names("good", good), names("bad", bad), checked_text("merges", merges))
        )

    def diff(self, old: str, new: str) -> Patch:
        """The patch from one revision to another, with renames and binary content, whatever the user has configured.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            GitError: If Git fails.
        """
        return Patch(self._core.diff(checked_text("old", old), checked_text("new", new)))

    def read(self, request: Mapping[str, Any]) -> bytes:
        """What a search has to see, as `Search.reads` names it: what makes a repository the `reader` of `run`.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            InvalidArgumentError: It is no request, or one that a repository cannot answer.
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
        """Finds the smallest part of a commit's patch that still breaks its parent: files, hunks, definitions, lines.

        Artho, "Iterative Delta Debugging", Sections 3.3 and 3.4. A part that cannot be applied is unresolved, and so is
        one that leaves a file which does not parse (where the whole does, and the parent): neither is run. So is one
        with which a command oracle fails in another way than with the whole: the exit code, or the last line of the
        output that looks like an error (or what `signature` finds), is another one.

        Args:
            culprit: The commit.
            oracle: Does it pass with just this part? A command oracle of this repository, which is run in a work tree
                of the parent with the part applied; or a function of a `Patch` that answers as oracles do: True where
                it passes.
            parent: The revision to start from. None: the first parent.
            granularity: How finely to take the patch apart: to single `"lines"`; to `"edits"`, of which none is half of
                what was replaced nor a line without the condition that decides it, as `explain=True` has it; to
                `"definitions"`, to `"hunks"` or to `"files"`.
            **options: See `MinimizerOptions` but for `keep` and the tree, and `FindOptions`.

        Raises:
            NotReproducedError: If the parent does not fail with the whole patch.
            InvalidArgumentError: A commit without a parent, or without changes; a command oracle of another repository.
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
        """The same as `minimize_commit`, for functions that are coroutines; driven by `run_async`.

        Raises:
            NotReproducedError: If the parent does not fail with the whole patch.
            InvalidArgumentError: A commit without a parent, or without changes.
            BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
            FirstbadError: See `Minimizer` and `run_async`.
        """
        given = options_for_a_patch(options, granularity, keep="fail")
        patch, callback, base = self._part_of(culprit, oracle, parent)
        return await find_async(PatchMinimizer, patch, callback, given, base)

    def _part_of(self, culprit: str, oracle: Any, parent: str | None) -> tuple[Patch, Callable[[Patch], Any], Base]:
        """What a commit changes, what to ask about parts of it, and what they are applied to."""
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

    def __reduce__(self) -> tuple[Any, ...]:
        """What opens it again: in another process of this machine, or of one that has it at the same place."""
        return partial(type(self), fetch=self._fetch), (self.path,)

    def __repr__(self) -> str:
        return f"Repository({str(self.path)!r})"
