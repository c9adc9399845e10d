//! Opening a search of iterative delta debugging in a repository.

use std::path::PathBuf;
use std::sync::Arc;

use firstbad::{Configuration, Error, Event, PorterConfig, Search};
use serde_json::Value;

use super::{Variants, VariantsOptions};
use crate::history::GraphOptions;
use crate::repository::Repository;
use crate::trees::{Laid, Overlay, Seen};

/// Opens the search that `options` describe, on the history of all revisions that they name. For a shallow clone, the `boundary`
/// option is set automatically.
///
/// # Errors
/// - [`Error::Shallow`] if only the end of a shallow clone limits the search.
/// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] if a revision cannot be resolved.
/// - [`Error::InvalidArgument`] if an option is invalid.
/// - [`Error::Git`] or [`Error::Io`] if the repository cannot be read.
pub fn porter(repository: &Repository, options: &Value) -> Result<Box<dyn Search>, Error> {
    let mut config = PorterConfig::from_options(options)?;
    let tips = config.named().into_iter().map(str::to_owned).collect();
    repository.complete_history()?;
    if config.revisions.is_none() {
        let older: Vec<String> = config.good.iter().chain(&config.oldest).cloned().collect();
        repository.check_beginning("good", &older, std::slice::from_ref(&config.start))?;
    }
    let graph = repository.graph(&GraphOptions { tips, ..GraphOptions::default() });
    let graph = graph.map_err(|error| about_option(&config, error))?;
    config.boundary = repository.boundary()?;
    Configuration::Port(Box::new(config)).open(Arc::new(graph))
}

/// Returns the error with the name of the option that contains the revision.
fn about_option(config: &PorterConfig, error: Error) -> Error {
    match &error {
        Error::UnknownRevision { id, .. } | Error::AmbiguousRevision { id, .. } => {
            let option = config.option_of(id);
            error.about(option)
        }
        _ => error,
    }
}

impl Variants {
    /// Creates variants for a search of iterative delta debugging, from its configuration and its events so far. Files in
    /// `always_keep` become an overlay. Files outside `paths` stay as they are at the start. Trees with a known outcome are not
    /// tested again. If whole files are removed first, parts that do not parse are unresolved.
    ///
    /// # Errors
    /// The errors of [`Variants::new`]. [`Error::InvalidArgument`] if the configuration is that of another search.
    pub fn of_search(repository: &Repository, configuration: &Value, events: &[Event]) -> Result<Variants, Error> {
        let PorterConfig { start, always_keep, paths: within, controlled, hierarchical, .. } =
            PorterConfig::from_options(configuration)?;
        let paths: Vec<PathBuf> = always_keep.into_iter().map(PathBuf::from).collect();
        let own = if within.is_empty() { None } else { Some(start.clone()) };
        let overlay = (!paths.is_empty()).then_some(Overlay { revision: start, paths });
        let made = Variants::new(repository, VariantsOptions { overlay, folder: None, parse: hierarchical });
        let mut variants = made.map_err(|error| error.renamed("overlay", "always_keep"))?;
        if let Some(start) = own {
            let (commit, tree) = variants.revision(&start)?;
            // Some paths may exist only in older versions.
            if Laid::where_there(|| repository.git(), &commit, &within)?.entries.is_empty() {
                return Err(Error::invalid("paths", within.join(", "), format!("a file or folder in {start}")));
            }
            variants.within = Some((tree, within));
        }
        if controlled {
            variants.seen = Seen::new("tree with a control");
        }
        variants.remember(events);
        Ok(variants)
    }
}
