//! Points, lines and shapes on a coordinate plane.

use super::Figure;
use super::areas::Area;
use super::canvas::{Canvas, Side, Spot, WIDTH, real, short};
use super::labels::{Label, Obstacles};
use crate::algebra::{integer, point};

/// The room for the grid: as wide as the sheet, and so high that pages need not make the figure smaller.
const ROOM: Spot = (300.0, 236.0);
const MARGIN: f64 = 10.0;
/// The longest unit, so that a figure of few units is not out of proportion.
const ONE_MAX: f64 = 24.0;
/// The shortest unit that leaves room for a number at every other line.
const ONE_MIN_FOR_TWO: f64 = 13.0;

/// What is drawn through the points of a plane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// The points alone.
    Points,
    /// The segment between two of them.
    Segment,
    /// The line through two of them.
    Line,
    /// The shape whose corners they are.
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
    /// The points, the origin and a little more, and to the sides as much as there is room for.
    fn around(points: &[(i64, i64)]) -> Self {
        let bounds = |values: &dyn Fn(&(i64, i64)) -> i64| {
            let least = points.iter().map(values).min().unwrap_or(0).min(0);
            (least - 2, points.iter().map(values).max().unwrap_or(0).max(0) + 2)
        };
        let ((left, right), (low, high)) = (bounds(&|(x, _)| *x), bounds(&|(_, y)| *y));
        let (wide, tall) = ROOM;
        let one = (wide / real(right - left)).min(tall / real(high - low)).min(ONE_MAX);
        let is_roomy = |more: i64| one * real(right - left + more) <= wide;
        let more = (0..).find(|more| !is_roomy(more + 1)).unwrap_or(0);
        Self { left: left - more / 2, right: right + (more - more / 2), low, high, one }
    }

    fn spot(&self, (x, y): (i64, i64)) -> Spot {
        let margin = (WIDTH - self.one * real(self.right - self.left)) / 2.0;
        (margin + self.one * real(x - self.left), MARGIN + self.one * real(self.high - y))
    }

    fn height(&self) -> f64 {
        2.0 * MARGIN + self.one * real(self.high - self.low)
    }

    fn area(&self) -> Area {
        Area::between(self.spot((self.left, self.high)), self.spot((self.right, self.low)))
    }

    /// The axes, each from its lower end.
    fn axes(&self) -> [(Spot, Spot); 2] {
        let Self { left, right, low, high, .. } = *self;
        [((left, 0), (right, 0)), ((0, low), (0, high))].map(|(from, to)| (self.spot(from), self.spot(to)))
    }

    /// How many units are between two numbers at the axes.
    fn step(&self) -> i64 {
        if self.one >= ONE_MIN_FOR_TWO { 2 } else { 5 }
    }
}

/// A coordinate plane with these points.
pub(crate) fn plane(points: &[(i64, i64)], drawn: Drawn) -> Figure {
    let window = Window::around(points);
    let mut canvas = Canvas::new(window.height());
    let spots: Vec<Spot> = points.iter().map(|point| window.spot(*point)).collect();
    let lines = lines(&window, &spots, drawn);
    grid(&mut canvas, &window);
    if drawn == Drawn::Shape {
        canvas.polygon(&spots, true);
    }
    let letters = letters(&window, &lines);
    let mut obstacles = Obstacles {
        sheet: Area::between((2.0, 2.0), (WIDTH - 2.0, window.height() - 2.0)),
        dots: &spots,
        lines: &lines,
        axes: &window.axes(),
        taken: letters.iter().map(|(area, _)| *area).collect(),
    };
    let labels: Vec<Label> =
        points.iter().zip(&spots).map(|(known, spot)| obstacles.place(*spot, point(*known))).collect();
    axes(&mut canvas, &window, &obstacles);
    for (from, to) in lines.iter().filter(|_| drawn != Drawn::Shape) {
        canvas.line(*from, *to);
    }
    for spot in spots {
        canvas.dot(spot);
    }
    for Label { area, text } in labels {
        canvas.label(area.center, Side::Middle, &text);
    }
    for (area, letter) in letters {
        canvas.name(area.center, Side::Middle, letter);
    }
    canvas.finish(description(points, drawn))
}

/// The lines that are drawn through the points: a line as far as the grid, a shape's edges around it.
fn lines(window: &Window, spots: &[Spot], drawn: Drawn) -> Vec<(Spot, Spot)> {
    match (drawn, spots) {
        (Drawn::Segment, [from, to]) => vec![(*from, *to)],
        (Drawn::Line, [from, to]) => {
            let beyond = |(x, y): Spot, (end_x, end_y): Spot| (end_x + 50.0 * (end_x - x), end_y + 50.0 * (end_y - y));
            window.area().clipped(beyond(*to, *from), beyond(*from, *to)).into_iter().collect()
        }
        (Drawn::Shape, _) => spots.iter().copied().zip(spots.iter().copied().cycle().skip(1)).collect(),
        _ => Vec::new(),
    }
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

/// The names of the axes beside the arrows, on the side where no line goes.
fn letters(window: &Window, lines: &[(Spot, Spot)]) -> [(Area, &'static str); 2] {
    let [(_, (right, across)), (_, (up, top))] = window.axes();
    let free = |[usual, other]: [Spot; 2]| {
        let [usual, other] = [usual, other].map(|center| Area { center, half: (8.0, 9.0) });
        if lines.iter().any(|(from, to)| usual.is_crossed(*from, *to)) { other } else { usual }
    };
    [
        (free([(right - 2.0, across - 13.0), (right - 2.0, across + 12.0)]), "x"),
        (free([(up + 13.0, top + 4.0), (up - 13.0, top + 4.0)]), "y"),
    ]
}

/// The axes with their arrows, and numbers beside them where nothing else is.
fn axes(canvas: &mut Canvas, window: &Window, obstacles: &Obstacles<'_>) {
    let Window { left, right, low, high, .. } = *window;
    let [(from, (right_end, across)), (below, (up, top))] = window.axes();
    canvas.line(from, (right_end + 5.0, across));
    canvas.line(below, (up, top - 5.0));
    let arrows = format!(
        "M{} {}l7 4l-7 4M{} {}l4 -7l4 7",
        short(right_end - 1.0),
        short(across - 4.0),
        short(up - 4.0),
        short(top + 1.0)
    );
    canvas.shape(&format!("<path d='{arrows}'/>"));
    let is_marked = |number: &i64| *number != 0 && number % window.step() == 0;
    let across = (left + 1..right).filter(is_marked).map(|x| (window.spot((x, 0)), integer(x), false));
    let up = (low + 1..high).filter(is_marked).map(|y| (window.spot((0, y)), integer(y), true));
    let (origin_x, origin_y) = window.spot((0, 0));
    let origin = ((origin_x - 9.0, origin_y), "0".to_owned(), false);
    for ((x, y), text, is_upright) in across.chain(up).chain([origin]) {
        let half = 4.0 * text.chars().count() as f64;
        let center = if is_upright { (x - half - 5.0, y) } else { (x, y + 12.0) };
        if obstacles.is_free(&Area { center, half: (half, 6.0) }) {
            canvas.mark(center, Side::Middle, &text);
        }
    }
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
