"""Daemon threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import Any

__all__ = ["DaemonThreads"]

_Job = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class DaemonThreads(Executor):
    """A ThreadPoolExecutor with daemon threads.

    The standard executor waits for its threads when the interpreter exits, so Ctrl-C could not stop an oracle that
    hangs.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Runs `fn(*args, **kwargs)` in one of the threads."""
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot schedule new work after shutdown")
            self._jobs.put((future, fn, args, kwargs))
            if len(self._threads) < self._workers:
                thread = threading.Thread(target=self._work, name=f"firstbad-{len(self._threads)}", daemon=True)
                thread.start()
                self._threads.append(thread)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the threads after the submitted work."""
        with self._lock:
            self._closed = True
            if cancel_futures:
                while not self._jobs.empty():
                    job = self._jobs.get()
                    if job is not None:
                        job[0].cancel()
            for _ in self._threads:
                self._jobs.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, fn, args, kwargs = job
            if future.set_running_or_notify_cancel():
                try:
                    result = fn(*args, **kwargs)
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(result)
            del job, future, fn, args, kwargs
