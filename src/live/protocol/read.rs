//! Parses frames from students into typed messages (`docs/live-protocol.md`). The types of their fields are checked in
//! `fields`, and nowhere else.

use domain::attempt::Troubles;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::fault::Fault;
use super::student_frame::{Enter, Start, StudentCommand, StudentFrame, StudentRequest};
use crate::live::protocol::fields::{StudentFields, bad};

/// Bytes of one message, also in fragments: the largest drawing with room to spare.
pub const FRAME_BYTES_MAX: usize = 256 * 1_024;
/// Commands of one HTTPS request, below the 250 that a seat accepts in one burst.
pub const COMMANDS_MAX: usize = 200;

/// Parses one frame. Fails with `bad_message`, or the codes of the fields of a `start` or a command.
pub fn parse(text: &str) -> Result<StudentFrame, Fault> {
    let fields = StudentFields::read(text)?;
    match fields.kind()?.as_str() {
        "start" => fields.start().map(|start| StudentFrame::Start(Box::new(start))),
        "enter" => fields.enter().map(|enter| StudentFrame::Enter(Box::new(enter))),
        "resume" => fields.resume(),
        "sync" => fields.sync(),
        "receipt" => Ok(StudentFrame::Receipt),
        "trouble" => Ok(StudentFrame::Trouble(fields.required("trouble", fields.trouble)?)),
        "focus" => Ok(StudentFrame::Focus { away: fields.required("away", fields.away)? }),
        kind => fields.command(kind).map(StudentFrame::Command),
    }
}

/// What the body of `POST /api/live` asks for.
#[derive(Debug)]
pub enum StartOrEnter {
    Start(Box<Start>),
    Enter(Box<Enter>),
}

/// Parses the body of `POST /api/live`: `"type":"enter"`, or a start with or without its type.
pub fn parse_start_or_enter(text: &str) -> Result<StartOrEnter, Fault> {
    let fields = StudentFields::read(text)?;
    let kind = fields.kind.map(|_| fields.kind()).transpose()?;
    match kind.as_deref() {
        Some("enter") => fields.enter().map(|enter| StartOrEnter::Enter(Box::new(enter))),
        Some("start") | None => fields.start().map(|start| StartOrEnter::Start(Box::new(start))),
        Some(_) => Err(bad("The type must be start or enter")),
    }
}

/// Parses the body of `POST /api/live/{sessionId}/commands`. Fails with `bad_message` if the body is not
/// `{ "commands": [ … ] }` with 1 to 200 entries; there may be none beside `trouble`.
pub fn parse_commands(text: &str) -> Result<StudentRequest, Fault> {
    #[derive(Deserialize)]
    struct Commands<'a> {
        #[serde(borrow)]
        commands: Vec<&'a RawValue>,
        #[serde(borrow)]
        trouble: Option<&'a RawValue>,
    }
    let is_object = text.trim_start().starts_with('{');
    let parsed = serde_json::from_str(text).ok().filter(|_| is_object);
    let Commands { commands, trouble } = parsed.ok_or_else(|| bad("The body must be { \"commands\": [ … ] }"))?;
    let troubles: Option<Troubles> = trouble
        .map(|raw| serde_json::from_str(raw.get()))
        .transpose()
        .map_err(|_| bad("trouble must be a list of texts"))?;
    if (commands.is_empty() && troubles.is_none()) || commands.len() > COMMANDS_MAX {
        return Err(bad("There must be 1 to 200 commands"));
    }
    let commands = commands.iter().map(|raw| parse_command(raw.get())).collect();
    Ok(StudentRequest { commands, troubles })
}

/// Parses a command by itself, as in a request or in a file.
pub fn parse_command(text: &str) -> Result<StudentCommand, Fault> {
    let fields = StudentFields::read(text)?;
    fields.command(&fields.kind()?)
}

#[cfg(test)]
mod tests {
    use domain::attempt::AnswerChange;

    use super::*;
    use crate::live::protocol::fault::Code;
    use crate::live::protocol::student_frame::{Action, Test};
    use domain::session::DRAWING_BYTES_MAX;

    fn code(text: &str) -> Code {
        parse(text).unwrap_err().code
    }

