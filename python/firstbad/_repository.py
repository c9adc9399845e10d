"""Git repositories: their graphs, their patches, and their command oracles."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from firstbad import _native
from firstbad._arguments import (
    check_whole,
    checked_flag,
    checked_path,
    checked_seconds,
    checked_text,
    given,
    names,
)
from firstbad._changelist import Changelist, MergeRule
from firstbad._command_arguments import (
    Verdict,
    carried_paths,
    exit_code_meanings,
    patches,
    size_in_bytes,
    stage_command,
    variables,
    verdict_name,
    words,
)
from firstbad._command_oracle import CommandOracle, Revision
from firstbad._environment import Environment, EnvironmentPreset, environment_json
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
from firstbad._shown import shows

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._observation import Answer
    from firstbad._reduction_report import MinimizeReport

__all__ = ["Repository"]

BuildFolders: TypeAlias = Literal["fresh", "warm"]
"""What stays in a work tree from one run to the next: nothing, or what the revision ignores."""

Preset: TypeAlias = Literal["pytest", "jest", "vitest", "mocha", "node", "cargo", "go", "ctest"]
"""A test runner whose exit codes and output are understood."""


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
        GitError: No repository, or git refuses.
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
            UnknownRevisionError: git knows no such revision.
            GitError: git refuses.
        """
        return self._core.resolve(checked_text("revision", revision))

    def tree_ids(self, revisions: str | Iterable[str]) -> list[tuple[str, str]]:
        """For each revision the full shas of its commit and of its tree, from one call of git.

        Revisions with the same tree have the same files: what a test says about one it says about the other.

        Raises:
            UnknownRevisionError: git knows no such revision.
            GitError: git refuses.
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
            UnknownRevisionError: git knows no such revision.
            InvalidArgumentError: As for `CommitGraph.from_git`.
            GitError: git refuses.
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
            UnknownRevisionError: git knows no such revision.
            GitError: git refuses.
        """
        return Changelist._listed(
            self._core.changes(names("good", good), names("bad", bad), checked_text("merges", merges))
        )

    def diff(self, old: str, new: str) -> Patch:
        """The patch from one revision to another, with renames and binary content, whatever the user has configured.

        Raises:
            UnknownRevisionError: git knows no such revision.
            GitError: git refuses.
        """
        return Patch(self._core.diff(checked_text("old", old), checked_text("new", new)))

    def read(self, request: Mapping[str, Any]) -> bytes:
        """What a search has to see, as `Search.reads` names it: what makes a repository the `reader` of `run`.

        Raises:
            UnknownRevisionError: git knows no such revision.
            InvalidArgumentError: It is no request, or one that a repository cannot answer.
            GitError: git refuses.
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
            **options: Those of `MinimizerOptions` but for `keep` and the tree, and `FindOptions`, as keywords.

        Raises:
            NotReproducedError: The parent passes with the whole patch, or it cannot be told.
            InvalidArgumentError: A commit without a parent, or without changes; a command oracle of another repository.
            BaseException: What the oracle raised, the very same object, with the search as `firstbad_search`.
            FirstbadError: As `Minimizer` and `run` say.
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
            NotReproducedError: The parent passes with the whole patch, or it cannot be told.
            InvalidArgumentError: A commit without a parent, or without changes.
            BaseException: What the oracle raised, the very same object, with the search as `firstbad_search`.
            FirstbadError: As `Minimizer` and `run_async` say.
        """
        given = options_for_a_patch(options, granularity, keep="fail")
        patch, callback, base = self._part_of(culprit, oracle, parent)
        return await find_async(PatchMinimizer, patch, callback, given, base)

    def _part_of(self, culprit: str, oracle: Any, parent: str | None) -> tuple[Patch, Callable[[Patch], Any], Base]:
        """What a commit changes, what to ask about parts of it, and what they are applied to."""
        if isinstance(oracle, CommandOracle) and oracle.repository.path != self.path:
            raise InvalidArgumentError(
                f"oracle: one of {str(oracle.repository.path)!r} is not valid; expected a command oracle of "
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

    def command_oracle(
        self,
        command: Sequence[str | os.PathLike[str]],
        timeout: float | None = None,
        on_timeout: Verdict = "unresolved",
        on_signal: Verdict = "stop",
        exit_codes: Mapping[int, Verdict] | None = None,
        env: Mapping[str, str] | None = None,
        output_dir: str | os.PathLike[str] | None = None,
        *,
        output_limit: int = 16 << 20,
        grace: float = 2.0,
        worktrees: str | os.PathLike[str] | None = None,
        build_folders: BuildFolders = "fresh",
        setup: Sequence[str | os.PathLike[str]] | None = None,
        configure: Sequence[str | os.PathLike[str]] | None = None,
        build: Sequence[str | os.PathLike[str]] | None = None,
        control: Sequence[str | os.PathLike[str]] | None = None,
        stage_timeout: float | None = None,
        environment: EnvironmentPreset | Environment | None = None,
        environments: str | os.PathLike[str] | None = None,
        fixups: Patch | str | bytes | Iterable[Patch | str | bytes] = (),
        carry: Literal["auto", False] | Sequence[str | os.PathLike[str]] = "auto",
        submodules: bool = False,
        lfs: bool = False,
        allow_filters: bool = False,
        signature: str | None = None,
        passed: str | None = None,
        signatures: bool = False,
        preset: Preset | Literal["auto", "none"] | None = "auto",
    ) -> CommandOracle:
        """A command as an oracle: run for a revision in a work tree of its own, outside your checkout.

        Exit codes mean what they do for `git bisect run`: 0 passes, 1 to 124 fail, 125 is unresolved, 126 and 127
        raise a CommandError ("command not found"), anything else stops.

        A test may have stages, each a command that is run in the same work tree and whose output goes to the same file:
        `setup`, `configure`, `build`, the test, and `control` after a test that failed. Where one other than the test
        does not end with 0 the revision is unresolved; `Observation.stage` says at which it ended, and
        `Observation.signature` how (Artho, "Iterative Delta Debugging", Section 5.1). A code that `exit_codes` gives as
        `"retry"` is nobody's outcome at any stage: the machine failed, and the revision is asked again.

        Args:
            command: The program and its arguments. For a shell's line, `["sh", "-c", line]`.
            timeout: Seconds that the command may run; None for ever.
            on_timeout: What it means that it took longer.
            on_signal: What it means that the command died by a signal or exited with 128 or above.
            exit_codes: What single exit codes mean, whatever the rest says; a death by signal n counts as 128 + n.
            env: Further environment variables of all stages. Always set are `FIRSTBAD_REVISION` (the full sha),
                `FIRSTBAD_WORKTREE`, `FIRSTBAD_OUTPUT`, `FIRSTBAD_REPOSITORY` (folders and a file), `FIRSTBAD_JOB` (the
                least number from 0 that no other run of this process has meanwhile: for ports, databases), and
                `FIRSTBAD_NEW_WORKTREE`: 1 until the first stage has been through in the work tree, then 0. The test
                alone has `FIRSTBAD_SIGNALS`: a file into which it may write a JSON object, its observation's `signals`.
            output_dir: Where each run's output goes, `<sha>.log`; None for a new folder under the cache folder.
            output_limit: How many bytes of what each stage prints are kept: of more, the beginning and the end.
                `signature`, `passed` and `preset` see what is kept. At least 4,096.
            grace: Seconds between SIGTERM and SIGKILL for what must end; after an interruption at most 0.5.
            worktrees: Where the work trees live while the oracle does; None for the cache folder.
            build_folders: What stays in a work tree from one run to the next: nothing (`"fresh"`), or what the revision
                ignores (`"warm"`), so that build folders keep. What is unresolved with what earlier builds left is
                built anew once, and the note says so.
            setup: A command that is run first, after all patches: what installs things. None for no such stage.
            configure: A command that is run after `setup`, and configures the build. None for no such stage.
            build: A command that is run after `configure`, and builds what is tested. None for no such stage.
            control: A command that is run after a test that failed, and must end with 0 for the failure to count: it
                shows that nothing else is broken (Section 5.2). Iterative delta debugging runs it after a pass with a
                patch, too. None: every failure counts.
            stage_timeout: Seconds that each of `setup`, `configure`, `build` and `control` may run, and that it may
                take to make the environment, or to wait for another run that makes it; None for ever.
            environment: What the test needs installed, made once for all revisions whose lock files are the same,
                before `setup`, and kept for later searches: `"venv"` (requirements.txt), `"uv"` (uv.lock), `"npm"`
                (package-lock.json), `"pnpm"` (pnpm-lock.yaml), or an `Environment`. All stages find its folder in
                `FIRSTBAD_ENVIRONMENT` and its programs first in `PATH`. Where it cannot be made the revision is
                unresolved at the stage `setup`. None for what the machine has.
            environments: Where environments are kept; None for the cache folder.
            fixups: Patches (or texts that are some, not paths) over every revision, in this order. One that a revision
                has already is left out there; where one does not apply the revision is unresolved.
            carry: Which files of your checkout lie in every work tree whose revision has none of that path, as they are
                now: `"auto"` for the untracked ones that the commands name (`["./check.sh"]`), False for none, or
                paths, from the top of the checkout, tracked or not. What a build may have left is not carried by
                itself: programs that are no text, what lies in ignored folders, and ignored files where something is
                built. Journals keep what the files hold.
            submodules: Whether submodules are filled, from what the repository has of them, else from their URLs. Where
                that cannot be done the revision is unresolved; where the network is to blame it is asked again, as
                after `Retry`.
            lfs: Whether the files that Git LFS keeps elsewhere are there, by `git-lfs`, which has to be installed: from
                what the repository has of them, else from its remote, or from where the revision says. False: what the
                filters of your own configuration make of them.
            allow_filters: Whether checkouts run the filters defined in `.git/config` and apply `.git/info/attributes`.
            signature: A regular expression (of Rust's crate `regex`; `^` and `$` match at every line) that the output
                must match for a failure to be one; elsewhere it is unresolved.
            passed: A regular expression that the output must match for a pass to be one (such as "all 12 tests
                passed"); elsewhere it is unresolved.
            signatures: Whether the observation of a failure has a signature too, which an unresolved one always has:
                how the command ended, and what `signature` finds in the output (its first group, or else all that it
                matches) or, without it, the last line that looks like an error, with `#` for numbers and without
                folders, addresses and colours. Searches for regressions take another signature than the one searched
                for as unresolved.
            preset: The test runner of the command. If the runner could not build or ran no test, the revision is
                unresolved, whatever the exit code is. `exit_codes` takes precedence. `"auto"`: the runner that the
                command names, as `["pytest", "-x"]` does. `"none"` or None: exit codes mean what they mean to
                `git bisect run`.

        Raises:
            InvalidArgumentError: A command that is a text or empty; a meaning, a variable, an expression or a limit
                that is none.
            PatchError: A fix-up that is no patch.
        """
        return CommandOracle(
            self._core.command_oracle(
                words("command", command),
                None if timeout is None else checked_seconds("timeout", timeout),
                verdict_name("on_timeout", on_timeout),
                verdict_name("on_signal", on_signal),
                exit_code_meanings(exit_codes),
                variables(env),
                None if output_dir is None else checked_path("output_dir", output_dir),
                size_in_bytes(output_limit),
                checked_seconds("grace", grace),
                None if worktrees is None else checked_path("worktrees", worktrees),
                None if environments is None else checked_path("environments", environments),
                checked_text("build_folders", build_folders),
                stage_command("setup", setup),
                stage_command("configure", configure),
                stage_command("build", build),
                stage_command("control", control),
                None if stage_timeout is None else checked_seconds("stage_timeout", stage_timeout),
                environment_json(environment),
                patches(fixups),
                carried_paths(carry),
                checked_flag("submodules", submodules),
                checked_flag("lfs", lfs),
                checked_flag("allow_filters", allow_filters),
                None if signature is None else checked_text("signature", signature),
                None if passed is None else checked_text("passed", passed),
                checked_flag("signatures", signatures),
                "none" if preset is None else checked_text("preset", preset),
            ),
            self,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """What opens it again: in another process of this machine, or of one that has it at the same place."""
        return partial(type(self), fetch=self._fetch), (self.path,)

    def __repr__(self) -> str:
        return f"Repository({str(self.path)!r})"
