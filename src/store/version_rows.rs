//! Versions of finished tests as they stand in the database, row by row: for receipts, which say what was handed in,
//! and for seals, which say that nothing of it was changed. One at a time, since drawings may be megabytes of each, and
//! so that one that can't be read costs no other.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::attempt::ValueKind;
use domain::receipt::{ReceiptAnswer, ReceiptContent};
use domain::session::{Session, VersionReason};
use domain::time::moment::Moment;
use entities::{attempt, journal_entry, receipt, session, session_body, session_version};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Unreadable;
use super::attempt_times::StoredTimes;
use super::session_rows::SessionRows;

/// Everything that is stored of one version.
pub struct VersionRow {
    /// With the columns of this version, also if there is a newer one.
    list: session::Model,
    body: session_body::Model,
}

/// What an attempt has beside a version of the test that it became, as far as that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceiptFacts {
    /// The numbers of the commands that set the choices, by position.
    pub seqs: BTreeMap<usize, u64>,
    /// The highest number of any command that set a value.
    pub seq: u64,
    /// `None` without an attempt, and of an end after which the test has gone on.
    pub deadline: Option<Moment>,
}

impl VersionRow {
    /// The sitting of the test.
    #[must_use]
    pub const fn sitting_id(&self) -> Option<Uuid> {
        self.list.sitting_id
    }

    /// The drawings: a JSON object by question id.
    #[must_use]
    pub fn drawings(&self) -> Option<&str> {
        self.body.drawings.as_deref()
    }

    /// The hashes of its drawings by question id.
    pub fn drawing_hashes(&self) -> Result<BTreeMap<String, [u8; 32]>, Unreadable> {
        let Some(json) = self.drawings() else { return Ok(BTreeMap::new()) };
        let drawings: BTreeMap<String, &RawValue> = serde_json::from_str(json).map_err(|_| Unreadable("drawings"))?;
        Ok(drawings.into_iter().map(|(id, drawing)| (id, Sha256::digest(drawing.get()).into())).collect())
    }

    /// SHA-256 over everything that makes this version what it is: all columns but whether its webhook was sent, the
    /// last correction that is known to it, which changes without a new version, and the scale of marks, which decides
    /// nothing in a sitting.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut fields = self.fields();
        // Also what is not there, so that nothing can be put there.
        for text in [&self.list.form, &self.body.option_order] {
            fields.add_if(text.as_ref().map(String::as_bytes));
        }
        fields.0.finalize().into()
    }

    /// The digest that was sealed before it had the form and the orders of options. Such seals stay good for what they
    /// were made over. A seal of today is of no digest of then, so that none protects less for it.
    #[must_use]
    pub fn former_digest(&self) -> [u8; 32] {
        self.fields().0.finalize().into()
    }

    /// What both digests have.
    fn fields(&self) -> Fields {
        let Self { list, body } = self;
        let mut fields = Fields(Sha256::new());
        fields.add(list.session_id.as_bytes());
        for number in [
            i64::from(list.grade),
            list.started_at_ms,
            list.completed_at_ms,
            list.verified.into(),
            list.score.into(),
            list.correct_answers.into(),
            list.total_questions.into(),
            list.time_taken.into(),
            list.version.into(),
        ] {
            fields.add(&number.to_be_bytes());
        }
        for number in [list.event_id, list.version_at_ms, list.previous_score.map(Into::into)] {
            fields.add_if(number.map(i64::to_be_bytes).as_ref().map(|bytes| &bytes[..]));
        }
        for id in [list.template_id, list.sitting_id] {
            fields.add_if(id.as_ref().map(|id| &id.as_bytes()[..]));
        }
        for text in [&list.report_url, &list.origin, &list.student, &list.search_text] {
            fields.add(text.as_bytes());
        }
        for text in [&list.account, &list.student_id, &list.version_reason, &list.version_by, &list.version_comment] {
            fields.add_if(text.as_ref().map(String::as_bytes));
        }
        for text in [&body.annotations, &body.result, &body.graded_by] {
            fields.add(text.as_bytes());
        }
        fields.add_if(body.drawings.as_ref().map(String::as_bytes));
        fields
    }

    /// Whether an end of the test has made it, and no later change of its result.
    fn is_of_end(&self) -> bool {
        let reason = self.list.version_reason.as_deref().and_then(VersionReason::parse);
        matches!(reason, None | Some(VersionReason::Submitted | VersionReason::Reopened))
    }

    /// The version as a session.
    pub fn session(self) -> Result<Session, Unreadable> {
        SessionRows { list: self.list, body: self.body }.session()
    }
}

