//! What a correction would do, counted before it is made.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Correction, TestPlace, responses, rulings, score_by};
use crate::band::Band;
use crate::question::KeyedQuestion;
use crate::scoring::{SCORE_MAX, SCORE_MIN, TestResult, points_by};

/// How many of the largest changes are named.
const LARGEST_MAX: usize = 10;
/// The width of a bin of the distribution, in points of the scale.
const BIN_WIDTH: u32 = 50;

/// A finished test, as far as a correction may change it.
#[derive(Clone, Debug)]
pub struct SatTest {
    /// The test.
    pub session_id: Uuid,
    /// The name that it was begun with; may be empty.
    pub student: String,
    /// What decides whether a correction holds for it.
    pub place: TestPlace,
    /// The newest result.
    pub result: TestResult,
    /// The keys that its questions were asked with.
    pub keys: Vec<Arc<KeyedQuestion>>,
    /// Of an adaptive test, how many questions its first stage has, and the band that it led to.
    pub course: Option<(usize, Band)>,
}

/// What a correction would do to one test.
#[derive(Clone, Debug)]
pub struct ForeseenTest {
    /// The test.
    pub session_id: Uuid,
    /// Whose it is.
    pub student: String,
    /// The score that it has.
    pub before: u32,
    /// The score that it would have.
    pub after: u32,
    /// Whether it would have fallen, and stays because nobody may lose.
    pub is_kept: bool,
    /// Whether its second stage would have been of another band.
    pub has_other_band: bool,
}

/// What a correction would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CorrectionOutlook {
    /// Finished tests that were asked the question.
    sessions: u64,
    /// Those whose score rises.
    rise: u64,
    /// Those whose score falls; none with `nobodyLoses`.
    fall: u64,
    /// The others.
    stay: u64,
    /// Of those that stay, how many would fall without `nobodyLoses`.
    kept: u64,
    /// The scores in bins of 50 points, the lowest first. 800 is in the last.
    distribution: Vec<ScoreBin>,
    /// The ten largest changes, the largest first.
    largest: Vec<LargeChange>,
    /// Adaptive tests whose second stage would have been of another band. Bands are not changed.
    other_bands: u64,
    /// Tests that were asked the question with other options. A letter means something else there, so that `key` and
    /// `also` leave them alone; they are not among `sessions`.
    other_options: u64,
    /// The options of the question that its letters stand for, in their order; null if their texts are not known.
    #[schema(required)]
    pub option_texts: Option<Vec<String>>,
}

/// How many tests have a score of these points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ScoreBin {
    /// From these points.
    from: u32,
    /// To these, which are included.
    to: u32,
    /// Tests that have such a score now.
    before: u64,
    /// Tests that would have one.
    after: u64,
}

/// What would become of one test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LargeChange {
    /// The test.
    session_id: Uuid,
    /// The name that it was begun with; may be empty.
    student: String,
    /// The score that it has.
    before: u32,
    /// The score that it would have.
    after: u32,
}

impl LargeChange {
    const fn points(&self) -> u32 {
        self.before.abs_diff(self.after)
    }
}

impl Default for CorrectionOutlook {
    fn default() -> Self {
        let bins = (SCORE_MAX - SCORE_MIN) / BIN_WIDTH;
        let bin = |index: u32| {
            let from = SCORE_MIN + index * BIN_WIDTH;
            let to = if index + 1 == bins { SCORE_MAX } else { from + BIN_WIDTH - 1 };
            ScoreBin { from, to, before: 0, after: 0 }
        };
        Self {
            sessions: 0,
            rise: 0,
            fall: 0,
            stay: 0,
            kept: 0,
            distribution: (0..bins).map(bin).collect(),
            largest: Vec::new(),
            other_bands: 0,
            other_options: 0,
            option_texts: None,
        }
    }
}

