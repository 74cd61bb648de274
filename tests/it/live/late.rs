//! Work that comes after the end: it is kept on both roads, shown, decided about, and changes nothing before that.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::short_test;
use crate::hall::{Answer, Bank, Caller, Candidate, Hall, Hold, answer, assert_result, eventually};

const MINUTE: Duration = Duration::from_secs(60);

/// A student who was offline at the end of the test, and the staff who decide.
struct Late {
    hall: Hall,
    bank: Bank,
    admin: Caller,
    ada: Candidate,
}

impl Late {
    /// Ada answers her first question in time, and is then away until four minutes after the end.
    async fn new() -> Self {
        Self::of(short_test()).await
    }

    async fn of(test: Value) -> Self {
        let hall = Hall::open().await;
        let bank = hall.bank(5).await;
        let admin = hall.signed_in("admin").await;
        let mut ada = hall.sit(test).await;
        let first = ada.paper[0].clone();
        ada.answer(&first, bank.key(&first)).await;
        ada.cut();
        let late = Self { hall, bank, admin, ada };
        late.disconnected().await;
        late.hall.clock.advance(34 * MINUTE);
        late.ended().await;
        late
    }

    /// Waits until the server has noted that she is gone.
    async fn disconnected(&self) {
        let path = format!("/api/live/sessions/{}/events", self.ada.session_id);
        eventually("the end of the connection on the record", async || {
            let events = self.admin.get(&path).await.json();
            events["events"].as_array().unwrap().iter().any(|event| event["kind"] == "disconnected").then_some(())
        })
        .await;
    }

    /// Waits for the end as staff do: a student's own look at the report would show them the key.
    async fn ended(&self) {
        let path = format!("/api/sessions/{}", self.ada.session_id);
        let asking = async || Some(self.admin.get(&path).await).filter(|answer| answer.status == 200);
        eventually("the test has ended", asking).await;
    }

    fn path(&self) -> String {
        format!("/api/live/sessions/{}/late", self.ada.session_id)
    }

