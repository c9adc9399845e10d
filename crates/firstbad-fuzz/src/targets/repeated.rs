//! Source texts that repeat a few tokens, for which the parser takes unusual time or memory.

use firstbad_syntax::{Language, parsing};

use crate::cost::Cost;

/// The length of a text.
const LENGTH: usize = 64 << 10;
/// The maximum length of a unit. Longer units leave less repetition.
const LONGEST_UNIT: usize = 48;

const LANGUAGES: [Language; 4] = [Language::Python, Language::JavaScript, Language::TypeScript, Language::Tsx];

/// The first byte selects the language. The rest is repeated.
pub(super) fn units(input: &[u8]) {
    let Some((language, unit)) = input.split_first() else { return };
    let unit = &unit[..unit.len().min(LONGEST_UNIT)];
    if unit.is_empty() {
        return;
    }
    let language = LANGUAGES[usize::from(*language) % LANGUAGES.len()];
    let text = unit.repeat(LENGTH / unit.len());
    let cost = Cost::start();
    drop(parsing::parse(&text, language));
    cost.check(&format!("{} of {:?}", language.name(), String::from_utf8_lossy(unit)));
}
