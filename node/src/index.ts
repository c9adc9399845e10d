/**
 * `firstbad` finds the commit that broke a test, on any commit graph, for several bad revisions, and also for flaky
 * tests, with as few test runs as possible.
 *
 * {@link findRegressions} finds regression points for any number of bad revisions. {@link findCulprit} finds the
 * culprit of a flaky failure, and {@link verifyCulprit} verifies it. {@link RegressionSearch}, {@link CulpritSearch}
 * and {@link CulpritVerifier} offer the ask/tell interface. {@link run} drives any search.
 *
 * {@link triage} finds the commits that broke the tests of a red suite, in one search. {@link TriageSearch} offers the
 * ask/tell interface, and {@link readResults} reads test reports.
 *
 * {@link findChange} finds the commit that made a program slower, larger, or less accurate. {@link ChangeSearch} offers
 * the ask/tell interface.
 *
 * {@link rankCommits} ranks changes by their files and the name of the test, without a run. {@link rankSuspects} ranks
 * changes by a {@link BuildGraph}, which {@link findCulprit} also takes for its prior.
 *
 * {@link Repository.minimizeCommit} finds the smallest part of a commit that still breaks its parent.
 *
 * {@link iterativeDeltaDebugging} finds a good version behind broken ones, and ports the fix. {@link Porter} offers the
 * ask/tell interface.
 *
 * {@link sliceHistory} finds the smallest part of a history that keeps a behavior. {@link Slicer} offers the ask/tell
 * interface.
 *
 * {@link minimize} finds the smallest set of items that still has a property, {@link minimizePatch} the smallest part
 * of a patch, {@link minimizeText} the smallest part of a text, and {@link isolate} the smallest difference. {@link
 * Minimizer} and {@link Isolator} offer the ask/tell interface.
 *
 * Every search can be kept in a journal, to resume it after a crash: use {@link Session}, or the option `journal`.
 *
 * @packageDocumentation
 */

import "./steps.js";

