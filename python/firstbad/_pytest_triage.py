"""One `firstbad triage` of all failed tests of a pytest run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from firstbad._errors import FirstbadError
from firstbad._pytest_command import PytestCommand, top_of, without_group
from firstbad._repository import Repository

__all__ = ["cache_of", "hint", "line", "options", "results", "run", "write"]

#: The last characters of a failure. They contain its innermost frame.
_LONGEST = 16_000
#: Exit codes of the command line without a report.
_ERRORS = (1, 2)
_UNKNOWN = "REVISION"


def results(terminal: Any, command: PytestCommand) -> dict[str, dict[str, Any]]:
    """Returns the result of each failed test, by its id from the top of the repository, in the order of the run."""
    reports = [report for kind in terminal.stats.values() for report in kind if getattr(report, "failed", False)]
    found: dict[str, dict[str, Any]] = {}
    for report in reports:
        if getattr(report, "when", None) not in ("setup", "call", "teardown"):
            continue
        file, name = command.place(without_group(report.nodeid))
        # A test can fail twice, such as in its call and in its teardown.
        one = found.setdefault(file + name, {"id": file + name, "file": file, "outcome": "fail", **_failure(report)})
        one["seconds"] = one.get("seconds", 0.0) + (getattr(report, "duration", 0.0) or 0.0)
    return found


def _failure(report: Any) -> dict[str, str]:
    crash = getattr(report.longrepr, "reprcrash", None)
    message = getattr(crash, "message", "") or ""
    return {"message": message[:_LONGEST], "text": (getattr(report, "longreprtext", "") or "")[-_LONGEST:]}


def write(path: Path, failed: Iterable[Mapping[str, Any]]) -> Path:
    """Writes results as JSON lines, and returns the path.

    Raises:
        OSError: If the file cannot be written.
    """
    lines = [{"runner": "pytest"}, *failed]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    return path


def cache_of(config: Any) -> Path | None:
    """Returns firstbad's folder in the cache of pytest, or None if there is no cache."""
    try:
        return Path(config.cache.mkdir("firstbad"))
    except (AttributeError, OSError):
        return None


def options(good: str, bad: str, copied: Iterable[str] = ()) -> list[str]:
    """Returns the options of `firstbad triage` that every run of pytest needs.

    Args:
        good: The good revision.
        bad: The bad revision.
        copied: Files to copy from the checkout, relative to the top of the repository.
    """
    # The tests failed normally here, so a crash at another revision is another failure.
    words = ["--good", good, "--bad", bad, "--runner", "pytest", "--treat", "signal=unresolved"]
    for path in copied:
        words += ["--copy", path]
    return words


def line(triage: list[str], file: Path, command: PytestCommand) -> str:
    """Returns the command line of a triage of the tests in a file of results."""
    program = ["firstbad"] if shutil.which("firstbad") else [sys.executable, "-m", "firstbad"]
    path = os.path.relpath(file, command.started)
    return shlex.join([*program, "triage", *triage, "--bad-results", path, "--", *command.of_many()])


def run(
    triage: list[str], failed: Iterable[Mapping[str, Any]], command: PytestCommand, top: Path, journal: Path | None
) -> tuple[int, str]:
    """Runs a triage, and returns its exit code and its text.

    Raises:
        FirstbadError: If there is no report, for example because a revision does not exist.
        KeyboardInterrupt: After Ctrl-C. The argument is the text of the unfinished triage.
    """
    with tempfile.TemporaryDirectory(prefix="firstbad-") as folder:
        file = write(Path(folder) / "failed.jsonl", failed)
        words = [*triage, "--bad-results", str(file), "--", *command.of_many()]
        if journal is not None:
            # A journal has the options of its triage.
            words = ["--journal", str(journal), *([] if journal.exists() else words)]
        # `-m` imports from the current folder first, which is thus the one with this package.
        ended = subprocess.Popen(
            [sys.executable, "-m", "firstbad", "-C", str(top), "triage", "--quiet", *words],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
        try:
            text, errors = ended.communicate()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(_stopped(ended)) from None
    if ended.returncode in _ERRORS or ended.returncode < 0:
        raise FirstbadError(_with_plugin_options(errors.strip().removeprefix("error: ")))
    return ended.returncode, text.rstrip()


def _stopped(running: subprocess.Popen[str]) -> str:
    """Lets an interrupted triage save its journal, and returns its text."""
    try:
        # A terminal has sent Ctrl-C to both processes.
        text, _ = running.communicate(timeout=2)
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        text, _ = running.communicate()
    return text.rstrip()


def _with_plugin_options(text: str) -> str:
    """Returns an error message with the options of the plugin."""
    return re.sub(r"(?<![\w-])--(good|bad|journal|build|timeout|copy)\b", r"--firstbad-\1", text)


def hint(terminal: Any, config: Any) -> list[str]:
    """Returns lines with the command that finds the culprits of the failed tests, or no line.

    There is no line outside a repository, without a cache of pytest, or if a failed test is outside the repository.
    """
    started = config.invocation_params.dir
    top, folder = top_of([*config.args, str(config.rootpath), str(started)], started), cache_of(config)
    if top is None or folder is None:
        return []
    command = PytestCommand(config, top)
    failed = results(terminal, command)
    files = {one["file"] for one in failed.values()}
    if any(file.startswith("..") for file in files):
        return []
    try:
        repository = Repository(top)
        copied = [file for file in sorted(files) if _is_new(repository, file)]
        path = write(folder / "failed.jsonl", failed.values())
    except (FirstbadError, OSError):
        return []
    good = _last_tag(top)
    said = [f"To find the commits that broke these {len(failed)} tests:", ""]
    said += [line(options(good or _UNKNOWN, "HEAD", copied), path, command)]
    return [*said, "", f"Replace {_UNKNOWN} by the last revision that passed."] if good is None else said


def _is_new(repository: Repository, file: str) -> bool:
    """Returns whether HEAD lacks a file, or has it without content."""
    return repository.read({"read": "file", "revision": repository.resolve("HEAD"), "path": file}) == b""


def _last_tag(top: Path) -> str | None:
    """Returns the last tag before HEAD."""
    command = ["git", "describe", "--tags", "--abbrev=0", "HEAD^"]
    try:
        ended = subprocess.run(command, cwd=top, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return ended.stdout.strip() or None