    async fn read(&self) -> Value {
        let answer = self.admin.get(&self.path()).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    async fn decide(&self, body: Value) -> Answer {
        self.admin.post_json(&self.path(), &body).await
    }

    async fn decided(&self, body: Value) -> Value {
        let answer = self.decide(body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Decides about the version of the session with this tag.
    async fn decide_about(&self, tag: &str, body: &Value) -> Answer {
        Answer::to(self.admin.request(Method::POST, &self.path()).header("if-match", tag).json(body)).await
    }

    /// The student, or whoever else has the id, reads the report.
    async fn read_report(&self) -> Answer {
        self.hall.anonymous().get(&format!("/api/sessions/{}", self.ada.session_id)).await
    }

    async fn versions(&self) -> Value {
        self.admin.get(&format!("/api/sessions/{}/versions", self.ada.session_id)).await.json()["versions"].clone()
    }

    /// The detail of the last event on the record.
    async fn last_detail(&self) -> Value {
        let record = self.admin.get(&format!("/api/live/sessions/{}/events", self.ada.session_id)).await.json();
        record["events"].as_array().unwrap().last().unwrap()["detail"].clone()
    }

    /// Sends right answers to these questions of the paper by HTTPS, as of the line that she has.
    async fn send_right(&mut self, places: std::ops::Range<usize>) -> Value {
        let answers: Vec<Value> =
            places.map(|place| answer(&self.ada.paper[place], self.bank.key(&self.ada.paper[place]))).collect();
        self.send(answers).await
    }

    async fn send(&mut self, commands: Vec<Value>) -> Value {
        let seqs: Vec<u64> = commands.into_iter().map(|command| self.ada.act(command)).collect();
        self.ada.post(&seqs).await
    }

    async fn session(&self) -> Value {
        self.admin.get(&format!("/api/sessions/{}", self.ada.session_id)).await.json()
    }

    /// What her row of the results tells of her late work.
    async fn shown_in_results(&self) -> Value {
        let results = self.admin.get("/api/manager/results?grade=5").await.json();
        let rows = results["rows"].as_array().unwrap();
        let row = rows.iter().find(|one| one["sessionId"] == self.ada.session_id.as_str());
        row.unwrap()["late"].clone()
    }
}

/// Whether each of the answers of a request says that its command is kept.
fn kept(performed: &Value) -> Vec<bool> {
    let replies = performed["replies"].as_array().unwrap();
    let late = |reply: &Value| {
        assert_eq!((&reply["type"], &reply["code"]), (&json!("error"), &json!("late")), "{reply}");
        reply["kept"].as_bool().unwrap()
    };
    replies.iter().map(late).collect()
}

#[tokio::test]
async fn those_who_decide_learn_in_which_order_the_student_saw_the_options() {
    let mut test = short_test();
    test["shuffleOptions"] = json!(true);
    let mut late = Late::of(test).await;
    let seen = late.ada.started["optionOrder"].clone();
    late.send_right(1..10).await;
    let (paper, changes) = (late.ada.paper.clone(), late.read().await["changes"].clone());
    assert_eq!(changes.as_array().unwrap().len(), 9);
    for (change, id) in changes.as_array().unwrap().iter().zip(&paper[1..]) {
        assert_eq!((&change["questionId"], &change["after"]), (&json!(id), &json!(late.bank.key(id))));
        assert_eq!(change.get("order"), seen.get(id), "{change}");
    }
    assert!(changes.as_array().unwrap().iter().any(|change| change.get("order").is_some()), "{changes}");
}

#[tokio::test]
async fn what_comes_late_is_kept_and_changes_nothing_until_it_is_accepted() {
    let mut late = Late::new().await;
    let before = late.session().await;
    let performed = late.send_right(1..10).await;
    assert_eq!((kept(&performed), &performed["state"]), (vec![true; 9], &json!("submitted")));
    assert_eq!(late.session().await, before, "nothing has changed");
    let seen = late.read().await;
    assert_eq!((seen["seen"].as_u64(), seen["changes"].as_array().unwrap().len()), (Some(9), 9));
    assert_eq!(seen["score"], json!({ "before": before["result"]["score"], "after": 800 }));
    let change = &seen["changes"][0];
    let question = &late.ada.paper[1];
    assert_eq!(
        (&change["questionId"], &change["number"], &change["before"], &change["after"], &change["at"]),
        (&json!(question), &json!(2), &json!(null), &json!(late.bank.key(question)), &json!(null))
    );
    assert!(change.get("order").is_none(), "options stood as in the bank: {change}");
    let decided = late.decided(json!({ "decision": "accept", "comment": "The network was away", "seen": 9 })).await;
    assert_eq!(
        (&decided["version"], &decided["accepted"], &decided["score"]["after"]),
        (&json!(2), &json!(9), &json!(800))
    );
    let after = late.session().await;
    assert_eq!((&after["version"], &after["reason"]), (&json!(2), &json!("late_work")));
    assert_eq!(after["previous"], json!({ "version": 1, "score": before["result"]["score"] }));
    // The score is that of one who was online.
    let choices: BTreeMap<String, String> =
        late.ada.paper.iter().map(|id| (id.clone(), late.bank.key(id).to_owned())).collect();
    assert_result(&after["result"], &late.bank, &late.ada.paper, &choices);
    let versions = late.admin.get(&format!("/api/sessions/{}/versions", late.ada.session_id)).await.json();
    assert_eq!(versions["versions"][1]["comment"], "The network was away");
    let record = late.admin.get(&format!("/api/live/sessions/{}/events", late.ada.session_id)).await.json();
    let last = record["events"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["kind"], &last["detail"]), (&json!("late_accepted"), &json!("9 changes; The network was away")));
}

/// Whether each of the answers to commands after an order's end says that its command is kept; null where it says
/// nothing of that.
fn kept_after_an_end(performed: &Value) -> Vec<Value> {
    let replies = performed["replies"].as_array().unwrap();
    let of_end = |reply: &Value| {
        assert_eq!((&reply["type"], &reply["code"]), (&json!("error"), &json!("already_submitted")), "{reply}");
        reply["kept"].clone()
    };
    replies.iter().map(of_end).collect()
}

#[tokio::test]
async fn what_a_device_held_when_a_proctor_ended_the_test_is_kept_and_counts_when_it_is_accepted() {
    let hall = Hall::open().await;
    let (bank, admin) = (hall.bank(5).await, hall.signed_in("admin").await);
    let ada = hall.sit(short_test()).await;
    let mut late = Late { hall, bank, admin, ada };
    late.ada.cut();
    late.disconnected().await;
    let finish = json!({ "id": super::fresh_key(), "type": "finish" });
    let ordered = late.admin.post_json(&format!("/api/live/sessions/{}/orders", late.ada.session_id), &finish).await;
    assert_eq!(ordered.status, 200, "{}", ordered.text());
    late.ended().await;
    assert_eq!(kept_after_an_end(&late.send_right(0..2).await), [json!(true), json!(true)]);
    let seen = late.read().await;
    assert_eq!((&seen["seen"], &seen["late"]["changes"]), (&json!(2), &json!(2)));
    assert!(seen["late"]["offlineSince"].is_string(), "{seen}");
    assert_eq!(late.session().await["version"], 1, "nothing has changed");
    let decided = late.decided(json!({ "decision": "accept", "comment": "", "seen": 2 })).await;
    assert_eq!((&decided["version"], &decided["accepted"]), (&json!(2), &json!(2)));
    assert_eq!(late.session().await["result"]["correctAnswers"], 2);
}

#[tokio::test]
async fn what_comes_after_the_students_own_submission_is_refused() {
    let hall = Hall::open().await;
    let (bank, admin) = (hall.bank(5).await, hall.signed_in("admin").await);
    let mut ada = hall.sit(short_test()).await;
    ada.submit().await;
    let mut late = Late { hall, bank, admin, ada };
    assert_eq!(kept_after_an_end(&late.send_right(0..2).await), [Value::Null, Value::Null]);
    assert_eq!(late.read().await["seen"], 0);
}

#[tokio::test]
async fn what_a_device_held_at_a_proctors_end_is_kept_after_a_submission_at_another_one() {
    let hall = Hall::open().await;
    let (bank, admin) = (hall.bank(5).await, hall.signed_in("admin").await);
    let ada = hall.sit(short_test()).await;
    let mut late = Late { hall, bank, admin, ada };
    late.ada.cut();
    late.disconnected().await;
    let path = format!("/api/live/sessions/{}/orders", late.ada.session_id);
    for kind in ["finish", "reopen"] {
        let ordered = late.admin.post_json(&path, &json!({ "id": super::fresh_key(), "type": kind })).await;
        assert_eq!(ordered.status, 200, "{}", ordered.text());
        if kind == "finish" {
            late.ended().await;
        }
    }
    late.ada.elsewhere(&late.hall.base()).await.submit().await;
    assert_eq!(kept_after_an_end(&late.send_right(0..2).await), [json!(true), json!(true)]);
    assert_eq!(late.read().await["late"]["changes"], 2);
}

#[tokio::test]
async fn a_receipt_names_the_commands_that_count() {
    let mut late = Late::new().await;
    late.send_right(1..10).await;
    // Nobody asks for a receipt before the next decision.
    for (decision, version) in [("accept", 2), ("decline", 3)] {
        assert_eq!(late.decided(json!({ "decision": decision })).await["version"], version);
    }
    let mut said = Vec::new();
    for version in 1..=3 {
        let jws = late.hall.receipt(&late.admin, &late.ada.session_id, &format!("?version={version}")).await;
        said.push(late.hall.verified(&jws).await);
    }
    let counted = late.ada.paper.iter().zip(1..);
    let counted: Vec<Value> = counted.map(|(id, seq): (&String, u64)| json!([id, late.bank.key(id), seq])).collect();
    assert_eq!((&said[1]["answers"], &said[1]["seq"]), (&json!(counted), &json!(10)));
    assert_eq!((&said[2]["answers"], &said[2]["seq"]), (&said[0]["answers"], &json!(1)));
}

#[tokio::test]
async fn accepted_work_that_changes_nothing_makes_no_version() {
    let mut late = Late::new().await;
    late.send_right(0..1).await;
    let accepted = late.decided(json!({ "decision": "accept" })).await;
    assert_eq!(
        (&accepted["version"], &accepted["isNewVersion"], &accepted["accepted"]),
        (&json!(1), &json!(false), &json!(1))
    );
    let jws = late.hall.receipt(&late.admin, &late.ada.session_id, "?version=1").await;
    let (said, first) = (late.hall.verified(&jws).await, &late.ada.paper[0]);
    assert_eq!(said["answers"][0], json!([first, late.bank.key(first), 1]), "the choice of the command in time");
}

#[tokio::test]
async fn what_says_no_more_than_what_stands_is_kept_and_is_no_change() {
    let mut late = Late::new().await;
    let mut same = answer(&late.ada.paper[0], late.bank.key(&late.ada.paper[0]));
    same["timeTaken"] = json!(9);
    assert_eq!(kept(&late.send(vec![same]).await), [true]);
    let seen = late.read().await;
    assert_eq!((&seen["seen"], &seen["late"]["changes"]), (&json!(1), &json!(0)));
    late.send_right(1..2).await;
    assert_eq!(late.read().await["late"]["changes"], 1);
}

#[tokio::test]
async fn the_socket_answers_late_too_when_it_is_kept_also_without_a_seat() {
    let mut late = Late::new().await;
    // The seat leaves memory long before.
    late.hall.clock.advance(60 * MINUTE);
    late.hall.restart().await;
    late.admin = late.hall.signed_in("admin").await;
    late.ada.move_to(&late.hall.base());
    assert_eq!(late.ada.resume().await["state"], "submitted");
    let question = late.ada.paper[3].clone();
    let at = "2026-01-05T09:29:00.000Z";
    let mut command = answer(&question, "C");
    command["at"] = json!(at);
    let seq = late.ada.send(command).await;
    let error = late.ada.socket().expect_error("late").await;
    assert_eq!((&error["kept"], &error["seq"]), (&json!(true), &json!(seq)));
    let seen = late.admin.get(&late.path()).await.json();
    assert_eq!((&seen["commands"][0]["at"], &seen["commands"][0]["selected"]), (&json!(at), &json!("C")));
    // The same command again, on both roads, is counted once.
    late.ada.carry(seq).await;
    assert_eq!(late.ada.socket().expect_error("late").await["kept"], true);
    assert_eq!(kept(&late.ada.post(&[seq]).await), [true]);
    assert_eq!(late.read().await["seen"], 1);
}

#[tokio::test]
async fn what_was_saved_in_time_is_not_late() {
    let mut late = Late::new().await;
    assert_eq!(kept(&late.ada.post(&[1]).await), [true]);
    let seen = late.read().await;
    assert_eq!((&seen["late"], &seen["commands"]), (&json!(null), &json!([])));
    late.decide(json!({ "decision": "accept", "comment": "" })).await.assert_fault(
        409,
        "There is no late work that could be decided about so",
        "nothing_late",
    );
}

#[tokio::test]
async fn a_decision_is_taken_back_by_its_opposite() {
    let mut late = Late::new().await;
    let before = late.session().await["result"].clone();
    late.send_right(1..4).await;
    let declined = late.decided(json!({ "decision": "decline", "comment": "" })).await;
    assert_eq!((&declined["version"], &declined["isNewVersion"]), (&json!(1), &json!(false)));
    let accepted = late.decided(json!({ "decision": "accept", "comment": "" })).await;
    assert_eq!((&accepted["version"], &accepted["accepted"], &accepted["declined"]), (&json!(2), &json!(3), &json!(0)));
    let reverted = late.decided(json!({ "decision": "decline", "comment": "Not so" })).await;
    assert_eq!((&reverted["version"], &reverted["accepted"]), (&json!(3), &json!(0)));
    let session = late.session().await;
    assert_eq!((&session["result"], &session["reason"]), (&before, &json!("reverted")));
    let again = late.decided(json!({ "decision": "accept", "comment": "" })).await;
    assert_eq!(again["version"], 4);
    let same = late.decided(json!({ "decision": "accept", "comment": "" })).await;
    assert_eq!((&same["version"], &same["isNewVersion"]), (&json!(4), &json!(false)));
}

#[tokio::test]
async fn a_part_can_be_accepted_by_question_and_by_time() {
    let mut late = Late::new().await;
    let mut commands: Vec<Value> =
        (1..5).map(|place| answer(&late.ada.paper[place], late.bank.key(&late.ada.paper[place]))).collect();
    let now = late.hall.clock.now();
    for (minutes, command) in (1..).zip(&mut commands) {
        command["at"] = json!(now.plus(minutes * 60_000 - 600_000).iso());
    }
    late.send(commands).await;
    let until = now.plus(2 * 60_000 - 600_000).iso();
    let decided = late.decided(json!({ "decision": "accept", "comment": "", "until": until })).await;
    assert_eq!(decided["accepted"], 2);
    let question = &late.ada.paper[4];
    let decided = late.decided(json!({ "decision": "accept", "comment": "", "questionIds": [question] })).await;
    assert_eq!((&decided["accepted"], &decided["version"]), (&json!(3), &json!(3)));
    assert_eq!(late.session().await["result"]["correctAnswers"], 4);
    for body in [
        json!({ "decision": "perhaps", "comment": "" }),
        json!({ "decision": "accept", "until": "soon" }),
        json!({ "decision": "accept", "questionIds": "q" }),
        json!({ "decision": "accept", "seen": -1 }),
        json!({}),
    ] {
        late.decide(body).await.assert_some_error(400);
    }
}

#[tokio::test]
async fn what_nobody_has_seen_is_not_decided_about() {
    let mut late = Late::new().await;
    late.send_right(1..3).await;
    late.send_right(3..4).await;
    late.decide(json!({ "decision": "accept", "comment": "", "seen": 2 })).await.assert_fault(
        412,
        "More late work has come: look at it first",
        "late_work_changed",
    );
    assert_eq!(late.session().await["version"], 1);
    assert_eq!(late.decided(json!({ "decision": "accept", "comment": "", "seen": 3 })).await["accepted"], 3);
}

#[tokio::test]
async fn decisions_at_once_follow_one_another() {
    let mut late = Late::new().await;
    late.send_right(1..10).await;
    let accept = json!({ "decision": "accept", "comment": "", "seen": 9 });
    let decline = json!({ "decision": "decline", "comment": "", "seen": 9 });
    let answers =
        join_all((0..8).map(|turn| late.decide(if turn % 2 == 0 { accept.clone() } else { decline.clone() }))).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
    let seen = late.read().await;
    let states: Vec<&Value> = seen["commands"].as_array().unwrap().iter().map(|one| &one["state"]).collect();
    assert!(states.windows(2).all(|pair| pair[0] == pair[1]), "{states:?}");
    let expected = if states[0] == "accepted" { 10 } else { 1 };
    assert_eq!(late.session().await["result"]["correctAnswers"], expected);
}

#[tokio::test]
async fn what_came_after_the_student_saw_the_key_needs_force() {
    let mut late = Late::new().await;
    late.send_right(1..2).await;
    let report = late.hall.anonymous().get(&format!("/api/sessions/{}", late.ada.session_id)).await;
    assert_eq!(report.status, 200, "the student reads the report");
    late.hall.clock.advance(MINUTE);
    let before = json!({ "decision": "accept", "comment": "", "seen": 1 });
    assert_eq!(late.decided(before).await["accepted"], 1, "what was here before the key was seen is not tainted");
    late.send_right(2..10).await;
    late.decide(json!({ "decision": "accept", "comment": "" })).await.assert_fault(
        409,
        "The student may have seen the answers before this work came: accept it with force",
        "answers_seen",
    );
    let forced = late.decided(json!({ "decision": "accept", "comment": "I was there", "force": true })).await;
    assert_eq!(forced["accepted"], 9);
    let versions = late.admin.get(&format!("/api/sessions/{}/versions", late.ada.session_id)).await.json();
    assert_eq!(versions["versions"][2]["comment"], "Accepted after the student had seen the answers. I was there");
    let record = late.admin.get(&format!("/api/live/sessions/{}/events", late.ada.session_id)).await.json();
    let last = record["events"].as_array().unwrap().last().unwrap();
    assert!(last["detail"].as_str().unwrap().contains("although the student had seen the answers"), "{last}");
}

#[tokio::test]
async fn force_that_was_not_needed_says_nothing_of_the_student() {
    let mut late = Late::new().await;
    late.send_right(1..3).await;
    assert_eq!(late.read_report().await.status, 200);
    late.hall.clock.advance(MINUTE);
    late.send_right(3..10).await;
    let early = json!({
        "decision": "accept", "questionIds": late.ada.paper[1..3], "comment": "The network was away", "force": true,
    });
    assert_eq!(late.decided(early).await["accepted"], 2);
    assert_eq!(late.versions().await[1]["comment"], "The network was away");
    assert_eq!(late.last_detail().await, "2 changes; The network was away");
    let all = json!({ "decision": "accept", "force": true });
    assert_eq!(late.decided(all.clone()).await["accepted"], 9);
    assert_eq!(late.versions().await[2]["comment"], "Accepted after the student had seen the answers");
    assert_eq!(late.last_detail().await, "9 changes; although the student had seen the answers");
    // What counts already was decided about then.
    assert_eq!(late.decided(all).await["isNewVersion"], false);
    assert_eq!(late.last_detail().await, "9 changes");
    late.decided(json!({ "decision": "decline", "force": true })).await;
    assert_eq!(late.versions().await[3]["comment"], Value::Null);
    assert_eq!(late.last_detail().await, "9 changes");
}

#[tokio::test]
async fn that_the_student_saw_the_key_is_noted_also_days_later_and_once() {
    let mut late = Late::new().await;
    late.hall.clock.advance(25 * 60 * MINUTE);
    assert_eq!(late.read().await["answersSeenAt"], Value::Null);
    assert_eq!(late.read_report().await.status, 200);
    let noted = late.read().await["answersSeenAt"].clone();
    assert!(noted.is_string(), "{noted}");
    late.hall.clock.advance(MINUTE);
    // The next look writes nothing: it does not wait for those who do.
    let on_postgres = "LOCK TABLE attempts IN EXCLUSIVE MODE";
    let hold = Hold::take(&late.hall, "DELETE FROM late_works WHERE commands < 0", on_postgres).await;
    assert_eq!(late.read_report().await.status, 200);
    hold.release().await;
    assert_eq!(late.read().await["answersSeenAt"], noted);
    late.send_right(1..3).await;
    late.decide(json!({ "decision": "accept" })).await.assert_fault(
        409,
        "The student may have seen the answers before this work came: accept it with force",
        "answers_seen",
    );
}

#[tokio::test]
async fn a_server_that_only_reads_shows_no_key_that_it_cannot_note() {
    let late = Late::new().await;
    late.hall.clock.advance(60 * MINUTE);
    let reader = Hall::with_store_of(&late.hall, &[("READ_ONLY", "true")]).await;
    let path = format!("/api/sessions/{}", late.ada.session_id);
    reader.anonymous().get(&path).await.assert_fault(
        503,
        "Nothing can be saved at the moment: the service is under maintenance and only reads",
        "read_only",
    );
    assert_eq!(late.read_report().await.status, 200);
    assert_eq!(reader.anonymous().get(&path).await.status, 200, "it is noted by now");
}

#[tokio::test]
async fn a_decision_about_another_version_is_refused() {
    let mut late = Late::new().await;
    late.send_right(1..4).await;
    let (accept, decline) = (json!({ "decision": "accept" }), json!({ "decision": "decline" }));
    let refused = async |late: &Late, tag: &str, body: &Value| {
        late.decide_about(tag, body).await.assert_fault(412, "Session has changed", "session_changed");
    };
    refused(&late, "\"2\"", &accept).await;
    // Also where nothing would be appended.
    refused(&late, "\"0\", W/\"2\"", &decline).await;
    assert_eq!(late.read().await["commands"][0]["state"], "pending", "nothing was decided");
    let accepted = late.decide_about("\"1\"", &accept).await;
    assert_eq!((accepted.status, &accepted.json()["version"]), (200, &json!(2)), "{}", accepted.text());
    refused(&late, "\"1\"", &accept).await;
    refused(&late, "\"1\"", &decline).await;
    let same = late.decide_about("*", &accept).await;
    assert_eq!((same.status, &same.json()["isNewVersion"]), (200, &json!(false)), "{}", same.text());
    // The list of versions tells the tag.
    let listed = late.admin.get(&format!("/api/sessions/{}/versions", late.ada.session_id)).await;
    let declined = late.decide_about(listed.header("etag"), &decline).await;
    assert_eq!((declined.status, &declined.json()["version"]), (200, &json!(3)), "{}", declined.text());
}

#[tokio::test]
async fn what_cannot_count_is_kept_out_with_a_reason() {
    let mut late = Late::new().await;
    let drawing = json!({ "type": "drawing", "questionId": late.ada.paper[1], "drawing": { "strokes": [1] } });
    let commands =
        vec![answer("g5-elsewhere", "A"), answer(&late.ada.paper[1], "B"), answer(&late.ada.paper[1], "C"), drawing];
    let performed = late.send(commands).await;
    assert_eq!(kept(&performed), [true; 4]);
    let seen = late.read().await;
    let reasons: Vec<&Value> = seen["commands"].as_array().unwrap().iter().map(|one| &one["keptOut"]).collect();
    assert_eq!(reasons, [&json!("unknown_question"), &json!("superseded"), &json!(null), &json!(null)]);
    late.decided(json!({ "decision": "accept", "comment": "" })).await;
    let session = late.session().await;
    let line = session["result"]["answers"].as_array().unwrap()[1].clone();
    assert_eq!((&line["questionId"], &line["selected"]), (&json!(late.ada.paper[1]), &json!("C")));
    assert_eq!(session["drawings"][&late.ada.paper[1]], json!({ "strokes": [1] }));
    late.decided(json!({ "decision": "decline", "comment": "" })).await;
    assert_eq!(late.session().await.get("drawings").unwrap_or(&json!(null)), &json!(null));
    late.decide(json!({ "decision": "accept", "comment": "", "questionIds": ["g5-elsewhere"] }))
        .await
        .assert_some_error(409);
}

#[tokio::test]
async fn a_second_part_that_was_never_reached_is_kept_out() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut ada = hall.sit(json!({ "grade": 5, "mode": "adaptive" })).await;
    let first = ada.paper.clone();
    ada.cut();
    hall.clock.advance(71 * MINUTE);
    let path = format!("/api/sessions/{}", ada.session_id);
    eventually("the test has ended", async || Some(admin.get(&path).await).filter(|answer| answer.status == 200)).await;
    let second = crate::hall::ids(&ada.state().await["questionIds"]);
    assert!(second.iter().all(|id| !first.contains(id)) && second.len() == 20);
    let seqs = [ada.act(answer(&second[0], "A")), ada.act(answer(&first[0], "A"))];
    assert_eq!(kept(&ada.post(&seqs).await), [true, true]);
    let late = format!("/api/live/sessions/{}/late", ada.session_id);
    let seen = admin.get(&late).await.json();
    let reasons: Vec<&Value> = seen["commands"].as_array().unwrap().iter().map(|one| &one["keptOut"]).collect();
    assert_eq!(reasons, [&json!("stage_not_reached"), &json!(null)]);
    let decided = admin.post_json(&late, &json!({ "decision": "accept", "comment": "" })).await;
    assert_eq!((decided.status, &decided.json()["accepted"]), (200, &json!(1)), "{}", decided.text());
}

#[tokio::test]
async fn a_newer_device_stands_also_against_what_comes_late() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut ada = hall.sit(short_test()).await;
    let question = ada.paper[0].clone();
    ada.cut();
    let mut other = crate::hall::LiveSocket::connect(&hall.base(), &[]).await.unwrap();
    other.send(&json!({ "type": "resume", "sessionId": ada.session_id, "token": ada.token, "line": 0 })).await;
    let line = other.expect("resumed").await["line"].clone();
    other.send(&json!({ "type": "answer", "seq": 1, "line": line, "questionId": question, "selected": "D" })).await;
    other.expect_saved(1).await;
    drop(other);
    // Before the end, or the key would be sent to a socket that nobody reads.
    let events = format!("/api/live/sessions/{}/events", ada.session_id);
    eventually("the end of the connection on the record", async || {
        let events = admin.get(&events).await.json();
        let of_connection = |event: &&Value| event["kind"].as_str().unwrap().ends_with("connected");
        let last = events["events"].as_array().unwrap().iter().rfind(of_connection).cloned();
        (last?["kind"] == "disconnected").then_some(())
    })
    .await;
    hall.clock.advance(34 * MINUTE);
    let path = format!("/api/sessions/{}", ada.session_id);
    eventually("the test has ended", async || Some(admin.get(&path).await).filter(|answer| answer.status == 200)).await;
    let older = json!({ "type": "answer", "line": 1, "questionId": question, "selected": "A" });
    let seq = ada.act(older);
    assert_eq!(kept(&ada.post(&[seq]).await), [true]);
    let late = format!("/api/live/sessions/{}/late", ada.session_id);
    assert_eq!(admin.get(&late).await.json()["commands"][0]["keptOut"], "superseded");
    assert_eq!(admin.post_json(&late, &json!({ "decision": "accept", "comment": "" })).await.status, 200);
    assert_eq!(admin.get(&path).await.json()["result"]["answers"][0]["selected"], "D");
}

