//! Releases: by hand, by the rule of the sitting, and for those who wait for one.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, TransactionTrait};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{School, id, path};
use crate::hall::{Answer, Receiver, eventually};

/// A school whose webhooks may reach this machine, with a sitting that three candidates have finished.
async fn finished(changes: Value, receiver: &Receiver) -> (School, Value, Vec<String>) {
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let mut plan = changes;
    plan["webhookUrl"] = json!(receiver.url());
    let sitting = school.sitting(5, plan).await;
    school
        .enrol(&sitting, json!([{ "email": "a@exam.test" }, { "email": "b@exam.test" }, { "email": "c@exam.test" }]))
        .await;
    let students = school.enter_all(&sitting).await;
    school.advance(6);
    let mut sessions = Vec::new();
    for mut student in students {
        student.begin().await;
        student.submit().await;
        sessions.push(student.session_id);
    }
    (school, sitting, sessions)
}

async fn read(school: &School, session: &str) -> Answer {
    school.hall.anonymous().get(&format!("/api/sessions/{session}")).await
}

/// Six minutes in which the rules of two other sittings release them, one after the other: the server has by then
/// looked for all that are due.
pub(super) async fn let_rules_release_others(school: &School) {
    // Of another paper, which nobody at work needs.
    let template = super::template(&school.admin, 5).await;
    for name in ["Nobody's", "Nobody's either"] {
        let rule = json!({ "name": name, "templateId": template, "results": school.at(2) });
        let other = school.sitting(1, rule).await;
        school.advance(3);
        eventually("the other sitting is released", async || {
            (school.read(&other).await["released"] == true).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn each_session_is_told_of_once_and_in_their_order() {
    let receiver = Receiver::open().await;
    let (school, sitting, sessions) = finished(json!({}), &receiver).await;
    let calls = receiver.wait_for(3).await;
    assert!(calls.iter().all(|call| call.json()["result"].is_null()), "{calls:?}");
    let both = futures_util::future::join(school.release(&sitting), school.release(&sitting)).await;
    assert_eq!((both.0.status, both.1.status), (200, 200));
    let calls = receiver.wait_for(6).await;
    let told: Vec<Value> = calls[3..].iter().map(|call| call.json()).collect();
    assert!(told.iter().all(|told| told["event"] == "result.released" && told["result"]["score"].is_u64()), "{told:?}");
    let mut ids: Vec<&str> = told.iter().map(|told| told["sessionId"].as_str().unwrap()).collect();
    ids.sort_unstable();
    let mut expected: Vec<&str> = sessions.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert_eq!(ids, expected);
    let listed = school.hall.deliveries(&school.admin).await;
    // The end of the sitting may be told meanwhile.
    let listed_as = |event: &str| listed.iter().filter(|delivery| delivery["event"] == event).count();
    assert_eq!((listed_as("test.completed"), listed_as("result.released"), listed_as("result.changed")), (3, 3, 0));
    assert_eq!(school.release(&sitting).await.status, 200);
    receiver.expect_only(&school.hall, 6).await;
}

#[tokio::test]
async fn a_released_result_waits_for_the_end_of_its_test() {
    let receiver = Receiver::answering(crate::hall::Reply::status(503)).await;
    let (school, sitting, _) = finished(json!({}), &receiver).await;
    receiver.wait_for(3).await;
    assert_eq!(school.release(&sitting).await.status, 200);
    receiver.expect_only(&school.hall, 3).await;
    receiver.always(crate::hall::Reply::status(200));
    school.advance(60);
    let calls = eventually("all are told", async || {
        // The clock of the outbox is moved, too.
        school.advance(1);
        Some(receiver.calls()).filter(|calls| calls.iter().any(|call| call.json()["event"] == "result.released"))
    })
    .await;
    let first = calls.iter().position(|call| call.json()["event"] == "result.released").unwrap();
    let session = calls[first].json()["sessionId"].clone();
    let before = calls[3..first].iter().map(|call| call.json()).find(|told| told["sessionId"] == session);
    assert_eq!(before.expect("the end of the test came before")["event"], "test.completed");
}

#[tokio::test]
async fn a_time_releases_when_nobody_is_at_work() {
    let receiver = Receiver::open().await;
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let sitting = school.sitting(5, json!({ "results": school.at(30), "webhookUrl": receiver.url() })).await;
    school.enrol(&sitting, json!([{ "email": "a@exam.test" }, { "email": "b@exam.test" }])).await;
    let mut students = school.enter_all(&sitting).await;
    let beside = school.hall.beside().await;
    school.advance(6);
    for student in &mut students {
        student.begin().await;
    }
    students[0].submit().await;
    let first = students[0].session_id.clone();
    read(&school, &first).await.assert_error(403, "Results are not released");
    school.advance(25);
    // The time has come, and somebody works.
    let_rules_release_others(&school).await;
    read(&school, &first).await.assert_error(403, "Results are not released");
    assert_eq!(school.read(&sitting).await["released"], false);
    let last = students[1].submit().await;
    assert!(last["result"].is_null() && last["held"] == true, "{last}");
    eventually("the result is shown", async || Some(read(&school, &first).await).filter(|answer| answer.status == 200))
        .await;
    let stored = school.read(&sitting).await;
    assert!(stored["released"] == true && stored["releasedAt"].is_string(), "{stored}");
    let elsewhere = async || Some(beside.anonymous().get(&format!("/api/sessions/{first}")).await);
    eventually("the other server shows it", async || elsewhere().await.filter(|answer| answer.status == 200)).await;
    receiver.wait_for(4).await;
    receiver.expect_only(&school.hall, 4).await;
}

#[tokio::test]
async fn results_that_are_seen_at_once_are_told_once() {
    let receiver = Receiver::open().await;
    let (school, sitting, sessions) = finished(json!({ "results": "now" }), &receiver).await;
    let calls = receiver.wait_for(3).await;
    assert!(calls.iter().all(|call| call.json()["result"]["score"].is_u64()), "{calls:?}");
    assert_eq!(read(&school, &sessions[0]).await.status, 200);
    assert_eq!(school.release(&sitting).await.status, 200);
    receiver.expect_only(&school.hall, 3).await;
}

#[tokio::test]
async fn held_results_are_shown_by_a_release_alone() {
    let receiver = Receiver::open().await;
    let (school, sitting, sessions) = finished(json!({}), &receiver).await;
    let shown = school.patch(&sitting, json!({ "results": "now" })).await;
    shown.assert_error(409, "Sitting has candidates at work");
    let past = school.patch(&sitting, json!({ "results": school.at(-1) })).await;
    assert_eq!(past.status, 200, "{}", past.text());
    eventually("it is released", async || {
        Some(read(&school, &sessions[0]).await).filter(|answer| answer.status == 200)
    })
    .await;
    receiver.wait_for(6).await;
}

#[tokio::test]
async fn who_waits_goes_on_waiting_while_the_store_is_away() {
    let receiver = Receiver::open().await;
    let (school, sitting, sessions) = finished(json!({}), &receiver).await;
    let store = Database::connect(school.hall.database_url()).await.unwrap();
    store.execute_unprepared("ALTER TABLE sittings RENAME TO sittings_away").await.unwrap();
    eventually("the sitting cannot be read", async || {
        Some(read(&school, &sessions[0]).await).filter(|answer| answer.status == 503)
    })
    .await;
    let stranger = school.hall.anonymous();
    let path = format!("/api/sessions/{}?wait=release", sessions[0]);
    let release = async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        store.execute_unprepared("ALTER TABLE sittings_away RENAME TO sittings").await.unwrap();
        school.release(&sitting).await.status
    };
    let (answer, released) = futures_util::future::join(stranger.get(&path), release).await;
    assert_eq!((answer.status, released), (200, 200), "{}", answer.text());
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_sitting_withholds_its_questions_from_when_it_is_planned() {
    let school = School::open().await;
    let beside = school.hall.beside().await;
    let list = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await.json();
    let secret = list["template"]["standardQuestions"][0]["id"].to_string();
    let bank = async |caller: &crate::hall::Caller| caller.get("/api/questions?grade=5").await;
    let anyone = school.hall.anonymous();
    let first = bank(&anyone).await;
    assert!(first.text().contains(&secret));
    let sitting = school.sitting(60, json!({})).await;
    let planned = bank(&anyone).await;
    assert!(planned.status == 200 && !planned.text().contains(&secret), "whatever the clock says");
    assert!(!planned.header("cache-control").contains("public"), "{}", planned.header("cache-control"));
    let known = anyone.get_with("/api/questions?grade=5", "if-none-match", first.header("etag")).await;
    assert_eq!(known.status, 200, "the old bank is not confirmed");
    assert!(bank(&school.admin).await.text().contains(&secret), "staff of the grade see all");
    let elsewhere = beside.anonymous();
    eventually("the other server withholds", async || {
        Some(bank(&elsewhere).await).filter(|answer| !answer.text().contains(&secret))
    })
    .await;
    school.enrol(&sitting, json!([{ "email": "a@exam.test", "name": "A" }])).await;
    school.advance(31);
    assert_eq!(bank(&anyone).await.header("etag"), planned.header("etag"), "the doors make no difference");
    let mut student = school.enter(&sitting, &school.candidate(&sitting, "A").await).await;
    school.advance(40);
    student.begin().await;
    student.submit().await;
    assert_eq!(school.release(&sitting).await.status, 200);
    assert_eq!(bank(&anyone).await.header("etag"), first.header("etag"), "as before, at once");
}

#[tokio::test]
async fn a_secure_question_is_in_no_public_bank() {
    let school = School::open().await;
    let anyone = school.hall.anonymous();
    let list = anyone.get("/api/questions?grade=5").await.json();
    let id = list[0]["id"].as_str().unwrap().to_owned();
    let set = async |is_secure: Value| {
        let path = format!("/api/admin/questions/{id}/secure");
        Answer::to(school.admin.request(Method::PUT, &path).json(&json!({ "secure": is_secure }))).await
    };
    assert_eq!(set(json!(true)).await.json(), json!({ "ok": true }));
    let has = async |caller: &crate::hall::Caller| {
        let bank = caller.get("/api/questions?grade=5").await.json();
        bank.as_array().unwrap().iter().any(|question| question["id"] == id.as_str())
    };
    assert!(!has(&anyone).await && has(&school.admin).await);
    let start = json!({ "grade": 5, "mode": "standard", "durationMinutes": 30, "annotations": {},
        "questionIds": list.as_array().unwrap()[..10].iter().map(|question| &question["id"]).collect::<Vec<_>>() });
    let refused = anyone.post_json("/api/live", &start).await;
    assert_eq!(refused.status, 400, "{}", refused.text());
    assert_eq!(set(json!(false)).await.status, 200);
    assert!(has(&anyone).await);
    set(json!("yes")).await.assert_error(400, "Invalid secure");
    let unknown =
        school.admin.request(Method::PUT, "/api/admin/questions/none/secure").json(&json!({ "secure": true }));
    Answer::to(unknown).await.assert_error(404, "Question not found");
}

#[tokio::test]
async fn a_release_by_hand_is_the_one_row() {
    let receiver = Receiver::open().await;
    let (school, sitting, sessions) = finished(json!({}), &receiver).await;
    let pdf = format!("/api/report/{}/pdf", sessions[0]);
    let staff = school.admin.get(&pdf).await;
    assert_eq!(staff.status, 200, "staff of the grade have it");
    school.hall.anonymous().get(&pdf).await.assert_error(403, "Results are not released");
    assert_eq!(school.release(&sitting).await.status, 200);
    assert_eq!(school.hall.anonymous().get(&pdf).await.status, 200);
    let explained = school.admin.get(&path(&sitting)).await.json();
    assert_eq!(explained["sitting"]["released"], true);
}

#[tokio::test]
async fn a_template_of_secure_questions_stays_closed_once_an_exam_has_it() {
    let school = School::open().await;
    let anyone = school.hall.anonymous();
    let at = format!("/api/test-templates/{}", school.template);
    let paper = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await.json();
    let id = paper["template"]["standardQuestions"][0]["id"].as_str().unwrap().to_owned();
    let secure = school.admin.request(Method::PUT, &format!("/api/admin/questions/{id}/secure"));
    assert_eq!(Answer::to(secure.json(&json!({ "secure": true }))).await.status, 200);
    assert_eq!(anyone.get(&at).await.status, 200, "an exam by its link");
    let sitting = school.sitting(10, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "a@exam.test" }])).await;
    school.advance(100);
    assert_eq!(school.release(&sitting).await.status, 200);
    anyone.get(&at).await.assert_error(403, "The exam has not opened yet");
    let start = json!({ "templateId": school.template, "annotations": {} });
    assert_eq!(anyone.post_json("/api/live", &start).await.status, 403);
    assert_eq!(school.admin.get(&at).await.status, 200);
}

#[tokio::test]
async fn nobody_who_begins_later_is_shut_out() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({ "results": school.at(30) })).await;
    let people = json!([
        { "email": "a@exam.test", "name": "A" }, { "email": "b@exam.test", "name": "B", "startsAt": school.at(120) },
        { "email": "c@exam.test", "name": "C" },
    ]);
    school.enrol(&sitting, people).await;
    let first = school.candidate(&sitting, "A").await;
    let mut student = school.enter(&sitting, &first).await;
    school.advance(6);
    student.begin().await;
    student.submit().await;
    let answer = |query: &str| {
        let path = format!("{}/release{query}", path(&sitting));
        Answer::to(school.admin.request(Method::POST, &path))
    };
    assert_eq!(answer("?dryRun=true").await.json()["toCome"], 1, "the time of one begins later");
    answer("").await.assert_error(409, "Sitting has candidates to come");
    answer("?force=perhaps").await.assert_error(400, "Invalid force");
    // The time of the rule has come.
    school.advance(60);
    let_rules_release_others(&school).await;
    assert_eq!(school.read(&sitting).await["released"], false);
    assert_eq!(answer("?dryRun=true").await.json()["toCome"], 1);
    read(&school, &student.session_id).await.assert_error(403, "Results are not released");
    let second = school.candidate(&sitting, "B").await;
    school.advance(44);
    let mut last = school.enter(&sitting, &second).await;
    answer("?force=true").await.assert_error(409, "Sitting has candidates at work");
    school.advance(6);
    last.begin().await;
    last.submit().await;
    eventually("the results are shown", async || {
        Some(read(&school, &student.session_id).await).filter(|answer| answer.status == 200)
    })
    .await;
}

