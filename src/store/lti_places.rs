//! The places of scores: a column of a grade book and a person. What several tests of a place have to tell keeps to one
//! order, and of all that has failed the newest is sent again.

use std::collections::{HashMap, HashSet};

use domain::delivery::DeliveryStatus;
use domain::lti::platform::ScoreForm;
use domain::time::moment::Moment;
use domain::webhook_target::place_of;
use entities::{delivery, lti_score};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, Statement, Value};
use uuid::Uuid;

use super::lti_scores::{NOT_MADE, SCORE_ENDED, events, insert, taken, way_of};
use super::many_rows;
use crate::database::Database;

/// Tests whose scores are looked at together: SQLite takes 32,766 values.
const TESTS_PER_STATEMENT: usize = 1_000;
/// True of a test that has ended, and does not go on again: while it does its result is for staff alone.
const HAS_ENDED: &str = "AND NOT EXISTS (SELECT 1 FROM attempts going WHERE going.session_id = taken.session_id \
    AND going.ended_at_ms IS NULL)";

/// The column of the grade book, or the link as long as none is known, and the person: of each of these one score is
/// under way at a time.
pub type ScorePlace = (String, Uuid);

/// The place of a score. Links with one column share it.
#[must_use]
pub fn place_of_score(line_item: Option<&str>, link_id: Uuid, person_id: Uuid) -> ScorePlace {
    (line_item.map_or_else(|| link_id.to_string(), str::to_owned), person_id)
}

/// To whom and where a score goes.
#[derive(Clone, Debug, FromQueryResult)]
pub struct ScoreAddress {
    pub session_id: Uuid,
    pub link_id: Uuid,
    pub person_id: Uuid,
    /// The platform's name of the person.
    pub subject: String,
    pub platform_id: Uuid,
    /// Of the platform.
    pub state: String,
    /// Of the platform.
    pub score_form: String,
    pub line_item: Option<String>,
    pub line_items: Option<String>,
    /// Of the link, as JSON.
    pub scopes: String,
    /// When the test ended.
    pub completed_at_ms: Option<i64>,
}

impl ScoreAddress {
    /// What the platform gets as the score.
    #[must_use]
    pub fn form(&self) -> ScoreForm {
        ScoreForm::parse(&self.score_form).unwrap_or_default()
    }

    /// The column of the grade book and the person.
    #[must_use]
    pub fn place(&self) -> ScorePlace {
        place_of_score(self.line_item.as_deref(), self.link_id, self.person_id)
    }

    /// The address that is known of the column, or of the list in which it is looked for, and why nothing can be sent
    /// there, if nothing can.
    #[must_use]
    pub fn way(&self) -> (String, Option<&'static str>) {
        way_of(self.line_item.as_deref(), self.line_items.as_deref(), &self.scopes)
    }
}

/// Where the scores of these tests go, by test.
pub async fn load_addresses(
    connection: &impl ConnectionTrait,
    session_ids: &[Uuid],
) -> Result<HashMap<Uuid, ScoreAddress>, DbErr> {
    let backend = connection.get_database_backend();
    let (of_test, ids) = many_rows::among(backend, "lti_tests.session_id", session_ids, 1);
    let (of_attempt, _) = many_rows::among(backend, "attempts.session_id", session_ids, 1);
    let text = format!(
        "SELECT taken.session_id, taken.link_id, taken.person_id, lti_people.subject, lti_links.platform_id, \
         lti_platforms.state, lti_platforms.score_form, lti_links.line_item, lti_links.line_items, lti_links.scopes, \
         sessions.completed_at_ms FROM ({}) AS taken JOIN lti_links ON lti_links.id = taken.link_id \
         JOIN lti_people ON lti_people.id = taken.person_id \
         JOIN lti_platforms ON lti_platforms.id = lti_links.platform_id \
         LEFT JOIN sessions ON sessions.session_id = taken.session_id",
        taken(&of_test, &of_attempt)
    );
    let rows = ScoreAddress::find_by_statement(Statement::from_sql_and_values(backend, text, ids));
    let rows = rows.all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.session_id, row)).collect())
}

/// A score in the outbox, with its place.
#[derive(Debug, FromQueryResult)]
struct PlacedScore {
    id: Uuid,
    status: String,
    last_status: Option<i16>,
    link_id: Uuid,
    person_id: Uuid,
    line_item: Option<String>,
    /// When its test ended.
    ended_at_ms: i64,
}

