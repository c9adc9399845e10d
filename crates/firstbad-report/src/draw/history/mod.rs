//! Pictures of histories, with outcomes and culprits, and the other commits folded.

mod fold;
mod gutter;
mod lanes;
mod layout;
mod marks;
mod paint;
mod picture;
mod series;
mod sketch;
#[cfg(test)]
mod tests;
mod vertices;
mod words;

use firstbad::graph::CommitGraph;
use fold::fold;
use layout::layout;
pub(crate) use marks::{Edge, Marks, Seen};
pub(crate) use picture::{Has, Picture};
use vertices::Looks;
pub(crate) use vertices::letter;

/// Draws a history of any size in linear time.
pub(crate) fn draw(graph: &CommitGraph, marks: &Marks<'_>) -> Picture {
    let shown = marks.shown(graph);
    let kept = marks.kept(graph, &shown);
    let sketch = fold(graph, &shown, &kept, marks.seen.is_empty());
    let looks = Looks::new(graph, marks, &kept, &sketch);
    let layout = layout(&sketch, &looks.rooms(), &looks.tips());
    paint::paint(graph, marks, &sketch, &looks, &layout)
}
