//! What git does too: choosing the next commit, and reading a history.

use std::process::{Command, Stdio};

use firstbad::graph::AncestorSums;
use firstbad::regression::{RegressionConfig, SearchKind};
use firstbad::{RegressionSearch, Search};
use firstbad_git::{GraphOptions, Repository};
use firstbad_testkit::bare_graph::BareGraph;

use crate::figure::{Aim, Figure};
use crate::graphs::repository;
use crate::statistics::median;
use crate::time::{processor_seconds, seconds};

/// Weights of all commits, and the first choice of a bisection, beside the first step of git's.
pub(super) fn choosing(bare: &BareGraph) -> Result<Vec<Figure>, String> {
    let graph = &bare.graph;
    let everything = graph.ancestors(&graph.leaves().collect::<Vec<_>>());
    const ROUNDS: u32 = 20;
    let rounds = || (0..ROUNDS).for_each(|_| drop(std::hint::black_box(AncestorSums::counts(graph, &everything))));
    let weights = processor_seconds(rounds).0 / f64::from(ROUNDS);

    let repository = repository(bare)?;
    let root = graph.ancestors(&[bare.head_node]).ones().next().unwrap_or(0) as u32;
    // git takes its ends on trust, too: the first question is about what lies between.
    let ends = || RegressionConfig::new([graph.id(bare.head_node)]).good([graph.id(root)]).no_test_endpoints();
    let config = || ends().search(SearchKind::Bisect);
    // Side by side: ours, git, ours, git, ...
    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    let mut same = true;
    for _ in 0..3 {
        let (time, choice) = seconds(|| -> Result<String, firstbad::Error> {
            let mut search = RegressionSearch::new(graph.clone(), config())?;
            Ok(search.ask(1)?.pop().map(|probe| probe.revision().to_owned()).unwrap_or_default())
        });
        let choice = graph.get(&choice.map_err(|error| error.to_string())?);
        ours.push(time);
        let (time, printed) = seconds(|| repository.rev_list_bisect(bare.head_node, &[root]));
        theirs.push(time);
        let printed = printed.map_err(|failure| failure.to_string())?;
        same &= choice.is_some_and(|choice| repository.sha(choice) == printed);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    Ok(vec![
        Figure::aimed(
            format!("exact weights of all {} commits, one thread, processor time", everything.count_ones(..)),
            weights,
            "s",
            Aim::AtMost(0.1),
        ),
        Figure::told("first step of `git rev-list --bisect` on the same graph", theirs, "s"),
        Figure::aimed(
            "git's first step over our weights of all commits",
            theirs / weights,
            "times",
            Aim::AtLeast(50.0),
        ),
        Figure::told("our whole first step (search made, first question asked)", ours, "s"),
        Figure::aimed("git's first step over our whole first step", theirs / ours, "times", Aim::AtLeast(50.0)),
        Figure::aimed("the same commit chosen (1: yes)", f64::from(u8::from(same)), "", Aim::AtLeast(1.0)),
    ])
}

/// A graph from a repository, beside `git rev-list --parents --all`, in turns.
pub(super) fn reading(bare: &BareGraph) -> Result<Vec<Figure>, String> {
    let repository = repository(bare)?;
    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    let mut commits = 0;
    for _ in 0..7 {
        let (time, graph) = seconds(|| Repository::open(repository.path())?.graph(&GraphOptions::default()));
        commits = graph.map_err(|error| error.to_string())?.len();
        ours.push(time);
        let (time, status) = seconds(|| {
            Command::new("git")
                .args(["rev-list", "--parents", "--all"])
                .current_dir(repository.path())
                .stdout(Stdio::null())
                .status()
        });
        if !status.is_ok_and(|status| status.success()) {
            return Err("git rev-list failed".into());
        }
        theirs.push(time);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    Ok(vec![
        Figure::told(format!("graph of {commits} commits from a repository with a commit-graph file"), ours, "s"),
        Figure::told("`git rev-list --parents --all >/dev/null` there", theirs, "s"),
        Figure::aimed("ours over git's", ours / theirs, "times", Aim::AtMost(1.0)),
    ])
}
