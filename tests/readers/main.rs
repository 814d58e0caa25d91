//! Files that are cut short, hold junk or miss something are errors that say where.

mod case_files;
mod pair_files;

use kit::ReadError;
use patch_ccd::{Counters, Error, Options, time_of_impact};
