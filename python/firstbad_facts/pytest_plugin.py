"""The pytest plugin of firstbad. pytest loads it in every run, so it imports modules only when needed.

`pytest --firstbad-facts` collects facts about the definitions that a history changes, for `firstbad.slice_history`.
`pytest --firstbad-good REV` finds the commits that broke the failed tests. Without the option, if several
tests fail, the plugin prints a command that finds them.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from firstbad_facts._tracer import Tracer

#: The variable that names the file for the facts.
SIGNALS = "FIRSTBAD_SIGNALS"

_OPTION = "--firstbad-facts"
_CULPRITS: dict[str, dict[str, Any]] = {
    "--firstbad-good": {
        "metavar": "REV",
        "action": "append",
        "help": "find the commits that broke the failing tests after REV, a revision that passes (repeatable)",
    },
    "--firstbad-bad": {"metavar": "REV", "help": "a revision that fails (default: HEAD)"},
    "--firstbad-max": {
        "metavar": "N",
        "type": int,
        "help": "search for the culprits of at most N tests and print a command for the others (default: no limit, or "
        "5 if each test has a separate search)",
    },
    "--firstbad-journal": {
        "metavar": "FOLDER",
        "help": "save the searches in FOLDER, so that the same run can resume them",
    },
    "--firstbad-build": {
        "metavar": "COMMAND",
        "help": "build each revision with a shell command; if COMMAND fails, the revision is unresolved",
    },
    "--firstbad-timeout": {
        "metavar": "SECONDS",
        "type": float,
        "help": "stop a test after SECONDS; the revision is unresolved (default: ten times the slowest run so far, at "
        "least 5 seconds)",
    },
    "--firstbad-copy": {
        "metavar": "PATH",
        "action": "append",
        "help": "copy PATH from your checkout into revisions that lack it (repeatable)",
    },
    "--firstbad-flaky": {
        "action": "store_const",
        "const": True,
        "help": "the tests are flaky: repeat runs until the culprit is certain enough",
    },
    "--firstbad-flake-rate": {
        "metavar": "RATE",
        "help": "with --firstbad-flaky: failure rate at good revisions (default: estimated)",
    },
    "--firstbad-false-pass-rate": {
        "metavar": "RATE",
        "help": "with --firstbad-flaky: probability that a bad revision passes, or `estimate` (default: 0)",
    },
}
_ATTRIBUTE = "_firstbad_tracer"
_PACKED = "firstbad_facts"


def pytest_addoption(parser: Any) -> None:
    """Adds the options."""
    group = parser.getgroup("firstbad")
    for option, about in _CULPRITS.items():
        group.addoption(option, **about)
    words = (
        f"write facts about the definitions that FIRSTBAD_DEFINITIONS lists to the file that {SIGNALS} names, "
        "as firstbad sets them for a test"
    )
    group.addoption(_OPTION, action="store_true", default=False, help=words)


def pytest_configure(config: Any) -> None:
    """Starts tracing and prepares the search for culprits, if requested."""
    _prepare_to_seek(config)
    if not config.getoption("firstbad_facts"):
        return
    # Import the module only when it is needed.
    from firstbad_facts import _definitions
    from firstbad_facts._tracer import Tracer

    for variable in (_definitions.VARIABLE, SIGNALS):
        if not os.environ.get(variable):
            raise pytest.UsageError(f"{_OPTION}: {variable} does not name a file. Command oracles set it")
    try:
        definitions = _definitions.read(os.environ[_definitions.VARIABLE])
    except _definitions.DefinitionsError as error:
        raise pytest.UsageError(f"{_OPTION}: {error}") from None
    root = os.environ.get("FIRSTBAD_WORKTREE") or os.getcwd()
    tracer = Tracer(_definitions.Definitions(definitions, root))
    trouble = tracer.start()
    if trouble is None:
        setattr(config, _ATTRIBUTE, tracer)
    else:
        _say(trouble)


def _prepare_to_seek(config: Any) -> None:
    good, *others = (config.getoption(option[2:].replace("-", "_")) for option in _CULPRITS)
    # Workers of pytest-xdist leave the search to the main process. A run at a revision is part of a search.
    if hasattr(config, "workerinput") or os.environ.get("FIRSTBAD_REVISION"):
        return
    if not good:
        given = [option for option, value in zip([*_CULPRITS][1:], others, strict=True) if value is not None]
        if given:
            raise pytest.UsageError(f"{given[0]}: it also needs --firstbad-good REV")
        return
    from firstbad._pytest_culprits import Culprits

    config.pluginmanager.register(Culprits(config), "firstbad-culprits")


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: Any) -> None:
    """Prints the command that finds the culprits if several tests failed."""
    is_search = {"FIRSTBAD_REVISION", "FIRSTBAD_RUN"} & os.environ.keys()
    if exitstatus != pytest.ExitCode.TESTS_FAILED or config.getoption("firstbad_good") or is_search:
        return
    reports = [report for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ())]
    if len({report.nodeid for report in reports if report.when != "collect"}) < 2:
        return
    from firstbad._pytest_triage import hint

    lines = hint(terminalreporter, config)
    if lines:
        terminalreporter.section("firstbad")
        for line in lines:
            terminalreporter.write_line(line)


def pytest_sessionfinish(session: Any) -> None:
    """Sends the facts of a pytest-xdist worker."""
    tracer: Tracer | None = getattr(session.config, _ATTRIBUTE, None)
    output = getattr(session.config, "workeroutput", None)
    if tracer is not None and output is not None:
        output[_PACKED] = None if _stopped(tracer) else tracer.packed()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Receives the facts of a pytest-xdist worker."""
    config = node.config
    tracer: Tracer | None = getattr(config, _ATTRIBUTE, None)
    packed = getattr(node, "workeroutput", {}).get(_PACKED)
    if packed is not None and tracer is not None:
        tracer.merge(packed)
    elif tracer is not None:
        _say("a worker of pytest-xdist sent no facts, so there are none")
        setattr(config, _ATTRIBUTE, None)


def pytest_unconfigure(config: Any) -> None:
    """Writes the facts in one step."""
    tracer: Tracer | None = getattr(config, _ATTRIBUTE, None)
    if tracer is None or hasattr(config, "workeroutput"):
        return
    setattr(config, _ATTRIBUTE, None)
    if _stopped(tracer):
        return
    path = os.environ[SIGNALS]
    try:
        with open(f"{path}.new", "w", encoding="utf-8") as file:
            file.write(tracer.signals())
        os.replace(f"{path}.new", path)
    except OSError as error:
        _say(f"{SIGNALS}: {error}, so there are no facts")


def _stopped(tracer: Tracer) -> bool:
    """Stops the tracer. Returns whether calls were missed, so that facts may be wrong."""
    trouble = tracer.stop()
    if trouble is not None:
        _say(trouble)
    return trouble is not None


def _say(words: str) -> None:
    print(f"firstbad: {words}", file=sys.stderr)
