//! What to ask side by side: revisions whose answers together leave the fewest rounds to go.
//!
//! `k` answers on a list of suspects leave one of `k + 1` parts, so that `n` suspects take about `log(n) / log(k + 1)`
//! rounds of `k`. Halves, and halves of halves, leave uneven parts and take up to a fifth more.

mod few;
mod line;
mod many;
mod parts;

pub(super) use few::on_dag;
pub(super) use line::{cheaper, on_line};
pub(in crate::regression) use parts::shares;
pub(super) use parts::{Suspects, Wanted};
