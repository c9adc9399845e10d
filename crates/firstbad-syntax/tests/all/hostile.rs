//! Texts that nobody writes: deep, long, and with very many names.

use firstbad_syntax::{LARGEST_TEXT, Outline, outline};
use proptest::prelude::*;

fn repeated(before: &str, times: usize, after: &str) -> String {
    format!("{}x{}\n", before.repeat(times), after.repeat(times))
}

/// Ends, whatever it says.
fn read(path: &str, text: &str) -> Option<Outline> {
    assert!(text.len() <= LARGEST_TEXT);
    outline(path, text.as_bytes()).ok()
}

#[test]
fn deep_texts_end() {
    const DEEP: usize = 20_000;
    for (path, text) in [
        ("a.py", format!("y = {}", repeated("(", DEEP, ")"))),
        ("a.py", format!("y = {}", repeated("f(", DEEP, ")"))),
        ("a.py", format!("class A({}):\n    pass\n", repeated("f(", DEEP, ")").trim_end())),
        ("a.py", format!("y = x{}\n", ".x".repeat(DEEP))),
        ("a.js", format!("y = x{};\n", "()".repeat(DEEP))),
        ("a.js", format!("y = {};\n", repeated("`${", DEEP / 10, "}`").trim_end())),
        ("a.js", repeated("class A { b = ", DEEP / 10, "}")),
        ("a.js", repeated("{ function f() {", DEEP / 10, "} }")),
        ("a.js", format!("const {} = y;\n", repeated("[", DEEP / 10, "]").trim_end())),
    ] {
        read(path, &text);
    }
}

#[test]
fn nested_classes_have_names_up_to_a_depth() {
    let text: String = (0..200).map(|depth| format!("{}class A:\n", " ".repeat(depth))).collect();
    let found = read("a.py", &format!("{text}{}x = 1\n", " ".repeat(200))).unwrap();
    assert!(found.definitions.iter().all(|own| own.name.len() < 100));
}

#[test]
fn many_names_end() {
    let names = |count: usize| (0..count).map(|number| format!("n{number}")).collect::<Vec<_>>().join(", ");
    let many = names(20_000);
    for text in [
        format!("from m import {many}\n"),
        format!("{many} = {many}\n"),
        format!("def f({many}):\n    return f({many})\n"),
        format!("class A({many}):\n    pass\n"),
        "x = 1\n".repeat(20_000),
        "def f():\n    return f\n".repeat(10_000),
    ] {
        read("a.py", &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in "(class A:|def f\\(x\\):|return x|x = 1|import y|[ \n(){}\\[\\].:,='\"a-c]){0,60}") {
        for path in ["a.py", "a.js"] {
            let Some(found) = read(path, &text) else { continue };
            for (index, own) in found.definitions.iter().enumerate() {
                prop_assert!(own.parent < index.max(1));
                prop_assert!(found.definition(&own.name) == Some(index), "each name once");
            }
        }
    }
}
