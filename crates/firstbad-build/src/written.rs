//! Build graphs as JSON.

use std::path::PathBuf;

use firstbad::suspicion::BuildGraph;
use firstbad::{Error, json};
use firstbad_git::Repository;
use serde::{Deserialize, Serialize};

use crate::loaded::Loaded;
use crate::options::SourceOptions;
use crate::revisions::Revisions;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    graph: BuildGraph,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
}

/// The source of the graph, to load it at other revisions.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    repository: PathBuf,
    kind: String,
    roots: Vec<String>,
    data: bool,
    configuration: bool,
}

impl Loaded {
    /// Serializes the graph and its warnings as JSON. If `revisions` is given, adds the path of the repository and the options.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the path of the repository is not UTF-8.
    pub fn to_json(&self, revisions: Option<&Revisions>) -> Result<String, Error> {
        let source = revisions.map(|revisions| {
            let (repository, kind, SourceOptions { roots, data, configuration }) = revisions.parts();
            Source {
                repository: repository.path().to_owned(),
                kind: kind.to_owned(),
                roots: roots.clone(),
                data: *data,
                configuration: *configuration,
            }
        });
        let written = Written { graph: self.graph.clone(), warnings: self.warnings.clone(), source };
        serde_json::to_string(&written).map_err(|error| Error::invalid("graph", error.to_string(), "a text"))
    }

    /// Parses the output of [`Loaded::to_json`]. If the repository is not at the same path, only the graph is returned, with a
    /// warning. No prior then uses the graph before the changes. The returned [`Revisions`] never fetches.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the text is not such JSON.
    pub fn from_json(text: &str) -> Result<(Loaded, Option<Revisions>), Error> {
        let Written { graph, mut warnings, source } = json::read(text).map_err(|error| {
            Error::invalid_value("text", error.to_string(), "a build graph that was written as JSON")
        })?;
        let Some(Source { repository: path, kind, roots, data, configuration }) = source else {
            return Ok((Loaded { graph, warnings }, None));
        };
        let options = SourceOptions { roots, data, configuration };
        let revisions = match Repository::open(&path) {
            Ok(repository) if repository.path() == path => {
                // An untrusted text must not trigger network access.
                Some(Revisions::new(repository.fetching(false), kind, options))
            }
            _ => {
                let path = path.display();
                warnings
                    .push(format!("{path} is not a repository here, so the graph cannot be read at other revisions"));
                None
            }
        };
        Ok((Loaded { graph, warnings }, revisions))
    }
}
