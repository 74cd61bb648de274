//! Recognises orders that have been given before. The same `id` with the same content is done once, whichever
//! connection repeats it; with another content it is refused on its own connection, and a new order on any other
//! (`docs/decisions/0032-an-orders-id-belongs-to-its-connection.md`).

use domain::order::{Order, OrderTarget, UNDO_MILLISECONDS};
use domain::sitting::order::{CandidateTarget, IncidentNote, SittingOrder};
use domain::time::moment::Moment;
use entities::proctor_command;
use sea_orm::sea_query::{ExprTrait, OnConflict, SimpleExpr};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::command::{CommandContent, CommandOutcome, ProctorCommand};
use crate::auth::token;
use crate::database::Database;

/// What carries a proctor's orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderConnection {
    /// One socket, by an id that no other socket has, on any server. A socket that connects again is another one.
    Socket(Uuid),
    /// All HTTPS requests of one person together.
    Https,
}

impl OrderConnection {
    fn name(self) -> String {
        match self {
            Self::Socket(id) => id.to_string(),
            Self::Https => "https".to_owned(),
        }
    }
}

/// What is known of an order's `id`.
pub(in crate::live) enum KnownOrder {
    /// It is not in use here, and nobody has given this order with it.
    New,
    /// The order was carried out at that moment, and this is its answer.
    Done(CommandOutcome, Moment),
    /// This connection has used it for another order.
    Reused,
}

impl ProctorCommand {
    /// The hash of what is ordered for whom. A single session is the same in every room, but `*` is not.
    fn content(&self) -> [u8; 32] {
        match &self.content {
            CommandContent::Sessions { target, order, .. } => {
                let target = match target {
                    OrderTarget::All => self.room.name(),
                    OrderTarget::One(session_id) => session_id.to_string(),
                };
                let detail = match order {
                    Order::Extend { minutes } => minutes.to_string(),
                    Order::Notice { text } | Order::Pause { text: Some(text) } => text.to_string(),
                    Order::Reopen { minutes, force } => format!("{} {force}", minutes.unwrap_or_default()),
                    Order::Pause { text: None }
                    | Order::Unpause
                    | Order::Finish
                    | Order::Undo
                    | Order::OnlyThisDevice => String::new(),
                };
                token::hash(&format!("{target} {} {detail}", order.name()))
            }
            CommandContent::Sitting { order, .. } => {
                let detail = match order {
                    SittingOrder::Begin => String::new(),
                    SittingOrder::Attend(_, CandidateTarget::All) | SittingOrder::Admit(CandidateTarget::All) => {
                        "*".to_owned()
                    }
                    SittingOrder::Attend(_, CandidateTarget::One(id))
                    | SittingOrder::Admit(CandidateTarget::One(id)) => id.to_string(),
                    // A kind has no line end, so no two incidents are the same text.
                    SittingOrder::Incident(IncidentNote { candidate_id, kind, text }) => {
                        format!("{} {kind}\n{text}", candidate_id.map(|id| id.to_string()).unwrap_or_default())
                    }
                };
                token::hash(&format!("{} {} {detail}", self.room.name(), order.name()))
            }
        }
    }

    /// A text that no other order has, given at that moment.
    pub(in crate::live) fn unique(&self, given_at: Moment) -> String {
        let target = self.target().unwrap_or_default();
        format!("{} {} {target} {}", given_at.milliseconds(), self.proctor, self.id)
    }

    fn row(&self, at_ms: i64, is_first: bool, answer: String) -> proctor_command::ActiveModel {
        proctor_command::ActiveModel {
            proctor: Set(self.proctor.clone()),
            connection: Set(self.connection.name()),
            command_id: Set(self.id.clone()),
            content: Set(Some(self.content().to_vec())),
            is_first: Set(is_first),
            at_ms: Set(at_ms),
            answer: Set(answer),
            room: Set(None),
            target: Set(None),
            reversal: Set(None),
        }
    }

    /// The column that says for whom it is.
    fn target(&self) -> Option<String> {
        match &self.content {
            CommandContent::Sessions { target: OrderTarget::All, .. } => Some("*".to_owned()),
            CommandContent::Sessions { target: OrderTarget::One(session_id), .. } => Some(session_id.to_string()),
            CommandContent::Sitting { .. } => None,
        }
    }
}

/// How an order is taken back.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Reversal {
    Extend(i32),
    Pause(Option<String>),
    Unpause,
    Reopen,
}

impl Reversal {
    fn of(order: Order) -> Option<Self> {
        match order {
            Order::Extend { minutes } => Some(Self::Extend(minutes)),
            Order::Pause { text } => Some(Self::Pause(text.map(String::from))),
            Order::Unpause => Some(Self::Unpause),
            Order::Reopen { .. } => Some(Self::Reopen),
            Order::Finish | Order::Notice { .. } | Order::Undo | Order::OnlyThisDevice => None,
        }
    }

    fn order(self) -> Order {
        match self {
            Self::Extend(minutes) => Order::Extend { minutes },
            Self::Pause(text) => Order::Pause { text: text.map(Into::into) },
            Self::Unpause => Order::Unpause,
            Self::Reopen => Order::Reopen { minutes: None, force: false },
        }
    }
}

/// An order that takes another one back.
pub(super) struct TakingBack {
    pub(super) order: Order,
    /// When the other one was carried out.
    pub(super) given_at: Moment,
}

