//! Carries out what proctors order: each command once, with its record and its answer, all in one transaction. The SQL
//! is in the store; how seats get their orders is in the proctor's part.

use domain::order::{Order, OrderTarget};
use domain::room::RoomKey;
use domain::sitting::order::SittingOrder;
use domain::time::moment::Moment;

use super::store::orders::devices;
use super::store::orders::repeats::{self, KnownOrder};
use super::store::orders::sessions::{self, OrderedSessions};
use super::store::{CarriedOut, CommandContent, CommandOutcome, ProctorCommand};
use crate::database::{Transaction, bound_stalls};
use crate::error::Error;
use crate::sittings::Sittings;
use crate::sittings::supervision::{OrderedSitting, SittingOutcome};

/// How long a repeated command gets the first answer. A page that has lost the answer repeats the command within
/// seconds, and rows that are older are removed.
const ANSWER_KEPT_MILLISECONDS: i64 = 60 * 60 * 1_000;

/// Carries out a command as a whole or not at all, puts it on record, and tells who waits for it. One that was carried
/// out before changes nothing more.
pub async fn carry_out_command(sittings: &Sittings, asked: &ProctorCommand) -> Result<CommandOutcome, Error> {
    let (database, clock) = (&sittings.database, &sittings.clock);
    let now = clock.now();
    repeats::delete_before(database, now.plus(-ANSWER_KEPT_MILLISECONDS)).await?;
    if let CommandContent::Sessions { target, order: Order::Unpause | Order::Undo, .. } = &asked.content {
        // The length of a pause that lasted over the beginning is known only to rows that have their times.
        for sitting_id in sessions::find_sittings(database, asked.room, *target).await? {
            sittings.write_begun(sitting_id, now).await?;
        }
    }
    let transaction = database.begin().await?;
    bound_stalls(&transaction).await?;
    let mut known = repeats::find(&transaction, asked).await?;
    if let KnownOrder::New = known {
        if repeats::claim(&transaction, asked, now).await? {
            return carry_out_new(transaction, asked, sittings, now).await;
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

async fn carry_out_new(
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
            let mut outcome = sessions::order_sessions(&transaction, ordered, &sittings.clock).await?;
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
