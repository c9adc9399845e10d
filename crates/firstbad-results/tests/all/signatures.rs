//! Signatures of failures.

use std::sync::LazyLock;

use firstbad_results::signature::{comparable, without_colors};
use firstbad_results::{Failure, Tree, signature};
use proptest::prelude::*;
use regex::bytes::{Captures, Regex, RegexBuilder};

fn signed(kind: &str, message: &str, text: &str) -> Option<String> {
    let exists = |path: &str| matches!(path, "shop/prices.py" | "src/a.js");
    let kind = Some(kind.to_owned()).filter(|kind| !kind.is_empty());
    let failure = Failure { kind, message: message.to_owned(), text: text.to_owned(), frame: None };
    signature(&failure, &Tree::new("/home/me/shop", &exists))
}

#[test]
fn equal_failures_have_equal_signatures() {
    for (kind, messages, expected) in [
        ("ValueError", ["3 of 12", "40 of 7"], "ValueError: # of #"),
        ("", ["KeyError: 'apples'", "KeyError: \"pears\""], "KeyError: '…'"),
        ("a.b.PriceError", ["no `a` in 0x7f12ab34", "no `bcd` in 0xffff"], "PriceError: no `…` in #"),
        ("OSError", ["cannot open /tmp/a1/b.txt", "cannot open /tmp/zz"], "OSError: cannot open tmp"),
        ("OSError", ["/home/x/data.json is missing", "/srv/y/z.json is missing"], "OSError: /… is missing"),
        ("E", ["\u{1b}[31mred\u{1b}[0m 1", "red 2"], "E: red #"),
        ("E", ["id deadbeef01 can't be", "id 550e8400-e29b-41d4-a716-446655440000 can't be"], "E: id # can't be"),
        ("AssertionError", ["assert 1 == 2\n + 1", "assert 3 == 4\n + where"], "AssertionError: assert # == #"),
        (
            "E",
            ["the values differ:\n\n  1 is not 2", "the values differ:\n  3 is not 44"],
            "E: the values differ: # is not #",
        ),
    ] {
        for message in messages {
            let found = signed(kind, message, "").unwrap();
            let plain = |text: &str| text.replace(['\'', '"'], "'");
            assert_eq!(plain(&found), plain(expected), "{message}");
        }
    }
}

#[test]
fn signatures_have_the_innermost_frame_in_the_tree() {
    let python = "shop/test_a.py:3: in test_a\n    total()\nshop/prices.py:7: in total\n    json.loads('')\n\
                  /usr/lib/python3/json/__init__.py:346: in loads\nE   TypeError: no\n\n/usr/lib/python3/json/decoder.py:1: TypeError";
    let native = "Traceback (most recent call last):\n  File \"/home/me/shop/shop/prices.py\", line 3, in f\n  File \"/usr/lib/python3/json.py\", line 1, in g\n";
    let node = "TypeError: no\n    at g (node:internal/a:1:2)\n    at f (/home/me/shop/node_modules/x/a.js:1:2)\n    at h (file:///ci/src/a.js:3:4)\n    at i (/home/me/shop/b.js:5:6)";
    for (text, frame) in [
        (python, Some("shop/prices.py")),
        (native, Some("shop/prices.py")),
        (node, Some("src/a.js")),
        ("    a_test.go:3: no\n", Some("a_test.go")),
        ("thread 'a' panicked at src/lib.rs:3:4:\nno", Some("src/lib.rs")),
        ("   at shop.Prices.total(Prices.java:12)", None),
        ("words without a frame: 3:4", None),
        ("    at f (src\t/a.js:3:4)", None),
    ] {
        let found = signed("TypeError", "no", text).unwrap();
        let expected = frame.map_or(String::new(), |frame| format!(" in {frame}"));
        assert!(found.ends_with(&format!("no{expected}")), "{found}");
    }
    assert_eq!(signed("", "", ""), None);
    let long = signed("E", &"word ".repeat(1000), "a.py:3: E").unwrap();
    assert!(long.chars().count() <= 200 && long.ends_with("word in a.py"), "{long}");
}

