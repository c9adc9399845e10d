//! Findings of a culprit search and of a verification.

use firstbad::culprit::{Conclusion, CulpritReport, MissingRun, Role, VerificationReport};
use firstbad::suspicion::SelectionReason;
use firstbad::{Status, percent};

use super::{List, SHOWN, Story, StoryWriter};
use crate::quantities::count;

impl StoryWriter<'_> {
    pub(super) fn of_blame(&self, blame: &CulpritReport) -> Story {
        let headline = match (&blame.culprit, blame.conclusion) {
            (Some(culprit), _) => {
                format!("Culprit: {} ({})", self.titled(culprit), percent(blame.probability))
            }
            (None, Conclusion::Flake) => {
                format!("No culprit: the failure was a flake ({})", percent(blame.probability))
            }
            (None, _) if matches!(self.summary.status(), Status::Running | Status::Budget | Status::Stopped) => {
                self.progress()
            }
            (None, _) => self.outcome(),
        };
        let mut story = Story { headline, ..Story::default() };
        story.details.extend(blame.culprit.iter().flat_map(|culprit| self.described(culprit)));
        story.details.extend(self.suspected(blame.culprit.as_ref().and_then(|culprit| blame.why.get(culprit))));
        let healthy = blame.healthy_runs;
        let seen = format!(
            "{} of {} at good revisions failed",
            healthy.fails,
            count((healthy.passes + healthy.fails) as usize, "run")
        );
        // The rates are assumptions: they can be given, and a flake has no run at a broken revision.
        let passes = match (blame.conclusion, blame.false_pass_rate) {
            (Conclusion::Flake, 0.0) => ". Assumed: bad revisions never pass".to_owned(),
            (_, 0.0) => String::new(),
            (_, rate) => format!(". Bad revisions pass in {} of their runs", percent(rate)),
        };
        let fails = percent(blame.flake_rate);
        story.details.push(("flaky", format!("good revisions fail in about {fails} of their runs ({seen}){passes}")));
        if !blame.missing.is_empty() {
            let run = |run: &MissingRun| format!("a {} of {}", run.outcome, self.commit(&run.revision));
            let missing: Vec<String> = blame.missing.iter().map(run).collect();
            story.details.push(("missing", missing.join(", ")));
        }
        if !blame.rates_consistent {
            story.details.push(("warning", "the given rates do not fit the outcomes".to_owned()));
        }
        if let Some(failures) = blame.failure_streak {
            story.details.push(("warning", format!("{failures} good revisions in a row failed")));
        }
        if blame.conclusion != Conclusion::Inconclusive {
            let words = if blame.verified { "by reruns at the end of the search" } else { "no" };
            story.details.push(("verified", words.to_owned()));
        }
        if blame.culprit.is_none() || blame.credible_set.len() > 1 {
            let suspects = blame.credible_set.iter().take(SHOWN).map(|one| match &one.revision {
                Some(revision) => format!("{:>6} {}", percent(one.probability), self.commit(revision)),
                None => format!("{:>6} a flake", percent(one.probability)),
            });
            story.lists = List::new("suspects", suspects.collect());
        }
        story
    }

    /// Returns the reasons to suspect a commit before the first run.
    pub(super) fn suspected(&self, why: Option<&SelectionReason>) -> Option<(&'static str, String)> {
        let why = why.filter(|why| why.before.is_none())?;
        Some(("prior", self.style.words(&why.message)))
    }

    pub(super) fn of_verification(&self, verified: &VerificationReport) -> Story {
        let who =
            verified.culprit.as_ref().map_or("the failure was a flake".to_owned(), |culprit| self.commit(culprit));
        let headline = match verified.correct {
            Some(true) => format!("Confirmed: {who}"),
            Some(false) => format!("Not confirmed: {who}"),
            None => format!("Neither confirmed nor refuted: {who}"),
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
}
