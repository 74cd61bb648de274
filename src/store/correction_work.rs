//! How the tests of a correction follow it, in the database: those of each step are cut into pieces, which servers take
//! for a while, and each test is done once.

use std::collections::HashMap;

use domain::correction::{Correction, CorrectionScope, GradeScope};
use domain::session::SessionOrigin;
use domain::time::moment::Moment;
use entities::{correction_piece, correction_step, session, session_body};
use sea_orm::sea_query::{Expr, ExprTrait, Func, SimpleExpr};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
    FromQueryResult, IdenStatic, JoinType, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select, Statement,
};
use uuid::Uuid;

use super::corrections::{self, StoredCorrection};
use super::sessions::body_of_session;
use crate::database::{Database, bound_lock_waits};

/// Tests of one piece.
const PIECE_TESTS: usize = 2_000;
/// Rows of one statement. A piece has 8 values and SQLite accepts 32,766 in a statement.
const ROWS_PER_STATEMENT: usize = 1_000;
/// Bytes that a transaction copies of the tests that it lets follow, as the journal bounds its batches: students who
/// save on SQLite wait for it. One test may have more.
const BATCH_BYTES_MAX: i64 = 2 * 1_024 * 1_024;
/// How long a server has a piece without doing anything of it, before another one takes it.
const LEASE_MILLISECONDS: i64 = 30_000;
/// How long after a correction was made or reverted its tests are waited for. A hundred thousand follow in two minutes;
/// those that have not followed by then may never do, such as a test that takes too long each time.
const WAITED_FOR_MILLISECONDS: i64 = 60 * 60 * 1_000;

/// How far the tests of a step have followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepProgress {
    pub done: i64,
    /// 0 until they are counted.
    pub total: i64,
    pub is_finished: bool,
}

/// A step whose tests are not counted yet.
pub struct UncountedStep {
    pub number: i64,
    pub stored: StoredCorrection,
}

/// A piece that this server has taken.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct TakenPiece {
    pub step: i64,
    pub piece: i32,
    pub first_id: Uuid,
    pub last_id: Uuid,
    /// The last test that has followed already.
    pub after_id: Option<Uuid>,
    pub fence: i64,
}

/// Whether there is anything to do: a look at an index that is empty nearly always.
pub async fn has_open(database: &Database) -> Result<bool, DbErr> {
    use correction_step::Column;
    let query = correction_step::Entity::find().select_only().column(Column::Number);
    let open = query.filter(Column::FinishedAtMs.is_null()).limit(1);
    Ok(open.into_tuple::<i64>().one(&database.read).await?.is_some())
}

/// Finds the first step whose tests are not counted yet.
pub async fn find_uncounted(database: &Database) -> Result<Option<UncountedStep>, DbErr> {
    use correction_step::Column;
    let query = correction_step::Entity::find().filter(Column::FinishedAtMs.is_null());
    let query = query.filter(Column::Total.is_null()).order_by_asc(Column::Number);
    let Some(step) = query.one(&database.read).await? else { return Ok(None) };
    let stored = corrections::find(&database.read, step.correction_id).await?;
    Ok(stored.map(|stored| UncountedStep { number: step.number, stored }))
}

/// Counts the tests that have to follow a step, and cuts them into pieces. All that were stored without it are found:
/// whoever stored one held the lock of corrections, for which the step waited.
pub async fn count(database: &Database, step: &UncountedStep) -> Result<(), DbErr> {
    let UncountedStep { number, stored } = step;
    let mut ids = find_behind(database, &stored.correction, *number).await?;
    ids.sort_unstable();
    let pieces = ids.chunks(PIECE_TESTS).zip(0..).filter_map(|(ids, piece)| {
        Some(correction_piece::ActiveModel {
            step: Set(*number),
            piece: Set(piece),
            first_id: Set(*ids.first()?),
            last_id: Set(*ids.last()?),
            after_id: Set(None),
            done: Set(0),
            fence: Set(0),
            leased_until_ms: Set(0),
        })
    });
    let pieces: Vec<_> = pieces.collect();
    let transaction = database.begin_alone().await?;
    bound_lock_waits(&transaction).await?;
    let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let counted = correction_step::ActiveModel { total: Set(Some(total)), ..Default::default() };
    let uncounted = correction_step::Column::Number.eq(*number).and(correction_step::Column::Total.is_null());
    let update = correction_step::Entity::update_many().set(counted).filter(uncounted);
    // Another server has counted them meanwhile.
    if update.exec(&transaction).await?.rows_affected == 0 {
        return transaction.rollback().await;
    }
    for pieces in pieces.chunks(ROWS_PER_STATEMENT) {
        correction_piece::Entity::insert_many(pieces.to_vec()).exec_without_returning(&transaction).await?;
    }
    transaction.commit().await
}

