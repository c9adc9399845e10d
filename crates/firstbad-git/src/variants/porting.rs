//! Iterative delta debugging in a repository: its search, and the variants that its probes are about.

use std::path::PathBuf;
use std::sync::Arc;

use firstbad::{Configuration, Error, Event, PorterConfig, Search};
use serde_json::Value;

use super::{Variants, VariantsOptions};
use crate::history::GraphOptions;
use crate::repository::Repository;
use crate::trees::{Overlay, Seen};

/// The search that `options` describe, in the history of all revisions that they name. Where a clone is shallow, its
/// `boundary` is known by itself.
///
/// # Errors
/// [`Error::Shallow`] where nothing but that boundary ends the walk; [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`]; [`Error::InvalidArgument`] for an option that cannot be
/// meant; [`Error::Git`], [`Error::Io`].
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

/// The error, about the option that names the revision.
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
    /// For a search of iterative delta debugging, by its configuration and its events so far: what it always keeps is laid over
    /// every tree, what it was told of trees is known, and what does not parse is, where whole files are left out first.
    ///
    /// # Errors
    /// Those of [`Variants::new`]; [`Error::InvalidArgument`] for a configuration of another search.
    pub fn of_search(repository: &Repository, configuration: &Value, events: &[Event]) -> Result<Variants, Error> {
        let PorterConfig { start, always_keep, controlled, hierarchical, .. } =
            PorterConfig::from_options(configuration)?;
        let paths: Vec<PathBuf> = always_keep.into_iter().map(PathBuf::from).collect();
        let overlay = (!paths.is_empty()).then_some(Overlay { revision: start, paths });
        let made = Variants::new(repository, VariantsOptions { overlay, folder: None, parse: hierarchical });
        let mut variants = made.map_err(|error| error.renamed("overlay", "always_keep"))?;
        if controlled {
            variants.seen = Seen::new("tree with a control");
        }
        variants.remember(events);
        Ok(variants)
    }
}
