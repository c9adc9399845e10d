"""Finds where software went wrong: regression points on commit graphs, by asking an oracle as rarely as possible.

>>> import firstbad as fb
>>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
>>> report = fb.find_regressions(graph, lambda version: version < "1.2", bad="1.3", good="1.0")
>>> report.points[0].bad
'1.2'
"""

from firstbad._budget import Budget
from firstbad._calls import current_probe
from firstbad._errors import (
    CommandError,
    ContradictionError,
    FirstbadError,
    GitError,
    GraphError,
    HostError,
    Interrupted,
    InvalidArgumentError,
    Retry,
    SnapshotError,
    UnknownProbeError,
    UnknownRevisionError,
)
from firstbad._graph import CommitGraph
from firstbad._native import Probe, __version__
from firstbad._observation import Answer, AsyncOracle, Observation, Oracle, Outcome
from firstbad._progress import Progress
from firstbad._regression import RegressionSearch, find_regressions, find_regressions_async
from firstbad._report import LeafReport, RegressionPoint, RegressionReport, RevisionObservation
from firstbad._repository import CommandOracle, Repository
from firstbad._run import run
from firstbad._run_async import run_async
from firstbad._search import Search

__all__ = [
    "Answer",
    "AsyncOracle",
    "Budget",
    "CommandError",
    "CommandOracle",
    "CommitGraph",
    "ContradictionError",
    "FirstbadError",
    "GitError",
    "GraphError",
    "HostError",
    "Interrupted",
    "InvalidArgumentError",
    "LeafReport",
    "Observation",
    "Oracle",
    "Outcome",
    "Probe",
    "Progress",
    "RegressionPoint",
    "RegressionReport",
    "RegressionSearch",
    "Repository",
    "Retry",
    "RevisionObservation",
    "Search",
    "SnapshotError",
    "UnknownProbeError",
    "UnknownRevisionError",
    "__version__",
    "current_probe",
    "find_regressions",
    "find_regressions_async",
    "run",
    "run_async",
]
