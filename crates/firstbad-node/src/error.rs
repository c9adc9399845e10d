//! The one place where the core's errors become JavaScript's.

use firstbad::{Details, Error};

/// Code, details as JSON if there are any, and message in one text, `code {...}\nmessage`: the only form that reaches JavaScript unchanged from functions
/// and promises alike. `node/src/errors.ts` takes it apart again.
pub(crate) fn thrown(error: Error) -> napi::Error {
    let Details { revision, exit_code, output } = error.details();
    let details = serde_json::json!({"revision": revision, "exitCode": exit_code, "output": output});
    let known = [revision.is_some(), exit_code.is_some(), output.is_some()].contains(&true);
    let details = if known { format!(" {details}") } else { String::new() };
    napi::Error::from_reason(format!("{}{details}\n{}", error.code(), firstbad::printable(&error.told(&camel_case))))
}

/// A name of the core as it is written in JavaScript.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |made, word| {
        let mut letters = word.chars();
        let head = letters.next().map(|letter| letter.to_ascii_uppercase());
        made + &head.into_iter().chain(letters).collect::<String>()
    })
}
