//! Searches for the commit that changed a number, compared with what people and tools do today.

mod play;
mod scenes;
mod table;
mod ways;
mod world;

use serde_json::Value;

use crate::figure::Figure;
use crate::options::Options;

type Part = fn(&Options) -> Result<Vec<Figure>, String>;

const PARTS: [(&str, Part); 3] = [("table", table::run), ("scenes", scenes::run), ("decisions", scenes::decisions)];

/// Runs all parts, or the part of `--only`, and prints tables and targets.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let is_chosen = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    if !PARTS.iter().any(|(name, _)| is_chosen(name)) {
        let names = PARTS.map(|(name, _)| name).join(", ");
        return Err(format!("--only: unknown part; the parts are {names}"));
    }
    println!("## Numbers");
    let mut figures = Vec::new();
    for (_, part) in PARTS.iter().filter(|(name, _)| is_chosen(name)) {
        println!();
        figures.extend(part(options)?);
    }
    if let Some(path) = &options.json {
        let all: Vec<Value> = figures.iter().map(Figure::json).collect();
        std::fs::write(path, format!("{:#}\n", Value::from(all)))
            .map_err(|error| format!("writing {}: {error}", path.display()))?;
    }
    Ok(true)
}
