//! Limits per address, behind a proxy that names its clients: whoever misbehaves costs others at the address nothing.

use reqwest::Method;
use serde_json::{Value, json};

use super::bodies::session;
use crate::hall::{Answer, Candidate, Hall};

/// The students of a school share this address.
const SCHOOL: &str = "203.0.113.1";
const ELSEWHERE: &str = "198.51.100.7";
/// So few that a test reaches them.
const LIMITS: [(&str, &str); 2] = [("STARTS_PER_ADDRESS", "1"), ("STARTS_PER_ADDRESS_BURST", "5")];
const TRUSTED: (&str, &str) = ("TRUSTED_PROXIES", "127.0.0.1");
const FLOOD: usize = 40;

async fn post(hall: &Hall, address: &str, path: &str, body: &str) -> Answer {
    let request = hall.anonymous().request(Method::POST, path).header("x-forwarded-for", address);
    Answer::to(request.header("content-type", "application/json").body(body.to_owned())).await
}

/// Sends so many at once that the limit is reached; returns how many were not told that they are too many.
async fn flood(hall: &Hall, address: &str, path: &str, body: &str) -> usize {
    let answers = futures_util::future::join_all((0..FLOOD).map(|_| post(hall, address, path, body))).await;
    for answer in answers.iter().filter(|answer| answer.status == 429) {
        assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1);
    }
    answers.iter().filter(|answer| answer.status != 429).count()
}

fn start() -> String {
    json!({ "grade": 5, "questionCount": 10 }).to_string()
}

#[tokio::test]
async fn junk_and_floods_cost_others_at_the_address_nothing() {
    let gone = [("IDP_CLIENT_ID", "id"), ("IDP_CLIENT_SECRET", "secret"), ("IDP_ISSUER_URL", "http://127.0.0.1:1")];
    let hall = Hall::with(&[&LIMITS[..], &gone, &[TRUSTED]].concat()).await;
    let valid = session(&hall, 0).await.to_string();
    let token = hall.token("student").await;
    let begun = post(&hall, SCHOOL, "/api/live", &start()).await.json();
    for junk in ["{", "[]", "{\"grade\":0}"] {
        assert!(flood(&hall, SCHOOL, "/api/sessions", junk).await < FLOOD, "{junk} is told to stop");
    }
    assert!(flood(&hall, SCHOOL, "/api/live", "{}").await < FLOOD);
    assert_eq!(post(&hall, SCHOOL, "/api/live", &start()).await.status, 200, "junk is no start");
    assert!(flood(&hall, SCHOOL, "/api/live", &start()).await < FLOOD);

    assert_eq!(post(&hall, SCHOOL, "/api/sessions", &valid).await.status, 200, "starts are no sessions");
    let sign_in = hall.anonymous().get_with("/auth/sign-in", "x-forwarded-for", SCHOOL).await;
    assert_eq!(sign_in.status, 502, "the provider is asked: {}", sign_in.text());
    let account = hall.bearer(&token).request(Method::POST, "/api/live").header("x-forwarded-for", SCHOOL);
    assert_eq!(Answer::to(account.json(&json!({ "grade": 5 }))).await.status, 200, "an account counts for itself");
    assert!(flood(&hall, SCHOOL, "/api/sessions", &valid).await < FLOOD);
    let account = hall.bearer(&token).request(Method::POST, "/api/sessions").header("x-forwarded-for", SCHOOL);
    let stored = Answer::to(account.header("content-type", "application/json").body(valid)).await;
    assert_eq!(stored.status, 200, "also for results: {}", stored.text());
    assert_eq!(post(&hall, ELSEWHERE, "/api/live", &start()).await.status, 200, "another address");
    assert_hands_in(&hall, &begun).await;
}

/// Answers, hands in and reads a running attempt over HTTPS, from the flooded address.
async fn assert_hands_in(hall: &Hall, begun: &Value) {
    let path = format!("/api/live/{}", begun["sessionId"].as_str().unwrap());
    let student = hall.bearer(begun["token"].as_str().unwrap());
    for seq in 1..=20 {
        let commands = json!({ "commands": [{ "type": "answer", "seq": seq, "questionId": begun["questionIds"][0], "selected": "A" }] });
        let request = student.request(Method::POST, &format!("{path}/commands")).header("x-forwarded-for", SCHOOL);
        assert_eq!(Answer::to(request.json(&commands)).await.status, 200);
    }
    let submit = json!({ "commands": [{ "type": "submit", "seq": 21 }] });
    let request = student.request(Method::POST, &format!("{path}/commands")).header("x-forwarded-for", SCHOOL);
    let submitted = Answer::to(request.json(&submit)).await;
    assert_eq!(submitted.json()["replies"][0]["type"], "submitted", "{}", submitted.text());
}

