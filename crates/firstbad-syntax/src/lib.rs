//! What source texts define, by name: definitions, what each of them uses, and which statements flow into what.
//!
//! It goes by names alone, and knows no types: what it says orders what a search asks, and decides nothing. The grammars are
//! those of tree-sitter: Python and JavaScript always, TypeScript, Java, Rust and C as cargo features. A text may come from
//! anybody: its size, the parser's time and the steps over its tree have limits, and nothing recurs.
//!
//! ```
//! use firstbad_syntax::{Kind, outline};
//!
//! let text = b"import lib\n\nclass B:\n    def g(self):\n        return self.m() if lib.on() else 0\n";
//! let found = outline("b.py", text).unwrap();
//! let names: Vec<&str> = found.definitions.iter().map(|definition| definition.name.as_str()).collect();
//! assert_eq!(names, ["<module>", "lib", "B", "B.g"]);
//! assert_eq!(found.definitions[3].kind, Kind::Function);
//! let uses: Vec<&str> = found.definitions[3].uses.iter().map(|used| used.name.as_str()).collect();
//! assert_eq!(uses, ["lib", "m", "on"]);
//! ```

mod flow;
mod grammar;
mod indentation;
mod language;
mod meter;
mod outline;
pub mod parsing;
mod reading;
mod rules;

pub use flow::{Target, flows};
pub use grammar::Grammar;
pub use language::Language;
pub use outline::{Definition, Kind, MODULE, Outline, Use, Way};
pub use reading::{LARGEST_TEXT, MOST_NODES, Unread, outline};
pub use tree_sitter::{Node, Tree};
