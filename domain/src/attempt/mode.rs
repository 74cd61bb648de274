//! The two kinds of test, apart from the attempt since everything that names a test names its kind.

use serde::{Deserialize, Serialize};

/// One stage, or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One list of questions.
    Standard,
    /// A second list follows, whose difficulty depends on the first.
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

    /// The mode of that name.
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
