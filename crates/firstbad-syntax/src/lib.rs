//! Outlines source code: its definitions, the names that each definition uses, and the flow between statements.
//!
//! The analysis uses names only and knows no types. Its results order the runs of a search, but never decide an outcome. The
//! grammars come from tree-sitter. Python and JavaScript are always built in. TypeScript, Java, Rust, and C are Cargo features.
//! Hostile input is safe: text size, parsing time, and steps are limited, and no function recurses.
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
