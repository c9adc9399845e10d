"""How much sooner a text is reduced when several candidates are tested side by side, as one Markdown table.

python reduction_jobs.py FOLDER [--only NAME] [--answers FOLDER] [--seconds S] takes the files that `reduction_files.py`
put into FOLDER. What the oracles say is known from a first run, and each answer of the runs that are measured takes S
seconds (0.1 by default): the time is that of waiting for tests, not of the machine's processors.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from reduction.oracles import interesting
from reduction_files import Case, cases, placed, words
from reduction_peers import GRAMMARS, Answers

import firstbad as fb

JOBS = (2, 4, 8)
WAYS = {"by outline": False, "fine": True}

HEAD = """\
Each answer takes {seconds:g} s. *Alone* is how many candidates were run one after another; then, for so many jobs, how
many times sooner it was through / how many times as many candidates were run.

| file | way | alone | {jobs} |
|---|---|---|{dashes}"""


def asked(one: Case, folder: Path, answers: Answers) -> Callable[[str], bool]:
    """Says what the oracle of a file says, from what is known where it is; from any thread."""
    told, suffix = words(one, folder), placed(one, folder).suffix

    def ask(text: str) -> bool:
        content = text.encode()
        digest = hashlib.sha256(content).hexdigest()
        if digest not in answers.known:
            with tempfile.TemporaryDirectory() as place:
                candidate = Path(place) / f"candidate{suffix}"
                candidate.write_bytes(content)
                answers.add(digest, interesting(*told, file=candidate))
        return answers.known[digest]

    return ask


def reduced(one: Case, folder: Path, ask: Callable[[str], bool], fine: bool, jobs: int) -> tuple[float, int]:
    """How long a reduction took, and how many candidates were run."""
    path = placed(one, folder)
    start = time.perf_counter()
    report = fb.minimize_text(path.read_bytes().decode(), ask, fine=fine, language=GRAMMARS.get(path.suffix), jobs=jobs)
    return time.perf_counter() - start, report.runs


def rows(one: Case, folder: Path, answers: Answers, seconds: float) -> list[tuple[str, list[tuple[float, float]]]]:
    """For each way its cells but for the figures, and for each number of jobs the two ratios."""
    ask = asked(one, folder, answers)

    def slow(text: str) -> bool:
        time.sleep(seconds)
        return ask(text)

    found = []
    for way, fine in WAYS.items():
        ratios = []
        reduced(one, folder, ask, fine, 1)
        alone, queries = reduced(one, folder, slow, fine, 1)
        for jobs in JOBS:
            reduced(one, folder, ask, fine, jobs)
            taken, more = reduced(one, folder, slow, fine, jobs)
            ratios.append((alone / taken, more / queries))
        found.append((f"| {one.name} | {way} | {queries} |", ratios))
    return found


def shown(ratios: list[tuple[float, float]]) -> str:
    return " | ".join(f"{sooner:.2f} / {more:.2f}" for sooner, more in ratios)


def means(all_ratios: list[list[tuple[float, float]]]) -> list[tuple[float, float]]:
    """The geometric means over files."""

    def mean(figures: list[float]) -> float:
        return math.exp(sum(map(math.log, figures)) / len(figures))

    columns = zip(*all_ratios, strict=True)
    return [(mean([one[0] for one in column]), mean([one[1] for one in column])) for column in columns]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where reduction_files.py put the files")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this file or language (may be repeated)")
    parser.add_argument("--answers", type=Path, metavar="FOLDER", help="where reduction_table.py kept answers")
    parser.add_argument("--seconds", type=float, default=0.1, metavar="S", help="how long an answer takes")
    options = parser.parse_args()
    jobs = " | ".join(f"{count} jobs" for count in JOBS)
    print(HEAD.format(seconds=options.seconds, jobs=jobs, dashes="---|" * len(JOBS)))
    everything: dict[str, list[list[tuple[float, float]]]] = {way: [] for way in WAYS}
    for one in cases():
        if options.only and not {one.name, one.language} & set(options.only):
            continue
        answers = Answers(options.answers and options.answers / f"{one.language}-{one.name}.txt")
        for way, (cells, ratios) in zip(WAYS, rows(one, options.folder, answers, options.seconds), strict=True):
            everything[way].append(ratios)
            print(f"{cells} {shown(ratios)} |", flush=True)
    for way, ratios in everything.items():
        if ratios:
            print(f"| *geometric mean* | {way} | | {shown(means(ratios))} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
