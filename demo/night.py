"""The last part of the demo: `firstbad triage` finds the causes of a red test suite."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from history import History
from red_suite import CAUSES, FLAKY, GOOD, make_red_suite

PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]


def triage(folder: Path) -> dict[str, Any]:
    """Runs the suite at `main`, then `firstbad triage` as a user would. Returns the verdicts and what was planted."""
    repository = folder / "red"
    history = make_red_suite(repository)
    calls = folder / "calls"
    calls.write_text("")
    environment = {**os.environ, "SHOP_CALLS": str(calls), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    tonight, journal = folder / "tonight.xml", folder / "night.jsonl"

    def run(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=repository, env=environment, stdin=subprocess.DEVNULL, **options)

    done = run(*PYTEST, "-q", "--tb=no", f"--junitxml={tonight}", capture_output=True, text=True)
    print("  $ pytest --junitxml=tonight.xml", f"  {done.stdout.splitlines()[-1]}", "", sep="\n", flush=True)
    print(f"  $ firstbad triage --good {GOOD} --bad-results tonight.xml -- pytest", flush=True)
    firstbad = [sys.executable, "-m", "firstbad"]
    options: list[str | Path] = ["--good", GOOD, "--bad-results", tonight, "--journal", journal, "--quiet"]
    began = time.monotonic()
    run(*firstbad, "triage", *options, "--", *PYTEST, check=True)
    seconds = time.monotonic() - began
    report = run(*firstbad, "report", journal, "--json", check=True, capture_output=True, text=True).stdout
    return {"verdicts": verdicts(json.loads(report), history), "planted": planted(), "seconds": seconds}


def verdicts(report: dict[str, Any], history: History) -> dict[str, str]:
    """Returns the subject of the culprit of each test, or the verdict if no commit broke the test."""
    subjects = {sha: commit.subject for sha, commit in zip(history.shas, history.commits, strict=True)}
    return {test["id"]: subjects.get(test["culprit"], test["verdict"]) for test in report["tests"]}


def planted() -> dict[str, str]:
    """Returns the verdicts that are right."""
    return {test: subject for subject, tests in CAUSES.items() for test in tests} | {FLAKY: "flaky"}