#[tokio::test]
async fn staff_may_insist_and_the_absent_are_not_waited_for() {
    let school = School::open().await;
    for query in ["?force=true", ""] {
        let sitting = school.sitting(5, json!({ "name": format!("Finals {query}") })).await;
        let later = json!([{ "email": "a@exam.test", "name": "A", "startsAt": school.at(30) }]);
        school.enrol(&sitting, later).await;
        school.advance(6);
        school.release(&sitting).await.assert_error(409, "Sitting has candidates to come");
        if query.is_empty() {
            let orders = format!("/api/live/rooms/orders?sittingId={}", sitting["id"].as_str().unwrap());
            let absent = json!({ "id": "a", "type": "absent", "candidateId": "*" });
            assert_eq!(school.admin.post_json(&orders, &absent).await.json(), json!({ "count": 1 }));
        }
        let path = format!("{}/release{query}", path(&sitting));
        let released = Answer::to(school.admin.request(Method::POST, &path)).await;
        assert_eq!((released.status, &released.json()["toCome"]), (200, &json!(0)), "{}", released.text());
    }
}

#[tokio::test]
async fn a_paper_that_a_make_up_needs_is_released_by_force_alone() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    school
        .enrol(&sitting, json!([{ "email": "a@exam.test", "name": "A" }, { "email": "b@exam.test", "name": "B" }]))
        .await;
    let first = school.candidate(&sitting, "A").await;
    let mut student = school.enter(&sitting, &first).await;
    school.advance(6);
    student.begin().await;
    student.submit().await;
    let orders = format!("/api/live/rooms/orders?sittingId={}", sitting["id"].as_str().unwrap());
    let absent = json!({ "id": "a", "type": "absent", "candidateId": "*" });
    assert_eq!(school.admin.post_json(&orders, &absent).await.status, 200);
    let made = school.admin.post_json(&format!("{}/make-up", path(&sitting)), &json!({})).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let release = async |query: &str| {
        let path = format!("{}/release{query}", path(&sitting));
        Answer::to(school.admin.request(Method::POST, &path)).await
    };
    assert_eq!(release("?dryRun=true").await.json()["neededBy"], json!(["Finals (make-up)"]));
    release("").await.assert_error(409, "Another sitting needs the paper");
    // Its own rule waits for the make-up too.
    let due = school.patch(&sitting, json!({ "results": school.at(-1) })).await;
    assert_eq!(due.status, 200, "{}", due.text());
    let_rules_release_others(&school).await;
    assert_eq!(school.read(&sitting).await["released"], false);
    let forced = release("?force=true").await;
    assert_eq!((forced.status, &forced.json()["neededBy"]), (200, &json!([])), "{}", forced.text());
    assert_eq!(release("").await.status, 200, "a repeat changes nothing");
}

