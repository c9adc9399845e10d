"""Runs `firstbad run` and `git bisect run` on the same culprits in public repositories. Writes beside_git.csv.

The suspects are the commits between the tip and the 300th first parent before it. A seed draws the culprits. A culprit
adds a line of at least 24 characters to a file in which no other commit adds or removes this line. The test looks for
the line, so nothing has to be built. Both programs trust the endpoints. Git's time includes `git bisect start` and
`git bisect reset`, and that of firstbad includes its worktree. Both programs run in turns, and figures are medians.
Without GNU time, the peak memory is empty, because Python reports at least its own.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from shared import directory

PROJECTS = (
    *("DaveGamble/cJSON", "astanin/python-tabulate", "dateutil/dateutil", "ljharb/qs", "marshmallow-code/marshmallow"),
    *("npm/node-semver", "pallets/click", "pallets/jinja", "python-humanize/humanize"),
)
SPAN, CULPRITS, SEED, ROUNDS = 300, 3, 20, 3

TEST = 'echo >> "$COUNT"; ! grep -qF -e "$LINE" "$FILE" 2> /dev/null'
BISECT = """\
git bisect start "$BAD" "$GOOD" || exit
git bisect run sh -c "$TEST"
git rev-parse refs/bisect/bad > "$FOUND"
git bisect reset
"""
COLUMNS = (
    "project",
    "suspects",
    "culprit",
    "tool",
    "version",
    "runs",
    "confirmations",
    "right",
    "seconds",
    "cpu_seconds",
    "peak_mib",
)


class Question(NamedTuple):
    good: str
    bad: str
    culprit: str
    file: str
    line: str


def git(folder: Path, *words: str) -> str:
    command = ["git", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, errors="replace").stdout


def added_lines(diff: str) -> Iterator[tuple[str, str]]:
    file = ""
    for line in diff.splitlines():
        if line.startswith("+++ "):
            file = line[6:] if line.startswith("+++ b/") else ""
        elif line.startswith("+") and file and re.fullmatch(r"[\x20-\x7e]{24,120}", line[1:].strip()):
            yield file, line[1:].strip()


def question(clone: Path, good: str, bad: str, culprit: str, draw: random.Random) -> Question | None:
    """Returns a line that only this commit adds and no commit removes, or None."""
    lines = list(added_lines(git(clone, "show", "--no-renames", "--unified=0", "--format=", culprit)))
    draw.shuffle(lines)
    for file, line in lines[:5]:
        there = subprocess.run(
            ["git", "grep", "-qF", "-e", line, bad, "--", f":(literal){file}"], cwd=clone, check=False
        )
        history = ("--format=%H", "--full-history", "--no-merges", f"{good}..{bad}", "--", f":(literal){file}")
        if there.returncode == 0 and set(git(clone, "log", "-S", line, *history).split()) == {culprit}:
            return Question(good, bad, culprit, file, line)
    return None


def questions(clone: Path, draw: random.Random) -> tuple[list[Question], int]:
    """Returns culprits and the number of suspects."""
    bad = git(clone, "rev-parse", "HEAD").strip()
    good = git(clone, "rev-list", "--first-parent", "--max-count=1", f"--skip={SPAN}", bad).strip()
    plain = git(clone, "rev-list", "--no-merges", f"{good}..{bad}").split()
    draw.shuffle(plain)
    found = filter(None, (question(clone, good, bad, culprit, draw) for culprit in plain))
    return list(islice(found, CULPRITS)), int(git(clone, "rev-list", "--count", f"{good}..{bad}"))


def used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(one: Question, clone: Path, folder: Path, command: list[str]) -> tuple[str, int, float, float, float]:
    """Returns the standard output of a command, the number of test runs, both times, and the peak memory in MiB."""
    git(clone, "checkout", "--quiet", "--force", "--detach", one.bad)
    count, memory = folder / "count", folder / "memory"
    count.write_text("")
    memory.write_text("nan")
    names = {"COUNT": count, "FOUND": folder / "found", "TEST": TEST, "XDG_CACHE_HOME": folder / "cache"}
    names |= {"LINE": one.line, "FILE": one.file, "GOOD": one.good, "BAD": one.bad}
    if clock := shutil.which("time"):
        command = [clock, "--quiet", "--format=%M", f"--output={memory}", *command]
    start, before = time.monotonic(), used()
    done = subprocess.run(command, cwd=clone, env={**os.environ, **names}, capture_output=True, text=True, check=False)
    times = (time.monotonic() - start, used() - before)
    return done.stdout, len(count.read_text()), *times, float(memory.read_text()) / 1024


def rows(project: str, source: Path, folder: Path, program: str) -> Iterator[list[object]]:
    clone = folder / project.replace("/", "+")
    subprocess.run(["git", "clone", "--quiet", "--shared", source.resolve(), clone], check=True)
    found, suspects = questions(clone, random.Random(f"{SEED} {project}"))
    tools = ("git bisect run", "firstbad run", "firstbad run --prior uniform")
    versions = [subprocess.run([name, "--version"], capture_output=True, text=True).stdout for name in ("git", program)]
    for one in found:
        ends = ["--quiet", "--json", "--no-test-endpoints", "--good", one.good, "--bad", one.bad]
        commands = [["sh", "-c", BISECT]]
        commands += [[program, "run", *ends, *more, "--", "sh", "-c", TEST] for more in ([], ["--prior", "uniform"])]
        rounds = [[timed(one, clone, folder, words) for words in commands] for _ in range(ROUNDS)]
        named, confirmed = [(folder / "found").read_text().strip()], [0]
        for ours in rounds[0][1:]:
            report = json.loads(ours[0] or "{}")
            named.append((report.get("points") or [{"bad": ""}])[0]["bad"])
            confirmed.append(report.get("confirmations", 0))
        for index, tool in enumerate(tools):
            taken = [each[index] for each in rounds]
            seconds, cpu, peak = map(statistics.median, list(zip(*taken, strict=True))[2:])
            figures = [
                taken[0][1],
                confirmed[index],
                int(named[index] == one.culprit),
                round(seconds, 3),
                round(cpu, 3),
            ]
            version = versions[min(index, 1)].split()[-1]
            yield [project, suspects, one.culprit[:12], tool, version, *figures, "" if peak != peak else round(peak, 1)]


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="a folder with repositories/")
    parser.add_argument("--to", type=Path, default=here / "data", metavar="FOLDER", help="where beside_git.csv goes")
    parser.add_argument("--firstbad", default=here.parent / ".venv" / "bin" / "firstbad", metavar="PROGRAM")
    options = parser.parse_args()
    program = os.path.abspath(shutil.which(options.firstbad) or options.firstbad)
    found = {project: directory(options.data / "repositories", project) for project in PROJECTS}
    sources = {project: source for project, source in found.items() if source}
    if not sources:
        print("beside_git: the data has none of the repositories, so beside_git.csv stays as it is")
        return
    options.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, (options.to / "beside_git.csv").open("w", newline="") as output:
        writer = csv.writer(output, lineterminator="\n")
        writer.writerow(COLUMNS)
        for project, source in sources.items():
            writer.writerows(rows(project, source, Path(name), program))


if __name__ == "__main__":
    main()
