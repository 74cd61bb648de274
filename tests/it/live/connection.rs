//! The connection itself: origin, subprotocol, gate, fragments, bad messages and frames that are too large.

use reqwest::Method;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::short_test;
use crate::hall::{Answer, Hall, Heard, LiveSocket};

const FRAME_BYTES_MAX: usize = 256 * 1024;

/// What the server answers to an upgrade request with one more header.
async fn upgrade(hall: &Hall, name: &str, value: &str) -> reqwest::Response {
    let request = hall
        .anonymous()
        .request(Method::GET, "/api/live")
        .header("connection", "Upgrade")
        .header("upgrade", "websocket");
    let request = request
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
        .header(name, value);
    request.send().await.unwrap()
}

#[tokio::test]
async fn the_origin_must_be_ours() {
    let hall = Hall::with(&[("ALLOWED_ORIGINS", "https://school.example,http://127.0.0.1:5173")]).await;
    for origin in ["http://exam.localhost", "https://school.example", "http://127.0.0.1:5173"] {
        assert_eq!(upgrade(&hall, "origin", origin).await.status(), 101, "{origin}");
    }
    let foreign = [
        "http://evil.example",
        "https://exam.localhost",
        "http://exam.localhost:8080",
        "http://exam.localhost.evil.example",
        "http://evilexam.test",
        "null",
        "",
        "exam.test",
        "http://exam.localhost/",
        "https://school.example:444",
        "http://exam.localhost, http://evil.example",
    ];
    for origin in foreign {
        let response = upgrade(&hall, "origin", origin).await;
        assert_eq!(response.status(), 403, "{origin}");
        let body: serde_json::Value = response.json().await.unwrap();
        assert_eq!(body, serde_json::json!({ "error": "Origin not allowed", "code": "forbidden" }), "{origin}");
    }
}

/// Sends a handshake with one more header, and these bytes behind it in the same packet. Returns what comes until the
/// server ends the connection, or until `enough` has come.
async fn shake_hands(hall: &Hall, header: &str, behind: &[u8], enough: &[u8]) -> Vec<u8> {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = hall.base().trim_start_matches("http://").to_owned();
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "GET /api/live HTTP/1.1\r\nhost: {address}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{header}\r\n"
    );
    stream.write_all(&[head.as_bytes(), behind].concat()).await.unwrap();
    let mut heard = Vec::new();
    let reading = async { while !heard.ends_with(enough) && stream.read_buf(&mut heard).await.unwrap() > 0 {} };
    tokio::time::timeout(std::time::Duration::from_secs(20), reading).await.expect("the server says no more");
    heard
}

#[tokio::test]
async fn a_frame_that_comes_with_the_handshake_is_answered() {
    let hall = Hall::open().await;
    let (ping, pong) = ([0x89, 0x82, 0, 0, 0, 0, b'h', b'i'], [0x8a, 2, b'h', b'i']);
    let heard = shake_hands(&hall, "", &ping, &pong).await;
    assert!(heard.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&heard));
    assert!(heard.ends_with(&pong), "{heard:?}");
}

#[tokio::test]
async fn a_refused_handshake_has_its_whole_answer_and_ends_the_connection() {
    let hall = Hall::open().await;
    let refused = shake_hands(&hall, "origin: http://evil.example\r\n", b"", b"never").await;
    let refused = String::from_utf8(refused).unwrap().to_lowercase();
    let (head, body) = refused.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("http/1.1 403 ") && head.contains("connection: close"), "{head}");
    assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
    assert!(body.contains("origin not allowed"), "{body}");
}

#[tokio::test]
async fn a_program_without_an_origin_may_connect() {
    let hall = Hall::open().await;
    hall.sit(short_test()).await;
}

#[tokio::test]
async fn the_subprotocol_is_negotiated_when_it_is_offered() {
    let hall = Hall::open().await;
    for (offer, chosen) in [
        ("examhall.live.v1", Some("examhall.live.v1")),
        ("other, examhall.live.v1", Some("examhall.live.v1")),
        ("other", None),
    ] {
        let response = upgrade(&hall, "sec-websocket-protocol", offer).await;
        assert_eq!(response.status(), 101, "{offer}");
        assert_eq!(
            response.headers().get("sec-websocket-protocol").map(|value| value.to_str().unwrap()),
            chosen,
            "{offer}"
        );
    }
    let response = upgrade(&hall, "x-nothing", "1").await;
    assert!(!response.headers().contains_key("sec-websocket-protocol"));
}

