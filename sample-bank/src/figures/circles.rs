//! Circles: with their radius or diameter, with a chord, with tangents, and as spinners.

use super::canvas::{Canvas, Side, Spot, around, middle, real};
use super::{Figure, UNKNOWN};

const CENTER: Spot = (160.0, 110.0);
const RADIUS: f64 = 95.0;
/// A radius so close to the distance of the point outside leaves no room between the tangents and that line.
const STEEPEST: f64 = 0.85;

/// What a question tells of a circle.
#[derive(Clone, Copy)]
pub(crate) enum Told {
    Radius,
    Diameter,
}

/// A circle with a radius or a diameter of so much.
pub(crate) fn circle(told: Told, length: i64, unit: &str) -> Figure {
    let mut canvas = Canvas::new(220.0);
    canvas.circle(CENTER, RADIUS, true);
    let start = if matches!(told, Told::Radius) { CENTER } else { around(CENTER, RADIUS, 180.0) };
    let end = around(CENTER, RADIUS, 0.0);
    canvas.line(start, end);
    canvas.dot(CENTER);
    canvas.label(middle(start, end), Side::Above, &format!("{length} {unit}"));
    let what = if matches!(told, Told::Radius) { "line from its center to its edge" } else { "line across its center" };
    canvas.finish(format!("A circle. A {what} is labelled {length} {unit}."))
}

/// A spinner with so many equal sectors, numbered from 1.
pub(crate) fn spinner(sectors: i64) -> Figure {
    let mut canvas = Canvas::new(220.0);
    canvas.circle(CENTER, RADIUS, true);
    let step = 360.0 / real(sectors);
    for sector in 0..sectors {
        let start = 90.0 - step * real(sector);
        canvas.line(CENTER, around(CENTER, RADIUS, start));
        canvas.mark(around(CENTER, 74.0, start - step / 2.0), Side::Middle, &(sector + 1).to_string());
    }
    let ((tip_x, tip_y), (x, y)) = (around(CENTER, 52.0, 62.0), around(CENTER, 30.0, 242.0));
    let arrow = format!("M{x:.1} {y:.1}L{tip_x:.1} {tip_y:.1}");
    canvas.shape(&format!("<path stroke='#b4232a' stroke-width='6' stroke-linecap='round' d='{arrow}'/>"));
    canvas.dot(CENTER);
    canvas
        .finish(format!("A spinner: a circle with an arrow and {sectors} equal sectors, numbered from 1 to {sectors}."))
}

/// A circle with a chord, from its distance to the center and the radius, and what is told of the chord, of the
/// distance and of the radius; what is not told gets a question mark.
pub(crate) fn chord((apart, radius): (i64, i64), told: [Option<i64>; 3]) -> Figure {
    let mut canvas = Canvas::new(235.0);
    let (x, y) = CENTER;
    let down = RADIUS * real(apart) / real(radius);
    let half = (RADIUS * RADIUS - down * down).sqrt();
    let (left, right, foot) = ((x - half, y + down), (x + half, y + down), (x, y + down));
    canvas.circle(CENTER, RADIUS, true);
    canvas.line(left, right);
    canvas.thin_line(CENTER, foot);
    canvas.thin_line(CENTER, right);
    canvas.dot(CENTER);
    let [whole_text, apart_text, radius_text] =
        told.map(|told| told.map_or(UNKNOWN.to_owned(), |told| format!("{told} cm")));
    canvas.label((x, y + down), Side::Below, &whole_text);
    canvas.label(middle(CENTER, foot), Side::Left, &apart_text);
    let (radius_x, radius_y) = middle(CENTER, right);
    canvas.label((radius_x, radius_y - 6.0), Side::Right, &radius_text);
    let [whole, apart, radius] =
        told.map(|told| told.map_or("a question mark".to_owned(), |told| format!("{told} cm")));
    canvas.finish(format!(
        "A circle with a chord below its center. The chord is labelled {whole}, its distance from the center {apart}, and the \
         radius to an end of the chord {radius}."
    ))
}

/// A circle with the two tangents from a point outside; `None` where there is no room for the labels.
pub(crate) fn tangents(radius: i64, apart: i64) -> Option<Figure> {
    let ratio = real(radius) / real(apart);
    if ratio > STEEPEST {
        return None;
    }
    let one = (260.0 / (1.0 + ratio)).min(85.0 / ratio);
    let (distance, size) = (one, one * ratio);
    let mut canvas = Canvas::new(2.0 * size + 50.0);
    let center = (size + (290.0 - distance - size) / 2.0, size + 25.0);
    let outside = around(center, distance, 0.0);
    let degrees = ratio.acos().to_degrees();
    let [above, below] = [degrees, -degrees].map(|degrees| around(center, size, degrees));
    canvas.circle(center, size, false);
    canvas.polygon(&[center, above, outside, below], true);
    canvas.thin_line(center, outside);
    for (spot, side, name) in
        [(center, Side::Left, "O"), (outside, Side::Right, "P"), (above, Side::Above, "A"), (below, Side::Below, "B")]
    {
        canvas.dot(spot);
        canvas.label(spot, side, name);
    }
    let (x, y) = middle(center, above);
    canvas.label((x, y - 4.0), Side::Left, &format!("{radius} cm"));
    canvas.label((f64::midpoint(center.0, outside.0), center.1 + 1.0), Side::Middle, &format!("{apart} cm"));
    Some(canvas.finish(format!(
        "A circle with the center O and a point P outside. Two lines from P touch the circle at A and B, and O, A, P and B \
         are the corners of a quadrilateral. OA is labelled {radius} cm, and OP {apart} cm."
    )))
}
