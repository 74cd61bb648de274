//! Scores for the grade books of platforms: whole numbers, moments that grow, and the message that is posted.

use serde::{Deserialize, Serialize};

use super::platform::ScoreForm;
use crate::mark::MarkedFacts;
use crate::scoring::{SCORE_MAX, SCORE_MIN, TestResult};
use crate::time::moment::Moment;

/// What the moments of two scores of a person differ by at least: some platforms compare whole seconds.
const STEP_MILLISECONDS: i64 = 1_000;

/// How far the person has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActivityProgress {
    /// Nothing has begun, or what there was is taken back.
    Initialized,
    /// The test has begun.
    Started,
    /// The test lasts.
    InProgress,
    /// The test was handed in and may go on.
    Submitted,
    /// The test has ended.
    Completed,
}

/// How far grading has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GradingProgress {
    /// The score is what it is.
    FullyGraded,
    /// The score comes later by itself.
    Pending,
    /// Somebody must do something before there is a score.
    PendingManual,
    /// There can be no score.
    Failed,
    /// There is nothing to grade.
    NotReady,
}

/// A score as whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenScore {
    /// From 0 to `maximum`.
    pub given: u32,
    /// At least 1.
    pub maximum: u32,
}

/// When the test began and ended, as the platform is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmissionTimes {
    /// The start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Moment>,
    /// The end: never ahead of the server's clock, since Canvas refuses that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted_at: Option<Moment>,
}

/// What Canvas is told beside the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanvasSubmission {
    /// True at the end of a test; false of a release or of a later version, which would count as an attempt of its own.
    pub new_submission: bool,
}

/// A score as it is posted, with the media type [`SCORE_MEDIA_TYPE`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScoreMessage {
    /// The platform's subject.
    pub user_id: String,
    /// Absent while there is no score to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_given: Option<u32>,
    /// Present where `score_given` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_maximum: Option<u32>,
    /// Later than all before it of the same column and person.
    pub timestamp: Moment,
    /// How far the person has come.
    pub activity_progress: ActivityProgress,
    /// How far grading has come.
    pub grading_progress: GradingProgress,
    /// Plain text for the person and their teachers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// When the test began and ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submission: Option<SubmissionTimes>,
    /// For Canvas.
    #[serde(rename = "https://canvas.instructure.com/lti/submission", skip_serializing_if = "Option::is_none")]
    pub canvas: Option<CanvasSubmission>,
}

/// The media type of a score, with nothing after it: Moodle compares the whole header.
pub const SCORE_MEDIA_TYPE: &str = "application/vnd.ims.lis.v1.score+json";

impl ScoreMessage {
    /// That a test has ended whose result is not told yet.
    #[must_use]
    pub fn pending(user_id: String, timestamp: Moment, submission: SubmissionTimes) -> Self {
        Self {
            user_id,
            score_given: None,
            score_maximum: None,
            timestamp,
            activity_progress: ActivityProgress::Completed,
            grading_progress: GradingProgress::Pending,
            comment: None,
            submission: Some(submission),
            canvas: Some(CanvasSubmission { new_submission: true }),
        }
    }

    /// A result that is told now.
    #[must_use]
    pub fn graded(
        user_id: String,
        score: GivenScore,
        timestamp: Moment,
        submission: SubmissionTimes,
        is_new_submission: bool,
    ) -> Self {
        Self {
            user_id,
            score_given: Some(score.given),
            score_maximum: Some(score.maximum),
            timestamp,
            activity_progress: ActivityProgress::Completed,
            grading_progress: GradingProgress::FullyGraded,
            comment: None,
            submission: Some(submission),
            canvas: Some(CanvasSubmission { new_submission: is_new_submission }),
        }
    }
}

/// The score of a result in the form that a platform gets. Nothing is rounded: platforms bring it to the maximum of
/// their column themselves. Where points are not known it is the score.
#[must_use]
pub fn score_of(result: &TestResult, form: ScoreForm) -> GivenScore {
    score_of_facts(MarkedFacts::of(result), form)
}

