"""Measures the reducers of firstbad, picire, lithium, shrinkray, and C-Vise on the same files with the same oracles.

Writes reducers.csv. Each reducer runs in a process of its own, without parallelism and with its default settings. One
counter in front of every oracle counts calls. A reducer stops after ten times the calls of firstbad by outline, and its
result is then the smallest interesting content that it had asked about. Processor time is without the oracle and
without imports. The oracle of the C file starts a compiler. For C-Vise, the time has the start of a shell for each
call. C-Vise and shrinkray edit within lines. A reducer that is not installed has empty figures.
"""

from __future__ import annotations

import argparse
import csv
import ctypes
import hashlib
import json
import logging
import os
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from reduction.oracles import FILES, HERE
from shared import directory

TIMES = 10
COLUMNS = ("calls", "total", "stopped", "lines", "bytes", "cpu_us_per_call", "peak_mib")
GRAMMARS = {".json": "json", ".py": "python", ".js": "javascript"}
SUBREAPER = 36
"""The option of `prctl` that makes orphans of a child processes ours."""


class Stopped(BaseException):
    """Too many calls. Not an `Exception`, because reducers catch those."""


def used() -> float:
    """Returns the processor time of this process and its finished children."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class Oracle:
    """Counts the calls of a judge, and stops a reducer that calls too often.

    Attributes:
        total: All calls.
        stopped: Whether the reducer exceeded the limit.
        best: The smallest interesting content of any call.
        used: The processor time of the judge.
        peak: The peak memory in KiB of a reducer that is another process.
    """

    def __init__(self, judge: Callable[[bytes], bool], whole: bytes, limit: int | None) -> None:
        self.judge, self.whole, self.limit = judge, whole, limit
        self.total, self.stopped, self.best, self.used, self.peak = 0, False, whole, 0.0, 0
        self._asked: set[bytes] = set()

    @property
    def calls(self) -> int:
        """How many different contents there were, without the whole file."""
        return len(self._asked)

    def __call__(self, content: bytes) -> bool:
        start = used()
        digest = hashlib.sha256(content).digest()
        if content != self.whole and digest not in self._asked:
            if self.calls == self.limit:
                self.stopped = True
                raise Stopped
            self._asked.add(digest)
        self.total += 1
        answer = self.judge(content)
        if answer and len(content) < len(self.best):
            self.best = content
        self.used += used() - start
        return answer


def by_outline(whole: bytes, suffix: str, interesting: Oracle) -> bytes:
    text, language = whole.decode(), GRAMMARS.get(suffix)
    reduce = import_module("firstbad").minimize_text
    return str(reduce(text, lambda kept: interesting(kept.encode()), language=language).items).encode()


def whole_lines(whole: bytes, _suffix: str, interesting: Oracle) -> bytes:
    reduce = import_module("firstbad").minimize
    return b"".join(reduce(whole.splitlines(keepends=True), lambda kept: interesting(b"".join(kept))).items)


def picire(whole: bytes, _suffix: str, interesting: Oracle) -> bytes:
    """As its command line does: subsets first, Zeller's split, a cache of configurations."""
    lines = whole.splitlines(keepends=True)
    outcome, cache = import_module("picire.outcome").Outcome, import_module("picire.outcome_cache").ConfigCache()

    def content(config: list[int]) -> bytes:
        return b"".join(lines[index] for index in config)

    def test(config: list[int], _config_id: object) -> object:
        return outcome.FAIL if interesting(content(config)) else outcome.PASS

    return content(import_module("picire").DD(test, cache=cache)(list(range(len(lines)))))


def lithium(whole: bytes, _suffix: str, interesting: Oracle) -> bytes:
    """As its command line does: the default strategy, after a check of the whole file."""
    strategy = import_module("lithium.strategies").Minimize()
    parser = argparse.ArgumentParser()
    strategy.add_args(parser)
    strategy.process_args(parser, parser.parse_args([]))
    case = import_module("lithium.testcases").TestcaseLine()
    case.parts = whole.splitlines(keepends=True)
    case.reducible = [True] * len(case.parts)
    interesting(whole)
    search = strategy.reduce(case)
    for candidate in search:
        search.feedback(interesting(b"".join(candidate.parts)))
    return b"".join(search.testcase.parts)


