"""Options: every search and function takes and documents the options of the table."""

import asyncio
import inspect
import json
import re
from pathlib import Path

import pytest

import firstbad as fb
from firstbad import (
    _change,
    _culprit,
    _isolate,
    _minimize,
    _native,
    _port,
    _regression,
    _run_options,
    _slice,
    _triage,
    _verification,
)

TABLE = json.loads((Path(__file__).parents[2] / "crates/firstbad/options.json").read_text())["$defs"]
LINE = fb.CommitGraph.linear(["a", "b", "c"])
PATCH = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n")
SEARCHES = {
    "regression": (fb.RegressionSearch, _regression.REGRESSION, LINE, {"bad": "c"}),
    "culprit": (fb.CulpritSearch, _culprit.CULPRIT, LINE, {"bad": "c"}),
    "verification": (fb.CulpritVerifier, _verification.VERIFICATION, LINE, {"bad": "c", "culprit": "c"}),
    "minimize": (fb.Minimizer, _minimize.MINIMIZE, "abc", {}),
    "isolate": (fb.Isolator, _isolate.ISOLATE, "abc", {}),
    "port": (fb.Porter, _port.PORTER, LINE, {"start": "c"}),
    "slice": (fb.Slicer, _slice.SLICER, 3, {}),
    "triage": (fb.TriageSearch, _triage.TRIAGE, LINE, {"bad": "c"}),
    "change": (fb.ChangeSearch, _change.CHANGE, LINE, {"bad": "c"}),
}
FUNCTIONS = [
    (fb.find_regressions, "regression", set()),
    (fb.find_culprit, "culprit", set()),
    (fb.verify_culprit, "verification", set()),
    (fb.triage, "triage", {"store"}),
    (fb.find_change, "change", {"store"}),
    (fb.minimize, "minimize", set()),
    (fb.isolate, "isolate", set()),
    (fb.minimize_patch, "minimize", {"parents", "depth", "later"}),
    (fb.minimize_text, "minimize", {"parents", "later"}),
    (fb.Repository.minimize_commit, "minimize", {"parents", "depth", "later", "keep"}),
]
TWINS = {
    fb.find_regressions: fb.find_regressions_async,
    fb.find_culprit: fb.find_culprit_async,
    fb.verify_culprit: fb.verify_culprit_async,
    fb.triage: fb.triage_async,
    fb.find_change: fb.find_change_async,
    fb.minimize: fb.minimize_async,
    fb.isolate: fb.isolate_async,
    fb.minimize_patch: fb.minimize_patch_async,
    fb.minimize_text: fb.minimize_text_async,
    fb.Repository.minimize_commit: fb.Repository.minimize_commit_async,
}


def explained(taker):
    """Returns the documentation of each parameter, on one line."""
    section = inspect.getdoc(taker).partition("\nArgs:\n")[2].partition("\n\n")[0]
    entries = re.split(r"^ {4}(?=\S)", section, flags=re.MULTILINE)[1:]
    return dict(" ".join(entry.split()).split(": ", 1) for entry in entries)


@pytest.mark.parametrize("algorithm", TABLE)
def test_searches_accept_the_options_of_the_table(algorithm):
    search, options, _, _ = SEARCHES[algorithm]
    properties = TABLE[algorithm]["properties"]
    _, *shown = inspect.signature(search).parameters.values()
    assert {one.name for one in shown} == properties.keys() == options.meanings.keys()
    for one in shown:
        needed = one.name in TABLE[algorithm]["required"]
        assert one.default == (inspect.Parameter.empty if needed else properties[one.name]["default"]), one.name
    assert list(explained(search)) == list(inspect.signature(search).parameters)


@pytest.mark.parametrize("algorithm", TABLE)
def test_missing_options_have_the_defaults_of_the_core(algorithm):
    search, _, world, needed = SEARCHES[algorithm]
    configuration = json.loads(search(world, **needed).snapshot())["configuration"]
    for name, option in TABLE[algorithm]["properties"].items():
        if name not in needed and name != "good":  # the roots, where none is given
            assert configuration.get(name) == option["default"], name


