//! Which tests a correction is about.

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::grade::Grade;
use crate::session::{Session, SessionOrigin};
use crate::time::moment::Moment;

/// Which tests a correction is about. It stays with its scope: whoever sits there later is graded by it too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorrectionScope {
    /// The tests of a sitting.
    Sitting(Uuid),
    /// The tests of a template, in whatever sitting.
    Template(Uuid),
    /// Live tests of a grade in a stretch of time.
    Grade(GradeScope),
}

/// Live tests of a grade that began in a stretch of time, which ends when the correction is made: it is about tests
/// that were handed in or under way then. When a test began never changes, so a test that is opened again stays in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradeScope {
    /// The grade.
    pub grade: Grade,
    /// Those that began then or later.
    pub from: Moment,
    /// Those that began before.
    pub until: Moment,
    /// Of the tests of templates, those of these alone: all of whose grades are of whoever made the correction. `None`
    /// for all.
    pub templates: Option<BTreeSet<Uuid>>,
}

/// What decides whether a test is in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestPlace {
    /// The sitting that it belongs to.
    pub sitting_id: Option<Uuid>,
    /// The template that it was started from.
    pub template_id: Option<Uuid>,
    /// Its grade.
    pub grade: Grade,
    /// When it began.
    pub started_at: Moment,
    /// Whether somebody sat it here. Nobody knows who has answered the others.
    pub is_live: bool,
}

impl TestPlace {
    /// Of a finished test.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        Self {
            sitting_id: session.sitting_id,
            template_id: session.template_id,
            grade: session.grade,
            started_at: session.started_at,
            is_live: session.origin == SessionOrigin::Live,
        }
    }
}

impl CorrectionScope {
    /// Whether a test is in the scope.
    #[must_use]
    pub fn covers(&self, place: &TestPlace) -> bool {
        place.is_live
            && match self {
                Self::Sitting(id) => place.sitting_id == Some(*id),
                Self::Template(id) => place.template_id == Some(*id),
                Self::Grade(scope) => scope.covers(place),
            }
    }
}

impl GradeScope {
    fn covers(&self, place: &TestPlace) -> bool {
        let is_of_time = self.from <= place.started_at && place.started_at < self.until;
        let has_template = |templates: &BTreeSet<Uuid>| place.template_id.is_none_or(|id| templates.contains(&id));
        place.grade == self.grade && is_of_time && self.templates.as_ref().is_none_or(has_template)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(number: i64) -> Grade {
        Grade::new(number).unwrap()
    }

    fn place(sitting: Option<u128>, template: Option<u128>) -> TestPlace {
        TestPlace {
            sitting_id: sitting.map(Uuid::from_u128),
            template_id: template.map(Uuid::from_u128),
            grade: grade(5),
            started_at: Moment::from_milliseconds(100),
            is_live: true,
        }
    }

    #[test]
    fn a_test_is_in_the_scopes_of_its_sitting_its_template_and_its_grade() {
        let sat = place(Some(1), Some(2));
        assert!(CorrectionScope::Sitting(Uuid::from_u128(1)).covers(&sat));
        assert!(CorrectionScope::Template(Uuid::from_u128(2)).covers(&sat));
        assert!(!CorrectionScope::Sitting(Uuid::from_u128(2)).covers(&sat));
        assert!(!CorrectionScope::Template(Uuid::from_u128(1)).covers(&sat));
        let handed_in = TestPlace { is_live: false, ..sat };
        assert!(!CorrectionScope::Sitting(Uuid::from_u128(1)).covers(&handed_in));
        assert!(!CorrectionScope::Sitting(Uuid::from_u128(1)).covers(&place(None, None)));
    }

    #[test]
    fn a_grade_has_the_tests_that_began_in_time_and_whose_template_is_all_of_the_managers() {
        let scope = |from, until, templates: Option<&[u128]>| {
            let (from, until) = (Moment::from_milliseconds(from), Moment::from_milliseconds(until));
            let templates = templates.map(|ids| ids.iter().map(|id| Uuid::from_u128(*id)).collect());
            CorrectionScope::Grade(GradeScope { grade: grade(5), from, until, templates })
        };
        let (free, of_template) = (place(None, None), place(Some(1), Some(2)));
        for (from, until, is_in) in [(0, 200, true), (100, 101, true), (101, 200, false), (0, 100, false)] {
            assert_eq!(scope(from, until, None).covers(&free), is_in, "{from} {until}");
        }
        assert!(scope(0, 200, None).covers(&of_template) && scope(0, 200, Some(&[2])).covers(&of_template));
        assert!(scope(0, 200, Some(&[])).covers(&free), "without a template it is of its grade alone");
        assert!(!scope(0, 200, Some(&[3])).covers(&of_template));
        assert!(!scope(0, 200, None).covers(&TestPlace { grade: grade(6), ..free }));
        assert!(!scope(0, 200, None).covers(&TestPlace { is_live: false, ..free }));
    }
}
