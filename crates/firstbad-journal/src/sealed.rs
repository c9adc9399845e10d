//! Checksums of journal lines.
//!
//! The last field of each line, `"crc":"1a2b3c4d"`, is the CRC-32 of the line number (from 1, as 8 bytes,
//! little-endian) and of all bytes before the field. If a line is changed, lost, duplicated, or moved, a checksum no
//! longer matches.

use crc32fast::Hasher;

/// The start of the field, which replaces the closing brace of the JSON object.
const BEGIN: &[u8] = br#","crc":""#;
const END: &[u8] = b"\"}\n";
/// The length of the field with the closing brace and the newline.
const LENGTH: usize = BEGIN.len() + 8 + END.len();

/// Adds the checksum to the line that starts at `start`, a JSON object with at least one field, and ends the line.
pub(crate) fn seal(text: &mut Vec<u8>, start: usize, number: u64) {
    text.pop();
    let sum = sum(&text[start..], number);
    text.extend_from_slice(BEGIN);
    text.extend_from_slice(&sum);
    text.extend_from_slice(END);
}

/// Returns whether a line, including its newline, matches its checksum at this line number.
pub(crate) fn is_whole(line: &[u8], number: u64) -> bool {
    let Some(text) = line.len().checked_sub(LENGTH) else { return false };
    let (text, field) = line.split_at(text);
    field.strip_prefix(BEGIN).and_then(|field| field.strip_suffix(END)) == Some(&sum(text, number)[..])
}

/// Returns the checksum as hexadecimal digits.
fn sum(text: &[u8], number: u64) -> [u8; 8] {
    let mut hasher = Hasher::new();
    hasher.update(&number.to_le_bytes());
    hasher.update(text);
    let sum = hasher.finalize();
    std::array::from_fn(|place| b"0123456789abcdef"[(sum >> (28 - 4 * place)) as usize & 15])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_reveal_flipped_bits_and_moved_lines() {
        let mut line = br#"{"event":"abandoned","id":7,"at":1.5}"#.to_vec();
        seal(&mut line, 0, 3);
        assert_eq!(
            std::str::from_utf8(&line),
            Ok("{\"event\":\"abandoned\",\"id\":7,\"at\":1.5,\"crc\":\"ce6dba37\"}\n")
        );
        assert!(is_whole(&line, 3) && !is_whole(&line, 2) && !is_whole(&line, 4));
        for bit in 0..8 * line.len() {
            let mut other = line.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_whole(&other, 3), "bit {bit}");
        }
        for cut in 0..line.len() {
            assert!(!is_whole(&line[cut + 1..], 3) && !is_whole(&line[..cut], 3), "cut at {cut}");
        }
    }
}
