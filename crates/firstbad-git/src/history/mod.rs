//! Reading the history of a repository as a commit graph.
//!
//! [`walk`] reads a commit-graph file in memory, and [`rev_list`] calls Git. Both give the same graph in the order of `git
//! rev-list --topo-order`.

mod commits;
mod ends;
mod file;
mod graph;
mod listing;
mod newer;
mod request;
mod rev_list;
mod walk;

pub use request::GraphOptions;
