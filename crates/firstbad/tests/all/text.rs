//! Promises for arbitrary texts in pieces, and examples of usual texts.

use std::collections::BTreeSet;

use firstbad::reduction::{Guarantee, options_in_lines, options_in_text};
use firstbad::text::outline;
use firstbad::{ChangeSet, Minimizer, Observation, Outcome, ReductionConfig, Search as _, Text};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::json;

mod properties;

/// Returns the smallest text that contains all of these strings.
fn smallest(text: &str, fine: bool, wanted: &[&str]) -> String {
    smallest_of(text, fine, &|kept| wanted.iter().all(|word| kept.contains(word)))
}

fn smallest_of(text: &str, fine: bool, interesting: &dyn Fn(&str) -> bool) -> String {
    let text = Text::parse(text.as_bytes(), fine).unwrap();
    let mut search = Minimizer::new(text.len(), ReductionConfig::default().in_text(&text)).unwrap();
    while !search.is_done() {
        for probe in search.ask(1).unwrap() {
            let kept = String::from_utf8(text.subset(probe.changes().unwrap())).unwrap();
            search.tell(probe.id, if interesting(&kept) { Outcome::Pass } else { Outcome::Fail }.into()).unwrap();
        }
    }
    String::from_utf8(text.subset(&search.report().kept.into_iter().collect())).unwrap()
}

/// Reduces a text to a 1-minimal result, as plain lines or as the pieces of a text, and returns it.
fn one_minimal(text: &str, in_lines: bool, interesting: &dyn Fn(&str) -> bool) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let pieces = Text::parse(text.as_bytes(), false).unwrap();
    let options = json!({"guarantee": "1-minimal"});
    let (count, config) = if in_lines {
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        (lines.len(), options_in_lines(&options, &lines).unwrap())
    } else {
        (pieces.len(), options_in_text(&options, &pieces).unwrap())
    };
    let part = |kept: &ChangeSet| match in_lines {
        true => kept.iter().map(|line| lines[line]).collect(),
        false => String::from_utf8(pieces.subset(kept)).unwrap(),
    };
    let mut search = Minimizer::new(count, config).unwrap();
    while !search.is_done() {
        for probe in search.ask(1).unwrap() {
            let holds = interesting(&part(probe.changes().unwrap()));
            search.tell(probe.id, if holds { Outcome::Pass } else { Outcome::Fail }.into()).unwrap();
        }
    }
    assert_eq!(search.report().guarantee, Guarantee::OneMinimal);
    part(&search.report().kept.into_iter().collect())
}

#[test]
fn removed_spaces_give_a_macro_no_parameters() {
    let left = |text: &str, wanted: &[&str]| smallest(text, true, wanted);
    assert_eq!(left("  #  define  A\t(x)\n", &["#", "define", "A", "(x)"]), "#define A (x)");
    assert_eq!(left("#define A \\\n(x)\n", &["#define A", "\\\n", "(x)"]), "#define A \\\n(x)");
    let with_parameters = |kept: &str| kept.replace(' ', "").contains("#defineA(x)(x)");
    assert_eq!(smallest_of("#define A(x) (x)\n", true, &with_parameters), "#define A(x)(x)");
    assert_eq!(left("int f (x);\n", &["int", "f", "(x)"]), "int f(x)");
}

#[test]
fn removed_comments_do_not_merge_tokens() {
    let left = |text: &str, fine: bool, wanted: &str| {
        smallest_of(text, fine, &|kept| kept.replace("/**/", " ").contains(wanted))
    };
    assert_eq!(left("#define A/**/(x)\n", false, "#define A (x)"), "#define A (x)\n");
    assert_eq!(left("#define A/**/(x)\n", true, "#define A (x)"), "#define A (x)");
    assert_eq!(left("int/**/x;\n", false, "int x;"), "int x;\n");
    assert_eq!(left("a+/**/+b; f/**/(x);\n", true, "+ +b; f"), "+ +b; f");
    assert_eq!(smallest("f/**/(x);\n", false, &["f", "(x);"]), "f(x);\n");
}

