//! From a repository's history to a commit graph.
//!
//! There are two ways, and both give the same graph in the same order, that of `git rev-list --topo-order`:
//! [`walk`] goes through a commit-graph file in memory, [`rev_list`] asks git.

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
