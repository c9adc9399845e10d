"""Generates types and schemas from the declarations in Rust.

From the tables of options (`crates/*/options.json`): the option types of Python and TypeScript. From the types of
reports (`crates/*/reports.json`): the report types of both, and the JSON schema of reports, `docs/schema/report.json`.

`make generate` first writes these tables, from the configurations in Rust, and then runs this. With `--check`, this
only names the files that are out of date.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from declarations import ROOT, Schema, camel_case, in_node, in_python, tsdoc, wrapped
from report_types import declared, node_reports, plain_text, python_reports

TABLES = [ROOT / "crates/firstbad/options.json", ROOT / "crates/firstbad-oracle/options.json"]
HEAD = "Generated from the tables of options by `make generate`; do not edit."


@dataclass(frozen=True)
class Interface:
    """A type that declares options of a search.

    Attributes:
        name: The name of the type.
        algorithm: The search.
        about: What the options are, as a sentence.
        without: Options of the search that the type leaves out.
        search: In TypeScript, the class of the search.
    """

    name: str
    algorithm: str
    about: str
    without: tuple[str, ...] = ()
    search: str = ""


TREE = ("parents", "later")
MADE = ("changes", "history", "joined", "merges", "always", "dependencies", "charges", "warnings")

PYTHON = [
    Interface("RegressionOptions", "regression", "Options of a regression search."),
    Interface("CulpritOptions", "culprit", "Options of a culprit search."),
    Interface("VerificationOptions", "verification", "Options of a verification."),
    Interface("MinimizerOptions", "minimize", "Options of a minimization."),
    Interface("TextReductionOptions", "minimize", "Options of a minimization of a text.", TREE),
    Interface("PatchReductionOptions", "minimize", "Options of a minimization of a patch.", (*TREE, "depth")),
    Interface("CommitReductionOptions", "minimize", "Options of a minimization of a commit.", (*TREE, "depth", "keep")),
    Interface("ReductionOptions", "isolate", "Options of a search for the smallest difference."),
    Interface("TriageOptions", "triage", "Options of a triage."),
    Interface("ChangeOptions", "change", "Options of a search for a change in numbers."),
    Interface("PorterOptions", "port", "Options of a `Porter`."),
    Interface("WalkOptions", "port", "Options of iterative delta debugging.", ("controlled", "boundary")),
    Interface("SlicerOptions", "slice", "Options of a `Slicer`."),
    Interface("SliceWayOptions", "slice", "Options of `slice_history`.", MADE),
    Interface("CommandOptions", "command", "Options of `Repository.command_oracle`."),
    Interface("SuiteOptions", "suite", "Options of `Repository.suite_oracle` about tests."),
    Interface("MeasureOptions", "measure", "Options of `Repository.measure_oracle` about numbers."),
]
NODE = [
    Interface("RegressionOptions", "regression", "Options of a regression search.", search="RegressionSearch"),
    Interface("CulpritOptions", "culprit", "Options of a culprit search.", search="CulpritSearch"),
    Interface("VerificationOptions", "verification", "Options of a verification.", search="CulpritVerifier"),
    Interface("ReductionOptions", "isolate", "Options of a reduction.", search="Isolator"),
    Interface("MinimizerOptions", "minimize", "Options of a minimization.", search="Minimizer"),
    Interface("TriageOptions", "triage", "Options of a triage.", search="TriageSearch"),
    Interface("ChangeOptions", "change", "Options of a search for a change in numbers.", search="ChangeSearch"),
    Interface("PorterOptions", "port", "Options of a {@link Porter}.", search="Porter"),
    Interface("SlicerOptions", "slice", "Options of a {@link Slicer}.", ("changes",), "Slicer"),
]


def table() -> dict[str, Schema]:
    """Returns the options of every search by the name of its algorithm, and those of a `command`."""
    return {name: search for file in TABLES for name, search in json.loads(file.read_text())["$defs"].items()}


def options(search: Schema, without: tuple[str, ...] = ()) -> Iterator[tuple[str, Schema]]:
    """Yields the options of a search in the order of their declaration."""
    for name in search["order"]:
        if name not in without:
            yield name, search["properties"][name]


def alternatives(schema: Schema) -> list[Schema]:
    """Returns the schemas of which a value matches one, without null."""
    if "anyOf" in schema and "kind" not in schema:
        nested = (alternatives(one) for one in schema["anyOf"])
        return [one for several in nested for one in several]
    kinds = schema.get("type", [])
    if kinds == "null":
        return []
    if isinstance(kinds, list) and kinds:
        return [{**schema, "type": one} for one in kinds if one != "null"]
    return [schema]


def takes_none(schema: Schema) -> bool:
    """Returns whether null is a distinct value."""
    return "null" in schema.get("type", []) or any(map(takes_none, schema.get("anyOf", [])))


# --- Python

PYTHON_KINDS = {
    "CopyFiles": 'Literal["auto", False] | Sequence[str | os.PathLike[str]]',
    "Command": "Sequence[str | os.PathLike[str]]",
    "Earlier": "VerificationReport",
    "Environment": "EnvironmentPreset | Environment",
    "ExitCodes": "Mapping[int, Verdict]",
    "Patches": "Patch | str | bytes | Iterable[Patch | str | bytes]",
    "Path": "str | os.PathLike[str]",
    "Prior": "PriorLike",
    "Results": "ResultsLike",
    "SuiteCosts": "Mapping[str, float]",
    "ChangeCosts": "ChangeCosts",
    "MetricOptions": "MetricOptions",
    "Metrics": "Mapping[str, MetricOptions]",
    "Variables": "Mapping[str, str]",
}
PYTHON_SCALARS = {"boolean": "bool", "integer": "int", "number": "float", "string": "str"}


def python_type(schema: Schema) -> str:
    """Returns the annotation of a value."""
    found = [python_alternative(one, "not" in schema) for one in alternatives(schema)]
    return " | ".join(dict.fromkeys(found))


def python_alternative(schema: Schema, known: bool) -> str:
    """Returns the annotation of one alternative; `known` if it cannot be estimated."""
    match schema:
        case {"kind": "Rate"}:
            return "KnownRate" if known else "RateLike"
        case {"kind": kind} if kind in PYTHON_KINDS:
            return PYTHON_KINDS[kind]
        case {"const": value}:
            return f"Literal[{json.dumps(value)}]"
        case {"enum": values}:
            return f"Literal[{', '.join(map(json.dumps, values))}]"
        case {"oneOf": values}:
            return f"Literal[{', '.join(json.dumps(value['const']) for value in values)}]"
        case {"type": "array", "items": {"type": "string"}}:
            return "str | Iterable[str]"
        case {"type": "array", "items": items}:
            nullable = " | None" if takes_none(items) else ""
            return f"Iterable[{python_type(items)}{nullable}]"
        case {"patternProperties": _}:
            return "Needs"
        case {"additionalProperties": {"type": "number"}}:
            return "CostsLike"
        case {"type": "object"}:
            return "Mapping[str, Any]"
        case {"type": str(kind)}:
            return PYTHON_SCALARS[kind]
    raise ValueError(f"no Python type for {schema}")


def python_class(title: str, about: str, search: Schema, chosen: Iterable[tuple[str, Schema]]) -> str:
    """Returns the source of a TypedDict."""
    docs, fields = [], []
    for name, option in chosen:
        docs += wrapped(f"{name}: {in_python(option['description'])}", " " * 8, " " * 12)
        annotation = python_type(option)
        if name in search.get("required", []):
            annotation = f"Required[{annotation}{' | None' if takes_none(option) else ''}]"
        else:
            annotation += " | None"
        fields.append(f"    {name}: {annotation}")
    head = [f"class {title}(TypedDict, total=False):", f'    """{about}', "", "    Attributes:"]
    return "\n".join([*head, *docs, '    """', "", *fields])


