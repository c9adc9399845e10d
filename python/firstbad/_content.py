"""Suspects by what they touch: a prior from `git log` and the name of the failing test, without a build graph."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from firstbad import _native
from firstbad._arguments import check_whole, checked_path, checked_repository, checked_text, names
from firstbad._build_graph import BuildGraph
from firstbad._changelist import Changelists, as_changelists, as_json
from firstbad._errors import InvalidArgumentError
from firstbad._options import weights_json
from firstbad._ranked import Ranked
from firstbad._ranking import at
from firstbad._store import OutcomeStore
from firstbad._weights import ContentWeights, WeightsLike
from firstbad._why import ContentReason, reasons_from

if TYPE_CHECKING:
    from firstbad._repository import Repository

__all__ = ["ContentFit", "ContentRanking", "ContentSuspect", "Culprits", "fit_content", "rank_content"]


@dataclass(frozen=True)
class ContentSuspect:
    """A suspect, with what speaks for it.

    Attributes:
        change: The commit.
        probability: How likely it is the culprit, before anything was run, in [0, 1]; that of all suspects together is
            1.
        reasons: Why, what counts most first.
        message: The same for people, to follow the name of the commit.
    """

    change: str
    probability: float
    reasons: tuple[ContentReason, ...]
    message: str


class ContentRanking(Ranked):
    """Changes with their probabilities, the likeliest first; made by `rank_content`.

    It is a sequence of `(change, probability)` pairs and equals the list of them; of equals the newest comes first.
    Searches take it as their `prior`, and say why they tried a revision.
    """

    __slots__ = ()

    _number = "probability"
    _kind = _native.ContentRanking
    _core: _native.ContentRanking

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the failing tests that were looked for; other endings are found, too."""
        return tuple(self._json["words"])

    @cached_property
    def suspects(self) -> tuple[ContentSuspect, ...]:
        """All suspects with their reasons, the likeliest first."""
        return tuple(
            ContentSuspect(one["change"], one["probability"], reasons_from(one["reasons"]), one["message"])
            for one in self._json["suspects"]
        )

    @property
    def message(self) -> str:
        """What was ranked, and by which words, in a sentence."""
        return self._core.message()

    def prior(self) -> dict[str, float]:
        """A weight for every change, summing to 1."""
        return dict(self._pairs)

    def _as_prior(self) -> dict[str, Any]:
        """The weights with their reasons, as searches take them."""
        found: dict[str, Any] = json.loads(self._core.prior())
        return found


def rank_content(
    changes: Changelists,
    test: str | Iterable[str] | None = None,
    *,
    weights: WeightsLike | None = None,
    build_graph: BuildGraph | None = None,
    before: BuildGraph | None = None,
    graphs: Mapping[str, BuildGraph] | None = None,
) -> ContentRanking:
    """Ranks changes by what they touch and by what the failing test is called, without running any.

    A commit that touches source files is likelier to have broken a test than one that touches documentation alone; one
    that touches the file that the test is named after, or whose subject has the test's words, is likelier still. Half
    of the mass is shared by all (`ContentWeights.floor`). It is the prior that searches make with `prior="changes"`.

    Args:
        changes: The changes since the test passed, oldest first, as `Repository.changes` gives them. Of a mapping from
            ids to files, or `(id, files)` pairs, only the names of the files are known.
        test: What the failing test is called, in words or as its runner calls it
            (`"tests/test_cart.py::test_total"`), or several that began to fail together. With a `build_graph` a target
            of it. None: not known.
        weights: What counts how much.
        build_graph: What the test depends on: the probabilities of both are then multiplied, each with its floor.
        before: The build graph before the first change, as in `rank_suspects`.
        graphs: Build graphs right after some changes, as in `rank_suspects`.

    Raises:
        UnknownBuildTargetError: There is no such build target.
        InvalidArgumentError: A change that is given twice, or that is none; weights out of range; a build graph without
            a test.

    Example:
        >>> import firstbad as fb
        >>> changes = [
        ...     fb.Changelist("c1", ["docs/cart.md"], message="Explain carts"),
        ...     fb.Changelist("c2", ["src/cart.py"], message="Faster", counts={"src/cart.py": (3, 1)}),
        ...     fb.Changelist("c3", ["src/colour.py"], message="Colours", counts={"src/colour.py": (3, 1)}),
        ... ]
        >>> ranking = fb.rank_content(changes, "tests/test_cart.py::test_total")
        >>> [change for change, probability in ranking]
        ['c2', 'c3', 'c1']
        >>> ranking.suspects[0].message
        'touches src/cart.py, which the test is named after; touches 1 source file, 4 lines'
    """
    tests = names("test", test)
    if build_graph is None:
        for name, given in {"before": before, "graphs": graphs}.items():
            if given is not None:
                raise InvalidArgumentError(f"{name}: {given!r} is not valid; expected nothing without a build_graph")
    elif not tests:
        raise InvalidArgumentError(f"test: {test!r} is not valid; expected the build target of the test")
    for name, graph in {"build_graph": build_graph, "before": before}.items():
        if not isinstance(graph, (BuildGraph, type(None))):
            raise InvalidArgumentError(f"{name}: {type(graph).__name__} is not valid; expected a BuildGraph")
    changelists = as_json(as_changelists(changes), content=True)
    native = _native.rank_content(
        changelists,
        tests,
        weights_json(weights),
        None if build_graph is None else build_graph._core,
        None if before is None else before._core,
        at(graphs),
    )
    return ContentRanking(native)


