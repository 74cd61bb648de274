//! Corrected keys: what a correction does to finished tests and to those that are handed in later, who may make one,
//! and what a dry run tells.

mod batches;
mod requests;
mod shown;

use std::time::Duration;

use domain::session::VersionReason;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{create, honest};
use crate::hall::{Answer, Bank, Caller, Hall, Receiver, eventually, token};

const PATH: &str = "/api/manager/corrections";

/// A server with a template of ten questions of grade 5.
struct Corrected {
    hall: Hall,
    admin: Caller,
    template: String,
    paper: Vec<String>,
    bank: Bank,
}

impl Corrected {
    async fn open() -> Self {
        Self::with(&[]).await
    }

    async fn with(changes: &[(&str, &str)]) -> Self {
        let hall = Hall::with(changes).await;
        let admin = hall.signed_in("admin").await;
        let (template, paper) = template(&admin, &[5]).await;
        let bank = hall.bank(5).await;
        Self { hall, admin, template, paper, bank }
    }

    fn scope(&self) -> Value {
        json!({ "templateId": self.template })
    }

    /// The first question, whose key is corrected.
    fn question(&self) -> &str {
        &self.paper[0]
    }

    fn wrong(&self) -> &'static str {
        self.bank.wrong(self.question())
    }

    fn right(&self) -> &str {
        self.bank.key(self.question())
    }

    /// Somebody answers the first question so and all others rightly, and hands in.
    async fn sit(&self, first: Option<&str>) -> String {
        self.sit_with(json!({ "templateId": self.template }), first).await
    }

    async fn sit_with(&self, start: Value, first: Option<&str>) -> String {
        let (id, student) = self.start(start).await;
        self.hand_in(&id, &student, first).await;
        id
    }

    async fn start(&self, start: Value) -> (String, Caller) {
        let started = self.hall.anonymous().post_json("/api/live", &start).await;
        assert_eq!(started.status, 200, "{}", started.text());
        let started = started.json();
        let id = started["sessionId"].as_str().unwrap().to_owned();
        (id, self.hall.bearer(started["token"].as_str().unwrap()))
    }

    async fn hand_in(&self, id: &str, student: &Caller, first: Option<&str>) -> Value {
        let answer = |(seq, (question, selected)): (usize, (&String, &str))| json!({ "type": "answer", "seq": seq, "questionId": question, "selected": selected });
        let rest = self.paper[1..].iter().map(|question| (question, self.bank.key(question)));
        let chosen = first.map(|first| (&self.paper[0], first)).into_iter().chain(rest);
        let mut commands: Vec<Value> = (1..).zip(chosen).map(answer).collect();
        commands.push(json!({ "type": "submit", "seq": 100 }));
        let path = format!("/api/live/{id}/commands");
        let ended = student.post_json(&path, &json!({ "commands": commands })).await;
        assert_eq!(ended.json()["state"], "submitted", "{}", ended.text());
        ended.json()
    }

    fn body(&self, changes: &Value) -> Value {
        let mut body =
            json!({ "questionId": self.question(), "kind": "key", "options": [self.wrong()], "scope": self.scope() });
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        body
    }

    /// Makes a correction, and waits until all tests have followed.
    async fn correct(&self, changes: Value) -> Value {
        let made = self.admin.post_json(PATH, &self.body(&changes)).await;
        assert_eq!(made.status, 200, "{}", made.text());
        self.followed(&made.json()).await
    }

    async fn revert(&self, correction: &Value) -> Value {
        let reverted = self.delete(&self.admin, correction).await;
        assert_eq!(reverted.status, 200, "{}", reverted.text());
        self.followed(&reverted.json()).await
    }

    async fn delete(&self, caller: &Caller, correction: &Value) -> Answer {
        let path = format!("{PATH}/{}", correction["id"].as_str().unwrap());
        Answer::to(caller.request(Method::DELETE, &path)).await
    }

    /// The correction, when its tests have followed what was done with it last.
    async fn followed(&self, correction: &Value) -> Value {
        eventually("all tests have followed", async || {
            let list = self.admin.get(PATH).await.json();
            let is_it = |one: &&Value| one["id"] == correction["id"] && one["version"] == correction["version"];
            let found = list["corrections"].as_array().unwrap().iter().find(is_it).cloned()?;
            (found["progress"]["finished"] == true).then_some(found)
        })
        .await
    }

    async fn dry(&self, caller: &Caller, changes: Value) -> Answer {
        caller.post_json(&format!("{PATH}?dryRun=true"), &self.body(&changes)).await
    }

    /// What is stored of a test, with the line of the first question.
    async fn stored(&self, id: &str) -> (Value, Value) {
        let stored = self.hall.stored_session(id).await;
        let lines = stored["result"]["answers"].as_array().unwrap();
        let line = lines.iter().find(|line| line["questionId"] == self.question()).unwrap().clone();
        (stored, line)
    }

    async fn score(&self, id: &str) -> i64 {
        self.hall.stored_session(id).await["result"]["score"].as_i64().unwrap()
    }

    async fn reasons(&self, id: &str) -> Vec<Value> {
        let versions = self.admin.get(&format!("/api/sessions/{id}/versions")).await.json();
        versions["versions"].as_array().unwrap().iter().map(|one| one["reason"].clone()).collect()
    }

    /// Someone who signs off these grades.
    async fn manager(&self, email: &str, grades: &[u8]) -> Caller {
        let token = token::create(self.hall.settings(), email, "manager").await;
        let assignment = json!({ "email": email, "name": "Max", "grades": grades });
        let assigned = self.admin.post_json("/api/admin/review/managers", &assignment).await;
        assert_eq!(assigned.status, 200, "{}", assigned.text());
        self.hall.bearer(&token)
    }
}

