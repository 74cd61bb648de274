//! Triangles with labels at their sides and corners.

use super::canvas::{Canvas, Side, middle, real};
use super::{Figure, UNKNOWN};

/// A right triangle, with its right angle at the lower left.
pub(crate) struct RightTriangle<'a> {
    /// The lengths of the level and of the upright leg.
    pub(crate) legs: (i64, i64),
    /// What stands at the level leg, the upright leg and the hypotenuse; empty for nothing.
    pub(crate) labels: [&'a str; 3],
    /// The names of the corners: at the right angle, to its right and above it; empty for none.
    pub(crate) corners: [&'a str; 3],
}

impl RightTriangle<'_> {
    pub(crate) fn figure(&self) -> Figure {
        let Self { legs: (level, upright), labels: [below, left, slanted], corners: names } = self;
        let one = (190.0 / real(*level)).min(150.0 / real(*upright));
        let (wide, high) = (one * real(*level), one * real(*upright));
        let mut canvas = Canvas::new(high + 64.0);
        let (x, low) = ((350.0 - wide) / 2.0, high + 28.0);
        let corners @ [corner, right, top] = [(x, low), (x + wide, low), (x, 28.0)];
        canvas.polygon(&corners, true);
        let mark = 12.0_f64.min(wide / 3.0).min(high / 3.0);
        canvas.right_angle(corner, (mark, -mark));
        canvas.label((x + wide / 2.0, low), Side::Below, below);
        canvas.label((x, low - high / 2.0), Side::Left, left);
        let (slanted_x, slanted_y) = middle(right, top);
        canvas.label((slanted_x + 2.0, slanted_y - 8.0), Side::Right, slanted);
        for (name, (spot, side)) in names.iter().zip([(corner, Side::Left), (right, Side::Right), (top, Side::Above)]) {
            canvas.name(spot, side, name);
        }
        canvas.finish(self.description())
    }

    fn description(&self) -> String {
        let [below, left, slanted] = self.labels.map(|label| if label == UNKNOWN { "a question mark" } else { label });
        let [corner, right, top] = self.corners;
        if corner.is_empty() {
            return format!(
                "A right triangle. Its level leg is labeled {below}, its upright leg {left}, and its hypotenuse {slanted}."
            );
        }
        format!(
            "A triangle with the corners {right}, {top} and {corner} and a right angle at {corner}. {right}{corner} is \
             labeled {below}, {top}{corner} {left}, and {right}{top} {slanted}."
        )
    }
}

/// A triangle on its base, with its height as a broken line.
pub(crate) fn triangle_with_height(base: i64, height: i64, unit: &str) -> Figure {
    let one = (230.0 / real(base)).min(130.0 / real(height));
    let (wide, high) = (one * real(base), one * real(height));
    let mut canvas = Canvas::new(high + 60.0);
    let (left, low) = ((320.0 - wide) / 2.0, high + 20.0);
    let top = (left + wide * 0.38, 20.0);
    canvas.polygon(&[(left, low), (left + wide, low), top], true);
    canvas.thin_line(top, (left + wide * 0.38, low));
    canvas.right_angle((left + wide * 0.38, low), (9.0, -9.0));
    canvas.label((left + wide / 2.0, low), Side::Below, &format!("{base} {unit}"));
    canvas.inner_label((left + wide * 0.38, low - high * 0.35), Side::Right, &format!("{height} {unit}"));
    canvas.finish(format!(
        "A triangle. Its base is labeled {base} {unit}, and its height, a broken line from the opposite corner down to the \
         base, {height} {unit}."
    ))
}
