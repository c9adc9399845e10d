"""The modules that `import firstbad` loads, which every program pays for at its start."""

import ast
import json
import os
import pickle
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import firstbad as fb

ROOT = Path(__file__).parents[2]

# Modules that load slowly, and that most programs do not need.
HEAVY = {
    "asyncio", "concurrent.futures", "dataclasses", "html", "importlib.metadata", "inspect", "json", "logging",
    "multiprocessing", "pathlib", "re", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "typing", "uuid",
}  # fmt: skip


def loaded(program):
    """Returns the modules that a program loads in a new process, without those of Python itself."""

    def modules(program):
        program += "\nimport sys\nprint(*sorted(sys.modules))"
        # Without `site`, no modules of the local installation are loaded.
        folders = [ROOT / "python", Path(pytest.__file__).parents[1]]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, folders))}
        command = [sys.executable, "-S", "-c", program]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return set(ended.stdout.splitlines()[-1].split())

    return modules(program) - modules("")


def test_importing_the_package_loads_no_submodule():
    modules = loaded("import firstbad")
    assert "firstbad" in modules
    assert not {name for name in modules if name.startswith("firstbad.")}
    assert not modules & HEAVY


def test_a_search_in_this_thread_needs_no_event_loop_and_no_executor():
    program = """
import firstbad as fb
report = fb.find_regressions(fb.CommitGraph.linear(list("abc")), lambda revision: revision == "a", bad="c", good="a")
assert report.points[0].bad == "b"
"""
    absent = {"asyncio", "concurrent.futures", "importlib.metadata", "multiprocessing", "socket", "ssl", "subprocess"}
    assert not loaded(program) & (absent | {"uuid", "sqlite3", "firstbad._slice", "firstbad._port"})


def test_the_command_line_loads_only_the_native_module():
    program = """
import sys
from firstbad.__main__ import main
sys.argv[1:] = ["--version"]
try:
    main()
except SystemExit as ended:
    assert ended.code == 0
"""
    modules = loaded(program)
    assert {name for name in modules if name.startswith("firstbad.")} == {"firstbad.__main__", "firstbad._native"}
    assert not modules & (HEAVY | {"enum", "signal"})


def test_pytest_loads_only_the_plugin_module():
    of_pytest = "import pytest, typing, os, sys"
    modules = loaded(f"{of_pytest}\nimport firstbad_facts.pytest_plugin") - loaded(of_pytest)
    assert modules == {"firstbad_facts", "firstbad_facts.pytest_plugin"}


def test_type_checkers_and_the_interpreter_import_the_same_names():
    tree = ast.parse(Path(fb.__file__).read_text())
    [checked] = [node for node in tree.body if isinstance(node, ast.If)]
    imports = {
        name.name: node.module.removeprefix("firstbad").removeprefix(".")
        for node in checked.body
        for name in node.names
    }
    assert imports == fb._MODULE_OF | {"factors": ""}
    assert sorted(imports) == sorted(fb.__all__)


def test_lazy_names_behave_like_imported_names():
    program = """
import firstbad, json, sys
from firstbad import *
listed = sorted(name for name in dir(firstbad) if not name.startswith("__"))
home = sys.modules["firstbad._regression"]
print(json.dumps([listed, sorted(globals()), find_regressions is firstbad.find_regressions is home.find_regressions]))
"""
    command = [sys.executable, "-c", program]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "python")}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    listed, imported, same = json.loads(ended.stdout)
    assert listed == sorted(name for name in fb.__all__ if name != "__version__")
    assert set(fb.__all__) <= set(imported)
    assert same


def test_help_and_pickles_know_the_names():
    words = pydoc.plain(pydoc.render_doc(fb))
    assert "find_regressions(graph" in words
    assert "class CommitGraph" in words
    program = f"import pickle\nprint(pickle.loads({pickle.dumps(fb.Observation('pass'))!r}).outcome)"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "python")}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout == "pass\n"


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(AttributeError, match="module 'firstbad' has no attribute 'find_regression'"):
        _ = fb.find_regression
    assert not hasattr(fb, "_modules")
