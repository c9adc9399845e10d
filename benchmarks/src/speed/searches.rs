//! Whole searches with an oracle that costs nothing.

use firstbad::Status;
use firstbad::graph::Node;
use firstbad::regression::{Prefer, RegressionConfig, SearchKind};
use firstbad_testkit::bare_graph::BareGraph;
use firstbad_testkit::replay::Case;
use firstbad_testkit::simulated::monotonic;

use crate::figure::{Aim, Figure};
use crate::statistics::median;
use crate::time::processor_seconds;

/// Whole searches from the head, for culprits spread over the history.
pub(super) fn whole(bare: &BareGraph) -> Result<Vec<Figure>, String> {
    const CULPRITS: usize = 7;
    let above: Vec<Node> = bare.graph.ancestors(&[bare.head_node]).ones().map(|node| node as Node).collect();
    let settings: [(&str, SearchKind, Prefer); 4] = [
        ("auto fewest", SearchKind::Auto, Prefer::Fewest),
        ("auto latest", SearchKind::Auto, Prefer::Latest),
        ("bisect", SearchKind::Bisect, Prefer::Fewest),
        ("weighted", SearchKind::Weighted, Prefer::Fewest),
    ];
    let mut figures = Vec::new();
    for (name, search, prefer) in settings {
        let mut times = Vec::new();
        let mut runs = 0;
        for i in 0..CULPRITS {
            let culprit = above[(2 * i + 1) * above.len() / (2 * CULPRITS)];
            let case = Case {
                graph: bare.graph.clone(),
                outcomes: monotonic(&bare.graph, culprit).into(),
                leaves: vec![bare.head_node],
                goods: vec![above[0]],
            };
            let config = RegressionConfig { prefer, ..case.config().search(search) };
            let (time, run) = processor_seconds(|| case.run(config));
            let found = run.report.as_ref().is_some_and(|report| {
                report.status == Status::Found && report.points.iter().any(|p| p.bad == bare.graph.id(culprit))
            });
            if !found {
                return Err(format!("{name} on {}: did not find culprit {culprit}: {:?}", bare.repo, run.trouble));
            }
            runs = runs.max(run.asked.len());
            times.push(time);
        }
        let most = times.iter().copied().fold(0.0, f64::max);
        figures.push(Figure::told(
            format!("whole search on {}, {name}: median of {CULPRITS} culprits", bare.repo),
            median(times),
            "s",
        ));
        figures.push(Figure::aimed(
            format!("whole search on {}, {name}: slowest (at most {runs} runs)", bare.repo),
            most,
            "s",
            Aim::AtMost(0.5),
        ));
    }
    Ok(figures)
}
