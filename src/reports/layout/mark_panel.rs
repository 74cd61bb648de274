//! The mark of the school's own scale, below the score: large, with its scale in words beside it.

use super::paper::{Paper, WIDTH};
use super::structure::PartRole;
use super::{Ink, MARGIN};
use crate::reports::marks::MarkOnPaper;
use crate::reports::text::Style;

/// Height of the panel.
const HEIGHT: f32 = 40.0;
/// Between the edge of the panel and its text, and between the parts of that.
const INSET: f32 = 18.0;
const GAP: f32 = 12.0;
const LARGE: Style = Style::bold(24.0);
const BODY: Style = Style::regular(9.5);

/// Puts the mark, if there is one.
pub(super) fn put(paper: &mut Paper<'_>, mark: Option<&MarkOnPaper>) {
    let Some(mark) = mark else { return };
    if !paper.has_room(HEIGHT) {
        paper.turn();
    }
    let top = paper.y;
    paper.block(MARGIN, top, WIDTH, HEIGHT, Ink::GROUND);
    paper.block(MARGIN, top, 3.0, HEIGHT, paper.accent);
    paper.within(PartRole::Paragraph, |paper| {
        let mut x = MARGIN + INSET;
        x += paper.text(x, top + 14.0, mark.heading, BODY, Ink::QUIET) + GAP;
        x += paper.text(x, top + 4.0, &mark.text, LARGE, paper.accent) + GAP;
        let width = MARGIN + WIDTH - GAP - x;
        let lines = paper.typesetter.wrap(&mark.words, BODY, width, 2);
        let above = if lines.len() > 1 { 7.0 } else { 14.0 };
        paper.lines(x, top + above, &lines, BODY, Ink::TEXT);
    });
    paper.y = top + HEIGHT + 6.0;
}
