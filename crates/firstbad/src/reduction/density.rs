//! How many items are needed, and whether they come in clusters: learned on the way, to size what is taken away next.
//!
//! Every item is needed by chance, at an unknown rate; an item next to a needed one is needed at another rate, where
//! clusters are looked for. Both are integrated over, so that the first questions already fit any density.

/// One rate with its weight.
#[derive(Debug, Clone, Copy)]
struct Point {
    /// How many needed items there are in items that weigh 1.
    rate: f64,
    ln_weight: f64,
}

/// What has been decided so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Decided {
    /// The weight of what was dropped, apart from neighbours of kept ones.
    pub(super) dropped: f64,
    /// How much was kept, apart from neighbours of kept ones, with the logarithm of its weights' product.
    pub(super) kept: f64,
    /// How many neighbours of kept ones were dropped, and kept.
    pub(super) dropped_beside: f64,
    /// See [`Decided::dropped_beside`].
    pub(super) kept_beside: f64,
}

/// The belief.
#[derive(Debug, Clone)]
pub(super) struct Density {
    prior: Vec<Point>,
    /// Runs that were seen, as it were, before the first: dropped and kept neighbours of kept ones; nothing where
    /// clusters are not looked for.
    beside: Option<(f64, f64)>,
    /// The rates that matter in the light of what was decided.
    posterior: Vec<Point>,
    /// How likely a neighbour of a kept one is needed.
    neighbour: Option<f64>,
}

/// A stretch of items from which the first ones may be taken away.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// How many there are.
    pub(super) len: usize,
    /// Cumulated weights; nothing where each weighs 1.
    pub(super) weights: Option<&'a [f64]>,
    /// Whether the first one is the neighbour of a kept one.
    pub(super) is_beside: bool,
}

impl Stretch<'_> {
    fn weight(&self, len: usize) -> f64 {
        match (self.weights, len) {
            (None, _) => len as f64,
            (_, 0) => 0.0,
            (Some(weights), _) => weights[len - 1],
        }
    }
}

/// Rates less likely than this, against the likeliest, are left out.
const NEGLIGIBLE: f64 = 9.0;

impl Density {
    /// Before anything is decided about `count` items. `kept` is how many of them are expected to stay, where that is
    /// known from before.
    pub(super) fn new(count: usize, clustered: bool, mostly_kept: bool) -> Self {
        let most = if mostly_kept { 6.0 } else { 2.0 };
        let least = 0.35 / count.max(1) as f64;
        let steps = ((most / least).log2().ceil().max(1.0)) as usize;
        let prior = (0..=steps)
            .map(|step| {
                let rate = least * 2f64.powi(step as i32);
                Point { rate, ln_weight: if mostly_kept { (rate.min(1.0)).ln() } else { 0.0 } }
            })
            .collect();
        let beside = clustered.then_some((0.9, 0.45));
        let mut density = Density { prior, beside, posterior: Vec::new(), neighbour: None };
        density.decide(&Decided::default());
        density
    }

    /// Learns from what was decided, all of it.
    pub(super) fn decide(&mut self, decided: &Decided) {
        let ln = |point: &Point| {
            let needed = if decided.kept > 0.0 { decided.kept * (-(-point.rate).exp_m1()).ln() } else { 0.0 };
            point.ln_weight - point.rate * decided.dropped + needed
        };
        let lns = self.prior.iter().map(|point| Point { rate: point.rate, ln_weight: ln(point) });
        self.posterior.clear();
        self.posterior.extend(lns);
        let best = self.posterior.iter().map(|point| point.ln_weight).fold(f64::NEG_INFINITY, f64::max);
        self.posterior.retain(|point| point.ln_weight > best - NEGLIGIBLE);
        for point in &mut self.posterior {
            // From here on plain weights.
            point.ln_weight = (point.ln_weight - best).exp();
        }
        self.neighbour = self.beside.map(|(dropped, kept)| {
            (kept + decided.kept_beside) / (dropped + kept + decided.kept_beside + decided.dropped_beside)
        });
    }

    /// How likely the first `len` items of a stretch are not needed, at one rate.
    fn clean(&self, point: Point, stretch: Stretch<'_>, len: usize) -> f64 {
        match self.neighbour {
            Some(neighbour) if stretch.is_beside && len > 0 => {
                (1.0 - neighbour) * (-point.rate * (stretch.weight(len) - stretch.weight(1))).exp()
            }
            _ => (-point.rate * stretch.weight(len)).exp(),
        }
    }

    /// How likely the first `len` items of a stretch are not needed, times the sum of all weights, and that sum.
    fn chance(&self, stretch: Stretch<'_>, len: usize) -> (f64, f64) {
        let add = |(clean, all): (f64, f64), point: &Point| {
            (clean + point.ln_weight * self.clean(*point, stretch, len), all + point.ln_weight)
        };
        self.posterior.iter().fold((0.0, 0.0), add)
    }

    /// How many of a stretch are needed, as far as that is known; at least one where `positive`.
    pub(super) fn expected(&self, stretch: Stretch<'_>) -> f64 {
        let (sum, all) = self.posterior.iter().fold((0.0, 0.0), |(sum, all), point| {
            (sum + point.ln_weight * point.rate * stretch.weight(stretch.len), all + point.ln_weight)
        });
        sum / all
    }

    /// How many of the first items of a stretch to take away, so that it tells most: that they may go is then as likely
    /// as that they may not. Where at least one of the stretch is known to be needed, fewer than all.
    pub(super) fn split(&self, stretch: Stretch<'_>, positive: bool, share: f64) -> usize {
        let most = if positive { stretch.len - 1 } else { stretch.len };
        let (clean_all, all) = self.chance(stretch, stretch.len);
        // P(needed in the first | needed in all) = (1 - clean(first)) / (1 - clean(all)).
        let wanted = if positive { all - (all - clean_all) * share } else { all * (1.0 - share) };
        if most <= 1 {
            return most;
        }
        let excess = |len: usize| self.chance(stretch, len).0 - wanted;
        let (mut low, mut high) = (1, most);
        if excess(high) >= 0.0 {
            return high;
        }
        // clean falls with the length.
        while high - low > 1 {
            let middle = low.midpoint(high);
            if excess(middle) >= 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        if excess(low).abs() <= excess(high).abs() { low } else { high }
    }
}
