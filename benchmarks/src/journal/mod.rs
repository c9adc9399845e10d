//! What a journal costs: an event beside the disk's own time, and taking up a run beside its events.

mod appending;
mod made;
mod opening;

use serde_json::Value;

use crate::figure::Figure;
use crate::options::Options;
use made::EVENTS;

/// Measures everything and prints it.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("a folder for journals: {error}"))?;
    let wanted = |part: &str| options.only.as_deref().is_none_or(|only| only == part);
    let mut figures = Vec::new();
    println!(
        "## Journals\n\n`cargo run --release -p firstbad-benchmarks -- journal`\n\n| what | measured | aim | |\n|---|---|---|---|"
    );
    let mut tell = |new: Vec<Figure>| {
        new.iter().for_each(Figure::print);
        figures.extend(new);
    };
    if wanted("opening") {
        for case in made::cases() {
            tell(opening::figures(folder.path(), &case)?);
        }
    }
    if wanted("appending") {
        for events in [0, EVENTS / 10, EVENTS] {
            tell(appending::figures(folder.path(), events, options.trials.unwrap_or(1000) as usize)?);
        }
    }
    if let Some(path) = &options.json {
        let all: Vec<Value> = figures.iter().map(Figure::json).collect();
        std::fs::write(path, format!("{:#}\n", Value::from(all)))
            .map_err(|error| format!("writing {}: {error}", path.display()))?;
    }
    Ok(true)
}
