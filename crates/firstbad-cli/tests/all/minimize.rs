//! Tests of `firstbad minimize`.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::{Place, lines};

/// Passes if both lines are present.
const BOTH: [&str; 5] = ["--", "sh", "-c", "grep -q 'line 3' $0 && grep -q 'line 7' $0", "{}"];

#[test]
fn a_reduced_file_keeps_its_name() {
    let place = Place::new();
    place.write("input.txt", &lines(&[]));
    for (items, algorithm) in [("lines", "auto"), ("lines", "ddmin"), ("outline", "recursive"), ("outline", "ddmin")] {
        let how = ["minimize", "input.txt", "--items", items, "--algorithm", algorithm, "--jobs", "2"];
        let ended = place.run_in(&place.path(""), &[&how[..], &BOTH].concat()).exits(0);
        assert_eq!(ended.out, "line 3\nline 7\n", "{items} {algorithm}");
        assert!(items != "lines" || ended.err.contains("2 of 10 items are kept"), "{}", ended.err);
        assert!(ended.err.contains("lines       2 of 10 (20%)\n  bytes       14 of 70 (20%)"), "{}", ended.err);
    }
    let named =
        ["minimize", "input.txt", "-q", "--", "sh", "-c", "test $(basename $0) = input.txt && test $(ls | wc -l) = 1"];
    place.run_in(&place.path(""), &named).exits(0);
    let left = std::fs::read_dir(place.path("tmp"))
        .unwrap()
        .flat_map(|above| std::fs::read_dir(above.unwrap().path()).unwrap());
    assert_eq!(left.count(), 0, "folders are left behind");
}

#[test]
fn each_progress_line_contains_the_best_size() {
    let place = Place::new();
    place.write("input.txt", &lines(&[]));
    let how = ["minimize", "input.txt", "--items", "lines", "-o", "small.txt"];
    let ended = place.run_in(&place.path(""), &[&how[..], &BOTH].concat()).exits(0);
    let said: Vec<&str> = ended.err.lines().filter(|line| line.contains(" left (")).collect();
    assert!(said[0].starts_with("1 run, 70 bytes in 10 lines left (100%) after "), "{}", ended.err);
    assert!(said[0].contains(" s: 70 bytes (100%) passes (exit 0, "), "{}", ended.err);
    let mut best = 70;
    for line in said {
        let left = line.split(" bytes in ").next().unwrap().rsplit(' ').next().unwrap();
        let tested = line.split(": ").last().unwrap();
        let size: usize = tested.split(' ').next().unwrap().parse().unwrap();
        best = if tested.contains("passes") { best.min(size) } else { best };
        assert_eq!(left, best.to_string(), "{line}");
    }
    assert_eq!(best, 14);
    // The size of a patch is the number of its changes.
    place.commit("text", &lines(&[]), "Begin");
    place.commit("text", &lines(&[(1, "one"), (4, "a bug"), (8, "eight")]), "Tidy");
    let patch = ["minimize", "--from", "HEAD~1", "--to", "HEAD", "--", "sh", "-c", "! grep -q bug text"];
    let ended = place.run(&patch).exits(0);
    assert!(ended.err.starts_with("1 run, 6 of 6 changes left after "), "{}", ended.err);
    assert!(ended.err.contains(" runs, 2 of 6 changes left after "), "{}", ended.err);
}

#[test]
fn lines_are_removed_one_by_one_if_indentation_means_nothing() {
    let place = Place::new();
    place.write("log.txt", "INFO start\n  detail a\n    detail b\n  detail c\nINFO end\n");
    for options in [&["--items", "lines", "--one-minimal"][..], &["--items", "lines"], &[]] {
        let how = [&["minimize", "log.txt", "-q"], options, &["--", "grep", "-q", "detail b"]].concat();
        assert_eq!(place.run_in(&place.path(""), &how).exits(0).out.trim_start(), "detail b\n", "{options:?}");
    }
}

#[test]
fn unknown_revisions_are_named_as_given() {
    let place = Place::new();
    place.commit("file", "1\n", "A step");
    for (options, words) in [
        (["--from", "nope", "--to", "HEAD"], "error: --from: unknown revision \"nope\""),
        (["--from", "HEAD", "--to", "nope"], "error: --to: unknown revision \"nope\""),
    ] {
        let ended = place.run(&[&["minimize"], &options[..], &["--", "true"]].concat()).exits(2);
        assert!(ended.err.starts_with(words), "{}", ended.err);
    }
}

