//! What every output tells: for each finding a headline, and what stands below it.

use firstbad::culprit::{Conclusion, MissingRun, Role};
use firstbad::regression::{Ending, LeafReport};
use firstbad::slicing::change_parts;
use firstbad::suspicion::WhyTried;
use firstbad::{
    ChangeSet, ChangedFile, Find, Outcome, Report, Status, SubmoduleChange, percent, short, with_short_ids,
};

use super::style::Style;
use crate::summary::{Asked, Blame, Cause, Counts, Inside, Point, Reduced, ReducedFile, Sliced, Summary, Verified};

/// How many candidates are listed.
const SHOWN: usize = 10;

/// How many of the files that a commit changed are named.
const FILES: usize = 5;

/// One finding, in words.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// One line.
    pub(super) headline: String,
    /// What is said about it: a label, and words.
    pub(super) details: Vec<(&'static str, String)>,
    /// A list, with what it is of.
    pub(super) list: Option<(&'static str, Vec<String>)>,
    /// Texts of several lines that belong to it.
    pub(super) blocks: Vec<Block>,
}

/// A text of several lines.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// What it is called; empty where there is no other.
    pub(super) name: String,
    /// What it is: `diff`, or empty if of no particular kind.
    pub(super) kind: &'static str,
    pub(super) text: String,
}

impl Block {
    fn diff(text: String) -> Block {
        Block { kind: "diff", text, ..Block::default() }
    }
}

/// An answer in one style.
pub(super) struct StoryWriter<'a> {
    pub(super) summary: &'a Summary,
    pub(super) style: &'a dyn Style,
}

/// How much a part is of the whole, in whole percent, as it is printed: `"37 %"`. What is not all of it is at most 99 %.
#[must_use]
pub fn share(part: usize, whole: usize) -> String {
    let share = (100.0 * part as f64 / whole.max(1) as f64).round();
    format!("{} %", if part < whole { share.min(99.0) } else { share })
}

pub(super) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A change of a history as people write it: of a sha the beginning.
fn brief(name: &str) -> String {
    let (commit, part) = change_parts(name);
    if part.is_empty() { short(commit).to_owned() } else { format!("{}:{part}", short(commit)) }
}

