//! Lays out entry slips: eight on a page, to be cut out along the lines between them.

use super::letterhead::{CrestBox, Letterhead};
use super::paper::{Paper, height_of};
use super::paper_size::PaperSize;
use super::structure::PartRole;
use super::{Ink, LaidOut, qr};
use crate::reports::text::{Style, Typesetter};

const COLUMNS: usize = 2;
const ROWS: usize = 4;
/// Distance from the sides of the paper, and from its top and bottom: as near as printers come, since eight slips with
/// all that may stand on them need the room of Letter.
const SIDE: f32 = 36.0;
const EDGE: f32 = 28.0;
const PADDING: f32 = 10.0;
/// Distance from the top of a slip to its first line.
const ABOVE: f32 = 8.0;
/// Edge of the picture, large enough for the camera of any phone.
const PICTURE: f32 = 86.0;
/// Height of the crest, and its width at most.
const CREST_HEIGHT: f32 = 16.0;
const CREST_WIDTH_MAX: f32 = 64.0;

/// As large as leaves room for the widest code.
const CODE: Style = Style::bold(12.0);
const SMALL: Style = Style::regular(7.5);

/// What stands on one slip.
#[derive(Debug)]
pub struct Slip {
    pub name: String,
    /// The name of the sitting.
    pub sitting: String,
    /// When it is to start, as it is written for people.
    pub starts_at: String,
    /// Hall and seat, and the form if there are several.
    pub place: String,
    /// Of the sitting's page, without the code.
    pub address: String,
    pub code: SlipCode,
}

/// What a slip says of the access code.
#[derive(Debug)]
pub enum SlipCode {
    /// The code, which stands on this slip alone.
    New(String),
    /// The candidate was given one before.
    Earlier,
    /// None has been made yet.
    None,
}

/// Lays out slips on as many pages as they need.
pub fn lay_out_slips(slips: &[Slip], head: &Letterhead, typesetter: &mut Typesetter) -> LaidOut {
    let mut paper = Paper::new(typesetter);
    put_slips(&mut paper, slips, head);
    paper.finish_plain()
}

/// Puts slips on pages of their own, all of which are full afterwards.
pub(super) fn put_slips(paper: &mut Paper<'_>, slips: &[Slip], head: &Letterhead) {
    paper.accent = head.accent;
    let (width, height) = slip_size(paper.size);
    for page in slips.chunks(COLUMNS * ROWS) {
        paper.decorate(cut_lines);
        for (place, slip) in page.iter().enumerate() {
            let part = |number: usize| f32::from(u8::try_from(number).unwrap_or(u8::MAX));
            let (column, row) = (part(place % COLUMNS), part(place / COLUMNS));
            let (x, y) = (SIDE + column * width + PADDING, EDGE + row * height);
            SlipPlace { x, y, width: width - 2.0 * PADDING, height }.put(paper, slip, head);
        }
        paper.turn();
    }
}

fn slip_size(paper: PaperSize) -> (f32, f32) {
    ((paper.width() - 2.0 * SIDE) / 2.0, (paper.height() - 2.0 * EDGE) / 4.0)
}

fn cut_lines(paper: &mut Paper<'_>) {
    let (width, height) = (paper.size.width(), paper.size.height());
    let (_, of_slip) = slip_size(paper.size);
    for row in 0..=ROWS {
        let y = EDGE + f32::from(u8::try_from(row).unwrap_or(u8::MAX)) * of_slip;
        paper.block(SIDE, y, width - 2.0 * SIDE, 0.5, Ink::EDGE);
    }
    for x in [SIDE, width / 2.0, width - SIDE] {
        paper.block(x, EDGE, 0.5, height - 2.0 * EDGE, Ink::EDGE);
    }
}

/// Where a slip is: its top, and the sides of what stands on it.
struct SlipPlace {
    x: f32,
    y: f32,
    width: f32,
    height: f32,
}

impl SlipPlace {
    /// Width of what stands beside the picture.
    const fn beside(&self) -> f32 {
        self.width - PICTURE - PADDING
    }

