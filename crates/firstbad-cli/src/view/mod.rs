//! Progress on standard error: a live view in a terminal, otherwise one line for each outcome.

mod counts;
mod facts;
mod finished;
mod frame;
mod live;
mod subjects;
mod words;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use firstbad::{Error, Observation, Probe, Run, Search as _, for_logs};
use firstbad_git::Repository;
use firstbad_journal::Session;
use firstbad_report::plain;

use crate::streams;
pub(crate) use counts::{count, left};
pub(crate) use facts::Facts;
use finished::{Finished, Running};
use frame::Frame;
use live::Live;
pub(crate) use subjects::Sets;
use subjects::Subjects;
pub(crate) use words::{number, time};

enum Style {
    Quiet,
    Lines,
    Live(Live),
}

/// The progress of a search.
pub(crate) struct View<'r> {
    style: Style,
    title: String,
    began: Instant,
    facts: Facts,
    subjects: Subjects<'r>,
    /// The running tests and their start times.
    running: BTreeMap<u64, (Running, Instant)>,
    /// The time of the last line.
    spoke: Instant,
}

/// The time without output after which a line lists the running tests.
const SILENCE: Duration = Duration::from_secs(60);

impl<'r> View<'r> {
    /// Creates a view. `title` is the test command.
    pub(crate) fn new(quiet: bool, title: String, repository: Option<&'r Repository>) -> View<'r> {
        let style = match Live::on_terminal() {
            _ if quiet => Style::Quiet,
            Some(live) => Style::Live(live),
            None => Style::Lines,
        };
        View {
            style,
            title: plain(&title),
            began: Instant::now(),
            facts: Facts::default(),
            subjects: Subjects::new(repository),
            running: BTreeMap::new(),
            spoke: Instant::now(),
        }
    }

    /// Sets the names for sets of changes.
    pub(crate) fn calling_sets(mut self, sets: &'r dyn Sets) -> View<'r> {
        self.subjects.call_sets(sets);
        self
    }

    /// Updates the view.
    pub(crate) fn update(&mut self, session: &Session, run: &mut Run) -> Result<(), Error> {
        self.look(session, run, None)
    }

    fn look(&mut self, session: &Session, run: &mut Run, took: Option<Duration>) -> Result<(), Error> {
        match self.style {
            Style::Quiet => Ok(()),
            _ => self.facts.update(session, run, &mut self.subjects, took),
        }
    }

    /// Shows that a test starts.
    pub(crate) fn asked(&mut self, probe: &Probe) {
        let subject = match self.style {
            // Reading the subject now delays neither a test nor a frame.
            Style::Live(_) | Style::Lines => self.subjects.of(&probe.target),
            Style::Quiet => String::new(),
        };
        let short = self.subjects.name(&probe.target);
        self.running.insert(probe.id, (Running { short, subject }, Instant::now()));
    }

    /// Shows that a test ended.
    pub(crate) fn answered(
        &mut self,
        probe: &Probe,
        seen: &Observation,
        session: &Session,
        run: &mut Run,
    ) -> Result<(), Error> {
        let took = self.running.remove(&probe.id).map(|(_, began)| began.elapsed()).filter(|_| seen.ran);
        self.look(session, run, took)?;
        let seconds = seen.seconds.or(took.map(|took| took.as_secs_f64()));
        let finished = Finished {
            short: self.subjects.name(&probe.target),
            outcome: seen.outcome,
            is_other_failure: session.inspect().is_other_failure(seen),
            how: plain(&words::how(seen)),
            seconds,
            subject: match self.style {
                Style::Quiet => String::new(),
                Style::Lines | Style::Live(_) => self.subjects.of(&probe.target),
            },
            tests: words::tests(seen),
            number: words::number(seen).map(|number| plain(&number)),
        };
        match &self.style {
            Style::Quiet => {}
            Style::Lines => {
                streams::lines(&(words::line(&self.facts, &finished, self.began.elapsed()) + "\n"));
                self.spoke = Instant::now();
            }
            Style::Live(live) => live.leave(&finished, &self.frame()),
        }
        Ok(())
    }

    fn frame(&self) -> Frame<'_> {
        let running = self.running.values().map(|(running, began)| (running, began.elapsed())).collect();
        Frame { title: &self.title, elapsed: self.began.elapsed(), running, facts: &self.facts }
    }

    /// Removes a stopped test.
    pub(crate) fn cancelled(&mut self, probe: &Probe) {
        self.running.remove(&probe.id);
    }

    /// Draws the next frame.
    pub(crate) fn tick(&mut self) {
        match &self.style {
            Style::Live(live) => live.draw(&self.frame()),
            Style::Lines if self.spoke.elapsed() >= SILENCE && !self.running.is_empty() => {
                self.spoke = Instant::now();
                let running = self.running.values().map(|(running, began)| (running, began.elapsed()));
                streams::lines(&(words::still_running(running) + "\n"));
            }
            Style::Lines | Style::Quiet => {}
        }
    }

    /// Prints a note.
    pub(crate) fn note(&self, text: &str) {
        match &self.style {
            Style::Quiet => {}
            Style::Lines => streams::lines(&(noted(text) + "\n")),
            Style::Live(live) => live.above(&for_logs(&noted(text))),
        }
    }

    /// Removes the live view. The lines of finished tests stay.
    pub(crate) fn close(&mut self) {
        if let Style::Live(live) = &self.style {
            live.clear();
        }
    }
}

/// Returns the line of a note, or of a warning.
fn noted(text: &str) -> String {
    if text.starts_with("warning: ") { text.to_owned() } else { format!("note: {text}") }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use std::sync::Arc;

    use firstbad::{CommitGraph, Outcome, RunOptions};
    use serde_json::json;

    use super::frame::Paper;
    use super::*;

    #[test]
    fn the_live_view_prints_no_control_sequences() {
        let evil = |word: &str| format!("{word}\u{1b}[2J\u{9b}2J\u{202e}\n::error::{word}");
        let ids: Vec<String> = (0..8).map(|number| evil(&number.to_string())).collect();
        let configuration = json!({"bad": [ids[7]], "good": [ids[0]], "test_endpoints": false});
        let graph = Arc::new(CommitGraph::linear(ids).unwrap());
        let mut session = Session::new(firstbad::open("regression", graph, &configuration).unwrap());
        let mut run = Run::new(&mut session, RunOptions::default()).unwrap();
        let mut view = View::new(true, evil("title"), None);
        view.style = Style::Lines;
        let paper = Paper { rows: 40, columns: 200, colours: false };
        while let Some(probe) = run.take(&mut session, &mut || true).unwrap().pop() {
            view.asked(&probe);
            let mut lines = view.frame().lines(paper);
            let seen = Observation { note: Some(evil("note")), ..Outcome::Fail.into() };
            run.answered(&mut session, probe.id, seen.clone()).unwrap();
            view.answered(&probe, &seen, &session, &mut run).unwrap();
            lines.extend(view.frame().lines(paper));
            let text = lines.concat();
            assert!(!text.contains(|c: char| c.is_control() || c == '\u{202e}'), "{text:?}");
        }
        assert!(!view.facts.best.is_empty());
    }
}