#[tokio::test]
async fn a_flood_by_socket_counts_as_one_by_https() {
    let hall = Hall::with(&[&LIMITS[..], &[TRUSTED]].concat()).await;
    assert!(flood(&hall, SCHOOL, "/api/live", &start()).await < FLOOD);
    let headers = [("x-forwarded-for", SCHOOL)];
    let mut socket = crate::hall::LiveSocket::connect(&hall.base(), &headers).await.unwrap();
    for _ in 0..5 {
        socket.send(&json!({ "type": "start", "grade": 5 })).await;
        let crate::hall::Heard::Frame(frame) = socket.hear().await else { panic!("closed") };
        if frame["code"] == "rate_limited" {
            let elsewhere = [("x-forwarded-for", ELSEWHERE)];
            let mut other = crate::hall::LiveSocket::connect(&hall.base(), &elsewhere).await.unwrap();
            other.send(&json!({ "type": "start", "grade": 5 })).await;
            other.expect("started").await;
            return;
        }
        socket = crate::hall::LiveSocket::connect(&hall.base(), &headers).await.unwrap();
    }
    panic!("no start was refused");
}

#[tokio::test]
async fn strangers_are_told_to_stop_and_students_go_on() {
    let hall = Hall::with(&[&LIMITS[..], &[TRUSTED]].concat()).await;
    let begun = post(&hall, SCHOOL, "/api/live", &start()).await.json();
    let path = format!("/api/live/{}", begun["sessionId"].as_str().unwrap());
    let wrong = hall.bearer("wrong");
    assert_eq!(wrong.get_with(&path, "x-forwarded-for", SCHOOL).await.status, 403);
    let asked = (0..FLOOD).map(|_| wrong.get_with(&path, "x-forwarded-for", SCHOOL));
    let answers = futures_util::future::join_all(asked).await;
    assert!(answers.iter().any(|answer| answer.status == 429), "{:?}", answers[0]);
    for _ in 0..FLOOD {
        let read = hall.bearer(begun["token"].as_str().unwrap()).get_with(&path, "x-forwarded-for", SCHOOL).await;
        assert_eq!(read.status, 200, "{}", read.text());
    }
}

#[tokio::test]
async fn students_behind_strangers_go_on_after_a_restart() {
    let mut hall = Hall::with(&[&LIMITS[..], &[TRUSTED]].concat()).await;
    let begun = post(&hall, SCHOOL, "/api/live", &start()).await.json();
    let path = format!("/api/live/{}", begun["sessionId"].as_str().unwrap());
    // No seat in memory knows the token any more.
    hall.restart().await;
    let wrong = hall.bearer("wrong");
    let asked = (0..FLOOD).map(|_| wrong.get_with(&path, "x-forwarded-for", SCHOOL));
    let student = hall.bearer(begun["token"].as_str().unwrap());
    let (answers, read) = tokio::join!(futures_util::future::join_all(asked), async {
        student.get_with(&path, "x-forwarded-for", SCHOOL).await
    });
    assert!(answers.iter().all(|answer| [403, 429].contains(&answer.status)));
    assert!(answers.iter().any(|answer| answer.status == 429));
    assert_eq!(read.status, 200, "{}", read.text());
}

#[tokio::test]
async fn loopback_that_another_machine_names_is_not_this_one() {
    let hall = Hall::with(&[("TRUSTED_PROXIES", "127.0.0.1,10.0.0.0/8")]).await;
    for (name, value, is_here) in [
        ("x-forwarded-for", "127.0.0.1", true),
        ("x-forwarded-for", "127.0.0.1, 10.0.0.5", false),
        ("x-forwarded-for", "::1, 10.0.0.5, 127.0.0.1", false),
        ("forwarded", "for=127.0.0.1, for=10.0.0.5", false),
    ] {
        let metrics = hall.anonymous().get_with("/metrics", name, value).await;
        let sign_in = hall.anonymous().get_with("/auth/sign-in", name, value).await;
        let expected = if is_here { (200, 200) } else { (403, 404) };
        assert_eq!((metrics.status, sign_in.status), expected, "{name}: {value}");
    }
    for name in ["via", "x-real-ip", "x-forwarded-host", "x-forwarded-port"] {
        let metrics = hall.anonymous().get_with("/metrics", name, "127.0.0.1").await;
        let sign_in = hall.anonymous().get_with("/auth/sign-in", name, "127.0.0.1").await;
        assert_eq!((metrics.status, sign_in.status), (403, 404), "{name}");
    }
}

