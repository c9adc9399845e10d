"""What all tests in Python start from."""

import signal


def pytest_configure():
    # In the background and under nohup Ctrl-C is ignored: tests of it would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
