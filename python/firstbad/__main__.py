"""The command line: `firstbad`, or `python -m firstbad`."""

from __future__ import annotations

import signal
import sys

from firstbad._native import cli


def main() -> None:
    """Runs the command line with the arguments of this process, and exits."""
    # Ctrl-C is for the command line, which ends what it has started; Python would only note it down.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(cli(sys.argv[1:]))


if __name__ == "__main__":
    main()
