"""Suspects without running anything: Culprit Finder (Ziftci and Reardon 2017)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from firstbad import _native
from firstbad._arguments import checked_flag, checked_text, names
from firstbad._build_graph import BuildGraph
from firstbad._changelist import Changelists, as_changelists, as_json
from firstbad._errors import InvalidArgumentError
from firstbad._options import numbers
from firstbad._ranked import Ranked

if TYPE_CHECKING:
    from firstbad._graph import CommitGraph

__all__ = ["Heuristic", "PriorBy", "Ranking", "RankingReason", "Suspect", "fit_sharpness", "rank_suspects"]

Heuristic: TypeAlias = Literal["suspiciousness", "size", "distance", "changelog"]
"""What suspects are ranked by: all three heuristics of the paper (Definition 11), or one of them alone."""

PriorBy: TypeAlias = Literal["suspiciousness", "distance"]
"""What weights come from: the summed score (Culprit Finder), or the minimum distance (FACF, Section 3.3)."""


@dataclass(frozen=True)
class RankingReason:
    """Why a change is suspicious: it touches a target that a failing test depends on.

    Attributes:
        files: The files of the change that are in the target, as the change names them: the target may know them by
            the names that they have today.
        target: The target.
        path: The targets on a shortest path of dependencies, from the closest failing test to this one.
        distance: How many dependencies that is; 1 for the test itself.
        tests: How many of the failing tests depend on it.
        weight: What it adds to the score, above 0 and below 1: the weighted distance (Culprit Finder, Definition 10),
            the mean over the failing tests.
        before: Whether it is so only in the graph of an earlier revision.
    """

    files: tuple[str, ...]
    target: str
    path: tuple[str, ...]
    distance: int
    tests: int
    weight: float
    before: bool = False


@dataclass(frozen=True)
class Suspect:
    """A change that may have broken a failing test.

    Attributes:
        change: Its id.
        score: What it was ranked by: higher is more suspicious, never below 0.
        suspiciousness: The sum of the weights of its reasons (Definition 11), whatever it was ranked by; of a change of
            n > 16 source files divided by (n / 16)^3.
        size: The number of its files.
        distance: The distance of the closest target that it touches, 1 or above.
        closeness: The weighted distance of the closest target, the mean over the failing tests.
        tests: How many of the failing tests it may have broken.
        reasons: What it touches, the closest first.
    """

    change: str
    score: float
    suspiciousness: float
    size: int
    distance: int
    closeness: float
    tests: int
    reasons: tuple[RankingReason, ...]


class Ranking(Ranked):
    """Changes with their scores, the most suspicious first; made by `rank_suspects`.

    It is a sequence of `(change, score)` pairs and equals the list of them. Ties go to the change with more files, then
    to the newer one.
    """

    __slots__ = ()

    _number = "score"
    _kind = _native.Ranking
    _core: _native.Ranking

    @property
    def tests(self) -> tuple[str, ...]:
        """The build targets of the tests that fail, each once."""
        return tuple(self._json["tests"])

    @cached_property
    def suspects(self) -> tuple[Suspect, ...]:
        """The changes that may have broken the tests, best first, with their reasons."""
        return tuple(_suspect(**fields) for fields in self._json["suspects"])

    @property
    def excluded(self) -> tuple[str, ...]:
        """The changes that cannot have broken them, in the order given.

        By build graphs that know all inputs, and have seen all of the change's files, they touch nothing the tests
        depend on.
        """
        return tuple(self._json["excluded"])

    @property
    def unlikely(self) -> tuple[str, ...]:
        """The other changes of which nothing says that they matter, in the order given.

        The graph does not know all inputs (imports never do), or none has seen all their files.
        """
        return tuple(self._json["unlikely"])

    @property
    def complete(self) -> bool:
        """Whether the build graphs know all inputs of their targets, and may exclude a change."""
        complete: bool = self._json["complete"]
        return complete

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
        unlikely: float = 0.02,
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
            unlikely: The part of the weight, in [0, 1), that the `unlikely` changes have together.
            exclude: Whether `excluded` changes weigh nothing; else they count among the unlikely ones.
            factors: What else speaks for (above 1) or against a change, by its id; see `factors.weigh`.

        Raises:
            InvalidArgumentError: Something out of range.
        """
        return self._core.prior(_options(by, sharpness, floor, unlikely, exclude, factors))

    def prior_in(
        self,
        graph: CommitGraph,
        bad: str | Iterable[str],
        good: str | Iterable[str] = (),
        *,
        by: PriorBy = "distance",
        sharpness: float = 1.0,
        floor: float = 0.1,
        unlikely: float = 0.02,
        exclude: bool = True,
        factors: Mapping[str, float] | None = None,
    ) -> tuple[dict[str, float] | None, str | None]:
        """A weight for every revision between `good` and `bad`, `bad` included, as `CulpritSearch` takes it.

        Revisions without a change are excluded, as far as the build graph may exclude; a merge only if what came with
        all but one parent cannot matter. Changes may have any name that the graph knows. The other arguments are those
        of `prior`.

        Returns:
            The weights, and None; or None, and why: then nothing between the two touches what the test depends on.

        Raises:
            UnknownRevisionError: A change or an end that the graph does not know.
            InvalidArgumentError: Something out of range.
        """
        options = _options(by, sharpness, floor, unlikely, exclude, factors)
        return self._core.prior_in(graph._core, names("bad", bad), names("good", good), options)


