"""What a search for the smallest slice of a history answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from firstbad import _native
from firstbad._commit import Commit, commits_from
from firstbad._errors import InvalidArgumentError
from firstbad._observation import Outcome
from firstbad._reduction_report import SubsetObservation, Guarantee
from firstbad._status import Status
from firstbad._words import Words

if TYPE_CHECKING:
    from firstbad._repository import Repository

__all__ = ["SliceSize", "SlicedCommit", "SlicerReport", "SliceEvidence"]


@dataclass(frozen=True)
class SliceEvidence:
    """What shows that one change of a slice is needed.

    Attributes:
        change: The change, as an index.
        name: Its name.
        set: The set that was asked, in short: the slice without the change, and without those that rest on it where it
            could not be built with them.
        observation: The number of the answer among the report's observations.
        outcome: What was seen of the set: not what is to be kept.
        ran: Whether that cost a run: a conflict does not, nor does what was seen of equal files before.
        unbuilt: The numbers of the answers before it, where sets with more changes could not be built.
    """

    change: int
    name: str
    set: str
    observation: int
    outcome: Outcome
    ran: bool
    unbuilt: tuple[int, ...] = ()


@dataclass(frozen=True)
class SliceSize:
    """How far the search was after a run (Figure 13, "history reduction per test run").

    Attributes:
        run: How many answers had cost a run.
        changes: How many changes the smallest set had that was seen to hold.
    """

    run: int
    changes: int


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
class SlicerReport(Words):
    """The smallest slice of a history that was found, final or the best so far (Li et al. 2016, DEFINER).

    Attributes:
        status: Where the search stands: `found`; `not_reproduced` or `untestable`, where the behaviour does not show
            with all changes, or that could not be tested; `contradictory`, `budget`, `stopped`, `running`.
        message: The same in some sentences, for people.
        kept: The changes of the slice, as indices, oldest first. All, before it is known whether they hold together;
            none if they do not.
        commits: Their names, oldest first: full shas, with the file and the hunk or the definition where the history
            was taken apart finer.
        of: How many changes there were.
        guarantee: What is certain about the slice. `1-minimal`: no change of it can go, neither alone nor with those
            that rest on it.
        why: For each change of the slice the answer that shows that it is needed, newest first; only those that were
            shown so far.
        sizes: How many changes were left after each run that made them fewer.
        warnings: Warnings about the result, in sentences.
        runs: How many answers cost a run.
        asked: How many answers came to probes, those that cost no run included.
        observations: Everything that was seen, in the order told.
        details: What the commits that the answer names are called, by their full ids, where the history is a
            repository's; empty elsewhere, while the search runs, and where the repository could not say it.
    """

    status: Status
    message: str
    kept: tuple[int, ...]
    commits: tuple[str, ...]
    of: int
    guarantee: Guarantee
    why: tuple[SliceEvidence, ...]
    sizes: tuple[SliceSize, ...]
    warnings: tuple[str, ...]
    runs: int
    asked: int
    observations: tuple[SubsetObservation, ...]
    details: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    _text: str = field(default="", repr=False, compare=False)
    _repository: tuple[str, bool] | None = field(default=None, repr=False, compare=False)
    _history: str | None = field(default=None, repr=False, compare=False)

    _algorithm: ClassVar[str] = "slice"

    @classmethod
    def from_json(cls, text: str) -> SlicerReport:
        """A report that was written as JSON: by `to_json`, or with `--json` by the command line, or by the core.

        Raises:
            InvalidArgumentError: The text is no such report.
        """
        return cls._written(cls._read(text))

    @classmethod
    def _written(cls, text: str) -> SlicerReport:
        """The report in a JSON object that the core wrote."""
        report: dict[str, Any] = json.loads(_native.spelled(text))
        report["details"] = commits_from(report)
        report["commits"] = tuple(report.pop("names"))
        report["kept"] = tuple(report["kept"])
        report["why"] = tuple(_why(why) for why in report["why"])
        report["sizes"] = tuple(SliceSize(**size) for size in report["sizes"])
        report["warnings"] = tuple(report["warnings"])
        report["observations"] = tuple(
            SubsetObservation._as_written({"set": seen.pop("changes"), **seen}) for seen in report["observations"]
        )
        return cls(**report, _text=text)

    def _in(self, repository: Repository, history: dict[str, Any]) -> SlicerReport:
        """The same, of a repository's history, with what its commits are called."""
        options = json.dumps({"history": history})
        written = _native.describe_slice(self._text, repository._core, options)
        # By its place: a report can be read where there is no such repository, too.
        place = str(repository.path), repository._fetch
        described = replace(SlicerReport._written(written), _repository=place, _history=options)
        made: SlicerReport = described._of(self._search)
        return made

    @property
    def runs(self) -> int:
        """How often the oracle was run: `runs`."""
        return self.runs

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


def _why(written: dict[str, Any]) -> SliceEvidence:
    outcome = Outcome(written.pop("outcome"))
    return SliceEvidence(set=written.pop("changes"), outcome=outcome, unbuilt=tuple(written.pop("unbuilt", ())), **written)
