"""C-Vise on a content in this process: its interestingness test is a small program that asks back through a socket."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ASK = Path(__file__).parent / "reduction" / "ask.py"

# How often it is looked whether C-Vise has ended, in seconds.
LOOK = 0.05


def version() -> str | None:
    """Of the program on the path; None without it."""
    if shutil.which("cvise") is None:
        return None
    said = subprocess.run(["cvise", "--version"], capture_output=True, text=True, check=True).stdout
    return said.split()[1]


def reduced(content: bytes, suffix: str, interesting: Callable[[bytes], bool]) -> bytes:
    """What C-Vise leaves of a content; what `interesting` raises ends it.

    Raises:
        RuntimeError: If it ends with an error, with the end of what it said.
    """
    with tempfile.TemporaryDirectory() as name, socket.socket(socket.AF_UNIX) as server:
        folder = Path(name)
        file, test, door, said = (folder / one for one in (f"candidate{suffix}", "test.sh", "door", "said"))
        file.write_bytes(content)
        test.write_text(f"#!/bin/sh\nexec {shlex.join([sys.executable, '-I', '-S', str(ASK), str(door), file.name])}\n")
        test.chmod(0o755)
        server.bind(str(door))
        server.listen()
        server.settimeout(LOOK)
        command = ["cvise", "--n", "1", "--tidy", *(() if suffix == ".c" else ("--not-c",)), str(test), file.name]
        with said.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, "TMPDIR": name},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            try:
                answer(server, process, interesting)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        if process.returncode != 0:
            raise RuntimeError(f"cvise ended with {process.returncode}: {said.read_text(errors='replace')[-500:]}")
        return file.read_bytes()


def answer(server: socket.socket, process: subprocess.Popen[bytes], interesting: Callable[[bytes], bool]) -> None:
    """Answers until the process ends."""
    while process.poll() is None:
        try:
            connection, _ = server.accept()
        except TimeoutError:
            continue
        with connection, connection.makefile("rb") as sent:
            connection.settimeout(None)
            connection.sendall(b"1" if interesting(sent.read()) else b"0")
