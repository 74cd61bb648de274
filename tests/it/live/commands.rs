//! Sequenced commands: what each does, that the latest wins key by key, and how bad ones are refused.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{row, selected, short_test};
use crate::hall::{Candidate, Hall, answer};

#[tokio::test]
async fn each_command_is_saved_and_comes_back() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let paper = candidate.paper.clone();
    candidate.send(json!({ "type": "visit", "questionId": paper[0] })).await;
    candidate.send(json!({ "type": "answer", "questionId": paper[0], "selected": "B", "timeTaken": 41 })).await;
    candidate.send(json!({ "type": "mark", "questionId": paper[0], "marked": true })).await;
    candidate.send(json!({ "type": "visit", "questionId": paper[1] })).await;
    candidate.send(json!({ "type": "eliminate", "questionId": paper[3], "eliminated": ["A", "C"] })).await;
    candidate
        .send(json!({ "type": "drawing", "questionId": paper[2], "drawing": { "strokes": [[1, 2.5]], "text": "π" } }))
        .await;
    candidate.settle().await;
    let resumed = candidate.resume().await;
    assert_eq!(resumed["seq"], 6);
    let first = row(&resumed, &paper[0]).unwrap();
    assert_eq!(
        (&first["selected"], &first["marked"], &first["visited"], &first["timeTaken"]),
        (&json!("B"), &json!(true), &json!(true), &json!(41))
    );
    let second = row(&resumed, &paper[1]).unwrap();
    assert_eq!(
        (&second["selected"], &second["marked"], &second["visited"]),
        (&json!(null), &json!(false), &json!(true))
    );
    let fourth = json!({ "questionId": paper[3], "selected": null, "marked": false, "eliminated": ["A", "C"], "visited": false, "seq": 5 });
    assert_eq!(row(&resumed, &paper[3]), Some(&fourth));
    assert!([first, second].iter().all(|row| row.get("eliminated").is_none()), "{resumed}");
    assert_eq!(resumed["drawings"], json!({ paper[2].clone(): { "strokes": [[1, 2.5]], "text": "π" } }));
}

#[tokio::test]
async fn saved_is_cumulative() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    for place in 0..10 {
        let question = candidate.paper[place].clone();
        candidate.send(answer(&question, "C")).await;
    }
    let mut last = 0;
    while last < 10 {
        let seq = candidate.socket().expect("saved").await["seq"].as_u64().unwrap();
        assert!(seq > last && seq <= 10, "{seq} after {last}");
        last = seq;
    }
    candidate.socket().sync().await;
}

#[tokio::test]
async fn null_and_an_empty_list_clear() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "D").await;
    candidate.send(json!({ "type": "drawing", "questionId": question, "drawing": { "a": 1 } })).await;
    candidate.send(json!({ "type": "mark", "questionId": question, "marked": true })).await;
    candidate.send(json!({ "type": "answer", "questionId": question, "selected": null })).await;
    candidate.send(json!({ "type": "drawing", "questionId": question, "drawing": null })).await;
    candidate.send(json!({ "type": "mark", "questionId": question, "marked": false })).await;
    candidate.send(json!({ "type": "eliminate", "questionId": question, "eliminated": ["B"] })).await;
    candidate.send(json!({ "type": "eliminate", "questionId": question, "eliminated": [] })).await;
    candidate.settle().await;
    let resumed = candidate.resume().await;
    assert_eq!(selected(&resumed, &question), None);
    assert_eq!(row(&resumed, &question).unwrap()["marked"], false);
    assert_eq!(row(&resumed, &question).unwrap().get("eliminated"), None);
    assert!(resumed["drawings"].get(&question).is_none_or(Value::is_null), "{resumed}");
}

/// Sends one numbered command on a socket of its own, and waits until it is saved.
async fn save_apart(candidate: &mut Candidate, command: &Value) {
    candidate.resume().await;
    candidate.socket().send(command).await;
    candidate.socket().expect_saved(command["seq"].as_u64().unwrap()).await;
}

fn numbered(seq: u64, question: &str, choice: &str) -> Value {
    json!({ "type": "answer", "seq": seq, "questionId": question, "selected": choice })
}

