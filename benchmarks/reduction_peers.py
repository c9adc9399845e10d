"""Runs reducers on a file, with an oracle, and counts how often they ask.

Prints one JSON object per line and reducer: distinct calls without the one for the whole file, total calls, and the
lines and bytes that are left. The oracle is a command; the name of a file with the content in question is appended to
it, and exit code 0 means interesting. With `--most-calls` a reducer is stopped where it would ask one more; it is told
as "stopped" then, with the smallest interesting content that it had asked about. What is not installed for this Python
has no calls, `null`; benchmarks/README.md says what to install. Without `--peer` this project's reducers are left out.
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
from dataclasses import dataclass
from functools import partial
from importlib import import_module, metadata
from pathlib import Path

import reduction_cvise


class Stopped(BaseException):
    """A reducer has asked as often as it may; not an `Exception`, which reducers catch."""


class Answers:
    """What one oracle said before, by the digest of what it was asked; kept in a file, if there is one.

    The file has to go if the oracle changes.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.known: dict[str, bool] = {}
        if path is not None and path.exists():
            self.known = {line[:-2]: line.endswith("1") for line in path.read_text().splitlines()}

    def add(self, digest: str, answer: bool) -> None:
        self.known[digest] = answer
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(f"{digest} {answer:d}\n")


def runs(command: list[str]) -> Callable[[Path], bool]:
    """Judges a file by the exit code of a command, to which its name is appended."""

    def judge(file: Path) -> bool:
        words = [*command, str(file)]
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0

    return judge


class Oracle:
    """Has lines judged that are put together, counts, and ends a reducer that asks too often.

    Attributes:
        total: How often it was asked, the same content again and the whole file included.
        stopped: Whether it was asked more often than it may be.
        best: The smallest interesting content that it was asked about; the whole one before that.
        progress: After how many calls there were how many bytes of it, from the whole file on.
    """

    def __init__(
        self, judge: Callable[[Path], bool], file: Path, whole: bytes, most_calls: int | None, answers: Answers
    ) -> None:
        self.judge, self.file, self.whole = judge, file, whole
        self.most_calls, self.answers = most_calls, answers
        self.total = 0
        self.stopped = False
        self.best = whole
        self.progress = [(0, len(whole))]
        self._asked: set[str] = set()

    @property
    def calls(self) -> int:
        """How many different contents it was asked about, the whole file not counted."""
        return len(self._asked)

    def __call__(self, lines: Iterable[bytes]) -> bool:
        content = b"".join(lines)
        digest = hashlib.sha256(content).hexdigest()
        if content != self.whole and digest not in self._asked:
            if self.calls == self.most_calls:
                self.stopped = True
                raise Stopped
            self._asked.add(digest)
        self.total += 1
        answer = self.answers.known.get(digest)
        if answer is None:
            self.file.write_bytes(content)
            answer = self.judge(self.file)
            self.answers.add(digest, answer)
        if answer and len(content) < len(self.best):
            self.best = content
            self.progress.append((self.calls, len(content)))
        return answer


def picire(lines: list[bytes], interesting: Oracle) -> bytes:
    """As from its command line: subsets first, Zeller's split, a cache of configurations."""
    module = import_module("picire")
    outcome, cache = import_module("picire.outcome").Outcome, import_module("picire.outcome_cache").ConfigCache()

    def test(config: list[int], _config_id: object) -> object:
        return outcome.FAIL if interesting(lines[index] for index in config) else outcome.PASS

    kept = module.DD(test, cache=cache)(list(range(len(lines))))
    return b"".join(lines[index] for index in kept)


def lithium(lines: list[bytes], interesting: Oracle) -> bytes:
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
    return b"".join(search.testcase.parts)


def shrinkray(lines: list[bytes], interesting: Oracle) -> bytes:
    """One worker, and for C what its command line adds. It edits inside lines, too."""
    trio = import_module("trio")
    work, problem = import_module("shrinkray.work"), import_module("shrinkray.problem")
    reducer = import_module("shrinkray.reducer")

    async def is_interesting(content: bytes) -> bool:
        return interesting([content])

    async def reduce() -> bytes:
        context = work.WorkContext(random=random.Random(0), parallelism=1, volume=work.Volume.quiet)
        target = problem.BasicReductionProblem(initial=b"".join(lines), is_interesting=is_interesting, work=context)
        ray = reducer.ShrinkRay(target=target)
        ray.enable_cpp_passes = interesting.file.suffix == ".c"
        await ray.run()
        result: bytes = target.current_test_case
        return result

    result: bytes = trio.run(reduce)
    return result


