//! `start`: what it answers, and each way in which it is refused.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::hall::{Hall, LiveSocket, ids, time_of};

#[tokio::test]
async fn started_says_everything() {
    let hall = Hall::open().await;
    let mut socket = hall.socket().await;
    socket.send(&json!({ "type": "start", "grade": 5, "mode": "standard", "durationMinutes": 45, "questionCount": 20, "annotations": { "name": "Ada" }, "webhookUrl": "https://lms.invalid/hook", "baseUrl": "https://exam.example" })).await;
    let started = socket.expect("started").await;
    let names: BTreeSet<&str> = started.as_object().unwrap().keys().map(String::as_str).collect();
    for name in [
        "sessionId",
        "token",
        "grade",
        "mode",
        "stage",
        "stages",
        "questionIds",
        "durationMinutes",
        "startedAt",
        "deadline",
        "serverTime",
        "remainingMs",
        "seq",
    ] {
        assert!(names.contains(name), "{name} is missing: {names:?}");
    }
    for (name, value) in [
        ("grade", json!(5)),
        ("mode", json!("standard")),
        ("stage", json!(1)),
        ("stages", json!(1)),
        ("durationMinutes", json!(45)),
        ("seq", json!(0)),
    ] {
        assert_eq!(started[name], value, "{name}");
    }
    assert_times(&started, 45);
    assert_eq!(uuid::Uuid::parse_str(started["sessionId"].as_str().unwrap()).unwrap().get_version_num(), 4);
}

fn assert_times(started: &Value, minutes: i64) {
    let [began, deadline, now] = ["startedAt", "deadline", "serverTime"].map(|name| time_of(&started[name]));
    assert_eq!((deadline - began).num_minutes(), minutes);
    assert!(began <= now && (now - began).num_seconds() < 5, "{started}");
    let remaining = started["remainingMs"].as_i64().unwrap();
    assert!((remaining - (deadline - now).num_milliseconds()).abs() <= 50, "{started}");
}

#[tokio::test]
async fn defaults_are_twenty_questions_in_thirty_minutes() {
    let hall = Hall::open().await;
    let candidate = hall.sit(json!({ "grade": 3 })).await;
    assert_eq!((candidate.paper.len(), &candidate.started["mode"]), (20, &json!("standard")));
    assert_times(&candidate.started, 30);
}

#[tokio::test]
async fn the_number_of_questions_follows_the_duration() {
    let hall = Hall::open().await;
    for (minutes, questions) in [(15, 10), (16, 11), (30, 20), (45, 30), (60, 40), (70, 40)] {
        let test = json!({ "grade": 5, "durationMinutes": minutes });
        let candidate = hall.sit(test.clone()).await;
        assert_eq!(candidate.paper.len(), questions, "{minutes} minutes");
        let by_https = hall.anonymous().post_json("/api/live", &test).await.json();
        assert_eq!(ids(&by_https["questionIds"]).len(), questions, "{minutes} minutes over HTTPS");
    }
    let asked = hall.sit(json!({ "grade": 5, "durationMinutes": 70, "questionCount": 12 })).await;
    assert_eq!(asked.paper.len(), 12, "who asks for a number gets it");
}

#[tokio::test]
async fn a_paper_keeps_the_quotas() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    // L5 = round(0.3 N), L4 = round(0.2 N), the rest evenly over L1 to L3, remainders to the lower first.
    let quotas = [
        (10, [2, 2, 1, 2, 3]),
        (11, [2, 2, 2, 2, 3]),
        (12, [2, 2, 2, 2, 4]),
        (13, [2, 2, 2, 3, 4]),
        (19, [3, 3, 3, 4, 6]),
        (20, [4, 3, 3, 4, 6]),
        (37, [7, 6, 6, 7, 11]),
        (40, [7, 7, 6, 8, 12]),
    ];
    for (count, quota) in quotas {
        let candidate = hall.sit(json!({ "grade": 5, "questionCount": count })).await;
        let distinct: BTreeSet<&String> = candidate.paper.iter().collect();
        assert_eq!((candidate.paper.len(), distinct.len()), (count, count));
        assert_eq!(bank.mix(&candidate.paper), quota, "{count}");
    }
}

