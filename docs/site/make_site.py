"""Builds the site: the guide, the references of both packages and of the command line, as pages that need no server.

    python docs/site/make_site.py target/site
    python docs/site/make_site.py --check target/site     finds what is wrong with it, and writes no pages

The Markdown of the repository is copied beside generated pages, each file to the place that it has in the repository:
links between them stay as they are. Sphinx then takes every link that leads nowhere for an error.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import firstbad

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)")
SECTION = re.compile(r"^\*\*(.+)\*\*$\n\n((?:^- \[.+\]\(.+\)$\n?)+)", re.MULTILINE)


def main() -> None:
    """Makes the pages in one folder, then the site in the other."""
    folders = [one for one in sys.argv[1:] if one != "--check"]
    builder = "dummy" if "--check" in sys.argv else "html"
    site = Path(folders[0] if folders else ROOT / "target/site").resolve()
    pages = site.with_name(f"{site.name}-pages")
    for folder in (site, pages):
        shutil.rmtree(folder, ignore_errors=True)
    copy(pages)
    python_reference(pages / "reference/python")
    node_reference(pages / "reference/node")
    command_line_reference(pages / "reference")
    front_page(pages)
    sphinx = [sys.executable, "-m", "sphinx", "--builder", builder, "--conf-dir", str(HERE), "--jobs", "2"]
    subprocess.run([*sphinx, "--fail-on-warning", "--quiet", str(pages), str(site)], check=True)
    shutil.rmtree(site / ".doctrees")
    if builder == "html":
        print(site / "index.html")


def copy(pages: Path) -> None:
    """The repository's pages, and every file that they link to."""
    sources = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")]
    todo = [source.relative_to(ROOT) for source in sources]
    todo += [notebook.relative_to(ROOT) for notebook in ROOT.glob("docs/notebooks/*.ipynb")]
    seen = set()
    while todo:
        file = todo.pop()
        if file in seen or not (ROOT / file).is_file():
            continue
        seen.add(file)
        (pages / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, pages / file)
        if file.suffix == ".md":
            targets = LINK.findall((ROOT / file).read_text())
            todo += [(ROOT / file.parent / target).resolve().relative_to(ROOT) for target in targets]


def front_page(pages: Path) -> None:
    """The README, with the guide's sections as the table of contents."""
    guide = (ROOT / "docs/README.md").read_text()
    sections = [(caption, re.findall(r"\]\((.+)\.md\)", links)) for caption, links in SECTION.findall(guide)]
    trees = [tree(caption, [f"docs/{page}" for page in names]) for caption, names in sections]
    trees.append(tree("Reference", ["reference/python/index", "reference/node/index", "reference/command-line"]))
    project = ["docs/README", "CHANGELOG", "CONTRIBUTING", "SECURITY", "benchmarks/README"]
    trees.append(tree("The project", project))
    for page in set(pages.glob("benchmarks/*.md")) - {pages / "benchmarks/README.md"}:
        page.write_text(orphan(page.read_text(), "nosearch: true\n"))
    (pages / "README.md").rename(pages / "index.md")
    with (pages / "index.md").open("a") as front:
        front.write("\n" + "\n".join(trees))


def orphan(text: str, more: str = "") -> str:
    """A page that is in no table of contents."""
    return f"---\norphan: true\n{more}---\n\n{text}"


def tree(caption: str, pages: list[str]) -> str:
    """A part of the table of contents."""
    return "\n".join(["```{toctree}", ":hidden:", ":titlesonly:", f":caption: {caption}", "", *pages, "```", ""])


def python_reference(folder: Path) -> None:
    """A page for each kind of public name, from the docstrings."""
    kinds: dict[str, list[str]] = {
        "Functions": [],
        "Searches": [],
        "Reports": [],
        "Repositories, graphs and values": [],
        "Errors": [],
        "Types of arguments": [],
    }
    for name in sorted(firstbad.__all__, key=str.lower):
        value = getattr(firstbad, name)
        if inspect.isfunction(value):
            kind = "Functions"
        elif not inspect.isclass(value):
            kind = "" if name.startswith("_") or inspect.ismodule(value) else "Types of arguments"
        elif issubclass(value, BaseException):
            kind = "Errors"
        elif issubclass(value, firstbad.Search):
            kind = "Searches"
        elif name.endswith("Report"):
            kind = "Reports"
        else:
            kind = "Repositories, graphs and values"
        if kind:
            kinds[kind].append(name)
    folder.mkdir(parents=True)
    for kind, names in kinds.items():
        directives = [directive(name, kind) for name in names]
        (folder / f"{slug(kind)}.rst").write_text("\n".join([kind, "=" * len(kind), "", *directives]))
    modules = [found.name for found in pkgutil.iter_modules(firstbad.__path__) if not found.name.startswith("_")]
    for module in modules:
        title = f"firstbad.{module}"
        text = [title, "=" * len(title), "", f".. automodule:: firstbad.{module}", "   :members:", ""]
        (folder / f"{module}.rst").write_text("\n".join(text))
    listed = [
        f"- **[{kind}]({slug(kind)}.rst)**: " + ", ".join(f"{{py:obj}}`~firstbad.{name}`" for name in names)
        for kind, names in kinds.items()
    ]
    listed.append("- **Modules**: " + ", ".join(f"[firstbad.{module}]({module}.rst)" for module in modules))
    contents = tree("", [*map(slug, kinds), *modules]).replace(":caption: \n", "")
    head = ["# Python", "", "All public names of `firstbad`. What ends in `_async` takes coroutine functions.", ""]
    (folder / "index.md").write_text("\n".join([*head, *listed, "", contents]))


def directive(name: str, kind: str) -> str:
    """What sets one name's documentation."""
    if kind == "Types of arguments":
        return f".. autodata:: firstbad.{name}\n   :no-value:\n"
    if kind == "Functions":
        return f".. autofunction:: firstbad.{name}\n"
    return f".. autoclass:: firstbad.{name}\n   :members:\n   :show-inheritance:\n"


def slug(kind: str) -> str:
    """A file's name."""
    return re.sub(r"[^a-z]+", "-", kind.lower())


def node_reference(folder: Path) -> None:
    """A page for each name that the Node package exports, from TSDoc."""
    subprocess.run(["node_modules/.bin/typedoc", "--out", folder], cwd=HERE, check=True)
    # Two hundred pages: the index lists them, the sidebar of every page does not.
    for page in folder.glob("*/*.md"):
        # Rows of tables have no anchors here.
        text = re.sub(r"\]\(#property-[\w-]+\)", "](#properties)", page.read_text())
        text = re.sub(r"\.md#property-[\w-]+\)", ".md)", text)
        page.write_text(orphan(re.sub(r'<a id="[^"]+"></a> *', "", text)))


def command_line_reference(folder: Path) -> None:
    """What `--help` says, of all commands."""
    told = helped()
    commands = re.findall(r"^  (\w+)  ", told.split("\nCommands:\n")[1].split("\nOptions:\n")[0], re.MULTILINE)
    parts = ["# The command line", "", "What `firstbad --help` says, and `--help` of each command.", ""]
    parts += ["```text", told, "```", ""]
    for command in commands:
        if command != "help":
            parts += [f"## firstbad {command}", "", "```text", helped(command), "```", ""]
    (folder / "command-line.md").write_text("\n".join(parts))


def helped(*command: str) -> str:
    """The help of a command."""
    line = [sys.executable, "-m", "firstbad", *command, "--help"]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout.rstrip()


if __name__ == "__main__":
    main()