#[tokio::test]
async fn there_is_room_for_so_much_and_so_long() {
    let mut late = Late::new().await;
    // In requests at once, on two servers, so that the count is one.
    let beside = late.hall.beside().await;
    beside.clock.advance(34 * MINUTE);
    let drawing = |place: usize, seq: u64| {
        json!({
            "type": "drawing", "seq": seq, "questionId": late.ada.paper[place], "drawing": { "p": "x".repeat(50_000) },
        })
    };
    let callers = [late.ada.caller(), Caller::new(&beside.base(), Some(&late.ada.token))];
    let path = format!("/api/live/{}/commands", late.ada.session_id);
    let posting = (0..10_usize).map(|turn| {
        let body = json!({ "commands": [drawing(turn, 100 + turn as u64)] });
        let (caller, path) = (callers[turn % 2].clone(), path.clone());
        async move { kept(&caller.post_json(&path, &body).await.json())[0] }
    });
    let outcomes = join_all(posting).await;
    assert_eq!(outcomes.iter().filter(|is_kept| **is_kept).count(), 5, "256 KiB have room for five of 50 kB");
    assert_eq!(kept(&late.send_right(1..3).await), [true, true], "what is smaller still fits");
    late.hall.clock.advance(48 * 60 * MINUTE);
    assert_eq!(kept(&late.send_right(3..4).await), [false], "48 hours after the end");
    let first = late.ada.seq - 1;
    assert_eq!(kept(&late.ada.post(&[first]).await), [true], "what was kept is kept");
}

