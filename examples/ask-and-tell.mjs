// Drives a search by hand: docs/ask-and-tell.md.

import { CommitGraph, RegressionSearch } from "firstbad";

const graph = CommitGraph.linear(Array.from({ length: 64 }, (_, build) => String(build)));
const search = new RegressionSearch(graph, { bad: "63", good: "0" });
search.observe("20", true); // known already, not a run

while (!search.done) {
  for (const probe of search.ask(4)) {
    if (search.wanted(probe.id))
      search.tell(probe.id, Number(probe.revision) < 23); // your test
    else search.abandon(probe.id);
  }
}
console.log(search.status, search.report().points[0].culprit);

// Prints:
// found 23
