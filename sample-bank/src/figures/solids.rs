//! Boxes, seen a little from the side and from above.

use super::canvas::{Canvas, Side, Spot, middle, real};
use super::{Figure, UNKNOWN};

/// How far depth is drawn to the right and up, of its true length.
const DEPTH: Spot = (0.42, 0.3);

/// A box with its three lengths.
pub(crate) fn cuboid(length: i64, width: i64, height: i64, unit: &str) -> Figure {
    let (canvas, ..) = drawn(length, width, height, unit);
    canvas.finish(format!(
        "A box. Its length is labeled {length} {unit}, its width {width} {unit}, and its height {height} {unit}."
    ))
}

/// The same with the straight line between two opposite corners, which is asked for.
pub(crate) fn cuboid_with_diagonal(length: i64, width: i64, height: i64, unit: &str) -> Figure {
    let (_, up) = DEPTH;
    let (mut canvas, near, far) = drawn(length, width, height, unit);
    canvas.thin_line(near, far);
    // In a flat box the middle of the line is near edges, and only the upper face has room.
    let (rise, high) = (up * real(width), real(height));
    let part = if high < rise { (high + rise / 2.0) / (high + rise) } else { 0.5 };
    let spot = (near.0 + (far.0 - near.0) * part, near.1 + (far.1 - near.1) * part);
    canvas.inner_label(spot, Side::Middle, UNKNOWN);
    canvas.finish(format!(
        "A box. Its length is labeled {length} {unit}, its width {width} {unit}, and its height {height} {unit}. A broken \
         line with a question mark goes through the box from a corner to the opposite corner."
    ))
}

/// The box, with its lower left corner in front and its upper right corner behind.
fn drawn(length: i64, width: i64, height: i64, unit: &str) -> (Canvas, Spot, Spot) {
    let (across, up) = DEPTH;
    let one = (200.0 / (real(length) + across * real(width))).min(130.0 / (real(height) + up * real(width)));
    let (wide, high) = (one * real(length), one * real(height));
    let (right, rise) = (one * across * real(width), one * up * real(width));
    let mut canvas = Canvas::new(high + rise + 60.0);
    let (x, low) = ((330.0 - wide - right) / 2.0, high + rise + 24.0);
    let front = [(x, low), (x + wide, low), (x + wide, low - high), (x, low - high)];
    let back = front.map(|(x, y)| (x + right, y - rise));
    let [near, near_right, near_above, above] = front;
    let [hidden, far_low, far, far_above] = back;
    canvas.polygon(&front, true);
    canvas.polygon(&[above, near_above, far, far_above], true);
    canvas.polygon(&[near_right, far_low, far, near_above], true);
    for corner in [near, far_low, far_above] {
        canvas.thin_line(hidden, corner);
    }
    canvas.label((x + wide / 2.0, low), Side::Below, &format!("{length} {unit}"));
    let (depth_x, depth_y) = middle(near_right, far_low);
    canvas.label((depth_x, depth_y + 8.0), Side::Right, &format!("{width} {unit}"));
    canvas.label((x, low - high / 2.0), Side::Left, &format!("{height} {unit}"));
    (canvas, near, far)
}
