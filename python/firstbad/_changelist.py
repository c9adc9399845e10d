"""Changelists: the files that a commit changes, and its author."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from firstbad._arguments import check_whole, names
from firstbad._errors import InvalidArgumentError

__all__ = ["Changelist", "Changelists", "FileStatus", "MergeRule", "as_changelists", "as_json"]

FileStatus: TypeAlias = Literal["added", "modified", "deleted"]
"""The effect of a change on a file. A rename deletes the old name and adds the new one."""

MergeRule: TypeAlias = Literal["own", "first-parent"]
"""The changes of a merge: files that differ from all parents, or files that differ from the first parent."""


@dataclass(frozen=True)
class Changelist:
    """An atomic change to the code, such as a commit.

    A ranking needs `id` and `files`, and for moved or deleted files `renames` and `statuses`. Factors use the other
    attributes.

    Attributes:
        id: The id of the change, such as a hash or a number.
        files: The files that it added, changed or deleted, as the build graph names them. A rename has both names.
        author: The name of the author.
        email: The e-mail address of the author.
        time: The time of the commit, in seconds since 1970.
        message: The whole message.
        added: The number of added lines. Binary files have none.
        deleted: The number of deleted lines.
        counts: The numbers of added and deleted lines by file, under the new name of a renamed file. A missing file is
            unknown.
        lines: The touched lines by file, as `(first, last)` pairs from 1 in the file after the change. Only
            `factors.trace` uses them. A missing file is unknown.
        renames: The new name of each renamed file by its old name. Both are among `files`.
        statuses: The status of each file. A missing file is unknown.
        parents: The ids of the parent changes or revisions. Empty: the previous change in the list.
    """

    id: str
    files: tuple[str, ...] = ()
    author: str = ""
    email: str = ""
    time: int = 0
    message: str = ""
    added: int = 0
    deleted: int = 0
    counts: Mapping[str, Sequence[int]] = field(default_factory=dict, hash=False)
    lines: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict, hash=False)
    renames: Mapping[str, str] = field(default_factory=dict, hash=False)
    statuses: Mapping[str, FileStatus] = field(default_factory=dict, hash=False)
    parents: tuple[str, ...] = ()

    if TYPE_CHECKING:
        # Arguments can be any iterables, which become tuples.
        def __init__(
            self,
            id: str,
            files: Iterable[str] = (),
            author: str = "",
            email: str = "",
            time: int = 0,
            message: str = "",
            added: int = 0,
            deleted: int = 0,
            counts: Mapping[str, Sequence[int]] = ...,
            lines: Mapping[str, Sequence[tuple[int, int]]] = ...,
            renames: Mapping[str, str] = ...,
            statuses: Mapping[str, FileStatus] = ...,
            parents: Iterable[str] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.id, str):
            raise InvalidArgumentError(f"id: {self.id!r} ({type(self.id).__name__}) is not valid; expected str")
        check_whole("id", (self.id,))
        object.__setattr__(self, "files", _files(self.id, self.files))
        object.__setattr__(self, "parents", tuple(names("parents", self.parents)))
        for name, given in {"renames": self.renames, "statuses": self.statuses}.items():
            if not isinstance(given, Mapping) or not all(
                isinstance(one, str) for pair in given.items() for one in pair
            ):
                raise InvalidArgumentError(f"{name}: {given!r} is not valid; expected a mapping from paths, as str")

    @classmethod
    def _listed(cls, text: str) -> list[Changelist]:
        """Returns the changelists of a JSON array."""
        return [cls(**fields) for fields in json.loads(text)]

    def _json(self) -> str:
        fields: dict[str, Any] = asdict(self)
        return json.dumps(fields, default=repr)


Changelists: TypeAlias = "Mapping[str, Iterable[str]] | Iterable[Changelist | tuple[str, Iterable[str]]]"
"""Changelists, oldest first: a mapping from ids to files, `(id, files)` pairs, or items of the type `Changelist`."""


def as_changelists(given: Changelists) -> list[Changelist]:
    """Returns a list of `Changelist`s.

    Raises:
        InvalidArgumentError: If a value is not a changelist.
    """
    whole: object = given
    if isinstance(whole, str) or not isinstance(whole, Iterable):
        raise _refused(whole)
    found: list[Changelist] = []
    for one in whole.items() if isinstance(whole, Mapping) else whole:
        if isinstance(one, Changelist):
            found.append(one)
        elif isinstance(one, (tuple, list)) and len(one) == 2 and isinstance(one[0], str):
            found.append(Changelist(one[0], _files(one[0], one[1])))
        else:
            raise _refused(one)
    return found


def as_json(changes: Iterable[Changelist], content: bool = False) -> str:
    """Returns changelists as JSON for a ranking. With `content`, the ranking is by content."""
    wanted = ("id", "files", "renames", "statuses", "parents", *(("message", "counts") if content else ()))
    return json.dumps([{name: _plain(getattr(change, name)) for name in wanted} for change in changes], default=repr)


def _plain(given: object) -> object:
    return dict(given) if isinstance(given, Mapping) else given


def _files(id: str, given: object) -> tuple[str, ...]:
    if not isinstance(given, str) and isinstance(given, Iterable):
        files = tuple(given)
        if all(isinstance(file, str) for file in files):
            check_whole(f"changes[{id!r}]", files)
            return files
    raise InvalidArgumentError(
        f"changes[{id!r}]: {given!r} ({type(given).__name__}) is not valid; expected several paths, as str"
    )


def _refused(given: object) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"changes: {given!r} ({type(given).__name__}) is not valid; expected a mapping from ids to files, (id, files) "
        "pairs, or Changelists, oldest first"
    )
