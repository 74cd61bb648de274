//! Reads students' presence from the stored events: for the rows of students whom no server reports, and for seats that
//! are built again.

use std::collections::HashMap;

use domain::attempt::{Presence, Troubles};
use domain::time::moment::Moment;
use entities::attempt_event;
use sea_orm::prelude::Expr;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QuerySelect};
use uuid::Uuid;

use super::rooms::counted;
use crate::database::Database;

/// A student's presence, as far as the stored events show it.
#[derive(Clone, Copy, Default, FromQueryResult)]
pub(super) struct StoredPresence {
    session_id: Uuid,
    away_count: i64,
    last_away: Option<i64>,
    last_back: Option<i64>,
    last_seen_ms: Option<i64>,
    last_trouble: Option<i64>,
    last_connected: Option<i64>,
    #[sea_orm(skip)]
    troubles: Troubles,
}

impl StoredPresence {
    /// Assumes that a new connection has the focus until it reports otherwise.
    pub(super) fn of_one_who_began(self, started_at: Moment) -> Presence {
        let mut presence = Presence::since(started_at);
        presence.away = self.last_away > self.last_back;
        presence.away_count = u32::try_from(self.away_count).unwrap_or(u32::MAX);
        presence.troubles = self.troubles;
        presence.see(Moment::from_milliseconds(self.last_seen_ms.unwrap_or(i64::MIN)));
        presence
    }
}

/// Reads the presence of the students of these sessions. A session without events has none.
pub(super) async fn find_presences(
    database: &Database,
    session_ids: &[Uuid],
) -> Result<HashMap<Uuid, StoredPresence>, DbErr> {
    use attempt_event::{Column, Entity};
    let last =
        |kinds: &[&str]| Expr::max(Expr::case(Column::Kind.is_in(kinds.iter().copied()), Expr::col(Column::Id)).into());
    let seen = Expr::max(Expr::case(Column::By.eq("student"), Expr::col(Column::AtMs)).into());
    let mut presences: Vec<StoredPresence> = Entity::find()
        .select_only()
        .column(Column::SessionId)
        .expr_as(counted(Column::Kind.eq("away")), "away_count")
        .expr_as(last(&["away"]), "last_away")
        .expr_as(last(&["back", "connected"]), "last_back")
        .expr_as(seen, "last_seen_ms")
        .expr_as(last(&["trouble"]), "last_trouble")
        .expr_as(last(&["connected"]), "last_connected")
        .filter(Column::SessionId.is_in(session_ids.iter().copied()))
        .group_by(Column::SessionId)
        .into_model()
        .all(&database.read)
        .await?;
    let is_present = |presence: &StoredPresence| presence.last_trouble > presence.last_connected;
    let ids: Vec<i64> = presences.iter().filter(|one| is_present(one)).filter_map(|one| one.last_trouble).collect();
    if !ids.is_empty() {
        let query = Entity::find().select_only().columns([Column::Id, Column::Detail]).filter(Column::Id.is_in(ids));
        let details: Vec<(i64, String)> = query.into_tuple().all(&database.read).await?;
        let details: HashMap<i64, String> = details.into_iter().collect();
        for presence in presences.iter_mut().filter(|presence| is_present(presence)) {
            let detail = presence.last_trouble.and_then(|id| details.get(&id));
            presence.troubles = detail.map(|detail| Troubles::of_names(detail.split(' '))).unwrap_or_default();
        }
    }
    Ok(presences.into_iter().map(|presence| (presence.session_id, presence)).collect())
}
