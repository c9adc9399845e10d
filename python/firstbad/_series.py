"""Dependencies between the hunks of successive patches."""

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
    """A hunk in a series of patches, or the header of a file in it.

    Attributes:
        patch: The number of the patch in the series, from 0.
        file: The number of the file in the patch, from 0.
        hunk: The number of the hunk in the file, from 0. None for the header of the file (mode, creation, deletion,
            rename, copy) and binary content.
    """

    patch: int
    file: int
    hunk: int | None


@dataclass(frozen=True)
class HunkDependency:
    """The direct dependencies of a hunk.

    Attributes:
        of: The hunk or header.
        needs: The hunks and headers of earlier patches that it needs directly, ascending.
    """

    of: HunkId
    needs: tuple[HunkId, ...]


def hunk_dependencies(
    patches: Iterable[Patch], *, reach: Literal["context", "touched"] = "context"
) -> tuple[HunkDependency, ...]:
    r"""Returns the dependencies of every hunk and header of successive patches on earlier patches, in order.

    A hunk needs the hunks that added or moved the lines that it touches, and the headers that created, renamed or
    copied its file (Artho, "Iterative Delta Debugging", Section 3.4).

    Args:
        patches: The patches, each based on the previous one.
        reach: The lines that count as touched by a hunk: all lines including the `"context"`, or only the `"touched"`
            lines.

    Raises:
        InvalidArgumentError: If a value is not a `Patch`, `reach` is unknown, or there are more than 2**22 needs.

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
