"""What is looked at in a notebook, or as a page: drawn in the core, the same in every language."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container

from firstbad import _native

__all__ = ["Card"]


class Card:
    """What has a card: HTML without scripts and files, legible in light and in dark; texts in it are shown, never obeyed."""

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
        return {kind: shown for kind, shown in bundle.items() if shown}