@pytest.mark.parametrize(
    ("function", "algorithm", "settled"), FUNCTIONS, ids=[function.__qualname__ for function, _, _ in FUNCTIONS]
)
def test_functions_explain_every_parameter(function, algorithm, settled):
    for taker, driver in [(function, fb.run), (TWINS[function], fb.run_async)]:
        parameters = inspect.signature(taker).parameters
        own = list(taker.__code__.co_varnames[: taker.__code__.co_argcount + taker.__code__.co_kwonlyargcount])
        _, *searching = inspect.signature(SEARCHES[algorithm][0]).parameters.values()
        _, _, *running = inspect.signature(driver).parameters.values()
        taken = [one for one in searching + running if one.name not in settled]
        kept = [name for name in _run_options.KEEP.parameters if name not in settled]
        assert list(parameters) == [*own, *(one.name for one in taken), *kept]
        assert all(parameters[one.name] == one for one in taken)
        meanings = explained(taker)
        assert list(meanings) == [name for name in parameters if name != "self"]
        assert all(meaning.endswith(".") for meaning in meanings.values()), meanings
        # The annotation for type checkers.
        [unpacked] = re.findall(r"Unpack\[(\w+)\]", taker.__annotations__["options"])
        assert vars(inspect.getmodule(taker))[unpacked].__annotations__.keys() == parameters.keys() - set(own)


@pytest.mark.parametrize("driver", [fb.run, fb.run_async])
def test_drivers_explain_every_parameter(driver):
    assert explained(driver).keys() == inspect.signature(driver).parameters.keys()
    assert inspect.signature(driver).parameters["retries"].default == 3


def test_sessions_explain_every_parameter():
    assert explained(fb.Session.open).keys() == inspect.signature(fb.Session.open).parameters.keys()
    with pytest.raises(TypeError, match='did you mean "wait"'):
        fb.Session.open("run.jsonl", fb.Minimizer("ab"), wiat=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fb.RegressionSearch(LINE, bads="c"), 'RegressionSearch() has no option "bads"; did you mean "bad"?'),
        (lambda: fb.find_regressions(LINE, lambda _: True, bad="c", job=2), 'did you mean "jobs"?'),
        (lambda: fb.find_regressions(LINE, lambda _: True, bad="c", jurnal=2), 'did you mean "journal"?'),
        (lambda: fb.find_regressions(LINE, lambda _: True, bad="c", explian=True), 'did you mean "explain"?'),
        (lambda: fb.find_culprit(LINE, lambda _: True, bad="c", buildgraph=1), 'did you mean "build_graph"?'),
        (
            lambda: fb.find_culprit(LINE, lambda _: True, bad="c", prior_bye=1),
            'find_culprit() has no option "prior_bye"; did you mean "prior_by"?',
        ),
        (
            lambda: asyncio.run(fb.find_culprit_async(LINE, lambda _: True, bad="c", zzz=1)),
            'has no option "zzz"; expected one of build_graph, changes, factors, prior_by, exclude_unaffected, before, '
            "graphs, bad, good, ",
        ),
        (lambda: fb.run(fb.Minimizer("ab"), lambda _: True, retry=2), 'did you mean "retries"?'),
        # Options that a text determines are not suggested.
        (
            lambda: fb.minimize_text("a", lambda _: True, zzz=1),
            "keep, signature, confidence, flake_rate, false_pass_rate, jobs",
        ),
        # A name occurs once.
        (
            lambda: fb.minimize_patch(PATCH, lambda _: True, zzz=1),
            "expected one of granularity, algorithm, dependencies, weights, monotonic, ",
        ),
        (lambda: fb.minimize_patch(PATCH, lambda _: True, zzz=1), "false_pass_rate, jobs"),
        (lambda: fb.Isolator("ab", algorithm="ddmin"), 'Isolator() has no option "algorithm"; expected one of'),
        (lambda: fb.CulpritSearch(LINE, flake_rate=0.1), "CulpritSearch() needs the option 'bad'"),
        (lambda: fb.verify_culprit(LINE, lambda _: True, bad="c"), "verify_culprit() needs the option 'culprit'"),
    ],
)
def test_a_wrong_option_suggests_the_nearest(call, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        call()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"signature": re.compile("boom")}, "signature: re.compile('boom') (Pattern) is not valid; expected a string"),
        ({"signature": b"boom"}, "signature: b'boom' (bytes) is not valid; expected a string"),
        ({"confidence": float("nan")}, "confidence: nan (float) is not valid; expected "),
        ({"find": {"fix"}}, "find: {'fix'} (set) is not valid; expected "),
    ],
)
def test_values_without_a_json_form_are_errors(options, message):
    with pytest.raises(fb.InvalidArgumentError, match=re.escape(message)):
        fb.find_regressions(LINE, lambda _: True, bad="c", **options)


def test_the_core_knows_no_other_algorithm():
    with pytest.raises(fb.InvalidArgumentError, match="algorithm"):
        _native.defaults("guessing")
