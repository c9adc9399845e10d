"""Implements `pytest --firstbad-good REV`, which finds the commits that broke the failed tests.

Several failed tests are one `firstbad triage`. A single test, several good revisions, or rates of flaky tests are
searches of one test each.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from firstbad import _pytest_triage as triage
from firstbad._errors import FirstbadError
from firstbad._graph import CommitGraph
from firstbad._pytest_command import PytestCommand, top_of, without_group
from firstbad._regression import RegressionSearch, find_regressions
from firstbad._report import RegressionReport
from firstbad._repository import Repository

__all__ = ["Culprits"]

#: The most tests with a search each, unless an option says otherwise.
_MOST_ALONE = 5
#: The time limit of a triage's runs, relative to the run of pytest, and the least limit.
_FACTOR = 10
_LEAST_SECONDS = 5
#: The exit code of `firstbad triage` if the bad revision cannot be built.
_UNTESTABLE = 19


class Culprits:
    """The plugin that pytest calls with `--firstbad-good`.

    Args:
        config: The configuration of pytest.

    Raises:
        pytest.UsageError: If the tests are not in a Git repository, Git cannot find a revision, or a number is
            negative.
    """

    def __init__(self, config: Any) -> None:
        self._good: list[str] = config.getoption("firstbad_good")
        self._bad: str = config.getoption("firstbad_bad") or "HEAD"
        most = config.getoption("firstbad_max")
        if most is not None and most < 0:
            raise pytest.UsageError(f"--firstbad-max: {most} is not valid; expected a whole number, 0 or above")
        self._most: int | None = most
        self._began = time.monotonic()
        self._journals: str | None = config.getoption("firstbad_journal")
        self._build: str | None = config.getoption("firstbad_build")
        self._timeout: float | None = config.getoption("firstbad_timeout")
        if self._timeout is not None and not 0 < self._timeout < float("inf"):
            raise pytest.UsageError(f"--firstbad-timeout: {self._timeout} is not valid; expected seconds, above 0")
        self._named: list[str] = config.getoption("firstbad_copy") or []
        self._rates = _rates(config)
        self._failed: dict[str, bool] = {}
        self._all_collected = True
        self._was_interrupted = False
        started = config.invocation_params.dir
        # Tests can be outside the repository that pytest was started in.
        top = top_of([*config.args, str(config.rootpath), str(started)], started)
        if top is None:
            raise pytest.UsageError(f"--firstbad-good: {config.rootpath} is in no git repository")
        option = "--firstbad-good"
        self._ends: list[str] = []
        try:
            self._repository = Repository(top)
            # HEAD can move while the tests run.
            for revision in (*self._good, self._bad):
                option = "--firstbad-bad" if len(self._ends) == len(self._good) else option
                self._ends.append(self._repository.resolve(revision))
        except FirstbadError as error:
            raise pytest.UsageError(f"{option}: {error}") from None
        self._top = top
        self._command = PytestCommand(config, top)
        self._carried = [self._command.file(path) for path in self._named]
        for path, file in zip(self._named, self._carried, strict=True):
            if file.startswith("..") or not (top / file).is_file():
                raise pytest.UsageError(f"--firstbad-copy: {path!r} is not valid; expected a file in {top}")

    def pytest_collectreport(self, report: Any) -> None:
        """Records that a file or a folder was collected."""
        self._all_collected = self._all_collected and not report.failed

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Records that a phase of a test has ended."""
        if report.failed:
            test = without_group(report.nodeid)
            self._failed[test] = report.when == "call" or self._failed.get(test, False)

    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        """Records that the run stopped early: by a person, by a test, or by an option such as `-x`."""
        self._was_interrupted = excinfo.type is KeyboardInterrupt or excinfo.errisinstance(pytest.exit.Exception)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Searches for the culprits, and prints each result immediately."""
        if not self._failed and self._all_collected:
            return
        terminalreporter.section("firstbad")
        say = terminalreporter.write_line
        if not self._failed:
            say("No search for culprits, because not all tests could be collected.")
        elif self._was_interrupted:
            say("No search for culprits, because the tests were interrupted.")
        else:
            if not self._all_collected:
                say("Not all tests could be collected. These tests failed.")
            self._seek(terminalreporter, say)

    def _seek(self, terminal: Any, say: Any) -> None:
        say(f"The search tests commits up to {self._bad}, without uncommitted changes.")
        # Tests with a missing fixture come last: they are many, and often the fixture never existed.
        failed = sorted(self._failed, key=lambda test: not self._failed[test])
        try:
            # A good revision need not be an ancestor of the bad one, because a release can have separate commits.
            graph = self._repository.graph(self._ends)
        except FirstbadError as error:
            say(f"No result: {_with_plugin_options(str(error))}")
            return
        together = self._are_one_triage(failed, graph)
        most = self._most if together or self._most is not None else _MOST_ALONE
        chosen, left = failed[:most], failed[len(failed[:most]) :]
        if together and len(chosen) > 1:
            self._triage(terminal, say, chosen)
        else:
            left = self._each(terminal, say, chosen, graph) + left
        if left:
            terminal.write_sep("-", "not searched")
            for command in self._to_search(terminal, left, together):
                say(command)

    def _each(self, terminal: Any, say: Any, chosen: list[str], graph: CommitGraph) -> list[str]:
        """Searches for the culprit of each test. After Ctrl-C, returns the tests that are left."""
        for place, test in enumerate(chosen):
            terminal.write_sep("-", test)
            terminal.flush()
            try:
                say(self._found(test, graph))
            except KeyboardInterrupt as error:
                say(self._interrupted(error))
                return chosen[place:]
            except FirstbadError as error:
                say(f"No result: {_with_plugin_options(str(error))}")
        return []

    def _are_one_triage(self, failed: list[str], graph: CommitGraph) -> bool:
        """Returns whether one triage can search all tests."""
        *good, bad = self._ends
        is_line = len(good) == 1 and good[0] != bad and graph.is_ancestor(good[0], bad)
        are_inside = all(not self._command.place(test)[0].startswith("..") for test in failed)
        return len(failed) > 1 and is_line and are_inside and set(self._rates) <= {"search"}

    def _triage(self, terminal: Any, say: Any, chosen: list[str]) -> None:
        """Searches for the culprits of all tests at once."""
        failed = self._results(terminal, chosen)
        copied = self._copied(one["file"] for one in failed)
        for file in copied[len(self._carried) :]:
            say(f"{file} is not in {self._bad}, so it is copied from your checkout.")
        for file in sorted({one["file"] for one in failed} - {*copied}):
            for warning in self._changed(file):
                say(warning)
        terminal.flush()
        words = self._of_triage(self._ends, copied)
        journal = self._journal("triage", [*words, *self._command.of_many(), *chosen], copied)
        run = max(time.monotonic() - self._began, sum(one["seconds"] for one in failed))
        limit = _FACTOR * run if self._timeout is None else self._timeout * len(failed)
        words += ["--timeout", f"{max(limit, _LEAST_SECONDS):.0f}"]
        try:
            code, text = triage.run(words, failed, self._command, self._top, journal)
        except KeyboardInterrupt as error:
            say("\n".join([*filter(None, error.args), self._interrupted(error)]))
        except FirstbadError as error:
            say(f"No result: {error}")
        else:
            say("\n".join([text, *self._advice(code == _UNTESTABLE)]))

    def _of_triage(self, ends: list[str], copied: list[str]) -> list[str]:
        """Returns the options of a triage between two revisions, without its results and limits."""
        words = triage.options(ends[0], ends[1], copied)
        words += [] if self._build is None else ["--build", self._build]
        return [*words, "--confidence", "0.99"] if self._rates else words

    def _results(self, terminal: Any, tests: list[str]) -> list[dict[str, Any]]:
        """Returns the results of failed tests."""
        found = triage.results(terminal, self._command)
        names = ["".join(self._command.place(test)) for test in tests]
        return [found[name] for name in names if name in found]

    def _copied(self, files: Iterable[str]) -> list[str]:
        """Returns the files to copy: the named ones, and those of tests that the bad revision lacks."""
        new = [file for file in dict.fromkeys(files) if file not in self._carried]
        return [*self._carried, *(file for file in new if not self._has(file, self._ends[-1]))]

    def _found(self, test: str, graph: CommitGraph) -> str:
        """Describes the culprit of a test."""
        file, name = self._command.place(test)
        *good, bad = self._ends
        if file.startswith(".."):
            return "\n".join(self._answer(self._searched(test, test, graph, good)))
        if not self._has(file, bad) and file not in self._carried:
            said = f"{file} is not in {self._bad}, so it is copied from your checkout."
            return "\n".join([said, *self._answer(self._searched(file + name, test, graph, good, [file]))])
        if file in self._carried or any(self._has(file, revision) for revision in good):
            return "\n".join([*self._changed(file), *self._answer(self._searched(file + name, test, graph, good))])
        absent = f"{file} is not in {' or '.join(self._good)}"
        older = f"To test older revisions, add --firstbad-copy {shlex.quote(self._command.argument(file))}"
        born = self._born(file)
        if born == [bad]:
            return f"No result: {absent}. {self._bad} added it. {older}"
        first = " and ".join(revision[:12] for revision in born)
        report = self._searched(file + name, test, graph, born)
        if report.status == "good_end_fails":
            return f"No result: {absent}. {first} added it, and the test already fails there. {older}"
        said = f"{absent}. The search starts at {first}, which added it."
        return "\n".join([said, *self._changed(file), *self._answer(report)])

    def _answer(self, report: RegressionReport) -> list[str]:
        """Describes a report, with advice if there is no culprit."""
        words = [_with_plugin_options(str(report))]
        if report.status == "not_reproduced":
            words.append(
                "The search ran the test alone. A test that fails only after other tests also needs those tests."
            )
        return [*words, *self._advice(report.status == "untestable")]

    def _advice(self, is_untestable: bool) -> list[str]:
        """Returns advice if the test cannot run at any revision."""
        if not is_untestable or self._build is not None or self._carried:
            return []
        return [
            "Worktrees have no build output. Use --firstbad-build COMMAND to build each revision, or "
            "--firstbad-copy PATH to copy a file from your checkout."
        ]

    def _changed(self, file: str) -> list[str]:
        """Returns a warning if a test file in the checkout differs from the bad revision."""
        # Git can convert line ends.
        mine, committed = (
            one.replace(b"\r", b"") for one in ((self._top / file).read_bytes(), self._read(file, self._ends[-1]))
        )
        if mine == committed or not committed:
            return []
        return [
            f"{file} has changes here that are not in {self._bad}. Each revision is tested with its committed file. "
            "To test your changes, copy the file to a new name that Git does not track."
        ]

    def _searched(
        self, name: str, test: str, graph: CommitGraph, good: list[str], untracked: Iterable[str] = ()
    ) -> RegressionReport:
        """Returns the report of a search between good revisions and the bad one."""
        command = self._command.of(test)
        carried = [*self._carried, *untracked]
        build = None if self._build is None else ["sh", "-c", self._build]
        rates = [f"{option}={value}" for option, value in self._rates.items()]
        # The test failed normally here, so a crash at another revision is another failure.
        with self._repository.command_oracle(
            command,
            preset="pytest",
            on_signal="unresolved",
            build=build,
            timeout=self._timeout,
            copy_files=carried or "auto",
        ) as oracle:
            oracle._command.limit_by_earlier_runs()
            return find_regressions(
                graph,
                oracle,
                bad=self._ends[-1],
                good=good,
                test=name,
                journal=self._journal(name, [*command, *good, self._ends[-1], *(build or ()), *rates], oracle.carried),
                **self._rates,
            )

    def _has(self, file: str, revision: str) -> bool:
        """Returns whether a revision has a file."""
        # A missing file reads as empty, and an empty file has no tests.
        return self._read(file, revision) != b""

    def _read(self, file: str, revision: str) -> bytes:
        return self._repository.read({"read": "file", "revision": revision, "path": file})

    def _born(self, file: str) -> list[str]:
        """Returns the first revisions up to the bad one with a file that no good revision has."""
        *good, bad = self._ends
        touching = self._repository.graph(bad, exclude=good, paths=f":(literal){file}")
        born: list[str] = []
        for revision in touching:
            is_later = any(touching.is_ancestor(earlier, revision) for earlier in born)
            if not is_later and self._has(file, revision):
                born.append(revision)
        return born

    def _journal(self, test: str, search: list[str], carried: Iterable[str]) -> Path | None:
        """Returns the journal of this search, named by its commands, endpoints, and carried files."""
        if self._journals is None:
            return None
        folder = self._command.started / self._journals
        folder.mkdir(parents=True, exist_ok=True)
        whole = hashlib.sha256("\0".join(search).encode())
        for path in carried:
            whole.update(b"\0" + path.encode() + b"\0" + hashlib.sha256((self._top / path).read_bytes()).digest())
        digest = whole.hexdigest()[:12]
        return folder / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', test)[-80:].strip('-.')}-{digest}.jsonl"

    def _interrupted(self, error: KeyboardInterrupt) -> str:
        search = getattr(error, "firstbad_search", None)
        runs = ""
        if search is not None:
            runs = f" after {search.runs} {'run' if search.runs == 1 else 'runs'}"
        if self._journals is None:
            return f"Interrupted{runs}. To make searches resumable, use --firstbad-journal FOLDER."
        return f"Interrupted{runs}. To resume, use the same options."

    def _to_search(self, terminal: Any, left: list[str], together: bool) -> list[str]:
        """Returns the command lines that search for the culprits of tests: one for all, or one for each."""
        folder = triage.cache_of(terminal.config)
        if not together or len(left) == 1 or folder is None:
            return [self._to_search_one(test) for test in left]
        failed = self._results(terminal, left)
        words = self._of_triage([*self._good, self._bad], self._copied(one["file"] for one in failed))
        return [triage.line(words, triage.write(folder / "not-searched.jsonl", failed), self._command)]

    def _to_search_one(self, test: str) -> str:
        """Returns the command line that searches for the culprit of a test."""
        words = ["pytest", *(f"--firstbad-good={revision}" for revision in self._good), f"--firstbad-bad={self._bad}"]
        if self._journals is not None:
            words.append(f"--firstbad-journal={self._journals}")
        if self._build is not None:
            words.append(f"--firstbad-build={self._build}")
        if self._timeout is not None:
            words.append(f"--firstbad-timeout={self._timeout:g}")
        words += [f"--firstbad-copy={path}" for path in self._named]
        if self._rates:
            words.append("--firstbad-flaky")
        words += [f"{_option(name)}={self._rates[name]}" for name in _RATES if name in self._rates]
        return shlex.join([*words, self._command.argument(test)])


def _rates(config: Any) -> dict[str, Any]:
    """Returns the options of a search for flaky tests, or an empty dict.

    Raises:
        pytest.UsageError: If a rate is invalid, or given without the option for flaky tests.
    """
    given = {name: config.getoption(f"firstbad_{name}") for name in _RATES}
    given = {name: _number_or_word(value) for name, value in given.items() if value is not None}
    if not config.getoption("firstbad_flaky"):
        if given:
            raise pytest.UsageError(f"{_option(next(iter(given)))}: it also needs --firstbad-flaky")
        return {}
    rates = {"search": "bayes", **given}
    try:
        # Report invalid rates before the tests run.
        RegressionSearch(CommitGraph.linear(["good", "bad"]), good="good", bad="bad", **rates)
    except FirstbadError as error:
        name, colon, words = str(error).partition(":")
        raise pytest.UsageError((_option(name) if name in _RATES else name) + colon + words) from None
    return rates


_NOT_OFFERED = r"(?:exit_codes|on_signal|on_timeout|preset)=[^.\n]*"
_HINTS = (
    (rf",? or (?:use )?{_NOT_OFFERED}", ""),
    (rf"\. If [^.\n]*, use {_NOT_OFFERED}", ""),
    (rf"(?:\. U|\nhelp: u)se {_NOT_OFFERED}", ""),
    (r"\b(with|use) timeout\b", r"\1 --firstbad-timeout"),
)


def _with_plugin_options(text: str) -> str:
    """Returns a message with the options of the plugin, and without advice about options that the plugin lacks."""
    for hint, words in _HINTS:
        text = re.sub(hint, words, text)
    return text


_RATES = ("flake_rate", "false_pass_rate")


def _option(name: str) -> str:
    return f"--firstbad-{name.replace('_', '-')}"


def _number_or_word(given: str) -> float | str:
    """Returns a rate. The core refuses other words than its own."""
    try:
        return float(given)
    except ValueError:
        return given
