"""What a run says while it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from firstbad._errors import InvalidArgumentError

if TYPE_CHECKING:
    from firstbad import _native
    from firstbad._observation import Observation
    from firstbad._report import Status

__all__ = ["Progress", "ProgressLike", "listener"]


@dataclass(frozen=True)
class Progress:
    """One step of a run, as a `progress` callback gets it.

    Attributes:
        kind: `asked`, `told`, `retried` or `cancelled` (a probe), or `done` (the run has ended, once, at last).
        probe: The probe; None for `done`.
        observation: What was told; None unless `kind` is `told`.
        status: Where the search stands.
        queries: How many answers cost a run so far.
        asked: How many answers came to probes so far, those that cost no run included.
        in_flight: How many probes are out now.
        revision: The revision that iterative delta debugging stands at; None for other searches, and at the end.
        patch: How many changes the patch has that it carries there; while it is reduced, the smallest so far.
        suspects: How many revisions can still be blamed; None if that is not known.
        likely_runs: How many more runs it will likely take, played out for some of the suspects; None if that is not
            known.
        worst_runs: The most that was seen for one of them. It is no bound: unresolved revisions and flakes cost more.
        seconds: How long this run has taken so far.
    """

    kind: Literal["asked", "told", "retried", "cancelled", "done"]
    probe: _native.Probe | None
    observation: Observation | None
    status: Status
    queries: int
    asked: int
    in_flight: int
    revision: str | None
    patch: int | None
    suspects: int | None
    likely_runs: int | None
    worst_runs: int | None
    seconds: float


Listener: TypeAlias = "Callable[[Progress], object]"
ProgressLike: TypeAlias = "bool | Listener | None"
"""True for a bar (where tqdm is installed), or a function that gets every `Progress`."""


def listener(given: ProgressLike) -> Listener | None:
    """The function to call with every step, if any.

    Raises:
        InvalidArgumentError: It is neither a boolean nor callable.
    """
    if given is None or given is False:
        return None
    if given is True:
        return _bar()
    if callable(given):
        return given
    raise InvalidArgumentError(f"progress: {given!r} is not valid; expected True, None or a function")


def _bar() -> Listener | None:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bar: Any = tqdm(desc="firstbad", unit=" runs")

    def show(step: Progress) -> None:
        # What is left is an estimate, and so is the end of the bar.
        if step.likely_runs is not None:
            bar.total = step.queries + step.likely_runs
        bar.update(step.queries - bar.n)
        if step.revision is not None and step.patch is not None:
            bar.set_postfix_str(f"{step.revision[:16]}, patch of {step.patch}")
        elif step.probe is not None:
            seen = step.observation.outcome if step.observation is not None else "..."
            left = "" if step.suspects is None else f", {step.suspects} left"
            bar.set_postfix_str(f"{str(step.probe)[:16]} {seen}{left}")
        if step.kind == "done":
            # The line stays, in an exported notebook too.
            bar.total = step.queries
            bar.set_postfix_str(step.status)
            bar.close()

    return show
