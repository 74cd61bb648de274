//! Finished tests with all their answers, page by page: for those who read the results of a sitting, of a template or
//! of a grade. Results are parsed only as far as that needs, because a page of them is large.

use std::borrow::Cow;
use std::collections::HashMap;

use domain::form::FormLetter;
use domain::grade::Grade;
use domain::item_statistics::ItemResponse;
use domain::option_order::OptionOrder;
use domain::resources::RowPosition;
use domain::session::{SessionOrigin, VersionReason};
use domain::sight::StaffSight;
use domain::time::moment::Moment;
use entities::{session, session_body, sitting};
use sea_orm::prelude::Expr;
use sea_orm::{
    ColumnTrait, Condition, DbErr, EntityTrait, FromQueryResult, JoinType, Order, QueryFilter, QueryOrder, QuerySelect,
};
use serde::Deserialize;
use uuid::Uuid;

use super::graded::{Lines, number_keys};
use super::marks::sitting_of_session;
use super::session_rows::sent_orders;
use super::sessions::body_of_session;
use super::test_students::counts;
use super::{Unreadable, beyond};
use crate::database::Database;

/// What stored keys have where one of them is a number.
const NUMBER_MARK: &str = "\"answer\":{";
/// What they have where options were shown in another order.
const ORDER_MARK: &str = "\"order\":\"";

/// What is stored where there are no keys.
const NO_KEYS: &str = "[]";

/// Whose tests are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestsOf {
    Sitting(Uuid),
    Template(Uuid),
    Grade(Grade),
}

/// Which tests are read. Only live ones count: nobody knows who has answered the others; and none of a platform's view
/// of a student.
#[derive(Clone, Debug)]
pub struct FinishedFilter {
    pub of: TestsOf,
    /// Of a grade, only tests of these templates and of none: the others have questions of other grades too. `None` for
    /// all.
    pub templates: Option<Vec<Uuid>>,
    /// Those that ended then or later.
    pub from: Option<Moment>,
    /// Those that ended before.
    pub until: Option<Moment>,
}

/// A finished test with the JSON of its result.
#[derive(FromQueryResult)]
pub struct FinishedTest {
    pub session_id: Uuid,
    pub completed_at_ms: i64,
    pub student: String,
    pub account: Option<String>,
    pub score: i32,
    pub correct_answers: i32,
    pub total_questions: i32,
    pub time_taken: i32,
    pub version: i32,
    version_reason: Option<String>,
    form: Option<String>,
    /// The scale by which it is marked, of its own or of its sitting.
    own_scale: Option<String>,
    sitting_scale: Option<String>,
    pub has_drawings: bool,
    result: String,
    /// The keys by which it was graded, if they say more than the result: of questions that ask for numbers, and of
    /// those whose options were shown in another order.
    keys: Option<String>,
    /// The orders of options that came with a test of another service, which has no keys here.
    sent_orders: Option<String>,
}

/// What a stored key says of the order of options.
#[derive(Deserialize)]
struct OrderedKey<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(default)]
    order: Option<OptionOrder>,
}

impl FinishedTest {
    /// The position after which the next page begins.
    #[must_use]
    pub const fn place(&self) -> RowPosition {
        (self.completed_at_ms, self.session_id)
    }

    /// The test without what [`Self::answers`], [`Self::orders`] and marks are read from, so that thousands fit into
    /// memory.
    #[must_use]
    pub fn without_result(self) -> Self {
        Self { result: String::new(), keys: None, sent_orders: None, own_scale: None, sitting_scale: None, ..self }
    }

    /// The scale by which it is marked, as it is stored.
    #[must_use]
    pub fn scale_text(&self) -> Option<&str> {
        self.own_scale.as_deref().or(self.sitting_scale.as_deref())
    }

    /// The result as it is stored.
    #[must_use]
    pub fn result_text(&self) -> &str {
        &self.result
    }

    /// Why there is this result; `None` for the first one.
    #[must_use]
    pub fn reason(&self) -> Option<VersionReason> {
        self.version_reason.as_deref().and_then(VersionReason::parse)
    }

    /// The form that was sat; `None` for a test without forms.
    #[must_use]
    pub fn form(&self) -> Option<FormLetter> {
        self.form.as_deref().and_then(FormLetter::parse)
    }

    /// The answers in the order of the paper. They are worth no points, which nobody asks for here.
    pub fn answers(&self) -> Result<Vec<ItemResponse<'_>>, Unreadable> {
        let lines: Lines<'_> = serde_json::from_str(&self.result).map_err(|_| Unreadable("result"))?;
        let mut numbers = self.keys.as_deref().map(number_keys).transpose()?.unwrap_or_default();
        let lines = lines.answers.into_iter().map(|line| {
            let number = numbers.remove(line.question_id());
            line.response(0, number)
        });
        Ok(lines.collect())
    }

    /// The orders in which the student saw options, with the ids of the questions; those whose options stood as in the
    /// bank are left out.
    pub fn orders(&self) -> Result<Vec<(Cow<'_, str>, OptionOrder)>, Unreadable> {
        let sent = sent_orders(self.sent_orders.as_deref())?.into_iter().map(|(id, order)| (Cow::Owned(id), order));
        let Some(keys) = &self.keys else { return Ok(sent.collect()) };
        let keys: Vec<OrderedKey<'_>> = serde_json::from_str(keys).map_err(|_| Unreadable("keys"))?;
        Ok(keys.into_iter().filter_map(|key| Some((key.id, key.order?))).chain(sent).collect())
    }
}