#[test]
fn type_names_become_int() {
    // The type must be declared.
    let compiles = |kept: &str| match kept.contains("word_t") {
        true => kept.contains("#include <b.h>") && kept.contains("word_t total"),
        false => kept.contains("int total"),
    };
    assert_eq!(one_minimal("#include <b.h>\nword_t total = 0;\n", false, &compiles), "int total = 0;\n");
    let without_names = |text: &str| {
        let text = Text::parse(text.as_bytes(), false).unwrap();
        without(&text, text.later().last().unwrap())
    };
    assert_eq!(
        without_names("word_t total;\nvoid count(word_t *step) { total = (word_t)step * 2; }\n"),
        "int a;\nvoid b(int *c) { a = (int)c * 2; }\n"
    );
    // Names that are declared here stay distinct, and so do a factor and the name before its type.
    assert_eq!(without_names("typedef long word_t;\nword_t f(word_t total);\n"), "typedef long a;\na f(a b);\n");
    assert_eq!(without_names("struct word *all;\nf(word * step, 1);\n"), "struct a *b;\nf(a * c, 1);\n");
    assert_eq!(without_names("// go\nfunc f(total Word) {\n\tg(total)\n}\n"), "// go\nfunc f(a b) {\n\tg(a)\n}\n");
}

#[test]
fn flat_lines_keep_their_ties() {
    let line = |line: usize| match line % 4 {
        0 => format!("#if A{line}\n"),
        3 => "#endif\n".to_owned(),
        _ => format!("int a{line};\n"),
    };
    let lines: Vec<String> = (0..40).map(line).collect();
    let lines: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
    // Unmatched directives do not compile.
    let judge = |kept: &ChangeSet| {
        let steps = kept.iter().map(|line| i32::from(line % 4 == 0) - i32::from(line % 4 == 3));
        let open: Vec<i32> = steps
            .scan(0, |open, step| {
                *open += step;
                Some(*open)
            })
            .collect();
        match open.iter().all(|&open| open >= 0) && open.last().is_none_or(|&open| open == 0) {
            true if kept.contains(5) && kept.contains(18) => Outcome::Pass,
            true => Outcome::Fail,
            false => Outcome::Unresolved,
        }
    };
    for guarantee in ["fixpoint", "1-minimal"] {
        let config = options_in_lines(&json!({"guarantee": guarantee}), &lines).unwrap();
        let mut search = Minimizer::new(lines.len(), config).unwrap();
        while !search.is_done() {
            for probe in search.ask(1).unwrap() {
                let outcome = judge(probe.changes().unwrap());
                search.tell(probe.id, outcome.into()).unwrap();
            }
        }
        let report = search.report();
        assert_eq!((report.kept, report.runs), (vec![5, 18], 13), "{guarantee}");
    }
}

#[test]
fn lines_are_removed_alone_despite_misleading_indentation() {
    let log = "INFO start\n  detail a\n    detail b\n  detail c\nINFO end\n";
    assert_eq!(one_minimal(log, true, &|kept| kept.contains("detail b")), "    detail b\n");
    let braces = "a {\n  b {\n    c\n  }\n}\n";
    assert_eq!(one_minimal(braces, true, &|kept| kept.contains('c') && kept.contains("a {")), "a {\n    c\n");
    for in_lines in [false, true] {
        // Lines that are known to need each other go together, so the bracket of a block that stands alone does not come
        // back.
        assert_eq!(one_minimal(braces, in_lines, &|kept| kept.contains("  c\n") || kept == "c\n").trim(), "c");
    }
}

/// Two lines that are removable only together become neighbors during the reduction.
#[test]
fn remaining_neighbors_are_removed_together() {
    let stack: String = (0..8).map(|at| format!("push {at}\nmid {at}\npop {at}\n")).collect();
    let stack = stack + "keep\n";
    let count = |text: &str, word: &str| text.matches(word).count();
    let is_paired = |kept: &str, at| kept.contains(&format!("push {at}\n")) == kept.contains(&format!("pop {at}\n"));
    let is_balanced = |kept: &str| (0..8).all(|at| is_paired(kept, at)) && kept.contains("keep");
    for in_lines in [false, true] {
        assert_eq!(one_minimal(&stack, in_lines, &is_balanced), "keep\n");
        let even: String = (0..40).map(|at| format!("x{at}\n")).chain(["keep\n".to_owned()]).collect();
        let is_even = |kept: &str| kept.contains("keep\n") && count(kept, "\n") % 2 == 1;
        assert_eq!(one_minimal(&even, in_lines, &is_even), "keep\n");
    }
}

/// Returns whether both or neither member of each pair is present.
fn has_pairs(kept: &str, pairs: &[(&str, &str)]) -> bool {
    pairs.iter().all(|(one, other)| kept.contains(one) == kept.contains(other))
}

