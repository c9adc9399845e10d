"""Generated files are up to date."""

import json

import generate
import pytest


def test_generated_files_are_up_to_date():
    assert generate.outdated() == []


def test_a_new_option_makes_the_files_out_of_date(tmp_path, monkeypatch):
    table = json.loads(generate.TABLE.read_text())
    regression = table["$defs"]["regression"]
    regression["order"].append("new_option")
    regression["properties"]["new_option"] = {
        "type": "integer",
        "default": 3,
        "description": "A new option; by default 3.",
    }
    changed = tmp_path / "options.json"
    changed.write_text(json.dumps(table))
    monkeypatch.setattr(generate, "TABLE", changed)
    assert generate.outdated() == list(generate.FILES)
    assert "    new_option: int | None\n" in generate.python_module()
    assert "  newOption?: number;\n" in generate.node_module()


def test_an_option_without_a_type_is_refused():
    with pytest.raises(ValueError, match="no Python type"):
        generate.python_type({"description": "Anything."})
