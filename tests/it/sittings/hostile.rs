//! Candidates, and others, who try what they may not: each gets the named error, and nothing else.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chrono::{TimeDelta, Utc};
use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::{Value, json};

use super::entrant::{Entrant, access_codes, knock};
use super::{School, candidate_path, path, send};
use crate::hall::{Answer, Hold, Proctor, eventually, time_of};

const KEY: &str = "0123456789abcdef";

/// A sitting in 40 minutes, whose doors are open, with Ada, who signs in, and Bo, who has a code.
async fn open(changes: Value) -> (School, Value, String) {
    let school = School::open().await;
    school.hall.cookie("head@exam.test").await;
    let sitting = school.sitting(40, changes).await;
    let people = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "externalId": "7", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let code = access_codes(&school, &sitting).await["Bo"].clone();
    school.advance(11);
    (school, sitting, code)
}

/// The code of the error with which a request to enter is answered over HTTPS.
async fn refused(school: &School, enter: &Value) -> (u16, Value) {
    let mut enter = enter.clone();
    enter["type"] = json!("enter");
    let answer = school.hall.anonymous().post_json("/api/live", &enter).await;
    let body = answer.json();
    let names: Vec<&String> = body.as_object().unwrap().keys().filter(|name| *name != "doorsAt").collect();
    assert_eq!(names, ["code", "error"], "an error, and nothing else: {body}");
    (answer.status, body["code"].clone())
}

/// A code that begins like this one, and is another.
fn near(code: &str, number: usize) -> String {
    const LETTERS: &[u8] = b"23456789";
    let of = |place: usize| char::from(LETTERS[number / 8_usize.pow(u32::try_from(place).unwrap()) % 8]);
    let other = format!("{}-{}", &code[..5], (0..5).map(of).collect::<String>());
    if other == code { format!("{}-AAAAA", &code[..5]) } else { other }
}

/// A code that is nobody's, and begins like no other one of these.
fn nobodys(number: usize) -> String {
    let near = near("AAAAA-AAAAA", number);
    format!("{}-A2A2A", &near[6..])
}

/// How many wrong codes are counted with a candidate.
async fn wrong_tries(school: &School, name: &str) -> i32 {
    let connection = Database::connect(school.hall.database_url()).await.unwrap();
    let query = "SELECT wrong_tries FROM candidates WHERE name = $1";
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), query, vec![name.into()]);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    connection.close().await.unwrap();
    row.try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn proctors_hear_of_guesses_at_one_candidate() {
    let rooms = json!([{ "name": "B12", "proctors": ["student@exam.test"] }]);
    let (school, sitting, _) = open(json!({ "rooms": rooms })).await;
    let bo = school.candidate(&sitting, "Bo").await;
    send(&school.admin, Method::PATCH, &candidate_path(&sitting, &bo), &json!({ "room": "B12" })).await;
    let slips = super::slips::made(&school, &sitting, "?renew=true&room=B12").await;
    let code = super::slips::codes(&super::slips::text(&slips))[0].clone();
    let watch = json!({ "sittingId": sitting["id"], "room": "B12" });
    let mut proctor = Proctor::watching(&school.hall.base(), &school.hall.token("student").await, &watch).await;
    let version = school.read(&sitting).await["version"].clone();
    let incidents =
        async || school.admin.get(&format!("{}/incidents", path(&sitting))).await.json()["incidents"].clone();
    let guess = async |number: usize| {
        let enter = json!({ "sittingId": sitting["id"], "access": near(&code, number) });
        // Beyond the first ten each waits for its turn, and for its answer.
        school.as_time_passes(refused(&school, &enter)).await
    };
    for number in 0..19 {
        guess(number).await;
    }
    school.hall.clock.advance(Duration::from_secs(2));
    assert_eq!(incidents().await, json!([]), "slips of the keyboard");
    assert_eq!(guess(19).await, (429, json!("rate_limited")), "guesses at one code are slowed");
    school.hall.clock.advance(Duration::from_secs(2));
    let id = bo["id"].as_str().unwrap();
    proctor.until("the number", |proctor| proctor.rows.get(id).is_some_and(|row| row["wrongCodes"] == 20)).await;
    let told = incidents().await;
    let seen =
        (&told[0]["kind"], &told[0]["by"], &told[0]["room"], &told[0]["candidate"], told.as_array().unwrap().len());
    assert_eq!(seen, (&json!("wrong codes"), &json!("server"), &json!("B12"), &json!("Bo"), 1), "{told}");
    assert_eq!(school.read(&sitting).await["version"], version);
    Entrant::enter(&school.hall, json!({ "sittingId": sitting["id"], "access": code })).await;
}