#[tokio::test]
async fn papers_and_secrets_differ_between_students() {
    let hall = Hall::open().await;
    let (one, other) = (hall.sit(json!({ "grade": 5 })).await, hall.sit(json!({ "grade": 5 })).await);
    assert_ne!(one.session_id, other.session_id);
    assert_ne!(one.paper, other.paper);
    for candidate in [&one, &other] {
        assert!(candidate.token.len() >= 43, "256 bits: {}", candidate.token);
        assert!(!candidate.token.contains(&candidate.session_id));
    }
    assert_ne!(one.token[..20], other.token[..20]);
}

#[tokio::test]
async fn a_paper_is_shuffled() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let paper = hall.sit(json!({ "grade": 5, "questionCount": 40 })).await.paper;
    let difficulties: Vec<u64> = paper.iter().map(|id| bank.difficulty(id)).collect();
    assert!(!difficulties.is_sorted(), "{difficulties:?}");
    assert!(!paper.is_sorted());
}

#[tokio::test]
async fn a_client_may_choose_its_questions() {
    let hall = Hall::open().await;
    let chosen: Vec<String> = hall.bank(5).await.ids().into_iter().rev().take(12).collect();
    let candidate =
        hall.sit(json!({ "grade": 5, "mode": "standard", "durationMinutes": 15, "questionIds": chosen })).await;
    let (mut paper, mut expected) = (candidate.paper.clone(), chosen);
    paper.sort();
    expected.sort();
    assert_eq!(paper, expected);
    assert_times(&candidate.started, 15);
}

#[tokio::test]
async fn an_adaptive_test_ignores_count_and_duration() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    for start in [
        json!({ "grade": 5, "mode": "adaptive" }),
        json!({ "grade": 5, "mode": "adaptive", "questionCount": 10, "durationMinutes": 15 }),
        json!({ "grade": 5, "mode": "adaptive", "questionCount": 999, "durationMinutes": 1 }),
    ] {
        let candidate = hall.sit(start).await;
        assert_eq!(
            (&candidate.started["stage"], &candidate.started["stages"], &candidate.started["mode"]),
            (&json!(1), &json!(2), &json!("adaptive"))
        );
        assert_eq!(bank.mix(&candidate.paper), [4, 3, 3, 4, 6]);
        assert_times(&candidate.started, 70);
    }
}

#[tokio::test]
async fn limits_of_a_standard_test_are_inclusive() {
    let hall = Hall::open().await;
    for (minutes, count) in [(15, 10), (70, 40)] {
        let candidate = hall.sit(json!({ "grade": 10, "durationMinutes": minutes, "questionCount": count })).await;
        assert_eq!(candidate.paper.len(), count);
        assert_times(&candidate.started, minutes);
    }
}

#[tokio::test]
async fn each_invalid_start_has_its_code_and_harms_nothing() {
    let hall = Hall::open().await;
    for (code, starts) in invalid_starts(&hall.bank(5).await.ids(), &hall.bank(6).await.ids()) {
        for chunk in starts.chunks(8) {
            let mut socket = hall.socket().await;
            for start in chunk {
                refuse(&mut socket, start, code).await;
            }
            socket.send(&json!({ "type": "start", "grade": 5 })).await;
            socket.expect("started").await;
        }
    }
}

async fn refuse(socket: &mut LiveSocket, start: &Value, code: &str) {
    let mut frame = start.clone();
    frame["type"] = json!("start");
    socket.send(&frame).await;
    let error = socket.expect("error").await;
    assert_eq!(error["code"], code, "{frame} → {error}");
}

