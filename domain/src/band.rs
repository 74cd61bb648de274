//! The five bands of an adaptive test, which set the difficulty of its second stage.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::selection::Targets;

/// A range of the weighted percentage of stage 1; each lower bound belongs to its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
pub enum Band {
    /// 90 percent or more.
    #[serde(rename = "90-100")]
    From90,
    /// 80 to less than 90.
    #[serde(rename = "80-90")]
    From80,
    /// 70 to less than 80.
    #[serde(rename = "70-80")]
    From70,
    /// 60 to less than 70.
    #[serde(rename = "60-70")]
    From60,
    /// Less than 60.
    #[serde(rename = "below-60")]
    Below60,
}

impl Band {
    /// All five, from the best to the lowest.
    pub const ALL: [Self; 5] = [Self::From90, Self::From80, Self::From70, Self::From60, Self::Below60];

    /// The band of these points. Compared in integers, so that no rounding decides at a bound; a test without points is
    /// in the lowest band.
    #[must_use]
    pub fn of(earned: u32, max: u32) -> Self {
        let reaches = |tenths: u64| max > 0 && 10 * u64::from(earned) >= tenths * u64::from(max);
        match () {
            () if reaches(9) => Self::From90,
            () if reaches(8) => Self::From80,
            () if reaches(7) => Self::From70,
            () if reaches(6) => Self::From60,
            () => Self::Below60,
        }
    }

    /// The label in JSON: `90-100`, `80-90`, `70-80`, `60-70` or `below-60`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::From90 => "90-100",
            Self::From80 => "80-90",
            Self::From70 => "70-80",
            Self::From60 => "60-70",
            Self::Below60 => "below-60",
        }
    }

    /// Parses a band's label; `None` for any other text.
    #[must_use]
    pub fn parse(label: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|band| band.label() == label)
    }

    /// How many questions of each difficulty stage 2 has: 20 in all.
    #[must_use]
    pub const fn stage_two(self) -> Targets {
        match self {
            Self::From90 => Targets([0, 1, 3, 6, 10]),
            Self::From80 => Targets([1, 2, 4, 6, 7]),
            Self::From70 => Targets([2, 3, 5, 5, 5]),
            Self::From60 => Targets([3, 4, 5, 5, 3]),
            Self::Below60 => Targets([6, 5, 5, 3, 1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_bound_belongs_to_its_band() {
        assert_eq!(Band::of(90, 100), Band::From90);
        assert_eq!(Band::of(52, 65), Band::From80, "exactly 80 percent of the standard 20 questions");
        assert_eq!(Band::of(51, 65), Band::From70);
        assert_eq!(Band::of(60, 100), Band::From60);
        assert_eq!(Band::of(0, 0), Band::Below60);
    }

    #[test]
    fn every_band_has_twenty_questions_and_a_label() {
        for band in Band::ALL {
            assert_eq!(band.stage_two().total(), 20);
            assert_eq!(Band::parse(band.label()), Some(band));
            assert_eq!(serde_json::to_value(band).unwrap(), band.label());
        }
    }
}