Culprits: TypeAlias = (
    "Iterable[tuple[str, str | Iterable[str], str] | tuple[str, str | Iterable[str], str, str | Iterable[str]]]"
)
"""Culprits of the past: `(culprit, good, bad)` or `(culprit, good, bad, test)` each."""


@dataclass(frozen=True)
class ContentFit:
    """Weights that were learned.

    Attributes:
        weights: The weights. Their floor is the one that was begun with.
        used: From how many culprits.
        with_test: How many of them had a test that was known.
        left_out: How many culprits were left out, because their suspects were too many, or did not have them.
        bits_before: How many bits the weights that were begun with tell about a culprit on average, more than that all
            are alike.
        bits: How many the learned ones tell, about the very culprits that they were learned from.
        message: The same in a sentence, for people.
    """

    weights: ContentWeights
    used: int
    with_test: int
    left_out: int
    bits_before: float
    bits: float
    message: str


def fit_content(
    repository: Repository,
    culprits: Culprits | None = None,
    *,
    store: OutcomeStore | str | os.PathLike[str] | None = None,
    tip: str = "HEAD",
    weights: WeightsLike | None = None,
) -> ContentFit:
    """Learns what counts how much for `prior="changes"` from a project's own past culprits.

    The weights are those under which the culprits were likely, held near the ones that it begins with: a few culprits
    move little, some hundred decide. They are never below 0, and the floor stays. The same history gives the same
    weights.

    Args:
        repository: The repository.
        culprits: Culprits that are known, each with revisions where all was well, one that failed, and what the failing
            test was called, if that is known. As far as 10,000 commits go, all ranges together. None: those that the
            history of `tip` names itself, in lines like `Fixes: <sha>`, in words like "a regression in <sha>", and in
            reverts that change a test; the 200 newest, each among 256 commits around it, with the test file that the
            fix changes most.
        store: Outcomes that searches have shared, of all tests in the file: commits of the history of `tip` that fail
            where all their parents pass are learned from, too, each with the tests that it broke as far as the words of
            the oracle name them. Its suspects come after the oldest revision before it, and up to the newest one after
            it, between which all that were tested agree with it. What was filed under keys of your own is left out,
            but for ids of trees.
        tip: The history that is looked at without `culprits`, and with `store`.
        weights: What to begin with.

    Raises:
        UnknownRevisionError: git knows no such revision.
        InvalidArgumentError: Something that is no culprit; weights out of range.
        StoreError: There is no such store, or it cannot be read.
        GitError: git refuses.
    """
    kept = store.path if isinstance(store, OutcomeStore) else store
    path = None if kept is None else checked_path("store", kept)
    text = None if culprits is None else json.dumps([_culprit(one) for one in culprits])
    core = checked_repository("repository", repository)
    found: dict[str, Any] = json.loads(
        _native.fit_content(core, text, checked_text("tip", tip), weights_json(weights), path)
    )
    return ContentFit(**{**found, "weights": ContentWeights(**found["weights"])})


def _culprit(given: object) -> dict[str, Any]:
    if isinstance(given, (tuple, list)) and len(given) in (3, 4) and isinstance(given[0], str):
        culprit, good, bad, *test = given
        if isinstance(bad, str):
            tests = names("test", test[0]) if test else []
            check_whole("culprits", (culprit, bad))
            return {"culprit": culprit, "good": names("good", good), "bad": bad, "test": tests}
    raise InvalidArgumentError(
        f"culprits: {given!r} is not valid; expected (culprit, good, bad) or (culprit, good, bad, test)"
    )
