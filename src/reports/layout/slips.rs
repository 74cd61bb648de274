//! Lays out entry slips: eight on a page, to be cut out along the lines between them.

use qrcode::{Color, EcLevel, QrCode};

use super::paper::{Paper, WIDTH};
use super::structure::PartRole;
use super::{Ink, LaidOut, MARGIN, Mark, PAPER_HEIGHT, PAPER_WIDTH};
use crate::reports::text::{Style, Typesetter};

const COLUMNS: usize = 2;
const ROWS: usize = 4;
const SLIP_WIDTH: f32 = WIDTH / 2.0;
const SLIP_HEIGHT: f32 = (PAPER_HEIGHT - 2.0 * MARGIN) / 4.0;
const PADDING: f32 = 10.0;
/// Edge of the picture, large enough for the camera of any phone.
const PICTURE: f32 = 92.0;
/// Light modules around the picture, as the standard for it asks.
const QUIET_ZONE: f32 = 4.0;

/// As large as leaves room for the widest code.
const CODE: Style = Style::bold(12.0);

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
pub fn lay_out_slips(slips: &[Slip], typesetter: &mut Typesetter) -> LaidOut {
    let mut paper = Paper::new(typesetter);
    for (index, slip) in slips.iter().enumerate() {
        let place = index % (COLUMNS * ROWS);
        if place == 0 && index > 0 {
            paper.turn();
        }
        if place == 0 {
            paper.decorate(cut_lines);
        }
        let part = |number: usize| f32::from(u8::try_from(number).unwrap_or(u8::MAX));
        let (x, y) = (
            MARGIN + part(place % COLUMNS) * SLIP_WIDTH + PADDING,
            MARGIN + part(place / COLUMNS) * SLIP_HEIGHT + PADDING,
        );
        put(&mut paper, slip, x, y);
    }
    paper.finish_plain()
}

fn cut_lines(paper: &mut Paper<'_>) {
    for row in 0..=ROWS {
        let y = MARGIN + f32::from(u8::try_from(row).unwrap_or(u8::MAX)) * SLIP_HEIGHT;
        paper.block(MARGIN, y, WIDTH, 0.5, Ink::RULE);
    }
    for x in [MARGIN, PAPER_WIDTH / 2.0, PAPER_WIDTH - MARGIN] {
        paper.block(x, MARGIN, 0.5, PAPER_HEIGHT - 2.0 * MARGIN, Ink::RULE);
    }
}

fn put(paper: &mut Paper<'_>, slip: &Slip, x: f32, y: f32) {
    let width = SLIP_WIDTH - 2.0 * PADDING;
    let beside = width - PICTURE - PADDING;
    let mut below = y;
    for (text, style, ink, lines_max, width) in [
        (&slip.name, Style::bold(13.0), Ink::TEXT, 2, width),
        (&slip.sitting, Style::regular(9.0), Ink::QUIET, 1, width),
        (&slip.starts_at, Style::regular(9.0), Ink::QUIET, 1, width),
        (&slip.place, Style::bold(11.0), Ink::STRONG, 2, beside),
    ] {
        below += paragraph(paper, x, below, text, style, ink, lines_max, width) + 3.0;
    }
    below += paragraph(paper, x, below, "Access code", Style::regular(8.0), Ink::QUIET, 1, beside);
    let (shown, style, address) = match &slip.code {
        // The part of an address after `#` is sent to no server, so the code is in no log.
        SlipCode::New(code) => (code.as_str(), CODE, format!("{}#{code}", slip.address)),
        SlipCode::Earlier => ("as on your earlier slip", Style::regular(9.0), slip.address.clone()),
        SlipCode::None => ("none yet", Style::regular(9.0), slip.address.clone()),
    };
    below += paragraph(paper, x, below, shown, style, Ink::TEXT, 1, beside) + 3.0;
    paragraph(paper, x, below, &slip.address, Style::regular(8.0), Ink::TEXT, 3, beside);
    let picture_y = y + SLIP_HEIGHT - 2.0 * PADDING - PICTURE;
    paper.within(PartRole::Figure(format!("QR code of {}", slip.address)), |paper| {
        picture(paper, &address, x + width - PICTURE, picture_y);
    });
}

#[allow(clippy::too_many_arguments, reason = "each is a number or a style of one paragraph")]
fn paragraph(
    paper: &mut Paper<'_>,
    x: f32,
    y: f32,
    text: &str,
    style: Style,
    ink: Ink,
    lines_max: usize,
    width: f32,
) -> f32 {
    let lines = paper.typesetter.wrap(text, style, width, lines_max);
    paper.within(PartRole::Paragraph, |paper| paper.lines(x, y, &lines, style, ink))
}

/// Puts a QR code, or nothing for a text that is too long for one, which no address is.
fn picture(paper: &mut Paper<'_>, text: &str, x: f32, y: f32) {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else { return };
    let modules = code.width();
    let colors = code.to_colors();
    let size = PICTURE / (f32::from(u16::try_from(modules).unwrap_or(u16::MAX)) + 2.0 * QUIET_ZONE);
    let at = |module: usize| (f32::from(u16::try_from(module).unwrap_or(u16::MAX)) + QUIET_ZONE) * size;
    for (row, line) in colors.chunks(modules).enumerate() {
        let mut column = 0;
        // Dark modules beside each other are one block, so that no viewer shows a seam between them.
        for run in line.chunk_by(|one, other| one == other) {
            if run.first() == Some(&Color::Dark) {
                let width = at(column + run.len()) - at(column);
                let ink = Ink::TEXT;
                paper.put(Mark::Block { x: x + at(column), y: y + at(row), width, height: size, ink });
            }
            column += run.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::text::fonts::Fonts;

    #[test]
    fn the_widest_code_is_not_cut_off() {
        let mut typesetter = Typesetter::new(Fonts::embedded().unwrap());
        let beside = SLIP_WIDTH - 3.0 * PADDING - PICTURE;
        for code in ["WWWWW-WWWWW", "MMMMM-MMMMM"] {
            assert_eq!(typesetter.wrap(code, CODE, beside, 2).len(), 1, "{code}");
        }
    }
}