impl PlacedScore {
    fn place(&self) -> ScorePlace {
        place_of_score(self.line_item.as_deref(), self.link_id, self.person_id)
    }

    fn is(&self, status: DeliveryStatus) -> bool {
        self.status == status.name()
    }
}

/// Loads the scores of these people, those that were queued first first. Of two that were queued at once that of the
/// test comes first that ended first.
async fn load_of_people(connection: &impl ConnectionTrait, people: HashSet<Uuid>) -> Result<Vec<PlacedScore>, DbErr> {
    if people.is_empty() {
        return Ok(Vec::new());
    }
    let people: Vec<Uuid> = people.into_iter().collect();
    let backend = connection.get_database_backend();
    let (of_test, ids) = many_rows::among(backend, "lti_tests.person_id", &people, 1);
    let (of_attempt, _) = many_rows::among(backend, "lti_candidates.person_id", &people, 1);
    load_placed(connection, &taken(&of_test, &of_attempt), ids).await
}

/// The same of these tests with links; `values` are those of that query.
async fn load_placed(
    connection: &impl ConnectionTrait,
    taken: &str,
    values: Vec<Value>,
) -> Result<Vec<PlacedScore>, DbErr> {
    let text = format!(
        "SELECT deliveries.id, deliveries.status, deliveries.last_status, taken.link_id, taken.person_id, \
         lti_links.line_item, COALESCE(sessions.completed_at_ms, 0) AS ended_at_ms \
         FROM ({taken}) AS taken JOIN lti_links ON lti_links.id = taken.link_id \
         JOIN deliveries ON deliveries.session_id = taken.session_id \
         LEFT JOIN sessions ON sessions.session_id = taken.session_id WHERE deliveries.event IN ({}) \
         ORDER BY deliveries.created_at_ms, ended_at_ms, deliveries.id",
        events()
    );
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
    PlacedScore::find_by_statement(statement).all(connection).await
}

/// What is under way in a place.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlaceQueue {
    /// The score that is to arrive next. Others wait for it.
    pub first: Option<Uuid>,
    /// When the newest test ended of which the platform has a score. Older tests have nothing to tell after it.
    pub told_until: Option<Moment>,
}

/// What is under way in each of these places.
pub async fn find_queues(
    database: &Database,
    places: &HashSet<ScorePlace>,
) -> Result<HashMap<ScorePlace, PlaceQueue>, DbErr> {
    let people: HashSet<Uuid> = places.iter().map(|(_, person)| *person).collect();
    let mut queues: HashMap<ScorePlace, PlaceQueue> = HashMap::new();
    for score in load_of_people(&database.read, people).await? {
        let queue = queues.entry(score.place()).or_default();
        if score.is(DeliveryStatus::Pending) {
            queue.first = queue.first.or(Some(score.id));
        } else if score.is(DeliveryStatus::Delivered) {
            queue.told_until = queue.told_until.max(Some(Moment::from_milliseconds(score.ended_at_ms)));
        }
    }
    Ok(queues)
}

/// The score of each of these links that is to arrive next. As long as nobody knows the column of a link the others
/// wait for it: one of them looks for the column, and all go there.
pub async fn find_first_of_links(database: &Database, links: &HashSet<Uuid>) -> Result<HashMap<Uuid, Uuid>, DbErr> {
    if links.is_empty() {
        return Ok(HashMap::new());
    }
    let links: Vec<Uuid> = links.iter().copied().collect();
    let backend = database.read.get_database_backend();
    let (of_test, ids) = many_rows::among(backend, "lti_tests.link_id", &links, 1);
    let (of_attempt, _) = many_rows::among(backend, "lti_candidates.link_id", &links, 1);
    let mut first: HashMap<Uuid, Uuid> = HashMap::new();
    for score in load_placed(&database.read, &taken(&of_test, &of_attempt), ids).await? {
        if score.is(DeliveryStatus::Pending) {
            first.entry(score.link_id).or_insert(score.id);
        }
    }
    Ok(first)
}

/// Queues the newest score again of each place that these tests have, with the full number of attempts and a moment of
/// its own: an older one would take the place of what the platform has. What has failed of the place before has nothing
/// to tell any more, and goes. Returns how many were queued.
pub async fn send_again(database: &Database, session_ids: &[Uuid], now: Moment) -> Result<usize, DbErr> {
    let transaction = database.begin().await?;
    let queued = requeue(&transaction, session_ids, now, |_| true).await?;
    transaction.commit().await?;
    Ok(queued)
}