#[test]
fn bisect_log_format_is_refused_before_the_first_test() {
    let place = Place::new();
    place.commit("input.txt", &lines(&[]), "A step");
    for arguments in [&["minimize", "input.txt"][..], &["port"], &["slice", "--base", "HEAD~1"]] {
        let ended = place.run(&[arguments, &["--format=bisect-log", "--", "touch", "was-run"]].concat()).exits(2);
        assert!(ended.err.contains("--format: "), "{}", ended.err);
    }
    assert!(!place.path("was-run").exists());
}

#[test]
fn reduced_files_are_not_overwritten() {
    let place = Place::new();
    let [first, second] = [lines(&[]), "needle\nmore\n".to_owned()];
    place.write("input.txt", &first);
    place.write("other.txt", &second);
    place.write("out/place", "");
    std::os::unix::fs::symlink(place.path("input.txt"), place.path("link.txt")).unwrap();
    let found = ["--", "grep", "-q", "needle", "other.txt"];
    for (output, expected) in [
        (&["input.txt", "-o", "input.txt"][..], "another path than that of a reduced file"),
        (&["input.txt", "-o", "link.txt"], "another path than that of a reduced file"),
        (&["input.txt", "other.txt", "-o", "."], "another path than that of a reduced file"),
        (&["input.txt", "other.txt", "-o", "out/place"], "a folder for several files"),
        (&["input.txt", "-o", "out"], "a file, not a folder"),
        (&["input.txt", "-o", "none/file"], "a file in an existing folder"),
    ] {
        let ended = place.run_in(&place.path(""), &[&["minimize"], output, &found].concat()).exits(2);
        assert!(ended.err.contains("--output: ") && ended.err.contains(expected), "{}", ended.err);
    }
    assert_eq!([place.read("input.txt"), place.read("other.txt")], [first, second]);
    place
        .run_in(&place.path(""), &[&["minimize", "input.txt", "other.txt", "-o", "out"], &found[..]].concat())
        .exits(0);
    assert_eq!([place.read("out/input.txt"), place.read("out/other.txt")], ["", "needle\n"]);
}

#[test]
fn a_program_is_reduced_within_its_lines() {
    let place = Place::new();
    place.write("shop.c", "int vat(int price) {\n  if (price < 0) {\n    return round(price, 100);\n  }\n}\n");
    let how = ["minimize", "shop.c", "-q", "-o", "small.c", "--", "grep", "-q", "round("];
    place.run_in(&place.path(""), &how).exits(0);
    assert_eq!(place.read("small.c"), "return round();\n");
    place.run_in(&place.path(""), &[&how[..2], &["--fine"], &how[2..]].concat()).exits(0);
    assert_eq!(place.read("small.c"), "round()");
    let ended =
        place.run_in(&place.path(""), &["minimize", "shop.c", "--fine", "--items", "lines", "--", "true"]).exits(2);
    assert!(ended.err.contains("--fine"), "{}", ended.err);
}

