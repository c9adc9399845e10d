"""Generated files are up to date."""

import json

import generate
import pytest
import report_types


def test_generated_files_are_up_to_date():
    assert generate.outdated() == []


def test_a_new_option_makes_the_files_out_of_date(tmp_path, monkeypatch):
    table = json.loads(generate.TABLES[0].read_text())
    regression = table["$defs"]["regression"]
    regression["order"].append("new_option")
    regression["properties"]["new_option"] = {
        "type": "integer",
        "default": 3,
        "description": "A new option; by default 3.",
    }
    changed = tmp_path / "options.json"
    changed.write_text(json.dumps(table))
    monkeypatch.setattr(generate, "TABLES", [changed, generate.TABLES[1]])
    assert generate.outdated() == ["python/firstbad/_generated/options.py", "node/src/generated/options.ts"]
    assert "    new_option: int | None\n" in generate.python_module()
    assert "  newOption?: number;\n" in generate.node_searches()


def test_an_option_without_a_type_is_refused():
    with pytest.raises(ValueError, match="no Python type"):
        generate.python_type({"description": "Anything."})


def test_a_new_field_of_a_report_reaches_every_package(tmp_path, monkeypatch):
    table = json.loads(report_types.REPORTS[0].read_text())
    report = table["$defs"]["RegressionReport"]
    report["required"].append("new_field")
    report["properties"]["new_field"] = {
        "type": "array",
        "items": {"$ref": "#/$defs/RegressionPoint"},
        "description": "The new `first_parent` points; `None` if unknown.",
    }
    changed = tmp_path / "reports.json"
    changed.write_text(json.dumps(table))
    monkeypatch.setattr(report_types, "REPORTS", [changed, report_types.REPORTS[1]])
    assert generate.outdated() == [
        "docs/schema/report.json",
        "python/firstbad/_generated/reports.py",
        "node/src/generated/reports.ts",
    ]
    python, node = generate.FILES["python/firstbad/_generated/reports.py"](), report_types.node_reports(set())
    assert "    new_field: tuple[RegressionPoint, ...]\n" in python
    assert '        "new_field": each(RegressionPoint._from),\n' in python
    assert "  /** The new `firstParent` points; `null` if unknown. */\n  newField: RegressionPoint[];\n" in node
    assert '  newField: ["new_field", each(shaped(REGRESSION_POINT))],\n' in node


def test_a_field_without_a_type_is_refused():
    with pytest.raises(ValueError, match="no Python type"):
        report_types.python_type({"description": "Anything."}, "")
    with pytest.raises(ValueError, match="no TypeScript type"):
        report_types.node_value("Commit", {"description": "Anything."})


def test_descriptions_have_no_links_of_rust():
    text = "See [`started`](crate::Observation::started), [`Reason::TooFlaky`], and [`PorterStep::place`]."
    assert report_types.plain_text(text) == "See `started`, `too_flaky`, and `PorterStep.place`."
