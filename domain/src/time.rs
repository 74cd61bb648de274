//! Time as the exam sees it: moments, the clock of an attempt, and what extensions and pauses make of it.

pub mod moment;
pub mod timer;
pub mod times;
