"""Worktrees that are prepared for likely next runs while tests run."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from firstbad._errors import FirstbadError
from firstbad._native import Run

if TYPE_CHECKING:
    from firstbad import _native

__all__ = ["Ahead"]


class Ahead:
    """Prepares worktrees of a command oracle on background threads, one at a time."""

    def __init__(self, run: Run, oracle: _native.CommandOracle) -> None:
        self._run = run
        self._oracle = oracle
        self._timer: threading.Timer | None = None
        # The lock for changes of the timer.
        self._lock = threading.Lock()

    def begun(self) -> None:
        """Schedules a preparation after a test has started and run for a while."""
        with self._lock:
            self._wait(Run.BEFORE_UPCOMING)

    def end(self) -> None:
        """Starts no more preparations. A running one continues unless the oracle is interrupted or closed."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None

    def _wait(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(seconds, self._look)
        self._timer.daemon = True
        self._timer.start()

    def _look(self) -> None:
        testing = self._oracle.testing_for()
        if testing is None or testing < Run.BEFORE_UPCOMING:
            with self._lock:
                # Another test may have started, or the run may be over.
                if self._timer is threading.current_thread():
                    self._wait(Run.BEFORE_UPCOMING - (testing or 0.0))
            return
        # The next run reports the error.
        with contextlib.suppress(FirstbadError):
            for revision in self._run.upcoming()[:1]:
                self._oracle.check_out(revision)
