"""Every example of the READMEs and of docs/ runs as it stands, and prints what is written below it.

A fenced block marked `python` or `js` is a whole program. It runs in a checkout of the demo's repository; where the
next block is marked `text`, that is what the program prints. One marked `console` is a session in a shell there:
commands after `$` (and `>` where they go on) with what they print; `...` stands for anything.
The programs of examples/ run there as well. Their last comment says what they print.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = sorted((ROOT / "docs").glob("*.md"))
REGISTRIES = [ROOT / "python/README.md", ROOT / "node/README.md"]
"""What PyPI and npm show."""
PAGES = [ROOT / "README.md", *REGISTRIES, *GUIDE]
EXAMPLES = sorted([*(ROOT / "examples").glob("*.py"), *(ROOT / "examples").glob("*.mjs")])
PACKAGE = re.compile(r'^import .* from "([a-z][\w-]*)";$', re.MULTILINE)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"^(?:#|//) Prints:\n((?:(?:#|//) .*\n)+)\Z", re.MULTILINE)


def snippets():
    """Each program with its language and what it is to print, if anything is said."""
    for page in PAGES:
        blocks = [(found[1], found[2], found.start()) for found in BLOCK.finditer(page.read_text())]
        for (language, program, start), (following, printed, _) in pairwise([*blocks, ("", "", 0)]):
            if language in ("python", "js", "console"):
                line = page.read_text()[:start].count("\n") + 1
                yield pytest.param(
                    language,
                    program,
                    printed if following == "text" else None,
                    id=f"{page.relative_to(ROOT)}:{line}".removeprefix("docs/"),
                )
    for example in EXAMPLES:
        program = example.read_text()
        language = "python" if example.suffix == ".py" else "js"
        printed = re.sub(r"^(?:#|//) ", "", PRINTED.search(program)[1], flags=re.MULTILINE)
        yield pytest.param(language, program, printed, id=f"examples/{example.name}")


NEEDED = re.compile(r"^(?:import|from) (distributed|ray)\b", re.MULTILINE)
"""What examples import that need not be installed."""


@pytest.mark.parametrize(("language", "program", "printed"), list(snippets()))
def test_every_example_runs(language, program, printed, shop, tmp_path):
    if language == "python":
        for module in NEEDED.findall(program):
            pytest.importorskip(module)
    repository = tmp_path / "shop"
    # The examples that start pytest need ours of the plugins that are there: others take longer than the tests.
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "TMPDIR": str(tmp_path / "temporary"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "firstbad_facts.pytest_plugin",
        # Files are listed in the order of this one, and programs complain in English.
        "LC_ALL": "C.UTF-8",
        # A reader has told git who they are.
        **{f"GIT_{who}_{what}": "reader" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    (tmp_path / "temporary").mkdir()
    if language == "console":
        tools = tmp_path / "tools"
        tools.mkdir()
        (tools / "firstbad").write_text(f'#!/bin/sh\nexec {sys.executable} -m firstbad "$@"\n')
        (tools / "firstbad").chmod(0o755)
        environment["PATH"] = f"{tools}:{environment['PATH']}"
        commands = re.findall(r"^[$>] ?(.*)$", program, re.MULTILINE)
        command = ["bash", "-c", "\n".join(commands)]
        printed = re.sub(r"^[$>].*\n", "", program, flags=re.MULTILINE)
    elif language == "python":
        command = [sys.executable, "-W", "error", "-c", program]
    else:
        (repository / "node_modules").mkdir()
        (repository / "node_modules/firstbad").symlink_to(ROOT / "node", target_is_directory=True)
        for package in set(PACKAGE.findall(program)) - {"firstbad"}:
            (repository / "node_modules" / package).symlink_to(place_of(package), target_is_directory=True)
        (repository / "example.mjs").write_text(program)
        command = ["node", "example.mjs"]
    done = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if language == "console":
        shown = re.escape(printed).replace(re.escape("..."), ".*")
        assert re.fullmatch(shown, done.stdout), f"{done.stdout}{done.stderr}"
    elif printed is not None:
        # With several tests at a time, what is found first depends on the machine.
        assert sorted(done.stdout.splitlines()) == sorted(printed.splitlines())
    left = list((tmp_path / "cache").rglob(".git"))
    assert not left, "work trees are removed"
    # The folder that ours are in stays, and Dask keeps locks.
    left = [*(tmp_path / "temporary").glob("firstbad*/*"), *(tmp_path / "temporary").glob("tmp*")]
    assert not left, "so are files among the temporary ones"


def place_of(package):
    """Where a package is that an example needs and the project does not: in node/node_modules, or in NODE_PATH."""
    folders = [ROOT / "node/node_modules", *map(Path, filter(None, os.environ.get("NODE_PATH", "").split(":")))]
    found = next((folder / package for folder in folders if (folder / package).exists()), None)
    if found is None:
        pytest.skip(f"the package {package} is not there (npm install {package} somewhere, and name that in NODE_PATH)")
    if package == "bullmq":
        url = urlsplit(os.environ.get("REDIS_URL", "redis://127.0.0.1:6379"))
        try:
            socket.create_connection((url.hostname, url.port or 6379), timeout=5).close()
        except OSError as error:
            pytest.skip(f"no Redis server at {url.geturl()}: {error}")
    return found


def test_every_page_has_an_example_and_is_linked():
    assert len(GUIDE) >= 17
    for page in GUIDE:
        if page.name != "README.md":
            is_generated = page.read_text().startswith("<!-- Generated")
            assert is_generated or re.search(r"^```(python|js|console)$", page.read_text(), re.MULTILINE), page.name
            assert f"({page.name})" in (ROOT / "docs/README.md").read_text()


def test_every_example_has_a_page():
    assert len(EXAMPLES) >= 10
    text = "".join(page.read_text() for page in GUIDE)
    assert [example.name for example in EXAMPLES if f"(../examples/{example.name})" not in text] == []


def test_links_are_valid():
    for page in [*PAGES, ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_package_readmes_have_no_relative_links():
    """PyPI and npm show these pages away from the repository, where links into it lead nowhere."""
    for page in REGISTRIES:
        assert not re.findall(r"\]\((?!https://)[^)]*\)", page.read_text()), page


RESULTS = ROOT / "benchmarks/RESULTS.md"


def measured_parts(text):
    """Yields each paragraph that cites RESULTS.md, with the table that a colon announces."""
    parts = text.split("\n\n")
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        if "RESULTS.md)" in part:
            yield part + (f"\n{following}" if part.endswith(":") else "")


def numbers(text):
    """Returns the numbers of a text without those in links, code, and words."""
    plain = re.sub(r"\]\([^)]*\)|`[^`]*`", "", text)
    return re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?%?(?![\w])", plain)


def test_docs_have_the_measured_numbers():
    """Every number in a paragraph that cites RESULTS.md is there."""
    known = set(numbers(RESULTS.read_text()))
    cited = [(page.name, part) for page in PAGES for part in measured_parts(page.read_text())]
    assert len(cited) >= 6
    for page, part in cited:
        unknown = set(numbers(part)) - known
        assert not unknown, f"{page}: these numbers are not in RESULTS.md: {unknown}"


def test_the_table_of_costs_is_measured():
    """The first columns of the README and of docs/algorithms.md are those of RESULTS.md."""
    lines = RESULTS.read_text().splitlines()

    def cells(lines, start):
        return next([cell.strip() for cell in line.strip("| ").split("|")] for line in lines if line.startswith(start))

    page = (ROOT / "docs/algorithms.md").read_text().splitlines()
    found = {}
    for label, name in (
        ("`firstbad`", "firstbad"),
        ("`git bisect`", "git bisect"),
        ("the same, parents tested too", "git bisect + parents"),
    ):
        row = [cell.split(" [")[0] for cell in cells(lines, f"| {name} |")]
        found[name] = [row[1], row[5], row[6]]
        assert cells(page, f"| {label} |")[1:] == found[name]
    readme = " ".join((ROOT / "README.md").read_text().split())
    (runs, clean, several), (gits, gits_clean, gits_several) = found["firstbad"], found["git bisect"]
    assert f"firstbad needed {runs} runs and `git bisect` {gits}." in readme
    assert f"in {clean} of the searches (`git bisect`: {gits_clean})" in readme
    assert f"firstbad needed {several} runs and `git bisect` {gits_several} " in readme


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_documented_make_targets_exist():
    shown = set(re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert {"demo", "test"} <= shown
    for target in shown:
        subprocess.run(["make", "--dry-run", target, "DATA=x"], cwd=ROOT, check=True, capture_output=True)
