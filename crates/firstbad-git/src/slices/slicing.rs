//! The search for a slice in a repository, and the trees that its probes are about.

use firstbad::{Error, Event, Search, SlicedHistory, SlicerConfig};
use serde_json::{Value, json};

use super::{DependencyKind, Slices};
use crate::repository::Repository;

impl Slices {
    /// The history that the `history` of a search's options describes; revisions may be any that git knows.
    ///
    /// # Errors
    /// Those of [`Slices::open`]; [`Error::InvalidArgument`] for options without a history.
    pub fn of_options(repository: &Repository, options: &Value) -> Result<Slices, Error> {
        let history = SlicedHistory::from_options(options)?;
        Slices::open(repository, &history, None)
    }

    /// The history of a search, by its configuration and its events so far: what it was told of trees is known.
    ///
    /// # Errors
    /// Those of [`Slices::of_options`]; [`Error::InvalidArgument`] where the repository has another history there.
    pub fn of_search(repository: &Repository, configuration: &Value, events: &[Event]) -> Result<Slices, Error> {
        let slices = Slices::of_options(repository, configuration)?;
        let names: Vec<String> = slices.changes().iter().map(super::SliceChange::name).collect();
        if SlicerConfig::from_options(configuration)?.changes != names {
            let expected = "the repository that the search was begun in: this one has other changes there";
            return Err(Error::invalid("repository", repository.path().display(), expected));
        }
        slices.remember(events);
        Ok(slices)
    }

    /// The search for the smallest slice, by its options: the changes are those of the history. With `coverage`, as
    /// [`Slices::reported`] takes it, the search starts with what a test covers. `dependencies` are one of
    /// [`DependencyKind`], by default `"auto"`, `"none"`, or a list for each index.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names the option; [`Error::Git`].
    pub fn search(&self, options: &Value) -> Result<Box<dyn Search>, Error> {
        if !options.is_object() {
            return Err(Error::invalid("options", options, "an object"));
        }
        let mut options = options.clone();
        options["history"] = json!(self.history());
        options["changes"] = self.changes().iter().map(super::SliceChange::name).collect();
        match options.get("dependencies").cloned().unwrap_or(Value::Null) {
            Value::Null => options["dependencies"] = json!(self.dependencies(DependencyKind::Auto)?),
            Value::String(word) => {
                let kind = match word.as_str() {
                    "auto" => Some(DependencyKind::Auto),
                    "hunks" => Some(DependencyKind::Hunks),
                    "syntax" => Some(DependencyKind::Syntax),
                    "none" => None,
                    _ => {
                        let expected = "\"auto\", \"hunks\", \"syntax\", \"none\", or for an index the indices of the \
                                        changes that it rests on";
                        return Err(Error::invalid("dependencies", word, expected));
                    }
                };
                options["dependencies"] =
                    json!(kind.map(|kind| self.dependencies(kind)).transpose()?.unwrap_or_default());
            }
            _ => {}
        }
        self.start_of_reports(&mut options)?;
        self.add_knowledge(&mut options)?;
        firstbad::open("slice", self.changes().len(), &options)
    }

    /// Adds what is read of definitions: what facts are charged to, where a search learns from them, and what to know about it.
    fn add_knowledge(&self, options: &mut Value) -> Result<(), Error> {
        let is_absent = |name: &str| options.get(name).is_none_or(Value::is_null);
        let algorithm = options.get("algorithm").and_then(Value::as_str).unwrap_or("auto");
        let learns = options.get("learn") != Some(&json!(false)) && matches!(algorithm, "auto" | "definer");
        let (charges, warnings) = (is_absent("charges") && learns, is_absent("warnings"));
        if charges {
            options["charges"] = json!(self.charges()?);
        }
        if warnings {
            options["warnings"] = json!(self.warnings()?);
        }
        Ok(())
    }

    /// Makes a start of reports.
    fn start_of_reports(&self, options: &mut Value) -> Result<(), Error> {
        let coverage = options.as_object_mut().and_then(|options| options.remove("coverage"));
        let Some(coverage) = coverage.filter(|coverage| !coverage.is_null()) else { return Ok(()) };
        if let Some(start) = options.get("start").filter(|start| !start.is_null()) {
            return Err(Error::invalid("start", start, "no start beside coverage, which is one"));
        }
        options["start"] = json!(self.reported(&coverage)?);
        Ok(())
    }
}
