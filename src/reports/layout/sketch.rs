//! Draws a student's drawing as a picture in a frame: what is drawn, without the empty rest of its sheet.

use super::drawing::{Drawing, Point, Shape};
use super::paper::Paper;
use super::{Ink, Mark};
use crate::reports::text::Style;

/// Distance from the frame to the drawing.
const PADDING: f32 = 6.0;
/// Least and greatest height of a picture: three of the highest stand on a page.
const HEIGHT: (f32, f32) = (48.0, 200.0);
/// How much larger a drawing may be than if the whole of its sheet were shown: a dot stays a dot.
const ENLARGEMENT: f32 = 3.0;
/// Points of a line that are nearer to each other than this, on paper, become one: nobody would see the difference.
const GRAIN: f32 = 0.35;
/// Points of one picture; a drawing with more is drawn more coarsely, so that the file stays small.
const PICTURE_POINTS_MAX: usize = 1_500;
/// The coarsest grain; a picture that still has too many points keeps them.
const GRAIN_COARSEST: f32 = 16.0;
/// Least and greatest thickness of lines on paper.
const THICKNESS: (f32, f32) = (0.9, 5.0);
/// Least and greatest size of texts on paper.
const TEXT_SIZE: (f32, f32) = (7.0, 16.0);

/// Points on paper for each unit of the drawing, in a picture of this width.
fn scale(drawing: &Drawing, width: f32) -> f32 {
    let (inner_width, inner_height) = (width - 2.0 * PADDING, HEIGHT.1 - 2.0 * PADDING);
    let (across, down) = (drawing.to.0 - drawing.from.0, drawing.to.1 - drawing.from.1);
    // A dot has no size. It is shown as if it stood on a canvas of one unit.
    let scale = (inner_width / across.max(1.0)).min(inner_height / down.max(1.0));
    match drawing.sheet_width {
        Some(of_sheet) => scale.min(ENLARGEMENT * inner_width / of_sheet),
        None => scale,
    }
}

/// Height of the picture of a drawing that has this width.
pub(super) fn height(drawing: &Drawing, width: f32) -> f32 {
    let down = drawing.to.1 - drawing.from.1;
    (down * scale(drawing, width) + 2.0 * PADDING).clamp(HEIGHT.0, HEIGHT.1)
}

/// Draws the picture with its upper left corner here, and in this width.
pub(super) fn put(paper: &mut Paper<'_>, drawing: &Drawing, (x, y): Point, width: f32) {
    let (height, scale) = (height(drawing, width), scale(drawing, width));
    paper.block(x, y, width, height, Ink::PAPER);
    let corners = vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
    let (inner_width, inner_height) = (width - 2.0 * PADDING, height - 2.0 * PADDING);
    let (across, down) = (drawing.to.0 - drawing.from.0, drawing.to.1 - drawing.from.1);
    let left = x + PADDING + (inner_width - across * scale) / 2.0;
    let top = y + PADDING + (inner_height - down * scale) / 2.0;
    let placed = |(px, py): Point| (left + (px - drawing.from.0) * scale, top + (py - drawing.from.1) * scale);
    let grain = grain(drawing, &placed);
    for shape in &drawing.shapes {
        match shape {
            Shape::Line { points, thickness, ink } => {
                let points = thinned(points.iter().map(|point| placed(*point)), grain);
                let thickness = Some((thickness * scale).clamp(THICKNESS.0, THICKNESS.1));
                paper.put(Mark::Path { points, is_closed: false, thickness, ink: *ink });
            }
            Shape::Text { at, text, size, ink } => {
                let (tx, ty) = placed(*at);
                let style = Style::regular((size * scale).clamp(TEXT_SIZE.0, TEXT_SIZE.1));
                let line = paper.typesetter.wrap(text, style, (x + width - PADDING - tx).max(0.0), 1);
                let fits =
                    |line: &std::sync::Arc<crate::reports::text::TextLine>| tx + line.width(style.size) <= x + width;
                if let Some(line) = line.into_iter().find(fits) {
                    let base = ty.clamp(y + style.size, y + height - PADDING);
                    paper.put(Mark::Text { x: tx, y: base, line, size: style.size, ink: *ink });
                }
            }
        }
    }
    paper.put(Mark::Path { points: corners, is_closed: true, thickness: Some(0.6), ink: Ink::EDGE });
}

/// The finest grain at which the picture has few enough points.
fn grain(drawing: &Drawing, placed: &impl Fn(Point) -> Point) -> f32 {
    let count = |grain: f32| {
        let of = |shape: &Shape| match shape {
            Shape::Line { points, .. } => thinned(points.iter().map(|point| placed(*point)), grain).len(),
            Shape::Text { .. } => 0,
        };
        drawing.shapes.iter().map(of).sum::<usize>()
    };
    let mut grain = GRAIN;
    while grain < GRAIN_COARSEST && count(grain) > PICTURE_POINTS_MAX {
        grain *= 2.0;
    }
    grain
}

/// The points that make a difference on paper. A dot keeps two equal points, since round line ends make such a line
/// visible.
fn thinned(points: impl Iterator<Item = Point>, grain: f32) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    let mut last = None;
    for (x, y) in points {
        last = Some((x, y));
        if kept.last().is_none_or(|(kx, ky)| (x - kx).hypot(y - ky) >= grain) {
            kept.push((x, y));
        }
    }
    if kept.len() == 1 || kept.last() != last.as_ref() {
        kept.extend(last);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::drawing::read_drawing;
    use super::*;
    use crate::reports::layout::PlacedMark;
    use crate::reports::text::Typesetter;
    use crate::reports::text::fonts::Fonts;

    /// The lines of a picture 300 points wide, the frame last, each with its width and its thickness.
    fn lines(json: &str) -> Vec<(f32, f32)> {
        let mut typesetter = Typesetter::new(Fonts::embedded().unwrap());
        let mut paper = Paper::new(&mut typesetter);
        put(&mut paper, &read_drawing(json).unwrap(), (0.0, 0.0), 300.0);
        let of = |placed: &PlacedMark| match &placed.mark {
            Mark::Path { points, thickness: Some(thickness), .. } => {
                let across = points.iter().map(|(x, _)| *x);
                Some((across.clone().fold(0.0, f32::max) - across.fold(f32::MAX, f32::min), *thickness))
            }
            _ => None,
        };
        paper.finish_plain().pages.iter().flatten().filter_map(of).collect()
    }

    #[test]
    fn a_drawing_is_as_large_as_its_picture_and_thin_lines_can_be_seen() {
        let [line, frame] = lines(r#"{"size":[1100,640],"items":[{"t":"pen","w":1,"p":[200,100,700,140]}]}"#)[..]
        else {
            panic!("a line and a frame");
        };
        assert!((line.0 - 288.0).abs() < 0.1 && line.1 >= THICKNESS.0, "{line:?}");
        assert!((frame.0 - 300.0).abs() < 0.1, "{frame:?}");
    }

    #[test]
    fn a_small_mark_is_not_blown_up() {
        let small = lines(r#"{"size":[1100,640],"items":[{"t":"pen","w":3,"p":[200,100,220,110]}]}"#);
        assert!((10.0..20.0).contains(&small[0].0), "{small:?}");
    }
}