/// A block stays until all blocks were tried. After its user is gone, it is tried again and removed.
#[test]
fn a_needed_block_is_removed_after_its_users() {
    let text = "table [\n  1,\n  2,\n]\nsize {\n  table\n}\nmain {\n  size\n  go\n}\n";
    let builds = |kept: &str| {
        let is_whole = has_pairs(kept, &[("table [\n", "]\n"), ("size {\n", "  table\n"), ("  1,\n", "  2,\n")]);
        let size = !kept.contains("size {\n") || kept.contains("table [\n") && kept.contains("  1,\n");
        let uses = !kept.contains("  size\n") || kept.contains("size {\n");
        let brackets = kept.matches('{').count() == kept.matches('}').count();
        is_whole && size && uses && brackets && kept.contains("main {\n") && kept.contains("  go\n")
    };
    for in_lines in [false, true] {
        assert_eq!(one_minimal(text, in_lines, &builds), "main {\n  go\n}\n");
    }
}

/// Three lines are removable only together. Other lines between them stay, so none of the three are neighbors.
#[test]
fn lines_around_a_block_are_removed_without_the_block() {
    let text = "#include <a>\na;\n#if A\nb;\n#else\nc;\n#endif\nf {\n  d;\n}\n";
    let ends = |kept: &str| {
        let stays = ["a;", "b;", "c;", "f {\n  d;\n}\n"].iter().all(|line| kept.contains(line));
        stays && has_pairs(kept, &[("#if", "#endif"), ("#if", "#else")])
    };
    for in_lines in [false, true] {
        assert_eq!(one_minimal(text, in_lines, &ends), "a;\nb;\nc;\nf {\n  d;\n}\n");
    }
}

/// Returns numbered lines in nested blocks with brackets.
fn nested(dice: &mut impl FnMut(usize) -> usize, count: usize) -> String {
    let (mut text, mut depth) = (String::new(), 0);
    for line in 0..count {
        let indent = "  ".repeat(depth);
        match dice(3) {
            0 if depth < 4 => {
                text.push_str(&format!("{indent}b{line} {{\n"));
                depth += 1;
            }
            1 if depth > 0 => {
                depth -= 1;
                text.push_str(&format!("{}}}\n", "  ".repeat(depth)));
            }
            _ => text.push_str(&format!("{indent}l{line};\n")),
        }
    }
    (0..depth).rev().for_each(|depth| text.push_str(&format!("{}}}\n", "  ".repeat(depth))));
    text
}

/// Returns whether all brackets are balanced.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0;
    let stays = text.chars().all(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth >= 0
    });
    stays && depth == 0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(21), ..ProptestConfig::default() })]

    /// A second reduction, which parses the result again, removes nothing. The oracle requires some lines, needs between
    /// lines, and balanced brackets.
    #[test]
    fn a_second_reduction_removes_nothing(seed in any::<u64>(), count in 4..=40usize, in_lines: bool) {
        let mut state = seed | 1;
        let mut dice = |sides: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) as usize % sides
        };
        let text = nested(&mut dice, count);
        let names: Vec<String> =
            text.lines().filter_map(|line| line.trim().split([' ', ';']).next()).filter(|name| *name != "}")
                .map(str::to_owned).collect();
        let wanted: Vec<&String> = (0..=dice(3)).map(|_| &names[dice(names.len())]).collect();
        let needs: Vec<(&String, &String)> =
            (0..dice(6)).map(|_| (&names[dice(names.len())], &names[dice(names.len())])).collect();
        let holds = |kept: &str| {
            let has = |name: &str| kept.contains(&format!("{name} ")) || kept.contains(&format!("{name};"));
            is_balanced(kept) && wanted.iter().all(|name| has(name)) && needs.iter().all(|(one, other)| !has(one) || has(other))
        };
        let left = one_minimal(&text, in_lines, &holds);
        prop_assert_eq!(one_minimal(&left, in_lines, &holds), left, "of {}", text);
    }
}

/// A space stays if the tokens on both sides need it, and a line end stays if a remaining comment needs it.
#[test]
fn removed_pieces_leave_no_layout() {
    let squeezed = |text: &str, wanted: &[&str]| {
        smallest_of(text, true, &|kept| {
            let kept = kept.replace(char::is_whitespace, "");
            wanted.iter().all(|word| kept.contains(word))
        })
    };
    assert_eq!(smallest("int copy = a (long) * b;\n", true, &["a ", "* b"]), "a * b");
    let cast = |kept: &str| kept.starts_with('a') && kept.trim_end().ends_with('*');
    assert_eq!(smallest_of("a long *\n", true, &cast), "a*");
    let c = "first; // of all\nsecond; /* and last */\nthird;\n";
    assert_eq!(squeezed(c, &["first;", "second;", "third;"]), "first;second;third;");
    assert_eq!(squeezed(c, &["first;//of", "third;"]), "first;// of all\nthird;");
}

