//! Texts in pieces: what they promise for any text, and what becomes of usual ones.
#![allow(clippy::unwrap_used, reason = "tests")]

use firstbad::reduction::Guarantee;
use firstbad::text::outline;
use firstbad::{ChangeSet, Minimizer, Observation, Outcome, ReductionConfig, Search as _, Text};
use proptest::prelude::*;

/// The smallest text with all of these in it.
fn smallest(text: &str, fine: bool, wanted: &[&str]) -> String {
    let text = Text::parse(text.as_bytes(), fine).unwrap();
    let mut search = Minimizer::new(text.len(), ReductionConfig::default().in_text(&text)).unwrap();
    while !search.is_done() {
        for probe in search.ask(1).unwrap() {
            let kept = String::from_utf8(text.subset(probe.changes().unwrap())).unwrap();
            let holds = wanted.iter().all(|word| kept.contains(word));
            search.tell(probe.id, if holds { Outcome::Pass } else { Outcome::Fail }.into()).unwrap();
        }
    }
    String::from_utf8(text.subset(&search.report().kept.into_iter().collect())).unwrap()
}

/// The text without the pieces that these are, where each is the index of a piece.
fn without(text: &Text, gone: &[usize]) -> String {
    let kept: ChangeSet = (0..text.len()).filter(|piece| !gone.contains(piece)).collect();
    String::from_utf8(text.subset(&kept)).unwrap()
}

#[test]
fn programs_become_what_is_wanted_of_them() {
    let c = "#include <stdio.h>\nint helper(int n) {\n  return n;\n}\nint main(void) {\n  int total = 12;\n  \
             if (total > 3) {\n    printf(\"%d items\", total, helper(17));\n  } else {\n    puts(\"none\");\n  }\n}\n";
    assert_eq!(smallest(c, false, &["int main", "else"]), "int main() {\n  if () {\n  } else {\n  }\n}\n");
    assert_eq!(smallest(c, false, &["printf("]), "printf();\n");
    let json = "{\n  \"a\": [\n    {\n      \"b\": 1\n    },\n    {\n      \"c\": 22\n    }\n  ],\n  \"d\": {}\n}\n";
    assert_eq!(smallest(json, false, &["{\n", "\"a\": [", "\"b\""]), "{\n  \"a\": [\n    \"b\": 1\n  ]\n}\n");
    let python = "try:\n    work()\nexcept KeyError:\n    pass\nfinally:\n    close()\n";
    assert_eq!(smallest(python, false, &["try:"]), "try: pass\nexcept a: pass\n");
}

#[test]
fn lines_keep_their_ends_and_no_text_grows() {
    let c = "int x;\r\n/* a */ int needle(a, b); // c\r\nint y;\r\n";
    assert_eq!(smallest(c, false, &["needle("]), "int needle();\r\n");
    assert_eq!(smallest(c, true, &["needle(", "\r\n"]), "needle()\r\n");
    // " pass" in place of "\n q" would be longer.
    let text = Text::parse(b"def f():\n q", false).unwrap();
    assert_eq!(without(&text, &[1]), "def f():\n");
    assert_eq!(without(&Text::parse(b"def f():\n    quit()\n", false).unwrap(), &[1]), "def f(): pass\n");
}

#[test]
fn a_block_of_python_may_begin_on_several_lines() {
    let part = |text: &str, gone: &[usize]| without(&Text::parse(text.as_bytes(), false).unwrap(), gone);
    let signature = "def f(\n    a,\n    b=[\n        1,\n    ],\n) -> int:\n    return a\n";
    assert_eq!(part(signature, &[6]), "def f(\n    a,\n    b=[\n        1,\n    ],\n) -> int: pass\n");
    assert_eq!(part(signature, &[1, 2, 3, 4, 6]), "def f(\n) -> int: pass\n");
    assert_eq!(part("if (a and\n        b):\n    call()\n", &[2]), "if (a and\n        b): pass\n");
    assert_eq!(part("def f(a={\n    'x':\n        1,\n}):\n    call()\n", &[2, 4]), "def f(a={\n    'x':\n}): pass\n");
    assert_eq!(smallest(signature, false, &["def f", "-> int:"]), "def f(\n) -> int: pass\n");
}

