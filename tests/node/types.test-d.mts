// What the type declarations promise; compiled, never run.
import {
  type Answer,
  type ChangeReport,
  ChangeSearch,
  type CommandOracle,
  CommitGraph,
  type CulpritReport,
  CulpritSearch,
  CulpritVerifier,
  type ExplainedReport,
  type FilePatch,
  FirstbadError,
  findChange,
  findCulprit,
  findRegressions,
  type Guarantee,
  type Hypothesis,
  type IsolateReport,
  Isolator,
  isolate,
  iterativeDeltaDebugging,
  type KnownOutcomes,
  type MinimizeReport,
  Minimizer,
  minimize,
  minimizePatch,
  minimizeText,
  type Observation,
  OutcomeStore,
  type Outline,
  outline,
  Patch,
  type PatchDetails,
  Porter,
  type PorterReport,
  type PortProbe,
  type Posterior,
  type Probe,
  type ReductionProbe,
  type RegressionReport,
  RegressionSearch,
  type ReplayStep,
  Repository,
  Retry,
  readResults,
  run,
  Session,
  type SlicePatch,
  type SliceProbe,
  type SliceReason,
  Slicer,
  type SlicerReport,
  type Status,
  type StoredOutcome,
  type StoreKey,
  type SuiteProbe,
  sliceHistory,
  type TestResult,
  type TextFiles,
  type TriageReport,
  TriageSearch,
  triage,
  type VariantProbe,
  type VerificationReport,
  verifyCulprit,
} from "firstbad";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(_?: T): void => {};

const graph = new CommitGraph({ a: [], b: ["a"] }, { times: [1, 2] });
new CommitGraph(new Map([["a", [] as string[]]]), { times: new Map([["a", 1]]) });
new CommitGraph([["a", []]]);
CommitGraph.fromEdges([["a", "b"]]);
holds<Same<typeof graph.ids, readonly string[]>>();
holds<Same<ReturnType<typeof graph.distance>, number | null>>();
// @ts-expect-error ids cannot be changed
graph.ids[0] = "x";
// @ts-expect-error parents are ids
new CommitGraph({ a: [1] });

const search = new RegressionSearch(graph, { bad: ["b"], good: "a", search: "linear", testEndpoints: true });
holds<Same<ReturnType<typeof search.ask>, Probe[]>>();
holds<Same<typeof search.status, Status>>();
const { points } = search.report();
search.tell(0, true);
search.tell(0, { outcome: "fail", signature: "E42", signals: { any: "json" }, stage: "build", memory: 7 });
// @ts-expect-error no outcome
search.tell(0, "passed");
// @ts-expect-error no outcome
search.tell(0, { note: "x" });
search.tell(0, { passes: 9, fails: 1, started: 1, ended: 2 });
search.tell(0, { fails: 2, outcome: null });
// @ts-expect-error times are no counts
search.tell(0, { started: 1, ended: 2 });
holds<Same<(typeof points)[number]["probability"], number | null>>();
// @ts-expect-error no such search
new RegressionSearch(graph, { bad: "b", search: "quick" });
// @ts-expect-error seconds are the driver's to watch
search.setBudget({ seconds: 1 });

const report = findRegressions(graph, (revision) => revision < "b", { bad: "b", signal: AbortSignal.timeout(9) });
holds<Same<typeof report, Promise<RegressionReport>>>();
findRegressions(Promise.resolve(graph), async (_, { signal, probe }) => (signal.aborted ? null : probe.id > 0), {
  bad: "b",
  signature: "E42",
  concurrency: 2,
  budget: { runs: 3, seconds: 60, cost: 1 },
  retries: 1,
  onProgress: ({ kind, probe, observation }) => console.log(kind, probe?.revision, observation?.outcome),
});
// @ts-expect-error no answer
findRegressions(graph, () => 5, { bad: "b" });
// @ts-expect-error no path
findRegressions(graph, () => true, { bad: "b", journal: true });
findRegressions(graph, () => true, { bad: "b", journal: "run.jsonl" });
findRegressions(graph, () => true, { bad: ["b"], search: "bayes", flakeRate: 0.1, confidence: 0.9 });
const driven = run(search, (): Answer => "pass", { jobs: 2 });
holds<Same<typeof driven, Promise<RegressionReport>>>();
const restored = RegressionSearch.restore(graph, search.snapshot());
holds<Same<typeof restored, RegressionSearch>>();

