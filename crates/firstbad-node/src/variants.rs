//! Revisions with changes on them, as trees and patches.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use firstbad::{Content, Error, Request, Search as _, Target};
use firstbad_git::{Carried, Overlay, Variants, VariantsOptions, universes_of};
use napi::Env;
use napi::bindgen_prelude::{Buffer, ClassInstance, Object};
use napi_derive::napi;
use serde::Deserialize;

use crate::error::thrown;
use crate::json::parsed;
use crate::promise::promised;
use crate::repository::BindingRepository;
use crate::search::BindingSearch;

/// [`VariantsOptions`] as JavaScript writes them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Options {
    overlay: Option<Laid>,
    folder: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Laid {
    revision: String,
    paths: Vec<PathBuf>,
}

/// A revision with changes on it as a patch, or why it cannot be one: all but `conflict`, or that alone.
#[napi(object)]
pub(crate) struct BindingCarried {
    /// The patch from the revision's own tree.
    pub patch: Option<Buffer>,
    /// The full id of the tree that it makes.
    pub tree: Option<String>,
    /// How the changes came there.
    pub way: Option<String>,
    pub conflict: Option<BindingConflict>,
}

/// Why changes cannot be carried to a revision.
#[napi(object)]
pub(crate) struct BindingConflict {
    pub file: String,
    /// The hunk in that file, from 1.
    pub hunk: Option<u32>,
    /// What does not fit.
    pub message: String,
    /// All of it in words.
    pub words: String,
}

impl BindingCarried {
    fn of(found: Result<Carried, Error>) -> Result<Self, Error> {
        match found {
            Ok(Carried { patch, tree, way }) => Ok(BindingCarried {
                patch: Some(patch.into()),
                tree: Some(tree),
                way: Some(way.as_str().to_owned()),
                conflict: None,
            }),
            Err(error) => {
                let words = firstbad::printable(&error.to_string());
                let Error::PatchConflict { file, hunk, message } = error else { return Err(error) };
                let hunk = hunk.and_then(|hunk| u32::try_from(hunk).ok());
                let conflict = BindingConflict {
                    file: firstbad::printable(&file),
                    hunk,
                    message: firstbad::printable(&message),
                    words,
                };
                Ok(BindingCarried { patch: None, tree: None, way: None, conflict: Some(conflict) })
            }
        }
    }
}

/// The trees of revisions with changes on them.
#[napi]
pub struct BindingVariants {
    variants: Arc<Variants>,
}

/// What the reads are that targets rest on, taken out of a search.
fn known(search: &BindingSearch, targets: &[&Target]) -> BTreeMap<u64, (Request, Content)> {
    universes_of(targets.iter().copied(), &|id| search.session.inspect().universe(id))
}

#[napi]
impl BindingVariants {
    #[napi(factory, catch_unwind)]
    pub fn open(repository: ClassInstance<'_, BindingRepository>, options: String) -> napi::Result<BindingVariants> {
        let Options { overlay, folder } = parsed("options", &options)?;
        let overlay = overlay.map(|Laid { revision, paths }| Overlay { revision, paths });
        let variants = Variants::new(&repository.shared(), VariantsOptions { overlay, folder }).map_err(thrown)?;
        Ok(BindingVariants { variants: Arc::new(variants) })
    }

    /// What a search asks to see, given as JSON.
    #[napi(catch_unwind, ts_return_type = "Promise<Buffer>")]
    pub fn read<'env>(
        &self,
        env: &'env Env,
        search: ClassInstance<'_, BindingSearch>,
        request: String,
    ) -> napi::Result<Object<'env>> {
        let request: Request = parsed("request", &request)?;
        let known = match &request {
            Request::Diff { from, to } => known(&search, &[from, to]),
            _ => BTreeMap::new(),
        };
        let variants = Arc::clone(&self.variants);
        promised(env, move || variants.read(&request, &|id| known.get(&id).cloned()).map(Buffer::from))
    }

    /// A target, given as JSON, as a patch on its revision, or why it cannot be one.
    #[napi(catch_unwind, ts_return_type = "Promise<BindingCarried>")]
    pub fn carried<'env>(
        &self,
        env: &'env Env,
        search: ClassInstance<'_, BindingSearch>,
        target: String,
    ) -> napi::Result<Object<'env>> {
        let target: Target = parsed("target", &target)?;
        let known = known(&search, &[&target]);
        let variants = Arc::clone(&self.variants);
        promised(env, move || BindingCarried::of(variants.carried(&target, &|id| known.get(&id).cloned())))
    }

    /// Removes all that was made.
    #[napi(catch_unwind)]
    pub fn close(&self) -> napi::Result<()> {
        self.variants.close().map_err(thrown)
    }
}
