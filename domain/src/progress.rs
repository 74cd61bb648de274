//! The progress of the review of the banks, by grade and by reviewer.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::access::Grades;
use super::grade::Grade;
use super::review::ReviewStatus;

/// How many questions of a grade have the same status from the same reviewer.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The grade of the questions.
    pub grade: Grade,
    /// The decision; `Pending` for a question without a review.
    pub status: ReviewStatus,
    /// E-mail and name of the reviewer who decided.
    pub reviewer: Option<(String, String)>,
    /// The number of questions.
    pub questions: u64,
}

/// The current decision on one question.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// The decision.
    pub status: ReviewStatus,
    /// The reviewer's e-mail.
    pub email: &'a str,
    /// The reviewer's name; when it has changed between decisions, the last one in alphabetical order is shown.
    pub name: &'a str,
}

impl Tally {
    /// Counts a grade from the current decision on each of its questions; `None` stands for one that was never
    /// reviewed.
    #[must_use]
    pub fn of<'a>(grade: Grade, questions: impl IntoIterator<Item = Option<Decision<'a>>>) -> Vec<Self> {
        let mut counted: BTreeMap<(&str, Option<&str>), (ReviewStatus, &str, u64)> = BTreeMap::new();
        for decision in questions {
            let status = decision.map_or(ReviewStatus::Pending, |decision| decision.status);
            let (_, name, count) =
                counted.entry((status.name(), decision.map(|decision| decision.email))).or_insert((status, "", 0));
            *name = decision.map_or("", |decision| decision.name).max(*name);
            *count += 1;
        }
        let tally = |((_, email), (status, name, questions)): ((&str, Option<&str>), (ReviewStatus, &str, u64))| Self {
            grade,
            status,
            reviewer: email.map(|email| (email.to_owned(), name.to_owned())),
            questions,
        };
        counted.into_iter().map(tally).collect()
    }
}

/// The progress of all grades together and of each.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    total_questions: u64,
    total_approved: u64,
    total_flagged: u64,
    /// Neither approved nor flagged.
    total_pending: u64,
    /// In ascending order of the grades.
    pub per_grade: Vec<GradeProgress>,
}

/// The progress of one grade.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GradeProgress {
    /// 1 to 10.
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    pub grade: Grade,
    total: u64,
    approved: u64,
    flagged: u64,
    /// Neither approved nor flagged.
    pending: u64,
    /// Reviewers whose decisions are current, by e-mail.
    reviewers: Vec<ReviewerProgress>,
    /// Reviewers assigned to the grade, by e-mail; only in the answer to managers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assigned_reviewers: Option<Vec<AssignedReviewer>>,
}

/// A reviewer whose decisions are current.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewerProgress {
    email: String,
    name: String,
    /// Approved or flagged.
    reviewed_count: u64,
    approved_count: u64,
    flagged_count: u64,
}

/// A reviewer who is assigned to a grade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AssignedReviewer {
    /// In lower case.
    pub email: String,
    /// The name as shown.
    pub name: String,
}

impl Progress {
    /// The progress of these grades; a grade without questions is included with zeros.
    #[must_use]
    pub fn of(grades: Grades, tallies: &[Tally]) -> Self {
        let per_grade: Vec<GradeProgress> = grades.iter().map(|grade| GradeProgress::of(grade, tallies)).collect();
        let sum = |count: fn(&GradeProgress) -> u64| per_grade.iter().map(count).sum();
        Self {
            total_questions: sum(|grade| grade.total),
            total_approved: sum(|grade| grade.approved),
            total_flagged: sum(|grade| grade.flagged),
            total_pending: sum(|grade| grade.pending),
            per_grade,
        }
    }
}

impl GradeProgress {
    fn of(grade: Grade, tallies: &[Tally]) -> Self {
        let tallies: Vec<&Tally> = tallies.iter().filter(|tally| tally.grade == grade).collect();
        let sum = |status: ReviewStatus| {
            tallies.iter().filter(|tally| tally.status == status).map(|tally| tally.questions).sum()
        };
        let (approved, flagged, pending) =
            (sum(ReviewStatus::Approved), sum(ReviewStatus::Flagged), sum(ReviewStatus::Pending));
        Self {
            grade,
            total: approved + flagged + pending,
            approved,
            flagged,
            pending,
            reviewers: reviewers(&tallies),
            assigned_reviewers: None,
        }
    }
}

