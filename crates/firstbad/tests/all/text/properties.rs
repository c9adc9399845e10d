//! Promises for the reduction of arbitrary texts.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn all_pieces_together_are_the_text(
        text in "(<a>|<a |<!-- |)([ab1\"'(){}\\[\\],;:@#/*\\\\` \t\n\r=é]|<a|</a|<!--|-->|<script|</script|/>|>){1,80}",
        fine: bool,
    ) {
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
    fn any_pieces_form_a_text(
        text in "(<a>|)([ab1\"'(){}\\[\\],;:@#/*\\\\` \t=é]{0,9}|(<a|</a|<b|<script|</script|/>|>|b='c'|)+|  if x:|else:|try:|def f\\(\\):|\\} else \\{|#if a|#endif)(\n[ab({,)}: ]{0,9}){0,9}",
        fine: bool,
        bits in proptest::collection::vec(any::<bool>(), 200),
    ) {
        prop_assume!(!text.is_empty());
        let parsed = Text::parse(text.as_bytes(), fine).unwrap();
        let kept: ChangeSet = (0..parsed.len()).filter(|piece| bits[piece % bits.len()]).collect();
        let originals: Vec<&str> = text.split_inclusive('\n').collect();
        let made = parsed.lines_of(&kept);
        prop_assert!(made.windows(2).all(|pair| pair[0].0 < pair[1].0), "out of order: {:?}", made);
        let mut length = 0;
        for (number, line) in made {
            let line = String::from_utf8(line).unwrap();
            prop_assert!(!line.trim_end_matches('\n').contains('\n'), "{:?} is not one line", line);
            length += line.len();
            // Values and names can be shorter, but every other character comes from the line. Fine pieces can also join
            // lines.
            let originals = if fine { &originals[number..] } else { &originals[number..=number] };
            let mut signs = originals.concat().into_bytes().into_iter();
            let is_left = |sign: u8| signs.any(|other| other == sign);
            let is_made_of = line.bytes().filter(u8::is_ascii_punctuation).all(is_left);
            prop_assert!(is_made_of, "{:?} of {:?}", line, originals);
        }
        // An empty Python block gets a "pass".
        prop_assert!(length <= text.len() + " pass".len() * parsed.line_count());
    }

    #[test]
    fn wanted_text_stays(
        text in "(<a>\n|<a/>\n|)(  |)(ab|f\\(1, 22\\)|<b x=\"yz\">|<b|<c d=\"yz\"|>|/>|</b>|x = \"yz\"|if a:|\\{|\\}|try:|else:)(\n(  |    |)(ab|f\\(1, 22\\)|x = \"yz\"|if a:|\\{|\\}|c,|<b|<c>|x=\"yz\"|>|/>|</b></c>|</c>)){0,12}",
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

    #[test]
    fn no_single_line_or_pair_without_brackets_is_removable(
        lines in prop::collection::vec(("[ ]{0,4}", "(if|else|f\\(|\\)|a|b|c|d|e)( \\{|\\}|:|,|;)?"), 2..14),
        salt: u64,
        needed in prop::collection::btree_set(0_usize..14, 1..4),
        hides: bool,
    ) {
        let text: String =
            lines.iter().enumerate().map(|(at, (blanks, word))| format!("{blanks}{word} #{at};\n")).collect();
        let mark = |kept: &str| kept.lines().filter_map(|line| line.split('#').nth(1)).map(str::to_owned).collect();
        let whole: BTreeSet<String> = mark(&text);
        let all: BTreeSet<String> = needed.iter().map(|at| format!("{at};")).filter(|at| whole.contains(at)).collect();
        // Supersets have the property at random, or all of them have it.
        let holds = |kept: &str| {
            let left: BTreeSet<String> = mark(kept);
            let hash = left.iter().fold(salt, |hash, line| {
                line.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
            });
            all.is_subset(&left) && (!hides || left == whole || hash >> 40 & 1 == 0)
        };
        let left = one_minimal(&text, true, &holds);
        prop_assert!(holds(&left));
        let left_lines: Vec<&str> = left.split_inclusive('\n').collect();
        for at in 0..left_lines.len() {
            for end in at + 1..=(at + 2).min(left_lines.len()) {
                if end == at + 2 && left_lines[at..end].concat().contains(['(', ')', '{', '}']) {
                    continue;
                }
                let without = [&left_lines[..at], &left_lines[end..]].concat().concat();
                prop_assert!(!holds(&without), "{without:?} of {left:?}");
            }
        }
        if !hides && !left.is_empty() {
            prop_assert_eq!(&one_minimal(&left, true, &holds), &left);
        }
    }
}

#[test]
fn lines_of_two_files_never_merge() {
    let text = Text::of_files(&[b"x;\ny;\n", b"y;\nz;\n"], true).unwrap();
    let all = text.len();
    // The last three pieces are the layout.
    let kept = (0..all - 3).filter(|&piece| piece != 1 && piece != 2).collect();
    let files: Vec<_> = text.files_of(&kept).into_iter().map(|file| String::from_utf8(file).unwrap()).collect();
    assert_eq!(files, ["x;\n", "z;"]);
}

/// Returns how many tests repeat an earlier text during a reduction, and the text that is left.
fn asked_again(text: &str, interesting: &dyn Fn(&str) -> bool) -> (usize, String) {
    let text = Text::parse(text.as_bytes(), false).unwrap();
    let mut search = Minimizer::new(text.len(), options_in_text(&json!({}), &text).unwrap()).unwrap();
    let (mut asked, mut again) = (BTreeSet::new(), 0);
    while !search.is_done() {
        for probe in search.ask(1).unwrap() {
            let kept = String::from_utf8(text.subset(probe.changes().unwrap())).unwrap();
            let holds = interesting(&kept);
            again += usize::from(!asked.insert(kept));
            search.tell(probe.id, if holds { Outcome::Pass } else { Outcome::Fail }.into()).unwrap();
        }
    }
    assert_eq!(search.report().guarantee, Guarantee::OneMinimal);
    (again, String::from_utf8(text.subset(&search.report().kept.into_iter().collect())).unwrap())
}

#[test]
fn one_of_equal_lines_and_blocks_is_tested() {
    const COUNT: usize = 60;
    for (unit, is_block) in [
        ("x;\n", false),
        ("\n", false),
        ("f(1, \"two\");\n", false),
        ("<p class=\"a\">t</p>\n", true),
        ("if a:\n    b = 12\n", true),
        ("if (a) {\n  b();\n}\n", true),
    ] {
        let text = unit.repeat(COUNT);
        for least in [COUNT, 40] {
            let (again, left) = asked_again(&text, &|kept| kept.matches(unit).count() >= least);
            // The first and last members of a row are tested separately. Two pieces of one block can leave the same text.
            let most = if is_block { 30 + COUNT } else { 30 };
            assert!(left == unit.repeat(least) && again < most, "{again} of {least} {unit:?}: {left}");
        }
    }
}

#[test]
fn equal_lines_of_a_list_are_tested_once() {
    let lines = vec![&b"1,2\n"[..]; 500];
    let options = options_in_lines(&json!({"guarantee": "1-minimal"}), &lines).unwrap();
    let mut search = Minimizer::new(lines.len(), options).unwrap();
    let mut asked = BTreeSet::new();
    while !search.is_done() {
        for probe in search.ask(1).unwrap() {
            let left = probe.changes().unwrap().len();
            assert!(asked.insert(left), "{left} lines twice");
            search.tell(probe.id, if left >= 300 { Outcome::Pass } else { Outcome::Fail }.into()).unwrap();
        }
    }
    assert_eq!((search.report().kept.len(), search.report().guarantee), (300, Guarantee::OneMinimal));
}