/// A template of these grades, and its questions.
async fn template(admin: &Caller, grades: &[u8]) -> (String, Vec<String>) {
    let targets = json!({ "1": 2, "2": 2, "3": 2, "4": 2, "5": 2 });
    let body = json!({ "name": "Paper", "grades": grades, "mode": "standard", "durationMinutes": 45, "standardTargets": targets });
    let made = admin.post_json("/api/admin/test-templates", &body).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let template = made.json()["template"].clone();
    let questions = template["standardQuestions"].as_array().unwrap();
    let ids = questions.iter().map(|question| question["id"].as_str().unwrap().to_owned());
    (template["id"].as_str().unwrap().to_owned(), ids.collect())
}

#[tokio::test]
async fn tests_follow_a_corrected_key_and_its_revert() {
    let school = Corrected::open().await;
    let (gains, stays) = (school.sit(Some(school.wrong())).await, school.sit(Some(school.right())).await);
    let before = school.score(&gains).await;
    assert_eq!((school.score(&stays).await, before < 800), (800, true));
    let made = school.correct(json!({ "comment": "The picture was turned" })).await;
    assert_eq!(made["progress"], json!({ "done": 2, "total": 2, "finished": true }));
    assert_eq!(
        (&made["kind"], &made["options"], &made["scope"]),
        (&json!("key"), &json!([school.wrong()]), &school.scope())
    );
    assert_eq!((&made["nobodyLoses"], &made["by"]), (&json!(true), &school.admin.get("/api/me").await.json()["email"]));
    let (stored, line) = school.stored(&gains).await;
    assert_eq!(
        (&stored["version"], &stored["reason"], &stored["result"]["score"]),
        (&json!(2), &json!("key_corrected"), &json!(800))
    );
    assert_eq!(stored["previous"], json!({ "version": 1, "score": before }));
    assert_eq!(
        (&line["correct"], &line["isCorrect"], &line["correction"]),
        (&json!(school.wrong()), &json!(true), &json!("key"))
    );
    let (kept, line) = school.stored(&stays).await;
    assert_eq!(
        (&kept["version"], &kept["result"]["score"], line.get("correction")),
        (&json!(1), &json!(800), None),
        "nobody loses"
    );
    let versions = school.admin.get(&format!("/api/sessions/{gains}/versions")).await.json();
    let second = &versions["versions"][1];
    assert_eq!((&second["comment"], &second["by"]), (&json!("The picture was turned"), &made["by"]));
    let reverted = school.revert(&made).await;
    assert_eq!((&reverted["revertedBy"], reverted["revertedAt"].is_string()), (&made["by"], true));
    let (back, line) = school.stored(&gains).await;
    assert_eq!(
        (&back["version"], &back["reason"], &back["result"]["score"]),
        (&json!(3), &json!("reverted"), &json!(before))
    );
    assert_eq!(line.get("correction"), None);
    assert_eq!(school.reasons(&stays).await, [json!("submitted")]);
    // Repeating it changes nothing.
    assert_eq!(school.delete(&school.admin, &made).await.json()["version"], reverted["version"]);
    assert_eq!(school.reasons(&gains).await.len(), 3);
}

