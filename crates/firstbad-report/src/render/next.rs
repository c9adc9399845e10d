//! What to do with an answer.

use std::borrow::Cow;

use firstbad::{Find, Outcome, RegressionPoint, Stage, Status, SubmoduleChange, short};

use crate::summary::{Asked, Cause, Counts, Summary};

/// What to type (`None` if it is only advice), and words.
type Step = (Option<String>, Cow<'static, str>);

/// Commands and advice, the most useful first.
pub(super) fn steps(summary: &Summary) -> Vec<Step> {
    let mut steps = Vec::new();
    let shown: Vec<&str> = match summary.culprit() {
        Some(blame) => blame.culprit.as_deref().into_iter().collect(),
        None => {
            let is_named = |point: &&RegressionPoint| !summary.is_provisional(point) && point.older().is_some();
            summary.points().iter().filter(is_named).map(|point| point.newer()).collect()
        }
    };
    if has_git(summary) && summary.status() != Status::GoodEndFails {
        let shas: Vec<&str> = shown.iter().take(3).map(|id| short(id)).collect();
        let range = match summary.points() {
            [point] if point.outside_paths || point.candidates.len() > 1 => {
                point.older().map(|older| (short(older), short(point.newer())))
            }
            _ => None,
        };
        if let Some((older, newer)) = range {
            steps.push((Some(format!("git log -p {older}..{newer}")), "to look at them".into()));
        } else if !shas.is_empty() {
            steps.push((Some(format!("git show {}", shas.join(" "))), "to look at it".into()));
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
                    "to ask again, if the machine, a variable or the network was the reason"
                } else if begun {
                    "to go on with the lines that matter"
                } else {
                    "for the lines that matter"
                };
                steps.push((Some(of_journal(summary, "explain", journal) + test), words.into()));
            }
        }
    }
    if summary.status() == Status::Found {
        steps.extend(with_slice(summary));
    }
    steps.extend(by_status(summary));
    steps.extend(ends_again(summary));
    // Advice names options of the command line.
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
        let words = format!("for the {commits} new commits of {path} (or --into-submodules)");
        (Some(format!("git -C {} log --oneline {range}", quoted(path))), words.into())
    };
    moved.filter(is_open).take(3).map(step).collect()
}

/// Whether a cause of a point can still be looked for.
fn is_unexplained(summary: &Summary, place: usize) -> bool {
    let point = &summary.points()[place];
    let is_open = |cause: &Cause| match cause.report.status {
        Status::Running | Status::Budget | Status::Stopped => true,
        // What could not be run cannot be run again.
        Status::NotReproduced => cause.report.runs > 0,
        _ => false,
    };
    let found = summary.causes.get(place);
    let is_explained = found
        .is_some_and(|found| found.no_cause.is_some() || found.cause.as_ref().is_some_and(|cause| !is_open(cause)));
    !is_explained && point.good.is_some() && !summary.is_provisional(point)
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
    summary.repository.is_some() || !summary.commits().is_empty()
}

/// What to do with a slice that was found.
fn with_slice(summary: &Summary) -> Vec<Step> {
    let mut steps = Vec::new();
    let (Some(report), Some(sliced)) = (summary.sliced(), &summary.slice) else { return steps };
    let commits = report.slice_commits();
    if commits.is_empty() || !has_git(summary) {
        return steps;
    }
    let shas: Vec<&str> = commits.iter().take(3).map(|id| short(id)).collect();
    steps.push((Some(format!("git show {}", shas.join(" "))), "to look at it".into()));
    if let Some(folder) = sliced.patch_folder() {
        steps.push((Some(format!("git am {}/*.patch", quoted(&folder))), "to bring it elsewhere".into()));
    }
    if let (Some(branch), Some(history)) = (&sliced.branch, &sliced.history) {
        let range = format!("{}..{}", short(&history.base), branch.name);
        steps.push((Some(format!("git log -p {}", quoted(&range))), "to look at the branch".into()));
    }
    if sliced.branch.is_none() && sliced.patches.is_empty() {
        steps.push(match &summary.journal {
            Some(_) if summary.is_last_run => {
                (Some("firstbad slice --resume --branch NAME".to_owned()), "for a branch of it".into())
            }
            Some(journal) => (
                Some(format!("firstbad slice --journal {} --branch NAME", quoted(journal))),
                "for a branch of it".into(),
            ),
            None => (None, "with --branch NAME it becomes a branch, with --patches FOLDER patches for git am".into()),
        });
    }
    steps
}

