"""Mutation testing of the modules that results and files depend on.

    cargo install cargo-mutants
    python3 tools/mutants.py --sample 100 --seed 0

Tests a random sample of the mutants of cargo-mutants, with a proportional share for each module. A mutant first runs
against the tests of its module. If it survives, it runs against all tests of its package and of the testkit. Everything
happens in a clone of the last commit, in `target/mutants`. The memory and the time of a mutant are limited, because it
can do anything. Exits with 1 if the tests catch fewer than `--least` percent of the mutants.
"""

import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

MEMORY = 8 << 30
SECONDS = 180


@dataclass(frozen=True)
class Module:
    """Code that is mutated together, and its tests."""

    name: str
    package: str
    files: str
    packages: tuple[str, ...]
    """The packages with tests of the module."""
    quick: tuple[str, ...] = ()
    """The test modules to run first. Empty for all tests."""


def core(name: str, *quick: str) -> Module:
    """Returns a module of the core, with the test files that run first besides its unit tests."""
    return Module(
        name, "firstbad", f"crates/firstbad/src/{name}/**/*.rs", ("firstbad", "firstbad-testkit"), (name, *quick)
    )


MODULES = (
    core("regression", "snapshots", "explain", "run", "reports", "vectors", "sound_searches"),
    core("culprit", "flaky", "verification", "vectors"),
    core("reduction", "reduction", "vectors"),
    core("patch", "patch", "vectors"),
    Module("journal", "firstbad-journal", "crates/firstbad-journal/src/**/*.rs", ("firstbad-journal",)),
)


@dataclass
class Fates:
    """The results of the mutants of a module."""

    made: int
    sampled: int
    unviable: int = 0
    caught: int = 0
    missed: list[str] = field(default_factory=list)

    @property
    def viable(self) -> int:
        """The number of mutants that compiled."""
        return self.caught + len(self.missed)


def limited() -> None:
    """Limits the memory of a child process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def cloned(target: Path) -> Path:
    """Returns a clone of the last commit, in the same folder each time to reuse builds."""
    tree = target / "mutants" / "tree"
    if not tree.exists():
        subprocess.run(["git", "clone", "--quiet", "--shared", ".", tree], check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run(["git", "-C", tree, "fetch", "--quiet", Path.cwd(), head], check=True)
    subprocess.run(["git", "-C", tree, "checkout", "--quiet", "--force", head], check=True)
    return tree


def names(tree: Path, module: Module) -> list[str]:
    """Returns the names of all mutants of a module."""
    command = ["cargo", "mutants", "--list", "--json", "-d", str(tree), "-p", module.package, "-f", module.files]
    listed = subprocess.run(command, check=True, capture_output=True, text=True)
    return sorted({mutant["name"] for mutant in json.loads(listed.stdout)})


def tested(tree: Path, module: Module, mutants: list[str], stage: str) -> dict[str, list[str]]:
    """Runs the tests against mutants. Returns their names by result."""
    out = tree.parent / f"{module.name}-{stage}"
    command = ["cargo", "mutants", "-d", str(tree), "-o", str(out), "-p", module.package, "-f", module.files]
    command += ["--in-place", "--baseline=skip", f"--timeout={SECONDS}", "--colors=never", "--no-shuffle"]
    command += [f"-F=^{re.escape(name)}$" for name in mutants]
    command += [f"--test-package={','.join(module.packages)}"]
    # These arguments apply to builds and to runs.
    command += [f"--cargo-arg={which}" for which in ("--lib", "--tests")]
    if stage == "quick":
        command += ["--", "--", *(f"{tests}::" for tests in module.quick)]
    environment = os.environ | {
        "CARGO_TARGET_DIR": str(tree / "target"),
        "CARGO_PROFILE_DEV_DEBUG": "none",
        "RUST_BACKTRACE": "0",
    }
    subprocess.run(command, stdout=sys.stderr, env=environment, preexec_fn=limited, check=False)
    ends = ("caught", "timeout", "missed", "unviable")
    return {end: (out / "mutants.out" / f"{end}.txt").read_text().splitlines() for end in ends}


def judge(tree: Path, module: Module, stage: str, fates: Fates) -> None:
    """Runs the tests of a stage against the mutants that were not caught before."""
    if fates.missed:
        found = tested(tree, module, fates.missed, stage)
        fates.caught += len(found["caught"]) + len(found["timeout"])
        fates.unviable += len(found["unviable"])
        fates.missed = found["missed"]


def main() -> int:
    """Runs the command line."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("--sample", type=int, default=100, help="number of mutants over all modules (default 100)")
    arguments.add_argument(
        "--skip", type=int, default=0, help="number of mutants in this order that were tested before (default 0)"
    )
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--least", type=float, default=90, help="percent of mutants to catch (default 90)")
    choices = [module.name for module in MODULES]
    arguments.add_argument("--module", action="append", choices=choices, help="test this module only (repeatable)")
    asked = arguments.parse_args()
    tree = cloned(Path(os.environ.get("CARGO_TARGET_DIR", "target")).resolve())
    modules = [module for module in MODULES if not asked.module or module.name in asked.module]
    made = {module.name: names(tree, module) for module in MODULES}
    total = sum(map(len, made.values()))
    results = {}
    for module in modules:
        order = random.Random(asked.seed).sample(made[module.name], len(made[module.name]))
        first, last = (round(count * len(order) / total) for count in (asked.skip, asked.skip + asked.sample))
        results[module.name] = Fates(len(order), last - first, missed=order[first:last])
        judge(tree, module, "quick", results[module.name])
    for module in modules:
        if module.quick:
            judge(tree, module, "all", results[module.name])
        for name in results[module.name].missed:
            print(f"missed: {name}", flush=True)
    viable, caught = (sum(getattr(fates, of) for fates in results.values()) for of in ("viable", "caught"))
    for name, fates in results.items():
        print(
            f"{name:12} {fates.made:5} mutants, {fates.sampled:4} tested, {fates.unviable:3} do not compile, "
            f"{fates.caught} of {fates.viable} caught"
        )
    print(f"caught: {100 * caught / max(viable, 1):.1f}% of {viable}")
    return int(100 * caught < asked.least * viable)


if __name__ == "__main__":
    sys.exit(main())
