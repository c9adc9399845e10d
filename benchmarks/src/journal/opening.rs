//! Taking up a run with many events.

use std::path::Path;

use firstbad_journal::{Options, Session, read};

use super::made::{Case, EVENTS};
use crate::figure::{Aim, Figure};
use crate::statistics::median;
use crate::time::{processor_seconds, seconds};

const ROUNDS: usize = 5;

/// Taking up a run where the caller has the history, and looking at one where nobody has.
pub(super) fn figures(folder: &Path, case: &Case) -> Result<Vec<Figure>, String> {
    let words = |error: firstbad::Error| error.to_string();
    let path = folder.join(format!("{}.jsonl", case.name.replace([' ', ','], "-")));
    let events = case.write(&path, EVENTS)?;
    let bytes = std::fs::metadata(&path).map_err(|error| error.to_string())?.len();
    let (mut wall, mut processor, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (time, (used, session)) = seconds(|| {
            processor_seconds(|| -> Result<Session, String> {
                let mut session = case.session(case.world.clone())?;
                session.attach(&path, &Options::default()).map_err(words)?;
                Ok(session)
            })
        });
        drop(session?);
        wall.push(time);
        processor.push(used);
        let (used, session) = processor_seconds(|| -> Result<Session, String> {
            let contents = read(&path).map_err(words)?;
            let world = contents.header.world(&path, None).map_err(words)?;
            Session::view(&path, &contents, world).map_err(words)
        });
        drop(session?);
        alone.push(used);
    }
    let what = format!("{}, {events} events, {:.1} MB", case.name, bytes as f64 / 1e6);
    Ok(vec![
        Figure::aimed(format!("{what}: taken up, processor time"), median(processor), "s", Aim::AtMost(1.0)),
        Figure::told("  the same by the clock on the wall", median(wall), "s"),
        Figure::aimed(
            "  with the history from the file beside it, processor time",
            median(alone),
            "s",
            Aim::AtMost(1.0),
        ),
    ])
}
