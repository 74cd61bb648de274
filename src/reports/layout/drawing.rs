//! Reads drawings in the formats of `docs/live-protocol.md#drawings` and turns them into shapes. It is tolerant:
//! clients may have formats of their own, so whatever it does not understand is skipped.

use serde_json::{Map, Value};

use super::Ink;

/// Shapes of one drawing that are shown, enough for the two thousand strokes that the pages are made for.
const SHAPES_MAX: usize = 2_500;
/// Points of one drawing that are read. A drawing of 200 KiB could hold more, and each is work for the layout.
const POINTS_MAX: usize = 40_000;
/// Larger coordinates are ignored: below a million, a 32-bit float keeps every difference that can be seen.
const COORDINATE_MAX: f64 = 1e6;
/// The keys under which clients send lists of shapes.
const LISTS: [&str; 7] = ["strokes", "shapes", "elements", "objects", "paths", "lines", "items"];
/// Points by which an ellipse is drawn, enough to look round at the size of a report's picture.
const ELLIPSE_POINTS: u8 = 48;
/// Texts of one drawing that are shown. Text is more work to lay out than lines.
const TEXTS_MAX: usize = 40;
/// Characters of one text that are shown, more than fit across a picture at its smallest size.
const TEXT_CHARACTERS_MAX: usize = 80;
/// Characters of all texts of one drawing that are shown, half of what [`TEXTS_MAX`] texts could have.
const CHARACTERS_MAX: usize = 1_600;
/// One character costs about as much work as this many points.
const CHARACTER_POINTS: usize = 10;
/// A colour with a lower alpha is shown as a light colour, since the report has no transparency.
const OPAQUE_FROM: f32 = 0.6;

/// A point in the drawing's own unit.
pub(super) type Point = (f32, f32);

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A line through points.
    Line {
        /// At least one.
        points: Vec<Point>,
        /// Thickness in the drawing's unit.
        thickness: f32,
        ink: Ink,
    },
    /// A text that begins at `at`, on its base line.
    Text {
        at: Point,
        text: String,
        /// Size in the drawing's unit.
        size: f32,
        ink: Ink,
    },
}

/// The shapes of a drawing, and the room that they take.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The upper left corner of what is drawn.
    pub from: Point,
    /// The lower right corner.
    pub to: Point,
    /// Width of the sheet that it lies on, if the client says so.
    pub sheet_width: Option<f32>,
    /// In the order in which they are drawn; at least one.
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// How much work it is to show the drawing, in points.
    #[must_use]
    pub fn cost(&self) -> usize {
        let of = |shape: &Shape| match shape {
            Shape::Line { points, .. } => points.len(),
            Shape::Text { text, .. } => text.chars().count() * CHARACTER_POINTS,
        };
        self.shapes.iter().map(of).sum()
    }
}

/// Reads a drawing from JSON; `None` when nothing in it is understood.
#[must_use]
pub fn read_drawing(json: &str) -> Option<Drawing> {
    let value: Value = serde_json::from_str(json).ok()?;
    let object = value.as_object()?;
    let mut reader = Reader {
        beneath: Vec::new(),
        shapes: Vec::new(),
        points_left: POINTS_MAX,
        texts_left: TEXTS_MAX,
        characters_left: CHARACTERS_MAX,
    };
    for elements in LISTS.iter().filter_map(|list| object.get(*list)?.as_array()) {
        elements.iter().for_each(|element| reader.element(element));
    }
    let size = size(object).filter(|(width, height)| *width > 0.0 && *height > 0.0);
    let Reader { beneath: mut shapes, shapes: above, .. } = reader;
    shapes.extend(above);
    let (from, to) = bounds(&shapes)?;
    Some(Drawing { from, to, sheet_width: size.map(|(width, _)| width), shapes })
}

struct Reader {
    /// Shapes of a highlighter. They lie beneath the others, so that they cover nothing.
    beneath: Vec<Shape>,
    shapes: Vec<Shape>,
    points_left: usize,
    texts_left: usize,
    characters_left: usize,
}

