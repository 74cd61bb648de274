//! Bodies of finished tests: how much of them one address may have on the way, and that live exams go on beside them.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::hall::{Answer, Hall, Process};

/// Bytes of a large session, just below the limit.
const LARGE: usize = 9 * 1_024 * 1_024 - 64 * 1_024;

/// A finished test of ten questions, with drawings of about so many bytes.
pub async fn session(hall: &Hall, bytes: usize) -> Value {
    let bank = hall.bank(5).await;
    let ids = bank.ids();
    let line =
        |id: &String| json!({ "questionId": id, "selected": "A", "correct": "A", "isCorrect": true, "timeTaken": 5 });
    let answers: Vec<Value> = ids[..10].iter().map(line).collect();
    let drawings: serde_json::Map<String, Value> = (0..bytes.div_ceil(200_000))
        .map(|number| (format!("q{number}"), json!({ "d": "x".repeat(bytes.min(199_900)) })))
        .collect();
    json!({
        "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example", "drawings": drawings,
        "result": {
            "score": 800, "correctAnswers": 10, "totalQuestions": 10, "timeTaken": 321, "topicBreakdown": [],
            "difficultyBreakdown": [], "answers": answers,
        },
    })
}

#[tokio::test]
async fn large_sessions_are_all_stored_and_live_exams_go_on() {
    let hall = Hall::open().await;
    let body = session(&hall, LARGE).await.to_string();
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    let question = candidate.paper[0].clone();
    let posting = join_all((0..12).map(|_| {
        let (caller, body) = (hall.anonymous(), body.clone());
        async move { caller.post_text("/api/sessions", body).await }
    }));
    let answering = async {
        for number in 0..30 {
            candidate.answer(&question, ["A", "B"][number % 2]).await;
        }
    };
    let (posted, ()) = tokio::join!(posting, answering);
    for answer in posted {
        assert_eq!(answer.status, 200, "{}", answer.text());
        let id = answer.json()["sessionId"].as_str().unwrap().to_owned();
        let stored = hall.anonymous().get(&format!("/api/sessions/{id}")).await;
        assert!(stored.body.len() > LARGE / 2, "{}", stored.body.len());
    }
}

#[tokio::test]
async fn a_body_without_a_length_is_bounded_too() {
    let hall = Hall::open().await;
    let body = session(&hall, LARGE).await.to_string();
    let chunked = |body: String| {
        let chunks: Vec<Result<Vec<u8>, std::io::Error>> =
            body.into_bytes().chunks(100_000).map(|chunk| Ok(chunk.to_vec())).collect();
        let request = hall.anonymous().request(reqwest::Method::POST, "/api/sessions");
        request.body(reqwest::Body::wrap_stream(futures_util::stream::iter(chunks)))
    };
    assert_eq!(Answer::to(chunked(body.clone())).await.status, 200);
    // The answer may come while the rest is on its way, and break that off.
    let status = Answer::status_unless_cut(chunked(format!("{body}{}", " ".repeat(1_024 * 1_024)))).await;
    assert!(matches!(status, None | Some(413)), "{status:?}");
    let stored = hall.signed_in("admin").await.get("/api/sessions").await.json();
    assert_eq!(stored.as_array().unwrap().len(), 1, "{stored}");
}

#[tokio::test]
async fn bad_json_is_no_failure_of_the_server() {
    let hall = Hall::open().await;
    let process = Process::serve(hall.settings()).await;
    for body in ["{", "nothing", "[1,"] {
        process.anonymous().post_text("/api/sessions", body).await.assert_error(500, "Failed to create session");
    }
    assert!(!process.log().contains("ERROR"), "{}", process.log());
}

#[tokio::test]
async fn whoever_announces_much_and_sends_nothing_uses_up_nothing() {
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpStream;
    let hall = Hall::with(&[("TRUSTED_PROXIES", "127.0.0.1")]).await;
    let (small, large) = (session(&hall, 0).await.to_string(), session(&hall, LARGE).await.to_string());
    let address = hall.base().trim_start_matches("http://").to_owned();
    let head = format!(
        "POST /api/sessions HTTP/1.1\r\nhost: {address}\r\nx-forwarded-for: 203.0.113.1\r\ncontent-length: {LARGE}\r\n\r\n"
    );
    let mut silent = Vec::new();
    for _ in 0..100 {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        silent.push(stream);
    }
    // All heads have been read when a later request from there has its answer.
    for body in [&small, &large, &large] {
        let request = hall.anonymous().request(reqwest::Method::POST, "/api/sessions").body(body.clone());
        let answer = Answer::to(request.header("x-forwarded-for", "203.0.113.1")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
}

#[tokio::test]
async fn half_sent_commands_of_one_attempt_keep_out_no_other_student() {
    use futures_util::future::select_all;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;
    let hall = Hall::open().await;
    let mut other = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    let greedy = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    let address = hall.base().trim_start_matches("http://").to_owned();
    let head = format!(
        "POST /api/live/{}/commands HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {}\r\n\
         content-length: {LARGE}\r\n\r\n",
        greedy.session_id, greedy.token
    );
    // All but the end of three bodies is more than one attempt may have on the way.
    let sending = (0..3).map(|_| {
        let (address, head) = (address.clone(), head.clone());
        Box::pin(async move {
            let mut stream = TcpStream::connect(&address).await.unwrap();
            stream.write_all(head.as_bytes()).await.unwrap();
            // The answer may come while this is on its way, and break it off.
            let _ = stream.write_all(&vec![b' '; LARGE - 1_024]).await;
            let mut status = [0; 12];
            stream.read_exact(&mut status).await.unwrap();
            String::from_utf8(status.to_vec()).unwrap()
        })
    });
    let (refused, _, _half_sent) = select_all(sending).await;
    assert_eq!(refused, "HTTP/1.1 503");
    let question = other.paper[0].clone();
    let seq = other.act(crate::hall::answer(&question, "A"));
    assert_eq!(other.post(&[seq]).await["saved"], seq);
}
