//! Several bad leaves, merges and flakes at once: `search = "bayes"` beside a search for each leaf.

use std::path::Path;
use std::sync::Arc;

use firstbad::culprit::{Conclusion, CulpritStrategy, Rate};
use firstbad::graph::Node;
use firstbad::regression::SearchKind;
use firstbad::{CommitGraph, CulpritConfig, CulpritSearch, Outcome, RegressionConfig, RegressionSearch, Search};
use firstbad_testkit::simulated::{Random, Shape, history};

use super::bench::Bench;
use super::range::{graphs, induced};
use super::trial::{Truth, seeded};
use crate::figure::Figure;

/// How large the histories are.
const REVISIONS: usize = 300;

/// A history from one good root, where several revisions were seen to fail.
struct Case {
    graph: Arc<CommitGraph>,
    bad: Vec<bool>,
    leaves: Vec<Node>,
}

/// What became of the leaves.
#[derive(Default)]
struct Count {
    leaves: u64,
    right: u64,
    wrong: u64,
    runs: u64,
}

/// A few culprits in simulated histories and in real ones, known and unknown rate.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    let trials = (bench.trials / 10).max(10);
    println!(
        "\n### Several bad leaves, merges and flakes\n\n{REVISIONS} revisions, 1 to 3 culprits, {trials} trials each. Leaves that fail \
         all the same, or by a flake, are given as bad. `bayes` is one search of RPA for all, `one by one` a search for a \
         culprit for each.\n\n| history | rate | search | leaves per trial | right | wrong | unanswered | runs per trial \
         | over one by one |\n|---|---|---|---|---|---|---|---|---|"
    );
    let windows = windows(&bench.options.data)?;
    for (source, real) in [("simulated", false), ("real", true)] {
        for (rate, known) in [(0.0, true), (0.1, true), (0.3, true), (0.1, false)] {
            let (mut bayes, mut each) = (Count::default(), Count::default());
            for trial in 0..trials {
                let mut random = seeded(trial, 9 + (rate * 1e6) as u64);
                let graph = if real { windows[trial as usize % windows.len()].clone() } else { simulated(trial)? };
                let Some(case) = Case::draw(graph, rate, &mut random) else { continue };
                let knowledge = if known { Rate::Known(rate) } else { Rate::Estimate };
                case.bayes(knowledge, rate, &mut random.clone(), &mut bayes)?;
                case.one_by_one(knowledge, rate, &mut random, &mut each)?;
            }
            let name = if known { format!("{rate}") } else { format!("{rate}, unknown") };
            let over = bayes.runs as f64 / each.runs as f64;
            bayes.row(source, &name, "bayes", trials, Some(over));
            each.row(source, &name, "one by one", trials, None);
            let share = bayes.right as f64 / bayes.leaves as f64;
            let what = format!("several bad leaves, {source}, rate {name}: leaves right by bayes");
            bench.target(Figure::told(what, share, ""));
            bench.progress(format!("leaves: {source}, rate {name}"));
        }
    }
    Ok(())
}

fn simulated(trial: u64) -> Result<Arc<CommitGraph>, String> {
    history(&Shape::branchy(REVISIONS), trial).map(Arc::new).map_err(|error| error.to_string())
}

/// Stretches of real histories that come from one revision.
fn windows(data: &Path) -> Result<Vec<Arc<CommitGraph>>, String> {
    let mut windows = Vec::new();
    for (name, graph) in graphs(data)? {
        let mut random = Random::new(name.len() as u64);
        for _ in 0..10 {
            let root = random.below((graph.len() - REVISIONS.min(graph.len() - 1)) as u64) as Node;
            let kept: Vec<Node> = graph.descendants(&[root]).ones().take(REVISIONS).map(|node| node as Node).collect();
            if kept.len() > REVISIONS / 3 {
                windows.push(Arc::new(induced(&graph, &kept, |_| true)?));
            }
        }
    }
    Ok(windows)
}