/// Fields that are hashed one after the other, so that no two lists of them look alike.
struct Fields(Sha256);

impl Fields {
    fn add(&mut self, bytes: &[u8]) {
        self.0.update([1]);
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }

    fn add_if(&mut self, bytes: Option<&[u8]>) {
        match bytes {
            Some(bytes) => self.add(bytes),
            None => self.0.update([0]),
        }
    }
}

/// Finds a version of a test, the newest or an earlier one. `connection` is a snapshot, so that its rows are of one
/// moment.
pub async fn find(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
    version: i32,
) -> Result<Option<VersionRow>, DbErr> {
    let Some(list) = session::Entity::find_by_id(session_id).one(connection).await? else { return Ok(None) };
    if list.version == version {
        let body = session_body::Entity::find_by_id(session_id).one(connection).await?;
        return Ok(body.map(|body| VersionRow { list, body }));
    }
    let Some(row) = session_version::Entity::find_by_id((session_id, version)).one(connection).await? else {
        return Ok(None);
    };
    // An earlier version has the annotations of the test and the orders of its options, which no change touches.
    let columns = [session_body::Column::Annotations, session_body::Column::OptionOrder];
    let query = session_body::Entity::find_by_id(session_id).select_only().columns(columns);
    let unchanged: Option<(String, Option<String>)> = query.into_tuple().one(connection).await?;
    Ok(unchanged.map(|(annotations, option_order)| earlier(list, row, annotations, option_order)))
}

fn earlier(
    newest: session::Model,
    row: session_version::Model,
    annotations: String,
    option_order: Option<String>,
) -> VersionRow {
    let list = session::Model {
        completed_at_ms: row.completed_at_ms,
        verified: row.verified,
        score: row.score,
        correct_answers: row.correct_answers,
        total_questions: row.total_questions,
        time_taken: row.time_taken,
        version: row.version,
        version_reason: row.reason,
        version_at_ms: row.at_ms,
        version_by: row.made_by,
        version_comment: row.comment,
        previous_score: row.previous_score,
        ..newest
    };
    let (result, drawings, graded_by) = (row.result, row.drawings, row.graded_by);
    let session_id = row.session_id;
    VersionRow {
        list,
        body: session_body::Model { session_id, annotations, result, drawings, graded_by, option_order },
    }
}

/// The number of a test's newest version; `None` if there is no such test here.
pub async fn find_newest(connection: &impl ConnectionTrait, session_id: Uuid) -> Result<Option<i32>, DbErr> {
    let query = session::Entity::find_by_id(session_id).select_only().column(session::Column::Version);
    query.into_tuple().one(connection).await
}