#[tokio::test]
async fn a_plain_request_is_no_upgrade() {
    let hall = Hall::open().await;
    let answer = hall.anonymous().get("/api/live").await;
    assert!((400..500).contains(&answer.status), "{}", answer.status);
    answer.assert_some_error(answer.status);
}

#[tokio::test]
async fn the_gate_asks_for_a_sign_in() {
    let hall = Hall::with(&[("TEST_GATE", "sign-in")]).await;
    let forged = "Bearer forged".to_owned();
    for headers in [vec![], vec![("authorization", forged.as_str())]] {
        let mut socket = LiveSocket::connect(&hall.base(), &headers).await.unwrap();
        socket.send(&json!({ "type": "start", "grade": 5 })).await;
        socket.expect_error("sign_in_required").await;
        socket.expect_close(4401).await;
    }
    hall.anonymous().post_json("/api/live", &json!({ "grade": 5 })).await.assert_some_error(401);
}

#[tokio::test]
async fn the_gate_opens_for_a_student() {
    let hall = Hall::with(&[("TEST_GATE", "sign-in")]).await;
    let authorization = format!("Bearer {}", hall.token("student").await);
    let mut socket = LiveSocket::connect(&hall.base(), &[("authorization", &authorization)]).await.unwrap();
    socket.send(&json!({ "type": "start", "grade": 5 })).await;
    let started = socket.expect("started").await;
    // The session's token is enough to resume.
    let mut resuming = hall.socket().await;
    resuming.send(&json!({ "type": "resume", "sessionId": started["sessionId"], "token": started["token"] })).await;
    resuming.expect("resumed").await;
    let posted = hall.signed_in("student").await.post_json("/api/live", &json!({ "grade": 5 })).await;
    assert_eq!((posted.status, &posted.json()["type"]), (200, &json!("started")));
}

#[tokio::test]
async fn what_is_no_message_is_said_so() {
    let hall = Hall::open().await;
    let bad = [
        "",
        "{",
        "null",
        "[]",
        "7",
        "\"start\"",
        "{}",
        "{\"type\":7}",
        "{\"type\":\"nothing\"}",
        "{\"type\":\"start\",}",
        "{\"type\":null}",
        "{\"TYPE\":\"start\"}",
        "{\"type\":\"Start\",\"grade\":5}",
    ];
    for chunk in bad.chunks(8) {
        let mut socket = hall.socket().await;
        for text in chunk {
            socket.send_text(text).await;
            let error = socket.expect("error").await;
            assert_eq!(error["code"], "bad_message", "{text}");
        }
        socket.send(&json!({ "type": "start", "grade": 5 })).await;
        socket.expect("started").await;
    }
}

#[tokio::test]
async fn deep_messages_are_bad_messages() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    for depth in [40, 5_000, 100_000] {
        let drawing = format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        candidate
            .socket()
            .send_text(&format!(
                "{{\"type\":\"drawing\",\"seq\":1,\"questionId\":\"{question}\",\"drawing\":{drawing}}}"
            ))
            .await;
        assert_eq!(candidate.socket().expect("error").await["type"], "error", "{depth}");
    }
    assert_eq!(candidate.state().await["drawings"], json!({}));
}

#[tokio::test]
async fn binary_frames_are_bad_messages() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    candidate.socket().send_message(Message::binary(b"{\"type\":\"sync\",\"t\":1}".to_vec())).await;
    candidate.socket().expect_error("bad_message").await;
    candidate.socket().sync().await;
}

#[tokio::test]
async fn the_tenth_bad_message_in_a_minute_closes() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    for _ in 0..9 {
        candidate.socket().send_text("nonsense").await;
        candidate.socket().expect_error("bad_message").await;
    }
    candidate.socket().sync().await;
    candidate.socket().send_text("nonsense").await;
    candidate.socket().expect_error("bad_message").await;
    candidate.socket().expect_close(4400).await;
    assert_eq!(candidate.resume().await["state"], "active");
}

