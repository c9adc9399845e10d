//! Priors, rates, and evidence, shared by all searches with noisy oracles.

mod blocks;
mod by_node;
mod entropy;
mod no_culprit;
mod percent;
mod prior;
mod rates;
mod sought;
mod tally;

pub(crate) use blocks::Blocks;
pub(crate) use by_node::{ByNode, named, numbers};
pub(crate) use entropy::entropy;
pub use no_culprit::{NoCulprit, Uniform};
pub use percent::percent;
pub(crate) use prior::PriorWeights;
pub use prior::{Prior, PriorName};
pub use rates::Rate;
pub(crate) use rates::{Fit, RateError, Rates};
pub(crate) use sought::Sought;
pub use tally::RunCounts;
