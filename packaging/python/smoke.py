"""Tests an installed package. Run with `python -I` of its environment."""

import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
from importlib import metadata
from pathlib import Path

import firstbad as fb

SCRIPTS = Path(sysconfig.get_path("scripts"))


def said(*command: str, folder: str = ".") -> str:
    """Returns the output of a command, which must succeed."""
    ended = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return ended.stdout.strip()


# A thread decides while the interpreter ends.
ENDING = """
import threading
import firstbad as fb
graph = fb.CommitGraph.linear([str(build) for build in range(20_000)])
search = fb.CulpritSearch(graph, bad="19999", good="0", flake_rate=0.1)
started = threading.Event()
def ask_on():
    started.set()
    while True:
        search.abandon(search.ask(1)[0].id)
threading.Thread(target=ask_on, daemon=True).start()
started.wait()
"""


def main() -> None:
    """Uses the package."""
    assert Path(fb.__file__).is_relative_to(sys.prefix), fb.__file__
    version = metadata.version("firstbad")
    assert fb.__version__ == version
    assert all("extra ==" in one for one in metadata.requires("firstbad") or [])
    [plugin] = metadata.entry_points(group="pytest11", name="firstbad")
    assert plugin.value == "firstbad_facts.pytest_plugin"

    graph = fb.CommitGraph.linear([str(build) for build in range(100)])
    report = fb.find_regressions(graph, lambda build: int(build) < 64, bad="99", good="0", jobs=2)
    assert report.points[0].bad == "64"

    for _ in range(5):
        said(sys.executable, "-I", "-c", ENDING)

    program = str(SCRIPTS / "firstbad")
    assert said(program, "--version") == f"firstbad {version}"
    assert said(sys.executable, "-I", "-m", "firstbad", "--version") == f"firstbad {version}"
    assert "_firstbad" in said(program, "completions", "bash")
    assert ".TH firstbad 1" in said(program, "man")

    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {f"GIT_{who}_{what}": "smoke" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        said("git", "init", "--quiet", "--initial-branch", "main", folder=folder)
        for number in range(8):
            Path(folder, "number").write_text(f"{number}\n")
            said("git", "add", "number", folder=folder)
            said("git", "commit", "--quiet", "-m", f"Count to {number}", folder=folder)
        ends = ("--good", "main~7", "--bad", "main")
        test = ("sh", "-c", "test $(cat number) -lt 5")
        answer = said(sys.executable, "-I", "-m", "firstbad", "run", "--quiet", *ends, "--", *test, folder=folder)
        first = answer.splitlines()[0]
        assert first.startswith("First bad commit: "), answer
        assert first.endswith("(Count to 5)"), answer
        repo = fb.Repository(folder)
        with repo.command_oracle(test) as oracle:
            report = fb.find_regressions(repo.graph("main"), oracle, bad="main", good="main~7")
        assert report.points[0].bad == repo.resolve("main~2")
    print(f"firstbad {version} works with Python {platform.python_version()}")


main()
