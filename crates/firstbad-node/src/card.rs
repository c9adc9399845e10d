//! Cards for notebooks and web pages, which the core draws.

use firstbad::culprit::Hypothesis;
use firstbad::{Patch, Report, Spelling};
use firstbad_report::card as core;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use crate::error::thrown;
use crate::json::parsed;

/// Returns the card of a report, given as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn card(algorithm: String, text: String) -> napi::Result<String> {
    let mut report = Report::from_json(&algorithm, &text).map_err(thrown)?;
    report.spell(Spelling::Node);
    Ok(core::report(&report, None))
}

/// Returns the card of a reduction, given as JSON. It is a reduction of a patch or of `all` items, and the remaining items are
/// described in words.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn reduction_card(
    algorithm: String,
    text: String,
    patch: Option<Uint8Array>,
    all: Option<u32>,
    left: Option<Vec<String>>,
) -> napi::Result<String> {
    fn borrowed(texts: &[String]) -> Vec<&str> {
        texts.iter().map(String::as_str).collect()
    }
    let report = Report::from_json(&algorithm, &text).map_err(thrown)?;
    Ok(match (patch, all, left) {
        (Some(patch), ..) => core::reduction(&report, core::Items::Patch(&Patch::parse(&patch).map_err(thrown)?)),
        (_, Some(all), Some(left)) => {
            core::reduction(&report, core::Items::Shown { all: all as usize, left: &borrowed(&left) })
        }
        _ => core::reduction(&report, core::Items::Numbered(None)),
    })
}

/// Returns the card of the current probabilities: the most likely hypotheses as JSON, the number of suspects, and the probability
/// of no culprit.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn belief_card(likeliest: String, suspects: u32, no_culprit: f64) -> napi::Result<String> {
    let likeliest: Vec<Hypothesis> = parsed("hypotheses", &likeliest)?;
    Ok(core::posterior(&likeliest, suspects as usize, no_culprit))
}

/// Returns the card of a journal.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn journal_card(file: String, run: String, events: u32) -> String {
    core::journal(&file, &run, events as usize)
}

/// Returns the card of a patch.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn patch_card(patch: Uint8Array) -> napi::Result<String> {
    Ok(core::patch_card(&Patch::parse(&patch).map_err(thrown)?))
}

/// Returns a page with a card in it.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn card_page(card: String) -> String {
    core::page(&card)
}
