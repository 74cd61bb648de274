//! Draws a student's drawing as a small picture in a frame.

use super::drawing::{Drawing, Point, Shape};
use super::paper::Paper;
use super::{Ink, Mark};
use crate::reports::text::Style;

/// Distance from the frame to the drawing.
const PADDING: f32 = 3.0;
/// Points of a line that are nearer to each other than this, on paper, become one: nobody would see the difference.
const GRAIN: f32 = 0.35;
/// Points of one picture; a drawing with more is drawn more coarsely, so that the file stays small.
const PICTURE_POINTS_MAX: usize = 1_500;
/// The coarsest grain; a picture that still has too many points keeps them.
const GRAIN_COARSEST: f32 = 16.0;
/// Least and greatest thickness of lines on paper.
const THICKNESS: (f32, f32) = (0.5, 4.0);
/// Least and greatest size of texts on paper.
const TEXT_SIZE: (f32, f32) = (3.5, 10.0);

/// Draws the picture within these edges, as large as its shape allows.
pub(super) fn put(paper: &mut Paper<'_>, drawing: &Drawing, x: f32, y: f32, width: f32, height: f32) {
    paper.block(x, y, width, height, Ink::PAPER);
    let corners = vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
    let (inner_width, inner_height) = (width - 2.0 * PADDING, height - 2.0 * PADDING);
    let (across, down) = (drawing.to.0 - drawing.from.0, drawing.to.1 - drawing.from.1);
    // A dot has no size. It is shown as if it stood on a canvas of one unit.
    let scale = (inner_width / across.max(1.0)).min(inner_height / down.max(1.0));
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
    paper.put(Mark::Path { points: corners, is_closed: true, thickness: Some(0.6), ink: Ink::RULE });
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
