"""Suspects without running anything: Culprit Finder (Ziftci and Reardon 2017)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from firstbad import _native
from firstbad._arguments import check_count
from firstbad._build_graph import BuildGraph
from firstbad._changelist import Changelists, as_changelists
from firstbad._errors import InvalidArgumentError
from firstbad._options import numbers

if TYPE_CHECKING:
    from firstbad._graph import CommitGraph

__all__ = ["Heuristic", "PriorBy", "Ranking", "RankingReason", "Suspect", "fit_sharpness", "rank_suspects"]

Heuristic: TypeAlias = Literal["suspiciousness", "size", "distance", "changelog"]
"""What suspects are ranked by: all three heuristics of the paper (Definition 11), or one of them alone."""

PriorBy: TypeAlias = Literal["suspiciousness", "distance"]
"""What weights come from: the summed score (Culprit Finder), or the minimum distance (FACF, Section 3.3)."""


@dataclass(frozen=True)
class RankingReason:
    """Why a change is suspicious: it touches a target that the test depends on.

    Attributes:
        files: The files of the change that are in the target.
        target: The target.
        path: The targets on a shortest path of dependencies, from the test to this one.
        distance: How many dependencies that is; 1 for the test itself.
        weight: What it adds to the score (Culprit Finder, Definition 10), above 0 and below 1.
        before: Whether it is so only in the graph before the changes.
    """

    files: tuple[str, ...]
    target: str
    path: tuple[str, ...]
    distance: int
    weight: float
    before: bool = False


@dataclass(frozen=True)
class Suspect:
    """A change that may have broken the test.

    Attributes:
        change: Its id.
        score: What it was ranked by: higher is more suspicious, never below 0.
        suspiciousness: The sum of the weights of its reasons (Definition 11), whatever it was ranked by.
        size: The number of its files.
        distance: The distance of the closest target that it touches, 1 or above.
        reasons: What it touches, the closest first.
    """

    change: str
    score: float
    suspiciousness: float
    size: int
    distance: int
    reasons: tuple[RankingReason, ...]


class Ranking(Sequence["tuple[str, float]"]):
    """Changes with their scores, the most suspicious first; made by `rank_suspects`.

    It is a sequence of `(change, score)` pairs and equals the list of them. Ties go to the change with more files, then
    to the newer one.
    """

    __slots__ = ("__dict__", "_core")

    def __init__(self, native: _native.Ranking) -> None:
        self._core = native

    @cached_property
    def _json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._core.json())
        return found

    @cached_property
    def _pairs(self) -> list[tuple[str, float]]:
        return [(suspect["change"], suspect["score"]) for suspect in self._json["suspects"]]

    @property
    def test(self) -> str:
        """The build target that fails."""
        test: str = self._json["test"]
        return test

    @cached_property
    def suspects(self) -> tuple[Suspect, ...]:
        """The changes that may have broken the test, best first, with their reasons."""
        return tuple(_suspect(**fields) for fields in self._json["suspects"])

    @property
    def excluded(self) -> tuple[str, ...]:
        """The changes that touch nothing the test depends on, in the order given."""
        return tuple(self._json["excluded"])

    @property
    def unplaced(self) -> tuple[str, ...]:
        """Files of the changes that are in no target, and count for nothing, in the order met."""
        return tuple(self._json["unplaced"])

    @property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Groups of targets that depend on one another in a circle, and count as one target each."""
        return tuple(map(tuple, self._json["cycles"]))

    @property
    def message(self) -> str:
        """The same in a sentence or two, for people."""
        message: str = self._json["message"]
        return message

    def prior(
        self,
        *,
        by: PriorBy = "suspiciousness",
        sharpness: float = 1.0,
        floor: float = 0.1,
        exclude: bool = True,
        factors: Mapping[str, float] | None = None,
    ) -> dict[str, float]:
        """A weight for every change, summing to 1; empty if there is no suspect.

        `CulpritSearch` takes it as `prior`; where its history has revisions without a change, like merges, use
        `find_culprit(..., build_graph=...)` or `prior_in`, which know that these cannot be to blame.

        Args:
            by: What the weights come from.
            sharpness: How much scores count: weights are their power with this exponent, 0 or above; 0 is uniform.
                `fit_sharpness` says what fits past cases.
            floor: The part of the weight, in [0, 1], that is spread evenly, so that no suspect is impossible.
            exclude: Whether changes that touch nothing the test depends on weigh nothing; else the floor's part.
            factors: What else speaks for (above 1) or against a change, by its id; see `factors.weigh`.

        Raises:
            InvalidArgumentError: Something out of range.
        """
        return self._core.prior(*_options(by, sharpness, floor, exclude, factors))

    def prior_in(
        self,
        graph: CommitGraph,
        bad: str,
        good: Iterable[str] = (),
        *,
        by: PriorBy = "distance",
        sharpness: float = 1.0,
        floor: float = 0.1,
        exclude: bool = True,
        factors: Mapping[str, float] | None = None,
    ) -> tuple[dict[str, float] | None, str | None]:
        """A weight for every revision between `good` and `bad`, `bad` included, as `CulpritSearch` takes it.

        Revisions without a change weigh nothing (with `exclude`). Changes may have any name that the graph knows. The
        other arguments are those of `prior`.

        Returns:
            The weights, and None; or None, and why: then nothing between the two touches what the test depends on.

        Raises:
            UnknownRevisionError: A change or an end that the graph does not know.
            InvalidArgumentError: Something out of range.
        """
        return self._core.prior_in(graph._core, [bad], list(good), *_options(by, sharpness, floor, exclude, factors))

    def to_text(self, most: int = 20) -> str:
        """The ranking as plain text, at most so many suspects, with their reasons."""
        return self._core.text(check_count("most", most, 0))

    def to_markdown(self, most: int = 20) -> str:
        """The ranking as Markdown, at most so many suspects, with their reasons."""
        return self._core.markdown(check_count("most", most, 0))

    def to_json(self) -> str:
        """All of it as a JSON object, the same in every language."""
        return self._core.json()

    @overload
    def __getitem__(self, index: int) -> tuple[str, float]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[str, float]]: ...
    def __getitem__(self, index: int | slice) -> tuple[str, float] | list[tuple[str, float]]:
        return self._pairs[index]

    def __len__(self) -> int:
        return len(self._core)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return iter(self._pairs)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Ranking):
            return self._core == other._core
        return self._pairs == list(other) if isinstance(other, (list, tuple)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.to_json(),)

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<Ranking: {self.message}>"

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def rank_suspects(
    graph: BuildGraph | Mapping[str, Any],
    changes: Changelists,
    test: str,
    *,
    by: Heuristic = "suspiciousness",
    before: BuildGraph | None = None,
) -> Ranking:
    """Ranks changes by how suspicious they are of having broken a test, without running it.

    A change that touches nothing the test depends on, directly or not, is no suspect (Culprit Finder, Definition 9). Of
    the others those that touch more targets, and closer ones, are more suspicious (Definition 11).

    Args:
        graph: The build graph at the failure, or what one is made of.
        changes: The changes since the test passed, oldest first: a mapping from ids to files, `(id, files)` pairs, or
            `Changelist`s as `Repository.changes` gives them.
        test: The build target of the test; the id of a test of pytest will do where its file is in a target.
        by: What to rank by.
        before: The build graph before the first change, where deleted files and lost dependencies are looked up.

    Raises:
        UnknownBuildTargetError: There is no such build target; the nearest names are in the message.
        InvalidArgumentError: A change that is given twice, or that is none.

    Example:
        >>> import firstbad as fb
        >>> graph = fb.BuildGraph({
        ...     "test": fb.BuildTarget(["test.py"], ["lib"]),
        ...     "lib": fb.BuildTarget(["lib.py"]),
        ...     "docs": fb.BuildTarget(["readme"]),
        ... })
        >>> ranking = fb.rank_suspects(graph, changes={"c1": ["lib.py"], "c2": ["readme"]}, test="test")
        >>> [change for change, score in ranking], ranking.excluded
        (['c1'], ('c2',))
        >>> print(ranking)
        1 of 2 changes touches what test depends on
        <BLANKLINE>
          1. c1  score 0.98, 1 file
               0.98  lib.py in test -> lib
    """
    graph = _graph("graph", graph)
    if before is not None:
        before = _graph("before", before)
    if not isinstance(test, str):
        raise InvalidArgumentError(
            f"test: {test!r} ({type(test).__name__}) is not valid; expected a build target, as str"
        )
    listed = [(change.id, list(change.files)) for change in as_changelists(changes)]
    return Ranking(graph._core.rank(listed, test, _text("by", by), None if before is None else before._core))


