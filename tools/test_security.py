"""SECURITY.md names the test of each promise."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_test_that_security_names_exists():
    named = re.findall(r"\[`(\w+)`\]\(([^)]+)\)", (ROOT / "SECURITY.md").read_text())
    assert len(named) > 10
    for name, file in named:
        assert re.search(rf"\b{name}\b", (ROOT / file).read_text()), f"{file} has no test {name}"