class CallClock:
    """A clock of trio by which a call takes 20 ms, as with a test that starts a process.

    shrinkray gives up a pass without success after five seconds, so by a real clock its result differs in each run.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle, self.waited = oracle, 0.0
        self.since: float | None = None

    def start_clock(self) -> None:
        pass

    def current_time(self) -> float:
        if self.since is not None:
            self.waited += time.monotonic() - self.since
            self.since = None
        return self.oracle.total / 50 + self.waited

    def deadline_to_sleep_time(self, deadline: float) -> float:
        left = deadline - self.current_time()
        self.since = time.monotonic()
        return left


def shrinkray(whole: bytes, suffix: str, interesting: Oracle) -> bytes:
    """As its command line does, without the grammars that it would download."""
    trio = import_module("trio")
    work, problem, reducer = (import_module(f"shrinkray.{name}") for name in ("work", "problem", "reducer"))
    trio._core._run._r.seed(0)  # the order of tasks

    async def is_interesting(content: bytes) -> bool:
        return interesting(content)

    async def reduce() -> bytes:
        context = work.WorkContext(random=random.Random(0), parallelism=1, volume=work.Volume.quiet)
        target = problem.BasicReductionProblem(initial=whole, is_interesting=is_interesting, work=context)
        ray = reducer.ShrinkRay(target=target)
        ray.enable_cpp_passes = suffix == ".c"
        await ray.run()
        return bytes(target.current_test_case)

    return bytes(trio.run(reduce, clock=CallClock(interesting)))


def cvise(whole: bytes, suffix: str, interesting: Oracle) -> bytes:
    """Its test asks this process through pipes, and waits for the answer."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file, test, asked, told, said = (folder / one for one in (f"case{suffix}", "test.sh", "asked", "told", "said"))
        file.write_bytes(whole)
        test.write_text(f'#!/bin/sh\necho "$PWD" > {asked}\nread answer < {told}\nexit "$answer"\n')
        test.chmod(0o755)
        for pipe in (asked, told):
            os.mkfifo(pipe)
        questions, answers = (os.open(pipe, os.O_RDWR) for pipe in (asked, told))
        command = ["cvise", "--n", "1", "--tidy", *(() if suffix == ".c" else ("--not-c",)), str(test), file.name]
        ctypes.CDLL(None).prctl(SUBREAPER, 1)
        with said.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, "TMPDIR": name},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
                if select.select([questions], [], [], 0.05)[0]:
                    place = Path(os.read(questions, 4096).decode().strip())
                    os.write(answers, b"0\n" if interesting((place / file.name).read_bytes()) else b"1\n")
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            ended = os.wait4(process.pid, 0)
            raise
        finally:
            process.returncode = os.waitstatus_to_exitcode(ended[1])
            interesting.peak = ended[2].ru_maxrss
            reap(process.pid)
        if process.returncode != 0:
            raise RuntimeError(f"cvise ended with {process.returncode}: {said.read_text(errors='replace')[-500:]}")
        return file.read_bytes()


def reap(group: int) -> None:
    """Waits for the orphans of a process, so that their processor time counts."""
    while True:
        try:
            os.waitpid(-group, 0)
        except ChildProcessError:
            return


