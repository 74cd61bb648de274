//! Applies proctors' orders in the database. Each is applied once and audited, all in one transaction.

use domain::grade::Grade;
use domain::order::standing::UnchangedSession;
use domain::order::{Order, OrderTarget};
use domain::room::RoomKey;
use domain::sitting::code::AccessCode;
use domain::sitting::order::SittingOrder;
use domain::time::moment::Moment;
use entities::proctor_command;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use serde::{Deserialize, Serialize};

use super::devices;
use super::repeats::{self, KnownOrder, OrderConnection};
use super::sessions::{self, OrderedSessions};
use crate::database::{Transaction, bound_stalls};
use crate::error::Error;
use crate::sittings::Sittings;
use crate::sittings::supervision::{BeginRefusal, OrderedSitting, SittingOutcome};
use crate::store::attempt_starts;

/// How long a repeated command gets the first answer. A page that has lost the answer repeats the command within
/// seconds, and rows that are older are removed.
const ANSWER_KEPT_MILLISECONDS: i64 = 60 * 60 * 1_000;

/// A command of a proctor.
#[derive(Clone, Debug)]
pub struct ProctorCommand {
    /// The proctor's e-mail address.
    pub proctor: String,
    /// The room that the proctor watches.
    pub room: RoomKey,
    /// The id that the proctor's page gave the command.
    pub id: String,
    /// Where the command came from.
    pub connection: OrderConnection,
    pub content: CommandContent,
}

/// What a command is about.
#[derive(Clone, Debug)]
pub enum CommandContent {
    /// Sessions.
    Sessions {
        target: OrderTarget,
        /// Limits the command to the room's sessions of this grade. A template may have had another grade before, and
        /// the proctor's rights are those for its present one.
        grade: Option<Grade>,
        order: Order,
    },
    /// The sitting whose room is watched.
    Sitting {
        /// Whether the proctor manages the sitting.
        is_chief: bool,
        order: SittingOrder,
    },
}

/// What a command has done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedOut {
    /// The name of the order that was taken back.
    #[serde(default)]
    pub undone: Option<String>,
    /// The number of sessions, candidates or rooms that were changed.
    pub count: u64,
    /// The number of sessions that it was for, and that it has left as they were.
    #[serde(default)]
    pub unchanged_count: u64,
    /// The first of them.
    #[serde(default)]
    pub unchanged: Vec<UnchangedSession>,
    /// The candidate's new access code. It is stored nowhere, and a repeat makes it again.
    #[serde(skip)]
    pub code: Option<AccessCode>,
}

/// The result of a command. A repeated command gets the first result again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandOutcome {
    /// The command was applied.
    Done(CarriedOut),
    /// The room has no such session.
    UnknownSession,
    /// The session has ended, or its end has been ordered.
    AlreadySubmitted,
    /// The connection has used the `id` for another command. This is never stored, nor are those that follow.
    IdReused,
    /// The room has no such candidate.
    UnknownCandidate,
    /// The sitting is over.
    SittingEnded,
    /// The candidate who is to be let in has no time left.
    TimeIsUp,
    /// The proctor may not begin the sitting, or only as a whole.
    #[serde(skip)]
    MayNotBegin(BeginRefusal),
    /// There are too many incidents.
    TooManyIncidents,
    /// The room is not that of a sitting.
    NoSitting,
    /// Somebody would have less than a minute left.
    TooLittleTime,
    /// Nothing was ordered that could be taken back.
    NothingToUndo,
    /// The hall has been paused too often.
    TooManyPauses,
}

impl CommandOutcome {
    /// Whether the command has been carried out, so that a repeat gets the same answer.
    const fn is_done(&self) -> bool {
        matches!(self, Self::Done(_) | Self::AlreadySubmitted)
    }
}

/// Applies a command as a whole or not at all. A command that was applied before changes nothing more.
pub async fn apply(sittings: &Sittings, asked: &ProctorCommand) -> Result<CommandOutcome, Error> {
    let (database, clock) = (&sittings.database, &sittings.clock);
    let now = clock.now();
    let is_old = proctor_command::Column::AtMs.lt(now.plus(-ANSWER_KEPT_MILLISECONDS).milliseconds());
    proctor_command::Entity::delete_many().filter(is_old).exec(&database.write).await?;
    if let CommandContent::Sessions { target, order: Order::Unpause | Order::Undo, .. } = &asked.content {
        // The length of a pause that lasted over the beginning is known only to rows that have their times.
        for sitting_id in attempt_starts::find_sittings_of(database, sessions::is_ordered(asked.room, *target)).await? {
            sittings.write_begun(sitting_id, now).await?;
        }
    }
    let transaction = database.begin().await?;
    bound_stalls(&transaction).await?;
    let mut known = repeats::find(&transaction, asked).await?;
    if let KnownOrder::New = known {
        if repeats::claim(&transaction, asked, now).await? {
            return carry_out(transaction, asked, sittings, now).await;
        }
        known = repeats::find(&transaction, asked).await?;
    }
    let answer = match known {
        KnownOrder::Done(answer, given_at) => repeat(&transaction, asked, sittings, answer, given_at).await?,
        KnownOrder::Reused => return Ok(CommandOutcome::IdReused),
        // The row that made the claim fail has been removed since.
        KnownOrder::New => return Err(Error::internal("a proctor's order was removed while it was repeated")),
    };
    transaction.commit().await?;
    Ok(answer)
}

