use std::sync::Arc;

use fixedbitset::FixedBitSet;
use serde::Serialize;
use serde_json::Value;

use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::search::{Event, Inspect, Observation, Outcome, Search, Target, World};
use crate::words::printable::short;

/// The effect of one outcome on a search.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("order" = ["run", "revision", "changes"])))]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The number of the run, counted from 1, or `None` if the outcome cost no run.
    pub run: Option<u64>,
    /// The tested target.
    #[serde(flatten)]
    pub target: Target,
    /// The outcome.
    pub outcome: Outcome,
    /// The reason why the search asked for the target. `None` if the reason is unknown or the search did not ask.
    pub reason: Option<String>,
    /// The number of suspects before the outcome, or `None` if it is unknown, as in reductions.
    pub suspects_before: Option<usize>,
    /// The number of suspects after the outcome.
    pub suspects_after: Option<usize>,
    /// The best result after the outcome, as text with abbreviated ids. `None` if there is no result yet.
    pub best: Option<String>,
    /// The whole explanation, as text with abbreviated ids.
    #[cfg_attr(test, schemars(with = "String"))]
    #[serde(with = "crate::words::printable::words")]
    pub message: String,
}

/// Explains the path of a search to its current state, with an explanation for each outcome, in order. The function replays all
/// outcomes, which takes as long as the decisions of the search took.
///
/// ```
/// # use firstbad::{CommitGraph, Outcome, RegressionConfig, RegressionSearch, Search};
/// # let graph = CommitGraph::linear((0..16).map(|version| format!("1.{version}")))?;
/// # let mut search = RegressionSearch::new(graph, RegressionConfig::new(["1.15"]).good(["1.0"]))?;
/// # while let [probe] = &search.ask(1)?[..] {
/// #     let version: u32 = probe.revision()[2..].parse().unwrap_or_default();
/// #     search.tell(probe.id, if version < 11 { Outcome::Pass } else { Outcome::Fail }.into())?;
/// # }
/// let explained = firstbad::explain(&search)?;
/// assert_eq!(explained[0].message, "run 1: 1.15 fails. Tested because it is the bad revision. It ruled out no suspect, and 15 are left");
/// assert_eq!(
///     explained[2].message,
///     "run 3: 1.7 passes. Tested because 7 of 15 suspects are at or before it. It ruled out 7 suspects, and 8 are left"
/// );
/// # Ok::<(), firstbad::Error>(())
/// ```
///
/// # Errors
/// The errors of [`Search::fresh`] and [`Search::apply`]. They do not occur, because the events were applied before.
pub fn explain(search: &dyn Search) -> Result<Vec<Explanation>, Error> {
    let inspect = search.inspect();
    let ends = Ends::of(inspect);
    let mut again = search.fresh()?;
    let mut reasons: Vec<(Target, Option<String>)> = Vec::new();
    let mut explained: Vec<Explanation> = Vec::new();
    let mut runs = 0;
    for event in inspect.events(0) {
        let (target, observation, reason, is_probe) = match &event {
            Event::Asked { target, confirms, .. } => {
                let why = match confirms {
                    true => Some("it confirms the result, alone and in a clean worktree".to_owned()),
                    false => reason(target, again.inspect(), &ends, &explained),
                };
                reasons.push((target.clone(), why));
                again.apply(&event)?;
                continue;
            }
            Event::Told { id, observation } => {
                let asked = usize::try_from(*id).ok().and_then(|id| reasons.get(id)).cloned();
                let (target, reason) = asked.unwrap_or_default();
                (target, observation, reason, true)
            }
            Event::Observed { target, observation } => (target.clone(), observation, None, false),
            Event::Undone { answers } => {
                explained.truncate(explained.len().saturating_sub(*answers as usize));
                runs = explained.iter().filter_map(|one| one.run).max().unwrap_or(0);
                again.apply(&event)?;
                continue;
            }
            _ => {
                again.apply(&event)?;
                continue;
            }
        };
        let before = suspects(again.inspect());
        again.apply(&event)?;
        runs += u64::from(is_probe && observation.ran);
        explained.push(explanation(
            (is_probe && observation.ran).then_some(runs),
            target,
            observation,
            reason,
            [before, suspects(again.inspect())],
            again.inspect(),
        ));
    }
    Ok(explained)
}

fn suspects(search: &dyn Inspect) -> Option<usize> {
    search.suspects().map(|suspects| suspects.count_ones(..))
}

/// The good and bad revisions of a search in a history.
struct Ends {
    graph: Option<Arc<CommitGraph>>,
    bad: Vec<Node>,
    good: Vec<Node>,
}

