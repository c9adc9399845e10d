//! The finding of iterative delta debugging.

use firstbad::patch::Patch;
use firstbad::porting::{PorterReduction, PorterStep, Purpose, Reason, StepOutcome};
use firstbad::{Find, PortedPatch, PorterReport, Status};

use super::{Block, Story, StoryWriter};
use crate::quantities::count;
use crate::summary::{Place, places};

/// The maximum number of places and files to name.
const PLACES: usize = 3;
/// The maximum number of lines to show of a cause. The patch has all of them.
const LINES: usize = 8;

impl StoryWriter<'_> {
    pub(super) fn of_port(&self, report: &PorterReport) -> Story {
        let Some((good, bad)) = report.good.as_deref().zip(report.bad.as_deref()) else {
            let mut story = Story { headline: self.said(&report.message), ..Story::default() };
            story.details.extend(self.failure(report));
            story.details.extend(self.way(report));
            return story;
        };
        let mut story = Story { headline: self.port_headline(report, good, bad), ..Story::default() };
        let details = &mut story.details;
        if report.between.is_empty() {
            // The headline has the id.
            details.extend(self.described(bad).into_iter().filter(|(label, _)| *label != "commit"));
        }
        details.push(("evidence", self.port_evidence(report, good, bad)));
        details.extend(self.failure(report));
        let patches = [("cause", &report.cause), ("fix", &report.repair), ("ported", &report.forward)];
        details.extend(patches.iter().filter_map(|(label, patch)| Some((*label, self.patch(label, patch.as_ref()?)))));
        details.extend(report.carried.as_ref().map(|patch| ("needed", self.brought(report, patch))));
        details.extend(
            report.also.as_ref().map(|also| (if also.breaks { "warning" } else { "also" }, also.message.clone())),
        );
        details.extend(self.way(report));
        story.blocks.extend(report.cause.as_ref().and_then(lines).map(Block::diff));
        story
    }

    /// Returns the culprit, or the commits among which it is.
    fn port_headline(&self, report: &PorterReport, good: &str, bad: &str) -> String {
        let is_open = matches!(report.status, Status::Running | Status::Budget | Status::Stopped);
        match report.between.len() {
            _ if report.status == Status::Contradictory => self.said(&report.message),
            0 if is_open && report.runs_to_commit.is_none() => format!("First bad commit so far: {}", self.titled(bad)),
            0 => format!("First bad commit: {}", self.titled(bad)),
            skipped => format!(
                "Narrowed down to {}; the versions between do not build: {} passes, {} fails",
                count(skipped + 1, "commit"),
                self.style.revision(good),
                self.style.revision(bad)
            ),
        }
    }

    /// Returns which versions failed and passed, and with how many changes.
    fn port_evidence(&self, report: &PorterReport, good: &str, bad: &str) -> String {
        let carried = |revision: &str| {
            let step = report.steps.iter().rfind(|step| !step.forward && step.revision == revision);
            match step.map_or(0, |step| step.patch) {
                0 => String::new(),
                changes => format!(" with {}", count(changes, "carried change")),
            }
        };
        let start = report.steps.iter().find(|step| step.place == 0).map_or(bad, |step| step.revision.as_str());
        let alike = if start == bad { "fails" } else { "fails like the start" };
        let (older, revision) = ("the next older version", self.style.revision(good));
        format!("{alike}{}, and {older} {revision} passes{}", carried(bad), carried(good))
    }

    fn failure(&self, report: &PorterReport) -> Option<(&'static str, String)> {
        Some(("failure", self.style.words(report.failure.as_ref()?)))
    }

    /// Returns the place, the size, and the file of a patch.
    fn patch(&self, label: &str, patch: &PortedPatch) -> String {
        let size = format!("{} of {}, {}", patch.changes, count(patch.of, "change"), patch.guarantee.as_str());
        let at = match label {
            "ported" => format!("{}, which passes with it", self.revision_of(patch)),
            _ => self.places_of(patch),
        };
        let name = match label {
            "fix" => "repair",
            "ported" => "forward",
            other => other,
        };
        let file = self
            .summary
            .patches
            .as_ref()
            .map(|folder| format!(", in {}", self.style.code(&format!("{folder}/{name}.patch"))));
        format!("{at} ({size}){}", file.unwrap_or_default())
    }

    fn revision_of(&self, patch: &PortedPatch) -> String {
        patch.on.revision.as_deref().map(|revision| self.style.revision(revision)).unwrap_or_default()
    }

    /// Returns the first places that a patch changes.
    fn places_of(&self, patch: &PortedPatch) -> String {
        let Ok(parsed) = Patch::parse(patch.content()) else { return "a binary file".to_owned() };
        let all: Vec<usize> = (0..parsed.len()).collect();
        let places = places(&parsed, &all, Find::Regression);
        let place = |place: &Place| match place.line {
            Some(line) => self.style.code(&format!("{}:{line}", place.file)),
            None => self.style.code(&place.file),
        };
        let mut words: Vec<String> = places.iter().take(PLACES).map(place).collect();
        let more = places.len().saturating_sub(words.len());
        words.extend((more > 0).then(|| format!("{more} more")));
        words.join(", ")
    }

    /// Returns what the test needs at older versions, and the commits that brought it. A commit that only conflicts with the
    /// patch brought nothing.
    fn brought(&self, report: &PorterReport, patch: &PortedPatch) -> String {
        let is_new = |step: &&PorterStep| {
            !step.forward && step.outcome == StepOutcome::Reduced && step.reason != Some(Reason::Patch)
        };
        let brought = report.steps.iter().filter(is_new).filter_map(|older| {
            let is_newer = |step: &&PorterStep| !step.forward && step.place == older.place - 1;
            Some(self.commit(&report.steps.iter().find(is_newer)?.revision))
        });
        let mut brought: Vec<String> = brought.collect();
        brought.dedup();
        let more = brought.len().saturating_sub(PLACES);
        brought.truncate(PLACES);
        brought.extend((more > 0).then(|| format!("{more} more")));
        let by = if brought.is_empty() { String::new() } else { format!(", which came with {}", brought.join(", ")) };
        format!("{} in {}{by}", count(patch.changes, "change"), self.places_of(patch))
    }

    /// Returns the length of the way, and the changes of the carried patch.
    fn way(&self, report: &PorterReport) -> Vec<(&'static str, String)> {
        let back = || report.steps.iter().filter(|step| !step.forward);
        let Some((first, last)) = back().min_by_key(|step| step.place).zip(back().max_by_key(|step| step.place)) else {
            return Vec::new();
        };
        let skipped = match report.skipped {
            0 => String::new(),
            skipped => format!(", {skipped} of which do not build"),
        };
        let (start, end) = (self.style.revision(&first.revision), self.style.revision(&last.revision));
        let tested = format!("{} tested from {start} back to {end}{skipped}", count(report.visited, "version"));
        let mut way = vec![("way", tested)];
        let made: Vec<&PorterReduction> =
            report.reductions.iter().filter(|made| made.purpose == Purpose::Walk && !made.forward).collect();
        way.extend(made.first().map(|first| {
            let why = first.reason.map(Reason::words).map_or(String::new(), |why| format!(" ({why})"));
            let at = self.style.revision(&first.revision);
            ("patch", format!("{}, the first at {at}{why}", count(made.len(), "reduction")))
        }));
        way
    }
}

/// Returns the changed lines of a patch with their files.
fn lines(patch: &PortedPatch) -> Option<String> {
    let parsed = Patch::parse(patch.content()).ok()?;
    let all: Vec<usize> = (0..parsed.len()).collect();
    let mut lines: Vec<String> = Vec::new();
    for Place { file, line, text, .. } in places(&parsed, &all, Find::Regression) {
        lines.push(line.map_or_else(|| file.clone(), |line| format!("{file}:{line}")));
        lines.extend(text.lines().map(str::to_owned));
    }
    let more = lines.len().saturating_sub(LINES);
    if more > 1 {
        lines.truncate(LINES);
        lines.push(format!("({more} more lines)"));
    }
    Some(lines.join("\n"))
}
