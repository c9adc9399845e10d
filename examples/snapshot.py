"""Continues a search from its snapshot: docs/journals-and-stores.md."""

import firstbad as fb

graph = fb.CommitGraph.linear([str(build) for build in range(1000)])
search = fb.CulpritSearch(graph, bad="999", good="0", flake_rate=0.1)
fb.run(search, lambda build: int(build) < 700, budget=6)

search = fb.CulpritSearch.restore(graph, search.snapshot())
print(fb.run(search, lambda build: int(build) < 700, budget=100).culprit)

# Prints:
# 700
