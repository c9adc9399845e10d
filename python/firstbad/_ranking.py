"""Ranks suspects without running a test: Culprit Finder (Ziftci and Reardon 2017)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from firstbad import _native
from firstbad._arguments import checked_flag, checked_text, names
from firstbad._build_graph import BuildGraph
from firstbad._changelist import Changelists, as_changelists, as_json
from firstbad._errors import InvalidArgumentError
from firstbad._generated.reports import Suspect
from firstbad._options import numbers
from firstbad._ranked import Ranked

if TYPE_CHECKING:
    from firstbad._graph import CommitGraph

__all__ = ["Heuristic", "PriorBy", "Ranking", "fit_sharpness", "rank_suspects"]

Heuristic: TypeAlias = Literal["suspiciousness", "size", "distance", "changelog"]
"""The heuristic of a ranking: all three of the paper (Definition 11), or one of them."""

PriorBy: TypeAlias = Literal["suspiciousness", "distance"]
"""The source of weights: the summed score (Culprit Finder), or the minimum distance (FACF, Section 3.3)."""


class Ranking(Ranked):
    """Changes with their scores, the most suspicious first, from `rank_suspects`.

    A ranking is a sequence of `(change, score)` pairs, and equals the list of them. Among equal scores, the change with
    more files is first, then the newer one.
    """

    __slots__ = ()

    _number = "score"
    _kind = _native.Ranking
    _core: _native.Ranking

    @property
    def tests(self) -> tuple[str, ...]:
        """The build targets of the failing tests, without duplicates."""
        return tuple(self._json["tests"])

    @cached_property
    def suspects(self) -> tuple[Suspect, ...]:
        """The changes that may have broken the tests, the most suspicious first, with their reasons."""
        return tuple(map(Suspect._from, self._json["suspects"]))

    @property
    def excluded(self) -> tuple[str, ...]:
        """The changes that cannot have broken the tests, in the given order.

        They touch no dependency of the tests, in complete build graphs that contain all their files.
        """
        return tuple(self._json["excluded"])

    @property
    def unlikely(self) -> tuple[str, ...]:
        """The other changes without a known effect on the tests, in the given order.

        The graph is not complete (imports never are), or no graph contains all their files.
        """
        return tuple(self._json["unlikely"])

    @property
    def complete(self) -> bool:
        """Whether the build graphs contain all inputs of their targets, so that they can exclude changes."""
        complete: bool = self._json["complete"]
        return complete

    @property
    def unplaced(self) -> tuple[str, ...]:
        """Files of the changes that are in no target and do not count, in the order found."""
        return tuple(self._json["unplaced"])

    @property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """The groups of targets in a dependency cycle. Each group counts as one target."""
        return tuple(map(tuple, self._json["cycles"]))

    @property
    def message(self) -> str:
        """A summary in a sentence or two."""
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
        """Returns a weight for every change, with the sum 1, or an empty dict without suspects.

        Pass the weights to `CulpritSearch` as `prior`. If the history has revisions without a change, such as merges,
        use `find_culprit(..., build_graph=...)` or `prior_in`, which exclude these revisions.

        Args:
            by: The source of the weights.
            sharpness: The exponent of the scores, 0 or more. 0 gives uniform weights. `fit_sharpness` computes the
                exponent for past cases.
            floor: The share of the weight, in [0, 1], that is spread evenly over all suspects.
            unlikely: The share of the weight, in [0, 1), of all `unlikely` changes together.
            exclude: Whether `excluded` changes have the weight 0. If False, they count as unlikely.
            factors: A factor by the id of a change, above 1 for more suspicious. See `factors.weigh`.

        Raises:
            InvalidArgumentError: If an argument is out of range.
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
        """Returns a weight for every revision between `good` and `bad`, including `bad`, for `CulpritSearch`.

        If the build graph is complete, revisions without a change are excluded. A merge is excluded only if the changes
        of all parents but one have no effect. Changes can have any name that the graph resolves. The other arguments
        are those of `prior`.

        Returns:
            The weights and None, or None and a message if no revision touches a dependency of the test.

        Raises:
            UnknownRevisionError: If a change, or a good or bad revision, is not in the graph.
            InvalidArgumentError: If an argument is out of range.
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
    """Ranks changes by how suspicious they are of breaking one or several tests, without running a test.

    A change that touches no direct or indirect dependency of the test is not a suspect (Culprit Finder, Definition 9).
    It is `excluded` if the build graph is complete, and `unlikely` otherwise. Other changes are more suspicious if they
    touch more targets and closer targets (Definition 11). Files and tests are looked up under all names that the
    changes gave them.

    For several tests, the score is the mean of the scores for each test. Most tests that start to fail in one range
    have the same culprit (FACF, "Evaluation Dataset"), so a change that explains more tests is more suspicious.

    Args:
        graph: The build graph at the failure, or a mapping of targets.
        changes: The changes since the test passed, oldest first: a mapping from ids to files, `(id, files)` pairs, or a
            `Changelist` each, as from `Repository.changes`.
        test: The build target of one or several tests, or the id of a pytest test whose file is in a target. Tests in
            one target count once.
        by: The heuristic.
        before: The build graph before the first change, used for deleted files and lost dependencies.
        graphs: Build graphs right after some changes, by id. A change is also looked up in its graph and that of the
            previous change.

    Raises:
        UnknownBuildTargetError: If the target does not exist. The message suggests similar names.
        InvalidArgumentError: If a change is invalid or occurs twice.

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
        1 of 2 changes touches files that test depends on
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
    """Returns the sharpness, in [0, 8], that makes known culprits most likely.

    Args:
        cases: Past rankings, each with the id of its culprit. A culprit that is not a suspect is ignored.
        by: See `Ranking.prior`.
        floor: See `Ranking.prior`.

    Raises:
        InvalidArgumentError: If `floor` is out of range, or a case is invalid.
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
    """Returns the names of one test or several.

    Raises:
        InvalidArgumentError: If a name is not a text.
    """
    listed = [test] if isinstance(test, str) else list(test) if isinstance(test, Iterable) else []
    if listed and all(isinstance(one, str) for one in listed):
        return listed
    raise InvalidArgumentError(
        f"test: {test!r} ({type(test).__name__}) is not valid; expected a build target, as str, or several"
    )


def at(graphs: Mapping[str, BuildGraph] | None) -> list[tuple[str, _native.BuildGraph]]:
    """Returns build graphs with their changes or revisions.

    Raises:
        InvalidArgumentError: If a value is not a build graph.
    """
    if not isinstance(graphs, (Mapping, type(None))):
        raise InvalidArgumentError(f"graphs: {type(graphs).__name__} is not valid; expected BuildGraphs by change")
    return [
        (checked_text("graphs", name), _graph(f"graphs[{name!r}]", graph)._core)
        for name, graph in (graphs or {}).items()
    ]


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
