//! What a test in several forms says to whom: on rosters and slips, on reports as the student saw it and as staff read
//! it, in results and tables, and to nobody before a release.

use std::collections::BTreeMap;

use domain::option_order::OptionOrder;
use domain::question::Choice;
use regex::Regex;
use reqwest::Method;
use serde_json::{Value, json};

use super::super::reports::Report;
use super::{School, candidate_path, delete, path, send, slips};
use crate::hall::{Bank, Candidate, Receiver, eventually};

const SEEN: &str = "Options have the letters that they had in this test.";
const MASTER: &str = "Options have the letters that they had in this test; those of the master copy are in brackets.";

/// A sitting in two forms: of Ada, whose seat has form B, and of Bo, whose seat has form A.
struct InForms {
    school: School,
    sitting: Value,
    bank: Bank,
}

impl InForms {
    async fn plan(changes: Value, settings: &[(&str, &str)]) -> Self {
        let school = School::with(settings).await;
        // As everybody reads it before a sitting withholds some of it.
        let bank = school.hall.bank(5).await;
        in_two_forms(&school).await;
        let sitting = school.sitting(5, changes).await;
        let people = json!([
            { "email": "ada@exam.test", "name": "Ada", "room": "B12", "seat": "1" },
            { "email": "bo@exam.test", "name": "Bo", "room": "B12", "seat": "2" },
        ]);
        school.enrol(&sitting, people).await;
        Self { school, sitting, bank }
    }

    /// Ada sits her form: she answers all questions, the first of those wrong whose options stand in another order.
    async fn sit(&self) -> Sat {
        let ada = self.school.candidate(&self.sitting, "Ada").await;
        let mut ada = self.school.enter(&self.sitting, &ada).await;
        assert_eq!((&ada.started["form"], ada.started.get("optionOrder")), (&json!("B"), None), "{}", ada.started);
        self.school.advance(6);
        let begun = ada.begin().await;
        let orders: BTreeMap<String, OptionOrder> = serde_json::from_value(begun["optionOrder"].clone()).unwrap();
        let list = self.list().await;
        let moves = |id: &&String| seen(orders[*id], self.bank.wrong(id)) != self.bank.wrong(id);
        let wrong = orders.keys().find(moves).expect("the wrong option has its own letter in each order").clone();
        for id in &list {
            let chosen = if *id == wrong { self.bank.wrong(id) } else { self.bank.key(id) };
            ada.answer(id, chosen).await;
        }
        ada.submit().await;
        Sat { ada, orders, wrong }
    }

    /// The ids of the list, which is form A.
    async fn list(&self) -> Vec<String> {
        let template = format!("/api/admin/test-templates/{}", self.school.template);
        list_of(&self.school.admin.get(&template).await.json()["template"])
    }

    async fn text(&self, at: &str) -> String {
        let answer = self.school.admin.get(at).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text().trim_start_matches('\u{feff}').to_owned()
    }
}

/// A test that was handed in.
struct Sat {
    ada: Candidate,
    orders: BTreeMap<String, OptionOrder>,
    /// The question that was answered wrong, with an option that stood under another letter than its own.
    wrong: String,
}

/// Changes the school's template; returns it.
async fn in_two_forms(school: &School) -> Value {
    let template = format!("/api/admin/test-templates/{}", school.template);
    let changed = send(&school.admin, Method::PUT, &template, &json!({ "forms": 2 })).await;
    assert_eq!((changed.status, &changed.json()["template"]["forms"]), (200, &json!(2)), "{}", changed.text());
    changed.json()["template"].clone()
}

fn list_of(template: &Value) -> Vec<String> {
    let questions = template["standardQuestions"].as_array().unwrap();
    questions.iter().map(|question| question["id"].as_str().unwrap().to_owned()).collect()
}

/// The letter under which a student sees an option of the bank.
fn seen(order: OptionOrder, letter: &str) -> &'static str {
    order.shown_as(Choice::parse(letter).unwrap()).letter()
}