/// Counts the finished tests of a sitting that have still to follow what was done with corrections of keys lately.
pub async fn count_following(connection: &impl ConnectionTrait, sitting_id: Uuid, now: Moment) -> Result<u64, DbErr> {
    match of_sitting_behind(connection, sitting_id, now).await? {
        Some(behind) => behind.count(connection).await,
        None => Ok(0),
    }
}

/// Whether there are any. It ends at the first one.
pub async fn has_following(connection: &impl ConnectionTrait, sitting_id: Uuid, now: Moment) -> Result<bool, DbErr> {
    let Some(behind) = of_sitting_behind(connection, sitting_id, now).await? else { return Ok(false) };
    let first = behind.select_only().column(session::Column::SessionId).limit(1);
    Ok(first.into_tuple::<Uuid>().one(connection).await?.is_some())
}

/// The tests of a sitting that are behind some step; `None` if there is no step that they could be behind, which is a
/// look at an index that is empty nearly always. A step of other tests that is not finished holds up nothing.
async fn of_sitting_behind(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    now: Moment,
) -> Result<Option<Select<session::Entity>>, DbErr> {
    use correction_step::Column;
    let backend = connection.get_database_backend();
    let steps = correction_step::Entity::find().filter(Column::FinishedAtMs.is_null()).order_by_asc(Column::Number);
    let mut behind_any = Condition::any();
    for step in steps.all(connection).await? {
        let Some(stored) = corrections::find(connection, step.correction_id).await? else { continue };
        if now.since(stored.last_act().at) <= WAITED_FOR_MILLISECONDS {
            let behind = behind(&stored.correction, step.number, backend);
            behind_any = behind_any.add(in_scope(&stored.correction.scope).add(behind));
        }
    }
    if behind_any.is_empty() {
        return Ok(None);
    }
    let query = session::Entity::find().join(JoinType::InnerJoin, body_of_session());
    Ok(Some(query.filter(session::Column::SittingId.eq(sitting_id)).filter(behind_any)))
}

async fn find_behind(database: &Database, correction: &Correction, step: i64) -> Result<Vec<Uuid>, DbErr> {
    let backend = database.read.get_database_backend();
    let query = session::Entity::find().select_only().column(session::Column::SessionId);
    let query = query.join(JoinType::InnerJoin, body_of_session()).filter(in_scope(&correction.scope));
    query.filter(behind(correction, step, backend)).into_tuple().all(&database.read).await
}

/// The condition of tests that have the question of a correction and have not followed this step.
fn behind(correction: &Correction, step: i64, backend: DbBackend) -> Condition {
    Condition::all().add(session::Column::CorrectionsMark.lt(step)).add(has_question(
        session_body::Column::GradedBy,
        &correction.question_id,
        backend,
    ))
}

/// The condition of the tests of a scope.
pub(super) fn in_scope(scope: &CorrectionScope) -> Condition {
    scope_condition(scope, |column| column.into_expr())
}

/// The same of columns that are written so.
fn scope_condition(scope: &CorrectionScope, column: impl Fn(session::Column) -> SimpleExpr) -> Condition {
    use session::Column;
    let live = Condition::all().add(column(Column::Origin).eq(SessionOrigin::Live.name()));
    match scope {
        CorrectionScope::Sitting(id) => live.add(column(Column::SittingId).eq(*id)),
        CorrectionScope::Template(id) => live.add(column(Column::TemplateId).eq(*id)),
        CorrectionScope::Grade(GradeScope { grade, from, until, templates }) => {
            let theirs = templates.as_ref().map(|ids| {
                let named = column(Column::TemplateId).is_in(ids.iter().copied());
                Condition::any().add(column(Column::TemplateId).is_null()).add(named)
            });
            live.add(column(Column::Grade).eq(i16::from(grade.number())))
                .add(column(Column::StartedAtMs).gte(from.milliseconds()))
                .add(column(Column::StartedAtMs).lt(until.milliseconds()))
                // It follows from the others, and an index serves it.
                .add(column(Column::CompletedAtMs).gte(from.milliseconds()))
                .add_option(theirs)
        }
    }
}

