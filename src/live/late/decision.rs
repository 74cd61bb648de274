//! What staff decide about late work: it counts, or it does not. Either can be taken back by its opposite, and each
//! change of a result is a version of its own.

use std::collections::BTreeMap;

use actix_web::web::{Data, Path};
use actix_web::{Error as ActixError, HttpRequest, HttpResponse, post};
use domain::access::Identity;
use domain::attempt::{KeptOut, LateCommand, ValueKind};
use domain::session::{ScoreChange, Session, VersionReason};
use domain::sight::Reader;
use domain::time::moment::Moment;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{LateTest, not_ended, own_session, sight_of};
use crate::database::{Transaction, bound_lock_waits};
use crate::error::Error;
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::fields::{Field, JsonFields, body};
use crate::http::if_match::IfMatch;
use crate::live::Live;
use crate::live::error::{LiveError, LiveErrorBody};
use crate::live::proctor::caller::Proctoring;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::store::late_decisions::{LateState, StoredLateCommand};
use crate::live::store::{self, late, late_decisions};
use crate::sessions::read::{SightServices, reader};
use crate::sessions::versions::{self, NewVersion, SESSION_CHANGED, VersionPart};
use crate::store::{releases, sessions};

/// Questions that a decision may name: as many as a test has.
const QUESTION_IDS_MAX: usize = 200;

/// Why late work may come from the key.
#[derive(Clone, Copy)]
enum KeyKnown {
    /// The student had been shown it.
    Seen,
    /// The results of the sitting had been released, so that others had been.
    Released,
}

impl KeyKnown {
    /// What whoever accepts such work without `force` is told.
    const fn sentence(self) -> &'static str {
        match self {
            Self::Seen => "The student may have seen the answers before this work came: accept it with force",
            Self::Released => "The results were released before this work came: accept it with force",
        }
    }

    /// What is noted on the version.
    const fn comment(self) -> &'static str {
        match self {
            Self::Seen => "Accepted after the student had seen the answers",
            Self::Released => "Accepted after the results had been released",
        }
    }

    /// As the record names it, which `web/src/staff/desk/record_words.ts` reads.
    const fn detail(self) -> &'static str {
        match self {
            Self::Seen => "although the student had seen the answers",
            Self::Released => "although the results had been released",
        }
    }
}

/// Whose test it is, the version that is meant, and the decision.
type SentDecision = (Path<String>, IfMatch, JsonFields);

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub(super) enum LateDecision {
    Accept,
    Decline,
}

impl LateDecision {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "accept" => Some(Self::Accept),
            "decline" => Some(Self::Decline),
            _ => None,
        }
    }

    const fn state(self) -> LateState {
        match self {
            Self::Accept => LateState::Accepted,
            Self::Decline => LateState::Declined,
        }
    }

    /// As the record names it.
    const fn event(self) -> &'static str {
        match self {
            Self::Accept => "late_accepted",
            Self::Decline => "late_declined",
        }
    }
}

body! {
    /// The body of `POST /api/live/sessions/{id}/late`.
    pub(super) struct DecideLateWork {
        decision: LateDecision = |field| field.parsed(LateDecision::parse),
        /// Only the commands for these questions; for all of them without it.
        #[schema(max_items = 200)]
        question_ids: Option<Vec<String>> =
            |field| field.optional_parsed(|ids: Vec<String>| (ids.len() <= QUESTION_IDS_MAX).then_some(ids)),
        /// Only what the student did until then, by the client's claim, or else by when it was received.
        #[schema(value_type = Option<String>, format = DateTime)]
        until: Option<Moment> = Field::optional,
        /// 2,000 characters at most.
        #[schema(value_type = Option<String>)]
        comment: String = Field::note,
        /// How many commands the caller has seen: 412 if there are others by now.
        seen: Option<u32> = Field::optional,
        /// Accept what came after the student was shown the key, or after the release. That it did stays on the record.
        force: Option<bool> = Field::optional,
    }
}

/// What was decided.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DecidedLateWork {
    /// The number of the newest version of the test.
    #[schema(minimum = 1)]
    version: u32,
    /// Whether this decision has made it.
    is_new_version: bool,
    /// How many commands count now.
    accepted: usize,
    /// How many are declined now.
    declined: usize,
    /// For those who may see the keys; null for others, and without another version.
    #[schema(required)]
    score: Option<ScoreChange>,
}

