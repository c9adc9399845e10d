//! Runs the tests of one probe, and runs them again after a crash.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use firstbad::{Error, Observation, Outcome, Stage, Stopping, TestResult, printable};
use firstbad_git::git;
use firstbad_platform::trees;
use firstbad_results::{CaseResult, Place, Plan, Report, Request, ResultsError, Runner, Scope, Tree};

use super::reports;
use super::tests::Tests;
use crate::command::execution::{Running, Step};
use crate::judging::judge::{code, ending};
use crate::options::verdict::Verdict;
use crate::process::group::{Ended, Finished};
use crate::process::log;

/// The most runs after crashes, and after time limits, which are long.
const MOST_CRASHES: u32 = 24;
const MOST_TIMEOUTS: u32 = 2;

/// Tests that are still to run.
struct Pending {
    /// Their ids, or `None` for the whole suite.
    tests: Option<Vec<String>>,
    /// Whether these tests had no result before.
    again: bool,
}

/// The runs of one probe.
pub(super) struct Session<'s, 'r, 'a, 'b, 'c> {
    tests: &'s Tests,
    running: &'r mut Running<'a, 'b, 'c>,
    results: BTreeMap<String, TestResult>,
    /// Why the runner could not start its tests, with the signature.
    obstacle: Option<(String, String)>,
    /// What went wrong without ending the probe.
    problems: Vec<String>,
    pending: Vec<Pending>,
    crashes: u32,
    timeouts: u32,
    memory: Option<u64>,
    runs: u32,
}

/// How a command of the runner ended.
struct Run {
    report: Option<Report>,
    /// Whether the runner did not get to its end.
    is_cut: bool,
    is_late: bool,
    /// The outcome and the signature for a test that ran alone and ended the runner.
    alone: TestResult,
}

impl<'s, 'r, 'a, 'b, 'c> Session<'s, 'r, 'a, 'b, 'c> {
    pub(super) fn new(tests: &'s Tests, running: &'r mut Running<'a, 'b, 'c>) -> Self {
        Session {
            tests,
            running,
            results: BTreeMap::new(),
            obstacle: None,
            problems: Vec::new(),
            pending: Vec::new(),
            crashes: 0,
            timeouts: 0,
            memory: None,
            runs: 0,
        }
    }

    /// Runs the tests, or the whole suite.
    pub(super) fn run(mut self, tests: Option<&[String]>) -> Result<Observation, Error> {
        self.pending.push(Pending { tests: tests.map(<[String]>::to_vec), again: false });
        while let Some(pending) = self.pending.pop() {
            for plan in self.plans(&pending)? {
                self.run_plan(&plan, pending.again)?;
                if self.obstacle.is_some() && self.results.is_empty() {
                    break;
                }
            }
        }
        Ok(self.observation(tests))
    }

    fn observation(self, tests: Option<&[String]>) -> Observation {
        let count = |outcome| self.results.values().filter(|result| result.outcome == outcome).count();
        let (failed, passed) = (count(Outcome::Fail), count(Outcome::Pass));
        let run = &self.running.run;
        if let Some((words, signature)) = self.obstacle.filter(|_| failed + passed == 0) {
            return run.not_tested(Stage::Build, &format!("the tests could not start: {words}"), signature);
        }
        let asked = tests.map_or(self.results.len(), <[String]>::len);
        let mut words = format!("{failed} of {asked} tests fail, {passed} pass");
        if failed + passed < asked {
            words.push_str(&format!(", {} have no outcome", asked - failed - passed));
        }
        for problem in &self.problems {
            words.push_str(&format!("; {problem}"));
        }
        let outcome = Observation::of_results(self.results);
        let stage = (outcome.outcome == Outcome::Unresolved).then_some(Stage::Test);
        Observation { results: outcome.results, stage, memory: self.memory, ..run.seen(outcome.outcome, &words) }
    }

    /// Makes the plans for tests. An id that the runner cannot take leaves its test without a result.
    fn plans(&mut self, pending: &Pending) -> Result<Vec<Plan>, Error> {
        let folder = self.folder()?;
        let text = folder.to_str().ok_or_else(|| {
            git::io(format!("naming {}", folder.display()), &std::io::ErrorKind::InvalidFilename.into())
        })?;
        let tree = self.running.work_tree.folder().to_owned();
        let exists = |path: &str| tree.join(path).exists();
        let root = tree.to_string_lossy();
        let mut tests = pending.tests.clone();
        loop {
            let request = Request {
                tree: Tree::new(&root, &exists),
                results: self.tests.results.as_ref(),
                again: pending.again,
                version: self.tests.version(self.running.run.command),
                ..Request::new(self.running.run.command, tests.as_deref(), text)
            };
            match (self.tests.runner.plan(&request), &mut tests) {
                (Err(ResultsError::UnwritableId { id }), Some(tests)) if tests.contains(&id) => {
                    self.problems.push(format!("the id {:?} cannot be an argument", printable(&id)));
                    tests.retain(|test| *test != id);
                }
                (Ok(_), Some(tests)) if tests.is_empty() => return Ok(Vec::new()),
                (plans, _) => return Ok(plans?),
            }
        }
    }

