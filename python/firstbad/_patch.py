"""Patches: unified diffs as files, hunks, and single changes."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from reprlib import repr as shortened
from typing import Any, Literal, TypeAlias, TypeVar

from firstbad import _native
from firstbad._card import Card
from firstbad._errors import InvalidArgumentError

__all__ = ["Change", "ChangeKind", "FilePatch", "Hunk", "Patch", "as_bytes", "ported_patch"]

Content = TypeVar("Content", str, bytes)

ChangeKind: TypeAlias = Literal["mode", "creation", "deletion", "rename", "copy", "removed", "added", "binary"]
"""The kind of a change: of a file's header, of a line, or of a binary file."""


@dataclass(frozen=True)
class Change:
    """One change of a patch.

    Attributes:
        index: The number of the change in the patch.
        file: The number of the file in `Patch.files`.
        hunk: The number of the hunk in `FilePatch.hunks`, or None for headers and binary files.
        kind: The kind of the change.
        path: The path of the file without Git's prefixes: the new path, or the old path of a deleted file.
        text: The line without its sign and line end, or a description of a header change (`100644 -> 100755`).
        line: The number of the line, from 1, in the old file for a removed line and in the new file for an added line.
    """

    index: int
    file: int
    hunk: int | None
    kind: ChangeKind
    path: str
    text: str
    line: int | None


