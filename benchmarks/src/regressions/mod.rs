//! Recorded histories: the runs, distances, and soundness of every search, beside Git's bisection and the rule of jj.

mod against_git;
mod jj;
mod prior;
mod rows;
mod several;
mod single;

use firstbad_testkit::recorded::{Choice, History};

use crate::options::Options;

/// Writes `regressions.csv` (one bad revision) and `branches.csv` (several).
///
/// # Errors
///
/// If a search was unsound, or the copy of Git's algorithm differs from Git.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let histories = History::read_all(&options.data.join("histories")).map_err(|failure| failure.to_string())?;
    let choice = Choice::default();
    let mut violations = Vec::new();
    let (mut one, mut branches) = (single::table(), several::table());
    for history in &histories {
        let changes = options.repository(&history.repo).map(|path| prior::changes(&path, history)).transpose()?;
        violations.extend(single::run(history, &choice, changes.as_deref(), &mut one)?);
        violations.extend(several::run(history, &choice, changes.as_deref(), &mut branches)?);
    }
    one.write(options, "regressions")?;
    branches.write(options, "branches")?;
    violations.extend(against_git::check(&histories, &choice).map_err(|failure| failure.to_string())?);
    match violations.first() {
        None => Ok(()),
        Some(first) => Err(format!("{} violations. The first: {first}", violations.len())),
    }
}
