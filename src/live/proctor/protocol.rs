//! Parses frames from proctors into typed commands (`docs/live-protocol.md#watching-as-a-proctor`). The types of their
//! fields are checked here and nowhere else.

use domain::attempt::SEQ_MAX;
use domain::grade::Grade;
use domain::order::{Order, OrderTarget};
use domain::room::RoomKey;
use domain::room::row::Attendance;
use domain::sitting::order::{CandidateTarget, IncidentNote, SittingOrder};
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use uuid::Uuid;

use super::room_order::RoomOrder;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::rooms::room::Manner;

/// Bytes of one message, also in fragments. The longest, a notice of 500 characters, needs less than half of it even if
/// every character is escaped.
pub(in crate::live) const FRAME_BYTES_MAX: usize = 16 * 1_024;
/// Characters of a command's `id`: enough for a random one, and little to store.
const ID_CHARACTERS: std::ops::RangeInclusive<usize> = 1..=64;
/// Rows in view: more than a page shows, even a large one.
const VIEW_ROWS_MAX: usize = 500;
/// The `sessionId` or `candidateId` that means everyone in the room.
const EVERYONE: &str = "*";
/// The types of commands.
const KINDS: [&str; 14] = [
    "extend", "pause", "unpause", "undo", "finish", "reopen", "notice", "history", "code", "begin", "present",
    "absent", "admit", "incident",
];
const ONLY_THIS_DEVICE: &str = "only_this_device";

#[derive(Debug)]
pub(in crate::live) enum ProctorFrame {
    /// Which rows of the watched room are in view, by their numbers; `None` for all.
    View(Option<Vec<u32>>),
    Request(ProctorRequest),
}

/// A frame that does something only for who may.
#[derive(Debug)]
pub(in crate::live) enum ProctorRequest {
    Watch {
        room: RoomChoice,
        /// The last `seq` that the caller has of the room.
        since: Option<u64>,
        manner: Manner,
    },
    Command(NumberedCommand),
}

impl ProctorRequest {
    /// Of an order or a question.
    pub(in crate::live) fn id(&self) -> Option<&RawValue> {
        match self {
            Self::Watch { .. } => None,
            Self::Command(command) => Some(&command.id),
        }
    }
}

/// A room as a caller names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::live) enum RoomChoice {
    /// That of a grade or a template.
    Key(RoomKey),
    /// That of a sitting, or of one of its halls.
    Sitting {
        sitting_id: Uuid,
        /// Its name.
        hall: Option<String>,
    },
}

#[derive(Debug)]
pub(in crate::live) struct NumberedCommand {
    /// In one form, however it was written. Returned in the answer.
    pub(in crate::live) id: Box<RawValue>,
    pub(in crate::live) asked: CommandKind,
}

#[derive(Debug)]
pub(in crate::live) enum CommandKind {
    Order(OrderTarget, Order),
    /// An order for the sitting that is watched.
    Sitting(SittingOrder),
    /// A request for a history.
    History(HistorySubject),
    /// A request for a code by which the student of a session can go on elsewhere.
    Code(Uuid),
}

/// Whose history is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::live) enum HistorySubject {
    Session(Uuid),
    Candidate(Uuid),
}

impl HistorySubject {
    /// The answer where there is none in the room.
    pub(in crate::live) fn unknown(self) -> Fault {
        match self {
            Self::Session(_) => unknown_session(),
            Self::Candidate(_) => unknown_candidate(),
        }
    }
}

/// A frame that is refused, with the `id` of its command if that could be read.
#[derive(Debug)]
pub(in crate::live) struct Refused {
    pub(in crate::live) id: Option<Box<RawValue>>,
    pub(in crate::live) fault: Fault,
}

/// The fields of all frames, unparsed. Each is parsed by itself, so that the error can name the one that is wrong.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProctorFields<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    grade: Option<&'a RawValue>,
    #[serde(borrow)]
    template_id: Option<&'a RawValue>,
    #[serde(borrow)]
    sitting_id: Option<&'a RawValue>,
    #[serde(borrow)]
    room: Option<&'a RawValue>,
    #[serde(borrow)]
    candidate_id: Option<&'a RawValue>,
    /// Of an incident.
    #[serde(borrow, rename = "kind")]
    incident_kind: Option<&'a RawValue>,
    #[serde(borrow)]
    since: Option<&'a RawValue>,
    #[serde(borrow)]
    differences: Option<&'a RawValue>,
    #[serde(borrow)]
    compressed: Option<&'a RawValue>,
    #[serde(borrow)]
    rows: Option<&'a RawValue>,
    #[serde(borrow)]
    session_id: Option<&'a RawValue>,
    #[serde(borrow)]
    minutes: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    force: Option<&'a RawValue>,
}