#[tokio::test]
async fn only_who_may_order_decides_and_only_about_what_has_ended() {
    let mut late = Late::new().await;
    late.send_right(1..2).await;
    let (path, accept) = (late.path(), json!({ "decision": "accept", "comment": "" }));
    for (caller, status) in [
        (late.hall.anonymous(), 401),
        (late.hall.signed_in("student").await, 403),
        (late.hall.staff_of("reviewer", 6).await, 403),
        (late.ada.caller(), 401),
    ] {
        caller.get(&path).await.assert_some_error(status);
        caller.post_json(&path, &accept).await.assert_some_error(status);
    }
    let unknown = format!("/api/live/sessions/{}/late", Uuid::new_v4());
    late.admin.get(&unknown).await.assert_fault(404, "Session not found", "unknown_session");
    late.admin.post_json(&unknown, &accept).await.assert_fault(404, "Session not found", "unknown_session");
    assert!(late.hall.staff_of("reviewer", 5).await.get(&path).await.json()["score"]["before"].is_u64());
    let bo = late.hall.sit(short_test()).await;
    let running = format!("/api/live/sessions/{}/late", bo.session_id);
    late.admin.get(&running).await.assert_fault(409, "The test goes on: decide when it has ended", "not_submitted");
    late.admin.post_json(&running, &accept).await.assert_fault(
        409,
        "The test goes on: decide when it has ended",
        "not_submitted",
    );
    // A command of a session that is not there, and one without its token, are as before.
    let command = json!({ "commands": [answer("q", "A")] });
    let nowhere = format!("/api/live/{}/commands", Uuid::new_v4());
    late.ada.caller().post_json(&nowhere, &command).await.assert_some_error(404);
    let own = format!("/api/live/{}/commands", late.ada.session_id);
    late.hall.bearer("x").post_json(&own, &command).await.assert_some_error(403);
    assert_eq!(late.read().await["seen"], 1);
}

