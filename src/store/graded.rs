//! Tests that the server has graded, read page by page for the statistics of questions. Results are parsed only as far
//! as the statistics need them, because a count reads every test of a grade.

use std::borrow::Cow;
use std::collections::HashMap;

use domain::correction::{AnswerSet, CorrectionKind};
use domain::grade::Grade;
use domain::item_statistics::ItemResponse;
use domain::number::NumberKey;
use domain::question::{Choice, Difficulty, Key, Selected};
use domain::resources::RowPosition;
use domain::session::SessionOrigin;
use entities::{session, session_body};
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, FromQueryResult, JoinType, Order, QueryFilter, QueryOrder, QuerySelect,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::sessions::body_of_session;
use super::test_students::counts;
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
    question_id: Cow<'a, str>,
    #[serde(borrow)]
    selected: Cow<'a, str>,
    #[serde(borrow)]
    correct: Cow<'a, str>,
    is_correct: bool,
    #[serde(default)]
    time_taken: Option<u32>,
    #[serde(default)]
    correction: Option<CorrectionKind>,
    #[serde(default)]
    also_correct: Vec<String>,
}

impl<'a> StoredLine<'a> {
    /// As the statistics count it, with the key of a question that asks for a number. A question that was dropped is
    /// worth nothing; how it was answered is told by its key all the same, so that its figures show what was wrong with
    /// it.
    pub(super) fn response(self, points: u32, number: Option<NumberKey>) -> ItemResponse<'a> {
        let is_dropped = self.correction == Some(CorrectionKind::Drop);
        let key = match number {
            // A correction may have made another number the right one.
            Some(number) => Some(Key::Number(NumberKey { answer: self.correct.into_owned(), ..number })),
            None => Choice::parse(&self.correct).map(Key::Choice),
        };
        let selected = match &key {
            Some(key) => key.parse_selected(&self.selected),
            None => Choice::parse(&self.selected).map(Selected::Choice),
        };
        let is_right = || key.as_ref().zip(selected.as_ref()).is_some_and(|(key, selected)| key.accepts(selected));
        let also_right = AnswerSet::of_texts(self.also_correct.iter().map(String::as_str));
        ItemResponse {
            points: if is_dropped { 0 } else { points },
            is_correct: if is_dropped { is_right() } else { self.is_correct },
            selected,
            key,
            time_taken_seconds: self.time_taken,
            correction: self.correction,
            also_right: also_right.unwrap_or_default(),
            question_id: self.question_id,
        }
    }

    /// The question of the line.
    pub(super) fn question_id(&self) -> &str {
        &self.question_id
    }
}

/// The part of a stored key that the statistics need.
#[derive(Deserialize)]
struct Worth<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    difficulty: Difficulty,
    /// The letter, or an object, which is read only where there is one.
    #[serde(borrow)]
    answer: &'a RawValue,
}

impl Worth<'_> {
    fn number(&self) -> Option<NumberKey> {
        let answer = self.answer.get();
        answer.starts_with('{').then(|| serde_json::from_str(answer).ok()).flatten()
    }
}

/// The keys of those questions in a list of stored keys that ask for numbers, by id.
pub(super) fn number_keys(keys: &str) -> Result<HashMap<String, NumberKey>, Unreadable> {
    let worths: Vec<Worth<'_>> = serde_json::from_str(keys).map_err(|_| Unreadable("keys"))?;
    Ok(worths.into_iter().filter_map(|worth| Some((worth.id.to_string(), worth.number()?))).collect())
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
            let pairs = lines.answers.into_iter().zip(&worths);
            Some(pairs.map(|(line, worth)| line.response(worth.difficulty.points(), worth.number())).collect())
        } else {
            let worths: HashMap<&str, &Worth<'_>> = worths.iter().map(|worth| (&*worth.id, worth)).collect();
            let outcomes = lines.answers.into_iter().map(|line| {
                let worth = worths.get(line.question_id())?;
                Some(line.response(worth.difficulty.points(), worth.number()))
            });
            outcomes.collect::<Option<Vec<_>>>()
        };
        Ok(outcomes.unwrap_or_default())
    }
}