def cvise_version() -> str | None:
    if shutil.which("cvise") is None:
        return None
    return subprocess.run(["cvise", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]


def package_version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


@dataclass(frozen=True)
class Tool:
    """A reducer, its command as a user would type it, and modules to import before the clock starts."""

    command: str
    version: Callable[[], str | None]
    reduce: Callable[[bytes, str, Oracle], bytes]
    modules: tuple[str, ...] = ()
    ours: bool = False


OWN = partial(package_version, "firstbad")
TOOLS = {
    "firstbad": Tool("firstbad minimize FILE", OWN, by_outline, ("firstbad",), ours=True),
    "firstbad, whole lines": Tool("firstbad minimize --items lines FILE", OWN, whole_lines, ("firstbad",), ours=True),
    "picire": Tool("picire", partial(package_version, "picire"), picire, ("picire.outcome_cache",)),
    "lithium": Tool(
        "lithium", partial(package_version, "lithium-reducer"), lithium, ("lithium.strategies", "lithium.testcases")
    ),
    "shrinkray": Tool(
        "shrinkray --parallelism 1", partial(package_version, "shrinkray"), shrinkray, ("trio", "shrinkray.reducer")
    ),
    "C-Vise": Tool("cvise --n 1", cvise_version, cvise),
}


def measure(name: str, whole: bytes, suffix: str, judge: Callable[[bytes], bool], limit: int | None) -> dict[str, Any]:
    """Runs a reducer in this process. An error of the reducer is printed, and leaves the figures empty."""
    tool = TOOLS[name]
    version = tool.version()
    if version is None:
        return {}
    oracle = Oracle(judge, whole, limit)
    logging.disable(logging.CRITICAL)
    try:
        for module in tool.modules:
            import_module(module)
        start = used()
        left = tool.reduce(whole, suffix, oracle)
    except BaseException as error:  # Stopped may be in a group of exceptions
        if not oracle.stopped:
            print(f"{name} {version}, {suffix}: {type(error).__name__}: {error}", file=sys.stderr)
            if not isinstance(error, Exception):
                raise
            return {"version": version}
        left = oracle.best
    spent = used() - start - oracle.used
    peak = oracle.peak or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if not judge(left):
        print(f"{name} {version}, {suffix}: the result is not interesting", file=sys.stderr)
        return {"version": version}
    figures = (oracle.calls, oracle.total, int(oracle.stopped), len(left.splitlines()), len(left))
    figures += (round(1e6 * spent / oracle.total), round(peak / 1024, 1))
    return {"version": version, **dict(zip(COLUMNS, figures, strict=True))}


def measured(name: str, file: str, path: Path, limit: int | None, peers: Path) -> dict[str, Any]:
    """Measures a reducer in a new process, by the Python of the environment that has it."""
    tool = TOOLS[name]
    python = Path(sys.executable) if tool.ours or tool.version is cvise_version else peers / "bin" / "python"
    row = {"file": file, "language": FILES[file].language, "tool": name, "command": tool.command}
    if not python.exists():
        return row
    command = [str(python), __file__, "--one", name, file, str(path), str(limit or 0)]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return {**row, **json.loads(done.stdout)}


def rows_of(file: str, path: Path, peers: Path) -> list[dict[str, Any]]:
    """Measures all reducers on a file. The first is firstbad by outline, which sets the limit of the others."""
    rows: list[dict[str, Any]] = []
    for name in TOOLS:
        limit = None if TOOLS[name].ours else TIMES * rows[0]["calls"]
        rows.append(measured(name, file, path, limit, peers))
    return rows


def placed(data: Path | None, folder: Path) -> dict[str, Path]:
    """Returns the paths of the files. Those of projects that are not in the data are left out."""
    found = {}
    for name, file in FILES.items():
        if not file.project:
            found[name] = HERE / name
        elif data is not None and (source := directory(data / "repositories", file.project)):
            command = ["git", "-C", str(source), "cat-file", "blob", f"{file.commit}:{file.path}"]
            found[name] = folder / name
            found[name].write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="a folder with repositories/")
    parser.add_argument("--to", type=Path, default=here / "data", metavar="FOLDER", help="where reducers.csv goes")
    parser.add_argument("--peers", type=Path, default=here.parent / "target" / "peers", help="a virtual environment")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        name, file, path, limit = options.one
        print(
            json.dumps(measure(name, Path(path).read_bytes(), Path(file).suffix, FILES[file].judge, int(limit) or None))
        )
        return
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        files = placed(options.data, Path(folder))
        found = list(pool.map(lambda file: rows_of(*file, options.peers), files.items()))
    options.to.mkdir(parents=True, exist_ok=True)
    with (options.to / "reducers.csv").open("w", newline="") as output:
        writer = csv.DictWriter(
            output, ["file", "language", "tool", "version", "command", *COLUMNS], lineterminator="\n"
        )
        writer.writeheader()
        writer.writerows(row for rows in found for row in rows)


if __name__ == "__main__":
    main()
