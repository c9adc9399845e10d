"""Trees of lines, and reductions of text."""

import asyncio
import json
import re

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
    # Invalid text is a normal line, and only `\n` ends a line.
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
    # The function, the condition, and the printed value are not needed.
    assert (report.items, report.kept, report.guarantee) == ("print()\n", (5,), "1-minimal")
    assert asked[0] == TEXT
    assert report.runs == len(asked)


def test_options_are_those_of_minimize():
    def calls_b(text):
        return "b()" in text

    text = "\n".join(BRACES)
    report = fb.minimize_text(text, calls_b)
    assert (report.items, report.kept) == ("b();\n", (3,))
    assert fb.minimize_text(text, calls_b, depth=1, jobs=2).items == "\n".join(BRACES[:6]) + "\n"
    assert fb.minimize_text(text, calls_b, dependencies={3: [7]}).items == "b();\nc();"
    assert fb.minimize_text("x = one + two(3)\n", lambda kept: "+" in kept, fine=True).items == "+"
    assert fb.minimize_text(text, lambda kept: not calls_b(kept), keep="fail", algorithm="ddmin").status == "found"

    async def calls_b_later(kept):
        return calls_b(kept)

    assert asyncio.run(fb.minimize_text_async(text, calls_b_later, jobs=2)).items == "b();\n"


FILES = {"first.h": "int first(int);\nint second(int);\n", "first.c": '#include "first.h"\nint third = first(2);'}


def test_several_files_are_reduced_together():
    def calls(kept):
        assert list(kept) == ["first.h", "first.c"]
        name = kept["first.h"].partition("(")[0].removeprefix("int ")
        return name != "" and f"{name}(" in kept["first.c"]

    report = fb.minimize_text(FILES, calls)
    assert report.items == {"first.h": "int a();\n", "first.c": "int b = a();"}, "a name is one in all of them"
    assert "Minimized text" in report._repr_mimebundle_()["text/html"]
    assert fb.minimize_text(FILES, lambda kept: "second" in kept["first.h"]).items["first.c"] == ""

    async def calls_later(kept):
        return calls(kept)

    assert asyncio.run(fb.minimize_text_async(FILES, calls_later)).items == report.items
    files = {"a.json": "[1, 2]\n", "b.json": "{}\n"}
    assert fb.minimize_text(files, lambda kept: "[" in kept["a.json"], language="json").items["b.json"] == "{}\n"
    for wrong, message in (
        ({3: "a"}, "text: 3 (int) is not valid; expected str as the name"),
        ({"a": 3}, "text: 3 (int)"),
    ):
        with pytest.raises(fb.InvalidArgumentError, match=re.escape(message)):
            fb.minimize_text(wrong, lambda kept: True)


def test_files_split_differently_are_different(tmp_path):
    def journalled(files):
        return fb.minimize_text(files, lambda kept: "b" in kept["y"], journal=tmp_path / "run.jsonl").items

    assert journalled({"x": "a\n", "y": "b\nc\n"}) == {"x": "", "y": "b\n"}
    assert journalled({"x": "a\n", "y": "b\nc\n"}) == {"x": "", "y": "b\n"}
    with pytest.raises(fb.JournalError, match=r"It is about another text with 3 pieces\nhelp: "):
        journalled({"x": "a\nb\n", "y": "c\n"})


def test_lists_strings_and_names_become_shorter():
    text = 'call(first, [1, 222], key="some words", last)\nother = first\n'

    def holds(*wanted):
        return lambda kept: all(word in kept for word in wanted)

    assert fb.minimize_text(text, holds("call(", "222")).items == "call([222])\n"
    assert fb.minimize_text(text, holds("call", "key=")).items == 'call(a="")\n'.replace("a=", "key=")
    nested = "{\n  'a': [\n    1,\n    2\n  ],\n  'b': 3\n}\n"
    assert fb.minimize_text(nested, holds("{", "}", "1", "[", "]")).items == "{\n  'a': [\n    1\n  ]\n}\n"
    assert fb.minimize_text("class A:\n    def method(self):\n        return 1\n", holds("class A", "def")).items == (
        "class A:\n    def a(): pass\n"
    )


def test_types_become_int_to_remove_headers():
    def compiles(kept):
        return ("word_t total" in kept and "#include <b.h>" in kept) or "int total" in kept

    assert fb.minimize_text("#include <b.h>\nword_t total = 12;\n", compiles).items == "int total = 0;\n"


PAGE = """\
<!DOCTYPE html>
<html>
<head><title>It's one</title><script>if (a<b) c("</p>");</script></head>
<body>
<p class="x">First<br>
<ul id="list"
    title="two lines">
<li><a href="#1">one</a> <b>two</b></li>
</ul>
</body>
</html>
"""


