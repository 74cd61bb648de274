//! Assessment data in this service's own database, one file for each resource.

pub mod questions;
pub mod sessions;
pub mod users;

/// A row that the service itself could not have written.
#[derive(Debug, thiserror::Error)]
#[error("the stored {0} cannot be read")]
pub struct Unreadable(pub &'static str);

impl From<Unreadable> for sea_orm::DbErr {
    fn from(unreadable: Unreadable) -> Self {
        Self::Custom(unreadable.to_string())
    }
}
