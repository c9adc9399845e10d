// A search that reads content between tests, which the core provides only for tests.
import { createRequire } from "node:module";
import { fb, packageFile } from "./support.mjs";

const { BindingSearch } = createRequire(packageFile)("./dist/binding.js");

/** Finds the part of each revision's changes that breaks its parent. */
export class WalkBack extends fb.Search {
  constructor(graph, configuration) {
    super(BindingSearch.open("walk_back", fb.CommitGraph.bindingOf(graph), JSON.stringify(configuration)));
  }

  reportOf(binding) {
    return JSON.parse(binding.report());
  }

  subject(probe) {
    return probe;
  }
}

/** A walk over two revisions. */
export const walk = () => new WalkBack(fb.CommitGraph.linear(["r0", "r1", "r2"]), { start: "r2", steps: 2 });

/** Two lines that are new in every revision. */
export function patch({ to }) {
  const text = `diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,0 +1,2 @@\n+${to} one\n+${to} two\n`;
  return new TextEncoder().encode(text);
}

/** The second line breaks r1. An empty set is known without a run. */
export function breaks({ revision, changes }) {
  if (changes.length === 0) return { outcome: "pass", ran: false };
  return !(revision === "r1" && changes.includes(1));
}
