//! The findings of a triage in words, for texts and cards.

mod people;
pub(crate) mod told;
mod words;