/// Parses one frame. Fails with `bad_message`, `unknown_session`, `unknown_candidate`, `template_not_found` or
/// `sitting_not_found`.
pub(in crate::live) fn parse(text: &str) -> Result<ProctorFrame, Refused> {
    let without_id = |fault| Refused { id: None, fault };
    let fields = ProctorFields::read(text).map_err(without_id)?;
    let kind: String = required("type", fields.kind).map_err(without_id)?;
    if kind == "watch" {
        return fields.watch().map_err(without_id);
    }
    if kind == "view" {
        return fields.view().map_err(without_id);
    }
    if kind != ONLY_THIS_DEVICE && !KINDS.contains(&kind.as_str()) {
        return Err(without_id(bad("The type is not known")));
    }
    let id = fields.id().map_err(without_id)?;
    match fields.asked(&kind) {
        Ok(asked) => Ok(ProctorFrame::Request(ProctorRequest::Command(NumberedCommand { id, asked }))),
        Err(fault) => Err(Refused { id: Some(id), fault }),
    }
}

/// Returns whether a frame is one that proctors may send. For those outside, to whom its parts are nothing.
#[must_use]
pub fn understands(text: &str) -> bool {
    parse(text).is_ok()
}

/// Parses an order that has come over HTTPS, where the address says for whom it is. Fails with `bad_message`.
pub(in crate::live) fn parse_order(text: &str) -> Result<(Box<RawValue>, Order), Fault> {
    let fields = ProctorFields::read(text)?;
    let kind: String = required("type", fields.kind)?;
    Ok((fields.id()?, fields.order(&kind)?))
}

/// Parses an order for a room that has come over HTTPS. Fails with `bad_message` or `unknown_candidate`.
pub(in crate::live) fn parse_room_order(text: &str) -> Result<(Box<RawValue>, RoomOrder), Fault> {
    let fields = ProctorFields::read(text)?;
    let kind: String = required("type", fields.kind)?;
    let id = fields.id()?;
    Ok((
        id,
        match fields.sitting_order(&kind)? {
            Some(order) => RoomOrder::Sitting(order),
            None => RoomOrder::Sessions(for_all(fields.order(&kind)?)?),
        },
    ))
}

impl<'a> ProctorFields<'a> {
    fn read(text: &'a str) -> Result<Self, Fault> {
        let no_object = || bad("The message is not a JSON object");
        if !text.trim_start().starts_with('{') {
            return Err(no_object());
        }
        serde_json::from_str(text).map_err(|_| no_object())
    }

    fn watch(&self) -> Result<ProctorFrame, Fault> {
        let room = match (self.grade, self.template_id, self.sitting_id) {
            (Some(grade), None, None) => {
                let grade = Grade::new(required("grade", Some(grade))?).ok_or_else(|| bad("grade must be 1 to 10"))?;
                RoomChoice::Key(RoomKey::Grade(grade))
            }
            (None, Some(template_id), None) => {
                let text: String = required("templateId", Some(template_id))?;
                RoomChoice::Key(RoomKey::Template(text.parse().map_err(|_| Fault::template_not_found())?))
            }
            (None, None, Some(sitting_id)) => {
                let text: String = required("sittingId", Some(sitting_id))?;
                let sitting_id = text.parse().map_err(|_| sitting_not_found())?;
                RoomChoice::Sitting { sitting_id, hall: optional("room", self.room)? }
            }
            _ => return Err(bad("A room is a grade, a templateId or a sittingId")),
        };
        let since: Option<u64> = optional("since", self.since)?;
        if since.is_some_and(|since| since > SEQ_MAX) {
            return Err(bad("since has the wrong type"));
        }
        let manner = Manner {
            differences: optional("differences", self.differences)?.unwrap_or(false),
            compressed: optional("compressed", self.compressed)?.unwrap_or(false),
        };
        Ok(ProctorFrame::Request(ProctorRequest::Watch { room, since, manner }))
    }

    fn view(&self) -> Result<ProctorFrame, Fault> {
        let rows: Option<Vec<u32>> = optional("rows", self.rows)?;
        if rows.as_ref().is_some_and(|rows| rows.len() > VIEW_ROWS_MAX) {
            return Err(bad("rows may name 500 rows at most"));
        }
        Ok(ProctorFrame::View(rows))
    }