impl Reader {
    fn element(&mut self, element: &Value) {
        if self.beneath.len() + self.shapes.len() >= SHAPES_MAX {
            return;
        }
        match element {
            Value::Array(points) => {
                let points = self.points(points);
                self.line(points, 2.0, Ink::TEXT);
            }
            Value::Object(object) => self.object(object),
            _ => {}
        }
    }

    fn object(&mut self, object: &Map<String, Value>) {
        let kinds: Vec<String> = ["type", "kind", "tool", "shape", "t"]
            .iter()
            .filter_map(|name| Some(object.get(*name)?.as_str()?.to_lowercase()))
            .collect();
        if kinds.iter().any(|kind| kind.contains("highlight")) {
            // A highlighter's shape is read like any other and then moved beneath all of them.
            let before = self.shapes.len();
            self.shape(object, &kinds, true);
            self.beneath.extend(self.shapes.drain(before..));
        } else {
            self.shape(object, &kinds, false);
        }
    }

    fn shape(&mut self, object: &Map<String, Value>, kinds: &[String], is_highlight: bool) {
        let kind = kinds.first().map(String::as_str).unwrap_or_default();
        let ink = if kinds.iter().any(|kind| kind == "eraser") { Ink::PAPER } else { ink(object, is_highlight) };
        let is_box = matches!(kind, "rectangle" | "rect" | "ellipse" | "circle" | "oval" | "square");
        let names: &[&str] = match is_box {
            true if object.contains_key("p") => &["w"],
            true => &["lineWidth", "strokeWidth", "thickness"],
            false => &["lineWidth", "strokeWidth", "thickness", "width", "size", "w"],
        };
        let thickness = number(object, names).filter(|thickness| *thickness > 0.0).unwrap_or(2.0);
        if let Some(text) = ["text", "s"].iter().find_map(|name| object.get(*name)?.as_str()) {
            self.text(object, text, ink);
            return;
        }
        if let Some(points) = ["points", "path", "p"].iter().find_map(|name| object.get(*name)?.as_array()) {
            let points = self.points(points);
            let points = if is_box { outline(kind, &points) } else { points };
            self.line(points.clone(), thickness, ink);
            self.arrowhead(kind, &points, thickness, ink);
            return;
        }
        let points = placed(object, kind);
        self.line(points.clone(), thickness, ink);
        self.arrowhead(kind, &points, thickness, ink);
    }

    fn line(&mut self, points: Vec<Point>, thickness: f32, ink: Ink) {
        if !points.is_empty() {
            self.shapes.push(Shape::Line { points, thickness, ink });
        }
    }

    fn text(&mut self, object: &Map<String, Value>, text: &str, ink: Ink) {
        let listed = || self.points(object.get("p")?.as_array()?).first().copied();
        let Some(at) = number(object, &["x"]).zip(number(object, &["y"])).or_else(listed) else { return };
        let text: String = text.chars().take(TEXT_CHARACTERS_MAX.min(self.characters_left)).collect();
        if self.texts_left > 0 && !text.trim().is_empty() {
            self.texts_left -= 1;
            self.characters_left -= text.chars().count();
            let size = number(object, &["fontSize", "size", "w"]).filter(|size| *size > 0.0).unwrap_or(16.0);
            self.shapes.push(Shape::Text { at, text, size, ink });
        }
    }

    /// Adds the two short lines at the end of an arrow.
    fn arrowhead(&mut self, kind: &str, points: &[Point], thickness: f32, ink: Ink) {
        let [.., (x1, y1), (x2, y2)] = points else { return };
        let length = (x2 - x1).hypot(y2 - y1);
        if kind != "arrow" || length <= 0.0 {
            return;
        }
        let reach = (thickness * 5.0).max(length * 0.12).min(length);
        let (dx, dy) = ((x2 - x1) / length * reach, (y2 - y1) / length * reach);
        let side = |turn: f32| (x2 - dx * 0.87 + dy * 0.5 * turn, y2 - dy * 0.87 - dx * 0.5 * turn);
        self.line(vec![side(1.0), (*x2, *y2), side(-1.0)], thickness, ink);
    }

