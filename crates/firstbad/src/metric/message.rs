//! Sentences about a change in numbers.
