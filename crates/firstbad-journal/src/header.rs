//! The header of a journal, which identifies the search and its world.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use firstbad::{ChangeSet, CommitGraph, Error, Inspect, Search, World, graph::Origin};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::disk::{Disk, absolute, beside};
use crate::fields;
use crate::graph_file;
use crate::limits;
use crate::mark;
use crate::options::Options;
use crate::record::now;
use crate::test::{self, Claim, Test};
use crate::variables;

/// Characters that the name of a file next to a journal must not contain. On Windows, a colon can refer to another disk or a
/// stream.
const NO_NAME: &[char] = if cfg!(windows) { &['/', '\\', ':', '\0'] } else { &['/', '\0'] };

/// The version of the format of new journals.
pub(crate) const SCHEMA: u32 = 2;

/// The previous version of the format, without checksums. firstbad reads and resumes such journals as they are.
pub(crate) const UNSEALED: u32 = 1;

/// The first line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub journal: u32,
    /// The unique id of this run.
    pub id: String,
    /// The creation time in seconds since 1970.
    pub created: f64,
    /// The name of the algorithm for [`firstbad::open`].
    pub algorithm: String,
    /// The configuration of the algorithm, with full commit ids because branches can move.
    pub configuration: Value,
    /// A fingerprint of the relevant part of the world. For a history, that is the ancestors of the bad revisions.
    pub fingerprint: String,
    /// The world of the search.
    pub world: WorldRecord,
    /// The test command, if a command answers the probes: [`Test::Command`](crate::Test::Command).
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub test: Value,
    /// Data of the driver, such as how the test runs.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub driver: Value,
    /// The mark that proves which user created the journal, or `None` if no mark could be created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
}

/// The world of a search, in a form that can be found again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorldRecord {
    /// A part of a repository's history.
    Git(Origin),
    /// A history in a file next to the journal.
    Graph {
        /// The name of the file in the folder of the journal.
        file: String,
        /// The number of revisions.
        revisions: usize,
    },
    /// A number of items.
    Items {
        /// The number of items.
        count: usize,
        /// A digest of the items, if the caller provided one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        digest: Option<String>,
    },
}

impl Header {
    /// Creates the header of a new search. Writes the graph next to the journal if it is not from a repository.
    ///
    /// # Errors
    /// [`Error::Journal`].
    pub(crate) fn of(
        disk: &dyn Disk,
        journal: &Path,
        search: &dyn Inspect,
        options: &Options,
    ) -> Result<Header, Error> {
        let configuration = search.configuration()?;
        let world = match search.world() {
            World::Items(count) => WorldRecord::Items { count, digest: options.digest.clone() },
            World::History(graph) => match graph.origin() {
                Some(origin) => WorldRecord::Git(origin.clone()),
                None => {
                    let path = beside(journal, "graph.gz");
                    graph_file::write(disk, &path, &graph)?;
                    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    WorldRecord::Graph { file, revisions: graph.len() }
                }
            },
        };
        let id = uuid::Uuid::new_v4().to_string();
        Ok(Header {
            journal: SCHEMA,
            created: now(),
            algorithm: search.algorithm().to_owned(),
            configuration,
            fingerprint: search.fingerprint(),
            world,
            test: match &options.test {
                Test::Command(test) => variables::hidden(test, &id),
                Test::ByHand | Test::Function => Value::Null,
            },
            driver: options.driver.clone(),
            mark: None,
            id,
        }
        .marked(journal))
    }

    /// Returns whether the lines of the journal have checksums.
    pub(crate) fn is_sealed(&self) -> bool {
        self.journal != UNSEALED
    }

