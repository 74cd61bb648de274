//! Options in an order of each student's own: frames tell it, everything else has the letters of the bank, and it stays
//! wherever the test goes on.

use std::collections::{BTreeMap, BTreeSet};

use domain::option_order::OptionOrder;
use serde_json::{Value, json};

use super::{answer_all, fresh_key, selected};
use crate::hall::{Bank, Candidate, Hall, answer, assert_result, ids};

/// Most questions of the bank have options that may stand in another order, and few draws give that of the bank.
const MOST: usize = 25;

/// The orders that a frame tells: each is one of the options of a question that it is about.
#[track_caller]
fn orders(frame: &Value, bank: &Bank) -> BTreeMap<String, String> {
    let told = frame["optionOrder"].as_object().unwrap_or_else(|| panic!("no orders: {frame}"));
    assert!(!told.is_empty(), "absent without any: {frame}");
    let order = |(id, order): (&String, &Value)| {
        let order = order.as_str().unwrap();
        let count = OptionOrder::parse(order).map(OptionOrder::count);
        assert_eq!(count, Some(bank.question(id)["options"].as_array().unwrap().len()), "{id}: {order}");
        (id.clone(), order.to_owned())
    };
    told.iter().map(order).collect()
}

fn keys(orders: &BTreeMap<String, String>) -> BTreeSet<&String> {
    orders.keys().collect()
}

#[tokio::test]
async fn each_student_sees_an_order_of_their_own_on_both_roads() {
    let mut hall = Hall::open().await;
    let bank = hall.bank(5).await;
    // The same questions for both.
    let chosen: Vec<String> = bank.ids().into_iter().take(40).collect();
    let test = json!({ "grade": 5, "questionIds": chosen, "shuffleOptions": true, "durationMinutes": 60 });
    let mut one = hall.sit(test.clone()).await;
    let mut other = Candidate::start_by_https(&hall.base(), &test).await;
    let (of_one, of_other) = (orders(&one.started, &bank), orders(&other.started, &bank));
    assert!(of_one.len() > MOST && of_other.len() > MOST, "{} and {}", of_one.len(), of_other.len());
    let same = of_one.iter().filter(|(id, order)| of_other.get(*id) == Some(*order)).count();
    assert!(same < of_one.len() / 2, "{same} of {} are the same", of_one.len());
    assert!(keys(&of_one).iter().all(|id| one.paper.contains(id)));

    // It stays: on another road, on another connection, on another device, and after the server has been replaced.
    for (candidate, known) in [(&mut one, &of_one), (&mut other, &of_other)] {
        assert_eq!(&orders(&candidate.state().await, &bank), known, "over HTTPS");
        assert_eq!(&orders(&candidate.resume().await, &bank), known, "on another socket");
    }
    // With work that is saved, and without any.
    one.answer(&one.paper[0].clone(), "C").await;
    hall.restart().await;
    for (candidate, known) in [(&mut one, &of_one), (&mut other, &of_other)] {
        candidate.move_to(&hall.base());
        assert_eq!(&orders(&candidate.resume().await, &bank), known, "after a restart");
        assert_eq!(&orders(&candidate.state().await, &bank), known);
    }
    assert_eq!(selected(&one.state().await, &one.paper[0]).as_deref(), Some("C"), "as it was sent");

    // What is sent and graded are the letters of the bank.
    let right: Vec<String> = one.paper.iter().take(7).cloned().collect();
    let choices = answer_all(&mut one, &bank, &right).await;
    let submitted = one.submit().await;
    assert!(submitted.get("optionOrder").is_none(), "{submitted}");
    assert_result(&submitted["result"], &bank, &one.paper, &choices);
    let stored = hall.stored_session(&one.session_id).await;
    assert_eq!(stored["optionOrder"], json!(of_one), "{stored}");
    // Staff of whatever grade compare it with the master copy; nobody else is told to.
    let path = format!("/api/sessions/{}", one.session_id);
    for (caller, is_staff) in [
        (hall.anonymous(), false),
        (hall.signed_in("student").await, false),
        (hall.signed_in("admin").await, true),
        (hall.staff_of("reviewer", 5).await, true),
    ] {
        let read = caller.get(&path).await.json();
        assert_eq!(read.get("masterLetters"), is_staff.then_some(&json!(true)), "{read}");
        assert_eq!(read["optionOrder"], json!(of_one));
    }
    let resumed = one.state().await;
    assert_eq!((&resumed["state"], &orders(&resumed, &bank)), (&json!("submitted"), &of_one));
}

