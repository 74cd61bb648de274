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
    canvas.inner_label(middle(start, end), Side::Above, &format!("{length} {unit}"));
    let what = if matches!(told, Told::Radius) { "line from its center to its edge" } else { "line across its center" };
    canvas.finish(format!("A circle. A {what} is labeled {length} {unit}."))
}

/// A spinner with so many equal sectors, numbered from 1.
pub(crate) fn spinner(sectors: i64) -> Figure {
    let mut canvas = Canvas::new(220.0);
    canvas.circle(CENTER, RADIUS, true);
    let step = 360.0 / real(sectors);
    for sector in 0..sectors {
        let start = 90.0 - step * real(sector);
        canvas.line(CENTER, around(CENTER, RADIUS, start));
        canvas.mark(around(CENTER, 78.0, start - step / 2.0), Side::Middle, &(sector + 1).to_string());
    }
    // It points to the middle of a sector, since a spinner never stops between two.
    arrow(&mut canvas, 90.0 - step * 1.5);
    canvas.dot(CENTER);
    canvas
        .finish(format!("A spinner: a circle with an arrow and {sectors} equal sectors, numbered from 1 to {sectors}."))
}

/// The arrow of a spinner.
fn arrow(canvas: &mut Canvas, degrees: f64) {
    let outline = [(28.0, 189.0), (28.0, 171.0), (42.0, 5.0), (42.0, 14.0), (64.0, 0.0), (42.0, -14.0), (42.0, -5.0)];
    let corners = outline.map(|(distance, turn)| around(CENTER, distance, degrees + turn));
    let points = corners.map(|(x, y)| format!("{x:.1},{y:.1}")).join(" ");
    canvas.shape(&format!("<polygon fill='#b4232a' stroke='#fff' stroke-width='1.5' points='{points}'/>"));
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
    canvas.right_angle(foot, (8.0, -8.0));
    label_chord(&mut canvas, (down, half), &whole_text);
    canvas.inner_label(middle(CENTER, foot), Side::Left, &apart_text);
    let (radius_x, radius_y) = (x + half * 0.42, y + down * 0.42);
    if half > down {
        // The line is rather level, and the text so wide that it must stand higher.
        let lift = 4.4 * radius_text.chars().count() as f64 * down / half;
        canvas.inner_label((radius_x, radius_y - lift), Side::Above, &radius_text);
    } else {
        canvas.inner_label((radius_x, radius_y - 6.0), Side::Right, &radius_text);
    }
    let [whole, apart, radius] =
        told.map(|told| told.map_or("a question mark".to_owned(), |told| format!("{told} cm")));
    canvas.finish(format!(
        "A circle with a chord below its center. The chord is labeled {whole}, its distance from the center {apart}, and the \
         radius to an end of the chord {radius}."
    ))
}

/// Writes the length of a chord where there is room: below it, above its left half, or below the circle.
fn label_chord(canvas: &mut Canvas, (down, half): Spot, text: &str) {
    let (x, y) = CENTER;
    if RADIUS - down > 30.0 {
        canvas.inner_label((x, y + down), Side::Below, text);
    } else if half > 52.0 {
        canvas.inner_label((x - half / 2.0, y + down + 2.0), Side::Above, text);
    } else {
        canvas.label((x, y + RADIUS), Side::Below, text);
    }
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
    canvas.labelled_line(center, outside.0, &format!("{apart} cm"));
    for (spot, side, name) in [(center, Side::Left, "O"), (outside, Side::Right, "P")] {
        canvas.dot(spot);
        canvas.name(spot, side, name);
    }
    for (spot, degrees, name) in [(above, degrees, "A"), (below, -degrees, "B")] {
        canvas.dot(spot);
        canvas.name(around(spot, 16.0, degrees), Side::Middle, name);
    }
    let (x, y) = middle(center, above);
    if size < 70.0 {
        // A small circle has no room for it.
        canvas.inner_label((x, y), Side::Right, &format!("{radius} cm"));
    } else {
        canvas.label((x, y - 4.0), Side::Left, &format!("{radius} cm"));
    }
    Some(canvas.finish(format!(
        "A circle with the center O and a point P outside. Two lines from P touch the circle at A and B, and O, A, P and B \
         are the corners of a quadrilateral. OA is labeled {radius} cm, and OP {apart} cm."
    )))
}
