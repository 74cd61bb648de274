//! Areas of a sheet: what a label takes, and what lines leave free.

use super::canvas::Spot;

/// An upright rectangle of the sheet.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) center: Spot,
    /// Half its width, and half its height.
    pub(super) half: Spot,
}

impl Area {
    pub(super) fn between((x, y): Spot, (end_x, end_y): Spot) -> Self {
        let half = ((end_x - x).abs() / 2.0, (end_y - y).abs() / 2.0);
        Self { center: (f64::midpoint(x, end_x), f64::midpoint(y, end_y)), half }
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        let ((x, y), (other_x, other_y)) = (self.center, other.center);
        (x - other_x).abs() < self.half.0 + other.half.0 && (y - other_y).abs() < self.half.1 + other.half.1
    }

    pub(super) fn contains(&self, other: &Self) -> bool {
        let ((x, y), (other_x, other_y)) = (self.center, other.center);
        (x - other_x).abs() <= self.half.0 - other.half.0 && (y - other_y).abs() <= self.half.1 - other.half.1
    }

    pub(super) fn is_crossed(&self, from: Spot, to: Spot) -> bool {
        self.clipped(from, to).is_some()
    }

    /// The part of a line that is inside.
    pub(super) fn clipped(&self, from: Spot, to: Spot) -> Option<(Spot, Spot)> {
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let (mut start, mut end) = (0.0_f64, 1.0_f64);
        for (place, way, center, half) in
            [(from.0, across, self.center.0, self.half.0), (from.1, down, self.center.1, self.half.1)]
        {
            if way.abs() < f64::EPSILON {
                if (place - center).abs() > half {
                    return None;
                }
                continue;
            }
            let (one, other) = ((center - half - place) / way, (center + half - place) / way);
            start = start.max(one.min(other));
            end = end.min(one.max(other));
        }
        let at = |part: f64| (from.0 + across * part, from.1 + down * part);
        (start <= end).then(|| (at(start), at(end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_it_leaves_the_area() {
        let area = Area::between((0.0, 0.0), (10.0, 20.0));
        assert_eq!(area.clipped((-10.0, 5.0), (30.0, 5.0)), Some(((0.0, 5.0), (10.0, 5.0))));
        assert_eq!(area.clipped((-5.0, -5.0), (15.0, 15.0)), Some(((0.0, 0.0), (10.0, 10.0))));
        assert_eq!(area.clipped((4.0, 4.0), (6.0, 8.0)), Some(((4.0, 4.0), (6.0, 8.0))));
        assert_eq!(area.clipped((11.0, 0.0), (11.0, 20.0)), None);
        assert_eq!(area.clipped((-10.0, 0.0), (0.0, 30.0)), None);
    }
}
