//! Digests of items.

use firstbad::Error;
use firstbad::digest::Item;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use crate::error::thrown;

/// Returns the digest of items, given as parallel lists of the names of their kinds and of their contents. Returns null if an
/// item has no form that all languages share.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn digest(kinds: Vec<String>, contents: Vec<Uint8Array>) -> napi::Result<Option<String>> {
    let items = kinds.iter().zip(&contents).map(|(kind, content)| Item::new(kind, content));
    let items: Result<Vec<Item<'_>>, Error> = items.collect();
    Ok(firstbad::digest::digest(items.map_err(thrown)?))
}
