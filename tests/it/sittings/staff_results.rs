//! The results that teachers read: with every answer, of a sitting, of a template and of a grade.

use calamine::{Reader, Xlsx};
use reqwest::Method;
use serde_json::{Value, json};

use super::{School, path, send};
use crate::hall::{Answer, Caller, Candidate, token};

const RESULTS: &str = "/api/manager/results";

/// A sitting with Ada, who answers all but the last question and the second one wrong, with Bo, who hands in an empty
/// test, and with Cy, who does not come.
struct Taught {
    school: School,
    sitting: Value,
    paper: Vec<Value>,
    ada: Candidate,
    manager: Caller,
    reviewer: Caller,
}

impl Taught {
    async fn open() -> Self {
        let school = School::open().await;
        let template = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await.json();
        let paper = template["template"]["standardQuestions"].as_array().unwrap().clone();
        let manager = colleague(&school, "max@exam.test", "manager", 5).await;
        let reviewer = colleague(&school, "rita@exam.test", "reviewer", 5).await;
        let sitting = school.sitting(5, json!({})).await;
        let people = json!([
            { "email": "ada@exam.test", "name": "Ada", "room": "B12", "seat": "4" },
            { "email": "bo@exam.test", "name": "Bo" },
            { "externalId": "=1+1", "name": "Cy" },
        ]);
        school.enrol(&sitting, people).await;
        let ada = school.candidate(&sitting, "Ada").await;
        let bo = school.candidate(&sitting, "Bo").await;
        let (mut ada, mut bo) = (school.enter(&sitting, &ada).await, school.enter(&sitting, &bo).await);
        school.advance(6);
        ada.begin().await;
        bo.begin().await;
        for (index, question) in paper.iter().enumerate().take(paper.len() - 1) {
            let right = question["answer"].as_str().unwrap();
            let chosen = if index == 1 { wrong(right) } else { right };
            ada.answer(question["id"].as_str().unwrap(), chosen).await;
        }
        assert_eq!(ada.submit().await["held"], true);
        bo.submit().await;
        Self { school, sitting, paper, ada, manager, reviewer }
    }

    fn query(&self) -> String {
        format!("?sittingId={}", self.sitting["id"].as_str().unwrap())
    }

