//! Opening a search for a slice of a repository.

use firstbad::slicing::SliceMethod;
use firstbad::{Configuration, Error, Event, Search, SlicedHistory, SlicerConfig, json};
use serde_json::Value;

use super::{DependencyKind, Slices};
use crate::repository::Repository;

impl Slices {
    /// Opens the history in the `history` option of a search. Revisions can be in any syntax of Git.
    ///
    /// # Errors
    /// The errors of [`Slices::open`]. [`Error::InvalidArgument`] if the options contain no history.
    pub fn of_options(repository: &Repository, options: &Value) -> Result<Slices, Error> {
        let history = SlicedHistory::from_options(options)?;
        Slices::open(repository, &history, None)
    }

    /// Opens the history of a search from its configuration and its events so far. Trees with a known outcome are not tested
    /// again.
    ///
    /// # Errors
    /// The errors of [`Slices::of_options`]. [`Error::InvalidArgument`] if the history in this repository is different.
    pub fn of_search(repository: &Repository, configuration: &Value, events: &[Event]) -> Result<Slices, Error> {
        let slices = Slices::of_options(repository, configuration)?;
        let names: Vec<String> = slices.changes().iter().map(super::SliceChange::name).collect();
        if json::options::<SlicerConfig>(configuration)?.changes != names {
            let expected = "the repository in which the search started, because this one has other changes";
            return Err(Error::invalid("repository", repository.path().display(), expected));
        }
        slices.remember(events);
        Ok(slices)
    }

    /// Opens the search for the smallest slice. The changes are those of the history. If `options` contain `coverage`, as for
    /// [`Slices::reported`], the search starts with the covered changes. `dependencies` is the name of a [`DependencyKind`]
    /// (`"auto"` by default), `"none"`, or a list for each index.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for the invalid option. [`Error::Git`] if Git fails.
    pub fn search(&self, options: &Value) -> Result<Box<dyn Search>, Error> {
        let Value::Object(mut options) = options.clone() else {
            return Err(Error::invalid("options", options, "an object"));
        };
        // The core accepts only indices for these options.
        let coverage = options.remove("coverage").filter(|coverage| !coverage.is_null());
        let dependencies = match options.get("dependencies") {
            None | Some(Value::Null) => Some(Some(DependencyKind::Auto)),
            Some(Value::String(word)) => Some(kind_of(word)?),
            Some(_) => None,
        };
        if dependencies.is_some() {
            options.remove("dependencies");
        }
        let mut config: SlicerConfig = json::options(&Value::Object(options))?;
        if let (Some(_), Some(start)) = (&coverage, &config.start) {
            return Err(Error::invalid("start", start, "either a start or coverage"));
        }
        if let Some(Some(kind)) = dependencies {
            config.dependencies = self.dependencies(kind)?;
        }
        if let Some(coverage) = coverage {
            config.start = Some(self.reported(&coverage)?);
        }
        // Reading the definitions gives the charges, if the search learns from facts, and warnings.
        let learns = config.learn && matches!(config.algorithm, SliceMethod::Auto | SliceMethod::Definer);
        if config.charges.is_empty() && learns {
            config.charges = self.charges()?;
        }
        if config.warnings.is_empty() {
            config.warnings = self.warnings()?;
        }
        config.history = Some(self.history().clone());
        config.always = self.chain.always();
        let changes = || self.changes().iter().enumerate();
        let joined = changes().filter(|(_, change)| !change.merged.is_empty());
        config.joined = joined.map(|(index, change)| (index, change.merged.clone())).collect();
        let is_merge = |change: &super::SliceChange| change.commits().any(|own| self.chain.merges.contains(own));
        config.merges = changes().filter(|(_, change)| is_merge(change)).map(|(index, _)| index).collect();
        config.changes = self.changes().iter().map(super::SliceChange::name).collect();
        Configuration::Slice(Box::new(config)).open(self.changes().len())
    }
}

/// Parses the kind of dependencies. `None` means none.
fn kind_of(word: &str) -> Result<Option<DependencyKind>, Error> {
    match word {
        "auto" => Ok(Some(DependencyKind::Auto)),
        "hunks" => Ok(Some(DependencyKind::Hunks)),
        "syntax" => Ok(Some(DependencyKind::Syntax)),
        "none" => Ok(None),
        _ => {
            let expected = "\"auto\", \"hunks\", \"syntax\", \"none\", or for each index the indices of its \
                            dependencies";
            Err(Error::invalid("dependencies", word, expected))
        }
    }
}