/// Returns the text without these pieces, given by index.
fn without(text: &Text, gone: &[usize]) -> String {
    let kept: ChangeSet = (0..text.len()).filter(|piece| !gone.contains(piece)).collect();
    String::from_utf8(text.subset(&kept)).unwrap()
}

#[test]
fn programs_are_reduced_to_the_wanted_parts() {
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
fn line_ends_stay_and_no_text_grows() {
    let c = "int x;\r\n/* a */ int needle(a, b); // c\r\nint y;\r\n";
    assert_eq!(smallest(c, false, &["needle("]), "int needle();\r\n");
    assert_eq!(smallest(c, true, &["needle(", "\r\n"]), "needle()\r\n");
    // " pass" would be longer than "\n q".
    let text = Text::parse(b"def f():\n q", false).unwrap();
    assert_eq!(without(&text, &[1]), "def f():\n");
    assert_eq!(without(&Text::parse(b"def f():\n    quit()\n", false).unwrap(), &[1]), "def f(): pass\n");
}

#[test]
fn a_python_block_can_start_on_several_lines() {
    let part = |text: &str, gone: &[usize]| without(&Text::parse(text.as_bytes(), false).unwrap(), gone);
    let signature = "def f(\n    a,\n    b=[\n        1,\n    ],\n) -> int:\n    return a\n";
    assert_eq!(part(signature, &[6]), "def f(\n    a,\n    b=[\n        1,\n    ],\n) -> int: pass\n");
    assert_eq!(part(signature, &[1, 2, 3, 4, 6]), "def f(\n) -> int: pass\n");
    assert_eq!(part("if (a and\n        b):\n    call()\n", &[2]), "if (a and\n        b): pass\n");
    assert_eq!(part("def f(a={\n    'x':\n        1,\n}):\n    call()\n", &[2, 4]), "def f(a={\n    'x':\n}): pass\n");
    assert_eq!(smallest(signature, false, &["def f", "-> int:"]), "def f(\n) -> int: pass\n");
}

/// Minified programs on one line.
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
    assert_eq!(smallest("c = {\n    # note\n    1: 2,\n    3: 4\n}\n", true, &["c", "{", "1:", "3:"]), "c{1:3:}");
    let block = Text::parse(b"def f():\n    return 1\n", true).unwrap();
    assert_eq!(without(&block, &[1, block.len() - 3]), "def f():pass\n", "without its body and needless blanks");
}

#[test]
fn indentation_shrinks_with_removed_blocks() {
    assert_eq!(smallest("# Calls.\nfoo(\n    1)\n", true, &["1"]), "1");
    // The indentation is what a block needs below its first line.
    let nested = "if first:\n    a = 1\n    while second:\n        b = 2\n";
    assert_eq!(smallest(nested, true, &["if", "\n", "2"]), "if\n 2");
}

#[test]
fn an_arrow_stays_with_the_next_word() {
    let pieces = |text: &str| Text::parse(text.as_bytes(), true).unwrap().len();
    for (apart, joined) in [("a -> b\n", "a->b\n"), ("def f() -> None: g()\n", "def f()->None: g()\n")] {
        assert_eq!(pieces(apart), pieces(joined), "{apart}");
    }
}

#[test]
fn brackets_across_lines_are_removed_together() {
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
fn block_keywords_are_removed_in_pairs() {
    let shell = ["if a", "then", "  b", "else", "  c", "fi", "for d in e; do", "  f", "done | g", "h"];
    let (parents, needs) = outline(shell);
    let below = [None, Some(0), Some(0), Some(0), Some(3), Some(0), None, Some(6), Some(6), None];
    assert_eq!((&parents[..], needs.into_keys().collect::<Vec<_>>()), (&below[..], vec![0, 6]));
    let (parents, needs) = outline(["def a", "  b.each do |c|", "    d", "  end", "END", "endif()"]);
    assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(0), None]);
    assert_eq!(needs.into_keys().collect::<Vec<_>>(), [0, 1]);
    let (parents, needs) = outline(["<a b=''>", "  <c>", "    d", "  </c>", "</a>", "<e>", "  f", "</ef>"]);
    assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(0), None, Some(5), None]);
    assert_eq!(needs.into_keys().collect::<Vec<_>>(), [0, 1]);
    // A name, a line that is not below another, and a block with another end.
    let others =
        ["a", "  b", "end = 1", "endpoint", "done", "c:", "  d", "end", "e {", "  f", "}", "end", "do", "{", "}"];
    let (_, needs) = outline(others);
    assert_eq!(needs.into_keys().collect::<Vec<_>>(), [8, 12]);
}

