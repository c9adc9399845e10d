"""Test reports of runners."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import TypeAlias

from firstbad import _native
from firstbad._arguments import checked_path, checked_text
from firstbad._observation import TestResult

__all__ = ["read_results"]

ReportLike: TypeAlias = "str | os.PathLike[str] | bytes"
"""A test report: its path, or its content."""


def read_results(
    reports: ReportLike | Iterable[ReportLike], runner: str | None = None, *, root: str | os.PathLike[str] = "."
) -> dict[str, TestResult]:
    """Reads test reports, and returns the results of their tests by id.

    The format is recognized by the content: JUnit XML, TAP, the JSON of Jest, Vitest and Mocha, the lines of `go test
    -json` and of Rust test binaries, or JSON lines. Pass the results to `triage` as `tonight` or `last`. If several
    reports have the same test, its runs are added. A file that could not run is a failure under its path.

    Args:
        reports: The path of a report, its content as bytes, or several of them.
        runner: The test runner that wrote the reports: `"pytest"`, `"jest"`, `"vitest"`, `"mocha"`, `"node"`,
            `"cargo"`, `"nextest"`, `"go"`, `"ctest"`, `"bazel"`, or `"custom"`. The ids are those that the runner
            takes. None: the runner that the content names.
        root: The folder that the test command ran in. Ids contain paths relative to it.

    Raises:
        ReportError: If a report is empty, too large, of an unknown format, or not valid.
        HostError: If a file cannot be read.
        InvalidArgumentError: If the runner is unknown.

    Example:
        >>> import firstbad as fb
        >>> fb.read_results(b'<testsuite><testcase classname="shop" name="total"><failure message="2 != 3"/>'
        ...                 b'</testcase></testsuite>')
        {'shop::total': TestResult(outcome=<Outcome.FAIL: 'fail'>, signature='# != #')}
    """
    one = isinstance(reports, (str, os.PathLike, bytes, bytearray, memoryview))
    given = [reports] if one else list(reports)  # type: ignore[arg-type]
    if runner is not None:
        checked_text("runner", runner)
    written = _native.read_results([_source(report) for report in given], runner, checked_path("root", root))
    return {id: TestResult._as_written(result) for id, result in json.loads(written).items()}


def _source(report: object) -> str | bytes:
    if isinstance(report, (bytes, bytearray, memoryview)):
        return bytes(report)
    return checked_path("reports", report)  # type: ignore[arg-type]
