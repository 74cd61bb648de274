//! Sittings and their halls, in the database. Whoever changes a sitting or its roster locks its row first, so that all
//! changes of one sitting come one after the other, on several servers too.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

use domain::sitting::code::SittingCode;
use domain::sitting::plan::{HallPlan, SittingPlan};
use domain::sitting::values::{Factor, LateRule, ResultsRule, StartRule};
use domain::sitting::{Hall, Sitting};
use domain::text::order::compare_names;
use domain::time::moment::Moment;
use entities::{room, sealed_part, sitting};
use sea_orm::sea_query::{Expr, ExprTrait, LikeExpr, LockType, OnConflict, Query, SimpleExpr};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

use super::{Unreadable, former_rosters, incidents, lti_rosters, marks, standings};
use crate::database::{Database, Transaction, bound_stalls};

/// The texts of [`ResultsRule`] in the database, where a time stands in a column of its own.
pub(super) const RESULTS_AT: &str = "at";

/// A sitting that nobody else changes until the transaction ends, nor its roster. What stores a change of either takes
/// this as its proof, and only the lock gives it.
pub struct LockedSitting<'t> {
    transaction: &'t Transaction,
    sitting: Sitting,
}

impl<'t> LockedSitting<'t> {
    /// The transaction that has the lock.
    #[must_use]
    pub const fn transaction(&self) -> &'t Transaction {
        self.transaction
    }

    /// The sitting alone, which can't be stored any more.
    #[must_use]
    pub fn into_sitting(self) -> Sitting {
        self.sitting
    }

    /// The lock without the sitting.
    #[must_use]
    pub fn hold(&self) -> SittingHold<'t> {
        SittingHold { transaction: self.transaction, version: self.sitting.version }
    }
}

impl Deref for LockedSitting<'_> {
    type Target = Sitting;

    fn deref(&self) -> &Sitting {
        &self.sitting
    }
}

impl DerefMut for LockedSitting<'_> {
    fn deref_mut(&mut self) -> &mut Sitting {
        &mut self.sitting
    }
}

/// A sitting that nobody changes until the transaction ends, nor its roster, although others may hold it as well.
pub struct SittingHold<'t> {
    pub(super) transaction: &'t DatabaseTransaction,
    pub version: i64,
}

/// Stores a new sitting with its halls, which is then locked like any other. Stores nothing if another one has its
/// code.
pub async fn insert<'t>(transaction: &'t Transaction, sitting: &Sitting) -> Result<Option<LockedSitting<'t>>, DbErr> {
    let conflict = OnConflict::column(sitting::Column::Code).do_nothing().to_owned();
    let stored = sitting::Entity::insert(to_row(sitting)?).on_conflict(conflict).exec_without_returning(transaction);
    if stored.await? == 0 {
        return Ok(None);
    }
    save_halls(transaction, sitting).await?;
    Ok(Some(LockedSitting { transaction, sitting: sitting.clone() }))
}

/// Finds a sitting with its halls.
pub async fn find(database: &Database, id: Uuid) -> Result<Option<Sitting>, DbErr> {
    find_in(&database.read, id).await
}

/// The name of a sitting, for the many who read their results at once.
pub async fn find_name(database: &Database, id: Uuid) -> Result<Option<String>, DbErr> {
    let query = sitting::Entity::find_by_id(id).select_only().column(sitting::Column::Name);
    query.into_tuple().one(&database.read).await
}

/// Finds a sitting by the code of its page.
pub async fn find_by_code(database: &Database, code: &SittingCode) -> Result<Option<Sitting>, DbErr> {
    let row = sitting::Entity::find().filter(sitting::Column::Code.eq(code.as_str())).one(&database.read).await?;
    match row {
        Some(row) => with_halls(&database.read, vec![row]).await.map(|mut found| found.pop()),
        None => Ok(None),
    }
}

/// Loads sittings with their halls, those that start last first: at most `count`.
pub async fn load_last(database: &Database, count: u64) -> Result<Vec<Sitting>, DbErr> {
    let query = sitting::Entity::find().order_by_desc(sitting::Column::StartsAtMs).order_by_asc(sitting::Column::Id);
    with_halls(&database.read, query.limit(count).all(&database.read).await?).await
}

/// Loads these sittings with their halls.
pub async fn load(database: &Database, ids: Vec<Uuid>) -> Result<Vec<Sitting>, DbErr> {
    load_in(&database.read, ids).await
}

/// The same within a transaction, which needs no second connection then.
pub async fn load_in(connection: &impl ConnectionTrait, ids: Vec<Uuid>) -> Result<Vec<Sitting>, DbErr> {
    let rows = sitting::Entity::find().filter(sitting::Column::Id.is_in(ids)).all(connection).await?;
    with_halls(connection, rows).await
}