    /// Reads points given as `[x, y]`, as `{"x", "y"}` or as alternating numbers.
    fn points(&mut self, list: &[Value]) -> Vec<Point> {
        let is_flat = list.first().is_some_and(Value::is_number);
        let most = if is_flat { self.points_left * 2 } else { self.points_left };
        let list = list.get(..list.len().min(most)).unwrap_or_default();
        self.points_left -= if is_flat { list.len().div_ceil(2) } else { list.len() };
        if is_flat {
            let numbers: Vec<f32> = list.iter().map_while(coordinate).collect();
            return numbers.as_chunks::<2>().0.iter().map(|[x, y]| (*x, *y)).collect();
        }
        let point = |value: &Value| match value {
            Value::Array(pair) => coordinate(pair.first()?).zip(coordinate(pair.get(1)?)),
            Value::Object(object) => number(object, &["x"]).zip(number(object, &["y"])),
            _ => None,
        };
        list.iter().filter_map(point).collect()
    }
}

/// The outline of a shape between two corners.
fn outline(kind: &str, corners: &[Point]) -> Vec<Point> {
    let [(x1, y1), .., (x2, y2)] = corners else { return Vec::new() };
    match kind {
        "rectangle" | "rect" | "square" => vec![(*x1, *y1), (*x2, *y1), (*x2, *y2), (*x1, *y2), (*x1, *y1)],
        _ => ellipse((x1 + x2) / 2.0, (y1 + y2) / 2.0, (x2 - x1) / 2.0, (y2 - y1) / 2.0),
    }
}

fn ellipse(x: f32, y: f32, across: f32, down: f32) -> Vec<Point> {
    let angle = |step: u8| f32::from(step) / f32::from(ELLIPSE_POINTS) * std::f32::consts::TAU;
    (0..=ELLIPSE_POINTS).map(angle).map(|angle| (x + across * angle.cos(), y + down * angle.sin())).collect()
}

/// The points of a shape that is described by its position and size.
fn placed(object: &Map<String, Value>, kind: &str) -> Vec<Point> {
    let pair = |first: &[&str], second: &[&str]| number(object, first).zip(number(object, second));
    let round = || {
        let radius = number(object, &["r", "radius"]);
        let (x, y) = pair(&["cx", "x"], &["cy", "y"])?;
        Some(ellipse(
            x,
            y,
            number(object, &["rx", "radiusX"]).or(radius)?,
            number(object, &["ry", "radiusY"]).or(radius)?,
        ))
    };
    let ends = pair(&["x1", "startX"], &["y1", "startY"]).zip(pair(&["x2", "endX"], &["y2", "endY"]));
    let sized = pair(&["x"], &["y"])
        .zip(pair(&["width", "w"], &["height", "h"]))
        .map(|((x, y), (width, height))| ((x, y), (x + width, y + height)));
    match kind {
        "rectangle" | "rect" | "square" => ends.or(sized).map(|(from, to)| outline(kind, &[from, to])),
        "ellipse" | "circle" | "oval" => {
            round().or_else(|| ends.or(sized).map(|(from, to)| outline(kind, &[from, to])))
        }
        _ => ends.map(|(from, to)| vec![from, to]),
    }
    .unwrap_or_default()
}

/// Size of the canvas: `size` in the pages' format, or else `width` and `height`, which some clients put into `canvas`.
fn size(object: &Map<String, Value>) -> Option<Point> {
    if let Some([width, height]) = object.get("size").and_then(Value::as_array).map(Vec::as_slice) {
        return coordinate(width).zip(coordinate(height));
    }
    let canvas = object.get("canvas").and_then(Value::as_object).unwrap_or(object);
    number(canvas, &["width"]).zip(number(canvas, &["height"]))
}

