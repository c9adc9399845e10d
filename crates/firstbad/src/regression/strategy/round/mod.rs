//! The revisions to test in parallel, so that the fewest rounds remain.
//!
//! `k` outcomes on a line of suspects leave one of `k + 1` parts, so that `n` suspects take about `log(n) / log(k + 1)` rounds of
//! `k` runs. Repeated halving leaves uneven parts and takes up to a fifth more.

mod few;
mod line;
mod many;
mod parts;

pub(super) use few::on_dag;
pub(super) use line::{cheaper, on_line};
pub(in crate::regression) use parts::shares;
pub(super) use parts::{Suspects, Wanted};