    async fn release(&self) {
        let release = format!("{}/release?force=true", path(&self.sitting));
        let answer = Answer::to(self.school.admin.request(Method::POST, &release)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    /// The results as somebody gets them.
    async fn read(&self, caller: &Caller, query: &str) -> Value {
        let answer = caller.get(&format!("{RESULTS}{query}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("cache-control"), "no-store");
        answer.json()
    }
}

fn wrong(right: &str) -> &'static str {
    if right == "A" { "B" } else { "A" }
}

/// Someone with a role for a grade.
async fn colleague(school: &School, email: &str, role: &str, grade: u8) -> Caller {
    let token = token::create(school.hall.settings(), email, role).await;
    let kind = if role == "reviewer" { "assignments" } else { "managers" };
    let assignment = json!({ "email": email, "name": "Somebody", "grades": [grade] });
    let assigned = send(&school.admin, Method::POST, &format!("/api/admin/review/{kind}"), &assignment).await;
    assert_eq!(assigned.status, 200, "{}", assigned.text());
    school.hall.bearer(&token)
}

fn row<'a>(results: &'a Value, student: &str) -> &'a Value {
    results["rows"].as_array().unwrap().iter().find(|row| row["student"] == student).unwrap()
}

#[tokio::test]
async fn figures_of_the_keys_name_nobody_and_are_no_reading_of_results() {
    let taught = Taught::open().await;
    let path = format!("{RESULTS}/figures{}", taught.query());
    let answer = taught.manager.get(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    for person in ["\"Ada\"", "\"Bo\"", "@exam.test", &taught.ada.session_id] {
        assert!(!answer.text().contains(person), "{person}: {}", answer.text());
    }
    let (second, asked) = (&answer.json()["questions"][1], &taught.paper[1]);
    let mistake = json!([{ "choice": wrong(asked["answer"].as_str().unwrap()), "count": 1 }]);
    assert_eq!((&second["id"], &second["mistakes"]), (&asked["id"], &mistake));
    assert_eq!((&second["asked"], &second["right"]), (&json!(2), &json!(0)));
    let figures = answer.json();
    assert_eq!((&figures["forms"], &figures["shuffled"]), (&json!(false), &json!(false)));
    taught.reviewer.get(&path).await.assert_error(403, "Forbidden");
    let recorded = taught.school.admin.get("/api/admin/audit?action=results.read").await.json();
    assert_eq!(recorded["total"], 0, "{recorded}");
}

#[tokio::test]
async fn a_question_discriminates_in_the_results_as_in_the_figures() {
    let taught = Taught::open().await;
    let figures = taught.manager.get(&format!("{RESULTS}/figures{}", taught.query())).await.json();
    let discriminations = |of: &Value| -> Vec<Value> {
        of["questions"].as_array().unwrap().iter().map(|question| question["discrimination"].clone()).collect()
    };
    let of_figures = discriminations(&figures);
    let results = taught.read(&taught.manager, &taught.query()).await;
    assert_eq!(discriminations(&results), of_figures);
    assert!(of_figures.iter().any(Value::is_number), "{figures}");
    let reviewed = taught.read(&taught.reviewer, &taught.query()).await;
    assert_eq!(discriminations(&reviewed), of_figures, "also for those who see no people");
}

#[tokio::test]
async fn a_sitting_has_everyone_with_every_answer() {
    let taught = Taught::open().await;
    let results = taught.read(&taught.manager, &taught.query()).await;
    let of = json!({ "kind": "sitting", "id": taught.sitting["id"], "name": "Finals", "grades": [5] });
    assert_eq!((&results["of"], &results["truncated"]), (&of, &json!(false)));
    let rows: Vec<&Value> = results["rows"].as_array().unwrap().iter().map(|row| &row["student"]).collect();
    assert_eq!(rows, ["Ada", "Bo", "Cy"]);

    let session = taught.school.admin.get(&format!("/api/sessions/{}", taught.ada.session_id)).await.json();
    let ada = row(&results, "Ada");
    let last = taught.paper.len() - 1;
    let cell = |(index, question): (usize, &Value)| match index {
        1 => json!([index, wrong(question["answer"].as_str().unwrap()), 0]),
        index if index == last => json!([index, null, 0]),
        index => json!([index, question["answer"], 1]),
    };
    let answers: Vec<Value> = taught.paper.iter().enumerate().map(cell).collect();
    let candidate = taught.school.candidate(&taught.sitting, "Ada").await;
    assert_eq!(
        ada,
        &json!({
            "sessionId": taught.ada.session_id, "student": "Ada", "account": "ada@exam.test",
            "candidateId": candidate["id"], "room": "B12", "seat": "4", "state": "submitted",
            "score": session["result"]["score"], "right": 8, "questions": 10, "time": session["result"]["timeTaken"],
            "submittedAt": session["completedAt"], "report": format!("/report/{}", taught.ada.session_id),
            "hasDrawings": false, "version": 1, "reason": null, "answers": answers,
        })
    );
    let cy = row(&results, "Cy");
    assert_eq!(
        (&cy["sessionId"], &cy["state"], &cy["account"], &cy["answers"], &cy["score"]),
        (&Value::Null, &json!("expected"), &json!("=1+1"), &json!([]), &Value::Null)
    );

    let questions = results["questions"].as_array().unwrap();
    assert_eq!(questions.len(), 10);
    for (index, (shown, question)) in questions.iter().zip(&taught.paper).enumerate() {
        for name in ["id", "topic", "difficulty", "question"] {
            assert_eq!(shown[name], question[name], "{name}");
        }
        assert_eq!(
            (&shown["number"], &shown["stage"], &shown["correct"]),
            (&json!(index + 1), &json!(1), &question["answer"])
        );
        assert_eq!(shown["options"]["A"], question["options"][0]);
        let numbers = (&shown["asked"], &shown["answered"], &shown["right"]);
        let expected = (2, u8::from(index != last), u8::from(index != last && index != 1));
        assert_eq!(numbers, (&json!(expected.0), &json!(expected.1), &json!(expected.2)), "{shown}");
    }
    let missed = taught.paper[1]["answer"].as_str().unwrap();
    assert_eq!(questions[1]["chosen"][wrong(missed)], 1, "{}", questions[1]);
    assert_eq!(questions[1]["chosen"][missed], 0);
}

#[tokio::test]
async fn a_template_and_a_grade_have_the_tests_of_people_at_other_times() {
    let taught = Taught::open().await;
    let of_template = format!("?templateId={}", taught.school.template);
    for query in [of_template.as_str(), "?grade=5"] {
        let results = taught.read(&taught.manager, query).await;
        let rows: Vec<&Value> = results["rows"].as_array().unwrap().iter().map(|row| &row["sessionId"]).collect();
        assert_eq!((rows.len(), rows[1]), (2, &json!(taught.ada.session_id)), "the newest first");
        assert_eq!(results["questions"].as_array().unwrap().len(), 10);
        let first = row(&results, "Ada")["answers"][0].clone();
        let question = &results["questions"][usize::try_from(first[0].as_u64().unwrap()).unwrap()];
        assert_eq!((&question["id"], &first[1]), (&taught.paper[0]["id"], &taught.paper[0]["answer"]));
        let later = taught.school.at(1);
        let later = format!("{query}&from={later}");
        assert_eq!(taught.read(&taught.manager, &later).await["rows"], json!([]));
    }
    let sources = taught.manager.get("/api/manager/sources").await.json();
    assert_eq!(
        sources,
        json!({
            "sittings": [{
                "id": taught.sitting["id"], "name": "Finals", "startsAt": taught.sitting["startsAt"],
                "state": "running", "submitted": 2,
            }],
            "templates": [{ "id": taught.school.template, "name": "Final paper", "grades": [5], "submitted": 2 }],
            "grades": [{ "grade": 5, "submitted": 2 }],
        })
    );
}

#[tokio::test]
async fn a_test_of_two_grades_is_for_those_who_have_both() {
    let taught = Taught::open().await;
    taught.release().await;
    let targets = json!({ "1": 2, "2": 2, "3": 2, "4": 2, "5": 2 });
    let config = json!({
        "name": "Both", "grades": [5, 6], "mode": "standard", "durationMinutes": 30, "standardTargets": targets,
    });
    let made = taught.school.admin.post_json("/api/admin/test-templates", &config).await.json();
    let start = json!({ "templateId": made["template"]["id"], "annotations": { "name": "Zoe" } });
    let mut zoe = taught.school.hall.sit(start).await;
    zoe.submit().await;
    for (caller, rows) in [(&taught.manager, 2), (&taught.reviewer, 0), (&taught.school.admin, 3)] {
        let shown = taught.read(caller, "?grade=5").await;
        assert_eq!(shown["rows"].as_array().unwrap().len(), rows);
        let ids: Vec<&str> =
            shown["questions"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
        assert_eq!(ids.iter().any(|id| id.starts_with("g6-")), rows == 3, "{ids:?}");
    }
    let sources = taught.manager.get("/api/manager/sources").await.json();
    assert_eq!(sources["grades"], json!([{ "grade": 5, "submitted": 2 }]));
    let both = json!({ "email": "max@exam.test", "name": "Max", "grades": [5, 6] });
    assert_eq!(taught.school.admin.post_json("/api/admin/review/managers", &both).await.status, 200);
    let shown = taught.read(&taught.manager, "?grade=5").await;
    assert_eq!(row(&shown, "Zoe")["sessionId"], zoe.session_id.as_str());
}

#[tokio::test]
async fn questions_have_the_order_of_the_paper_that_was_sat() {
    let taught = Taught::open().await;
    taught.release().await;
    let draw = format!("/api/admin/test-templates/{}/generate", taught.school.template);
    assert_eq!(Answer::to(taught.school.admin.request(Method::POST, &draw)).await.status, 200);
    let results = taught.read(&taught.manager, &taught.query()).await;
    let shown: Vec<Value> = results["questions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|question| json!([question["number"], question["id"], question["stage"], question["changed"]]))
        .collect();
    let sat: Vec<Value> =
        (1..).zip(&taught.paper).map(|(number, question)| json!([number, question["id"], 1, false])).collect();
    assert_eq!(shown, sat);
}

#[tokio::test]
async fn figures_are_by_the_key_that_each_test_was_graded_with() {
    let taught = Taught::open().await;
    taught.release().await;
    let (id, then) = (taught.paper[0]["id"].as_str().unwrap(), taught.paper[0]["answer"].as_str().unwrap());
    let now = wrong(then);
    let edit = json!({ "questionId": id, "grade": 5, "comment": "", "updates": { "answer": now, "question": "Asked later?" } });
    assert_eq!(taught.school.admin.post_json("/api/review/edit", &edit).await.status, 200);
    let of_sitting = taught.read(&taught.manager, &taught.query()).await["questions"][0].clone();
    assert_eq!(
        (&of_sitting["correct"], &of_sitting["changed"], &of_sitting["edited"]),
        (&json!(then), &json!(false), &json!(true))
    );
    assert_eq!(of_sitting["question"], taught.paper[0]["question"], "as it was asked");
    let mut later = taught.school.hall.sit(json!({ "templateId": taught.school.template })).await;
    later.answer(id, now).await;
    later.submit().await;
    taught.school.hall.stored_session(&later.session_id).await;
    let query = format!("?templateId={}", taught.school.template);
    let results = taught.read(&taught.manager, &query).await;
    let question = &results["questions"][0];
    assert_eq!((&question["id"], &question["correct"]), (&json!(id), &json!(now)));
    assert_eq!(
        (&question["asked"], &question["right"]),
        (&json!(3), &json!(2)),
        "Ada by the old key, and this by the new"
    );
    assert_eq!(question["gradedBy"], json!({ then: 2, now: 1 }));
    assert_eq!((&question["question"], &question["edited"]), (&json!("Asked later?"), &json!(false)));
    assert_eq!(results["questions"][1]["gradedBy"], json!({ taught.paper[1]["answer"].as_str().unwrap(): 3 }));
    let table = taught.manager.get(&format!("{RESULTS}.csv{query}")).await.text();
    assert!(table.contains(&format!("1: {id} ({now}; 2 graded by {then})")), "{table}");
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn a_reviewer_sees_questions_and_nobody_s_answers() {
        let taught = Taught::open().await;
        let elsewhere = colleague(&taught.school, "mia@exam.test", "manager", 6).await;
        for query in [taught.query(), format!("?templateId={}", taught.school.template), "?grade=5".to_owned()] {
            let mut shown = taught.read(&taught.reviewer, &query).await;
            let mut all = taught.read(&taught.manager, &query).await;
            assert_eq!(shown["rows"], json!([]), "{query}");
            assert_ne!(all["rows"], json!([]));
            (shown["rows"], all["rows"]) = (Value::Null, Value::Null);
            assert_eq!(shown, all, "{query}");
            for form in [".csv", ".xlsx"] {
                taught.reviewer.get(&format!("{RESULTS}{form}{query}")).await.assert_error(403, "Forbidden");
                let refused = elsewhere.get(&format!("{RESULTS}{form}{query}")).await;
                refused.assert_error(403, "Not assigned to this grade");
            }
            elsewhere.get(&format!("{RESULTS}{query}")).await.assert_error(403, "Not assigned to this grade");
        }
        let sources = elsewhere.get("/api/manager/sources").await.json();
        assert_eq!(sources, json!({ "sittings": [], "templates": [], "grades": [] }));
    }

    #[tokio::test]
    async fn the_tables_have_a_column_for_each_question() {
        let taught = Taught::open().await;
        let text = taught.manager.get(&format!("{RESULTS}.csv{}", taught.query())).await;
        let day = &taught.sitting["startsAt"].as_str().unwrap()[..10];
        let named = format!("attachment; filename=\"Finals-{day}-results.csv\"");
        assert_eq!((text.status, text.header("content-disposition")), (200, &*named));
        let text = text.text();
        let lines: Vec<Vec<&str>> =
            text.trim_start_matches('\u{feff}').lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), 4, "{text}");
        let key = taught.paper[0]["answer"].as_str().unwrap();
        assert_eq!(lines[0][12], format!("1: {} ({key})", taught.paper[0]["id"].as_str().unwrap()));
        assert_eq!(
            (lines[0].len(), lines[1][..5].to_vec()),
            (22, vec!["Ada", "ada@exam.test", "B12", "4", "submitted"])
        );
        assert_eq!((lines[1][12], lines[1][21], lines[2][12]), (key, "–", "–"), "{text}");
        assert_eq!(
            (lines[3][1], lines[3][12]),
            ("'=1+1", ""),
            "no formula, and no answer of someone who was not there"
        );

        let file = taught.manager.get(&format!("{RESULTS}.xlsx{}", taught.query())).await;
        assert_eq!(file.status, 200, "{}", file.text());
        let mut workbook = Xlsx::new(std::io::Cursor::new(file.body)).unwrap();
        let sheet = workbook.worksheet_range("Results").unwrap();
        let cells: Vec<String> = sheet.rows().nth(1).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!((cells[0].as_str(), cells[12].as_str(), cells[21].as_str()), ("Ada", key, "–"));

        let of_grade = taught.manager.get(&format!("{RESULTS}.csv?grade=5")).await.text();
        let head: Vec<&str> = of_grade.lines().next().unwrap().split(',').collect();
        assert_eq!(head.len(), 12, "tests of a grade have no common paper");
    }

    #[tokio::test]
    async fn a_query_names_one_thing() {
        let school = School::open().await;
        let unknown = "00000000-0000-4000-8000-000000000000";
        let one = "Name one of sittingId, templateId and grade";
        for (query, status, message) in [
            (String::new(), 400, one),
            (format!("?grade=5&sittingId={unknown}"), 400, one),
            ("?grade=11".to_owned(), 400, "Invalid grade"),
            ("?sittingId=x".to_owned(), 400, "Invalid sittingId"),
            ("?grade=5&from=yesterday".to_owned(), 400, "Invalid from"),
            (format!("?sittingId={unknown}"), 404, "Not found"),
            (format!("?templateId={unknown}"), 404, "Not found"),
        ] {
            for form in ["", ".csv", ".xlsx"] {
                school.admin.get(&format!("{RESULTS}{form}{query}")).await.assert_error(status, message);
            }
        }
        let empty = school.sitting(60, json!({})).await;
        let results = school.admin.get(&format!("{RESULTS}?sittingId={}", empty["id"].as_str().unwrap())).await.json();
        assert_eq!((&results["questions"], &results["rows"]), (&json!([]), &json!([])));
        assert_eq!(school.admin.get(&format!("{}/results", path(&empty))).await.status, 200);
    }
}

#[tokio::test]
async fn who_reads_results_early_or_keys_is_on_record_once_an_hour() {
    let taught = Taught::open().await;
    let (admin, manager) = (&taught.school.admin, &taught.manager);
    let sitting = taught.sitting["id"].as_str().unwrap();
    let (session, template) = (taught.ada.session_id.as_str(), taught.school.template.as_str());
    let roads = [
        (format!("{}/results", path(&taught.sitting)), ["results.read", sitting, "/api/admin/sittings/{id}/results"]),
        (format!("{RESULTS}{}", taught.query()), ["results.read", sitting, RESULTS]),
        (format!("/api/sessions/{session}"), ["results.read", session, "/api/sessions/{id}"]),
        (format!("/api/report/{session}/questions"), ["results.read", session, "/api/report/{id}/questions"]),
        (format!("/api/report/{session}/pdf"), ["results.read", session, "/api/report/{id}/pdf"]),
        ("/api/questions?grade=5".to_owned(), ["keys.read", "grade 5", "/api/questions"]),
        ("/api/review/questions?grade=5".to_owned(), ["keys.read", "grade 5", "/api/review/questions"]),
        (format!("/api/test-templates/{template}"), ["keys.read", template, "/api/test-templates/{id}"]),
        (
            format!("/api/manager/test-templates/{template}"),
            ["keys.read", template, "/api/manager/test-templates/{id}"],
        ),
    ];
    let recorded = async |actor: &str| {
        let found = admin.get(&format!("/api/admin/audit?actor={actor}%40exam.test")).await.json();
        let text = |entry: &Value, name: &str| entry[name].as_str().unwrap().to_owned();
        let entries = found["entries"].as_array().unwrap().iter();
        let mut entries: Vec<[String; 3]> =
            entries.map(|entry| ["action", "subject", "detail"].map(|name| text(entry, name))).collect();
        entries.sort();
        entries
    };
    for _ in 0..3 {
        for (road, _) in &roads {
            let answer = manager.get(road).await;
            assert_eq!(answer.status, 200, "{road}: {}", answer.text());
        }
    }
    let mut expected: Vec<[String; 3]> = roads.iter().map(|(_, entry)| entry.map(str::to_owned)).collect();
    expected.sort();
    assert_eq!(recorded("max").await, expected);
    for _ in 0..2 {
        assert_eq!(admin.get("/api/sessions").await.status, 200);
    }
    let lists = recorded("admin").await.into_iter().filter(|[_, _, detail]| detail == "/api/sessions").count();
    assert_eq!(lists, 1);
    // An hour later it is another reading, and what has been released is for everyone.
    taught.school.advance(61);
    taught.release().await;
    for (road, _) in &roads[..3] {
        assert_eq!(manager.get(road).await.status, 200);
    }
    assert_eq!(recorded("max").await.len(), expected.len() + 2);
}
