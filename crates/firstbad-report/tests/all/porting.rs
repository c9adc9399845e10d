//! Figures of iterative delta debugging, drawn of the situations that the tests of the core play.

mod figures;
#[allow(dead_code, reason = "the tests of the core use more of them")]
#[path = "../../../firstbad/tests/all/porting/situations.rs"]
pub(crate) mod situations;
#[allow(dead_code, reason = "the tests of the core use more of it")]
#[path = "../../../firstbad/tests/all/porting/world.rs"]
pub(crate) mod world;
