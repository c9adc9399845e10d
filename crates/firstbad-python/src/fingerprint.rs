//! By what a finding is known again.

use firstbad::regression::Find;
use pyo3::prelude::*;

/// 32 hexadecimal digits for a regression, or (`fix`) for a repair, by these suspects.
#[pyfunction]
pub(crate) fn fingerprint(fix: bool, suspects: Vec<String>) -> String {
    firstbad::fingerprint(if fix { Find::Fix } else { Find::Regression }, suspects)
}
