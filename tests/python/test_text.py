"""Texts as trees of lines, and the smallest part of a text."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstbad as fb

TEXT = """\
def f():
    return 1

def g(x):
    if x:
        print(2)
    return 3
"""

BRACES = ["f() {", "  if (a)", "  {", "    b();", "  }", "}", "", "c();"]


def test_the_tree_of_lines_follows_from_their_indentation():
    tree = fb.outline(BRACES)
    assert tree == fb.Outline((None, 0, 1, 1, 1, 0, None, None), {0: (5,), 1: (2, 4)})
    assert fb.outline("\n".join(BRACES)) == fb.outline(line + "\n" for line in BRACES) == tree
    assert fb.outline("") == fb.outline(()) == fb.Outline((), {})
    # What is no text in any encoding is a line like any other; only `\n` ends one.
    assert fb.outline("a\n \udcff\x0c\r\n") == fb.Outline((None, 0), {})


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.lists(st.sampled_from(["a", "  b", "    c", "  }", "}", "", "\t", "{", "  {"]), max_size=30), st.data())
def test_an_outline_is_a_tree_for_minimize(lines, data):
    tree = fb.outline(lines)
    assert len(tree.parents) == len(lines)
    assert all(parent is None or parent < line for line, parent in enumerate(tree.parents))
    if not lines:
        return
    needed = data.draw(st.sampled_from(lines))
    report = fb.minimize(
        lines, lambda kept: needed in kept, parents=tree.parents, dependencies=tree.dependencies, guarantee="1-minimal"
    )
    assert needed in report.items
    assert all(tree.parents[line] in (None, *report.kept) for line in report.kept)
    assert all(set(tree.dependencies.get(line, ())) <= set(report.kept) for line in report.kept)


@pytest.mark.parametrize("given", [TEXT, TEXT.splitlines(keepends=True), iter(TEXT.splitlines(keepends=True))])
def test_a_text_is_reduced_to_a_text(given):
    asked = []

    def prints(text):
        asked.append(text)
        try:
            compile(text, "text", "exec")
        except SyntaxError:
            return None
        return "print" in text

    report = fb.minimize_text(given, prints)
    assert (report.items, report.kept) == ("def g(x):\n    if x:\n        print(2)\n", (3, 4, 5))
    assert asked[0] == TEXT
    assert report.runs == len(asked)


def test_options_are_those_of_minimize():
    def calls_b(text):
        return "b()" in text

    text = "\n".join(BRACES)
    assert fb.minimize_text(text, calls_b).kept == (0, 1, 2, 3, 4, 5)
    assert fb.minimize_text(text, calls_b, depth=1, jobs=2).items == "\n".join(BRACES[:6]) + "\n"
    assert fb.minimize_text(text, calls_b, dependencies={0: [7]}).kept == (0, 1, 2, 3, 4, 5, 7)
    assert fb.minimize_text(text, lambda kept: not calls_b(kept), keep="fail", algorithm="ddmin").status == "found"

    async def calls_b_later(kept):
        return calls_b(kept)

    assert asyncio.run(fb.minimize_text_async(text, calls_b_later, jobs=2)).kept == (0, 1, 2, 3, 4, 5)


def test_errors_keep_the_search():
    with pytest.raises(fb.NotReproducedError):
        fb.minimize_text(TEXT, lambda text: False)

    def stop(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        fb.minimize_text(TEXT, stop)
    assert fb.run(caught.value.firstbad_search, lambda text: "return 1" in text).items == "def f():\n    return 1\n"


def test_what_cannot_be_meant_is_named():
    for function in (fb.outline, lambda text: fb.minimize_text(text, pytest.fail)):
        for wrong, words in ((5, r"text: 5 \(int\)"), ([b"a"], r"text: b'a' \(bytes\)"), (None, "text: None")):
            with pytest.raises(fb.InvalidArgumentError, match=words):
                function(wrong)
    with pytest.raises(fb.InvalidArgumentError, match=r"text: '' .*at least one line"):
        fb.minimize_text("", pytest.fail)
    with pytest.raises(fb.InvalidArgumentError, match=r"parents: .*outline"):
        fb.minimize_text(TEXT, pytest.fail, parents=[None] * 7)
    with pytest.raises(fb.InvalidArgumentError, match=r"dependencies\[0\]: 70"):
        fb.minimize_text(TEXT, pytest.fail, dependencies={0: [70]})
