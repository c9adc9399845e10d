//! Modified journals for tests, with corrected checksums or without any, as older versions wrote them.

use std::fmt::Write as _;

use crc32fast::Hasher;

/// The field with the checksum, up to its digits.
const FIELD: &str = ",\"crc\":\"";

/// Returns the lines of a journal with correct checksums.
#[must_use]
pub fn resealed(text: &str) -> String {
    (1_u64..).zip(bare_lines(text)).fold(String::new(), |mut sealed, (number, line)| {
        let mut hasher = Hasher::new();
        hasher.update(&number.to_le_bytes());
        hasher.update(line.as_bytes());
        let _ = writeln!(sealed, "{line}{FIELD}{:08x}\"}}", hasher.finalize());
        sealed
    })
}

/// Returns the journal as a version without checksums would have written it.
#[must_use]
pub fn unsealed(text: &str) -> String {
    let lines: String = bare_lines(text).flat_map(|line| [line, "}\n"]).collect();
    lines.replacen("{\"journal\":2,", "{\"journal\":1,", 1)
}

/// Returns each line without its checksum and closing brace.
fn bare_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| match line.rfind(FIELD) {
        Some(start) if line.len() == start + FIELD.len() + "12345678\"}".len() => &line[..start],
        _ => line.strip_suffix('}').unwrap_or(line),
    })
}
