"""Starts a process for each version, and stops it if the search no longer needs it: docs/write-an-oracle.md."""

import asyncio

import firstbad as fb


async def oracle(version: str) -> bool:
    """Passes at all versions except 1.3."""
    process = await asyncio.create_subprocess_exec("test", version, "!=", "1.3")
    return await process.wait() == 0


graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
report = asyncio.run(fb.find_regressions_async(graph, oracle, bad="1.3", good="1.0"))
print(report.points[0].culprit)

# Prints:
# 1.3