/// The same with that of the master copy, as staff read it.
fn read(order: OptionOrder, letter: &str) -> String {
    let seen = seen(order, letter);
    if seen == letter { seen.to_owned() } else { format!("{seen} ({letter})") }
}

#[tokio::test]
async fn each_reader_finds_the_letters_that_are_theirs() {
    let receiver = Receiver::open().await;
    let changes = json!({ "results": "now", "webhookUrl": receiver.url() });
    let exam = InForms::plan(changes, &[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let Sat { ada, orders, wrong } = exam.sit().await;
    let (admin, student) = (&exam.school.admin, exam.school.hall.anonymous());
    let session = format!("/api/sessions/{}", ada.session_id);

    // All data have the letters of the bank, with the order beside them.
    let stored = student.get(&session).await.json();
    let told: BTreeMap<String, OptionOrder> = serde_json::from_value(stored["optionOrder"].clone()).unwrap();
    assert_eq!((&stored["form"], &told), (&json!("B"), &orders), "{stored}");
    let lines = stored["result"]["answers"].as_array().unwrap();
    for line in lines {
        let id = line["questionId"].as_str().unwrap();
        let chosen = if id == wrong { exam.bank.wrong(id) } else { exam.bank.key(id) };
        assert_eq!((&line["selected"], &line["correct"]), (&json!(chosen), &json!(exam.bank.key(id))));
    }
    let report = student.get(&format!("/api/report/{}/questions", ada.session_id)).await.json();
    assert_eq!((&report["form"], &report["optionOrder"]), (&json!("B"), &stored["optionOrder"]));
    assert_eq!(
        report["questions"][0]["options"],
        exam.bank.question(report["questions"][0]["id"].as_str().unwrap())["options"]
    );

    // A webhook is as it was.
    let sent = receiver.wait_for(1).await.remove(0).json();
    assert!(sent.get("form").is_none() && sent.get("optionOrder").is_none(), "{sent}");
    assert_eq!(sent["result"], stored["result"]);
    let payload = admin.get(&format!("{session}?payload=1")).await.json();
    assert!(payload.get("form").is_none() && payload.get("optionOrder").is_none(), "{payload}");

    // On paper letters are those that the student saw; staff find those of the master copy beside them.
    let number = 1 + lines.iter().position(|line| line["questionId"] == json!(wrong)).unwrap();
    let (order, chosen, right) = (orders[&wrong], exam.bank.wrong(&wrong), exam.bank.key(&wrong));
    let row = |selected: &str, correct: &str| {
        let (selected, correct) = (regex::escape(selected), regex::escape(correct));
        Regex::new(&format!(r"(?m)^{number} .* {selected}:.* {correct}:.*✗ 0/\d")).unwrap()
    };
    let for_student = row(seen(order, chosen), seen(order, right));
    let for_staff = row(&read(order, chosen), &read(order, right));
    let of_student = Report::of_session(&student, &ada.session_id).await.text();
    let of_staff = Report::of_session(admin, &ada.session_id).await.text();
    assert!(for_student.is_match(&of_student) && !for_staff.is_match(&of_student), "{for_student}:\n{of_student}");
    assert!(for_staff.is_match(&of_staff) && !for_student.is_match(&of_staff), "{for_staff}:\n{of_staff}");
    assert!(of_student.contains(SEEN) && !of_student.contains("master copy"), "{of_student}");
    assert!(of_staff.contains(MASTER) && of_staff.contains("form B"), "{of_staff}");

    // A correction says the letter that the student saw, and its data the one of the bank.
    let correction = json!({
        "questionId": wrong, "kind": "key", "options": [chosen], "scope": { "sittingId": exam.sitting["id"] },
    });
    let made = admin.post_json("/api/manager/corrections", &correction).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let corrected = eventually("the test follows", async || {
        Some(student.get(&session).await.json()).filter(|stored| stored["version"] == 2)
    })
    .await;
    assert_eq!(corrected["optionOrder"], stored["optionOrder"]);
    let line = &corrected["result"]["answers"][number - 1];
    assert_eq!((&line["correct"], &line["correction"]), (&json!(chosen), &json!("key")));
    let said = format!("Question {number}: The key of this question was corrected: {} is right.", seen(order, chosen));
    let text = Report::of_session(&student, &ada.session_id).await.text();
    assert!(text.contains(&said), "{said}:\n{text}");
    let said = format!("corrected: {} is right.", read(order, chosen));
    let text = Report::of_session(admin, &ada.session_id).await.text();
    assert!(text.contains(&said), "{said}:\n{text}");
}

#[tokio::test]
async fn rosters_slips_and_results_name_the_form() {
    let exam = InForms::plan(json!({}), &[]).await;
    let forms = async || {
        let roster = exam.school.candidates(&exam.sitting).await;
        roster.iter().map(|candidate| candidate["form"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(forms().await, [Some("B".to_owned()), Some("A".to_owned())]);
    assert_eq!(exam.school.read(&exam.sitting).await["forms"], 2);
    let printed = slips::text(&exam.school.admin.get(&format!("{}/slips.pdf", path(&exam.sitting))).await);
    assert!(printed.contains("B12, seat 1, Form B") && printed.contains("B12, seat 2, Form A"), "{printed}");
    // Until somebody enters, the seat decides; then they keep what they have.
    let move_ada = async |seat: &str| {
        let ada = exam.school.candidate(&exam.sitting, "Ada").await;
        let at = candidate_path(&exam.sitting, &ada);
        let moved = send(&exam.school.admin, Method::PATCH, &at, &json!({ "seat": seat })).await;
        assert_eq!(moved.status, 200, "{}", moved.text());
        moved.json()["candidate"]["form"].clone()
    };
    assert_eq!((move_ada("4").await, move_ada("3").await), (json!("A"), json!("B")));
    let sat = exam.sit().await;
    assert_eq!(move_ada("4").await, "B");

    let query = format!("?sittingId={}", exam.sitting["id"].as_str().unwrap());
    let results = exam.school.admin.get(&format!("/api/manager/results{query}")).await.json();
    assert_eq!((&results["rows"][0]["form"], &results["rows"][1]["form"]), (&json!("B"), &json!("A")), "{results}");
    let rows = results["rows"].as_array().unwrap();
    assert_eq!((&rows[0]["optionOrder"], rows[1].get("optionOrder")), (&json!(sat.orders), None));
    // Questions have their numbers of form A, which nobody has sat.
    let numbers: Vec<Value> = results["questions"].as_array().unwrap().iter().map(numbered).collect();
    let of_list = |(number, id): (u64, String)| json!([id, number, null]);
    assert_eq!(numbers, (1..).zip(exam.list().await).map(of_list).collect::<Vec<_>>());
    // Answers are counted under the letters of the bank, whatever the student saw.
    let question = results["questions"].as_array().unwrap().iter().find(|one| one["id"] == sat.wrong).unwrap();
    assert_eq!(question["chosen"][exam.bank.wrong(&sat.wrong)], 1, "{question}");
    let of_sitting = exam.school.admin.get(&format!("{}/results", path(&exam.sitting))).await.json();
    assert_eq!(of_sitting["rows"][0]["candidate"]["form"], "B", "{of_sitting}");
    for (at, column, cells) in [
        (format!("/api/manager/results.csv{query}"), ",seat,form,state,", ["B12,4,B,submitted,", "B12,2,A,"]),
        (format!("{}/results.csv", path(&exam.sitting)), ",seat,form,state,", ["B12,4,B,submitted,", "B12,2,A,"]),
        ("/api/admin/results".to_owned(), ",templateId,form,reportUrl", [",B,http://exam.localhost/", "Ada"]),
    ] {
        let table = exam.text(&at).await;
        let head = table.lines().next().unwrap();
        assert!(head.contains(column) && cells.iter().all(|cells| table.contains(cells)), "{at}: {table}");
    }
}

fn numbered(question: &Value) -> Value {
    json!([question["id"], question["number"], question.get("form")])
}

#[tokio::test]
async fn what_only_another_form_has_stands_behind_with_its_letter() {
    let school = School::open().await;
    let at = format!("/api/admin/test-templates/{}", school.template);
    let template = send(&school.admin, Method::PUT, &at, &json!({ "forms": 2, "parallelForms": true })).await.json();
    let template = &template["template"];
    let list = list_of(template);
    let of_b: Vec<String> = serde_json::from_value(template["formLists"][1]["questions"].clone()).unwrap();
    let sitting = school.sitting(5, json!({ "results": "now" })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada", "room": "B12", "seat": "1" }])).await;
    let mut ada = school.enter_all(&sitting).await.remove(0);
    school.advance(6);
    ada.begin().await;
    ada.submit().await;
    let query = format!("?sittingId={}", sitting["id"].as_str().unwrap());
    let results = school.admin.get(&format!("/api/manager/results{query}")).await.json();
    let shown: Vec<Value> = results["questions"].as_array().unwrap().iter().map(numbered).collect();
    let place = |ids: &[String], id: &String| 1 + ids.iter().position(|other| other == id).unwrap();
    let shared = list.iter().filter(|id| of_b.contains(id)).map(|id| json!([id, place(&list, id), null]));
    let own: Vec<Value> =
        of_b.iter().filter(|id| !list.contains(id)).map(|id| json!([id, place(&of_b, id), "B"])).collect();
    assert!(!own.is_empty(), "{template}");
    assert_eq!(shown, shared.chain(own.clone()).collect::<Vec<_>>());
    let table = school.admin.get(&format!("/api/manager/results.csv{query}")).await.text();
    let heading = format!("B{}: {} (", own[0][1], own[0][0].as_str().unwrap());
    assert!(table.contains(&heading), "{heading}: {table}");
}

#[tokio::test]
async fn who_has_not_come_has_no_form_when_it_is_over() {
    let exam = InForms::plan(json!({}), &[]).await;
    let told = async || {
        let roster = exam.school.candidates(&exam.sitting).await;
        roster.iter().map(|one| json!([one.get("form"), one.get("formBy")])).collect::<Vec<_>>()
    };
    assert_eq!(told().await, [json!(["B", "seat"]), json!(["A", "seat"])]);
    let ada = exam.school.candidate(&exam.sitting, "Ada").await;
    let at = candidate_path(&exam.sitting, &ada);
    assert_eq!(send(&exam.school.admin, Method::PATCH, &at, &json!({ "seat": "window" })).await.status, 200);
    assert_eq!(told().await[0][1], "chance");
    assert_eq!(send(&exam.school.admin, Method::PATCH, &at, &json!({ "seat": "1" })).await.status, 200);
    exam.school.enter(&exam.sitting, &ada).await;
    assert_eq!(told().await, [json!(["B", "entered"]), json!(["A", "seat"])]);
    assert_eq!(delete(&exam.school.admin, &path(&exam.sitting)).await.status, 200);
    assert_eq!(told().await[1], json!([null, null]), "nobody sits a form any more");
    let results = exam.school.admin.get(&format!("{}/results", path(&exam.sitting))).await.json();
    assert_eq!(results["rows"][1]["candidate"].get("form"), None, "{results}");
}

#[tokio::test]
async fn each_form_is_told_with_its_key_to_those_who_manage_the_template() {
    let school = School::open().await;
    let (bank, template) = (school.hall.bank(5).await, in_two_forms(&school).await);
    let list = list_of(&template);
    let forms = template["formLists"].as_array().unwrap();
    assert_eq!(forms.iter().map(|form| &form["form"]).collect::<Vec<_>>(), [&json!("A"), &json!("B")]);
    assert_eq!((&forms[0]["questions"], forms[0].get("optionOrder")), (&json!(list), None));
    let mut of_b: Vec<String> = serde_json::from_value(forms[1]["questions"].clone()).unwrap();
    of_b.sort();
    let mut sorted = list.clone();
    sorted.sort();
    assert_eq!(of_b, sorted, "the same questions in another order");
    let keys: Value = list.iter().map(|id| (id.clone(), json!(bank.key(id)))).collect();
    assert!(forms.iter().all(|form| form["correct"] == keys), "as in the bank: {forms:?}");
    assert!(template.get("formQuestions").is_none(), "the list has them all");
    // Students read nothing of it.
    let shared = school.hall.anonymous().get(&format!("/api/test-templates/{}", school.template)).await;
    assert_eq!(shared.status, 200, "{}", shared.text());
    for name in ["forms", "parallelForms", "shuffleOptions", "formLists", "formQuestions", "optionOrder"] {
        assert!(!shared.text().contains(&format!("\"{name}\"")), "{name}: {}", shared.text());
    }
}

#[tokio::test]
async fn nothing_is_told_of_a_test_without_forms() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({ "results": "now" })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada", "seat": "1" }])).await;
    let mut ada = school.enter_all(&sitting).await.remove(0);
    school.advance(6);
    let begun = ada.begin().await;
    assert!(begun.get("optionOrder").is_none() && ada.started.get("form").is_none(), "{begun}");
    ada.submit().await;
    let (id, of_sitting) = (&ada.session_id, path(&sitting));
    let query = format!("?sittingId={}", sitting["id"].as_str().unwrap());
    let told = Regex::new(r#""form"|"forms"|\bform\b,|optionOrder|formLists"#).unwrap();
    for at in [
        of_sitting.clone(),
        format!("{of_sitting}/candidates"),
        format!("{of_sitting}/results"),
        format!("{of_sitting}/results.csv"),
        format!("/api/manager/results.csv{query}"),
        format!("/api/sessions/{id}"),
        "/api/sessions?page=1".to_owned(),
        "/api/admin/results".to_owned(),
        format!("/api/admin/test-templates/{}", school.template),
    ] {
        let answer = school.admin.get(&at).await;
        assert_eq!(answer.status, 200, "{at}: {}", answer.text());
        assert!(!told.is_match(&answer.text()), "{at}: {}", answer.text());
    }
    let text = Report::of_session(&school.admin, id).await.text();
    assert!(!text.contains("· form ") && !text.contains("Options have the letters"), "{text}");
}

#[tokio::test]
async fn a_held_result_tells_no_order() {
    let exam = InForms::plan(json!({ "results": "held" }), &[]).await;
    let Sat { ada, orders, .. } = exam.sit().await;
    let (anonymous, candidate) = (exam.school.hall.anonymous(), ada.caller());
    let roads = |id: &str| {
        [
            format!("/api/sessions/{id}"),
            format!("/api/sessions/{id}?payload=1"),
            format!("/api/report/{id}/questions"),
            format!("/api/report/{id}/pdf"),
        ]
    };
    for caller in [&anonymous, &candidate] {
        for at in roads(&ada.session_id) {
            let held = caller.get(&at).await;
            assert_eq!(held.status, 403, "{at}");
            assert!(!held.text().contains("optionOrder") && !held.text().contains("form"), "{at}: {}", held.text());
        }
    }
    // Staff of the grade see it all.
    let stored = exam.school.admin.get(&format!("/api/sessions/{}", ada.session_id)).await.json();
    assert_eq!((&stored["form"], &stored["optionOrder"]), (&json!("B"), &json!(orders)));
    assert_eq!(exam.school.release_before_all_have_come(&exam.sitting).await.status, 200);
    let stored = anonymous.get(&format!("/api/sessions/{}", ada.session_id)).await.json();
    assert_eq!(stored["optionOrder"], json!(orders));
}