impl StoryWriter<'_> {
    /// Every finding; one in words alone where there is none.
    pub(super) fn stories(&self) -> Vec<Story> {
        let summary = self.summary;
        let mut stories: Vec<Story> = summary.points.iter().map(|point| self.of_point(point)).collect();
        stories.extend(summary.blame.as_ref().map(|blame| self.of_blame(blame)));
        stories.extend(summary.verified.as_ref().map(|verified| self.of_verification(verified)));
        stories.extend(summary.reduced.as_ref().map(|reduced| self.of_reduction(reduced)));
        stories.extend(summary.sliced.as_ref().map(|sliced| self.of_slice(sliced)));
        let is_contradicted = summary.status == Status::Contradictory && !summary.flakiness.is_flaky;
        if summary.status == Status::GoodEndFails || is_contradicted && summary.blame.is_none() || stories.is_empty() {
            stories.clear();
            stories.push(Story { headline: self.outcome(), ..Story::default() });
        }
        for Inside { path, summary } in &summary.inside {
            let inner = StoryWriter { summary, style: self.style }.stories().into_iter().next().unwrap_or_default();
            let words = format!("in {}: {}", self.style.code(path), inner.headline);
            stories.first_mut().into_iter().for_each(|first| first.details.push(("found", words.clone())));
        }
        if let Some(first) = stories.first_mut() {
            first.details.extend(summary.warnings.iter().map(|warning| ("warning", self.said(warning))));
        }
        stories
    }

    /// A sentence of the search, with ids as people write them.
    fn said(&self, sentence: &str) -> String {
        self.style.words(&with_short_ids(sentence))
    }

    /// How the search ended, where there is nothing to tell about a commit.
    pub(super) fn outcome(&self) -> String {
        let fix = self.summary.find() == Find::Fix;
        let ending = match self.summary.status {
            // The message says no more than that.
            Status::Running => return "not finished".to_owned(),
            Status::Found => "found",
            Status::Ambiguous => "ambiguous",
            Status::NotReproduced => "not reproduced",
            Status::GoodEndFails if fix => "a bad revision passes",
            Status::GoodEndFails => "a good revision fails",
            Status::NoPassingRevision if fix => "no revision that fails was found",
            Status::NoPassingRevision => "no revision that passes was found",
            Status::Untestable => "cannot be tested",
            Status::Budget => return "the budget was used up before there was an answer".to_owned(),
            Status::Stopped => return "stopped before there was an answer".to_owned(),
            Status::Contradictory if !self.summary.flakiness.is_flaky => "no culprit named",
            Status::Contradictory => "flaky: the answers fit no single culprit",
            Status::TooFlaky => "too flaky: a run tells next to nothing",
            Status::HistoryExhausted => "history exhausted",
            Status::PatchTooLarge => "patch too large",
            Status::RevisionNotReadable => "revision not readable",
        };
        // What a message begins with is not said twice.
        match self.summary.message.strip_prefix(ending) {
            Some("") => ending.to_owned(),
            Some(rest) if rest.starts_with(' ') => format!("{ending} {}", self.said(rest.trim_start())),
            Some(rest) if rest.starts_with(": ") => format!("{ending}: {}", self.said(&rest[2..])),
            _ if self.summary.message.is_empty() => ending.to_owned(),
            _ => format!("{ending}: {}", self.said(&self.summary.message)),
        }
    }

    /// Who is to blame, or what else a point says, in one line.
    fn headline(&self, point: &Point) -> String {
        let verb = match point.find {
            Find::Regression => "broken",
            Find::Fix => "repaired",
        };
        let so_far = if point.provisional { ", so far" } else { "" };
        let perhaps = if point.is_perhaps() { "perhaps " } else { "" };
        let newer = self.commit(point.newer());
        match point.candidates.len() {
            _ if point.older().is_none() => {
                format!("{newer} {}{so_far}, and nothing before it was seen to be otherwise", point.state())
            }
            _ if point.beyond_paths => format!("{verb} at the latest by {newer}{so_far}"),
            0 | 1 => format!("{perhaps}{verb} by {newer}{so_far}"),
            n => format!("{perhaps}{verb} by one of {n} commits, the last of them {newer}{so_far}"),
        }
    }

    fn of_point(&self, point: &Point) -> Story {
        let mut story = Story { headline: self.headline(point), ..Story::default() };
        story.details.extend(self.described(point.newer()));
        let leaves: Vec<String> =
            point.leaves.iter().zip(&point.distances).map(|(leaf, &far)| self.end(leaf, far)).collect();
        story.details.push(("on", leaves.join(", ")));
        story.details.extend(self.replaced(point).map(|words| ("instead", words)));
        let state = point.state_before();
        let before = match (point.older(), point.candidates.is_empty()) {
            (None, _) => format!("no ancestor of it was seen to be one that {state}, so that nobody is blamed"),
            (Some(older), _) if point.trusted.iter().any(|end| end == older) => {
                format!("{}, which {state} as was said: it was not tested", self.commit(older))
            }
            (Some(older), true) if !self.summary.paths().is_empty() => {
                format!("{} {state}, right before it in the history of {}", self.commit(older), self.paths())
            }
            (Some(older), true) => format!("its parent {} {state}", self.commit(older)),
            (Some(older), false) => format!("{} {state}", self.commit(older)),
        };
        story.details.push(("before", before));
        story.details.push(("sure", self.certainty(point)));
        story.details.extend(self.suspected(point.why.as_ref()));
        if !point.exceptions.is_empty() {
            let exceptions: Vec<String> = point.exceptions.iter().map(|id| self.style.code(short(id))).collect();
            story.details.push(("but", format!("outcomes come and go: see {}", exceptions.join(", "))));
        }
        if point.candidates.len() > usize::from(point.beyond_paths) {
            story.list = Some(("candidates", self.candidates(point)));
        }
        if let Some(cause) = &point.cause {
            story.details.push(("cause", self.cause(cause)));
            let failure = cause.failure.as_ref().filter(|_| cause.kept.len() < cause.changes);
            story.details.extend(failure.map(|failure| {
                ("fails as", format!("{}, with these changes alone as with all", self.style.words(failure)))
            }));
            // The whole patch, which does not fail, is no answer.
            let is_answer = cause.status != Status::NotReproduced && !cause.patch.is_empty();
            let line_ends = cause.line_ends().filter(|_| is_answer);
            story.details.extend(line_ends.map(|words| ("line ends", words)));
            story.blocks.extend(is_answer.then(|| Block::diff(cause.patch.clone())));
        }
        story
            .details
            .extend(point.no_cause.as_ref().map(|why| ("cause", format!("none found: {}", self.style.words(why)))));
        story
    }

    /// The ends of a point that could not be tested, and what was searched from.
    fn replaced<'b>(&'b self, point: &'b Point) -> impl Iterator<Item = String> + 'b {
        let of_point = self.summary.leaves.iter().filter(|leaf| point.leaves.contains(&leaf.leaf));
        of_point.filter_map(|leaf| {
            let instead = self.commit(leaf.replaced_by.as_ref()?);
            Some(format!("{} cannot be tested; searched from {instead}", self.end(&leaf.leaf, 0)))
        })
    }

    /// How much a point can be relied on.
    fn certainty(&self, point: &Point) -> String {
        let (passes, fails) = match point.find {
            Find::Regression => ("passes", "fails too"),
            Find::Fix => ("fails", "passes too"),
        };
        if point.beyond_paths {
            let paths = self.paths();
            return format!(
                "no: it does not touch {paths}, and commits between the two that do not were not looked at"
            );
        }
        let mut words = Vec::new();
        words.extend(point.probability.map(|probability| format!("probability {}", percent(probability))));
        match (&point.candidates[..], &point.unresolved_parents[..], point.clean) {
            _ if point.older().is_none() => {
                words.push("no: that is how far the history goes that was searched".to_owned())
            }
            ([], ..) if !self.summary.paths().is_empty() && point.trusted.is_empty() => words.push(format!(
                "as far as commits that touch {} are to blame: it was tested, and others were not looked at",
                self.paths()
            )),
            ([], _, true) if self.summary.follows_first_parents() => {
                words.push(format!("it was tested, and its first parent {passes}"));
            }
            ([], _, true) => words.push(format!("it was tested, and every parent of it {passes}")),
            ([], ..) if !point.trusted.is_empty() => {
                let trusted: Vec<String> = point.trusted.iter().map(|id| self.style.code(short(id))).collect();
                words.push(format!("only if what was said of {} is true: that was not tested", trusted.join(", ")));
            }
            ([], [], false) if point.probability.is_some() => {
                words.push(format!("not quite: it is not certain that every parent of it {passes}"));
            }
            ([], [], false) => words.push(format!("not quite: another parent of it {fails}, or was not tested")),
            ([], unresolved, false) => {
                let parents: Vec<String> = unresolved.iter().map(|id| self.style.code(short(id))).collect();
                words.push(format!("not quite: another parent of it could not be tested ({})", parents.join(", ")));
            }
            ([_, ..], ..) if point.provisional => words.push("no: the search has not ended".to_owned()),
            (candidates, ..) => words.push(self.left_open(candidates)),
        }
        words.join("; ")
    }

    /// Why several candidates are left: how many of them could not be tested, and how many were not tried beside these.
    fn left_open(&self, candidates: &[String]) -> String {
        let told = |id: &&String| self.summary.seen_of(id).is_some_and(|seen| seen.outcome != Outcome::Unresolved);
        let untested = candidates.iter().filter(|id| self.summary.seen_of(id).is_none()).count();
        let unresolved = candidates.len() - untested - candidates.iter().filter(told).count();
        // The newest is the one that fails in this way.
        let otherwise = (candidates.len() - unresolved - untested).saturating_sub(1);
        match (unresolved, untested) {
            _ if otherwise > 0 => {
                let others = [(unresolved, "could not be tested"), (untested, "were not tried")];
                let others =
                    others.into_iter().filter(|(many, _)| *many > 0).map(|(many, what)| format!(", {many} {what}"));
                format!(
                    "no: of what stands between {} failed in another way{}",
                    count(otherwise, "commit"),
                    others.collect::<String>()
                )
            }
            (0, _) => "no: what stands between was not tested".to_owned(),
            (_, 0) => "no: what stands between could not be tested".to_owned(),
            _ => format!(
                "no: of what stands between {} could not be tested, and {untested} beside these were not tried",
                count(unresolved, "commit")
            ),
        }
    }

    /// The candidates, newest first, and why they are candidates.
    fn candidates(&self, point: &Point) -> Vec<String> {
        let mut lines: Vec<String> = point
            .candidates
            .iter()
            .rev()
            .take(SHOWN)
            .map(|id| {
                let why = match self.summary.seen_of(id) {
                    None => "not tested".to_owned(),
                    Some(one) => match (one.outcome, &one.note) {
                        (Outcome::Unresolved, Some(note)) => format!("cannot be tested: {}", self.style.words(note)),
                        (Outcome::Unresolved, None) => "cannot be tested".to_owned(),
                        (Outcome::Pass, _) => "passes".to_owned(),
                        (Outcome::Fail, _) => self.fails(one, point),
                    },
                };
                format!("{}: {why}", self.commit(id))
            })
            .collect();
        if point.candidates.len() > SHOWN {
            lines.push(format!("and {} older ones", point.candidates.len() - SHOWN));
        }
        lines
    }

    /// How a candidate fails: as the ends of its point do, or in another way.
    fn fails(&self, one: &Asked, point: &Point) -> String {
        let of_end = |leaf: &LeafReport| {
            self.summary.seen_of(leaf.replaced_by.as_deref().unwrap_or(&leaf.leaf))?.failure.as_ref()
        };
        let leaves = self.summary.leaves.iter().filter(|leaf| point.leaves.contains(&leaf.leaf));
        let ends: Vec<&String> = leaves.filter_map(of_end).collect();
        match &one.failure {
            Some(failure) if !ends.is_empty() && !ends.contains(&failure) => {
                format!("fails in another way: {}", self.style.words(failure))
            }
            _ => "fails".to_owned(),
        }
    }

    /// Which part of a commit does the harm.
    fn cause(&self, cause: &Cause) -> String {
        let places: Vec<String> = cause
            .places
            .iter()
            .take(SHOWN)
            .map(|place| {
                let line = match (place.line, place.end_line) {
                    (Some(first), Some(last)) if last > first => format!(":{first}-{last}"),
                    (Some(first), _) => format!(":{first}"),
                    (None, _) => String::new(),
                };
                self.style.code(&format!("{}{line}", place.file))
            })
            .collect();
        let more = cause.places.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {}", count(more, "more place")) } else { String::new() };
        let runs = count(usize::try_from(cause.queries).unwrap_or(usize::MAX), "run");
        let head = match cause.status {
            Status::NotReproduced => return format!("none found: {}", self.style.words(&cause.message)),
            _ if cause.kept.is_empty() => "it fails without any of the changes".to_owned(),
            // That is no finding: the whole of it is what is known to fail.
            status if status != Status::Found && cause.kept.len() == cause.changes => {
                format!("no part of its {} was seen to do it alone", count(cause.changes, "change"))
            }
            _ => format!(
                "{} of {}{} still {}",
                cause.kept.len(),
                count(cause.changes, "change"),
                match cause.kept.len() as f64 / cause.changes as f64 {
                    part if part < 1.0 => format!(" ({})", percent(part)),
                    _ => String::new(),
                },
                match cause.kept.len() {
                    1 => "does it",
                    _ => "do it",
                }
            ),
        };
        let at = if places.is_empty() { String::new() } else { format!(", at {}{more}", places.join(", ")) };
        format!("{head} ({}, {runs}){at}", cause.guarantee.as_str())
    }

    fn of_blame(&self, blame: &Blame) -> Story {
        let headline = match (&blame.culprit, blame.conclusion) {
            (Some(culprit), _) => {
                format!("broken by {} with probability {}", self.commit(culprit), percent(blame.probability))
            }
            (None, Conclusion::Flake) => {
                format!("nobody is to blame: it was a flake with probability {}", percent(blame.probability))
            }
            (None, _) => self.outcome(),
        };
        let mut story = Story { headline, ..Story::default() };
        story.details.extend(blame.culprit.iter().flat_map(|culprit| self.described(culprit)));
        story.details.extend(self.suspected(blame.why.as_ref()));
        let healthy = blame.seen_at_healthy;
        let seen = format!(
            "{} of {} at healthy revisions failed",
            healthy.fails,
            count((healthy.passes + healthy.fails) as usize, "run")
        );
        // Taken, and not seen: rates may have been told, and no run of a flake shows what a broken revision does.
        let passes = match (blame.conclusion, blame.false_pass_rate) {
            (Conclusion::Flake, 0.0) => ", and never to pass where it is broken".to_owned(),
            (_, 0.0) => String::new(),
            (_, rate) => format!(", and to pass where it is broken in {}", percent(rate)),
        };
        let fails = percent(blame.flake_rate);
        story.details.push(("flaky", format!("it is taken to fail by itself in {fails} of all runs ({seen}){passes}")));
        if !blame.missing.is_empty() {
            let run = |run: &MissingRun| format!("a {} of {}", run.outcome, self.commit(&run.revision));
            let missing: Vec<String> = blame.missing.iter().map(run).collect();
            story.details.push(("not seen", missing.join(", ")));
        }
        if !blame.rates_fit {
            story.details.push(("rates", "what was said of them does not fit what was seen".to_owned()));
        }
        if let Some(failures) = blame.burst {
            story.details.push(("burst", format!("{failures} failures in a row where nothing is broken")));
        }
        if blame.conclusion != Conclusion::Inconclusive {
            let words = if blame.verified { "by reruns at the end of the search" } else { "no" };
            story.details.push(("verified", words.to_owned()));
        }
        if blame.culprit.is_none() || blame.suspects.len() > 1 {
            let suspects = blame.suspects.iter().take(SHOWN).map(|one| match &one.revision {
                Some(revision) => format!("{}: {}", self.commit(revision), percent(one.probability)),
                None => format!("nobody: {}", percent(one.probability)),
            });
            story.list = Some(("suspects", suspects.collect()));
        }
        story
    }

    /// What spoke for a commit by itself before anything was run.
    fn suspected(&self, why: Option<&WhyTried>) -> Option<(&'static str, String)> {
        let why = why.filter(|why| why.before.is_none())?;
        Some(("suspected", self.style.words(&why.message)))
    }

    fn of_verification(&self, verified: &Verified) -> Story {
        let who = verified.culprit.as_ref().map_or("that it was a flake".to_owned(), |culprit| self.commit(culprit));
        let headline = match verified.correct {
            Some(true) => format!("confirmed: {who}"),
            Some(false) => format!("not confirmed: {who}"),
            None => format!("neither confirmed nor refuted: {who}"),
        };
        let mut details: Vec<(&'static str, String)> =
            verified.reasons.iter().map(|reason| ("because", self.said(&reason.message))).collect();
        details.extend(verified.checks.iter().map(|check| {
            let role = match check.role {
                Role::Good => "good",
                Role::Parent => "parent",
                Role::Culprit => "culprit",
                Role::Bad => "bad",
            };
            (
                role,
                format!("{}: {} passed, {} failed", self.commit(&check.revision), check.runs.passes, check.runs.fails),
            )
        }));
        Story { headline, details, ..Story::default() }
    }

    fn of_reduction(&self, reduced: &Reduced) -> Story {
        let set = |indices: &[usize]| {
            let set: ChangeSet = indices.iter().copied().collect();
            self.style.code(&set.to_string())
        };
        let mut story = Story { headline: self.summary.message.clone(), ..Story::default() };
        if self.summary.status != Status::NotReproduced {
            story
                .details
                .push(("kept", if reduced.kept.is_empty() { "nothing".to_owned() } else { set(&reduced.kept) }));
            story.details.extend(reduced.difference.as_ref().map(|apart| ("difference", set(apart))));
            story.details.push(("sure", reduced.guarantee.as_str().to_owned()));
        }
        for (what, sizes) in [("lines", reduced.lines), ("bytes", reduced.sizes)] {
            if let Some([before, after]) = sizes {
                story.details.push((what, format!("{after} of {before} ({})", share(after, before))));
            }
        }
        if !reduced.files.is_empty() {
            let sizes = reduced.files.iter().map(|file| {
                let ReducedFile { name, lines, sizes, .. } = file;
                let name = self.style.code(name);
                format!("{name}: {} of {} lines, {} of {} bytes", lines[1], lines[0], sizes[1], sizes[0])
            });
            story.list = Some(("files", sizes.collect()));
        }
        let kind = if reduced.is_patch { "diff" } else { "" };
        let block = |name: String, text: &String| Block { name, kind, text: text.clone() };
        story.blocks.extend(reduced.text.iter().map(|text| block(String::new(), text)));
        for ReducedFile { name, text, .. } in &reduced.files {
            story.blocks.extend(text.iter().map(|text| block(self.style.code(name), text)));
        }
        story
    }

    fn of_slice(&self, sliced: &Sliced) -> Story {
        let report = &sliced.report;
        let status = report.status.as_str().replace('_', " ");
        let mut story = Story { headline: format!("{status}: {}", report.message), ..Story::default() };
        let details = &mut story.details;
        details.extend(sliced.history.iter().map(|history| ("base", self.commit(&history.base))));
        if report.status != Status::NotReproduced && report.status != Status::Untestable {
            details.push(("sure", report.guarantee.as_str().to_owned()));
        }
        details.extend(report.warnings.iter().map(|warning| ("warning", self.said(warning))));
        details.extend(sliced.branch.iter().map(|branch| {
            ("branch", format!("{} at {}", self.style.code(&branch.name), self.style.code(short(&branch.commit))))
        }));
        details.extend(
            sliced
                .patch_folder()
                .map(|folder| ("patches", format!("{} in {}", sliced.patches.len(), self.style.code(&folder)))),
        );
        // The summary's own has no observations, which say which run it was.
        let seen = match &self.summary.report {
            Report::Slice(whole) => whole,
            _ => report,
        };
        let needed = report.kept.iter().zip(&report.names).map(|(&change, name)| {
            let why = seen.evidence(change, |name| self.style.code(&brief(name)));
            format!("{}{}", self.change(name), why.map(|why| format!(": {why}")).unwrap_or_default())
        });
        story.list = Some(("slice", needed.collect::<Vec<_>>())).filter(|(_, needed)| !needed.is_empty());
        story
    }

    /// A change of a history: its commit, and which part of it.
    fn change(&self, name: &str) -> String {
        let (commit, part) = change_parts(name);
        let part = if part.is_empty() { String::new() } else { format!(", {}", self.style.code(part)) };
        format!("{}{part}", self.commit(commit))
    }

    /// Newer ends that have no point.
    pub(super) fn others(&self) -> Vec<String> {
        let without = self.summary.leaves.iter().filter(|leaf| leaf.points.is_empty());
        without
            .map(|leaf| {
                let why = match leaf.ending {
                    Ending::Open => "not answered yet".to_owned(),
                    Ending::NotReproduced => self.not_reproduced(leaf),
                    Ending::NoPassingRevision if self.summary.find() == Find::Fix => {
                        "nothing before it was seen to fail".to_owned()
                    }
                    Ending::NoPassingRevision => "nothing before it was seen to pass".to_owned(),
                    Ending::Untestable => "cannot be tested".to_owned(),
                    Ending::Contradictory => "flaky: what was seen fits no culprit".to_owned(),
                    Ending::Searched | Ending::Propagated => "no point".to_owned(),
                };
                format!("{}: {why}", self.end(&leaf.leaf, 0))
            })
            .collect()
    }

    /// What a newer end was seen to do in place of what was looked for.
    fn not_reproduced(&self, leaf: &LeafReport) -> String {
        let Some(seen) = self.summary.seen_of(leaf.replaced_by.as_deref().unwrap_or(&leaf.leaf)) else {
            return "nothing was seen of it".to_owned();
        };
        let Counts { pass, fail, .. } = seen.outcomes;
        let find = self.summary.find();
        if fail > 0 && find == Find::Regression && (self.summary.flakiness.is_flaky || pass > 0) {
            let runs = count(usize::try_from(pass + fail).unwrap_or(usize::MAX), "run");
            return format!("failed in {fail} of {runs}, no more often than a flaky test may");
        }
        let words = match (find, seen.outcome) {
            (Find::Fix, Outcome::Pass) => "nothing before it was seen to fail",
            (Find::Fix, _) => "does not pass",
            (Find::Regression, Outcome::Pass) => "passes",
            (Find::Regression, Outcome::Fail) => "fails in another way",
            (Find::Regression, Outcome::Unresolved) => "fails, but not as asked for",
        };
        words.to_owned()
    }

    /// What it cost.
    pub(super) fn cost(&self) -> String {
        let summary = self.summary;
        let (ran, known): (Vec<&Asked>, Vec<&Asked>) = summary.asked.iter().partition(|one| one.queries > 0);
        let causes = || summary.points.iter().filter_map(|point| point.cause.as_ref());
        let explaining: u64 = causes().map(|cause| cause.queries).sum();
        let seconds = summary.seconds + causes().map(|cause| cause.seconds).sum::<f64>();
        let runs = summary.queries + explaining;
        let mut parts = vec![count(usize::try_from(runs).unwrap_or(usize::MAX), "run")];
        if explaining > 0 {
            parts[0] += &format!(" ({} for the commit, {explaining} for its lines)", summary.queries);
        }
        parts.extend((seconds > 0.0).then(|| format!("{} of testing", duration(seconds))));
        parts.extend(summary.waited.map(|waited| format!("{} from begin to end", duration(waited))));
        let mut text = parts.join(", ");
        text += &tally(if explaining > 0 { "; commits: " } else { ": " }, &ran);
        if let Some(sliced) = &summary.sliced {
            let free = sliced.report.asked.saturating_sub(sliced.report.queries);
            let words = count(usize::try_from(free).unwrap_or(usize::MAX), "answer");
            text += &if free > 0 { format!(", {words} without a run") } else { String::new() };
        }
        // Of a slice the others are conflicts of merges, and counted above.
        if !known.is_empty() && summary.sliced.is_none() {
            // Equal texts, and such that do not parse.
            let how = if summary.reduced.is_some() { "without a run" } else { "beforehand" };
            text += &format!("; {} known {how}{}", count(known.len(), "outcome"), tally(": ", &known));
        }
        text
    }

    /// What people know a commit by beside its subject, and what it changed; empty if nothing is known.
    fn described(&self, id: &str) -> Vec<(&'static str, String)> {
        let Some(commit) = self.summary.commits.get(id) else { return Vec::new() };
        let author = self.style.words(&commit.author) + &self.style.address(&commit.email);
        let date = Some(self.style.words(&commit.written())).filter(|date| !date.is_empty());
        let author = date.map_or(author.clone(), |date| format!("{author}, {date}"));
        let mut details = vec![("commit", self.style.code(id)), ("author", author)];
        if let Some(changed) = &commit.changed {
            let lines = |added: u64, deleted: u64| format!("+{added} -{deleted}");
            let file =
                |file: &ChangedFile| format!("{} {}", self.style.code(&file.path), lines(file.added, file.deleted));
            let mut files: Vec<String> = changed.largest.iter().take(FILES).map(file).collect();
            let more = changed.files.saturating_sub(files.len());
            files.extend((more > 0).then(|| format!("{more} more")));
            let all = match changed.files {
                0 | 1 => String::new(),
                n => format!("{}, {}: ", count(n, "file"), lines(changed.added, changed.deleted)),
            };
            details.extend((!files.is_empty()).then(|| ("changed", all + &files.join(", "))));
        }
        details.extend(commit.submodules.iter().map(|one| ("submodule", self.submodule(one))));
        let pages = [("see", &commit.url), ("request", &commit.request_url)];
        details.extend(pages.into_iter().filter_map(|(label, page)| Some((label, self.style.link(page.as_deref()?)))));
        details
    }

    /// Which commits of a submodule came in.
    fn submodule(&self, change: &SubmoduleChange) -> String {
        let path = self.style.code(&change.path);
        let range = self.style.code(&format!("{}..{}", short(&change.before), short(&change.after)));
        if change.commits == 0 {
            return format!("{path} went to another of its commits, {range}");
        }
        let newest = change.newest.iter().map(|commit| self.style.words(commit)).collect::<Vec<_>>().join(", ");
        let more = if change.commits > change.newest.len() { ", ..." } else { "" };
        format!("{} of {path}, {range}: {newest}{more}", count(change.commits, "commit"))
    }

    /// A commit: its short id and its subject.
    pub(super) fn commit(&self, id: &str) -> String {
        let code = self.style.code(short(id));
        match self.summary.commits.get(id) {
            Some(commit) if !commit.subject.trim().is_empty() => {
                format!("{code} {}", self.style.subject(&commit.subject))
            }
            _ => code,
        }
    }

    /// A newer end by its names, and how far it is.
    pub(super) fn end(&self, leaf: &str, distance: u32) -> String {
        let name = match self.summary.names.get(leaf) {
            Some(names) => {
                // Of a remote, what stands for its main branch says nothing beside that branch.
                let stands_for = |name: &str| names.iter().any(|other| other.starts_with(&format!("{name}/")));
                let shown = names.iter().filter(|name| !stands_for(name)).map(|name| self.style.code(name));
                shown.collect::<Vec<_>>().join(" = ")
            }
            None => self.style.code(short(leaf)),
        };
        match self.summary.paths() {
            _ if distance == 0 => name,
            [] => format!("{name} ({} later)", count(distance as usize, "step")),
            _ => format!("{name} ({} later in the history of these paths)", count(distance as usize, "step")),
        }
    }

    /// The paths that the history was simplified to.
    fn paths(&self) -> String {
        self.summary.paths().iter().map(|path| self.style.code(path)).collect::<Vec<_>>().join(", ")
    }
}

