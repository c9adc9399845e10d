"""Runs pytest in the work tree of a revision, as it was run in the checkout that the work tree is of.

    python .../firstbad_facts/pytest_at_revision.py FOLDER IMPORTED [PYTEST'S ARGUMENTS]...

It is started as a file: a package that is imported before pytest rewrites it is a warning there, which is an error
where `filterwarnings` says so.

`FOLDER` is where it was run, `IMPORTED` what modules were imported from: folders separated as in `PATH`. All are
relative to the top of the work tree. Where a package is installed from its checkout (`pip install --editable`), the
revision's own is thus tested.
"""

from __future__ import annotations

import os
import sys
import traceback

#: What pytest ends with where there is nothing to test.
_NOTHING = 4
#: What it ends with after an error that is none of a test.
_INTERNAL_ERROR = 3


def main(folder: str, imported: str, *arguments: str) -> int:
    """Runs pytest; its exit code."""
    top = os.environ.get("FIRSTBAD_WORKTREE") or os.getcwd()
    folders = [os.path.normpath(os.path.join(top, one)) for one in imported.split(os.pathsep) if one]
    # What the interpreter has put there: this file's folder.
    if sys.path and os.path.realpath(sys.path[0]) == os.path.dirname(os.path.realpath(__file__)):
        del sys.path[0]
    sys.path[:0] = folders
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([*folders, *([before] if before else [])])
    try:
        os.chdir(os.path.join(top, folder))
    except OSError as error:
        print(f"firstbad: {error}", file=sys.stderr)
        return _NOTHING
    sys.argv[:] = ["pytest", *arguments]
    import pytest

    try:
        return pytest.main([*arguments])
    except Exception:
        # It leaves with 1 then, as where a test fails; but no test was run.
        traceback.print_exc()
        return _INTERNAL_ERROR


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
