"""Patches: unified diffs as files, hunks and single changes, any of which may be left out."""

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
"""What a change does: to a file's header, to a line, or to the whole content of a binary file."""


@dataclass(frozen=True)
class Change:
    """One change of a patch.

    Attributes:
        index: Its number in the patch.
        file: The number of its file in `Patch.files`.
        hunk: The number of its hunk in `FilePatch.hunks`; None for changes of the header and binary files.
        kind: What it does.
        path: The file's path, without git's prefixes: the new one, or the old one of a deleted file.
        text: The line without its sign and line end; for the header in words what changes (`100644 -> 100755`).
        line: The number of the line, from 1: of a removed line in the old file, of an added one in the new file.
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
        old_start: Where it begins in the old file; with a count of 0 the line before.
        old_count: How many lines of the old file it shows.
        new_start: Where it begins in the new file; with a count of 0 the line before.
        new_count: How many lines of the new file it shows.
        heading: The text behind the second `@@`: git puts the function's name there.
        changes: The numbers of its changes.
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
        path: The new path, or the old one of a deleted file; without git's prefixes.
        old_path: The path before; None for a new file.
        new_path: The path after; None for a deleted file.
        header: What its header changes: nothing, a mode, one of creation, deletion, rename and copy, or both.
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
    r"""A patch: what one or several diffs change, as numbered changes; made by `parse` or `Repository.diff`.

    A *change* is one added or one removed line, one change of a file's header (its mode, its creation, deletion,
    rename or copy), or the whole content of a binary file; `len(patch)` counts them. Files, hunks and lines are a
    hierarchy (Artho, "Iterative Delta Debugging", Section 3.4 and Figure 5). `bytes(patch)` is the patch as it was
    read, `str(patch)` the same as text, where bytes that are not UTF-8 are replaced. Patches are values: equal ones
    read the same and were taken from the same place.

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
        """Reads the diffs of `git diff`, `git show`, `git log -p --reverse` or `git format-patch`, and plain `diff -u`.

        Text around the diffs is kept, but is no change; an empty text is a patch without changes.

        Raises:
            PatchError: Something, with its line, is no patch as git writes them (`patch_syntax`); so are the combined
                diffs of merges, which cannot be applied, and text without any diff.
            InvalidArgumentError: Neither text nor bytes.
        """
        return cls(_native.Patch(as_bytes("text", text)))

    def __len__(self) -> int:
        return len(self._core)

    @property
    def files(self) -> tuple[FilePatch, ...]:
        """The files, in the order of the patch. A file may stand there more than once."""
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
        """For each change its number in the patch that this one was taken from by `subset`, ascending."""
        return tuple(self._core.origin())

    @property
    def dependencies(self) -> dict[int, tuple[int, ...]]:
        """The changes that each change needs, by number, for `minimize`: lines of a new file need its creation, ...

        Raises:
            InvalidArgumentError: If there are more than 2^21 needs.
        """
        return {change: tuple(needed) for change, needed in enumerate(self._core.dependencies()) if needed}

    @property
    def parents(self) -> tuple[int | None, ...]:
        """The hierarchy, as `minimize` takes it: what each change, then each hunk, then each file hangs under.

        Lines hang under their hunk; changes of the header and binary contents directly under their file.
        """
        return tuple(self._core.parents())

    def subset(self, changes: Iterable[int]) -> Patch:
        """The patch with only these changes, without those of them that cannot stand alone; numbered anew.

        `git apply` accepts the result wherever it accepts the whole patch, as long as it changes anything at all.

        Args:
            changes: Numbers of changes, in any order.

        Raises:
            InvalidArgumentError: A number that no change has, or that is given twice.
        """
        return Patch(self._core.subset(changes), self)

    def with_content(self) -> Patch:
        """Removes the binary files whose content is not in the patch, because they cannot be applied.

        Use `git diff --binary` to include the content. The `origin` of the result maps its changes to this patch.
        """
        return Patch(self._core.with_content(), self)

    def apply(self, files: Mapping[str, Content]) -> dict[str, Content]:
        """The files after the patch, from the files before it: what `git apply` does, in memory.

        Args:
            files: Contents by path, all of them text or all of them bytes; those that the patch does not touch may be
                left out, and stay as they are.

        Returns:
            All files after the patch, contents of the same kind, by path in alphabetical order. Bytes that are not
            UTF-8 stand in texts as with `errors="surrogateescape"`.

        Raises:
            PatchError: A file is missing, is there already, or is not as the patch expects it (`patch_conflict`).
            InvalidArgumentError: No mapping from texts, or contents that are neither text nor bytes, or mixed.
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
    """A text that gives the same bytes back, whatever they are."""
    return path.decode(errors="surrogateescape")