/// A `sync` of exactly so many bytes.
fn padded_sync(bytes: usize) -> String {
    let head = "{\"type\":\"sync\",\"t\":1";
    format!("{head}{}}}", " ".repeat(bytes - head.len() - 1))
}

#[tokio::test]
async fn a_frame_may_be_256_kib_and_no_more() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    candidate.socket().send_text(&padded_sync(FRAME_BYTES_MAX)).await;
    candidate.socket().expect_time(&json!(1)).await;
    for bytes in [FRAME_BYTES_MAX + 1, 257 * 1024, 3 * 1024 * 1024] {
        candidate.socket().send_text(&padded_sync(bytes)).await;
        candidate.socket().expect_close(1009).await;
        assert_eq!(candidate.resume().await["state"], "active", "the session lives on");
    }
}

fn text_frame(text: &str, first: bool, last: bool) -> Frame {
    let opcode = if first { Data::Text } else { Data::Continue };
    Frame::message(text.as_bytes().to_vec(), OpCode::Data(opcode), last)
}

#[tokio::test]
async fn fragments_are_assembled() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let text = json!({ "type": "drawing", "seq": 1, "questionId": question, "drawing": { "text": "½🦀" } }).to_string();
    let bytes = text.as_bytes();
    // Byte by byte, through the middle of characters, with pings in between and an empty end.
    for (place, byte) in bytes.iter().enumerate() {
        let opcode = if place == 0 { Data::Text } else { Data::Continue };
        candidate.socket().send_raw(Frame::message(vec![*byte], OpCode::Data(opcode), false)).await;
        if place % 40 == 0 {
            candidate.socket().send_raw(Frame::ping(vec![1])).await;
        }
    }
    candidate.socket().send_raw(text_frame("", false, true)).await;
    candidate.socket().expect_saved(1).await;
    assert_eq!(candidate.state().await["drawings"][&question], json!({ "text": "½🦀" }));
}

#[tokio::test]
async fn fragments_together_may_not_be_too_large() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let piece = " ".repeat(64 * 1024);
    candidate.socket().send_raw(text_frame(&piece, true, false)).await;
    for _ in 0..4 {
        candidate.socket().send_raw(text_frame(&piece, false, false)).await;
    }
    candidate.socket().expect_close(1009).await;
    candidate.resume().await;
}

#[tokio::test]
async fn broken_framing_closes_that_socket_alone() {
    let hall = Hall::open().await;
    let mut other = hall.sit(short_test()).await;
    let broken = [
        vec![text_frame("x", false, true)],
        vec![text_frame("{", true, false), text_frame("{", true, true)],
        vec![Frame::message(vec![b'"', 0xff, 0xfe, b'"'], OpCode::Data(Data::Text), true)],
    ];
    for frames in broken {
        let mut socket = hall.socket().await;
        for frame in frames {
            socket.send_raw(frame).await;
        }
        let heard = socket.hear().await;
        assert!(matches!(heard, Heard::Closed(Some(1002 | 1007) | None)), "{heard:?}");
        other.socket().sync().await;
    }
}

#[tokio::test]
async fn pings_are_answered() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    candidate.socket().send_message(Message::Ping(b"are you there".to_vec().into())).await;
    candidate.socket().expect_pong(b"are you there").await;
}

#[tokio::test]
async fn a_client_that_says_goodbye_gets_one_back() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    candidate.socket().send_message(Message::Close(None)).await;
    let heard = candidate.socket().hear().await;
    assert!(matches!(heard, Heard::Closed(_)), "{heard:?}");
    assert_eq!(candidate.resume().await["state"], "active");
}

#[tokio::test]
async fn answers_about_a_live_session_are_private() {
    let hall = Hall::open().await;
    let candidate = hall.sit(short_test()).await;
    let started = hall.anonymous().post_json("/api/live", &short_test()).await;
    let state = candidate.caller().get(&format!("/api/live/{}", candidate.session_id)).await;
    for answer in [&started, &state] as [&Answer; 2] {
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}