impl CorrectionOutlook {
    /// Counts what one more correction would do to a test for which these hold already.
    pub fn foresee(&mut self, test: SatTest, holding: &[&Correction], new: &Correction) {
        let SatTest { session_id, student, result, keys, course, .. } = test;
        if !keys.iter().any(|key| new.is_about(key)) {
            self.other_options += u64::from(keys.iter().any(|key| *key.id == *new.question_id));
            return;
        }
        let Some(responses) = responses(&result, &keys) else { return };
        let score_after = |correction: &Correction| {
            let corrections = [holding, &[correction]].concat();
            let (before, after) = (rulings(&responses, holding), rulings(&responses, &corrections));
            // A result of an earlier release may differ in what nobody corrects.
            if before == after { result.score } else { score_by(&responses, &after) }
        };
        let (before, after) = (result.score, score_after(new));
        let is_kept = new.nobody_loses && score_after(&Correction { nobody_loses: false, ..new.clone() }) < before;
        let has_other_band = course.is_some_and(|(questions, band)| {
            let first = responses.get(..questions).unwrap_or(&responses);
            let (earned, max) = points_by(first, &rulings(first, &[holding, &[new]].concat()));
            Band::of(earned, max) != band
        });
        self.add(ForeseenTest { session_id, student, before, after, is_kept, has_other_band });
    }

    /// Counts a test.
    pub fn add(&mut self, test: ForeseenTest) {
        let ForeseenTest { session_id, student, before, after, is_kept, has_other_band } = test;
        self.sessions += 1;
        match after.cmp(&before) {
            std::cmp::Ordering::Greater => self.rise += 1,
            std::cmp::Ordering::Less => self.fall += 1,
            std::cmp::Ordering::Equal => self.stay += 1,
        }
        self.kept += u64::from(is_kept);
        self.other_bands += u64::from(has_other_band);
        if let Some(bin) = self.bin(before) {
            bin.before += 1;
        }
        if let Some(bin) = self.bin(after) {
            bin.after += 1;
        }
        let change = LargeChange { session_id, student, before, after };
        if change.points() > 0 {
            // Of two that are as large, the one that came first stays first.
            let place = self.largest.partition_point(|other| other.points() >= change.points());
            self.largest.insert(place, change);
            self.largest.truncate(LARGEST_MAX);
        }
    }

    fn bin(&mut self, score: u32) -> Option<&mut ScoreBin> {
        self.distribution.iter_mut().find(|bin| (bin.from..=bin.to).contains(&score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(number: u128, before: u32, after: u32) -> ForeseenTest {
        let student = number.to_string();
        let session_id = Uuid::from_u128(number);
        ForeseenTest { session_id, student, before, after, is_kept: false, has_other_band: false }
    }

    #[test]
    fn every_score_has_one_bin() {
        let mut outlook = CorrectionOutlook::default();
        for score in SCORE_MIN..=SCORE_MAX {
            outlook.add(test(0, score, score));
        }
        let ends: Vec<(u32, u32)> = outlook.distribution.iter().map(|bin| (bin.from, bin.to)).collect();
        assert_eq!((ends.len(), ends[0], ends[11]), (12, (200, 249), (750, 800)));
        assert_eq!(outlook.distribution.iter().map(|bin| bin.before).sum::<u64>(), 601);
        assert_eq!((outlook.sessions, outlook.stay, outlook.largest.len()), (601, 601, 0));
    }

    #[test]
    fn the_largest_changes_are_named() {
        let mut outlook = CorrectionOutlook::default();
        for number in 1..=20 {
            outlook.add(test(number, 500, 500 + u32::try_from(number).unwrap()));
        }
        outlook.add(ForeseenTest { is_kept: true, has_other_band: true, ..test(21, 640, 640) });
        outlook.add(test(22, 640, 600));
        let points: Vec<u32> = outlook.largest.iter().map(LargeChange::points).collect();
        assert_eq!(points, [40, 20, 19, 18, 17, 16, 15, 14, 13, 12]);
        assert_eq!((outlook.rise, outlook.fall, outlook.stay, outlook.kept), (20, 1, 1, 1));
        assert_eq!((outlook.sessions, outlook.other_bands, outlook.other_options), (22, 1, 0));
    }
}