def python_classes(searches: dict[str, Schema]) -> dict[str, str]:
    """Returns the source of each TypedDict by its name."""
    found = {}
    for one in PYTHON:
        chosen = list(options(searches[one.algorithm], one.without))
        for nested in (nested for _, option in chosen for nested in objects(option)):
            if nested["kind"] in PYTHON_KINDS.values():
                about = nested["description"].partition(". ")[0].removesuffix(".")
                found[nested["kind"]] = python_class(nested["kind"], f"{about}.", nested, nested["properties"].items())
        found[one.name] = python_class(one.name, one.about, searches[one.algorithm], chosen)
    return found


def python_module() -> str:
    """Returns the source of `python/firstbad/_generated/options.py`."""
    searches = table()
    classes = python_classes(searches)
    head = f'''"""The options of every search. {HEAD}"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Required

    from firstbad._environment import Environment, EnvironmentPreset
    from firstbad._option_types import CostsLike, Needs, PriorLike, ResultsLike, Verdict
    from firstbad._patch import Patch
    from firstbad._tally import KnownRate, RateLike
    from firstbad._generated.reports import VerificationFields as VerificationReport
'''
    all_options = [option for search in searches.values() for option in options(search)]
    kinds = {name: kind for name, option in all_options if (kind := python_kind(option))}
    defaults = {
        oracle: {
            name: option["default"] for name, option in options(searches[oracle]) if option.get("default") is not None
        }
        for oracle in ("command", "suite", "measure")
    }
    tables = [
        python_table("KINDS", kinds, "The conversion of each option that is not a plain JSON value."),
        python_table("COMMAND_DEFAULTS", defaults["command"], "The defaults of `CommandOptions`."),
        python_table("SUITE_DEFAULTS", defaults["suite"], "The defaults of `SuiteOptions`."),
        python_table("MEASURE_DEFAULTS", defaults["measure"], "The defaults of `MeasureOptions`."),
    ]
    names = ["COMMAND_DEFAULTS", "KINDS", "MEASURE_DEFAULTS", "SUITE_DEFAULTS", *classes]
    exported = ",\n    ".join(json.dumps(name) for name in sorted(names))
    head += f"\n__all__ = [\n    {exported},\n]\n"
    return "\n\n".join([head, *(f"{one}\n" for one in classes.values()), "\n\n".join(tables)]) + "\n"


