//! Lets candidates into sittings: who they are is checked, the attempt is stored, and only then they are answered.
//! Their time may begin to count much later, or have begun already.

mod by_code;

use std::sync::Arc;

use domain::access::Identity;
use domain::attempt::{Attempt, SittingPlace, Terms};
use domain::question_types::QuestionTypes;
use domain::sitting::candidate::Candidate;
use domain::sitting::entry::EntryRefusal;
use domain::time::moment::Moment;
use domain::time::times::AttemptTimes;
use serde_json::json;
use uuid::Uuid;

use super::Live;
use super::journal::{CommitRequest, Rejected};
use super::protocol::fault::{Code, Fault};
use super::protocol::student_frame::{Enter, SittingName};
use super::seat::{Seat, SittingSeat};
use super::start::{StartedAttempt, random, repeatable_token};
use super::store::{self, FIRST_FENCE, Hold, MoveOutcome, Mover, NewAttempt, NewEntry, StartChannel, Stored, Write};
use crate::auth::token;
use crate::error::Error;
use crate::http::limits::CountedCaller;
use crate::sittings::entry::current::CurrentSitting;
use crate::store::{candidates, lti};
use by_code::find_by_code;

/// How often an entry is decided anew when the sitting changes at that moment.
const DECIDED_MAX: usize = 5;

/// Lets a candidate in, or back in. Fails with the codes of `enter` in `docs/live-protocol.md#sittings`.
pub async fn enter(
    live: &Arc<Live>,
    enter: Enter,
    caller: Option<Identity>,
    address: Option<CountedCaller>,
    channel: StartChannel,
) -> Result<StartedAttempt, Fault> {
    if !live.shared.neighbours.sittings.is_here() {
        return Err(Fault::not_expected());
    }
    let (current, candidate) = match (&enter.access, &caller) {
        (Some(access), _) => find_by_code(live, &enter.sitting, access, address).await?,
        (None, Some(caller)) => find_by_email(live, &enter.sitting, &caller.email).await?,
        (None, None) => return Err(Fault::not_expected()),
    };
    let_in(live, &enter, caller.as_ref(), None, channel, (current, candidate)).await
}

/// Lets a candidate in whom a learning platform has named, or back in, as long as they are this person of it. Fails as
/// [`enter`] does.
pub async fn enter_sent(
    live: &Arc<Live>,
    (sitting_id, candidate_id): (Uuid, Uuid),
    person_id: Uuid,
) -> Result<StartedAttempt, Fault> {
    let current = live.shared.neighbours.sittings.current(sitting_id).await.map_err(unread)?;
    let found = candidates::find(&live.services.database.read, sitting_id, candidate_id).await;
    let candidate = found.map_err(|error| unread(error.into()))?.ok_or_else(Fault::not_expected)?;
    let enter = Enter { sitting: SittingName::Id(sitting_id), access: None, key: None };
    let_in(live, &enter, None, Some(person_id), StartChannel::Https, (current, candidate)).await
}

async fn find_by_email(
    live: &Live,
    name: &SittingName,
    email: &str,
) -> Result<(Arc<CurrentSitting>, Candidate), Fault> {
    let current = find_sitting(live, name).await?;
    let found = candidates::find_by_email(&live.services.database.read, current.sitting.id, email).await;
    let candidate = found.map_err(|error| unread(error.into()))?.ok_or_else(Fault::not_expected)?;
    Ok((current, candidate))
}

async fn find_sitting(live: &Live, name: &SittingName) -> Result<Arc<CurrentSitting>, Fault> {
    let id = match name {
        SittingName::Id(id) => *id,
        SittingName::Code(code) => {
            live.shared.neighbours.sittings.id_of_code(code).await.map_err(unread)?.ok_or_else(Fault::not_expected)?
        }
    };
    live.shared.neighbours.sittings.current(id).await.map_err(unread)
}

