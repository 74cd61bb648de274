//! The scenarios, one file each: what it does to the server, what it measures, and when the run has passed.

pub mod autosave;
pub mod bank;
pub mod calendar;
pub mod corrections;
pub mod dying_database;
pub mod failover;
pub mod import;
pub mod items;
pub mod memory;
pub mod mixed;
pub mod proctor;
pub mod reports;
pub mod rounds;
pub mod school;
pub mod sessions;
pub mod sitting;
pub mod storm;
pub mod upgrade;
pub mod webhooks;