#[tokio::test]
async fn each_kind_counts_as_it_says() {
    let school = Corrected::open().await;
    let (chose, chose_none) = (school.sit(Some(school.wrong())).await, school.sit(None).await);
    let also = school.correct(json!({ "kind": "also" })).await;
    let (stored, line) = school.stored(&chose).await;
    assert_eq!(
        (&line["correct"], &line["alsoCorrect"], &line["isCorrect"]),
        (&json!(school.right()), &json!([school.wrong()]), &json!(true))
    );
    assert_eq!((&stored["result"]["score"], &line["correction"]), (&json!(800), &json!("also")));
    let all = school.correct(json!({ "kind": "all", "options": [] })).await;
    let (stored, line) = school.stored(&chose_none).await;
    assert_eq!(
        (&stored["result"]["score"], &line["isCorrect"], &line["selected"]),
        (&json!(800), &json!(true), &json!(""))
    );
    assert_eq!((&stored["result"]["correctAnswers"], line.get("alsoCorrect")), (&json!(10), None));
    let drop = school.correct(json!({ "kind": "drop", "options": null, "nobodyLoses": false })).await;
    let (stored, line) = school.stored(&chose_none).await;
    assert_eq!((&stored["result"]["totalQuestions"], &stored["result"]["correctAnswers"]), (&json!(9), &json!(9)));
    assert_eq!(
        (&line["isCorrect"], &line["correction"], &stored["result"]["score"]),
        (&json!(false), &json!("drop"), &json!(800))
    );
    assert_eq!(stored["result"]["answers"].as_array().unwrap().len(), 10);
    for made in [drop, all, also] {
        school.revert(&made).await;
    }
    let (stored, line) = school.stored(&chose_none).await;
    assert_eq!((line.get("correction"), &stored["reason"]), (None, &json!("reverted")));
    assert_eq!(stored["result"]["totalQuestions"], 10);
}

#[tokio::test]
async fn every_question_may_be_dropped() {
    let school = Corrected::open().await;
    let id = school.sit(Some(school.right())).await;
    for question in &school.paper {
        let drop = json!({ "questionId": question, "kind": "drop", "options": [], "nobodyLoses": false });
        school.correct(drop).await;
    }
    let result = school.hall.stored_session(&id).await["result"].clone();
    assert_eq!(
        (&result["score"], &result["totalQuestions"], &result["accuracy"]),
        (&json!(200), &json!(0), &json!(0.0))
    );
    assert_eq!((&result["topicBreakdown"], &result["difficultyBreakdown"]), (&json!([]), &json!([])));
    let report = school.hall.anonymous().get(&format!("/api/report/{id}/pdf")).await;
    assert_eq!(report.status, 200);
}

#[tokio::test]
async fn whoever_hands_in_later_is_graded_by_it_at_once() {
    let school = Corrected::open().await;
    let (at_work, student) = school.start(school.scope()).await;
    // Nobody has handed in: the question is on the paper.
    let made = school.correct(json!({ "nobodyLoses": false })).await;
    assert_eq!(made["progress"]["total"], 0);
    let ended = school.hand_in(&at_work, &student, Some(school.wrong())).await;
    let (stored, line) = school.stored(&at_work).await;
    assert_eq!(
        (&stored["version"], &stored["result"]["score"], &line["correction"]),
        (&json!(1), &json!(800), &json!("key"))
    );
    // The seat tells the same.
    let told = ended["replies"].as_array().unwrap().iter().find(|reply| reply["type"] == "submitted").unwrap();
    assert_eq!(told["result"]["score"], 800, "{told}");
    let later = school.sit(Some(school.right())).await;
    assert!(school.score(&later).await < 800);
    school.revert(&made).await;
    assert_eq!((school.score(&later).await, school.reasons(&later).await.len()), (800, 2));
    assert_eq!(school.sit(Some(school.right())).await.len(), 36);
}

