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
mod question_words;
mod questions;
pub mod report_link;
mod report_words;
mod sketch;
pub mod slips;
pub mod structure;
mod summary;
mod wording;
pub mod words;

use std::sync::Arc;

use domain::school::SchoolColour;

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

// The colours of the light pages (`web/src/style/base.css`).
impl Ink {
    pub(crate) const TEXT: Self = Self(0x1B, 0x21, 0x30);
    /// For labels and notes: as light as small text may be and stay readable.
    pub(crate) const QUIET: Self = Self(0x51, 0x5A, 0x6B);
    /// For headings, bars and what is right, in a school that has chosen no colour: `Paper::accent` has the school's.
    pub(crate) const STRONG: Self = Self(0x23, 0x48, 0xC5);
    /// For the part of a bar that is not filled.
    pub(crate) const TRACK: Self = Self(0xE3, 0xE5, 0xEE);
    /// For backgrounds of panels and of every other row.
    pub(crate) const GROUND: Self = Self(0xF6, 0xF5, 0xF1);
    /// For lines that separate things.
    pub(crate) const RULE: Self = Self(0xDA, 0xD7, 0xCE);
    /// For lines that must be seen: to write on, to cut along, around a drawing.
    pub(crate) const EDGE: Self = Self(0x7A, 0x81, 0x90);
    /// For what is wrong, always beside a sign or words.
    pub(crate) const WRONG: Self = Self(0x8A, 0x3B, 0x12);
    pub(crate) const PAPER: Self = Self(0xFF, 0xFF, 0xFF);

    /// The school's colour as the pages write in it.
    #[must_use]
    pub fn of_school(colour: SchoolColour) -> Self {
        let [red, green, blue] = colour.accent().accent.parts();
        Self(red, green, blue)
    }
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
    paper.accent = content.head.accent;
    summary::put(&mut paper, content);
    questions::put(&mut paper, content);
    paper.finish(content)
}
