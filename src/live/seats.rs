//! All seats of this server: how they are found, by what right this server holds them, and how requests from elsewhere
//! reach them.

pub mod access;
pub mod audit;
pub mod claims;
pub mod forward;
pub mod holders;
pub mod lease;
pub mod registry;
pub mod ticker;