/// The rectangle that contains all shapes.
fn bounds(shapes: &[Shape]) -> Option<(Point, Point)> {
    let of = |shape: &Shape| match shape {
        Shape::Line { points, .. } => points.clone(),
        Shape::Text { at: (x, y), text, size, .. } => {
            let characters = f32::from(u16::try_from(text.chars().count()).unwrap_or(u16::MAX));
            vec![(*x, y - size), (x + characters * size * 0.6, *y)]
        }
    };
    let drawn: Vec<Point> = shapes.iter().flat_map(of).collect();
    let first = *drawn.first()?;
    let grow =
        |((x1, y1), (x2, y2)): (Point, Point), (x, y): &Point| ((x1.min(*x), y1.min(*y)), (x2.max(*x), y2.max(*y)));
    Some(drawn.iter().fold((first, first), grow))
}

fn number(object: &Map<String, Value>, names: &[&str]) -> Option<f32> {
    names.iter().find_map(|name| coordinate(object.get(*name)?))
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "held within a million, of which a float of 32 bits keeps what can be seen"
)]
fn coordinate(value: &Value) -> Option<f32> {
    value.as_f64().filter(|number| number.abs() <= COORDINATE_MAX).map(|number| number as f32)
}

/// The colour of a shape. A highlighter's colour is made light, so that the text below it can be read.
fn ink(object: &Map<String, Value>, is_highlight: bool) -> Ink {
    let found = ["color", "colour", "stroke", "c"].iter().find_map(|name| colour(object.get(*name)?.as_str()?));
    let (ink, is_translucent) = found.unwrap_or((Ink::TEXT, false));
    if is_highlight || is_translucent { light(ink) } else { ink }
}

/// The colour mixed with two parts of white.
const fn light(Ink(red, green, blue): Ink) -> Ink {
    const fn part(part: u8) -> u8 {
        u8::MAX - (u8::MAX - part) / 3
    }
    Ink(part(red), part(green), part(blue))
}

/// The colour, and whether it is translucent.
fn colour(text: &str) -> Option<(Ink, bool)> {
    let text = text.trim().to_ascii_lowercase();
    measured(&text).or_else(|| Some((opaque(&text)?, false)))
}

/// Parses `rgb(…)` or `rgba(…)`.
fn measured(text: &str) -> Option<(Ink, bool)> {
    let parts = text.strip_prefix("rgba(").or_else(|| text.strip_prefix("rgb("))?.strip_suffix(')')?;
    let parts: Vec<&str> = parts.split([',', ' ', '/']).filter(|part| !part.is_empty()).collect();
    let [red, green, blue, rest @ ..] = parts.as_slice() else { return None };
    let alpha: f32 = match rest {
        [] => 1.0,
        [alpha] => alpha.parse().ok()?,
        _ => return None,
    };
    Some((Ink(red.parse().ok()?, green.parse().ok()?, blue.parse().ok()?), alpha < OPAQUE_FROM))
}

/// Parses `#rgb`, `#rrggbb` or a common colour name.
fn opaque(text: &str) -> Option<Ink> {
    let named = [
        ("black", Ink::TEXT),
        ("red", Ink(0xC6, 0x28, 0x28)),
        ("green", Ink(0x2E, 0x7D, 0x32)),
        ("blue", Ink(0x15, 0x65, 0xC0)),
        ("orange", Ink(0xE6, 0x6A, 0x00)),
        ("purple", Ink(0x6A, 0x1B, 0x9A)),
        ("yellow", Ink(0xF9, 0xC8, 0x0E)),
        ("gray", Ink::QUIET),
        ("grey", Ink::QUIET),
        ("white", Ink::PAPER),
    ];
    let Some(hex) = text.strip_prefix('#') else {
        return named.into_iter().find(|(name, _)| text.eq_ignore_ascii_case(name)).map(|(_, ink)| ink);
    };
    let doubled: String =
        if hex.len() == 3 { hex.chars().flat_map(|digit| [digit, digit]).collect() } else { hex.to_owned() };
    let part = |range: std::ops::Range<usize>| u8::from_str_radix(doubled.get(range)?, 16).ok();
    Some(Ink(part(0..2)?, part(2..4)?, part(4..6)?))
}

#[cfg(test)]
mod tests;
