"""Finds import cycles among the files and modules of Rust crates: `python tools/import_circles.py crates/*`.

A module is an entry of `src`: a folder or a file. The tool prints every cycle with its edges, and exits with 1 if there
is one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path

import networkx
from rust_crate import CrateError, Edge, edges, read_crate


def circles(found: Iterable[Edge], place: Callable[[Path], str]) -> Iterator[list[Edge]]:
    """Yields the edges of each cycle among places (files or modules), in order."""
    between = [edge for edge in found if place(edge.user) != place(edge.definer)]
    graph = networkx.DiGraph((place(edge.user), place(edge.definer)) for edge in between)
    parts = [part for part in networkx.strongly_connected_components(graph) if len(part) > 1]
    for part in sorted(parts, key=min):
        yield sorted(edge for edge in between if place(edge.user) in part and place(edge.definer) in part)


def check(crate: Path) -> list[str]:
    """Returns the problems of a crate, as lines."""
    source = crate / "src"
    roots = [root for root in (source / "lib.rs", source / "main.rs") if root.is_file()]
    if not roots:
        raise CrateError(f"{source}: there is neither a lib.rs nor a main.rs")

    def room(file: Path) -> str:
        return Path(file.relative_to(source).parts[0]).stem

    lines = []
    for root in roots:
        found = edges(read_crate(root))
        for kind, place in (("files", str), ("modules", room)):
            for circle in circles(found, place):
                places = sorted({place(edge.user) for edge in circle})
                names = [str(Path(name).relative_to(source)) if kind == "files" else name for name in places]
                lines.append(f"{crate}: a circle of {len(places)} {kind}: {', '.join(names)}")
                lines += told(circle)
    return lines


def told(circle: list[Edge]) -> Iterator[str]:
    """Yields one line for each pair of files, with the first import."""
    for (user, definer), pair in groupby(
        sorted(circle, key=lambda edge: (edge.user, edge.definer, edge.line)), of_pair
    ):
        first, *more = pair
        others = f", and {len(more)} more" if more else ""
        yield f"  {user}:{first.line} -> {definer}  ({first.path}{others})"


def of_pair(edge: Edge) -> tuple[Path, Path]:
    """Returns the importing file and the imported file."""
    return edge.user, edge.definer


def main(crates: list[str]) -> int:
    """Checks crates, each given by its folder."""
    if not crates:
        print("usage: python tools/import_circles.py CRATE...", file=sys.stderr)
        return 2
    try:
        lines = [line for crate in crates for line in check(Path(crate))]
    except CrateError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(lines) or f"no circles in {len(crates)} crates")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
