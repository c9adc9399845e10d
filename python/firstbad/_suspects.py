"""The prior of a culprit search from a build graph."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from firstbad import _native
from firstbad._arguments import checked_flag, checked_text, names
from firstbad._build_graph import BuildGraph
from firstbad._changelist import Changelist, Changelists, as_changelists, as_json
from firstbad._content import CommitRanking
from firstbad._errors import InvalidArgumentError
from firstbad._ranking import PriorBy, Ranking, at, named_tests
from firstbad.factors import Factor, weigh

if TYPE_CHECKING:
    from firstbad._graph import CommitGraph

__all__ = ["expected"]


def expected(
    graph: CommitGraph,
    options: Mapping[str, Any],
    build_graph: BuildGraph | None,
    changes: Changelists | None,
    factors: Iterable[Factor] | None,
    prior_by: PriorBy,
    exclude_unaffected: bool,
    before: BuildGraph | None,
    graphs: Mapping[str, BuildGraph] | None,
) -> tuple[dict[str, Any], Ranking | None]:
    """Returns the options of a culprit search with the prior from a build graph, and the ranking.

    Raises:
        FirstbadError: See `find_culprit`.
    """
    if build_graph is None:
        given = {
            "changes": (changes, None),
            "factors": (factors, None),
            "prior_by": (prior_by, "suspiciousness"),
            "exclude_unaffected": (exclude_unaffected, True),
            "before": (before, None),
            "graphs": (graphs, None),
        }
        for name, (value, default) in given.items():
            if value is not None if default is None else value != default:
                raise InvalidArgumentError(f"{name}: {value!r} is not valid; expected nothing without a build_graph")
        return dict(options), None
    test = options.get("test")
    if test is None:
        raise InvalidArgumentError("test: None is not valid; expected the build target of the test, with a build_graph")
    prior = options.get("prior")
    for name, built in {"build_graph": build_graph, "before": before}.items():
        if not isinstance(built, (BuildGraph, type(None))):
            raise InvalidArgumentError(f"{name}: {type(built).__name__} is not valid; expected a BuildGraph")
    bad, good = names("bad", options.get("bad")), names("good", options.get("good"))
    listed = _from_git(graph, good, bad) if changes is None else as_changelists(changes)
    native, weights, warning, both = build_graph._core.suspects(
        graph._core,
        as_json(listed, content=True),
        named_tests(test),
        bad,
        good,
        checked_text("prior_by", prior_by),
        checked_flag("exclude_unaffected", exclude_unaffected),
        weigh(listed, factors or ()),
        None if before is None else before._core,
        at(graphs),
        prior if prior is None or isinstance(prior, str) else "weights",
        changes is None,
    )
    if warning is not None:
        warnings.warn(f"build_graph: {warning}", RuntimeWarning, stacklevel=3)
    # The test is a target of the build graph, not a name for the search.
    made = weights if both is None else CommitRanking(both)
    return {**options, "prior": made, "test": ()}, Ranking(native)


def _from_git(graph: CommitGraph, good: list[str], bad: list[str]) -> list[Changelist]:
    """Reads the changes of the revisions of a graph from its repository."""
    found = _native.changes_between(graph._core, bad, good)
    if found is None:
        raise InvalidArgumentError(
            "changes: None is not valid; expected changes, because the graph was not read from a repository"
        )
    return Changelist._listed(found)
