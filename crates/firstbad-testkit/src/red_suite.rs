//! A suite that became red in one night: three culprits, a flaky test, and one test for each other verdict.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::digest::sha256_hex;
use firstbad::suite::People;
use firstbad::{
    Commit, CommitGraph, Error, GraphBuilder, Observation, Outcome, Probe, Search as _, Stage, TestResult,
    TriageConfig, TriageReport, TriageSearch,
};

/// The number of commits on the trunk, from the good revision to the bad one.
const TRUNK: usize = 60;
/// The commit of the trunk that merges the side branch, and the commit of the side branch that breaks tests.
const MERGE: usize = 40;
const SIDE: usize = 4;
/// The commits that cannot be built, and the commits that break tests.
const UNBUILDABLE: [usize; 2] = [29, 30];
const PRICES: usize = 22;
const SEARCH: usize = 30;
const EXPORT: usize = 51;

/// The behavior of a test.
#[derive(Debug, Clone, Copy)]
enum Manner {
    /// Fails from a commit on.
    Breaks(usize),
    /// Fails from a commit of the side branch on.
    Merged,
    /// Exists from a commit on, and fails.
    Added(usize),
    /// Fails in every fourth run.
    Flaky,
    Fails,
    /// Has no result.
    Silent,
}

/// The text of everything that people can write.
#[derive(Debug, Clone)]
pub struct Texts {
    /// Appended to the ids of tests.
    pub id: String,
    /// Appended to the subjects of commits and to the names of people.
    pub subject: String,
    /// Appended to the signatures of failures.
    pub signature: String,
}

impl Texts {
    /// Uses one text everywhere.
    #[must_use]
    pub fn all(text: &str) -> Texts {
        Texts { id: text.to_owned(), subject: text.to_owned(), signature: text.to_owned() }
    }
}

/// The night.
#[derive(Debug)]
pub struct RedSuite {
    /// The history, with one merged side branch.
    pub graph: Arc<CommitGraph>,
    tests: Vec<(String, Manner, Option<String>)>,
    texts: Texts,
}

fn sha(number: usize) -> String {
    sha256_hex(number.to_string().as_bytes())[..40].to_owned()
}

/// Returns the id of a commit of the side branch.
fn side(number: usize) -> String {
    sha(1000 + number)
}

impl RedSuite {
    /// Creates the night. The texts are appended to the names.
    ///
    /// # Errors
    /// The errors of [`GraphBuilder::build`].
    pub fn new(texts: &Texts) -> Result<RedSuite, Error> {
        let mut builder = GraphBuilder::new();
        for number in 0..TRUNK {
            if number == MERGE {
                builder.revision(&side(0), [sha(14).as_str()]);
                for place in 1..9 {
                    builder.revision(&side(place), [side(place - 1).as_str()]);
                }
            }
            let parents = number.checked_sub(1).map(sha).into_iter().chain((number == MERGE).then(|| side(8)));
            let parents: Vec<String> = parents.collect();
            builder.revision(&sha(number), parents.iter().map(String::as_str));
        }
        builder.name("main", sha(TRUNK - 1)).name("v1.4", sha(0));
        let signed = |signature: &str| Some(format!("{signature}{}", texts.signature));
        let mut tests = Vec::new();
        let mut add = |id: String, manner: Manner, signature: Option<String>| {
            tests.push((format!("{id}{}", texts.id), manner, signature));
        };
        let wrong = "TypeError: unsupported operand type(s) for +: '…' and '…'";
        (1..=17).for_each(|case| {
            add(format!("shop/test_prices.py::test_total[{case}]"), Manner::Breaks(PRICES), signed(wrong));
        });
        for name in ["test_add", "test_remove", "test_merge", "test_empty", "test_gift"] {
            let signature = signed("AssertionError: assert # == #");
            add(format!("shop/test_cart.py::TestCart::{name}"), Manner::Merged, signature);
        }
        add("shop/test_export.py::test_csv".to_owned(), Manner::Breaks(EXPORT), signed("KeyError: '…'"));
        add("shop/test_export.py::test_headers".to_owned(), Manner::Added(EXPORT), signed("KeyError: '…'"));
        add("shop/test_search.py::test_ranking".to_owned(), Manner::Breaks(SEARCH), None);
        add("shop/test_net.py::test_retry".to_owned(), Manner::Flaky, signed("TimeoutError"));
        add("shop/test_tz.py::test_dst".to_owned(), Manner::Fails, signed("ZoneInfoNotFoundError: '…'"));
        add("shop/test_gpu.py::test_kernel".to_owned(), Manner::Silent, None);
        add("shop/test_old.py::test_known".to_owned(), Manner::Fails, None);
        add("shop/test_slow.py::test_import".to_owned(), Manner::Fails, None);
        Ok(RedSuite { graph: Arc::new(builder.build()?), tests, texts: texts.clone() })
    }