/// Finds a sitting, and keeps everyone else from changing it or its roster until the transaction ends. Entries wait for
/// that in the journal's transactions, which carry the answers of other students, so it must not stand still.
pub async fn lock(transaction: &Transaction, id: Uuid) -> Result<Option<LockedSitting<'_>>, DbErr> {
    bound_stalls(transaction).await?;
    let row = sitting::Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
    let Some(row) = row else { return Ok(None) };
    let found = with_halls(transaction, vec![row]).await?.pop();
    Ok(found.map(|sitting| LockedSitting { transaction, sitting }))
}

/// Stores a sitting with its halls as another version. Halls that it has no longer are removed.
pub async fn save(sitting: &mut LockedSitting<'_>) -> Result<(), DbErr> {
    sitting.version += 1;
    store(sitting).await
}

/// Stores that the doors of a sitting have opened. The version stays: whoever edits the plan has nothing to do with who
/// comes first.
pub async fn save_opened(sitting: &LockedSitting<'_>) -> Result<(), DbErr> {
    store(sitting).await
}

async fn store(sitting: &LockedSitting<'_>) -> Result<(), DbErr> {
    let transaction = sitting.transaction;
    let of_it = sitting::Column::Id.eq(sitting.id);
    sitting::Entity::update_many().set(to_row(sitting)?).filter(of_it).exec(transaction).await?;
    let kept: Vec<Uuid> = sitting.halls.iter().map(|hall| hall.id).collect();
    let gone = room::Column::SittingId.eq(sitting.id).and(room::Column::Id.is_not_in(kept));
    room::Entity::delete_many().filter(gone).exec(transaction).await?;
    save_halls(transaction, sitting).await
}

/// Finds the version of a sitting, and keeps everyone from changing it until the transaction ends.
pub async fn hold(transaction: &DatabaseTransaction, id: Uuid) -> Result<Option<SittingHold<'_>>, DbErr> {
    bound_stalls(transaction).await?;
    let query = sitting::Entity::find_by_id(id).select_only().column(sitting::Column::Version);
    let version: Option<i64> = query.lock(LockType::Share).into_tuple().one(transaction).await?;
    Ok(version.map(|version| SittingHold { transaction, version }))
}

/// Counts a mark of a candidate, a new access code, or an incident. It changes nobody's time or place, so the version
/// stays: those who wait, who enter and who send `If-Match` have nothing to do with it.
pub async fn count_mark(sitting: &LockedSitting<'_>) -> Result<(), DbErr> {
    let raised = Expr::col(sitting::Column::Marks).add(1);
    let of_it = sitting::Column::Id.eq(sitting.id);
    let query = sitting::Entity::update_many().col_expr(sitting::Column::Marks, raised).filter(of_it);
    query.exec(sitting.transaction).await.map(|_| ())
}

/// Removes a sitting with its halls, candidates, paper and record.
pub async fn delete(sitting: LockedSitting<'_>) -> Result<(), DbErr> {
    use entities::candidate;
    let (transaction, id) = (sitting.transaction, sitting.id);
    lti_rosters::forget_sitting(transaction, id).await?;
    candidate::Entity::delete_many().filter(candidate::Column::SittingId.eq(id)).exec(transaction).await?;
    room::Entity::delete_many().filter(room::Column::SittingId.eq(id)).exec(transaction).await?;
    sealed_part::Entity::delete_many().filter(sealed_part::Column::SittingId.eq(id)).exec(transaction).await?;
    incidents::delete_of(transaction, id).await?;
    former_rosters::forget(transaction, id).await?;
    sitting::Entity::delete_by_id(id).exec(transaction).await.map(|_| ())
}

/// Loads the numbers of changes and marks of these sittings, which rise with everything that proctors see of a roster.
pub async fn load_news(database: &Database, ids: Vec<Uuid>) -> Result<HashMap<Uuid, i64>, DbErr> {
    use sitting::Column;
    let query = sitting::Entity::find().select_only().columns([Column::Id, Column::Version, Column::Marks]);
    let rows: Vec<(Uuid, i64, i64)> = query.filter(Column::Id.is_in(ids)).into_tuple().all(&database.read).await?;
    Ok(rows.into_iter().map(|(id, version, marks)| (id, version + marks)).collect())
}

/// Returns whether someone is named as a proctor of any hall.
pub async fn is_proctor(database: &Database, email: &str) -> Result<bool, DbErr> {
    let query = room::Entity::find().select_only().column(room::Column::Id).filter(names_proctor(email)?);
    Ok(query.limit(1).into_tuple::<Uuid>().one(&database.read).await?.is_some())
}

