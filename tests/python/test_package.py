"""The package as a whole: names, documentation, types."""

import ast
import dataclasses
import doctest
import importlib
import inspect
import pkgutil
import tempfile
from importlib import metadata, resources

import pytest

import firstbad as fb

MODULES = [
    importlib.import_module(f"firstbad.{module.name}")
    for module in pkgutil.iter_modules(fb.__path__)
    if module.name not in ("_native", "__main__")
]


def test_the_version_is_that_of_the_package():
    assert fb.__version__ == metadata.version("firstbad")


def test_every_public_name_exists_and_is_documented():
    assert len(fb.__all__) == len(set(fb.__all__))
    for name in fb.__all__:
        value = getattr(fb, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name
            assert value.__module__.startswith("firstbad."), name
    for module in MODULES:
        assert module.__doc__, module.__name__
        assert module.__all__


@pytest.mark.parametrize("made", [fb.Observation, fb.Changelist])
def test_type_hints_match_the_accepted_arguments(made):
    body = ast.parse(inspect.getsource(made)).body[0].body
    (told,) = (one for part in body if isinstance(part, ast.If) for one in part.body)
    names = [argument.arg for argument in told.args.args]
    assert names == ["self", *(field.name for field in dataclasses.fields(made))]
    defaults = [ast.unparse(default) for default in told.args.defaults]
    taken = list(inspect.signature(made).parameters.values())[-len(defaults) :]
    for argument, default in zip(taken, defaults, strict=True):
        assert default in ("...", repr(argument.default)), argument


def test_type_checkers_know_the_names_of_values():
    api = pytest.importorskip("mypy.api")
    text = """import firstbad as fb
fb.Observation("fail", stage="build")
fb.Observation(None)
fb.Observation(True)
fb.Observation(passes=3)
fb.Changelist("c1", ["till.py"], parents=["c0"])
fb.Observation("failed")
search = fb.TriageSearch(fb.CommitGraph.linear("ab"), bad="b", tonight=fb.read_results("night.xml"))
search.tell(0, {"t": False, "u": fb.TestResult("pass")})
report: fb.TriageReport = fb.run(search, lambda revision, tests: {test: True for test in tests or ()})
culprit: fb.TriageCulprit = fb.triage({"b": ["a"]}, lambda revision, tests: None, bad="b", store=1).culprits[0]
outcome: fb.Outcome = fb.Observation(False).outcome
sizes = fb.ChangeSearch({"b": ["a"]}, bad="b", metrics={"size": {"at_least": "2kB", "worse": "up"}})
sizes.tell(0, {"size": 3, "more": None})
change: fb.ChangeReport = fb.run(sizes, lambda revision: 12.5)
step: fb.Step = fb.find_change({"b": ["a"]}, len, bad="b", costs={"build": 9, "measurement": 1}).steps[0]
fb.find_change({"b": ["a"]}, len, bad="b", metrics={"size": {"unti": "B"}})
fb.find_change({"b": ["a"]}, str, bad="b")
"""
    found, _, _ = api.run(["--config-file=", "--strict", "--no-incremental", "-c", text])
    assert [line.split(": ")[0] for line in found.splitlines() if ": error: " in line] == [
        "<string>:7",
        "<string>:11",
        "<string>:17",
        "<string>:18",
    ], found


def test_types_are_shipped():
    files = {file.name for file in resources.files(fb).iterdir()}
    assert {"py.typed", "_native.pyi"} <= files


@pytest.mark.parametrize("module", [fb, *MODULES], ids=lambda module: module.__name__)
def test_examples_in_docstrings_run(module, monkeypatch, tmp_path):
    # Some examples create a folder, so keep it in the folder of the test.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert doctest.testmod(module).failed == 0


def test_every_error_is_a_firstbad_error_with_a_code():
    errors = [getattr(fb, name) for name in fb.__all__ if inspect.isclass(getattr(fb, name))]
    errors = [error for error in errors if issubclass(error, Exception)]
    assert len(errors) == 21
    for error in errors:
        assert issubclass(error, fb.FirstbadError)
        made = error("what happened")
        assert str(made) == "what happened"
        assert made.code == error.code != ""
    assert issubclass(fb.GraphError, ValueError)
    assert issubclass(fb.UnknownRevisionError, LookupError)
    assert issubclass(fb.HostError, OSError)
