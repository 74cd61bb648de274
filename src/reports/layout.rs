//! Lays a report out on pages: what is drawn where, in points from the upper left corner of the paper. It uses no type
//! of the PDF library, so the layout can be tested without one.

mod about_texts;
pub mod annotations;
pub mod content;
pub mod drawing;
pub mod kit;
pub mod letterhead;
mod lettering;
mod mark_panel;
mod paper;
pub mod paper_size;
mod qr;
mod questions;
mod sketch;
pub mod slips;
pub mod structure;
mod summary;
mod wording;
pub mod words;

use std::sync::Arc;

use crate::reports::text::{TextLine, Typesetter};
use crate::school::crest_picture::CrestPicture;
use content::ReportContent;
use paper::Paper;
use paper_size::PaperSize;
use structure::{Element, ElementIndex};

/// Width of A4, in points.
pub const PAPER_WIDTH: f32 = 595.28;
/// Height of A4, in points.
pub const PAPER_HEIGHT: f32 = 841.89;
/// Distance from each edge of the paper to the nearest mark.
pub const MARGIN: f32 = 48.0;

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink(pub u8, pub u8, pub u8);

impl Ink {
    pub(crate) const TEXT: Self = Self(0x1C, 0x22, 0x2B);
    /// For labels and notes: as light as small text may be and stay readable.
    pub(crate) const QUIET: Self = Self(0x4E, 0x5A, 0x68);
    /// For headings and bars.
    pub(crate) const STRONG: Self = Self(0x1F, 0x3F, 0x66);
    /// For the part of a bar that is not filled.
    pub(crate) const TRACK: Self = Self(0xD9, 0xE0, 0xE8);
    /// For backgrounds of panels and of every other row.
    pub(crate) const GROUND: Self = Self(0xF3, 0xF6, 0xF9);
    /// For lines that separate things.
    pub(crate) const RULE: Self = Self(0xB8, 0xC2, 0xCC);
    pub(crate) const RIGHT: Self = Self(0x1B, 0x5E, 0x33);
    pub(crate) const WRONG: Self = Self(0x9B, 0x1C, 0x1C);
    pub(crate) const PAPER: Self = Self(0xFF, 0xFF, 0xFF);
}

/// Something drawn on a page. All lengths are in points; `x` is from the left edge and `y` from the top.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A line of text that begins at `x` and whose base line is at `y`.
    Text {
        x: f32,
        y: f32,
        line: Arc<TextLine>,
        size: f32,
        ink: Ink,
    },
    Block {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        ink: Ink,
    },
    /// A line through points.
    Path {
        points: Vec<(f32, f32)>,
        is_closed: bool,
        /// Thickness of the line; `None` for a filled shape.
        thickness: Option<f32>,
        ink: Ink,
    },
    /// The school's crest.
    Crest {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        picture: Arc<CrestPicture>,
    },
    /// An area that opens an address when it is clicked.
    Link {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        /// An http or https address.
        url: String,
    },
}

/// A mark, and the part of the report that it belongs to: none for rules, backgrounds and footers.
#[derive(Clone, Debug)]
pub struct PlacedMark {
    pub element: Option<ElementIndex>,
    pub mark: Mark,
}

pub type ReportPage = Vec<PlacedMark>;

/// A report on its pages.
pub struct LaidOut {
    pub pages: Vec<ReportPage>,
    /// In the order in which they are read; the first is the document.
    pub elements: Vec<Element>,
    pub size: PaperSize,
}

pub fn lay_out(content: &ReportContent, typesetter: &mut Typesetter) -> LaidOut {
    let mut paper = Paper::new(typesetter);
    summary::put(&mut paper, content);
    questions::put(&mut paper, content);
    paper.finish(content)
}
