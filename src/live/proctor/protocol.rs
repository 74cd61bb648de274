//! Parses frames from proctors into typed commands (`docs/live-protocol.md#watching-as-a-proctor`). The types of their
//! fields are checked here and nowhere else.

use domain::attempt::SEQ_MAX;
use domain::grade::Grade;
use domain::order::{Order, OrderTarget};
use domain::room::RoomKey;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use uuid::Uuid;

use crate::live::protocol::fault::{Code, Fault};

/// Bytes of one message, also in fragments. The longest, a notice of 500 characters, needs less than half of it even if
/// every character is escaped.
pub(in crate::live) const FRAME_BYTES_MAX: usize = 16 * 1_024;
/// Characters of a command's `id`: enough for a random one, and little to store.
const ID_CHARACTERS: std::ops::RangeInclusive<usize> = 1..=64;
/// The `sessionId` that means every session of the room.
const EVERY_SESSION: &str = "*";

#[derive(Debug)]
pub(in crate::live) enum ProctorFrame {
    Watch {
        key: RoomKey,
        /// The last `seq` that the caller has of the room.
        since: Option<u64>,
    },
    Command(NumberedCommand),
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
    /// A request for a session's history.
    History(Uuid),
    /// A request for a code by which the student of a session can go on elsewhere.
    Code(Uuid),
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
    since: Option<&'a RawValue>,
    #[serde(borrow)]
    session_id: Option<&'a RawValue>,
    #[serde(borrow)]
    minutes: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
}

/// Parses one frame. Fails with `bad_message`, `unknown_session` or `template_not_found`.
pub(in crate::live) fn parse(text: &str) -> Result<ProctorFrame, Refused> {
    let without_id = |fault| Refused { id: None, fault };
    let fields = ProctorFields::read(text).map_err(without_id)?;
    let kind: String = required("type", fields.kind).map_err(without_id)?;
    if kind == "watch" {
        return fields.watch().map_err(without_id);
    }
    if !matches!(kind.as_str(), "extend" | "pause" | "unpause" | "finish" | "notice" | "history" | "code") {
        return Err(without_id(bad("The type is not known")));
    }
    let id = fields.id().map_err(without_id)?;
    match fields.asked(&kind) {
        Ok(asked) => Ok(ProctorFrame::Command(NumberedCommand { id, asked })),
        Err(fault) => Err(Refused { id: Some(id), fault }),
    }
}

/// Parses an order that has come over HTTPS, where the address says for whom it is. Fails with `bad_message`.
pub(in crate::live) fn parse_order(text: &str) -> Result<(Box<RawValue>, Order), Fault> {
    let fields = ProctorFields::read(text)?;
    let kind: String = required("type", fields.kind)?;
    Ok((fields.id()?, fields.order(&kind)?))
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
        let key = match (self.grade, self.template_id) {
            (Some(grade), None) => {
                RoomKey::Grade(Grade::new(required("grade", Some(grade))?).ok_or_else(|| bad("grade must be 1 to 10"))?)
            }
            (None, Some(template_id)) => {
                let text: String = required("templateId", Some(template_id))?;
                RoomKey::Template(text.parse().map_err(|_| Fault::template_not_found())?)
            }
            _ => return Err(bad("A room is a grade or a templateId")),
        };
        let since: Option<u64> = optional("since", self.since)?;
        if since.is_some_and(|since| since > SEQ_MAX) {
            return Err(bad("since has the wrong type"));
        }
        Ok(ProctorFrame::Watch { key, since })
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
        if matches!(kind, "history" | "code") {
            let session_id = session(&required::<String>("sessionId", self.session_id)?)?;
            return Ok(if kind == "code" { CommandKind::Code(session_id) } else { CommandKind::History(session_id) });
        }
        let order = self.order(kind)?;
        let session_id: String = required("sessionId", self.session_id)?;
        let target =
            if session_id == EVERY_SESSION { OrderTarget::All } else { OrderTarget::One(session(&session_id)?) };
        Ok(CommandKind::Order(target, order))
    }

    fn order(&self, kind: &str) -> Result<Order, Fault> {
        Ok(match kind {
            "extend" => {
                Order::extend(required("minutes", self.minutes)?).ok_or_else(|| bad("minutes must be 1 to 120"))?
            }
            "pause" => Order::Pause,
            "unpause" => Order::Unpause,
            "finish" => Order::Finish,
            "notice" => Order::notice(&required::<String>("text", self.text)?)
                .ok_or_else(|| bad("text must have 1 to 500 characters"))?,
            _ => return Err(bad("The type is not known")),
        })
    }
}

