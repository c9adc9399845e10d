//! Where units may be taken away.

/// Undecided units from `low` up to but not including `high`, at least one of which cannot go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pool {
    pub(super) low: usize,
    pub(super) high: usize,
    /// Whether a set without them was seen not to have the property, and not just unresolved.
    pub(super) proved: bool,
}

/// A pool, or a stretch between pools.
#[derive(Debug, Clone, Copy)]
pub(super) struct Front {
    pub(super) low: usize,
    pub(super) high: usize,
    /// Whether the property is known to need one of the units, if at least one of them cannot go; `None` if all may.
    pub(super) known: Option<bool>,
}

impl Front {
    pub(super) fn of(pool: &Pool) -> Self {
        Front { low: pool.low, high: pool.high, known: Some(pool.proved) }
    }
}
