"""Progress of a run."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from firstbad import _native
from firstbad._errors import InvalidArgumentError

if TYPE_CHECKING:
    from firstbad._card import Card
    from firstbad._generated.reports import Status
    from firstbad._observation import Observation

__all__ = ["Progress", "ProgressLike", "listener"]


@dataclass(frozen=True)
class Progress:
    """A step of a run, which a `progress` callback gets.

    Attributes:
        kind: `asked`, `told`, `retried` or `cancelled` for a probe, or `done` for the last step.
        probe: The probe, or None for `done`.
        observation: The observation, or None unless `kind` is `told`.
        status: The status of the search.
        runs: The number of outcomes so far that cost a run.
        asked: The number of outcomes of probes so far, including those without a run.
        in_flight: The number of probes in flight.
        revision: The current revision of iterative delta debugging. None for other searches, and at the end.
        patch: The number of changes of the patch at this revision. During a reduction, the smallest so far.
        suspects: The number of suspects left, or None if it is unknown.
        likely_runs: The likely number of further runs, simulated for some suspects, or None if it is unknown.
        worst_runs: The largest number in these simulations. It is not a bound, because unresolved revisions and flakes
            cost more.
        best: The result so far in words, with short ids, or None.
        seconds: The duration of this run so far, in seconds.
    """

    kind: Literal["asked", "told", "retried", "cancelled", "done"]
    probe: _native.Probe | None
    observation: Observation | None
    status: Status
    runs: int
    asked: int
    in_flight: int
    revision: str | None
    patch: int | None
    suspects: int | None
    likely_runs: int | None
    worst_runs: int | None
    best: str | None
    seconds: float


Listener: TypeAlias = "Callable[[Progress], object]"
ProgressLike: TypeAlias = "bool | Listener | None"
"""True to show the progress, or a function that gets every `Progress`.

In a notebook, True shows the card of the search and updates it. Elsewhere, it shows a tqdm bar, or without tqdm a line
on stderr for each outcome. The last line remains when the run ends, also in an exported notebook.
"""

_ROOM = 60
"""The maximum number of characters of the result beside a bar."""

_PAUSE = 0.5
"""The minimum number of seconds between two updates of a card."""


def listener(given: ProgressLike, search: Card) -> Listener | None:
    """Returns the function to call with every step of a run, or None.

    Raises:
        InvalidArgumentError: If `given` is neither a boolean nor callable.
    """
    if given is None or given is False:
        return None
    if given is True:
        return _live_card(search) or _bar() or _lines
    if callable(given):
        return given
    raise InvalidArgumentError(f"progress: {given!r} is not valid; expected True, None or a function")


def _standing(step: Progress) -> str:
    """Describes the last outcome and the remaining suspects."""
    parts = []
    if step.revision is not None and step.patch is not None:
        parts.append(f"{step.revision[:16]}, patch of {step.patch}")
    elif step.probe is not None:
        parts.append(f"{str(step.probe)[:16]} {step.observation.outcome if step.observation is not None else '...'}")
    if step.suspects is not None:
        parts.append(f"{step.suspects} left")
    return _native.printable(", ".join(parts))


def _ended(step: Progress) -> str:
    """Returns the line that remains."""
    best = "" if step.best is None else f": {step.best}"
    return f"{step.status} after {_runs(step.runs)} in {_time(step.seconds)}{best}"


def _runs(many: int) -> str:
    return f"{many} {'run' if many == 1 else 'runs'}"


def _time(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"


def _lines(step: Progress) -> None:
    """Prints a line for each outcome, and one at the end."""
    if step.kind == "told":
        likely = "" if step.likely_runs is None else f", about {_runs(step.likely_runs)} to go"
        print(f"firstbad: {_runs(step.runs)}: {_standing(step)}{likely}", file=sys.stderr)
    elif step.kind == "done":
        print(f"firstbad: {_ended(step)}", file=sys.stderr)


def _bar() -> Listener | None:
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    bar: Any = tqdm(desc="firstbad", unit=" runs")

    def show(step: Progress) -> None:
        # The total is an estimate.
        if step.likely_runs is not None:
            bar.total = step.runs + step.likely_runs
        bar.update(step.runs - bar.n)
        if step.kind == "done":
            bar.total = step.runs
            bar.set_postfix_str(step.status if step.best is None else f"{step.status}: {step.best}")
            bar.close()
        else:
            best = "" if step.best is None else f"; {_cut(step.best)}"
            bar.set_postfix_str(_standing(step) + best)

    return show


def _cut(text: str) -> str:
    return text if len(text) <= _ROOM else text[: _ROOM - 1] + "…"


class _Shown:
    """An output of a notebook that is updated in place."""

    def __init__(self, text: str, markup: str) -> None:
        self._text = text
        self._markup = markup

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return self._markup


def _live_card(search: Card) -> Listener | None:
    """Returns a listener that updates the card of the search, or None outside a notebook."""
    shell = sys.modules.get("IPython")
    if shell is None or getattr(shell.get_ipython(), "kernel", None) is None:
        return None
    from IPython.display import display

    show_anew: Any = display
    place: Any = None
    drawn_at = -_PAUSE
    pause = _PAUSE

    def show(step: Progress) -> None:
        nonlocal place, drawn_at, pause
        now = time.monotonic()
        if step.kind == "done":
            shown = _Shown(_ended(step), f"<p>{html.escape(_ended(step))}</p>")
        elif step.kind == "told" and now - drawn_at >= pause:
            shown = _Shown(_standing(step), search._card())
            drawn_at = time.monotonic()
            # Drawing must take little of the time, even for a large history.
            pause = max(_PAUSE, 20 * (drawn_at - now))
        else:
            return
        if place is None:
            place = show_anew(shown, display_id=True)
        else:
            place.update(shown)

    return show
