"""Runs other reducers on a file, with an oracle, and counts how often they ask.

Prints one JSON object per line and peer: distinct calls without the one for the whole file, total calls, and the lines
and bytes that are left. The oracle is a command; the name of a file with the lines in question is appended to it, and
exit code 0 means interesting. A peer that is not installed for this Python has no calls, `null`. First
`pip install picire lithium-reducer`; shrinkray, too, from Python 3.12 on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib import import_module, metadata
from pathlib import Path

Interesting = Callable[[Iterable[bytes]], bool]
Reducer = Callable[[list[bytes], Interesting], list[bytes]]


class Oracle:
    """Runs the command on lines put together; counts, and remembers nothing but what was asked."""

    def __init__(self, command: list[str], folder: Path, suffix: str) -> None:
        self.command = command
        self.file = folder / f"candidate{suffix}"
        self.total = 0
        self.distinct: set[bytes] = set()

    def __call__(self, lines: Iterable[bytes]) -> bool:
        content = b"".join(lines)
        self.total += 1
        self.distinct.add(hashlib.sha256(content).digest())
        self.file.write_bytes(content)
        command = [*self.command, str(self.file)]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def picire(lines: list[bytes], interesting: Interesting) -> list[bytes]:
    """As from its command line: subsets first, Zeller's split, a cache of configurations."""
    module = import_module("picire")
    outcome, cache = import_module("picire.outcome").Outcome, import_module("picire.outcome_cache").ConfigCache()

    def test(config: list[int], _config_id: object) -> object:
        return outcome.FAIL if interesting(lines[index] for index in config) else outcome.PASS

    kept = module.DD(test, cache=cache)(list(range(len(lines))))
    return [lines[index] for index in kept]


def lithium(lines: list[bytes], interesting: Interesting) -> list[bytes]:
    """Its default strategy, and the file as it is asked first, as its command line does."""
    strategy = import_module("lithium.strategies").Minimize()
    parser = argparse.ArgumentParser()
    strategy.add_args(parser)
    strategy.process_args(parser, parser.parse_args([]))
    testcase = import_module("lithium.testcases").TestcaseLine()
    testcase.parts, testcase.reducible = list(lines), [True] * len(lines)
    if not interesting(lines):
        raise ValueError("the whole file is not interesting")
    search = strategy.reduce(testcase)
    for candidate in search:
        search.feedback(interesting(candidate.parts))
    return list(search.testcase.parts)


def shrinkray(lines: list[bytes], interesting: Interesting) -> list[bytes]:
    """One worker. It edits inside lines, too."""
    trio = import_module("trio")
    work, problem = import_module("shrinkray.work"), import_module("shrinkray.problem")
    reducer = import_module("shrinkray.reducer")

    async def is_interesting(content: bytes) -> bool:
        return interesting([content])

    async def reduce() -> bytes:
        context = work.WorkContext(random=random.Random(0), parallelism=1, volume=work.Volume.quiet)
        target = problem.BasicReductionProblem(initial=b"".join(lines), is_interesting=is_interesting, work=context)
        await reducer.ShrinkRay(target=target).run()
        result: bytes = target.current_test_case
        return result

    return [trio.run(reduce)]


# The name of the package on the registry beside each.
PEERS: dict[str, tuple[str, Reducer]] = {
    "picire": ("picire", picire),
    "lithium": ("lithium-reducer", lithium),
    "shrinkray": ("shrinkray", shrinkray),
}


def measure(name: str, path: Path, command: list[str]) -> dict[str, object]:
    package, reduce = PEERS[name]
    try:
        version = metadata.version(package)
    except metadata.PackageNotFoundError:
        return {"peer": name, "calls": None}
    with tempfile.TemporaryDirectory() as folder:
        oracle = Oracle(command, Path(folder), path.suffix)
        whole = path.read_bytes()
        start = time.perf_counter()
        left = b"".join(reduce(whole.splitlines(keepends=True), oracle))
        seconds = time.perf_counter() - start
        oracle.distinct.discard(hashlib.sha256(whole).digest())
    return {
        "peer": f"{name} {version}",
        "calls": len(oracle.distinct),
        "total": oracle.total,
        "lines": len(left.splitlines()),
        "bytes": len(left),
        "seconds": round(seconds, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="the file to reduce, line by line")
    parser.add_argument("oracle", nargs="+", help="the command; exit code 0 means interesting")
    parser.add_argument("--peer", action="append", choices=list(PEERS), help="only this one (may be repeated)")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    for name in options.peer or PEERS:
        print(json.dumps(measure(name, options.file, options.oracle)))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
