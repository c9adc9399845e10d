// What the type declarations promise; compiled, never run.
import {
  type Answer,
  type CommandOracle,
  CommitGraph,
  FirstbadError,
  findRegressions,
  type Observation,
  type Probe,
  type RegressionReport,
  RegressionSearch,
  Repository,
  Retry,
  run,
  type Status,
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

const search = new RegressionSearch(graph, { bad: ["b"], good: "a", search: "linear", verifyEnds: true });
holds<Same<ReturnType<typeof search.ask>, Probe[]>>();
holds<Same<typeof search.status, Status>>();
search.tell(0, true);
search.tell(0, { outcome: "fail", signature: "E42", signals: { any: "json" } });
// @ts-expect-error no outcome
search.tell(0, "passed");
// @ts-expect-error no outcome
search.tell(0, { note: "x" });
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
// @ts-expect-error journals are for later
findRegressions(graph, () => true, { bad: "b", journal: "run.jsonl" });
const driven = run(search, (): Answer => "pass", { jobs: 2 });
holds<Same<typeof driven, Promise<RegressionReport>>>();
const restored = RegressionSearch.restore(graph, search.snapshot());
holds<Same<typeof restored, RegressionSearch>>();

const repository = Repository.open(".");
const oracle: CommandOracle = repository.commandOracle(["true"], { timeout: 1, exitCodes: { 3: "unresolved" } });
const observed: Promise<Observation> = oracle("main", { signal: AbortSignal.timeout(9) });
findRegressions(repository.graph(["main"]), oracle, { bad: "main" });
const closed: Promise<void> = oracle[Symbol.asyncDispose]();

const error: Error = new FirstbadError("git", "words");
const retry: Error = new Retry("words", { cause: error });

export { closed, observed, retry };
