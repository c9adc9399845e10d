//! Folders on Windows. Each user has a profile and a temporary folder that other users cannot enter.

use std::fs::{Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::variables::absolute;

pub(super) fn cache() -> Option<PathBuf> {
    absolute("LOCALAPPDATA")
}

pub(super) fn state() -> Option<PathBuf> {
    absolute("LOCALAPPDATA")
}

pub(super) fn of_this_user(name: &str) -> String {
    name.to_owned()
}

pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir(folder)
}

pub(super) fn owner_alone(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

pub(super) fn is_ours(_: &Metadata) -> bool {
    true
}

pub(super) fn has_rights(_: &Metadata, _: u32) -> bool {
    false
}
