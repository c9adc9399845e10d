use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::rank::{CommitRanking, CommitSuspect};
use super::reason::{CommitReason, message};
use super::traits::shortened;
use crate::suspicion::ranking::{Ranking, Suspect};

impl CommitRanking {
    /// Combines the ranking with that of a build graph or of imports by multiplying their probabilities. Reasons from the build
    /// graph come first.
    ///
    /// Both priors have a floor ([`PriorOptions::floor`](crate::suspicion::PriorOptions::floor)), so neither rules out a suspect
    /// alone. Only suspects that the build graph excludes get weight 0.
    ///
    /// `weights` are the weights of `ranking`, under the names of the suspects here. A suspect without a weight gets the smallest
    /// positive weight. If there are no weights, or all suspects would get 0, the ranking stays unchanged.
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

/// Returns the closest dependency that a change touches.
fn affecting(suspect: &Suspect) -> Option<CommitReason> {
    let closest = suspect.reasons.first()?;
    let file = shortened(closest.files.first()?);
    Some(CommitReason::Affects {
        file,
        target: shortened(&closest.target),
        depth: closest.path.len().saturating_sub(1),
    })
}