/// The tests of a sitting with the numbers of their newest versions, by id.
pub async fn load_of_sitting(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Vec<(Uuid, i32)>, DbErr> {
    use session::Column;
    let query = session::Entity::find().select_only().columns([Column::SessionId, Column::Version]);
    let query = query.filter(Column::SittingId.eq(sitting_id)).order_by_asc(Column::SessionId);
    query.into_tuple().all(connection).await
}

/// What is known of the commands of a version whose receipt is missing. A corrected key changes nothing of what was
/// handed in, so such a receipt says of the commands what the one before says: meanwhile the test may go on, and its
/// attempt have others.
pub async fn find_facts(connection: &impl ConnectionTrait, row: &VersionRow) -> Result<ReceiptFacts, DbErr> {
    let earlier = if row.is_of_end() { None } else { find_earlier(connection, row).await? };
    match earlier {
        Some(facts) => Ok(facts),
        None => find_attempt(connection, row.list.session_id, row.list.version).await,
    }
}

/// What the newest receipt of an earlier version says, down to that of the end which it follows: what was handed in
/// before that end is another thing.
async fn find_earlier(connection: &impl ConnectionTrait, row: &VersionRow) -> Result<Option<ReceiptFacts>, DbErr> {
    use receipt::{Column, Entity};
    use session_version::Column as Of;
    let (session_id, version) = (row.list.session_id, row.list.version);
    let ends = session_version::Entity::find().select_only().column_as(Of::Version.max(), "last");
    let ends = ends.filter(Of::SessionId.eq(session_id)).filter(Of::Reason.eq(VersionReason::Reopened.name()));
    let end: Option<Option<i32>> = ends.filter(Of::Version.lt(version)).into_tuple().one(connection).await?;
    let query = Entity::find().filter(Column::SessionId.eq(session_id)).filter(Column::Version.lt(version));
    let query = query.filter(Column::Version.gte(end.flatten().unwrap_or(1))).order_by_desc(Column::Version);
    let earlier = query.one(connection).await?;
    Ok(earlier.and_then(|earlier| content_of(&earlier.jws)).map(|content| ReceiptFacts {
        seqs: content.answers.iter().map(|ReceiptAnswer(_, _, seq)| *seq).enumerate().collect(),
        seq: content.seq,
        deadline: content.deadline,
    }))
}

/// What a receipt of this server says.
fn content_of(jws: &str) -> Option<ReceiptContent> {
    let payload = URL_SAFE_NO_PAD.decode(jws.split('.').nth(1)?).ok()?;
    serde_json::from_slice(&payload).ok()
}

/// What the attempt of a test has of one of its versions: nothing if it has none, or if it has gone on since, whose
/// numbers and deadline are not those of that version.
async fn find_attempt(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
    version: i32,
) -> Result<ReceiptFacts, DbErr> {
    use journal_entry::{Column, Entity};
    let query = attempt::Entity::find_by_id(session_id).select_only().columns(StoredTimes::COLUMNS);
    let query = query.columns([attempt::Column::Reopenings, attempt::Column::EndedAtMs]);
    let Some(attempt) = query.into_model::<AttemptRow>().one(connection).await? else {
        return Ok(ReceiptFacts::default());
    };
    if attempt.reopenings > 0
        && (attempt.ended_at_ms.is_none() || find_last_end(connection, session_id).await? > version)
    {
        return Ok(ReceiptFacts::default());
    }
    // Without the values: drawings may be large.
    let query = Entity::find().select_only().columns([Column::Position, Column::Kind, Column::Seq]);
    let entries: Vec<(i16, i16, i64)> =
        query.filter(Column::SessionId.eq(session_id)).into_tuple().all(connection).await?;
    let number = |seq: i64| u64::try_from(seq).unwrap_or_default();
    let choices = entries.iter().filter(|(_, kind, _)| *kind == ValueKind::Choice as i16);
    let choice = |(position, _, seq): &(i16, i16, i64)| Some((usize::try_from(*position).ok()?, number(*seq)));
    Ok(ReceiptFacts {
        seqs: choices.filter_map(choice).collect(),
        seq: entries.iter().map(|(_, _, seq)| number(*seq)).max().unwrap_or_default(),
        deadline: Some(attempt.times.times().deadline()),
    })
}

/// The columns of an attempt that decide on what a receipt says of it.
#[derive(FromQueryResult)]
struct AttemptRow {
    reopenings: i32,
    ended_at_ms: Option<i64>,
    #[sea_orm(nested)]
    times: StoredTimes,
}

/// The number of the version that the last end of a test has made, which was reopened before.
async fn find_last_end(connection: &impl ConnectionTrait, session_id: Uuid) -> Result<i32, DbErr> {
    use session_version::Column;
    let reopened = VersionReason::Reopened.name();
    let newest = session::Entity::find_by_id(session_id).filter(session::Column::VersionReason.eq(reopened));
    let newest = newest.select_only().column(session::Column::Version);
    if let Some(newest) = newest.into_tuple::<i32>().one(connection).await? {
        return Ok(newest);
    }
    let earlier = session_version::Entity::find().select_only().column_as(Column::Version.max(), "last");
    let earlier = earlier.filter(Column::SessionId.eq(session_id)).filter(Column::Reason.eq(reopened));
    let last: Option<Option<i32>> = earlier.into_tuple().one(connection).await?;
    Ok(last.flatten().unwrap_or(1))
}