#[tokio::test]
async fn changes_of_another_kind_are_graded_by_it_too() {
    let school = Corrected::open().await;
    let id = school.sit(None).await;
    school.correct(json!({})).await;
    // As work that came late is: the answers change, and the result is graded without the correction.
    let wrong = school.wrong();
    let question = school.question().to_owned();
    let change = |result: &mut domain::scoring::TestResult| {
        let line = result.answers.iter_mut().find(|line| line.question_id == question).unwrap();
        (line.selected, line.correction) = (wrong.to_owned(), None);
        result.score = 300;
    };
    assert_eq!(school.hall.change_result(&id, VersionReason::LateWork, change).await, 3);
    let (stored, line) = school.stored(&id).await;
    assert_eq!((&stored["reason"], &stored["result"]["score"]), (&json!("late_work"), &json!(800)));
    assert_eq!((&line["isCorrect"], &line["correction"]), (&json!(true), &json!("key")));
}

#[tokio::test]
async fn a_dry_run_tells_what_would_follow_and_stores_nothing() {
    let school = Corrected::open().await;
    let (gains, _) = (school.sit(Some(school.wrong())).await, school.sit(Some(school.right())).await);
    school.sit(None).await;
    let answer = school.dry(&school.admin, json!({})).await;
    assert_eq!((answer.status, answer.header("etag"), answer.header("cache-control")), (200, "\"0\"", "no-store"));
    let told = answer.json();
    let numbers = ["sessions", "rise", "fall", "stay", "kept", "otherBands", "otherOptions"]
        .map(|name| told[name].as_u64().unwrap());
    assert_eq!(numbers, [3, 1, 0, 2, 1, 0, 0]);
    assert_eq!((&told["largest"][0]["sessionId"], &told["largest"][0]["after"]), (&json!(gains), &json!(800)));
    let sum = |side: &str| {
        told["distribution"].as_array().unwrap().iter().map(|bin| bin[side].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((sum("before"), sum("after")), (3, 3));
    let unfair = school.dry(&school.admin, json!({ "nobodyLoses": false })).await.json();
    assert_eq!((&unfair["rise"], &unfair["fall"], &unfair["kept"]), (&json!(1), &json!(1), &json!(0)));
    assert_eq!(school.admin.get(PATH).await.json()["corrections"], json!([]));
    assert_eq!(school.reasons(&gains).await.len(), 1);
    // It takes no lock: a server that stores a result meanwhile holds it up as little as it holds the server up.
    let made = school.admin.post_json(PATH, &school.body(&json!({}))).await.json();
    school.followed(&made).await;
    let after = school.dry(&school.admin, json!({ "kind": "all", "options": [] })).await;
    assert_eq!(after.header("etag"), format!("\"{}\"", made["version"]));
    assert_eq!(after.json()["rise"], 1, "of those who have no points for it by now");
}

#[tokio::test]
async fn what_cannot_be_corrected_is_named() {
    let school = Corrected::open().await;
    school.sit(None).await;
    let elsewhere =
        Bank::new(school.bank.questions.clone()).ids().into_iter().find(|id| !school.paper.contains(id)).unwrap();
    for (changes, error) in [
        (json!({ "questionId": 7 }), "Invalid questionId"),
        (json!({ "kind": "key", "options": [] }), "Invalid options"),
        (json!({ "kind": "key", "options": ["A", "B"] }), "Invalid options"),
        (json!({ "kind": "also", "options": ["A", "B", "C", "D"] }), "Invalid options"),
        (json!({ "kind": "all", "options": ["A"] }), "Invalid options"),
        (json!({ "kind": "drop", "options": ["A"] }), "Invalid options"),
        (json!({ "nobodyLoses": "yes" }), "Invalid nobodyLoses"),
        (json!({ "scope": { "grade": 5, "from": "never", "to": "2026-01-05" } }), "Invalid scope"),
        (json!({ "scope": { "grade": 5, "from": "2026-01-05", "to": "2026-01-01" } }), "Invalid scope"),
        (json!({ "edit": { "grade": 5, "updates": { "answer": "Z" } } }), "Invalid edit"),
    ] {
        let answer = school.admin.post_json(PATH, &school.body(&changes)).await;
        assert_eq!((answer.status, &answer.json()["error"]), (400, &json!(error)), "{changes}");
    }
    for (changes, error) in [
        (json!({ "questionId": elsewhere }), "Question not found"),
        (json!({ "scope": { "grade": 6, "from": "2000-01-01", "to": "2100-01-01" } }), "Question not found"),
        (json!({ "scope": { "sittingId": Uuid::new_v4() } }), "Not found"),
    ] {
        let answer = school.admin.post_json(PATH, &school.body(&changes)).await;
        assert_eq!((answer.status, &answer.json()["error"]), (404, &json!(error)), "{changes}");
    }
    school.dry(&school.admin, json!({ "dryRun": 1 })).await;
    let dry = school.admin.post_json(&format!("{PATH}?dryRun=perhaps"), &school.body(&json!({}))).await;
    dry.assert_error(400, "Invalid dryRun");
    let unknown = Answer::to(school.admin.request(Method::DELETE, &format!("{PATH}/{}", Uuid::new_v4()))).await;
    unknown.assert_error(404, "Not found");
    assert_eq!(school.admin.get(PATH).await.json()["corrections"], json!([]));
}

#[tokio::test]
async fn an_option_that_the_question_does_not_have_is_refused() {
    let school = Corrected::open().await;
    let edit = |updates: Value| json!({ "questionId": school.question(), "grade": 5, "updates": updates });
    let two = json!({ "options": ["one", "two"], "answer": "A" });
    let edited = school.admin.post_json("/api/review/edit", &edit(two)).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
    let id = school.sit(Some("B")).await;
    let refused = school.admin.post_json(PATH, &school.body(&json!({ "options": ["C"] }))).await;
    refused.assert_error(400, "Invalid options");
    // The question was edited since: those who were asked it so are corrected by what they saw, others left alone.
    let other = json!({ "options": ["two", "one", "three"], "answer": "B" });
    assert_eq!(school.admin.post_json("/api/review/edit", &edit(other)).await.status, 200);
    let newer = school.sit(Some("A")).await;
    let outlook = school.dry(&school.admin, json!({ "options": ["C"] })).await.json();
    assert_eq!((&outlook["sessions"], &outlook["otherOptions"]), (&json!(1), &json!(1)));
    school.correct(json!({ "options": ["A"], "nobodyLoses": false })).await;
    assert_eq!((school.reasons(&id).await.len(), school.reasons(&newer).await.len()), (1, 2));
    let all = school.correct(json!({ "kind": "all", "options": [] })).await;
    assert_eq!(all["progress"]["total"], 2);
    assert_eq!((school.reasons(&id).await.len(), school.score(&id).await), (2, 800));
}

#[tokio::test]
async fn a_question_that_the_bank_no_longer_asks_is_corrected_in_the_tests_that_had_it() {
    let school = Corrected::open().await;
    let id = school.sit(None).await;
    let swap = json!({ "bucket": { "kind": "standard" }, "questionId": school.question() });
    let swapped = school.admin.post_json(&format!("/api/admin/test-templates/{}/swap", school.template), &swap).await;
    assert_eq!(swapped.status, 200, "{}", swapped.text());
    let made = school.correct(json!({ "kind": "all", "options": [] })).await;
    assert_eq!((&made["progress"]["total"], school.score(&id).await), (&json!(1), 800));
}

#[tokio::test]
async fn managers_correct_what_is_all_theirs() {
    let school = Corrected::open().await;
    let (joint, paper) = template(&school.admin, &[5, 6]).await;
    // Both papers are drawn at random, so they may have questions in common.
    let shared = paper.iter().find(|id| id.starts_with("g5") && !school.paper.contains(id)).unwrap().clone();
    let alone = school.sit(None).await;
    let started = school.hall.anonymous().post_json("/api/live", &json!({ "templateId": joint })).await.json();
    let student = school.hall.bearer(started["token"].as_str().unwrap());
    let together = started["sessionId"].as_str().unwrap().to_owned();
    let submit = json!({ "commands": [{ "type": "submit", "seq": 1 }] });
    student.post_json(&format!("/api/live/{together}/commands"), &submit).await;
    let (five, both) = (school.manager("five@exam.test", &[5]).await, school.manager("both@exam.test", &[5, 6]).await);
    let all = |id: &str, scope: Value| {
        school.body(&json!({ "questionId": id, "kind": "all", "options": [], "scope": scope }))
    };
    for path in [PATH.to_owned(), format!("{PATH}?dryRun=true")] {
        let refused = five.post_json(&path, &all(&shared, json!({ "templateId": joint }))).await;
        refused.assert_error(403, "Not assigned to this grade");
        let elsewhere = all(&shared, json!({ "grade": 6, "from": "2000-01-01", "to": "2100-01-01" }));
        five.post_json(&path, &elsewhere).await.assert_error(403, "Not assigned to this grade");
    }
    let of_grade = json!({ "grade": 5, "from": "2000-01-01", "to": "2100-01-01" });
    // A grade's scope leaves the joint exam out for those who have not all its grades.
    five.post_json(PATH, &all(&shared, of_grade.clone())).await.assert_error(404, "Question not found");
    let own = five.post_json(PATH, &all(school.question(), of_grade.clone())).await;
    assert_eq!(own.status, 200, "{}", own.text());
    let own = school.followed(&own.json()).await;
    assert_eq!((&own["progress"]["total"], school.score(&alone).await), (&json!(1), 800));
    let ends = crate::hall::time_of(&own["scope"]["to"]);
    assert!(ends <= school.hall.clock.now().utc(), "it ends when it is made: exams that begin later are not in it");
    let of_both = both.post_json(PATH, &all(&shared, json!({ "templateId": joint }))).await;
    assert_eq!(of_both.status, 200, "{}", of_both.text());
    assert_eq!(school.followed(&of_both.json()).await["progress"]["total"], 1);
    let listed = async |caller: &Caller| caller.get(PATH).await.json()["corrections"].as_array().unwrap().len();
    assert_eq!((listed(&five).await, listed(&both).await, listed(&school.admin).await), (1, 2, 2));
    school.delete(&five, &of_both.json()).await.assert_error(403, "Not assigned to this grade");
    // One that an admin has made for the grade is about joint exams too.
    let wide = school.admin.post_json(PATH, &all(&shared, of_grade)).await.json();
    school.delete(&five, &wide).await.assert_error(403, "Not assigned to this grade");
    for (other, status) in [(school.hall.anonymous(), 401), (school.hall.signed_in("student").await, 403)] {
        assert_eq!(other.get(PATH).await.status, status);
        assert_eq!(other.post_json(PATH, &school.body(&json!({}))).await.status, status);
    }
    let reviewer = school.hall.staff_of("reviewer", 5).await;
    school.dry(&reviewer, json!({})).await.assert_error(403, "Forbidden");
}

#[tokio::test]
async fn a_scope_of_a_grade_has_live_tests_that_began_in_it() {
    let school = Corrected::open().await;
    let handed_in = create(&school.hall.anonymous(), &honest(&school.bank)).await;
    let first = school.sit(None).await;
    school.hall.clock.advance(Duration::from_secs(3_600));
    let (second, at_work) = (school.sit(None).await, school.start(school.scope()).await);
    school.hall.clock.advance(Duration::from_secs(60));
    let between = school.hall.clock.now().plus(-1_800_000);
    let scope = json!({ "grade": 5, "from": between, "to": "2100-01-01" });
    let all = json!({ "kind": "all", "options": [], "scope": scope });
    let made = school.correct(all).await;
    assert_eq!(made["progress"]["total"], 1);
    assert_eq!((school.reasons(&first).await.len(), school.score(&second).await), (1, 800));
    assert_eq!(school.reasons(&handed_in).await.len(), 1, "nobody knows who has answered");
    let (id, student) = at_work;
    school.hand_in(&id, &student, None).await;
    let later = school.sit(None).await;
    assert_eq!((school.score(&id).await, school.score(&later).await < 800), (800, true));
}

#[tokio::test]
async fn two_at_once_follow_each_other_and_a_named_version_is_the_present_one() {
    let school = Corrected::open().await;
    let id = school.sit(Some(school.wrong())).await;
    let seen = school.dry(&school.admin, json!({})).await.header("etag").to_owned();
    let make = |kind: &'static str, options: Value| {
        let request = school.admin.request(Method::POST, PATH).header("if-match", seen.clone());
        Answer::to(request.json(&school.body(&json!({ "kind": kind, "options": options }))))
    };
    let (one, other) = tokio::join!(make("all", json!([])), make("also", json!([school.wrong()])));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412]);
    let (made, refused) = if one.status == 200 { (one, other) } else { (other, one) };
    refused.assert_error(412, "Corrections have changed");
    assert_eq!(made.header("etag"), format!("\"{}\"", made.json()["version"]));
    let made = school.followed(&made.json()).await;
    let body = school.body(&json!({}));
    let at_once = join_all((0..6).map(|_| school.admin.post_json(PATH, &body))).await;
    let mut versions: Vec<i64> = at_once.iter().map(|answer| answer.json()["version"].as_i64().unwrap()).collect();
    versions.sort_unstable();
    versions.dedup();
    assert_eq!(versions.len(), 6);
    for answer in &at_once {
        school.followed(&answer.json()).await;
    }
    let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
    let stale = school.admin.request(Method::DELETE, &path).header("if-match", "\"9999\"");
    Answer::to(stale).await.assert_error(412, "Correction has changed");
    assert_eq!(school.score(&id).await, 800);
}