const culprit = findCulprit(graph, (_, { probe }) => probe.id > 3, {
  bad: "b",
  good: ["a"],
  flakeRate: { passes: 9, fails: 1 },
  minFlakeRate: 0.01,
  falsePassRate: "estimate",
  prior: new Map([["b", 2]]),
  priorNoCulprit: "uniform",
  confidence: 0.999,
  strategy: "expected-gain",
  costs: { 7: 1 },
  concurrency: 8,
  budget: { cost: 9 },
});
holds<Same<typeof culprit, Promise<CulpritReport>>>();
findCulprit([["a", []]], () => ({ passes: 3 }), { bad: "b", prior: [["b", 2]], costs: [["b", 2]] });
// @ts-expect-error no rate
findCulprit(graph, () => true, { bad: "b", flakeRate: "often" });
// @ts-expect-error no choice
findCulprit(graph, () => true, { bad: "b", strategy: "expected_gain" });
// @ts-expect-error bad is needed
findCulprit(graph, () => true, {});
const culprits = new CulpritSearch(graph, { bad: "b", strategy: "bisect", reruns: 3 });
holds<Same<ReturnType<typeof culprits.report>, CulpritReport>>();
const { conclusion, posterior } = culprits.report();
holds<Same<typeof conclusion, "culprit" | "flake" | "inconclusive">>();
holds<Same<typeof posterior, Posterior>>();
const map: ReadonlyMap<string, number> = posterior;
const set: Hypothesis[] = posterior.credibleSet(0.5, 3);
const nobody: number = posterior.noCulprit;
// @ts-expect-error it cannot be changed
posterior.set("b", 1);
new CulpritSearch(graph, { bad: "b", prior: posterior, priorNoCulprit: posterior.noCulprit });
const restoredCulprits: CulpritSearch = CulpritSearch.restore(graph, culprits.snapshot());

verifyCulprit(graph, () => true, { culprit: "b", bad: "b" });
const verification = verifyCulprit(graph, () => true, { culprit: null, bad: "b", flakeRate: 0.1, concurrency: 2 });
holds<Same<typeof verification, Promise<VerificationReport>>>();
// @ts-expect-error the conclusion is needed
verifyCulprit(graph, () => true, { bad: "b", flakeRate: 0.1 });
// @ts-expect-error the number of reruns follows from the rate
verifyCulprit(graph, () => true, { culprit: "b", bad: "b", flakeRate: "estimate" });
const verifier = new CulpritVerifier(graph, { culprit: "b", bad: "b", flakeRate: 0.1, again: await verification });
const correct: boolean | null = verifier.report().correct;
const restoredVerifier: CulpritVerifier = CulpritVerifier.restore(graph, verifier.snapshot());