/// The same of places whose newest score has failed. The others wait, or have arrived.
pub async fn send_failed_again(database: &Database, session_ids: &[Uuid], now: Moment) -> Result<usize, DbErr> {
    let transaction = database.begin().await?;
    let has_failed = |newest: &PlacedScore| newest.is(DeliveryStatus::Failed);
    let queued = requeue(&transaction, session_ids, now, has_failed).await?;
    transaction.commit().await?;
    Ok(queued)
}

async fn requeue(
    connection: &impl ConnectionTrait,
    session_ids: &[Uuid],
    now: Moment,
    is_wanted: impl Fn(&PlacedScore) -> bool,
) -> Result<usize, DbErr> {
    let mut queued = 0;
    for session_ids in session_ids.chunks(TESTS_PER_STATEMENT) {
        let addresses = load_addresses(connection, session_ids).await?;
        if addresses.is_empty() {
            continue;
        }
        let ways: HashMap<ScorePlace, String> = addresses.values().map(|to| (to.place(), to.way().0)).collect();
        let people = addresses.values().map(|to| to.person_id).collect();
        let mut of_places: HashMap<ScorePlace, Vec<PlacedScore>> = HashMap::new();
        for score in load_of_people(connection, people).await? {
            let place = score.place();
            if ways.contains_key(&place) {
                of_places.entry(place).or_default().push(score);
            }
        }
        let (mut again, mut settled) = (Vec::new(), Vec::new());
        for (place, scores) in of_places {
            // In their order, so that of a test the one that was queued last is the newest.
            let Some(newest) = scores.iter().max_by_key(|score| score.ended_at_ms).filter(|one| is_wanted(one)) else {
                continue;
            };
            let failed = scores.iter().filter(|one| one.is(DeliveryStatus::Failed) && one.id != newest.id);
            settled.extend(failed.map(|one| one.id));
            again.push((newest.id, ways.get(&place).cloned().unwrap_or_default()));
        }
        queued += again.len();
        put_again(connection, again, &settled, now).await?;
    }
    Ok(queued)
}

async fn put_again(
    connection: &impl ConnectionTrait,
    mut again: Vec<(Uuid, String)>,
    settled: &[Uuid],
    now: Moment,
) -> Result<(), DbErr> {
    // The link may have another column since.
    const SET: &str = "UPDATE deliveries SET status = 'pending', attempts = 0, last_status = NULL, last_error = NULL, \
        next_attempt_at_ms = new.column2, url = new.column3, host = new.column4";
    if again.is_empty() {
        return Ok(());
    }
    // In one order on all servers, so that none waits for another that waits for it.
    again.sort_unstable();
    let ids: Vec<Uuid> = again.iter().map(|(id, _)| *id).collect();
    let row = |(id, url): (Uuid, String)| -> [Value; 4] {
        let host = place_of(&url).unwrap_or_default();
        [id.into(), now.milliseconds().into(), url.into(), host.into()]
    };
    many_rows::update(connection, SET, "deliveries.id = new.column1", again.into_iter().map(row)).await?;
    empty(connection, ids).await?;
    for settled in settled.chunks(TESTS_PER_STATEMENT) {
        let those = delivery::Column::Id.is_in(settled.to_vec());
        delivery::Entity::delete_many().filter(those).exec(connection).await?;
        // Their moments stay: the platform may have seen them.
        empty(connection, settled.to_vec()).await?;
    }
    Ok(())
}

/// Forgets the bytes of these deliveries.
async fn empty(connection: &impl ConnectionTrait, ids: Vec<Uuid>) -> Result<(), DbErr> {
    use lti_score::Column;
    let emptied = lti_score::Entity::update_many().col_expr(Column::Body, Expr::value(NOT_MADE));
    emptied.filter(Column::DeliveryId.is_in(ids)).exec(connection).await.map(|_| ())
}

/// Forgets what was queued and told of a candidate's test, since they were taken for somebody else: whoever they are is
/// told all of it anew.
pub async fn forget_told(connection: &impl ConnectionTrait, candidate_id: Uuid) -> Result<(), DbErr> {
    let text = format!(
        "DELETE FROM deliveries WHERE event IN ({}) \
         AND session_id IN (SELECT attempts.session_id FROM attempts WHERE attempts.candidate_id = $1)",
        events()
    );
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, [candidate_id.into()]);
    connection.execute_raw(statement).await.map(|_| ())
}

