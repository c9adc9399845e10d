"""docs/command-line.md is up to date."""

import importlib.util

from command_line import PROGRAMS, ROOT


def test_the_page_of_the_command_line_is_up_to_date():
    spec = importlib.util.spec_from_file_location("command_line_page", ROOT / "tools/command_line.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.PAGE.read_text() == tool.page(PROGRAMS["python -m"]), "run `make generate`"