    fn put(&self, paper: &mut Paper<'_>, slip: &Slip, head: &Letterhead) {
        let Self { x, width, .. } = *self;
        let (beside, words) = (self.beside(), head.words);
        let mut below = self.y + ABOVE;
        if !head.is_empty() {
            below = self.put_school(paper, below, head);
        }
        for (text, style, ink, lines_max, width) in [
            (&slip.name, Style::bold(12.5), Ink::TEXT, 2, width),
            (&slip.sitting, Style::regular(8.5), Ink::QUIET, 1, width),
            (&slip.starts_at, Style::regular(8.5), Ink::QUIET, 1, width),
            (&slip.place, Style::bold(10.5), paper.accent, 2, beside),
        ] {
            below += paragraph(paper, (x, below), text, style, ink, lines_max, width) + 2.0;
        }
        below += paragraph(paper, (x, below), words.access_code(), SMALL, Ink::QUIET, 1, beside);
        let (shown, style, address) = match &slip.code {
            // The part of an address after `#` is sent to no server, so the code is in no log.
            SlipCode::New(code) => (code.as_str(), CODE, format!("{}#{code}", slip.address)),
            SlipCode::Earlier => (words.earlier_code(), Style::regular(9.0), slip.address.clone()),
            SlipCode::None => (words.no_code(), Style::regular(9.0), slip.address.clone()),
        };
        below += paragraph(paper, (x, below), shown, style, Ink::TEXT, 1, beside) + 2.0;
        paragraph(paper, (x, below), &slip.address, SMALL, Ink::TEXT, 3, beside);
        let top = self.y + self.height - PADDING - PICTURE;
        paper.within(PartRole::Figure(words.qr_code(&slip.address)), |paper| {
            qr::put(paper, &address, x + width - PICTURE, top, PICTURE);
        });
    }

    /// Puts the school's crest, and its name beside it; returns where it ends.
    fn put_school(&self, paper: &mut Paper<'_>, y: f32, head: &Letterhead) -> f32 {
        let mut left = self.x;
        let height = if head.crest.is_some() { CREST_HEIGHT } else { height_of(1, SMALL) };
        // Read aloud eight times a page, it would say nothing.
        paper.decorate(|paper| {
            let within = CrestBox { x: left, y, width_max: CREST_WIDTH_MAX, height: CREST_HEIGHT };
            let width = head.put_crest(paper, within);
            left += if width > 0.0 { width + 5.0 } else { 0.0 };
        });
        if !head.school.is_empty() {
            let (top, width) = (y + (height - height_of(1, SMALL)) / 2.0, self.x + self.width - left);
            paragraph(paper, (left, top), &head.school, SMALL, Ink::QUIET, 1, width);
        }
        y + height + 2.0
    }
}

fn paragraph(
    paper: &mut Paper<'_>,
    (x, y): (f32, f32),
    text: &str,
    style: Style,
    ink: Ink,
    lines_max: usize,
    width: f32,
) -> f32 {
    let lines = paper.typesetter.wrap(text, style, width, lines_max);
    paper.within(PartRole::Paragraph, |paper| paper.lines(x, y, &lines, style, ink))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::school::PageLanguage;

    use super::*;
    use crate::reports::layout::Mark;
    use crate::reports::layout::words::PaperWords;
    use crate::reports::text::fonts::Fonts;
    use crate::school::crest_picture::CrestPicture;

    fn place(size: PaperSize) -> SlipPlace {
        let (width, height) = slip_size(size);
        SlipPlace { x: 0.0, y: 0.0, width: width - 2.0 * PADDING, height }
    }

    #[test]
    fn the_widest_code_is_not_cut_off() {
        let mut typesetter = Typesetter::new(Fonts::embedded().unwrap());
        for code in ["WWWWW-WWWWW", "MMMMM-MMMMM"] {
            assert_eq!(typesetter.wrap(code, CODE, place(PaperSize::A4).beside(), 2).len(), 1, "{code}");
        }
    }

    #[test]
    fn everything_that_may_stand_on_a_slip_stays_on_it() {
        let long = |word: &str| word.repeat(40);
        for (language, size) in [(PageLanguage::En, PaperSize::Letter), (PageLanguage::Vi, PaperSize::A4)] {
            let crest = Some(Arc::new(CrestPicture { width: 320, height: 320, rgb: Vec::new() }));
            let (accent, words) = (Ink::STRONG, PaperWords(language));
            let head = Letterhead { school: long("Trường Lê Lợi "), crest, accent, words };
            let slip = || Slip {
                name: long("Nguyễn Thị "),
                sitting: long("Kỳ thi "),
                starts_at: "30 September 2026, 08:05 +07".to_owned(),
                place: long("Phòng "),
                address: format!("https://exam.example/{}", long("s/")),
                code: SlipCode::New("WWWWW-WWWWW".to_owned()),
            };
            let slips: Vec<Slip> = (0..COLUMNS * ROWS).map(|_| slip()).collect();
            let mut typesetter = Typesetter::new(Fonts::embedded().unwrap());
            let mut paper = Paper::of(size, &mut typesetter);
            put_slips(&mut paper, &slips, &head);
            let laid_out = paper.finish_plain();
            assert_eq!(laid_out.pages.len(), 1);
            // The last slip ends where the last row does.
            let lowest = laid_out.pages[0].iter().filter_map(|placed| match placed.mark {
                Mark::Text { y, size, .. } => Some(y + size * 0.3),
                _ => None,
            });
            let lowest = lowest.fold(0.0, f32::max);
            assert!(lowest <= size.height() - EDGE, "{lowest} on {size:?}");
        }
    }
}
