//! Rosters that come from courses of learning platforms: which candidates are people of a platform, and which sittings
//! take their rosters by themselves.

use std::collections::{HashMap, HashSet};

use domain::lti::course_roster::{CameBy, KnownCandidate};
use domain::lti::link::PlatformPerson;
use domain::sitting::candidate::{Candidate, Person};
use domain::time::moment::Moment;
use entities::{candidate, lti_candidate, lti_link, lti_person};
use sea_orm::sea_query::{Expr, OnConflict, Query};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, ExprTrait,
    FromQueryResult, IntoActiveModel, QueryFilter, QuerySelect, Statement, Value,
};
use uuid::Uuid;

use super::lti::{is_same_person, told_or_known};
use crate::database::Database;

/// Rows of one statement: SQLite takes 32,766 values.
const ROWS_PER_STATEMENT: usize = 1_000;

/// Loads which candidates of a sitting are people of platforms, and who of them came by this link to this platform.
pub async fn load_known(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    platform_id: Uuid,
    link_id: Uuid,
) -> Result<Vec<KnownCandidate>, DbErr> {
    #[derive(FromQueryResult)]
    struct Row {
        candidate_id: Uuid,
        subject: Option<String>,
        link_id: Option<Uuid>,
    }
    // Also those of other platforms: nobody takes their rows.
    let text = "SELECT lti_candidates.candidate_id, lti_people.subject, lti_candidates.link_id FROM candidates \
        JOIN lti_candidates ON lti_candidates.candidate_id = candidates.id \
        LEFT JOIN lti_people ON lti_people.id = lti_candidates.person_id AND lti_people.platform_id = $2 \
        WHERE candidates.sitting_id = $1";
    let values: [Value; 2] = [sitting_id.into(), platform_id.into()];
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
    let rows = Row::find_by_statement(statement).all(connection).await?;
    let known = |Row { candidate_id, subject, link_id: came_by }: Row| {
        let came_by = match came_by {
            None => CameBy::NoLink,
            Some(by) if by == link_id => CameBy::ThisLink,
            Some(_) => CameBy::OtherLink,
        };
        KnownCandidate { candidate_id, subject, came_by }
    };
    Ok(rows.into_iter().map(known).collect())
}

/// Stores people of a platform, each subject once; those who are known keep their ids. Returns the ids by subject.
pub async fn put_people(
    transaction: &DatabaseTransaction,
    platform_id: Uuid,
    people: Vec<PlatformPerson>,
) -> Result<HashMap<String, Uuid>, DbErr> {
    use lti_person::Column;
    let mut ids = HashMap::new();
    for people in people.chunks(ROWS_PER_STATEMENT) {
        let row = |person: &PlatformPerson| lti_person::ActiveModel {
            id: Set(person.id),
            platform_id: Set(person.platform_id),
            subject: Set(person.subject.clone()),
            name: Set(person.name.clone()),
            email: Set(person.email.clone()),
            created_at_ms: Set(person.created_at.milliseconds()),
        };
        let storing = lti_person::Entity::insert_many(people.iter().map(row)).on_conflict(told_or_known());
        storing.exec_without_returning(transaction).await?;
        let subjects: Vec<&str> = people.iter().map(|person| &*person.subject).collect();
        let query = lti_person::Entity::find().select_only().columns([Column::Subject, Column::Id]);
        let query = query.filter(Column::PlatformId.eq(platform_id)).filter(Column::Subject.is_in(subjects));
        ids.extend(query.into_tuple::<(String, Uuid)>().all(transaction).await?);
    }
    Ok(ids)
}

