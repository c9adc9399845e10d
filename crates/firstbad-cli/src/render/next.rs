//! What to do with an answer.

use firstbad::Status;

use super::story::short;
use crate::answer::Answer;

/// Commands and advice, the most useful first: what to type (`None` if it is only advice), and words.
pub(super) fn steps(answer: &Answer) -> Vec<(Option<String>, &'static str)> {
    let mut steps = Vec::new();
    let shown: Vec<&str> = match &answer.blame {
        Some(blame) => blame.culprit.as_deref().into_iter().collect(),
        None => answer.points.iter().filter(|point| !point.provisional).map(|point| point.newer()).collect(),
    };
    if answer.repository.is_some() && answer.status != Status::GoodEndFails {
        let shas: Vec<&str> = shown.iter().take(3).map(|id| short(id)).collect();
        let range = match &answer.points[..] {
            [point] if point.candidates.len() > 1 => point.older().map(|older| (short(older), short(point.newer()))),
            _ => None,
        };
        if let Some((older, newer)) = range {
            steps.push((Some(format!("git log -p {older}..{newer}")), "to look at them"));
        } else if !shas.is_empty() {
            steps.push((Some(format!("git show {}", shas.join(" "))), "to look at it"));
        }
        if let Some(journal) = &answer.journal {
            let explained = |point: &crate::answer::Point| point.cause.is_some() || point.no_cause.is_some();
            let open =
                answer.points.iter().any(|point| !explained(point) && point.good.is_some() && !point.provisional);
            if open {
                steps.push((Some(format!("firstbad explain {}", quoted(journal))), "for the lines that matter"));
            }
        }
    }
    match (answer.status, &answer.journal) {
        (Status::Running | Status::Budget | Status::Stopped, Some(journal)) if answer.resumes => {
            steps.push((Some(format!("firstbad run --journal {}", quoted(journal))), "to go on"));
        }
        (Status::Running | Status::Budget | Status::Stopped, Some(journal)) => {
            steps.push((Some(format!("firstbad ask {}", quoted(journal))), "for what to test next"));
        }
        (Status::NotReproduced, _) if answer.reduced.is_none() => {
            steps.push((
                None,
                "a test that fails only now and then needs --flaky; look also whether it fails here at all",
            ));
        }
        (Status::GoodEndFails, _) => {
            steps.push((None, "give an older revision as --good; or the test needs something that is missing there"));
        }
        (Status::Contradictory, _) => {
            steps.push((
                None,
                "the test is flakier than was said, or several commits broke it: try --flaky without a rate",
            ));
        }
        (Status::Ambiguous, _) if answer.blame.is_none() => {
            steps.push((None, "with --fixup or --setup, commits that cannot be tested may be made testable"));
        }
        _ => {}
    }
    steps
}

/// A path as a shell reads it.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%=".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}
