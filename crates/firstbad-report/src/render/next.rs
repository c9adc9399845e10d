//! The next steps after a result.

use std::borrow::Cow;

use firstbad::{Find, Outcome, RegressionPoint, Report, Stage, Status, SubmoduleChange, short};

use super::story::{is_missing, missing_file};
use crate::style::plain;
use crate::summary::{Asked, Cause, Counts, Summary};

/// A command (`None` for advice without a command), and words.
pub(super) type Step = (Option<String>, Cow<'static, str>);

/// Commands and advice, the most useful first.
pub(super) fn steps(summary: &Summary) -> Vec<Step> {
    let mut steps = Vec::new();
    let shown = named(summary);
    let is_cut_off = matches!(summary.status(), Status::Running | Status::Budget | Status::Stopped);
    if has_git(summary) && summary.status() != Status::GoodEndFails && (!is_cut_off || !shown.is_empty()) {
        let shas: Vec<&str> = shown.iter().take(3).map(|id| short(id)).collect();
        let range = match summary.points() {
            [point] if !is_cut_off && (point.outside_paths || point.candidates.len() > 1) => {
                point.older().map(|older| (short(older), short(point.newer())))
            }
            _ => None,
        };
        if let Some((older, newer)) = range {
            let read = format!("git log -p {older}..{newer}");
            let is_testable = summary.at_command_line && is_all_unresolved(summary);
            steps.push(match is_testable {
                true => (None, format!("make them testable with --build, --setup, or --apply, or read {read}").into()),
                false => (Some(read), "show the commits".into()),
            });
        } else if !shas.is_empty() {
            steps.push((Some(format!("git show {}", shas.join(" "))), String::new().into()));
        }
        let inner = submodules(summary, &shown);
        // If a commit updates only submodules, its diff says little, so the submodule logs come first.
        let is_link_alone = shown
            .iter()
            .filter_map(|id| summary.commits().get(*id))
            .any(|commit| commit.changed.as_ref().is_some_and(|changed| changed.files == commit.submodules.len()));
        let at = if is_link_alone { 0 } else { steps.len() };
        steps.splice(at..at, inner);
        if let Some(journal) = &summary.journal {
            let open: Vec<usize> =
                (0..summary.points().len()).filter(|&place| is_unexplained(summary, place)).collect();
            if !open.is_empty() {
                let test = if summary.resumes.is_some() { "" } else { " -- COMMAND" };
                let mut causes = open.iter().filter_map(|&place| summary.cause(place)).peekable();
                let begun = causes.peek().is_some();
                let words = if causes.any(|cause| cause.report.status == Status::NotReproduced) {
                    "try again, if the machine or the network was the reason"
                } else if begun {
                    "resume the search for the lines that matter"
                } else {
                    "find the lines that matter"
                };
                steps.push((Some(of_journal(summary, "explain", journal) + test), words.into()));
            }
        }
    }
    if summary.status() == Status::Found {
        steps.extend(with_slice(summary));
        steps.extend(with_fix(summary));
    }
    steps.extend(by_status(summary));
    steps.extend(ends_again(summary));
    for_reader(summary, steps)
}

/// Returns the culprits that the result names.
fn named(summary: &Summary) -> Vec<&str> {
    match &summary.report {
        Report::Culprit(report) => report.culprit.as_deref().into_iter().collect(),
        Report::Port(report) if report.between.is_empty() => report.bad.as_deref().into_iter().collect(),
        _ => {
            let is_named = |point: &&RegressionPoint| !summary.is_provisional(point) && point.older().is_some();
            summary.points().iter().filter(is_named).map(|point| point.newer()).collect()
        }
    }
}

/// Removes advice that names options of the command line if the reader uses another front end.
pub(super) fn for_reader(summary: &Summary, mut steps: Vec<Step>) -> Vec<Step> {
    steps.retain(|(command, _)| summary.at_command_line || command.is_some());
    steps
}

/// Returns commands that show the submodule commits that came in with these commits. Leaves out submodules that were
/// searched.
fn submodules(summary: &Summary, shown: &[&str]) -> Vec<Step> {
    let moved = shown.iter().filter_map(|id| summary.commits().get(*id)).flat_map(|commit| &commit.submodules);
    let is_open =
        |moved: &&SubmoduleChange| moved.commits > 0 && !summary.inside.iter().any(|inside| inside.path == moved.path);
    let step = |SubmoduleChange { path, before, after, commits, .. }: &SubmoduleChange| {
        let range = format!("{}..{}", short(before), short(after));
        let words = format!("show the {commits} new commits of {path}, or search them with --into-submodules");
        (Some(format!("git -C {} log --oneline {range}", quoted(path))), words.into())
    };
    moved.filter(is_open).take(3).map(step).collect()
}

/// Returns whether every candidate was tested.
fn is_all_unresolved(summary: &Summary) -> bool {
    let mut candidates = summary.points().iter().flat_map(|point| &point.candidates);
    candidates.all(|id| summary.seen_of(id).is_some())
}

/// Returns whether the cause of a point is not known yet and can be found.
fn is_unexplained(summary: &Summary, place: usize) -> bool {
    let point = &summary.points()[place];
    let is_open = |cause: &Cause| match cause.report.status {
        Status::Running | Status::Budget | Status::Stopped => true,
        // A patch that does not apply never does.
        Status::NotReproduced => cause.report.runs > 0,
        _ => false,
    };
    let found = summary.causes.get(place);
    let is_explained = found
        .is_some_and(|found| found.no_cause.is_some() || found.cause.as_ref().is_some_and(|cause| !is_open(cause)));
    !is_explained && point.good.is_some() && !summary.is_provisional(point)
}

/// Returns a command about a journal. The journal of the last run needs no path.
pub(super) fn of_journal(summary: &Summary, command: &str, journal: &str) -> String {
    match summary.is_last_run {
        true => format!("firstbad {command}"),
        false => format!("firstbad {command} {}", quoted(journal)),
    }
}

/// Returns whether the revisions are commits of a repository.
pub(super) fn has_git(summary: &Summary) -> bool {
    summary.repository.is_some() || !summary.commits().is_empty()
}

/// Returns the step that applies the fix of a port, or that writes it.
fn with_fix(summary: &Summary) -> Option<Step> {
    let report = summary.ported()?;
    let (name, _, _) = report.patches().into_iter().rfind(|(name, ..)| ["repair", "forward"].contains(name))?;
    let folder = summary.patches.as_deref().map(|folder| quoted(&format!("{folder}/{name}.patch")));
    Some(match (folder, &summary.journal) {
        (Some(file), _) => (Some(format!("git apply {file}")), "apply the fix".into()),
        (None, Some(journal)) => {
            let command = format!("firstbad port --journal {} --patches FOLDER", quoted(journal));
            (Some(command), "write the patches".into())
        }
        (None, None) => (None, "write the patches with --patches FOLDER".into()),
    })
}

/// Returns the next steps after a slice.
fn with_slice(summary: &Summary) -> Vec<Step> {
    let mut steps = Vec::new();
    let (Some(report), Some(sliced)) = (summary.sliced(), &summary.slice) else { return steps };
    let commits = report.slice_commits();
    if commits.is_empty() || !has_git(summary) {
        return steps;
    }
    let shas: Vec<&str> = commits.iter().take(3).map(|id| short(id)).collect();
    steps.push((Some(format!("git show {}", shas.join(" "))), String::new().into()));
    if let Some(folder) = sliced.patch_folder() {
        steps.push((Some(format!("git am {}/*.patch", quoted(&folder))), "apply the patches to another branch".into()));
    }
    if let (Some(branch), Some(history)) = (&sliced.branch, &sliced.history) {
        let range = format!("{}..{}", short(history.onto.as_ref().unwrap_or(&history.base)), branch.name);
        steps.push((Some(format!("git log -p {}", quoted(&range))), "show the branch".into()));
    }
    if sliced.branch.is_none() && sliced.patches.is_empty() {
        steps.push(match &summary.journal {
            Some(_) if summary.is_last_run => {
                (Some("firstbad slice --resume --branch NAME".to_owned()), "create a branch with these commits".into())
            }
            Some(journal) => (
                Some(format!("firstbad slice --journal {} --branch NAME", quoted(journal))),
                "create a branch with these commits".into(),
            ),
            None => (None, "create a branch with --branch NAME, or patches for git am with --patches FOLDER".into()),
        });
    }
    steps
}

/// Returns the next step that depends on the status of a search.
fn by_status(summary: &Summary) -> Option<Step> {
    fn advice(words: impl Into<Cow<'static, str>>) -> Option<Step> {
        Some((None, words.into()))
    }
    let fix = summary.find() == Find::Fix;
    match (summary.status(), &summary.journal) {
        // A journal of a reduction does not have its options.
        (Status::Running | Status::Budget | Status::Stopped, Some(_)) if summary.reduced.is_some() => {
            advice(if summary.is_last_run {
                "run the same command again to resume"
            } else {
                "run the same command with its --journal again to resume"
            })
        }
        (Status::Running | Status::Budget | Status::Stopped, Some(journal)) => Some(going_on(summary, journal)),
        (Status::NotReproduced, _) if summary.sliced().is_some() => {
            advice("read the output of the test. --path and --tests may leave out changes that it needs")
        }
        (Status::NotReproduced, _) if summary.reduced.is_none() => advice(not_reproduced(summary)),
        (Status::GoodEndFails, _) if fix => advice("give an older revision that fails with --bad"),
        (Status::GoodEndFails, _) => advice(good_end_fails(summary)),
        (Status::NoPassingRevision, _) if fix => advice("give a revision that fails with --bad"),
        (Status::NoPassingRevision, _) => advice(no_passing_revision(summary)),
        // The message already has the advice.
        (Status::Untestable, _) if has_remedy(summary) => None,
        (Status::Untestable, _) => advice(untestable(summary)),
        (Status::Contradictory, _) if summary.flakiness.is_flaky && !summary.flakiness.rate_given => {
            advice("read the output of the test. There may be several culprits, or the test fails for other reasons")
        }
        (Status::Contradictory, _) if !summary.flakiness.is_flaky && summary.culprit().is_none() => {
            advice("run again in a stable environment. If the test is flaky, use --flaky")
        }
        (Status::Contradictory, _) => advice(
            "try --flaky without a rate. The test may be flakier than the given rate, or there may be several culprits",
        ),
        (Status::TooFlaky, _) => {
            advice("make the test more reliable, or let each probe run it many times and return counts")
        }
        (Status::Ambiguous, _) if summary.points().iter().any(|point| point.outside_paths) => {
            advice("omit --path to search the commits that do not touch it")
        }
        (Status::Ambiguous, _) if summary.culprit().is_none() => {
            let seen = |id: &String| summary.seen_of(id).is_some();
            let untried = |point: &RegressionPoint| point.candidates.iter().any(|id| !seen(id));
            match summary.points().iter().any(untried) {
                true => advice(
                    "test the other candidates with --search bisect, or make commits testable with --setup or --apply",
                ),
                false if has_git(summary) && summary.points().len() == 1 => None,
                false => advice("make them testable with --build, --setup, or --apply"),
            }
        }
        _ => None,
    }
}

/// Returns the command that resumes a search.
pub(super) fn going_on(summary: &Summary, journal: &str) -> Step {
    let Some(options) = summary.resumes else {
        return (Some(format!("firstbad ask {}", quoted(journal))), "print the next revision to test".into());
    };
    let command = match summary.report {
        Report::Slice(_) => "slice",
        Report::Port(_) => "port",
        Report::Triage(_) => "triage",
        _ => "run",
    };
    let journal = match summary.is_last_run {
        true => "--resume".to_owned(),
        false => format!("--journal {}", quoted(journal)),
    };
    let words = match options {
        "" => "",
        _ if options.contains("126") => "if old revisions are not executable. Use fail if that is the failure",
        _ if options.contains("127") => "if old revisions lack the command",
        _ => "resume. Use fail if that is the failure",
    };
    let left = summary.left.as_ref().filter(|left| left.limit.as_deref() == Some("--max-runs"));
    let more = left.and_then(|left| left.worst).map(|worst| format!(" --max-runs {}", summary.report.runs() + worst));
    (Some(format!("firstbad {command} {journal}{options}{}", more.unwrap_or_default())), words.into())
}

/// Returns advice for a search without a passing revision.
fn no_passing_revision(summary: &Summary) -> Cow<'static, str> {
    let ancestor = "give an ancestor of --bad that passes with --good";
    match summary.outcomes {
        Counts { pass: 1.., .. } => format!("{ancestor}, or search for the fix on the other branch with --fix").into(),
        Counts { pass: 0, fail: 2.., .. } if oldest_missing(summary).is_some() => {
            let (name, file) = oldest_missing(summary).unwrap_or_default();
            format!("{file} does not exist at {name}. Pass --copy {file}, or name a passing revision with --good")
                .into()
        }
        Counts { fail: 2.., .. } => format!("read the output of the test. If it is right, {ancestor}").into(),
        _ => ancestor.into(),
    }
}

