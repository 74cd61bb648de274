//! What goes on while the external service is away: exams do, from the copies, also after a restart; nobody is signed
//! out.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{FAILED, TIMED_OUT, away, person};
use crate::hall::{Browser, External, Hall, Told, answer, eventually};

/// Whoever waited for the service would wait long.
const PATIENT: (&str, &str) = ("EXTERNAL_API_TIMEOUT_MS", "15000");

/// Each way of being away.
fn ways() -> [Told; 4] {
    [Told::Hang, Told::error(500, "Oh"), Told::Cut, Told::page(200)]
}

/// A student reads the bank and takes a test, without waiting for anybody.
async fn assert_exams_go_on(hall: &Hall) {
    let began = Instant::now();
    assert_eq!(hall.bank(5).await.questions.len(), 60);
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(candidate.paper.len(), 10);
    let first = candidate.paper[0].clone();
    candidate.answer(&first, "B").await;
}

#[tokio::test]
async fn exams_go_on_from_the_copy() {
    let external = External::open().await;
    let mut hall = external.hall_with(&[PATIENT]).await;
    assert_exams_go_on(&hall).await;
    for told in ways() {
        away(&external, told);
        for _ in 0..2 {
            // Long enough for news to be asked for at each reading.
            hall.clock.advance(Duration::from_secs(6));
            assert_exams_go_on(&hall).await;
        }
        hall.restart().await;
        assert_exams_go_on(&hall).await;
    }
    external.always(None);
}

#[tokio::test]
async fn exams_go_on_when_nobody_listens_any_more() {
    let mut external = External::open().await;
    let mut hall = external.hall_with(&[PATIENT]).await;
    assert_exams_go_on(&hall).await;
    external.close().await;
    assert_exams_go_on(&hall).await;
    hall.restart().await;
    hall.clock.advance(Duration::from_secs(6));
    assert_exams_go_on(&hall).await;
    external
        .on("GET /v1/questions?grade=5", Told::Json(200, json!({ "questions": crate::hall::external_bank(5)[..30] })));
    external.reopen().await;
    eventually("news are heard again", async || {
        hall.clock.advance(Duration::from_secs(6));
        (hall.bank(5).await.questions.len() == 30).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_bank_that_was_never_here_is_fetched_or_the_failure_is_named() {
    let external = External::open().await;
    away(&external, Told::error(500, "Oh"));
    let hall = external.hall().await;
    for _ in 0..3 {
        hall.anonymous().get("/api/questions?grade=5").await.assert_error(502, FAILED);
    }
    away(&external, Told::Hang);
    hall.clock.advance(Duration::from_secs(3));
    hall.anonymous().get("/api/questions?grade=6").await.assert_error(504, TIMED_OUT);
    let calls = || external.calls("GET /v1/questions?grade=6").len();
    let before = calls();
    for _ in 0..3 {
        hall.anonymous().get("/api/questions?grade=6").await.assert_error(504, TIMED_OUT);
    }
    assert_eq!(calls(), before, "whoever comes next does not wait in vain again");
    external.always(None);
    hall.clock.advance(Duration::from_secs(3));
    assert_eq!(hall.bank(6).await.questions.len(), 60);
}

#[tokio::test]
async fn the_sample_bank_is_not_mixed_in() {
    let external = External::open().await;
    external.on("GET /v1/questions?grade=5", Told::Json(200, json!({ "questions": [] })));
    let hall = external.hall_with(&[("SAMPLE_BANK", "auto")]).await;
    assert_eq!(hall.bank(5).await.questions.len(), 0);
}

#[tokio::test]
async fn nobody_is_signed_out() {
    let external = External::open().await;
    let mut hall = external.hall().await;
    external.on(
        "GET /v1/assignments/rev%40exam.test",
        Told::Json(200, json!({ "email": "rev@exam.test", "name": "R", "grades": [5] })),
    );
    let mut people = Vec::new();
    for (email, role) in [("ada@exam.test", "student"), ("rev@exam.test", "reviewer"), ("root@exam.test", "admin")] {
        let mut browser = person(&hall, &external, email, role).await;
        assert_eq!(browser.me().await.unwrap()["role"], role);
        people.push((browser, role));
    }
    for told in ways() {
        away(&external, told);
        hall.restart().await;
        hall.clock.advance(Duration::from_secs(90));
        for (browser, role) in &mut people {
            *browser = browser.moved_to(&hall);
            let began = Instant::now();
            let me = browser.me().await.unwrap();
            assert!(began.elapsed() < Duration::from_millis(1_800), "{:?}", began.elapsed());
            assert_eq!(me["role"], *role);
            assert!(*role != "reviewer" || me["grades"] == json!([5]), "{me}");
        }
        let refused = Browser::of(&hall).sign_in_locally("new@exam.test", "New").await;
        assert!([502, 504].contains(&refused.status), "{}", refused.text());
    }
}

#[tokio::test]
async fn a_test_that_began_before_goes_on() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    away(&external, Told::Hang);
    for id in candidate.paper.clone() {
        candidate.send(answer(&id, "B")).await;
    }
    candidate.settle().await;
    assert_eq!(candidate.submit().await["result"]["correctAnswers"], 10);
}