#[test]
fn several_files_are_reduced_together_and_keep_their_names() {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    place.write("main.txt", "use helper\nother\ncall helper\n");
    place.write("lib/part.txt", "helper {\n  first\n  second\n}\nunused\n");
    let test = "grep -q 'call h' main.txt && grep -q second $0/lib/part.txt && grep -q '^[^ ]* {' lib/part.txt";
    let how = ["minimize", "main.txt", "lib/part.txt", "-q", "-o", "small", "--", "sh", "-c", test];
    place.run_in(&place.path(""), &how).exits(0);
    assert_eq!(place.read("small/main.txt"), "call helper\n");
    assert_eq!(place.read("small/lib/part.txt"), "helper {\n  second\n");
    assert_eq!(place.read("main.txt"), "use helper\nother\ncall helper\n", "the files themselves stay");
    let shown = |form: &str| place.run_in(&place.path(""), &[&how[..3], &[form], &how[4..]].concat()).exits(0);
    let reduced = shown("--json").json()["reduced"].take();
    let main = serde_json::json!({"name": "main.txt", "text": "call helper\n", "sizes": [29, 12], "lines": [3, 1]});
    assert_eq!((&reduced["files"][0], &reduced["files"][1]["name"]), (&main, &"lib/part.txt".into()));
    assert!(reduced["text"].is_null(), "it is that of no file");
    let markdown = shown("--format=markdown").out;
    let part = "  - `lib/part.txt`: 2 of 5 lines, 18 of 35 bytes\n";
    assert!(markdown.contains(part), "{markdown}");
    let blocks = "\n`main.txt`\n\n```\ncall helper\n```\n\n`lib/part.txt`\n\n```\nhelper {\n  second\n```\n";
    assert!(markdown.contains(blocks), "{markdown}");
    assert!(
        shown("-q")
            .out
            .contains("\n  files       main.txt: 1 of 3 lines, 12 of 29 bytes\n              lib/part.txt: 2")
    );
    place.write("empty.txt", "");
    place.write("list.json", "[]");
    for (options, words) in [
        (vec!["main.txt", "lib/part.txt"], "--output is missing\nhelp: give a folder"),
        (vec!["empty.txt"], "FILE: \"empty.txt\" is not valid; expected a file that is not empty"),
        (vec!["list.json", "--items", "json"], "FILE: one without items is not valid; expected something to reduce"),
        (vec!["main.txt", "lib/part.txt", "-o", "small", "--items", "lines"], "one file, or --items outline"),
        (vec!["main.txt", "./main.txt", "-o", "small"], "each file once"),
        (vec!["main.txt", "lib/part.txt", "-o", "small", "--language", "json"], "file 1 of 2 does not parse as JSON"),
    ] {
        let ended = place.run_in(&place.path(""), &[&["minimize"], &options[..], &["--", "true"]].concat()).exits(2);
        assert!(ended.err.contains(words), "{}", ended.err);
    }
}

#[test]
fn too_large_files_are_refused() {
    let place = Place::new();
    std::fs::File::create(place.path("large.txt")).unwrap().set_len((1 << 28) + 1).unwrap();
    let ended = place.run_in(&place.path(""), &["minimize", "large.txt", "--", "true"]);
    let words = "reading large.txt: it has more than 268435456 bytes";
    assert!(ended.err.contains(words), "{}", ended.err);
}

#[test]
fn a_reduction_keeps_the_same_failure() {
    let place = Place::new();
    place.write("input.txt", "zero\none\ntwo\nthree\n");
    // Without its first line, the file fails in another way.
    let test = "grep -q zero $0 || { echo 'error: no zero'; exit 1; }; grep -q two $0 && { echo 'error: two'; exit 1; }; exit 0";
    let how = ["minimize", "input.txt", "-q", "--items", "lines", "--keep", "fail", "--", "sh", "-c", test, "{}"];
    let ended = place.run_in(&place.path(""), &how).exits(0);
    assert_eq!(ended.out, "zero\ntwo\n");
    let ended = place.run_in(&place.path(""), &[&how[..2], &how[3..]].concat()).exits(0);
    let other = |bytes: u32| format!(": {bytes} bytes ({:.0}%) fails", f64::from(bytes) / 0.19);
    assert!(ended.err.contains(&format!("{} in another way (exit 1, ", other(4))), "{}", ended.err);
    assert!(ended.err.contains(&format!("{} (exit 1, ", other(9))), "{}", ended.err);
}

#[test]
fn candidates_that_do_not_parse_are_not_run() {
    let place = Place::new();
    place.write("calls.py", "total = first(1) + second(2) * third(3)\nif total:\n    print(first, [second, third])\n");
    let runs = |options: &[&str]| {
        std::fs::write(place.path("runs"), "").unwrap();
        let test = format!("echo run >> {}; grep -q 'd(.*[*] t' $0", place.path("runs").display());
        let how = ["minimize", "calls.py", "-q", "--fine", "-o", "small.py"];
        place.run_in(&place.path(""), &[&how[..], options, &["--", "sh", "-c", &test, "{}"]].concat()).exits(0);
        (place.read("small.py"), place.read("runs").lines().count())
    };
    let (by_name, with) = runs(&[]);
    let (any, without) = runs(&["--language", "none"]);
    assert_eq!((by_name.as_str(), any.as_str()), ("second() * third", "second() * third"));
    assert!(with < without, "{with} runs of {without}");
    place.write("broken.py", "def f(x:\n");
    place.run_in(&place.path(""), &["minimize", "broken.py", "-q", "--", "true"]).exits(0);
    let refused = |file: &str, language: &str| {
        place.run_in(&place.path(""), &["minimize", file, "--language", language, "--", "true"]).exits(2).err
    };
    assert!(
        refused("broken.py", "python")
            .ends_with("another language, or none, because the text does not parse as Python\n")
    );
    assert!(refused("calls.py", "perl").contains("one of python, javascript"), "{}", refused("calls.py", "perl"));
}

