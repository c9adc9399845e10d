"""Tests of the summary of tests for other systems."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import systems


def test_counts_are_summed_over_test_programs() -> None:
    lines = [
        "test a ... ok",
        "test result: ok. 16 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.03s",
        "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.03s",
    ]
    assert systems.counted(lines) == (17, 2, 1, 3)
    assert systems.counted([]) == (0, 0, 0, 0)


def test_test_programs_that_need_git_are_there() -> None:
    for crate, names in systems.NEED_GIT.items():
        for name in names:
            assert (systems.ROOT / "crates" / crate / "tests/all" / f"{name}.rs").is_file(), f"{crate}/{name}"


def test_a_target_that_is_missing_is_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    none = subprocess.CompletedProcess([], 0, stdout="", stderr="")
    monkeypatch.setattr(systems.subprocess, "run", lambda *_, **__: none)
    assert systems.lint([systems.MUSL]) == 0
    assert "skipped, the target is not installed" in capsys.readouterr().out


def test_a_library_is_built_from_source_where_that_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(systems, "asked", lambda *_: str(tmp_path))
    assert systems.for_target(systems.WINDOWS) == ["--target", systems.WINDOWS]
    (tmp_path / "lib/rustlib/src/rust/library/std").mkdir(parents=True)
    for target in (systems.WINDOWS, systems.MACOS):
        assert systems.for_target(target)[0].startswith("-Zbuild-std=std,")
    monkeypatch.setattr(systems.shutil, "which", lambda _: None)
    assert systems.for_target(systems.MUSL) == ["--target", systems.MUSL], "that one cannot be linked then"
    monkeypatch.setattr(systems.shutil, "which", str)
    assert systems.for_target(systems.MUSL)[0].startswith("-Zbuild-std=std,")
    (tmp_path / "lib/rustlib" / systems.WINDOWS).mkdir()
    assert systems.for_target(systems.WINDOWS) == ["--target", systems.WINDOWS], "it is installed"


def test_programs_for_build_scripts_drop_what_zig_does_not_know(tmp_path: Path) -> None:
    program = systems.script(tmp_path / "cc", "echo -target x")
    printed = subprocess.run([program, "--target=y", "-c", "a b"], capture_output=True, text=True, check=True)
    assert printed.stdout == "-target x -c a b\n"
