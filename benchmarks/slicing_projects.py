"""The smallest slices of the histories of public projects, found in several ways.

python slicing_projects.py FOLDER [--only NAME] [--json FILE] prints tables and targets as Markdown. FOLDER holds a git
directory for each project, as `git clone --mirror` makes it: OWNER+NAME, OWNER+NAME.git or OWNER+NAME/repo. Nothing
is fetched, and nothing is written into them. With FILE a run that was ended goes on with the next feature. Searches for
one feature share what was said of equal trees; each is told of it as of a run of its own, and counts it. Those that
learn run the test by themselves, with facts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from shared import directory, table
from slices import FEATURES, Feature
from slicing_coverage import blamed, covered
from slicing_facts import with_facts
from slicing_searches import SEARCHES, Row, observed, searches, targets

import firstbad as fb

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "end_to_end"))
from situations import git, remembering


def title(one: Feature) -> str:
    return f"{one.project.split('/')[1]}: {one.name}"


@dataclass(frozen=True)
class Result:
    """What was found about a feature.

    Attributes:
        rows: What each search did.
        ends: The base and the tip, as full shas.
        needed: The commits of the slice that the default search found, with their subjects.
        applies: Whether its patches, brought to the base by `git am`, pass the test.
    """

    rows: list[Row]
    ends: tuple[str, str]
    needed: list[str]
    applies: bool

    @classmethod
    def read(cls, written: dict[str, Any]) -> Result:
        """As it was written as JSON."""
        return cls(**{**written, "rows": [Row(**row) for row in written["rows"]]})


class _Place:
    """A repository of our own with a project's history, for work trees, and the feature's test."""

    def __init__(self, one: Feature, mirror: Path, folder: Path) -> None:
        self.one, self.folder, self.clone = one, folder, folder / "clone"
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", mirror, self.clone], check=True)
        own = folder / "own"
        own.mkdir()
        (own / one.file).write_text(one.text)
        self.words = [word.replace("{own}", str(own)) for word in one.command]
        self.words_with_facts = with_facts(self.words, own)
        self.base, self.tip = (git(mirror, "rev-parse", f"{name}^{{commit}}").strip() for name in (one.base, one.tip))

    def work(self, revision: str) -> Path:
        """A new work tree with the tests of the tip."""
        folder = self.folder / f"work-{revision[:8]}"
        git(self.clone, "worktree", "add", "--quiet", "--detach", str(folder), revision)
        if self.one.tests:
            git(folder, "checkout", "--quiet", self.tip, "--", *self.one.tests)
        return folder

    def covered(self, names: tuple[str, ...]) -> list[int]:
        """The changes that the test covers."""
        lines = covered(self.work(self.tip), self.words)
        inside = {
            file: found
            for file, found in lines.items()
            if any(file == path or file.startswith(f"{path}/") for path in self.one.paths)
        }
        return blamed(self.clone, self.base, self.tip, inside, names)

    def applies(self, report: fb.SlicerReport) -> bool:
        """Whether the slice's patches pass the test on the base, with nothing but git."""
        work = self.folder / "applied"
        git(self.clone, "worktree", "add", "--quiet", "--detach", str(work), self.base)
        for number, commit in enumerate(report.patches()):
            patch = self.folder / f"{number}.patch"
            patch.write_bytes(commit.patch)
            git(work, "-c", "user.name=a", "-c", "user.email=a@example.org", "am", "--quiet", "--keep-cr", str(patch))
        if self.one.tests:
            git(work, "checkout", "--quiet", self.tip, "--", *self.one.tests)
        return subprocess.run(self.words, cwd=work, capture_output=True).returncode == 0


def result(one: Feature, mirror: Path) -> Result:
    """What each search does about a feature."""
    with tempfile.TemporaryDirectory() as folder:
        place = _Place(one, mirror, Path(folder))
        told: dict[str, Any] = {"base": place.base, "tip": place.tip, "paths": one.paths, "tests": one.tests or None}
        repository = fb.Repository(place.clone)
        with (
            repository.command_oracle(place.words, timeout=60) as command,
            repository.command_oracle(place.words_with_facts, timeout=60) as command_with_facts,
        ):
            oracle = remembering(command)
            names: list[tuple[str, ...]] = []

            def ask(probe: fb.SliceProbe) -> fb.Observation:
                names.append(probe.changes)
                return oracle(probe)

            found: list[Row] = []
            default: fb.SlicerReport | None = None
            start: list[int] | None = None
            for search in SEARCHES:
                began = time.monotonic()
                if search.starts and start is None:
                    # All changes are asked about first.
                    start = place.covered(names[0])
                starts = {"start": start} if search.starts else {}
                asked = command_with_facts if search.learns else ask
                report = fb.slice_history(repository, asked, **told, **search.options, **starts)
                if search.name == "auto, dependencies":
                    default = report
                found.append(observed(title(one), search.name, report, len(start or ()) if search.starts else None))
                print(f"{title(one)}, {search.name}: {time.monotonic() - began:.0f} s, {report!r}", file=sys.stderr)
            assert default is not None
            needed = [git(mirror, "log", "-1", "--format=%h %s", sha).strip() for sha in default.commits]
            return Result(found, (place.base, place.tip), needed, place.applies(default))


def features(done: list[tuple[Feature, Result]]) -> str:
    """What is looked for, where."""
    names = ["feature", "base", "tip", "commits", "paths", "tests from the tip", "the slice passes after `git am`"]
    lines = []
    for one, found in done:
        ends = [f"{name} ({sha[:8]})" for name, sha in zip((one.base, one.tip), found.ends, strict=True)]
        paths = [", ".join(f"`{path}`" for path in which) or "our own" for which in (one.paths, one.tests)]
        lines.append([title(one), *ends, found.rows[0].commits, *paths, "yes" if found.applies else "**no**"])
    return table(names, lines)


def section(done: list[tuple[Feature, Result]]) -> str:
    """All tables."""
    found = [row for _, result in done for row in result.rows]
    slices = [f"{title(one)}:\n\n" + "".join(f"- {name}\n" for name in result.needed) for one, result in done]
    parts = [
        "## Public projects\n\nMade by `benchmarks/slicing_projects.py`; see README.md for the method.\n",
        "### Features\n\n" + features(done),
        "### Searches\n\n" + searches(found),
        "### Targets\n\n" + targets(found),
        "### Slices of the default search\n\n" + "\n".join(slices),
    ]
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the git directories")
    parser.add_argument("--only", help="features with this in their names")
    parser.add_argument("--json", type=Path, help="a file for all results; what is in it is not searched again")
    options = parser.parse_args()
    known: dict[str, Any] = {}
    if options.json is not None and options.json.exists():
        known = json.loads(options.json.read_text())
    done: list[tuple[Feature, Result]] = []
    for one in FEATURES:
        if options.only is not None and options.only not in title(one):
            continue
        mirror = directory(options.folder, one.project)
        if mirror is None:
            sys.exit(f"{options.folder} has no {one.project.replace('/', '+')}; see benchmarks/README.md")
        if title(one) not in known:
            known[title(one)] = asdict(result(one, mirror))
            if options.json is not None:
                options.json.write_text(json.dumps(known, indent=1))
        done.append((one, Result.read(known[title(one)])))
    print(section(done))


if __name__ == "__main__":
    main()
