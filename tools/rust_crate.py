"""Reads the imports between the files of a Rust crate with tree-sitter's grammar.

An edge goes from the file that uses an item to the file that defines it, through all re-exports. A module does not use
the children that it declares or re-exports. Comments and `#[cfg(test)]` do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

PARSER = Parser(Language(tree_sitter_rust.language()))

DEFINITIONS = {
    "function_item",
    "struct_item",
    "enum_item",
    "union_item",
    "trait_item",
    "type_item",
    "const_item",
    "static_item",
    "macro_definition",
}
KEYWORDS = {"crate", "self", "super"}
NAMES = {"identifier", "type_identifier", *KEYWORDS}
COMMENTS = {"line_comment", "block_comment"}
CFG_TEST = re.compile(r"#\[cfg\((?!.*\bnot\(test\)).*\btest\b")


class CrateError(Exception):
    """The reader does not support the source."""


@dataclass(frozen=True)
class Use:
    """A name that a `use` brings into a module."""

    path: tuple[str, ...]
    line: int
    is_reexport: bool


@dataclass(frozen=True)
class Mention:
    """A path in the code of a module: `name`, or `a::b::name`."""

    path: tuple[str, ...]
    line: int


@dataclass
class Module:
    """A module: its definitions, imports, and mentioned paths."""

    file: Path
    folder: Path
    parent: Module | None
    children: dict[str, Module] = field(default_factory=dict)
    items: set[str] = field(default_factory=set)
    uses: dict[str, Use] = field(default_factory=dict)
    hidden_uses: list[Use] = field(default_factory=list)
    """Imports without a name: `use a::Trait as _`."""
    globs: list[Use] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)

    @property
    def root(self) -> Module:
        """The module of the whole crate."""
        return self if self.parent is None else self.parent.root

    def all(self) -> Iterator[Module]:
        """This module and all below it."""
        yield self
        for child in self.children.values():
            yield from child.all()


@dataclass(frozen=True, order=True)
class Edge:
    """An import between two files of a crate."""

    user: Path
    line: int
    definer: Path
    path: str


def read_crate(root: Path) -> Module:
    """Returns the modules of the crate with this root file (lib.rs, main.rs)."""
    module = Module(root, root.parent, None)
    _read_file(module)
    return module


def edges(root: Module) -> set[Edge]:
    """Returns the imports between files."""
    found = set()
    for module in root.all():
        used = {mention.path[0] for mention in module.mentions}
        own = [use for name, use in module.uses.items() if not use.is_reexport or name in used]
        everything: list[Use | Mention] = [*own, *module.hidden_uses, *module.mentions]
        for taken in everything:
            if isinstance(taken, Mention) and len(taken.path) == 1 and not _from_glob(module, taken.path[0]):
                continue
            definer = _resolve(module, taken.path, isinstance(taken, Mention), frozenset())[1]
            if definer is not None and definer != module.file:
                found.add(Edge(module.file, taken.line, definer, "::".join(taken.path)))
    return found


# --- Reading


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _line(node: Node) -> int:
    return node.start_point[0] + 1


def _read_file(module: Module) -> None:
    tree = PARSER.parse(module.file.read_bytes())
    if tree.root_node.has_error:
        raise CrateError(f"{module.file}: this is not the Rust that the grammar knows")
    _read_items(module, tree.root_node)


def _read_items(module: Module, block: Node) -> None:
    attributes = ""
    for node in block.children:
        if node.type == "attribute_item":
            attributes += _text(node)
            continue
        if node.type in COMMENTS:
            continue
        if not CFG_TEST.search(attributes):
            _read_item(module, node, attributes)
        attributes = ""


def _read_item(module: Module, node: Node, attributes: str) -> None:
    name = node.child_by_field_name("name")
    if node.type == "mod_item" and name is not None:
        module.children[_text(name)] = _read_module(module, node, _text(name), attributes)
        return
    if node.type in DEFINITIONS and name is not None:
        module.items.add(_text(name))
    _read_code(module, node)


def _read_module(parent: Module, node: Node, name: str, attributes: str) -> Module:
    body = node.child_by_field_name("body")
    if body is not None:
        module = Module(parent.file, parent.folder / name, parent)
        _read_items(module, body)
        return module
    if "#[path" in attributes:
        raise CrateError(f"{parent.file}:{_line(node)}: #[path] is not understood here")
    for file in (parent.folder / f"{name}.rs", parent.folder / name / "mod.rs"):
        if file.is_file():
            module = Module(file, parent.folder / name, parent)
            _read_file(module)
            return module
    raise CrateError(f"{parent.file}:{_line(node)}: the file of module {name} is not there")


def _read_code(module: Module, node: Node) -> None:
    """Collects the paths in an item, including those in macros. A path is a run of names with `::` between them."""
    path: list[str] = []
    line = 0
    previous = ""

    def end() -> None:
        if path:
            module.mentions.append(Mention(tuple(path), line))
            path.clear()

    for leaf in _leaves(module, node):
        kind = leaf.type
        if kind in NAMES:
            if previous != "::":
                end()
                line = _line(leaf)
            # After a dot or a generic argument, the name is a method or part of a type.
            if path or previous not in {"::", "."}:
                path.append(_text(leaf))
        elif kind != "::":
            end()
        previous = kind
    end()


def _leaves(module: Module, node: Node) -> Iterator[Node]:
    if node.type == "use_declaration":
        is_reexport = any(child.type == "visibility_modifier" for child in node.children)
        argument = node.child_by_field_name("argument")
        if argument is not None:
            _read_use(module, argument, (), is_reexport)
    elif node.type in COMMENTS or node.type in {"attribute_item", "visibility_modifier"}:
        return
    elif node.child_count == 0 or node.type in NAMES:
        yield node
    else:
        for child in node.children:
            yield from _leaves(module, child)


def _read_use(module: Module, node: Node, before: tuple[str, ...], is_reexport: bool) -> None:
    if node.type == "use_list":
        for child in node.named_children:
            if child.type not in COMMENTS:
                _read_use(module, child, before, is_reexport)
    elif node.type == "scoped_use_list":
        listed = node.child_by_field_name("list")
        if listed is not None:
            _read_use(module, listed, before + _segments(node.child_by_field_name("path")), is_reexport)
    elif node.type == "use_wildcard":
        path = before + _segments(node.named_children[0] if node.named_children else None)
        module.globs.append(Use(path, _line(node), is_reexport))
    elif node.type == "use_as_clause":
        path = before + _segments(node.child_by_field_name("path"))
        alias = node.child_by_field_name("alias")
        _bind(module, _text(alias) if alias is not None else "_", Use(path, _line(node), is_reexport))
    else:
        path = before + _segments(node)
        # `use a::{self}` imports `a` itself.
        if len(path) > 1 and path[-1] == "self":
            path = path[:-1]
        _bind(module, path[-1], Use(path, _line(node), is_reexport))


def _segments(node: Node | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in _text(node).split("::") if part.strip()) if node is not None else ()


def _bind(module: Module, name: str, use: Use) -> None:
    if name == "_":
        module.hidden_uses.append(use)
    else:
        module.uses[name] = use


# --- Resolving


Resolved = tuple[Module | None, Path | None]
"""The module of that name, and the file of the item of that name: Rust lets both exist."""

Seen = frozenset[tuple[int, str]]


def _resolve(module: Module, path: tuple[str, ...], in_code: bool, seen: Seen) -> Resolved:
    """Returns the target of a path in a module, or neither for other crates."""
    here: Module | None = module
    rest = path
    while rest and rest[0] in KEYWORDS and here is not None:
        here = {"crate": here.root, "self": here, "super": here.parent}[rest[0]]
        rest = rest[1:]
    if rest is path and in_code and len(path) > 1 and path[0] in module.items and path[0] not in module.children:
        return None, module.file
    item: Path | None = None
    for place, name in enumerate(rest):
        if here is None:
            break
        here, item = _look_up(here, name, seen)
        if here is None or place == len(rest) - 1:
            break
    return here, item


def _look_up(module: Module, name: str, seen: Seen) -> Resolved:
    child = module.children.get(name)
    item = module.file if name in module.items else None
    # `pub use name::name` first means the child of that name.
    if (id(module), name) in seen:
        return child, item
    seen |= {(id(module), name)}
    use = module.uses.get(name)
    if use is not None:
        other_module, other_item = _resolve(module, use.path, False, seen)
        child, item = child or other_module, item or other_item
    if child is None and item is None:
        for glob in module.globs:
            target = _resolve(module, glob.path, False, seen)[0]
            child, item = _look_up(target, name, seen) if target is not None else (None, None)
            if child is not None or item is not None:
                break
    return child, item


def _from_glob(module: Module, name: str) -> bool:
    """Returns whether a bare name can only come from a glob import."""
    known = name in module.items or name in module.uses or name in module.children
    return bool(module.globs) and not known and name not in KEYWORDS
