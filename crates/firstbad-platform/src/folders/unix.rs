//! Folders on Unix, including macOS, as in the XDG Base Directory Specification.

use std::fs::{DirBuilder, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use super::variables::absolute;

pub(super) fn cache() -> Option<PathBuf> {
    absolute("HOME").map(|home| home.join(".cache"))
}

pub(super) fn state() -> Option<PathBuf> {
    absolute("HOME").map(|home| home.join(".local/state"))
}

pub(super) fn of_this_user(name: &str) -> String {
    format!("{name}-{}", rustix::process::geteuid().as_raw())
}

pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(folder)
}

pub(super) fn owner_alone(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}

pub(super) fn is_ours(found: &Metadata) -> bool {
    found.uid() == rustix::process::geteuid().as_raw()
}

pub(super) fn has_rights(found: &Metadata, rights: u32) -> bool {
    found.mode() & rights != 0
}
