"""Tests of the development requirements."""

from __future__ import annotations

import pytest
import requirements
import tomllib


def test_groups_are_listed_one_after_the_other() -> None:
    listed = requirements.requirements("build-system", "docs", "packages", "tools")
    assert [listed[0].partition(">=")[0], "sphinx>=9" in listed, "twine>=7" in listed] == ["maturin", True, True]
    assert [one for one in listed if one.startswith("pytest>=")] == ["pytest>=8"]
    with pytest.raises(KeyError):
        requirements.requirements("progress")


def test_what_is_published_offers_nothing_to_work_on_the_project() -> None:
    project = tomllib.loads((requirements.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(project["optional-dependencies"]) == {"progress", "networkx", "rustworkx", "plot", "dask"}
