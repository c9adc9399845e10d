"""Modules that are generated from the declarations in Rust."""
