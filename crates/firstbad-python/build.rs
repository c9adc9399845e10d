//! What a linker has to know of a module that Python loads, where cargo alone builds it.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
