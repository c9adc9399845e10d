"""What is looked at in a notebook, or as a page: drawn in the core, the same in every language."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container

from firstbad import _native

__all__ = ["Card"]


class Card:
    """What has a card: HTML without scripts and files, legible in light and in dark; no text in it is obeyed."""

    __slots__ = ()

    @abstractmethod
    def _card(self) -> str:
        """The card as a piece of HTML; empty where there is none."""

    def _svg(self) -> str | None:
        """The same as a picture; None where it is none."""
        return None

    def to_html(self) -> str:
        """One page that needs no other file, with what a notebook shows of this."""
        return _native.card_page(self._card())

    def _repr_mimebundle_(
        self, include: Container[str] | None = None, exclude: Container[str] | None = None
    ) -> dict[str, str]:
        """What notebooks show."""
        bundle = {"text/plain": repr(self), "text/html": self._card(), "image/svg+xml": self._svg()}
        unwanted = exclude or ()
        wanted = [kind for kind in bundle if (not include or kind in include) and kind not in unwanted]
        return {kind: shown for kind in wanted if (shown := bundle[kind])}
