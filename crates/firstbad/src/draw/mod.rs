//! Pictures: commit graphs as text that other programs draw, and figures as SVG.

mod axis;
mod dot;
mod mermaid;
mod svg;

pub(crate) use axis::Axis;
pub use dot::dot;
pub use mermaid::mermaid;
pub(crate) use svg::{Anchor, Mark, Svg, WIDTH, cut};
