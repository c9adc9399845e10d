"""Cards for notebooks and pages. The core draws them for all front ends."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container

from firstbad import _native

__all__ = ["Card"]


class Card:
    """An object with an HTML card. The card has no scripts and no files, and escapes all texts."""

    __slots__ = ()

    @abstractmethod
    def _card(self) -> str:
        """Returns the card as an HTML fragment, which can be empty."""

    def _svg(self) -> str | None:
        """Returns the card as an SVG image, or None."""
        return None

    def to_html(self) -> str:
        """Returns a self-contained HTML page with the card that notebooks show."""
        return _native.card_page(self._card())

    def _repr_mimebundle_(
        self, include: Container[str] | None = None, exclude: Container[str] | None = None
    ) -> dict[str, str]:
        """Returns the formats that notebooks show."""
        bundle = {"text/plain": repr(self), "text/html": self._card(), "image/svg+xml": self._svg()}
        unwanted = exclude or ()
        wanted = [kind for kind in bundle if (not include or kind in include) and kind not in unwanted]
        return {kind: shown for kind in wanted if (shown := bundle[kind])}