impl Ends {
    fn of(search: &dyn Inspect) -> Ends {
        let World::History(graph) = search.world() else {
            return Ends { graph: None, bad: Vec::new(), good: Vec::new() };
        };
        let configuration = search.configuration().unwrap_or(Value::Null);
        let nodes = |name: &str| {
            let names: Vec<&str> = match &configuration[name] {
                Value::String(name) => vec![name],
                Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                _ => Vec::new(),
            };
            names.into_iter().filter_map(|end| graph.resolve(end, name).ok()).collect()
        };
        Ends { bad: nodes("bad"), good: nodes("good"), graph: Some(graph) }
    }
}

/// Returns the reason why a search in this state asks for a target.
fn reason(target: &Target, search: &dyn Inspect, ends: &Ends, explained: &[Explanation]) -> Option<String> {
    if let Some(reason) = search.reason(target) {
        return Some(reason);
    }
    let graph = ends.graph.as_deref()?;
    let revision = target.revision.as_deref().filter(|_| target.changes.is_none())?;
    let node = graph.get(revision)?;
    let mut parts = Vec::new();
    let was_seen = explained.iter().any(|one| one.target.revision.as_deref() == Some(revision));
    let left: FixedBitSet = search.suspects().unwrap_or_default();
    let of = left.count_ones(..);
    if was_seen {
        parts.push("one run of a flaky test is not enough".to_owned());
    } else if ends.bad.contains(&node) {
        parts.push("it is the bad revision".to_owned());
    } else if ends.good.contains(&node) {
        parts.push("it is the good revision".to_owned());
    } else {
        let among = graph.ancestors(&[node]).intersection(&left).count();
        let failing = |child: &&Node| {
            explained
                .iter()
                .any(|one| one.outcome == Outcome::Fail && one.target.revision.as_deref() == Some(graph.id(**child)))
        };
        if among > 0 && among < of {
            let verb = if among == 1 { "is" } else { "are" };
            parts.push(format!("{among} of {of} suspects {verb} at or before it"));
        } else if let Some(&child) = graph.children(node).iter().find(failing) {
            parts.push(format!("it is a parent of {}, which fails", short(graph.id(child))));
        }
    }
    parts.extend(search.why(revision).map(|why| format!("it {}", why.message)));
    (!parts.is_empty()).then(|| parts.join(", and "))
}

fn explanation(
    run: Option<u64>,
    target: Target,
    observation: &Observation,
    reason: Option<String>,
    [suspects_before, suspects_after]: [Option<usize>; 2],
    search: &dyn Inspect,
) -> Explanation {
    let best = search.best(&mut |revision| short(revision).to_owned());
    let best = (!best.is_empty()).then(|| best.join("; "));
    let what = match (&target.revision, &target.changes) {
        (Some(revision), None) => short(revision).to_owned(),
        (Some(revision), Some(changes)) if changes.is_empty() => short(revision).to_owned(),
        (Some(revision), Some(changes)) => {
            let plural = if changes.len() == 1 { "" } else { "s" };
            format!("{} with {} change{plural}", short(revision), changes.len())
        }
        (None, Some(changes)) if changes.is_empty() => "with no changes, the test".to_owned(),
        (None, changes) => format!("with changes {}, the test", changes.clone().unwrap_or_default()),
    };
    let verb = match observation.outcome {
        Outcome::Pass => "passes",
        Outcome::Fail => "fails",
        Outcome::Unresolved => "is unresolved",
    };
    let number = run.map_or("without a run".to_owned(), |run| format!("run {run}"));
    let mut message = format!("{number}: {what} {verb}");
    if let Some(reason) = &reason {
        message += &format!(". Tested because {reason}");
    }
    let did = match (suspects_before, suspects_after) {
        (Some(before), Some(after)) => Some(ruled_out(before, after)),
        _ => best.clone(),
    };
    if let Some(did) = did {
        message += &format!(". {did}");
    }
    Explanation { run, target, outcome: observation.outcome, reason, suspects_before, suspects_after, best, message }
}

fn ruled_out(before: usize, after: usize) -> String {
    let left = match after {
        0 => "no suspects are left".to_owned(),
        1 => "1 is left".to_owned(),
        many => format!("{many} are left"),
    };
    match before.checked_sub(after) {
        Some(0) if after > 0 => format!("It ruled out no suspect, and {left}"),
        Some(out) if before > 0 && out > 0 => {
            format!("It ruled out {out} suspect{}, and {left}", if out == 1 { "" } else { "s" })
        }
        // The next endpoint was tested, or outcomes were taken back.
        _ if after > 0 => format!("{after} suspect{} left", if after == 1 { " is" } else { "s are" }),
        _ => left[..1].to_uppercase() + &left[1..],
    }
}