#[tokio::test]
async fn a_paper_is_not_released_that_another_sitting_has_come_to_need_meanwhile() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "a@exam.test", "name": "A" }])).await;
    let mut students = school.enter_all(&sitting).await;
    school.advance(6);
    students[0].begin().await;
    students[0].submit().await;
    let template: Uuid = school.template.parse().unwrap();
    // While the release waits for its sitting, or for the template of both, the other one is given the same paper.
    for lock in ["sittings", "templates"] {
        let another = json!(super::template(&school.admin, 5).await);
        let other = school.sitting(600, json!({ "name": lock, "templateId": another })).await;
        let planning = Database::connect(school.hall.database_url()).await.unwrap().begin().await.unwrap();
        let row = if lock == "sittings" { id(&sitting) } else { template };
        school.within(&planning, &format!("UPDATE {lock} SET name = name WHERE id = $1"), vec![row.into()]).await;
        let change = "UPDATE sittings SET template_id = $1 WHERE id = $2";
        school.within(&planning, change, vec![template.into(), id(&other).into()]).await;
        let release = school.release(&sitting);
        tokio::pin!(release);
        let early = tokio::time::timeout(Duration::from_millis(500), release.as_mut()).await;
        assert!(early.is_err(), "it waits for {lock}");
        planning.commit().await.unwrap();
        release.await.assert_error(409, "Another sitting needs the paper");
        assert_eq!(super::delete(&school.admin, &path(&other)).await.status, 200);
    }
}

