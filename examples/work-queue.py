"""Tests builds on the workers of a queue: docs/jobs-elsewhere.md."""

import asyncio

import firstbad as fb

queue: asyncio.Queue = asyncio.Queue()  # replace with your queue


async def worker() -> None:  # replace with your workers
    """Tests builds from the queue."""
    while True:
        build, outcome = await queue.get()
        outcome.set_result(int(build) < 640)


async def oracle(build: str) -> bool:
    """Sends a build to the queue and waits for the outcome."""
    outcome = asyncio.get_running_loop().create_future()
    await queue.put((build, outcome))
    return await outcome  # raise fb.Retry if the worker failed


async def main() -> None:
    """Searches with four workers."""
    workers = asyncio.gather(*(worker() for _ in range(4)))
    graph = fb.CommitGraph.linear([str(build) for build in range(1000)])
    report = await fb.find_regressions_async(graph, oracle, bad="999", good="0", jobs=4)
    print(report.points[0].culprit)
    workers.cancel()


asyncio.run(main())

# Prints:
# 640