/// The same of what a mark is reckoned from.
#[must_use]
pub fn score_of_facts(facts: MarkedFacts, form: ScoreForm) -> GivenScore {
    let points = match form {
        ScoreForm::Points => facts.points.and_then(whole_points),
        ScoreForm::Percent => None,
    };
    let maximum = SCORE_MAX - SCORE_MIN;
    points.unwrap_or(GivenScore { given: facts.score.saturating_sub(SCORE_MIN).min(maximum), maximum })
}

fn whole_points((earned, possible): (u64, u64)) -> Option<GivenScore> {
    let (given, maximum) = (u32::try_from(earned).ok()?, u32::try_from(possible).ok()?);
    (maximum > 0).then_some(GivenScore { given, maximum })
}

/// The moment of a new score: now, or a second after the last one of the same column and person. Platforms refuse a
/// score that is not later than the one that they have.
#[must_use]
pub fn next_timestamp(now: Moment, last: Option<Moment>) -> Moment {
    last.map_or(now, |last| now.max(last.plus(STEP_MILLISECONDS)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn facts(score: u32, points: Option<(u64, u64)>) -> MarkedFacts {
        MarkedFacts { score, correct: 3, questions: 5, points }
    }

    #[test]
    fn the_score_is_exact_from_nothing_to_all() {
        for (score, given) in [(200, 0), (201, 1), (620, 420), (800, 600), (0, 0), (900, 600)] {
            let expected = GivenScore { given, maximum: 600 };
            assert_eq!(score_of_facts(facts(score, Some((1, 2))), ScoreForm::Percent), expected, "{score}");
        }
    }

    #[test]
    fn points_are_sent_where_they_are_known() {
        let points = |points| score_of_facts(facts(620, points), ScoreForm::Points);
        assert_eq!(points(Some((7, 15))), GivenScore { given: 7, maximum: 15 });
        let otherwise = GivenScore { given: 420, maximum: 600 };
        for unknown in [None, Some((0, 0)), Some((1, u64::MAX))] {
            assert_eq!(points(unknown), otherwise, "{unknown:?}");
        }
    }

    #[test]
    fn moments_grow_by_whole_seconds() {
        let at = Moment::from_milliseconds;
        assert_eq!(next_timestamp(at(5_000), None), at(5_000));
        assert_eq!(next_timestamp(at(5_000), Some(at(3_999))), at(5_000));
        assert_eq!(next_timestamp(at(5_000), Some(at(4_500))), at(5_500));
        assert_eq!(next_timestamp(at(5_000), Some(at(9_000))), at(10_000), "a clock that was set back");
    }

    #[test]
    fn the_message_is_as_platforms_want_it() {
        let at = |text| Moment::parse(text).unwrap();
        let times = SubmissionTimes {
            started_at: Some(at("2026-11-22T09:00:00Z")),
            submitted_at: Some(at("2026-11-22T10:00:00Z")),
        };
        let (id, timestamp) = ("ext-1".to_owned(), at("2026-11-22T10:00:01Z"));
        let score = GivenScore { given: 420, maximum: 600 };
        let graded = ScoreMessage::graded(id.clone(), score, timestamp, times, false);
        let graded = ScoreMessage { comment: Some("620 of 800".to_owned()), ..graded };
        let expected = json!({
            "userId": "ext-1", "scoreGiven": 420, "scoreMaximum": 600, "timestamp": "2026-11-22T10:00:01.000Z",
            "activityProgress": "Completed", "gradingProgress": "FullyGraded", "comment": "620 of 800",
            "submission": {"startedAt": "2026-11-22T09:00:00.000Z", "submittedAt": "2026-11-22T10:00:00.000Z"},
            "https://canvas.instructure.com/lti/submission": {"new_submission": false},
        });
        assert_eq!(serde_json::to_value(&graded).unwrap(), expected);
        let pending = serde_json::to_value(ScoreMessage::pending(id, timestamp, times)).unwrap();
        assert_eq!(pending["gradingProgress"], "Pending");
        assert_eq!(pending["https://canvas.instructure.com/lti/submission"]["new_submission"], true);
        assert!(pending.get("scoreGiven").is_none() && pending.get("scoreMaximum").is_none(), "{pending}");
    }
}