/// Notes who candidates are, and that they come by this link unless they came by another one. Who they are is written
/// once: returns how many are these people now, without those who have become somebody else meanwhile.
pub async fn join_candidates(
    transaction: &DatabaseTransaction,
    link_id: Uuid,
    joined: &[(Uuid, Uuid)],
) -> Result<u64, DbErr> {
    use lti_candidate::Column;
    const KNOWN_OR_TOLD: &str = "COALESCE(lti_candidates.link_id, excluded.link_id)";
    let mut count = 0;
    for joined in joined.chunks(ROWS_PER_STATEMENT) {
        let row = |(candidate_id, person_id): &(Uuid, Uuid)| lti_candidate::ActiveModel {
            candidate_id: Set(*candidate_id),
            person_id: Set(*person_id),
            link_id: Set(Some(link_id)),
            after_entry: Set(false),
            former_deployment_id: Set(None),
            former_resource_link_id: Set(None),
        };
        let mut known = OnConflict::column(Column::CandidateId);
        known.value(Column::LinkId, Expr::cust(KNOWN_OR_TOLD)).action_and_where(is_same_person());
        let storing = lti_candidate::Entity::insert_many(joined.iter().map(row)).on_conflict(known);
        count += storing.exec_without_returning(transaction).await?;
    }
    Ok(count)
}

/// Loads who these candidates are.
pub(super) async fn load_joins(
    connection: &impl ConnectionTrait,
    ids: &[Uuid],
) -> Result<Vec<lti_candidate::Model>, DbErr> {
    let mut found = Vec::new();
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let those = lti_candidate::Column::CandidateId.is_in(ids.to_vec());
        found.extend(lti_candidate::Entity::find().filter(those).all(connection).await?);
    }
    Ok(found)
}

/// Notes again who candidates were before they were let go: those who are nobody now, as far as the person is still
/// known and no other candidate of the sitting. Whose link is gone since comes by none.
pub(super) async fn rejoin(
    transaction: &DatabaseTransaction,
    sitting_id: Uuid,
    joins: &[lti_candidate::Model],
) -> Result<(), DbErr> {
    use lti_candidate::Column;
    for joins in joins.chunks(ROWS_PER_STATEMENT) {
        let people = || joins.iter().map(|join| join.person_id);
        let known = lti_person::Entity::find().select_only().column(lti_person::Column::Id);
        let known = known.filter(lti_person::Column::Id.is_in(people())).into_tuple::<Uuid>().all(transaction).await?;
        let of_it = Query::select()
            .column(candidate::Column::Id)
            .from(candidate::Entity)
            .and_where(candidate::Column::SittingId.eq(sitting_id))
            .to_owned();
        let taken = lti_candidate::Entity::find().select_only().column(Column::PersonId);
        let taken = taken.filter(Column::PersonId.is_in(people())).filter(Column::CandidateId.in_subquery(of_it));
        let taken = taken.into_tuple::<Uuid>().all(transaction).await?;
        let links = lti_link::Entity::find().select_only().column(lti_link::Column::Id);
        let links = links.filter(lti_link::Column::Id.is_in(joins.iter().filter_map(|join| join.link_id)));
        let links: HashSet<Uuid> = links.into_tuple::<Uuid>().all(transaction).await?.into_iter().collect();
        let mut free: HashSet<Uuid> = known.into_iter().collect();
        free.retain(|person| !taken.contains(person));
        let rows = joins.iter().filter(|join| free.contains(&join.person_id));
        let row = |join: &lti_candidate::Model| {
            let link_id = join.link_id.filter(|id| links.contains(id));
            lti_candidate::Model { link_id, ..join.clone() }.into_active_model()
        };
        let rows: Vec<lti_candidate::ActiveModel> = rows.map(row).collect();
        if rows.is_empty() {
            continue;
        }
        let somebody = OnConflict::column(Column::CandidateId).do_nothing().to_owned();
        let storing = lti_candidate::Entity::insert_many(rows).on_conflict(somebody);
        storing.exec_without_returning(transaction).await?;
    }
    Ok(())
}