#[tokio::test]
async fn rows_and_results_tell_of_it() {
    let mut late = Late::new().await;
    late.send_right(1..8).await;
    let token = late.hall.token("admin").await;
    let proctor = crate::hall::Proctor::roster(&late.hall.base(), &token, &json!({ "grade": 5 })).await;
    let row = &proctor[&late.ada.session_id]["late"];
    assert_eq!((&row["changes"], &row["accepted"], &row["declined"]), (&json!(7), &json!(0), &json!(0)));
    assert_eq!(row["undecided"], 7);
    let minutes = row["lateMs"].as_i64().unwrap() / 60_000;
    assert!((3..=4).contains(&minutes) && row["offlineSince"].is_string(), "{row}");
    let seen = late.read().await;
    let kinds: Vec<&Value> = seen["connection"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, [&json!("connected"), &json!("disconnected")]);
    assert_eq!(late.shown_in_results().await["changes"], 7);
    // A decision is about what had come by then.
    late.decided(json!({ "decision": "decline", "comment": "" })).await;
    assert_eq!(late.shown_in_results().await["undecided"], 0);
    late.send_right(8..10).await;
    let after = late.shown_in_results().await;
    assert_eq!((&after["changes"], &after["declined"], &after["undecided"]), (&json!(9), &json!(7), &json!(2)));
}