fn session(text: &str) -> Result<Uuid, Fault> {
    text.parse().map_err(|_| unknown_session())
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
mod tests {
    use super::*;

    const SESSION: &str = "0b0e0000-0000-4000-8000-000000000001";

    fn command(text: &str) -> NumberedCommand {
        match parse(text) {
            Ok(ProctorFrame::Command(command)) => command,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn rooms_are_read() {
        assert!(
            matches!(parse(r#"{"type":"watch","grade":5}"#), Ok(ProctorFrame::Watch { key: RoomKey::Grade(grade), since: None }) if grade.number() == 5)
        );
        assert!(matches!(
            parse(r#"{"type":"watch","grade":5,"since":9}"#),
            Ok(ProctorFrame::Watch { since: Some(9), .. })
        ));
        let template = format!(r#"{{"templateId":"{SESSION}","type":"watch","since":null}}"#);
        assert!(matches!(parse(&template), Ok(ProctorFrame::Watch { key: RoomKey::Template(_), since: None })));
    }

    #[test]
    fn commands_are_read() {
        for (fields, expected) in [
            (r#""type":"extend","minutes":120"#, Order::Extend { minutes: 120 }),
            (r#""type":"pause""#, Order::Pause),
            (r#""type":"unpause""#, Order::Unpause),
            (r#""type":"finish""#, Order::Finish),
            (r#""type":"notice","text":"Hello\nthere""#, Order::Notice { text: "Hello\nthere".into() }),
        ] {
            for (session_id, target) in [(SESSION, OrderTarget::One(SESSION.parse().unwrap())), ("*", OrderTarget::All)]
            {
                let command = command(&format!(r#"{{{fields},"id":"a","sessionId":"{session_id}"}}"#));
                assert!(
                    matches!(command.asked, CommandKind::Order(found, order) if found == target && order == expected),
                    "{fields}"
                );
            }
        }
        assert!(matches!(
            command(&format!(r#"{{"type":"history","id":-7,"sessionId":"{SESSION}"}}"#)).asked,
            CommandKind::History(_)
        ));
    }

    #[test]
    fn an_order_by_https_needs_no_session() {
        let (id, order) = parse_order(r#"{"id":"a","type":"extend","minutes":5,"sessionId":7}"#).unwrap();
        assert_eq!((id.get(), order), ("\"a\"", Order::Extend { minutes: 5 }));
        for text in ["", "[]", "{}", r#"{"id":1}"#, r#"{"type":"pause"}"#, r#"{"id":1,"type":"history"}"#] {
            assert_eq!(parse_order(text).unwrap_err().code, Code::BadMessage, "{text}");
        }
    }

    #[test]
    fn an_id_has_one_form() {
        let id = |id: &str| command(&format!(r#"{{"type":"pause","sessionId":"*","id":{id}}}"#)).id.get().to_owned();
        assert_eq!((id("7"), id("\"7\"")), ("7".to_owned(), "\"7\"".to_owned()));
        assert_eq!(id("\"\\u0061\""), "\"a\"");
        assert_eq!(id("\"\\u0000\""), "\"\\u0000\"", "no NUL character reaches the store");
    }

    #[test]
    fn what_is_wrong_is_said_with_the_id() {
        for text in [
            "",
            "[]",
            "null",
            "{",
            r#"{"type":7}"#,
            r#"{"type":"dance","id":1}"#,
            r#"{"type":"watch"}"#,
            r#"{"type":"watch","grade":11}"#,
            r#"{"type":"watch","grade":"5"}"#,
            r#"{"type":"watch","grade":5.5}"#,
            r#"{"type":"watch","templateId":7}"#,
            r#"{"type":"watch","grade":5,"templateId":"x"}"#,
            r#"{"type":"watch","grade":5,"since":-1}"#,
            r#"{"type":"watch","grade":5,"since":9007199254740992}"#,
            r#"{"type":"pause","sessionId":"*"}"#,
            r#"{"type":"pause","sessionId":"*","id":""}"#,
            r#"{"type":"pause","sessionId":"*","id":1.5}"#,
            r#"{"type":"pause","sessionId":"*","id":null}"#,
        ] {
            let refused = parse(text).unwrap_err();
            assert!(refused.id.is_none() && refused.fault.code == Code::BadMessage, "{text}: {refused:?}");
        }
        for (fields, code) in [
            (r#""type":"pause""#, Code::BadMessage),
            (r#""type":"pause","sessionId":7"#, Code::BadMessage),
            (r#""type":"pause","sessionId":"me""#, Code::UnknownSession),
            (r#""type":"history","sessionId":"*""#, Code::UnknownSession),
            (r#""type":"code","sessionId":"*""#, Code::UnknownSession),
            (r#""type":"extend","sessionId":"*""#, Code::BadMessage),
            (r#""type":"extend","sessionId":"*","minutes":0"#, Code::BadMessage),
            (r#""type":"extend","sessionId":"*","minutes":121"#, Code::BadMessage),
            (r#""type":"extend","sessionId":"*","minutes":1.5"#, Code::BadMessage),
            (r#""type":"notice","sessionId":"*""#, Code::BadMessage),
            (r#""type":"notice","sessionId":"*","text":"""#, Code::BadMessage),
        ] {
            let refused = parse(&format!(r#"{{{fields},"id":"x"}}"#)).unwrap_err();
            assert_eq!(
                (refused.fault.code, refused.id.as_deref().map(RawValue::get)),
                (code, Some("\"x\"")),
                "{fields}"
            );
        }
        assert_eq!(parse(r#"{"type":"watch","templateId":"none"}"#).unwrap_err().fault.code, Code::TemplateNotFound);
    }
}
