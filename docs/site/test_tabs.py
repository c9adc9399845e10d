"""Tests of tabs for examples in several languages."""

from pathlib import Path

import pytest
from tabs import grouped, groups

GUIDE = Path(__file__).parents[1]
PYTHON = '```python\nprint("a")\n```\n\n```text\na\n```\n\n'
NODE = '```js\nconsole.log("a");\n```\n\n```text\na\n```\n\n'
SHELL = "```console\n$ echo a\na\n```\n\n"


def test_adjacent_python_and_node_blocks_become_tabs():
    page = grouped(f"# Title\n\nBefore.\n\n{PYTHON}{NODE}After.\n")
    assert page.startswith("# Title\n\nBefore.\n\n::::{tab-set}\n:sync-group: language\n\n")
    assert page.endswith("::::\n\nAfter.\n")
    assert page.count("::::") == 2
    assert page.count(":::{tab-item} Python\n:sync: python\n\n```python\n") == 1
    assert page.count(":::{tab-item} Node\n:sync: js\n\n```js\n") == 1
    first, second = page.split(":::{tab-item} Node")
    assert "```text\na\n```\n:::\n" in first, "the tab of a program contains its output"
    assert "```text\na\n```\n:::\n" in second


def test_an_adjacent_shell_session_becomes_a_tab():
    assert grouped(SHELL + PYTHON + NODE).count("{tab-item} Command line") == 1


@pytest.mark.parametrize(
    "page",
    [
        PYTHON,
        SHELL + PYTHON,
        PYTHON + PYTHON,
        f"{PYTHON}In Node:\n\n{NODE}",
        f"{PYTHON}## Another task\n\n{NODE}",
        f"{PYTHON}```sh\nmake\n```\n\n{NODE}",
        "````text\n```python\n```\n```js\n```\n````\n",
    ],
)
def test_other_blocks_are_unchanged(page):
    assert grouped(page) == page


def test_a_repeated_language_starts_a_new_group():
    found = groups(PYTHON + NODE + PYTHON + NODE)
    assert [[language for language, _, _ in group] for group in found] == [["python", "js"], ["python", "js"]]


@pytest.mark.parametrize("page", sorted(GUIDE.glob("*.md")), ids=lambda page: page.name)
def test_tabs_keep_every_example_of_the_docs(page):
    text = page.read_text()
    for fence in ("```python\n", "```js\n", "```console\n", "```text\n"):
        assert grouped(text).count(fence) == text.count(fence)