export { asserts } from "./asserts.js";
export type { Budget } from "./budget.js";
export {
  BuildGraph,
  type BuildTarget,
  type BuildTargets,
  type LoadOptions,
  type SourceKind,
  type SourceOptions,
  type TargetOptions,
} from "./build-graph.js";
export type { ExplainedReport } from "./causes.js";
export type { ChangeReport } from "./change-report.js";
export { ChangeSearch } from "./change-search.js";
export type { Changelist, Changelists, FileStatus } from "./changelist.js";
export type { Environment, EnvironmentPreset, Verdict } from "./command-fields.js";
export type {
  CommandContext,
  CommandOracle,
  MeasureCommandOptions,
  MeasureOracle,
  SuiteCommandOptions,
  SuiteOracle,
} from "./command-oracle.js";
export type { Costs, Earlier, Prior, Rate, Reasoned } from "./configuration.js";
export { CommitRanking, type RankCommitsOptions, rankCommits } from "./content.js";
export type { CoverageFormat, SliceCoverage } from "./coverage.js";
export { type CulpritFindings, type CulpritReport, CulpritSearch } from "./culprit-search.js";
export { CulpritVerifier, type VerificationReport } from "./culprit-verifier.js";
export type { Dependencies, Need } from "./dependencies.js";
export type { DriveOptions, HistorySource, KeepOptions } from "./drive.js";
export { type ErrorCode, type ErrorDetails, FirstbadError } from "./errors.js";
export { type Factor, factors, type TraceOptions } from "./factors.js";
export type { NumbersById } from "./fields.js";
export { type FindChangeOptions, findChange } from "./find-change.js";
export { type FindCulpritOptions, findCulprit, type SuspicionOptions } from "./find-culprit.js";
export { type FindRegressionsOptions, findRegressions } from "./find-regressions.js";
export type { CommandOptions, MeasureOptions, SuiteOptions } from "./generated/command.js";
export type {
  ChangeCosts,
  ChangeOptions,
  Charge,
  CulpritOptions,
  MetricOptions,
  MinimizerOptions,
  PorterOptions,
  ReductionOptions,
  RegressionOptions,
  SlicedHistory,
  SlicerOptions,
  SuiteCosts,
  TriageOptions,
  VerificationOptions,
} from "./generated/options.js";
export type {
  ChangeConclusion,
  ChangeFields,
  Check,
  Commit,
  CommitReason,
  CommitStats,
  CommitSuspect,
  Commits,
  CulpritEvidence,
  Explanation,
  FileStats,
  Guarantee,
  Hypothesis,
  LeafReport,
  MetricChange,
  MissingRun,
  Noise,
  PatchDetails,
  People,
  PorterReduction,
  PorterStep,
  RankingReason,
  Reason,
  ReasonCode,
  ReductionResult,
  RegressionCheck,
  RegressionPoint,
  ReportRow,
  RevisionRuns,
  RunCounts,
  SelectionReason,
  SeparateEstimate,
  SeriesPoint,
  SliceReason,
  SliceSize,
  Status,
  Step,
  StepOutcome,
  SubmoduleChange,
  Suspect,
  TestVerdict,
  TriageCulprit,
  TriageFields,
  Unexplained,
  Verdict as TriageVerdict,
  VerificationReason,
} from "./generated/reports.js";
export type { GraphOptions, RepositoryOptions } from "./git-options.js";
export { CommitGraph, type CommitGraphOptions, type GraphSource } from "./graph.js";
export { type IsolateOptions, isolate } from "./isolate.js";
export { type IsolateReport, Isolator } from "./isolator.js";
export type { Items, Kept } from "./items.js";
export {
  type IterativeDeltaDebuggingOptions,
  iterativeDeltaDebugging,
  type PortOracle,
} from "./iterative-delta-debugging.js";
export type { KnownOutcomes } from "./known.js";
export type { Measure, Measured, NumberObservation, Numbers } from "./measured.js";
export { type MinimizeOptions, minimize } from "./minimize.js";
export { type MinimizePatchOptions, minimizePatch } from "./minimize-patch.js";
export { type MinimizeTextOptions, minimizeText, type TextFiles, type TextLanguage } from "./minimize-text.js";
export { type MinimizeReport, Minimizer } from "./minimizer.js";
export type {
  Answer,
  CountedObservation,
  Observation,
  Outcome,
  PortObservation,
  Results,
  RevisionObservation,
  Stage,
  SubsetObservation,
  SuiteAnswer,
  SuiteObservation,
  TestAnswer,
  TestResult,
} from "./observation.js";
export type { Several } from "./options.js";
export type { AnswerOf, Callback, Interesting, Oracle, OracleContext, SuiteCallback } from "./oracle.js";
export { OutcomeStore, type OutcomeStoreOptions, type StoredOutcome, type StoreKey } from "./outcome-store.js";
export { type Outline, outline } from "./outline.js";
export {
  type Change,
  type ChangeKind,
  type FilePatch,
  type Files,
  type Hunk,
  Patch,
  type Whole,
} from "./patch.js";
export { Porter } from "./porter.js";
export { type Figure, type PatchName, PorterReport } from "./porter-report.js";
export { Posterior } from "./posterior.js";
export type {
  AnyProbe,
  CarriedBy,
  PortProbe,
  Probe,
  ReductionProbe,
  SliceProbe,
  SuiteCall,
  SuiteProbe,
  TargetOf,
  VariantProbe,
  VariantTarget,
} from "./probe.js";
export type { Progress } from "./progress.js";
export {
  type BuildGraphsAt,
  fitSharpness,
  type Heuristic,
  type HistoryPrior,
  type PriorOptions,
  Ranking,
  type RankOptions,
  rankSuspects,
} from "./ranking.js";
export type { Read, Reader } from "./reader.js";
export { Reduction } from "./reduction.js";
export type { RegressionReport } from "./regression-report.js";
export { RegressionSearch } from "./regression-search.js";
export { type ChangesOptions, type MinimizeCommitOptions, Repository } from "./repository.js";
export { Retry } from "./retry.js";
export { type RunOptions, run } from "./run.js";
export { type SampleOptions, sampleForVerification } from "./sample.js";
export { type EventTarget, Search, type SearchEvent } from "./search.js";
export { type HunkDependency, type HunkId, hunkDependencies } from "./series.js";
export { type KnownOptions, type ReplayStep, Session, type SessionOptions } from "./session.js";
export { type SliceHistoryOptions, type SliceOracle, sliceHistory } from "./slice-history.js";
export { Slicer } from "./slicer.js";
export { type SlicePatch, SlicerReport } from "./slicer-report.js";
export type { StepOptions } from "./steps.js";
export { type ReadResultsOptions, readResults } from "./test-results.js";
export { type TriageRunOptions, triage } from "./triage.js";
export { type TriageReport, TriageSearch } from "./triage-search.js";
export { type VerifyCulpritOptions, verifyCulprit } from "./verify-culprit.js";
export type { AnnotationService, InWords, WordedReport } from "./words.js";