/// Loads the next tests after `last`, newest first: at most `count`. `_sight` is of those whom the filter names.
pub async fn load_after(
    database: &Database,
    _sight: StaffSight,
    filter: &FinishedFilter,
    last: Option<RowPosition>,
    count: u64,
) -> Result<Vec<FinishedTest>, DbErr> {
    use session::Column;
    let keys = || Expr::col((session_body::Entity, session_body::Column::GradedBy));
    let sent_orders = Expr::col((session_body::Entity, session_body::Column::OptionOrder));
    let marks = [NUMBER_MARK, ORDER_MARK].map(|mark| session_body::Column::GradedBy.contains(mark));
    let telling = marks.into_iter().fold(Condition::any(), Condition::add);
    let mut query = session::Entity::find()
        .select_only()
        .columns([
            Column::SessionId,
            Column::CompletedAtMs,
            Column::Student,
            Column::Account,
            Column::Score,
            Column::CorrectAnswers,
            Column::TotalQuestions,
            Column::TimeTaken,
            Column::Version,
            Column::VersionReason,
            Column::Form,
        ])
        .column_as(Column::MarkScale, "own_scale")
        .column_as(sitting::Column::MarkScale, "sitting_scale")
        .column(session_body::Column::Result)
        .expr_as(Expr::case(telling, keys()), "keys")
        // Another service has nothing to say of what was graded here.
        .expr_as(Expr::case(session_body::Column::GradedBy.eq(NO_KEYS), sent_orders), "sent_orders")
        .column_as(session_body::Column::Drawings.is_not_null(), "has_drawings")
        .join(JoinType::InnerJoin, body_of_session())
        .join(JoinType::LeftJoin, sitting_of_session())
        .filter(condition(filter.of))
        .filter(counts(Column::Account))
        .filter(of_templates(filter.templates.as_deref()));
    if let Some(from) = filter.from {
        query = query.filter(Column::CompletedAtMs.gte(from.milliseconds()));
    }
    if let Some(until) = filter.until {
        query = query.filter(Column::CompletedAtMs.lt(until.milliseconds()));
    }
    if let Some(last) = last {
        query = query.filter(beyond(Column::CompletedAtMs, Column::SessionId, last, &Order::Desc));
    }
    query
        .order_by_desc(Column::CompletedAtMs)
        .order_by_desc(Column::SessionId)
        .limit(count)
        .into_model()
        .all(&database.read)
        .await
}

/// Only live tests have a sitting or a template, so that their indexes serve.
fn condition(of: TestsOf) -> Condition {
    use session::Column;
    match of {
        TestsOf::Sitting(id) => Condition::all().add(Column::SittingId.eq(id)),
        TestsOf::Template(id) => Condition::all().add(Column::TemplateId.eq(id)),
        TestsOf::Grade(grade) => Condition::all()
            .add(Column::Grade.eq(i16::from(grade.number())))
            .add(Column::Origin.eq(SessionOrigin::Live.name())),
    }
}

fn of_templates(templates: Option<&[Uuid]>) -> Condition {
    use session::Column;
    match templates {
        Some(ids) => {
            Condition::any().add(Column::TemplateId.is_null()).add(Column::TemplateId.is_in(ids.iter().copied()))
        }
        None => Condition::all(),
    }
}

/// Counts the live tests of these templates that somebody has sat; those without any are left out.
pub async fn count_of_templates(database: &Database, ids: Vec<Uuid>) -> Result<HashMap<Uuid, i64>, DbErr> {
    use session::Column;
    // Only live tests have a template, so its index serves.
    let query = session::Entity::find().select_only().column(Column::TemplateId);
    let query = query.column_as(Column::SessionId.count(), "tests").filter(Column::TemplateId.is_in(ids));
    let query = query.filter(counts(Column::Account));
    let rows: Vec<(Uuid, i64)> = query.group_by(Column::TemplateId).into_tuple().all(&database.read).await?;
    Ok(rows.into_iter().collect())
}

/// Counts the live tests of each grade, of these templates and of none; grades without any are left out.
pub async fn count_of_grades(database: &Database, templates: Option<&[Uuid]>) -> Result<HashMap<Grade, i64>, DbErr> {
    use session::Column;
    let query = session::Entity::find().select_only().column(Column::Grade);
    let query = query
        .column_as(Column::SessionId.count(), "tests")
        .filter(Column::Origin.eq(SessionOrigin::Live.name()))
        .filter(counts(Column::Account))
        .filter(of_templates(templates))
        .group_by(Column::Grade);
    let rows: Vec<(i16, i64)> = query.into_tuple().all(&database.read).await?;
    Ok(rows.into_iter().filter_map(|(grade, tests)| Some((Grade::new(grade.into())?, tests))).collect())
}
