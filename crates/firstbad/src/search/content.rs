use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// The maximum size of a content in bytes.
const MOST: usize = 1 << 28;

/// The bytes of a read, with their digest. Cheap to clone. The JSON form is Base64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    bytes: Arc<[u8]>,
    digest: Arc<str>,
}

impl Content {
    /// Creates a content from its bytes.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there are more than 256 MiB.
    pub fn new(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() > MOST {
            return Err(Error::invalid("content", format!("{} bytes", bytes.len()), format!("at most {MOST} bytes")));
        }
        let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Content { bytes: bytes.into(), digest: digest.into() })
    }

    /// Returns the bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the SHA-256 of the bytes as 64 hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.bytes))
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let bytes = STANDARD.decode(text.as_bytes()).map_err(D::Error::custom)?;
        Content::new(&bytes).map_err(D::Error::custom)
    }
}