async fn let_in(
    live: &Arc<Live>,
    enter: &Enter,
    caller: Option<&Identity>,
    sent: Option<Uuid>,
    channel: StartChannel,
    (mut current, mut candidate): (Arc<CurrentSitting>, Candidate),
) -> Result<StartedAttempt, Fault> {
    let (id, candidate_id, email) = (current.sitting.id, candidate.id, candidate.person.email.clone());
    let access_hash = enter.access.as_ref().map(|access| live.shared.neighbours.sittings.hash(access));
    for tried in 0..DECIDED_MAX {
        if tried > 0 {
            // After the sitting was read again: the candidate may have been changed with it, be another person, or have
            // another code.
            let database = &live.services.database.read;
            let found = match &access_hash {
                Some(hash) => candidates::find_by_access(database, id, hash).await,
                None => candidates::find(database, id, candidate_id).await,
            };
            let found = found.map_err(|error| unread(error.into()))?;
            let is_theirs = |found: &Candidate| match access_hash {
                Some(_) => found.id == candidate_id,
                None => found.person.email == email,
            };
            candidate = found.filter(is_theirs).ok_or_else(Fault::not_expected)?;
        }
        // Read after the sitting: whoever makes the row another person's changes its version, and nothing is stored.
        if let Some(person_id) = sent {
            let found = lti::person_of_candidate(&live.services.database.read, candidate_id).await;
            let known = found.map_err(|error| unread(error.into()))?;
            known.filter(|(known, _)| *known == person_id).ok_or_else(Fault::not_expected)?;
            // They may have been taken for whoever has entered, by a slip of the pen.
            let after_entry = lti::is_after_entry(&live.services.database.read, candidate_id).await;
            if after_entry.map_err(|error| unread(error.into()))? {
                return Err(Fault::new(Code::EntryClosed, "You have entered otherwise: ask your teacher"));
            }
        }
        if let Some(session_id) = candidate.session_id {
            return again(live, session_id, &candidate, enter, caller).await;
        }
        let now = live.services.clock.now();
        // Nobody enters in a pause that has ended by the clock of another server.
        let now = current.sitting.hall_time(candidate.hall_id).last_end().map_or(now, |ended_at| ended_at.max(now));
        let terms = current.sitting.terms(&candidate, current.minutes);
        current.sitting.admits(&candidate, &terms, now).map_err(|refusal| match refusal {
            EntryRefusal::NotOpen(doors_at) => not_open(doors_at),
            EntryRefusal::Closed => Fault::new(Code::EntryClosed, "The entry is over: ask your teacher"),
        })?;
        if current.paper.is_none() {
            current = live.shared.neighbours.sittings.opened(id).await.map_err(unread)?;
            if current.paper.is_none() {
                return Err(Fault::storage());
            }
            continue;
        }
        if let Some(started) = first(live, &current, candidate.clone(), enter, caller, now, channel).await? {
            return Ok(started);
        }
        // The sitting has changed meanwhile, or another device of the candidate was quicker.
        current = live.shared.neighbours.sittings.refreshed(id).await.map_err(unread)?;
    }
    Err(Fault::storage())
}

/// Stores the attempt of a candidate who enters for the first time. Returns `None` if nothing was stored.
async fn first(
    live: &Arc<Live>,
    current: &Arc<CurrentSitting>,
    mut candidate: Candidate,
    enter: &Enter,
    caller: Option<&Identity>,
    now: Moment,
    channel: StartChannel,
) -> Result<Option<StartedAttempt>, Fault> {
    let Some(paper) = &current.paper else { return Ok(None) };
    let place = SittingPlace { sitting_id: current.sitting.id, candidate_id: candidate.id };
    let access_hash = enter.access.as_ref().map(|access| live.shared.neighbours.sittings.hash(access));
    let bystander = bystander(caller, &candidate).map(str::to_owned);
    let caller = caller.filter(|_| bystander.is_none());
    let salt = random()?;
    let token = enter.key.as_deref().map_or_else(|| token::encode(&salt), |key| repeatable_token(key, &salt));
    let start_key = enter.key.as_deref().map(|key| (key_hash(key, candidate.id), salt));
    candidate.entered_at = Some(now);
    let Some(times) = current.sitting.times(&candidate, current.minutes) else { return Ok(None) };
    let hall = current.sitting.hall_time(candidate.hall_id);
    let times = AttemptTimes { paused_at: hall.paused_at(), extended_minutes: hall.minutes, ..times };
    let mut terms = terms(live, current, &candidate, place, caller);
    let (form, list) = paper.first_list(&candidate, None, terms.session_id);
    terms.form = form;
    let new = NewAttempt {
        terms,
        paper: list,
        second_papers: paper.second.clone(),
        times,
        paused_in: hall.paused_in,
        pause_text: hall.text.clone(),
        token_hash: token::hash(&token),
        start_key,
        owner: caller.map(|caller| caller.email.clone()),
        counted: None,
        server: live.services.server_id,
        channel,
        entry: Some(NewEntry { version: current.sitting.version, access_hash, entered_at: now, bystander }),
    };
    let attempt = Attempt::new(new.terms.clone(), new.times, new.paper.clone(), now);
    let (session_id, token_hash) = (new.terms.session_id, new.token_hash);
    candidate.session_id = Some(session_id);
    // Reserved before the commit, as with a start.
    let _reserved = live.shared.registry.reserve(session_id);
    let begin = store::Commit { hold: None, writes: vec![Write::Begin(Box::new(new))] };
    match live.services.journal.send(CommitRequest(begin)).await {
        Ok(Ok(())) => {}
        Ok(Err(Rejected::Lost)) => return Ok(None),
        Ok(Err(Rejected::Refused)) | Err(_) => return Err(Fault::internal()),
    }
    // Another device of the candidate may have been stored first.
    let stored = candidates::find(&live.services.database.read, place.sitting_id, place.candidate_id).await;
    if stored.map_err(|error| unread(error.into()))?.and_then(|stored| stored.session_id) != Some(session_id) {
        return Ok(None);
    }
    let hold = Hold { session_id, fence: FIRST_FENCE, orders: 0 };
    let seat = SittingSeat::new(place, Arc::clone(current), candidate);
    let stored = Stored { pause_text: hall.text, ..Stored::begun(attempt, token_hash) };
    let open = async || Ok::<_, Fault>(Seat::open(&live.services, stored, Some(seat), Some(hold)));
    let seat = live.shared.registry.find_or_open(session_id, open).await?;
    Ok(Some(StartedAttempt { seat: Some(seat), session_id, token }))
}