    /// A string or a whole number, in one form, because a repeated command is recognised by it.
    fn id(&self) -> Result<Box<RawValue>, Fault> {
        let wrong = || bad("id must be a string of 1 to 64 characters or a whole number");
        let raw = self.id.ok_or_else(|| bad("id is missing"))?;
        if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
            return Some(text)
                .filter(|text| ID_CHARACTERS.contains(&text.chars().count()))
                .and_then(|text| to_raw_value(&text).ok())
                .ok_or_else(wrong);
        }
        serde_json::from_str::<i64>(raw.get()).ok().and_then(|number| to_raw_value(&number).ok()).ok_or_else(wrong)
    }

    fn asked(&self, kind: &str) -> Result<CommandKind, Fault> {
        if kind == "history" && self.session_id.is_none() && self.candidate_id.is_some() {
            let candidate_id = candidate(&required::<String>("candidateId", self.candidate_id)?)?;
            return Ok(CommandKind::History(HistorySubject::Candidate(candidate_id)));
        }
        if matches!(kind, "history" | "code") {
            let session_id = session(&required::<String>("sessionId", self.session_id)?)?;
            return Ok(match kind {
                "code" => CommandKind::Code(session_id),
                _ => CommandKind::History(HistorySubject::Session(session_id)),
            });
        }
        if let Some(order) = self.sitting_order(kind)? {
            return Ok(CommandKind::Sitting(order));
        }
        let order = self.order(kind)?;
        let session_id: String = required("sessionId", self.session_id)?;
        if session_id == EVERYONE {
            return Ok(CommandKind::Order(OrderTarget::All, for_all(order)?));
        }
        let target = OrderTarget::One(session(&session_id)?);
        Ok(CommandKind::Order(target, order))
    }

    /// `None` if it is no order for a sitting.
    fn sitting_order(&self, kind: &str) -> Result<Option<SittingOrder>, Fault> {
        let target = || {
            let text: String = required("candidateId", self.candidate_id)?;
            Ok::<_, Fault>(if text == EVERYONE {
                CandidateTarget::All
            } else {
                CandidateTarget::One(candidate(&text)?)
            })
        };
        Ok(Some(match kind {
            "begin" => SittingOrder::Begin,
            "present" => SittingOrder::Attend(Attendance::Present, target()?),
            "absent" => SittingOrder::Attend(Attendance::Absent, target()?),
            "admit" => SittingOrder::Admit(target()?),
            "incident" => {
                let candidate_id = optional::<String>("candidateId", self.candidate_id)?;
                let candidate_id = candidate_id.map(|text| candidate(&text)).transpose()?;
                let kind: String = required("kind", self.incident_kind)?;
                let text: String = required("text", self.text)?;
                SittingOrder::Incident(
                    IncidentNote::new(candidate_id, &kind, &text)
                        .ok_or_else(|| bad("kind must have 1 to 50 characters, and text 1 to 1,000"))?,
                )
            }
            _ => return Ok(None),
        }))
    }

    fn order(&self, kind: &str) -> Result<Order, Fault> {
        Ok(match kind {
            "extend" => {
                let minutes = required("minutes", self.minutes)?;
                Order::extend(minutes).ok_or_else(|| bad("minutes must be -120 to 120, and not 0"))?
            }
            "pause" => Order::pause(optional::<String>("text", self.text)?.as_deref())
                .ok_or_else(|| bad("text must have 1 to 200 characters"))?,
            "undo" => Order::Undo,
            "unpause" => Order::Unpause,
            "finish" => Order::Finish,
            ONLY_THIS_DEVICE => Order::OnlyThisDevice,
            "reopen" => {
                let force = optional("force", self.force)?.unwrap_or(false);
                Order::reopen(optional("minutes", self.minutes)?, force)
                    .ok_or_else(|| bad("minutes must be 1 to 120"))?
            }
            "notice" => Order::notice(&required::<String>("text", self.text)?)
                .ok_or_else(|| bad("text must have 1 to 500 characters"))?,
            _ => return Err(bad("The type is not known")),
        })
    }
}

/// An order that may be given to everyone in a room.
fn for_all(order: Order) -> Result<Order, Fault> {
    if order.is_for_all() { Ok(order) } else { Err(bad("This order is for one session")) }
}

fn session(text: &str) -> Result<Uuid, Fault> {
    text.parse().map_err(|_| unknown_session())
}

fn candidate(text: &str) -> Result<Uuid, Fault> {
    text.parse().map_err(|_| unknown_candidate())
}

pub(in crate::live) fn unknown_candidate() -> Fault {
    Fault::new(Code::UnknownCandidate, "The room has no such candidate")
}

pub(in crate::live) fn sitting_not_found() -> Fault {
    Fault::new(Code::SittingNotFound, "There is no such sitting, or no such room in it")
}

pub(in crate::live) fn unknown_session() -> Fault {
    Fault::new(Code::UnknownSession, "The room has no such session")
}

fn required<'a, T: Deserialize<'a>>(name: &str, raw: Option<&'a RawValue>) -> Result<T, Fault> {
    optional(name, raw)?.ok_or_else(|| bad(&format!("{name} is missing")))
}

fn optional<'a, T: Deserialize<'a>>(name: &str, raw: Option<&'a RawValue>) -> Result<Option<T>, Fault> {
    raw.map(|raw| serde_json::from_str(raw.get())).transpose().map_err(|_| bad(&format!("{name} has the wrong type")))
}

fn bad(error: &str) -> Fault {
    Fault::new(Code::BadMessage, error)
}

#[cfg(test)]
mod tests;