const minimizer = new Minimizer(["a", "b"], {
  algorithm: "recursive",
  weights: [1, 2],
  dependencies: { 1: [0, [0, 1]] },
});
holds<Same<ReturnType<typeof minimizer.ask>, ReductionProbe[]>>();
holds<Same<ReturnType<typeof minimizer.subject>, string[]>>();
holds<Same<ReturnType<typeof minimizer.report>, MinimizeReport<string[]>>>();
holds<Same<ReturnType<typeof search.subject>, string>>();
const reductionProbe = minimizer.inFlight[0] as ReductionProbe;
const changes: readonly number[] = reductionProbe.changes;
// A set of items has no revision, but a set of changes on a revision has one.
holds<Same<typeof reductionProbe.revision, string | undefined>>();
// @ts-expect-error it cannot be changed
reductionProbe.changes[0] = 1;
// @ts-expect-error a revision is no set of items
search.inFlight[0]?.changes;
minimizer.observe(new Set([0, 1]), false);
// @ts-expect-error items are named by their indices
minimizer.observe("a", false);
// @ts-expect-error revisions are named by their ids
search.observe([0], false);
const guarantee: Guarantee = minimizer.report().guarantee;
const restoredMinimizer: Minimizer<number[]> = Minimizer.restore([1, 2], minimizer.snapshot());

const minimized = minimize(
  new Map([["a", 1]]),
  (kept, { signal, probe }) => {
    holds<Same<typeof kept, [string, number][]>>();
    return signal.aborted ? null : kept.length > probe.changes.length;
  },
  {
    concurrency: 2,
    keep: "fail",
    signal: AbortSignal.timeout(9),
    parents: [null],
    confidence: 0.9,
    onProgress: ({ probe }) => console.log(probe?.changes),
  },
);
holds<Same<typeof minimized, Promise<MinimizeReport<[string, number][]>>>>();
const isolated = isolate([1, 2], async (kept) => kept.includes(1), {
  dependencies: new Map([[1, [0]]]),
  flakeRate: 0.1,
});
holds<Same<typeof isolated, Promise<IsolateReport<number[]>>>>();
const { difference, lacking } = new Isolator("text").report();
holds<Same<typeof difference, number[]>>();
holds<Same<typeof lacking, number[]>>();
run(minimizer, (kept) => kept.join("") === "a");
// @ts-expect-error items are needed
minimize(5, () => true);
// @ts-expect-error no such algorithm
minimize([1], () => true, { algorithm: "zeller" });
// @ts-expect-error no answer
minimize([1], (kept) => kept);
// @ts-expect-error nobody can ask for less
minimize([1], () => true, { guarantee: "best so far" });

const tree: Outline = outline(["if (a) {", "}"]);
minimize(["if (a) {", "}"], () => true, tree);
const ofText = minimizeText("a\n", (kept, { probe }) => kept.length > probe.changes.length, { depth: 1, jobs: 2 });
holds<Same<typeof ofText, Promise<MinimizeReport<string>>>>();
minimizeText(new Set(["a\n"]), async (kept) => kept === "a\n");
const ofFiles = minimizeText({ "a.h": "a\n", "b.c": "b\n" }, (kept) => kept["a.h"] === "a\n");
holds<Same<typeof ofFiles, Promise<MinimizeReport<Record<"a.h" | "b.c", string>>>>>();
const anyFiles: TextFiles = { "a.h": "a\n" };
minimizeText(anyFiles, async (kept) => kept["b.c"] !== "");
// @ts-expect-error no such file
minimizeText({ "a.h": "a\n" }, (kept) => kept["b.c"] === "");
// @ts-expect-error the lines are a tree by themselves
minimizeText("a", () => true, { parents: [null] });
// @ts-expect-error no text
outline([1]);

const session = Session.open("run.jsonl", minimizer, { known: [[[0], true]], wait: 1.5 });
holds<Same<typeof session, Session<MinimizeReport<string[]>, ReductionProbe, string[]>>>();
holds<Same<ReturnType<typeof session.report>, MinimizeReport<string[]>>>();
const lent: ReductionProbe[] = session.ask(2, { lease: 60 });
const lost: string | null = session.recovered;
for (const step of session.replay()) {
  holds<Same<typeof step, ReplayStep<MinimizeReport<string[]>>>>();
}
run(session, (kept) => kept.length > 0);
run(Session.open(new URL("file:///run.jsonl"), search, { known: { b: false } }), (revision) => revision !== "b");
// @ts-expect-error open makes them
new Session(search);
// @ts-expect-error only a session lends
search.ask(1, { lease: 60 });
// @ts-expect-error sets are named by their indices
Session.open("run.jsonl", minimizer, { known: { b: false } });
const known: KnownOutcomes = (await report).observations;
findCulprit(graph, () => true, { bad: "b", journal: "run.jsonl", known });
minimize([1], () => true, { journal: "run.jsonl", known: minimizer.report().observations });
// @ts-expect-error revisions are named by their ids
findCulprit(graph, () => true, { bad: "b", known: [[[0], true]] });

