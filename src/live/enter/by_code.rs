//! Finds the candidate by the access code that was typed.

use std::sync::Arc;

use domain::sitting::candidate::Candidate;
use domain::sitting::code::AccessCode;
use domain::time::moment::Moment;

use super::{find_sitting, not_open, unread};
use crate::http::limits::CountedCaller;
use crate::live::Live;
use crate::live::guesses::Aim;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::protocol::student_frame::SittingName;
use crate::sittings::entry::current::CurrentSitting;
use crate::store::candidates;

/// Finds the candidate with that code in the sitting of that name. Fails with `not_expected`; before the doors with
/// `not_open`, whatever the code is; with `rate_limited` for those who have tried too many wrong ones.
pub(super) async fn find_by_code(
    live: &Live,
    name: &SittingName,
    access: &AccessCode,
    address: Option<CountedCaller>,
) -> Result<(Arc<CurrentSitting>, Candidate), Fault> {
    let current = find_sitting(live, name).await?;
    let (sitting, now) = (&current.sitting, live.services.clock.now());
    if !sitting.admits_anybody(current.first_own_start, now) {
        return Err(not_open(sitting.first_doors(current.first_own_start)));
    }
    let too_many = || Fault::new(Code::RateLimited, "Too many wrong codes: try again a little later");
    let aim = Aim { at: sitting.id.to_string(), half: access.first_half().to_owned() };
    let guess = live.shared.guesses.guess(address, aim).await.ok_or_else(too_many)?;
    let hash = live.shared.neighbours.sittings.hash(access);
    let found = candidates::find_by_access(&live.services.database.read, sitting.id, &hash).await;
    let found = found.map_err(|error| unread(error.into()))?;
    if found.is_none() {
        live.shared.neighbours.sittings.note_wrong_code(sitting.id, access);
    }
    let is_before_doors = !sitting.is_open_for(&sitting.hall_terms(None), now);
    let is_slowed = match found {
        Some(candidate) if !is_before_doors || may_enter(&current, &candidate, now) => {
            guess.right(candidate.id);
            return Ok((current, candidate));
        }
        // A right code of somebody for whom the doors are still shut sounds like a wrong one.
        Some(_) => guess.early().await,
        None => guess.wrong().await,
    };
    Err(match (is_slowed, is_before_doors) {
        (true, _) => too_many(),
        (false, true) => not_open(sitting.doors_for_all()),
        (false, false) => Fault::not_expected(),
    })
}

fn may_enter(current: &CurrentSitting, candidate: &Candidate, now: Moment) -> bool {
    let terms = current.sitting.terms(candidate, current.minutes);
    candidate.has_entered() || current.sitting.is_open_for(&terms, now)
}