    #[test]
    fn commands_are_read() {
        let StudentFrame::Command(command) =
            parse(r#"{"type":"answer","seq":7,"questionId":"g5-001","selected":null,"timeTaken":4,"more":[1]}"#)
                .unwrap()
        else {
            panic!()
        };
        assert_eq!((command.seq, command.line, command.at), (7, 0, None));
        let Action::Change { change, .. } = command.action else { panic!() };
        assert_eq!(change, AnswerChange::Choice { selected: None, time_taken: Some(4) });
        assert!(matches!(
            parse(r#"{"seq":1,"type":"next"}"#),
            Ok(StudentFrame::Command(StudentCommand { seq: 1, line: 0, at: None, action: Action::Next }))
        ));
        assert!(matches!(parse(r#"{"type":"sync","t":-1.5}"#), Ok(StudentFrame::Sync(t)) if &*t == "-1.5"));
    }

    #[test]
    fn wrong_types_are_bad_messages_with_their_number() {
        for text in [
            "",
            "[]",
            "null",
            "7",
            "{",
            r#"{"type":7}"#,
            r#"{"seq":1}"#,
            r#"{"type":"dance","seq":1}"#,
            r#"{"type":"next"}"#,
            r#"{"type":"next","seq":0}"#,
            r#"{"type":"next","seq":-1}"#,
            r#"{"type":"next","seq":1.5}"#,
            r#"{"type":"next","seq":"1"}"#,
            r#"{"type":"next","seq":9007199254740992}"#,
            r#"{"type":"sync"}"#,
            r#"{"type":"sync","t":"1"}"#,
            r#"{"type":"focus","away":1}"#,
            r#"{"type":"trouble"}"#,
            r#"{"type":"trouble","trouble":["clock",7]}"#,
            r#"{"type":"resume","sessionId":7,"token":"x"}"#,
            r#"{"type":"start","grade":"5"}"#,
            r#"{"type":"start","grade":5,"annotations":[]}"#,
            r#"{"type":"start","grade":5,"key":"short"}"#,
            r#"{"type":"start","grade":5,"shuffleOptions":"yes"}"#,
            r#"{"type":"start","grade":5,"shuffleOptions":1}"#,
            r#"{"type":"start","grade":5,"baseUrl":"javascript:alert(1)"}"#,
        ] {
            assert_eq!(code(text), Code::BadMessage, "{text}");
        }
        for text in [
            r#"{"type":"answer","seq":3,"questionId":"q"}"#,
            r#"{"type":"answer","seq":3,"questionId":"q","selected":1}"#,
            r#"{"type":"answer","seq":3,"questionId":"q","selected":"A","timeTaken":-1}"#,
            r#"{"type":"mark","seq":3,"questionId":"q","marked":"yes"}"#,
            r#"{"type":"eliminate","seq":3,"questionId":"q"}"#,
            r#"{"type":"eliminate","seq":3,"questionId":"q","eliminated":null}"#,
            r#"{"type":"eliminate","seq":3,"questionId":"q","eliminated":"A"}"#,
            r#"{"type":"eliminate","seq":3,"questionId":"q","eliminated":[1]}"#,
            r#"{"type":"drawing","seq":3,"questionId":"q","drawing":[]}"#,
            r#"{"type":"drawing","seq":3,"questionId":"q"}"#,
            r#"{"type":"visit","seq":3,"line":"1","questionId":"q"}"#,
            r#"{"type":"visit","seq":3,"line":-1,"questionId":"q"}"#,
            r#"{"type":"visit","seq":3,"line":1001,"questionId":"q"}"#,
            r#"{"type":"next","seq":3,"line":70000}"#,
            r#"{"type":"visit","seq":3,"at":"yesterday","questionId":"q"}"#,
            r#"{"type":"visit","seq":3,"at":1767603600000,"questionId":"q"}"#,
        ] {
            let fault = parse(text).unwrap_err();
            assert_eq!((fault.code, fault.seq), (Code::BadMessage, Some(3)), "{text}");
        }
        for selected in ["", " ", "1\\u0007", &"1".repeat(33)] {
            let text = format!(r#"{{"type":"answer","seq":3,"questionId":"q","selected":"{selected}"}}"#);
            assert_eq!(code(&text), Code::InvalidAnswer, "{selected:?}");
        }
        for list in [r#"["E"]"#, r#"["a"]"#, r#"["B","A"]"#, r#"["A","A"]"#] {
            let text = format!(r#"{{"type":"eliminate","seq":3,"questionId":"q","eliminated":{list}}}"#);
            assert_eq!(code(&text), Code::InvalidAnswer, "{list}");
        }
        let large = format!(
            r#"{{"type":"drawing","seq":3,"questionId":"q","drawing":{{"p":"{}"}}}}"#,
            "x".repeat(DRAWING_BYTES_MAX)
        );
        assert_eq!(code(&large), Code::TooLarge);
    }

    #[test]
    fn a_start_names_what_is_wrong() {
        for grade in ["0", "11", "5.5", "-1", "1e99", "null"] {
            assert_eq!(code(&format!(r#"{{"type":"start","grade":{grade}}}"#)), Code::InvalidGrade, "{grade}");
        }
        assert_eq!(code(r#"{"type":"start","grade":5,"mode":"fast"}"#), Code::InvalidTest);
        assert_eq!(code(r#"{"type":"start","grade":5,"durationMinutes":30.5}"#), Code::InvalidTest);
        assert!(
            matches!(
                parse(r#"{"type":"start","grade":5,"mode":"adaptive","durationMinutes":"x"}"#),
                Ok(StudentFrame::Start(_))
            ),
            "ignored there"
        );
        assert_eq!(code(r#"{"type":"resume","sessionId":"none","token":"x"}"#), Code::UnknownSession);
    }

    #[test]
    fn a_start_may_shuffle_options() {
        for (field, expected) in [
            ("", false),
            (r#","shuffleOptions":null"#, false),
            (r#","shuffleOptions":false"#, false),
            (r#","shuffleOptions":true"#, true),
            (r#","shuffleOptions":true,"mode":"adaptive""#, true),
        ] {
            let Ok(StudentFrame::Start(start)) = parse(&format!(r#"{{"type":"start","grade":5{field}}}"#)) else {
                panic!("{field}")
            };
            assert!(
                matches!(start.test, Test::OfGrade { shuffle_options, .. } if shuffle_options == expected),
                "{field}"
            );
        }
    }

    #[test]
    fn a_request_has_one_to_two_hundred_commands() {
        let body =
            |count: usize| format!(r#"{{"commands":[{}]}}"#, vec![r#"{"type":"next","seq":1}"#; count].join(","));
        assert!(
            parse_commands(&body(0)).is_err() && parse_commands(&body(201)).is_err() && parse_commands("{}").is_err()
        );
        let report = parse_commands(r#"{"commands":[],"trouble":["clock"]}"#).unwrap();
        assert_eq!((report.commands.len(), report.troubles), (0, Some(Troubles::of_names(["clock"]))));
        assert!(parse_commands(r#"{"commands":[],"trouble":"clock"}"#).is_err());
        assert_eq!(parse_commands(&body(200)).unwrap().commands.len(), 200);
        assert!(parse_commands(r#"{"commands":[7]}"#).unwrap().commands[0].is_err());
    }
}