/// The condition that stored keys have one of this question.
pub(super) fn has_question(keys: impl ColumnTrait, question_id: &str, backend: DbBackend) -> SimpleExpr {
    let written = serde_json::to_string(question_id).unwrap_or_default();
    has_text(keys, &format!("\"id\":{written}"), backend)
}

/// The condition that a column has this text in it. `LIKE` would give some characters another meaning.
pub(super) fn has_text(column: impl ColumnTrait, text: &str, backend: DbBackend) -> SimpleExpr {
    let place = if backend == DbBackend::Postgres { "strpos" } else { "instr" };
    Expr::expr(Func::cust(place).arg(column.into_expr()).arg(text)).gt(0)
}

/// Takes a piece that no server has, of the first step that has one, until its lease runs out.
pub async fn take(database: &Database, now: Moment) -> Result<Option<TakenPiece>, DbErr> {
    let backend = database.write.get_database_backend();
    let skipping = if backend == DbBackend::Postgres { " FOR UPDATE SKIP LOCKED" } else { "" };
    let text = format!(
        "UPDATE correction_pieces SET fence = fence + 1, leased_until_ms = $2 WHERE (step, piece) = \
         (SELECT step, piece FROM correction_pieces WHERE leased_until_ms <= $1 ORDER BY step, piece LIMIT 1{skipping}) \
         RETURNING step, piece, first_id, last_id, after_id, fence"
    );
    let values = [now.milliseconds().into(), now.plus(LEASE_MILLISECONDS).milliseconds().into()];
    let statement = Statement::from_sql_and_values(backend, text, values);
    TakenPiece::find_by_statement(statement).one(&database.write).await
}

/// Keeps other servers from a piece until the transaction ends. Returns false if another one has taken it: then nothing
/// may be done of it, and as long as none has, it is as far as this server has brought it.
pub async fn hold(transaction: &DatabaseTransaction, taken: &TakenPiece) -> Result<bool, DbErr> {
    use correction_piece::Column;
    let query = correction_piece::Entity::find_by_id((taken.step, taken.piece)).filter(Column::Fence.eq(taken.fence));
    Ok(query.lock_exclusive().one(transaction).await?.is_some())
}