/// How many outcomes of each kind there were, behind such words; empty if there were none.
fn tally(words: &str, asked: &[&Asked]) -> String {
    let counts: Counts = asked.iter().map(|one| one.outcomes).sum();
    let each = [(counts.pass, "passed"), (counts.fail, "failed"), (counts.unresolved, "could not be told")];
    let each: Vec<String> = each.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if each.is_empty() { String::new() } else { format!("{words}{}", each.join(", ")) }
}

pub(super) fn duration(seconds: f64) -> String {
    if seconds < 9.95 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    let parts = [(whole / 3600, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")];
    let parts = parts.into_iter().filter(|&(of, _)| of > 0).map(|(of, unit)| format!("{of} {unit}"));
    parts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_with_blanks_before_their_units() {
        let said = [0.04, 9.94, 9.96, 59.6, 125.0, 3_600.0, 90_061.0].map(duration);
        assert_eq!(said, ["0.0 s", "9.9 s", "10 s", "1 min", "2 min 5 s", "1 h", "25 h 1 min 1 s"]);
    }

    #[test]
    fn shas_are_shortened_in_parts_of_commits_too() {
        let sha = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(brief(sha), "0123456789ab");
        assert_eq!(brief(&format!("{sha}:src/a:b#0")), "0123456789ab:src/a:b#0");
        assert_eq!(brief("first: it"), "first: it");
        assert_eq!(
            with_short_ids(&format!("{sha}, \u{e4} ({sha}) and 12: {}", &sha[1..])),
            format!("0123456789ab, \u{e4} (0123456789ab) and 12: {}", &sha[1..])
        );
        assert_eq!(with_short_ids(""), "");
    }
}