#[tokio::test]
async fn a_decision_from_before_an_upgrade_is_about_all_that_had_come() {
    let mut late = Late::new().await;
    late.send_right(1..3).await;
    late.decided(json!({ "decision": "decline", "comment": "" })).await;
    late.hall.stop().await;
    let connection = sea_orm::Database::connect(late.hall.database_url()).await.unwrap();
    let steps = Migrator::migrations();
    let later = steps.iter().rev().take_while(|step| !step.name().starts_with("m44_")).count();
    Migrator::down(&connection, Some(u32::try_from(later + 1).unwrap())).await.unwrap();
    connection.close().await.unwrap();
    late.hall.begin().await;
    late.admin = late.hall.signed_in("admin").await;
    late.ada.move_to(&late.hall.base());
    assert_eq!(late.shown_in_results().await["undecided"], 0);
    late.send_right(3..4).await;
    assert_eq!(late.shown_in_results().await["undecided"], 1);
}

#[tokio::test]
async fn nothing_is_called_kept_before_it_is_stored() {
    let mut late = Late::new().await;
    let on_postgres = "LOCK TABLE late_works IN ACCESS EXCLUSIVE MODE";
    let hold = Hold::take(&late.hall, "DELETE FROM late_works WHERE commands < 0", on_postgres).await;
    late.ada.resume().await;
    let question = late.ada.paper[1].clone();
    let seq = late.ada.send(answer(&question, "B")).await;
    late.ada.socket().expect_silence(Duration::from_secs(1)).await;
    hold.release().await;
    let error = late.ada.socket().expect_error("late").await;
    assert_eq!((&error["kept"], &error["seq"]), (&json!(true), &json!(seq)));
    assert_eq!(late.read().await["seen"], 1);
}
