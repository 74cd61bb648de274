//! Which orders have been given before. The same `id` with the same content is done once, whichever connection repeats
//! it; with another content it is refused on its own connection, and a new order on any other
//! (`docs/decisions/0032-an-orders-id-belongs-to-its-connection.md`).

use domain::order::{Order, OrderTarget};
use domain::sitting::order::{CandidateTarget, IncidentNote, SittingOrder};
use domain::time::moment::Moment;
use entities::proctor_command;
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::apply::{CommandContent, CommandOutcome, ProctorCommand};
use crate::auth::token;

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
pub(super) enum KnownOrder {
    /// It is not in use here, and nobody has given this order with it.
    New,
    /// The order has been carried out, and this is its answer.
    Done(CommandOutcome),
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
                    Order::Notice { text } => text.to_string(),
                    Order::Pause | Order::Unpause | Order::Finish => String::new(),
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

    fn row(&self, at_ms: i64, is_first: bool, answer: String) -> proctor_command::ActiveModel {
        proctor_command::ActiveModel {
            proctor: Set(self.proctor.clone()),
            connection: Set(self.connection.name()),
            command_id: Set(self.id.clone()),
            content: Set(Some(self.content().to_vec())),
            is_first: Set(is_first),
            at_ms: Set(at_ms),
            answer: Set(answer),
        }
    }
}

/// Looks the order up. A repeat on another connection uses the `id` there too, and is noted.
pub(super) async fn find(transaction: &DatabaseTransaction, asked: &ProctorCommand) -> Result<KnownOrder, DbErr> {
    use proctor_command::Column;
    let of_id = Column::Proctor.eq(&asked.proctor).and(Column::CommandId.eq(&asked.id));
    let rows = proctor_command::Entity::find().filter(of_id).all(transaction).await?;
    let (content, connection, room) = (asked.content(), asked.connection.name(), asked.room.name());
    if let Some(row) = rows.iter().find(|row| row.connection == connection) {
        let is_same = row.content.as_deref() == Some(&content[..]);
        return Ok(if is_same { KnownOrder::Done(answer_of(row)?) } else { KnownOrder::Reused });
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
    Ok(KnownOrder::Done(answer_of(row)?))
}

/// Notes the order as given. Returns false if it, or another one with its `id` on its connection, has come at the same
/// time; this waits until that one is stored.
pub(super) async fn claim(
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

/// Keeps the answer for repeats.
pub(super) async fn set_answer(
    transaction: &DatabaseTransaction,
    asked: &ProctorCommand,
    answer: CommandOutcome,
) -> Result<(), DbErr> {
    use proctor_command::Column;
    let text = serde_json::to_string(&answer).map_err(|error| DbErr::Custom(error.to_string()))?;
    let stored = proctor_command::ActiveModel { answer: Set(text), ..Default::default() };
    let of_it = Column::Proctor
        .eq(&asked.proctor)
        .and(Column::Connection.eq(asked.connection.name()))
        .and(Column::CommandId.eq(&asked.id));
    proctor_command::Entity::update_many().set(stored).filter(of_it).exec(transaction).await.map(|_| ())
}

fn answer_of(row: &proctor_command::Model) -> Result<CommandOutcome, DbErr> {
    serde_json::from_str(&row.answer).map_err(|_| DbErr::Custom("a proctor's command has no answer".to_owned()))
}
