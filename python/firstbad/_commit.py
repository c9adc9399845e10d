"""What people know a commit by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["CommitStats", "FileStats", "Commit", "SubmoduleChange", "commits_from"]


@dataclass(frozen=True)
class FileStats:
    """A file that a commit changed.

    Attributes:
        path: Its name, seen from the top folder.
        added: How many lines were added.
        deleted: How many lines were deleted.
    """

    path: str
    added: int
    deleted: int


@dataclass(frozen=True)
class CommitStats:
    """What a commit changed, counted.

    Attributes:
        files: How many files.
        added: How many lines it added; binary files have none.
        deleted: How many lines it deleted.
        largest: The files with the most lines changed, the most first: at most ten.
    """

    files: int
    added: int
    deleted: int
    largest: tuple[FileStats, ...]


@dataclass(frozen=True)
class SubmoduleChange:
    """A submodule that a commit updates.

    Attributes:
        path: The submodule's folder, relative to the top of the repository.
        before: The submodule's commit before the update.
        after: The submodule's commit after the update.
        commits: The number of submodule commits that the update brings in, or 0 if the submodule is not available
            locally.
        newest: The newest of these commits, at most five: the short id and the first line of the message.
    """

    path: str
    before: str
    after: str
    commits: int
    newest: tuple[str, ...]


@dataclass(frozen=True)
class Commit:
    """What people know a commit by. The texts are whatever its author wrote.

    Attributes:
        subject: The first line of the message, at most 200 characters.
        author: The author's name, at most 200 characters.
        author_date: When it was written (git's author date): ISO 8601, to the second, with the author's own offset from
            UTC, as `git show` has it.
        commit_date: When it got its place in the history (git's commit date), likewise with the committer's offset.
        email: The author's e-mail address; empty if it is not known.
        changed: What it changed, against its first parent; of commits that are to blame, where it could be read. `None`
            if it is not known.
        submodules: The submodules that the commit updates, under the same conditions as `changed`.
        url: Its page at the forge that the repository was cloned from; `None` if that is no known one, or has no such
            commit.
        request_url: The page of the pull or merge request that it was part of: its message names it, or that of a merge
            that brought it; `None` likewise.
    """

    subject: str
    author: str
    author_date: str
    commit_date: str
    email: str
    changed: CommitStats | None
    url: str | None
    request_url: str | None
    submodules: tuple[SubmoduleChange, ...]


def commits_from(written: Mapping[str, Any]) -> dict[str, Commit]:
    """Commits of a report, by their full ids, as the core writes it."""
    return {id: _commit(**commit) for id, commit in written["commits"].items()}


def _commit(changed: Mapping[str, Any] | None, submodules: Sequence[Mapping[str, Any]], **commit: Any) -> Commit:
    commit["submodules"] = tuple(SubmoduleChange(**{**one, "newest": tuple(one["newest"])}) for one in submodules)
    if changed is None:
        return Commit(changed=None, **commit)
    largest = tuple(FileStats(**file) for file in changed["largest"])
    return Commit(changed=CommitStats(**{**changed, "largest": largest}), **commit)