#[tokio::test]
async fn a_correction_that_is_taken_back_while_it_is_followed_stays_in_no_score() {
    let school = Corrected::open().await;
    let mut ids = Vec::new();
    for _ in 0..12 {
        ids.push(school.sit(Some(school.wrong())).await);
    }
    let before = school.score(&ids[0]).await;
    for _ in 0..3 {
        let made = school.admin.post_json(PATH, &school.body(&json!({}))).await.json();
        let reverted = school.delete(&school.admin, &made).await.json();
        let late = school.sit(Some(school.wrong())).await;
        school.followed(&reverted).await;
        assert_eq!(school.score(&late).await, before);
        for id in &ids {
            assert_eq!(school.score(id).await, before, "{id}");
        }
    }
}

#[tokio::test]
async fn tests_that_end_while_a_correction_is_made_are_all_graded_by_it() {
    let school = Corrected::open().await;
    let starts = join_all((0..24).map(|_| school.start(school.scope()))).await;
    let wrong = school.wrong();
    let ending = join_all(starts.iter().map(|(id, student)| school.hand_in(id, student, Some(wrong))));
    let correcting = async {
        let first = school.admin.post_json(PATH, &school.body(&json!({ "kind": "drop", "options": [] }))).await.json();
        let second = school.admin.post_json(PATH, &school.body(&json!({}))).await.json();
        (first, second)
    };
    let (_, (first, second)) = tokio::join!(ending, correcting);
    for correction in [first, second] {
        school.followed(&correction).await;
    }
    for (id, _) in &starts {
        let (stored, line) = school.stored(id).await;
        assert_eq!((&stored["result"]["score"], &line["correction"]), (&json!(800), &json!("key")), "{id}");
    }
}

