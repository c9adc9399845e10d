//! Runs long work in promises, each on a new thread. Node's pool has only four threads, and a command can take hours.

use std::panic::{AssertUnwindSafe, catch_unwind};

use firstbad::Error;
use napi::Env;
use napi::bindgen_prelude::{Object, ToNapiValue};

use crate::error::thrown;

/// Returns a promise of the result of `work`.
pub(crate) fn promised<'env, T, W>(env: &'env Env, work: W) -> napi::Result<Object<'env>>
where
    T: ToNapiValue + Send + 'static,
    W: FnOnce() -> Result<T, Error> + Send + 'static,
{
    let (deferred, promise) = env.create_deferred()?;
    let settle = move || match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => deferred.resolve(move |_| Ok(value)),
        Ok(Err(error)) => deferred.reject(thrown(error)),
        Err(_) => deferred.reject(thrown(Error::Internal { message: "a thread of the binding panicked".to_owned() })),
    };
    std::thread::Builder::new()
        .name("firstbad".into())
        .spawn(settle)
        .map_err(|error| thrown(Error::Io { action: "starting a thread".into(), message: error.to_string() }))?;
    Ok(promise)
}
