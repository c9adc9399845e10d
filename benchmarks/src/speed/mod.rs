//! What choosing, searching, building and reading cost, beside git where it does the same.

mod child;
mod peers;
mod searches;

pub(crate) use child::{forget_peak, run as run_child, status_mib};
pub(crate) use peers::repository;

use std::path::Path;
use std::time::Instant;

use firstbad_testkit::bare_graph::BareGraph;
use serde_json::{Value, json};

use crate::Options;

/// A figure with its aim.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    /// The aim; nothing for a figure that is only told.
    pub(crate) aim: Option<Aim>,
}

/// What a figure should reach.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Aim {
    AtMost(f64),
    AtLeast(f64),
}

impl Figure {
    pub(crate) fn told(what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Figure { what: what.into(), value, unit, aim: None }
    }

    pub(crate) fn aimed(what: impl Into<String>, value: f64, unit: &'static str, aim: Aim) -> Self {
        Figure { what: what.into(), value, unit, aim: Some(aim) }
    }

    fn verdict(&self) -> &'static str {
        match self.aim {
            None => "",
            Some(Aim::AtMost(limit)) if self.value <= limit => "met",
            Some(Aim::AtLeast(limit)) if self.value >= limit => "met",
            Some(_) => "missed",
        }
    }

    fn limit(&self) -> String {
        match self.aim {
            None => String::new(),
            Some(Aim::AtMost(limit)) => format!("at most {limit}"),
            Some(Aim::AtLeast(limit)) => format!("at least {limit}"),
        }
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "what": self.what, "value": self.value, "unit": self.unit, "aim": self.limit(), "verdict": self.verdict(),
        })
    }

    pub(crate) fn print(&self) {
        println!("| {} | {:.4} {} | {} | {} |", self.what, self.value, self.unit, self.limit(), self.verdict());
    }
}

/// The seconds that some work takes, with its result.
pub(crate) fn seconds<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// The seconds of processor time that some work on this thread takes, with its result: on a shared machine the clock
/// on the wall measures the neighbours. It is the clock on the wall where Linux's account of a thread is missing.
pub(crate) fn processor_seconds<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let used = || -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
    };
    let before = used();
    let (wall, result) = seconds(work);
    let spent = before.zip(used()).map_or(wall, |(before, after)| after - before);
    (spent, result)
}

/// A recorded bare graph, by the name in its file.
pub(crate) fn bare_graph(data: &Path, name: &str) -> Result<BareGraph, String> {
    BareGraph::read(&data.join("graphs").join(format!("{name}.json.gz"))).map_err(|failure| failure.to_string())
}

/// Measures everything and prints it.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let git = bare_graph(&options.data, "git+git")?;
    let rails = bare_graph(&options.data, "rails+rails")?;
    let mut figures = Vec::new();
    println!("## Cost\n");
    for graph in [&git, &rails] {
        let head = &graph.head[..graph.head.len().min(12)];
        println!("{} at {head}: {} commits, {} parent links.", graph.repo, graph.graph.len(), graph.graph.edge_count());
    }
    println!("\n| what | measured | aim | |\n|---|---|---|---|");
    let mut tell = |new: Vec<Figure>| {
        new.iter().for_each(Figure::print);
        figures.extend(new);
    };
    tell(peers::choosing(&git)?);
    tell(searches::whole(&git)?);
    tell(searches::whole(&rails)?);
    tell(child::many_bad(&options.data)?);
    tell(child::large_graphs(&options.data)?);
    tell(peers::reading(&git)?);
    if let Some(path) = &options.json {
        let all: Vec<Value> = figures.iter().map(Figure::json).collect();
        std::fs::write(path, format!("{:#}\n", Value::from(all)))
            .map_err(|error| format!("writing {}: {error}", path.display()))?;
    }
    Ok(true)
}
