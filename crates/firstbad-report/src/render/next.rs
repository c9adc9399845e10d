//! What to do with an answer.

use firstbad::{Status, short};

use crate::summary::{Sliced, Summary};

/// Commands and advice, the most useful first: what to type (`None` if it is only advice), and words.
pub(super) fn steps(summary: &Summary) -> Vec<(Option<String>, &'static str)> {
    let mut steps = Vec::new();
    let shown: Vec<&str> = match &summary.blame {
        Some(blame) => blame.culprit.as_deref().into_iter().collect(),
        None => {
            let is_named = |point: &&crate::summary::Point| !point.provisional && point.older().is_some();
            summary.points.iter().filter(is_named).map(|point| point.newer()).collect()
        }
    };
    if has_git(summary) && summary.status != Status::GoodEndFails {
        let shas: Vec<&str> = shown.iter().take(3).map(|id| short(id)).collect();
        let range = match &summary.points[..] {
            [point] if point.beyond_paths || point.candidates.len() > 1 => {
                point.older().map(|older| (short(older), short(point.newer())))
            }
            _ => None,
        };
        if let Some((older, newer)) = range {
            steps.push((Some(format!("git log -p {older}..{newer}")), "to look at them"));
        } else if !shas.is_empty() {
            steps.push((Some(format!("git show {}", shas.join(" "))), "to look at it"));
        }
        if let Some(journal) = &summary.journal {
            let explained = |point: &crate::summary::Point| point.cause.is_some() || point.no_cause.is_some();
            let open =
                summary.points.iter().any(|point| !explained(point) && point.good.is_some() && !point.provisional);
            if open {
                steps.push((Some(of_journal(summary, "explain", journal)), "for the lines that matter"));
            }
        }
    }
    steps.extend(
        summary.sliced.iter().filter(|_| summary.status == Status::Found).flat_map(|one| with_slice(summary, one)),
    );
    steps.extend(by_status(summary));
    // Advice names options of the command line.
    steps.retain(|(command, _)| summary.at_command_line || command.is_some());
    steps
}

/// A command about a journal, which goes without saying where it is that of the last run.
fn of_journal(summary: &Summary, command: &str, journal: &str) -> String {
    match summary.is_last_run {
        true => format!("firstbad {command}"),
        false => format!("firstbad {command} {}", quoted(journal)),
    }
}

/// Whether what is named are commits of a repository.
fn has_git(summary: &Summary) -> bool {
    summary.repository.is_some() || !summary.commits.is_empty()
}

/// What to do with a slice that was found.
fn with_slice(summary: &Summary, sliced: &Sliced) -> Vec<(Option<String>, &'static str)> {
    let commits = sliced.report.slice_commits();
    let mut steps = Vec::new();
    if commits.is_empty() || !has_git(summary) {
        return steps;
    }
    let shas: Vec<&str> = commits.iter().take(3).map(|id| short(id)).collect();
    steps.push((Some(format!("git show {}", shas.join(" "))), "to look at it"));
    if let Some(folder) = sliced.patch_folder() {
        steps.push((Some(format!("git am {}/*.patch", quoted(&folder))), "to bring it elsewhere"));
    }
    if let (Some(branch), Some(history)) = (&sliced.branch, &sliced.history) {
        let range = format!("{}..{}", short(&history.base), branch.name);
        steps.push((Some(format!("git log -p {}", quoted(&range))), "to look at the branch"));
    }
    if sliced.branch.is_none() && sliced.patches.is_empty() {
        steps.push(match &summary.journal {
            Some(_) if summary.is_last_run => {
                (Some("firstbad slice --resume --branch NAME".to_owned()), "for a branch of it")
            }
            Some(journal) => {
                (Some(format!("firstbad slice --journal {} --branch NAME", quoted(journal))), "for a branch of it")
            }
            None => (None, "with --branch NAME it becomes a branch, with --patches FOLDER patches for git am"),
        });
    }
    steps
}

/// What to do where a search stands.
fn by_status(summary: &Summary) -> Option<(Option<String>, &'static str)> {
    let advice = |words| Some((None, words));
    match (summary.status, &summary.journal) {
        // A journal does not say what is reduced.
        (Status::Running | Status::Budget | Status::Stopped, Some(_)) if summary.reduced.is_some() => {
            advice(if summary.is_last_run {
                "the same command goes on"
            } else {
                "the same command with its --journal goes on"
            })
        }
        (Status::Running | Status::Budget | Status::Stopped, Some(journal)) if summary.resumes => {
            let command = if summary.sliced.is_some() { "slice" } else { "run" };
            let words = match summary.is_last_run {
                true => format!("firstbad {command} --resume"),
                false => format!("firstbad {command} --journal {}", quoted(journal)),
            };
            Some((Some(words), "to go on"))
        }
        (Status::Running | Status::Budget | Status::Stopped, Some(journal)) => {
            Some((Some(format!("firstbad ask {}", quoted(journal))), "for what to test next"))
        }
        (Status::NotReproduced, _) if summary.sliced.is_some() => {
            advice("look at what the test printed; --path and --tests may leave out what it needs")
        }
        (Status::NotReproduced, _) if summary.reduced.is_none() => {
            advice("a test that fails only now and then needs --flaky; changes that are not committed are not tested")
        }
        (Status::GoodEndFails, _) => {
            advice("give an older revision as --good; or the test needs something that is missing there")
        }
        (Status::NoPassingRevision, _) => {
            advice("give as --good a revision where the test passes; a shallow clone may not have one")
        }
        (Status::Untestable, _) => {
            advice("look at what the test printed; --setup or --fixup may make revisions testable")
        }
        (Status::Contradictory, _) => {
            advice("the test is flakier than was said, or several commits broke it: try --flaky without a rate")
        }
        (Status::TooFlaky, _) => {
            advice("make the test more reliable, or let each probe run it many times and answer with counts")
        }
        (Status::Ambiguous, _) if summary.points.iter().any(|point| point.beyond_paths) => {
            advice("without --path the commits between are searched that do not touch it")
        }
        (Status::Ambiguous, _) if summary.blame.is_none() => {
            advice("with --fixup or --setup, commits that cannot be tested may be made testable")
        }
        _ => None,
    }
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
