//! Stores what an order for everyone changes beside the running tests: the standing of the hall, the sitting, the grade
//! or the template. It applies to students who come later.

use domain::order::Order;
use domain::order::hall::{HallStanding, PAUSES_MAX};
use domain::room::RoomKey;
use domain::time::moment::Moment;
use sea_orm::{DatabaseTransaction, DbErr};
use uuid::Uuid;

use crate::database::Transaction;
use crate::store::incidents::{self, SittingEvent};
use crate::store::sittings::{self, LockedSitting};
use crate::store::standings;

/// A standing that nobody else changes until the transaction ends.
pub(super) enum LockedHall<'t> {
    /// That of a sitting or of one of its halls.
    OfSitting(Box<LockedSitting<'t>>, Option<Uuid>),
    /// That of a grade or a template.
    OfRoom(RoomKey, HallStanding),
}

/// There have been too many pauses.
pub(super) struct TooManyPauses;

/// Locks the standing of a room; `None` if its sitting or its hall is gone.
pub(super) async fn lock(
    transaction: &Transaction,
    room: RoomKey,
    now: Moment,
) -> Result<Option<LockedHall<'_>>, DbErr> {
    let RoomKey::Sitting { sitting_id, hall_id } = room else {
        return Ok(Some(LockedHall::OfRoom(room, standings::lock(transaction, room, now).await?)));
    };
    let sitting = sittings::lock(transaction, sitting_id).await?;
    let is_there = |sitting: &LockedSitting<'_>| hall_id.is_none() || sitting.hall(hall_id).is_some();
    Ok(sitting.filter(is_there).map(|sitting| LockedHall::OfSitting(Box::new(sitting), hall_id)))
}

impl LockedHall<'_> {
    /// The word for the students of the pause that lasts.
    pub(super) fn pause_text(&self) -> Option<String> {
        self.standing().and_then(HallStanding::pause).and_then(|pause| pause.text.clone())
    }

    /// Returns whether it still stands as an order that was given then has left it, so that this one takes it back.
    pub(super) fn stands_since(&self, order: &Order, given_at: Moment) -> bool {
        let last = self.standing().and_then(|standing| standing.pauses.last());
        match order {
            Order::Unpause => last.is_some_and(|pause| pause.until.is_none() && pause.from == given_at),
            Order::Pause { .. } => last.is_some_and(|pause| pause.until == Some(given_at)),
            Order::Extend { .. }
            | Order::Finish
            | Order::Notice { .. }
            | Order::Undo
            | Order::OnlyThisDevice
            | Order::Reopen { .. } => true,
        }
    }

    fn standing(&self) -> Option<&HallStanding> {
        match self {
            Self::OfSitting(sitting, None) => Some(&sitting.standing),
            Self::OfSitting(sitting, hall_id) => sitting.hall(*hall_id).map(|hall| &hall.standing),
            Self::OfRoom(_, standing) => Some(standing),
        }
    }

    /// Changes the standing by an order. Returns what was and what is, or `None` if that changes nothing.
    pub(super) fn take(&mut self, order: &Order, by: &str, now: Moment) -> Result<Option<String>, TooManyPauses> {
        let standing = match self {
            Self::OfSitting(sitting, hall_id) => sitting.standing_mut(*hall_id),
            Self::OfRoom(_, standing) => Some(standing),
        };
        let Some(standing) = standing else { return Ok(None) };
        Ok(match order {
            Order::Pause { text } => {
                if standing.pauses.len() >= PAUSES_MAX {
                    return Err(TooManyPauses);
                }
                let detail = text
                    .as_ref()
                    .map_or_else(|| "running to paused".to_owned(), |text| format!("running to paused ({text})"));
                standing.stop(by, text.as_deref(), now).then_some(detail)
            }
            Order::Unpause => standing.go_on(now).then(|| "paused to running".to_owned()),
            Order::Extend { minutes } => {
                let before = standing.minutes;
                standing.give(*minutes);
                Some(format!("{before} to {} minutes for everyone", standing.minutes))
            }
            Order::Finish | Order::Notice { .. } | Order::Undo | Order::OnlyThisDevice | Order::Reopen { .. } => None,
        })
    }

    /// Stores the standing that was changed, and puts the change on the record of the sitting.
    pub(super) async fn save(
        self,
        transaction: &DatabaseTransaction,
        order: &Order,
        by: &str,
        detail: String,
        now: Moment,
    ) -> Result<(), DbErr> {
        match self {
            Self::OfRoom(room, standing) => standings::save(transaction, room, &standing, now).await,
            Self::OfSitting(mut sitting, hall_id) => {
                // Whoever enters at this moment is let in by what holds now.
                sittings::save(&mut sitting).await?;
                let event = SittingEvent {
                    sitting_id: sitting.id,
                    candidate_id: None,
                    hall_id,
                    at: now,
                    kind: order.name(),
                    by: by.to_owned(),
                    detail,
                };
                incidents::note(transaction, &[event]).await
            }
        }
    }
}
