"""The types of reports in Python and TypeScript, from `crates/*/reports.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from declarations import ROOT, WIDTH, Schema, camel_case, in_node, in_python, tsdoc, wrapped

REPORTS = [ROOT / "crates/firstbad/reports.json", ROOT / "crates/firstbad-report/reports.json"]
HEAD = "Generated from the types of reports in Rust by `make generate`; do not edit."

SEARCHES = {
    "RegressionReport": "RevisionObservation",
    "CulpritReport": "RevisionObservation",
    "VerificationReport": "RevisionObservation",
    "MinimizeReport": "SubsetObservation",
    "IsolateReport": "SubsetObservation",
    "TriageReport": "SuiteObservation",
    "ChangeReport": "RevisionObservation",
    "PorterReport": "PortObservation",
    "SlicerReport": "SubsetObservation",
}
"""The report of each search, and what its observations are called."""

VALUES = ("Explanation", "CommitSuspect", "Suspect")
"""The types besides reports that the packages convert."""

OUTCOMES = {"pass", "fail", "unresolved"}

RENAMED = {
    ("SlicerReport", "names"): "commits",
    ("SlicerReport", "commits"): "details",
    ("SliceEvidence", "changes"): "set",
}
"""The names of fields in the packages, by type and JSON name."""

CONTENT = {"PortedPatch": ("text", "bytes")}
"""Fields that the packages turn into a `Patch`."""


def types() -> dict[str, Schema]:
    """Returns the schema of every type by its name."""
    return {name: one for file in REPORTS for name, one in json.loads(file.read_text())["$defs"].items()}


def reference(schema: Schema) -> str | None:
    """Returns the name of the type that a schema refers to."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if OUTCOMES.issuperset(schema.get("enum", [None])):
        return "Outcome"
    name = schema.get("reference")
    return None if name is None else str(name)


def without_null(schema: Schema) -> tuple[Schema, bool]:
    """Returns the schema of a value, and whether the value can be null."""
    if "anyOf" in schema:
        [one] = [one for one in schema["anyOf"] if one.get("type") != "null"]
        return one, True
    kinds = schema.get("type")
    if isinstance(kinds, list):
        [kind] = [one for one in kinds if one != "null"]
        return {**schema, "type": kind}, "null" in kinds
    return schema, False


def is_choice(schema: Schema) -> bool:
    """Returns whether the values of a type are words."""
    return "properties" not in schema and all("const" in one for one in schema.get("oneOf", []))


