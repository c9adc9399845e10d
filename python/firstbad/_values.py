"""The methods of values in reports; their fields are generated."""

from __future__ import annotations

from typing import Any

from firstbad import _native

__all__ = ["CheckMethods", "HypothesisMethods", "PointMethods", "Said"]


class Said:
    """A value whose text is its `message`."""

    __slots__ = ()

    message: str

    def __str__(self) -> str:
        return self.message


class CheckMethods:
    """The methods of a `Check`."""

    __slots__ = ()

    def __str__(self: Any) -> str:
        return _native.printable(f"{self.role} {self.revision}: {self.runs}")


class HypothesisMethods:
    """The methods of a `Hypothesis`."""

    __slots__ = ()

    def __str__(self: Any) -> str:
        name = "no culprit" if self.revision is None else _native.printable(self.revision)
        return f"{name} {_native.percent(self.probability)}"


class PointMethods:
    """The methods of a `RegressionPoint`."""

    __slots__ = ()

    def __str__(self: Any) -> str:
        good = "no passing ancestor" if self.good is None else f"good {self.good}"
        words = [f"bad {self.bad}, {good}"]
        if self.outside_paths:
            words.append("it does not touch the paths, and the commits between were not considered")
        elif self.candidates:
            words.append(f"{len(self.candidates)} candidates: {_some(self.candidates)}")
        elif self.untested_endpoints:
            words.append(f"given, not tested: {_some(self.untested_endpoints)}")
        elif not self.parents_pass:
            words.append("another parent fails or was not tested")
        words.append(f"for {_some(self.leaves)}")
        if self.inconsistent:
            words.append(f"inconsistent outcomes: {_some(self.inconsistent)}")
        if self.probability is not None:
            words.append(f"probability {_native.percent(self.probability)}")
        return _native.printable("; ".join(words))


def _some(names: tuple[str, ...], shown: int = 5) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
