//! `firstbad fit`: what counts how much in this project, from its own past culprits.

use firstbad::Error;
use firstbad::suspicion::{ContentFit, ContentWeights};
use firstbad_git::Past;
use firstbad_report::Exit;
use firstbad_store::Store;
use serde::Serialize;

use crate::args::FitArgs;
use crate::history::named_as;
use crate::{streams, weights};

/// What is printed (docs/schema/fit.json).
#[derive(Serialize)]
struct Fitted {
    schema: u32,
    #[serde(flatten)]
    fit: ContentFit,
}

/// Prints the weights.
///
/// # Errors
/// Those of reading the repository, the file with culprits and the store.
pub(super) fn run(args: &FitArgs) -> Result<Exit, Error> {
    let repository = args.fetch.open(args.repository.folder())?;
    let begin = ContentWeights::default();
    let expected = "a list of {\"culprit\", \"good\", \"bad\", \"test\"}";
    let culprits =
        args.culprits.as_ref().map(|path| weights::json::<Vec<_>>(path, "--culprits", expected)).transpose()?;
    let outcomes = args.store.as_ref().map(|path| Store::existing(path)?.past()).transpose()?.unwrap_or_default();
    let past = Past { culprits, tip: args.tip.clone(), outcomes };
    let fit = repository.fit(&past, &begin).map_err(|error| named_as(&[("tip", "--tip")], error))?;
    if args.json {
        streams::json(&Fitted { schema: 1, fit })?;
    } else {
        streams::print(&firstbad_report::fit(&fit, &begin))?;
    }
    Ok(Exit::Done)
}