    /// Creates an empty folder for a run.
    fn folder(&mut self) -> Result<PathBuf, Error> {
        let above = self.running.work_tree.beside("results");
        let failed = |error: &std::io::Error| git::io(format!("creating {}", above.display()), error);
        if self.runs == 0 && above.exists() {
            trees::remove(&above).map_err(|error| failed(&error))?;
        }
        self.runs += 1;
        let folder = above.join(self.runs.to_string());
        std::fs::create_dir_all(&folder).map_err(|error| failed(&error))?;
        Ok(folder)
    }

    fn run_plan(&mut self, plan: &Plan, again: bool) -> Result<(), Error> {
        let run = self.start(plan)?;
        let Some(asked) = &plan.tests else {
            // The whole suite has no known ids.
            let tests = run.report.iter().flat_map(|report| &report.tests).filter(|test| test.scope != Scope::Group);
            let failed = |test: &CaseResult| TestResult { outcome: Outcome::Fail, ..TestResult::from(test) };
            let result =
                |test: &CaseResult| if test.scope == Scope::File { failed(test) } else { self.tests.result(test) };
            let results: Vec<_> = tests.map(|test| (test.id.clone(), result(test))).collect();
            self.results.extend(results);
            if run.is_cut {
                self.problems.push("the runner did not end".to_owned());
            }
            return Ok(());
        };
        let answers = match &run.report {
            Some(report) => answers(report, asked),
            None => vec![None; asked.len()],
        };
        let (mut rest, mut suspects) = (Vec::new(), Vec::new());
        for (id, answer) in asked.iter().zip(answers) {
            match answer {
                Some(Answer::Result(test)) if run.is_cut && test.outcome == Outcome::Unresolved && !test.skipped => {
                    suspects.push(id.clone());
                }
                Some(Answer::Result(test)) => self.take(id, self.tests.result(test)),
                Some(Answer::File(outcome)) => self.take(id, outcome.into()),
                None => rest.push(id.clone()),
            }
        }
        if self.obstacle.is_none() {
            self.repeat(&run, asked, again, rest, suspects);
        }
        Ok(())
    }

    /// Plans the tests without a result once more.
    fn repeat(&mut self, run: &Run, asked: &[String], again: bool, rest: Vec<String>, suspects: Vec<String>) {
        if !run.is_cut {
            let hides = matches!(self.tests.runner, Runner::Jest | Runner::Vitest | Runner::Mocha);
            if hides && !again && !rest.is_empty() {
                self.pending.push(Pending { tests: Some(rest), again: true });
            }
            return;
        }
        if let [alone] = asked {
            self.take(alone, run.alone.clone());
            return;
        }
        let (count, most) = match run.is_late {
            true => (&mut self.timeouts, MOST_TIMEOUTS),
            false => (&mut self.crashes, MOST_CRASHES),
        };
        *count += 1;
        if *count > most {
            let words = if run.is_late { "exceeded the time limit" } else { "crashed" };
            self.problems.push(format!(
                "{} tests were left out after the runner {words} {most} times",
                rest.len() + suspects.len()
            ));
            return;
        }
        let parts = match suspects.is_empty() && rest.len() == asked.len() {
            // Nothing is known about the crash, so it is in one half.
            true => {
                let (first, second) = rest.split_at(rest.len() / 2);
                vec![first.to_vec(), second.to_vec()]
            }
            false => std::iter::once(rest).chain(suspects.into_iter().map(|suspect| vec![suspect])).collect(),
        };
        for tests in parts.into_iter().rev().filter(|tests| !tests.is_empty()) {
            self.pending.push(Pending { tests: Some(tests), again });
        }
    }

    fn take(&mut self, id: &str, result: TestResult) {
        self.results.insert(id.to_owned(), result);
    }

