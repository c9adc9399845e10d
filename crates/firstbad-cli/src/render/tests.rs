//! Answers as they look, with subjects that mean no good.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use firstbad::{Observation, Outcome, Search as _};
use firstbad_git::{GraphOptions, Repository};
use firstbad_journal::Session;

use super::*;

/// What a commit may be called, by somebody who knows where it will be read.
const NASTY: &str =
    "Fix `it` | <img src=x onerror=alert(1)> [a](javascript:b) @everyone #1 ::error::\u{1b}[2J ##[add-path]/tmp %0A*x*";

fn git(folder: &Path, arguments: &[&str]) -> String {
    let who = ["-c", "user.name=A | B `<b>` @all", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"];
    let output = Command::new("git").args(who).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Six commits on a line with one side branch; the fourth breaks it, and the third cannot be tested if `hole`.
fn answered(hole: bool) -> (tempfile::TempDir, Summary) {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q", "-b", "main"]);
    let mut shas = Vec::new();
    for number in 0..6 {
        let subject = if number == 3 { NASTY.to_owned() } else { format!("Commit {number}") };
        git(folder.path(), &["commit", "-q", "--allow-empty", "-m", &subject]);
        shas.push(git(folder.path(), &["rev-parse", "HEAD"]));
    }
    git(folder.path(), &["branch", "old", &shas[1]]);
    git(folder.path(), &["branch", "side|x", &shas[4]]);
    let repository = Repository::open(folder.path()).unwrap();
    let tips = vec!["main".to_owned(), "side|x".to_owned(), "old".to_owned()];
    let graph = repository.graph(&GraphOptions { tips: tips.clone(), ..GraphOptions::default() }).unwrap();
    let configuration = serde_json::json!({"bad": tips, "good": [shas[0]], "verify_ends": true});
    let mut session = Session::new(firstbad::open("regression", Arc::new(graph), &configuration).unwrap());
    while let Some(probe) = session.ask(1).unwrap().pop() {
        let place = shas.iter().position(|sha| sha == probe.revision()).unwrap();
        let mut seen = Observation::new(match place {
            2 if hole => Outcome::Unresolved,
            0..3 => Outcome::Pass,
            _ => Outcome::Fail,
        });
        seen.seconds = Some(12.5);
        seen.note = (place == 2).then(|| format!("exit code 125; output in {NASTY}"));
        session.tell(probe.id, seen).unwrap();
    }
    let summary = Summary::of(&session, Some(&repository)).unwrap().kept_in(Path::new("a run.jsonl"), None);
    (folder, summary)
}

#[test]
fn a_subject_stays_a_subject_everywhere() {
    for hole in [false, true] {
        let (_folder, summary) = answered(hole);
        let text = text::render(&summary);
        println!("{text}\n{}\n{}", markdown::render(&summary), annotations::render(&summary));
        assert!(!text.contains('\u{1b}') && !text.contains("##["), "{text}");
        assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
        let annotations = annotations::render(&summary);
        assert!(
            annotations.lines().all(|line| line.starts_with("::error title=") || line.starts_with("::warning title=")),
            "{annotations}"
        );
        assert!(!annotations.contains("%0A*x*") && annotations.contains("%250A*x*"), "{annotations}");
        assert!(annotations.lines().all(|line| line.matches("::").count() >= 2));
        let markdown = markdown::render(&summary);
        // Everything outside of code spans is ours.
        let outside = outside_code(&markdown);
        for evil in ["<img", "](", "@", "#1", "*x*", "::"] {
            assert!(!outside.contains(evil), "{evil:?} in {outside}");
        }
        // The cells of the table are as many as its head says.
        let rows: Vec<&str> = markdown.lines().take_while(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), 5, "{markdown}");
        for row in rows {
            assert_eq!(row.replace("\\|", "").matches('|').count(), 5, "{row}");
        }
    }
}

/// Markdown without its code spans, by the rules of CommonMark: a run of backticks ends with one as long.
fn outside_code(markdown: &str) -> String {
    let mut outside = String::new();
    for line in markdown.lines() {
        let mut rest = line;
        while let Some(start) = rest.find('`') {
            let run = rest[start..].chars().take_while(|&c| c == '`').count();
            outside.push_str(&rest[..start]);
            let inside = &rest[start + run..];
            let ends = inside.match_indices('`').map(|(at, _)| at).filter(|&at| !inside[..at].ends_with('`'));
            let end = ends.into_iter().find(|&at| inside[at..].chars().take_while(|&c| c == '`').count() == run);
            match end {
                Some(end) => rest = &inside[end + run..],
                None => panic!("an open code span: {line}"),
            }
        }
        outside.push_str(rest);
        outside.push('\n');
    }
    outside
}
