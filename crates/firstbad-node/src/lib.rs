//! What `node/src` needs of the core, converted and nothing more. Private to the package: the public interface is
//! the hand-written TypeScript over it.

mod answer;
mod build_graph;
mod card;
mod command_line;
mod content;
mod digest;
mod error;
mod explain;
mod graph;
mod journal;
mod json;
mod nearest;
mod oracle;
mod patch;
mod porting;
mod posterior;
mod promise;
mod report;
mod repository;
mod run;
mod sample;
mod search;
mod slices;
mod store;
mod text;
mod variants;
mod version;
