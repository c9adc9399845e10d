"""What people know a commit by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Commit", "commits_from"]


@dataclass(frozen=True)
class Commit:
    """What people know a commit by. The texts are whatever its author wrote.

    Attributes:
        subject: The first line of its message.
        author: Who wrote it, without the address.
        author_date: When it was written (git's author date): ISO 8601, in UTC, to the second.
        commit_date: When it got its place in the history (git's commit date), likewise.
    """

    subject: str
    author: str
    author_date: str
    commit_date: str


def commits_from(written: Mapping[str, Any]) -> dict[str, Commit]:
    """Commits of a report, by their full ids, as the core writes it."""
    return {id: Commit(**commit) for id, commit in written.get("commits", {}).items()}
