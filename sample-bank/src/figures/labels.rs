//! Where the labels of points stand on a plane: beside their point, and away from lines, axes and one another.

use super::areas::Area;
use super::canvas::Spot;

/// How far from a point its label begins.
const GAP: f64 = 8.0;
const HALF_HEIGHT: f64 = 9.0;
/// Half the width of a character, of a font that is rather wide.
const HALF_CHARACTER: f64 = 4.4;

/// A text and the area that it takes.
pub(super) struct Label {
    pub(super) area: Area,
    pub(super) text: String,
}

/// What is on the sheet.
pub(super) struct Obstacles<'a> {
    pub(super) sheet: Area,
    pub(super) dots: &'a [Spot],
    pub(super) lines: &'a [(Spot, Spot)],
    pub(super) axes: &'a [(Spot, Spot)],
    /// Areas of texts.
    pub(super) taken: Vec<Area>,
}

impl Obstacles<'_> {
    /// Places a label beside a spot where it is least in the way, and keeps its area.
    pub(super) fn place(&mut self, (x, y): Spot, text: String) -> Label {
        let half = (HALF_CHARACTER * text.chars().count() as f64, HALF_HEIGHT);
        let (aside, away) = (GAP + half.0, GAP + HALF_HEIGHT);
        let mut best = (f64::INFINITY, Area { center: (x, y - away), half });
        let level = [-1.0, 1.0].map(|side| (side * aside, 0.0));
        let slanted = [0.0, 0.3, -0.3, 0.6, -0.6, 0.9, -0.9]
            .into_iter()
            .flat_map(|part| [-away, away].map(|away| (part * aside, away)));
        for (across, down) in slanted.chain(level) {
            let area = Area { center: (x + across, y + down), half };
            let cost = self.cost(&area) + across.abs() / aside;
            if cost < best.0 {
                best = (cost, area);
            }
        }
        let (_, area) = best;
        self.taken.push(area);
        Label { area, text }
    }

    /// Nothing may be cut off or cover another text or a point; a line through a text is bad, and an axis less so.
    fn cost(&self, area: &Area) -> f64 {
        let Area { center, half: (width, height) } = *area;
        let dots = self.dots.iter().filter(|dot| area.meets(&Area { center: **dot, half: (4.0, 4.0) })).count();
        let texts = self.taken.iter().filter(|taken| area.meets(taken)).count();
        let crossed = |lines: &[(Spot, Spot)]| lines.iter().filter(|(from, to)| area.is_crossed(*from, *to)).count();
        let near = Area { center, half: (width + 4.0, height + 2.0) };
        let near_axes = self.axes.iter().filter(|(from, to)| near.is_crossed(*from, *to)).count();
        let outside = usize::from(!self.sheet.contains(area));
        [(outside, 1_000.0), (texts, 300.0), (dots, 300.0), (crossed(self.lines), 100.0), (crossed(self.axes), 40.0)]
            .into_iter()
            .chain([(near_axes, 2.0)])
            .map(|(count, cost)| count as f64 * cost)
            .sum()
    }

    /// Whether an area has neither a text nor a line, apart from the axes.
    pub(super) fn is_free(&self, area: &Area) -> bool {
        let Area { center, half: (width, height) } = *area;
        let near = Area { center, half: (width + 2.0, height + 2.0) };
        !self.taken.iter().any(|taken| area.meets(taken))
            && !self.lines.iter().any(|(from, to)| near.is_crossed(*from, *to))
            && !self.dots.iter().any(|dot| near.meets(&Area { center: *dot, half: (4.0, 4.0) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_stands_beside_lines_axes_and_other_labels() {
        let point = (100.0, 100.0);
        let lines = [((0.0, 100.0), (200.0, 100.0)), ((60.0, 200.0), (60.0, 0.0))];
        let mut obstacles = Obstacles {
            sheet: Area::between((0.0, 0.0), (200.0, 200.0)),
            dots: &[point],
            lines: &lines[..1],
            axes: &lines[1..],
            taken: Vec::new(),
        };
        let areas = ["(1, 2)", "(1, 2)"].map(|text| obstacles.place(point, text.to_owned()).area);
        let [first, second] = areas;
        assert!(!first.meets(&second));
        for area in areas {
            assert!(obstacles.sheet.contains(&area), "{:?}", area.center);
            assert!(lines.iter().all(|(from, to)| !area.is_crossed(*from, *to)), "{:?}", area.center);
            assert!(!obstacles.is_free(&area));
        }
    }
}
