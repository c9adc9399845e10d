//! What choosing, searching, building and reading cost, beside git where it does the same.

mod child;
mod peers;
mod searches;

pub(crate) use child::{ask as measure_in_child, run as run_child};

use serde_json::Value;

use crate::figure::Figure;
use crate::graphs::bare_graph;
use crate::options::Options;

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