def fields(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Yields the fields of an object in the order of their declaration."""
    names = dict.fromkeys([*schema.get("order", ()), *schema["required"], *schema["properties"]])
    for name in names:
        yield name, schema["properties"][name]


def declared(names: Iterable[str], hidden: Iterable[str]) -> dict[str, Schema]:
    """Returns the types that these need, each after those that it refers to; without the hidden ones."""
    known, skipped, found = types(), set(hidden), dict[str, Schema]()

    def add(name: str) -> None:
        if name in skipped or name not in known:
            return
        skipped.add(name)
        for one in references(known[name]):
            add(one)
        found[name] = known[name]

    for name in names:
        add(name)
    return found


def references(schema: Any) -> Iterator[str]:
    """Yields the names of the types that a schema refers to."""
    if isinstance(schema, list):
        for one in schema:
            yield from references(one)
    elif isinstance(schema, dict):
        if name := reference(schema):
            yield name
        for one in schema.values():
            yield from references(one)


def plain_text(description: str) -> str:
    """Returns a description without the links of Rust."""
    text = " ".join(description.split())
    text = re.sub(r"\[(`[^`\]]*`|\w+)\]\([^)]*(\(\))?\)", r"\1", text)
    text = re.sub(r"\[(`[^`\]]*`)\]", r"\1", text)
    text = re.sub(r"`\w+Config::(\w+)`", r"`\1`", text)
    text = re.sub(r"`[A-Z]\w+::([A-Z]\w+)`", lambda found: f"`{snake_case(found[1])}`", text)
    return text.replace("::", ".")


def snake_case(name: str) -> str:
    """Returns the name of a variant as JSON has it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def meanings(schema: Schema) -> str:
    """Returns what each word of a choice means."""
    said = []
    for one in schema["oneOf"]:
        first, rest = one["description"][0], one["description"][1:]
        is_name = rest[:1].isupper() or rest[:1] == "_"
        said.append(f"`{one['const']}`: {first if is_name else first.lower()}{rest}")
    return plain_text(" ".join(said))


@dataclass(frozen=True)
class Merged:
    """A field of an object whose kinds have different fields.

    Attributes:
        schema: The schema of the field.
        text: The description.
    """

    schema: Schema
    text: str


def merged(schema: Schema) -> dict[str, Merged]:
    """Returns the fields of all kinds of an object, besides `kind`."""
    found: dict[str, dict[str, list[str]]] = {}
    schemas: dict[str, Schema] = {}
    for one in schema["oneOf"]:
        kind = one["properties"]["kind"]["const"]
        for name, field in fields(one):
            if name != "kind":
                schemas.setdefault(name, field)
                found.setdefault(name, {}).setdefault(field["description"], []).append(f"`{kind}`")
    return {
        name: Merged(
            schemas[name],
            " ".join(f"For {' and '.join(kinds)}: {text[0].lower()}{text[1:]}" for text, kinds in said.items()),
        )
        for name, said in found.items()
    }


# --- Python

PYTHON_NAMES = {"PortedPatch": "PatchDetails"}
PYTHON_SCALARS = {"boolean": "bool", "integer": "int", "number": "float", "string": "str"}
PYTHON_KNOWN = {
    "Observation": ("Observation", "Observation._as_written"),
    "Outcome": ("Outcome", "Outcome"),
    "RunCounts": ("RunCounts", "RunCounts._from"),
    "TestResult": ("TestResult", "TestResult._as_written"),
    "Target": ("dict[str, Any]", ""),
}
"""Types that are written by hand, with what makes one of JSON."""

PYTHON_METHODS = {
    "Check": "CheckMethods",
    "Explanation": "Said",
    "Hypothesis": "HypothesisMethods",
    "RegressionPoint": "PointMethods",
    "VerificationReason": "Said",
}
"""Classes with the methods of a type."""

PYTHON_KEYWORDS = ("RegressionPoint", "Explanation")
"""Types that are made with keywords, and without defaults."""


def python_type(schema: Schema, observation: str) -> tuple[str, str]:
    """Returns the annotation of a value and its conversion from JSON, if it needs one."""
    schema, nullable = without_null(schema)
    annotation, conversion = python_value(schema, observation)
    return annotation + (" | None" if nullable else ""), conversion


def python_value(schema: Schema, observation: str) -> tuple[str, str]:
    """Returns the annotation of a value that is not null, and what makes one of JSON."""
    if name := reference(schema):
        if name in PYTHON_KNOWN:
            return PYTHON_KNOWN[name]
        if name == "TargetObservation":
            return observation, f"{observation}._as_written"
        if name == "PortedPatch":
            return "Patch", "ported_patch"
        return (name, "") if is_choice(types().get(name, {})) else (name, f"{name}._from")
    match schema:
        case {"type": "array", "prefixItems": items}:
            return f"tuple[{', '.join(python_type(one, observation)[0] for one in items)}]", "tuple"
        case {"type": "array", "items": items}:
            annotation, conversion = python_type(items, observation)
            return f"tuple[{annotation}, ...]", f"each({conversion})" if conversion else "tuple"
        case {"type": "object", "additionalProperties": values}:
            annotation, conversion = python_type(values, observation)
            keys = reference(schema.get("propertyNames", {})) or "str"
            return f"Mapping[{keys}, {annotation}]", f"every({conversion})" if conversion else ""
        case {"type": str(kind)}:
            return PYTHON_SCALARS[kind], ""
    raise ValueError(f"no Python type for {schema}")


def python_default(schema: Schema, is_map: bool) -> str:
    """Returns how a dataclass declares the default of a field."""
    if "default" not in schema or schema["default"] is ...:
        return " = field(hash=False)" if is_map else ""
    match schema["default"]:
        case {} if name := reference(schema):
            return f" = field(default_factory={name})"
        case {}:
            return " = field(default_factory=dict, hash=False)"
        case []:
            return " = ()"
        case None:
            return " = None"
        case value:
            return f" = {json.dumps(value) if isinstance(value, str) else repr(value)}"


def python_choice(name: str, description: str, words: Iterable[str], text: str) -> str:
    """Returns the source of an alias for some words."""
    quoted = [json.dumps(word) for word in words]
    line = f"{name}: TypeAlias = Literal[{', '.join(quoted)}]"
    if len(line) > WIDTH:
        line = "\n".join([f"{name}: TypeAlias = Literal[", *(f"    {word}," for word in quoted), "]"])
    return "\n".join([line, *docstring(description, wrapped(in_python(text), "", ""), "")])


def docstring(description: str, more: list[str], indent: str) -> list[str]:
    """Returns the lines of a docstring: its first sentence, and then the others."""
    summary, _, rest = in_python(plain_text(description)).partition(". ")
    lines = [f'{indent}"""{summary.removesuffix(".")}.']
    if rest:
        lines += ["", *wrapped(rest, indent, indent)]
    if not more:
        return [*lines[:-1], f'{lines[-1]}"""']
    return [*lines, "", *more, f'{indent}"""']


def python_class(name: str, schema: Schema) -> str:
    """Returns the source of a dataclass."""
    is_report = name in SEARCHES
    keywords = is_report or name in PYTHON_KEYWORDS
    members = [*fields(schema)] if "properties" in schema else [*merged_fields(name, schema)]
    members = [(field, one) for field, one in members if field not in CONTENT.get(name, ())]
    docs, declarations, conversions, names = list[str](), list[tuple[bool, str]](), dict[str, str](), dict[str, str]()
    for written, one in members:
        called = RENAMED.get((name, written), written)
        annotation, conversion = python_type(one, SEARCHES.get(name, ""))
        is_missing = written not in schema.get("required", ())
        default = {"default": None, **one} if is_missing else one
        if name in PYTHON_KEYWORDS and written in schema["required"]:
            default = {}
        ending = python_default(default, annotation.startswith("Mapping"))
        docs += wrapped(f"{called}: {in_python(plain_text(one['description']))}", " " * 8, " " * 12)
        declarations.append(("=" in ending and "field(hash" not in ending, f"    {called}: {annotation}{ending}"))
        if conversion:
            conversions[called] = conversion
        if called != written:
            names[called] = written
    if not keywords:
        declarations.sort(key=lambda one: one[0])
    arguments = ["frozen=True"] + ["repr=False"] * (name != "Hypothesis") + ["kw_only=True"] * keywords
    bases = [PYTHON_METHODS[name]] if name in PYTHON_METHODS else []
    bases += [] if is_report or name == "Hypothesis" else ["Lean"]
    head = [
        f"@dataclass({', '.join(arguments)})",
        f"class {python_name(name)}({', '.join([*bases, 'Written'])}):",
        *docstring(schema["description"], ["    Attributes:", *docs], "    "),
        "",
    ]
    lines = [*head, *(line for _, line in declarations)]
    if is_report:
        lines.append('    _text: str = field(default="", repr=False, compare=False)')
    if conversions:
        lines += ["", *table("_conversions", conversions)]
    if names:
        lines += ["", *table("_names", {called: json.dumps(written) for called, written in names.items()})]
    return "\n".join(lines)


def table(name: str, entries: dict[str, str]) -> list[str]:
    """Returns the lines of a dictionary in a class."""
    return [f"    {name} = {{", *(f'        "{key}": {value},' for key, value in entries.items()), "    }"]


def merged_fields(name: str, schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Yields the fields of an object that is of several kinds."""
    yield "kind", {"$ref": f"#/$defs/{name}Kind", "description": "The kind of the reason.", "default": ...}
    for field, one in merged(schema).items():
        default: Any = [] if one.schema.get("type") == "array" else None
        nullable = {} if default is not None else {"type": [one.schema["type"], "null"]}
        yield field, {**one.schema, **nullable, "description": one.text, "default": default}


def python_name(name: str) -> str:
    """Returns the Python name of a type, such as `MinimizeFields` for `MinimizeReport`."""
    return f"{name.removesuffix('Report')}Fields" if name in SEARCHES else PYTHON_NAMES.get(name, name)


def python_reports() -> str:
    """Returns the source of `python/firstbad/_generated/reports.py`."""
    parts, names = list[str](), list[str]()
    for name, schema in declared([*SEARCHES, *VALUES], [*PYTHON_KNOWN, "Stage", "TargetObservation"]).items():
        names.append(python_name(name))
        if "properties" in schema:
            parts.append(python_class(name, schema))
        elif is_choice(schema):
            words = [one["const"] for one in schema["oneOf"]]
            parts.append(python_choice(name, schema["description"], words, meanings(schema)))
        else:
            kinds = [{**one, "const": one["properties"]["kind"]["const"]} for one in schema["oneOf"]]
            words = [one["const"] for one in kinds]
            text = meanings({"oneOf": kinds})
            parts += [python_choice(f"{name}Kind", schema["description"], words, text), python_class(name, schema)]
            names.append(f"{name}Kind")
    exported = "\n".join(f'    "{name}",' for name in sorted(names))
    head = f'''"""The types of reports. {HEAD}"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from firstbad._lean import Lean
from firstbad._observation import (
    Observation, Outcome, PortObservation, RevisionObservation, SubsetObservation, SuiteObservation,
)
from firstbad._patch import Patch, ported_patch
from firstbad._tally import RunCounts
from firstbad._values import {", ".join(sorted(set(PYTHON_METHODS.values())))}
from firstbad._written import Written, each, every

__all__ = [
{exported}
]
'''
    return "\n\n".join([head, *(f"{one}\n" for one in parts)])


# --- TypeScript

NODE_NAMES = {
    "PorterReason": "Reason",
    "PortedPatch": "PatchDetails",
    "SliceEvidence": "SliceReason",
    "Row": "ReportRow",
}
NODE_SCALARS = {"boolean": "boolean", "integer": "number", "number": "number", "string": "string"}
NODE_KNOWN = {
    "Observation": ("Observation", "asItIs"),
    "Outcome": ("Outcome", "asItIs"),
    "Stage": ("Stage", "asItIs"),
    "TestResult": ("TestResult", "asItIs"),
    "Target": ("VariantTarget", "asItIs"),
}
"""Types that are written by hand, with what makes one of JSON."""

NODE_OBSERVATIONS = {
    "SubsetObservation": "subsetObservation",
    "SuiteObservation": "suiteObservation",
    "PortObservation": "portObservation",
}
"""Observations that are not as they are in JSON, with what makes one."""

NODE_INLINE = ("Conclusion", "Find", "LeafResult", "Purpose", "Reason", "Role")
"""Choices without a name."""

NODE_MUTABLE = {
    *("CulpritReport", "IsolateReport", "MinimizeReport", "RegressionReport", "VerificationReport"),
    *("Check", "Hypothesis", "LeafReport", "MissingRun", "RegressionPoint", "Row", "RunCounts", "VerificationReason"),
}
"""Types whose values callers can change."""


@dataclass(frozen=True)
class NodeValue:
    """How TypeScript has a value.

    Attributes:
        kind: Its type.
        made: What makes one of JSON; `asItIs` if it stays as it is.
    """

    kind: str
    made: str = "asItIs"


def node_value(owner: str, schema: Schema) -> NodeValue:
    """Returns how TypeScript has a value of a type's field."""
    schema, nullable = without_null(schema)
    found = node_present(owner, schema)
    return NodeValue(f"{found.kind} | null", found.made) if nullable else found


def node_present(owner: str, schema: Schema) -> NodeValue:
    """Returns how TypeScript has a value that is not null."""
    mutable = owner in NODE_MUTABLE
    name = schema["kind"] if schema.get("kind") == "CarriedBy" else reference(schema)
    if "enum" in schema and len(schema["enum"]) < len(OUTCOMES):
        return NodeValue(" | ".join(map(json.dumps, schema["enum"])))
    if name is not None:
        return node_named(owner, name)
    match schema:
        case {"type": "array", "prefixItems": items}:
            return NodeValue(f"readonly [{', '.join(node_value(owner, one).kind for one in items)}]")
        case {"type": "array", "items": items}:
            one = node_value(owner, items)
            kind = f"({one.kind})[]" if " " in one.kind else f"{one.kind}[]"
            return NodeValue(
                kind if mutable else f"readonly {kind}", "asItIs" if is_plain(one) else f"each({one.made})"
            )
        case {"type": "object", "additionalProperties": values}:
            one = node_value("", values)
            made = "asItIs" if is_plain(one) else f"every({one.made})"
            keys = reference(schema.get("propertyNames", {}))
            if keys is not None:
                return NodeValue(f"Readonly<Partial<Record<{node_name(keys)}, {one.kind}>>>", made)
            return NodeValue("Commits" if one.kind == "Commit" else f"Readonly<Record<string, {one.kind}>>", made)
        case {"type": str(kind)}:
            return NodeValue(NODE_SCALARS[kind])
    raise ValueError(f"no TypeScript type for {schema}")


def is_plain(value: NodeValue) -> bool:
    """Returns whether a value needs no conversion from JSON."""
    return value.made == "asItIs"


def node_named(owner: str, name: str) -> NodeValue:
    """Returns how TypeScript has a value of a type with a name."""
    if name == "CarriedBy":
        return NodeValue(name)
    if name in NODE_KNOWN:
        return NodeValue(*NODE_KNOWN[name])
    if name == "TargetObservation":
        observation = SEARCHES[owner]
        return NodeValue(observation, NODE_OBSERVATIONS.get(observation, "asItIs"))
    if name == "PortedPatch":
        return NodeValue("Patch", "portedPatch")
    schema = types()[name]
    if name in NODE_INLINE:
        return NodeValue(" | ".join(json.dumps(one["const"]) for one in schema["oneOf"]))
    if is_choice(schema) or "oneOf" in schema:
        return NodeValue(node_name(name))
    made = f"shaped({node_shape(name)})"
    return NodeValue(node_name(name), f"withIndices({made})" if (name, "changes") in RENAMED else made)


def node_name(name: str) -> str:
    """Returns the TypeScript name of a type."""
    return f"{name.removesuffix('Report')}Fields" if name in SEARCHES else NODE_NAMES.get(name, name)


def node_shape(name: str) -> str:
    """Returns the name of the table of a type's fields."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", node_name(name)).upper()


def node_text(description: str, names: set[str]) -> str:
    """Returns a description as TypeScript has it."""
    return in_node(plain_text(description), names).replace("`None`", "`null`")


def node_doc(schema: Schema, names: set[str]) -> str:
    """Returns the description of a field, with the meanings of a choice without a name."""
    text = node_text(schema["description"], names)
    name = reference(without_null(schema)[0])
    return f"{text} {node_text(meanings(types()[name]), names)}" if name in NODE_INLINE and name is not None else text


def node_members(name: str, schema: Schema, names: set[str], indent: str) -> list[str]:
    """Returns the lines of the fields of an object."""
    modifier = "" if name in NODE_MUTABLE else "readonly "
    lines = []
    for written, one in fields(schema):
        if written in CONTENT.get(name, ()):
            continue
        called = camel_case(RENAMED.get((name, written), written))
        text = node_doc(one, names) if "description" in one else ""
        if called == "set":
            indices = "The indices of the set, ascending; made when first asked for."
            lines += [*tsdoc(indices, indent), f"{indent}readonly changes: readonly number[];"]
        lines += tsdoc(text, indent) if text else []
        optional = "" if written in schema["required"] or "null" in str(one.get("type")) else "?"
        value = f"{json.dumps(one['const'])}" if "const" in one else node_value(name, one).kind
        lines += node_line(f"{indent}{modifier}{called}{optional}:", value, indent)
    return lines


def node_line(start: str, kind: str, indent: str) -> list[str]:
    """Returns the lines of a declaration."""
    line = f"{start} {kind};"
    if len(line) <= WIDTH:
        return [line]
    words = [f"{indent}  | {word}" for word in kind.split(" | ")]
    return [start, *words[:-1], f"{words[-1]};"]


def node_interface(name: str, schema: Schema, names: set[str]) -> str:
    """Returns the source of an interface, and of the table that makes one of JSON."""
    about = tsdoc(node_text(schema["description"], names))
    lines = [*about, f"export interface {node_name(name)} {{", *node_members(name, schema, names, "  "), "}"]
    rows = []
    for written, one in fields(schema):
        if written not in CONTENT.get(name, ()):
            called = camel_case(RENAMED.get((name, written), written))
            made = node_value(name, one).made
            rows.append(f'  {called}: ["{written}", {made}],' if made != "asItIs" else f'  {called}: ["{written}"],')
    head = f"export const {node_shape(name)}: Shape<{node_name(name)}> = {{"
    return "\n".join([*lines, "", "/** @internal */", head, *rows, "};"])


def node_choice(name: str, schema: Schema, names: set[str]) -> str:
    """Returns the source of a type that is one of some words."""
    text = f"{node_text(schema['description'], names)} {node_text(meanings(schema), names)}"
    kind = " | ".join(json.dumps(one["const"]) for one in schema["oneOf"])
    return "\n".join([*tsdoc(text), *node_line(f"export type {node_name(name)} =", kind, "")])


def node_union(name: str, schema: Schema, names: set[str]) -> str:
    """Returns the source of a type whose objects are of several kinds."""
    lines = [*tsdoc(node_text(schema["description"], names)), f"export type {node_name(name)} ="]
    for one in schema["oneOf"]:
        lines += [*tsdoc(node_text(one["description"], names), "  "), "  | {"]
        lines += [*node_members(name, one, names, "      "), "    }"]
    return "\n".join(lines) + ";"


NODE_IMPORTS = """\
import {
  type Observation, type Outcome, type PortObservation, portObservation, type SubsetObservation, subsetObservation,
  type RevisionObservation, type SuiteObservation, suiteObservation,
} from "../observation.js";
import { withIndices } from "../change-set.js";
import { type Patch, portedPatch } from "../patch.js";
import type { CarriedBy, VariantTarget } from "../probe.js";
import { each, every, type Shape, shaped } from "../written.js";
"""
NODE_COMMITS = """\
/** The descriptions of the commits in a report, by their full ids. */
export type Commits = Readonly<Record<string, Commit>>;"""


def node_reports(names: set[str]) -> str:
    """Returns the source of `node/src/generated/reports.ts`; `names` are those of options."""
    found = declared([*SEARCHES, *VALUES, "Row"], [*NODE_KNOWN, "TargetObservation"])
    known = names | {name for schema in found.values() for name in schema.get("properties", {})}
    parts = []
    for name, schema in found.items():
        if name in NODE_INLINE:
            continue
        if "properties" in schema:
            parts.append(node_interface(name, schema, known))
        elif is_choice(schema):
            parts.append(node_choice(name, schema, known))
        else:
            parts.append(node_union(name, schema, known))
    return "\n\n".join([f"/** The types of reports. {HEAD} */", NODE_IMPORTS.strip(), *parts, NODE_COMMITS]) + "\n"
