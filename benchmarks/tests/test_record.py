"""The recorder writes what the benchmark reads, from a real repository."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from record import Known

RECORD = Path(__file__).parents[1] / "record.py"


def git(folder: Path, *arguments: str, time: int = 0) -> str:
    """Runs git with nobody's configuration, at a given time."""
    date = f"{1_700_000_000 + time} +0000"
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_DATE": date,
    }
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, env=environment, capture_output=True, check=True)
    return done.stdout.decode()


def commit(folder: Path, word: str, time: int) -> None:
    (folder / "word").write_text(word)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", word, time=time)


def recorded(folder: Path, *arguments: str) -> dict[str, Any]:
    output = folder.parent / "out.json.gz"
    subprocess.run([sys.executable, RECORD, folder, output, *arguments], check=True, capture_output=True)
    history: dict[str, Any] = json.loads(gzip.decompress(output.read_bytes()))
    return history


def test_a_history_with_a_merge(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, "good", 1)
    commit(folder, "broken", 2)
    git(folder, "checkout", "--quiet", "-b", "side", "main~1")
    commit(folder, "bad", 3)
    git(folder, "checkout", "--quiet", "main")
    git(folder, "merge", "--quiet", "--strategy=ours", "-m", "merge", "side", time=4)
    commit(folder, "good", 5)
    before = git(folder, "status", "--porcelain=v2", "--branch") + git(folder, "for-each-ref")

    history = recorded(
        folder,
        "--jobs=2",
        "--name=o/n",
        # Broken revisions cannot be tested; files left behind must not be seen at the next commit.
        "--test=word=test -e left && exit 1; touch left; grep -q broken word && exit 125; grep -q good word",
        "--test=slow=sleep 60",
        "--test=missing=no-such-command-here",
        "--timeout=0.5",
    )

    assert history["repo"] == "o/n"
    assert [len(commit["parents"]) for commit in history["commits"]] == [0, 1, 1, 2, 1]
    assert [commit["time"] - 1_700_000_000 for commit in history["commits"]] == [1, 2, 3, 4, 5]
    assert history["tips"] == [
        {"index": 4, "ref": "HEAD"},
        {"index": 4, "ref": "refs/heads/main"},
        {"index": 2, "ref": "refs/heads/side"},
    ]
    word, rest = history["tests"]
    assert (word["name"], word["outcomes"], word["kind"]) == ("word", "PUFUP", "nonmonotone")
    assert (word["regression_edges"], word["counts"], word["bad_leaves"]) == (1, [2, 1, 2], 1)
    assert (rest["name"], rest["outcomes"], rest["count"]) == ("slow", "UUUUU", 2)
    # Equal trees are one group: the first commit and the last.
    assert history["source_group"] == [0, 1, 2, 1, 0]
    # The repository itself is only read.
    assert git(folder, "status", "--porcelain=v2", "--branch") + git(folder, "for-each-ref") == before


def test_a_window(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    for time, word in enumerate(["one", "two", "three"], start=1):
        commit(folder, word, time)
    history = recorded(folder, "--tip=main", "--exclude=main~2", "--test=! grep -q three word")
    assert [test["outcomes"] for test in history["tests"]] == ["PF"]
    assert [commit["parents"] for commit in history["commits"]] == [[], [0]]
    assert history["window_excludes_ancestors_of"] == git(folder, "rev-parse", "main~2").strip()
    assert history["tests"][0]["kind"] == "good_to_bad"


def test_a_stopped_recording_continues(tmp_path: Path) -> None:
    path, commands = tmp_path / "a.outcomes", ["true", "false"]
    Known(path, commands).add("t1", "PF")
    Known(path, ["other"]).add("t2", "P")
    with path.open("a") as file:
        file.write(f"{Known(path, commands).digest} t3 P")
    assert Known(path, commands).letters == {"t1": "PF"}