const store = new OutcomeStore("outcomes.db", { oracle: "npm test", version: "1", key: "tree" });
const stored: StoredOutcome[] = [...store];
findRegressions(graph, () => true, { bad: "b", store, known: new Map([["a", "pass"]]) });
Session.open("run.jsonl", new Minimizer("text"), { store });
const keys: StoreKey = (revision: string) => (revision === "a" ? null : revision);
new OutcomeStore("outcomes.db", { oracle: "npm test", key: new Map([["a", "b"]]) });
// @ts-expect-error outcomes are some oracle's
new OutcomeStore("outcomes.db", {});
// @ts-expect-error no such key
new OutcomeStore("outcomes.db", { oracle: "npm test", key: "commit" });

const repository = Repository.open(".");
const oracle: CommandOracle = repository.commandOracle(["true"], { timeout: 1, exitCodes: { 3: "unresolved" } });
const observed: Promise<Observation> = oracle("main", { signal: AbortSignal.timeout(9) });
findRegressions(repository.graph(["main"]), oracle, { bad: "main" });
const closed: Promise<void> = oracle[Symbol.asyncDispose]();

const patch = Patch.parse(new Uint8Array());
const first: FilePatch | undefined = patch.files[0];
holds<Same<ReturnType<typeof patch.subset>, Patch>>();
const texts: Record<string, string> = patch.apply({ a: "text" });
const contents: Map<string, Uint8Array> = patch.apply(new Map([["a", new Uint8Array()]]));
// @ts-expect-error no content
patch.apply({ a: 1 });
// @ts-expect-error it cannot be changed
patch.changes[0].text = "";
// @ts-expect-error parse makes them
new Patch();
const ofPatch = minimize(patch, (part) => part.files.length > 0);
holds<Same<typeof ofPatch, Promise<MinimizeReport<Patch>>>>();
const fewer = minimizePatch(patch, async (part, { probe }) => probe.changes.length > part.length, {
  granularity: "hunks",
  guarantee: "1-minimal",
});
holds<Same<typeof fewer, Promise<MinimizeReport<Patch>>>>();
// @ts-expect-error the patch has its own tree
minimizePatch(patch, () => true, { parents: [] });
// @ts-expect-error granularity says how far
minimizePatch(patch, () => true, { depth: 1 });
const between: Promise<Patch> = repository.diff("v1.0", "main");
const reduced = repository.minimizeCommit("main", oracle, { parent: "v1.0", concurrency: 2, algorithm: "ddmin" });
repository.minimizeCommit("main", (part) => part.length < 3);
holds<Same<typeof reduced, Promise<MinimizeReport<Patch>>>>();
// @ts-expect-error an oracle says what fails
repository.minimizeCommit("main", oracle, { keep: "pass" });
oracle("main", { patch });
const explained = findRegressions(repository.graph("main"), oracle, {
  bad: "main",
  explain: true,
  onProgress: ({ probe }) => console.log(probe),
});
holds<Same<typeof explained, Promise<ExplainedReport>>>();
// @ts-expect-error only a command oracle can be asked about patches
findRegressions(graph, () => true, { bad: "b", explain: true });

