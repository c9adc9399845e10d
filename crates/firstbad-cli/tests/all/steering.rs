//! Names of a repository contain control sequences, which must not reach a terminal or a CI service.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::{Ended, Place, lines};

/// A line with escape sequences, direction marks, and a workflow command.
const EVIL: &str = "\u{1b}[31m\u{9b}2J\u{202e}\u{200b}\u{7f}##[error]";

/// Lines with workflow commands.
fn evil_lines(word: &str) -> String {
    format!("{EVIL}\n::error::{word}\n \u{a0}::set-output name=x::y\r{word}")
}

/// Checks both streams. `commands` allows the commands of the result.
fn harmless(ended: &Ended, words: &str, commands: bool) {
    for (name, text) in [("stdout", &ended.out), ("stderr", &ended.err)] {
        let steers = |c: char| {
            c.is_control() && !"\n\t".contains(c)
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        };
        assert!(!text.contains(steers) && !text.contains("##["), "{words}: {name}: {text:?}");
        let ours = |line: &str| {
            commands
                && name == "stdout"
                && ["::error ", "::warning ", "::notice "].iter().any(|start| line.starts_with(start))
        };
        let mut told = text.lines().filter(|line| line.trim_start().starts_with("::"));
        assert!(told.all(ours), "{words}: {name}: {text:?}");
    }
}

/// A history with hostile names whose third commit breaks the test.
fn history() -> (Place, String) {
    let place = Place::new();
    let file = format!("src/{}.py", evil_lines("path"));
    place.commit(&file, &lines(&[]), "Begin");
    place.git(&["tag", "good"]);
    place.commit("other", "1\n", "Other");
    let author = format!("user.name=A{EVIL}{}", "u".repeat(300));
    place.write(&format!("repo/{file}"), &lines(&[(4, "bug"), (8, "::error::line 8"), (9, EVIL)]));
    place.git(&["add", "-A"]);
    let subject = format!("::error::subject{EVIL}{}", "s".repeat(300));
    place.git(&["-c", &author, "commit", "-q", "-m", &subject]);
    let culprit = place.git(&["rev-parse", "HEAD"]);
    place.commit("other", "2\n", "After");
    place.git(&["branch", "-m", "main\u{9b}2J\u{202e}"]);
    (place, culprit)
}

#[test]
fn texts_of_a_repository_are_escaped() {
    let (place, culprit) = history();
    let printed = evil_lines("printed");
    place.write("printed", &printed);
    let script = format!("cat '{}' >&2; ! grep -rq bug src", place.path("printed").display());
    let test = ["--", "sh", "-c", &script];
    let run = |words: &[&str], more: &[&str]| {
        let ended = place.run(&[words, more].concat());
        harmless(&ended, &words.join(" "), words.contains(&"--format=github"));
        ended
    };
    let found = run(&["run", "--good", "good", "--bad", "HEAD", "--journal", "../run.jsonl"], &test).exits(0);
    assert!(
        found.err.contains("::error::subject") && found.out.contains("::error::subject"),
        "{}\n{}",
        found.err,
        found.out
    );
    assert!(!found.out.contains(&"s".repeat(250)) && !found.out.contains(&"u".repeat(250)), "{}", found.out);
    run(&["explain", "../run.jsonl"], &[]).exits(0);
    for form in
        ["--json", "--format=markdown", "--format=github", "--format=gitlab", "--format=bisect-log", "--format=html"]
    {
        run(&["report", "../run.jsonl", form], &[]).exits(0);
    }
    // JSON is unchanged.
    let json = run(&["report", "../run.jsonl", "--json"], &[]).json();
    assert!(json["commits"][&culprit]["subject"].as_str().unwrap().starts_with(&format!("::error::subject{EVIL}")));
    for command in ["status", "replay"] {
        for form in [&[][..], &["--json"]] {
            run(&[command, "../run.jsonl"], form).exits(0);
        }
    }
    run(&["rank", "--good", "good", "--bad", "HEAD"], &[]);
    run(&["rank", "--good", "good", "--bad", "HEAD", "--json"], &[]);
    run(&["slice", "--base", "good"], &["--", "sh", "-c", "grep -rq bug src"]).exits(0);
    run(&["port", "--start", "HEAD", "--good", "good"], &test);
    run(&["run", "--good", "good", "--bad", "HEAD", "--fail-pattern", &printed], &test);
    run(&["run", "--good", &printed, "--bad", "HEAD"], &test);
    run(&["run", &format!("--{printed}")], &test);
    run(&["report", &printed], &[]).exits(1);
}

#[test]
fn the_path_of_a_submodule_reaches_a_terminal_escaped() {
    let place = Place::new();
    let path = format!("sub{EVIL}");
    for number in 0..3 {
        place.write("repo/.gitmodules", &format!("[submodule \"s\"]\n\tpath = \"{path}\"\n\turl = ext::x\n"));
        place.write("repo/f", &number.to_string());
        place.git(&["add", ".gitmodules", "f"]);
        place.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},{path}", "12".repeat(20))]);
        place.git(&["commit", "-q", "-m", "c"]);
    }
    place.configure("submodules = true");
    let ended = place.run(&["run", "--good", "HEAD~2", "--bad", "HEAD", "--journal", "../run.jsonl", "--", "true"]);
    assert!(ended.err.contains("sub\\u{1b}[31m"), "{}", ended.err);
    harmless(&ended, "run", false);
    for form in ["--json", "--format=markdown", "--format=html"] {
        harmless(&place.run(&["report", "../run.jsonl", form]), form, false);
    }
}

#[test]
fn a_journal_from_elsewhere_prints_no_control_sequences() {
    let place = Place::new();
    let id = evil_lines("id");
    let configuration = serde_json::json!({"bad": [format!("{id}2")], "good": [format!("{id}0")]});
    let header = serde_json::json!({
        "journal": 1, "id": id, "created": 0.0, "algorithm": "regression", "configuration": configuration, "fingerprint": id,
        "world": {"graph": {"file": "g.gz", "revisions": 3}}, "test": {"command": ["sh", "-c", id]},
    });
    let told = |probe: usize, outcome: &str| {
        let asked = serde_json::json!({"event": "asked", "id": probe, "revision": format!("{id}{}", [2, 0, 1][probe]), "at": 1.0});
        let observation = serde_json::json!({"outcome": outcome, "note": id, "signature": id});
        format!(
            "{asked}\n{}\n",
            serde_json::json!({"event": "told", "id": probe, "observation": observation, "at": 2.0})
        )
    };
    place.write("run.jsonl", &format!("{header}\n{}{}{}", told(0, "fail"), told(1, "pass"), told(2, "fail")));
    let line = |number: usize| {
        let parents: Vec<String> = number.checked_sub(1).map(|parent| format!("{id}{parent}")).into_iter().collect();
        format!("{}\n", serde_json::json!([format!("{id}{number}"), parents, null]))
    };
    let graph = (0..3).map(line).collect::<String>();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, graph.as_bytes()).unwrap();
    std::fs::write(place.path("g.gz"), packed.finish().unwrap()).unwrap();
    for command in
        [&["status"][..], &["replay"], &["report"], &["report", "--format=markdown"], &["report", "--format=github"]]
    {
        let ended = place.run(&[command, &["../run.jsonl"]].concat());
        assert!(ended.out.contains("error::id"), "{command:?}: {}\n{}", ended.out, ended.err);
        harmless(&ended, &command.join(" "), command.contains(&"--format=github"));
    }
    harmless(&place.run(&["run", "--journal", "../run.jsonl"]).exits(1), "run", false);
}