    /// Returns a note about the format of an older journal, or `None` if the format is current.
    #[must_use]
    pub fn format_note(&self) -> Option<&'static str> {
        const OLDER: &str = "the journal is from an older version of firstbad. Its lines have no checksums, so \
                             firstbad cannot detect all damage";
        (!self.is_sealed()).then_some(OLDER)
    }

    /// Validates the header, because journals can come from untrusted sources.
    ///
    /// # Errors
    /// A description of the invalid value.
    pub(crate) fn check(&self) -> Result<(), String> {
        match &self.world {
            WorldRecord::Git(origin) => match origin.unfit() {
                Some(name) => {
                    let name = fields::shown(&name.into());
                    Err(format!("{name} is among the ids of its history, which are full ids"))
                }
                None => Ok(()),
            },
            WorldRecord::Graph { file, .. } if file.is_empty() || file.contains(NO_NAME) || file.starts_with('.') => {
                let file = fields::shown(&file.as_str().into());
                Err(format!("its graph file {file} has a folder. Expected a name without a folder"))
            }
            WorldRecord::Graph { revisions, .. } if *revisions > limits::REVISIONS => {
                Err(format!("its history has {revisions} revisions, and firstbad reads at most {}", limits::REVISIONS))
            }
            WorldRecord::Items { count, .. } if *count > ChangeSet::MOST => {
                Err(format!("it has {count} items, and firstbad reads at most {}", ChangeSet::MOST))
            }
            WorldRecord::Graph { .. } | WorldRecord::Items { .. } => Ok(()),
        }
    }

    /// Returns whether this user created the journal on this machine in the folder of `journal`, and the header is unchanged.
    ///
    /// If so, you can trust the repository, command, and files that the journal names. Otherwise, they can come from anyone.
    #[must_use]
    pub fn is_ours(&self, journal: &Path) -> bool {
        let (Some(mark), Some((folder, text))) = (&self.mark, self.signed(journal)) else { return false };
        mark::is_of(mark, &folder, &text)
    }

    /// Adds the mark of this user.
    pub(crate) fn marked(self, journal: &Path) -> Header {
        let mark = self.signed(journal).and_then(|(folder, text)| mark::of(&folder, &text));
        Header { mark, ..self }
    }

    /// Returns the signed data: the folder, and the header without its mark.
    fn signed(&self, journal: &Path) -> Option<(PathBuf, Vec<u8>)> {
        let path = absolute(journal).ok()?;
        let text = serde_json::to_vec(&Header { mark: None, ..self.clone() }).ok()?;
        Some((path.parent()?.to_owned(), text))
    }

    /// Checks that outcomes of the test `given` belong to this journal.
    ///
    /// # Errors
    /// [`Error::Journal`] if the tests differ. The error names the differences.
    pub fn check_test(&self, journal: &Path, given: &Test) -> Result<(), Error> {
        self.claim(journal, given).map(|_| ())
    }

    /// Returns what the journal must record about the test `given`.
    ///
    /// # Errors
    /// The errors of [`Header::check_test`].
    pub(crate) fn claim(&self, journal: &Path, given: &Test) -> Result<Claim, Error> {
        let given = match given {
            Test::Command(test) => &Test::Command(variables::comparable(test, &self.test, &self.id)),
            other => other,
        };
        test::claim(journal, &self.test, given, !matches!(self.world, WorldRecord::Items { .. }))
    }

    /// Returns the world of the search, from the journal or from `graph`, the graph of the repository.
    ///
    /// # Errors
    /// [`Error::Journal`] if the history is in a repository and `graph` is `None`, or if the graph's file cannot be read.
    pub fn world(&self, journal: &Path, graph: Option<CommitGraph>) -> Result<World, Error> {
        let graph = match (&self.world, graph) {
            (WorldRecord::Items { count, .. }, _) => return Ok(World::Items(*count)),
            (_, Some(graph)) => graph,
            (WorldRecord::Graph { file, revisions }, None) => {
                graph_file::read(&journal.with_file_name(file), *revisions)?
            }
            (WorldRecord::Git(origin), None) => {
                let message = format!("its history needs the repository {}", origin.repository);
                return Err(Error::Journal { path: journal.display().to_string(), message });
            }
        };
        Ok(World::History(Arc::new(graph)))
    }

    /// Creates the search in its initial state, in a world from [`Header::world`].
    ///
    /// # Errors
    /// The errors of [`firstbad::open`].
    pub fn search(&self, world: World) -> Result<Box<dyn Search>, Error> {
        firstbad::open(&self.algorithm, world, &self.configuration)
    }
}