/// What to do where a search stands.
fn by_status(summary: &Summary) -> Option<Step> {
    fn advice(words: impl Into<Cow<'static, str>>) -> Option<Step> {
        Some((None, words.into()))
    }
    let fix = summary.find() == Find::Fix;
    match (summary.status(), &summary.journal) {
        // A journal does not say what is reduced.
        (Status::Running | Status::Budget | Status::Stopped, Some(_)) if summary.reduced.is_some() => {
            advice(if summary.is_last_run {
                "the same command goes on"
            } else {
                "the same command with its --journal goes on"
            })
        }
        (Status::Running | Status::Budget | Status::Stopped, Some(journal)) => Some(going_on(summary, journal)),
        (Status::NotReproduced, _) if summary.sliced().is_some() => {
            advice("look at what the test printed; --path and --tests may leave out what it needs")
        }
        (Status::NotReproduced, _) if summary.reduced.is_none() => {
            advice(format!("{}changes that are not committed are not tested", not_reproduced(summary)))
        }
        (Status::GoodEndFails, _) if fix => advice("give as --bad an older revision, one where the test fails"),
        (Status::GoodEndFails, _) => advice(good_end_fails(summary)),
        (Status::NoPassingRevision, _) if fix => advice("give as --bad a revision where the test fails"),
        (Status::NoPassingRevision, _) => advice(no_passing_revision(summary)),
        // The message already says what to do.
        (Status::Untestable, _) if has_remedy(summary) => None,
        (Status::Untestable, _) => advice(untestable(summary)),
        (Status::Contradictory, _) if summary.flakiness.is_flaky && !summary.flakiness.rate_given => advice(
            "several commits may have broken it, or the test fails for other reasons, too: look at what it printed",
        ),
        (Status::Contradictory, _) if !summary.flakiness.is_flaky && summary.culprit().is_none() => {
            advice("rerun when the environment is stable; if the test is flaky, use --flaky")
        }
        (Status::Contradictory, _) => {
            advice("the test is flakier than was said, or several commits broke it: try --flaky without a rate")
        }
        (Status::TooFlaky, _) => {
            advice("make the test more reliable, or let each probe run it many times and answer with counts")
        }
        (Status::Ambiguous, _) if summary.points().iter().any(|point| point.outside_paths) => {
            advice("without --path the commits between are searched that do not touch it")
        }
        (Status::Ambiguous, _) if summary.culprit().is_none() => {
            let made_testable = "with --apply or --setup, commits that cannot be tested may be made testable";
            let untried = |point: &RegressionPoint| point.candidates.iter().any(|id| summary.seen_of(id).is_none());
            match summary.points().iter().any(untried) {
                true => advice(format!(
                    "--search bisect tries the others too, in more runs (--import takes over what was seen); {made_testable}"
                )),
                false => advice(made_testable),
            }
        }
        _ => None,
    }
}

/// How a journal is gone on with.
fn going_on(summary: &Summary, journal: &str) -> Step {
    let Some(options) = summary.resumes else {
        return (Some(format!("firstbad ask {}", quoted(journal))), "for what to test next".into());
    };
    let command = if summary.sliced().is_some() { "slice" } else { "run" };
    let journal = match summary.is_last_run {
        true => "--resume".to_owned(),
        false => format!("--journal {}", quoted(journal)),
    };
    let words = match options {
        "" => "to go on",
        _ if options.contains("126") => {
            "to skip revisions where it is not executable; use --treat 126=fail if that is the failure"
        }
        _ if options.contains("127") => "to skip revisions where it is missing",
        _ => "to go on; or fail, if that is the failure",
    };
    (Some(format!("firstbad {command} {journal}{options}")), words.into())
}

/// What to do where no revision passes that could have.
fn no_passing_revision(summary: &Summary) -> Cow<'static, str> {
    let ancestor = "give as --good an ancestor of --bad where the test passes";
    match summary.outcomes {
        Counts { pass: 1.., .. } => format!("{ancestor}; --fix finds what repaired it elsewhere").into(),
        Counts { fail: 2.., .. } => format!("look at what the test printed; if that is right, {ancestor}").into(),
        _ => ancestor.into(),
    }
}

