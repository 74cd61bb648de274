//! Questions that ask for a number: each road by which one comes in or goes out, or an answer to one.

mod late;
mod refusals;
mod roads;

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Caller, Candidate, Hall, PROVIDER_KEY, Receiver, answer, ids};

const TEMPLATES: &str = "/api/admin/test-templates";
/// How many questions of each type there are: as many as a test has.
const OF_EACH: usize = 10;

/// A question that asks for 0.5 kg, or for what the changes say.
fn number(changes: &Value) -> Value {
    let mut question = json!({
        "grade": 5, "topic": "Fractions", "difficulty": 2, "type": "number", "answer": "0.5", "unit": "kg",
        "question": "How heavy is half a kilogram?", "explanation": "A half is one divided by two."
    });
    question.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    question
}

fn letter(place: usize) -> Value {
    json!({
        "grade": 5, "topic": "Clocks", "difficulty": 2, "question": format!("What time is it at noon on day {place}?"),
        "options": ["six", "twelve", "nine"], "answer": "B"
    })
}

async fn write(admin: &Caller, question: &Value) -> Value {
    let written = admin.post_json("/api/admin/questions", question).await;
    assert_eq!(written.status, 201, "{}", written.text());
    written.json()
}

/// A server whose bank has ten questions of each type and a spare number, all of one grade and difficulty, with a
/// template of the numbers that three students have sat.
struct School {
    hall: Hall,
    admin: Caller,
    receiver: Receiver,
    numbers: Vec<Value>,
    spare: Value,
    template: Value,
    /// Ada, over a socket: she has typed `,5` for the first question, which is right.
    ada: Candidate,
    /// What she was told when she came back before the end, and at the end.
    resumed: Value,
    submitted: Value,
    /// Two others, over HTTPS, with `0,4` and `2/5`.
    others: Vec<String>,
}

impl School {
    async fn open() -> Self {
        let changes = [("SAMPLE_BANK", "off"), ("PROVIDER_API_KEY", PROVIDER_KEY), ("WEBHOOK_ALLOW", "127.0.0.1")];
        let hall = Hall::with(&changes).await;
        let admin = hall.signed_in("admin").await;
        let (mut numbers, receiver) = (Vec::new(), Receiver::open().await);
        for place in 0..OF_EACH {
            let text = format!("How heavy is half a kilogram of number {place}?");
            numbers.push(write(&admin, &number(&json!({ "question": text }))).await);
            write(&admin, &letter(place)).await;
        }
        let template = drawn(&admin, json!({ "types": "number" })).await;
        // Only afterwards, so that the template has not drawn it.
        let spare = write(&admin, &number(&json!({ "question": "Which number is spare?" }))).await;
        let start = json!({ "templateId": template["id"], "webhookUrl": receiver.url() });
        let mut ada = hall.sit(start).await;
        for question in ada.paper.clone() {
            let typed = if question == id(&numbers[0]) { ",5" } else { "1/2" };
            ada.send(answer(&question, typed)).await;
        }
        ada.settle().await;
        let resumed = ada.resume().await;
        let submitted = ada.submit().await;
        let mut others = Vec::new();
        for typed in ["0,4", "2/5"] {
            let mut other = Candidate::start_by_https(&hall.base(), &json!({ "templateId": template["id"] })).await;
            let first = other.act(answer(id(&numbers[0]), typed));
            other.post(&[first]).await;
            let last = other.act(json!({ "type": "submit" }));
            assert_eq!(other.post(&[last]).await["state"], "submitted");
            others.push(other.session_id);
        }
        Self { hall, admin, receiver, numbers, spare, template, ada, resumed, submitted, others }
    }

    fn first(&self) -> &str {
        id(&self.numbers[0])
    }

    async fn read(&self, path: &str) -> Value {
        let read = self.admin.get(path).await;
        assert_eq!(read.status, 200, "{path}: {}", read.text());
        read.json()
    }

    /// The line of the first question in the result of a test.
    fn line(&self, result: &Value) -> Value {
        let lines = result["answers"].as_array().unwrap();
        lines.iter().find(|line| line["questionId"] == self.first()).unwrap().clone()
    }
}

fn id(question: &Value) -> &str {
    question["id"].as_str().unwrap()
}

/// Whether a list of questions has this one, as it should be told: with its key or without.
fn find<'a>(questions: &'a Value, id: &str) -> Option<&'a Value> {
    questions.as_array().unwrap().iter().find(|question| question["id"] == id)
}

/// A template of ten questions of difficulty 2.
async fn drawn(admin: &Caller, changes: Value) -> Value {
    let mut config = json!({
        "name": "Numbers", "grades": [5], "mode": "standard", "durationMinutes": 45, "standardTargets": { "2": OF_EACH }
    });
    config.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    let made = admin.post_json(TEMPLATES, &config).await;
    assert_eq!((made.status, &made.json()["shortfalls"]), (200, &json!({})), "{}", made.text());
    made.json()["template"].clone()
}

async fn send(caller: &Caller, method: Method, path: &str, body: &Value) -> Answer {
    Answer::to(caller.request(method, path).json(body)).await
}

/// A live test of ten questions of these types that anybody may start.
fn practice(types: &str) -> Value {
    json!({ "grade": 5, "questionCount": OF_EACH, "types": types })
}

/// The types of the questions of a started test.
async fn types_of(school: &School, started: &Value) -> Vec<String> {
    let bank = school.read("/api/questions?grade=5&types=all").await;
    let kind = |id: String| find(&bank, &id).unwrap()["type"].as_str().unwrap().to_owned();
    let mut types: Vec<String> = ids(&started["questionIds"]).into_iter().map(kind).collect();
    types.sort();
    types.dedup();
    types
}