#[tokio::test]
async fn the_latest_wins_in_whatever_order_it_arrives() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let [first, second] = [candidate.paper[0].clone(), candidate.paper[1].clone()];
    save_apart(&mut candidate, &numbered(20, &first, "A")).await;
    // Late, and of another key: it is applied all the same.
    save_apart(&mut candidate, &numbered(5, &second, "B")).await;
    assert_eq!(selected(&candidate.state().await, &second).as_deref(), Some("B"));
    // Late, and of the same key: it changes nothing, and is answered. The same number again, and then a gap.
    save_apart(&mut candidate, &numbered(19, &first, "C")).await;
    save_apart(&mut candidate, &numbered(20, &first, "D")).await;
    save_apart(&mut candidate, &numbered(1_000, &second, "D")).await;
    let resumed = candidate.resume().await;
    assert_eq!(resumed["seq"], 1_000);
    assert_eq!((selected(&resumed, &first).as_deref(), selected(&resumed, &second).as_deref()), (Some("A"), Some("D")));
}

#[tokio::test]
async fn a_command_that_comes_late_on_a_socket_is_answered_too() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let [first, second] = [candidate.paper[0].clone(), candidate.paper[1].clone()];
    for command in
        [numbered(20, &first, "A"), numbered(5, &second, "B"), numbered(19, &first, "C"), numbered(20, &first, "A")]
    {
        candidate.socket().send(&command).await;
        candidate.socket().expect_saved(command["seq"].as_u64().unwrap()).await;
    }
    assert_eq!(selected(&candidate.state().await, &second).as_deref(), Some("B"));
}

#[tokio::test]
async fn kinds_of_one_question_do_not_overtake_each_other() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let commands = [
        json!({ "type": "eliminate", "seq": 50, "questionId": question, "eliminated": ["B", "D"] }),
        json!({ "type": "drawing", "seq": 40, "questionId": question, "drawing": { "n": 40 } }),
        json!({ "type": "mark", "seq": 30, "questionId": question, "marked": true }),
        json!({ "type": "answer", "seq": 20, "questionId": question, "selected": "B", "timeTaken": 9 }),
        json!({ "type": "visit", "seq": 10, "questionId": question }),
    ];
    for command in &commands {
        save_apart(&mut candidate, command).await;
    }
    let resumed = candidate.resume().await;
    let row = row(&resumed, &question).unwrap();
    assert_eq!(
        (&row["selected"], &row["marked"], &row["visited"], &row["timeTaken"]),
        (&json!("B"), &json!(true), &json!(true), &json!(9))
    );
    assert_eq!(resumed["drawings"][&question], json!({ "n": 40 }));
    assert_eq!((&row["eliminated"], &row["seq"]), (&json!(["B", "D"]), &json!(50)));
}

#[tokio::test]
async fn what_is_crossed_out_is_no_answer_and_the_latest_list_holds() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let eliminate = |seq: u64, letters: &[&str]| json!({ "type": "eliminate", "seq": seq, "questionId": question, "eliminated": letters });
    save_apart(&mut candidate, &eliminate(10, &["A", "B", "C", "D"])).await;
    save_apart(&mut candidate, &eliminate(9, &[])).await;
    save_apart(&mut candidate, &eliminate(10, &["A"])).await;
    let state = candidate.state().await;
    assert_eq!(row(&state, &question).unwrap()["eliminated"], json!(["A", "B", "C", "D"]));
    save_apart(&mut candidate, &eliminate(11, &["C"])).await;
    let commands = json!({ "commands": [
        { "type": "answer", "seq": 12, "questionId": question, "selected": bank.key(&question) },
        eliminate(13, &["D"]),
    ] });
    let posted = candidate.try_post(&commands).await.json();
    assert_eq!((&posted["saved"], &posted["replies"]), (&json!(13), &json!([])));
    let resumed = candidate.resume().await;
    let row = row(&resumed, &question).unwrap();
    assert_eq!((&row["eliminated"], &row["selected"]), (&json!(["D"]), &json!(bank.key(&question))));
    candidate.seq = 13;
    assert_eq!(candidate.submit().await["result"]["correctAnswers"], 1);
    let stored = hall.stored_session(&candidate.session_id).await.to_string();
    assert!(!stored.contains("eliminat"), "{stored}");
}

