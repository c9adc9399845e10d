//! Figures of iterative delta debugging for the situations in the tests of the core.

mod figures;
#[allow(dead_code, reason = "the tests of the core use more of them")]
#[path = "../../../firstbad/tests/all/porting/situations.rs"]
pub(crate) mod situations;
#[allow(dead_code, reason = "the tests of the core use more of it")]
#[path = "../../../firstbad/tests/all/porting/world.rs"]
pub(crate) mod world;