/// Notes how the order that was carried out at this moment is taken back.
pub(super) async fn set_reversal(
    transaction: &DatabaseTransaction,
    asked: &ProctorCommand,
    order: Order,
    given_at: Moment,
) -> Result<(), DbErr> {
    let Some(reversal) = Reversal::of(order) else { return Ok(()) };
    let text = serde_json::to_string(&(given_at.milliseconds(), reversal))
        .map_err(|error| DbErr::Custom(error.to_string()))?;
    let stored = proctor_command::ActiveModel {
        room: Set(Some(asked.room.name())),
        target: Set(asked.target()),
        reversal: Set(Some(text)),
        ..Default::default()
    };
    proctor_command::Entity::update_many().set(stored).filter(is_row_of(asked)).exec(transaction).await.map(|_| ())
}

/// Returns the order that takes the proctor's last order for the same target back; `None` if there was none in the last
/// ten minutes. It is taken back once, and then none before it: a second tap must not undo what nobody looks at.
pub(super) async fn take_reversal(
    transaction: &DatabaseTransaction,
    asked: &ProctorCommand,
    now: Moment,
) -> Result<Option<TakingBack>, DbErr> {
    use proctor_command::Column;
    let of_target = Column::Proctor
        .eq(&asked.proctor)
        .and(Column::Room.eq(asked.room.name()))
        .and(Column::Target.eq(asked.target()))
        .and(Column::Reversal.is_not_null());
    let last = proctor_command::Entity::find()
        .filter(of_target.clone())
        .filter(Column::AtMs.gte(now.plus(-UNDO_MILLISECONDS).milliseconds()))
        .order_by_desc(Column::AtMs)
        .lock_exclusive()
        .one(transaction)
        .await?;
    let Some(row) = last else { return Ok(None) };
    let taken = proctor_command::ActiveModel { reversal: Set(None), ..Default::default() };
    proctor_command::Entity::update_many().set(taken).filter(of_target).exec(transaction).await?;
    let unreadable = || DbErr::Custom("a proctor's order cannot be taken back".to_owned());
    let (given_at_ms, reversal): (i64, Reversal) =
        serde_json::from_str(row.reversal.as_deref().unwrap_or_default()).map_err(|_| unreadable())?;
    Ok(Some(TakingBack { order: reversal.order(), given_at: Moment::from_milliseconds(given_at_ms) }))
}

fn is_row_of(asked: &ProctorCommand) -> SimpleExpr {
    use proctor_command::Column;
    Column::Proctor
        .eq(&asked.proctor)
        .and(Column::Connection.eq(asked.connection.name()))
        .and(Column::CommandId.eq(&asked.id))
}

/// Looks the order up. A repeat on another connection uses the `id` there too, and is noted.
pub(in crate::live) async fn find(
    transaction: &DatabaseTransaction,
    asked: &ProctorCommand,
) -> Result<KnownOrder, DbErr> {
    use proctor_command::Column;
    let of_id = Column::Proctor.eq(&asked.proctor).and(Column::CommandId.eq(&asked.id));
    let rows = proctor_command::Entity::find().filter(of_id).all(transaction).await?;
    let (content, connection, room) = (asked.content(), asked.connection.name(), asked.room.name());
    if let Some(row) = rows.iter().find(|row| row.connection == connection) {
        let is_same = row.content.as_deref() == Some(&content[..]);
        return Ok(if is_same { done(row)? } else { KnownOrder::Reused });
    }
    // Of an order from before the upgrade only the room is known, and its repeat must not be done again.
    let is_same = |row: &&proctor_command::Model| match &row.content {
        Some(known) => known[..] == content[..],
        None => row.connection == room,
    };
    let Some(row) = rows.iter().find(is_same) else { return Ok(KnownOrder::New) };
    let noted = asked.row(row.at_ms, false, row.answer.clone());
    proctor_command::Entity::insert(noted)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await?;
    done(row)
}

/// Notes the order as given. Returns false if it, or another one with its `id` on its connection, has come at the same
/// time; this waits until that one is stored.
pub(in crate::live) async fn claim(
    transaction: &DatabaseTransaction,
    asked: &ProctorCommand,
    now: Moment,
) -> Result<bool, DbErr> {
    let inserted = proctor_command::Entity::insert(asked.row(now.milliseconds(), true, String::new()))
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await?;
    Ok(inserted > 0)
}

/// Forgets the orders that were given before this moment.
pub(in crate::live) async fn delete_before(database: &Database, moment: Moment) -> Result<(), DbErr> {
    let is_old = proctor_command::Column::AtMs.lt(moment.milliseconds());
    proctor_command::Entity::delete_many().filter(is_old).exec(&database.write).await.map(|_| ())
}

/// Keeps the answer for repeats.
pub(in crate::live) async fn set_answer(
    transaction: &DatabaseTransaction,
    asked: &ProctorCommand,
    answer: &CommandOutcome,
) -> Result<(), DbErr> {
    let text = serde_json::to_string(answer).map_err(|error| DbErr::Custom(error.to_string()))?;
    let stored = proctor_command::ActiveModel { answer: Set(text), ..Default::default() };
    proctor_command::Entity::update_many().set(stored).filter(is_row_of(asked)).exec(transaction).await.map(|_| ())
}

fn done(row: &proctor_command::Model) -> Result<KnownOrder, DbErr> {
    let unreadable = |_| DbErr::Custom("a proctor's command has no answer".to_owned());
    let answer = serde_json::from_str(&row.answer).map_err(unreadable)?;
    Ok(KnownOrder::Done(answer, Moment::from_milliseconds(row.at_ms)))
}
