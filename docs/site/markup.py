"""What the sources use and Sphinx does not know: names in single backquotes in docstrings, diagrams in pages."""

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
    """A link where it is the name of something public, code anywhere else."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The node for one piece of text."""
        code = nodes.literal(self.rawtext, self.text)
        if self.text.split(".")[0] not in firstbad.__all__ or not NAME.fullmatch(self.text):
            return [code], []
        target = f"firstbad.{self.text}"
        return [pending_xref("", code, refdomain="py", reftype="obj", reftarget=target, refwarn=False)], []


def draw(app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.Node | None) -> None:
    """Has the diagrams of a page drawn, where it has any; without scripts their text stays."""
    if "highlight-mermaid" in context.get("body", ""):
        app.add_js_file("mermaid.tiny.js", priority=900)
        app.add_js_file("diagrams.js", priority=901)


def setup(app: Sphinx) -> dict[str, Any]:
    """Adds the role and the diagrams."""
    app.add_role("name", Name())
    app.add_lexer("mermaid", TextLexer)
    app.connect("html-page-context", draw)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