/// The reviewers of a grade. A question that was reset to pending counts for none of them.
fn reviewers(tallies: &[&Tally]) -> Vec<ReviewerProgress> {
    let mut found: BTreeMap<&str, ReviewerProgress> = BTreeMap::new();
    for tally in tallies.iter().filter(|tally| tally.status != ReviewStatus::Pending) {
        let Some((email, name)) = &tally.reviewer else { continue };
        let reviewer = found.entry(email).or_insert_with(|| ReviewerProgress {
            email: email.clone(),
            name: name.clone(),
            reviewed_count: 0,
            approved_count: 0,
            flagged_count: 0,
        });
        reviewer.reviewed_count += tally.questions;
        match tally.status {
            ReviewStatus::Approved => reviewer.approved_count += tally.questions,
            _ => reviewer.flagged_count += tally.questions,
        }
    }
    found.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(grade: i64, status: ReviewStatus, reviewer: Option<&str>, questions: u64) -> Tally {
        let reviewer = reviewer.map(|name| (format!("{name}@exam.test"), name.to_owned()));
        Tally { grade: Grade::new(grade).unwrap(), status, reviewer, questions }
    }

    #[test]
    fn questions_with_the_same_status_from_the_same_reviewer_are_one_tally() {
        use ReviewStatus::{Approved, Flagged, Pending};
        let by = |status, email, name| Some(Decision { status, email, name });
        let decisions = [
            by(Approved, "a", "A"),
            None,
            by(Approved, "a", "Ada"),
            by(Flagged, "a", "A"),
            by(Pending, "b", "B"),
            None,
            by(Approved, "b", ""),
        ];
        let tallies = Tally::of(Grade::new(4).unwrap(), decisions);
        assert!(tallies.iter().all(|tally| tally.grade.number() == 4));
        let mut seen: Vec<_> =
            tallies.iter().map(|tally| (tally.status.name(), tally.reviewer.clone(), tally.questions)).collect();
        seen.sort();
        let reviewer = |email: &str, name: &str| Some((email.to_owned(), name.to_owned()));
        let expected = [
            ("approved", reviewer("a", "Ada"), 2),
            ("approved", reviewer("b", ""), 1),
            ("flagged", reviewer("a", "A"), 1),
            ("pending", None, 2),
            ("pending", reviewer("b", "B"), 1),
        ];
        assert_eq!(seen, expected);
        let progress = Progress::of(Grades::ALL, &tallies);
        assert_eq!(
            (progress.total_questions, progress.total_approved, progress.total_flagged, progress.total_pending),
            (7, 3, 1, 3)
        );
        assert!(Tally::of(Grade::new(4).unwrap(), []).is_empty());
    }

    #[test]
    fn every_question_counts_once() {
        use ReviewStatus::{Approved, Flagged, Pending};
        let tallies = [
            tally(1, Approved, Some("b"), 3),
            tally(1, Flagged, Some("b"), 2),
            tally(1, Approved, Some("a"), 1),
            tally(1, Pending, Some("c"), 4),
            tally(1, Pending, None, 10),
            tally(2, Pending, None, 7),
        ];
        let progress = Progress::of([1, 3].into_iter().filter_map(Grade::new).collect(), &tallies);
        assert_eq!(
            (progress.total_questions, progress.total_approved, progress.total_flagged, progress.total_pending),
            (20, 4, 2, 14)
        );
        let first = &progress.per_grade[0];
        assert_eq!((first.total, first.approved, first.flagged, first.pending), (20, 4, 2, 14));
        let reviewers: Vec<_> = first
            .reviewers
            .iter()
            .map(|one| (one.name.as_str(), one.reviewed_count, one.approved_count, one.flagged_count))
            .collect();
        assert_eq!(reviewers, [("a", 1, 1, 0), ("b", 5, 3, 2)]);
        assert_eq!((progress.per_grade.len(), progress.per_grade[1].total), (2, 0));
    }
}