/// How a journal that is gone on with asks its ends again, where they were not what they were said to be: by itself it knows them.
/// That of the last run in the repository was given no name, and the next run has another.
fn ends_again(summary: &Summary) -> Option<Step> {
    let is_about_ends = matches!(summary.status(), Status::GoodEndFails | Status::NotReproduced | Status::Untestable);
    let journal = summary.journal.as_ref().filter(|_| summary.resumes.is_some() && !summary.is_last_run)?;
    let is_search = summary.reduced.is_none() && summary.sliced().is_none() && summary.ported().is_none();
    (is_about_ends && is_search && summary.report.runs() > 0).then(|| {
        let command = format!("firstbad undo {} -n {}", quoted(journal), summary.report.runs());
        (Some(command), "if the machine was the reason; then the same command again".into())
    })
}

/// Returns advice for a good revision that fails, depending on its failure.
fn good_end_fails(summary: &Summary) -> &'static str {
    let is_leaf = |one: &Asked| summary.leaves().iter().any(|leaf| one.target.revision.as_ref() == Some(&leaf.leaf));
    let failures = |leaves: bool| {
        summary.asked.iter().filter(move |one| is_leaf(one) == leaves).find_map(|one| one.failure.as_deref())
    };
    let (mine, theirs) = (failures(false), failures(true));
    let is_missing = |failure: &str| MISSING.iter().any(|words| failure.contains(words));
    match (mine, theirs) {
        (Some(mine), _) if is_missing(mine) => {
            "check the names in the command; if a file is newer than --good, --copy FILE takes it from your checkout"
        }
        (Some(mine), Some(theirs)) if mine != theirs => {
            "if the test fails now and then, --flaky; if it needs a file that is missing there, --copy FILE"
        }
        _ => "give an older revision as --good; or the test needs something that is missing there",
    }
}

/// The words in a failure that point to a missing file or module.
const MISSING: [&str; 6] =
    ["No such file", "no such file", "can't open file", "ModuleNotFoundError", "Cannot find module", "not found"];

/// What may be behind an end that was not seen to be what it was given as, up to the next advice.
fn not_reproduced(summary: &Summary) -> &'static str {
    match (summary.find(), summary.flakiness.is_flaky) {
        (Find::Fix, _) => "give as --bad a commit before --good at which the test fails; ",
        (Find::Regression, false) => "a test that fails only now and then needs --flaky; ",
        (Find::Regression, true) if summary.flakiness.false_passes => "",
        (Find::Regression, true) => "where the broken test passes now and then, too: --false-pass-rate estimate; ",
    }
}

/// What to do about an end that cannot be tested, by what stood in the way.
fn untestable(summary: &Summary) -> Cow<'static, str> {
    let is_end = |one: &&Asked| summary.leaves().iter().any(|leaf| one.target.revision.as_ref() == Some(&leaf.leaf));
    let mut unresolved = summary.asked.iter().filter(|one| one.outcome == Outcome::Unresolved);
    let Some(end) = unresolved.clone().find(is_end).or_else(|| unresolved.next()) else {
        return "--setup or --apply may make revisions testable".into();
    };
    // That a bad end does this may be the failure itself; that a good end passes it is not.
    let failure = end.signature.as_deref().filter(|_| is_end(&end) && summary.find() == Find::Regression);
    match (end.stage, failure) {
        (Some(stage), _) if stage != Stage::Test => {
            format!("{stage} failed there, and the test was not run: look at what it printed").into()
        }
        (_, Some("timeout")) => {
            "the time was up before the test ended: a longer --timeout, or --treat timeout=fail if that is the failure"
                .into()
        }
        (_, Some(failure)) if is_crash(failure) => {
            "the test crashed: --treat signal=fail if that is the failure; else look at what it printed".into()
        }
        _ => "look at what the test printed; --setup or --apply may make revisions testable".into(),
    }
}

/// Whether the message already says what to do, because every revision had the same obstacle.
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

/// A path as a shell reads it.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%=".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}
