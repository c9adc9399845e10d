"""Build folders that stay, beside fresh ones, on one question in a compiled project.

python warm_builds.py REPOSITORY --good REF --bad REF --build COMMAND [--firstbad NAME=PROGRAM ...] -- TEST prints a
table as Markdown: what each program finds with fresh and with warm build folders, what could not be tested, what was
built anew, and how long it took. Build folders stay in clones of their own; nothing is written into REPOSITORY.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any


def searched(program: str, clone: Path, folder: Path, words: list[str]) -> tuple[dict[str, Any], list[str]]:
    """The answer, and what was said of each run."""
    journal = folder / "journal"
    journal.unlink(missing_ok=True)
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    command = [program, "run", "--quiet", "--json", "--prior=uniform", f"--journal={journal}", *words]
    ended = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)
    if not ended.stdout:
        raise SystemExit(ended.stderr)
    told = [line for line in journal.read_text().splitlines() if '"told"' in line]
    return json.loads(ended.stdout), told


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("repository", type=Path)
    arguments.add_argument("--good", required=True)
    arguments.add_argument("--bad", required=True)
    arguments.add_argument("--build", required=True, help="a shell command that ends with 0 where it got through")
    arguments.add_argument("--firstbad", action="append", default=[], metavar="NAME=PROGRAM")
    arguments.add_argument("test", nargs="+")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="warm-builds-") as name:
        folder = Path(name)
        clone = folder / "clone"
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", given.repository, clone], check=True)
        print("| program | build folders | runs | not tested | built anew | minutes | answer |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for program in given.firstbad or ["firstbad=firstbad"]:
            called, path = program.split("=", 1)
            for folders in ("fresh", "kept"):
                ends = ["--good", given.good, "--bad", given.bad, "--build", given.build]
                ends += ["--keep-build"] if folders == "kept" else []
                began = time.monotonic()
                answer, told = searched(path, clone, folder, [*ends, "--", *given.test])
                minutes = (time.monotonic() - began) / 60
                lost = sum('"outcome":"unresolved"' in line.replace(" ", "") for line in told)
                anew = sum("built anew" in line for line in told)
                point = (answer["points"] or [{"bad": None}])[0]
                found = f"{answer['status']}: {(point['bad'] or 'nothing')[:12]}"
                print(f"| {called} | {folders} | {len(told)} | {lost} | {anew} | {minutes:.1f} | {found} |", flush=True)


if __name__ == "__main__":
    main()
