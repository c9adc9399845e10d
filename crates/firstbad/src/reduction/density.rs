//! How many items are needed, and whether they come in clusters: learned on the way, to size what is taken away next.
//!
//! Every item is needed by chance, at an unknown rate. Items near a kept one may be needed more often, the one right
//! beside it more often still: how much is learned as well. All of it is integrated over, so that the first questions
//! already fit any density. What other items need is learned apart from what the property needs: a set without it is
//! unresolved, and it lies near what needs it.

/// How far near is, in items.
pub(super) const NEAR: usize = 16;

/// One pair of rates with its weight.
#[derive(Debug, Clone, Copy)]
struct Point {
    /// How many needed items there are in items that weigh 1, far from kept ones.
    far: f64,
    /// The same near kept ones.
    near: f64,
    /// The weight's logarithm in the prior; the plain weight in the posterior.
    weight: f64,
    /// The logarithms of how likely one item is needed, far from kept ones and near them.
    ln_far: f64,
    ln_near: f64,
}

impl Point {
    fn new(far: f64, near: f64, weight: f64) -> Self {
        let ln_needed = |rate: f64| (-(-rate).exp_m1()).ln();
        Point { far, near, weight: weight.ln(), ln_far: ln_needed(far), ln_near: ln_needed(near) }
    }
}

/// How much there is of something far from kept items, near them, and right beside them.
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

/// The belief.
#[derive(Debug, Clone)]
pub(super) struct Density {
    prior: Vec<Point>,
    /// Those that matter in the light of what was decided.
    posterior: Vec<Point>,
    /// How likely a neighbour of a kept one is needed.
    neighbour: f64,
    /// What was as good as seen of neighbours before the first.
    beside: (f64, f64),
}

/// Whether the property or other items need the items.
#[derive(Debug, Clone, Copy)]
pub(super) enum Needed {
    ByProperty,
    ByItems,
}

/// A stretch of items from which the first ones may be taken away.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// How many there are.
    pub(super) len: usize,
    /// Cumulated weights; `None` if each weighs 1.
    pub(super) weights: Option<&'a [f64]>,
    /// Whether the first one is the neighbour of a kept one.
    pub(super) is_beside: bool,
    /// How many of the first ones are near a kept one.
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

    /// The weights of the first `len` that are near a kept one and that are not, without a neighbour of one.
    fn zones(&self, len: usize) -> (f64, f64) {
        let skipped = if self.is_beside { self.weight(1.min(len)) } else { 0.0 };
        let near = self.weight(len.min(self.near)).max(skipped);
        (near - skipped, self.weight(len) - near)
    }
}

/// Rates less likely than e to the minus this, against the likeliest, are left out.
const NEGLIGIBLE: f64 = 5.0;

/// How much more often items near kept ones may be needed, with prior weights: for the property, and by other items.
const NEARER: [(f64, f64); 3] = [(1.0, 0.65), (3.0, 0.3), (9.0, 0.05)];
const NEARER_BY_ITEMS: [(f64, f64); 4] = [(1.0, 0.1), (5.0, 0.1), (20.0, 0.3), (80.0, 0.5)];

/// Neighbours of kept items that were dropped and kept before the first, as it were.
const BESIDE: (f64, f64) = (2.0, 0.3);
const BESIDE_BY_ITEMS: (f64, f64) = (3.0, 0.3);

impl Density {
    /// Before anything is decided about `count` items; `again` where most of them have been found to stay.
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

    /// Learns from all that was decided: the weight of what was dropped, and how many were kept.
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

    /// How likely the first `len` items of a stretch are not needed.
    fn clean(&self, stretch: Stretch<'_>, len: usize) -> f64 {
        let (near, far) = stretch.zones(len);
        let beside = if stretch.is_beside && len > 0 { 1.0 - self.neighbour } else { 1.0 };
        let clean = self.posterior.iter().map(|point| point.weight * (-point.near * near - point.far * far).exp());
        beside * clean.sum::<f64>()
    }

    /// How many of a stretch are needed, judged by how likely none is.
    pub(super) fn expected(&self, stretch: Stretch<'_>) -> f64 {
        -self.clean(stretch, stretch.len).max(f64::MIN_POSITIVE).ln()
    }
}

/// How many of the first items of a stretch to take away, so that it tells most: that they may go is then as likely as
/// that they may not (with a `share` of 0.5). If at least one of the stretch is known to be needed, fewer than all.
/// What they may be needed for are the `densities`.
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
    // clean falls with the length, about exponentially: where its logarithm would meet the wanted one on a line.
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

/// How far from even a question may be: it tells less than 1 part in 1000 less.
const NEAR_ENOUGH: f64 = 0.015;

/// How much less likely a rate is than half that rate, before anything is known.
const SPARSE: f64 = 0.8;
const SPARSE_BY_ITEMS: f64 = 0.5;
