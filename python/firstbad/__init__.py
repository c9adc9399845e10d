"""Finds the commit that broke a test, and the smallest part of an input or a change that still shows the failure.

>>> import firstbad as fb
>>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
>>> report = fb.find_regressions(graph, lambda version: version < "1.2", bad="1.3", good="1.0")
>>> report.points[0].bad
'1.2'
"""

# `import firstbad` loads no modules: each is imported when one of its names is first used (PEP 562). Type checkers read
# the imports, and the interpreter reads the table. A test checks that both agree.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from firstbad import factors
    from firstbad._asserts import asserts
    from firstbad._budget import Budget
    from firstbad._build_graph import BuildGraph, BuildTarget
    from firstbad._calls import current_probe
    from firstbad._change import ChangeSearch, find_change, find_change_async
    from firstbad._change_report import ChangeReport
    from firstbad._changelist import Changelist
    from firstbad._command_oracle import CommandOracle, SuiteOracle
    from firstbad._content import CommitRanking, rank_commits
    from firstbad._culprit import CulpritSearch, find_culprit, find_culprit_async
    from firstbad._culprit_report import CulpritReport
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
        ReportError,
        Retry,
        SearchInUseError,
        SnapshotError,
        StoreError,
        UnknownBuildTargetError,
        UnknownProbeError,
        UnknownRevisionError,
    )
    from firstbad._generated.reports import (
        Check,
        Commit,
        CommitReason,
        CommitStats,
        CommitSuspect,
        CulpritEvidence,
        Explanation,
        FileStats,
        Hypothesis,
        LeafReport,
        MissingRun,
        PatchDetails,
        People,
        PorterReduction,
        PorterStep,
        RankingReason,
        RegressionCheck,
        RegressionPoint,
        RevisionRuns,
        SelectionReason,
        SeparateEstimate,
        SliceEvidence,
        SliceSize,
        Step,
        SubmoduleChange,
        Suspect,
        TestVerdict,
        TriageCulprit,
        VerificationReason,
    )
    from firstbad._graph import CommitGraph
    from firstbad._isolate import Isolator, isolate, isolate_async
    from firstbad._known import KnownOutcomes
    from firstbad._minimize import Minimizer, minimize, minimize_async, minimize_patch, minimize_patch_async
    from firstbad._native import Probe, __version__
    from firstbad._observation import (
        Answer,
        AsyncOracle,
        AsyncSuiteCallback,
        Observation,
        Oracle,
        Outcome,
        PortObservation,
        RevisionObservation,
        Stage,
        SubsetObservation,
        SuiteAnswer,
        SuiteCallback,
        SuiteObservation,
        TestAnswer,
        TestResult,
    )
    from firstbad._patch import Change, FilePatch, Hunk, Patch
    from firstbad._port import Porter, PortProbe, iterative_delta_debugging, iterative_delta_debugging_async
    from firstbad._port_report import PorterReport
    from firstbad._posterior import Posterior
    from firstbad._progress import Progress
    from firstbad._ranking import Ranking, fit_sharpness, rank_suspects
    from firstbad._reduction import Reduction
    from firstbad._reduction_report import IsolateReport, MinimizeReport
    from firstbad._regression import RegressionSearch, find_regressions, find_regressions_async
    from firstbad._report import RegressionReport
    from firstbad._repository import Repository
    from firstbad._run import run
    from firstbad._run_async import run_async
    from firstbad._sample import sample_for_verification
    from firstbad._search import RevisionSearch, Search
    from firstbad._series import HunkDependency, HunkId, hunk_dependencies
    from firstbad._session import ReplayStep, Session
    from firstbad._slice import SliceProbe, Slicer, slice_history, slice_history_async
    from firstbad._slice_report import SlicedCommit, SlicerReport
    from firstbad._store import OutcomeStore, StoredOutcome
    from firstbad._tally import RunCounts
    from firstbad._test_reports import read_results
    from firstbad._text import Outline, minimize_text, minimize_text_async, outline
    from firstbad._triage import TriageSearch, triage, triage_async
    from firstbad._triage_report import TriageReport
    from firstbad._verification import CulpritVerifier, verify_culprit, verify_culprit_async
    from firstbad._verification_report import VerificationReport
