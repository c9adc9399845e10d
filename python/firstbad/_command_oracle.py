"""Commands that run as oracles, in worktrees of a repository."""

from __future__ import annotations

import os
import warnings
import weakref
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn

from firstbad import _native
from firstbad._arguments import checked_text
from firstbad._calls import current_probe
from firstbad._errors import HostError
from firstbad._observation import Observation
from firstbad._patch import Patch, as_bytes

if TYPE_CHECKING:
    from firstbad._repository import Repository

__all__ = ["CommandOracle", "Revision"]

_OPEN: weakref.WeakSet[CommandOracle] = weakref.WeakSet()


def _forked() -> None:
    """In a fork: lets go of what would keep the runs of the process that was forked alive."""
    for oracle in list(_OPEN):
        oracle._core.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _close(native: _native.CommandOracle) -> None:
    """Closes an oracle. What cannot be removed is removed the next time, and never costs an answer."""
    try:
        native.close()
    except HostError as error:
        warnings.warn(f"{error}; the next command oracle of the repository tries again", RuntimeWarning, stacklevel=4)


class CommandOracle:
    """A command that judges revisions; made by `Repository.command_oracle`.

    Call it from as many threads as you like: each run has a work tree of its own, used again by later runs. Close it,
    or use it in a `with` block, to remove them at once. Should the process die, its commands are ended within a second,
    also by SIGKILL, and the next oracle of the same repository removes the work trees. A fork of the process cannot use
    it: it makes its own.

    Attributes:
        repository: The repository that it belongs to.
    """

    __slots__ = ("__weakref__", "_close", "_core", "repository")

    def __init__(self, native: _native.CommandOracle, repository: Repository) -> None:
        self._core = native
        self.repository = repository
        # Also when the interpreter ends: no process and no work tree is left behind.
        self._close = weakref.finalize(self, _close, native)
        _OPEN.add(self)
        self._warn()

    def _warn(self) -> None:
        """Emits the new warnings that results of the test could be wrong."""
        for is_warning, text in self._core.take_notices():
            if is_warning:
                warnings.warn(text, RuntimeWarning, stacklevel=4)

    def _run(self, revision: str, patch: bytes | None = None, signed: bool = False) -> Observation:
        probe = current_probe()
        fresh = probe is not None and probe.confirms
        try:
            return Observation.from_json(self._core.run(revision, patch, signed, fresh))
        finally:
            self._warn()

    def __call__(self, revision: str) -> Observation:
        """Runs the command at a revision. Ctrl-C ends it at once, with all its processes.

        Raises:
            CommandError: The command cannot be run, or ended in a way that says nothing about the revision.
            UnknownRevisionError: git knows no such revision.
            Interrupted: `interrupt` was called.
        """
        return self._run(checked_text("revision", revision))

    def run_patched(self, revision: str, patch: Patch | str | bytes) -> Observation:
        """Runs the command at a revision with a patch applied; `FIRSTBAD_PATCH` names a file with the patch.

        A patch that does not apply is unresolved at the stage `patch`: nothing is run, and the note names the file and
        the hunk.

        Raises:
            CommandError: The command cannot be run, or ended in a way that says nothing about the revision.
            UnknownRevisionError: git knows no such revision.
            Interrupted: `interrupt` was called.
        """
        over = bytes(patch) if isinstance(patch, Patch) else as_bytes("patch", patch)
        return self._run(checked_text("revision", revision), over)

    def _run_with_signature(self, revision: str, patch: Patch | None = None) -> Observation:
        """Runs the command, with a signature for a failure too: for searches that compare failures."""
        return self._run(revision, None if patch is None else bytes(patch), True)

    @property
    def _command(self) -> _native.CommandOracle:
        """What journals compare."""
        return self._core

    @property
    def carried(self) -> tuple[str, ...]:
        """The paths of the files that are carried (`carry`), from the top of the checkout."""
        return tuple(self._core.carried)

    @property
    def output_dir(self) -> Path:
        """Where the output of each run is kept, as `<sha>.log`."""
        return self._core.output_dir

    def check_out(self, revision: str) -> None:
        """Makes a work tree of a revision ready for a run that likely comes: of it, or of one near it.

        It is one that no run uses, or a new one. Runs nothing. In a large repository it takes seconds, so it is for a
        thread beside the one that finds out what to test first; while tests run, searches do so by themselves. What
        goes wrong is no reason to end anything: the next run makes its own work tree.

        Raises:
            UnknownRevisionError: git knows no such revision.
            Interrupted: `interrupt` was called.
            FirstbadError: The work tree could not be made.
        """
        self._core.check_out(checked_text("revision", revision))

    def interrupt(self) -> None:
        """Ends all runs now, with all their processes, and later ones as they begin, until `resume`."""
        self._core.interrupt()

    def resume(self) -> None:
        """Takes back an interruption."""
        self._core.resume()

    def close(self) -> None:
        """Ends all runs and removes the work trees; the output stays. It cannot be called again.

        Very large trees are removed by a process that goes on without this one.

        What cannot be removed is a RuntimeWarning; the next oracle of the same repository tries again.
        """
        self._close()

    def __enter__(self) -> CommandOracle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a CommandOracle cannot be pickled: it starts processes itself, so run it in threads (jobs=4) and not in a "
            "pool of processes"
        )

    def __repr__(self) -> str:
        return f"<CommandOracle: output in {str(self.output_dir)!r}>"


class Revision:
    """A command oracle at one revision: a function of the patch to apply there.

    Failures are signed, for half a patch fails in ways of its own.
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
