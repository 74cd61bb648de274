//! Points, lines and shapes on a coordinate plane.

use super::Figure;
use super::canvas::{Canvas, Side, Spot, WIDTH, real, short};
use crate::algebra::{integer, point};

/// What is drawn through the points of a plane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// The points alone.
    Points,
    /// The segment between two of them.
    Segment,
    /// The line through two of them.
    Line,
    /// The shape whose corners they are, which are not labelled: there may be no room.
    Shape,
}

/// The part of the plane that a figure shows.
struct Window {
    left: i64,
    right: i64,
    low: i64,
    high: i64,
    /// Length of a unit on the sheet.
    one: f64,
}

impl Window {
    fn around(points: &[(i64, i64)]) -> Self {
        let bounds = |values: &dyn Fn(&(i64, i64)) -> i64| {
            let least = points.iter().map(values).min().unwrap_or(0).min(0);
            (least - 2, points.iter().map(values).max().unwrap_or(0).max(0) + 2)
        };
        let ((left, right), (low, high)) = (bounds(&|(x, _)| *x), bounds(&|(_, y)| *y));
        let one = (300.0 / real(right - left)).min(300.0 / real(high - low)).min(24.0);
        Self { left, right, low, high, one }
    }

    fn spot(&self, (x, y): (i64, i64)) -> Spot {
        let margin = (WIDTH - self.one * real(self.right - self.left)) / 2.0;
        (margin + self.one * real(x - self.left), 10.0 + self.one * real(self.high - y))
    }

    fn height(&self) -> f64 {
        20.0 + self.one * real(self.high - self.low)
    }

    /// How many units are between two numbers at the axes.
    fn step(&self) -> i64 {
        match (self.right - self.left).max(self.high - self.low) {
            ..=9 => 1,
            10..=15 => 2,
            _ => 5,
        }
    }
}

/// A coordinate plane with these points.
pub(crate) fn plane(points: &[(i64, i64)], drawn: Drawn) -> Figure {
    let window = Window::around(points);
    let mut canvas = Canvas::new(window.height());
    let spots: Vec<Spot> = points.iter().map(|point| window.spot(*point)).collect();
    grid(&mut canvas, &window);
    if drawn == Drawn::Shape {
        canvas.polygon(&spots, true);
    }
    let labels = if drawn == Drawn::Shape { Vec::new() } else { labels(points, &spots, drawn) };
    axes(&mut canvas, &window, &labels);
    match (drawn, spots.as_slice()) {
        (Drawn::Segment, [from, to]) => canvas.line(*from, *to),
        (Drawn::Line, [from, to]) => through(&mut canvas, *from, *to, window.height()),
        _ => {}
    }
    for spot in spots {
        canvas.dot(spot);
    }
    for PointLabel { spot, side, text } in labels {
        canvas.label(spot, side, &text);
    }
    canvas.finish(description(points, drawn))
}

/// The coordinates of a point, beside it.
struct PointLabel {
    spot: Spot,
    side: Side,
    text: String,
}

impl PointLabel {
    /// Whether it would cover a number of the scale, of which something would look out behind it.
    fn covers(&self, (x, y): Spot) -> bool {
        let (label_x, label_y) = self.spot;
        let line = if matches!(self.side, Side::Above) { label_y - 8.0 } else { label_y + 20.0 };
        (label_x - x).abs() < 44.0 && (line - y).abs() < 18.0
    }
}

fn labels(points: &[(i64, i64)], spots: &[Spot], drawn: Drawn) -> Vec<PointLabel> {
    let label = |(known, (x, y)): (&(i64, i64), &Spot)| {
        let (aside, side) = free_place(*known, points, drawn);
        PointLabel { spot: ((x + aside).clamp(36.0, WIDTH - 36.0), *y), side, text: point(*known) }
    };
    points.iter().zip(spots).map(label).collect()
}

/// How far to the right of a point its label stands, and whether above or below: where no line goes, and away from the
/// other labels.
fn free_place((x, y): (i64, i64), points: &[(i64, i64)], drawn: Drawn) -> (f64, Side) {
    let highest = points.iter().map(|(_, y)| *y).max().unwrap_or(0);
    let leftmost = points.iter().map(|(x, _)| *x).min().unwrap_or(0);
    let side = if y == highest { Side::Above } else { Side::Below };
    let aside = match (drawn, x == leftmost) {
        (Drawn::Points, true) if x > 2 => -18.0,
        // Further to the left is the axis with its numbers.
        (Drawn::Points, true) => 24.0,
        (Drawn::Points, false) => 30.0,
        (_, true) => 30.0,
        (_, false) => -30.0,
    };
    (aside, side)
}

fn grid(canvas: &mut Canvas, window: &Window) {
    let Window { left, right, low, high, .. } = *window;
    let (start, end) = (window.spot((left, high)), window.spot((right, low)));
    let mut lines = String::new();
    for x in left..=right {
        let (place, _) = window.spot((x, 0));
        lines += &format!("M{} {}V{}", short(place), short(start.1), short(end.1));
    }
    for y in low..=high {
        let (_, place) = window.spot((0, y));
        lines += &format!("M{} {}H{}", short(start.0), short(place), short(end.0));
    }
    canvas.shape(&format!("<path stroke='#d1d5db' stroke-width='1' d='{lines}'/>"));
}

/// The axes, and numbers beside them where no label stands.
fn axes(canvas: &mut Canvas, window: &Window, labels: &[PointLabel]) {
    let Window { left, right, low, high, .. } = *window;
    canvas.line(window.spot((left, 0)), window.spot((right, 0)));
    canvas.line(window.spot((0, low)), window.spot((0, high)));
    let step = window.step();
    let is_marked = |number: &i64| *number != 0 && number % step == 0;
    let is_free = |spot: Spot| !labels.iter().any(|label| label.covers(spot));
    for x in (left + 1..right).filter(is_marked) {
        let (place, axis) = window.spot((x, 0));
        if is_free((place, axis + 16.0)) {
            canvas.mark((place, axis - 4.0), Side::Below, &integer(x));
        }
    }
    for y in (low + 1..high).filter(is_marked) {
        let (axis, place) = window.spot((0, y));
        if is_free((axis - 10.0, place + 5.0)) {
            canvas.mark((axis + 3.0, place), Side::Left, &integer(y));
        }
    }
}

/// A line through two spots, a little beyond them.
fn through(canvas: &mut Canvas, (x, y): Spot, (end_x, end_y): Spot, height: f64) {
    let (across, down) = (end_x - x, end_y - y);
    let length = across.hypot(down).max(1.0);
    let (more_x, more_y) = (across / length * 24.0, down / length * 24.0);
    let inside = |value: f64| value.clamp(4.0, height - 4.0);
    canvas.line((x - more_x, inside(y - more_y)), (end_x + more_x, inside(end_y + more_y)));
}

fn description(points: &[(i64, i64)], drawn: Drawn) -> String {
    let shown: Vec<String> = points.iter().copied().map(point).collect();
    let shown = match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => shown.join(""),
    };
    match drawn {
        Drawn::Points => format!("A coordinate plane with the points {shown}."),
        Drawn::Segment => format!("A coordinate plane with the points {shown} and the segment between them."),
        Drawn::Line => format!("A coordinate plane with the points {shown} and the straight line through them."),
        Drawn::Shape => format!("A coordinate plane with a shape that has the corners {shown}."),
    }
}