#[tokio::test]
async fn another_server_tells_the_same_order() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 40, "shuffleOptions": true })).await;
    let known = orders(&candidate.started, &bank);
    let beside = hall.beside().await;
    candidate.move_to(&beside.base());
    assert_eq!(orders(&candidate.resume().await, &bank), known);
    candidate.answer(&candidate.paper[0].clone(), "A").await;
    assert_eq!(orders(&candidate.state().await, &bank), known);
}

#[tokio::test]
async fn nothing_is_told_unless_somebody_asks() {
    let hall = Hall::open().await;
    for asked in [
        json!({ "grade": 5 }),
        json!({ "grade": 5, "shuffleOptions": false }),
        json!({ "grade": 5, "shuffleOptions": null }),
    ] {
        let mut candidate = hall.sit(asked.clone()).await;
        let by_https = Candidate::start_by_https(&hall.base(), &asked).await.started;
        let (state, resumed) = (candidate.state().await, candidate.resume().await);
        for frame in [&candidate.started, &by_https, &state, &resumed] {
            let names = frame.as_object().unwrap();
            assert!(!names.contains_key("optionOrder") && !names.contains_key("form"), "{asked}: {frame}");
        }
    }
    let answer = hall.anonymous().post_json("/api/live", &json!({ "grade": 5, "shuffleOptions": "yes" })).await;
    answer.assert_fault(400, "shuffleOptions has the wrong type", "bad_message");
}

#[tokio::test]
async fn a_start_that_is_repeated_gives_the_same_order() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let asked = json!({ "grade": 5, "shuffleOptions": true, "key": fresh_key() });
    let first = Candidate::start_by_https(&hall.base(), &asked).await;
    let again = Candidate::start_by_https(&hall.base(), &asked).await;
    assert_eq!((&again.started["type"], &again.session_id), (&json!("resumed"), &first.session_id));
    assert_eq!(orders(&again.started, &bank), orders(&first.started, &bank));
}

#[tokio::test]
async fn the_second_stage_goes_on_as_the_first_began() {
    let mut hall = Hall::open().await;
    let bank = hall.bank(8).await;
    for shuffles in [true, false] {
        let mut candidate = hall.sit(json!({ "grade": 8, "mode": "adaptive", "shuffleOptions": shuffles })).await;
        assert_eq!(candidate.started.get("optionOrder").is_some(), shuffles);
        let first = candidate.paper.clone();
        answer_all(&mut candidate, &bank, &first).await;
        let stage = candidate.next().await;
        assert_eq!(stage.get("optionOrder").is_some(), shuffles, "{stage}");
        if !shuffles {
            assert!(candidate.resume().await.get("optionOrder").is_none());
            continue;
        }
        let (of_first, of_second) = (orders(&candidate.started, &bank), orders(&stage, &bank));
        assert!(of_first.len() > 10 && of_second.len() > 10, "{} and {}", of_first.len(), of_second.len());
        assert!(of_second.keys().all(|id| ids(&stage["questionIds"]).contains(id)), "its own questions alone");
        let both: BTreeMap<String, String> = of_first.into_iter().chain(of_second).collect();
        assert_eq!(orders(&candidate.state().await, &bank), both);
        hall.restart().await;
        candidate.move_to(&hall.base());
        assert_eq!(orders(&candidate.resume().await, &bank), both);
        candidate.send(answer(&candidate.paper[0].clone(), "B")).await;
        candidate.submit().await;
        assert_eq!(hall.stored_session(&candidate.session_id).await["optionOrder"], json!(both));
    }
}
