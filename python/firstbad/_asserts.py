"""Tests with assertions as oracles."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from firstbad._errors import InvalidArgumentError
from firstbad._observation import Observation, Outcome

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    Given = ParamSpec("Given")

__all__ = ["asserts"]


def asserts(test: Callable[Given, Any]) -> Callable[Given, Any]:
    """Turns a test with assertions into an oracle.

    An AssertionError and `pytest.fail` are failures. A skip of pytest or unittest is unresolved. The message becomes
    the note of the observation. Other exceptions reach the caller, and the return value is ignored.

    Args:
        test: A function or coroutine function with the parameters of an oracle.

    Returns:
        A function of the same kind that returns an `Observation`.

    Raises:
        InvalidArgumentError: If `test` is not a function.

    Example:
        >>> import firstbad as fb
        >>> @fb.asserts
        ... def rounds(version):
        ...     assert float(version) < 1.3, "rounds down"
        >>> versions = fb.CommitGraph.linear(["1.1", "1.2", "1.3", "1.4"])
        >>> report = fb.find_regressions(versions, rounds, bad="1.4", good="1.1")
        >>> report.points[0].bad, report.observations[0].note
        ('1.3', 'rounds down')
    """
    if not callable(test):
        raise InvalidArgumentError(f"test: {test!r} is not valid; expected a function that asserts")
    if inspect.iscoroutinefunction(test):

        @functools.wraps(test)
        async def judged_async(*arguments: Any, **options: Any) -> Observation:
            try:
                await test(*arguments, **options)
            except BaseException as error:
                return _seen(error)
            return Observation(Outcome.PASS)

        return judged_async

    @functools.wraps(test)
    def judged(*arguments: Any, **options: Any) -> Observation:
        try:
            test(*arguments, **options)
        except BaseException as error:
            return _seen(error)
        return Observation(Outcome.PASS)

    return judged


def _seen(error: BaseException) -> Observation:
    """Returns the observation of an exception that is an outcome, or raises the exception again."""
    if isinstance(error, (*_kinds("unittest.case", "SkipTest"), *_kinds("_pytest.outcomes", "Skipped"))):
        outcome = Outcome.UNRESOLVED
    elif isinstance(error, (AssertionError, *_kinds("_pytest.outcomes", "Failed"))):
        outcome = Outcome.FAIL
    else:
        raise error
    return Observation(outcome, note=str(error) or None)


def _kinds(module: str, name: str) -> tuple[type[BaseException], ...]:
    """Returns an exception class of a library, or an empty tuple if the library is not loaded."""
    kind = getattr(sys.modules.get(module), name, None)
    return () if kind is None else (kind,)
