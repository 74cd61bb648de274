//! What every route shares: bodies within limits, errors in one shape, headers, logs, health.

pub mod body;
pub mod fallback;
pub mod health;
pub mod limits;
pub mod network;
pub mod openapi;
pub mod origin;
pub mod request;