/// Loads the next tests of a grade after `last`, in the order in which they ended: at most `count`. Tests that the
/// server has not graded itself are left out, since nobody has verified them; so are those of another origin, and those
/// of a platform's view of a student.
pub async fn load_after(
    database: &Database,
    grade: Grade,
    origin: Option<SessionOrigin>,
    last: Option<RowPosition>,
    count: u64,
) -> Result<Vec<Graded>, DbErr> {
    page(database, grade, origin, (last, &Order::Asc), count).await
}

/// The same of live tests, those that ended last first.
pub async fn load_live_before(
    database: &Database,
    grade: Grade,
    last: Option<RowPosition>,
    count: u64,
) -> Result<Vec<Graded>, DbErr> {
    page(database, grade, Some(SessionOrigin::Live), (last, &Order::Desc), count).await
}

async fn page(
    database: &Database,
    grade: Grade,
    origin: Option<SessionOrigin>,
    (last, order): (Option<RowPosition>, &Order),
    count: u64,
) -> Result<Vec<Graded>, DbErr> {
    use session::Column;
    let mut query = session::Entity::find()
        .select_only()
        .columns([Column::SessionId, Column::CompletedAtMs])
        .columns([session_body::Column::Result, session_body::Column::GradedBy])
        .join(JoinType::InnerJoin, body_of_session())
        .filter(Column::Grade.eq(i16::from(grade.number())))
        .filter(Column::Verified.eq(true))
        .filter(counts(Column::Account));
    if let Some(origin) = origin {
        query = query.filter(Column::Origin.eq(origin.name()));
    }
    if let Some(last) = last {
        query = query.filter(beyond(Column::CompletedAtMs, Column::SessionId, last, order));
    }
    query
        .order_by(Column::CompletedAtMs, order.clone())
        .order_by(Column::SessionId, order.clone())
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
    fn a_question_that_was_dropped_is_worth_nothing_and_still_shows_how_it_was_answered() {
        let keys = r#"[{"id":"a","topic":"T","difficulty":5,"answer":"A"}]"#;
        let answered = |selected: &str, correction: &str| {
            let line = format!(
                r#"{{"questionId":"a","selected":"{selected}","correct":"A","isCorrect":false,"correction":"{correction}","alsoCorrect":["C"]}}"#
            );
            let graded = graded(&format!(r#"{{"answers":[{line}]}}"#), keys);
            let outcomes = graded.outcomes().unwrap();
            (outcomes[0].points, outcomes[0].is_correct, outcomes[0].also_right.text())
        };
        assert_eq!(answered("A", "drop"), (0, true, "C".to_owned()));
        assert_eq!(answered("", "drop"), (0, false, "C".to_owned()));
        assert_eq!(answered("A", "also"), (5, false, "C".to_owned()), "as it was graded");
    }

    #[test]
    fn a_number_is_counted_by_the_key_that_it_was_graded_by() {
        let key = |answer: &str| {
            let terms = r#""tolerance":"0","unit":"kg","forms":["decimal","fraction","mixed"],"language":"en""#;
            format!(r#"[{{"id":"a","topic":"T","difficulty":5,"answer":{{"answer":"{answer}",{terms}}}}}]"#)
        };
        let line = r#"{"questionId":"a","selected":"1/2","correct":"0.5","isCorrect":true,"correction":"also","alsoCorrect":["0.4"]}"#;
        let result = format!(r#"{{"answers":[{line}]}}"#);
        let graded = graded(&result, &key("0.7"));
        let outcomes = graded.outcomes().unwrap();
        let number = outcomes[0].key.as_ref().and_then(Key::number).unwrap();
        assert_eq!((number.answer.as_str(), number.unit.as_str()), ("0.5", "kg"), "a correction has made it right");
        assert_eq!(outcomes[0].selected, Selected::parse("1/2"));
        assert_eq!((outcomes[0].also_right.text(), outcomes[0].is_correct), ("0.4".to_owned(), true));
        assert_eq!(number_keys(&key("0.7")).unwrap()["a"].answer, "0.7");
        assert!(number_keys(r#"[{"id":"a","topic":"T","difficulty":5,"answer":"A"}]"#).unwrap().is_empty());
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
