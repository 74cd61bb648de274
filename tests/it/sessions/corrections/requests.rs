//! Requests whose answers are lost, options that were edited meanwhile, the limit of a scope, and the lock that a
//! correction is made under.

use std::time::Duration;

use examhall::store::corrections::CORRECTIONS_OF_SCOPE_MAX;
use futures_util::join;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, TransactionTrait};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Corrected, PATH};
use crate::hall::Answer;

#[tokio::test]
async fn a_request_that_is_repeated_is_answered_as_the_first() {
    let school = Corrected::open().await;
    let id = school.sit(Some(school.wrong())).await;
    let seen = school.dry(&school.admin, json!({})).await.header("etag").to_owned();
    let scope = json!({ "grade": 5, "from": "2000-01-01", "to": "2100-01-01" });
    school.hall.clock.advance(Duration::from_secs(60));
    for scope in [school.scope(), scope] {
        let changes = json!({ "id": Uuid::new_v4(), "kind": "also", "scope": scope, "comment": "Twice" });
        let body = school.body(&changes);
        let first = school.admin.post_json(PATH, &body).await;
        assert_eq!((first.status, &first.json()["id"]), (200, &changes["id"]), "{}", first.text());
        let made = school.followed(&first.json()).await;
        school.hall.clock.advance(Duration::from_secs(60));
        // With the version that the first one was sent with, which is no longer the newest.
        let again = school.admin.request(Method::POST, PATH).header("if-match", seen.clone()).json(&body);
        let again = Answer::to(again).await;
        assert_eq!((again.status, again.json()), (200, made.clone()), "{}", again.text());
        for other in
            [json!({ "kind": "all", "options": [] }), json!({ "comment": "" }), json!({ "nobodyLoses": false })]
        {
            let mut body = body.clone();
            body.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
            let refused = school.admin.post_json(PATH, &body).await;
            refused.assert_error(409, "There is another correction with this id");
        }
        let elsewhere = school.body(&json!({ "id": Uuid::nil(), "questionId": school.paper[1] }));
        assert_eq!(school.admin.post_json(&format!("{PATH}?dryRun=true"), &elsewhere).await.status, 200);
    }
    let list = school.admin.get(PATH).await.json();
    assert_eq!((list["corrections"].as_array().unwrap().len(), school.reasons(&id).await.len()), (2, 2));
    let same = school.body(&json!({ "id": Uuid::new_v4(), "kind": "all", "options": [] }));
    let (one, other) = join!(school.admin.post_json(PATH, &same), school.admin.post_json(PATH, &same));
    assert_eq!((one.status, &one.json()["version"]), (other.status, &other.json()["version"]));
}

#[tokio::test]
async fn a_revert_whose_answer_was_lost_is_answered_again() {
    let school = Corrected::open().await;
    let id = school.sit(Some(school.wrong())).await;
    let made = school.correct(json!({})).await;
    let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
    let mut versions = Vec::new();
    for _ in 0..2 {
        let version = format!("\"{}\"", made["version"]);
        let reverted = Answer::to(school.admin.request(Method::DELETE, &path).header("if-match", version)).await;
        assert_eq!(reverted.status, 200, "{}", reverted.text());
        school.followed(&reverted.json()).await;
        versions.push(reverted.json()["version"].clone());
    }
    assert_eq!((&versions[0], school.reasons(&id).await.len()), (&versions[1], 3));
}

