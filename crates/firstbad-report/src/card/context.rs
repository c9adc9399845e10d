//! Data of a card besides the report.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use firstbad::graph::{CommitGraph, Node};
use firstbad::search::{Forecast, Hypothesis, Search, Status, TargetObservation, World};
use firstbad::{Commit, Report};
use fixedbitset::FixedBitSet;

use super::belief::Movement;
use super::other_failures::other_failures;
use crate::draw::Marks;

/// The limit of a forecast, because a card must appear immediately.
const QUESTIONS: usize = 2_000;

/// The number of hypotheses in addition to those of the report.
const LIKELIEST: usize = 5;

/// Data of a card besides the report. Each field can be missing.
#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    pub(super) graph: Option<Arc<CommitGraph>>,
    /// The names of the failing tests.
    pub(super) tests: Vec<String>,
    /// The good revisions as they were given.
    pub(super) good: Vec<String>,
    /// The revisions with a different failure.
    pub(super) others: BTreeSet<String>,
    /// The revisions whose tests are running.
    pub(super) running: Vec<String>,
    /// The remaining suspects.
    pub(super) suspects: Option<FixedBitSet>,
    pub(super) forecast: Option<Forecast>,
    /// The number of suspects at the start, if the search has probabilities.
    pub(super) suspects_in_all: Option<usize>,
    /// The most likely hypotheses, including a flake, in descending order.
    pub(super) likeliest: Vec<Hypothesis>,
    /// The probabilities by run.
    pub(super) movement: Option<Movement>,
    pub(super) commits: BTreeMap<String, Commit>,
    /// The branches and tags of the bad revisions.
    pub(super) names: BTreeMap<String, Vec<String>>,
    /// Whether commits between a commit and its parents can be missing.
    pub(super) is_simplified: bool,
    /// Whether the search followed only first parents.
    pub(super) follows_first_parents: bool,
}

impl Context {
    /// Collects the data of a report and of its search.
    pub(super) fn of(report: &Report, search: Option<&dyn Search>) -> Context {
        let mut context = Context { commits: report.commits().cloned().unwrap_or_default(), ..Context::default() };
        if let Report::Regression(report) = report {
            context.names.clone_from(&report.names);
            context.is_simplified = !report.paths.is_empty();
            context.follows_first_parents = report.first_parent;
            context.others = other_failures(report).map(str::to_owned).collect();
        }
        if let Report::Triage(report) = report {
            context.names.clone_from(&report.names);
        }
        let Some(search) = search else { return context };
        let inspect = search.inspect();
        let is_other = |one: &&TargetObservation| inspect.is_other_failure(&one.observation);
        let others = report.observations().iter().filter(is_other);
        context.others.extend(others.filter_map(|one| one.target.revision.clone()));
        if let World::History(graph) = inspect.world() {
            context.graph = Some(graph);
        }
        if let Ok(configuration) = inspect.configuration() {
            let texts = |name: &str| match &configuration[name] {
                serde_json::Value::String(text) => vec![text.clone()],
                serde_json::Value::Array(texts) => {
                    texts.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
                }
                _ => Vec::new(),
            };
            (context.tests, context.good) = (texts("test"), texts("good"));
        }
        // If the search has continued since the report, its state does not match.
        if search.runs() != report.runs() {
            return context;
        }
        if search.status() == Status::Running {
            context.running = search.in_flight().into_iter().filter_map(|probe| probe.target.revision).collect();
            context.suspects = inspect.suspects();
            let mut left = QUESTIONS;
            let mut keep_going = || {
                left = left.saturating_sub(1);
                left > 0
            };
            let forecast = inspect.forecast(1, &mut keep_going).ok().flatten();
            context.forecast = forecast.filter(|_| left > 0);
        }
        if let Report::Culprit(report) = report {
            if let Some(posterior) = inspect.posterior() {
                context.suspects_in_all = Some(posterior.len());
                context.likeliest = posterior.credible_set(1.0, LIKELIEST);
            }
            context.movement = Movement::of(search, &report.observations);
        }
        context
    }

    pub(super) fn commit(&self, id: &str) -> Option<&Commit> {
        self.commits.get(id)
    }

    pub(super) fn subject(&self, id: &str) -> Option<&str> {
        self.commit(id).map(|commit| commit.subject.as_str())
    }

    /// Returns the branch or tag of a bad revision, otherwise its id, as HTML.
    pub(super) fn end(&self, id: &str) -> String {
        let known = self.names.get(id).and_then(|names| names.first()).map(String::as_str);
        let in_graph = || {
            let graph = self.graph.as_deref()?;
            let names = graph.names(graph.get(id)?);
            names.into_iter().find(|name| !name.starts_with("refs/") && *name != "HEAD" && !id.starts_with(*name))
        };
        match known.or_else(in_graph) {
            Some(name) => super::element::code(name),
            None => super::element::id(id),
        }
    }

    /// What is marked in a history by itself: the names of the ends, and the subjects of commits.
    pub(super) fn marks(&self, graph: &CommitGraph) -> Marks<'_> {
        let subjects = self.commits.iter().filter_map(|(id, commit)| Some((graph.get(id)?, commit.subject.as_str())));
        let names = self.names.iter().filter_map(|(id, names)| Some((graph.get(id)?, names.first()?.as_str())));
        Marks { subjects: subjects.collect(), names: names.collect(), ..Marks::default() }
    }

    /// Returns the nodes of the names that are in the graph.
    pub(super) fn nodes<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Vec<Node> {
        let Some(graph) = &self.graph else { return Vec::new() };
        names.into_iter().filter_map(|name| graph.resolve(name, "revision").ok()).collect()
    }
}
