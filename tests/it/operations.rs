//! What operators and developers use: the API document, health checks, metrics, request ids and the command line.

pub mod api_document;
mod backup;
mod check;
mod command_line;
mod connections;
mod deploy;
mod figures;
mod health;
mod private_files;
