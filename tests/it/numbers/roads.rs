//! The walk: one number on every road.

use std::io::Cursor;
use std::process::Command;

use calamine::{Reader, Xlsx};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use reqwest::Method;
use serde_json::{Value, json};

use super::{OF_EACH, School, TEMPLATES, drawn, find, id, number, practice, send, types_of};
use crate::hall::{Answer, Candidate, Hall, PROVIDER_KEY, answer, eventually};

type Road = (&'static str, for<'a> fn(&'a School) -> LocalBoxFuture<'a, ()>);

/// In this order: the last ones change what the others would see.
const ROADS: [Road; 19] = [
    ("the bank, and the types that it is asked for", |school| bank(school).boxed_local()),
    ("the lists of staff", |school| lists_of_staff(school).boxed_local()),
    ("templates, and what they draw and swap", |school| templates(school).boxed_local()),
    ("starts of practice", |school| starts(school).boxed_local()),
    ("a live test over a socket", |school| socket(school).boxed_local()),
    ("a live test over HTTPS, and its row for proctors", |school| https(school).boxed_local()),
    ("receipts", |school| receipts(school).boxed_local()),
    ("stored sessions, and their versions", |school| stored(school).boxed_local()),
    ("webhooks", |school| webhooks(school).boxed_local()),
    ("tests that clients hand in", |school| handed_in(school).boxed_local()),
    ("reports, as data", |school| report(school).boxed_local()),
    ("reports, on paper", |school| report_on_paper(school).boxed_local()),
    ("results with every answer", |school| results(school).boxed_local()),
    ("results as tables", |school| tables(school).boxed_local()),
    ("statistics of questions", |school| statistics(school).boxed_local()),
    ("the data provider, served and called", |school| provider(school).boxed_local()),
    ("edits, their history and retirement", |school| history(school).boxed_local()),
    ("the export of the bank", |school| export(school).boxed_local()),
    ("corrections, and the log of what was done", |school| corrections(school).boxed_local()),
];

#[tokio::test]
async fn a_number_goes_every_road() {
    let school = School::open().await;
    for (name, walk) in ROADS {
        println!("{name}");
        walk(&school).await;
    }
}

fn assert_done(answer: &Answer) {
    assert_eq!((answer.status, answer.text().as_str()), (200, r#"{"ok":true}"#));
}

async fn bank(school: &School) {
    let read = async |query: &str| school.hall.anonymous().get(&format!("/api/questions?grade=5{query}")).await.json();
    let plain = read("").await;
    assert_eq!((plain.as_array().unwrap().len(), find(&plain, school.first())), (OF_EACH, None));
    assert_eq!(read("&types=multiple-choice").await, plain);
    let numbers = read("&types=number").await;
    assert_eq!(numbers.as_array().unwrap().len(), OF_EACH + 1);
    let told = find(&numbers, school.first()).unwrap();
    let expected = json!({
        "type": "number", "options": [], "answer": "0.5", "tolerance": "0", "unit": "kg",
        "forms": ["decimal", "fraction", "mixed"], "language": "en",
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&told[name], value, "{name}");
    }
    assert_eq!(read("&types=all").await.as_array().unwrap().len(), 2 * OF_EACH + 1);
    for types in ["letters", "Number", "number,all"] {
        let refused = school.hall.anonymous().get(&format!("/api/questions?grade=5&types={types}")).await;
        refused.assert_error(400, "Invalid types");
    }
}

async fn lists_of_staff(school: &School) {
    let all = school.read("/api/admin/questions?grade=5").await;
    assert_eq!(find(&all, school.first()), Some(&school.numbers[0]));
    let reviewed = school.read("/api/review/questions?grade=5").await;
    let told = find(&reviewed["questions"], school.first()).unwrap();
    assert_eq!((&told["answer"], &told["unit"]), (&json!("0.5"), &json!("kg")));
}

async fn templates(school: &School) {
    let types = |template: &Value| {
        let questions = template["standardQuestions"].as_array().unwrap().clone();
        questions.into_iter().map(|question| question["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((&school.template["types"], types(&school.template)), (&json!("number"), vec!["number".to_owned(); 10]));
    let plain = drawn(&school.admin, json!({})).await;
    assert_eq!((plain.get("types"), types(&plain)), (None, vec!["multiple-choice".to_owned(); 10]));
    let path = format!("{TEMPLATES}/{}", id(&plain));
    send(&school.admin, Method::PUT, &path, &json!({ "types": "letters" })).await.assert_error(400, "Invalid types");
    let changed = send(&school.admin, Method::PUT, &path, &json!({ "types": "all" })).await;
    assert_eq!(changed.json()["template"]["types"], "all", "{}", changed.text());
    let shared = school.read(&format!("/api/test-templates/{}", id(&school.template))).await;
    assert_eq!(find(&shared["standardQuestions"], school.first()).unwrap()["unit"], "kg");
    let swap = format!("{TEMPLATES}/{}/swap?bucket=standard&questionId={}", id(&school.template), school.first());
    let candidates = school.read(&swap).await;
    assert_eq!(candidates["candidates"], json!([school.spare]), "no question of another type");
}

async fn starts(school: &School) {
    for (types, expected) in [("number", &["number"][..]), ("multiple-choice", &["multiple-choice"])] {
        let started = school.hall.sit(practice(types)).await.started;
        assert_eq!(types_of(school, &started).await, expected);
    }
    let plain = school.hall.sit(json!({ "grade": 5, "questionCount": OF_EACH })).await.started;
    assert_eq!(types_of(school, &plain).await, ["multiple-choice"]);
    let named: Vec<&str> = school.numbers.iter().map(id).collect();
    let by_name = |types: Value| {
        let mut start = json!({ "grade": 5, "questionIds": named });
        start.as_object_mut().unwrap().extend(types.as_object().unwrap().clone());
        start
    };
    let started = school.hall.sit(by_name(json!({ "types": "all" }))).await.started;
    assert_eq!(types_of(school, &started).await, ["number"]);
    let surprised = school.hall.anonymous().post_json("/api/live", &by_name(json!({}))).await;
    assert_eq!((surprised.status, &surprised.json()["code"]), (400, &json!("invalid_test")), "{}", surprised.text());
}

async fn socket(school: &School) {
    let rows = school.resumed["answers"].as_array().unwrap();
    let row = rows.iter().find(|row| row["questionId"] == school.first()).unwrap();
    assert_eq!(row["selected"], ",5", "as it was typed");
    let line = school.line(&school.submitted["result"]);
    assert_eq!(
        (&line["selected"], &line["correct"], &line["isCorrect"]),
        (&json!(",5"), &json!("0.5"), &json!(true)),
        "{line}"
    );
    assert_eq!(school.submitted["result"]["score"], 800);
}

async fn https(school: &School) {
    let start = json!({ "templateId": school.template["id"], "annotations": { "name": "Dan" } });
    let mut dan = Candidate::start_by_https(&school.hall.base(), &start).await;
    // What is not a number yet is saved too, while somebody types.
    for typed in ["-", "- 1", "half"] {
        let seq = dan.act(answer(school.first(), typed));
        assert_eq!(dan.post(&[seq]).await["saved"], seq);
        let state = dan.state().await;
        assert_eq!(state["answers"][0]["selected"], typed);
    }
    let rows = school.read(&format!("/api/live/sessions?templateId={}", id(&school.template))).await;
    let row = rows["sessions"].as_array().unwrap().iter().find(|row| row["student"] == "Dan").unwrap().clone();
    assert_eq!((&row["answered"], &row["currentQuestionId"]), (&json!(1), &json!(school.first())), "{row}");
    let seq = dan.act(json!({ "type": "answer", "questionId": school.first(), "selected": null }));
    dan.post(&[seq]).await;
    assert_eq!(dan.state().await["answers"][0]["selected"], Value::Null);
}

async fn receipts(school: &School) {
    let jws = school.hall.receipt(&school.admin, &school.ada.session_id, "").await;
    let content = school.hall.verified(&jws).await;
    let told = content["answers"].as_array().unwrap().iter().find(|answer| answer[0] == school.first()).unwrap();
    assert_eq!(told[1], ",5");
}

async fn stored(school: &School) {
    let stored = school.hall.stored_session(&school.ada.session_id).await;
    assert_eq!(stored["result"], school.submitted["result"]);
    for (other, typed) in school.others.iter().zip(["0,4", "2/5"]) {
        let stored = school.hall.stored_session(other).await;
        let line = school.line(&stored["result"]);
        assert_eq!((&line["selected"], &line["isCorrect"]), (&json!(typed), &json!(false)));
    }
    let payload = school.read(&format!("/api/sessions/{}?payload=1", school.ada.session_id)).await;
    assert_eq!(payload["result"], school.submitted["result"]);
}

async fn webhooks(school: &School) {
    let told = school.receiver.wait_for(1).await.remove(0).json();
    assert_eq!((&told["event"], &told["result"]), (&json!("test.completed"), &school.submitted["result"]));
}

async fn handed_in(school: &School) {
    let typed = ["1/2", "0,50", "\u{a0}½ kg", "2", "A", "", &"1".repeat(33), "500 g", "0.5", "1/2"];
    let lines = school.numbers.iter().zip(typed).map(
        |(number, typed)| json!({ "questionId": number["id"], "selected": typed, "correct": "2", "isCorrect": true }),
    );
    let body = json!({
        "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example",
        "result": {
            "score": 800, "correctAnswers": 10, "totalQuestions": 10, "timeTaken": 60, "topicBreakdown": [],
            "difficultyBreakdown": [], "answers": lines.collect::<Vec<_>>(),
        },
    });
    let created = school.hall.anonymous().post_json("/api/sessions", &body).await;
    assert_eq!(created.status, 200, "{}", created.text());
    let stored = school.hall.stored_session(created.json()["sessionId"].as_str().unwrap()).await;
    assert_eq!(stored["verified"], true);
    let right: Vec<bool> = stored["result"]["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            assert_eq!(line["correct"], "0.5", "the server's own key");
            line["isCorrect"].as_bool().unwrap()
        })
        .collect();
    assert_eq!(right, [true, true, true, false, false, false, false, false, true, true]);
    let kept = |place: usize| stored["result"]["answers"][place]["selected"].clone();
    assert_eq!((kept(4), kept(5), kept(6), kept(7)), (json!("A"), json!(""), json!(""), json!("500 g")));
}

async fn report(school: &School) {
    let shown = school.hall.anonymous().get(&format!("/api/report/{}/questions", school.ada.session_id)).await.json();
    let told = find(&shown["questions"], school.first()).unwrap();
    assert_eq!(
        (&told["type"], &told["answer"], &told["unit"], &told["language"]),
        (&json!("number"), &json!("0.5"), &json!("kg"), &json!("en"))
    );
}

async fn report_on_paper(school: &School) {
    let paper = async |session: &str| {
        let answer = school.hall.anonymous().get(&format!("/api/report/{session}/pdf")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("report.pdf");
        std::fs::write(&file, &answer.body).unwrap();
        let output = Command::new("pdftotext").args(["-layout".as_ref(), file.as_os_str(), "-".as_ref()]).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let of_ada = paper(&school.ada.session_id).await;
    assert!(of_ada.contains(",5 = 0.5") && of_ada.contains("0.5 kg"), "typed, read, and the key: {of_ada}");
    let of_other = paper(&school.others[1]).await;
    assert!(of_other.contains("2/5") && of_other.contains('✗'), "{of_other}");
}

async fn results(school: &School) {
    let results = school.read(&format!("/api/manager/results?templateId={}", id(&school.template))).await;
    let questions = results["questions"].as_array().unwrap();
    let place = questions.iter().position(|question| question["id"] == school.first()).unwrap();
    let question = &questions[place];
    let expected = json!({
        "type": "number", "unit": "kg", "language": "en", "correct": "0.5", "options": {}, "chosen": {},
        "gradedBy": { "0.5": 3 }, "asked": 3, "answered": 3, "right": 1,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&question[name], value, "{name}: {question}");
    }
    let wrong = question["wrong"].as_array().unwrap();
    assert_eq!((wrong.len(), &wrong[0]["count"]), (1, &json!(2)), "both have given the same number: {question}");
    assert!(["0,4", "2/5"].contains(&wrong[0]["text"].as_str().unwrap()), "{question}");
    let rows = results["rows"].as_array().unwrap();
    let of_ada = rows.iter().find(|row| row["sessionId"] == school.ada.session_id.as_str()).unwrap();
    assert!(of_ada["answers"].as_array().unwrap().contains(&json!([place, ",5", 1])), "{of_ada}");
    let of_grade = school.read("/api/manager/results?grade=5").await;
    assert_eq!(find(&of_grade["questions"], school.first()).unwrap()["wrong"][0]["count"], 2);
}

async fn tables(school: &School) {
    let query = format!("?templateId={}", id(&school.template));
    let text = school.admin.get(&format!("/api/manager/results.csv{query}")).await.text();
    assert!(text.contains(&format!("{} (0.5)", school.first())), "the key stands in the heading: {text}");
    assert!(text.contains("\",5\"") && text.contains("2/5"), "{text}");
    let file = school.admin.get(&format!("/api/manager/results.xlsx{query}")).await.body;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(file)).unwrap();
    let sheet = book.worksheet_range("Results").unwrap();
    let cells: Vec<String> = sheet.rows().flatten().map(ToString::to_string).collect();
    assert!(cells.iter().any(|cell| cell == ",5") && cells.iter().any(|cell| cell == "2/5"), "{cells:?}");
}

async fn statistics(school: &School) {
    let items = school.read("/api/admin/items?grade=5").await;
    let item = items["items"].as_array().unwrap().iter().find(|item| item["questionId"] == school.first()).unwrap();
    assert_eq!((&item["options"], &item["gradedBy"]), (&json!({ "none": 0.0 }), &json!({ "0.5": 3 })), "{item}");
    assert_eq!((item["wrong"].as_array().unwrap().len(), &item["wrong"][0]["count"]), (1, &json!(2)), "{item}");
}

async fn provider(school: &School) {
    let call = async |method: Method, path: &str, body: &Value| {
        let request = school.hall.anonymous().request(method, path).header("x-api-key", PROVIDER_KEY);
        Answer::to(request.json(body)).await
    };
    let served = call(Method::GET, "/v1/questions?grade=5", &json!({})).await.json();
    assert_eq!(find(&served["questions"], school.first()).unwrap()["answer"], "0.5");
    let new = number(&json!({
        "id": "sent-1", "subtopic": "", "source": "", "image": "", "options": [], "tolerance": "0.1", "answer": "7",
    }));
    assert_done(&call(Method::PUT, "/v1/questions/override", &new).await);
    let wrong = number(&json!({ "id": "sent-2", "options": [], "answer": "seven" }));
    assert_eq!(call(Method::PUT, "/v1/questions/override", &wrong).await.status, 400);
    // A server that has its data here.
    let base = format!("{}/v1", school.hall.base());
    let front = Hall::with(&[
        ("DATA_PROVIDER", "api"),
        ("EXTERNAL_API_BASE_URL", base.as_str()),
        ("EXTERNAL_API_KEY", PROVIDER_KEY),
        ("EXTERNAL_API_TIMEOUT_MS", "60000"),
    ])
    .await;
    let told = front.anonymous().get("/api/questions?grade=5&types=number").await.json();
    assert_eq!(find(&told, "sent-1").unwrap()["tolerance"], "0.1");
    assert_eq!(find(&told, school.first()).unwrap()["unit"], "kg");
    let named: Vec<&str> = school.numbers.iter().map(id).collect();
    let mut eve = front.sit(json!({ "grade": 5, "questionIds": named, "types": "number" })).await;
    eve.answer(school.first(), "½").await;
    assert_eq!(school.line(&eve.submit().await["result"])["isCorrect"], true);
    let sent = school.hall.stored_session(&eve.session_id).await;
    assert_eq!(school.line(&sent["result"])["selected"], "½");
}

async fn history(school: &School) {
    let spare = id(&school.spare);
    let edit =
        json!({ "questionId": spare, "grade": 5, "updates": { "answer": "0,7" }, "before": { "answer": "0.5" } });
    let edited = school.admin.post_json("/api/review/edit", &edit).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
    let refused = json!({ "questionId": spare, "grade": 5, "updates": { "answer": "B" } });
    assert_eq!(school.admin.post_json("/api/review/edit", &refused).await.status, 400);
    let log = school.read("/api/review/edit?grade=5").await;
    let edits = log["editLog"].as_array().unwrap();
    let changes = &edits.iter().find(|edit| edit["questionId"] == spare).unwrap()["changes"];
    assert_eq!(changes, &json!([{ "field": "Answer", "before": "0.5", "after": "0.7" }]));
    let path = format!("/api/admin/questions/{spare}");
    assert_done(&Answer::to(school.admin.request(Method::DELETE, &path)).await);
    let retired = school.read("/api/admin/questions?grade=5&retired=true").await;
    assert_eq!(find(&retired, spare).unwrap()["answer"], "0.7");
    assert_done(&Answer::to(school.admin.request(Method::POST, &format!("{path}/restore"))).await);
    let bank = school.read("/api/questions?grade=5&types=number").await;
    let back = find(&bank, spare).unwrap();
    assert_eq!((&back["answer"], &back["unit"], &back["tolerance"]), (&json!("0.7"), &json!("kg"), &json!("0")));
}

async fn export(school: &School) {
    for format in ["xlsx", "moodle-xml", "gift", "qti3"] {
        let file = school.admin.get(&format!("/api/admin/export?grade=5&format={format}")).await;
        assert_eq!(file.status, 200, "{format}: {}", file.text());
        assert!(!file.body.is_empty(), "{format}");
    }
}

async fn corrections(school: &School) {
    const PATH: &str = "/api/manager/corrections";
    let body = |kind: &str, options: Value| {
        let scope = json!({ "templateId": school.template["id"] });
        json!({ "questionId": school.first(), "kind": kind, "options": options, "scope": scope })
    };
    for options in [json!(["A"]), json!(["half"]), json!(["1/2"]), json!(["1", "1.0"]), json!([])] {
        let refused = school.admin.post_json(PATH, &body("also", options)).await;
        refused.assert_error(400, "Invalid options");
    }
    let asked = body("also", json!(["0,4"]));
    let foreseen = school.admin.post_json(&format!("{PATH}?dryRun=true"), &asked).await;
    assert_eq!(foreseen.status, 200, "{}", foreseen.text());
    let made = school.admin.post_json(PATH, &asked).await;
    assert_eq!((made.status, &made.json()["options"]), (200, &json!(["0.4"])), "{}", made.text());
    for other in &school.others {
        let line = eventually("the tests have followed", async || {
            let line = school.line(&school.hall.stored_session(other).await["result"]);
            (line["isCorrect"] == true).then_some(line)
        })
        .await;
        assert_eq!(
            (&line["correct"], &line["alsoCorrect"], &line["correction"]),
            (&json!("0.5"), &json!(["0.4"]), &json!("also"))
        );
    }
    let list = school.read(PATH).await;
    assert_eq!(list["corrections"][0]["options"], json!(["0.4"]));
    let audit = school.read("/api/admin/audit").await.to_string();
    assert!(audit.contains("also 0.4 in template"), "{audit}");
    let results = school.read(&format!("/api/manager/results?templateId={}", id(&school.template))).await;
    let question = find(&results["questions"], school.first()).unwrap();
    assert_eq!(
        (&question["right"], &question["alsoCorrect"], &question["wrong"]),
        (&json!(3), &json!(["0.4"]), &json!([]))
    );
}
