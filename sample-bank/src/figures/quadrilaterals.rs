//! Rectangles and parallelograms with the lengths of their sides.

use super::canvas::{Canvas, Side, Spot, middle, real};
use super::{Figure, UNKNOWN};

/// The room for a drawn shape; labels stand around it.
const ROOM: Spot = (220.0, 140.0);

/// The width and height on the sheet of something so long and so wide.
fn fitted(length: i64, width: i64) -> Spot {
    let (room, high) = ROOM;
    let one = (room / real(length)).min(high / real(width));
    (one * real(length), one * real(width))
}

/// A rectangle with its length below it and its width at its right.
pub(crate) fn rectangle(length: i64, width: i64, unit: &str) -> Figure {
    let (wide, high) = fitted(length, width);
    let mut canvas = Canvas::new(high + 60.0);
    let corner = ((290.0 - wide) / 2.0, 20.0);
    outlined(&mut canvas, corner, (wide, high), &[format!("{length} {unit}"), format!("{width} {unit}")]);
    canvas.finish(format!("A rectangle. Its long side is labeled {length} {unit}, its short side {width} {unit}."))
}

/// The same with a square hole in a corner.
pub(crate) fn rectangle_with_hole(length: i64, width: i64, hole: i64, unit: &str) -> Figure {
    let (wide, high) = fitted(length, width);
    let mut canvas = Canvas::new(high + 60.0);
    let (x, y) = ((270.0 - wide) / 2.0, 20.0);
    outlined(&mut canvas, (x, y), (wide, high), &[format!("{length} {unit}"), format!("{width} {unit}")]);
    let side = wide * real(hole) / real(length);
    let (left, top) = (x + wide * 0.15, y + (high - side) / 2.0);
    canvas.rectangle((left, top), (side, side), "#fff");
    canvas.inner_label((left + side, top + side / 2.0), Side::Right, &format!("{hole} {unit}"));
    canvas.finish(format!(
        "A rectangle whose sides are labeled {length} {unit} and {width} {unit}. A square inside it is left out; its side \
         is labeled {hole} {unit}."
    ))
}

/// A rectangle with the diagonal that is asked for.
pub(crate) fn crossed_rectangle(length: i64, width: i64, unit: &str) -> Figure {
    let (wide, high) = fitted(length, width);
    let mut canvas = Canvas::new(high + 60.0);
    let (x, y) = ((290.0 - wide) / 2.0, 20.0);
    outlined(&mut canvas, (x, y), (wide, high), &[format!("{length} {unit}"), format!("{width} {unit}")]);
    let (from, to) = ((x, y + high), (x + wide, y));
    canvas.thin_line(from, to);
    canvas.inner_label(middle(from, to), Side::Middle, UNKNOWN);
    canvas.finish(format!(
        "A rectangle whose sides are labeled {length} {unit} and {width} {unit}. Its diagonal has a question mark."
    ))
}

fn outlined(canvas: &mut Canvas, (x, y): Spot, (wide, high): Spot, [length, width]: &[String; 2]) {
    canvas.rectangle((x, y), (wide, high), "#dbe7ff");
    canvas.label((x + wide / 2.0, y + high), Side::Below, length);
    canvas.label((x + wide, y + high / 2.0), Side::Right, width);
}

/// A parallelogram with its base, its slanted side and its height.
pub(crate) fn parallelogram(base: i64, side: i64, height: i64, unit: &str) -> Figure {
    let shift = (real(side).powi(2) - real(height).powi(2)).max(0.0).sqrt();
    let one = (190.0 / (real(base) + shift)).min(120.0 / real(height));
    let (wide, high, shift) = (one * real(base), one * real(height), one * shift);
    let mut canvas = Canvas::new(high + 60.0);
    let (left, low) = ((250.0 - wide - shift) / 2.0, high + 20.0);
    let corners @ [_, right, above, _] =
        [(left, low), (left + wide, low), (left + wide + shift, 20.0), (left + shift, 20.0)];
    canvas.polygon(&corners, true);
    canvas.thin_line((left + shift, 20.0), (left + shift, low));
    // The foot of the height has more of the base on one side, and there stands the label.
    let (side_of_height, mark) = if wide > 1.5 * shift { (Side::Right, 9.0) } else { (Side::Left, -9.0) };
    canvas.right_angle((left + shift, low), (mark, -9.0));
    canvas.label((left + wide / 2.0, low), Side::Below, &format!("{base} {unit}"));
    let (side_x, side_y) = middle(right, above);
    canvas.label((side_x, side_y + 10.0), Side::Right, &format!("{side} {unit}"));
    canvas.inner_label((left + shift, low - high * 0.4), side_of_height, &format!("{height} {unit}"));
    canvas.finish(format!(
        "A parallelogram. Its base is labeled {base} {unit}, its slanted side {side} {unit}, and the height between the \
         base and the side above it {height} {unit}."
    ))
}
