"""What can go wrong: one hierarchy under `FirstbadError`, each with a stable `code`."""

from __future__ import annotations

__all__ = [
    "CommandError",
    "ContradictionError",
    "FirstbadError",
    "GitError",
    "GraphError",
    "HostError",
    "Interrupted",
    "InvalidArgumentError",
    "JournalError",
    "NonDeterministicError",
    "NotReproducedError",
    "OracleClosedError",
    "PatchError",
    "Retry",
    "SearchInUseError",
    "SnapshotError",
    "StoreError",
    "UnknownBuildTargetError",
    "UnknownProbeError",
    "UnknownReadError",
    "UnknownRevisionError",
    "of",
]


class FirstbadError(Exception):
    """The base of everything that this package raises by itself.

    Exceptions of an oracle are never wrapped: they reach the caller as they are.

    Attributes:
        code: The stable name of this kind of error, the same in Rust and in Node: `"unknown_revision"`,
            `"contradiction"`, ...
    """

    code: str = "error"

    def __init__(self, message: str = "", code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class GraphError(FirstbadError, ValueError):
    """No commit graph: `empty_graph`, `duplicate_revision`, `unknown_parent` or `cycle`; the ids are named."""

    code = "graph"


class UnknownRevisionError(FirstbadError, LookupError):
    """A name that stands for no revision, or for several: `unknown_revision` or `ambiguous_revision`."""

    code = "unknown_revision"


class UnknownBuildTargetError(FirstbadError, LookupError):
    """A name that stands for no build target."""

    code = "unknown_build_target"


class InvalidArgumentError(FirstbadError, ValueError):
    """An argument with a value that cannot be meant; the message names it and says what would be right."""

    code = "invalid_argument"


class ContradictionError(FirstbadError):
    """Two different answers for one revision. The first one is kept."""

    code = "contradiction"


class NonDeterministicError(ContradictionError):
    """Two different answers for the same set of items. The first one is kept; with a `confidence` none is final."""

    code = "non_deterministic"


class NotReproducedError(FirstbadError, LookupError):
    """The property to be kept does not hold for all items together, so there is nothing to reduce."""

    code = "not_reproduced"


class PatchError(FirstbadError, ValueError):
    """A text that is no patch (`patch_syntax`), or a patch that does not fit its files (`patch_conflict`)."""

    code = "patch"


class SearchInUseError(FirstbadError, RuntimeError):
    """Another run is driving the search. That run continues."""

    code = "search_in_use"


class UnknownProbeError(FirstbadError, LookupError):
    """An answer to a probe that was never asked."""

    code = "unknown_probe"


class UnknownReadError(FirstbadError, LookupError):
    """The search never asked to see this."""

    code = "unknown_read"


class SnapshotError(FirstbadError, ValueError):
    """A snapshot or an event that does not belong to this search."""

    code = "snapshot"


class JournalError(FirstbadError):
    """A journal that cannot be read or belongs to another search (`journal`), or is in use (`journal_locked`)."""

    code = "journal"


class StoreError(FirstbadError):
    """An outcome store that cannot be used."""

    code = "store"


class GitError(FirstbadError):
    """Git answered with an error, a folder is no repository, or a clone does not have what it takes.

    Its `code` is `git`; `shallow` where a search would begin where a shallow clone was cut off; `missing_objects` where
    a partial clone does not have what a revision holds. What is missing is fetched with `Repository(fetch=True)`.
    """

    code = "git"


class CommandError(FirstbadError):
    """A command oracle's command says nothing about a revision: `command_not_found` or `command_stopped`.

    Attributes:
        revision: The full id of the revision that it was run at; None if it is not known.
        exit_code: How the command ended: its exit code, 128 + n for a signal n; None if it did not end by itself.
        output: The file that holds its output; None if there is none.
    """

    code = "command"
    revision: str | None = None
    exit_code: int | None = None
    output: str | None = None


class HostError(FirstbadError, OSError):
    """A file or a process could not be handled (`io`)."""

    code = "io"


class OracleClosedError(FirstbadError):
    """An oracle was called after it was closed."""

    code = "oracle_closed"


class Interrupted(FirstbadError):
    """An oracle's `interrupt()` ended the run. Ctrl-C raises KeyboardInterrupt instead."""

    code = "interrupted"


class Retry(FirstbadError):
    """Raised by an oracle: the machine and not the code failed, ask again.

    The probe is abandoned, nothing is concluded, and its revision is asked again a bounded number of times in a row
    (`retries`); after that this exception reaches the caller.

    Attributes:
        revision: The full id of the revision where a command said so, or where it was raised once too often; None
            before.
        tries: How often in a row it was raised when it reached the caller; None before.
        output: The file that holds a command's output; None if there is none.
    """

    code = "retry"
    revision: str | None = None
    tries: int | None = None
    output: str | None = None


_CLASSES: dict[str, type[FirstbadError]] = {
    "empty_graph": GraphError,
    "duplicate_revision": GraphError,
    "unknown_parent": GraphError,
    "cycle": GraphError,
    "unknown_revision": UnknownRevisionError,
    "ambiguous_revision": UnknownRevisionError,
    "unknown_build_target": UnknownBuildTargetError,
    "invalid_argument": InvalidArgumentError,
    "contradiction": ContradictionError,
    "non_deterministic": NonDeterministicError,
    "not_reproduced": NotReproducedError,
    "patch_syntax": PatchError,
    "patch_conflict": PatchError,
    "search_in_use": SearchInUseError,
    "unknown_probe": UnknownProbeError,
    "unknown_read": UnknownReadError,
    "snapshot": SnapshotError,
    "journal": JournalError,
    "journal_locked": JournalError,
    "store": StoreError,
    "git": GitError,
    "shallow": GitError,
    "missing_objects": GitError,
    "command_not_found": CommandError,
    "command_stopped": CommandError,
    "interrupted": Interrupted,
    "oracle_closed": OracleClosedError,
    "retry": Retry,
    "io": HostError,
}


def of(code: str, message: str, revision: str | None, exit_code: int | None, output: str | None) -> FirstbadError:
    """The exception for an error of the core; called by the binding."""
    error = _CLASSES.get(code, FirstbadError)(message, code)
    if isinstance(error, (CommandError, Retry)):
        error.revision, error.output = revision, output
    if isinstance(error, CommandError):
        error.exit_code = exit_code
    return error
