//! Queries about attempts for features other than `live`. They are here, below all features, so that none of them
//! depends on `live`; all other SQL of attempts is in `src/live/store`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use domain::form::FormLetter;
use domain::time::moment::Moment;
use domain::time::timer::GRACE_MILLISECONDS;
use entities::{attempt, attempt_token, sitting};
use sea_orm::sea_query::{ExprTrait, SimpleExpr};
use sea_orm::{
    ColumnTrait, Condition, DbErr, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QuerySelect, QueryTrait,
};
use serde::Deserialize;
use uuid::Uuid;

use crate::database::Database;

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;

/// Whether the time of a running attempt is up, or a proctor has ordered its end.
#[must_use]
pub fn is_overdue(now: Moment) -> SimpleExpr {
    use attempt::Column;
    let last = now.plus(-GRACE_MILLISECONDS).milliseconds();
    let is_over = Column::PausedAtMs.is_null().and(Column::DeadlineMs.lt(last));
    // The negation of a condition about a null is not true either.
    let is_at_its_end = Column::HardEndMs.is_not_null().and(Column::HardEndMs.lt(last));
    Column::FinishBy.is_not_null().or(is_over).or(is_at_its_end)
}

/// A running attempt at a template.
#[derive(FromQueryResult)]
pub struct RunningAttempt {
    /// The hash of its first token.
    pub token_hash: Vec<u8>,
    paper: String,
    second_papers: Option<String>,
    form: Option<String>,
}

impl RunningAttempt {
    /// Which form of the template it is of; `None` if there was only one when it began.
    #[must_use]
    pub fn form(&self) -> Option<FormLetter> {
        self.form.as_deref().and_then(FormLetter::parse)
    }

    /// Returns whether these questions are all on its paper, so that whoever sits it may read them.
    #[must_use]
    pub fn has_all(&self, question_ids: &[String]) -> bool {
        #[derive(Deserialize)]
        struct Listed<'a> {
            #[serde(borrow)]
            id: Cow<'a, str>,
        }
        let Ok(mut listed) = serde_json::from_str::<Vec<Listed<'_>>>(&self.paper) else { return false };
        if let Some(bands) = &self.second_papers {
            let Ok(bands) = serde_json::from_str::<HashMap<String, Vec<Listed<'_>>>>(bands) else { return false };
            listed.extend(bands.into_values().flatten());
        }
        let own: HashSet<&str> = listed.iter().map(|question| &*question.id).collect();
        question_ids.iter().all(|id| own.contains(id.as_str()))
    }
}

/// Finds a running attempt at a template. `None` if there is no such attempt, or it is over, or part of a sitting,
/// whose candidates must not see the questions before it begins.
pub async fn find_running(
    database: &Database,
    session_id: Uuid,
    template: Uuid,
) -> Result<Option<RunningAttempt>, DbErr> {
    use attempt::Column;
    attempt::Entity::find_by_id(session_id)
        .select_only()
        .columns([Column::TokenHash, Column::Paper, Column::SecondPapers, Column::Form])
        .filter(Column::TemplateId.eq(template))
        .filter(Column::EndedAtMs.is_null())
        .filter(Column::SittingId.is_null())
        .into_model()
        .one(&database.read)
        .await
}

/// Counts those who are at work or wait to begin, up to so many. Whoever waits in a sitting of an earlier day, which
/// nobody has begun, waits no more.
pub async fn count_at_work(database: &Database, now: Moment, most: u64) -> Result<u64, DbErr> {
    use attempt::Column;
    let lasting = attempt::Entity::find().select_only().column(Column::SessionId).filter(Column::EndedAtMs.is_null());
    let lasting = lasting.filter(Column::DeadlineMs.gt(now.milliseconds()));
    let recent = sitting::Entity::find().select_only().column(sitting::Column::Id);
    let recent = recent.filter(sitting::Column::StartsAtMs.gt(now.plus(-DAY_MILLISECONDS).milliseconds()));
    let has_times = Column::DeadlineMs.lt(Moment::LAST.milliseconds());
    let is_of_today = Column::SittingId.in_subquery(recent.into_query());
    let lasting = lasting.filter(Condition::any().add(has_times).add(is_of_today)).limit(most);
    Ok(lasting.into_tuple::<Uuid>().all(&database.read).await?.len() as u64)
}

/// Returns whether a session has this further token.
pub async fn has_further_token(database: &Database, session_id: Uuid, token_hash: &[u8; 32]) -> Result<bool, DbErr> {
    let of_it = attempt_token::Column::SessionId.eq(session_id);
    let found = attempt_token::Entity::find_by_id(token_hash.to_vec()).filter(of_it).count(&database.read).await?;
    Ok(found > 0)
}