def cvise(lines: list[bytes], interesting: Oracle) -> bytes:
    """One worker; for anything but C without the passes for C. It edits inside lines, too."""
    return reduction_cvise.reduced(b"".join(lines), interesting.file.suffix, lambda content: interesting([content]))


# Languages with a grammar in the packages, by the end of a file's name.
GRAMMARS = {".json": "json", ".py": "python", ".js": "javascript"}


def by_outline(lines: list[bytes], interesting: Oracle, *, fine: bool = False) -> bytes:
    """This project's, as its command line takes a file: nothing is asked about that does not parse."""
    text = b"".join(lines).decode()
    reduce = import_module("firstbad").minimize_text
    language = GRAMMARS.get(interesting.file.suffix)
    found: str = reduce(text, lambda kept: interesting([kept.encode()]), fine=fine, language=language).items
    return found.encode()


def whole_lines(lines: list[bytes], interesting: Oracle) -> bytes:
    """This project's, with the lines as items: it leaves whole lines out, as lithium and picire do."""
    found: list[bytes] = import_module("firstbad").minimize(lines, interesting).items
    return b"".join(found)


def installed(package: str) -> Callable[[], str | None]:
    """Finds the version of a package, None without it."""

    def version() -> str | None:
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            return None

    return version


def own_version() -> str | None:
    try:
        version: str = import_module("firstbad").__version__
    except ImportError:
        return None
    return version


@dataclass(frozen=True)
class Reducer:
    """How to find out its version (None if it is not there), and how to run it."""

    version: Callable[[], str | None]
    reduce: Callable[[list[bytes], Oracle], bytes]


OURS = {
    "firstbad by outline": Reducer(own_version, by_outline),
    "firstbad fine": Reducer(own_version, partial(by_outline, fine=True)),
    "firstbad lines": Reducer(own_version, whole_lines),
}
PEERS = {
    "picire": Reducer(installed("picire"), picire),
    "lithium": Reducer(installed("lithium-reducer"), lithium),
    "shrinkray": Reducer(installed("shrinkray"), shrinkray),
    "C-Vise": Reducer(reduction_cvise.version, cvise),
}


@dataclass(frozen=True)
class Row:
    """What a reducer did with a file.

    Attributes:
        peer: Its name, with its version.
        calls: Distinct ones without the whole file; None if the reducer is not there or broke down.
        stopped: Whether it wanted to ask more often than it may.
        total: How often it asked.
        lines: How many lines are left.
        bytes: How many bytes are left.
        seconds: How long it took; what the oracle said before takes none of it.
        progress: After how many calls the smallest interesting content so far had how many bytes.
    """

    peer: str
    calls: int | None = None
    stopped: bool = False
    total: int = 0
    lines: int = 0
    bytes: int = 0
    seconds: float = 0.0
    progress: tuple[tuple[int, int], ...] = ()

    def bytes_after(self, calls: int) -> int:
        """Of the smallest interesting content within so many calls."""
        return min(length for asked, length in self.progress if asked <= calls)


def measure(
    name: str, path: Path, judge: Callable[[Path], bool], most_calls: int | None = None, answers: Answers | None = None
) -> Row:
    """Runs a reducer on a file; what it raises is told on stderr, and it has no calls."""
    reducer = {**OURS, **PEERS}[name]
    version = reducer.version()
    if version is None:
        return Row(name)
    peer = f"{name} {version}"
    with tempfile.TemporaryDirectory() as folder:
        whole = path.read_bytes()
        candidate = Path(folder) / f"candidate{path.suffix}"
        oracle = Oracle(judge, candidate, whole, most_calls, Answers() if answers is None else answers)
        start = time.perf_counter()
        try:
            left = reducer.reduce(whole.splitlines(keepends=True), oracle)
        except BaseException as error:  # a Stopped may come in a group
            if not oracle.stopped and not isinstance(error, Exception):
                raise
            if not oracle.stopped:
                print(f"{peer}, {path.name}: {type(error).__name__}: {error}", file=sys.stderr)
                return Row(peer)
            left = oracle.best
        seconds = round(time.perf_counter() - start, 2)
    figures = (oracle.calls, oracle.stopped, oracle.total, len(left.splitlines()), len(left), seconds)
    return Row(peer, *figures, tuple(oracle.progress))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="the file to reduce")
    parser.add_argument("oracle", nargs="+", help="the command; exit code 0 means interesting")
    parser.add_argument("--peer", action="append", choices=[*OURS, *PEERS], help="only this one (may be repeated)")
    parser.add_argument("--most-calls", type=int, metavar="N", help="stop each after N distinct calls")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    for name in options.peer or PEERS:
        row = measure(name, options.file, runs(options.oracle), options.most_calls)
        print(json.dumps(vars(row)))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
