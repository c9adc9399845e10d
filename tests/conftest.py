"""What all tests in Python start from."""

import signal


def pytest_configure():
    # In the background Ctrl-C is ignored, and under nohup that a terminal goes: tests of both would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
