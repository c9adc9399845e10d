"""The package as a whole: names, documentation, types."""

import doctest
import importlib
import inspect
import pkgutil
import re
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
def test_examples_in_the_documentation_are_true(module):
    assert doctest.testmod(module).failed == 0


def test_every_error_is_ours_and_has_a_code():
    errors = [getattr(fb, name) for name in fb.__all__ if inspect.isclass(getattr(fb, name))]
    errors = [error for error in errors if issubclass(error, Exception)]
    assert len(errors) == 18
    for error in errors:
        assert issubclass(error, fb.FirstbadError)
        made = error("what happened")
        assert str(made) == "what happened"
        assert made.code == error.code != ""
    assert issubclass(fb.GraphError, ValueError)
    assert issubclass(fb.UnknownRevisionError, LookupError)
    assert issubclass(fb.HostError, OSError)


@pytest.mark.parametrize(
    ("function", "search", "driver"),
    [
        (fb.find_regressions, fb.RegressionSearch, fb.run),
        (fb.find_regressions_async, fb.RegressionSearch, fb.run_async),
        (fb.find_culprit, fb.CulpritSearch, fb.run),
        (fb.find_culprit_async, fb.CulpritSearch, fb.run_async),
        (fb.verify_culprit, fb.CulpritVerifier, fb.run),
        (fb.verify_culprit_async, fb.CulpritVerifier, fb.run_async),
        (fb.minimize, fb.Minimizer, fb.run),
        (fb.minimize_async, fb.Minimizer, fb.run_async),
        (fb.isolate, fb.Isolator, fb.run),
        (fb.isolate_async, fb.Isolator, fb.run_async),
        (fb.minimize_patch, fb.Minimizer, fb.run),
        (fb.minimize_patch_async, fb.Minimizer, fb.run_async),
        (fb.minimize_text, fb.Minimizer, fb.run),
        (fb.minimize_text_async, fb.Minimizer, fb.run_async),
        (fb.Repository.minimize_commit, fb.Minimizer, fb.run),
        (fb.Repository.minimize_commit_async, fb.Minimizer, fb.run_async),
    ],
)
def test_functions_take_the_options_of_their_search_and_driver(function, search, driver):
    shown = inspect.signature(function).parameters
    # Its own come first; what it settles itself is left out.
    own = list(function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount])
    _, *searching = inspect.signature(search).parameters.values()
    _, _, *running = inspect.signature(driver).parameters.values()
    settled = {"parents", "depth"} if "granularity" in own else set()
    if "text" in own:
        settled.add("parents")
    if "culprit" in own:
        settled.add("keep")
    taken = [option for option in searching + running if option.name not in settled]
    assert list(shown) == [*own, *(option.name for option in taken), "journal", "known", "store"]
    for option in taken:
        assert shown[option.name].kind is inspect.Parameter.KEYWORD_ONLY
        assert shown[option.name].default == option.default
    # What type checkers see is written down a second time, and has to be the same.
    [unpacked] = re.findall(r"Unpack\[(\w+)\]", function.__annotations__["options"])
    options = getattr(importlib.import_module(function.__module__), unpacked)
    typed = {name: kind.__forward_arg__ for name, kind in options.__annotations__.items()}
    assert typed == {option.name: option.annotation for option in shown.values() if option.name not in own}
    needed = {option.name for option in shown.values() if option.default is inspect.Parameter.empty}
    assert options.__required_keys__ == needed - set(own)
