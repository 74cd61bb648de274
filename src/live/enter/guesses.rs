//! Whose code somebody has typed. Wrong codes are counted, and after many of them each look-up waits for its turn:
//! guessing is slowed, and nobody is kept out. Only the look-up waits, so whoever has the right code is let in as soon
//! as that is known, and whoever is signed in needs none.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use domain::sitting::candidate::Candidate;
use domain::sitting::code::AccessCode;
use moka::future::Cache;

use super::{find_sitting, unread};
use crate::http::limits::CountedCaller;
use crate::http::turnstile::by_address::AddressTurnstile;
use crate::live::Live;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::protocol::student_frame::SittingName;
use crate::sittings::current::CurrentSitting;
use crate::store::candidates;

/// Wrong codes of one address in a minute, which may be that of a whole school …
const WRONG_OF_ADDRESS_MAX: u32 = 60;
/// … of all addresses for one sitting, after which those are slowed that have sent a wrong one …
const WRONG_OF_SITTING_MAX: u32 = 600;
/// … and of those that begin with the same half.
const WRONG_OF_HALF_MAX: u32 = 10;
/// How long wrong codes are remembered.
const WRONG_KEPT: Duration = Duration::from_secs(60);
/// Addresses, sittings and halves of codes whose wrong codes are remembered.
const WRONG_REMEMBERED_MAX: u64 = 100_000;

/// Who has tried wrong codes of late, and those who wait for that.
pub struct EntryGuesses {
    wrong: Cache<Guessed, Arc<AtomicU32>>,
    turns: Arc<AddressTurnstile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Guessed {
    From(Option<CountedCaller>),
    Of(String),
    Near(String, String),
}

impl EntryGuesses {
    /// Those who are slowed share the turns of strangers.
    #[must_use]
    pub fn new(turns: Arc<AddressTurnstile>) -> Self {
        let wrong = Cache::builder().max_capacity(WRONG_REMEMBERED_MAX).time_to_live(WRONG_KEPT);
        Self { wrong: wrong.build(), turns }
    }

    async fn count(&self, guessed: &Guessed) -> u32 {
        self.wrong.get(guessed).await.map_or(0, |count| count.load(Ordering::Relaxed))
    }

    async fn add(&self, guessed: Guessed) {
        self.wrong.get_with(guessed, async { Arc::default() }).await.fetch_add(1, Ordering::Relaxed);
    }
}

/// Finds the candidate with that code in the sitting of that name. Fails with `not_expected`; with `rate_limited` for
/// those who have tried too many wrong ones.
pub(super) async fn find_by_code(
    live: &Live,
    name: &SittingName,
    access: &AccessCode,
    address: Option<CountedCaller>,
) -> Result<(Arc<CurrentSitting>, Candidate), Fault> {
    let guesses = &live.guesses;
    let sitting = match name {
        SittingName::Id(id) => id.to_string(),
        SittingName::Code(code) => code.as_str().to_owned(),
    };
    let from = Guessed::From(address.clone());
    let near = Guessed::Near(sitting.clone(), access.first_half().to_owned());
    let of = Guessed::Of(sitting.clone());
    let of_address = guesses.count(&from).await;
    let is_near = guesses.count(&near).await >= WRONG_OF_HALF_MAX;
    let is_of_sitting = of_address > 0 && guesses.count(&of).await >= WRONG_OF_SITTING_MAX;
    let is_slowed = is_near || is_of_sitting || of_address >= WRONG_OF_ADDRESS_MAX;
    let too_many = || Fault::new(Code::RateLimited, "Too many wrong codes: try again a little later");
    // Guesses at one code stand in one line, wherever they come from. No account has a name with a line end.
    let line =
        if is_near { Some(CountedCaller::Account(format!("{sitting}\n{}", access.first_half()))) } else { address };
    let _turn = if is_slowed { Some(guesses.turns.turn(line).await.ok_or_else(too_many)?) } else { None };
    let found = look_up(live, name, access).await;
    if matches!(&found, Err(fault) if fault.code == Code::NotExpected) {
        for guessed in [from, of, near] {
            guesses.add(guessed).await;
        }
        if is_slowed {
            return Err(too_many());
        }
    }
    found
}

async fn look_up(
    live: &Live,
    name: &SittingName,
    access: &AccessCode,
) -> Result<(Arc<CurrentSitting>, Candidate), Fault> {
    let current = find_sitting(live, name).await?;
    let (id, hash) = (current.sitting.id, live.sittings.hash(access));
    let found = candidates::find_by_access(&live.services.database.read, id, &hash).await;
    if let Some(candidate) = found.map_err(|error| unread(error.into()))? {
        return Ok((current, candidate));
    }
    if let Err(error) = live.sittings.count_wrong_code(id, access).await {
        tracing::warn!(%error, "a wrong code was not counted");
    }
    Err(Fault::not_expected())
}
