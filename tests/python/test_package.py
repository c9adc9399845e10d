"""The package as a whole: names, documentation, types."""

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


def test_the_version_is_the_packages():
    assert fb.__version__ == metadata.version("firstbad")


def test_everything_promised_is_there_and_documented():
    assert len(fb.__all__) == len(set(fb.__all__))
    for name in fb.__all__:
        value = getattr(fb, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name
            assert value.__module__.startswith("firstbad."), name
    for module in MODULES:
        assert module.__doc__, module.__name__
        assert module.__all__


def test_types_are_shipped():
    files = {file.name for file in resources.files(fb).iterdir()}
    assert {"py.typed", "_native.pyi"} <= files


@pytest.mark.parametrize("module", [fb, *MODULES], ids=lambda module: module.__name__)
def test_examples_in_the_documentation_are_true(module, monkeypatch, tmp_path):
    # Some make a folder: it goes with the test's own.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert doctest.testmod(module).failed == 0


def test_every_error_is_ours_and_has_a_code():
    errors = [getattr(fb, name) for name in fb.__all__ if inspect.isclass(getattr(fb, name))]
    errors = [error for error in errors if issubclass(error, Exception)]
    assert len(errors) == 20
    for error in errors:
        assert issubclass(error, fb.FirstbadError)
        made = error("what happened")
        assert str(made) == "what happened"
        assert made.code == error.code != ""
    assert issubclass(fb.GraphError, ValueError)
    assert issubclass(fb.UnknownRevisionError, LookupError)
    assert issubclass(fb.HostError, OSError)
