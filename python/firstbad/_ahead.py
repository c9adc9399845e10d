"""What is likely tested next, checked out while tests run."""

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
    """Has work trees of a command oracle made ready on threads of its own, one at a time."""

    def __init__(self, run: Run, oracle: _native.CommandOracle) -> None:
        self._run = run
        self._oracle = oracle
        self._timer: threading.Timer | None = None
        # Held while the timer is changed.
        self._lock = threading.Lock()

    def begun(self) -> None:
        """Says that a test has just begun: it is looked ahead once its command has run for a while."""
        with self._lock:
            self._wait(Run.BEFORE_UPCOMING)

    def end(self) -> None:
        """Begins nothing more. What is under way goes on, unless the oracle is interrupted or closed."""
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
                # Another test may have begun meanwhile, or the run may be over.
                if self._timer is threading.current_thread():
                    self._wait(Run.BEFORE_UPCOMING - (testing or 0.0))
            return
        # What goes wrong here the run itself says.
        with contextlib.suppress(FirstbadError):
            for revision in self._run.upcoming()[:1]:
                self._oracle.check_out(revision)