#[test]
fn tags_are_removed_in_pairs() {
    let (parents, needs) = outline(["<a>", "<b", "c='1'", ">", "d", "<e/><br>", "</b></a>"]);
    assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(1), Some(1), Some(0)]);
    assert_eq!(needs.into_keys().collect::<Vec<_>>(), [0, 1, 6]);
}

#[test]
fn elements_go_with_their_tags_and_tags_go_alone() {
    let is_closed = |kept: &str| {
        let names = |mark: &str| {
            let ends = kept.match_indices(mark).map(|(at, _)| &kept[at + mark.len()..]);
            let named = ends.filter(|rest| rest.starts_with(char::is_alphabetic));
            named.filter(|rest| !rest.split('>').next().is_some_and(|tag| tag.ends_with('/'))).count()
        };
        names("<") == names("</") && kept.matches('<').count() == kept.matches('>').count()
    };
    let keeps = |text: &str, fine: bool, wanted: &[&str]| {
        smallest_of(text, fine, &|kept| is_closed(kept) && wanted.iter().all(|word| kept.contains(word)))
    };
    let lines = "<a>\n<b>\n<c x='1'\ny='22'>\nkept\n</c>\n<d/>\n</b>\n<e>f</e>\n</a>\n";
    assert_eq!(keeps(lines, false, &["kept"]), "kept\n");
    assert_eq!(keeps(lines, false, &["y='22'", "</"]), "<c\ny='22'>\n</c>\n");
    let line = &lines.replace("'\ny", "' y").replace('\n', "");
    assert_eq!(keeps(line, false, &["<d/>", "kept"]), "kept<d/>");
    assert_eq!(keeps(line, false, &["y='22'", "</"]), "<c y='22'></c>");
    assert_eq!(keeps(line, true, &["<d/>", "kept"]), "kept<d/>");
}

#[test]
fn a_block_with_an_end_keyword_is_replaced_by_its_content() {
    let is_closed = |kept: &str| {
        let begun = kept.lines().filter(|line| line.starts_with("if") || line.ends_with(" do")).count();
        begun == kept.lines().filter(|line| matches!(line.trim(), "fi" | "done")).count()
    };
    let keeps = |text: &str, wanted: &str| {
        smallest_of(text, false, &|kept| {
            is_closed(kept) && kept.contains(wanted) && kept.contains("then") == kept.contains("if")
        })
    };
    let nested = "if a; then\n  for b in c; do\n    d\n    kept\n  done\nelse\n  f\nfi\ng\n";
    assert_eq!(keeps(nested, "kept"), "kept\n");
    assert_eq!(keeps("if a\nthen\n  b\n  kept\nfi\nd\n", "kept"), "kept\n");
}

#[test]
fn the_report_counts_sets_that_could_not_run() {
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
        assert!(without > 1 && said.ends_with(&format!("Each of them is needed{end}")), "{said}");
    };
    let unresolved = Observation::from(Outcome::Unresolved);
    ends(Observation { ran: false, ..unresolved.clone() }, " ({} sets were not run)");
    ends(unresolved, " ({} smaller sets are unresolved)");
    ends(Observation { ran: false, ..Outcome::Fail.into() }, "");
}

/// A result without a test of every item claims nothing about single items or the items below them.
#[test]
fn a_fixpoint_claims_only_tested_removals() {
    let lines = ["a:\n", "    b\n", "    c:\n", "        needed\n", "d\n"].map(str::as_bytes);
    let of_lines = options_in_lines(&json!({"guarantee": "fixpoint"}), &lines).unwrap();
    let parents = Some(vec![None, Some(0), Some(0), Some(2), None]);
    let of_tree = ReductionConfig { parents, ..ReductionConfig::default() };
    let tree =
        "3 of 5 items are kept. Each of them with the items below it is needed, if more items never hide the failure";
    for (config, said) in [(of_lines, "3 of 5 pieces of the text are kept. Some may not be needed"), (of_tree, tree)] {
        let mut search = Minimizer::new(lines.len(), config).unwrap();
        while !search.is_done() {
            let probe = search.ask(1).unwrap().remove(0);
            let holds = probe.changes().unwrap().contains(3);
            search.tell(probe.id, if holds { Outcome::Pass } else { Outcome::Fail }.into()).unwrap();
        }
        let report = search.report();
        assert_eq!(
            (report.kept, report.guarantee, report.message.as_str()),
            (vec![0, 2, 3], Guarantee::Fixpoint, said)
        );
    }
}

