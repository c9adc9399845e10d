"""The style of figures, which all functions of `firstbad.plot` share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from firstbad._errors import InvalidArgumentError

try:
    from matplotlib import pyplot
    from matplotlib.axes import Axes
    from matplotlib.ticker import EngFormatter, MaxNLocator, PercentFormatter
except ImportError as error:
    raise ImportError('firstbad.plot needs matplotlib: pip install "firstbad[plot]"', name="matplotlib") from error

__all__ = [
    "AFTER",
    "BEFORE",
    "FAIL",
    "INK",
    "OTHER",
    "PASS",
    "UNRESOLVED",
    "drawing",
    "engineering",
    "invalid",
    "legend",
    "percent",
    "shown",
    "whole",
]

PASS, FAIL, UNRESOLVED = "#2b83c6", "#d2571a", "#8d73b8"
AFTER, BEFORE, OTHER = "#12899f", "#a87414", "#8a8f96"
INK = "#7d7d7d"
_LONG = 24
"""The maximum number of characters in a name."""
_SHA = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")

# A notebook shrinks figures to 400 pixels, two thirds of this width, so the letters are large.
_SIZE = (4.4, 3.1)
# Its type differs between versions of matplotlib.
_STYLE: Any = {
    "axes.facecolor": "none",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 12.0,
    "legend.borderaxespad": 0.2,
    "legend.columnspacing": 1.2,
    "legend.edgecolor": "none",
    "legend.facecolor": "none",
    "legend.handlelength": 1.6,
    "text.color": INK,
    "xtick.color": INK,
    # A lighter shade: Jupyter adds a contrasting box behind a picture whose ticks are all dark or all light.
    "ytick.color": "#808080",
}


@contextmanager
def drawing(given: Axes | None, height: float | None = None) -> Iterator[Axes]:
    """Yields the axes to draw in, with the style of the figure."""
    if given is not None:
        if not isinstance(given, Axes):
            raise invalid("ax", repr(given), "matplotlib's Axes, or None")
        yield given
        return
    # The first figure initializes the backend, whose settings must remain.
    figure = pyplot.figure(figsize=(_SIZE[0], height or _SIZE[1]), facecolor="none", layout="constrained")
    with pyplot.rc_context(_STYLE):
        yield figure.add_subplot()


def legend(axes: Axes, drawn: Sequence[Any], names: Iterable[str]) -> None:
    """Draws the legend above the figure, unless it has a single line without a name."""
    called = list(names)
    if called == [""]:
        return
    # matplotlib interprets "_" at the start of a name and "$" in it, so the names are set afterwards.
    numbers = [str(number) for number in range(len(called))]
    made = axes.legend(drawn, numbers, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)
    for text, name in zip(made.get_texts(), called, strict=True):
        text.set_text(shown(name))
        text.set_parse_math(False)


def whole() -> MaxNLocator:
    """Returns a locator of whole numbers in steps of 1, 2, 5, or 10."""
    return MaxNLocator(6, integer=True, steps=[1, 2, 5, 10])


def percent() -> PercentFormatter:
    """Returns a formatter of shares as percentages."""
    return PercentFormatter(1)


def engineering(unit: str) -> EngFormatter:
    """Returns a formatter of numbers with a unit, such as `36 ms`."""
    return EngFormatter(unit)


def shown(name: object) -> str:
    """Returns a short name without control and bidirectional characters."""
    text = str(name)
    if _SHA.fullmatch(text):
        return text[:8]
    text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[: _LONG + 1])
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


def invalid(argument: str, shown: str, expected: str) -> InvalidArgumentError:
    """Returns the error for an invalid argument."""
    return InvalidArgumentError(f"{argument}: {shown[:200]} is not valid; expected {expected}")
