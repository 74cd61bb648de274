//! All seats of this server: where they are found, by what right they are held here, and what reaches them from elsewhere.

pub mod access;
pub mod audit;
pub mod claims;
pub mod forward;
pub mod lease;
pub mod registry;
pub mod ticker;