#[tokio::test]
async fn letters_are_of_the_options_that_the_caller_has_seen() {
    let school = Corrected::open().await;
    let edited = async |options: Value, answer: &str| {
        let updates = json!({ "options": options, "answer": answer });
        let edit = json!({ "questionId": school.question(), "grade": 5, "updates": updates });
        assert_eq!(school.admin.post_json("/api/review/edit", &edit).await.status, 200);
    };
    let (old, new) = (json!(["one", "two", "three"]), json!(["three", "one", "two"]));
    edited(old.clone(), "A").await;
    let first = school.sit(Some("C")).await;
    edited(new.clone(), "B").await;
    school.hall.clock.advance(Duration::from_secs(60));
    let newest = school.sit(Some("C")).await;
    // Of what the newest test was asked, if nobody says what they saw.
    let outlook = school.dry(&school.admin, json!({ "options": ["C"] })).await.json();
    assert_eq!((&outlook["optionTexts"], &outlook["sessions"], &outlook["otherOptions"]), (&new, &json!(1), &json!(1)));
    let seen = json!({ "options": ["C"], "optionTexts": old });
    let outlook = school.dry(&school.admin, seen.clone()).await.json();
    assert_eq!((&outlook["optionTexts"], &outlook["largest"][0]["sessionId"]), (&old, &json!(first)));
    school.correct(seen).await;
    assert_eq!(
        (school.score(&first).await, school.reasons(&newest).await.len()),
        (800, 1),
        "two is right, and not three"
    );
    // Nobody was asked that: as when it was edited between the page and the request.
    for dry in ["", "?dryRun=true"] {
        let body = school.body(&json!({ "options": ["C"], "optionTexts": ["two", "one", "three"] }));
        school.admin.post_json(&format!("{PATH}{dry}"), &body).await.assert_error(409, "Question has changed");
    }
    // Kinds without letters are about the question, whatever its options.
    school.correct(json!({ "kind": "all", "options": [], "optionTexts": ["two"] })).await;
    assert_eq!(school.score(&newest).await, 800);
}

#[tokio::test]
async fn corrections_that_were_taken_back_count_to_no_limit() {
    let school = Corrected::open().await;
    let id = school.sit(Some(school.wrong())).await;
    let scope = json!({ "grade": 5, "from": "2000-01-01", "to": "2100-01-01" });
    let made = school.correct(json!({ "kind": "all", "options": [], "scope": scope })).await;
    school.revert(&made).await;
    let new_id =
        if school.hall.database_url().starts_with("postgres") { "gen_random_uuid()" } else { "randomblob(16)" };
    let columns = "question_id, kind, options, of_options, sitting_id, template_id, grade, from_ms, until_ms, \
        templates, nobody_loses, comment, made_by, made_at_ms, reverted_by, reverted_at_ms";
    let copies = CORRECTIONS_OF_SCOPE_MAX;
    let copying = format!(
        "INSERT INTO corrections (id, number, reverted_number, {columns}) \
         WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {copies}) \
         SELECT {new_id}, -n, -n, {columns} FROM corrections, numbers"
    );
    school.hall.alter(&copying).await;
    let made = school.correct(json!({ "kind": "all", "options": [], "scope": scope })).await;
    assert_eq!(school.score(&id).await, 800);
    school.revert(&made).await;
    assert!(school.score(&id).await < 800, "it has followed the revert, although no correction is left");
    school.hall.alter("UPDATE corrections SET reverted_number = NULL WHERE number < 0").await;
    let all = |scope: Value| school.body(&json!({ "kind": "all", "options": [], "scope": scope }));
    school.admin.post_json(PATH, &all(scope)).await.assert_error(409, "Too many corrections");
    // Long past ones of a grade are in nobody's way.
    school.hall.alter("UPDATE corrections SET until_ms = 1, from_ms = 0 WHERE number < 0").await;
    let made = school.correct(json!({ "kind": "all", "options": [], "scope": made["scope"] })).await;
    assert_eq!((&made["progress"]["total"], school.score(&id).await), (&json!(1), 800));
}

#[tokio::test]
async fn whoever_stores_a_result_does_not_wait_behind_one_who_waits_to_correct() {
    let school = Corrected::open().await;
    // SQLite has one writer.
    if !school.hall.database_url().starts_with("postgres") {
        return;
    }
    school.sit(Some(school.wrong())).await;
    let connection = Database::connect(school.hall.database_url()).await.unwrap();
    let shared = "SELECT pg_advisory_xact_lock_shared(7012)";
    let storing = connection.begin().await.unwrap();
    storing.execute_unprepared(shared).await.unwrap();
    let others = async {
        for _ in 0..10 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let other = connection.begin().await.unwrap();
            other.execute_unprepared("SET LOCAL lock_timeout = '1s'").await.unwrap();
            other.execute_unprepared(shared).await.unwrap();
            other.commit().await.unwrap();
        }
        storing.commit().await.unwrap();
    };
    let body = school.body(&json!({}));
    let (made, ()) = join!(school.admin.post_json(PATH, &body), others);
    assert_eq!(made.status, 200, "{}", made.text());
    connection.close().await.unwrap();
}
