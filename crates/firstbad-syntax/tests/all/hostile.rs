//! Hostile texts: deep, long, or with very many names.

use firstbad_syntax::{LARGEST_TEXT, Language, Outline, Unread, outline, parsing};
use proptest::prelude::*;

fn repeated(before: &str, times: usize, after: &str) -> String {
    format!("{}x{}\n", before.repeat(times), after.repeat(times))
}

/// Reads a text, which must finish with any result.
fn read(path: &str, text: &str) -> Option<Outline> {
    assert!(text.len() <= LARGEST_TEXT);
    outline(path, text.as_bytes()).ok()
}

#[test]
fn deeply_nested_texts_finish() {
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
fn names_of_nested_classes_are_limited() {
    let text: String = (0..200).map(|depth| format!("{}class A:\n", " ".repeat(depth))).collect();
    let found = read("a.py", &format!("{text}{}x = 1\n", " ".repeat(200))).unwrap();
    assert!(found.definitions.iter().all(|own| own.name.len() < 100));
}

#[test]
fn texts_with_many_names_finish() {
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

/// Units with the message for a text of 64 KB that repeats them.
const HARD: [(&str, &str, &str); 12] = [
    ("a.js", "{a:", "it can be read in too many ways"),
    ("a.js", "-> ", "parsing it takes too long"),
    ("a.py", "/*ifawait", "it can be read in too many ways"),
    ("a.py", "<!--", "parsing it takes too long"),
    ("a.py", "\\\n", "the parser reads it again too often"),
    ("a.ts", "a<b,", "it can be read in too many ways"),
    ("a.ts", "@a <a#x", "it can be read in too many ways"),
    ("a.ts", "a=>\n*\n<<\n", "it can be read in too many ways"),
    ("a.ts", "\nlabel:!,", "it has too many syntax errors"),
    ("a.ts", "a?:", "it has too many syntax errors"),
    ("a.tsx", "{/*", "the parser reads it again too often"),
    ("a.tsx", "a!:\n", "it has too many syntax errors"),
];

/// The limits depend on the parser's log. If an update changes the log, this test fails.
#[test]
fn texts_that_are_hard_to_parse_are_rejected() {
    for (path, unit, why) in HARD {
        if Language::of(path).is_some_and(Language::is_there) {
            let text = unit.repeat((64 << 10) / unit.len());
            assert_eq!(outline(path, text.as_bytes()).unwrap_err(), Unread::Refused(why.to_owned()), "{unit:?}");
        }
    }
}

#[test]
fn a_small_stack_is_enough() {
    const SMALL: usize = 128 << 10;
    let parse = || {
        for (path, unit) in
            [("a.js", "{a:"), ("a.js", "("), ("a.js", "a=>"), ("a.py", "("), ("a.py", "-"), ("a.ts", "a<b,")]
        {
            for length in [1 << 10, 3 << 10, 360 << 10] {
                let language = Language::of(path).filter(|language| language.is_there());
                let text = unit.repeat(length / unit.len());
                drop(language.map(|language| parsing::parse(text.as_bytes(), language)));
            }
        }
    };
    std::thread::Builder::new().stack_size(SMALL).spawn(parse).unwrap().join().unwrap();
}

#[test]
fn long_programs_are_read() {
    let numbers = vec!["1"; 100_000].join(",");
    let calls = "x = f(*g(), **h()) if a else (b, c)\n".repeat(10_000);
    let arrows = "const f = async (a, {b}) => { if (a < b) { return (a, b); } };\n".repeat(5_000);
    let dense = "a;".repeat(100_000);
    for (path, text) in [
        ("a.py", format!("x = [{numbers}]\n")),
        ("a.js", format!("x = [{numbers}]\n")),
        ("a.js", arrows),
        ("a.js", dense),
    ] {
        assert_eq!(read(path, &text).and_then(|found| found.broken_at), None, "{path}");
        assert!(outline(path, text.as_bytes()).is_ok(), "{path}");
    }
    // The parser resolves ambiguities in the same way on every machine.
    let tree = parsing::parse(calls.as_bytes(), Language::Python).unwrap();
    let mut kinds = std::collections::BTreeMap::new();
    parsing::visit(&tree, |node| {
        *kinds.entry(node.kind()).or_insert(0) += 1;
        true
    });
    assert_eq!((kinds["list_splat"], kinds["dictionary_splat"], kinds["call"]), (10_000, 10_000, 30_000));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_rejected(text in "(class A:|def f\\(x\\):|return x|x = 1|import y|[ \n(){}\\[\\].:,='\"a-c]){0,60}") {
        for path in ["a.py", "a.js"] {
            let Some(found) = read(path, &text) else { continue };
            for (index, own) in found.definitions.iter().enumerate() {
                prop_assert!(own.parent < index.max(1));
                prop_assert!(found.definition(&own.name) == Some(index), "each name once");
            }
        }
    }
}
