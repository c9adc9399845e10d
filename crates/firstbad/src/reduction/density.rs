//! A belief about how many items are needed, and whether needed items come in clusters. It determines how many items to
//! remove next.
//!
//! The model: items are needed at random, at an unknown rate. Items near a kept item may be needed more often, and the
//! nearest neighbor even more often. All rates are integrated over a prior, so the first tests suit any density. Items
//! needed by other items have a separate belief, because a set without them is unresolved.

/// The largest distance, in items, that counts as near.
pub(super) const NEAR: usize = 16;

/// One pair of rates with its weight.
#[derive(Debug, Clone, Copy)]
struct Point {
    /// The expected number of needed items per weight of 1, far from kept items.
    far: f64,
    /// The expected number per weight of 1, near kept items.
    near: f64,
    /// The logarithm of the weight in the prior, and the weight itself in the posterior.
    weight: f64,
    /// The logarithms of the probability that one item is needed, far from and near kept items.
    ln_far: f64,
    ln_near: f64,
}

impl Point {
    fn new(far: f64, near: f64, weight: f64) -> Self {
        let ln_needed = |rate: f64| (-(-rate).exp_m1()).ln();
        Point { far, near, weight: weight.ln(), ln_far: ln_needed(far), ln_near: ln_needed(near) }
    }
}

/// Amounts far from kept items, near them, and directly next to them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Zones {
    pub(super) far: f64,
    pub(super) near: f64,
    pub(super) beside: f64,
}

impl std::ops::Add for Zones {
    type Output = Zones;

    fn add(self, other: Zones) -> Zones {
        Zones { far: self.far + other.far, near: self.near + other.near, beside: self.beside + other.beside }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Density {
    prior: Vec<Point>,
    /// The points with a weight that matters after all decisions.
    posterior: Vec<Point>,
    /// The probability that the neighbor of a kept item is needed.
    neighbour: f64,
    /// Pseudocounts of dropped and kept neighbors.
    beside: (f64, f64),
}

/// Whether the property or other items need the items.
#[derive(Debug, Clone, Copy)]
pub(super) enum Needed {
    ByProperty,
    ByItems,
}

/// A stretch of items of which the first ones can be removed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch<'a> {
    pub(super) len: usize,
    /// Cumulative weights, or `None` if every item weighs 1.
    pub(super) weights: Option<&'a [f64]>,
    /// Whether the first item is next to a kept one.
    pub(super) is_beside: bool,
    /// The number of items at the start that are near a kept item.
    pub(super) near: usize,
}

impl Stretch<'_> {
    fn weight(&self, len: usize) -> f64 {
        match (self.weights, len) {
            (None, _) => len as f64,
            (_, 0) => 0.0,
            (Some(weights), _) => weights[len - 1],
        }
    }

    /// Returns the weights of the first `len` items that are near and far, without the neighbor of a kept item.
    fn zones(&self, len: usize) -> (f64, f64) {
        let skipped = if self.is_beside { self.weight(1.min(len)) } else { 0.0 };
        let near = self.weight(len.min(self.near)).max(skipped);
        (near - skipped, self.weight(len) - near)
    }
}

/// Points whose log weight is more than this below the maximum are dropped.
const NEGLIGIBLE: f64 = 5.0;

/// Factors by which items near kept ones are needed more often, with prior weights.
const NEARER: [(f64, f64); 3] = [(1.0, 0.65), (3.0, 0.3), (9.0, 0.05)];
const NEARER_BY_ITEMS: [(f64, f64); 4] = [(1.0, 0.1), (5.0, 0.1), (20.0, 0.3), (80.0, 0.5)];

/// Pseudocounts of dropped and kept neighbors of kept items.
const BESIDE: (f64, f64) = (2.0, 0.3);
const BESIDE_BY_ITEMS: (f64, f64) = (3.0, 0.3);

