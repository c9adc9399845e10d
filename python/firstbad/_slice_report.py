"""The report of a search for the smallest slice of a history."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from firstbad import _native
from firstbad._errors import InvalidArgumentError
from firstbad._generated.reports import SlicerFields
from firstbad._words import SearchReport

if TYPE_CHECKING:
    from firstbad._repository import Repository

__all__ = ["SlicedCommit", "SlicerReport"]


@dataclass(frozen=True)
class SlicedCommit:
    """The part of one commit in a slice.

    Attributes:
        of: The full sha of the commit in the history.
        made: The full sha of the commit on a branch of the slice. It has the author, date, and message of `of`.
        name: A safe file name for the patch, as `git format-patch` creates it.
        patch: A patch for `git am`, as `git format-patch` writes it.
    """

    of: str
    made: str
    name: str
    patch: bytes


@dataclass(frozen=True, repr=False, kw_only=True)
class SlicerReport(SearchReport, SlicerFields):
    """The smallest slice of a history, final or the best so far (Li et al. 2016, DEFINER)."""

    _repository: tuple[str, bool] | None = field(default=None, repr=False, compare=False)
    _history: str | None = field(default=None, repr=False, compare=False)

    _algorithm: ClassVar[str] = "slice"

    def _in(self, repository: Repository, history: dict[str, Any]) -> SlicerReport:
        """Returns the report with a repository and the descriptions of its commits."""
        options = json.dumps({"history": history})
        written = _native.describe_slice(self._text, repository._core, options)
        # Only the path, because a report can also be read without the repository.
        place = str(repository.path), repository._fetch
        return self._written(written, _repository=place, _history=options)._of(self._search)

    def patches(self) -> list[SlicedCommit]:
        """Returns the slice as commits on its base or on `onto`, oldest first, each with a patch for `git am`.

        Raises:
            InvalidArgumentError: If the changes are not from a repository.
            NotReproducedError: If there is no slice.
            PatchError: If Git cannot apply the changes of the slice.
            GitError: If a Git command fails.
        """
        slices = self._slices()
        try:
            return [SlicedCommit(*made) for made in slices.commits(self._text)]
        finally:
            slices.close()

    def create_branch(self, name: str) -> str:
        """Creates a branch with the slice in the repository, and returns the full sha of its newest commit.

        Raises:
            InvalidArgumentError: If the name is not valid for a branch, if the branch exists, or if the changes are not
                from a repository.
            NotReproducedError: If there is no slice.
            PatchError: If Git cannot apply the changes of the slice.
            GitError: If a Git command fails.
        """
        if not isinstance(name, str):
            raise InvalidArgumentError(f"name: {name!r} is not valid; expected a branch name (str)")
        slices = self._slices()
        try:
            return slices.create_branch(name, self._text)
        finally:
            slices.close()

    def _slices(self) -> _native.Slices:
        if self._repository is None or self._history is None:
            raise InvalidArgumentError(
                "report: a report without a repository is not valid here; expected a report of slice_history"
            )
        return _native.Slices(_native.Repository(*self._repository), self._history)

    def _known(self) -> dict[str, Any]:
        return {} if self._history is None else dict(json.loads(self._history))

    def __repr__(self) -> str:
        runs = f"{self.runs} {'run' if self.runs == 1 else 'runs'}"
        return f"<SlicerReport: {self.status} after {runs} ({self.guarantee}): {self.message}>"
