//! All algorithms by name: what the bindings and the journal make searches from.

use serde_json::{Map, Value};

use crate::culprit::{Culprit, Verification};
use crate::error::Error;
use crate::porting::Port;
use crate::reduction::{Isolate, Minimize};
use crate::regression::Regression;
use crate::search::{Algorithm, AskTell, Search, Space, World, algorithm_of};
use crate::slicing::Slice;
use crate::walk_back::WalkBack;
use crate::words::json;

type Opened = Result<Box<dyn Search>, Error>;

/// How to make the searches of one algorithm.
struct Entry {
    name: &'static str,
    defaults: fn() -> Result<Value, Error>,
    open: fn(World, &Value) -> Opened,
    restore: fn(World, &str) -> Opened,
}

const ALL: [Entry; 8] = [
    entry::<Regression>(),
    entry::<Culprit>(),
    entry::<Verification>(),
    entry::<Minimize>(),
    entry::<Isolate>(),
    entry::<Port>(),
    entry::<Slice>(),
    entry::<WalkBack>(),
];

const fn entry<A>() -> Entry
where
    A: Algorithm,
{
    Entry {
        name: A::NAME,
        defaults: || {
            let nothing_given: A::Config = json::options(&Value::Object(Map::new()))?;
            serde_json::to_value(nothing_given).map_err(|error| Error::invalid("options", A::NAME, error.to_string()))
        },
        open: |world, configuration| {
            Ok(Box::new(AskTell::<A>::new(
                <A::Space as Space>::World::try_from(world)?,
                json::options(configuration)?,
            )?))
        },
        restore: |world, snapshot| {
            Ok(Box::new(AskTell::<A>::restore(<A::Space as Space>::World::try_from(world)?, snapshot)?))
        },
    }
}

fn named(algorithm: &str) -> Result<&'static Entry, Error> {
    ALL.iter().find(|entry| entry.name == algorithm).ok_or_else(|| {
        let known: Vec<String> = ALL.iter().map(|entry| format!("{:?}", entry.name)).collect();
        Error::invalid("algorithm", algorithm, format!("one of {}", known.join(", ")))
    })
}

/// The table of the options of every search: a JSON schema with one definition for each algorithm, which gives the type,
/// the range, the default and the meaning of each option. It is made from the configurations.
pub const OPTIONS: &str = include_str!("../options.json");

/// The options of an algorithm as they are if none is given; those that are none are left out.
///
/// # Errors
/// [`Error::InvalidArgument`] for an unknown name.
pub fn defaults(algorithm: &str) -> Result<Value, Error> {
    (named(algorithm)?.defaults)()
}

/// A search by the name of its algorithm (`regression`, `culprit`, `verification`, `minimize`,
/// `isolate`, `port`, `slice`), with its configuration as JSON.
///
/// # Errors
/// [`Error::InvalidArgument`] for an unknown name or a world of another kind, and what the search itself raises.
pub fn open(algorithm: &str, world: impl Into<World>, configuration: &Value) -> Opened {
    (named(algorithm)?.open)(world.into(), configuration)
}

/// The search that a snapshot was taken of; its algorithm must be `algorithm`.
///
/// # Errors
/// [`Error::InvalidArgument`] for an unknown name; [`Error::Snapshot`] where the text is no snapshot, or one of another
/// algorithm or history.
pub fn restore(algorithm: &str, world: impl Into<World>, snapshot: &str) -> Opened {
    let entry = named(algorithm)?;
    let theirs = algorithm_of(snapshot)?;
    if theirs != algorithm {
        return Err(Error::Snapshot { reason: format!("it belongs to {theirs:?}, not to {algorithm:?}") });
    }
    (entry.restore)(world.into(), snapshot)
}