#[test]
fn the_best_result_is_written_during_the_reduction() {
    let place = Place::new();
    place.write("input.txt", &lines(&[]));
    // The test checks that the written file is never larger than the candidate.
    let test = "cp small.txt seen.$$ 2>/dev/null; grep -q 'line 3' $0";
    let script = test.replace("small.txt", place.path("small.txt").to_str().unwrap());
    let script = script.replace("seen.$$", &format!("{}/seen.$$", place.path("").display()));
    let how = ["minimize", "input.txt", "-q", "--items", "lines", "-o", "small.txt", "--", "sh", "-c", &script, "{}"];
    place.run_in(&place.path(""), &how).exits(0);
    let seen = std::fs::read_dir(place.path("")).unwrap().filter_map(Result::ok);
    let seen = seen.filter(|file| file.file_name().to_string_lossy().starts_with("seen."));
    assert!(seen.count() > 2, "it was not written before the end");
}

#[test]
fn characters_and_arrays() {
    let place = Place::new();
    place.write("word", "a (b) [c]");
    let ended = place
        .run_in(&place.path(""), &["minimize", "word", "-q", "--items", "characters", "--", "grep", "-q", "(.*\\["]);
    assert_eq!(ended.exits(0).out, "([");
    place.write("list.json", "[1.50, {\"b\": 1,  \"a\": 2}, \"x\", null]");
    let ended = place.run_in(
        &place.path(""),
        &["minimize", "list.json", "-q", "--items", "json", "--", "grep", "-q", "\"b\": 1,  "],
    );
    assert_eq!(ended.exits(0).out, "[{\"b\": 1,  \"a\": 2}]\n");
    let how = ["minimize", "list.json", "-q", "--items", "json", "-o", "small", "--", "grep", "-q", "1.50"];
    let said = place.run_in(&place.path(""), &how).exits(0).out;
    assert!(said.contains("\n  bytes") && !said.contains("\n  lines"), "the layout is not the file's: {said}");
    place.write("object.json", "{}");
    let ended = place.run_in(&place.path(""), &["minimize", "object.json", "--items", "json", "--", "true"]).exits(2);
    assert!(ended.err.contains("a JSON array"), "{}", ended.err);
}

#[test]
fn the_output_is_shown_if_the_file_is_not_reproduced() {
    let place = Place::new();
    place.write("input.txt", "x\n");
    let test =
        ["minimize", "input.txt", "-q", "-o", "small.txt", "--", "sh", "-c", "printf 'no luck \\033[2J\\n'; exit 3"];
    let ended = place.run_in(&place.path(""), &test).exits(11);
    let words = "The property does not hold for the whole text, so there is nothing to reduce\n";
    assert!(ended.out.starts_with(words), "{}", ended.out);
    assert!(
        ended.err.contains("fail (exit code 3)") && ended.err.contains("    | no luck \u{fffd}[2J"),
        "{}",
        ended.err
    );
    assert!(!place.path("small.txt").exists());
    let ended = place.run_in(&place.path(""), &["minimize", "input.txt", "-q", "--", "no-such-program"]).exits(15);
    assert_eq!(ended.out, "", "nothing was seen of it");
    for option in ["--environment", "--setup", "--build", "--copy", "--apply"] {
        let ended =
            place.run_in(&place.path(""), &["minimize", "input.txt", option, "input.txt", "--", "true"]).exits(2);
        assert!(ended.err.contains(option), "{}", ended.err);
    }
    place.run_in(&place.path(""), &["minimize", "--", "true"]).exits(2);
}

