//! The states of a webhook delivery. The domain has them because the database, the API and the sender task share them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The state of a webhook delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    /// It waits for its first or next attempt.
    Pending,
    /// The receiver has answered 2xx.
    Delivered,
    /// The target was refused, the receiver answered 410, or no attempts are left. An admin may replay it.
    Failed,
}

impl DeliveryStatus {
    /// `pending`, `delivered` or `failed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }

    /// Parses a status's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Pending, Self::Delivered, Self::Failed].into_iter().find(|status| status.name() == name)
    }
}