/// Forgets who those of these candidates were who are no longer on a roster.
pub async fn forget_removed(transaction: &DatabaseTransaction, ids: &[Uuid]) -> Result<(), DbErr> {
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let there = Query::select()
            .column(candidate::Column::Id)
            .from(candidate::Entity)
            .and_where(candidate::Column::Id.is_in(ids.to_vec()))
            .to_owned();
        let gone = lti_candidate::Column::CandidateId.is_in(ids.to_vec());
        let gone = gone.and(lti_candidate::Column::CandidateId.not_in_subquery(there));
        lti_candidate::Entity::delete_many().filter(gone).exec(transaction).await?;
    }
    Ok(())
}

/// Forgets who the candidates of a sitting were, which is about to be removed.
pub async fn forget_sitting(transaction: &DatabaseTransaction, sitting_id: Uuid) -> Result<(), DbErr> {
    let of_it = Query::select()
        .column(candidate::Column::Id)
        .from(candidate::Entity)
        .and_where(candidate::Column::SittingId.eq(sitting_id))
        .to_owned();
    let those = lti_candidate::Column::CandidateId.in_subquery(of_it);
    lti_candidate::Entity::delete_many().filter(those).exec(transaction).await.map(|_| ())
}

/// Forgets who those of these candidates were who are about to become somebody else: whoever comes from a platform
/// would enter in place of another. Returns whom it has let go.
pub async fn forget_replaced(transaction: &DatabaseTransaction, candidates: &[Candidate]) -> Result<Vec<Uuid>, DbErr> {
    use candidate::Column;
    let mut replaced = Vec::new();
    for candidates in candidates.chunks(ROWS_PER_STATEMENT) {
        let known = Query::select().column(lti_candidate::Column::CandidateId).from(lti_candidate::Entity).to_owned();
        let query = candidate::Entity::find().select_only().columns([Column::Id, Column::Email, Column::ExternalId]);
        let query = query.filter(Column::Id.is_in(candidates.iter().map(|candidate| candidate.id)));
        let rows: Vec<(Uuid, Option<String>, Option<String>)> =
            query.filter(Column::Id.in_subquery(known)).into_tuple().all(transaction).await?;
        let before: HashMap<Uuid, Person> =
            rows.into_iter().map(|(id, email, external_id)| (id, Person { email, external_id })).collect();
        let is_other = |candidate: &&Candidate| {
            before.get(&candidate.id).is_some_and(|before| candidate.person.is_other_than(before))
        };
        replaced.extend(candidates.iter().filter(is_other).map(|candidate| candidate.id));
    }
    forget_candidates(transaction, &replaced).await?;
    Ok(replaced)
}

/// Forgets who candidates are.
pub async fn forget_candidates(transaction: &DatabaseTransaction, ids: &[Uuid]) -> Result<(), DbErr> {
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let those = lti_candidate::Column::CandidateId.is_in(ids.to_vec());
        lti_candidate::Entity::delete_many().filter(those).exec(transaction).await?;
    }
    Ok(())
}

/// Whether the roster of a link's sitting is taken from its course by itself, and what became of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RosterTaking {
    pub is_by_itself: bool,
    /// When it was taken last, by itself or by hand.
    pub taken_at: Option<Moment>,
    /// When it could not be taken by itself, if the last time failed.
    pub failed_at: Option<Moment>,
}

/// Loads what is known of the rosters of links.
pub async fn load_takings(
    connection: &impl ConnectionTrait,
    links: &[Uuid],
) -> Result<HashMap<Uuid, RosterTaking>, DbErr> {
    use lti_link::Column;
    const WANTED: [Column; 4] = [Column::Id, Column::TakesRoster, Column::RosterTakenAtMs, Column::RosterFailedAtMs];
    let mut found = HashMap::new();
    for ids in links.chunks(ROWS_PER_STATEMENT) {
        let query = lti_link::Entity::find().select_only().columns(WANTED);
        let query = query.filter(Column::Id.is_in(ids.to_vec()));
        let rows = query.into_tuple::<(Uuid, bool, Option<i64>, Option<i64>)>().all(connection).await?;
        let at = |milliseconds: Option<i64>| milliseconds.map(Moment::from_milliseconds);
        found.extend(rows.into_iter().map(|(id, is_by_itself, taken, failed)| {
            (id, RosterTaking { is_by_itself, taken_at: at(taken), failed_at: at(failed) })
        }));
    }
    Ok(found)
}

