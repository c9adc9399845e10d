"""Tests with assertions as oracles."""

import asyncio
import unittest

import pytest

import firstbad as fb

LINE = fb.CommitGraph.linear([str(number) for number in range(8)])


def judged(error):
    @fb.asserts
    def test(revision):
        if error is not None:
            raise error

    return test("7")


@pytest.mark.parametrize(
    ("error", "seen"),
    [
        (None, fb.Observation("pass")),
        (AssertionError("1 == 2"), fb.Observation("fail", note="1 == 2")),
        (AssertionError(), fb.Observation("fail")),
        (pytest.fail.Exception("no"), fb.Observation("fail", note="no")),
        (pytest.skip.Exception("no display"), fb.Observation("unresolved", note="no display")),
        (unittest.SkipTest("later"), fb.Observation("unresolved", note="later")),
    ],
)
def test_exceptions_describe_the_failure(error, seen):
    assert judged(error) == seen


@pytest.mark.parametrize("error", [ValueError("broken"), fb.Retry("no network"), KeyboardInterrupt(), SystemExit(3)])
def test_other_exceptions_are_not_outcomes(error):
    with pytest.raises(type(error)) as caught:
        judged(error)
    assert caught.value is error


def test_a_context_is_an_oracle():
    @fb.asserts
    def holds(revision):
        """Holds."""
        assert int(revision) < 5

    assert holds.__doc__ == "Holds."
    report = fb.find_regressions(LINE, holds, bad="7", good="0")
    assert report.points[0].bad == "5"

    @fb.asserts
    async def holds_later(revision):
        await asyncio.sleep(0)
        assert int(revision) < 5

    report = asyncio.run(fb.find_regressions_async(LINE, holds_later, bad="7", good="0"))
    assert report.points[0].bad == "5"
    with pytest.raises(fb.InvalidArgumentError, match="test: 3 is not valid"):
        fb.asserts(3)
