"""Runs pytest in the worktree of a revision, as it ran in the checkout.

    python .../firstbad_facts/pytest_at_revision.py FOLDER IMPORTED [PYTEST'S ARGUMENTS]... [-- [PYTEST'S ARGUMENTS]...]

It runs as a file, because pytest warns about packages that were imported before it rewrites them, and `filterwarnings`
can turn the warning into an error.

`FOLDER` is the folder of the original run, and `IMPORTED` its module path, separated as in `PATH`. Both are relative to
the top of the worktree, as are files after `--`, which a triage adds. A package that is installed from its checkout
(`pip install --editable`) is thus tested at the revision.
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
    """Runs pytest, and returns its exit code."""
    top = os.environ.get("FIRSTBAD_WORKTREE") or os.getcwd()
    own = arguments.index("--") if "--" in arguments else len(arguments)
    arguments = (*arguments[:own], *(_from_folder(word, top, folder) for word in arguments[own + 1 :]))
    folders = [os.path.normpath(os.path.join(top, one)) for one in imported.split(os.pathsep) if one]
    # The interpreter adds the folder of this file.
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
        # The exit code 1 would mean a failed test, but no test ran.
        traceback.print_exc()
        return _INTERNAL_ERROR


def _from_folder(word: str, top: str, folder: str) -> str:
    """Returns the path of a file from the folder of the run. Other words stay as they are."""
    is_file = not word.startswith("-") and os.path.exists(os.path.join(top, word))
    return os.path.relpath(os.path.join(top, word), os.path.join(top, folder)) if is_file else word


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