#[tokio::test]
async fn whoever_is_not_trusted_plays_no_other_addresses() {
    let hall = Hall::with(&LIMITS).await;
    let start = start();
    let addresses: Vec<String> = (0..FLOOD).map(|number| format!("203.0.113.{number}")).collect();
    let posted = addresses.iter().map(|address| post(&hall, address, "/api/live", &start));
    let answers = futures_util::future::join_all(posted).await;
    assert!(answers.iter().any(|answer| answer.status == 429), "addresses that nobody has were believed");
}

#[tokio::test]
async fn the_client_adds_no_hops_of_its_own() {
    let hall = Hall::with(&[&LIMITS[..], &[TRUSTED]].concat()).await;
    let start = start();
    let hops: Vec<String> = (0..FLOOD).map(|number| format!("198.51.100.{number}, {SCHOOL}")).collect();
    let posted = hops.iter().map(|hops| post(&hall, hops, "/api/live", &start));
    let answers = futures_util::future::join_all(posted).await;
    assert!(answers.iter().any(|answer| answer.status == 429), "made-up hops were believed");
}

#[tokio::test]
async fn the_development_sign_in_goes_by_the_client_too() {
    let hall = Hall::with(&[TRUSTED]).await;
    let sign_in = async |headers: &[(&str, &str)]| {
        let request = hall.anonymous().request(Method::POST, "/auth/local");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        Answer::to(request.body("email=ada@exam.test&name=Ada&return_to=/")).await.status
    };
    assert_eq!(sign_in(&[]).await, 303);
    assert_eq!(sign_in(&[("x-forwarded-for", "127.0.0.1")]).await, 303);
    assert_eq!(sign_in(&[("forwarded", "for=\"[::1]:123\"")]).await, 303);
    for headers in [
        &[("x-forwarded-for", "203.0.113.7")][..],
        &[("x-forwarded-for", "127.0.0.1, 203.0.113.7")],
        &[("forwarded", "for=203.0.113.7")],
        &[("forwarded", "for=unknown")],
        &[("forwarded", "for=\"127.0.0.1")],
        &[("forwarded", "for=127.0.0.1"), ("x-forwarded-for", "203.0.113.7")],
        &[("via", "1.1 proxy")],
        &[("x-real-ip", "127.0.0.1")],
    ] {
        assert_eq!(sign_in(headers).await, 404, "{headers:?}");
    }
}

#[tokio::test]
async fn a_socket_needs_a_key_and_uses_no_reserved_bits() {
    use tokio_tungstenite::tungstenite::protocol::frame::Frame;
    use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
    let hall = Hall::open().await;
    let key = async |keys: &[&str]| {
        let request = hall.anonymous().request(Method::GET, "/api/live").header("connection", "upgrade");
        let request = request.header("upgrade", "websocket").header("sec-websocket-version", "13");
        Answer::to(keys.iter().fold(request, |request, key| request.header("sec-websocket-key", *key))).await.status
    };
    assert_eq!(key(&["dGhlIHNhbXBsZSBub25jZQ=="]).await, 101);
    for keys in [&[""][..], &[], &["short"], &["dGhlIHNhbXBsZSBub25jZQ"], &["AAAA"], &["dGhlIHNhbXBsZSBub25jZQ=="; 2]] {
        assert_eq!(key(keys).await, 400, "{keys:?}");
    }
    for bits in 1..8_u8 {
        let mut candidate = Candidate::start(&hall.base(), json!({ "grade": 5 })).await;
        let mut frame = Frame::message("{}", OpCode::Data(Data::Text), true);
        let header = frame.header_mut();
        (header.rsv1, header.rsv2, header.rsv3) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
        candidate.socket().send_raw(frame).await;
        candidate.socket().expect_close(1002).await;
    }
}
