//! Commit graphs as DOT, Mermaid, and SVG, and figures as SVG.

mod axis;
mod dot;
mod history;
mod markup;
mod mermaid;
mod svg;

pub(crate) use axis::Axis;
pub use dot::dot;
pub(crate) use history::{Edge, Has, Marks, Picture, Seen, draw as draw_history, letter};
pub(crate) use markup::{brief, cut, escaped};
pub use mermaid::mermaid;
pub(crate) use svg::{Anchor, Mark, Svg, WIDTH};