#[test]
fn files_named_by_the_command_are_found() {
    let place = Place::new();
    place.write("input.txt", "alpha\nbeta\n");
    place.write(
        "check.sh",
        ". \"$(dirname \"$0\")/words\"; ! grep -q \"$WORD\" \"$1\" || { echo error: bad; exit 1; }\n",
    );
    place.write("words", "WORD=beta\n");
    let reduce = |how: &[&str]| place.run_in(&place.path(""), &[&["minimize", "input.txt", "-q"], how].concat());
    let ended = reduce(&["--keep", "fail", "--", "sh", "check.sh"]).exits(0);
    assert_eq!((ended.out.as_str(), ended.err.lines().count()), ("beta\n", 0), "{}", ended.err);
    for name in ["input.txt", "./input.txt"] {
        assert_eq!(reduce(&["--", "grep", "-q", "beta", name]).exits(0).out, "beta\n");
    }
    // Words that may be no path, and lines for a shell, stay unchanged.
    let said = |file: &str| {
        let whole = std::fs::canonicalize(place.path(file)).unwrap();
        format!("runs in another folder, for the file {file} in this folder use {}\n", whole.display())
    };
    place.write("beta", "");
    let ended = reduce(&["--", "grep", "-q", "beta"]).exits(0);
    assert!(ended.out == "beta\n" && ended.err.ends_with(&said("beta")), "{}", ended.err);
    let ended = reduce(&["--keep", "fail", "--", "sh", "-c", "sh check.sh $0; cat input.txt"]);
    assert!(ended.err.contains(&said("check.sh")) && !ended.err.contains("input.txt"), "{}", ended.err);
}

#[test]
fn a_changed_test_starts_a_new_reduction() {
    let place = Place::new();
    place.write("input.txt", &lines(&[]));
    let test = |line: u8| place.write("check.sh", &format!("grep -q 'line {line}' $1\n"));
    let line = format!("sh {0}/check.sh $0 2>>{0}/log", place.path("").display());
    for (name, words) in [("words", &["sh", "check.sh"][..]), ("line", &["sh", "-c", &line])] {
        let reduce = |options: &[&str]| {
            place.run_in(&place.path(""), &[&["minimize", "input.txt", "-q"], options, &["--"], words].concat())
        };
        let kept = place.path(&format!("{name}.jsonl"));
        let journal = ["--journal", kept.to_str().unwrap()];
        let few = ["--max-runs", "3"];
        test(3);
        reduce(&few).exits(14);
        reduce(&[&few[..], &journal].concat()).exits(14);
        let same = reduce(&few).exits(14);
        assert!(same.err.contains("resuming"), "{}", same.err);
        test(7);
        place.write("log", "what a test writes is not read\n");
        let ended = reduce(&journal).exits(1);
        assert!(
            ended.err.contains("was recorded with another test. Its files") && ended.err.contains("check.sh"),
            "{}",
            ended.err
        );
        let ended = reduce(&[]).exits(0);
        assert_eq!(ended.out, "line 7\n");
        assert!(ended.err.contains("because the test's files have changed") && !ended.err.contains("going on"));
    }
}

#[test]
fn a_limit_keeps_the_best_result_and_the_journal_resumes() {
    let place = Place::new();
    place.write("input.txt", &lines(&[]));
    let with = |options: &[&str]| {
        let how =
            ["minimize", "input.txt", "-q", "--items", "lines", "--journal", "run.jsonl", "-o", "small.txt", "--json"];
        place.run_in(&place.path(""), &[&how[..], options, &BOTH].concat())
    };
    let first = with(&["--max-runs", "4"]).exits(14).json();
    assert_eq!((&first["runs"], &first["guarantee"]), (&4.into(), &"best so far".into()));
    let best = place.read("small.txt");
    assert!(best.contains("line 3\n") && best.contains("line 7\n") && best.lines().count() <= 10);
    assert_eq!(first["reduced"]["text"], best);
    // A journal does not contain the file, so another command cannot resume it.
    let text = place.run(&["report", place.path("run.jsonl").to_str().unwrap()]).exits(14).out;
    assert!(
        text.contains("run the same command with its --journal again to resume") && !text.contains("firstbad run"),
        "{text}"
    );
    place.run_in(&place.path(""), &["minimize", "input.txt", "--resume", "--", "true"]).exits(2);
    let second = with(&[]).exits(0).json();
    assert_eq!(place.read("small.txt"), "line 3\nline 7\n");
    assert_eq!(second["reduced"]["sizes"], serde_json::json!([70, 14]));
    assert!(second["runs"].as_u64() > Some(4));
    place.write("input.txt", &lines(&[(1, "other")]));
    let ended = with(&[]).exits(1);
    assert!(ended.err.contains("It is about another text"), "{}", ended.err);
    let of_text = |text: &str| {
        place.write("text.txt", text);
        let how = ["minimize", "text.txt", "-q", "--journal", "text.jsonl", "--", "grep", "-q", "b"];
        place.run_in(&place.path(""), &how)
    };
    of_text("a\nb\n").exits(0);
    for (other, words) in [
        ("c\nb\n", "search. It is about another text with 2 pieces\nhelp: use another journal"),
        ("a\n(b, 1)\n", "search. It is about another text, with 2 pieces instead of 4\nhelp: use another journal"),
    ] {
        let ended = of_text(other).exits(1);
        assert!(ended.err.contains(words) && ended.err.contains("text.jsonl: it belongs to another"), "{}", ended.err);
    }
}