#[tokio::test]
async fn a_refused_command_is_named_and_the_others_are_saved() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let elsewhere = hall.bank(5).await.ids().into_iter().find(|id| !candidate.paper.contains(id)).unwrap();
    let refused = [
        ("unknown_question", json!({ "type": "answer", "questionId": elsewhere, "selected": "A" })),
        ("unknown_question", json!({ "type": "mark", "questionId": "nothing", "marked": true })),
        ("unknown_question", json!({ "type": "visit", "questionId": "" })),
        ("unknown_question", json!({ "type": "eliminate", "questionId": elsewhere, "eliminated": ["A"] })),
        ("unknown_question", json!({ "type": "drawing", "questionId": elsewhere, "drawing": {} })),
        ("invalid_answer", json!({ "type": "answer", "questionId": question, "selected": "E" })),
        ("invalid_answer", json!({ "type": "answer", "questionId": question, "selected": "a" })),
        ("invalid_answer", json!({ "type": "answer", "questionId": question, "selected": "" })),
        ("invalid_answer", json!({ "type": "answer", "questionId": question, "selected": "AB" })),
        ("invalid_answer", json!({ "type": "eliminate", "questionId": question, "eliminated": ["E"] })),
        ("invalid_answer", json!({ "type": "eliminate", "questionId": question, "eliminated": ["b"] })),
        ("invalid_answer", json!({ "type": "eliminate", "questionId": question, "eliminated": ["B", "A"] })),
        ("invalid_answer", json!({ "type": "eliminate", "questionId": question, "eliminated": ["A", "A"] })),
    ];
    for (place, (code, mut command)) in refused.into_iter().enumerate() {
        let seq = 1 + 2 * place;
        command["seq"] = json!(seq);
        candidate.socket().send(&command).await;
        let error = candidate.socket().expect_error(code).await;
        assert_eq!(error["seq"], seq, "{command} → {error}");
        candidate
            .socket()
            .send(&json!({ "type": "answer", "seq": seq + 1, "questionId": question, "selected": "C" }))
            .await;
        candidate.socket().expect_saved(seq as u64 + 1).await;
    }
    assert_eq!(selected(&candidate.resume().await, &question).as_deref(), Some("C"));
}

#[tokio::test]
async fn fields_of_a_wrong_type_are_bad_messages() {
    let hall = Hall::open().await;
    let question = hall.sit(short_test()).await.paper[0].clone();
    let bad = [
        json!({ "type": "answer", "seq": "1", "questionId": question, "selected": "A" }),
        json!({ "type": "answer", "seq": -1, "questionId": question, "selected": "A" }),
        json!({ "type": "answer", "seq": 1.5, "questionId": question, "selected": "A" }),
        json!({ "type": "answer", "questionId": question, "selected": "A" }),
        json!({ "type": "answer", "seq": 1, "questionId": 5, "selected": "A" }),
        json!({ "type": "answer", "seq": 1, "selected": "A" }),
        json!({ "type": "answer", "seq": 1, "questionId": question, "selected": 1 }),
        json!({ "type": "answer", "seq": 1, "questionId": question, "selected": "A", "timeTaken": "41" }),
        json!({ "type": "answer", "seq": 1, "questionId": question, "selected": "A", "timeTaken": 4.5 }),
        json!({ "type": "mark", "seq": 1, "questionId": question, "marked": "yes" }),
        json!({ "type": "mark", "seq": 1, "questionId": question }),
        json!({ "type": "eliminate", "seq": 1, "questionId": question, "eliminated": "A" }),
        json!({ "type": "eliminate", "seq": 1, "questionId": question, "eliminated": null }),
        json!({ "type": "eliminate", "seq": 1, "questionId": question, "eliminated": [1] }),
        json!({ "type": "eliminate", "seq": 1, "questionId": question }),
        json!({ "type": "drawing", "seq": 1, "questionId": question, "drawing": "line" }),
        json!({ "type": "drawing", "seq": 1, "questionId": question, "drawing": [1] }),
        json!({ "type": "next" }),
        json!({ "type": "submit", "seq": null }),
        json!({ "type": "focus", "away": "yes" }),
        json!({ "type": "sync", "t": "now" }),
    ];
    for chunk in bad.chunks(8) {
        let mut candidate = hall.sit(short_test()).await;
        for command in chunk {
            candidate.socket().send(command).await;
            let error = candidate.socket().expect("error").await;
            assert_eq!(error["code"], "bad_message", "{command} → {error}");
        }
        let resumed = candidate.resume().await;
        assert_eq!(
            (&resumed["seq"], &resumed["answers"], &resumed["state"]),
            (&json!(0), &json!([]), &json!("active"))
        );
    }
}