def python_table(name: str, entries: dict[str, Any], about: str) -> str:
    """Returns the source of a dictionary."""
    lines = [f"    {json.dumps(key)}: {value!r}," for key, value in sorted(entries.items())]
    return "\n".join([f"{name} = {{", *(line.replace("'", '"') for line in lines), "}", f'"""{about}"""'])


def python_kind(schema: Schema) -> str | None:
    """Returns how an option becomes JSON; None if it is JSON."""
    for one in alternatives(schema):
        match one:
            case {"kind": str(kind)} if kind not in ("ChangeCosts", "Charge", "Earlier", "SlicedHistory", "SuiteCosts"):
                return kind
            case {"patternProperties": _}:
                return "Needs"
            case {"additionalProperties": {"type": "number"}}:
                return "Costs"
            case {"type": "array", "items": {"type": "string"}}:
                return "Names"
            case {"type": "array"}:
                return "List"
    return None


# --- TypeScript

NODE_KINDS = {
    "CopyFiles": ('"auto" | false | Several<string>', "someCarried"),
    "Command": ("Several<string>", "aCommand"),
    "Environment": ("EnvironmentPreset | Environment", "anEnvironment"),
    "ExitCodes": ("Readonly<Record<number, Verdict>> | ReadonlyMap<number, Verdict>", "exitCodes"),
    "Patches": ("Iterable<Patch | string | Uint8Array>", "somePatches"),
    "Path": ("string", "pathOf"),
    "Results": ("Results", "someResults"),
    "Variables": ("Readonly<Record<string, string | undefined>> | ReadonlyMap<string, string>", "variables"),
}
NODE_SCALARS = {"boolean": "boolean", "integer": "number", "number": "number", "string": "string"}


def node_type(schema: Schema) -> str:
    """Returns the TypeScript type of a value."""
    found = [node_alternative(one, "not" in schema) for one in alternatives(schema)]
    return " | ".join(dict.fromkeys(found))


def node_alternative(schema: Schema, known: bool) -> str:
    """Returns the TypeScript type of one alternative; `known` if it cannot be estimated."""
    match schema:
        case {"kind": "Rate"}:
            return 'Exclude<Rate, "estimate">' if known else "Rate"
        case {"kind": "Metrics"}:
            return "Readonly<Record<string, MetricOptions>> | ReadonlyMap<string, MetricOptions>"
        case {"kind": str(kind)}:
            return NODE_KINDS[kind][0] if kind in NODE_KINDS else kind
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"oneOf": values}:
            return " | ".join(json.dumps(value["const"]) for value in values)
        case {"type": "array", "items": {"type": "string"}}:
            return "string | Iterable<string>"
        case {"type": "array", "items": items}:
            nullable = " | null" if takes_none(items) else ""
            return f"Iterable<{node_type(items)}{nullable}>"
        case {"patternProperties": _}:
            return "Dependencies"
        case {"additionalProperties": {"type": "number"}}:
            return "Costs"
        case {"type": str(kind)}:
            return NODE_SCALARS[kind]
    raise ValueError(f"no TypeScript type for {schema}")


