//! The connection itself: what is no message, what is refused, and what closes.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::{closed, next, socket, test_of};
use crate::hall::{Hall, Heard};

#[tokio::test]
async fn what_is_no_message_is_said_so() {
    let hall = Hall::open().await;
    let mut socket = socket(&hall, &hall.token("admin").await).await;
    for text in [
        "",
        "{",
        "[]",
        "{\"type\":\"start\",\"grade\":5}",
        "{\"type\":\"watch\",\"grade\":0}",
        "{\"type\":\"pause\",\"sessionId\":\"*\"}",
    ] {
        socket.send_text(text).await;
        socket.expect_error("bad_message").await;
    }
    socket.send_message(Message::binary(b"{}".to_vec())).await;
    socket.expect_error("bad_message").await;
    socket.send(&json!({ "type": "watch", "grade": 5 })).await;
    next(&mut socket, "roster").await;
    for _ in 0..3 {
        socket.send_text("nonsense").await;
    }
    assert_eq!(closed(&mut socket).await, Some(4400), "the tenth in a minute");
}

#[tokio::test]
async fn commands_need_a_room_and_one_of_its_sessions() {
    let hall = Hall::open().await;
    let sixth = hall.sit(json!({ "grade": 6 })).await;
    let mut socket = socket(&hall, &hall.token("admin").await).await;
    socket.send(&json!({ "type": "pause", "id": "a", "sessionId": "*" })).await;
    let error = next(&mut socket, "error").await;
    assert_eq!((&error["code"], &error["id"]), (&json!("not_watching"), &json!("a")));
    socket.send(&json!({ "type": "watch", "grade": 5 })).await;
    next(&mut socket, "roster").await;
    for (number, kind) in ["pause", "history"].into_iter().enumerate() {
        for session_id in [sixth.session_id.as_str(), "00000000-0000-4000-8000-000000000000", "none"] {
            socket.send(&json!({ "type": kind, "id": number, "sessionId": session_id })).await;
            let error = next(&mut socket, "error").await;
            assert_eq!(
                (&error["code"], &error["id"]),
                (&json!("unknown_session"), &json!(number)),
                "{kind} {session_id}"
            );
        }
    }
}

#[tokio::test]
async fn an_id_comes_back_as_it_was() {
    let hall = Hall::open().await;
    let ada = hall.sit(test_of("Ada")).await;
    let mut socket = socket(&hall, &hall.token("admin").await).await;
    socket.send(&json!({ "type": "watch", "grade": 5 })).await;
    next(&mut socket, "roster").await;
    for id in [json!(7), json!("7"), json!("½ 🦀 \u{0}\"")] {
        socket.send(&json!({ "type": "notice", "id": id, "sessionId": ada.session_id, "text": "Hello" })).await;
        let done = next(&mut socket, "done").await;
        assert_eq!((&done["id"], &done["count"]), (&id, &json!(1)));
    }
}

#[tokio::test]
async fn too_many_messages_are_refused_and_not_lost_count_of() {
    let hall = Hall::open().await;
    let ada = hall.sit(test_of("Ada")).await;
    let mut socket = socket(&hall, &hall.token("admin").await).await;
    socket.send(&json!({ "type": "watch", "grade": 5 })).await;
    next(&mut socket, "roster").await;
    for id in 0..100 {
        socket.send(&json!({ "type": "history", "id": id, "sessionId": ada.session_id })).await;
    }
    let (mut answered, mut refused) = (0, 0);
    while answered + refused < 100 {
        match socket.hear().await {
            Heard::Frame(frame) if frame["type"] == "history" => answered += 1,
            Heard::Frame(frame) if frame["code"] == "rate_limited" => refused += 1,
            Heard::Frame(frame) if frame["type"] == "changes" => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(answered > 0 && refused > 0, "{answered} answered, {refused} refused");
}

#[tokio::test]
async fn frames_have_a_limit_and_may_come_in_pieces() {
    let hall = Hall::open().await;
    let mut socket = socket(&hall, &hall.token("admin").await).await;
    let text = json!({ "type": "watch", "grade": 5 }).to_string();
    for (place, byte) in text.bytes().enumerate() {
        let opcode = if place == 0 { Data::Text } else { Data::Continue };
        socket.send_raw(Frame::message(vec![byte], OpCode::Data(opcode), place + 1 == text.len())).await;
    }
    next(&mut socket, "roster").await;
    socket.send_text(&" ".repeat(16 * 1024 + 1)).await;
    assert_eq!(closed(&mut socket).await, Some(1009));
}
