//! What every route shares: bodies within limits, errors in one shape, headers, logs, health.

pub mod after;
pub mod asked_grade;
pub mod body;
pub mod done;
pub mod encoding;
pub mod fallback;
pub mod fields;
pub mod health;
pub mod limits;
pub mod listed;
pub mod network;
pub mod openapi;
pub mod origin;
pub mod pages;
pub mod prepared;
pub mod request;
pub mod upload;