/// Loads the sittings of which someone is named as a proctor of any hall, those that start last first: at most `count`.
pub async fn load_proctored(database: &Database, email: &str, count: u64) -> Result<Vec<Sitting>, DbErr> {
    let theirs =
        Query::select().column(room::Column::SittingId).from(room::Entity).and_where(names_proctor(email)?).to_owned();
    let query = sitting::Entity::find()
        .filter(sitting::Column::Id.in_subquery(theirs))
        .order_by_desc(sitting::Column::StartsAtMs)
        .order_by_asc(sitting::Column::Id);
    with_halls(&database.read, query.limit(count).all(&database.read).await?).await
}

/// The addresses of a hall are a JSON array of texts, in which quotation marks of other texts are escaped.
fn names_proctor(email: &str) -> Result<SimpleExpr, DbErr> {
    let quoted = serde_json::to_string(email).map_err(|error| DbErr::Custom(error.to_string()))?;
    let literal = quoted.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    Ok(Expr::col((room::Entity, room::Column::Proctors)).like(LikeExpr::new(format!("%{literal}%")).escape('!')))
}

/// Finds a sitting, such as in the snapshot in which its roster is read.
pub async fn find_in(connection: &impl ConnectionTrait, id: Uuid) -> Result<Option<Sitting>, DbErr> {
    match sitting::Entity::find_by_id(id).one(connection).await? {
        Some(row) => with_halls(connection, vec![row]).await.map(|mut found| found.pop()),
        None => Ok(None),
    }
}

/// The rows as sittings, in the same order.
async fn with_halls(connection: &impl ConnectionTrait, rows: Vec<sitting::Model>) -> Result<Vec<Sitting>, DbErr> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut halls: HashMap<Uuid, Vec<Hall>> = HashMap::new();
    for row in room::Entity::find().filter(room::Column::SittingId.is_in(ids)).all(connection).await? {
        halls.entry(row.sitting_id).or_default().push(hall_from(row)?);
    }
    for halls in halls.values_mut() {
        halls.sort_unstable_by(|one, other| compare_names(&one.plan.name, &other.plan.name));
    }
    let sitting = |row: sitting::Model| {
        let halls = halls.remove(&row.id).unwrap_or_default();
        from_row(row, halls)
    };
    rows.into_iter().map(sitting).collect::<Result<_, _>>().map_err(DbErr::from)
}

async fn save_halls(transaction: &DatabaseTransaction, sitting: &Sitting) -> Result<(), DbErr> {
    use room::Column;
    if sitting.halls.is_empty() {
        return Ok(());
    }
    let rows = sitting.halls.iter().map(|hall| hall_row(sitting.id, hall)).collect::<Result<Vec<_>, _>>()?;
    let changed = [
        Column::Name,
        Column::FoldedName,
        Column::Proctors,
        Column::StartsAtMs,
        Column::EndsAtMs,
        Column::Factor,
        Column::ExtraMinutes,
        Column::BegunAtMs,
        Column::Standing,
    ];
    let instead = OnConflict::column(Column::Id).update_columns(changed).to_owned();
    room::Entity::insert_many(rows).on_conflict(instead).exec_without_returning(transaction).await.map(|_| ())
}

fn hall_row(sitting_id: Uuid, hall: &Hall) -> Result<room::ActiveModel, DbErr> {
    let plan = &hall.plan;
    Ok(room::ActiveModel {
        id: Set(hall.id),
        sitting_id: Set(sitting_id),
        name: Set(plan.name.clone()),
        folded_name: Set(plan.name.to_lowercase()),
        code: Set(hall.code.as_str().to_owned()),
        proctors: Set(serde_json::to_string(&plan.proctors).map_err(|error| DbErr::Custom(error.to_string()))?),
        starts_at_ms: Set(plan.starts_at.map(Moment::milliseconds)),
        ends_at_ms: Set(plan.ends_at.map(Moment::milliseconds)),
        factor: Set(plan.factor.map(percent)),
        extra_minutes: Set(plan.extra_minutes.map(whole)),
        begun_at_ms: Set(hall.begun_at.map(Moment::milliseconds)),
        standing: Set(standings::to_text(&hall.standing)?),
    })
}

fn hall_from(row: room::Model) -> Result<Hall, Unreadable> {
    Ok(Hall {
        id: row.id,
        code: SittingCode::parse(&row.code).ok_or(Unreadable("code"))?,
        plan: HallPlan {
            name: row.name,
            proctors: serde_json::from_str(&row.proctors).map_err(|_| Unreadable("proctors"))?,
            starts_at: moment(row.starts_at_ms),
            ends_at: moment(row.ends_at_ms),
            factor: factor(row.factor)?,
            extra_minutes: minutes(row.extra_minutes)?,
        },
        begun_at: moment(row.begun_at_ms),
        standing: standings::from_text(row.standing.as_deref())?,
    })
}

