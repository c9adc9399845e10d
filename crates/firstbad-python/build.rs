//! Sets the linker options of a Python extension module for builds with plain Cargo.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