#[tokio::test]
async fn wrong_codes_that_cannot_be_stored_are_counted_when_they_can() {
    let (school, sitting, _) = open(json!({})).await;
    let codes = access_codes(&school, &sitting).await;
    let guess = async |name: &str, number: usize| {
        let enter = json!({ "sittingId": sitting["id"], "access": near(&codes[name], number) });
        assert_eq!(refused(&school, &enter).await, (403, json!("not_expected")));
    };
    let is_sqlite = school.hall.database_url().starts_with("sqlite");
    let (refuse, allow) = if is_sqlite {
        (
            "CREATE TRIGGER uncounted BEFORE UPDATE OF wrong_tries ON candidates WHEN NEW.name = 'Bo' \
             BEGIN SELECT RAISE(ABORT, 'not now'); END",
            "DROP TRIGGER uncounted",
        )
    } else {
        (
            "ALTER TABLE candidates ADD CONSTRAINT uncounted CHECK (name <> 'Bo' OR wrong_tries = 0)",
            "ALTER TABLE candidates DROP CONSTRAINT uncounted",
        )
    };
    let counted = async |name: &str, wrong: i32| {
        eventually(&format!("{wrong} wrong codes of {name}"), async || {
            school.hall.clock.advance(Duration::from_secs(1));
            (wrong_tries(&school, name).await == wrong).then_some(())
        })
        .await;
    };
    school.hall.alter(refuse).await;
    guess("Bo", 0).await;
    guess("Bo", 1).await;
    // In the turn after one that counts Ada's, the turn of Bo's has failed, whichever came first.
    for number in 0..2 {
        guess("Ada", number).await;
        counted("Ada", i32::try_from(number).unwrap() + 1).await;
    }
    school.hall.alter(allow).await;
    counted("Bo", 2).await;
}

#[tokio::test]
async fn the_code_of_another_opens_their_exam_and_not_ones_own() {
    let (school, sitting, code) = open(json!({})).await;
    let eve = school.hall.cookie("eve@exam.test").await;
    let enter = json!({ "sittingId": sitting["id"], "access": code, "key": KEY });
    // Ada signs in and types Bo's code, as on a shared computer: the exam is Bo's, and Ada's account has no part in it.
    let mut bo = Entrant::signed_in(&school.hall, "ada@exam.test", enter).await;
    assert_eq!(bo.waiting["name"], "Bo");
    let row = async |name: &str| {
        let list = school.admin.get(&format!("/api/live/sessions?sittingId={}", sitting["id"].as_str().unwrap())).await;
        let rows = list.json()["sessions"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["student"] == name).unwrap()
    };
    assert_eq!((&row("Bo").await["account"], &row("Ada").await["state"]), (&Value::Null, &json!("expected")));
    let cookie = school.hall.cookie("ada@exam.test").await;
    let mine = school.hall.anonymous().request(Method::GET, "/api/live/mine").header("cookie", &cookie);
    let mine = Answer::to(mine).await;
    assert!(mine.status == 200 && !mine.text().contains(&bo.session_id), "{}", mine.text());
    // Whoever is on no roster is not let in by being signed in.
    let mut stranger = knock(&school.hall.base(), &[("cookie", &eve)], json!({ "sittingId": sitting["id"] })).await;
    stranger.expect_error("not_expected").await;
    // Ada's own attempt is another one, and its owner is she.
    let ada =
        Entrant::signed_in(&school.hall, "ada@exam.test", json!({ "sittingId": sitting["id"], "key": KEY })).await;
    assert_ne!(ada.session_id, bo.session_id);
    assert_eq!(row("Ada").await["account"], "ada@exam.test");
    school.advance(30);
    bo.socket.until("begin").await;
    let of_bo = eventually("the grade's room has Bo", async || {
        let grade = school.admin.get("/api/live/sessions?grade=5").await.json();
        let mut rows = grade["sessions"].as_array().unwrap().clone().into_iter();
        rows.find(|row| row["sessionId"] == bo.session_id.as_str())
    })
    .await;
    assert_eq!(of_bo["account"], Value::Null);
    bo.submit(1).await;
    let stored = school.admin.get(&format!("/api/sessions/{}", bo.session_id)).await.json();
    assert_eq!(stored["account"], Value::Null);
}