impl Case {
    fn draw(graph: Arc<CommitGraph>, rate: f64, random: &mut Random) -> Option<Case> {
        let mut bad = vec![false; graph.len()];
        for _ in 0..1 + random.below(3) {
            let culprit = 1 + random.below(graph.len() as u64 - 1) as Node;
            graph.descendants(&[culprit]).ones().for_each(|node| bad[node] = true);
        }
        let later = graph.descendants(&[0]);
        let broken = |node: Node| bad[node as usize];
        let truth = Truth { culprit: None, broken: &broken, flakes: rate, false_passes: 0.0 };
        let leaves: Vec<Node> = graph
            .leaves()
            .filter(|&leaf| leaf != 0 && later.contains(leaf as usize))
            .filter(|&leaf| truth.run(leaf, random) == Outcome::Fail)
            .collect();
        (!leaves.is_empty()).then_some(Case { graph, bad, leaves })
    }

    /// Whether a revision is broken and all its parents are healthy.
    fn is_culprit(&self, id: &str) -> bool {
        let Some(node) = self.graph.get(id) else { return false };
        self.bad[node as usize] && self.graph.parents(node).iter().all(|&parent| !self.bad[parent as usize])
    }

    fn bayes(&self, knowledge: Rate, rate: f64, random: &mut Random, count: &mut Count) -> Result<(), String> {
        let leaves = self.leaves.iter().map(|&leaf| self.graph.id(leaf));
        let mut config = RegressionConfig::new(leaves).good([self.graph.id(0)]).search(SearchKind::Bayes);
        config.flake_rate = Some(knowledge);
        let mut search = RegressionSearch::new(self.graph.clone(), config).map_err(|error| error.to_string())?;
        self.answer(&mut search, rate, random)?;
        let report = search.report();
        count.runs += search.runs();
        for leaf in &report.leaves {
            let node = self.graph.get(&leaf.leaf).ok_or("reports an unknown leaf")?;
            let points = leaf.points.iter().map(|&point| &report.points[point]);
            let named = leaf.points.len();
            let right = points.filter(|point| self.is_culprit(&point.bad)).count();
            let answered = named > 0 || leaf.result == firstbad::regression::LeafResult::NotReproduced;
            count.add(answered, if named > 0 { right == named } else { !self.bad[node as usize] });
        }
        Ok(())
    }

    fn one_by_one(&self, knowledge: Rate, rate: f64, random: &mut Random, count: &mut Count) -> Result<(), String> {
        for &leaf in &self.leaves {
            let config = CulpritConfig::new(self.graph.id(leaf), knowledge).good([self.graph.id(0)]);
            let config = config.strategy(CulpritStrategy::Information);
            let mut search = CulpritSearch::new(self.graph.clone(), config).map_err(|error| error.to_string())?;
            self.answer(&mut search, rate, random)?;
            let report = search.report();
            count.runs += search.runs();
            let right = match &report.culprit {
                Some(culprit) => self.is_culprit(culprit),
                None => !self.bad[leaf as usize],
            };
            count.add(report.conclusion != Conclusion::Inconclusive, right);
        }
        Ok(())
    }

    fn answer(&self, search: &mut impl Search, rate: f64, random: &mut Random) -> Result<(), String> {
        let words = |error: firstbad::Error| error.to_string();
        let broken = |node: Node| self.bad[node as usize];
        let truth = Truth { culprit: None, broken: &broken, flakes: rate, false_passes: 0.0 };
        while !search.is_done() && search.runs() < 5000 {
            let probe = search.ask(1).map_err(words)?.pop().ok_or("asks nothing")?;
            let node = self.graph.get(probe.revision()).ok_or("asks for an unknown revision")?;
            search.tell(probe.id, truth.run(node, random).into()).map_err(words)?;
        }
        Ok(())
    }
}

impl Count {
    fn add(&mut self, answered: bool, right: bool) {
        self.leaves += 1;
        self.right += u64::from(answered && right);
        self.wrong += u64::from(answered && !right);
    }

    fn row(&self, source: &str, rate: &str, search: &str, trials: u64, over: Option<f64>) {
        let percent = |count: u64| format!("{:.2}%", 100.0 * count as f64 / self.leaves as f64);
        println!(
            "| {source} | {rate} | {search} | {:.1} | {} | {} | {} | {:.2} | {} |",
            self.leaves as f64 / trials as f64,
            percent(self.right),
            percent(self.wrong),
            percent(self.leaves - self.right - self.wrong),
            self.runs as f64 / trials as f64,
            over.map_or("-".into(), |over| format!("{over:.3}")),
        );
    }
}
