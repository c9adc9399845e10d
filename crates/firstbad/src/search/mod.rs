//! The ask/tell interface of all searches. A search asks for targets and is told their outcomes. It never runs a test.
//!
//! An [`Algorithm`] makes the decisions. [`AskTell`] turns any algorithm into a [`Search`]: it numbers probes, keeps the
//! [ledger](Ledger), replays [events](Event), and takes outcomes back. [`Inspect`] is the read-only view of a search. A [`Run`]
//! makes the decisions that all drivers share.

mod algorithm;
mod ask_tell;
mod budget;
mod carrying;
mod change_set;
mod confirmation;
mod content;
mod doubt;
mod drive;
mod event;
pub(crate) mod explanation;
mod forecast;
mod inspect;
mod items;
mod ledger;
mod limits;
mod nested;
mod observation;
mod other_failure;
mod outcome;
mod outcome_cache;
mod play_out;
mod posterior;
mod probe;
mod reads;
mod replay;
mod run;
mod snapshot;
mod space;
mod stage;
mod status;
mod target;
mod targets;
mod upcoming;

pub use algorithm::{Algorithm, Reading};
pub use ask_tell::AskTell;
pub use budget::Budget;
pub use carrying::Carrying;
pub use change_set::ChangeSet;
pub use confirmation::{Change, Claim, Confirmation};
pub use content::Content;
pub use doubt::Doubt;
pub use drive::{Driving, MOST_IN_FLIGHT, Search};
pub use event::{Answer, Event, StopReason, answers};
pub use forecast::{CulpritQuestion, Expense, Forecast};
pub use inspect::Inspect;
pub use items::Items;
pub use ledger::{Ledger, LedgerEntry, TargetObservation};
pub use limits::EventLimits;
pub use nested::Nested;
pub use observation::{Observation, TestResult};
pub use outcome::Outcome;
pub use outcome_cache::OutcomeCache;
pub use posterior::{Hypothesis, Posterior};
pub use probe::{Key, Probe};
pub use reads::{Read, Reads, Request};
pub use run::{Progress, Run, RunOptions};
pub use space::{History, Space, World};
pub use stage::Stage;
pub use status::Status;
pub use target::Target;
pub use targets::Targets;

pub(crate) use other_failure::{Failures, around_difference};
pub(crate) use posterior::Shares;
pub(crate) use snapshot::algorithm_of;
