//! From a stored session to pages: what is written and drawn where, in points from the upper left corner of the paper, without a type of PDF.

pub mod annotations;
pub mod content;
pub mod drawing;
mod paper;
mod questions;
mod sketch;
mod summary;
mod wording;

use std::sync::Arc;

use crate::reports::text::{TextLine, Typesetter};
use content::ReportContent;
use paper::Paper;

/// A4.
pub const PAPER_WIDTH: f32 = 595.28;
/// A4.
pub const PAPER_HEIGHT: f32 = 841.89;
/// Nothing is drawn nearer to an edge.
pub const MARGIN: f32 = 48.0;

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink(pub u8, pub u8, pub u8);

impl Ink {
    /// Of what is read.
    pub(crate) const TEXT: Self = Self(0x1C, 0x22, 0x2B);
    /// Of what explains it; as dark as small text has to be.
    pub(crate) const QUIET: Self = Self(0x4E, 0x5A, 0x68);
    /// Of headings and bars.
    pub(crate) const STRONG: Self = Self(0x1F, 0x3F, 0x66);
    /// Of the part of a bar that is not reached.
    pub(crate) const TRACK: Self = Self(0xD9, 0xE0, 0xE8);
    /// Of grounds.
    pub(crate) const GROUND: Self = Self(0xF3, 0xF6, 0xF9);
    /// Of lines between things.
    pub(crate) const RULE: Self = Self(0xB8, 0xC2, 0xCC);
    /// Of right answers.
    pub(crate) const RIGHT: Self = Self(0x1B, 0x5E, 0x33);
    /// Of wrong answers.
    pub(crate) const WRONG: Self = Self(0x9B, 0x1C, 0x1C);
    /// Of paper.
    pub(crate) const PAPER: Self = Self(0xFF, 0xFF, 0xFF);
}

/// Something on a page; lengths in points.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A line of text that begins at `x` and stands on `y`.
    Text {
        /// From the left.
        x: f32,
        /// From the top.
        y: f32,
        /// The glyphs.
        line: Arc<TextLine>,
        /// Size.
        size: f32,
        /// Colour.
        ink: Ink,
    },
    /// A filled rectangle.
    Block {
        /// From the left.
        x: f32,
        /// From the top.
        y: f32,
        /// To the right.
        width: f32,
        /// Downwards.
        height: f32,
        /// Colour.
        ink: Ink,
    },
    /// A line through points.
    Path {
        /// From the left and the top.
        points: Vec<(f32, f32)>,
        /// Whether it ends where it began.
        is_closed: bool,
        /// Thickness of the line; `None` for a filled shape.
        thickness: Option<f32>,
        /// Colour.
        ink: Ink,
    },
    /// A place that leads to an address.
    Link {
        /// From the left.
        x: f32,
        /// From the top.
        y: f32,
        /// To the right.
        width: f32,
        /// Downwards.
        height: f32,
        /// http or https.
        url: String,
    },
}

/// One side of paper.
pub type ReportPage = Vec<Mark>;

/// All pages of a report.
pub fn lay_out(content: &ReportContent, typesetter: &mut Typesetter) -> Vec<ReportPage> {
    let mut paper = Paper::new(typesetter);
    summary::put(&mut paper, content);
    questions::put(&mut paper, content);
    paper.finish(content)
}