#[tokio::test]
async fn absurd_numbers_harm_nobody() {
    let hall = Hall::open().await;
    for seq in [json!(0), json!(u64::MAX), json!(i64::MAX), json!(9_007_199_254_740_993_u64), json!(1e300)] {
        let mut candidate = hall.sit(short_test()).await;
        let question = candidate.paper[0].clone();
        candidate
            .socket()
            .send(&json!({ "type": "answer", "seq": seq, "questionId": question, "selected": "A" }))
            .await;
        let reply = answer_of(&mut candidate).await;
        assert!(reply["type"] == "saved" || reply["code"] == "bad_message", "{seq} → {reply}");
        candidate.resume().await;
    }
    for time in [json!(-1), json!(u64::MAX), json!(i64::MAX), json!(3_000_000_000_u64)] {
        let mut candidate = hall.sit(short_test()).await;
        let question = candidate.paper[0].clone();
        candidate
            .socket()
            .send(&json!({ "type": "answer", "seq": 1, "questionId": question, "selected": "A", "timeTaken": time }))
            .await;
        let reply = answer_of(&mut candidate).await;
        assert!(
            reply["type"] == "saved"
                || ["bad_message", "invalid_answer"].contains(&reply["code"].as_str().unwrap_or_default()),
            "{time} → {reply}"
        );
        candidate.resume().await;
    }
}

async fn answer_of(candidate: &mut Candidate) -> Value {
    match candidate.socket().hear().await {
        crate::hall::Heard::Frame(frame) => frame,
        closed => panic!("{closed:?}"),
    }
}

#[tokio::test]
async fn nul_in_a_drawing_or_an_id_costs_nobody_else_their_answers() {
    let hall = Hall::open().await;
    let (mut bad, mut good) = (hall.sit(short_test()).await, hall.sit(short_test()).await);
    let (of_bad, of_good) = (bad.paper[0].clone(), good.paper[0].clone());
    for command in [
        json!({ "type": "drawing", "seq": 1, "questionId": of_bad, "drawing": { "text": "nul\0" } }),
        json!({ "type": "drawing", "seq": 2, "questionId": of_bad, "drawing": { "na\0me": 1 } }),
        json!({ "type": "visit", "seq": 3, "questionId": "g5\0" }),
    ] {
        bad.socket().send(&command).await;
        good.send(answer(&of_good, "A")).await;
        assert_eq!(bad.socket().expect("error").await["type"], "error");
        good.settle().await;
    }
    assert_eq!(bad.resume().await["drawings"], json!({}));
}

#[tokio::test]
async fn numbers_in_drawings_stay_as_they_were() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let drawing =
        json!({ "points": [0.1, 1e-7, 123_456_789.125, -0.5, 0], "text": "é\u{1f980}\"\\", "empty": {}, "list": [] });
    candidate.send(json!({ "type": "drawing", "questionId": question, "drawing": drawing })).await;
    candidate.settle().await;
    assert_eq!(candidate.resume().await["drawings"][&question], drawing);
    candidate.submit().await;
    assert_eq!(hall.stored_session(&candidate.session_id).await["drawings"], json!({ question: drawing }));
}

#[tokio::test]
async fn times_on_questions_reach_the_stored_session() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let mut times = BTreeMap::new();
    for (place, id) in candidate.paper.clone().into_iter().enumerate() {
        let seconds = 10 + place;
        candidate.send(json!({ "type": "answer", "questionId": id, "selected": "A", "timeTaken": seconds })).await;
        times.insert(id, seconds);
    }
    let result = candidate.submit().await["result"].clone();
    for line in result["answers"].as_array().unwrap() {
        assert_eq!(line["timeTaken"], times[line["questionId"].as_str().unwrap()], "{line}");
    }
}
