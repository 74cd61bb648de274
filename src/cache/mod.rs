//! What servers share besides the database: a copy of each bank's body, and word of its changes.

pub mod redis;