def node_field(schema: Schema) -> str:
    """Returns the function that converts a value for the core."""
    for one in alternatives(schema):
        match one:
            case {"kind": "Rate"}:
                return 'aRate("")' if "not" in schema else "aRate()"
            case {"kind": "Prior"}:
                return "aPrior"
            case {"kind": "Earlier"}:
                return "anEarlierVerdict"
            case {"kind": "Metrics"}:
                return "objectsByName(METRIC)"
            case {"kind": str(kind)} if kind in NODE_KINDS:
                return NODE_KINDS[kind][1]
            case {"kind": str(kind)}:
                return f"anObject({constant(kind)})"
            case {"patternProperties": _}:
                return "someDependencies"
            case {"additionalProperties": {"type": "number"}}:
                return "someCosts"
            case {"type": "array", "items": {"type": "string"}}:
                return "someIds" if len(alternatives(schema)) == 1 else "whereFirst"
            case {"type": "array", "items": items}:
                return f"aList({json.dumps(node_items(items))}, {node_field(items)})"
    return "asItIs"


def node_items(items: Schema) -> str:
    """Returns the description of list items, for a message."""
    match items:
        case {"type": "array"}:
            return "several lists"
        case {"type": "object"}:
            return "several objects"
    return "several numbers"


def constant(name: str) -> str:
    """Returns the name of the constant that belongs to a type: `SLICED_HISTORY`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.removesuffix("Options")).upper()


def node_interface(name: str, about: str, search: Schema, chosen: list[tuple[str, Schema]], names: set[str]) -> str:
    """Returns the source of an interface."""
    lines = [f"/** {about} */", f"export interface {name} {{"]
    for option, schema in chosen:
        lines += tsdoc(in_node(schema["description"], names), "  ")
        mark = "" if option in search.get("required", []) else "?"
        nullable = " | null" if takes_none(schema) or schema.get("default", "") is None else ""
        lines.append(f"  {camel_case(option)}{mark}: {node_type(schema)}{nullable};")
    return "\n".join([*lines, "}"])


def node_fields(chosen: list[tuple[str, Schema]], indent: str) -> list[str]:
    """Returns the lines of a table of fields."""
    return [f"{indent}{camel_case(option)}: {node_field(schema)}," for option, schema in chosen]


def objects(schema: Schema) -> Iterator[Schema]:
    """Yields the objects with a name that a value holds."""
    for one in alternatives(schema):
        if one.get("kind") and "properties" in one:
            yield one
        elif one.get("kind") == "Metrics":
            yield {**one["additionalProperties"], "kind": "MetricOptions"}
        elif "items" in one:
            yield from objects(one["items"])


SEARCH_IMPORTS = """\
import {
  aPrior, aRate, anEarlierVerdict, type Costs, type Earlier, type Kind, type Prior, type Rate, someCosts, whereFirst,
} from "../configuration.js";
import { type Dependencies, someDependencies } from "../dependencies.js";
import { aList, anObject, asItIs, type Fields, objectsByName, someIds } from "../fields.js";
import { type Results, someResults } from "../observation.js";
"""
COMMAND_IMPORTS = """\
import {
  aCommand, anEnvironment, type Environment, type EnvironmentPreset, exitCodes, someCarried, somePatches, type Verdict,
  variables,
} from "../command-fields.js";
import { asItIs, type Fields, someIds } from "../fields.js";
import { pathOf, type Several } from "../options.js";
import type { Patch } from "../patch.js";
"""


def node_searches() -> str:
    """Returns the source of `node/src/generated/options.ts`."""
    searches = table()
    names = option_names(searches)
    parts = []
    for interface in NODE:
        search = searches[interface.algorithm]
        chosen = list(options(search, interface.without))
        for one in (one for _, option in chosen for one in objects(option) if one["kind"] != "Earlier"):
            name, fields = one["kind"], list(one["properties"].items())
            parts.append(node_interface(name, one["description"], one, fields, names))
            head = f"/** @internal */\nexport const {constant(name)}: Fields<{name}> = {{"
            parts.append("\n".join([head, *node_fields(fields, "  "), "};"]))
        parts.append(node_interface(interface.name, interface.about, search, chosen, names))
        head = f"/** @internal */\nexport const {interface.algorithm.upper()}: Kind<{interface.name}> = {{"
        named = [f'  algorithm: "{interface.algorithm}",', f'  search: "{interface.search}",', "  fields: {"]
        parts.append("\n".join([head, *named, *node_fields(chosen, "    "), "  },", "};"]))
    return "\n\n".join([f"/** The options of every search. {HEAD} */", SEARCH_IMPORTS.strip(), *parts]) + "\n"


def node_command() -> str:
    """Returns the source of `node/src/generated/command.ts`."""
    searches = table()
    parts = []
    for name, oracle, about in [
        ("CommandOptions", "command", "Options of {@link Repository.commandOracle}."),
        ("SuiteOptions", "suite", "Options of {@link Repository.suiteOracle} about tests."),
        ("MeasureOptions", "measure", "Options of {@link Repository.measureOracle} about numbers."),
    ]:
        chosen = list(options(searches[oracle]))
        parts.append(node_interface(name, about, searches[oracle], chosen, option_names(searches)))
        head = f"/** @internal */\nexport const {oracle.upper()}: Fields<{name}> = {{"
        parts.append("\n".join([head, *node_fields(chosen, "  "), "};"]))
    about = f"/** The options of command oracles. {HEAD} */"
    return "\n\n".join([about, COMMAND_IMPORTS.strip(), *parts]) + "\n"


def option_names(searches: dict[str, Schema]) -> set[str]:
    """Returns the names of all options."""
    return {name for search in searches.values() for name in search["properties"]}


# --- The JSON schema of reports

ALGORITHMS = {
    "regression": "RegressionReport",
    "culprit": "CulpritReport",
    "verification": "VerificationReport",
    "minimize": "MinimizeReport",
    "isolate": "IsolateReport",
    "port": "PorterReport",
    "slice": "SlicerReport",
    "triage": "TriageReport",
    "change": "ChangeReport",
}
TITLE = (
    "The output of firstbad report --json, of run, explain, minimize, port, slice, and replay of a git bisect log, and "
    "of to_json in Python and toJson in Node"
)


def report_schema() -> str:
    """Returns the text of `docs/schema/report.json`."""
    known = declared([*ALGORITHMS.values(), "Summary", "Probe", "SlicedHistory"], [])
    flat = {name: flattened(one, known) for name, one in known.items()}
    summary = flat.pop("Summary")
    reports = [(algorithm, flat.pop(name)) for algorithm, name in ALGORITHMS.items() if name in flat]
    variants = []
    for algorithm, report in reports:
        properties = {**summary["properties"], **report["properties"]}
        properties |= {"schema": {"const": 1}, "algorithm": {"const": algorithm}}
        variants.append(
            {
                "type": "object",
                "properties": properties,
                "required": sorted({*summary["required"], *report["required"]}),
                "additionalProperties": False,
            }
        )
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "report.json",
        "title": TITLE,
        "oneOf": variants,
        "$defs": flat,
    }
    return json.dumps(plain(schema), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def flattened(schema: Schema, types: dict[str, Schema]) -> Schema:
    """Returns the schema of an object with the properties of the type that it includes."""
    if "flatten" not in schema:
        return schema
    included = types[schema["flatten"]]
    properties = {**included["properties"], **schema["properties"]}
    required = sorted({*included["required"], *schema["required"]})
    return {**schema, "properties": properties, "required": required}


def plain(schema: Any) -> Any:
    """Returns a schema in standard keywords, without the names of Rust."""
    if isinstance(schema, list):
        return [plain(one) for one in schema]
    if not isinstance(schema, dict):
        return plain_text(schema).replace("`None`", "`null`") if isinstance(schema, str) else schema
    if "reference" in schema:
        target = schema["reference"]
        reference = {"$ref": "#" if target == "Summary" else f"#/$defs/{target}"}
        described = {"description": plain(schema["description"])} if "description" in schema else {}
        return {**described, "anyOf": [reference, {"type": "null"}]} if target == "SlicedHistory" else reference
    kept = {
        name: one
        for name, one in schema.items()
        if name not in ("flatten", "kind", "only") and not is_format(name, one)
    }
    if "properties" in kept and kept.get("type") == "object":
        kept.setdefault("additionalProperties", False)
    names = ("properties", "$defs")  # Their keys are names and not keywords.
    return {
        name: {key: plain(value) for key, value in one.items()} if name in names else plain(one)
        for name, one in kept.items()
    }


def is_format(name: str, value: Any) -> bool:
    """Returns whether this is the name of a type of Rust."""
    return name == "format" and isinstance(value, str)


# --- Files


FILES: dict[str, Callable[[], str]] = {
    "docs/schema/report.json": report_schema,
    "python/firstbad/_generated/options.py": python_module,
    "python/firstbad/_generated/reports.py": python_reports,
    "node/src/generated/command.ts": node_command,
    "node/src/generated/options.ts": node_searches,
    "node/src/generated/reports.ts": lambda: node_reports(option_names(table())),
}


def outdated() -> list[str]:
    """Returns the outdated files."""
    return [name for name, make in FILES.items() if not (ROOT / name).exists() or (ROOT / name).read_text() != make()]


def main() -> None:
    """Writes the files, or checks them."""
    stale = outdated()
    if "--check" in sys.argv[1:]:
        if stale:
            raise SystemExit(f"error: out of date: {', '.join(stale)}\nhelp: run `make generate`")
        return
    for name in stale:
        (ROOT / name).write_text(FILES[name]())
        print(name)


if __name__ == "__main__":
    main()
