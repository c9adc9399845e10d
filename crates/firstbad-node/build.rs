//! Lets the linker leave Node's symbols undefined, and strips local symbols from the published binary, which are a fifth of the
//! file.

fn main() {
    napi_build::setup();
    let of_target = |name: &str| std::env::var(name).unwrap_or_default();
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    // These arguments apply only to the final link, so the dependencies are the same as for the Python package.
    match (of_target("CARGO_CFG_TARGET_VENDOR").as_str(), of_target("CARGO_CFG_TARGET_ENV").as_str()) {
        // MSVC writes symbols to a separate file.
        (_, "msvc") => {}
        // Not tested on macOS.
        ("apple", _) => println!("cargo:rustc-cdylib-link-arg=-Wl,-x"),
        _ => println!("cargo:rustc-cdylib-link-arg=-Wl,--strip-all"),
    }
}
