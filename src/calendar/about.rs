//! The calendar's descriptions of itself: the index, the OpenAPI document, and the links by which clients find it from
//! a page.

pub mod discovery;
pub mod document;
pub mod index;
pub mod schemas;
