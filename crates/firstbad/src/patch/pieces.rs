//! An immutable balanced tree of pieces with fast splits and joins. Files can share subtrees.

use std::sync::Arc;

/// The caller's number for a hunk or header.
pub(super) type Owner = u32;

/// Lines of one owner. A length of 0 marks a place at which the owner removed lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) owner: Option<Owner>,
    pub(super) length: usize,
}

/// The pieces of a file from the first line on. Adjacent pieces differ in their owners, or only one has a length of 0.
#[derive(Debug, Clone, Default)]
pub(super) struct Pieces(Option<Arc<Node>>);

#[derive(Debug)]
struct Node {
    before: Pieces,
    piece: Piece,
    behind: Pieces,
    height: u8,
    lines: usize,
}

impl Pieces {
    fn height(&self) -> u8 {
        self.0.as_ref().map_or(0, |node| node.height)
    }

    pub(super) fn lines(&self) -> usize {
        self.0.as_ref().map_or(0, |node| node.lines)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn node(before: Pieces, piece: Piece, behind: Pieces) -> Pieces {
        let height = before.height().max(behind.height()) + 1;
        let lines = before.lines() + piece.length + behind.lines();
        Pieces(Some(Arc::new(Node { before, piece, behind, height, lines })))
    }

    /// Like [`Pieces::node`], but one side can be a few levels higher.
    fn balanced(before: Pieces, piece: Piece, behind: Pieces) -> Pieces {
        if before.height() > behind.height() + 2
            && let Some(top) = before.0.as_deref()
        {
            if top.before.height() < top.behind.height()
                && let Some(middle) = top.behind.0.as_deref()
            {
                let left = Pieces::node(top.before.clone(), top.piece, middle.before.clone());
                return Pieces::node(left, middle.piece, Pieces::node(middle.behind.clone(), piece, behind));
            }
            return Pieces::node(top.before.clone(), top.piece, Pieces::node(top.behind.clone(), piece, behind));
        }
        if behind.height() > before.height() + 2
            && let Some(top) = behind.0.as_deref()
        {
            if top.behind.height() < top.before.height()
                && let Some(middle) = top.before.0.as_deref()
            {
                let right = Pieces::node(middle.behind.clone(), top.piece, top.behind.clone());
                return Pieces::node(Pieces::node(before, piece, middle.before.clone()), middle.piece, right);
            }
            return Pieces::node(Pieces::node(before, piece, top.before.clone()), top.piece, top.behind.clone());
        }
        Pieces::node(before, piece, behind)
    }

    /// Joins two sequences around a piece without merging.
    fn join(before: &Pieces, piece: Piece, behind: &Pieces) -> Pieces {
        match (before.0.as_deref(), behind.0.as_deref()) {
            (Some(left), _) if left.height > behind.height() + 2 => {
                Pieces::balanced(left.before.clone(), left.piece, Pieces::join(&left.behind, piece, behind))
            }
            (_, Some(right)) if right.height > before.height() + 2 => {
                Pieces::balanced(Pieces::join(before, piece, &right.before), right.piece, right.behind.clone())
            }
            _ => Pieces::node(before.clone(), piece, behind.clone()),
        }
    }

    /// Removes the last piece.
    fn pop(&self) -> Option<(Pieces, Piece)> {
        let node = self.0.as_deref()?;
        Some(match node.behind.pop() {
            None => (node.before.clone(), node.piece),
            Some((rest, last)) => (Pieces::join(&node.before, node.piece, &rest), last),
        })
    }

    /// Removes the first piece.
    pub(super) fn pop_first(&self) -> Option<(Piece, Pieces)> {
        let node = self.0.as_deref()?;
        Some(match node.before.pop_first() {
            None => (node.piece, node.behind.clone()),
            Some((first, rest)) => (first, Pieces::join(&rest, node.piece, &node.behind)),
        })
    }

    pub(super) fn first(&self) -> Option<Piece> {
        let mut node = self.0.as_deref()?;
        while let Some(before) = node.before.0.as_deref() {
            node = before;
        }
        Some(node.piece)
    }

    pub(super) fn last(&self) -> Option<Piece> {
        let mut node = self.0.as_deref()?;
        while let Some(behind) = node.behind.0.as_deref() {
            node = behind;
        }
        Some(node.piece)
    }

    pub(super) fn first_with_lines(&self) -> Option<Piece> {
        let mut node = self.0.as_deref()?;
        loop {
            if node.before.lines() > 0 {
                node = node.before.0.as_deref()?;
            } else if node.piece.length > 0 {
                return Some(node.piece);
            } else {
                node = node.behind.0.as_deref()?;
            }
        }
    }

    /// Appends a piece, and merges it with a last piece of the same kind.
    pub(super) fn push(&mut self, piece: Piece) {
        let last = self.last().filter(|last| last.owner == piece.owner && (last.length > 0) == (piece.length > 0));
        let popped = last.and_then(|_| self.pop());
        *self = match popped {
            Some((rest, last)) => {
                Pieces::join(&rest, Piece { length: last.length + piece.length, ..last }, &Pieces(None))
            }
            None => Pieces::join(self, piece, &Pieces(None)),
        };
    }

    pub(super) fn append(&mut self, behind: &Pieces) {
        if let Some((first, rest)) = behind.pop_first() {
            self.push(first);
            if let Some((before, last)) = self.pop().filter(|_| !rest.is_empty()) {
                *self = Pieces::join(&before, last, &rest);
            }
        }
    }

    /// Splits after `lines` lines, or at the end. A removal exactly at the split belongs to the second part.
    pub(super) fn split(&self, lines: usize) -> (Pieces, Pieces) {
        let Some(node) = self.0.as_deref() else { return (Pieces(None), Pieces(None)) };
        if lines <= node.before.lines() {
            let (first, rest) = node.before.split(lines);
            return (first, Pieces::join(&rest, node.piece, &node.behind));
        }
        let more = lines - node.before.lines();
        if more < node.piece.length {
            let part = |length| Piece { length, ..node.piece };
            let first = Pieces::join(&node.before, part(more), &Pieces(None));
            return (first, Pieces::join(&Pieces(None), part(node.piece.length - more), &node.behind));
        }
        let (rest, behind) = node.behind.split(more - node.piece.length);
        (Pieces::join(&node.before, node.piece, &rest), behind)
    }

    /// Removes unowned pieces at the end.
    pub(super) fn trim(&mut self) {
        while self.last().is_some_and(|piece| piece.owner.is_none())
            && let Some((rest, _)) = self.pop()
        {
            *self = rest;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Piece> + '_ {
        let mut open: Vec<&Node> = Vec::new();
        let mut next = self.0.as_deref();
        std::iter::from_fn(move || {
            while let Some(node) = next {
                open.push(node);
                next = node.before.0.as_deref();
            }
            let node = open.pop()?;
            next = node.behind.0.as_deref();
            Some(node.piece)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns each line and removal with its owner.
    fn listed(pieces: &Pieces) -> Vec<(Option<Owner>, usize)> {
        let each = |piece: Piece| std::iter::repeat_n((piece.owner, piece.length.min(1)), piece.length.max(1));
        pieces.iter().flat_map(each).collect()
    }

    fn check(pieces: &Pieces) -> usize {
        let Some(node) = pieces.0.as_deref() else { return 0 };
        assert!(node.before.height().abs_diff(node.behind.height()) <= 2);
        assert_eq!(node.height, node.before.height().max(node.behind.height()) + 1);
        assert_eq!(node.lines, node.before.lines() + node.piece.length + node.behind.lines());
        check(&node.before) + 1 + check(&node.behind)
    }

    #[test]
    fn splits_and_joins_match_a_list() {
        let mut state = 5_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..300 {
            let mut whole = Pieces::default();
            let mut list = Vec::new();
            for _ in 0..random(40) {
                let piece = Piece { owner: Some(random(5) as Owner).filter(|&owner| owner > 0), length: random(3) };
                let same = |last: Piece| last.owner == piece.owner && (last.length == 0) == (piece.length == 0);
                let merged = whole.last().is_some_and(same) && piece.length == 0;
                whole.push(piece);
                list.extend(
                    std::iter::repeat_n((piece.owner, piece.length.min(1)), piece.length.max(1)).filter(|_| !merged),
                );
            }
            check(&whole);
            assert_eq!(listed(&whole), list);
            let lines = random(50);
            let (mut first, second) = whole.split(lines);
            check(&first);
            check(&second);
            assert_eq!(first.lines(), lines.min(whole.lines()));
            assert!(first.last().is_none_or(|last| last.length > 0) || second.is_empty());
            assert_eq!([listed(&first), listed(&second)].concat(), list);
            let expected = list[listed(&first).len()..].iter().find(|line| line.1 > 0).map(|line| line.0);
            assert_eq!(second.first_with_lines().map(|piece| piece.owner), expected);
            first.append(&second);
            check(&first);
            assert_eq!(listed(&first), list);
        }
    }

    /// The cost of a hunk is the height of the tree, and copies share their tree.
    #[test]
    fn trees_stay_balanced() {
        let mut pieces = Pieces::default();
        for owner in 0..100_000 {
            pieces.push(Piece { owner: Some(owner), length: 1 });
        }
        assert!(check(&pieces) == 100_000 && pieces.height() <= 24, "{}", pieces.height());
        for at in (0..1000).map(|at| at * 7919 % 100_000) {
            let (mut before, behind) = pieces.split(at);
            before.push(Piece { owner: None, length: 1 });
            before.append(&behind);
            pieces = before;
        }
        assert!(check(&pieces) > 100_000 && pieces.height() <= 24, "{}", pieces.height());
    }
}
