"""What reducers leave of files of public projects, and how often they ask, as one Markdown table for each language.

python reduction_table.py FOLDER [--only NAME] [--answers FOLDER] takes the files that `reduction_files.py` put into
FOLDER. The reducers of this project run first, without a limit; then each other one, one after another, is stopped
where it would ask more than ten times as often as ours by outline. All are counted by one counter, that of
`reduction_peers.py`. With `--answers`, what the oracles say is kept in a folder, and not asked again in the next run.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from reduction.oracles import interesting
from reduction_files import LANGUAGES, Case, cases, placed, words
from reduction_peers import OURS, PEERS, Answers, Row, measure

# How often a peer may ask, in calls of ours by outline.
TIMES = 10

BY_OUTLINE, FINE, WHOLE_LINES = OURS

# What ours is to reach: calls over the fewest of any peer, bytes over the least that any leaves.
MOST_CALLS, MOST_BYTES = 1.0, 1.05

HEAD = f"""\
Cells are distinct calls, without the one for the whole file / bytes left / lines left. A peer is stopped where it would
ask more than {TIMES} times as often as firstbad by outline; "over N" is one that was, with the smallest interesting
content that it had asked about within N calls. *Calls* is firstbad's over the fewest of any peer, where one that was
stopped counts with N, and *bytes* what it leaves over the least that any peer left within that limit: by outline, fine,
and for whole lines those over lithium's alone. *Ahead* says of how many of the peers: after as many calls as that peer
has asked, firstbad left no more bytes than it did. shrinkray and C-Vise edit inside lines, the others do not."""


@dataclass(frozen=True)
class Measured:
    """A file, and what each reducer did with it: by name, ours first."""

    case: Case
    lines: int
    bytes: int
    rows: dict[str, Row]

    def _ratio(self, ours: str, figure: Callable[[Row], int]) -> float | None:
        """Of one of ours over the least of the peers that it is held against; None without them."""
        peers = ["lithium"] if ours == WHOLE_LINES else PEERS
        theirs = [figure(self.rows[name]) for name in peers if self.rows[name].calls is not None]
        return figure(self.rows[ours]) / min(theirs) if theirs and min(theirs) > 0 else None

    def is_ahead(self, ours: str, peer: str) -> bool | None:
        """Whether ours has no more bytes left after as many calls as a peer has asked; None without that peer."""
        theirs = self.rows[peer]
        return None if theirs.calls is None else self.rows[ours].bytes_after(theirs.calls) <= theirs.bytes

    def ahead(self, ours: str) -> str:
        found = [self.is_ahead(ours, peer) for peer in PEERS]
        return f"{found.count(True)} of {len(found) - found.count(None)}"

    def calls(self, ours: str) -> float | None:
        return self._ratio(ours, lambda row: row.calls or 0)

    def left(self, ours: str) -> float | None:
        return self._ratio(ours, lambda row: row.bytes)


def measured(one: Case, folder: Path, answers: Path | None) -> Measured:
    path = placed(one, folder)
    whole = path.read_bytes()
    told = words(one, folder)
    known = Answers(None if answers is None else answers / f"{one.language}-{one.name}.txt")

    def judge(file: Path) -> bool:
        return interesting(*told, file=file)

    rows: dict[str, Row] = {}
    for name in (*OURS, *PEERS):
        most = None if name in OURS else TIMES * (rows[BY_OUTLINE].calls or 0)
        rows[name] = measure(name, path, judge, most, known)
        print(f"{one.language} {one.name}: {rows[name]}", file=sys.stderr)
    if rows[BY_OUTLINE].calls is None:
        raise SystemExit("firstbad is not there: PYTHONPATH=python, with the native module built")
    return Measured(one, len(whole.splitlines()), len(whole), rows)


def cell(row: Row) -> str:
    if row.calls is None:
        return "not run"
    return f"{'over ' if row.stopped else ''}{row.calls:,} / {row.bytes:,} / {row.lines:,}"


def shown(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"


def met(ratios: Iterable[float | None], most: float) -> str:
    known = [ratio for ratio in ratios if ratio is not None]
    return f"{sum(ratio <= most for ratio in known)} of {len(known)}"


def table(language: str, found: list[Measured]) -> str:
    """The files of one language; the reducers are named as in the first row."""
    names = [found[0].rows[name].peer for name in (*OURS, *PEERS)]
    ratios = [f"{figure}, {name.removeprefix('firstbad ')}" for name in OURS for figure in ("calls", "bytes")]
    header = ["file", "of", *names, *ratios, *(f"ahead, {name.removeprefix('firstbad ')}" for name in OURS)]
    lines = [f"### {language}", "", f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    for one in found:
        figures = [one.case.name, f"{one.bytes:,} / {one.lines:,}", *map(cell, one.rows.values())]
        figures += [shown(ratio) for name in OURS for ratio in (one.calls(name), one.left(name))]
        figures += [one.ahead(name) for name in OURS]
        lines.append(f"| {' | '.join(figures)} |")
    lines += ["", *(sentence(name, found) for name in OURS)]
    return "\n".join(lines)


def sentence(name: str, found: list[Measured]) -> str:
    """On how many files one of ours reaches what it is to reach."""
    calls = met((one.calls(name) for one in found), MOST_CALLS)
    left = met((one.left(name) for one in found), MOST_BYTES)
    ahead = ", ".join(f"{sum(one.is_ahead(name, peer) is True for one in found)} beside {peer}" for peer in PEERS)
    return (
        f"- {name}: *calls* at most {MOST_CALLS:g} on {calls} files, *bytes* at most {MOST_BYTES:g} on {left}; "
        f"*ahead* on {ahead}."
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where reduction_files.py put the files")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this file or language (may be repeated)")
    parser.add_argument("--answers", type=Path, metavar="FOLDER", help="keeps what the oracles say")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    if options.answers is not None:
        options.answers.mkdir(parents=True, exist_ok=True)
    print(HEAD)
    everything: list[Measured] = []
    for language in LANGUAGES:
        chosen = [one for one in cases() if one.language == language]
        if options.only and language not in options.only:
            chosen = [one for one in chosen if one.name in options.only]
        if chosen:
            folder = options.folder.absolute()
            found = [measured(one, folder, options.answers) for one in chosen]
            everything += found
            print("\n" + table(language, found), flush=True)
    if everything:
        print("\n### All\n\n" + "\n".join(sentence(name, everything) for name in OURS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