fn invalid_starts(ids: &[String], ids_of_another_grade: &[String]) -> [(&'static str, Vec<Value>); 3] {
    let of = |changes: Value| {
        let mut start = json!({ "grade": 5 });
        start.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        start
    };
    let nine_and = |last: &str| {
        let ten = [&ids[..9], &[last.to_owned()]].concat();
        of(json!({ "questionIds": ten }))
    };
    [
        ("invalid_grade", [0, 11, -1, 1_000].map(|grade| json!({ "grade": grade })).into()),
        (
            "invalid_test",
            vec![
                of(json!({ "mode": "weird" })),
                of(json!({ "durationMinutes": 14 })),
                of(json!({ "durationMinutes": 71 })),
                of(json!({ "durationMinutes": 0 })),
                of(json!({ "durationMinutes": -30 })),
                of(json!({ "questionCount": 9 })),
                of(json!({ "questionCount": 41 })),
                of(json!({ "questionCount": -10 })),
                of(json!({ "questionIds": [] })),
                of(json!({ "questionIds": ids[..9] })),
                of(json!({ "questionIds": ids[..41] })),
                nine_and("no-such-question"),
                nine_and(&ids[0]),
                nine_and(&ids_of_another_grade[0]),
            ],
        ),
        (
            "bad_message",
            vec![
                json!({ "grade": "5" }),
                json!({ "grade": [5] }),
                of(json!({ "mode": 5 })),
                of(json!({ "durationMinutes": "30" })),
                of(json!({ "questionCount": "20" })),
                of(json!({ "questionCount": {} })),
                of(json!({ "questionIds": "g5-001" })),
                of(json!({ "questionIds": [1, 2, 3] })),
                of(json!({ "annotations": [] })),
                of(json!({ "annotations": "s-17" })),
                of(json!({ "webhookUrl": 7 })),
                of(json!({ "baseUrl": 7 })),
                of(json!({ "templateId": 7 })),
                of(json!({ "key": 7 })),
            ],
        ),
    ]
}

#[tokio::test]
async fn other_bad_starts_are_refused_with_some_code() {
    let hall = Hall::open().await;
    let deep = serde_json::from_str::<Value>(&format!("{{\"a\":{}{}}}", "[".repeat(60), "]".repeat(60))).unwrap();
    let bad = [
        json!({}),
        json!({ "grade": 5.5 }),
        json!({ "grade": 5, "key": "x".repeat(15) }),
        json!({ "grade": 5, "key": "x".repeat(65) }),
        json!({ "grade": 5, "baseUrl": "ftp://exam.example" }),
        json!({ "grade": 5, "annotations": { "name": "nul\0" } }),
        json!({ "grade": 5, "annotations": deep }),
    ];
    for start in bad {
        let mut socket = hall.socket().await;
        let mut frame = start.clone();
        frame["type"] = json!("start");
        socket.send(&frame).await;
        let error = socket.expect("error").await;
        assert!(
            ["bad_message", "invalid_grade", "invalid_test"].contains(&error["code"].as_str().unwrap()),
            "{start} → {error}"
        );
    }
}

#[tokio::test]
async fn an_unknown_template_closes() {
    let hall = Hall::open().await;
    for template in ["5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5", "nothing", ""] {
        let mut socket = hall.socket().await;
        socket.send(&json!({ "type": "start", "templateId": template, "annotations": {} })).await;
        socket.expect_error("template_not_found").await;
        socket.expect_close(4404).await;
    }
}

#[tokio::test]
async fn an_impossible_webhook_costs_no_start() {
    let hall = Hall::open().await;
    for url in ["not a link", "", "ftp://lms.example", "http://127.0.0.1:1/"] {
        hall.sit(json!({ "grade": 5, "webhookUrl": url })).await;
    }
}

#[tokio::test]
async fn a_session_starts_once_and_first() {
    let hall = Hall::open().await;
    let mut socket = hall.socket().await;
    for command in [
        json!({ "type": "answer", "seq": 1, "questionId": "g5-001", "selected": "A" }),
        json!({ "type": "submit", "seq": 1 }),
        json!({ "type": "next", "seq": 1 }),
    ] {
        socket.send(&command).await;
        socket.expect_error("not_started").await;
    }
    socket.send(&json!({ "type": "start", "grade": 5 })).await;
    let started = socket.expect("started").await;
    assert_eq!(ids(&started["questionIds"]).len(), 20);
    for again in [
        json!({ "type": "start", "grade": 5 }),
        json!({ "type": "resume", "sessionId": started["sessionId"], "token": started["token"] }),
    ] {
        socket.send(&again).await;
        socket.expect_error("already_started").await;
    }
    socket.sync().await;
}