/// Notes whether the roster of a link's sitting is taken from its course by itself from now on.
pub async fn set_by_itself(connection: &impl ConnectionTrait, link_id: Uuid, is_by_itself: bool) -> Result<(), DbErr> {
    use lti_link::Column;
    let nothing = || Expr::value(Option::<i64>::None);
    let changed = lti_link::Entity::update_many()
        .col_expr(Column::TakesRoster, Expr::value(is_by_itself))
        .col_expr(Column::RosterTriedAtMs, nothing())
        .col_expr(Column::RosterFailedAtMs, nothing());
    changed.filter(Column::Id.eq(link_id)).exec(connection).await.map(|_| ())
}

/// Notes that the roster of a link's sitting was taken, by itself or by hand.
pub async fn note_taken(connection: &impl ConnectionTrait, link_id: Uuid, at: Moment) -> Result<(), DbErr> {
    use lti_link::Column;
    let changed = lti_link::Entity::update_many()
        .col_expr(Column::RosterTakenAtMs, Expr::value(at.milliseconds()))
        .col_expr(Column::RosterFailedAtMs, Expr::value(Option::<i64>::None));
    changed.filter(Column::Id.eq(link_id)).exec(connection).await.map(|_| ())
}

/// Notes that a roster that was claimed could not be taken.
pub async fn note_failed(connection: &impl ConnectionTrait, link_id: Uuid, at: Moment) -> Result<(), DbErr> {
    use lti_link::Column;
    let changed = lti_link::Entity::update_many().col_expr(Column::RosterFailedAtMs, Expr::value(at.milliseconds()));
    changed.filter(Column::Id.eq(link_id)).exec(connection).await.map(|_| ())
}

/// Which rosters are due to be taken by themselves.
#[derive(Clone, Copy, Debug)]
pub struct DueRosters {
    pub now: Moment,
    /// Those of sittings that begin before this.
    pub begins_before: Moment,
    /// Those that were neither taken nor begun since.
    pub taken_before: Moment,
    /// And those that have failed, if that was before this.
    pub failed_before: Moment,
}

/// Claims a link whose roster is due: of a sitting whose doors are shut. Of several servers one gets it. Returns it and
/// its sitting.
pub async fn claim_due(database: &Database, due: DueRosters) -> Result<Option<(Uuid, Uuid)>, DbErr> {
    let is_free = |link: &str| {
        format!(
            "({link}.roster_tried_at_ms IS NULL OR {link}.roster_tried_at_ms <= $3 \
             OR ({link}.roster_failed_at_ms >= {link}.roster_tried_at_ms AND {link}.roster_failed_at_ms <= $4))"
        )
    };
    let text = format!(
        "UPDATE lti_links SET roster_tried_at_ms = $1 WHERE id IN (SELECT due.id FROM lti_links due \
         JOIN sittings ON sittings.id = due.target_id WHERE due.takes_roster = TRUE AND due.kind = 'sitting' \
         AND sittings.opened_at_ms IS NULL AND sittings.ended_at_ms IS NULL AND sittings.starts_at_ms <= $2 \
         AND (due.roster_taken_at_ms IS NULL OR due.roster_taken_at_ms <= $3) AND {} LIMIT 1) \
         AND {} RETURNING id, target_id",
        is_free("due"),
        is_free("lti_links"),
    );
    let moments = [due.now, due.begins_before, due.taken_before, due.failed_before];
    let values = moments.map(|moment| Value::from(moment.milliseconds()));
    let statement = Statement::from_sql_and_values(database.write.get_database_backend(), text, values);
    let claimed = database.write.query_one_raw(statement).await?;
    claimed.map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).transpose()
}
