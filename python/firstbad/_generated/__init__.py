"""Modules that are generated from the declarations in Rust."""

__all__ = ["options"]
