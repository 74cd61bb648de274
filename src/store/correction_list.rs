//! The list of corrections, each with how far its tests have followed.

use domain::correction::CorrectionScope;
use domain::grade::Grade;
use domain::session::SessionOrigin;
use domain::time::moment::Moment;
use entities::correction::{Column, Entity};
use entities::session;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{ColumnTrait, Condition, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::Unreadable;
use super::correction_work::{self, StepProgress};
use super::corrections::{StoredCorrection, stored};
use crate::database::Database;

/// Corrections of a list, the newest first.
pub const CORRECTIONS_LISTED_MAX: usize = 500;

/// Which corrections are listed.
#[derive(Clone, Debug, Default)]
pub struct CorrectionFilter {
    pub sitting_id: Option<Uuid>,
    pub template_id: Option<Uuid>,
    pub grade: Option<Grade>,
    /// In which times tests began that corrections by grade may be about, if those are listed too.
    pub spans: Vec<TestSpan>,
}

/// Between when and when the tests of one grade began that a sitting or a template has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestSpan {
    pub grade: Grade,
    pub template_id: Option<Uuid>,
    pub first: Moment,
    pub last: Moment,
}

impl CorrectionFilter {
    /// Whether a correction by grade may be about some of the tests.
    #[must_use]
    pub fn spans_meet(&self, scope: &CorrectionScope) -> bool {
        let CorrectionScope::Grade(scope) = scope else { return false };
        let has_template = |id: Uuid| scope.templates.as_ref().is_none_or(|ids| ids.contains(&id));
        let meets = |span: &TestSpan| {
            let is_in_time = scope.from <= span.last && span.first < scope.until;
            span.grade == scope.grade && is_in_time && span.template_id.is_none_or(has_template)
        };
        self.spans.iter().any(meets)
    }

    /// Whether not only those of a grade are asked for.
    #[must_use]
    pub const fn names_more(&self) -> bool {
        self.sitting_id.is_some() || self.template_id.is_some()
    }
}

/// The times of a sitting's tests, or else of a template's.
pub async fn load_spans(
    database: &Database,
    (sitting_id, template_id): (Option<Uuid>, Option<Uuid>),
) -> Result<Vec<TestSpan>, DbErr> {
    use session::Column as Test;
    let query = session::Entity::find()
        .select_only()
        .columns([Test::Grade, Test::TemplateId])
        .column_as(Test::StartedAtMs.min(), "first")
        .column_as(Test::StartedAtMs.max(), "last")
        .filter(Test::Origin.eq(SessionOrigin::Live.name()))
        .group_by(Test::Grade)
        .group_by(Test::TemplateId);
    let query = match (sitting_id, template_id) {
        (Some(id), _) => query.filter(Test::SittingId.eq(id)),
        (None, Some(id)) => query.filter(Test::TemplateId.eq(id)),
        (None, None) => return Ok(Vec::new()),
    };
    let rows: Vec<(i16, Option<Uuid>, i64, i64)> = query.into_tuple().all(&database.read).await?;
    let span = |(grade, template_id, first, last): (i16, Option<Uuid>, i64, i64)| {
        let grade = Grade::new(grade.into()).ok_or(Unreadable("grade"))?;
        let (first, last) = (Moment::from_milliseconds(first), Moment::from_milliseconds(last));
        Ok::<_, Unreadable>(TestSpan { grade, template_id, first, last })
    };
    Ok(rows.into_iter().map(span).collect::<Result<_, _>>()?)
}

/// A correction with how far its tests have followed.
#[derive(Clone, Debug)]
pub struct ListedCorrection {
    pub stored: StoredCorrection,
    pub progress: StepProgress,
}

/// Lists corrections, the newest first, from before this number on: at most [`CORRECTIONS_LISTED_MAX`]. Of several
/// conditions each adds its own. With a grade alone, also all of sittings and templates, whose grades are elsewhere;
/// and with tests all of their grades at their times.
pub async fn list(
    database: &Database,
    filter: &CorrectionFilter,
    before: Option<i64>,
) -> Result<Vec<ListedCorrection>, DbErr> {
    let CorrectionFilter { sitting_id, template_id, grade, spans } = filter;
    let mut named = Condition::any();
    if let Some(id) = sitting_id {
        named = named.add(Column::SittingId.eq(*id));
    }
    if let Some(id) = template_id {
        named = named.add(Column::TemplateId.eq(*id));
    }
    if let Some(grade) = grade {
        named = named.add(Column::Grade.eq(i16::from(grade.number())));
        if !filter.names_more() {
            named = named.add(Column::Grade.is_null());
        }
    }
    for TestSpan { grade, first, last, .. } in spans {
        let of_grade = Column::Grade.eq(i16::from(grade.number()));
        let in_time = Column::FromMs.lte(last.milliseconds()).and(Column::UntilMs.gt(first.milliseconds()));
        named = named.add(of_grade.and(in_time));
    }
    let snapshot = database.snapshot().await?;
    let mut query = Entity::find();
    if !named.is_empty() {
        query = query.filter(named);
    }
    if let Some(before) = before {
        query = query.filter(Column::Number.lt(before));
    }
    let count = CORRECTIONS_LISTED_MAX as u64;
    let rows = query.order_by_desc(Column::Number).limit(count).all(&snapshot).await?;
    let found = rows.into_iter().map(stored).collect::<Result<Vec<_>, _>>()?;
    let progress = correction_work::load_progress(&snapshot, found.iter().map(StoredCorrection::version)).await?;
    snapshot.commit().await?;
    let listed = |stored: StoredCorrection| {
        let progress = progress.get(&stored.version()).copied().unwrap_or_default();
        ListedCorrection { stored, progress }
    };
    Ok(found.into_iter().map(listed).collect())
}
