//! What operators and developers use: the API document, health checks, metrics, request ids and the command line.

mod backup;
mod check;
mod command_line;
mod connections;
mod figures;
mod health;
pub mod shedding;

#[path = "operations"]
pub mod edge {
    pub mod api_document;
    mod containers;
    mod manual;
    mod monitoring;
    mod private_files;
}

#[path = "operations"]
mod several_servers {
    mod deploy;
}
