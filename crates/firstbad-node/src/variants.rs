//! Revisions with changes applied, as trees and patches.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use firstbad::{Content, Observation, Request, Search as _, Target, json};
use firstbad_git::{Carried, Overlay, Trial, Variants, VariantsOptions, universes_of, wants_control};
use firstbad_store::Keys;
use napi::Env;
use napi::bindgen_prelude::{Buffer, ClassInstance, Either, Object, Uint8Array};
use napi_derive::napi;
use serde::Deserialize;

use crate::error::thrown;
use crate::json::{parsed, text};
use crate::promise::promised;
use crate::repository::BindingRepository;
use crate::search::BindingSearch;
use crate::store::BindingStore;

/// [`VariantsOptions`] in their JavaScript form.
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

/// A revision with changes applied, as a patch.
#[napi]
pub struct BindingCarried {
    carried: Carried,
}

impl BindingCarried {
    pub(crate) fn new(carried: Carried) -> Self {
        BindingCarried { carried }
    }

    pub(crate) fn inner(&self) -> &Carried {
        &self.carried
    }
}

#[napi]
impl BindingCarried {
    /// Returns the patch from the revision's tree.
    #[napi(getter)]
    pub fn patch(&self) -> Uint8Array {
        self.carried.patch.clone().into()
    }

    /// Returns the full id of the resulting tree.
    #[napi(getter)]
    pub fn tree(&self) -> String {
        self.carried.tree.clone()
    }

    /// Returns how the changes were applied.
    #[napi(getter)]
    pub fn way(&self) -> &'static str {
        self.carried.way.as_str()
    }
}

/// The trees of revisions with changes applied.
#[napi]
pub struct BindingVariants {
    variants: Arc<Variants>,
}

/// Takes the reads on which these targets depend from a search.
fn known(search: &BindingSearch, targets: &[&Target]) -> BTreeMap<u64, (Request, Content)> {
    universes_of(targets.iter().copied(), &|id| search.session.inspect().universe(id))
}

#[napi]
impl BindingVariants {
    #[napi(factory, catch_unwind)]
    pub fn open(repository: ClassInstance<'_, BindingRepository>, options: String) -> napi::Result<BindingVariants> {
        let Options { overlay, folder } = parsed("options", &options)?;
        let overlay = overlay.map(|Laid { revision, paths }| Overlay { revision, paths });
        let variants =
            Variants::new(&repository.shared(), VariantsOptions { overlay, folder, parse: false }).map_err(thrown)?;
        Ok(BindingVariants { variants: Arc::new(variants) })
    }

    /// Creates the variants of a search by iterative delta debugging.
    #[napi(factory, catch_unwind)]
    pub fn of_search(
        repository: ClassInstance<'_, BindingRepository>,
        search: ClassInstance<'_, BindingSearch>,
    ) -> napi::Result<BindingVariants> {
        let inspect = search.session.inspect();
        let configuration = inspect.configuration().map_err(thrown)?;
        let variants = Variants::of_search(&repository.shared(), &configuration, &inspect.events(0)).map_err(thrown)?;
        Ok(BindingVariants { variants: Arc::new(variants) })
    }

    /// Returns the contents that a search asks to read, given as JSON.
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

    /// Returns what to run for a target, given as JSON, or its observation as JSON if no run is needed.
    #[napi(catch_unwind, ts_return_type = "Promise<string | BindingCarried>")]
    pub fn trial<'env>(
        &self,
        env: &'env Env,
        search: ClassInstance<'_, BindingSearch>,
        target: String,
    ) -> napi::Result<Object<'env>> {
        let target: Target = parsed("target", &target)?;
        let known = known(&search, &[&target]);
        let variants = Arc::clone(&self.variants);
        promised(env, move || {
            Ok(match variants.trial(&target, &|id| known.get(&id).cloned())? {
                Trial::Answered(seen) => Either::A(json::text(&*seen)?),
                Trial::Run(carried) => Either::B(BindingCarried::new(carried)),
            })
        })
    }

    /// Converts the oracle's observation, and that of the control if there is one, to the target's observation. All values are
    /// JSON.
    #[napi(catch_unwind)]
    pub fn seen(
        &self,
        target: String,
        carried: &BindingCarried,
        seen: String,
        control: Option<String>,
    ) -> napi::Result<String> {
        let target: Target = parsed("target", &target)?;
        let seen: Observation = parsed("answer", &seen)?;
        let control: Option<Observation> = control.map(|control| parsed("control", &control)).transpose()?;
        text(&self.variants.seen(&target, &carried.carried, seen, control.as_ref()))
    }

    /// Returns whether a control must run after this observation of a target, both given as JSON.
    #[napi(catch_unwind)]
    pub fn wants_control(target: String, seen: String) -> napi::Result<bool> {
        Ok(wants_control(&parsed("target", &target)?, &parsed("answer", &seen)?))
    }

    /// Shares outcomes of trees from now on. The search has the same name as in its journal, or `run` without one.
    #[napi(catch_unwind)]
    pub fn share(
        &self,
        store: &BindingStore,
        search: ClassInstance<'_, BindingSearch>,
        run: String,
    ) -> napi::Result<()> {
        self.variants.share(Box::new(store.cache(search.called(run), Keys::trees())?));
        Ok(())
    }

    /// Returns why outcomes are no longer shared, if so.
    #[napi(catch_unwind)]
    pub fn cache_trouble(&self) -> Option<String> {
        self.variants.cache_trouble()
    }

    /// Removes all temporary objects.
    #[napi(catch_unwind)]
    pub fn close(&self) -> napi::Result<()> {
        self.variants.close().map_err(thrown)
    }
}