/// Annotations tell the webhook's receiver and the report who it was.
fn terms(
    live: &Live,
    current: &CurrentSitting,
    candidate: &Candidate,
    place: SittingPlace,
    caller: Option<&Identity>,
) -> Terms {
    let annotations = json!({
        "name": candidate.name,
        "studentId": candidate.person.external_id,
        "event": current.sitting.event_id,
        "sittingId": place.sitting_id,
        "candidateId": candidate.id,
    });
    Terms {
        session_id: Uuid::new_v4(),
        grade: current.grade,
        mode: current.mode,
        duration_minutes: current.minutes,
        calculator: current.calculator,
        // The template has fixed the questions of both stages.
        types: QuestionTypes::default(),
        shuffles: false,
        annotations: annotations.to_string().into(),
        webhook_url: current.sitting.plan.webhook_url.as_deref().map(Into::into),
        // Not by what the candidate sends: staff and the webhook's receiver follow this link.
        base_url: live.shared.base.config.server.auth_url.as_str().into(),
        template_id: Some(current.sitting.template_id),
        student: candidate.name.as_str().into(),
        account: caller.map(|caller| caller.email.as_str().into()),
        sitting: Some(place),
        // Decided when the attempt is made.
        form: None,
        // The sitting has the scale.
        mark_scale: None,
    }
}

/// Lets a candidate in who has entered before: with the same key and the same token, or with a further token for
/// another device.
async fn again(
    live: &Live,
    session_id: Uuid,
    candidate: &Candidate,
    enter: &Enter,
    caller: Option<&Identity>,
) -> Result<StartedAttempt, Fault> {
    let (database, now) = (&live.services.database, live.services.clock.now());
    if let Some(key) = enter.key.as_deref() {
        let known = store::find_by_start_key(database, &key_hash(key, candidate.id), now).await;
        if let Some((_, salt)) = known.map_err(|error| unread(error.into()))?.filter(|(known, _)| *known == session_id)
        {
            return Ok(StartedAttempt { seat: None, session_id, token: repeatable_token(key, &salt) });
        }
    }
    let token = token::encode(&random()?);
    let access_hash = enter.access.as_ref().map(|access| live.shared.neighbours.sittings.hash(access));
    let mover = Mover::Candidate {
        session_id,
        candidate_id: candidate.id,
        access_hash: access_hash.as_ref(),
        bystander: bystander(caller, candidate),
    };
    match store::add_token(database, mover, &token::hash(&token), now).await.map_err(|error| unread(error.into()))? {
        MoveOutcome::Done(_) => Ok(StartedAttempt { seat: None, session_id, token }),
        MoveOutcome::TooMany { .. } => Err(Fault::new(Code::RateLimited, "Too many devices: try again a little later")),
        MoveOutcome::UnknownSession | MoveOutcome::AlreadySubmitted | MoveOutcome::Refused => {
            Err(Fault::not_expected())
        }
    }
}

fn not_open(doors_at: Moment) -> Fault {
    Fault { doors_at: Some(doors_at), ..Fault::new(Code::NotOpen, "The doors have not opened yet") }
}

/// The code of one candidate may be typed where another person is signed in: who that is, for the record.
fn bystander<'a>(caller: Option<&'a Identity>, candidate: &Candidate) -> Option<&'a str> {
    let caller = caller.map(|caller| caller.email.as_str());
    caller.filter(|email| candidate.person.email.as_deref() != Some(email))
}

/// A key that another candidate uses too is another one.
fn key_hash(key: &str, candidate_id: Uuid) -> [u8; 32] {
    token::hash(&format!("{key}\n{candidate_id}"))
}

/// 404 is for those who name an unknown sitting.
fn unread(error: Error) -> Fault {
    match error {
        Error::NotFound(_) => Fault::not_expected(),
        error => {
            tracing::warn!(%error, "an entry was refused: the sitting could not be read");
            Fault::storage()
        }
    }
}
