"""The command line: `firstbad`, or `python -m firstbad`."""

from __future__ import annotations

import sys

from firstbad._native import cli


def main() -> None:
    """Runs the command line with the arguments of this process, and exits."""
    sys.exit(cli(sys.argv[1:]))


if __name__ == "__main__":
    main()