/// Returns the oldest tested revision and the file that is missing there, if that is its failure.
fn oldest_missing(summary: &Summary) -> Option<(String, String)> {
    let is_leaf = |one: &&Asked| summary.leaves().iter().any(|leaf| one.target.revision.as_ref() == Some(&leaf.leaf));
    let oldest = summary.asked.iter().rev().find(|one| !is_leaf(one))?;
    let failure = oldest.failure.as_deref().filter(|failure| is_missing(failure))?;
    let file = missing_file(failure);
    (file != "FILE").then(|| (name_of(summary, oldest), file.to_owned()))
}

/// Returns the command that forgets the outcomes of a journal if an endpoint had an unexpected outcome. The journal of the last run
/// needs no such command, because the next run creates another.
fn ends_again(summary: &Summary) -> Option<Step> {
    let is_about_ends = matches!(summary.status(), Status::GoodEndFails | Status::NotReproduced | Status::Untestable);
    let journal = summary.journal.as_ref().filter(|_| summary.resumes.is_some() && !summary.is_last_run)?;
    let is_search = summary.reduced.is_none() && summary.sliced().is_none() && summary.ported().is_none();
    (is_about_ends && is_search && summary.report.runs() > 0).then(|| {
        let command = format!("firstbad undo {} -n {}", quoted(journal), summary.report.runs());
        (Some(command), "if the machine was the reason, then run again".into())
    })
}

