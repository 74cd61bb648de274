//! QR codes, drawn as blocks: sharp at every size, and with no picture in the file.

use qrcode::{Color, EcLevel, QrCode};

use super::paper::Paper;
use super::{Ink, Mark};

/// Light modules around the picture, as the standard for it asks.
const QUIET_ZONE: f32 = 4.0;

/// Puts a QR code that fills a square of this edge, or nothing for a text that is too long for one, which no address
/// is.
pub(super) fn put(paper: &mut Paper<'_>, text: &str, x: f32, y: f32, edge: f32) {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else { return };
    let modules = code.width();
    let colors = code.to_colors();
    let size = edge / (f32::from(u16::try_from(modules).unwrap_or(u16::MAX)) + 2.0 * QUIET_ZONE);
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