else:
    _MODULES = {
        "_asserts": ("asserts",),
        "_budget": ("Budget",),
        "_build_graph": ("BuildGraph", "BuildTarget"),
        "_calls": ("current_probe",),
        "_change": ("ChangeSearch", "find_change", "find_change_async"),
        "_change_report": ("ChangeReport",),
        "_changelist": ("Changelist",),
        "_content": ("CommitRanking", "rank_commits"),
        "_culprit": ("CulpritSearch", "find_culprit", "find_culprit_async"),
        "_culprit_report": ("CulpritReport",),
        "_environment": ("Environment",),
        "_errors": (
            "CommandError",
            "ContradictionError",
            "FirstbadError",
            "GitError",
            "GraphError",
            "HostError",
            "Interrupted",
            "InvalidArgumentError",
            "JournalError",
            "NonDeterministicError",
            "NotReproducedError",
            "OracleClosedError",
            "PatchError",
            "ReportError",
            "Retry",
            "SearchInUseError",
            "SnapshotError",
            "StoreError",
            "UnknownBuildTargetError",
            "UnknownProbeError",
            "UnknownRevisionError",
        ),
        "_generated.reports": (
            "Check",
            "Commit",
            "CommitReason",
            "CommitStats",
            "CommitSuspect",
            "CulpritEvidence",
            "Explanation",
            "FileStats",
            "Hypothesis",
            "LeafReport",
            "MissingRun",
            "PatchDetails",
            "People",
            "PorterReduction",
            "PorterStep",
            "RankingReason",
            "RegressionCheck",
            "RegressionPoint",
            "RevisionRuns",
            "SelectionReason",
            "SeparateEstimate",
            "SliceEvidence",
            "SliceSize",
            "Step",
            "SubmoduleChange",
            "Suspect",
            "TestVerdict",
            "TriageCulprit",
            "VerificationReason",
        ),
        "_graph": ("CommitGraph",),
        "_isolate": ("Isolator", "isolate", "isolate_async"),
        "_known": ("KnownOutcomes",),
        "_minimize": ("Minimizer", "minimize", "minimize_async", "minimize_patch", "minimize_patch_async"),
        "_native": ("Probe", "__version__"),
        "_observation": (
            "Answer",
            "AsyncOracle",
            "AsyncSuiteCallback",
            "SubsetObservation",
            "Observation",
            "Oracle",
            "Outcome",
            "PortObservation",
            "RevisionObservation",
            "Stage",
            "SuiteAnswer",
            "SuiteCallback",
            "SuiteObservation",
            "TestAnswer",
            "TestResult",
        ),
        "_patch": ("Change", "FilePatch", "Hunk", "Patch"),
        "_port": ("Porter", "PortProbe", "iterative_delta_debugging", "iterative_delta_debugging_async"),
        "_port_report": ("PorterReport",),
        "_posterior": ("Posterior",),
        "_progress": ("Progress",),
        "_ranking": ("Ranking", "fit_sharpness", "rank_suspects"),
        "_reduction": ("Reduction",),
        "_reduction_report": ("IsolateReport", "MinimizeReport"),
        "_regression": ("RegressionSearch", "find_regressions", "find_regressions_async"),
        "_report": ("RegressionReport",),
        "_command_oracle": ("CommandOracle", "SuiteOracle"),
        "_repository": ("Repository",),
        "_run": ("run",),
        "_run_async": ("run_async",),
        "_sample": ("sample_for_verification",),
        "_search": ("RevisionSearch", "Search"),
        "_series": ("HunkDependency", "HunkId", "hunk_dependencies"),
        "_session": ("ReplayStep", "Session"),
        "_slice": ("SliceProbe", "Slicer", "slice_history", "slice_history_async"),
        "_slice_report": ("SlicedCommit", "SlicerReport"),
        "_store": ("OutcomeStore", "StoredOutcome"),
        "_tally": ("RunCounts",),
        "_text": ("Outline", "minimize_text", "minimize_text_async", "outline"),
        "_test_reports": ("read_results",),
        "_triage": ("TriageSearch", "triage", "triage_async"),
        "_triage_report": ("TriageReport",),
        "_verification": ("CulpritVerifier", "verify_culprit", "verify_culprit_async"),
        "_verification_report": ("VerificationReport",),
    }
    _MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

    def __getattr__(name: str) -> object:
        """Imports a public name on its first use."""
        from importlib import import_module

        if name == "factors":
            found: object = import_module("firstbad.factors")
        elif name in _MODULE_OF:
            found = getattr(import_module(f"firstbad.{_MODULE_OF[name]}"), name)
        else:
            raise AttributeError(f"module 'firstbad' has no attribute {name!r}")
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


__all__ = [
    "Answer",
    "AsyncOracle",
    "AsyncSuiteCallback",
    "Budget",
    "BuildGraph",
    "BuildTarget",
    "Change",
    "ChangeReport",
    "ChangeSearch",
    "Changelist",
    "Check",
    "CommandError",
    "CommandOracle",
    "Commit",
    "CommitGraph",
    "CommitRanking",
    "CommitReason",
    "CommitStats",
    "CommitSuspect",
    "ContradictionError",
    "CulpritEvidence",
    "CulpritReport",
    "CulpritSearch",
    "CulpritVerifier",
    "Environment",
    "Explanation",
    "FilePatch",
    "FileStats",
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
    "KnownOutcomes",
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
    "People",
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
    "RegressionCheck",
    "RegressionPoint",
    "RegressionReport",
    "RegressionSearch",
    "ReplayStep",
    "ReportError",
    "Repository",
    "Retry",
    "RevisionObservation",
    "RevisionRuns",
    "RevisionSearch",
    "RunCounts",
    "Search",
    "SearchInUseError",
    "SelectionReason",
    "SeparateEstimate",
    "Session",
    "SliceEvidence",
    "SliceProbe",
    "SliceSize",
    "SlicedCommit",
    "Slicer",
    "SlicerReport",
    "SnapshotError",
    "Stage",
    "Step",
    "StoreError",
    "StoredOutcome",
    "SubmoduleChange",
    "SubsetObservation",
    "SuiteAnswer",
    "SuiteCallback",
    "SuiteObservation",
    "SuiteOracle",
    "Suspect",
    "TestAnswer",
    "TestResult",
    "TestVerdict",
    "TriageCulprit",
    "TriageReport",
    "TriageSearch",
    "UnknownBuildTargetError",
    "UnknownProbeError",
    "UnknownRevisionError",
    "VerificationReason",
    "VerificationReport",
    "__version__",
    "asserts",
    "current_probe",
    "factors",
    "find_change",
    "find_change_async",
    "find_culprit",
    "find_culprit_async",
    "find_regressions",
    "find_regressions_async",
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
    "rank_commits",
    "rank_suspects",
    "read_results",
    "run",
    "run_async",
    "sample_for_verification",
    "slice_history",
    "slice_history_async",
    "triage",
    "triage_async",
    "verify_culprit",
    "verify_culprit_async",
]