/// The next tests of a piece that are behind, in the order of their ids: at most `count`, and only so many that what is
/// kept of them stays within [`BATCH_BYTES_MAX`], but at least one. A test that follows by another way meanwhile is
/// found to be right already, so this needs no lock.
pub async fn find_next(
    connection: &impl ConnectionTrait,
    taken: &TakenPiece,
    correction: &Correction,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Uuid>, DbErr> {
    use session::Column;
    let backend = connection.get_database_backend();
    let from = after.map_or_else(|| Column::SessionId.gte(taken.first_id), |after| Column::SessionId.gt(after));
    let query = session::Entity::find().select_only().column(Column::SessionId).column_as(kept_bytes(), "bytes");
    let query = query.join(JoinType::InnerJoin, body_of_session());
    let query = query.filter(from).filter(Column::SessionId.lte(taken.last_id));
    let query = query.filter(scope_condition(&correction.scope, by_range(backend)));
    let query = query.filter(behind(correction, taken.step, backend)).order_by_asc(Column::SessionId).limit(count);
    let found: Vec<(Uuid, i32)> = query.into_tuple().all(connection).await?;
    let mut left = BATCH_BYTES_MAX;
    let is_within = |(index, (_, bytes)): &(usize, (Uuid, i32))| {
        let bytes = i64::from(*bytes);
        let is_within = *index == 0 || bytes <= left;
        left -= bytes;
        is_within
    };
    Ok(found.into_iter().enumerate().take_while(is_within).map(|(_, (id, _))| id).collect())
}

/// The bytes that are copied of a test when its version is kept. A database need not read texts to measure them.
fn kept_bytes() -> SimpleExpr {
    use session_body::Column;
    let bytes = |column: Column| SimpleExpr::from(Func::cust("octet_length").arg(column.into_expr()));
    let drawings = SimpleExpr::from(Func::coalesce([bytes(Column::Drawings), Expr::value(0)]));
    drawings.add(bytes(Column::Result)).add(bytes(Column::GradedBy))
}

/// The columns of tests in a condition that no index is to serve. SQLite would read all tests of a grade or a template
/// for each batch, and sort them, rather than the stretch of ids in which the batch lies.
fn by_range(backend: DbBackend) -> impl Fn(session::Column) -> SimpleExpr {
    move |column| match backend {
        DbBackend::Sqlite => Expr::cust(format!("+\"sessions\".\"{}\"", column.as_str())),
        _ => column.into_expr(),
    }
}

/// Notes how far a piece is, and keeps it for longer.
pub async fn advance(
    transaction: &DatabaseTransaction,
    taken: &TakenPiece,
    after: Uuid,
    tests: usize,
    now: Moment,
) -> Result<(), DbErr> {
    use correction_piece::Column;
    let done = Expr::col(Column::Done).add(i64::try_from(tests).unwrap_or_default());
    let update = correction_piece::Entity::update_many()
        .col_expr(Column::AfterId, Expr::value(after))
        .col_expr(Column::Done, done)
        .col_expr(Column::LeasedUntilMs, Expr::value(now.plus(LEASE_MILLISECONDS).milliseconds()));
    let of_it = Column::Step.eq(taken.step).and(Column::Piece.eq(taken.piece));
    update.filter(of_it).exec(transaction).await.map(|_| ())
}

/// Removes a piece whose tests have all followed.
pub async fn finish(transaction: &DatabaseTransaction, taken: &TakenPiece) -> Result<(), DbErr> {
    const COUNT: &str = "UPDATE correction_steps SET done = done + \
        (SELECT done FROM correction_pieces WHERE step = $1 AND piece = $2) WHERE number = $1";
    let values = [taken.step.into(), taken.piece.into()];
    let statement = Statement::from_sql_and_values(transaction.get_database_backend(), COUNT, values);
    transaction.execute_raw(statement).await?;
    correction_piece::Entity::delete_by_id((taken.step, taken.piece)).exec(transaction).await.map(|_| ())
}

/// Gives a piece back before the end of its lease. Nobody takes it until this moment.
pub async fn give_back(database: &Database, taken: &TakenPiece, until: Moment) -> Result<(), DbErr> {
    use correction_piece::Column;
    let of_it = Column::Step.eq(taken.step).and(Column::Piece.eq(taken.piece)).and(Column::Fence.eq(taken.fence));
    let free = correction_piece::ActiveModel { leased_until_ms: Set(until.milliseconds()), ..Default::default() };
    correction_piece::Entity::update_many().set(free).filter(of_it).exec(&database.write).await.map(|_| ())
}

/// Finds the correction of a step.
pub async fn find_correction(database: &Database, step: i64) -> Result<Option<StoredCorrection>, DbErr> {
    let Some(step) = correction_step::Entity::find_by_id(step).one(&database.read).await? else { return Ok(None) };
    corrections::find(&database.read, step.correction_id).await
}

/// Ends the steps that have no pieces left.
pub async fn end_finished(database: &Database, now: Moment) -> Result<(), DbErr> {
    const END: &str = "UPDATE correction_steps SET finished_at_ms = $1 WHERE finished_at_ms IS NULL \
        AND total IS NOT NULL AND NOT EXISTS \
        (SELECT 1 FROM correction_pieces WHERE correction_pieces.step = correction_steps.number)";
    let backend = database.write.get_database_backend();
    let statement = Statement::from_sql_and_values(backend, END, [now.milliseconds().into()]);
    database.write.execute_raw(statement).await.map(|_| ())
}

/// How far the tests of these steps have followed.
pub async fn load_progress(
    connection: &impl ConnectionTrait,
    steps: impl Iterator<Item = i64>,
) -> Result<HashMap<i64, StepProgress>, DbErr> {
    let steps: Vec<i64> = steps.collect();
    if steps.is_empty() {
        return Ok(HashMap::new());
    }
    let of_them = correction_step::Column::Number.is_in(steps.iter().copied());
    let rows = correction_step::Entity::find().filter(of_them).all(connection).await?;
    let progress = |row: correction_step::Model| {
        let is_finished = row.finished_at_ms.is_some();
        (row.number, StepProgress { done: row.done, total: row.total.unwrap_or_default(), is_finished })
    };
    let mut progress: HashMap<i64, StepProgress> = rows.into_iter().map(progress).collect();
    let of_them = correction_piece::Column::Step.is_in(steps);
    for piece in correction_piece::Entity::find().filter(of_them).all(connection).await? {
        if let Some(progress) = progress.get_mut(&piece.step) {
            progress.done += piece.done;
        }
    }
    Ok(progress)
}