def fit_sharpness(cases: Iterable[tuple[Ranking, str]], *, by: PriorBy = "suspiciousness", floor: float = 0.1) -> float:
    """The sharpness, in [0, 8], under which known culprits were most likely.

    Args:
        cases: Past rankings, each with the change that was to blame. Where that is no suspect, it says nothing.
        by: As in `Ranking.prior`.
        floor: As in `Ranking.prior`.

    Raises:
        InvalidArgumentError: A floor out of range, or something that is no case.
    """
    listed = []
    for case in cases:
        if not (
            isinstance(case, (tuple, list))
            and len(case) == 2
            and isinstance(case[0], Ranking)
            and isinstance(case[1], str)
        ):
            raise InvalidArgumentError(f"cases: {case!r} is not valid; expected (Ranking, change) pairs")
        listed.append((case[0]._core, case[1]))
    return _native.fit_sharpness(listed, _text("by", by), _number("floor", floor, "a part of the whole, in [0, 1]"))


def _again(text: str) -> Ranking:
    return Ranking(_native.Ranking.parse(text))


def _suspect(reasons: list[dict[str, Any]], **fields: Any) -> Suspect:
    made = (
        RankingReason(**{**reason, "files": tuple(reason["files"]), "path": tuple(reason["path"])})
        for reason in reasons
    )
    return Suspect(**fields, reasons=tuple(made))


def _graph(argument: str, given: BuildGraph | Mapping[str, Any]) -> BuildGraph:
    if isinstance(given, BuildGraph):
        return given
    if isinstance(given, Mapping):
        return BuildGraph(given)
    raise InvalidArgumentError(f"{argument}: {type(given).__name__} is not valid; expected a BuildGraph")


def _options(
    by: PriorBy, sharpness: float, floor: float, exclude: bool, factors: Mapping[str, float] | None
) -> tuple[str, float, float, bool, dict[str, float]]:
    return (
        _text("by", by),
        _number("sharpness", sharpness, "a finite number, 0 or above"),
        _number("floor", floor, "a part of the whole, in [0, 1]"),
        bool(exclude),
        numbers("factors", factors, "a finite number, 0 or above") or {},
    )


def _text(argument: str, given: object) -> str:
    if isinstance(given, str):
        return given
    raise InvalidArgumentError(f"{argument}: {given!r} ({type(given).__name__}) is not valid; expected str")


def _number(argument: str, given: Any, expected: str) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected {expected}")
