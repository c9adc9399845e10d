//! What commits touch, and what the build graph says of them, together.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::rank::{CommitRanking, CommitSuspect};
use super::reason::{CommitReason, message};
use super::traits::shortened;
use crate::suspicion::ranking::{Ranking, Suspect};

impl CommitRanking {
    /// The same with what a build graph, or imports, say: both probabilities multiplied. Each comes with a floor of its own
    /// ([`PriorOptions::floor`](crate::suspicion::PriorOptions::floor)), so that neither of them alone rules out anybody but whom the build graph excludes, with a weight of 0. The reasons of
    /// the build graph come first.
    ///
    /// `weights` are those that `ranking` gives, by the names that the suspects have here; a suspect without one counts as the
    /// lightest that has one above 0. Where they are empty, or leave nobody, the build graph tells nobody from another, and
    /// nothing changes.
    #[must_use]
    pub fn with_build_graph(mut self, ranking: &Ranking, weights: &BTreeMap<String, f64>) -> CommitRanking {
        let least = weights.values().copied().filter(|&weight| weight > 0.0).fold(1.0, f64::min);
        let weight = |suspect: &CommitSuspect| weights.get(&suspect.change).copied().unwrap_or(least);
        let sum: f64 = self.suspects.iter().map(|suspect| suspect.probability * weight(suspect)).sum();
        if weights.is_empty() || !sum.is_finite() || sum <= 0.0 {
            return self;
        }
        let by_change: HashMap<&str, &Suspect> =
            ranking.suspects.iter().map(|suspect| (suspect.change.as_str(), suspect)).collect();
        for suspect in &mut self.suspects {
            let given = weights.get(&suspect.change).copied();
            suspect.probability *= given.unwrap_or(least) / sum;
            let reason = match (by_change.get(suspect.change.as_str()), given) {
                (Some(affects), _) => affecting(affects),
                (None, Some(0.0)) => Some(CommitReason::Excluded),
                (None, _) => Some(CommitReason::Unlikely),
            };
            suspect.reasons.splice(0..0, reason);
            suspect.message = message(&suspect.reasons);
        }
        self.sort();
        self
    }
}

/// The closest of what a change touches.
fn affecting(suspect: &Suspect) -> Option<CommitReason> {
    let closest = suspect.reasons.first()?;
    let file = shortened(closest.files.first()?);
    Some(CommitReason::Affects {
        file,
        target: shortened(&closest.target),
        depth: closest.path.len().saturating_sub(1),
    })
}