    /// Runs the command of a plan, and reads its results.
    fn start(&mut self, plan: &Plan) -> Result<Run, Error> {
        for file in &plan.files {
            std::fs::write(&file.path, &file.content)
                .map_err(|error| git::io(format!("writing {}", file.path), &error))?;
        }
        let tree = self.running.work_tree.folder().to_owned();
        reports::clear(plan, &tree).map_err(|error| git::io("removing old results".to_owned(), &error))?;
        let timeout = self.running.run.limit.test;
        let step = Step {
            name: Stage::Test.as_str(),
            words: &plan.argv,
            timeout,
            variables: Vec::new(),
            changes: &plan.environment,
            input: None,
            stdout: None,
        };
        let start = self.start_time()?;
        let (finished, printed) = self.running.finish(step)?;
        self.memory = self.memory.max(finished.memory);
        if plan.results.place == Place::ExitCode {
            return self.by_exit_code(&finished, &printed);
        }
        self.check(&finished)?;
        let log = self.running.run.log;
        let read = reports::read(plan, self.tests.runner, &tree, start, || printed.read(log));
        let report = read.unwrap_or_else(|error| {
            self.problems.push(format!("unreadable results: {}", error.to_string().lines().next().unwrap_or_default()));
            None
        });
        let (is_late, is_killed) = match &finished.ended {
            Ended::TimedOut => (true, false),
            Ended::Exited(status) => (false, status.code().is_none_or(|code| code >= 128)),
            Ended::Interrupted => return Err(Error::Interrupted),
        };
        let is_empty = report.as_ref().is_none_or(|report| report.tests.is_empty());
        let is_cut = is_late || is_killed || report.as_ref().is_some_and(|report| !report.complete);
        if is_empty && !is_cut {
            self.obstacle = self.obstacle(&finished, &printed)?;
        }
        let signature = self.running.run.signature(&finished.ended, &printed)?;
        let options = self.running.run.options;
        let verdict = if is_late { options.on_timeout } else { options.on_signal };
        let outcome = if verdict == Verdict::Fail { Outcome::Fail } else { Outcome::Unresolved };
        let alone = TestResult { signature: Some(signature), ..TestResult::from(outcome) };
        Ok(Run { report, is_cut, is_late, alone })
    }

    /// Returns the current time of the file system, whose clock can be behind that of the system.
    fn start_time(&self) -> Result<SystemTime, Error> {
        let marker = self.running.work_tree.beside("started");
        let written = trees::fresh(&marker).and_then(|file| file.metadata()?.modified());
        written.map_err(|error| git::io(format!("writing {}", marker.display()), &error))
    }

    /// Judges a test that ran alone by the exit code.
    fn by_exit_code(&self, finished: &Finished, printed: &log::Part) -> Result<Run, Error> {
        let seen = self.running.run.judge(finished, printed)?;
        let alone = TestResult { signature: seen.signature, seconds: seen.seconds, ..TestResult::from(seen.outcome) };
        Ok(Run { report: None, is_cut: true, is_late: false, alone })
    }

    /// Ends the search, or asks for a repetition, for the exit codes for which the user wants it.
    fn check(&self, finished: &Finished) -> Result<(), Error> {
        let Ended::Exited(status) = &finished.ended else { return Ok(()) };
        let (code, words) = code(*status);
        match self.running.run.options.exit_codes.get(&code) {
            Some(&verdict @ (Verdict::Stop | Verdict::Retry)) => {
                self.running.run.outcome(verdict, &words, Stopping::ExitCode, Some(code)).map(|_| ())
            }
            Some(_) => Ok(()),
            None if matches!(code, 126 | 127) => Err(self.running.run.not_found(self.running.run.command, code)),
            None => Ok(()),
        }
    }

    /// Returns why the runner could not start any test, with the signature, or `None` if there are no such tests.
    fn obstacle(&self, finished: &Finished, printed: &log::Part) -> Result<Option<(String, String)>, Error> {
        let Ended::Exited(status) = &finished.ended else { return Ok(None) };
        let run = &self.running.run;
        let (code, words) = code(*status);
        let why = match &run.rules.runner {
            Some(runner) => runner.obstacle(code, &run.output(printed)?),
            // Its targets are built one by one.
            None if self.tests.runner == Runner::Bazel => None,
            None if code != 0 => Some("there are no results".to_owned()),
            None => None,
        };
        let Some(why) = why else { return Ok(None) };
        Ok(Some((
            format!("{words}, and {why}"),
            run.rules.signatures.sign(&ending(&finished.ended), &run.output(printed)?, run.tree),
        )))
    }
}

/// The answer of a report about an id.
#[derive(Clone)]
enum Answer<'a> {
    Result(&'a CaseResult),
    /// The id is a file, which could be loaded or not.
    File(Outcome),
}

fn answers<'a>(report: &'a Report, asked: &[String]) -> Vec<Option<Answer<'a>>> {
    let of_file = |id: &String| match report.file_outcome(id) {
        Outcome::Unresolved => None,
        outcome => Some(Answer::File(outcome)),
    };
    let found = report.answers(asked);
    let is_test = |test: &&CaseResult| test.scope == Scope::Test;
    asked.iter().zip(found).map(|(id, test)| test.filter(is_test).map(Answer::Result).or_else(|| of_file(id))).collect()
}
