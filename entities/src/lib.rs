//! One file per table of the store. JSON is kept as text, and times as milliseconds since 1970, on every database alike.

pub mod api_token;
pub mod approval;
pub mod assignment;
pub mod attempt;
pub mod attempt_event;
pub mod bank_version;
pub mod calendar;
pub mod delivery;
pub mod edit;
pub mod first_admin;
pub mod journal_entry;
pub mod proctor_command;
pub mod question;
pub mod review;
pub mod seat;
pub mod server;
pub mod session;
pub mod template;
pub mod transfer;
pub mod user;
