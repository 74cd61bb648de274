//! The sizes of paper that schools print on.

use super::{PAPER_HEIGHT, PAPER_WIDTH};

/// A size of paper, upright.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaperSize {
    #[default]
    A4,
    /// As in North America.
    Letter,
}

impl PaperSize {
    /// `a4` or `letter`; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "a4" => Some(Self::A4),
            "letter" => Some(Self::Letter),
            _ => None,
        }
    }

    /// In points.
    #[must_use]
    pub const fn width(self) -> f32 {
        match self {
            Self::A4 => PAPER_WIDTH,
            Self::Letter => 612.0,
        }
    }

    /// In points.
    #[must_use]
    pub const fn height(self) -> f32 {
        match self {
            Self::A4 => PAPER_HEIGHT,
            Self::Letter => 792.0,
        }
    }
}
