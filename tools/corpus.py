"""Keeps, of what fuzzing has found, the inputs that cover most: `make corpus` after `make fuzz`.

    python3 tools/corpus.py target/fuzz/x86_64-unknown-linux-gnu/fuzz/firstbad-fuzz target/fuzz/inputs TARGET...

Afterwards `crates/firstbad-fuzz/corpus/TARGET` has the best few of what was there and of what was found: each is the
input that reaches most of what those chosen before it do not. Inputs that once broke something have names that do not
begin with `covers-`, and stay.
"""

import argparse
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

CORPUS = Path(__file__).resolve().parents[1] / "crates/firstbad-fuzz/corpus"
PREFIX = "covers-"
# The limits of the number and size of inputs. Every test of a target runs its inputs.
MOST = 12
LONGEST = 4096


def features(control: str) -> dict[Path, frozenset[int]]:
    """Returns the features of each input, from the control file of a libFuzzer merge.

    The file has the number of inputs, the number of earlier inputs, their names, and then lines `STARTED number`, `FT
    number feature...` and `COV number place...`.
    """
    lines = control.splitlines()
    names = lines[2 : 2 + int(lines[0])]
    reached = {}
    for line in lines[2 + len(names) :]:
        kind, *numbers = line.split()
        if kind == "FT":
            reached[Path(names[int(numbers[0])])] = frozenset(map(int, numbers[1:]))
    return reached


def best(reached: Mapping[Path, frozenset[int]], sizes: Mapping[Path, int], most: int) -> list[Path]:
    """Returns at most `most` inputs. Each adds the most features, and the smallest is chosen among equals."""
    left = dict(reached)
    chosen: list[Path] = []
    covered: set[int] = set()
    while left and len(chosen) < most:
        one = min(left, key=lambda path: (-len(left[path] - covered), sizes[path], path))
        new = left.pop(one) - covered
        if not new:
            break
        covered |= new
        chosen.append(one)
    return chosen


def keep(program: Path, found: Path, target: str) -> str:
    """Chooses the inputs of a target, and returns a summary."""
    folder = CORPUS / target
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        merged, control = Path(place) / "merged", Path(place) / "control"
        merged.mkdir()
        command = [str(program), "-set_cover_merge=1", f"-merge_control_file={control}", f"-max_len={LONGEST}"]
        command += map(str, [merged, found / target, folder])
        environment = {**os.environ, "FUZZ_TARGET": target}
        subprocess.run(command, check=True, capture_output=True, env=environment)
        reached = features(control.read_text())
    contents = {path: path.read_bytes() for path in reached}
    short = {path: seen for path, seen in reached.items() if len(contents[path]) <= LONGEST}
    chosen = best(short, {path: len(contents[path]) for path in short}, MOST)
    wanted = {PREFIX + hashlib.sha1(contents[path]).hexdigest()[:12]: contents[path] for path in chosen}
    for old in folder.glob(PREFIX + "*"):
        old.unlink()
    for name, content in wanted.items():
        (folder / name).write_bytes(content)
    covered = len(frozenset().union(*(short[path] for path in chosen)))
    every = len(frozenset().union(*reached.values()))
    return f"{target}: {len(wanted)} of {len(reached)} inputs reach {covered} of {every} features"


def main() -> None:
    """Runs the command line."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("program", type=Path, help="the fuzzer that `make fuzz` has built")
    arguments.add_argument("found", type=Path, help="the folder with what it has found, a folder for each target")
    arguments.add_argument("target", nargs="+")
    asked = arguments.parse_args()
    for target in asked.target:
        print(keep(asked.program.resolve(), asked.found, target), flush=True)


if __name__ == "__main__":
    main()