@dataclass(frozen=True)
class Hunk:
    """One hunk of a file.

    Attributes:
        old_start: The first line in the old file, or the line before if `old_count` is 0.
        old_count: The number of lines of the old file.
        new_start: The first line in the new file, or the line before if `new_count` is 0.
        new_count: The number of lines of the new file.
        heading: The text after the second `@@`, usually the name of a function.
        changes: The numbers of the changes.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    heading: str
    changes: range


@dataclass(frozen=True)
class FilePatch:
    """The part of a patch about one file.

    Attributes:
        path: The new path, or the old path of a deleted file, without Git's prefixes.
        old_path: The old path, or None for a new file.
        new_path: The new path, or None for a deleted file.
        header: The kinds of its header changes: a mode, and one of creation, deletion, rename and copy.
        binary: Whether its content is binary.
        changes: The numbers of its changes.
        hunks: Its hunks, in order.
    """

    path: str
    old_path: str | None
    new_path: str | None
    header: tuple[ChangeKind, ...]
    binary: bool
    changes: range
    hunks: tuple[Hunk, ...]


class Patch(Card):
    r"""The numbered changes of one or several diffs, from `parse` or `Repository.diff`.

    A *change* is one added or one removed line, one change of a file's header (its mode, its creation, deletion, rename
    or copy), or the whole content of a binary file; `len(patch)` counts them. Files, hunks and lines are a hierarchy
    (Artho, "Iterative Delta Debugging", Section 3.4 and Figure 5). `bytes(patch)` is the original patch, and
    `str(patch)` is its text, with invalid UTF-8 replaced. Patches are equal if their bytes and their `origin` are
    equal.

    Example:
        >>> import firstbad as fb
        >>> patch = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n")
        >>> [(change.kind, change.text) for change in patch.changes]
        [('removed', 'two'), ('added', '2')]
        >>> print(patch.subset([0]), end="")
        --- a/x
        +++ b/x
        @@ -1,2 +1,1 @@
         one
        -two
        >>> patch.apply({"x": "one\ntwo\n"})
        {'x': 'one\n2\n'}
    """

    __slots__ = ("__weakref__", "_core", "_whole")

    def __init__(self, native: _native.Patch, whole: Patch | None = None) -> None:
        if not isinstance(native, _native.Patch):
            raise InvalidArgumentError(
                f"patch: {shortened(native)} ({type(native).__name__}) is not valid; expected Patch.parse(text), or "
                "Repository.diff"
            )
        self._core = native
        self._whole = whole

    @classmethod
    def parse(cls, text: str | bytes) -> Patch:
        """Parses the output of `git diff`, `git show`, `git log -p --reverse`, `git format-patch`, or `diff -u`.

        Text around the diffs is kept, but is not a change. An empty text is a patch without changes.

        Raises:
            PatchError: If the text contains an invalid diff, a combined diff of a merge, or no diff at all
                (`patch_syntax`).
            InvalidArgumentError: If `text` is neither a text nor bytes.
        """
        return cls(_native.Patch(as_bytes("text", text)))

    def __len__(self) -> int:
        return len(self._core)

    @property
    def files(self) -> tuple[FilePatch, ...]:
        """The files, in the order of the patch. A file can occur more than once."""
        return tuple(_file(*fields) for fields in self._core.files())

    @property
    def changes(self) -> tuple[Change, ...]:
        """All changes, in order."""
        return tuple(
            Change(index, file, hunk, kind, _path(path), text.decode(errors="replace"), line)
            for index, (file, hunk, kind, path, text, line) in enumerate(self._core.changes())
        )

    @property
    def origin(self) -> tuple[int, ...]:
        """The number of each change in the patch that `subset` was called on, ascending."""
        return tuple(self._core.origin())

    @property
    def dependencies(self) -> dict[int, tuple[int, ...]]:
        """The numbers of the changes that each change needs, for `minimize`: lines of a new file need its creation.

        Raises:
            InvalidArgumentError: If there are more than 2^21 needs.
        """
        return {change: tuple(needed) for change, needed in enumerate(self._core.dependencies()) if needed}

    @property
    def parents(self) -> tuple[int | None, ...]:
        """The parent of each change, then of each hunk, then of each file, as `minimize` takes them.

        The parent of a line is its hunk. The parent of a header change or binary content is its file.
        """
        return tuple(self._core.parents())

    def subset(self, changes: Iterable[int]) -> Patch:
        """Returns a patch with only these changes, except those that cannot stand alone. Changes are renumbered.

        If the result has changes, `git apply` accepts it wherever it accepts the whole patch.

        Args:
            changes: Numbers of changes, in any order.

        Raises:
            InvalidArgumentError: If a number is out of range or occurs twice.
        """
        return Patch(self._core.subset(changes), self)

    def with_content(self) -> Patch:
        """Removes the binary files whose content is not in the patch, because they cannot be applied.

        Use `git diff --binary` to include the content. The `origin` of the result maps its changes to this patch.
        """
        return Patch(self._core.with_content(), self)

    def apply(self, files: Mapping[str, Content]) -> dict[str, Content]:
        """Returns the files after the patch, as `git apply` does, but in memory.

        Args:
            files: The contents by path, either all texts or all bytes. Files that the patch does not touch are
                optional.

        Returns:
            All files after the patch, with contents of the same type, in alphabetical order. Texts use
                `errors="surrogateescape"` for bytes that are not UTF-8.

        Raises:
            PatchError: If a file is missing, exists already, or differs from the patch (`patch_conflict`).
            InvalidArgumentError: If `files` is not a mapping from texts to contents of one type.
        """
        if not isinstance(files, Mapping):
            raise InvalidArgumentError(
                f"files: {files!r} ({type(files).__name__}) is not valid; expected a mapping from paths to contents"
            )
        binary = any(isinstance(content, bytes) for content in files.values())
        given = []
        for path, content in files.items():
            if not isinstance(path, str) or isinstance(content, bytes) is not binary:
                kinds = f"{type(path).__name__} to {type(content).__name__}"
                raise InvalidArgumentError(
                    f"files[{path!r}]: {kinds} is not valid; expected str to str, or str to bytes, for all of them"
                )
            given.append((as_bytes("files", path), as_bytes(f"files[{path!r}]", content)))
        made: dict[str, Any] = {
            _path(path): content if binary else _path(content) for path, content in self._core.apply(given)
        }
        return made

    def __bytes__(self) -> bytes:
        return self._core.bytes()

    def __str__(self) -> str:
        return self._core.bytes().decode(errors="replace")

    def __eq__(self, other: object) -> bool:
        return self._core == other._core if isinstance(other, Patch) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._core.bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        if self._whole is None:
            return Patch.parse, (bytes(self),)
        return Patch.subset, (self._whole, self.origin)

    def _card(self) -> str:
        return self._core.card()

    def __repr__(self) -> str:
        count, files = len(self), len(self._core.files())
        return (
            f"<Patch: {count} {'change' if count == 1 else 'changes'} in {files} {'file' if files == 1 else 'files'}>"
        )


def _file(
    old: bytes | None,
    new: bytes | None,
    header: list[ChangeKind],
    binary: bool,
    changes: tuple[int, int],
    hunks: list[tuple[tuple[int, int], tuple[int, int], bytes, tuple[int, int]]],
) -> FilePatch:
    old_path, new_path = (None if path is None else _path(path) for path in (old, new))
    made = tuple(
        Hunk(*span, *after, heading.decode(errors="replace"), range(*of)) for span, after, heading, of in hunks
    )
    return FilePatch(new_path or old_path or "", old_path, new_path, tuple(header), binary, range(*changes), made)


def ported_patch(written: Mapping[str, Any]) -> Patch:
    """Returns the patch that a report holds, as text or in base64."""
    text: str | None = written["text"]
    return Patch.parse(base64.b64decode(written["bytes"]) if text is None else text)


def as_bytes(argument: str, text: str | bytes) -> bytes:
    if isinstance(text, bytes):
        return text
    if isinstance(text, str):
        try:
            return text.encode(errors="surrogateescape")
        except UnicodeEncodeError as error:
            raise InvalidArgumentError(
                f"{argument}: {text[error.start : error.end]!r} is not valid; expected a text without lone surrogates"
            ) from None
    raise InvalidArgumentError(f"{argument}: {type(text).__name__} is not valid; expected str or bytes")


def _path(path: bytes) -> str:
    """Returns a text that encodes to the same bytes."""
    return path.decode(errors="surrogateescape")