#[test]
fn the_same_command_resumes_a_reduction() {
    let place = Place::new();
    place.write("input.txt", &lines(&[]));
    place.write("other.txt", &lines(&[]));
    let reduce = |file: &str, options: &[&str]| {
        let how = ["minimize", file, "--items", "lines", "--json"];
        place.run_in(&place.path(""), &[&how[..], options, &BOTH].concat())
    };
    assert!(place.run_in(&place.path(""), &["report"]).exits(2).err.contains("no run was started in this folder"));
    let first = reduce("input.txt", &["--max-runs", "4"]).exits(14);
    assert!(first.err.contains("to resume, run the same command again"), "{}", first.err);
    let text = place.run_in(&place.path(""), &["report"]).exits(14).out;
    assert!(text.contains("run the same command again to resume"), "{text}");
    // The report says how to resume, so no note follows.
    let how = ["minimize", "other.txt", "-q", "-o", "small", "--max-runs", "3", "--", "sh", "-c", "grep -q . $0"];
    let ended = place.run_in(&place.path(""), &how).exits(14);
    assert!(
        ended.out.contains("run the same command again to resume") && !ended.err.contains("to go on"),
        "{}",
        ended.err
    );
    let ended = place.run_in(&place.path(""), &[&how[..3], &["--max-runs", "2"], &how[7..]].concat()).exits(14);
    assert!(ended.err.contains("to resume, run the same command again"), "{}", ended.err);
    assert_eq!(reduce("other.txt", &["--max-runs", "2"]).exits(14).json()["runs"], 2);
    assert!(!reduce("input.txt", &["--algorithm", "ddmin"]).exits(0).err.contains("going on"));
    let second = reduce("input.txt", &[]).exits(0);
    assert!(second.err.contains("after 4 runs"), "{}", second.err);
    let runs = second.json()["runs"].as_u64().unwrap();
    assert!(runs > 4);
    let steps = place.run_in(&place.path(""), &["replay"]).exits(0).out;
    assert!(steps.contains(&format!("found after {runs} runs")), "{steps}");
    // A finished reduction starts again.
    let third = reduce("input.txt", &[]).exits(0);
    assert!(!third.err.contains("going on"), "{}", third.err);
    assert_eq!(third.json()["runs"], runs);
    let shown = place.run_in(&place.path(""), &["explain"]).exits(2);
    assert!(shown.err.contains("no run was started in this folder"), "it is about no history: {}", shown.err);
}

#[test]
fn a_signal_keeps_the_best_result() {
    let place = Place::new();
    place.write("input.txt", &lines(&[]));
    // One run sends the signal once. A second signal would exit at once.
    let test = "grep -q 'line 3' $0 && grep -q 'line 7' $0 || exit 1; echo >> $1; test $(wc -l < $1) -ne 3 || kill -INT $(cat /proc/$$/status | sed -n 's/^PPid:\\t//p')";
    let runs = place.path("runs");
    let how = ["minimize", "input.txt", "-q", "--items", "lines", "-o", "small.txt", "--", "sh", "-c", test, "{}"];
    let ended = place.run_in(&place.path(""), &[&how[..], &[runs.to_str().unwrap()]].concat());
    assert_eq!(ended.code, 130, "{}", ended.err);
    let best = place.read("small.txt");
    assert!(best.contains("line 3\n") && best.contains("line 7\n") && best.lines().count() < 10, "{best}");
}