#[test]
fn generic_messages_are_replaced_by_the_line_that_tells_more() {
    for (message, text, expected) in [
        ("Failed", "building\nprices.cc:3: error: total is 4\nbye\n", "prices.cc:#: error: total is # in prices.cc"),
        ("exited with error code 1", "one\ntwo\n", "two"),
        ("test failed", "", "test failed"),
        ("failed on setup with \"RuntimeError: no database 17\"", "", "RuntimeError: no database #"),
        (
            "thread 'a' panicked at src/a.rs:1:2",
            "thread 'a' (7) panicked at src/a.rs:1:2:\nno 3\nnote: run",
            "panic: no # in src/a.rs",
        ),
        ("", "thread 'a' panicked at 'no 3', src/a.rs:1:2\n", "panic: no # in src/a.rs"),
        ("", "Error: boom\n    at f (/home/me/shop/a.js:1:2)", "Error: boom in a.js"),
    ] {
        assert_eq!(signed("", message, text).as_deref(), Some(expected), "{message}");
    }
}

const TEMPORARY: &str = r#"(?:/private)?/(?:tmp|var/tmp|dev/shm|var/folders/[^/\s]+/[^/\s]+/T)/[^\s:'"`,;()<>\[\]]+"#;
const HEXADECIMAL: &str =
    r"\b(?:0[xX][0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{8,})\b";

/// Replaces text by regular expressions. A command's oracle has the same rules.
fn by_expressions(line: &str) -> String {
    static EXPRESSIONS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
        [TEMPORARY, HEXADECIMAL, r"\d+"].map(|pattern| RegexBuilder::new(pattern).unicode(false).build().unwrap())
    });
    let [temporary, hexadecimal, digits] = &*EXPRESSIONS;
    let line = temporary.replace_all(line.as_bytes(), &b"tmp"[..]);
    let line = hexadecimal.replace_all(&line, |found: &Captures<'_>| {
        let word = &found[0];
        if word.iter().any(u8::is_ascii_digit) { b"#".to_vec() } else { word.to_vec() }
    });
    String::from_utf8(digits.replace_all(&line, &b"#"[..]).into_owned()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_that_changes_is_replaced_as_by_the_expressions(parts in prop::collection::vec(prop_oneof![
        "[0-9a-fA-Fx]{1,10}", "0x[0-9a-f]{0,4}", "[ -~]{1,3}", Just("/tmp/".to_owned()), Just("/private".to_owned()), Just("/var/tmp/a b".to_owned()),
        Just("/var/folders/a/b/T/c".to_owned()),
        Just("/var/folders/a/b/c/T/d".to_owned()), Just("550e8400-e29b-41d4-a716-446655440000".to_owned()), Just("-".to_owned()), Just("é".to_owned()),
    ], 1..8)) {
        let line = parts.concat();
        prop_assert_eq!(comparable(&line, "", None), by_expressions(&line));
    }

    #[test]
    fn colors_are_removed_as_by_an_expression(parts in prop::collection::vec(prop_oneof![
        Just("\u{1b}[31;1m".to_owned()), Just("\u{1b}]8;;x\u{7}".to_owned()), Just("\u{1b}]8;;y\u{1b}\\".to_owned()), "[a-z é]{1,4}", Just("\u{1b}[2K".to_owned()),
    ], 0..8)) {
        let text = parts.concat();
        static COLOURS: LazyLock<regex::Regex> = LazyLock::new(|| regex::Regex::new(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))").unwrap());
        prop_assert_eq!(without_colors(&text), COLOURS.replace_all(&text, ""));
    }

    #[test]
    fn signatures_are_short_and_printable(kind in "\\PC{0,20}", message in any::<String>(), text in any::<String>()) {
        if let Some(found) = signed(&kind, &message, &text) {
            prop_assert!(found.chars().count() <= 200 && !found.contains(char::is_control) && !found.is_empty(), "{:?}", found);
        }
    }
}