#[tokio::test]
async fn receivers_are_told_of_what_has_changed() {
    let school = Corrected::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let receiver = Receiver::open().await;
    let start = json!({ "templateId": school.template, "webhookUrl": receiver.url() });
    let id = school.sit_with(start.clone(), Some(school.wrong())).await;
    let kept = school.sit_with(start, Some(school.right())).await;
    let events = async |count: usize| {
        eventually("the events arrive", async || {
            let calls: Vec<Value> = receiver.calls().iter().map(|call| call.json()).collect();
            (calls.len() >= count).then_some(calls)
        })
        .await
    };
    events(2).await;
    let made = school.correct(json!({})).await;
    school.revert(&made).await;
    let told = events(4).await;
    let changed: Vec<&Value> = told.iter().filter(|event| event["event"] == "result.changed").collect();
    assert!(changed.iter().all(|event| event["sessionId"] == id.as_str() && event["sessionId"] != kept.as_str()));
    let reasons: Vec<(&Value, &Value)> = changed.iter().map(|event| (&event["version"], &event["reason"])).collect();
    assert_eq!(reasons, [(&json!(2), &json!("key_corrected")), (&json!(3), &json!("reverted"))]);
    let line = &changed[0]["result"]["answers"][0];
    assert_eq!(line["questionId"] == school.question(), line["correction"] == "key");
}

