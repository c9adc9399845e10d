use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

use crate::error::Error;

/// The number of bits in a word.
const WORD: usize = usize::BITS as usize;

/// A set of changes as indices from 0 into a shared list. Cheap to clone.
///
/// The text and JSON form lists ranges: `"0-3,7"` contains the indices 0, 1, 2, 3, and 7. The empty set is `""`.
///
/// ```
/// use firstbad::ChangeSet;
/// let set: ChangeSet = [7, 1, 0, 2, 3].into_iter().collect();
/// assert_eq!(set.to_string(), "0-3,7");
/// assert_eq!(set.len(), 5);
/// assert_eq!("0-3,7".parse(), Ok(set));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ChangeSet {
    /// There are no trailing zero words, so equal sets have equal words.
    words: Arc<[usize]>,
}

impl Default for ChangeSet {
    fn default() -> Self {
        ChangeSet::all(0)
    }
}

impl ChangeSet {
    /// The maximum number of changes or items. It allows a file of as many characters. A set of this size takes 2 MiB, and a
    /// search has many sets.
    pub const MOST: usize = 1 << 24;

    /// Returns the set of all indices below `count`.
    #[must_use]
    pub fn all(count: usize) -> Self {
        let mut words = vec![usize::MAX; count.div_ceil(WORD)];
        if let (Some(last), 1..) = (words.last_mut(), count % WORD) {
            *last = (1 << (count % WORD)) - 1;
        }
        ChangeSet { words: words.into() }
    }

    /// Creates a set from its bits, lowest first.
    pub(crate) fn of_words(words: &[usize]) -> Self {
        let used = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        ChangeSet { words: words[..used].into() }
    }

    /// Returns the bits, lowest first, without trailing zero words.
    pub(crate) fn words(&self) -> &[usize] {
        &self.words
    }

    /// Returns the number of changes in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns whether the set contains an index.
    #[must_use]
    pub fn contains(&self, index: usize) -> bool {
        self.words.get(index / WORD).is_some_and(|word| word >> (index % WORD) & 1 == 1)
    }

    /// Returns the highest index plus 1, or 0 for the empty set.
    #[must_use]
    pub fn end(&self) -> usize {
        self.words.last().map_or(0, |last| self.words.len() * WORD - last.leading_zeros() as usize)
    }

    /// Returns the indices in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(place, &word)| {
            std::iter::successors((word != 0).then_some(word), |&rest| {
                Some(rest & (rest - 1)).filter(|&rest| rest != 0)
            })
            .map(move |rest| place * WORD + rest.trailing_zeros() as usize)
        })
    }

    /// Returns the ranges of consecutive indices in ascending order.
    pub fn runs(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut from = 0;
        std::iter::from_fn(move || {
            let start = self.next(from, false)?;
            from = self.next(start, true).unwrap_or(self.words.len() * WORD);
            Some(start..from)
        })
    }

    /// Returns the first index from `from` on that the set contains, or lacks if `absent` is true.
    fn next(&self, from: usize, absent: bool) -> Option<usize> {
        let flip = if absent { usize::MAX } else { 0 };
        let mut place = from / WORD;
        let mut word = (self.words.get(place)? ^ flip) & (usize::MAX << (from % WORD));
        while word == 0 {
            place += 1;
            word = self.words.get(place)? ^ flip;
        }
        Some(place * WORD + word.trailing_zeros() as usize)
    }

    /// Creates a set from indices.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] with the name `argument`, if an index is duplicated or not below `count`.
    pub fn checked(argument: &str, indices: &[usize], count: usize) -> Result<Self, Error> {
        let mut words = vec![0usize; count.div_ceil(WORD)];
        for &index in indices {
            if index >= count {
                return Err(Error::invalid(argument, index, format!("indices below {count}, the number of changes")));
            }
            let (place, bit) = (index / WORD, 1usize << (index % WORD));
            if words[place] & bit != 0 {
                return Err(Error::invalid(argument, index, "each index once; this one is a duplicate"));
            }
            words[place] |= bit;
        }
        Ok(ChangeSet::of_words(&words))
    }
}

/// Hash maps can look up sets by their words.
impl std::borrow::Borrow<[usize]> for ChangeSet {
    fn borrow(&self) -> &[usize] {
        &self.words
    }
}

impl FromIterator<usize> for ChangeSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut words: Vec<usize> = Vec::new();
        for index in indices {
            if words.len() <= index / WORD {
                words.resize(index / WORD + 1, 0);
            }
            words[index / WORD] |= 1 << (index % WORD);
        }
        ChangeSet { words: words.into() }
    }
}

impl fmt::Display for ChangeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, run) in self.runs().enumerate() {
            let before = if place == 0 { "" } else { "," };
            match run.len() {
                1 => write!(f, "{before}{}", run.start)?,
                _ => write!(f, "{before}{}-{}", run.start, run.end - 1)?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for ChangeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

impl std::str::FromStr for ChangeSet {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || {
            Error::invalid(
                "changes",
                text,
                "indices (below 16777216) and runs of them in ascending order, as in \"0-3,7\"",
            )
        };
        let index = |text: &str| text.parse::<usize>().ok().filter(|&index| index < ChangeSet::MOST).ok_or_else(wrong);
        let mut words: Vec<usize> = Vec::new();
        let mut least = 0;
        for run in text.split(',').filter(|_| !text.is_empty()) {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            let (first, last) = (index(first)?, index(last)?);
            if first < least || last < first {
                return Err(wrong());
            }
            words.resize(last / WORD + 1, 0);
            for index in first..=last {
                words[index / WORD] |= 1 << (index % WORD);
            }
            least = last + 1;
        }
        Ok(ChangeSet { words: words.into() })
    }
}

impl Serialize for ChangeSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ChangeSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