const ported = iterativeDeltaDebugging(repository, oracle, { start: "main", control: ["make", "smoke"], jobs: 2 });
holds<Same<typeof ported, Promise<PorterReport>>>();
iterativeDeltaDebugging(
  ".",
  async (probe, { signal, probe: { set } }) => {
    holds<Same<typeof probe, PortProbe>>();
    holds<Same<typeof set, string | undefined>>();
    return probe.patch.length > 0 && signal.aborted ? { outcome: "fail", stage: "build" } : "pass";
  },
  {
    start: "main",
    good: null,
    revisions: new Set(["v1.0"]),
    walk: "strict",
    control: ({ tree }) => tree !== "",
    also: oracle,
    journal: "port.jsonl",
    budget: 9,
    onProgress: ({ probe }) => console.log(probe?.universe),
  },
);
// @ts-expect-error the repository shows what has to be seen
iterativeDeltaDebugging(".", () => true, { start: "main", reader: repository });
iterativeDeltaDebugging(".", () => true, { start: "main", store });
// @ts-expect-error it needs a start
iterativeDeltaDebugging(".", () => true, {});
// @ts-expect-error whether there is a control shows by itself
iterativeDeltaDebugging(".", () => true, { start: "main", controlled: true });
const porter = new Porter(graph, { start: "b", controlled: true, boundary: ["a"] });
holds<Same<ReturnType<typeof porter.ask>, VariantProbe[]>>();
porter.observe("a", true);
const portReport = run(porter, ({ revision, changes = [] }) => revision < "b" && changes.length < 3, {
  reader: ({ read }) => new Uint8Array(read.length),
});
holds<Same<typeof portReport, Promise<PorterReport>>>();
const { cause, details, status: portStatus } = porter.report();
holds<Same<typeof cause, Patch | null>>();
holds<Same<typeof details.cause, PatchDetails | undefined>>();
if (portStatus === "patch_too_large") console.log(porter.report().toMarkdown());
// @ts-expect-error no such walk
new Porter(graph, { start: "b", walk: "run" });

const slice = sliceHistory(repository, { base: "v1.0", tip: "main", oracle, paths: ["src"], tests: new Set(["test"]) });
holds<Same<typeof slice, Promise<SlicerReport>>>();
sliceHistory(".", {
  base: "v1.0",
  tip: "main",
  oracle: async (probe, { signal, probe: { set } }) => {
    holds<Same<typeof probe, SliceProbe>>();
    holds<Same<typeof set, string>>();
    return probe.changes.length > 0 && signal.aborted ? { outcome: "fail", signals: [] } : probe.patch.length > 0;
  },
  granularity: "hunk",
  algorithm: "definer",
  scheme: "low",
  dependencies: { 3: [1, [0, 2]] },
  start: [1, 3],
  keep: "fail",
  learn: false,
  seed: 1,
  journal: "run.jsonl",
  jobs: 3,
  budget: { runs: 9 },
  known: [[[0, 1], true]],
  store,
  onProgress: ({ probe }) => console.log(probe?.changes.length),
});
sliceHistory(".", { base: "v1.0", tip: "main", oracle: () => true, dependencies: "none" });
// @ts-expect-error it needs an oracle
sliceHistory(".", { base: "v1.0", tip: "main" });
// @ts-expect-error a slice has nothing to see
sliceHistory(".", { base: "v1.0", tip: "main", oracle, reader: repository });
// @ts-expect-error no such scheme
sliceHistory(".", { base: "v1.0", tip: "main", oracle, scheme: "high" });
const slicer = new Slicer(["a", "b"], { history: { base: "v1.0", tip: "main" }, keep: "pass", guarantee: "fixpoint" });
holds<Same<ReturnType<typeof slicer.ask>, ReductionProbe[]>>();
slicer.observe([0], true);
const sliced = run(slicer, (names) => {
  holds<Same<typeof names, string[]>>();
  return names.includes("a");
});
holds<Same<typeof sliced, Promise<SlicerReport>>>();
const { why, kept: keptChanges, commits } = slicer.report();
holds<Same<typeof why, readonly SliceReason[]>>();
holds<Same<typeof keptChanges, readonly number[]>>();
const patches: Promise<SlicePatch[]> = slicer.report().patches();
const branch: Promise<string> = slicer.report().createBranch(commits.join("-"));
// @ts-expect-error the names are the first argument
new Slicer(2, { changes: ["a", "b"] });

