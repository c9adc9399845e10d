"""Packs every crate that is published, builds each from its package alone, and looks at what is in it.

    python packaging/rust/packages.py [--no-verify]

Cargo builds them in the order of their dependencies, each against the packages of the others. The packages lie in
`packages/rust/package` in Cargo's target folder; what was there is removed. Where there is cargo-semver-checks, it says
whether the version stands for what has changed since the release before.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
NEEDED = ("Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md")
MOST_BYTES = 1 << 20


def published() -> dict[str, str]:
    """Returns the published crates with their versions."""
    command = ["cargo", "metadata", "--no-deps", "--locked", "--format-version", "1"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    return {package["name"]: package["version"] for package in metadata["packages"] if package["publish"] != []}


def forget(folder: Path, crates: dict[str, str]) -> None:
    """Removes earlier builds and unpacked packages of these versions.

    Cargo would reuse them, because it compares only versions. It unpacks each local registry into a separate folder.
    Folders of network registries have the name of their host, and are not touched.
    """
    shutil.rmtree(folder, ignore_errors=True)
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    for registry in home.glob("registry/src/-*"):
        for name, version in crates.items():
            shutil.rmtree(registry / f"{name}-{version}", ignore_errors=True)


def faults(package: Path, top: str) -> list[str]:
    """Returns the problems of a packed crate."""
    with tarfile.open(package) as archive:
        texts = {member.name: archive.extractfile(member) for member in archive if member.isfile()}
        missing = [name for name in NEEDED if f"{top}/{name}" not in texts]
        empty = [name for name in NEEDED if name not in missing and not texts[f"{top}/{name}"].read()]
    found = [f"{name} is missing" for name in missing] + [f"{name} is empty" for name in empty]
    found += [f"{name} is a test" for name in texts if name.startswith(f"{top}/tests/")]
    if package.stat().st_size > MOST_BYTES:
        found.append(f"{package.stat().st_size:,} bytes are more than {MOST_BYTES:,}")
    return [f"{package.name}: {fault}" for fault in found]


def release_before() -> str | None:
    """Returns the tag of the newest release before this commit, or None."""
    command = ["git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^"]
    described = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    return described.stdout.strip() or None


def version_fits() -> bool:
    """Returns whether the version fits the API changes since the last release."""
    tag = release_before()
    if tag is None:
        print("cargo semver-checks: skipped, there is no release before this one")
        return True
    if shutil.which("cargo-semver-checks") is None:
        print("cargo semver-checks: skipped, it is not installed: cargo install cargo-semver-checks")
        return True
    command = ["cargo", "semver-checks", "--workspace", "--all-features", "--baseline-rev", tag]
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main(arguments: list[str]) -> int:
    """Packs, builds and checks. Returns 1 if there is a problem."""
    crates = published()
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "packages/rust"
    forget(folder, crates)
    chosen = [word for name in crates for word in ("--package", name)]
    command = ["cargo", "package", "--locked", "--target-dir", str(folder), *chosen, *arguments]
    subprocess.run(command, cwd=ROOT, check=True)
    wrong = []
    for name, version in crates.items():
        package = folder / "package" / f"{name}-{version}.crate"
        print(f"{package.name}: {package.stat().st_size:,} bytes")
        wrong += faults(package, f"{name}-{version}")
    print("\n".join(wrong) or f"{len(crates)} crates, each with {', '.join(NEEDED)}")
    return 0 if version_fits() and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
