"""Chooses conclusions to verify if verifying all is too expensive: FACF (Henderson et al. 2023), Section 4."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from firstbad import _native
from firstbad._arguments import check_count, names
from firstbad._errors import InvalidArgumentError

__all__ = ["sample_for_verification"]


def sample_for_verification(
    conclusion: str, culprit: str | None = None, *, earlier: Iterable[str] = (), share: float = 0.01, seed: int = 0
) -> tuple[Literal["random", "first"], ...]:
    """Returns the reasons to verify a conclusion, or an empty tuple (FACF, "Sampling Strategy").

    The paper verifies 1% of all conclusions, and the first conclusion for each culprit. The reasons are separate, so
    that you can compute statistics for each. The same name and `seed` give the same result in every language and on
    every machine.

    Args:
        conclusion: A unique name for the conclusion, such as the test and the revision that failed.
        culprit: The culprit, or None for a flake.
        earlier: The culprits of earlier conclusions.
        share: The share of conclusions that is sampled at random, in [0, 1].
        seed: The seed of the random sample, 0 or more.

    Raises:
        InvalidArgumentError: If `share` is not in [0, 1], `seed` is negative, or a name is not a text.

    Example:
        >>> import firstbad as fb
        >>> fb.sample_for_verification("//app:test at 4f1c", "8ab2")
        ('first',)
        >>> fb.sample_for_verification("//lib:test at 4f1c", "8ab2", earlier=["8ab2"])
        ()
    """
    for argument, name in (("conclusion", conclusion), ("culprit", "" if culprit is None else culprit)):
        if not isinstance(name, str):
            raise InvalidArgumentError(f"{argument}: {name!r} ({type(name).__name__}) is not valid; expected a str")
    if isinstance(share, bool) or not isinstance(share, (int, float)):
        raise InvalidArgumentError(f"share: {share!r} is not valid; expected a share of all conclusions, in [0, 1]")
    seed = check_count("seed", seed, 0)
    if seed >= 2**64:
        raise InvalidArgumentError(f"seed: {seed!r} is not valid; expected a whole number below 2**64")
    return tuple(_native.sample_for_verification(conclusion, culprit, names("earlier", earlier), share, seed))
