//! What patches and texts say themselves about their parts: the tree that they form, and what needs what.

use std::collections::BTreeMap;

use serde_json::Value;

use super::config::{Guarantee, Guess, Method, ReductionConfig};
use super::definitions;
use super::granularity::Granularity;
use super::tree::{Tree, most_levels};
use crate::error::Error;
use crate::items::needs::Need;
use crate::items::repeats::Repeat;
use crate::patch::Patch;
use crate::text::{Text, leaves, outline};
use crate::words::json;

impl ReductionConfig {
    /// The configuration of a search among the changes of a patch: files first, then hunks, then definitions and the blocks
    /// in them, then lines, as far as `granularity` says. No part is asked for that cannot stand alone: a line without the one
    /// that its block begins with, as the indentation tells it (unless brackets stand around the block), or a bracket without
    /// the other. With [`Granularity::Edits`] none is half of what was replaced: a line without the similar one whose place it
    /// takes, or without all of up to six lines that stand for each other.
    #[must_use]
    pub fn of_patch(patch: &Patch, granularity: Granularity) -> Self {
        ReductionConfig::default().in_patch(patch, granularity)
    }

    /// This configuration in a patch, as [`ReductionConfig::of_patch`] has it: its own dependencies are added to the
    /// patch's, a tree of its own is kept (then blocks are nothing to it), and so is its own depth where `granularity` sets
    /// none.
    #[must_use]
    pub fn in_patch(self, patch: &Patch, granularity: Granularity) -> Self {
        let mut needs = if self.parents.is_none() { definitions::needs(patch, granularity) } else { BTreeMap::new() };
        // If there are too many dependencies to list, only `Patch::subset` removes changes that cannot be applied.
        for (change, needed) in patch.dependencies().unwrap_or_default().into_iter().enumerate() {
            let own = needs.entry(change).or_default();
            own.extend(needed.into_iter().map(Need::Item));
            own.sort_by_key(|need| if let Need::Item(item) = need { *item } else { usize::MAX });
            own.dedup();
        }
        let mut made = self.with_structure(definitions::parents(patch, granularity), needs);
        made.depth = granularity.depth().or(made.depth);
        made
    }

    /// This configuration among the pieces of a text: lines first, by the tree that they form, then what is in them. What the
    /// text says of lines is a [`Guess`]; its own dependencies are none, and a tree and passes of its own are kept.
    #[must_use]
    pub fn in_text(self, text: &Text) -> Self {
        let (firm, dependencies) = text.dependencies().clone().into_iter().partition(|(piece, _)| text.is_firm(*piece));
        let guess =
            Guess { lines: text.line_count(), frames: text.frames().collect(), dependencies, repeats: text.repeats() };
        let mut made = self.with_guess(text.parents().to_vec(), guess).with_needs(firm);
        made.later.get_or_insert_with(|| text.later().to_vec());
        // What lies too deep stays together.
        let levels = Tree::of(text.parents()).map_or(0, |tree| tree.levels(text.len()));
        let most = most_levels(text.len());
        if levels > most {
            made.depth = Some(made.depth.map_or(most, |depth| depth.min(most)));
        }
        made
    }

    /// With the guarantee of texts, unless the options have one.
    fn proven_unless_told(mut self, options: &Value) -> Self {
        if options.get("guarantee").is_none_or(Value::is_null) {
            self.guarantee = Guarantee::OneMinimal;
        }
        self
    }

    /// With a tree and needs that are a guess; a tree of its own is none.
    fn with_guess(mut self, parents: Vec<Option<usize>>, mut guess: Guess) -> Self {
        if self.parents.is_some() {
            (guess.lines, guess.frames) = (0, Vec::new());
        }
        self.parents.get_or_insert(parents);
        self.guess = Some(guess);
        self
    }

    fn with_structure(mut self, parents: Vec<Option<usize>>, needs: BTreeMap<usize, Vec<Need>>) -> Self {
        self.parents.get_or_insert(parents);
        self.with_needs(needs)
    }