def rank_suspects(
    graph: BuildGraph | Mapping[str, Any],
    changes: Changelists,
    test: str | Iterable[str],
    *,
    by: Heuristic = "suspiciousness",
    before: BuildGraph | None = None,
    graphs: Mapping[str, BuildGraph] | None = None,
) -> Ranking:
    """Ranks changes by how suspicious they are of having broken a test, or several at once, without running any.

    A change that touches nothing the test depends on, directly or not, is no suspect (Culprit Finder, Definition 9): it
    is `excluded` if the build graph knows all inputs, and else `unlikely`. Of the others those that touch more targets,
    and closer ones, are more suspicious (Definition 11). Files, and the tests, are looked up under all the names that
    the changes gave them.

    Of several tests the score is the mean of the scores for each: most tests that begin to fail in one range were
    broken by one version (FACF, "Evaluation Dataset"), so a change is the more suspicious the more of them it explains.

    Args:
        graph: The build graph at the failure, or what one is made of.
        changes: The changes since the test passed, oldest first: a mapping from ids to files, `(id, files)` pairs, or a
            `Changelist` each, as `Repository.changes` gives them.
        test: The build target of the test, or of several; the id of a test of pytest will do where its file is in a
            target. Tests in one target count once.
        by: What to rank by.
        before: The build graph before the first change, where deleted files and lost dependencies are looked up.
        graphs: Build graphs right after some changes, by their ids: a change is looked up in its own and in that of the
            change before it, too.

    Raises:
        UnknownBuildTargetError: If the target does not exist. The message suggests similar names.
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
    changelists = as_json(as_changelists(changes))
    return Ranking(
        graph._core.rank(
            changelists, named_tests(test), checked_text("by", by), None if before is None else before._core, at(graphs)
        )
    )


def fit_sharpness(cases: Iterable[tuple[Ranking, str]], *, by: PriorBy = "suspiciousness", floor: float = 0.1) -> float:
    """The sharpness, in [0, 8], under which known culprits were most likely.

    Args:
        cases: Past rankings, each with the change that was to blame. Where that is no suspect, it says nothing.
        by: As in `Ranking.prior`.
        floor: As in `Ranking.prior`.

    Raises:
        InvalidArgumentError: A floor out of range, or something that is no case.
    """
    if not isinstance(cases, Iterable):
        raise InvalidArgumentError(f"cases: {cases!r} is not valid; expected (Ranking, change) pairs")
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
    return _native.fit_sharpness(
        listed, checked_text("by", by), _number("floor", floor, "a part of the whole, in [0, 1]")
    )


def named_tests(test: object) -> list[str]:
    """The names of one test or several.

    Raises:
        InvalidArgumentError: Something is none.
    """
    listed = [test] if isinstance(test, str) else list(test) if isinstance(test, Iterable) else []
    if listed and all(isinstance(one, str) for one in listed):
        return listed
    raise InvalidArgumentError(
        f"test: {test!r} ({type(test).__name__}) is not valid; expected a build target, as str, or several"
    )


def at(graphs: Mapping[str, BuildGraph] | None) -> list[tuple[str, _native.BuildGraph]]:
    """Build graphs with the changes, or revisions, that they are of.

    Raises:
        InvalidArgumentError: Something is no build graph.
    """
    if not isinstance(graphs, (Mapping, type(None))):
        raise InvalidArgumentError(f"graphs: {type(graphs).__name__} is not valid; expected BuildGraphs by change")
    return [
        (checked_text("graphs", name), _graph(f"graphs[{name!r}]", graph)._core)
        for name, graph in (graphs or {}).items()
    ]


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
    by: PriorBy, sharpness: float, floor: float, unlikely: float, exclude: bool, factors: Mapping[str, float] | None
) -> tuple[str, float, float, float, bool, dict[str, float]]:
    return (
        checked_text("by", by),
        _number("sharpness", sharpness, "a finite number, 0 or above"),
        _number("floor", floor, "a part of the whole, in [0, 1]"),
        _number("unlikely", unlikely, "a part of the whole, in [0, 1)"),
        checked_flag("exclude", exclude),
        numbers("factors", factors, "a finite number, 0 or above") or {},
    )


def _number(argument: str, given: Any, expected: str) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    raise InvalidArgumentError(f"{argument}: {given!r} is not valid; expected {expected}")
