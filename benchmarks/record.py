"""Records a history: the outcome of test commands at every commit of a git repository, as one JSON file.

    python benchmarks/record.py ../project project.json.gz --test 'unit=python -m pytest -x -q tests/test_a.py'

Every command runs in the top folder of a clone of its own, checked out at each commit in turn; the repository itself is
only read. Exit code 0 is `P` (pass). 125, 126, 127, death by a signal and a timeout are `U` (unresolved): what cannot
be tested has not failed. Everything else is `F` (fail). A command can bring its own tests along: it gets the full sha
as `RECORD_COMMIT` and may overwrite files of the checkout, which is cleaned before the next commit.

Commits with the same tree are tested once. Outcomes are kept beside OUTPUT until all are known, so a stopped call
continues where it was. The measurements of README.md read the file.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import hashlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

UNRESOLVED_CODES = (125, 126, 127)

# Nothing that a repository's configuration names is run.
SAFE = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "advice.detachedHead=false"]


def git(folder: Path, *arguments: str) -> str:
    """What git prints; a failure ends the program with git's words."""
    done = subprocess.run(["git", *SAFE, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"git {arguments[0]} in {folder}: {done.stderr.strip()}")
    return done.stdout


@dataclass(frozen=True)
class Commit:
    """A commit as git has it."""

    sha: str
    tree: str
    time: int
    parents: tuple[str, ...]


def read_commits(repository: Path, tips: Sequence[str], exclude: Sequence[str]) -> list[Commit]:
    """What is reachable from the tips and not from the excluded revisions, parents first."""
    revisions = [*tips, *(f"^{revision}" for revision in exclude), "--"]
    lines = git(repository, "log", "--topo-order", "--reverse", "--format=%H %T %ct %P", *revisions).splitlines()
    commits = []
    for line in lines:
        sha, tree, time, *parents = line.split()
        commits.append(Commit(sha, tree, int(time), tuple(parents)))
    return commits


def read_tips(repository: Path, wanted: Sequence[str]) -> list[tuple[str, str]]:
    """`(ref, sha)` of the revisions asked for; without any, `HEAD` and all branches, remote ones too."""
    if wanted:
        return [(name, git(repository, "rev-parse", "--verify", f"{name}^{{commit}}").strip()) for name in wanted]
    refs = git(repository, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/remotes")
    branches = [(line.split()[0], line.split()[1]) for line in refs.splitlines()]
    return [("HEAD", git(repository, "rev-parse", "HEAD").strip()), *branches]


class Runner:
    """Clones of a repository, one per job, in which commands are run."""

    def __init__(self, repository: Path, folder: Path, jobs: int, timeout: float) -> None:
        self.timeout = timeout
        self.stopped = threading.Event()
        self.clones: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for job in range(jobs):
            clone = folder / f"clone-{job}"
            git(folder, "clone", "--quiet", "--shared", "--no-checkout", str(repository), str(clone))
            self.clones.put(clone)

    def outcomes(self, sha: str, commands: Iterable[str]) -> str:
        """One letter per command."""
        clone = self.clones.get()
        try:
            letters = ""
            for command in commands:
                if self.stopped.is_set():
                    return ""
                git(clone, "checkout", "--quiet", "--force", "--detach", sha)
                git(clone, "clean", "--quiet", "-ffdx")
                letters += self.run(clone, sha, command)
            return letters
        finally:
            self.clones.put(clone)

    def run(self, clone: Path, sha: str, command: str) -> str:
        """P, F or U; the whole process group ends with the command."""
        process = subprocess.Popen(
            command,
            shell=True,
            cwd=clone,
            env={**os.environ, "RECORD_COMMIT": sha},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if code == 0:
            return "P"
        return "U" if code is None or code < 0 or code in UNRESOLVED_CODES else "F"


class Known:
    """Outcomes by tree and commands, kept in a file."""

    def __init__(self, path: Path, commands: Sequence[str]) -> None:
        self.path = path
        self.digest = hashlib.sha256("\0".join(commands).encode()).hexdigest()[:16]
        lines = path.read_text().splitlines() if path.exists() else []
        # The last line of a stopped call can be cut off.
        parts = [line.split() for line in lines if line.count(" ") == 2]
        self.letters = {
            tree: letters for digest, tree, letters in parts if digest == self.digest and len(letters) == len(commands)
        }

    def add(self, tree: str, letters: str) -> None:
        self.letters[tree] = letters
        with self.path.open("a") as file:
            file.write(f"{self.digest} {tree} {letters}\n")


def run_all(runner: Runner, commits: Sequence[Commit], commands: Sequence[str], jobs: int, known: Known) -> list[str]:
    """One string per command, with one letter per commit."""
    first_with: dict[str, str] = {}
    for commit in commits:
        first_with.setdefault(commit.tree, commit.sha)
    trees = {tree: sha for tree, sha in first_with.items() if tree not in known.letters}
    step = 1 if sys.stderr.isatty() else max(1, len(first_with) // 10)
    with ThreadPoolExecutor(jobs) as pool:
        futures = {tree: pool.submit(runner.outcomes, sha, commands) for tree, sha in trees.items()}
        try:
            for tree, future in futures.items():
                known.add(tree, future.result())
                if len(known.letters) % step == 0:
                    end = "\r" if sys.stderr.isatty() else "\n"
                    print(f"{len(known.letters)} of {len(first_with)} trees", end=end, file=sys.stderr, flush=True)
        except BaseException:
            runner.stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return ["".join(known.letters[commit.tree][place] for commit in commits) for place in range(len(commands))]


def reached(parents: Sequence[Sequence[int]], outcomes: str, letter: str) -> list[bool]:
    """For each commit, whether a proper ancestor has this outcome."""
    result: list[bool] = []
    for mine in parents:
        result.append(any(outcomes[parent] == letter or result[parent] for parent in mine))
    return result


def describe(name: str, outcomes: str, parents: Sequence[Sequence[int]], tips: Iterable[int]) -> dict[str, object]:
    """A test as the file has it."""
    passed, failed = reached(parents, outcomes, "P"), reached(parents, outcomes, "F")
    breaks = any(letter == "F" and before for letter, before in zip(outcomes, passed, strict=True))
    repairs = any(letter == "P" and before for letter, before in zip(outcomes, failed, strict=True))
    kinds = {(True, True): "nonmonotone", (True, False): "good_to_bad", (False, True): "bad_to_good"}
    edges = sum(outcomes[u] == "P" and outcomes[v] == "F" for v, mine in enumerate(parents) for u in mine)
    return {
        "name": name,
        "count": 1,
        "also_from": [],
        "outcomes": outcomes,
        "regression_edges": edges,
        "kind": kinds.get((breaks, repairs), "unrelated"),
        "counts": [outcomes.count(letter) for letter in "PFU"],
        "bad_leaves": sum(outcomes[tip] == "F" and passed[tip] for tip in set(tips)),
    }


def record(options: argparse.Namespace) -> dict[str, object]:
    """The whole file."""
    repository = Path(git(options.repository, "rev-parse", "--absolute-git-dir").strip())
    tips = read_tips(repository, options.tip)
    excluded = [git(repository, "rev-parse", "--verify", f"{name}^{{commit}}").strip() for name in options.exclude]
    commits = read_commits(repository, [sha for _, sha in tips], excluded)
    place = {commit.sha: index for index, commit in enumerate(commits)}
    parents = [[place[parent] for parent in commit.parents if parent in place] for commit in commits]
    tip_indices = [(place[sha], ref) for ref, sha in tips if sha in place]
    named = [text.partition("=")[::2] if "=" in text.split()[0] else (text, text) for text in options.test]

    folder = Path(tempfile.mkdtemp(prefix="record-"))
    try:
        runner = Runner(repository, folder, options.jobs, options.timeout)
        commands = [command for _, command in named]
        known = Known(options.output.with_suffix(".outcomes"), commands)
        letters = run_all(runner, commits, commands, options.jobs, known)
    finally:
        shutil.rmtree(folder, ignore_errors=True)

    head = tips[0][1]
    tests: dict[str, dict[str, object]] = {}
    for (name, _), outcomes in zip(named, letters, strict=True):
        # Tests with the same outcomes everywhere are one validity function.
        if outcomes in tests:
            tests[outcomes]["count"] = int(str(tests[outcomes]["count"])) + 1
        else:
            test = describe(name, outcomes, parents, [index for index, _ in tip_indices])
            tests[outcomes] = {**test, "tests_from": head[:12], "tests_from_index": place.get(head)}
    groups: dict[str, int] = {}
    return {
        "repo": options.name or options.repository.resolve().name,
        "head": head,
        "window_excludes_ancestors_of": " ".join(excluded) or None,
        "tips": [{"index": index, "ref": ref} for index, ref in tip_indices],
        "commits": [
            {"id": commit.sha[:12], "parents": mine, "time": commit.time}
            for commit, mine in zip(commits, parents, strict=True)
        ],
        "source_group": [groups.setdefault(commit.tree, len(groups)) for commit in commits],
        "tests": list(tests.values()),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path, help="a git repository")
    parser.add_argument("output", type=Path, help="the file to write: NAME.json.gz")
    parser.add_argument("--test", action="append", required=True, metavar="[NAME=]CMD", help="a shell command; repeat")
    parser.add_argument("--tip", action="append", default=[], metavar="REV", help="where to start; repeat")
    parser.add_argument("--exclude", action="append", default=[], metavar="REV", help="leave out its ancestors; repeat")
    parser.add_argument("--name", help="how the project is called: owner/name")
    parser.add_argument("--jobs", type=int, default=1, help="commits tested side by side")
    parser.add_argument("--timeout", type=float, default=600, help="seconds per command and commit")
    options = parser.parse_args()
    history = record(options)
    with gzip.GzipFile(options.output, "wb", mtime=0) as file:
        file.write(json.dumps(history, separators=(",", ":")).encode())
    options.output.with_suffix(".outcomes").unlink(missing_ok=True)


if __name__ == "__main__":
    main()
