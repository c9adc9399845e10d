//! Tests of completions and manual pages.

use std::process::Command;

use crate::support::Place;

/// Returns the completions of bash for the last word.
fn offered(script: &str, words: &[&str]) -> Vec<String> {
    let (place, last) = (words.len() - 1, words[words.len() - 1]);
    let before = if place == 0 { "" } else { words[place - 1] };
    let program = format!(
        "{script}\nCOMP_WORDS=({}); COMP_CWORD={place}; _firstbad firstbad '{last}' '{before}'; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
    );
    let output = Command::new("bash").args(["--norc", "-c", &program]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let script = Place::new().run(&["completions", "bash"]).exits(0).out;
    assert_eq!(offered(&script, &["firstbad", "re"]), ["report", "replay"]);
    assert_eq!(offered(&script, &["firstbad", "run", "--max"]), ["--max-runs", "--max-time"]);
    assert_eq!(offered(&script, &["firstbad", "run", "--prior", ""]), ["changes", "uniform"]);
    let stages = offered(&script, &["firstbad", "run", "--stage"]).concat();
    assert!(stages.is_empty(), "the option is only in firstbad.toml: {stages}");
}

#[test]
fn completions_contain_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.run(&["completions", shell]).exits(0).out;
        assert!(["run", "slice", "max-runs"].iter().all(|word| script.contains(word)), "{shell}");
    }
    assert!(place.run(&["completions", "csh"]).exits(2).err.contains("powershell"));
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let place = Place::new();
    let page = place.run(&["man"]).exits(0).out;
    assert!(page.contains(".TH firstbad 1") && page.contains("firstbad\\-slice(1)"));
    place.run(&["man", "-o", "deep/man1"]).exits(0);
    assert_eq!(place.read("repo/deep/man1/firstbad.1"), page);
    let of_run = place.read("repo/deep/man1/firstbad-run.1");
    assert!(of_run.contains(".TH firstbad-run 1") && of_run.contains("\\-\\-max\\-runs"));
    assert_eq!(place.run(&["man", "run"]).exits(0).out, of_run);
    let refused = place.run(&["man", "rum"]).exits(2).err;
    assert!(
        refused.contains("COMMAND: \"rum\" is not valid; expected one of ") && refused.contains(" run, "),
        "{refused}"
    );
    place.write("repo/file", "");
    assert!(place.run(&["man", "--output", "file"]).exits(1).err.contains("writing manual pages to file"));
}
