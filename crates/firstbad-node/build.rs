//! Lets the linker leave Node's own symbols open, and leaves the names of ours out of what is published: a fifth of the file.

fn main() {
    napi_build::setup();
    let of_target = |name: &str| std::env::var(name).unwrap_or_default();
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    // As arguments of the last link alone, so that the crates below are the same ones as for the Python package.
    match (of_target("CARGO_CFG_TARGET_VENDOR").as_str(), of_target("CARGO_CFG_TARGET_ENV").as_str()) {
        // Names are in a file of their own there.
        (_, "msvc") => {}
        // Written, not run here.
        ("apple", _) => println!("cargo:rustc-cdylib-link-arg=-Wl,-x"),
        _ => println!("cargo:rustc-cdylib-link-arg=-Wl,--strip-all"),
    }
}
