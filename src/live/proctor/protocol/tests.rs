//! Tests of what is read from proctors' frames, and what is refused.

use super::*;

const SESSION: &str = "0b0e0000-0000-4000-8000-000000000001";

fn command(text: &str) -> NumberedCommand {
    match parse(text) {
        Ok(ProctorFrame::Request(ProctorRequest::Command(command))) => command,
        other => panic!("{text}: {other:?}"),
    }
}

/// The room, the position and the manner of a `watch`.
fn watch(fields: &str) -> (RoomChoice, Option<u64>, Manner) {
    match parse(&format!(r#"{{"type":"watch",{fields}}}"#)) {
        Ok(ProctorFrame::Request(ProctorRequest::Watch { room, since, manner })) => (room, since, manner),
        other => panic!("{fields}: {other:?}"),
    }
}

#[test]
fn rooms_are_read() {
    let grade = RoomChoice::Key(RoomKey::Grade(Grade::new(5).unwrap()));
    assert_eq!(watch(r#""grade":5"#), (grade.clone(), None, Manner::default()));
    assert_eq!(watch(r#""grade":5,"since":9"#), (grade.clone(), Some(9), Manner::default()));
    let template = RoomChoice::Key(RoomKey::Template(SESSION.parse().unwrap()));
    assert_eq!(watch(&format!(r#""templateId":"{SESSION}","since":null"#)), (template, None, Manner::default()));
    for (fields, hall) in [("", None), (r#","room":"B12""#, Some("B12".to_owned()))] {
        let room = RoomChoice::Sitting { sitting_id: SESSION.parse().unwrap(), hall };
        assert_eq!(watch(&format!(r#""sittingId":"{SESSION}"{fields}"#)), (room, None, Manner::default()));
    }
    let manner = Manner { differences: true, compressed: true };
    assert_eq!(watch(r#""grade":5,"differences":true,"compressed":true"#), (grade, None, manner));
}

#[test]
fn views_are_read() {
    let view = |fields: &str| parse(&format!(r#"{{"type":"view"{fields}}}"#));
    assert!(matches!(view(""), Ok(ProctorFrame::View(None))));
    assert!(matches!(view(r#","rows":[3,0]"#), Ok(ProctorFrame::View(Some(rows))) if rows == [3, 0]));
    let rows = |count: usize| format!(r#","rows":{:?}"#, vec![7; count]);
    assert!(matches!(view(&rows(VIEW_ROWS_MAX)), Ok(ProctorFrame::View(Some(_)))));
    for fields in [rows(VIEW_ROWS_MAX + 1).as_str(), r#","rows":[-1]"#, r#","rows":"all""#, r#","rows":[1.5]"#] {
        assert_eq!(view(fields).unwrap_err().fault.code, Code::BadMessage, "{fields}");
    }
}

#[test]
fn commands_are_read() {
    for (fields, expected) in [
        (r#""type":"extend","minutes":120"#, Order::Extend { minutes: 120 }),
        (r#""type":"pause""#, Order::Pause { text: None }),
        (r#""type":"unpause""#, Order::Unpause),
        (r#""type":"finish""#, Order::Finish),
        (r#""type":"notice","text":"Hello\nthere""#, Order::Notice { text: "Hello\nthere".into() }),
    ] {
        for (session_id, target) in [(SESSION, OrderTarget::One(SESSION.parse().unwrap())), ("*", OrderTarget::All)] {
            let command = command(&format!(r#"{{{fields},"id":"a","sessionId":"{session_id}"}}"#));
            assert!(
                matches!(command.asked, CommandKind::Order(found, order) if found == target && order == expected),
                "{fields}"
            );
        }
    }
    let this_device =
        |session_id: &str| format!(r#"{{"type":"only_this_device","id":"a","sessionId":"{session_id}"}}"#);
    assert!(matches!(
        command(&this_device(SESSION)).asked,
        CommandKind::Order(OrderTarget::One(_), Order::OnlyThisDevice)
    ));
    assert_eq!(parse(&this_device("*")).unwrap_err().fault.code, Code::BadMessage, "nobody's devices are everyone's");
    assert!(parse_room_order(&this_device(SESSION)).is_err());
    assert!(matches!(
        command(&format!(r#"{{"type":"history","id":-7,"sessionId":"{SESSION}"}}"#)).asked,
        CommandKind::History(HistorySubject::Session(_))
    ));
}

#[test]
fn a_reopening_is_for_one_session() {
    let reopen = |fields: &str, session_id: &str| {
        parse(&format!(r#"{{"type":"reopen","id":"a","sessionId":"{session_id}"{fields}}}"#))
    };
    for (fields, minutes, force) in [
        ("", None, false),
        (r#","minutes":null,"force":null"#, None, false),
        (r#","minutes":120,"force":true"#, Some(120), true),
    ] {
        let Ok(ProctorFrame::Request(ProctorRequest::Command(command))) = reopen(fields, SESSION) else {
            panic!("{fields}");
        };
        assert!(
            matches!(command.asked, CommandKind::Order(OrderTarget::One(_), order) if order == Order::Reopen { minutes, force }),
            "{fields}"
        );
    }
    for fields in [r#","minutes":0"#, r#","minutes":121"#, r#","minutes":-5"#, r#","minutes":"5""#, r#","force":1"#] {
        assert_eq!(reopen(fields, SESSION).unwrap_err().fault.code, Code::BadMessage, "{fields}");
    }
    assert_eq!(reopen("", "*").unwrap_err().fault.code, Code::BadMessage, "an exam goes on for one student at a time");
    assert!(parse_room_order(r#"{"type":"reopen","id":"a"}"#).is_err());
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
        r#"{"type":"watch","grade":5,"sittingId":"x"}"#,
        r#"{"type":"watch","room":"B12"}"#,
        r#"{"type":"begin"}"#,
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
        (r#""type":"present""#, Code::BadMessage),
        (r#""type":"present","candidateId":"me""#, Code::UnknownCandidate),
        (r#""type":"incident","candidateId":"*","kind":"device","text":"x""#, Code::UnknownCandidate),
        (r#""type":"incident","kind":"device""#, Code::BadMessage),
        (r#""type":"incident","kind":"","text":"x""#, Code::BadMessage),
        (r#""type":"notice","sessionId":"*""#, Code::BadMessage),
        (r#""type":"notice","sessionId":"*","text":"""#, Code::BadMessage),
    ] {
        let refused = parse(&format!(r#"{{{fields},"id":"x"}}"#)).unwrap_err();
        assert_eq!((refused.fault.code, refused.id.as_deref().map(RawValue::get)), (code, Some("\"x\"")), "{fields}");
    }
    assert_eq!(parse(r#"{"type":"watch","templateId":"none"}"#).unwrap_err().fault.code, Code::TemplateNotFound);
}
