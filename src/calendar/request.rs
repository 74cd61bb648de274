//! What a request asks of the calendar: who calls, which route, with which parameters, and whether they may be believed.

pub mod body;
pub mod caller;
pub mod check;
pub mod form;
pub mod parameters;
pub mod references;
pub mod routes;
pub mod rules;
pub mod table;
pub mod tables;
