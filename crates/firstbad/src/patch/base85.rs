//! Git's base 85 encoding: five characters for four bytes, most significant first.

const ALPHABET: &[u8; 85] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// Decodes one line, which starts with a letter for its number of bytes.
pub(super) fn line(line: &[u8]) -> Option<Vec<u8>> {
    let (&letter, digits) = line.split_first()?;
    let count = match letter {
        b'A'..=b'Z' => usize::from(letter - b'A') + 1,
        b'a'..=b'z' => usize::from(letter - b'a') + 27,
        _ => return None,
    };
    // Padding completes the last group, but never adds a whole group.
    if !digits.len().is_multiple_of(5) || digits.len() / 5 != count.div_ceil(4) {
        return None;
    }
    let mut bytes = Vec::with_capacity(count + 3);
    for group in digits.chunks_exact(5) {
        let value = group.iter().try_fold(0u64, |value, &digit| Some(value * 85 + digit_value(digit)?))?;
        bytes.extend(u32::try_from(value).ok()?.to_be_bytes());
    }
    bytes.truncate(count);
    Some(bytes)
}

fn digit_value(digit: u8) -> Option<u64> {
    const VALUES: [u8; 256] = {
        let mut values = [u8::MAX; 256];
        let mut at = 0;
        while at < ALPHABET.len() {
            values[ALPHABET[at] as usize] = at as u8;
            at += 1;
        }
        values
    };
    let value = VALUES[usize::from(digit)];
    (value != u8::MAX).then_some(u64::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_encodes_its_length() {
        assert_eq!(line(b"A00000"), Some(vec![0]));
        assert_eq!(line(b"D00000"), Some(vec![0; 4]));
        assert_eq!(line(b"D|NsC0"), Some(vec![255; 4]));
        assert_eq!(line(b"E0000000000"), Some(vec![0; 5]));
    }

    #[test]
    fn invalid_lines_are_rejected() {
        // More than 32 bits, an invalid digit, wrong counts, and a missing letter.
        for text in [&b"D~~~~~"[..], b"D0000\"", b"E00000", b"A0000000000", b"D0000", b"000000", b""] {
            assert_eq!(line(text), None, "{}", String::from_utf8_lossy(text));
        }
    }
}
