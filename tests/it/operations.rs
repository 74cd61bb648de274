//! What operators and developers meet: the API's document, health, measures, request ids and the command line.

pub mod api_document;
mod command_line;
mod health;
