use serde_json::{Map, Value};

use crate::culprit::{Culprit, CulpritConfig, Verification, VerificationConfig};
use crate::error::Error;
use crate::metric::{ChangeConfig, Numbers};
use crate::porting::{Port, PorterConfig};
use crate::reduction::{Isolate, Minimize, ReductionConfig};
use crate::regression::{Regression, RegressionConfig};
use crate::search::{Algorithm, AskTell, Search, Space, World, algorithm_of};
use crate::slicing::{Slice, SlicerConfig};
use crate::suite::{Triage, TriageConfig};
use crate::words::json;

type Opened = Result<Box<dyn Search>, Error>;

/// The options of a search, typed by algorithm.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Configuration {
    /// The options of `regression`.
    Regression(Box<RegressionConfig>),
    /// The options of `culprit`.
    Culprit(Box<CulpritConfig>),
    /// The options of `verification`.
    Verification(Box<VerificationConfig>),
    /// The options of `minimize`.
    Minimize(Box<ReductionConfig>),
    /// The options of `isolate`.
    Isolate(Box<ReductionConfig>),
    /// The options of `port`.
    Port(Box<PorterConfig>),
    /// The options of `slice`.
    Slice(Box<SlicerConfig>),
    /// The options of `triage`.
    Triage(Box<TriageConfig>),
    /// The options of `change`.
    Change(Box<ChangeConfig>),
}

impl Configuration {
    /// Parses the options of an algorithm from JSON. The algorithm is one of `regression`, `culprit`, `verification`, `minimize`,
    /// `isolate`, `port`, `slice`, `triage`, and `change`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the algorithm or an option is unknown, or if an option has the wrong type.
    pub fn parse(algorithm: &str, options: &Value) -> Result<Self, Error> {
        (named(algorithm)?.parse)(options)
    }

    /// Creates a search with these options.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the world does not suit the algorithm or an option is invalid. Other errors of the search
    /// pass through.
    pub fn open(self, world: impl Into<World>) -> Opened {
        let world = world.into();
        match self {
            Configuration::Regression(config) => search::<Regression>(world, *config),
            Configuration::Culprit(config) => search::<Culprit>(world, *config),
            Configuration::Verification(config) => search::<Verification>(world, *config),
            Configuration::Minimize(config) => search::<Minimize>(world, *config),
            Configuration::Isolate(config) => search::<Isolate>(world, *config),
            Configuration::Port(config) => search::<Port>(world, *config),
            Configuration::Slice(config) => search::<Slice>(world, *config),
            Configuration::Triage(config) => search::<Triage>(world, *config),
            Configuration::Change(config) => search::<Numbers>(world, *config),
        }
    }

    /// Returns the good and bad revisions and the culprit to verify, each with the name of its option.
    pub fn endpoints_mut(&mut self) -> Vec<(&'static str, &mut String)> {
        let (bad, good, culprit): (&mut [String], &mut [String], _) = match self {
            Configuration::Regression(config) => (&mut config.bad, &mut config.good, None),
            Configuration::Culprit(config) => (&mut config.bad, &mut config.good, None),
            Configuration::Verification(config) => (&mut config.bad, &mut config.good, config.culprit.as_mut()),
            Configuration::Port(config) => (&mut [], &mut config.good, None),
            Configuration::Triage(config) => (&mut config.bad, &mut config.good, None),
            Configuration::Change(config) => (&mut config.bad, &mut config.good, None),
            _ => (&mut [], &mut [], None),
        };
        let ends = bad.iter_mut().map(|name| ("bad", name)).chain(good.iter_mut().map(|name| ("good", name)));
        ends.chain(culprit.map(|name| ("culprit", name))).collect()
    }
}

fn search<A: Algorithm>(world: World, config: A::Config) -> Opened {
    Ok(Box::new(AskTell::<A>::new(<A::Space as Space>::World::try_from(world)?, config)?))
}

struct Entry {
    name: &'static str,
    defaults: fn() -> Result<Value, Error>,
    parse: Parse,
    restore: fn(World, &str) -> Opened,
}

type Parse = fn(&Value) -> Result<Configuration, Error>;

const ALL: [Entry; 9] = [
    entry::<Regression>(|options| json::options(options).map(Configuration::Regression)),
    entry::<Culprit>(|options| json::options(options).map(Configuration::Culprit)),
    entry::<Verification>(|options| json::options(options).map(Configuration::Verification)),
    entry::<Minimize>(|options| json::options(options).map(Configuration::Minimize)),
    entry::<Isolate>(|options| json::options(options).map(Configuration::Isolate)),
    entry::<Port>(|options| json::options(options).map(Configuration::Port)),
    entry::<Slice>(|options| json::options(options).map(Configuration::Slice)),
    entry::<Triage>(|options| json::options(options).map(Configuration::Triage)),
    entry::<Numbers>(|options| json::options(options).map(Configuration::Change)),
];

const fn entry<A: Algorithm>(parse: Parse) -> Entry {
    Entry {
        name: A::NAME,
        defaults: || {
            let nothing_given: A::Config = json::options(&Value::Object(Map::new()))?;
            serde_json::to_value(nothing_given).map_err(|error| Error::invalid("options", A::NAME, error.to_string()))
        },
        parse,
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

/// The JSON schema of all options, with one definition per algorithm. Each option has a type, a range, a default, and a
/// description. The schema is generated from the configuration types.
pub const OPTIONS: &str = include_str!("../options.json");

/// Returns the default options of an algorithm. Options without a default are omitted.
///
/// # Errors
/// [`Error::InvalidArgument`] if the algorithm is unknown.
pub fn defaults(algorithm: &str) -> Result<Value, Error> {
    (named(algorithm)?.defaults)()
}

/// Creates a search from the name of its algorithm and its options as JSON.
///
/// # Errors
/// The errors of [`Configuration::parse`] and [`Configuration::open`].
pub fn open(algorithm: &str, world: impl Into<World>, configuration: &Value) -> Opened {
    Configuration::parse(algorithm, configuration)?.open(world)
}

/// Restores a search from a snapshot.
///
/// # Errors
/// - [`Error::InvalidArgument`] if the algorithm is unknown.
/// - [`Error::Snapshot`] if the text is not a snapshot of this algorithm, or if its history differs from `world`.
pub fn restore(algorithm: &str, world: impl Into<World>, snapshot: &str) -> Opened {
    let entry = named(algorithm)?;
    let theirs = algorithm_of(snapshot)?;
    if theirs != algorithm {
        return Err(Error::Snapshot { reason: format!("it belongs to {theirs:?}, not to {algorithm:?}") });
    }
    (entry.restore)(world.into(), snapshot)
}
