//! Checksums of a journal's lines.
//!
//! The last field of each line, `"crc":"1a2b3c4d"`, is the CRC-32 of the line's number (from 1, as 8 bytes, the lowest first) and
//! of all bytes before the field. A line that was changed, lost, doubled or moved has another one.

use crc32fast::Hasher;

/// A line without its checksum ends with the bracket that the field takes the place of.
const BEGIN: &[u8] = br#","crc":""#;
const END: &[u8] = b"\"}\n";
/// How long the field is, with the bracket and the line's end.
const LENGTH: usize = BEGIN.len() + 8 + END.len();

/// Ends the line that begins at `start`, a JSON object with at least one field, with its checksum.
pub(crate) fn seal(text: &mut Vec<u8>, start: usize, number: u64) {
    text.pop();
    let sum = sum(&text[start..], number);
    text.extend_from_slice(BEGIN);
    text.extend_from_slice(&sum);
    text.extend_from_slice(END);
}

/// Whether a line, with its end, is as it was written, and in its place.
pub(crate) fn is_whole(line: &[u8], number: u64) -> bool {
    let Some(text) = line.len().checked_sub(LENGTH) else { return false };
    let (text, field) = line.split_at(text);
    field.strip_prefix(BEGIN).and_then(|field| field.strip_suffix(END)) == Some(&sum(text, number)[..])
}

/// The checksum, as hexadecimal digits.
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
    fn every_flipped_bit_is_noticed_and_a_line_belongs_to_its_place() {
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
