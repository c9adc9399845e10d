//! An event in a journal beside the same bytes in a bare file, in turns.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use firstbad::Search as _;
use firstbad_journal::Options;

use super::made;
use crate::figure::{Aim, Figure};
use crate::statistics::median;
use crate::time::{processor_seconds, seconds};

/// Tells a search whose journal holds so many events.
pub(super) fn figures(folder: &Path, events: usize, rounds: usize) -> Result<Vec<Figure>, String> {
    let words = |error: firstbad::Error| error.to_string();
    let system = |error: std::io::Error| error.to_string();
    let case = made::list(events / 2 + rounds + 1, 4);
    let path = folder.join(format!("appending-{events}.jsonl"));
    let held = case.write(&path, events)?;
    let beside = path.with_extension("bare");
    std::fs::copy(&path, &beside).map_err(system)?;
    let mut bare = File::options().append(true).open(&beside).map_err(system)?;
    bare.sync_all().map_err(system)?;
    let mut session = case.session(case.world.clone())?;
    session.attach(&path, &Options::default()).map_err(words)?;
    let (mut ours, mut theirs, mut processor) = (Vec::new(), Vec::new(), Vec::new());
    let mut length = std::fs::metadata(&path).map_err(system)?.len();
    let mut line = Vec::new();
    while ours.len() < rounds && !session.is_done() {
        for probe in session.ask(1).map_err(words)? {
            length = std::fs::metadata(&path).map_err(system)?.len();
            let observation = (case.oracle)(&probe);
            let (time, (used, told)) = seconds(|| processor_seconds(|| session.tell(probe.id, observation)));
            told.map_err(words)?;
            ours.push(time);
            processor.push(used);
        }
        let added = std::fs::metadata(&path).map_err(system)?.len() - length;
        line.resize(added as usize, b'x');
        // As much as the question wrote, too, so that both files grow alike.
        bare.write_all(&line).and_then(|()| bare.sync_data()).map_err(system)?;
        let (time, written) = seconds(|| bare.write_all(&line).and_then(|()| bare.sync_data()));
        written.map_err(system)?;
        theirs.push(time);
    }
    let above = |share: f64, times: &[f64]| {
        let mut times = times.to_vec();
        times.sort_by(f64::total_cmp);
        times[((times.len() - 1) as f64 * share).round() as usize] * 1e3
    };
    let what = format!("an answer in a journal that holds {held} events");
    Ok(vec![
        Figure::told(format!("{what}: median"), above(0.5, &ours), "ms"),
        Figure::told("  the same bytes in a bare file, written and synced", above(0.5, &theirs), "ms"),
        Figure::aimed("  more than the disk's own", above(0.5, &ours) - above(0.5, &theirs), "ms", Aim::AtMost(1.0)),
        Figure::told("  ratio", above(0.5, &ours) / above(0.5, &theirs), "times"),
        Figure::told("  99th percentile", above(0.99, &ours), "ms"),
        Figure::told("  99th percentile of the bare file", above(0.99, &theirs), "ms"),
        Figure::told("  ratio", above(0.99, &ours) / above(0.99, &theirs), "times"),
        Figure::told("  processor time of an answer, median", median(processor) * 1e3, "ms"),
    ])
}
