"""Tests of import cycles with small crates."""

from __future__ import annotations

from pathlib import Path

import pytest
from import_circles import check, main
from rust_crate import CrateError


def crate(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def circles(folder: Path, files: dict[str, str]) -> list[str]:
    return [line.split(": ", 1)[1] for line in check(crate(folder, files)) if not line.startswith("  ")]


CIRCLE = {
    "lib.rs": "mod a;\nmod b;\npub use a::A;\n",
    "a.rs": "//! A.\nuse crate::b::B;\npub struct A(B);\n",
    "b.rs": "pub struct B;\nimpl B {\n    fn a(&self) -> Option<super::a::A> {\n        None\n    }\n}\n",
}


def test_two_files_that_use_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = crate(tmp_path, CIRCLE)
    assert check(folder) == [
        f"{folder}: a circle of 2 files: a.rs, b.rs",
        f"  {folder}/src/a.rs:2 -> {folder}/src/b.rs  (crate::b::B)",
        f"  {folder}/src/b.rs:3 -> {folder}/src/a.rs  (super::a::A)",
        f"{folder}: a circle of 2 modules: a, b",
        f"  {folder}/src/a.rs:2 -> {folder}/src/b.rs  (crate::b::B)",
        f"  {folder}/src/b.rs:3 -> {folder}/src/a.rs  (super::a::A)",
    ]
    assert main([str(folder)]) == 1
    assert "a circle of 2 files" in capsys.readouterr().out


def test_without_a_circle(tmp_path: Path) -> None:
    folder = crate(tmp_path, {**CIRCLE, "b.rs": "pub struct B;\n"})
    assert check(folder) == []
    assert main([str(folder)]) == 0


@pytest.mark.parametrize(
    "use",
    [
        "use crate::A;\nfn f(_: A) {}",
        "use crate::{A as Other};\nfn f(_: Other) {}",
        "use crate::{self as root};\nfn f(_: root::A) {}",
        "use super::*;\nfn f(_: A) {}",
        "use super::a;\nfn f(_: a::A) {}",
        'fn f() {\n    println!("{}", crate::a::A::NUMBER);\n}',
        "fn f() {\n    use crate::a::A;\n}",
        "mod inner {\n    fn f(_: super::super::a::A) {}\n}",
        "use crate::a::A as _;",
    ],
)
def test_every_way_to_name_an_item_leads_to_its_file(tmp_path: Path, use: str) -> None:
    assert circles(tmp_path, {**CIRCLE, "b.rs": f"pub struct B;\n{use}\n"}) == [
        "a circle of 2 files: a.rs, b.rs",
        "a circle of 2 modules: a, b",
    ]


@pytest.mark.parametrize(
    "mention",
    [
        "/// See [`crate::a::A`].\npub fn documented() {}",
        "// use crate::a::A;",
        "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}",
        "#[cfg(test)]\nuse crate::a::A;",
        "use std::fmt::A;",
        "fn f(x: Other) {\n    x.A;\n}",
        'fn f() -> &\'static str {\n    "crate::a::A"\n}',
    ],
)
def test_what_is_only_spoken_of_does_not_count(tmp_path: Path, mention: str) -> None:
    assert circles(tmp_path, {**CIRCLE, "b.rs": f"pub struct B;\n{mention}\n"}) == []


def test_a_parent_that_reexports_its_children_uses_none_of_them(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod room;\npub use room::Child;\n",
        "room/mod.rs": "mod child;\npub use child::Child;\npub struct Parent;\n",
        "room/child.rs": "use super::Parent;\npub struct Child(Parent);\n",
    }
    assert circles(tmp_path, files) == []
    # A module that also uses its re-export has an edge.
    files["room/mod.rs"] += "impl Parent {\n    fn first(&self) -> Child {\n        todo!()\n    }\n}\n"
    assert circles(tmp_path, files) == ["a circle of 2 files: room/child.rs, room/mod.rs"]


def test_rooms_may_form_a_circle_where_files_do_not(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod x;\nmod y;\n",
        "x/mod.rs": "mod one;\nmod two;\npub use two::Two;\n",
        "x/one.rs": "use crate::y::Y;\nfn f(_: Y) {}\n",
        "x/two.rs": "pub struct Two;\n",
        "y.rs": "use crate::x::Two;\npub struct Y(Two);\n",
    }
    assert circles(tmp_path, files) == ["a circle of 2 modules: x, y"]


def test_a_module_and_a_function_of_one_name(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod print;\nmod other;\npub use print::print;\n",
        "print.rs": "pub fn print() {}\npub fn more() {\n    crate::other::f()\n}\n",
        "other.rs": "pub fn f() {\n    crate::print()\n}\n",
    }
    assert circles(tmp_path, files)[0] == "a circle of 2 files: other.rs, print.rs"


def test_what_is_not_understood_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CrateError, match=r"lib\.rs:1: the file of module gone is not there"):
        check(crate(tmp_path / "gone", {"lib.rs": "mod gone;\n"}))
    with pytest.raises(CrateError, match="not the Rust"):
        check(crate(tmp_path / "broken", {"lib.rs": "fn (\n"}))
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "neither a lib.rs nor a main.rs" in capsys.readouterr().err
    assert main([]) == 2