#[test]
fn a_block_without_its_frame_is_unindented() {
    let text = Text::parse(b"if a:\n    if b:\n        c()\n    d()\ne()\n", false).unwrap();
    assert_eq!(text.line_count(), 5);
    assert_eq!(text.later()[..3], [[2], [3], [4]], "lines with nothing below them, by level");
    let [frame, inner] = text.later()[3][..] else { panic!("two blocks") };
    assert_eq!(without(&text, &[frame]), "if b:\n    c()\nd()\ne()\n");
    assert_eq!(without(&text, &[inner]), "if a:\n    c()\n    d()\ne()\n");
    assert_eq!(without(&text, &[frame, inner]), "c()\nd()\ne()\n");
}

#[test]
fn a_block_can_lose_its_whole_header() {
    let alone = |text: &str| {
        let parsed = Text::parse(text.as_bytes(), false).unwrap();
        let frames = |piece: &&usize| (parsed.line_count()..parsed.len()).contains(*piece);
        let first = parsed.later().iter().flatten().find(frames).copied();
        without(&parsed, &[first.unwrap()])
    };
    assert_eq!(alone("def f(\n    a,\n    b,\n) -> c:\n    d()\n    e()\ng()\n"), "d()\ne()\ng()\n");
    assert_eq!(alone("if (a and\n        b):\n    c()\nd()\n"), "c()\nd()\n");
    assert_eq!(alone("if a:\n    b()\nelif c(\n    d\n):\n    e()\nelse:\n    f()\n"), "b()\ne()\nf()\n");
    assert_eq!(alone("function f(\n  a\n) {\n  b();\n}\nc();\n"), "b();\nc();\n");
    assert_eq!(alone("if (a &&\n    b) {\n  c();\n} else if (d &&\n    e) {\n  f();\n}\ng();\n"), "c();\nf();\ng();\n");
    assert_eq!(alone("if (a &&\n    b)\n{\n    c();\n}\nd();\n"), "c();\nd();\n");
    assert_eq!(alone("if (a &&\n    b)\n    c();\nd();\n"), "c();\nd();\n");
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
    // A line never continues in another file, and a name is the same in all files.
    let text = Text::of_files(&[b"int name;\n", b"name(\n1);\n"], true).unwrap();
    let gone = text.len() - 4..text.len();
    let kept: ChangeSet = (0..text.len()).filter(|piece| !gone.contains(piece)).collect();
    assert_eq!(text.files_of(&kept), [b"int a;\n".to_vec(), b"a(1);".to_vec()]);
}

#[test]
fn invalid_texts_are_rejected() {
    assert!(Text::parse(b"", false).unwrap_err().to_string().contains("an empty one"));
    let long = vec![b'a'; ChangeSet::MOST + 1];
    assert!(Text::parse(&long, true).unwrap_err().to_string().contains("at most 16777216 bytes"));
}

#[test]
fn deep_and_long_texts_take_linear_time() {
    for text in [
        "(".repeat(10_000) + &")".repeat(10_000),
        "{\n".repeat(2_000) + &"}\n".repeat(2_000),
        "a,".repeat(10_000),
        "if x:\n".repeat(2_000),
        (0..1_000).map(|depth| " ".repeat(depth) + "if x:\n").collect(),
        "try:\n".to_owned() + &"except E: pass\n".repeat(2_000),
        "\"\"\"\n".repeat(3_001),
        format!("f({}\n", "[".repeat(5_000)) + &"]\n".repeat(5_000) + ")\n",
        "<a>".repeat(5_000) + &"</a>".repeat(5_000),
        "<a>\n".repeat(2_000) + &"</a>\n".repeat(2_000),
        format!("<a>{}</a>", "<b c='1'><d/>".repeat(3_000)),
        format!("<a/>{}", "<!--".repeat(100_000)),
        format!("<a{}/>", "-".repeat(100_000)),
        format!("<a/>{}", "</a ".repeat(10_000)),
        "\\\"".repeat(100_000),
        format!("a;\n{}", "=/[".repeat(100_000)),
        format!("a;\n{}", "/*\n".repeat(30_000)),
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
