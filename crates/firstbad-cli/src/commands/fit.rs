//! `firstbad fit`: what counts how much in this project, from its own past culprits.

use firstbad::Error;
use firstbad::suspicion::{ContentFit, ContentWeights};
use firstbad_git::Repository;
use firstbad_report::Exit;
use serde::Serialize;

use crate::args::FitArgs;
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
/// Those of reading the repository and the file with culprits.
pub(super) fn run(args: &FitArgs) -> Result<Exit, Error> {
    let repository = Repository::open(&args.repository)?;
    let begin = ContentWeights::default();
    let fit = match &args.culprits {
        None => repository.fit_history(&args.tip, &begin)?,
        Some(path) => {
            let expected = "a list of {\"culprit\", \"good\", \"bad\", \"test\"}";
            repository.fit_content(&weights::json::<Vec<_>>(path, "--culprits", expected)?, &begin)?
        }
    };
    if args.json {
        streams::json(&Fitted { schema: 1, fit })?;
    } else {
        streams::print(&firstbad_report::fit(&fit, &begin))?;
    }
    Ok(Exit::Done)
}
