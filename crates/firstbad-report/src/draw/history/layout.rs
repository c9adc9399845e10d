//! The layout of a history: layers from left to right, lanes from top to bottom.

use super::gutter::Gutter;
use super::lanes::Lanes;
use super::sketch::Sketch;

/// The distance between lanes, in pixels.
const LANE: f64 = 56.0;
/// The position of the first lane.
const TOP: f64 = 30.0;
/// The space below the last lane.
const BOTTOM: f64 = 34.0;

/// The space that a vertex needs, in pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Room {
    /// The half width of the vertex and its labels.
    pub(crate) half: f64,
    /// The distance from the center at which lines end.
    pub(crate) edge: f64,
    /// The width from the center to the end of the name on the right.
    pub(crate) tail: f64,
    /// The additional length of incoming lines.
    pub(crate) run_up: f64,
}

/// The dimensions of a picture, in pixels.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Layout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) centres: Vec<(f64, f64)>,
    /// The corners of each link, including both ends.
    pub(crate) lines: Vec<Vec<(f64, f64)>>,
}

/// Computes the layout of a sketch. The first of `tips` is the tip of the trunk.
pub(crate) fn layout(sketch: &Sketch, rooms: &[Room], tips: &[usize]) -> Layout {
    let layers = layers(sketch);
    let columns = layers.iter().max().map_or(0, |last| last + 1);
    let mut halves = vec![0.0f64; columns];
    let mut run_ups = vec![0.0f64; columns];
    for (room, &layer) in rooms.iter().zip(&layers) {
        halves[layer] = halves[layer].max(room.half);
        run_ups[layer] = run_ups[layer].max(room.run_up);
    }
    let tails = tail_columns(rooms, &layers, &halves);
    let lanes = Lanes::new(sketch, &layers, &tails, tips);
    let gutters = gutters(sketch, &layers, &lanes, columns);

    let mut xs = Vec::with_capacity(columns);
    let mut starts = vec![0.0];
    let mut at = 0.0;
    for column in 0..columns {
        xs.push(at + halves[column]);
        at += 2.0 * halves[column];
        starts.push(at);
        at += gutters[column].width() + run_ups.get(column + 1).copied().unwrap_or(0.0);
    }
    let y = |lane: usize| TOP + LANE * lane as f64;
    let centres: Vec<(f64, f64)> = (0..layers.len()).map(|one| (xs[layers[one]], y(lanes.of[one]))).collect();
    let line = |(link, &lane): (usize, &usize)| {
        let (from, to) = (sketch.links[link].from, sketch.links[link].to);
        let (out, into) = (layers[from], layers[to] - 1);
        let lane = if out == into { lanes.of[to] } else { lane };
        let ((from_x, from_y), (to_x, to_y)) = (centres[from], centres[to]);
        let mut corners = vec![(from_x + rooms[from].edge, from_y)];
        if let Some(track) = gutters[out].track(link, lanes.of[from], lane) {
            let x = starts[out + 1] + track;
            corners.extend([(x, from_y), (x, y(lane))]);
        }
        if let Some(track) = gutters[into].track(link, lane, lanes.of[to]).filter(|_| out != into) {
            let x = starts[into + 1] + track;
            corners.extend([(x, y(lane)), (x, to_y)]);
        }
        corners.push((to_x - rooms[to].edge, to_y));
        corners
    };
    let lines = lanes.ways.iter().enumerate().map(line).collect();
    let tails = centres.iter().zip(rooms).map(|(&(x, _), room)| x + room.tail.max(room.half));
    Layout { width: tails.fold(0.0, f64::max), height: y(lanes.count() - 1) + BOTTOM, centres, lines }
}

/// Returns the length of the longest path to each vertex. A root moves next to its successor, except the oldest root.
fn layers(sketch: &Sketch) -> Vec<usize> {
    let mut layers = vec![0; sketch.vertices.len()];
    let order = sketch.order();
    let (into, out) = sketch.ends();
    for &one in &order {
        layers[one] = into[one].iter().map(|&from| layers[from] + 1).max().unwrap_or(0);
    }
    let oldest = (0..layers.len()).min_by_key(|&one| sketch.vertices[one].oldest());
    for one in 0..layers.len() {
        if into[one].is_empty() && Some(one) != oldest {
            layers[one] = out[one].iter().map(|&to| layers[to] - 1).min().unwrap_or(0);
        }
    }
    layers
}

/// Returns how many columns after its own the tail of each vertex covers.
fn tail_columns(rooms: &[Room], layers: &[usize], halves: &[f64]) -> Vec<usize> {
    let of = |(room, &layer): (&Room, &usize)| {
        let mut left = room.tail - halves[layer];
        let mut columns = 0;
        while left > 0.0 && layer + columns + 1 < halves.len() {
            columns += 1;
            left -= Gutter::LEAST + 2.0 * halves[layer + columns];
        }
        columns
    };
    rooms.iter().zip(layers).map(of).collect()
}

/// Returns the gutter after each column.
fn gutters(sketch: &Sketch, layers: &[usize], lanes: &Lanes, columns: usize) -> Vec<Gutter> {
    let mut gutters = vec![Gutter::default(); columns];
    for (link, &lane) in lanes.ways.iter().enumerate() {
        let (from, to) = (sketch.links[link].from, sketch.links[link].to);
        let (out, into) = (layers[from], layers[to] - 1);
        // Lines with the same start or the same end share a turn.
        let merges = layers.len() + to;
        if out == into {
            let is_merge = lane == lanes.of[from];
            gutters[out].turn(link, if is_merge { merges } else { from }, lanes.of[from], lanes.of[to]);
        } else {
            gutters[out].turn(link, from, lanes.of[from], lane);
            gutters[into].turn(link, merges, lane, lanes.of[to]);
        }
    }
    gutters.iter_mut().for_each(Gutter::settle);
    gutters
}
