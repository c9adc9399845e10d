//! Unpacks Git's binary patches: base 85, then zlib, then the content or a delta from the old content.

use std::io::Read;

use super::base85;
use super::model::Blob;
use super::scan::trimmed;

/// Applies a block to the old content.
///
/// # Errors
/// Returns a description of what does not fit.
pub(super) fn content(text: &[u8], blob: &Blob, old: &[u8]) -> Result<Vec<u8>, String> {
    let data = unpacked(&text[blob.data.clone()], blob.size).ok_or("the binary data is damaged")?;
    if blob.delta { from_delta(&data, old) } else { Ok(data) }
}

/// Returns the size that a delta announces, without unpacking more than its start. Returns `None` if the block is not a
/// delta.
pub(super) fn result_size(text: &[u8], blob: &Blob) -> Option<usize> {
    /// The longest encoding of the two sizes at the start.
    const SIZES: usize = 2 * 9;
    let data = begin(&text[blob.data.clone()], SIZES).ok().filter(|_| blob.delta)?;
    let mut rest = &data[..];
    size(&mut rest)?;
    size(&mut rest)
}

fn unpacked(lines: &[u8], size: usize) -> Option<Vec<u8>> {
    // The announced size is a bound, so that a small patch cannot fill the memory.
    begin(lines, size.saturating_add(1)).ok().filter(|data| data.len() == size)
}

/// Unpacks at most `most` bytes.
fn begin(lines: &[u8], most: usize) -> std::io::Result<Vec<u8>> {
    let lines = lines.split_inclusive(|&byte| byte == b'\n').map(|line| base85::line(trimmed(line)));
    let mut data = Vec::new();
    flate2::read::ZlibDecoder::new(Packed { lines, line: Vec::new(), at: 0 })
        .take(most as u64)
        .read_to_end(&mut data)?;
    Ok(data)
}

/// A reader of the decoded lines.
struct Packed<I> {
    lines: I,
    line: Vec<u8>,
    at: usize,
}

impl<I: Iterator<Item = Option<Vec<u8>>>> Read for Packed<I> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.at == self.line.len() {
            match self.lines.next() {
                None => return Ok(0),
                Some(line) => self.line = line.ok_or(std::io::ErrorKind::InvalidData)?,
            }
            self.at = 0;
        }
        let read = (&self.line[self.at..]).read(buffer)?;
        self.at += read;
        Ok(read)
    }
}

/// Applies Git's delta format: both sizes, then copies from the old content and insertions.
fn from_delta(delta: &[u8], old: &[u8]) -> Result<Vec<u8>, String> {
    let mut rest = delta;
    let damaged = || "the binary delta is damaged".to_owned();
    let old_size = size(&mut rest).ok_or_else(damaged)?;
    let new_size = size(&mut rest).ok_or_else(damaged)?;
    if old_size != old.len() {
        return Err(format!("the binary delta is for a file of {old_size} bytes, not of {}", old.len()));
    }
    let mut new = Vec::new();
    while !rest.is_empty() {
        new.extend_from_slice(piece(&mut rest, old).ok_or_else(damaged)?);
        if new.len() > new_size {
            return Err(damaged());
        }
    }
    if new.len() == new_size { Ok(new) } else { Err(damaged()) }
}

/// Reads the next piece. If the highest bit is set, it is a copy from the old content, and otherwise an insertion.
fn piece<'a>(rest: &mut &'a [u8], old: &'a [u8]) -> Option<&'a [u8]> {
    let code = byte(rest)?;
    if code & 0x80 == 0 {
        let (own, after) = rest.split_at_checked(usize::from(code)).filter(|_| code > 0)?;
        *rest = after;
        return Some(own);
    }
    let mut number = |bits: std::ops::Range<u8>| {
        let first = bits.start;
        bits.filter(|bit| code >> bit & 1 == 1)
            .try_fold(0usize, |number, bit| Some(number | usize::from(byte(rest)?) << (8 * (bit - first))))
    };
    let start = number(0..4)?;
    let count = match number(4..7)? {
        0 => 0x10000,
        count => count,
    };
    old.get(start..start.checked_add(count)?)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (&first, after) = rest.split_first()?;
    *rest = after;
    Some(first)
}

/// Reads a number in groups of seven bits, lowest first.
fn size(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0u64;
    for shift in (0..63).step_by(7) {
        let byte = byte(rest)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return usize::try_from(value).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delta_copies_and_inserts() {
        // 6 bytes become 7: copy 3 from 2, insert "xy", copy 2 from 0.
        let delta = [6, 7, 0b1001_0001, 2, 3, 2, b'x', b'y', 0b1001_0000, 2];
        assert_eq!(from_delta(&delta, b"abcdef"), Ok(b"cdexyab".to_vec()));
        assert!(from_delta(&delta, b"abcde").is_err_and(|message| message.contains("6 bytes")));
    }

    #[test]
    fn a_damaged_delta_is_rejected() {
        let deltas: [&[u8]; 6] =
            [&[], &[6], &[6, 7, 0], &[6, 7, 0b1001_0001, 5, 3], &[6, 1, 2, b'x', b'y'], &[6, 9, 1, b'x']];
        for delta in deltas {
            assert!(from_delta(delta, b"abcdef").is_err(), "{delta:?}");
        }
    }
}
