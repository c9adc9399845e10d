//! What a card shows beside the report itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use firstbad::graph::{CommitGraph, Node};
use firstbad::search::{Forecast, Hypothesis, Search, Status, TargetObservation, World};
use firstbad::{Commit, Report};
use fixedbitset::FixedBitSet;

use super::belief::Movement;
use super::other_failures::other_failures;
use crate::draw::Marks;

/// How many questions a forecast may ask before it is left out: a card has to be there at once.
const QUESTIONS: usize = 2_000;

/// How many hypotheses are shown beside those that the report names.
const LIKELIEST: usize = 5;

/// What a card shows beside the report itself. Everything may be missing.
#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    pub(super) graph: Option<Arc<CommitGraph>>,
    /// What the failing tests are called.
    pub(super) tests: Vec<String>,
    /// The older ends as they were given.
    pub(super) good: Vec<String>,
    /// The revisions with a different failure than the one searched for.
    pub(super) others: BTreeSet<String>,
    /// What is being tested.
    pub(super) running: Vec<String>,
    /// Who can still be blamed.
    pub(super) suspects: Option<FixedBitSet>,
    pub(super) forecast: Option<Forecast>,
    /// How many there were; `None` if the search keeps no belief about each.
    pub(super) suspects_in_all: Option<usize>,
    /// The likeliest of them and "nobody", best first.
    pub(super) likeliest: Vec<Hypothesis>,
    /// How the belief moved.
    pub(super) movement: Option<Movement>,
    pub(super) commits: BTreeMap<String, Commit>,
    /// The branches and tags of the newer ends.
    pub(super) names: BTreeMap<String, Vec<String>>,
    /// Whether commits may be missing between one and those before it.
    pub(super) is_simplified: bool,
    /// Whether only first parents were followed.
    pub(super) follows_first_parents: bool,
}

impl Context {
    /// What a report tells itself, and the search that it is of.
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
        // A search that has gone on since knows another answer.
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

    /// What people call a newer end; its id if they do not.
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

    /// The nodes of these names, without those that are in no graph.
    pub(super) fn nodes<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Vec<Node> {
        let Some(graph) = &self.graph else { return Vec::new() };
        names.into_iter().filter_map(|name| graph.resolve(name, "revision").ok()).collect()
    }
}
