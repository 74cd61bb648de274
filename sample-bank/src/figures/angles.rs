//! Angles that together make a right angle, a straight line or a full turn.

use super::canvas::{Canvas, Side, around, real};
use super::{Figure, UNKNOWN};

/// What the angles of a figure make together.
#[derive(Clone, Copy)]
pub(crate) enum AngleTotal {
    Right,
    Straight,
}

impl AngleTotal {
    const fn degrees(self) -> i64 {
        match self {
            Self::Right => 90,
            Self::Straight => 180,
        }
    }
}

/// The angles one after another from the right, each with its size and its label, which may be empty.
pub(crate) fn angles(total: AngleTotal, sizes: &[(i64, &str)]) -> Figure {
    let mut canvas = Canvas::new(180.0);
    let (center, length) = match total {
        AngleTotal::Right => ((95.0, 155.0), 135.0),
        AngleTotal::Straight => ((160.0, 150.0), 135.0),
    };
    let mut from = 0;
    canvas.line(center, around(center, length, 0.0));
    for (index, (size, label)) in sizes.iter().enumerate() {
        let (start, end) = (real(from), real(from + size));
        canvas.line(center, around(center, length, end));
        let radius = 34.0 + 8.0 * (index % 2) as f64;
        let ((x, y), (end_x, end_y)) = (around(center, radius, start), around(center, radius, end));
        let arc = format!("M{x:.1} {y:.1}A{radius} {radius} 0 0 0 {end_x:.1} {end_y:.1}");
        canvas.shape(&format!("<path stroke='#2456c5' d='{arc}'/>"));
        // A narrow angle has no room for its label near the corner.
        let away = if *size < 30 { 108.0 } else { 66.0 };
        canvas.label(around(center, away, f64::midpoint(start, end)), Side::Middle, label);
        from += size;
    }
    let whole = if total.degrees() == 90 { "a right angle" } else { "a straight line" };
    let told = sizes.iter().map(|(_, label)| match *label {
        "" => "one without a label".to_owned(),
        UNKNOWN => "one with a question mark".to_owned(),
        label => format!("one of {label}"),
    });
    canvas.finish(format!(
        "{} angles side by side make {whole}. From right to left: {}.",
        if sizes.len() == 2 { "Two" } else { "Three" },
        told.collect::<Vec<_>>().join(", ")
    ))
}