/// Programs that a minifier has put into one line.
#[test]
fn statements_of_long_lines_are_pieces() {
    let function =
        |at: usize| format!("function f{at}(a,b){{var c=a*{at};if(c>b){{return g(c)}}else{{h(c)}}return c-b}}");
    let mut line: String = (0..40).map(function).collect();
    line.push_str("var x=f1(2,3),y=f2(x);needle(x,\"why\");if(x){f3(y)}f4(x);");
    let ended = smallest(&line, false, &["needle("]);
    assert_eq!(ended, "needle();");
    let inner = line
        .replace("return g(c)}else{h(c)}return c-b}function f21", "a();needle(b);return g(c)}else{h(c)}}function f21");
    assert_eq!(smallest(&inner, false, &["f20", "needle(b"]), "function f20(){if(){needle(b);}else{}}");
    let short = "f();g();h();";
    assert_eq!(Text::parse(short.as_bytes(), false).unwrap().len(), 1);
}

#[test]
fn fine_pieces_are_words_and_signs() {
    assert_eq!(smallest("int a = b + (c - d) ;  // why\n", true, &["-"]), "-");
    assert_eq!(smallest("x = f( a,  b )\n", true, &["f(", "b"]), "f(b)");
}

#[test]
fn an_arrow_goes_with_the_word_behind_it() {
    let pieces = |text: &str| Text::parse(text.as_bytes(), true).unwrap().len();
    for (apart, joined) in [("a -> b\n", "a->b\n"), ("def f() -> None: g()\n", "def f()->None: g()\n")] {
        assert_eq!(pieces(apart), pieces(joined), "{apart}");
    }
}

#[test]
fn brackets_of_several_lines_go_together() {
    let (parents, needs) = outline(["f(a,", "  b);", "g(", ")", "h"]);
    assert_eq!(parents, [None, Some(0), None, Some(2), None]);
    assert_eq!(needs.keys().copied().collect::<Vec<_>>(), [0, 2]);
    let (parents, needs) = outline(["if (a) {", "b;", "} else {", "c;", "}", "d;"]);
    assert_eq!(parents, [None, Some(0), Some(0), Some(2), Some(0), None], "without indentation");
    assert_eq!(needs.keys().copied().collect::<Vec<_>>(), [0]);
    let (_, needs) = outline(["#if A", "b;", "#else", "c;", "#endif"]);
    assert_eq!(needs.into_keys().collect::<Vec<_>>(), [0, 2, 4]);
    let (parents, needs) = outline(["#define a \\", "  b \\", "  c", "d;"]);
    assert_eq!((parents[1], parents[2], needs.len()), (Some(0), Some(0), 3));
    let (_, needs) = outline(["@cached", "def f():", "    return", "def g():"]);
    assert_eq!(needs.into_keys().collect::<Vec<_>>(), [0]);
}

#[test]
fn the_report_says_how_many_sets_could_not_be_run() {
    let config = ReductionConfig { guarantee: Guarantee::OneMinimal, ..ReductionConfig::default() };
    let ends = |where_not: Observation, end: &str| {
        let mut search = Minimizer::new(4_usize, config.clone()).unwrap();
        let mut without = 0;
        while !search.is_done() {
            let probe = search.ask(1).unwrap().remove(0);
            let are_there = [0, 1].iter().all(|&item| probe.changes().unwrap().contains(item));
            without += usize::from(!are_there);
            let seen = if are_there { Outcome::Pass.into() } else { where_not.clone() };
            search.tell(probe.id, seen).unwrap();
        }
        let (said, end) = (search.report().message, end.replace("{}", &without.to_string()));
        assert!(without > 1 && said.ends_with(&format!("no single part of what is kept can go{end}")), "{said}");
    };
    let unresolved = Observation::from(Outcome::Unresolved);
    ends(Observation { ran: false, ..unresolved.clone() }, " ({} sets could not be run)");
    ends(unresolved, "");
    ends(Observation { ran: false, ..Outcome::Fail.into() }, "");
}

#[test]
fn a_block_alone_moves_to_the_left() {
    let text = Text::parse(b"if a:\n    if b:\n        c()\n    d()\ne()\n", false).unwrap();
    assert_eq!(text.line_count(), 5);
    assert_eq!(text.later()[..3], [[2], [3], [4]], "lines with nothing below them, by level");
    let [frame, inner] = text.later()[3][..] else { panic!("two blocks") };
    assert_eq!(without(&text, &[frame]), "if b:\n    c()\nd()\ne()\n");
    assert_eq!(without(&text, &[inner]), "if a:\n    c()\n    d()\ne()\n");
    assert_eq!(without(&text, &[frame, inner]), "c()\nd()\ne()\n");
}