/// Returns advice for a good revision that fails, depending on its failure.
fn good_end_fails(summary: &Summary) -> Cow<'static, str> {
    let is_leaf = |one: &Asked| summary.leaves().iter().any(|leaf| one.target.revision.as_ref() == Some(&leaf.leaf));
    let failed = |leaves: bool| {
        let mut asked = summary.asked.iter().filter(move |one| is_leaf(one) == leaves);
        asked.find_map(|one| Some((one, one.failure.as_deref()?)))
    };
    let theirs = failed(true).map(|(_, failure)| failure);
    match failed(false) {
        Some((end, mine)) if is_missing(mine) => format!(
            "check the file name. If the test is newer than {}, copy it into every revision: --copy {}",
            name_of(summary, end),
            missing_file(mine)
        )
        .into(),
        Some((_, mine)) if theirs.is_some_and(|theirs| theirs != mine) => {
            "if the test is flaky, use --flaky. If it needs a file that is missing there, use --copy FILE".into()
        }
        _ => "give an older revision with --good, or copy files that are missing there with --copy FILE".into(),
    }
}

/// Returns the name of a tested revision, or its short id.
fn name_of(summary: &Summary, one: &Asked) -> String {
    let id = one.target.revision.as_deref().unwrap_or_default();
    let name = summary.names().get(id).and_then(|names| names.first());
    plain(name.map_or(short(id), String::as_str))
}

