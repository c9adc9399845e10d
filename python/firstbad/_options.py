"""Conversion of options for the core, which checks their values."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from operator import index
from reprlib import repr as shortened
from typing import Any, SupportsFloat, SupportsIndex

from firstbad import _native
from firstbad._arguments import check_whole, checked_text, names
from firstbad._errors import InvalidArgumentError
from firstbad._generated.options import KINDS
from firstbad._observation import TestResult
from firstbad._tally import RunCounts

__all__ = ["defaults", "encoded", "numbers", "priced"]


def defaults(algorithm: str) -> dict[str, Any]:
    """Returns the default options of an algorithm, without those that are None."""
    options: dict[str, Any] = json.loads(_native.defaults(algorithm))
    return options


def encoded(options: Mapping[str, Any]) -> str:
    """Returns options as a JSON object, without those that are None.

    A value without a JSON form (an object, NaN) becomes a value that the core refuses and shows by its text.
    """
    given = {name: _plain(_read(name, value)) for name, value in options.items() if value is not None}
    return json.dumps(given, default=_other, allow_nan=False)


def priced(graph: _native.CommitGraph, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns options with the cost of each suspect, if `costs` is a function."""
    costs = options.get("costs")
    if not callable(costs):
        return options
    ends = {name: options[name] for name in ("bad", "good", "find") if options.get(name) is not None}
    return {**options, "costs": {id: costs(id) for id in graph.suspects(encoded(ends))}}


def _read(name: str, given: Any) -> Any:
    """Returns an option in JSON types. Options with the same name are the same in all searches."""
    if isinstance(given, str):
        check_whole(name, (given,))
    match KINDS.get(name):
        case "Names" if not isinstance(given, bool):
            return names(name, given)
        case "Results" if isinstance(given, Mapping):
            return {str(id): _result(f"{name}[{json.dumps(str(id))}]", one) for id, one in given.items()}
        case "Rate":
            return _rate(given)
        case "Prior" if hasattr(given, "_as_prior"):
            return given._as_prior()
        case "Prior" if not isinstance(given, str):
            return numbers(name, given, "a finite weight, 0 or above")
        case "Metrics" if isinstance(given, Mapping):
            return {checked_text(name, metric): _metric(given[metric]) for metric in given}
        case "Costs":
            return numbers(name, given, "a finite cost above 0")
        case "List" if not isinstance(given, str):
            return _plain_list(name, given)
        case "Needs" if not isinstance(given, str):
            return _needs(name, given)
    return given


def _metric(given: Any) -> Any:
    """Returns the options of one of several metrics, without those that are None."""
    if not isinstance(given, Mapping):
        return given
    return {str(name): _plain(value) for name, value in given.items() if value is not None}


def _result(argument: str, given: Any) -> Any:
    """Returns the result of a test.

    Raises:
        InvalidArgumentError: If the value is not an outcome.
    """
    if isinstance(given, (str, Mapping)):
        return given
    try:
        result = TestResult.of(given)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(str(error).replace("outcome", argument, 1)) from None
    return {name: value for name, value in vars(result).items() if value is not None}


def _rate(given: Any) -> Any:
    """Returns a rate, with counts as a plain dict."""
    if isinstance(given, RunCounts):
        return asdict(given)
    if isinstance(given, Mapping):
        return {str(name): _plain(count) for name, count in given.items()}
    return given


def numbers(argument: str, given: Mapping[str, float] | None, expected: str) -> dict[str, float] | None:
    """Returns a number for each id.

    Raises:
        InvalidArgumentError: If the value is not a mapping from ids to finite numbers.
    """
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise InvalidArgumentError(
            f"{argument}: {shortened(given)} ({type(given).__name__}) is not valid; expected a mapping of numbers by id"
        )
    found: dict[str, float] = dict(given)
    if {*map(type, found)} <= {str}:  # there may be a million
        check_whole(argument, found)
        if {*map(type, found.values())} <= {float} and all(map(math.isfinite, found.values())):
            return found
    for name, value in given.items():
        number = _number(value)
        checked_text(argument, name, "ids, as str")
        if number is None or not math.isfinite(number):
            raise InvalidArgumentError(f"{argument}[{json.dumps(name)}]: {value!r} is not valid; expected {expected}")
        found[name] = number
    return found


def _plain_list(argument: str, given: Iterable[Any] | None) -> list[Any] | None:
    """Returns a list of numbers, None, and nested lists.

    Raises:
        InvalidArgumentError: If the value is not iterable.
    """
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidArgumentError(
            f"{argument}: {shortened(given)} ({type(given).__name__}) is not valid; expected a list of numbers"
        )
    return [
        _plain(value)
        if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable)
        else _plain_list(argument, value)
        for value in given
    ]


def _needs(argument: str, given: Mapping[int, Iterable[Any]] | None) -> dict[Any, Any]:
    """Returns the needs of each item by index.

    Raises:
        InvalidArgumentError: If the value is not a mapping from indices to lists.
    """
    if given is not None and not isinstance(given, Mapping):
        raise InvalidArgumentError(
            f"{argument}: {shortened(given)} ({type(given).__name__}) is not valid; expected a mapping from an item's "
            "index to the indices that it needs"
        )
    needs = (given or {}).items()
    return {_key(argument, item): _plain_list(f"{argument}[{item!r}]", needed) for item, needed in needs}


def _key(argument: str, item: Any) -> Any:
    """Returns the index of an item. In keys from JSON, indices are texts.

    Raises:
        InvalidArgumentError: If the value is not an index.
    """
    key = _plain(item)
    is_number = isinstance(key, int) and not isinstance(key, bool)
    if not is_number and not (isinstance(key, str) and key.isdecimal()):
        raise InvalidArgumentError(
            f"{argument}: {shortened(item)} ({type(item).__name__}) is not valid; expected the index of an item"
        )
    return key


def _plain(value: Any) -> Any:
    """Returns a value with Python's numbers. Numbers that are not finite are encoded by `_other`."""
    if value is None or isinstance(value, (str, bool, list, dict)):
        return value
    number = _number(value)
    return number if number is not None and math.isfinite(number) else _other(value)


def _other(value: object) -> list[dict[str, str]]:
    """Returns a value that the core refuses and shows by its text (`search/configuration.rs`)."""
    return [{"no JSON": f"{shortened(value)} ({type(value).__name__})"}]


def _number(value: Any) -> float | None:
    """Returns a number as an int or a float, and None for other values."""
    try:
        if isinstance(value, SupportsIndex) and not isinstance(value, bool):
            return index(value)
        if isinstance(value, SupportsFloat) and not isinstance(value, bool):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    return None
