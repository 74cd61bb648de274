//! The sign for the door of a hall: which exam is here, when, and how one gets in. It has nobody's name on it.

use super::super::letterhead::CrestBox;
use super::super::paper::{Paper, height_of};
use super::super::structure::PartRole;
use super::super::{Ink, MARGIN, qr};
use super::{BOTTOM, KitHall, MorningKit, SIDE, width_of};
use crate::reports::text::Style;

const CREST_HEIGHT: f32 = 64.0;
const CREST_WIDTH_MAX: f32 = 240.0;
/// Edge of the picture, which a phone reads from some steps away.
const PICTURE: f32 = 150.0;
/// Height of what stands at the foot of the sign.
const ENTRY_HEIGHT: f32 = 172.0;
/// Sizes of the sitting's name and of the hall's, of which the largest is taken that fits.
const SITTING_SIZES: [f32; 4] = [30.0, 26.0, 22.0, 18.0];
const HALL_SIZES: [f32; 5] = [84.0, 60.0, 44.0, 32.0, 24.0];
const CODE: Style = Style::bold(58.0);

pub(super) fn put(paper: &mut Paper<'_>, kit: &MorningKit, hall: &KitHall) {
    school(paper, kit);
    centred(paper, PartRole::Title, &kit.sitting, &SITTING_SIZES, 3, Ink::STRONG);
    paper.y += 6.0;
    if let Some(name) = &hall.name {
        centred(paper, PartRole::Heading, name, &HALL_SIZES, 2, Ink::TEXT);
        paper.y += 6.0;
    }
    for (text, size) in [(&hall.day, 18.0), (&hall.time, 40.0), (&hall.doors, 14.0)] {
        centred(paper, PartRole::Paragraph, text, &[size], 1, Ink::TEXT);
    }
    entry(paper, kit);
    paper.turn();
}

/// Puts the school's crest, and its name below it.
fn school(paper: &mut Paper<'_>, kit: &MorningKit) {
    let head = &kit.head;
    paper.y = MARGIN;
    if head.crest.is_some() {
        let width = head.crest_width(CREST_WIDTH_MAX, CREST_HEIGHT);
        let x = (paper.size.width() - width) / 2.0;
        let within = CrestBox { x, y: MARGIN, width_max: CREST_WIDTH_MAX, height: CREST_HEIGHT };
        paper.within(PartRole::Figure(head.words.crest().to_owned()), |paper| head.put_crest(paper, within));
        paper.y += CREST_HEIGHT + 8.0;
    }
    if !head.school.is_empty() {
        centred(paper, PartRole::Paragraph, &head.school, &[13.0], 2, Ink::QUIET);
    }
    paper.y += 14.0;
}

/// Puts lines in the middle of the page, in the first of these sizes in which they are few enough.
fn centred(paper: &mut Paper<'_>, role: PartRole, text: &str, sizes: &[f32], lines_max: usize, ink: Ink) {
    let (width, of_paper) = (width_of(paper), paper.size.width());
    let mut fits = |size: &f32| paper.typesetter.wrap(text, Style::bold(*size), width, usize::MAX).len() <= lines_max;
    let fitting = sizes.iter().copied().find(|size| fits(size));
    let style = Style::bold(fitting.or(sizes.last().copied()).unwrap_or(12.0));
    let lines = paper.typesetter.wrap(text, style, width, lines_max);
    paper.within(role, |paper| {
        for line in lines {
            let (x, y) = ((of_paper - line.width(style.size)) / 2.0, paper.y);
            paper.y += paper.lines(x, y, &[line], style, ink);
        }
    });
}

/// Puts the code, the address and its picture at the foot of the page.
fn entry(paper: &mut Paper<'_>, kit: &MorningKit) {
    let words = kit.head.words;
    let top = paper.size.height() - BOTTOM - ENTRY_HEIGHT;
    let (left, width) = (SIDE + PICTURE + 20.0, width_of(paper) - PICTURE - 20.0);
    paper.block(SIDE, top, width_of(paper), 1.2, Ink::STRONG);
    let mut below = top + 14.0;
    for (text, style, ink, lines_max) in [
        (words.exam_code(), Style::regular(12.0), Ink::QUIET, 1),
        (kit.code.as_str(), CODE, Ink::TEXT, 1),
        (kit.address.as_str(), Style::bold(13.0), Ink::STRONG, 2),
        (words.how_to_enter(), Style::regular(9.5), Ink::TEXT, 2),
    ] {
        let lines = paper.typesetter.wrap(text, style, width, lines_max);
        paper.within(PartRole::Paragraph, |paper| paper.lines(left, below, &lines, style, ink));
        below += height_of(lines.len(), style);
    }
    paper.within(PartRole::Figure(words.qr_code(&kit.address)), |paper| {
        qr::put(paper, &kit.address, SIDE, top + 14.0, PICTURE);
    });
}
