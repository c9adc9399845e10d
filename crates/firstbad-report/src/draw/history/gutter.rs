//! The space between two columns, in which lines change lanes.

/// The lines that change lanes between two columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Gutter {
    turns: Vec<Turn>,
}

#[derive(Debug, Clone)]
struct Turn {
    link: usize,
    /// Turns of a bundle may overlap, because their lines start or end at the same vertex.
    bundle: usize,
    from: usize,
    to: usize,
    track: usize,
}

impl Turn {
    fn meets(&self, other: &Turn) -> bool {
        let span = |turn: &Turn| (turn.from.min(turn.to), turn.from.max(turn.to));
        let ((top, bottom), (other_top, other_bottom)) = (span(self), span(other));
        self.bundle != other.bundle && top <= other_bottom && other_top <= bottom
    }
}

impl Gutter {
    /// The width of a gutter without turns, in pixels.
    pub(super) const LEAST: f64 = 10.0;
    /// The distance between turns, in pixels.
    const TRACK: f64 = 8.0;

    /// Records the turn of a line unless the line stays in its lane.
    pub(super) fn turn(&mut self, link: usize, bundle: usize, from: usize, to: usize) {
        if from != to {
            self.turns.push(Turn { link, bundle, from, to, track: 0 });
        }
    }

    /// Assigns tracks so that a line leaves a lane before another line enters the lane.
    pub(super) fn settle(&mut self) {
        // Most lines leave an upper lane for a lower lane, or return.
        let mut left: Vec<usize> = (0..self.turns.len()).collect();
        let mut settled: Vec<usize> = Vec::new();
        while !left.is_empty() {
            let turns = &self.turns;
            let waits = |&one: &usize| {
                left.iter().any(|&other| turns[other].from == turns[one].to && turns[other].bundle != turns[one].bundle)
            };
            // A cycle has no first turn.
            let place = left.iter().position(|one| !waits(one)).unwrap_or(0);
            let next = left.remove(place);
            let same = settled.iter().find(|&&other| turns[other].bundle == turns[next].bundle);
            let track = match same {
                Some(&same) => turns[same].track,
                None => {
                    let before = settled.iter().filter(|&&other| turns[other].meets(&turns[next]));
                    before.map(|&other| turns[other].track + 1).max().unwrap_or(0)
                }
            };
            self.turns[next].track = track;
            settled.push(next);
        }
    }

    /// Returns the offset at which a line turns in the gutter.
    pub(super) fn track(&self, link: usize, from: usize, to: usize) -> Option<f64> {
        let turn = self.turns.iter().find(|turn| turn.link == link && (turn.from, turn.to) == (from, to))?;
        Some(Self::TRACK * (turn.track + 1) as f64)
    }

    pub(super) fn width(&self) -> f64 {
        let tracks = self.turns.iter().map(|turn| turn.track + 1).max().unwrap_or(0);
        Self::LEAST + Self::TRACK * tracks as f64
    }
}
