//! The structure of patches and texts: their tree and their dependencies.

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
    /// Creates the configuration for the changes of a patch: first files, then hunks, definitions, nested blocks, and lines,
    /// as far as `granularity` allows.
    ///
    /// firstbad never tests parts that cannot stand alone: a line without the head of its block, or a bracket without its
    /// partner. Lines between brackets can stand without the block's head. Indentation determines the blocks. With
    /// [`Granularity::Edits`], replacements are never split: a line stays with its similar replacement, and up to six lines
    /// that replace each other stay together.
    #[must_use]
    pub fn of_patch(patch: &Patch, granularity: Granularity) -> Self {
        ReductionConfig::default().in_patch(patch, granularity)
    }

    /// Returns this configuration adapted to a patch, as in [`ReductionConfig::of_patch`].
    ///
    /// Existing dependencies are added to those of the patch. If the configuration has a tree, the tree stays and blocks are
    /// ignored. The configuration's depth stays unless `granularity` sets one.
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

    /// Returns this configuration adapted to the pieces of a text: lines by their tree first, then the parts of lines.
    ///
    /// The text's dependencies are a [`Guess`], except those between brackets on one line. Dependencies, a tree, and later
    /// passes that this configuration already has stay as they are.
    #[must_use]
    pub fn in_text(self, text: &Text) -> Self {
        let (firm, dependencies) = text.dependencies().clone().into_iter().partition(|(piece, _)| text.is_firm(*piece));
        let guess =
            Guess { lines: text.line_count(), frames: text.frames().collect(), dependencies, repeats: text.repeats() };
        let mut made = self.with_guess(text.parents().to_vec(), guess).with_needs(firm);
        made.later.get_or_insert_with(|| text.later().to_vec());
        // Pieces that are too deep stay together.
        let levels = Tree::of(text.parents()).map_or(0, |tree| tree.levels(text.len()));
        let most = most_levels(text.len());
        if levels > most {
            made.depth = Some(made.depth.map_or(most, |depth| depth.min(most)));
        }
        made
    }

    fn proven_unless_told(mut self, options: &Value) -> Self {
        if options.get("guarantee").is_none_or(Value::is_null) {
            self.guarantee = Guarantee::OneMinimal;
        }
        self
    }

    /// Adds guessed needs, and a guessed tree unless the configuration has a tree.
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

/// Reads options from JSON for [`ReductionConfig::in_patch`]. Bindings use this form.
///
/// # Errors
/// Returns [`Error::InvalidArgument`] if the options are invalid, as for [`open`](crate::open).
pub fn options_in_patch(options: &Value, patch: &Patch, granularity: Granularity) -> Result<ReductionConfig, Error> {
    Ok(json::options::<ReductionConfig>(options)?.in_patch(patch, granularity))
}

/// Reads options from JSON for [`ReductionConfig::in_text`]. Bindings use this form.
///
/// Without a `guarantee` in the options, the guarantee is [`Guarantee::OneMinimal`], because guessed dependencies can keep
/// removable pieces.
///
/// # Errors
/// Returns [`Error::InvalidArgument`] if the options are invalid, as for [`open`](crate::open).
pub fn options_in_text(options: &Value, text: &Text) -> Result<ReductionConfig, Error> {
    Ok(json::options::<ReductionConfig>(options)?.in_text(text).proven_unless_told(options))
}

/// Reads options from JSON for items that may be the lines of a text, as text in any encoding.
///
/// The items are lines if each ends with a line end, which only the last one can lack. firstbad reduces lines by their tree
/// ([`outline`](crate::text::outline)) and with the guarantee of [`options_in_text`], unless the options set the structure
/// of the items or the way to reduce them.
///
/// # Errors
/// Returns [`Error::InvalidArgument`] if the options are invalid, as for [`open`](crate::open).
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
        // Lines without a tree can still be tied, such as `#if` and `#endif`.
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

/// Finds rows of equal items. Removing any one item of a row gives the same list.
fn repeated(items: &[&[u8]]) -> Vec<Repeat> {
    let rows = items.chunk_by(|one, other| one == other).scan(0, |end, row| {
        *end += row.len();
        Some((*end - row.len(), row.len()))
    });
    rows.filter(|(_, count)| *count > 1).map(|(first, count)| Repeat { count, spans: vec![(first, 1)] }).collect()
}

/// Returns whether the items are the lines of a text, with their line ends.
fn are_lines(items: &[&[u8]]) -> bool {
    let is_line = |(place, item): (usize, &&[u8])| {
        let end = item.iter().position(|&byte| byte == b'\n');
        !item.is_empty() && (end == Some(item.len() - 1) || end.is_none() && place + 1 == items.len())
    };
    items.len() > 1 && items.iter().enumerate().all(is_line)
}
