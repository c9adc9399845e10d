//! The next steps after a search for a change in numbers.

use firstbad::metric::{ChangeConclusion, Unexplained};
use firstbad::{ChangeReport, Status, short};

use crate::change::told::Part;
use crate::change::{is_other_way, reaches};
use crate::render::next::{Step, for_reader, going_on, has_git};
use crate::summary::Summary;

/// The number of commits in one command.
const SHOWN: usize = 3;

/// Returns commands and advice, the most useful first.
pub(super) fn steps(summary: &Summary, report: &ChangeReport, parts: &[Part]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut shown: Vec<&str> = Vec::new();
    for found in parts.iter().flat_map(|part| &part.found) {
        let id = short(&found.of.commit);
        if !shown.contains(&id) {
            shown.push(id);
        }
    }
    if !shown.is_empty() && has_git(summary) {
        shown.truncate(SHOWN);
        steps.push((Some(format!("git show {}", shown.join(" "))), "".into()));
    }
    let is_cut_off = matches!(report.status, Status::Running | Status::Budget | Status::Stopped);
    match summary.journal.as_ref().filter(|_| is_cut_off) {
        Some(journal) => steps.push(going_on(summary, journal)),
        None => steps.extend(parts.iter().find_map(|part| advice(report, part)).map(|words| (None, words.into()))),
    }
    for_reader(summary, steps)
}

fn advice(report: &ChangeReport, part: &Part) -> Option<&'static str> {
    let is_left = |left: &Unexplained| {
        let is_noise = left.interval.0 <= 0.0 && left.interval.1 >= 0.0;
        !is_noise && reaches(&part.of.at_least, left.change, left.percent)
    };
    match part.of.conclusion {
        _ if report.status == Status::Untestable => {
            Some("read the output of the test, or prepare it with --build, --setup, or --apply")
        }
        ChangeConclusion::Step | ChangeConclusion::Several => {
            part.of.unexplained.as_ref().filter(|left| is_left(left) && !report.all_steps)?;
            Some("to find the other commits that changed the number, search with --all-steps")
        }
        ChangeConclusion::Set => Some("make the candidates testable with --build, --setup, or --apply"),
        ChangeConclusion::Spread => Some("to find smaller steps, search with a smaller --at-least"),
        ChangeConclusion::None if is_other_way(&part.of) => {
            Some("to find the commit that changed the number, search with --worse either")
        }
        ChangeConclusion::Undecided if report.paired => {
            Some("raise --at-least, or reduce the noise of the measurement")
        }
        ChangeConclusion::Undecided => Some("raise --at-least, or measure with --paired"),
        ChangeConclusion::None => None,
    }
}
