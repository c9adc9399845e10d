"""What a search for the smallest slice of a history answers."""

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
    """What a slice has of one commit.

    Attributes:
        of: The commit in the history, as a full sha.
        made: The full sha that the commit has on a branch of the slice: author, date and message are those of `of`.
        name: A name for a file with the patch, as `git format-patch` gives it, safe whatever the message says.
        patch: A patch as `git format-patch` writes it, for `git am`.
    """

    of: str
    made: str
    name: str
    patch: bytes


@dataclass(frozen=True, repr=False, kw_only=True)
class SlicerReport(SearchReport, SlicerFields):
    """The smallest slice of a history that was found, final or the best so far (Li et al. 2016, DEFINER)."""

    _repository: tuple[str, bool] | None = field(default=None, repr=False, compare=False)
    _history: str | None = field(default=None, repr=False, compare=False)

    _algorithm: ClassVar[str] = "slice"

    def _in(self, repository: Repository, history: dict[str, Any]) -> SlicerReport:
        """The same, of a repository's history, with what its commits are called."""
        options = json.dumps({"history": history})
        written = _native.describe_slice(self._text, repository._core, options)
        # By its place: a report can be read where there is no such repository, too.
        place = str(repository.path), repository._fetch
        return self._written(written, _repository=place, _history=options)._of(self._search)

    def patches(self) -> list[SlicedCommit]:
        """The slice as commits on top of its base, oldest first, each with a patch for `git am`.

        Raises:
            InvalidArgumentError: The changes are those of no repository.
            NotReproducedError: There is no slice.
            PatchError: git cannot put the slice together.
            GitError: What git says.
        """
        slices = self._slices()
        try:
            return [SlicedCommit(*made) for made in slices.commits(self._text)]
        finally:
            slices.close()

    def create_branch(self, name: str) -> str:
        """Makes a branch of the slice in the repository, and returns its newest commit, as a full sha.

        Raises:
            InvalidArgumentError: A name that no branch can have, or that one has already: it is left as it is. The
                changes are those of no repository.
            NotReproducedError: There is no slice.
            PatchError: git cannot put the slice together.
            GitError: What git says.
        """
        if not isinstance(name, str):
            raise InvalidArgumentError(f"name: {name!r} is not valid; expected a name for a branch, as str")
        slices = self._slices()
        try:
            return slices.create_branch(name, self._text)
        finally:
            slices.close()

    def _slices(self) -> _native.Slices:
        if self._repository is None or self._history is None:
            raise InvalidArgumentError(
                "report: a report of changes without a repository is not valid here; expected one of slice_history"
            )
        return _native.Slices(_native.Repository(*self._repository), self._history)

    def _known(self) -> dict[str, Any]:
        return {} if self._history is None else dict(json.loads(self._history))

    def __repr__(self) -> str:
        runs = f"{self.runs} {'run' if self.runs == 1 else 'runs'}"
        return f"<SlicerReport: {self.status} after {runs} ({self.guarantee}): {self.message}>"
