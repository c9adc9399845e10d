"""Adds to Sphinx: links from names in single backquotes, and Mermaid diagrams."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

import firstbad

NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


class Name(SphinxRole):
    """Links the name of a public object, and shows other text as code."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Returns the node of a text."""
        code = nodes.literal(self.rawtext, self.text)
        if self.text.split(".")[0] not in firstbad.__all__ or not NAME.fullmatch(self.text):
            return [code], []
        target = f"firstbad.{self.text}"
        return [pending_xref("", code, refdomain="py", reftype="obj", reftarget=target, refwarn=False)], []


def draw(app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.Node | None) -> None:
    """Adds the scripts that draw diagrams to pages with diagrams."""
    if "highlight-mermaid" in context.get("body", ""):
        app.add_js_file("mermaid.tiny.js", priority=900)
        app.add_js_file("diagrams.js", priority=901)


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the extension."""
    app.add_role("name", Name())
    app.add_lexer("mermaid", TextLexer)
    app.connect("html-page-context", draw)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
