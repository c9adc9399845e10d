//! Commit graphs as text that other programs draw.

mod dot;
mod mermaid;

pub use dot::dot;
pub use mermaid::mermaid;
