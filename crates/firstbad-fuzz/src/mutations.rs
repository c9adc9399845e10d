//! Mutations of valid inputs.

use firstbad_testkit::simulated::Random;

use crate::target::LONGEST;

/// Words that often break parsers.
const WORDS: [&str; 24] = [
    "\n",
    "\0",
    "\"",
    "\\",
    "{",
    "[",
    "- ",
    "\u{feff}",
    "..",
    "/",
    "-1",
    "0",
    "4294967295",
    "18446744073709551615",
    "1e999",
    "null",
    "{}",
    "[]",
    "@@ -0,0 +0,0 @@\n",
    "diff --git a/",
    "import ",
    "*",
    "{a,b}",
    "\u{202e}\u{1b}[2J",
];

/// An endless sequence of mutated inputs, determined by a seed.
#[derive(Debug)]
pub struct Mutations<'a> {
    inputs: &'a [Vec<u8>],
    random: Random,
}

impl<'a> Mutations<'a> {
    /// Creates a sequence of mutations of these inputs.
    #[must_use]
    pub fn new(inputs: &'a [Vec<u8>], seed: u64) -> Self {
        Mutations { inputs, random: Random::new(seed) }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound.max(1) as u64) as usize
    }

    fn any(&mut self) -> &'a [u8] {
        let place = self.below(self.inputs.len());
        self.inputs.get(place).map_or(&[], Vec::as_slice)
    }

    /// Returns a part of an input with at most `most` bytes.
    fn part<'b>(&mut self, input: &'b [u8], most: usize) -> &'b [u8] {
        let start = self.below(input.len());
        let length = 1 + self.below(most);
        &input[start..input.len().min(start + length)]
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        let place = self.below(input.len() + 1);
        match self.below(8) {
            0 if place < input.len() => input[place] ^= 1 << self.below(8),
            1 if place < input.len() => input[place] = self.random.draw() as u8,
            2 => {
                let end = input.len().min(place + 1 + self.below(32));
                input.drain(place..end);
            }
            3 => input.truncate(place),
            4 => {
                let other = self.any();
                let part = self.part(other, 64).to_vec();
                input.splice(place..place, part);
            }
            5 => {
                let word = WORDS[self.below(WORDS.len())];
                input.splice(place..place, word.bytes());
            }
            // Deep nesting, and costs that grow faster than the input.
            6 => {
                let here = input.clone();
                let part =
                    if self.below(2) == 0 { self.part(&here, 40) } else { WORDS[self.below(WORDS.len())].as_bytes() };
                let times = 1 << self.below(12);
                input.splice(place..place, part.repeat(times));
            }
            _ => {
                let other = self.any();
                let end = input.len().min(place + 8);
                let part = self.part(other, 8).to_vec();
                input.splice(place..end, part);
            }
        }
    }
}

impl Iterator for Mutations<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut input = self.any().to_vec();
        for _ in 0..=self.below(4) {
            self.mutate(&mut input);
        }
        input.truncate(LONGEST);
        Some(input)
    }
}
