// Asks for revisions in one process and tells their outcomes in another one: docs/ask-and-tell.md.

import { CommitGraph, RegressionSearch, run, Session } from "firstbad";

const graph = CommitGraph.linear(Array.from({ length: 1000 }, (_, build) => String(build)));
const opened = () => Session.open("builds.jsonl", new RegressionSearch(graph, { bad: "999", good: "0" }), { wait: 60 });

const monday = opened(); // one job: ask for two builds, for an hour
const [first, second] = monday.ask(2, { lease: 3600 });
monday.tell(first.id, Number(first.revision) < 700);
monday.close();

const tuesday = opened(); // a later job: correct the outcome, then run the rest
tuesday.undo(1);
tuesday.tell(first.id, { outcome: Number(first.revision) < 700 ? "pass" : "fail", note: "run again" });
console.log(tuesday.resumed, tuesday.inFlight[0].id === second.id);
console.log((await run(tuesday, (build) => Number(build) < 700)).points[0].culprit);
tuesday.close();

// Prints:
// true true
// 700
