"""Exceptions: one hierarchy under `FirstbadError`, each with a stable `code`."""

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
    "ReportError",
    "Retry",
    "SearchInUseError",
    "SnapshotError",
    "StoreError",
    "UnknownBuildTargetError",
    "UnknownProbeError",
    "UnknownRevisionError",
    "of",
]


class FirstbadError(Exception):
    """The base class of all exceptions of this package.

    Exceptions of an oracle are never wrapped.

    Attributes:
        code: The stable name of the kind of error, which is the same in all front ends: `"unknown_revision"`,
            `"contradiction"`, ...
    """

    code: str = "error"

    def __init__(self, message: str = "", code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class GraphError(FirstbadError, ValueError):
    """The commit graph is not valid: `empty_graph`, `duplicate_revision`, `unknown_parent` or `cycle`."""

    code = "graph"


class UnknownRevisionError(FirstbadError, LookupError):
    """A name matches no revision, or several: `unknown_revision` or `ambiguous_revision`."""

    code = "unknown_revision"


class UnknownBuildTargetError(FirstbadError, LookupError):
    """A name matches no build target."""

    code = "unknown_build_target"


class InvalidArgumentError(FirstbadError, ValueError):
    """An argument has an invalid value. The message names the argument and the expected value."""

    code = "invalid_argument"


class ContradictionError(FirstbadError):
    """A revision has two different outcomes. The search keeps the first one."""

    code = "contradiction"


class NonDeterministicError(ContradictionError):
    """A set of items has two different outcomes, and the search has no `confidence`. It keeps the first one."""

    code = "non_deterministic"


class NotReproducedError(FirstbadError, LookupError):
    """All items together do not have the property, so there is nothing to reduce."""

    code = "not_reproduced"


class PatchError(FirstbadError, ValueError):
    """A text is not a patch (`patch_syntax`), or a patch does not fit its files (`patch_conflict`)."""

    code = "patch"


class SearchInUseError(FirstbadError, RuntimeError):
    """Another run is driving the search. That run continues."""

    code = "search_in_use"


class UnknownProbeError(FirstbadError, LookupError):
    """The search has not asked for this probe (`unknown_probe`) or for this content (`unknown_read`)."""

    code = "unknown_probe"


class SnapshotError(FirstbadError, ValueError):
    """A snapshot or an event does not belong to this search."""

    code = "snapshot"


class JournalError(FirstbadError):
    """A journal cannot be read or belongs to another search (`journal`), or is in use (`journal_locked`)."""

    code = "journal"


class ReportError(FirstbadError, ValueError):
    """A test report cannot be used.

    The `code` is `empty_report`, `report_too_large`, `too_many_tests`, `report_too_deep`, `long_id`, `long_ids`,
    `unknown_format`, `report_syntax`, `unknown_outcome`, or `unwritable_id`.
    """

    code = "report_syntax"


class StoreError(FirstbadError):
    """An outcome store cannot be used."""

    code = "store"


class GitError(FirstbadError):
    """Git failed, a folder is not in a repository, or a clone is incomplete.

    The `code` is `git`, `shallow` if the search reaches the boundary of a shallow clone, or `missing_objects` if a
    partial clone lacks files of a revision. `Repository(fetch=True)` fetches missing objects.
    """

    code = "git"


class CommandError(FirstbadError):
    """The command of a command oracle cannot judge a revision: `command_not_found` or `command_stopped`.

    Attributes:
        revision: The full id of the revision, or None if it is unknown.
        exit_code: The exit code of the command, 128 + n for signal n, or None if firstbad stopped it.
        output: The file with the output of the command, or None.
    """

    code = "command"
    revision: str | None = None
    exit_code: int | None = None
    output: str | None = None


class HostError(FirstbadError, OSError):
    """A file or a process cannot be used (`io`)."""

    code = "io"


class OracleClosedError(FirstbadError):
    """An oracle was called after `close`."""

    code = "oracle_closed"


class Interrupted(FirstbadError):
    """The `interrupt()` of an oracle stopped the run. Ctrl-C raises KeyboardInterrupt instead."""

    code = "interrupted"


class Retry(FirstbadError):
    """An oracle raises this to run a probe again, if the machine failed rather than the code.

    The probe is abandoned without an outcome, and the search asks for its revision again. After `retries` attempts in a
    row the exception reaches the caller.

    Attributes:
        revision: The full id of the revision, set when a command requests the retry or the exception reaches the
            caller.
        tries: The number of attempts in a row, set when the exception reaches the caller.
        output: The file with the output of a command, or None.
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
    "unknown_read": UnknownProbeError,
    "snapshot": SnapshotError,
    "journal": JournalError,
    "journal_locked": JournalError,
    "empty_report": ReportError,
    "report_too_large": ReportError,
    "too_many_tests": ReportError,
    "report_too_deep": ReportError,
    "long_id": ReportError,
    "long_ids": ReportError,
    "unknown_format": ReportError,
    "report_syntax": ReportError,
    "unknown_outcome": ReportError,
    "unwritable_id": ReportError,
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
    """Returns the exception for an error of the core. The binding calls this function."""
    error = _CLASSES.get(code, FirstbadError)(message, code)
    if isinstance(error, (CommandError, Retry)):
        error.revision, error.output = revision, output
    if isinstance(error, CommandError):
        error.exit_code = exit_code
    return error
