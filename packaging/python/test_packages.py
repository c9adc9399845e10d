"""Tests of package audits."""

import io
import sys
import tarfile

import pytest
import tomllib

import audits
import make_packages
import source
import urls

PAGE = """Metadata-Version: 2.4
Name: firstbad
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-APACHE
License-File: LICENSE-MIT
Requires-Python: >=3.10
Requires-Dist: tqdm>=4.60 ; extra == 'progress'
Description-Content-Type: text/markdown; charset=UTF-8; variant=GFM

# firstbad

Finds it.
"""


def test_a_page_in_order_is_accepted():
    audits.metadata(PAGE, audits.LICENCES)


def test_a_wheel_names_the_licences_of_what_is_compiled_into_it():
    with pytest.raises(AssertionError):
        audits.metadata(PAGE, audits.LICENCES_OF_WHEELS)
    named = PAGE.replace("License-File: LICENSE-MIT", "License-File: LICENSE-MIT\nLicense-File: LICENSE-THIRD-PARTY")
    audits.metadata(named, audits.LICENCES_OF_WHEELS)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" ; extra == 'progress'", ""),
        ("License-File: LICENSE-MIT\n", ""),
        (">=3.10", ">=3.11"),
        ("Finds it.", "Finds [it](docs/README.md)."),
        ("# firstbad\n\nFinds it.\n", ""),
    ],
)
def test_a_page_that_is_not_is_refused(old, new):
    assert old in PAGE
    with pytest.raises(AssertionError):
        audits.metadata(PAGE.replace(old, new), audits.LICENCES)


def test_a_standard_library_is_made_of_its_source_or_there_or_said_to_be_missing(tmp_path, monkeypatch, capsys):
    libraries = tmp_path / "lib/rustlib"
    places = {"sysroot": tmp_path, "target-libdir": libraries / "x86_64-unknown-linux-musl/lib"}
    monkeypatch.setattr(make_packages, "run", lambda command, **_: f"{places[command[2]]}\n")
    assert make_packages.library("x86_64-unknown-linux-musl") is None
    assert "rustup target add x86_64-unknown-linux-musl" in capsys.readouterr().out
    (libraries / "x86_64-unknown-linux-musl/lib").mkdir(parents=True)
    (libraries / "x86_64-unknown-linux-musl/lib/libcore-1.rlib").touch()
    assert make_packages.library("x86_64-unknown-linux-musl") == []
    (libraries / "src/rust/library/std").mkdir(parents=True)
    assert make_packages.library("x86_64-unknown-linux-musl") == ["-Z", "build-std=std,panic_unwind"]
    assert not capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="rustup is a script here")
def test_the_source_of_the_standard_library_is_asked_of_rustup_once(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make_packages, "run", lambda *_, **__: f"{tmp_path}\n")
    rustup = tmp_path / "rustup"
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    rustup.write_text("#!/bin/sh\nexit 1\n")
    rustup.chmod(0o755)
    make_packages.fetch_source()
    assert "rustup could not bring it" in capsys.readouterr().out
    rustup.write_text(
        f'#!/bin/sh\n[ "$*" = "component add rust-src" ] && mkdir -p {tmp_path}/lib/rustlib/src/rust/library/std\n'
    )
    make_packages.fetch_source()
    assert make_packages.has_source()
    assert "could not" not in capsys.readouterr().out
    make_packages.fetch_source()
    assert not capsys.readouterr().out


@pytest.mark.parametrize("other", ["tests/vectors/a.json", "crates/firstbad/tests/all/run.rs", "data/a", ".venv/a.py"])
def test_a_source_distribution_holds_sources_alone(tmp_path, monkeypatch, other):
    monkeypatch.setattr(audits, "tool", lambda *_: "")
    names = [
        "PKG-INFO",
        "Cargo.lock",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "python/README.md",
        "crates/firstbad/src/a/b.rs",
    ]

    def packed(names):
        path = tmp_path / "firstbad-1.0.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for name in names:
                entry = tarfile.TarInfo(f"firstbad-1.0/{name}")
                entry.size = len(PAGE.encode())
                archive.addfile(entry, io.BytesIO(PAGE.encode()))
        return path

    audits.sdist(packed(names))
    with pytest.raises(AssertionError, match="it should not have"):
        audits.sdist(packed([*names, other]))


def test_what_only_tests_need_is_taken_out(tmp_path):
    (tmp_path / "crates/firstbad-testkit/src").mkdir(parents=True)
    (tmp_path / "crates/firstbad-testkit/src/lib.rs").touch()
    (tmp_path / "crates/firstbad").mkdir()
    manifest = (
        '[dependencies]\nserde = "1"\n\n[dev-dependencies]\nproptest = { version = "1" }\n\n[lints]\nworkspace = true\n'
    )
    (tmp_path / "crates/firstbad/Cargo.toml").write_text(manifest)
    workspace = '[workspace.dependencies]\nfirstbad-testkit = { path = "crates/firstbad-testkit" }\nserde = "1"\n'
    (tmp_path / "Cargo.toml").write_text(workspace)
    source.without_tests(tmp_path)
    assert sorted(path.name for path in (tmp_path / "crates").iterdir()) == ["firstbad"]
    left = tomllib.loads((tmp_path / "crates/firstbad/Cargo.toml").read_text())
    assert left == {"dependencies": {"serde": "1"}, "lints": {"workspace": True}}
    assert tomllib.loads((tmp_path / "Cargo.toml").read_text()) == {"workspace": {"dependencies": {"serde": "1"}}}


def test_the_same_files_are_packed_to_the_same_bytes(tmp_path):
    for place in ("one", "two"):
        (tmp_path / place / "firstbad-1.0/src").mkdir(parents=True)
        (tmp_path / place / "firstbad-1.0/src/lib.rs").write_text("mod a;\n")
        source.pack(tmp_path / place / "firstbad-1.0", tmp_path / f"{place}.tar.gz")
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "two.tar.gz").read_bytes()


@pytest.mark.parametrize(
    "name", ["cc", "gcc-12", "x86_64-linux-gnu-gcc", "clang++", "ld", "cargo", "rustc", "zig", "cmake"]
)
def test_compilers_are_known(name):
    assert make_packages.COMPILERS.fullmatch(name)
    assert not any(make_packages.COMPILERS.fullmatch(other) for other in ("git", "sh", "ldd", "ccze", "grep"))


def test_the_address_of_the_repository_is_written_once():
    project = (urls.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    written = tomllib.loads(urls.with_urls(project, "https://example.org/us/firstbad"))
    assert written["project"].pop("urls") == {
        "Homepage": "https://example.org/us/firstbad#readme",
        "Repository": "https://example.org/us/firstbad",
        "Issues": "https://example.org/us/firstbad/issues",
    }
    assert written == tomllib.loads(project), "it is said when a release is made, and nowhere before"