#[test]
fn the_next_run_cleans_up_after_a_killed_run() {
    let place = Place::new();
    place.write("input.txt", &lines(&[]));
    let killing = ["--", "sh", "-c", "kill -KILL $(cat /proc/$$/status | sed -n 's/^PPid:\\t//p')"];
    place.run_in(&place.path(""), &[&["minimize", "input.txt", "-q"], &killing[..]].concat());
    let left = || {
        let above = std::fs::read_dir(place.path("tmp")).unwrap().map(|folder| folder.unwrap().path());
        above.flat_map(|above| std::fs::read_dir(above).unwrap()).count()
    };
    assert!(left() > 0);
    place.run_in(&place.path(""), &["minimize", "input.txt", "-q", "--", "true"]).exits(0);
    assert_eq!(left(), 0);
}

#[test]
fn a_command_that_cannot_be_started_is_named() {
    let place = Place::new();
    place.write("input.txt", "a\n");
    place.write("folder/input.txt", "a\n");
    let ended = place.run_in(&place.path(""), &["minimize", "input.txt", "--", "./nosuch", "x"]).exits(15);
    let said = ended.err.replace(&*place.path("").to_string_lossy(), "");
    assert!(said.contains("error: command not found: "), "{said}");
    assert!(said.contains("nosuch: No such file or directory (os error 2)") && !said.contains("run 1"), "{said}");
    let ended = place.run_in(&place.path(""), &["minimize", "folder", "--", "true"]).exits(2);
    assert!(ended.err.contains("FILE: \"folder\" is not valid; expected files"), "{}", ended.err);
}

#[test]
fn files_with_the_same_name_keep_their_folders() {
    let place = Place::new();
    place.write("one/input.txt", "a\n");
    place.write("two/input.txt", "b\n");
    let other = place.path("two/input.txt");
    let test = ["-o", "small", "--", "sh", "-c", "grep -q a $0/one/input.txt && grep -q b $0/two/input.txt"];
    let how = [&["minimize", "-q", "one/input.txt", other.to_str().unwrap()], &test[..]].concat();
    place.run_in(&place.path(""), &how).exits(0);
    assert_eq!((place.read("small/one/input.txt"), place.read("small/two/input.txt")), ("a\n".into(), "b\n".into()));
    let same = place.path("one/input.txt");
    let how = [&["minimize", "-q", "one/input.txt", same.to_str().unwrap()], &test[..]].concat();
    let ended = place.run_in(&place.path(""), &how).exits(2);
    assert!(ended.err.contains("FILE: ") && ended.err.contains("each file once"), "{}", ended.err);
}

#[test]
fn a_reduced_patch_keeps_the_relevant_changes() {
    let place = Place::new();
    place.commit("text", &lines(&[]), "Begin");
    place.commit("text", &lines(&[(1, "one"), (4, "a bug"), (8, "eight")]), "Tidy");
    let test = ["--", "sh", "-c", "! grep -q bug text"];
    let between = ["minimize", "-q", "--from", "HEAD~1", "--to", "HEAD", "--jobs", "2"];
    let ended = place.run(&[&between[..], &test].concat()).exits(0);
    assert!(ended.out.starts_with("diff --git a/text b/text\n") && ended.out.contains("\n+a bug\n"), "{}", ended.out);
    assert!(!ended.out.contains("eight"), "{}", ended.out);
    // The same patch as a file.
    place.write("whole.diff", &(place.git(&["diff", "HEAD~1", "HEAD"]) + "\n"));
    let file = ["minimize", "-q", "--patch", "../whole.diff", "--from", "HEAD~1"];
    assert_eq!(place.run(&[&file[..], &test].concat()).exits(0).out, ended.out);
    // The replaced line stays with the bug.
    for (granularity, kept) in [("lines", 1), ("edits", 2), ("files", 6)] {
        let finely = ["--granularity", granularity, "--json"];
        let found = place.run(&[&between[..], &finely, &test].concat()).exits(0).json();
        assert_eq!(found["kept"].as_array().map(Vec::len), Some(kept), "{granularity}: {found}");
    }
    let of_a_file = ["minimize", "-q", "text", "--granularity", "edits"];
    let ended = place.run(&[&of_a_file[..], &test].concat()).exits(2);
    assert!(ended.err.contains("--granularity") && ended.err.contains("cannot be used with"), "{}", ended.err);
    let markdown = place.run(&[&between[..], &["--format=markdown"], &test].concat()).exits(0).out;
    assert!(markdown.contains("\n```diff\n") && markdown.contains("**bytes**"), "{markdown}");
    // The patch does not fail, so the output is shown.
    let ended = place.run(&[&between[..], &["--", "sh", "-c", "echo all is well"]].concat()).exits(11);
    assert!(ended.err.contains("pass (exit code 0") && ended.err.contains("    | all is well"), "{}", ended.err);
    place.run(&["minimize", "--from", "HEAD", "--", "true"]).exits(2);
}

