//! Benchmarks in parts.

use serde_json::Value;

use crate::figure::Figure;
use crate::options::Options;

/// Prints the tables of a part, and returns its figures.
pub(crate) type Part = fn(&Options) -> Result<Vec<Figure>, String>;

/// Runs all parts, or the part of `--only`, and prints tables and targets.
pub(crate) fn run(title: &str, parts: &[(&str, Part)], options: &Options) -> Result<bool, String> {
    let is_chosen = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    if !parts.iter().any(|(name, _)| is_chosen(name)) {
        let names: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
        return Err(format!("--only: unknown part; the parts are {}", names.join(", ")));
    }
    println!("## {title}");
    let mut figures = Vec::new();
    for (_, part) in parts.iter().filter(|(name, _)| is_chosen(name)) {
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