/// Accepts or declines work that came after the end of a live exam. The opposite takes it back.
///
/// Accepting applies the rule of work in time, "latest wins, key by key", and grades the test again. Without `If-Match`
/// it is decided about whatever version there is.
#[utoipa::path(
    operation_id = "decideLateWork",
    tag = "live",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Session id"),
        ("If-Match" = Option<String>, Header, description = "The version of the session that is meant, in quotes"),
    ),
    request_body = DecideLateWork,
    responses(
        (status = 200, description = "Decided, and graded again", body = DecidedLateWork),
        (status = 400, description = "What is wrong with the body", body = LiveErrorBody),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Neither assigned to this grade nor a proctor of this room", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 409, description = "`not_submitted`, `nothing_late`, or `answers_seen` without `force`", body = LiveErrorBody),
        (status = 412, description = "`session_changed`: the session has another version than that of `If-Match`; `late_work_changed`: there are other commands than `seen`", body = LiveErrorBody),
        (status = 503, description = "Not now", body = LiveErrorBody),
    )
)]
#[post("/api/live/sessions/{id}/late")]
pub async fn decide(
    request: HttpRequest,
    asked: Result<After<Proctoring, SentDecision>, ActixError>,
    live: Data<Live>,
    (callers, config, _embargo): SightServices,
) -> Result<HttpResponse, LiveError> {
    let After(Proctoring(identity), (id, if_match, fields)) = asked?;
    let (session_id, place) = own_session(&live, &identity, &id).await?;
    let asked = DecideLateWork::read(&fields)?;
    let reader = reader(&request, &callers, &config).await;
    let decided = carry_out(&live, &identity, session_id, &if_match, &asked, reader).await??;
    live.services.outbox.wake();
    if let Some(sitting_id) = place.sitting_id {
        live.shared.neighbours.sittings.changes.tell_proctors(sitting_id);
    }
    Ok(private(&mut HttpResponse::Ok()).json(decided))
}

/// Decides under the locks of the late work, its sitting, its attempt and its session, in this order: what came is as
/// it was seen, nobody reopens the test meanwhile, and each version is made of what the one before has left.
async fn carry_out(
    live: &Live,
    identity: &Identity,
    session_id: Uuid,
    if_match: &IfMatch,
    asked: &DecideLateWork,
    reader: Reader,
) -> Result<Result<DecidedLateWork, Fault>, Error> {
    let services = &live.services;
    // Read before the locks, and good as long as it is of the same end.
    let Some(mut test) = super::find(live, session_id).await? else { return Ok(Err(not_ended())) };
    let sight = sight_of(live, &test.session, reader).await?;
    let transaction = services.database.begin().await?;
    bound_lock_waits(&transaction).await?;
    let Some(work) = late::lock(&transaction, session_id).await? else { return Ok(Err(nothing_late())) };
    if let Some(sitting_id) = test.session.sitting_id {
        test.released_at = releases::hold_release(&transaction, sitting_id).await?;
    }
    let end = late_decisions::lock_end(&transaction, session_id).await?;
    match end {
        Some(end) if end.ended_at.is_some() && end.ended_at == test.end.ended_at => test.end = end,
        _ => return Ok(Err(not_ended())),
    }
    test.commands = late_decisions::find_late_commands(&transaction, session_id).await?;
    let (chosen, known) = match choose(&test, asked) {
        Ok(chosen) => chosen,
        Err(fault) => return Ok(Err(fault)),
    };
    let had_any = test.commands.iter().any(|one| one.state == LateState::Accepted);
    let state = asked.decision.state();
    let changed: Vec<(i64, LateState)> = chosen.iter().map(|id| (*id, state)).collect();
    let has_drawing = test.commands.iter().any(|one| chosen.contains(&one.id) && is_drawing(&one.command));
    for one in test.commands.iter_mut().filter(|one| chosen.contains(&one.id)) {
        one.state = state;
    }
    let merged = test.now();
    let drawings = if has_drawing { Some(drawings(&transaction, &test, &merged.kept_out).await?) } else { None };
    let now = services.clock.now();
    // What was declined before it counted has changed nothing.
    let is_without_effect = asked.decision == LateDecision::Decline && !had_any;
    let change = |session: &Session| -> Result<Option<NewVersion>, Error> {
        if_match.check(session.version.number.into(), SESSION_CHANGED)?;
        if is_without_effect {
            return Ok(None);
        }
        // It is graded by the corrections that hold when the version is stored.
        let result = session.graded_with(test.attempt.paper(), &merged.cells, &[]);
        if session.has_work_of(&result) && drawings.is_none() {
            return Ok(None);
        }
        let reason = match asked.decision {
            LateDecision::Accept => VersionReason::LateWork,
            LateDecision::Decline => VersionReason::Reverted,
        };
        let by = Some(identity.email.clone());
        let drawings = drawings.clone().map_or(VersionPart::Same, VersionPart::Other);
        let comment = comment(asked, known);
        Ok(Some(NewVersion { by, comment, drawings, ..NewVersion::of_result(reason, now, result) }))
    };
    let appended = versions::append(&transaction, services.outbox.sends_sessions(), session_id, None, change).await?;
    if let Some(version) = appended {
        test.store_receipt(live, &transaction, version, &merged.cells).await?;
    }
    let states = test.commands.iter().map(|one| one.state);
    late_decisions::set_late_states(&transaction, &work, &changed, states).await?;
    let detail = detail(asked, known, changed.len());
    let event = asked.decision.event();
    late_decisions::note(&transaction, session_id, now, event, &identity.email, detail).await?;
    transaction.commit().await?;
    let later = match appended {
        Some(_) => sessions::find(&services.database, session_id).await?,
        None => None,
    };
    let score = later.and_then(|later| test.session.score_change_to(sight, &later));
    let count = |state: LateState| test.commands.iter().filter(|one| one.state == state).count();
    Ok(Ok(DecidedLateWork {
        version: appended.unwrap_or(test.session.version.number),
        is_new_version: appended.is_some(),
        accepted: count(LateState::Accepted),
        declined: count(LateState::Declined),
        score,
    }))
}

