//! Sets of patch pairs: [`RandomPairs`] makes them, [`PairReader`] reads them from a file, and
//! [`PairKind`] says of which kind the patches are.
//!
//! A package of its own, apart from the other things that the test suite shares: the timing table
//! needs no more, and should not wait for more.

mod kind;
mod random;
mod reader;

pub use kind::PairKind;
pub use random::RandomPairs;
pub use reader::{PairError, PairReader};
