"""Facts from `pytest --firstbad-facts` about the given definitions."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firstbad_facts._definitions import written_name

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "tests/vectors/values/facts.json").read_text())["facts"]


def run(folder, definitions, *arguments, file="shop.py", python=sys.executable):
    """Runs pytest on a folder with these definitions traced. Returns its output and the facts."""
    listed, signals = folder / "definitions.json", folder / "signals.json"
    listed.write_text(json.dumps([{"file": file, "name": name} for name in definitions]))
    signals.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("FIRSTBAD_", "PYTEST_"))}
    environment |= {
        "PYTHONPATH": str(ROOT / "python"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "FIRSTBAD_WORKTREE": str(folder),
        "FIRSTBAD_DEFINITIONS": str(listed),
        "FIRSTBAD_SIGNALS": str(signals),
    }
    command = [python, "-m", "pytest", "-q", "-p", "firstbad_facts.pytest_plugin", "-p", "no:cacheprovider"]
    given = arguments or ("--firstbad-facts",)
    ended = subprocess.run([*command, *given], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    facts = json.loads(signals.read_text())["facts"] if signals.exists() else None
    return ended.returncode, ended.stdout + ended.stderr, facts


def written(facts):
    return sorted([fact["name"], fact["variable"], fact["kind"], fact["values"]] for fact in facts)


def expected(vector, language, own):
    of = [
        [name, variable.replace("OWN", own), kind, values[language] if isinstance(values, dict) else values]
        for name, variable, kind, values in vector["facts"]
    ]
    return sorted(of)


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["name"]) for vector in VECTORS])
def test_vectors(vector, tmp_path):
    (tmp_path / "shop.py").write_text("\n".join(vector["python"]) + "\n")
    (tmp_path / "test_shop.py").write_text("def test_shop():\n    import shop\n")
    code, words, facts = run(tmp_path, vector["definitions"])
    assert code == 0, words
    assert {fact["file"] for fact in facts} == {"shop.py"}
    assert written(facts) == expected(vector, "python", "self")


HOSTILE = """
import threading

class Meta(type):
    @property
    def __name__(self):
        raise RuntimeError("metaclass")

class Hostile(metaclass=Meta):
    def __init__(self):
        self.x = 1

    def _never(self, *_):
        raise RuntimeError("user code was called")

    __eq__ = __repr__ = __str__ = __hash__ = __getattr__ = __bool__ = __len__ = __iter__ = __lt__ = _never

    @property
    def __class__(self):
        raise RuntimeError("class")

    def method(self):
        return None

class Own:
    @property
    def __dict__(self):
        raise RuntimeError("dict")

    def method(self):
        return 1

class Slots:
    __slots__ = ("x",)

    def method(self):
        return 1

class Number(int):
    def __gt__(self, other):
        raise RuntimeError("compared")
    __lt__ = __eq__ = __gt__

def takes(value):
    return value

def threaded(value):
    return value
"""

TEST = """
import threading
import shop

def test_values():
    for value in (shop.Hostile(), shop.Hostile, shop.Number(3), b"x", {}, "\\ud800", 10**30, object()):
        shop.takes(value)
    shop.Hostile().method()
    shop.Own().method()
    shop.Slots().method()

def test_threads():
    thread = threading.Thread(target=shop.threaded, args=(7,))
    thread.start()
    thread.join()