#[tokio::test]
async fn lists_tables_statistics_and_results_show_it_at_once() {
    let school = Corrected::open().await;
    let id = school.sit(Some(school.wrong())).await;
    school.correct(json!({ "kind": "also" })).await;
    let list = school.admin.get("/api/sessions?page=1").await.json();
    assert_eq!(list["sessions"][0]["score"], 800);
    let query = format!("templateId={}", school.template);
    let results = school.admin.get(&format!("/api/manager/results?{query}")).await.json();
    let question = results["questions"].as_array().unwrap().iter().find(|one| one["id"] == school.question()).unwrap();
    assert_eq!((&question["correction"], &question["alsoCorrect"]), (&json!("also"), &json!([school.wrong()])));
    assert_eq!((&question["right"], &results["rows"][0]["score"]), (&json!(1), &json!(800)));
    let table = school.admin.get(&format!("/api/manager/results.csv?{query}")).await.text();
    assert!(table.contains("corrected: also"), "{table}");
    let solved = async || {
        let items = school.admin.get("/api/admin/items?grade=5").await.json();
        let mut items = items["items"].as_array().unwrap().iter();
        let item = items.find(|one| one["questionId"] == school.question())?;
        (item["pValue"] == json!(1.0)).then_some(())
    };
    eventually("the answers are counted again", solved).await;
    let pdf = school.hall.anonymous().get(&format!("/api/report/{id}/pdf")).await;
    let first = school.admin.get(&format!("/api/report/{id}/pdf?version=1")).await;
    assert_eq!((pdf.status, first.status), (200, 200));
    assert_ne!(pdf.body, first.body);
}