/// Returns advice for an endpoint without its expected outcome.
fn not_reproduced(summary: &Summary) -> Cow<'static, str> {
    if let [leaf] = summary.leaves()
        && let Some(doubt) = summary.seen_of(&leaf.leaf).and_then(|seen| seen.doubt.as_ref())
        && doubt.unmatched
    {
        return summary.spelling.render(&doubt.help).into();
    }
    let words = match (summary.find(), summary.flakiness.is_flaky) {
        (Find::Fix, _) => "give a commit before --good that fails with --bad",
        (Find::Regression, false) => {
            "commit your changes, because firstbad tests commits. If the test is flaky, use --flaky"
        }
        (Find::Regression, true) if summary.flakiness.false_passes => {
            "commit your changes, because firstbad tests commits"
        }
        (Find::Regression, true) => "if broken revisions can pass by chance, add --false-pass-rate",
    };
    words.into()
}

/// Returns advice for an unresolved endpoint, depending on the obstacle.
fn untestable(summary: &Summary) -> Cow<'static, str> {
    let is_end = |one: &&Asked| summary.leaves().iter().any(|leaf| one.target.revision.as_ref() == Some(&leaf.leaf));
    let mut unresolved = summary.asked.iter().filter(|one| one.outcome == Outcome::Unresolved);
    let Some(end) = unresolved.clone().find(is_end).or_else(|| unresolved.next()) else {
        return "make revisions testable with --setup or --apply".into();
    };
    // At a bad revision, the obstacle can be the failure itself.
    let failure = end.signature.as_deref().filter(|_| is_end(&end) && summary.find() == Find::Regression);
    match (end.stage, failure) {
        (Some(stage), _) if stage != Stage::Test => {
            format!("read the output of {stage}, which failed before the test").into()
        }
        (_, Some("timeout")) => "give a longer --timeout, or --treat timeout=fail if the timeout is the failure".into(),
        (_, Some(failure)) if is_crash(failure) => {
            "read the output of the test. If the crash is the failure, use --treat signal=fail".into()
        }
        _ => "read the output of the test, or make revisions testable with --setup or --apply".into(),
    }
}

/// Returns whether the message already has advice, because every revision had the same obstacle.
fn has_remedy(summary: &Summary) -> bool {
    let mut reasons = summary.asked.iter().map(|one| one.doubt.as_ref().map(|doubt| &doubt.reason));
    let first = reasons.next().flatten();
    first.is_some() && summary.asked.len() > 1 && reasons.all(|reason| reason == first)
}

/// Returns whether `--treat signal` is about a failure.
fn is_crash(failure: &str) -> bool {
    let code = failure.strip_prefix("exit code ").and_then(|rest| rest.split(':').next()?.parse::<i32>().ok());
    failure.starts_with("killed by signal") || code.is_some_and(|code| code >= 128)
}

/// Quotes a path for a shell.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%=".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}