"""


def test_no_code_of_the_user_is_called(tmp_path):
    (tmp_path / "shop.py").write_text(HOSTILE)
    (tmp_path / "test_shop.py").write_text(TEST)
    code, words, facts = run(tmp_path, ["takes", "threaded", "Hostile.method", "Own.method", "Slots.method"])
    assert code == 0, words
    found = written(facts)
    assert ["takes", "value", "type", ["Hostile", "Meta", "Number", "bytes", "dict", "int", "object", "str"]] in found
    assert ["takes", "value", "not_none", []] in found
    assert [fact[2] for fact in found if fact[:2] == ["takes", "value"]] == ["not_none", "type"]
    assert ["Hostile.method", "self.x", "constant", [1]] in found
    assert ["threaded", "value", "constant", [7]] in found
    assert {fact[1] for fact in found if fact[0] == "Own.method"} == {"return"}


def test_a_file_with_several_paths(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/shop.py").write_text("def price():\n    return 1\n\n\nclass price2:\n    price = 1\n")
    (tmp_path / "linked").symlink_to("src")
    (tmp_path / "test_shop.py").write_text(
        "import sys\nsys.path.insert(0, 'linked')\nimport shop\n\ndef test_shop():\n    shop.price()\n"
        "    exec('def price(): return 2')\n"
    )
    code, words, facts = run(tmp_path, ["price", "price2"], file="src/shop.py")
    assert code == 0, words
    assert ["price", "return", "constant", [1]] in written(facts)
    assert {fact["name"] for fact in facts} == {"price"}


def test_the_numbers_of_calls_and_values_are_limited(tmp_path):
    (tmp_path / "shop.py").write_text("def price(count):\n    return count\n")
    (tmp_path / "test_shop.py").write_text(
        "import shop\n\ndef test_shop():\n    for count in range(20_000):\n        shop.price(count)\n"
    )
    _, _, facts = run(tmp_path, ["price"])
    assert ["price", "count", "range", [0, 9999]] in written(facts)


def test_a_failing_test_has_facts_and_fails(tmp_path):
    (tmp_path / "shop.py").write_text("def price():\n    return 1\n")
    (tmp_path / "test_shop.py").write_text("import shop\n\ndef test_shop():\n    assert shop.price() == 2\n")
    code, words, facts = run(tmp_path, ["price"])
    assert code == 1, words
    assert ["price", "return", "constant", [1]] in written(facts)


def test_the_plugin_is_inactive_by_default(tmp_path):
    (tmp_path / "test_shop.py").write_text(
        "import sys\n\ndef test_shop():\n    assert 'firstbad_facts._tracer' not in sys.modules\n"
    )
    code, words, facts = run(tmp_path, ["price"], "test_shop.py")
    assert (code, facts) == (0, None), words


def test_invalid_definitions_are_errors(tmp_path):
    (tmp_path / "test_shop.py").write_text("def test_shop():\n    pass\n")
    plugin = ["-p", "firstbad_facts.pytest_plugin", "-p", "no:cacheprovider", "--firstbad-facts"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("FIRSTBAD_DEFINITIONS", None)

    def words(**variables):
        command = [sys.executable, "-m", "pytest", *plugin]
        variables = {**environment, **variables}
        ended = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
        assert ended.returncode == 4
        return ended.stderr

    assert "FIRSTBAD_DEFINITIONS does not name a file" in words()
    listed = tmp_path / "definitions.json"
    assert "FIRSTBAD_SIGNALS does not name a file" in words(FIRSTBAD_DEFINITIONS=str(listed), FIRSTBAD_SIGNALS="")
    signals = {"FIRSTBAD_DEFINITIONS": str(listed), "FIRSTBAD_SIGNALS": str(tmp_path / "signals.json")}
    assert "No such file" in words(**signals)
    for text, expected in [
        ("[{", "line 1 column 3"),
        ("{}", "expected a JSON list"),
        ('[{"file": "a.py", "name": "a"}, {"file": "a.py"}]', "entry 1 is not valid"),
        ("[" * 100_000, "expected a JSON list"),
    ]:
        listed.write_text(text)
        assert expected in words(**signals), text


def test_names_of_code_without_qualified_names(tmp_path):
    file = tmp_path / "shop.py"
    file.write_text(
        "import functools\n\nclass Cart:\n    class Line:\n        @functools.cache\n        @staticmethod\n"
        "        def price():\n"
        "            pass\n\n    if True:\n        async def add(self):\n            return lambda: 0\n\ndef price():\n"
        "    def inner():\n        pass\n"
    )

    def codes(code):
        yield code
        for constant in code.co_consts:
            if hasattr(constant, "co_code"):
                yield from codes(constant)

    functions = [code for code in codes(compile(file.read_text(), str(file), "exec")) if code.co_flags & 1]
    names = [written_name(code) for code in functions]
    wanted = ["Cart.Line.price", "Cart.add", "price", "price.<locals>.inner"]
    assert sorted(name for name in names if name != "<lambda>") == wanted
    file.write_text("def (")
    assert written_name(functions[0]) == "price"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sys.monitoring has room for several tools")
def test_another_tracer_prevents_facts(tmp_path):
    (tmp_path / "shop.py").write_text("def price():\n    return 1\n")
    (tmp_path / "test_shop.py").write_text(
        "import sys\nimport shop\n\ndef test_shop():\n    sys.settrace(lambda *_: None)\n    shop.price()\n"
    )
    code, words, facts = run(tmp_path, ["price"])
    assert (code, facts) == (0, None)
    assert "another tracer took over" in words


def test_workers_of_xdist_send_their_facts(tmp_path):
    pytest.importorskip("xdist")
    (tmp_path / "shop.py").write_text("def price(count):\n    return count * 2\n")
    (tmp_path / "test_shop.py").write_text(
        "import pytest\nimport shop\n\n@pytest.mark.parametrize('count', range(8))\ndef test_shop(count):\n"
        "    shop.price(count)\n"
    )
    code, words, facts = run(tmp_path, ["price"], "-p", "xdist", "-n", "2", "--firstbad-facts")
    assert code == 0, words
    assert ["price", "count", "range", [0, 7]] in written(facts)
    (tmp_path / "test_shop.py").write_text("import os\n\ndef test_shop():\n    os._exit(1)\n")
    code, words, facts = run(tmp_path, ["price"], "-p", "xdist", "-n", "1", "--firstbad-facts")
    assert (code, facts) == (1, None)
    assert "a worker of pytest-xdist sent no facts" in words
