"""What iterative delta debugging costs on the situations of the end-to-end tests: runs, conflicts, sizes of patches.

python porting.py [--only NAME] [--json FILE] prints tables and targets as Markdown. The searches of one situation share
what a compiler or an interpreter said of equal trees, so that each is asked once; every search is told of it as of a
run of its own, and counts it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from porting_searches import SEARCHES, Row, observed, ratios, searches, ways

import firstbad as fb

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "end_to_end"))
from situations import LONG, SITUATIONS, SQUASHED, Made, made, remembering


def rows(only: str | None) -> list[Row]:
    """What each search does in each situation."""
    found = []
    for situation in (*SITUATIONS, LONG, SQUASHED):
        if only is not None and only not in situation.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            found += _rows(made(situation, Path(folder)))
    return found


def _rows(there: Made) -> list[Row]:
    situation = there.situation

    def is_right(report: fb.PorterReport) -> bool:
        return (report.status, (report.good, report.bad)) == (situation.status, there.ends)

    repository = fb.Repository(there.repository)
    words, stages = there.words(situation.test) or [], there.stages()
    bare = {name: value for name, value in stages.items() if name != "control"}
    with repository.command_oracle(words, **stages) as command, repository.command_oracle(words, **bare) as alone:
        guarded, plain = remembering(command), remembering(alone)
        return [
            observed(
                situation.name,
                search.name,
                len(there.shas),
                fb.iterative_delta_debugging(
                    repository,
                    guarded if search.guarded else plain,
                    **search.told({"start": "main", **situation.told}),
                ),
                is_right,
            )
            for search in SEARCHES
        ]


def section(found: list[Row]) -> str:
    """All tables."""
    parts = [
        "# Iterative delta debugging\n",
        "## Situations\n\nMade by `benchmarks/porting.py`; see README.md for the method.\n",
        "### Searches\n\n" + searches(found, "situation"),
        "### Targets\n\n" + ratios(found),
        ways(found),
    ]
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="situations with this in their names")
    parser.add_argument("--json", type=Path, help="a file for all rows")
    options = parser.parse_args()
    found = rows(options.only)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(one) for one in found], indent=1))
    print(section(found))


if __name__ == "__main__":
    main()
