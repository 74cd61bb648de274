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
/// Sizes of the sitting's name and of the hall's. The largest are taken with which each name has no more lines than it
/// may, and all of it ends above the foot; the hall's name gives way first.
const SITTING_SIZES: [f32; 4] = [30.0, 26.0, 22.0, 18.0];
const HALL_SIZES: [f32; 5] = [84.0, 60.0, 44.0, 32.0, 24.0];
const SITTING_LINES_MAX: usize = 3;
const HALL_LINES_MAX: usize = 2;
/// Distance below each of the two names, and above the foot.
const GAP: f32 = 6.0;
const SCHOOL: Style = Style::bold(13.0);
const DAY: Style = Style::bold(18.0);
const TIME: Style = Style::bold(40.0);
const DOORS: Style = Style::bold(14.0);
const CODE: Style = Style::bold(58.0);

pub(super) fn put(paper: &mut Paper<'_>, kit: &MorningKit, hall: &KitHall) {
    school(paper, kit);
    let times = [(&hall.day, DAY), (&hall.time, TIME), (&hall.doors, DOORS)];
    let below: f32 = times.iter().map(|(_, style)| height_of(1, *style)).sum();
    let room = foot(paper) - paper.y - below - 3.0 * GAP;
    let (sitting, place) = fitting(paper, &kit.sitting, hall.name.as_deref(), room);
    let accent = paper.accent;
    centred(paper, PartRole::Title, &kit.sitting, sitting, SITTING_LINES_MAX, accent);
    paper.y += GAP;
    if let Some(name) = &hall.name {
        centred(paper, PartRole::Heading, name, place, HALL_LINES_MAX, Ink::TEXT);
        paper.y += GAP;
    }
    for (text, style) in times {
        centred(paper, PartRole::Paragraph, text, style, 1, Ink::TEXT);
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
        centred(paper, PartRole::Paragraph, &head.school, SCHOOL, 2, Ink::QUIET);
    }
    paper.y += 14.0;
}

/// The styles of the two names, so that both fit into the height. The smallest, in which names may be cut, always do.
fn fitting(paper: &mut Paper<'_>, sitting: &str, hall: Option<&str>, height: f32) -> (Style, Style) {
    let width = width_of(paper);
    // Each style in which the whole name is there, with its height.
    let mut heights = |text: &str, sizes: &[f32], lines_max: usize| -> Vec<(Style, f32)> {
        let mut whole = Vec::new();
        for size in sizes {
            let style = Style::bold(*size);
            let lines = paper.typesetter.wrap(text, style, width, usize::MAX).len();
            if lines <= lines_max {
                whole.push((style, height_of(lines, style)));
            }
        }
        let smallest = Style::bold(sizes.last().copied().unwrap_or(12.0));
        if whole.is_empty() { vec![(smallest, height_of(lines_max, smallest))] } else { whole }
    };
    let sittings = heights(sitting, &SITTING_SIZES, SITTING_LINES_MAX);
    let halls = hall.map_or_else(|| vec![(DAY, 0.0)], |name| heights(name, &HALL_SIZES, HALL_LINES_MAX));
    let mut both = sittings.iter().flat_map(|sitting| halls.iter().map(move |hall| (*sitting, *hall)));
    let found = both.find(|((_, sitting), (_, hall))| sitting + hall <= height);
    let found = found.or_else(|| sittings.last().copied().zip(halls.last().copied()));
    found.map_or((DAY, DAY), |((sitting, _), (hall, _))| (sitting, hall))
}

/// Puts lines in the middle of the page.
fn centred(paper: &mut Paper<'_>, role: PartRole, text: &str, style: Style, lines_max: usize, ink: Ink) {
    let (width, of_paper) = (width_of(paper), paper.size.width());
    let lines = paper.typesetter.wrap(text, style, width, lines_max);
    paper.within(role, |paper| {
        for line in lines {
            let (x, y) = ((of_paper - line.width(style.size)) / 2.0, paper.y);
            paper.y += paper.lines(x, y, &[line], style, ink);
        }
    });
}

/// The upper edge of what stands at the foot.
const fn foot(paper: &Paper<'_>) -> f32 {
    paper.size.height() - BOTTOM - ENTRY_HEIGHT
}

/// Puts the code, the address and its picture at the foot of the page.
fn entry(paper: &mut Paper<'_>, kit: &MorningKit) {
    let words = kit.head.words;
    let top = foot(paper);
    let (left, width) = (SIDE + PICTURE + 20.0, width_of(paper) - PICTURE - 20.0);
    paper.block(SIDE, top, width_of(paper), 1.2, paper.accent);
    let mut below = top + 14.0;
    for (text, style, ink, lines_max) in [
        (words.exam_code(), Style::regular(12.0), Ink::QUIET, 1),
        (kit.code.as_str(), CODE, Ink::TEXT, 1),
        (kit.address.as_str(), Style::bold(13.0), paper.accent, 2),
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
