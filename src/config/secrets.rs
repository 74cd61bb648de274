//! Values of options that must never be logged.

use std::fmt;

/// Bytes that must never be logged: `Debug` does not show them.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl Secret {
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes themselves. The name makes every use easy to find in a review.
    #[must_use]
    pub fn reveal(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// An address that may contain a password, and so must never be logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden(pub(super) String);

impl std::ops::Deref for Hidden {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hidden(…)")
    }
}
