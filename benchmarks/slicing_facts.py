"""The test of a feature, run so that it shows facts about the definitions that the history changes."""

from __future__ import annotations

from pathlib import Path

__all__ = ["with_facts"]

REGISTER = Path(__file__).parents[1] / "node" / "dist" / "facts" / "register.js"

# pytest collects facts, and runs here what is no test of its own.
TEST = """\
import runpy
import sys

import pytest

NAME = {name!r}
WORDS = {words!r}


def test_feature():
    sys.argv = WORDS
    sys.path.insert(0, "")
    try:
        (runpy.run_module if NAME is None else runpy.run_path)(NAME or WORDS[0], run_name="__main__")
    except SystemExit as end:
        assert not end.code


if __name__ == "__main__":
    options = ["-q", "-c", "/dev/null", "--rootdir=.", "-p", "no:cacheprovider", "--firstbad-facts"]
    sys.exit(pytest.main([*options, __file__]))
"""


def with_facts(words: list[str], own: Path) -> list[str]:
    """A command that does the same and writes facts; a file for it comes into the folder `own`."""
    if words[0] == "node":
        return ["node", "--import", REGISTER.as_uri(), *words[1:]]
    place = next(at for at, word in enumerate(words[1:], 1) if word == "-m" or word.endswith(".py"))
    if words[place] == str(own / "run.py"):
        return [*words, "--firstbad-facts"]
    is_module = words[place] == "-m"
    told = words[place + 1 :] if is_module else words[place:]
    file = own / "test_with_facts.py"
    file.write_text(TEST.format(name=None if is_module else told[0], words=told))
    return [*words[:place], str(file)]
