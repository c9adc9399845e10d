"""Finds where software went wrong: regression points on commit graphs, and the smallest part that still shows it.

>>> import firstbad as fb
>>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
>>> report = fb.find_regressions(graph, lambda version: version < "1.2", bad="1.3", good="1.0")
>>> report.points[0].bad
'1.2'
"""

from firstbad import factors
from firstbad._asserts import asserts
from firstbad._budget import Budget
from firstbad._build_graph import BuildGraph, BuildTarget
from firstbad._calls import current_probe
from firstbad._changelist import Changelist
from firstbad._commit import Commit
from firstbad._content import ContentFit, ContentRanking, ContentSuspect, fit_content, rank_content
from firstbad._culprit import CulpritSearch, find_culprit, find_culprit_async
from firstbad._culprit_report import CulpritReport, MissingRun
from firstbad._environment import Environment
from firstbad._errors import (
    CommandError,
    ContradictionError,
    FirstbadError,
    GitError,
    GraphError,
    HostError,
    Interrupted,
    InvalidArgumentError,
    JournalError,
    NonDeterministicError,
    NotReproducedError,
    OracleClosedError,
    PatchError,
    Retry,
    SnapshotError,
    StoreError,
    UnknownBuildTargetError,
    UnknownProbeError,
    UnknownReadError,
    UnknownRevisionError,
)
from firstbad._explanation import Explanation
from firstbad._graph import CommitGraph
from firstbad._isolate import Isolator, isolate, isolate_async
from firstbad._known import Known
from firstbad._minimize import Minimizer, minimize, minimize_async, minimize_patch, minimize_patch_async
from firstbad._native import Probe, __version__
from firstbad._observation import Answer, AsyncOracle, Observation, Oracle, Outcome, Stage
from firstbad._patch import Change, FileChange, Hunk, Patch
from firstbad._port import Porter, PortProbe, iterative_delta_debugging, iterative_delta_debugging_async
from firstbad._port_report import Also, PatchDetails, PorterReduction, PorterReport, PorterStep, PortObservation
from firstbad._posterior import Hypothesis, Posterior
from firstbad._progress import Progress
from firstbad._ranking import Ranking, RankingReason, Suspect, fit_sharpness, rank_suspects
from firstbad._reduction import Reduction
from firstbad._reduction_report import ChangesObservation, IsolateReport, MinimizeReport
from firstbad._regression import RegressionSearch, find_regressions, find_regressions_async
from firstbad._report import LeafReport, RegressionPoint, RegressionReport, RevisionObservation
from firstbad._repository import CommandOracle, Repository
from firstbad._run import run
from firstbad._run_async import run_async
from firstbad._sample import sample_for_verification
from firstbad._search import RevisionSearch, Search
from firstbad._series import HunkDependency, HunkId, hunk_dependencies
from firstbad._session import ReplayStep, Session
from firstbad._slice import SliceProbe, Slicer, slice_history, slice_history_async
from firstbad._slice_report import SlicedCommit, SlicerReport, SliceSize, Why
from firstbad._store import OutcomeStore, StoredOutcome
from firstbad._tally import Tally
from firstbad._text import Outline, minimize_text, minimize_text_async, outline
from firstbad._verification import CulpritVerifier, verify_culprit, verify_culprit_async
from firstbad._verification_report import Check, VerificationReason, VerificationReport
from firstbad._weights import ContentWeights
from firstbad._why import ContentReason, WhyTried

__all__ = [
    "Also",
    "Answer",
    "AsyncOracle",
    "Budget",
    "BuildGraph",
    "BuildTarget",
    "Change",
    "Changelist",
    "ChangesObservation",
    "Check",
    "CommandError",
    "CommandOracle",
    "Commit",
    "CommitGraph",
    "ContentFit",
    "ContentRanking",
    "ContentReason",
    "ContentSuspect",
    "ContentWeights",
    "ContradictionError",
    "CulpritReport",
    "CulpritSearch",
    "CulpritVerifier",
    "Environment",
    "Explanation",
    "FileChange",
    "FirstbadError",
    "GitError",
    "GraphError",
    "HostError",
    "Hunk",
    "HunkDependency",
    "HunkId",
    "Hypothesis",
    "Interrupted",
    "InvalidArgumentError",
    "IsolateReport",
    "Isolator",
    "JournalError",
    "Known",
    "LeafReport",
    "MinimizeReport",
    "Minimizer",
    "MissingRun",
    "NonDeterministicError",
    "NotReproducedError",
    "Observation",
    "Oracle",
    "OracleClosedError",
    "Outcome",
    "OutcomeStore",
    "Outline",
    "Patch",
    "PatchDetails",
    "PatchError",
    "PortObservation",
    "PortProbe",
    "Porter",
    "PorterReduction",
    "PorterReport",
    "PorterStep",
    "Posterior",
    "Probe",
    "Progress",
    "Ranking",
    "RankingReason",
    "Reduction",
    "RegressionPoint",
    "RegressionReport",
    "RegressionSearch",
    "ReplayStep",
    "Repository",
    "Retry",
    "RevisionObservation",
    "RevisionSearch",
    "Search",
    "Session",
    "SliceProbe",
    "SliceSize",
    "SlicedCommit",
    "Slicer",
    "SlicerReport",
    "SnapshotError",
    "Stage",
    "StoreError",
    "StoredOutcome",
    "Suspect",
    "Tally",
    "UnknownBuildTargetError",
    "UnknownProbeError",
    "UnknownReadError",
    "UnknownRevisionError",
    "VerificationReason",
    "VerificationReport",
    "Why",
    "WhyTried",
    "__version__",
    "asserts",
    "current_probe",
    "factors",
    "find_culprit",
    "find_culprit_async",
    "find_regressions",
    "find_regressions_async",
    "fit_content",
    "fit_sharpness",
    "hunk_dependencies",
    "isolate",
    "isolate_async",
    "iterative_delta_debugging",
    "iterative_delta_debugging_async",
    "minimize",
    "minimize_async",
    "minimize_patch",
    "minimize_patch_async",
    "minimize_text",
    "minimize_text_async",
    "outline",
    "rank_content",
    "rank_suspects",
    "run",
    "run_async",
    "sample_for_verification",
    "slice_history",
    "slice_history_async",
    "verify_culprit",
    "verify_culprit_async",
]