/// The commands that a decision is about, and why some of them may come from the key, which `force` has overlooked
/// then. What can't count is not accepted, whoever decides.
fn choose(test: &LateTest, asked: &DecideLateWork) -> Result<(Vec<i64>, Option<KeyKnown>), Fault> {
    if asked.seen.is_some_and(|seen| usize::try_from(seen) != Ok(test.commands.len())) {
        return Err(Fault::new(Code::LateWorkChanged, "More late work has come: look at it first"));
    }
    let is_out_of_place = |reason: &Option<KeptOut>| reason.is_some_and(|reason| reason != KeptOut::Superseded);
    let is_named = |id: &str| asked.question_ids.as_ref().is_none_or(|ids| ids.iter().any(|named| named == id));
    let all = test.commands.iter().zip(test.kept_out());
    let chosen = all.filter(|(one, reason)| {
        let is_meant =
            is_named(&one.command.question_id) && asked.until.is_none_or(|until| one.command.acted_at() <= until);
        is_meant && (asked.decision == LateDecision::Decline || !is_out_of_place(reason))
    });
    let chosen: Vec<_> = chosen.map(|(one, _)| one).collect();
    if chosen.is_empty() {
        return Err(nothing_late());
    }
    let known = match asked.decision {
        LateDecision::Accept => key_known(test, &chosen),
        LateDecision::Decline => None,
    };
    match known {
        Some(known) if !asked.force.unwrap_or_default() => Err(Fault::new(Code::AnswersSeen, known.sentence())),
        _ => Ok((chosen.iter().map(|one| one.id).collect(), known)),
    }
}

/// Why some of these commands may come from the key. What was here before cannot, whenever somebody decides.
fn key_known(test: &LateTest, chosen: &[&StoredLateCommand]) -> Option<KeyKnown> {
    let new = chosen.iter().filter(|one| one.state != LateState::Accepted);
    let last = new.map(|one| one.command.received_at).max()?;
    if test.end.answers_seen_at.is_some_and(|seen_at| last >= seen_at) {
        return Some(KeyKnown::Seen);
    }
    test.released_at.is_some_and(|released_at| last > released_at).then_some(KeyKnown::Released)
}

fn is_drawing(command: &LateCommand) -> bool {
    command.change.as_ref().is_some_and(|change| change.kind() == ValueKind::Drawing)
}

/// The drawings of the test with the accepted ones. `kept_out` is of the accepted commands, in their order.
async fn drawings(
    transaction: &Transaction,
    test: &LateTest,
    kept_out: &[Option<KeptOut>],
) -> Result<Option<Box<RawValue>>, Error> {
    let stored = store::find_drawings(transaction, test.session.session_id).await?;
    let id_of = |position: usize| test.attempt.paper().get(position).map(|question| question.id.to_string());
    let mut by_id: BTreeMap<String, Box<RawValue>> =
        stored.into_iter().filter_map(|(position, drawing)| Some((id_of(position)?, drawing))).collect();
    let accepted = test.commands.iter().filter(|one| one.state == LateState::Accepted).zip(kept_out);
    for (one, _) in accepted.filter(|(one, kept_out)| kept_out.is_none() && is_drawing(&one.command)) {
        let id = one.command.question_id.to_string();
        match one.value.clone().map(RawValue::from_string).transpose()? {
            Some(drawing) => drop(by_id.insert(id, drawing)),
            None => drop(by_id.remove(&id)),
        }
    }
    if by_id.is_empty() { Ok(None) } else { Ok(Some(serde_json::value::to_raw_value(&by_id)?)) }
}

/// What stands on the version.
fn comment(asked: &DecideLateWork, known: Option<KeyKnown>) -> Option<String> {
    let forced = known.map(KeyKnown::comment);
    let words: Vec<&str> = forced.into_iter().chain(Some(&*asked.comment).filter(|text| !text.is_empty())).collect();
    (!words.is_empty()).then(|| words.join(". "))
}

/// What stands on the record of the test.
fn detail(asked: &DecideLateWork, known: Option<KeyKnown>, count: usize) -> String {
    let forced = known.map(|known| known.detail().to_owned());
    let count = format!("{count} changes");
    let comment = Some(asked.comment.clone()).filter(|text| !text.is_empty());
    std::iter::once(count).chain(forced).chain(comment).collect::<Vec<_>>().join("; ")
}

fn nothing_late() -> Fault {
    Fault::new(Code::NothingLate, "There is no late work that could be decided about so")
}
