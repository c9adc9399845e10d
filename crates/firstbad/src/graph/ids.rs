use std::hash::BuildHasher;
use std::sync::OnceLock;

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use crate::error::Error;
use crate::words::nearest::nearest;

/// The index of a revision in its [`CommitGraph`](super::CommitGraph). Indices are in topological order, parents first.
pub type Node = u32;

/// The ids of a graph. The lookup table is created at the first lookup, because many graphs are never searched by id.
#[derive(Debug, Clone, Default)]
pub(super) struct Ids {
    text: String,
    ends: Vec<u32>,
    names: HashMap<String, Node>,
    hasher: DefaultHashBuilder,
    table: OnceLock<HashTable<Node>>,
}

impl Ids {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn push(&mut self, id: &str) {
        self.table = OnceLock::new();
        self.text.push_str(id);
        self.ends.push(self.text.len() as u32);
    }

    pub(super) fn get(&self, node: Node) -> &str {
        let end = self.ends[node as usize] as usize;
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before as usize] as usize);
        &self.text[start..end]
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as Node).map(|node| self.get(node))
    }

    fn table(&self) -> &HashTable<Node> {
        self.table.get_or_init(|| self.index().0)
    }

    /// Returns the lookup table and the duplicate ids.
    fn index(&self) -> (HashTable<Node>, Vec<String>) {
        let mut table = HashTable::with_capacity(self.len());
        let mut again: Vec<String> = Vec::new();
        let hash = |node: &Node| self.hasher.hash_one(self.get(*node));
        for node in 0..self.len() as Node {
            let id = self.get(node);
            let entry = table.entry(self.hasher.hash_one(id), |&other| self.get(other) == id, hash);
            match entry {
                hashbrown::hash_table::Entry::Vacant(vacant) => {
                    vacant.insert(node);
                }
                hashbrown::hash_table::Entry::Occupied(_) => {
                    if !again.iter().any(|seen| seen == id) {
                        again.push(id.to_owned());
                    }
                }
            }
        }
        (table, again)
    }

    /// Returns an error that lists every duplicate id.
    pub(super) fn check_distinct(&mut self) -> Result<(), Error> {
        let (table, again) = self.index();
        if again.is_empty() {
            self.table = OnceLock::from(table);
            Ok(())
        } else {
            Err(Error::DuplicateRevision { ids: again })
        }
    }

    pub(super) fn find(&self, id: &str) -> Option<Node> {
        self.table().find(self.hasher.hash_one(id), |&node| self.get(node) == id).copied()
    }

    /// Adds a name of a revision, such as a branch or a tag. Ids take precedence over names.
    pub(super) fn name(&mut self, name: String, node: Node) {
        self.names.insert(name, node);
    }

    /// Returns the names of a revision, in alphabetical order.
    pub(super) fn names(&self, node: Node) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.names.iter().filter(|&(_, &other)| other == node).map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Returns all names with their revisions, in no order.
    pub(super) fn all_names(&self) -> impl Iterator<Item = (&str, Node)> {
        self.names.iter().map(|(name, &node)| (name.as_str(), node))
    }

    pub(super) fn resolve(&self, name: &str, argument: &str) -> Result<Node, Error> {
        if let Some(node) = self.find(name).or_else(|| self.names.get(name).copied()) {
            return Ok(node);
        }
        if name.len() >= 4 && name.bytes().all(|b| b.is_ascii_hexdigit()) {
            let wanted = name.to_ascii_lowercase();
            let is_sha = |id: &str| id.len() >= 12 && id.bytes().all(|b| b.is_ascii_hexdigit());
            let matches: Vec<Node> = (0..self.len() as Node)
                .filter(|&node| self.get(node).starts_with(&wanted) && is_sha(self.get(node)))
                .collect();
            match matches[..] {
                [] => {}
                [node] => return Ok(node),
                _ => {
                    return Err(Error::AmbiguousRevision {
                        argument: argument.to_owned(),
                        id: name.to_owned(),
                        count: matches.len(),
                        examples: matches.iter().take(5).map(|&node| self.get(node).to_owned()).collect(),
                    });
                }
            }
        }
        let nearest = nearest(name, self.names.keys().map(String::as_str).chain(self.iter()));
        Err(Error::UnknownRevision { argument: argument.to_owned(), id: name.to_owned(), nearest, advice: None })
    }

    /// Returns the ids in another order: `rank[old]` is the new index.
    pub(super) fn reordered(&self, rank: &[Node]) -> Ids {
        let mut order = vec![0; rank.len()];
        for (old, &new) in rank.iter().enumerate() {
            order[new as usize] = old as Node;
        }
        let mut ids = Ids { hasher: self.hasher.clone(), ..Ids::default() };
        ids.text.reserve(self.text.len());
        for old in order {
            ids.push(self.get(old));
        }
        ids.names = self.names.iter().map(|(name, &node)| (name.clone(), rank[node as usize])).collect();
        ids
    }
}
