//! The space between two columns, in which lines change their lane.

/// Lines that change their lane between two columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Gutter {
    turns: Vec<Turn>,
}

#[derive(Debug, Clone)]
struct Turn {
    link: usize,
    /// Turns of one bundle may lie on each other: their lines come from one place or lead to one.
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
    /// The width without turns.
    pub(super) const LEAST: f64 = 10.0;
    /// How far turns are apart, and the first one from the column before.
    const TRACK: f64 = 8.0;

    /// A line turns here from one lane to another; a turn to its own lane is left out.
    pub(super) fn turn(&mut self, link: usize, bundle: usize, from: usize, to: usize) {
        if from != to {
            self.turns.push(Turn { link, bundle, from, to, track: 0 });
        }
    }

    /// Gives every turn its track. A line that leaves a lane turns before another comes into that lane.
    pub(super) fn settle(&mut self) {
        // By the lane that they leave: mostly lines leave the upper lanes for lower ones, or come back.
        let mut left: Vec<usize> = (0..self.turns.len()).collect();
        let mut settled: Vec<usize> = Vec::new();
        while !left.is_empty() {
            let turns = &self.turns;
            let waits = |&one: &usize| {
                left.iter().any(|&other| turns[other].from == turns[one].to && turns[other].bundle != turns[one].bundle)
            };
            // In a circle nobody comes first.
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

    /// Where in the gutter a line turns; `None` if it does not.
    pub(super) fn track(&self, link: usize, from: usize, to: usize) -> Option<f64> {
        let turn = self.turns.iter().find(|turn| turn.link == link && (turn.from, turn.to) == (from, to))?;
        Some(Self::TRACK * (turn.track + 1) as f64)
    }

    pub(super) fn width(&self) -> f64 {
        let tracks = self.turns.iter().map(|turn| turn.track + 1).max().unwrap_or(0);
        Self::LEAST + Self::TRACK * tracks as f64
    }
}
