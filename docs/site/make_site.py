"""Builds the documentation site as static pages: the pages of docs/ and the references of both packages.

    python docs/site/make_site.py target/site
    python docs/site/make_site.py --check target/site     reports errors and writes no pages

Markdown files keep their paths, so links between them stay valid. Sphinx reports broken links as errors.
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
# A heading or a bold line, and the list of pages below it.
SECTION = re.compile(r"^(?:## |\*\*)([^*\n]+)(?:\*\*)?$\n\n((?:^- \[.+\]\(.+\)$\n?)+)", re.MULTILINE)


def main() -> None:
    """Writes the pages, then the site."""
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
    """Copies the Markdown pages of the repository and the files that they link to."""
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
    """Writes the front page: the README, with the sections of docs/README.md as the table of contents."""
    guide = (ROOT / "docs/README.md").read_text()
    sections = [(caption, re.findall(r"\]\((.+)\.md\)", links)) for caption, links in SECTION.findall(guide)]
    trees = [tree(caption, [f"docs/{page}" for page in names]) for caption, names in sections]
    api = ["python/README", "node/README", "reference/python/index", "reference/node/index", "reference/command-line"]
    trees.append(tree("API reference", api))
    project = ["docs/README", "CHANGELOG", "CONTRIBUTING", "SECURITY", "benchmarks/README"]
    trees.append(tree("Project", project))
    for page in set(pages.glob("benchmarks/*.md")) - {pages / "benchmarks/README.md"}:
        page.write_text(orphan(page.read_text(), "nosearch: true\n"))
    (pages / "README.md").rename(pages / "index.md")
    with (pages / "index.md").open("a") as front:
        front.write("\n" + "\n".join(trees))


def orphan(text: str, more: str = "") -> str:
    """Returns a page that no table of contents lists."""
    return f"---\norphan: true\n{more}---\n\n{text}"


def tree(caption: str, pages: list[str]) -> str:
    """Returns one section of the table of contents."""
    return "\n".join(["```{toctree}", ":hidden:", ":titlesonly:", f":caption: {caption}", "", *pages, "```", ""])


def python_reference(folder: Path) -> None:
    """Writes a page for each kind of public name from the docstrings."""
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
    head = [
        "# Python API",
        "",
        "All public names of `firstbad`. Functions that end in `_async` take coroutine functions.",
        "",
    ]
    (folder / "index.md").write_text("\n".join([*head, *listed, "", contents]))


def directive(name: str, kind: str) -> str:
    """Returns the directive that documents a name."""
    if kind == "Types of arguments":
        return f".. autodata:: firstbad.{name}\n   :no-value:\n"
    if kind == "Functions":
        return f".. autofunction:: firstbad.{name}\n"
    return f".. autoclass:: firstbad.{name}\n   :members:\n   :show-inheritance:\n"


def slug(kind: str) -> str:
    """Returns the file name of a page."""
    return re.sub(r"[^a-z]+", "-", kind.lower())


def node_reference(folder: Path) -> None:
    """Writes a page for each name that the Node package exports from TSDoc."""
    subprocess.run(["node_modules/.bin/typedoc", "--out", folder], cwd=HERE, check=True)
    # The index lists these 200 pages. The sidebar would be too long with them.
    for page in folder.glob("*/*.md"):
        # Sphinx gives rows of tables no anchors.
        text = re.sub(r"\]\(#property-[\w-]+\)", "](#properties)", page.read_text())
        text = re.sub(r"\.md#property-[\w-]+\)", ".md)", text)
        page.write_text(orphan(re.sub(r'<a id="[^"]+"></a> *', "", text)))


def command_line_reference(folder: Path) -> None:
    """Writes a page with the help of all commands."""
    overview = helped()
    commands = re.findall(r"^  ([a-z]+)  ", overview, re.MULTILINE)
    parts = ["# Command-line help", "", "The output of `firstbad --help` and of `--help` for each command.", ""]
    parts += ["```text", overview, "```", ""]
    for command in commands:
        if command != "help":
            parts += [f"## firstbad {command}", "", "```text", helped(command), "```", ""]
    (folder / "command-line.md").write_text("\n".join(parts))


def helped(*command: str) -> str:
    """Returns the help of a command."""
    line = [sys.executable, "-m", "firstbad", *command, "--help"]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout.rstrip()


if __name__ == "__main__":
    main()
