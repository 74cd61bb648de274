//! Points in time, the clock of an attempt, and how extensions and pauses change its deadline.

pub mod moment;
pub mod timer;
pub mod times;
