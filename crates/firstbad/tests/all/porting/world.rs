//! Small histories of one file, and a driver that applies patches by merging, as a host does.

use std::collections::BTreeMap;
use std::sync::Arc;

use diffy::DiffOptions;
use firstbad::porting::{Port, Walk};
use firstbad::{
    AskTell, ChangeSet, CommitGraph, Observation, Outcome, Patch, PorterConfig, PorterReport, Read, Request, Search,
    Stage, Target,
};
use serde_json::json;

/// A history: the content of the file at each version, oldest first, and the outcome of the test for a content.
pub(crate) struct World {
    pub(crate) versions: Vec<String>,
    pub(crate) test: Box<dyn Fn(&str) -> Observation>,
}

/// The read differences by id.
pub(crate) type Universes = BTreeMap<u64, (Request, Vec<u8>)>;

impl World {
    pub(crate) fn new(versions: Vec<Vec<&str>>, test: impl Fn(&str) -> Observation + 'static) -> World {
        let versions =
            versions.into_iter().map(|lines| lines.iter().map(|line| format!("{line}\n")).collect()).collect();
        World { versions, test: Box::new(test) }
    }

    pub(crate) fn graph(&self) -> Arc<CommitGraph> {
        Arc::new(CommitGraph::linear((0..self.versions.len()).map(|number| format!("r{number}"))).unwrap())
    }

    pub(crate) fn start(&self) -> String {
        format!("r{}", self.versions.len() - 1)
    }

    pub(crate) fn config(&self, walk: Walk) -> PorterConfig {
        PorterConfig::new(self.start()).walk(walk)
    }

    pub(crate) fn search(&self, config: PorterConfig) -> AskTell<Port> {
        AskTell::new(self.graph(), config).unwrap()
    }

    fn version(&self, target: &Target) -> &str {
        let number: usize = target.revision.as_ref().unwrap()[1..].parse().unwrap();
        &self.versions[number]
    }

    /// Returns the file of a target, or `None` if the patch does not apply.
    pub(crate) fn content(&self, target: &Target, universes: &Universes) -> Option<String> {
        let ours = self.version(target).to_owned();
        let Some(changes) = target.changes.as_ref().filter(|changes| !changes.is_empty()) else { return Some(ours) };
        let (Request::Diff { from, .. }, content) = &universes[&target.universe.unwrap()] else { panic!("a diff") };
        let base = self.content(from, universes)?;
        let theirs = applied(&base, content, changes);
        if from.revision == target.revision { Some(theirs) } else { diffy::merge(&base, &ours, &theirs).ok() }
    }

    /// Returns the content that a host provides for a read.
    pub(crate) fn read(&self, read: &Read, universes: &Universes) -> Vec<u8> {
        let Request::Diff { from, to } = &read.request else { panic!("a diff") };
        let side = |target| self.content(target, universes).expect("it was tested before");
        difference(&side(from), &side(to))
    }

    /// Returns the observation of the test for a target.
    pub(crate) fn answer(&self, target: &Target, universes: &Universes) -> Observation {
        let Some(content) = self.content(target, universes) else {
            return Observation {
                ran: false,
                stage: Some(Stage::Patch),
                signals: Some(json!({"carried": "conflict"})),
                ..Outcome::Unresolved.into()
            };
        };
        let mut seen = (self.test)(&content);
        let carried = if target.universe.is_some() { "three_way" } else { "none" };
        let mut signals = seen.signals.take().unwrap_or_else(|| json!({}));
        signals["carried"] = json!(carried);
        seen.signals = Some(signals);
        seen
    }

    /// Runs one step with one job. Returns false at the end.
    pub(crate) fn step(&self, search: &mut dyn Search, universes: &mut Universes) -> bool {
        if let Some(read) = search.reads().first() {
            let content = self.read(read, universes);
            search.give(read.id, &content).unwrap();
            universes.insert(read.id, (read.request.clone(), content));
            return true;
        }
        let probe = search.in_flight().into_iter().next().or_else(|| search.ask(1).unwrap().pop());
        if let Some(probe) = &probe {
            search.tell(probe.id, self.answer(&probe.target, universes)).unwrap();
        }
        probe.is_some()
    }

    /// Runs a search to its end.
    pub(crate) fn play(&self, config: PorterConfig) -> PorterReport {
        self.finish(&mut self.search(config))
    }

    pub(crate) fn finish(&self, search: &mut AskTell<Port>) -> PorterReport {
        let mut universes = universes_of(search);
        for _ in 0..20_000 {
            if !self.step(search, &mut universes) {
                assert!(search.is_done(), "it waits for nothing");
                return search.report();
            }
        }
        panic!("it does not end");
    }
}

/// Returns the reads that a search received so far, as a host knows them after a resume.
pub(crate) fn universes_of(search: &AskTell<Port>) -> Universes {
    let mut universes = Universes::new();
    for id in 0.. {
        match search.inspect().universe(id) {
            Some((request, content)) => universes.insert(id, (request, content.bytes().to_vec())),
            None => return universes,
        };
    }
    universes
}

/// Applies a part of a patch to a text.
pub(crate) fn applied(base: &str, patch: &[u8], changes: &ChangeSet) -> String {
    let indices: Vec<usize> = changes.iter().collect();
    let part = Patch::parse(patch).unwrap().subset(&indices).unwrap();
    let files = BTreeMap::from([(b"f".to_vec(), base.as_bytes().to_vec())]);
    String::from_utf8(part.apply(&files).unwrap().remove(b"f".as_slice()).unwrap_or_default()).unwrap()
}

pub(crate) fn difference(from: &str, to: &str) -> Vec<u8> {
    if from == to {
        return Vec::new();
    }
    let mut options = DiffOptions::new();
    options.set_original_filename("a/f").set_modified_filename("b/f");
    format!("diff --git a/f b/f\n{}", options.create_patch(from, to)).into_bytes()
}

/// Returns a failure of the test itself.
pub(crate) fn fails(signature: &str) -> Observation {
    Observation { stage: Some(Stage::Test), signature: Some(signature.into()), ..Outcome::Fail.into() }
}

/// Returns a failure of the build.
pub(crate) fn unbuilt(signature: &str) -> Observation {
    Observation { stage: Some(Stage::Build), signature: Some(signature.into()), ..Outcome::Unresolved.into() }
}