/// Whose scores are made up for.
#[derive(Clone, Copy, Debug)]
pub enum MissedScores<'a> {
    /// A link that can be given scores now, or by another column.
    OfLink(Uuid),
    /// Candidates of whom it is known now who they are in a platform.
    OfCandidates(&'a [Uuid]),
    /// Tests of which that is known now.
    OfTests(&'a [Uuid]),
}

/// Queues the scores of tests that have ended before they could be told: those that have none get the one of their end,
/// which tells the newest result unless it is held, and the newest of the others is sent if it has failed.
pub async fn make_up(connection: &impl ConnectionTrait, missed: MissedScores<'_>, now: Moment) -> Result<(), DbErr> {
    let session_ids = find_missed(connection, missed).await?;
    let backend = connection.get_database_backend();
    let untold = format!(
        "{HAS_ENDED} AND NOT EXISTS (SELECT 1 FROM deliveries told WHERE told.session_id = taken.session_id \
         AND told.event IN ({}))",
        events()
    );
    for session_ids in session_ids.chunks(TESTS_PER_STATEMENT) {
        let (of_test, ids) = many_rows::among(backend, "lti_tests.session_id", session_ids, 1);
        let (of_attempt, _) = many_rows::among(backend, "attempts.session_id", session_ids, 1);
        insert(connection, SCORE_ENDED, (&taken(&of_test, &of_attempt), ids), &untold, now).await?;
    }
    // What a platform has refused stays so, unless there is another place for it.
    let is_other_place = matches!(missed, MissedScores::OfLink(_));
    let is_wanted =
        |newest: &PlacedScore| newest.is(DeliveryStatus::Failed) && (is_other_place || newest.last_status.is_none());
    requeue(connection, &session_ids, now, is_wanted).await.map(|_| ())
}

async fn find_missed(connection: &impl ConnectionTrait, missed: MissedScores<'_>) -> Result<Vec<Uuid>, DbErr> {
    let backend = connection.get_database_backend();
    let (of_test, of_attempt, values) = match missed {
        MissedScores::OfTests(session_ids) => return Ok(session_ids.to_vec()),
        MissedScores::OfLink(link_id) => {
            ("lti_tests.link_id = $1".to_owned(), "lti_candidates.link_id = $1".to_owned(), vec![link_id.into()])
        }
        MissedScores::OfCandidates(candidate_ids) => {
            let mut found = Vec::new();
            for candidate_ids in candidate_ids.chunks(TESTS_PER_STATEMENT) {
                let (of_them, ids) = many_rows::among(backend, "attempts.candidate_id", candidate_ids, 1);
                let of_test =
                    format!("lti_tests.session_id IN (SELECT attempts.session_id FROM attempts WHERE {of_them})");
                found.extend(find_ids(connection, &taken(&of_test, &of_them), ids).await?);
            }
            return Ok(found);
        }
    };
    find_ids(connection, &taken(&of_test, &of_attempt), values).await
}

async fn find_ids(connection: &impl ConnectionTrait, taken: &str, values: Vec<Value>) -> Result<Vec<Uuid>, DbErr> {
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), taken, values);
    let rows = connection.query_all_raw(statement).await?;
    // The test is the first column.
    rows.iter().map(|row| row.try_get_by_index::<Uuid>(0)).collect()
}

/// Has the scores of a platform that waited for it tried at once, since an admin has let it in again.
pub async fn wake(connection: &impl ConnectionTrait, platform_id: Uuid, now: Moment) -> Result<(), DbErr> {
    let of_platform = "IN (SELECT lti_people.id FROM lti_people WHERE lti_people.platform_id = $1)";
    let text = format!(
        "UPDATE deliveries SET next_attempt_at_ms = $2 WHERE status = 'pending' AND next_attempt_at_ms > $2 \
         AND event IN ({}) AND session_id IN (SELECT taken.session_id FROM ({}) AS taken)",
        events(),
        taken(&format!("lti_tests.person_id {of_platform}"), &format!("lti_candidates.person_id {of_platform}"))
    );
    let values: [Value; 2] = [platform_id.into(), now.milliseconds().into()];
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
    connection.execute_raw(statement).await.map(|_| ())
}