#[test]
fn several_files_are_one_text() {
    let files: [&[u8]; 4] = [b"int name;", b"", b"\nuse(name);\n", b"}"];
    for fine in [false, true] {
        let text = Text::of_files(&files, fine).unwrap();
        assert_eq!((text.file_count(), text.line_count()), (4, 4));
        assert_eq!(text.files_of(&ChangeSet::all(text.len())), files);
        let kept: ChangeSet = (0..text.len()).filter(|&piece| piece != 0 && piece != 3).collect();
        assert_eq!(text.files_of(&kept), [&b""[..], b"", b"\nuse(name);\n", b""]);
    }
    // No line goes on in that of another file, and a name is one in all of them.
    let text = Text::of_files(&[b"int name;\n", b"name(\n1);\n"], true).unwrap();
    let gone = text.len() - 4..text.len();
    let kept: ChangeSet = (0..text.len()).filter(|piece| !gone.contains(piece)).collect();
    assert_eq!(text.files_of(&kept), [b"int a;\n".to_vec(), b"a(1);".to_vec()]);
}

#[test]
fn what_cannot_be_taken_apart_is_refused() {
    assert!(Text::parse(b"", false).unwrap_err().to_string().contains("an empty one"));
    let long = vec![b'a'; ChangeSet::MOST + 1];
    assert!(Text::parse(&long, true).unwrap_err().to_string().contains("at most 16777216 bytes"));
}

#[test]
fn deep_and_long_texts_take_time_in_proportion() {
    for text in [
        "(".repeat(10_000) + &")".repeat(10_000),
        "{\n".repeat(2_000) + &"}\n".repeat(2_000),
        "a,".repeat(10_000),
        "if x:\n".repeat(2_000),
        (0..1_000).map(|depth| " ".repeat(depth) + "if x:\n").collect(),
        "try:\n".to_owned() + &"except E: pass\n".repeat(2_000),
        "\"\"\"\n".repeat(3_001),
        format!("f({}\n", "[".repeat(5_000)) + &"]\n".repeat(5_000) + ")\n",
    ] {
        let text = Text::parse(text.as_bytes(), true).unwrap();
        let config = ReductionConfig::default().in_text(&text);
        let mut search = Minimizer::new(text.len(), config).unwrap();
        let probe = search.ask(1).unwrap().remove(0);
        assert_eq!(text.subset(probe.changes().unwrap()), text.as_bytes());
        let half = (0..text.len()).filter(|piece| piece % 3 == 0).collect();
        assert!(text.subset(&half).len() <= text.as_bytes().len() + 5 * text.line_count());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn all_pieces_are_the_text(text in "[ab1\"'(){}\\[\\],;:@#/*\\\\` \t\n\r=é]{1,80}", fine: bool) {
        let parsed = Text::parse(text.as_bytes(), fine).unwrap();
        prop_assert_eq!(parsed.subset(&ChangeSet::all(parsed.len())), text.as_bytes());
        let is_behind = |(piece, parent): (usize, &Option<usize>)| parent.is_none_or(|parent| parent < piece);
        prop_assert!(parsed.parents().iter().enumerate().all(is_behind));
        let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(place, _)| place);
        let (one, other) = text.as_bytes().split_at(half);
        let both = Text::of_files(&[one, other], fine).unwrap();
        prop_assert_eq!(both.files_of(&ChangeSet::all(both.len())), [one, other]);
    }

    #[test]
    fn any_pieces_are_a_text(
        text in "([ab1\"'(){}\\[\\],;:@#/*\\\\` \t=é]{0,9}|  if x:|else:|try:|def f\\(\\):|\\} else \\{|#if a|#endif)(\n[ab({,)}: ]{0,9}){0,9}",
        fine: bool,
        bits in proptest::collection::vec(any::<bool>(), 200),
    ) {
        prop_assume!(!text.is_empty());
        let parsed = Text::parse(text.as_bytes(), fine).unwrap();
        let kept: ChangeSet = (0..parsed.len()).filter(|piece| bits[piece % bits.len()]).collect();
        let made = String::from_utf8(parsed.subset(&kept));
        prop_assert!(made.is_ok());
        let by_lines: Vec<u8> = parsed.lines_of(&kept).into_iter().flat_map(|(_, line)| line).collect();
        prop_assert_eq!(made.unwrap().into_bytes(), by_lines);
    }

    #[test]
    fn what_is_wanted_stays(
        text in "(  |)(ab|f\\(1, 22\\)|x = \"yz\"|if a:|\\{|\\}|try:|else:)(\n(  |    |)(ab|f\\(1, 22\\)|x = \"yz\"|if a:|\\{|\\}|c,)){0,12}",
        fine: bool,
    ) {
        for wanted in ["ab", "22", "yz"] {
            if text.contains(wanted) {
                let left = smallest(&text, fine, &[wanted]);
                prop_assert!(left.contains(wanted));
                prop_assert!(left.len() <= text.len() + 5);
            }
        }
    }
}