#[tokio::test]
async fn what_a_release_would_do_is_told_while_somebody_changes_the_sitting() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let people =
        json!([{ "email": "a@exam.test", "name": "A" }, { "email": "b@exam.test", "startsAt": school.at(90) }]);
    school.enrol(&sitting, people).await;
    school.sitting(600, json!({ "name": "Other" })).await;
    let first = school.candidate(&sitting, "A").await;
    let mut student = school.enter(&sitting, &first).await;
    school.advance(6);
    student.begin().await;
    student.submit().await;
    let foresee = async || {
        let path = format!("{}/release?dryRun=true", path(&sitting));
        Answer::to(school.admin.request(Method::POST, &path)).await
    };
    // On SQLite nobody else writes until the end of this either.
    let changing = school.hold(&sitting).await;
    let before = foresee().await;
    assert_eq!(before.status, 200, "{}", before.text());
    changing.rollback().await.unwrap();
    let told = before.json();
    assert_eq!(before.header("etag"), format!("\"{}\"", told["sitting"]["version"]));
    let found = (&told["reaches"], &told["toCome"], &told["neededBy"], &told["sitting"]["released"]);
    assert_eq!(found, (&json!(1), &json!(1), &json!(["Other"]), &json!(false)), "{told}");
    assert_eq!(school.release_before_all_have_come(&sitting).await.status, 200);
    let after = foresee().await.json();
    let found = (&after["reaches"], &after["toCome"], &after["neededBy"], &after["sitting"]["released"]);
    assert_eq!(found, (&json!(1), &json!(0), &json!([]), &json!(true)), "{after}");
}