#[tokio::test]
async fn two_devices_have_one_attempt_between_them() {
    let (school, sitting, code) = open(json!({})).await;
    let base = school.hall.base();
    let enter = |key: &str| json!({ "sittingId": sitting["id"], "access": code, "key": key });
    let mut sockets = join_all([KEY, "fedcba9876543210"].map(|key| knock(&base, &[], enter(key)))).await;
    let mut heard = Vec::new();
    for socket in &mut sockets {
        heard.push(socket.expect("waiting").await);
    }
    assert_eq!(heard[0]["sessionId"], heard[1]["sessionId"]);
    assert_ne!(heard[0]["token"], heard[1]["token"]);
    // One of them has been told that the other has it; a third device takes it from that one.
    let mut third = Entrant::enter(&school.hall, enter("a third device..")).await;
    let mut superseded = 0;
    for socket in &mut sockets {
        socket.until("superseded").await;
        socket.expect_close(4001).await;
        superseded += 1;
    }
    assert_eq!((superseded, &third.waiting["sessionId"]), (2, &heard[0]["sessionId"]));
    third.prepare().await;
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn a_school_behind_one_address_enters_while_twenty_guess() {
        let (school, sitting, code) = open(json!({})).await;
        let pupils: Vec<Value> = (0..120)
            .map(|number| json!({ "externalId": format!("p{number}"), "name": format!("Pupil {number:03}") }))
            .collect();
        let people =
            [json!([{ "email": "ada@exam.test", "name": "Ada" }, { "externalId": "7", "name": "Bo" }]), json!(pupils)];
        let people: Vec<Value> = people.iter().flat_map(|some| some.as_array().unwrap().clone()).collect();
        school.enrol(&sitting, json!(people)).await;
        let codes = access_codes(&school, &sitting).await;
        assert_ne!(codes["Bo"], code, "new codes for all");
        let version = school.read(&sitting).await["version"].clone();
        let guess = async |number: usize| {
            refused(&school, &json!({ "code": sitting["code"], "access": nobodys(number) })).await
        };
        // A class of them has used up what one address may try at once …
        let first: Vec<(u16, Value)> = stream::iter(0..60).map(guess).buffer_unordered(20).collect().await;
        assert!(first.iter().all(|refusal| *refusal == (403, json!("not_expected"))), "{first:?}");
        let slowed = AtomicUsize::new(0);
        let guessing = stream::iter(60..).map(guess).buffer_unordered(20).for_each(async |refusal| {
            assert_eq!(refusal, (429, json!("rate_limited")));
            slowed.fetch_add(1, Ordering::Relaxed);
        });
        // … and goes on while all others enter.
        let entering = join_all(codes.values().map(async |access| {
            let enter = json!({ "type": "enter", "code": sitting["code"], "access": access, "key": KEY });
            let answer = school.hall.anonymous().post_json("/api/live", &enter).await;
            assert_eq!((answer.status, &answer.json()["type"]), (200, &json!("waiting")), "{}", answer.text());
        }));
        tokio::select! {
            () = guessing => unreachable!(),
            _ = entering => {}
        }
        let slowed = slowed.into_inner();
        assert!(slowed < 1_000, "{slowed} guesses at twenty a second");
        // Whoever has signed in needs no code, so nothing holds them up.
        Entrant::signed_in(&school.hall, "ada@exam.test", json!({ "sittingId": sitting["id"] })).await;
        assert_eq!(school.read(&sitting).await["version"], version, "strangers change nothing");
    }

    #[tokio::test]
    async fn a_flood_of_codes_holds_up_nobody_who_signs_in() {
        let (school, sitting, _) = open(json!({})).await;
        let cookie = school.hall.cookie("ada@exam.test").await;
        let tried = async |number: usize| {
            let enter = json!({ "type": "enter", "sittingId": sitting["id"], "access": nobodys(number) });
            let answer = school.hall.anonymous().request(Method::POST, "/api/live").json(&enter).send().await;
            answer.map_or(429, |answer| answer.status().as_u16())
        };
        let mut flood = stream::iter(0..600).map(tried).buffer_unordered(600);
        // Each that is answered beyond the first sixty has waited.
        let mut answered = Vec::new();
        while answered.last() != Some(&429) {
            answered.push(flood.next().await.expect("a guess that is slowed"));
        }
        let entering = async {
            let enter = json!({ "sittingId": sitting["id"] });
            let mut socket = knock(&school.hall.base(), &[("cookie", &cookie)], enter).await;
            socket.expect("waiting").await
        };
        let waiting = tokio::select! {
            waiting = entering => waiting,
            () = flood.for_each(async |_| {}) => panic!("six hundred guesses are done at once"),
        };
        assert_eq!(waiting["name"], "Ada");
        assert!(answered.len() < 200 && answered.iter().all(|status| [403, 429].contains(status)), "{answered:?}");
    }

    #[tokio::test]
    async fn before_the_doors_right_and_wrong_codes_get_the_same_answer() {
        let school = School::open().await;
        let sitting = school.sitting(40, json!({})).await;
        let early = json!({ "externalId": "8", "name": "Cy", "startsAt": school.at(15) });
        school.enrol(&sitting, json!([{ "externalId": "7", "name": "Bo" }])).await;
        let answer = async |access: &str| {
            let enter = json!({ "type": "enter", "code": sitting["code"], "access": access });
            let answer = school.hall.anonymous().post_json("/api/live", &enter).await;
            (answer.status, answer.json())
        };
        let code = access_codes(&school, &sitting).await["Bo"].clone();
        let wrong = answer(&nobodys(0)).await;
        assert_eq!((wrong.0, &wrong.1["code"], &wrong.1["doorsAt"]), (403, &json!("not_open"), &sitting["doorsAt"]));
        assert_eq!((answer(&code).await, answer(&near(&code, 1)).await), (wrong.clone(), wrong.clone()));
        // Also when somebody may enter who starts earlier, and nobody else.
        assert_eq!(school.admin.post_json(&format!("{}/candidates", path(&sitting)), &early).await.status, 200);
        let codes = access_codes(&school, &sitting).await;
        assert_eq!(answer(&nobodys(1)).await, wrong);
        assert_eq!((answer(&codes["Bo"]).await, answer(&near(&codes["Bo"], 1)).await), (wrong.clone(), wrong));
        // However often: who comes early has not guessed.
        for _ in 0..70 {
            assert_eq!(answer(&codes["Bo"]).await.1["code"], json!("not_open"));
        }
        assert_eq!(answer(&codes["Cy"]).await.0, 200);
    }

    #[tokio::test]
    async fn an_answer_waits_for_nothing_that_a_wrong_code_sets_off() {
        let (school, sitting, code) = open(json!({})).await;
        // Nothing can be written meanwhile, neither for a code that begins like Bo's nor for any other one.
        let nothing = "UPDATE candidates SET wrong_tries = 0 WHERE wrong_tries < 0";
        let writing = Hold::take(&school.hall, nothing, "LOCK TABLE candidates IN EXCLUSIVE MODE").await;
        for access in [near(&code, 1), nobodys(1)] {
            let enter = json!({ "sittingId": sitting["id"], "access": access });
            assert_eq!(refused(&school, &enter).await, (403, json!("not_expected")));
        }
        writing.release().await;
    }

    #[tokio::test]
    async fn a_clock_two_hours_off_moves_nothing() {
        let (school, sitting, _) = open(json!({})).await;
        let off = (Utc::now() + TimeDelta::hours(2)).to_rfc3339();
        let enter = json!({
            "sittingId": sitting["id"], "startsAt": off, "serverTime": off, "beginsAt": off, "deadline": off, "minutes": 600,
        });
        let mut ada = Entrant::signed_in(&school.hall, "ada@exam.test", enter).await;
        let is_now = |told: &Value| {
            let error = time_of(&told["serverTime"]) - school.hall.clock.now().utc();
            assert!(error.abs() < TimeDelta::seconds(10), "{told}");
        };
        is_now(&ada.waiting);
        assert_eq!((&ada.waiting["beginsAt"], &ada.waiting["minutes"]), (&sitting["startsAt"], &json!(45.0)));
        ada.prepare().await;
        school.advance(30);
        let begun = ada.socket.expect("begin").await;
        assert_eq!(begun["startedAt"], sitting["startsAt"]);
        let questions = ada.open("1", &begun["keys"]);
        let deadline = time_of(&sitting["startsAt"]) + TimeDelta::minutes(45);
        for t in [json!((Utc::now() + TimeDelta::hours(2)).timestamp_millis()), json!(-7_200_000), json!(0.5)] {
            ada.socket.send(&json!({ "type": "sync", "t": t, "serverTime": off })).await;
            let told = ada.socket.expect_time(&t).await;
            is_now(&told);
            assert_eq!(time_of(&told["deadline"]), deadline);
        }
        let answer = json!({ "type": "answer", "seq": 9, "questionId": questions[0]["id"], "selected": "A", "timeTaken": 7_200, "at": off });
        ada.socket.send(&answer).await;
        ada.socket.expect_saved(9).await;
        assert_eq!(time_of(&ada.resume("resumed").await["deadline"]), deadline);
        // Its time ends by the server's clock, whatever the client's shows.
        school.advance(46);
        let submitted = ada.socket.until("submitted").await;
        assert_eq!(submitted["reason"], "deadline");
    }

    #[tokio::test]
    async fn doors_are_closed_before_after_and_at_the_end() {
        let school = School::open().await;
        school.hall.cookie("head@exam.test").await;
        let sitting = school.sitting(40, json!({ "entryUntil": school.at(50), "results": "held" })).await;
        school
            .enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }, { "externalId": "7", "name": "Bo" }]))
            .await;
        let code = access_codes(&school, &sitting).await["Bo"].clone();
        let by_code = json!({ "code": sitting["code"], "access": code });
        assert_eq!(refused(&school, &by_code).await, (403, json!("not_open")));
        let cookie = school.hall.cookie("ada@exam.test").await;
        let by_cookie = json!({ "sittingId": sitting["id"] });
        let base = school.hall.base();
        let early = knock(&base, &[("cookie", &cookie)], by_cookie.clone()).await.expect_error("not_open").await;
        assert_eq!(early["doorsAt"], sitting["doorsAt"]);
        school.advance(15);
        let mut ada = Entrant::signed_in(&school.hall, "ada@exam.test", by_cookie.clone()).await;
        school.advance(36);
        assert_eq!(refused(&school, &by_code).await, (403, json!("entry_closed")));
        ada.socket.until("begin").await;
        ada.submit(1).await;
        // Who has handed in is shown that, and gets no second attempt.
        let enter = async || {
            let mut socket = knock(&base, &[("cookie", &cookie)], by_cookie.clone()).await;
            socket.expect("resumed").await
        };
        let standing = enter().await;
        let seen = (&standing["type"], &standing["sessionId"], &standing["state"], &standing["held"]);
        assert_eq!(seen, (&json!("resumed"), &json!(ada.session_id), &json!("submitted"), &json!(true)), "{standing}");
        school.advance(60);
        assert_eq!(refused(&school, &by_code).await, (403, json!("entry_closed")));
        eventually("the release", async || Some(school.release(&sitting).await).filter(|answer| answer.status == 200))
            .await;
        assert_eq!(refused(&school, &by_code).await, (403, json!("entry_closed")));
        // Nothing can be added after the release.
        let standing = ada.resume("resumed").await;
        assert_eq!((&standing["state"], standing.get("held")), (&json!("submitted"), None), "{standing}");
        for (seq, command) in [
            json!({ "type": "answer", "questionId": standing["questionIds"][0], "selected": "C" }),
            json!({ "type": "mark", "questionId": standing["questionIds"][0], "marked": true }),
        ]
        .into_iter()
        .enumerate()
        {
            let mut command = command;
            command["seq"] = json!(seq + 10);
            ada.socket.send(&command).await;
            ada.socket.expect_error("already_submitted").await;
        }
        assert_eq!(enter().await["state"], "submitted");
        let report = school.hall.anonymous().get(&format!("/api/sessions/{}", ada.session_id)).await;
        assert_eq!((report.status, &report.json()["result"]["score"]), (200, &json!(200)));
    }

    #[tokio::test]
    async fn an_address_is_the_same_in_any_case_and_another_is_another() {
        let (school, sitting, _) = open(json!({})).await;
        let mut ada =
            Entrant::signed_in(&school.hall, "ADA@Exam.Test", json!({ "sittingId": sitting["id"], "key": KEY })).await;
        assert_eq!(ada.waiting["name"], "Ada");
        let enter = json!({ "sittingId": sitting["id"], "key": KEY });
        let again = Entrant::signed_in(&school.hall, "ada@exam.test", enter.clone()).await;
        assert_eq!((&again.session_id, &again.token), (&ada.session_id, &ada.token));
        ada.socket.until("superseded").await;
        for other in ["ada+1@exam.test", "ada@exam.test.example"] {
            let cookie = school.hall.cookie(&other.replace('+', "%2B")).await;
            knock(&school.hall.base(), &[("cookie", &cookie)], enter.clone()).await.expect_error("not_expected").await;
        }
    }
}
