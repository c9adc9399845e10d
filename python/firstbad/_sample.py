"""Which conclusions to verify where verifying all is too dear: FACF (Henderson et al. 2023), Section 4."""

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
    """Why a conclusion is to be verified; empty if it is not (FACF, "Sampling Strategy").

    The paper verifies 1 % of all conclusions, and the first one for each culprit. The two are told apart, so that
    statistics can be made of each by itself. The same name gives the same answer with the same `seed`, in every
    language and on every machine.

    Args:
        conclusion: A name for the conclusion, another for each: the test and the revision that failed, say.
        culprit: Who is blamed; None for a flake.
        earlier: Who was blamed before.
        share: The share of all conclusions that is drawn at random, in [0, 1].
        seed: Another one draws others; 0 or above.

    Raises:
        InvalidArgumentError: A share out of [0, 1], a seed below 0, or a name that is no text.

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