    fn with_needs(mut self, needs: BTreeMap<usize, Vec<Need>>) -> Self {
        for (item, needed) in needs.into_iter().filter(|(_, needed)| !needed.is_empty()) {
            let own = self.dependencies.remove(&item).unwrap_or_default();
            let more = own.into_iter().filter(|need| !needed.contains(need)).collect::<Vec<_>>();
            self.dependencies.insert(item, [needed, more].concat());
        }
        self
    }
}

/// [`ReductionConfig::in_patch`] for options as JSON, which is how bindings have them.
///
/// # Errors
/// [`Error::InvalidArgument`] for options that are none, as [`open`](crate::open) says.
pub fn options_in_patch(options: &Value, patch: &Patch, granularity: Granularity) -> Result<ReductionConfig, Error> {
    Ok(json::options::<ReductionConfig>(options)?.in_patch(patch, granularity))
}

/// [`ReductionConfig::in_text`] for options as JSON, which is how bindings have them. Where they say no guarantee, it is
/// [`Guarantee::OneMinimal`]: what does not parse seldom says so, and single pieces are tried where much seemed to be needed.
///
/// # Errors
/// [`Error::InvalidArgument`] for options that are none, as [`open`](crate::open) says.
pub fn options_in_text(options: &Value, text: &Text) -> Result<ReductionConfig, Error> {
    Ok(json::options::<ReductionConfig>(options)?.in_text(text).proven_unless_told(options))
}

/// The options of a search among items that may be the lines of a text, as JSON and as text of any encoding: each ends with
/// its line end, which only the last one may lack. Such lines are gone through by the tree that they form, as
/// [`outline`](crate::text::outline) tells it, with the guarantee of [`options_in_text`]; unless the options themselves say
/// what the items are to each other, or how to go about them.
///
/// # Errors
/// [`Error::InvalidArgument`] for options that are none, as [`open`](crate::open) says.
pub fn options_in_lines(options: &Value, items: &[&[u8]]) -> Result<ReductionConfig, Error> {
    let config = json::options::<ReductionConfig>(options)?;
    let is_told = config.parents.is_some()
        || config.later.is_some()
        || config.weights.is_some()
        || config.depth.is_some()
        || !config.dependencies.is_empty()
        || config.algorithm != Method::Auto;
    if is_told || !are_lines(items) {
        return Ok(config);
    }
    let (parents, needs) = outline(items.iter().map(|line| String::from_utf8_lossy(line)));
    if parents.iter().all(Option::is_none) {
        // Lines that form no tree may be tied all the same, as `#if` and `#endif` are.
        let is_guess = config.guarantee == Guarantee::OneMinimal || !needs.is_empty();
        let repeats = repeated(items);
        let guess = is_guess.then(|| Guess { lines: items.len(), dependencies: needs, repeats, ..Guess::default() });
        return Ok(ReductionConfig { guess, ..config });
    }
    let levels = Tree::of(&parents).map_or(0, |tree| tree.levels(parents.len()));
    let most = most_levels(parents.len());
    let later = leaves(&parents);
    let guess = Guess { lines: items.len(), dependencies: needs, repeats: repeated(items), ..Guess::default() };
    let mut made = config.with_guess(parents, guess);
    made.later = Some(later);
    made.depth = (levels > most).then_some(most);
    Ok(made.proven_unless_told(options))
}

/// Finds rows of equal items. The list is the same without any one item of a row.
fn repeated(items: &[&[u8]]) -> Vec<Repeat> {
    let rows = items.chunk_by(|one, other| one == other).scan(0, |end, row| {
        *end += row.len();
        Some((*end - row.len(), row.len()))
    });
    rows.filter(|(_, count)| *count > 1).map(|(first, count)| Repeat { count, spans: vec![(first, 1)] }).collect()
}

/// Whether these are the lines of a text, with their ends.
fn are_lines(items: &[&[u8]]) -> bool {
    let is_line = |(place, item): (usize, &&[u8])| {
        let end = item.iter().position(|&byte| byte == b'\n');
        !item.is_empty() && (end == Some(item.len() - 1) || end.is_none() && place + 1 == items.len())
    };
    items.len() > 1 && items.iter().enumerate().all(is_line)
}
