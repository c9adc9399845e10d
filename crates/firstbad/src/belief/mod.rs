//! Hypotheses and what noisy observations do to them: shared by whatever meets noise.

mod blocks;
mod entropy;
mod rates;
mod tally;

pub(crate) use blocks::Blocks;
pub(crate) use entropy::entropy;
pub(crate) use rates::{Fit, Rates};
pub use rates::{Rate, RateError};
pub use tally::Tally;
