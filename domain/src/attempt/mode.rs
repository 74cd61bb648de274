//! The two kinds of test. They are in a file of their own because templates and rooms use them without an attempt.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One stage with one list of questions.
    Standard,
    /// Two stages; the difficulty of the second depends on the result of the first.
    Adaptive,
}

impl Mode {
    /// `standard` or `adaptive`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Adaptive => "adaptive",
        }
    }

    /// Parses a mode's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Standard, Self::Adaptive].into_iter().find(|mode| mode.name() == name)
    }

    /// How many stages it has.
    #[must_use]
    pub const fn stages(self) -> u8 {
        match self {
            Self::Standard => 1,
            Self::Adaptive => 2,
        }
    }
}