fn to_row(sitting: &Sitting) -> Result<sitting::ActiveModel, DbErr> {
    let plan = &sitting.plan;
    let (results, results_at) = match plan.results {
        ResultsRule::At(moment) => (RESULTS_AT.to_owned(), Some(moment)),
        rule => (rule.text(), None),
    };
    Ok(sitting::ActiveModel {
        id: Set(sitting.id),
        name: Set(plan.name.clone()),
        template_id: Set(sitting.template_id),
        starts_at_ms: Set(plan.starts_at.milliseconds()),
        start: Set(plan.start.name().to_owned()),
        per_room: Set(plan.per_hall),
        doors_at_ms: Set(plan.doors_at.map(Moment::milliseconds)),
        entry_until_ms: Set(plan.entry_until.map(Moment::milliseconds)),
        ends_at_ms: Set(plan.ends_at.map(Moment::milliseconds)),
        late: Set(plan.late.name().to_owned()),
        results: Set(results),
        results_at_ms: Set(results_at.map(Moment::milliseconds)),
        code: Set(sitting.code.as_str().to_owned()),
        opened_at_ms: Set(sitting.opened_at.map(Moment::milliseconds)),
        opened_early: Set(sitting.opened_early),
        begun_at_ms: Set(sitting.begun_at.map(Moment::milliseconds)),
        released_at_ms: Set(sitting.released_at.map(Moment::milliseconds)),
        ended_at_ms: Set(sitting.ended_at.map(Moment::milliseconds)),
        standing: Set(standings::to_text(&sitting.standing)?),
        event_id: Set(sitting.event_id),
        publish: Set(plan.publish),
        webhook_url: Set(plan.webhook_url.clone()),
        mark_scale: Set(marks::to_text(plan.mark_scale.as_ref())?),
        version: Set(sitting.version),
        created_by: Set(sitting.created_by.clone()),
        created_at_ms: Set(sitting.created_at.milliseconds()),
        ..Default::default()
    })
}

fn from_row(row: sitting::Model, halls: Vec<Hall>) -> Result<Sitting, Unreadable> {
    let results = match (&*row.results, row.results_at_ms) {
        (RESULTS_AT, Some(at_ms)) => Some(ResultsRule::At(Moment::from_milliseconds(at_ms))),
        (rule, _) => ResultsRule::parse(rule),
    };
    Ok(Sitting {
        id: row.id,
        template_id: row.template_id,
        plan: SittingPlan {
            name: row.name,
            starts_at: Moment::from_milliseconds(row.starts_at_ms),
            start: StartRule::parse(&row.start).ok_or(Unreadable("start"))?,
            per_hall: row.per_room,
            doors_at: moment(row.doors_at_ms),
            entry_until: moment(row.entry_until_ms),
            ends_at: moment(row.ends_at_ms),
            late: LateRule::parse(&row.late).ok_or(Unreadable("late"))?,
            results: results.ok_or(Unreadable("results"))?,
            webhook_url: row.webhook_url,
            publish: row.publish,
            mark_scale: marks::from_text(row.mark_scale.as_deref())?,
        },
        code: SittingCode::parse(&row.code).ok_or(Unreadable("code"))?,
        halls,
        event_id: row.event_id,
        opened_at: moment(row.opened_at_ms),
        opened_early: row.opened_early,
        begun_at: moment(row.begun_at_ms),
        released_at: moment(row.released_at_ms),
        ended_at: moment(row.ended_at_ms),
        standing: standings::from_text(row.standing.as_deref())?,
        version: row.version,
        created_by: row.created_by,
        created_at: Moment::from_milliseconds(row.created_at_ms),
    })
}

/// A time of a column.
pub(super) fn moment(milliseconds: Option<i64>) -> Option<Moment> {
    milliseconds.map(Moment::from_milliseconds)
}

/// A factor of a column.
pub(super) fn factor(percent: Option<i32>) -> Result<Option<Factor>, Unreadable> {
    percent.map(|percent| Factor::new(percent.into()).ok_or(Unreadable("factor"))).transpose()
}

/// Minutes of a column.
pub(super) fn minutes(count: Option<i32>) -> Result<Option<u32>, Unreadable> {
    count.map(|count| u32::try_from(count).map_err(|_| Unreadable("minutes"))).transpose()
}

/// A factor for a column.
pub(super) fn percent(factor: Factor) -> i32 {
    whole(factor.percent())
}

/// Minutes for a column.
pub(super) fn whole(minutes: u32) -> i32 {
    i32::try_from(minutes).unwrap_or(i32::MAX)
}
