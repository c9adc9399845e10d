"""`firstbad run` beside `git bisect run`, on the same questions in public repositories.

python beside_git.py NAME=REPOSITORY ... [--firstbad PROGRAM] [--folder FOLDER] prints tables and targets as Markdown.
A REPOSITORY is a git directory or a clone; each is cloned into FOLDER (with borrowed objects), and nothing is written
into it.

A question is a commit of the last SPAN ones that adds a line to a file, drawn with a seed, and a test that looks for
that line, so that nothing has to be built. With --before PROGRAM only the trivial test is timed, of git, that program
and ours. With stretches the test exits with 125 at runs of neighbouring commits, drawn too. What is timed is timed in
turns, git and ours, and ratios are medians: other work on the machine slows both.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

TEST = """\
echo >> "$COUNT"
if [ "$SKIPPED" ] && grep -q "$(git rev-parse HEAD)" "$SKIPPED"; then exit 125; fi
sleep "$SECONDS_EACH"
if grep -qF -e "$LINE" "$FILE" 2> /dev/null; then exit 1; fi
exit 0
"""

BISECT = """\
git bisect start "$BAD" "$GOOD" || exit
git bisect run sh "$TEST"
git rev-parse refs/bisect/bad > "$ANSWER"
git bisect reset
"""

# Share of the suspects that cannot be tested, and how many runs of neighbours they make.
SKIPPED, STRETCHES = 0.4, 6


@dataclass
class Question:
    """A commit to be found, between two ends."""

    repository: str
    good: str
    bad: str
    culprit: str
    file: str
    line: str
    suspects: int
    skipped: list[str] = field(default_factory=list)


@dataclass
class Found:
    """What one search came to."""

    culprit: str
    runs: int
    seconds: float


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, encoding="utf-8", errors="replace"
    ).stdout


def cloned(source: Path, folder: Path) -> Path:
    if not folder.exists():
        subprocess.run(["git", "clone", "--quiet", "--shared", source, folder], check=True)
    return folder


def added_lines(diff: str) -> Iterable[tuple[str, str]]:
    """Files and lines that a diff adds, those that are long enough to be alone of their kind."""
    file = ""
    for line in diff.splitlines():
        if line.startswith("+++ "):
            file = line[6:] if line.startswith("+++ b/") else ""
        elif line.startswith("+") and file and re.fullmatch(r"[\x20-\x7e]{24,120}", line[1:].strip()):
            yield file, line[1:].strip()


def question(
    name: str, clone: Path, good: str, bad: str, culprit: str, suspects: int, draw: random.Random
) -> Question | None:
    """What a commit can be asked by; None if it adds no line that came once and stayed."""
    diff = git(clone, "show", "--no-renames", "--unified=0", "--format=", culprit)
    lines = list(added_lines(diff))
    draw.shuffle(lines)
    for file, line in lines[:5]:
        if (
            file.startswith('"')
            or subprocess.run(
                ["git", "grep", "-qF", "-e", line, bad, "--", f":(literal){file}"],
                cwd=clone,
                check=False,
                capture_output=True,
            ).returncode
        ):
            continue
        history = ["--format=%H", "--full-history", "--no-merges", f"{good}..{bad}", "--", f":(literal){file}"]
        changed = git(clone, "log", "-S", line, *history)
        if set(changed.split()) == {culprit}:
            return Question(name, good, bad, culprit, file, line, suspects)
    return None


def questions(name: str, clone: Path, span: int, count: int, draw: random.Random) -> list[Question]:
    bad = git(clone, "rev-parse", "HEAD").strip()
    good = git(clone, "rev-list", "--first-parent", "--max-count=1", f"--skip={span}", bad).strip()
    good = good or git(clone, "rev-list", "--first-parent", "--max-parents=0", bad).split()[0]
    suspects = git(clone, "rev-list", "--topo-order", f"{good}..{bad}").split()
    plain = git(clone, "rev-list", "--no-merges", f"{good}..{bad}").split()
    draw.shuffle(plain)
    found: list[Question] = []
    for culprit in plain:
        if len(found) == count:
            break
        one = question(name, clone, good, bad, culprit, len(suspects), draw)
        found += [one] if one else []
    return found


def stretched(one: Question, clone: Path, draw: random.Random) -> Question:
    """The same with stretches that cannot be tested; none has an end, the culprit or its parents in it."""
    suspects = git(clone, "rev-list", "--topo-order", f"{one.good}..{one.bad}").split()
    spared = {one.bad, *git(clone, "rev-list", "--parents", "--max-count=1", one.culprit).split()}
    length = max(1, round(len(suspects) * SKIPPED / STRETCHES))
    skipped: set[str] = set()
    for _ in range(100):
        if len(skipped) >= len(suspects) * SKIPPED:
            break
        start = draw.randrange(max(1, len(suspects) - length))
        stretch = suspects[start : start + length]
        if not spared.intersection(stretch):
            skipped.update(stretch)
    return Question(**{**asdict(one), "skipped": sorted(skipped)})


class Bench:
    """What all searches have in common."""

    def __init__(self, firstbad: str, folder: Path) -> None:
        self.firstbad, self.folder = firstbad, folder
        self.test = folder / "test.sh"
        self.test.write_text(TEST)
        self.bisect = folder / "bisect.sh"
        self.bisect.write_text(BISECT)

    def timed(self, one: Question, seconds: float, command: list[str], answer: Callable[[str], str]) -> Found:
        clone, count, skipped = self.folder / one.repository, self.folder / "count", self.folder / "skipped"
        git(clone, "checkout", "--quiet", "--force", "--detach", one.bad)
        count.write_text("")
        skipped.write_text("\n".join(one.skipped))
        environment = {
            **os.environ,
            "COUNT": str(count),
            "SKIPPED": str(skipped) if one.skipped else "",
            "LINE": one.line,
            "FILE": one.file,
            "SECONDS_EACH": str(seconds),
            "GOOD": one.good,
            "BAD": one.bad,
            "TEST": str(self.test),
            "ANSWER": str(self.folder / "answer"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
        }
        began = time.monotonic()
        ended = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)
        took = time.monotonic() - began
        return Found(answer(ended.stdout), len(count.read_text()), took)

    def git(self, one: Question, seconds: float = 0) -> Found:
        (self.folder / "answer").write_text("")
        return self.timed(
            one, seconds, ["sh", str(self.bisect)], lambda _: (self.folder / "answer").read_text().strip()
        )

    def ours(
        self, one: Question, seconds: float = 0, *, jobs: int = 1, trusted: bool = True, program: str | None = None
    ) -> Found:
        def named(answer: str) -> str:
            points = json.loads(answer)["points"] if answer else []
            return points[0]["bad"] if points else ""

        ends = ["--no-test-endpoints"] if trusted else []
        words = ["run", "--quiet", "--json", f"--jobs={jobs}", *ends, "--good", one.good, "--bad", one.bad]
        return self.timed(one, seconds, [program or self.firstbad, *words, "--", "sh", str(self.test)], named)


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(*names: str) -> None:
    row(*names)
    row(*("---" for _ in names))


def met(value: float, most: float) -> str:
    return f"{value:.2f}: {'met' if value <= most else 'missed'}"


def total(runs: Iterable[int]) -> str:
    return ", ".join(str(run) for run in runs)


def counted(bench: Bench, all_questions: dict[str, list[Question]], seed: int) -> None:
    """How many runs each took; nothing is timed."""
    print("## Runs\n")
    print("Culprits in their order. *Wrong*: searches of either that named another commit than the true one.\n")
    head(
        "repository",
        "suspects",
        "git",
        "ours, ends tested",
        "at most git's + 2",
        "ours, ends trusted",
        "at most git's",
        "wrong: git, ours",
    )
    for name, asked in all_questions.items():
        theirs = [bench.git(one) for one in asked]
        tested = [bench.ours(one, trusted=False) for one in asked]
        trusted = [bench.ours(one) for one in asked]
        wrong = [
            sum(
                found.culprit != one.culprit
                for one, found in zip(asked * (len(all_found) // len(asked)), all_found, strict=True)
            )
            for all_found in (theirs, tested + trusted)
        ]
        within = sum(mine.runs <= git.runs + 2 for mine, git in zip(tested, theirs, strict=True))
        below = sum(mine.runs <= git.runs for mine, git in zip(trusted, theirs, strict=True))
        row(
            name,
            asked[0].suspects,
            total(found.runs for found in theirs),
            total(found.runs for found in tested),
            f"{within} of {len(asked)}",
            total(found.runs for found in trusted),
            f"{below} of {len(asked)}",
            f"{wrong[0]}, {wrong[1]}",
        )
    print(f"\n## Runs where {SKIPPED:.0%} cannot be tested\n")
    print(
        f"In stretches of neighbouring commits, each of 1/{STRETCHES} of these. git may end with several commits of "
        "which it cannot say which one it is; *named* counts where the true one was.\n"
    )
    head("repository", "git", "named by git", "ours, ends trusted", "named by ours", "ours over git's, at most 0.50")
    for name, asked in all_questions.items():
        draw = random.Random(f"{seed} {name} stretches")
        asked = [stretched(one, bench.folder / name, draw) for one in asked]
        theirs, mine = [bench.git(one) for one in asked], [bench.ours(one) for one in asked]
        named = [
            sum(found.culprit == one.culprit for one, found in zip(asked, all_found, strict=True))
            for all_found in (theirs, mine)
        ]
        ratio = sum(found.runs for found in mine) / sum(found.runs for found in theirs)
        row(
            name,
            total(found.runs for found in theirs),
            f"{named[0]} of {len(asked)}",
            total(found.runs for found in mine),
            f"{named[1]} of {len(asked)}",
            met(ratio, 0.5),
        )


def clocked(
    bench: Bench, all_questions: dict[str, list[Question]], seconds: float, rounds: int, jobs: dict[int, float]
) -> None:
    """How long each took, in turns."""
    what = f"a test of {seconds:g} s" if seconds else "a trivial test"
    print(f"\n## Wall clock, {what}\n")
    names = [f"ours over git's, jobs={count}, at most {most:g}" for count, most in jobs.items()]
    head("repository", "files", "git: seconds, median", *names)
    for name, asked in all_questions.items():
        theirs: list[float] = []
        ratios: dict[int, list[float]] = {count: [] for count in jobs}
        for _ in range(rounds):
            for one in asked:
                before = bench.git(one, seconds).seconds
                for count in jobs:
                    ratios[count].append(bench.ours(one, seconds, jobs=count).seconds / before)
                theirs.append(before)
        files = git(bench.folder / name, "ls-tree", "-r", "--name-only", asked[0].bad).count("\n")
        row(
            name,
            files,
            f"{statistics.median(theirs):.1f}",
            *(met(statistics.median(ratios[count]), jobs[count]) for count in jobs),
        )


def compared(bench: Bench, all_questions: dict[str, list[Question]], rounds: int, before: str) -> None:
    """How long a trivial test takes with another program and with ours, in turns; which of the two is first changes."""
    print("## Wall clock, a trivial test, before and now\n")
    head("repository", "suspects", "git: seconds, median", "before, over git's", "now, over git's")
    for name, asked in all_questions.items():
        theirs: list[float] = []
        ratios: dict[str, list[float]] = {before: [], bench.firstbad: []}
        for number in range(rounds):
            for one in asked:
                theirs.append(bench.git(one).seconds)
                for program in list(ratios)[:: -1 if number % 2 else 1]:
                    found = bench.ours(one, program=program)
                    if found.culprit != one.culprit:
                        sys.exit(f"{program} names {found.culprit} where it is {one.culprit} ({name})")
                    ratios[program].append(found.seconds / theirs[-1])
        medians = (f"{statistics.median(shares):.2f}" for shares in ratios.values())
        row(name, asked[0].suspects, f"{statistics.median(theirs):.2f}", *medians)


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("repositories", nargs="+", metavar="NAME=REPOSITORY")
    arguments.add_argument("--firstbad", default="firstbad", help="the program")
    arguments.add_argument("--before", help="an older program: a trivial test is timed, and nothing else is done")
    arguments.add_argument("--folder", type=Path, help="where clones and work trees are made; a new one if not given")
    arguments.add_argument("--span", type=int, default=1000, help="how far back the good end is, along first parents")
    arguments.add_argument("--culprits", type=int, default=4, help="in each repository")
    arguments.add_argument("--slow", type=int, default=1, help="of these with a test that takes its time")
    arguments.add_argument("--seconds", type=float, default=3, help="how long such a test takes")
    arguments.add_argument("--rounds", type=int, default=3, help="of the trivial test")
    arguments.add_argument("--seed", type=int, default=20)
    given = arguments.parse_args()
    folder = Path(given.folder or tempfile.mkdtemp(prefix="beside-git-"))
    folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(shutil.which(given.firstbad) or given.firstbad, folder)
    asked = {}
    for name, source in (pair.split("=", 1) for pair in given.repositories):
        clone = cloned(Path(source).resolve(), folder / name)
        asked[name] = questions(name, clone, given.span, given.culprits, random.Random(f"{given.seed} {name}"))
        print(f"{name}: {len(asked[name])} questions", file=sys.stderr, flush=True)
    print("# Beside git bisect run\n")
    versions = [
        subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        for program in ("git", bench.firstbad)
    ]
    print(
        f"Made on {time.strftime('%Y-%m-%d')} by `benchmarks/beside_git.py` with --span {given.span}, "
        f"--culprits {given.culprits}, --seed {given.seed}; {versions[0]}, {versions[1]}, {os.cpu_count()} cores, "
        f"{platform.system()}. See README.md for the method.\n"
    )
    head("repository", "commits", "newest", "files", "submodules")
    for name, clone in ((name, folder / name) for name in asked):
        links = git(clone, "ls-tree", "-r", "HEAD").count("160000 commit")
        row(
            name,
            git(clone, "rev-list", "--count", "HEAD").strip(),
            git(clone, "log", "-1", "--format=%h of %cs").strip(),
            git(clone, "ls-tree", "-r", "--name-only", "HEAD").count("\n"),
            links or "",
        )
    print()
    if given.before is not None:
        compared(bench, asked, given.rounds, shutil.which(given.before) or given.before)
        return
    counted(bench, asked, given.seed)
    clocked(bench, asked, 0, given.rounds, {1: 1.0})
    if given.slow:
        clocked(bench, {name: ones[: given.slow] for name, ones in asked.items()}, given.seconds, 1, {1: 1.05, 2: 0.65})


if __name__ == "__main__":
    main()
