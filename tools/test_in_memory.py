"""Tests of `in_memory.sh`."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("in_memory.sh")


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [str(SCRIPT), sys.executable, "-c", program]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


def test_temporary_files_have_an_empty_folder_that_is_removed() -> None:
    done = run("import os, tempfile as t; print(t.gettempdir(), os.listdir(t.gettempdir())); t.mkstemp()")
    folder, files = done.stdout.split(maxsplit=1)
    assert files == "[]\n", done.stderr
    assert not Path(folder).parent.exists()


def test_caches_are_beside_them_and_not_the_users_own() -> None:
    done = run("import os; print(os.environ['TMPDIR'], os.environ['XDG_CACHE_HOME'])", XDG_CACHE_HOME="/the/user's")
    files, cache = map(Path, done.stdout.split())
    assert (cache.parent, cache.name) == (files.parent, "cache"), done.stderr


def test_the_command_ends_as_it_would() -> None:
    assert run("import sys; sys.exit(3)").returncode == 3


def test_where_memory_has_no_room_they_are_where_they_would_be(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "df").write_text("#!/bin/sh\necho Filesystem\necho shm 65536 0 65536 0% /dev/shm\n")
    (tools / "df").chmod(0o755)
    other = tmp_path / "other"
    other.mkdir()
    done = run("import os; print(os.environ['TMPDIR'])", PATH=f"{tools}:{os.environ['PATH']}", TMPDIR=str(other))
    assert Path(done.stdout.strip()).parents[1] == other, done.stderr
    assert not list(other.iterdir())
