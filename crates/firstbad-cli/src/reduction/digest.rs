//! What a search searches in, as a short text, so that a journal is not taken up with other items.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// The SHA-256 of some bytes, as hexadecimal text. What is hashed is the same in every language, so that a journal that
/// was begun in one goes on in another: of a patch a `p` and the patch; of other items for each its kind, the number of
/// its bytes as eight bytes, the most significant first, and its bytes: `s` and UTF-8 for texts, `b` for bytes, `j` and
/// JSON for all else.
pub(crate) fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
