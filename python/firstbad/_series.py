"""What the hunks of successive patches rest on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from firstbad import _native
from firstbad._arguments import checked_text
from firstbad._errors import InvalidArgumentError
from firstbad._patch import Patch

__all__ = ["HunkDependency", "HunkId", "hunk_dependencies"]


@dataclass(frozen=True, order=True)
class HunkId:
    """A hunk in a series of patches, or what else a patch does to a file.

    Attributes:
        patch: The number of the patch in the series, from 0.
        file: The number of the file in the patch, from 0.
        hunk: The number of the hunk in the file, from 0; None for the changes of the file's header (mode, creation,
            deletion, rename, copy) and its binary content.
    """

    patch: int
    file: int
    hunk: int | None


@dataclass(frozen=True)
class HunkDependency:
    """What a hunk rests on.

    Attributes:
        of: The hunk, or header.
        needs: What it needs from earlier patches, ascending; only what it needs directly.
    """

    of: HunkId
    needs: tuple[HunkId, ...]


def hunk_dependencies(
    patches: Iterable[Patch], *, reach: Literal["context", "touched"] = "context"
) -> tuple[HunkDependency, ...]:
    r"""For every hunk and every header of successive patches what it needs from earlier ones, in their order.

    A hunk needs those that added or moved the lines that it touches, and those that created, renamed or copied its file
    (Artho, "Iterative Delta Debugging", Section 3.4: a patch is a hierarchy of files and hunks).

    Args:
        patches: The patches, each made on top of the one before it.
        reach: How far a hunk reaches: to its `"context"`, without which it would not apply, or only to the lines that
            are `"touched"`.

    Raises:
        InvalidArgumentError: Something that is no Patch, another reach, or more than 2**22 needs in all.

    Example:
        >>> import firstbad as fb
        >>> first = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n one\n+two\n")
        >>> second = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n")
        >>> [one.needs for one in fb.hunk_dependencies([first, second])]
        [(), (HunkId(patch=0, file=0, hunk=0),)]
    """
    listed: list[Any] = list(patches) if isinstance(patches, Iterable) else [patches]
    for patch in listed:
        if not isinstance(patch, Patch):
            raise InvalidArgumentError(f"patches: {patch!r} is not valid; expected Patches, as Patch.parse gives them")
    found = _native.hunk_dependencies([patch._core for patch in listed], checked_text("reach", reach))
    return tuple(HunkDependency(HunkId(*of), tuple(HunkId(*need) for need in needs)) for of, needs in found)