@pytest.mark.parametrize("page", [PAGE, PAGE.replace("\n", " ")], ids=["lines", "one line"])
@pytest.mark.parametrize("fine", [False, True])
def test_elements_and_attributes_are_removed(page, fine):
    def holds(*wanted):
        return lambda kept: all(re.search(word, kept) for word in wanted)

    def left(*wanted):
        return fb.minimize_text(page, holds(*wanted), fine=fine).items.strip()

    assert left("<b>.*</b>") == "<b></b>"
    assert left(r"<a\b[^>]*>one</a>") == "<a>one</a>"
    assert re.fullmatch(r"<ul\s+title(=\"\")?>\s*</ul>", left(r"<ul[^<>]*\stitle\b[^<>]*>", "</ul>"))
    assert left("<title>.*</title>", "<br>") in ("<title></title> <br>", "<title></title>\n<br>", "<title></title><br>")
    assert left(r"c\(.*\);") in ("if () c();", "c();")


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.text("ab\"'({[]}),;: \n\t#/*\\1`é\udcff", min_size=1, max_size=60), st.booleans(), st.data())
def test_any_text_can_be_split(text, fine, data):
    search_seen = []
    needed = data.draw(st.sampled_from(text))

    def has_it(kept):
        search_seen.append(kept)
        return needed in kept

    report = fb.minimize_text(text, has_it, fine=fine)
    assert search_seen[0] == text
    assert needed in report.items
    assert report.items in search_seen
    assert len(set(search_seen)) == len(search_seen) == report.runs, "equal texts are tested once"
    assert report.guarantee == "1-minimal"


def test_unparsable_texts_are_not_tested():
    text = '{"a": [1, 2], "b": {"c": [3, 4]}}\n'

    def tested(language):
        seen = []

        def interesting(kept):
            seen.append(kept)
            return '"c"' in kept and "3" in kept

        report = fb.minimize_text(text, interesting, fine=True, language=language)
        assert report.runs == len(seen)
        return report.items, seen

    (with_grammar, asked), (without, all_asked) = tested("json"), tested(None)
    assert (with_grammar, without) == ('{"c":3}', '"c"3')
    for kept in asked:
        json.loads(kept)
    assert len(asked) < len(all_asked)
    assert fb.minimize_text("f(a,b)", lambda kept: "(" in kept, fine=True, language="python").items == "()"
    for wrong, words in (("perl", "expected one of python, javascript"), ("python", "not parse as Python"), (3, "int")):
        with pytest.raises(fb.InvalidArgumentError, match=f"language: .*{words}"):
            fb.minimize_text(text + "else", pytest.fail, language=wrong)


def test_lines_are_reduced_by_their_outline():
    lines = [line + "\n" for line in BRACES]
    for items in (lines, [line.encode() for line in lines], [*lines[:-1], "c();"]):
        report = fb.minimize(items, lambda kept: any("b()" in str(line) for line in kept))
        assert (report.kept, report.guarantee) == ((3,), "1-minimal")
    # With these options, or without line ends, all items are equal.
    for items, options in ((lines, {"algorithm": "ddmin"}), (lines, {"parents": [None] * len(lines)}), (BRACES, {})):
        assert fb.minimize(items, lambda kept: any("b()" in line for line in kept), **options).kept == (3,)


def test_single_parts_were_tested():
    lines = ["a:\n", "    b\n", "    c:\n", "        needed\n", "d\n"]
    report = fb.minimize(lines, lambda kept: lines[3] in kept, guarantee="fixpoint")
    assert (report.items, report.guarantee) == ([lines[0], lines[2], lines[3]], "fixpoint")
    assert report.message == "3 of 5 pieces of the text are kept. Some may not be needed"
    report = fb.minimize_text("alpha\nbeta\n", lambda kept: True if "alpha" in kept and "beta" in kept else None)
    assert report.guarantee == "1-minimal"
    assert report.message.endswith("Each of them is needed (6 smaller sets are unresolved)"), report


def test_errors_keep_the_search():
    with pytest.raises(fb.NotReproducedError):
        fb.minimize_text(TEXT, lambda text: False)

    def stop(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        fb.minimize_text(TEXT, stop)
    assert fb.run(caught.value.firstbad_search, lambda text: "return 1" in text).items == "return 1\n"


def test_invalid_arguments_are_errors():
    for function in (fb.outline, lambda text: fb.minimize_text(text, pytest.fail)):
        for wrong, words in ((5, r"text: 5 \(int\)"), ([b"a"], r"text: b'a' \(bytes\)"), (None, "text: None")):
            with pytest.raises(fb.InvalidArgumentError, match=words):
                function(wrong)
    with pytest.raises(fb.InvalidArgumentError, match=r"text: '' .*at least one line"):
        fb.minimize_text("", pytest.fail)
    with pytest.raises(fb.InvalidArgumentError, match=r"later: .*outline"):
        fb.minimize_text(TEXT, pytest.fail, later=[[0]])
    with pytest.raises(fb.InvalidArgumentError, match=r"fine: 1 \(int\) .*True or False"):
        fb.minimize_text(TEXT, pytest.fail, fine=1)
    with pytest.raises(fb.InvalidArgumentError, match=r"parents: .*outline"):
        fb.minimize_text(TEXT, pytest.fail, parents=[None] * 7)
    with pytest.raises(fb.InvalidArgumentError, match=r"dependencies\[0\]: 70"):
        fb.minimize_text(TEXT, pytest.fail, dependencies={0: [70]})
