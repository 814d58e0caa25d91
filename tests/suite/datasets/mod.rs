//! Sets of queries with answers from elsewhere: hard single cases, pairs of patches that the
//! paper's own program solved, scenes with a separation from reports, and the queries of Wang et al.
//! 2021 with their exact answers.

mod cases;
mod expectations;
mod pairs;
mod scenes;
mod wang2021;