#[tokio::test]
async fn the_question_is_mended_in_the_same_step() {
    let school = Corrected::open().await;
    let id = school.sit(Some(school.wrong())).await;
    let edit =
        |before: &str| json!({ "grade": 5, "updates": { "answer": school.wrong() }, "before": { "answer": before } });
    let stale = school.admin.post_json(PATH, &school.body(&json!({ "edit": edit(school.wrong()) }))).await;
    stale.assert_error(409, "Question has changed");
    assert_eq!(
        (school.admin.get(PATH).await.json()["corrections"].clone(), school.reasons(&id).await.len()),
        (json!([]), 1)
    );
    school.correct(json!({ "edit": edit(school.right()), "comment": "The key was wrong" })).await;
    assert_eq!(school.score(&id).await, 800);
    assert_eq!(school.hall.bank(5).await.key(school.question()), school.wrong());
    let log = school.admin.get("/api/review/edit?grade=5").await.json();
    let logged = &log["editLog"][0];
    assert_eq!((&logged["questionId"], &logged["comment"]), (&json!(school.question()), &json!("The key was wrong")));
    // A repeat finds it mended.
    let again = json!({ "edit": { "grade": 5, "updates": { "answer": school.wrong() } } });
    school.correct(again).await;
    let actions = school.admin.get("/api/admin/audit?action=key.corrected").await.json();
    let entry = &actions["entries"][0];
    assert_eq!(entry["subject"], school.question());
    assert!(entry["detail"].as_str().unwrap().starts_with("key "), "{entry}");
}

#[tokio::test]
async fn what_a_dry_run_tells_is_on_record_as_read() {
    let school = Corrected::open().await;
    school.sit(None).await;
    school.dry(&school.admin, json!({})).await;
    let read = school.admin.get("/api/admin/audit?action=results.read").await.json();
    assert_eq!(read["entries"][0]["detail"], PATH);
    assert_eq!(school.admin.get("/api/admin/audit?action=key.corrected").await.json()["entries"], json!([]));
}

#[tokio::test]
async fn nothing_is_forgotten_while_the_store_is_away() {
    let school = Corrected::open().await;
    let id = school.sit(Some(school.wrong())).await;
    school.hall.alter("ALTER TABLE correction_pieces RENAME TO pieces_away").await;
    let made = school.admin.post_json(PATH, &school.body(&json!({}))).await;
    assert_eq!(made.status, 500, "how far it is cannot be told: {}", made.text());
    assert!(school.score(&id).await < 800);
    school.hall.alter("ALTER TABLE pieces_away RENAME TO correction_pieces").await;
    eventually("it is followed", async || (school.score(&id).await == 800).then_some(())).await;
}
