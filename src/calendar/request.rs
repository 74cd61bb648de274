//! The reading and checking of requests: who calls, which route, with which parameters, and whether they are valid.

pub mod body;
pub mod caller;
pub mod check;
pub mod form;
pub mod parameters;
pub mod parsed;
pub mod references;
pub mod routes;
pub mod rules;
pub mod sent;
pub mod table;
pub mod tables;