/// Python and Node have the same test on the same file.
#[test]
fn a_conflict_is_the_same_observation_everywhere() {
    let case: serde_json::Value = serde_json::from_str(include_str!("../../../../tests/patch_conflict.json")).unwrap();
    let place = Place::new();
    place.commit(case["file"].as_str().unwrap(), case["content"].as_str().unwrap(), "One");
    place.write("whole.diff", case["patch"].as_str().unwrap());
    let how =
        ["minimize", "-q", "--patch", "../whole.diff", "--from", "HEAD", "--journal", "../run.jsonl", "--", "false"];
    let ended = place.run(&how).exits(11);
    assert!(ended.err.contains(case["observation"]["note"].as_str().unwrap()), "{}", ended.err);
    let journal = place.read("run.jsonl");
    let told = journal.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let told: Vec<_> = told.filter(|line| line["event"] == "told").map(|line| line["observation"].clone()).collect();
    assert_eq!(told, [case["observation"].clone()]);
}

/// A patch of another repository that has a file of the same name.
#[test]
fn a_patch_removes_no_file_of_the_user() {
    let place = Place::new();
    let mine = place.path("mine");
    place.write("mine", "x\n");
    let name = mine.to_str().unwrap();
    place.commit(&name[1..], "x\n", "Begin");
    place.write(
        "evil.diff",
        &format!(
            "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n\
             diff --git {name} {name}\ndeleted file mode 100644\n--- {name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        ),
    );
    let ended = place.run(&["minimize", "-q", "--patch", "../evil.diff", "--", "false"]).exits(2);
    assert!(ended.err.contains("patch, line 7: the name") && ended.err.contains("is absolute"), "{}", ended.err);
    assert!(mine.exists());
}

#[test]
fn errors_print_no_control_sequences() {
    let place = Place::new();
    let ended = place.run_in(&place.path(""), &["minimize", "no\u{1b}[2Jfile", "--", "true"]).exits(1);
    assert!(ended.err.contains("no\\u{1b}[2Jfile") && !ended.err.contains('\u{1b}'), "{}", ended.err);
}

#[test]
fn long_output_is_kept_short() {
    let place = Place::new();
    place.write("input.txt", "a\n");
    let script = "echo first; head -c 100000 /dev/zero | tr '\\0' x; echo last";
    let head = format!("{script}; exit 1");
    place.commit("a", "1\n", "One");
    place.configure("output-limit = 4096");
    let test = ["--good", "HEAD", "--bad", "HEAD~0", "--output-dir", "../out", "--", "sh", "-c", &head];
    place.run(&[&["run", "-q"][..], &test].concat());
    for log in std::fs::read_dir(place.path("out")).unwrap() {
        let text = std::fs::read_to_string(log.unwrap().path()).unwrap();
        assert!(text.len() < 6000 && text.starts_with("first\n") && text.ends_with("xlast\n"), "{text}");
    }
}

/// Another user can create a folder among the temporary files.
#[test]
fn a_temporary_folder_with_open_permissions_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.write("input.txt", "a\n");
    let reduce = ["minimize", "input.txt", "-q", "--", "true"];
    place.run_in(&place.path(""), &reduce).exits(0);
    let folder = std::fs::read_dir(place.path("tmp")).unwrap().next().unwrap().unwrap().path();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    let ended = place.run_in(&place.path(""), &reduce).exits(1);
    assert!(ended.err.contains("other users can write to it\nhelp: set TMPDIR"), "{}", ended.err);
    std::fs::remove_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(place.path(""), &folder).unwrap();
    place.run_in(&place.path(""), &reduce).exits(1);
}