#[tokio::test]
async fn a_make_up_that_is_over_or_gone_holds_up_nothing() {
    let school = School::open().await;
    for is_over in [true, false] {
        let sitting = school.sitting(5, json!({})).await;
        school.enrol(&sitting, json!([{ "email": "a@exam.test", "name": "A" }])).await;
        let start = if is_over { 10 } else { 600 };
        let other = school.sitting(start, json!({ "name": "Other" })).await;
        school.enrol(&other, json!([{ "email": "b@exam.test" }])).await;
        school.advance(20);
        school.release(&sitting).await.assert_error(409, "Another sitting needs the paper");
        if is_over {
            school.advance(80);
        } else {
            assert_eq!(super::delete(&school.admin, &path(&other)).await.status, 200);
        }
        assert_eq!(school.release(&sitting).await.status, 200);
    }
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn waiting_ends_without_a_release() {
        let receiver = Receiver::open().await;
        let (school, _, sessions) = finished(json!({}), &receiver).await;
        let begun = Instant::now();
        let path = format!("/api/sessions/{}?wait=release", sessions[0]);
        school.hall.anonymous().get(&path).await.assert_error(403, "Results are not released");
        let waited = begun.elapsed();
        assert!((Duration::from_secs(24)..Duration::from_secs(27)).contains(&waited), "{waited:?}");
        let staff = school.admin.get(&path).await;
        assert_eq!(staff.status, 200, "staff of the grade need not wait");
        school
            .hall
            .anonymous()
            .get(&format!("/api/sessions/{}?wait=x", sessions[0]))
            .await
            .assert_error(400, "Invalid wait");
    }

    #[tokio::test]
    async fn two_thousand_who_wait_are_told_by_one_request() {
        let receiver = Receiver::open().await;
        let (school, sitting, sessions) = finished(json!({}), &receiver).await;
        let strangers: Vec<_> = (0..2_000).map(|_| school.hall.anonymous()).collect();
        let session = &sessions[0];
        let waits = strangers.iter().map(|stranger| async move {
            let answer = stranger.get(&format!("/api/sessions/{session}?wait=release")).await;
            (Instant::now(), answer)
        });
        let release = async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            let begun = Instant::now();
            // A machine that two thousand keep busy may be too slow for it. Whoever releases asks again.
            let answer = eventually("the release is answered", async || {
                Some(school.release(&sitting).await).filter(|answer| answer.status != 503)
            })
            .await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            begun
        };
        let (answers, begun) = futures_util::future::join(join_all(waits), release).await;
        for (at, answer) in &answers {
            assert_eq!(answer.status, 200, "{}", answer.text());
            assert!(*at >= begun, "someone was told too early");
            assert!(answer.json()["result"]["score"].is_u64());
        }
        // How fast that is depends on the machine, but nobody is sent away to ask again.
        let last = answers.iter().map(|(at, _)| at.duration_since(begun)).max().unwrap();
        println!("the last of 2,000 was told after {last:?}");
        assert!(last < Duration::from_secs(10), "{last:?}");
    }
}