impl Density {
    /// Creates the prior for `count` items. `again` means that most of them were kept in an earlier pass.
    pub(super) fn new(count: usize, needed: Needed, again: bool) -> Self {
        let most = if again { 6.0 } else { 2.0 };
        let least = 0.35 / count.max(1) as f64;
        let steps = ((most / least).log2().ceil().max(1.0)) as i32;
        let (nearer, beside, sparse) = match needed {
            Needed::ByProperty => (&NEARER[..], BESIDE, SPARSE),
            Needed::ByItems => (&NEARER_BY_ITEMS[..], BESIDE_BY_ITEMS, SPARSE_BY_ITEMS),
        };
        let pairs = (0..=steps).flat_map(|step| {
            let far = least * 2f64.powi(step);
            let weight = if again { far.min(1.0) } else { sparse.powi(step) };
            nearer.iter().map(move |&(times, share)| Point::new(far, (far * times).min(6.0), weight * share))
        });
        let mut density = Density { prior: pairs.collect(), posterior: Vec::new(), neighbour: 0.0, beside };
        density.decide(Zones::default(), Zones::default());
        density
    }

    /// Learns from all decisions: the weight of the dropped items, and the number of kept ones.
    pub(super) fn decide(&mut self, dropped: Zones, kept: Zones) {
        self.posterior.clear();
        self.posterior.extend(self.prior.iter().map(|&point| {
            let far = kept.far * point.ln_far - dropped.far * point.far;
            let near = kept.near * point.ln_near - dropped.near * point.near;
            Point { weight: point.weight + far + near, ..point }
        }));
        let best = self.posterior.iter().map(|point| point.weight).fold(f64::NEG_INFINITY, f64::max);
        self.posterior.retain(|point| point.weight > best - NEGLIGIBLE);
        self.posterior.iter_mut().for_each(|point| point.weight = (point.weight - best).exp());
        let all: f64 = self.posterior.iter().map(|point| point.weight).sum();
        self.posterior.iter_mut().for_each(|point| point.weight /= all);
        let (dropped, kept) = (self.beside.0 + dropped.beside, self.beside.1 + kept.beside);
        self.neighbour = kept / (dropped + kept);
    }

    /// The probability that none of the first `len` items is needed.
    fn clean(&self, stretch: Stretch<'_>, len: usize) -> f64 {
        let (near, far) = stretch.zones(len);
        let beside = if stretch.is_beside && len > 0 { 1.0 - self.neighbour } else { 1.0 };
        let clean = self.posterior.iter().map(|point| point.weight * (-point.near * near - point.far * far).exp());
        beside * clean.sum::<f64>()
    }

    /// The expected number of needed items in a stretch.
    pub(super) fn expected(&self, stretch: Stretch<'_>) -> f64 {
        -self.clean(stretch, stretch.len).max(f64::MIN_POSITIVE).ln()
    }
}

/// Returns how many of the first items of a stretch to remove for the most informative test.
///
/// With a `share` of 0.5, removal succeeds with probability 1/2. If `positive`, at least one item of the stretch is needed,
/// so the result is below its length. Every density in `densities` is one reason why an item can be needed.
pub(super) fn split(densities: &[&Density], stretch: Stretch<'_>, positive: bool, share: f64) -> usize {
    let most = if positive { stretch.len - 1 } else { stretch.len };
    if most <= 1 {
        return most;
    }
    let clean = |len: usize| densities.iter().map(|density| density.clean(stretch, len)).product::<f64>();
    // P(needed in the first | needed in all) = (1 - clean(first)) / (1 - clean(all)).
    let wanted = if positive { 1.0 - (1.0 - clean(stretch.len)) * share } else { 1.0 - share };
    let last = clean(most);
    if last >= wanted {
        return most;
    }
    // `clean` falls about exponentially with the length, so interpolate its logarithm linearly.
    let (mut low, mut above, mut high, mut below) = (0, 1.0f64, most, last);
    let mut halve = false;
    while high - low > 1 {
        let (fall, way) = ((above / below).ln(), (above / wanted).ln());
        let guess = if halve { 0.5 } else { way / fall };
        let middle = low + ((high - low) as f64 * guess).round() as usize;
        let middle = middle.clamp(low + 1, high - 1);
        let here = clean(middle);
        if (here - wanted).abs() <= NEAR_ENOUGH {
            return middle;
        }
        halve = !halve && (high - low) > 8;
        if here >= wanted { (low, above) = (middle, here) } else { (high, below) = (middle, here) }
    }
    if low > 0 && above - wanted <= wanted - below { low } else { high }
}

/// The largest deviation from an even test. It costs less than 1 part in 1,000 of the information.
const NEAR_ENOUGH: f64 = 0.015;

/// The prior probability of a rate, relative to half that rate.
const SPARSE: f64 = 0.8;
const SPARSE_BY_ITEMS: f64 = 0.5;
