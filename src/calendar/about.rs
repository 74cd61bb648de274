//! What the calendar says of itself: the index, the OpenAPI document, and how clients find it from a page.

pub mod discovery;
pub mod document;
pub mod index;
pub mod schemas;
