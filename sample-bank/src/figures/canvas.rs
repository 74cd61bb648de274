//! The sheet on which figures are drawn: shapes, labels and a scale, as compact SVG that needs no font and no script.

use std::fmt::Write;

use super::Figure;

/// The width of every figure: that of the narrowest page that must show it.
pub(super) const WIDTH: f64 = 320.0;

/// What shapes are filled with, and what is left free around a label in one.
const FILL: &str = "#dbe7ff";

/// What the address of a figure begins with.
pub(crate) const ADDRESS_START: &str = "data:image/svg+xml,";

/// A point of the sheet, to the right and down from its upper left corner.
pub(super) type Spot = (f64, f64);

/// Where a label stands, seen from its spot.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Above,
    Below,
    Left,
    Right,
    Middle,
}

/// A figure that is being drawn.
pub(super) struct Canvas {
    height: f64,
    shapes: String,
    labels: String,
    inner_labels: String,
    scale: String,
}

impl Canvas {
    pub(super) fn new(height: f64) -> Self {
        Self { height, shapes: String::new(), labels: String::new(), inner_labels: String::new(), scale: String::new() }
    }

    pub(super) fn line(&mut self, (x, y): Spot, (end_x, end_y): Spot) {
        let path = format!("M{} {}L{} {}", short(x), short(y), short(end_x), short(end_y));
        self.shape(&format!("<path d='{path}'/>"));
    }

    /// A line for what is not an edge: a height, a radius, a grid.
    pub(super) fn thin_line(&mut self, (x, y): Spot, (end_x, end_y): Spot) {
        let path = format!("M{} {}L{} {}", short(x), short(y), short(end_x), short(end_y));
        self.shape(&format!("<path stroke-width='1.5' stroke-dasharray='5 4' d='{path}'/>"));
    }

    /// A level thin line with a text in a gap at its middle.
    pub(super) fn labelled_line(&mut self, (x, y): Spot, end_x: f64, text: &str) {
        let (center, half) = (f64::midpoint(x, end_x), 4.8 * text.chars().count() as f64);
        self.thin_line((x, y), (center - half, y));
        self.thin_line((center + half, y), (end_x, y));
        self.inner_label((center, y), Side::Middle, text);
    }

    pub(super) fn polygon(&mut self, corners: &[Spot], is_filled: bool) {
        let points: Vec<String> = corners.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
        let fill = fill(is_filled);
        self.shape(&format!("<polygon{fill} points='{}'/>", points.join(" ")));
    }

    pub(super) fn rectangle(&mut self, (x, y): Spot, (width, height): Spot, fill: &str) {
        let place = format!("x='{}' y='{}' width='{}' height='{}'", short(x), short(y), short(width), short(height));
        self.shape(&format!("<rect {place} fill='{fill}'/>"));
    }

    pub(super) fn circle(&mut self, (x, y): Spot, radius: f64, is_filled: bool) {
        let fill = fill(is_filled);
        self.shape(&format!("<circle{fill} cx='{}' cy='{}' r='{}'/>", short(x), short(y), short(radius)));
    }

    pub(super) fn dot(&mut self, (x, y): Spot) {
        self.shape(&format!("<circle cx='{}' cy='{}' r='4' fill='#1f2937' stroke='none'/>", short(x), short(y)));
    }

    /// The mark of a right angle, which opens so far to the right and down, or to the left and up.
    pub(super) fn right_angle(&mut self, (x, y): Spot, (right, down): Spot) {
        let path = format!("M{} {}v{}h{}", short(x + right), short(y), short(down), short(-right));
        self.shape(&format!("<path stroke-width='1.5' d='{path}'/>"));
    }

    /// Anything that has no method of its own.
    pub(super) fn shape(&mut self, svg: &str) {
        self.shapes += svg;
    }

    /// A text that the question has too, or a mark for what it asks; empty for none.
    pub(super) fn label(&mut self, spot: Spot, side: Side, text: &str) {
        if !text.is_empty() {
            write_text(&mut self.labels, spot, side, "", text);
        }
    }

    /// The same inside a filled shape.
    pub(super) fn inner_label(&mut self, spot: Spot, side: Side, text: &str) {
        write_text(&mut self.inner_labels, spot, side, "", text);
    }

    /// The letter of a point or an axis, in italics as in the question; empty for none.
    pub(super) fn name(&mut self, spot: Spot, side: Side, letter: &str) {
        if !letter.is_empty() {
            write_text(&mut self.labels, spot, side, " font-family='serif' font-style='italic' font-size='18'", letter);
        }
    }

    /// A number of the scale, such as those on the face of a clock.
    pub(super) fn mark(&mut self, spot: Spot, side: Side, text: &str) {
        write_text(&mut self.scale, spot, side, "", text);
    }

    /// The figure on a white sheet, so that it can be read on a dark page too.
    pub(super) fn finish(self, description: String) -> Figure {
        let Self { height, shapes, labels, inner_labels, scale } = self;
        let (width, height) = (short(WIDTH), short(height));
        let scale = group("class='scale' fill='#4b5563' font-size='13'", &scale);
        let inner_labels = group(&format!("stroke='{FILL}'"), &inner_labels);
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}' \
             font-family='sans-serif' font-size='16' text-anchor='middle'>\
             <rect width='{width}' height='{height}' rx='8' fill='#fff'/>\
             <g fill='none' stroke='#1f2937' stroke-width='2' stroke-linejoin='round'>{shapes}</g>{scale}\
             <g fill='#1f2937' stroke='#fff' stroke-width='4' paint-order='stroke'>{labels}{inner_labels}</g></svg>"
        );
        Figure { image: address(&svg), description }
    }
}

/// Shapes or texts with something in common; nothing if there are none.
fn group(attributes: &str, content: &str) -> String {
    if content.is_empty() { String::new() } else { format!("<g {attributes}>{content}</g>") }
}

fn fill(is_filled: bool) -> String {
    if is_filled { format!(" fill='{FILL}'") } else { String::new() }
}

fn write_text(texts: &mut String, (x, y): Spot, side: Side, font: &str, text: &str) {
    let (x, y, anchor) = match side {
        Side::Above => (x, y - 8.0, ""),
        Side::Below => (x, y + 20.0, ""),
        Side::Left => (x - 8.0, y + 5.0, " text-anchor='end'"),
        Side::Right => (x + 8.0, y + 5.0, " text-anchor='start'"),
        Side::Middle => (x, y + 5.0, ""),
    };
    // Writing into a text can't fail.
    let _ = write!(texts, "<text x='{}' y='{}'{anchor}{font}>{text}</text>", short(x), short(y));
}

/// A coordinate with at most one decimal place.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Whole numbers of questions are small enough to be exact.
pub(super) fn real(value: i64) -> f64 {
    value as f64
}

/// The point at a distance from another one, in degrees against the clock from the right.
pub(super) fn around((x, y): Spot, distance: f64, degrees: f64) -> Spot {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    (x + distance * cosine, y - distance * sine)
}

pub(super) fn middle((x, y): Spot, (end_x, end_y): Spot) -> Spot {
    (f64::midpoint(x, end_x), f64::midpoint(y, end_y))
}

/// The address of a picture that contains it. Quotes and most signs need no code there, so it stays short.
pub(crate) fn address(svg: &str) -> String {
    let mut address = ADDRESS_START.to_owned();
    for byte in svg.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            address.push(char::from(byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address
}
