"""Commands that run as oracles, in worktrees of a repository."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn

from firstbad import _native
from firstbad._arguments import checked_text, given
from firstbad._calls import current_probe
from firstbad._errors import HostError
from firstbad._observation import Observation
from firstbad._patch import Patch, as_bytes

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["CommandOracle", "MeasureOracle", "Revision", "SuiteOracle"]

_OPEN: weakref.WeakSet[WorktreeOracle] = weakref.WeakSet()


def _forked() -> None:
    """Releases the resources of the parent process in a fork, so that its runs can end."""
    for oracle in list(_OPEN):
        oracle._core.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _close(native: _native.CommandOracle) -> None:
    """Closes an oracle. If a worktree cannot be removed, the next oracle of the repository tries again."""
    try:
        native.close()
    except HostError as error:
        warnings.warn(f"{error}. The next command oracle of the repository tries again", RuntimeWarning, stacklevel=4)


class WorktreeOracle:
    """An oracle that runs a command in worktrees."""

    __slots__ = ("__weakref__", "_close", "_core", "_repository")

    def __init__(self, native: _native.CommandOracle, repository: _native.Repository) -> None:
        self._core = native
        self._repository = repository
        # The finalizer also runs at the exit of the interpreter.
        self._close = weakref.finalize(self, _close, native)
        _OPEN.add(self)
        self._warn()

    def _warn(self) -> None:
        """Emits the new warnings that results of the test could be wrong."""
        for is_warning, text in self._core.take_notices():
            if is_warning:
                warnings.warn(text, RuntimeWarning, stacklevel=4)

    @property
    def _command(self) -> _native.CommandOracle:
        """The native command, which journals compare."""
        return self._core

    @property
    def carried(self) -> tuple[str, ...]:
        """The paths of the carried files (`copy_files`), relative to the top of the checkout."""
        return tuple(self._core.carried)

    @property
    def output_dir(self) -> Path:
        """The folder with the output of each run, `<sha>.log`."""
        return self._core.output_dir

    def check_out(self, revision: str) -> None:
        """Prepares a worktree for a likely next run at this revision or a near one, without a run.

        It takes seconds in a large repository, so call it from another thread. Searches prepare worktrees while tests
        run. You can ignore an error, because the next run creates a worktree if necessary.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            Interrupted: After `interrupt`.
            FirstbadError: If the worktree cannot be created.
        """
        self._core.check_out(checked_text("revision", revision))

    def interrupt(self) -> None:
        """Stops all runs and their processes. Until `resume`, new runs stop immediately."""
        self._core.interrupt()

    def resume(self) -> None:
        """Allows new runs after `interrupt`."""
        self._core.resume()

    def close(self) -> None:
        """Stops all runs and removes the worktrees, but keeps the output. The oracle cannot run again.

        A separate process removes very large worktrees. If a worktree cannot be removed, you get a RuntimeWarning, and
        the next oracle of the same repository tries again.
        """
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} cannot be pickled: it starts processes itself, so run it in threads (jobs=4) and "
            "not in a pool of processes"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: output in {str(self.output_dir)!r}>"


class CommandOracle(WorktreeOracle):
    """A command that judges revisions; made by `Repository.command_oracle`.

    You can call it from several threads: each run has a separate worktree, which later runs reuse. Close the oracle or
    use it in a `with` block to remove the worktrees. If the process dies, even by SIGKILL, its commands end within a
    second, and the next oracle of the same repository removes the worktrees. If you fork, create a new oracle in the
    child process.
    """

    __slots__ = ()

    def _run(self, revision: str, patch: bytes | None = None, signed: bool = False) -> Observation:
        probe = current_probe()
        fresh = probe is not None and probe.confirms
        try:
            return Observation.from_json(self._core.run(revision, patch, signed, fresh))
        finally:
            self._warn()

    def __call__(self, revision: str) -> Observation:
        """Runs the command at a revision. Ctrl-C stops the command and all its processes.

        Raises:
            CommandError: If the command cannot run, or if its exit status stops the search.
            UnknownRevisionError: If Git cannot find the revision.
            Interrupted: After `interrupt`.
        """
        return self._run(checked_text("revision", revision))

    def run_patched(self, revision: str, patch: Patch | str | bytes) -> Observation:
        """Runs the command at a revision with a patch applied; `FIRSTBAD_PATCH` names a file with the patch.

        If the patch does not apply, the outcome is unresolved at the stage `patch`. The command does not run, and the
        note names the file and the hunk.

        Raises:
            CommandError: If the command cannot run, or if its exit status stops the search.
            UnknownRevisionError: If Git cannot find the revision.
            Interrupted: After `interrupt`.
        """
        over = bytes(patch) if isinstance(patch, Patch) else as_bytes("patch", patch)
        return self._run(checked_text("revision", revision), over)

    def _run_with_signature(self, revision: str, patch: Patch | None = None) -> Observation:
        """Runs the command and computes the signature of a failure."""
        return self._run(revision, None if patch is None else bytes(patch), True)


class SuiteOracle(WorktreeOracle):
    """A command that runs chosen tests of revisions; made by `Repository.suite_oracle`.

    You can call it from several threads: each run has a separate worktree, which later runs reuse. Close the oracle or
    use it in a `with` block to remove the worktrees. If the process dies, even by SIGKILL, its commands end within a
    second, and the next oracle of the same repository removes the worktrees. If you fork, create a new oracle in the
    child process.
    """

    __slots__ = ()

    def __call__(self, revision: str, tests: Iterable[str] | None = None) -> Observation:
        """Runs tests of a revision. Ctrl-C stops the command and all its processes.

        Args:
            revision: The revision.
            tests: The ids of the tests. None for the whole suite, and empty for a build alone.

        Returns:
            An observation with `results`. A test without a result is unresolved.

        Raises:
            CommandError: If the command cannot run, or if its exit status stops the search.
            UnknownRevisionError: If Git cannot find the revision.
            Interrupted: After `interrupt`.
        """
        wanted = given("tests", tests)
        try:
            return Observation.from_json(self._core.run_tests(checked_text("revision", revision), wanted))
        finally:
            self._warn()


class MeasureOracle(WorktreeOracle):
    """A command that measures numbers at revisions; made by `Repository.measure_oracle`.

    Two commands never run at the same time, so that they do not disturb each other. Close the oracle or use it in a
    `with` block to remove the worktrees. If the process dies, even by SIGKILL, its commands end within a second, and
    the next oracle of the same repository removes the worktrees. If you fork, create a new oracle in the child process.
    """

    __slots__ = ()

    def __call__(self, revision: str) -> Observation:
        """Measures a revision. Ctrl-C stops the command and all its processes.

        Returns:
            An observation with a `metric`, or with `metrics` by name if there are several. If there is no number, the
            observation is unresolved and its note says why. If the command exceeded its time limit, a time is
            `censored`.

        Raises:
            CommandError: If the command cannot run, or if its exit status stops the search.
            UnknownRevisionError: If Git cannot find the revision.
            Interrupted: After `interrupt`.
        """
        return self._measured(revision)

    def run_paired(self, revision: str, control: str) -> Observation:
        """Measures a revision and then a good revision, as searches with `paired=True` do. Both are built before.

        Returns:
            The observation of the revision, with the number of the good revision in `control`.

        Raises:
            InvalidArgumentError: If there are several metrics, or fewer than two builds are kept.
            FirstbadError: As a call of the oracle does.
        """
        return self._measured(revision, checked_text("control", control))

    def _measured(self, revision: str, control: str | None = None) -> Observation:
        try:
            return Observation.from_json(self._core.measure(checked_text("revision", revision), control))
        finally:
            self._warn()


class Revision:
    """A command oracle at one revision, as a function of the patch to apply.

    Failures have signatures, because a part of a patch can fail in other ways than the whole.
    """

    def __init__(self, oracle: CommandOracle, revision: str) -> None:
        self._oracle = oracle
        self._revision = revision
        self._command = oracle._command
        self.interrupt = oracle.interrupt
        self.resume = oracle.resume

    def __call__(self, patch: Patch) -> Observation:
        """Runs the command with a patch applied."""
        return self._oracle._run_with_signature(self._revision, patch)
