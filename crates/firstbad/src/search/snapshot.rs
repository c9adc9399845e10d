use serde::{Deserialize, Serialize};

use super::algorithm::Algorithm;
use super::ask_tell::AskTell;
use super::drive::Search;
use super::event::Event;
use super::inspect::Inspect;
use super::limits;
use super::space::Space;
use crate::error::Error;
use crate::words::json;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    schema: u32,
    algorithm: String,
    configuration: serde_json::Value,
    fingerprint: String,
    #[serde(deserialize_with = "limits::limited")]
    events: Vec<Event>,
}

/// The version of the snapshot format.
const SCHEMA: u32 = 1;

fn parsed(text: &str) -> Result<Snapshot, Error> {
    json::read(text).map_err(|error| Error::Snapshot { reason: format!("not a snapshot: {error}") })
}

pub(crate) fn algorithm_of(text: &str) -> Result<String, Error> {
    Ok(parsed(text)?.algorithm)
}

impl<A: Algorithm> AskTell<A> {
    /// Restores a search from a snapshot.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if the text is not a snapshot of this algorithm, or if its history differs from `world`.
    pub fn restore(world: impl Into<<A::Space as Space>::World>, snapshot: &str) -> Result<Self, Error> {
        let theirs = parsed(snapshot)?;
        if theirs.algorithm != A::NAME {
            return Err(Error::Snapshot {
                reason: format!("it belongs to {:?}, not to {:?}", theirs.algorithm, A::NAME),
            });
        }
        let made = AskTell::new(world, json::options(&theirs.configuration)?);
        let mut search: Self = made.map_err(|error| match error {
            Error::UnknownRevision { .. } => {
                Error::Snapshot { reason: format!("it was taken on another history: {}", error.message()) }
            }
            other => other,
        })?;
        search.apply_snapshot(snapshot)?;
        Ok(search)
    }

    /// Brings a new search into the state of a snapshot.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if the text is not a snapshot, or if its algorithm, configuration, or history differs.
    pub fn apply_snapshot(&mut self, text: &str) -> Result<(), Error> {
        let mismatch = |reason: String| Error::Snapshot { reason };
        let snapshot = parsed(text)?;
        let differs = |what: &str, theirs: &str, ours: &str| {
            mismatch(format!("it was taken with another {what}: {theirs} there, {ours} here"))
        };
        if snapshot.schema != SCHEMA {
            return Err(differs("schema version", &snapshot.schema.to_string(), &SCHEMA.to_string()));
        }
        if snapshot.algorithm != A::NAME {
            return Err(differs("algorithm", &snapshot.algorithm, A::NAME));
        }
        let configuration = self.configuration()?;
        if snapshot.configuration != configuration {
            return Err(differs("configuration", &snapshot.configuration.to_string(), &configuration.to_string()));
        }
        let fingerprint = self.fingerprint();
        if snapshot.fingerprint != fingerprint {
            return Err(differs("history (fingerprint)", &snapshot.fingerprint, &fingerprint));
        }
        self.apply_all(&mut snapshot.events.iter())
    }

    /// Returns the configuration and the events as JSON.
    pub(super) fn write_snapshot(&self) -> Result<String, Error> {
        let snapshot = Snapshot {
            schema: SCHEMA,
            algorithm: A::NAME.to_owned(),
            configuration: self.configuration()?,
            fingerprint: self.fingerprint(),
            events: self.events(0),
        };
        serde_json::to_string(&snapshot).map_err(|error| Error::internal("the snapshot", &error))
    }
}
