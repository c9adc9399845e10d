//! A simulated machine that measures a history with noise.

use std::sync::Arc;

use firstbad::CommitGraph;
use firstbad::graph::Node;
use firstbad_testkit::simulated::Random;

/// The noise of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noise {
    Normal,
    Lognormal,
    T3,
    Bimodal,
    Spikes,
    Drift,
}

impl Noise {
    pub(crate) const ALL: [Noise; 6] =
        [Noise::Normal, Noise::Lognormal, Noise::T3, Noise::Bimodal, Noise::Spikes, Noise::Drift];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Noise::Normal => "normal",
            Noise::Lognormal => "lognormal",
            Noise::T3 => "t3",
            Noise::Bimodal => "bimodal",
            Noise::Spikes => "spikes",
            Noise::Drift => "drift",
        }
    }
}

/// A history with commits that change the logarithm of a number. Node 0 is the good revision, and the last node the bad one.
pub(crate) struct World {
    pub(crate) graph: Arc<CommitGraph>,
    /// The commits that change the number, with the change.
    pub(crate) steps: Vec<(Node, f64)>,
    pub(crate) unresolved: Vec<bool>,
}

impl World {
    /// Creates a list with `count` suspects.
    pub(crate) fn list(count: usize) -> Result<Self, String> {
        let graph =
            CommitGraph::linear((0..=count).map(|place| format!("r{place}"))).map_err(|error| error.to_string())?;
        Ok(World { graph: Arc::new(graph), steps: Vec::new(), unresolved: vec![false; count + 1] })
    }

    pub(crate) fn suspects(&self) -> usize {
        self.graph.len() - 1
    }

    pub(crate) fn bad(&self) -> Node {
        self.suspects() as Node
    }

    /// Returns the logarithm of the number at a revision, without noise.
    pub(crate) fn level(&self, node: Node) -> f64 {
        self.steps.iter().filter(|step| self.graph.is_ancestor(step.0, node)).map(|step| step.1).sum()
    }
}

/// A machine that measures a world.
pub(crate) struct Machine<'a> {
    pub(crate) world: &'a World,
    noise: Noise,
    deviation: f64,
    random: Random,
    walk: f64,
    pub(crate) count: usize,
    built: Vec<bool>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(world: &'a World, noise: Noise, deviation: f64, seed: u64) -> Self {
        let built = vec![false; world.graph.len()];
        Machine { world, noise, deviation, random: Random::new(seed), walk: 0.0, count: 0, built }
    }

    pub(crate) fn builds(&self) -> usize {
        self.built.iter().filter(|&&is_built| is_built).count()
    }

    /// Measures a revision. Returns the logarithm of the number, or `None` if the revision has none.
    pub(crate) fn measure(&mut self, node: Node) -> Option<f64> {
        self.count += 1;
        self.built[node as usize] = true;
        (!self.world.unresolved[node as usize]).then(|| self.world.level(node) + self.error())
    }

    fn error(&mut self) -> f64 {
        let s = self.deviation;
        match self.noise {
            Noise::Normal => self.gauss() * s,
            Noise::Lognormal => self.gauss().exp() * s / 2.16 - s * 0.76,
            Noise::T3 => {
                let square: f64 = (0..3).map(|_| self.gauss().powi(2)).sum();
                s / 1.732 * self.gauss() / (square / 3.0).sqrt()
            }
            Noise::Bimodal => (if self.random.chance(500) { s } else { -s }) + self.gauss() * s * 0.2,
            Noise::Spikes => {
                let spike = if self.random.chance(80) { -0.3 * (1.0 - self.random.fraction()).ln() } else { 0.0 };
                self.gauss() * s + spike
            }
            Noise::Drift => {
                self.walk += self.gauss() * s * 0.5;
                self.walk + self.gauss() * s * 0.5
            }
        }
    }

    /// Returns a number with a standard normal distribution (Box and Muller).
    fn gauss(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.random.fraction()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.random.fraction()).cos()
    }
}