/// The answer to a repeat: the first one, with the access code that the order has made unless that is void by now.
async fn repeat(
    transaction: &Transaction,
    asked: &ProctorCommand,
    sittings: &Sittings,
    mut answer: CommandOutcome,
    given_at: Moment,
) -> Result<CommandOutcome, Error> {
    if let CommandOutcome::Done(done) = &mut answer
        && let CommandContent::Sessions { target: OrderTarget::One(session_id), order: Order::OnlyThisDevice, .. } =
            &asked.content
    {
        let code = sittings.code_of_order(&asked.unique(given_at))?;
        let is_theirs = devices::has_access_code(transaction, *session_id, &sittings.hash(&code)).await?;
        done.code = Some(code).filter(|_| is_theirs);
    }
    Ok(answer)
}

async fn carry_out(
    transaction: Transaction,
    asked: &ProctorCommand,
    sittings: &Sittings,
    given_at: Moment,
) -> Result<CommandOutcome, Error> {
    let answer = match &asked.content {
        CommandContent::Sessions { target, grade, order } => {
            let held = match (order, target) {
                (Order::OnlyThisDevice, OrderTarget::One(session_id)) => {
                    devices::hold_candidate(&transaction, *session_id).await?
                }
                _ => None,
            };
            let ordered = OrderedSessions { command: asked, target: *target, grade: *grade, order, takes_back: None };
            let mut outcome = sessions::order(&transaction, ordered, &sittings.clock).await?;
            if let (CommandOutcome::Done(done), Some((sitting, candidate_id))) = (&mut outcome, held)
                && done.count > 0
            {
                let code = sittings.code_of_order(&asked.unique(given_at))?;
                sittings.set_access_code(&sitting, candidate_id, &code).await?;
                done.code = Some(code);
            }
            outcome
        }
        CommandContent::Sitting { is_chief, order } => {
            order_sitting(&transaction, asked, *is_chief, order, sittings).await?
        }
    };
    // Another room may have the session that this one has not, and a sitting may be changed, so that what was refused
    // is decided anew each time.
    if answer.is_done() {
        repeats::set_answer(&transaction, asked, &answer).await?;
        match (&asked.content, asked.room.sitting_id()) {
            (CommandContent::Sitting { order: SittingOrder::Begin, .. }, Some(sitting_id)) => {
                sittings.commit_and_tell(transaction, sitting_id).await?;
            }
            (CommandContent::Sitting { .. }, Some(sitting_id)) => {
                transaction.commit().await?;
                sittings.changes.tell_proctors(sitting_id);
            }
            (CommandContent::Sessions { target: OrderTarget::All, order, .. }, Some(sitting_id))
                if order.is_standing() =>
            {
                sittings.commit_and_tell(transaction, sitting_id).await?;
            }
            _ => transaction.commit().await?,
        }
    }
    Ok(answer)
}

async fn order_sitting(
    transaction: &Transaction,
    asked: &ProctorCommand,
    is_chief: bool,
    order: &SittingOrder,
    sittings: &Sittings,
) -> Result<CommandOutcome, Error> {
    let RoomKey::Sitting { sitting_id, hall_id } = asked.room else { return Ok(CommandOutcome::NoSitting) };
    let ordered = OrderedSitting { sitting_id, hall_id, is_chief, by: &asked.proctor, order };
    Ok(match sittings.carry_out(transaction, &ordered).await? {
        SittingOutcome::Done(count) => CommandOutcome::Done(CarriedOut { count, ..CarriedOut::default() }),
        SittingOutcome::UnknownCandidate => CommandOutcome::UnknownCandidate,
        SittingOutcome::Ended => CommandOutcome::SittingEnded,
        SittingOutcome::TimeIsUp => CommandOutcome::TimeIsUp,
        SittingOutcome::MayNotBegin(why) => CommandOutcome::MayNotBegin(why),
        SittingOutcome::TooManyIncidents => CommandOutcome::TooManyIncidents,
    })
}
