//! The states of a webhook delivery.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a delivery stands (`decisions.md` 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    /// Waits for its first or next attempt.
    Pending,
    /// The receiver has answered 2xx.
    Delivered,
    /// Refused, stopped by the receiver, or out of attempts; an admin may replay it.
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

    /// The status of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Pending, Self::Delivered, Self::Failed].into_iter().find(|status| status.name() == name)
    }
}