    /// Returns the configuration of the search, with the reports of two nights.
    #[must_use]
    pub fn config(&self) -> TriageConfig {
        let id = |name: &str| format!("{name}{}", self.texts.id);
        let ids = self.tests.iter().map(|(id, ..)| id.clone());
        let mut config = TriageConfig::new("main", ids).good(["v1.4"]);
        let red = |signature: &Option<String>| TestResult { signature: signature.clone(), ..Outcome::Fail.into() };
        config.tonight = self.tests.iter().map(|(id, _, signature)| (id.clone(), red(signature))).collect();
        let is_old = |manner: &Manner| !matches!(manner, Manner::Added(_));
        let before = self.tests.iter().filter(|(_, manner, _)| is_old(manner));
        config.last = before.map(|(id, ..)| (id.clone(), Outcome::Pass.into())).collect();
        config.last.insert(id("shop/test_old.py::test_known"), Outcome::Fail.into());
        config.last.insert(id("shop/test_mail.py::test_queue"), Outcome::Fail.into());
        config.tonight.insert(id("shop/test_mail.py::test_queue"), Outcome::Pass.into());
        config.last.insert(id("shop/test_fax.py::test_send"), Outcome::Pass.into());
        config.quarantine = vec![id("shop/test_slow.py::test_import")];
        config
    }

    /// Runs the tests of a probe. `runs` counts the runs of the flaky test.
    #[must_use]
    pub fn run(&self, probe: &Probe, runs: &mut u32) -> Observation {
        let revision = probe.revision();
        let place = (0..TRUNK).find(|&number| sha(number) == revision);
        let seconds = Some(90.0);
        if place.is_some_and(|place| UNBUILDABLE.contains(&place)) {
            return Observation { stage: Some(Stage::Build), seconds, ..Observation::new(Outcome::Unresolved) };
        }
        let broken_side = (SIDE..9).any(|place| side(place) == revision);
        // The side branch starts before every culprit of the trunk.
        let on_trunk = place.unwrap_or(14);
        let fails = |is: bool| Some(if is { Outcome::Fail } else { Outcome::Pass });
        let mut outcome = |manner: Manner| match manner {
            Manner::Breaks(from) => fails(on_trunk >= from),
            Manner::Merged => fails(broken_side || on_trunk >= MERGE),
            Manner::Added(from) => (on_trunk >= from).then_some(Outcome::Fail),
            Manner::Flaky => {
                *runs += 1;
                fails(*runs % 4 == 1)
            }
            Manner::Fails => Some(Outcome::Fail),
            Manner::Silent => None,
        };
        let asked = probe.target.tests.iter().flat_map(|tests| tests.iter()).filter_map(|test| self.tests.get(test));
        let results: BTreeMap<String, TestResult> = asked
            .filter_map(|(id, manner, signature)| {
                let outcome = outcome(*manner)?;
                let signature = signature.clone().filter(|_| outcome == Outcome::Fail);
                Some((id.clone(), TestResult { signature, seconds: Some(0.5), ..outcome.into() }))
            })
            .collect();
        Observation { stage: Some(Stage::Test), seconds, ..Observation::of_results(results) }
    }

    /// Searches until the end or until so many runs, and describes the commits as a repository does.
    ///
    /// # Errors
    /// The errors of the search.
    pub fn search(&self, most: usize) -> Result<(TriageSearch, TriageReport), Error> {
        let mut search = TriageSearch::new(Arc::clone(&self.graph), self.config())?;
        let mut flaky = 0;
        for _ in 0..most {
            let Some(probe) = search.ask(1)?.pop() else { break };
            let seen = self.run(&probe, &mut flaky);
            search.tell(probe.id, seen)?;
        }
        let mut report = search.report();
        self.describe(&mut report);
        Ok((search, report))
    }

    fn describe(&self, report: &mut TriageReport) {
        let text = &self.texts.subject;
        let subject = |id: &str| match id {
            id if id == sha(PRICES) => format!("Round prices to ten cents{text}"),
            id if id == side(SIDE) => format!("Keep gift cards in the cart{text}"),
            id if id == sha(EXPORT) => format!("Write headers into exports{text}"),
            _ => format!("Speed up nightly job for invoices{text}"),
        };
        let commit = |id: &str| Commit {
            subject: subject(id),
            author: format!("Ada Lovelace{text}"),
            author_date: "2026-03-14T16:02:31Z".to_owned(),
            commit_date: "2026-03-14T16:02:31Z".to_owned(),
            ..Commit::default()
        };
        report.commits = self.graph.ids().map(|id| (id.to_owned(), commit(id))).collect();
        report.names = [(sha(TRUNK - 1), vec!["main".to_owned()]), (sha(0), vec!["v1.4".to_owned()])].into();
        if let Some(first) = report.culprits.first_mut() {
            first.people = People {
                author: Some(format!("@ada{text}")),
                co_authors: vec![format!("Grace Hopper{text}")],
                pull_request: Some(format!("https://example.org/shop/pull/812{text}")),
                owners: vec![format!("@shop/prices{text}")],
            };
        }
    }
}
