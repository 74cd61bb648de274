//! Tests that the server has graded, read page by page for the statistics of questions. Results are parsed only as far
//! as the statistics need them, because a count reads every test of a grade.

use std::borrow::Cow;
use std::collections::HashMap;

use domain::grade::Grade;
use domain::item_statistics::ItemResponse;
use domain::question::{Choice, Difficulty};
use domain::resources::RowPosition;
use domain::session::SessionOrigin;
use entities::{session, session_body};
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, FromQueryResult, JoinType, Order, QueryFilter, QueryOrder, QuerySelect,
};
use serde::Deserialize;
use uuid::Uuid;

use super::sessions::body_of_session;
use super::{Unreadable, beyond};
use crate::database::Database;

#[derive(FromQueryResult)]
pub struct Graded {
    session_id: Uuid,
    completed_at_ms: i64,
    result: String,
    graded_by: String,
}

/// The part of a result that the statistics need.
#[derive(Deserialize)]
pub(super) struct Lines<'a> {
    #[serde(borrow)]
    pub(super) answers: Vec<StoredLine<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoredLine<'a> {
    #[serde(borrow)]
    pub(super) question_id: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) selected: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) correct: Cow<'a, str>,
    pub(super) is_correct: bool,
    #[serde(default)]
    pub(super) time_taken: Option<u32>,
}

/// The part of a stored key that the statistics need.
#[derive(Deserialize)]
struct Worth<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    difficulty: Difficulty,
}

impl Graded {
    /// The position after which the next page begins.
    #[must_use]
    pub const fn place(&self) -> RowPosition {
        (self.completed_at_ms, self.session_id)
    }

    /// Returns one response for each question. The list is empty when the difficulty of any of them is unknown, because
    /// the test's total of points is then unknown too.
    pub fn outcomes(&self) -> Result<Vec<ItemResponse<'_>>, Unreadable> {
        let lines: Lines<'_> = serde_json::from_str(&self.result).map_err(|_| Unreadable("result"))?;
        let worths: Vec<Worth<'_>> = serde_json::from_str(&self.graded_by).map_err(|_| Unreadable("keys"))?;
        let in_step = worths.len() == lines.answers.len()
            && worths.iter().zip(&lines.answers).all(|(worth, line)| worth.id == line.question_id);
        let outcomes = if in_step {
            Some(lines.answers.into_iter().zip(&worths).map(|(line, worth)| outcome(line, worth.difficulty)).collect())
        } else {
            let worths: HashMap<&str, Difficulty> = worths.iter().map(|worth| (&*worth.id, worth.difficulty)).collect();
            lines
                .answers
                .into_iter()
                .map(|line| worths.get(&*line.question_id).map(|difficulty| outcome(line, *difficulty)))
                .collect::<Option<Vec<_>>>()
        };
        Ok(outcomes.unwrap_or_default())
    }
}

fn outcome(line: StoredLine<'_>, difficulty: Difficulty) -> ItemResponse<'_> {
    ItemResponse {
        points: difficulty.points(),
        selected: Choice::parse(&line.selected),
        key: Choice::parse(&line.correct),
        is_correct: line.is_correct,
        time_taken_seconds: line.time_taken,
        question_id: line.question_id,
    }
}

/// Loads the next tests of a grade after `last`, in the order in which they ended: at most `count`. Tests that the
/// server has not graded itself are left out, since nobody has verified them; so are those of another origin.
pub async fn load_after(
    database: &Database,
    grade: Grade,
    origin: Option<SessionOrigin>,
    last: Option<RowPosition>,
    count: u64,
) -> Result<Vec<Graded>, DbErr> {
    use session::Column;
    let mut query = session::Entity::find()
        .select_only()
        .columns([Column::SessionId, Column::CompletedAtMs])
        .columns([session_body::Column::Result, session_body::Column::GradedBy])
        .join(JoinType::InnerJoin, body_of_session())
        .filter(Column::Grade.eq(i16::from(grade.number())))
        .filter(Column::Verified.eq(true));
    if let Some(origin) = origin {
        query = query.filter(Column::Origin.eq(origin.name()));
    }
    if let Some(last) = last {
        query = query.filter(beyond(Column::CompletedAtMs, Column::SessionId, last, &Order::Asc));
    }
    query
        .order_by_asc(Column::CompletedAtMs)
        .order_by_asc(Column::SessionId)
        .limit(count)
        .into_model()
        .all(&database.read)
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graded(result: &str, graded_by: &str) -> Graded {
        Graded { session_id: Uuid::nil(), completed_at_ms: 0, result: result.into(), graded_by: graded_by.into() }
    }

    #[test]
    fn a_line_finds_its_worth_wherever_that_stands() {
        let keys = r#"[{"id":"b","topic":"T","difficulty":5,"answer":"A"},{"id":"a\"","topic":"T","difficulty":2,"answer":"B"}]"#;
        let result = |ids: [&str; 2]| {
            let lines = ids
                .map(|id| format!(r#"{{"questionId":"{id}","selected":"","correct":"A","isCorrect":false}}"#))
                .join(",");
            format!(r#"{{"score":200,"answers":[{lines}],"topicBreakdown":[]}}"#)
        };
        for ids in [["b", r#"a\""#], [r#"a\""#, "b"]] {
            let graded = graded(&result(ids), keys);
            let mut found: Vec<(String, u32)> = graded
                .outcomes()
                .unwrap()
                .iter()
                .map(|outcome| (outcome.question_id.to_string(), outcome.points))
                .collect();
            found.sort();
            assert_eq!(found, [("a\"".to_owned(), 2), ("b".to_owned(), 5)]);
        }
        assert!(graded(&result(["b", "c"]), keys).outcomes().unwrap().is_empty(), "a question without a known worth");
        assert!(graded("{}", keys).outcomes().is_err() && graded(&result(["b", "b"]), "{}").outcomes().is_err());
    }
}