// @ts-expect-error a line for a shell is not a program with its arguments
new Repository(".").commandOracle("npm test");
// @ts-expect-error one id is not a list of ids
CommitGraph.linear("main");
new Repository(".").commandOracle(new Set(["true"]), { setup: ["npm", "ci"] });

const error: Error = new FirstbadError("git", "words");
const retry: Error = new Retry("words", { cause: error });

export {
  between,
  branch,
  changes,
  closed,
  contents,
  correct,
  first,
  guarantee,
  keys,
  lent,
  lost,
  map,
  nobody,
  observed,
  patches,
  restoredCulprits,
  restoredMinimizer,
  restoredVerifier,
  retry,
  set,
  stored,
  texts,
};

const numbers = new ChangeSearch(graph, { bad: "b", metrics: new Map([["size", { atLeast: "2kB", worse: "up" }]]) });
numbers.tell(0, 12.5);
numbers.tell(0, { size: 12.5, other: null });
numbers.observe("b", { metric: 3, control: 2 });
// @ts-expect-error a bare number is not an outcome of a test
search.tell(0, 12.5);
holds<Same<ReturnType<typeof numbers.report>, ChangeReport>>();
const changed = findChange(graph, async (revision, { signal }) => (signal.aborted ? null : revision.length), {
  bad: "b",
  costs: { build: 10, measurement: 1 },
  exact: "auto",
});
holds<Same<typeof changed, Promise<ChangeReport>>>();
const rerun = run(numbers, (revision) => revision.length);
holds<Same<typeof rerun, Promise<ChangeReport>>>();
// @ts-expect-error a boolean is the outcome of a test
findChange(graph, () => true, { bad: "b" });
// @ts-expect-error no such option of a metric
new ChangeSearch(graph, { bad: "b", metrics: { size: { unti: "B" } } });

const suite = new TriageSearch(graph, { bad: "b", tonight: new Map([["t", "fail"]]), keepBuilds: "all" });
holds<Same<ReturnType<typeof suite.ask>, SuiteProbe[]>>();
suite.tell(0, { t: false, u: { outcome: "pass", seconds: 1 } });
suite.tell(0, new Map([["t", false]]));
suite.observe("b", [["t", null]]);
Session.open("night.jsonl", suite).tell(0, { t: false });
// @ts-expect-error no outcome
suite.tell(0, { t: 5 });
// @ts-expect-error a search of a single test
search.tell(0, { t: false });
holds<Same<ReturnType<typeof suite.report>, TriageReport>>();
const night = readResults(["night.xml", new Uint8Array()], { runner: "pytest" });
holds<Same<typeof night, Promise<Map<string, TestResult>>>>();
const triaged = triage(graph, (revision, tests) => new Map((tests ?? []).map((id) => [id, revision < "b"])), {
  bad: "b",
  costs: { build: 10, test: 1 },
});
holds<Same<typeof triaged, Promise<TriageReport>>>();
run(suite, async (revision, tests, { probe }) => ({ [tests?.[0] ?? ""]: revision < probe.revision }));
// @ts-expect-error stores have one outcome for each revision
triage(graph, () => true, { bad: "b", store: new OutcomeStore("o.db", { oracle: "o" }) });
await using runner = new Repository(".").suiteOracle(["pytest", "{tests}"], { runner: "pytest", keepBuilds: 3 });
triage(graph, runner, { bad: "b" });
// @ts-expect-error the runner reports each test
new Repository(".").suiteOracle(["pytest"], { failPattern: "x" });
