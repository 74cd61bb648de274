//! What the roads of an embargo answer while something is withheld, and after the release; who is told what on which
//! road is in `walk.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use examhall::store::embargo::Embargo;
use reqwest::Method;
use sea_orm::{Database, TransactionTrait};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{School, path, send};
use crate::hall::{Answer, Caller, Candidate, Hall, LiveSocket, PROVIDER_KEY, Proctor, Receiver};

/// The roads.
const ROADS: [&str; 39] = [
    "the frame `submitted`",
    "the frame `resumed`",
    "`GET /api/live/{sessionId}`",
    "`POST /api/live/{sessionId}/commands`",
    "`GET /api/sessions/{id}`",
    "`GET /api/sessions/{id}?payload=1`",
    "`GET /api/sessions/{id}?wait=release`",
    "`GET /api/report/{id}/questions`",
    "`GET /api/report/{id}/pdf`",
    "`GET /api/questions`",
    "`GET /api/test-templates/{id}`",
    "`POST /api/live`",
    "`POST /api/sessions`",
    "`GET /api/sittings`",
    "`GET /api/sittings/{id}/paper/{part}`",
    "`GET /api/live/mine`",
    "`GET /api/live/sessions`",
    "`GET /api/live/sessions/{id}/events`",
    "`GET /api/live/sessions/{id}/late`",
    "`GET /api/live/candidates/{candidateId}/events`",
    "the rows that proctors watch",
    "the webhook `test.completed`",
    "`GET /api/sessions`",
    "`GET /api/admin/results`",
    "`GET /api/admin/items`",
    "`GET /api/admin/questions`",
    "`GET /api/review/questions`",
    "`GET /api/admin/test-templates/{id}`",
    "`GET /api/manager/test-templates/{id}`",
    "`GET /api/admin/sittings/{id}/results`",
    "`GET /api/manager/results`",
    "`GET /api/manager/sources`",
    "`GET /wp-json/tribe/events/v1/events`",
    "`GET /api/openapi.json`",
    "`GET /api/asyncapi.json`",
    "`GET /metrics`",
    "`GET /v1/questions`",
    "`GET /v1/sessions/{id}`",
    "`HEAD` of all of these",
];

/// An exam whose only candidate has handed in.
struct Embargoed {
    school: School,
    sitting: Value,
    student: Candidate,
    /// The cookie of the candidate, who is signed in.
    cookie: String,
    /// The token of a manager of another grade.
    manager: String,
    receiver: Receiver,
    /// The frame of the end.
    submitted: Value,
    /// The questions of the paper, with their keys.
    paper: Vec<Value>,
    /// Another template with one of these questions.
    other_template: String,
}

impl Embargoed {
    async fn open() -> Self {
        let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1"), ("PROVIDER_API_KEY", PROVIDER_KEY)]).await;
        let receiver = Receiver::open().await;
        let paper = questions_of(&school, &school.template).await;
        let other_template = template_with(&school, paper[0]["id"].as_str().unwrap(), &paper[0]["difficulty"]).await;
        school.hall.cookie("head@exam.test").await;
        let cookie = school.hall.cookie("ada@exam.test").await;
        let assign = json!({ "email": "max@exam.test", "name": "Max", "grades": [6] });
        let assigned = send(&school.admin, Method::POST, "/api/admin/review/managers", &assign).await;
        assert_eq!(assigned.status, 200, "{}", assigned.text());
        let sitting = school.sitting(60, json!({ "webhookUrl": receiver.url() })).await;
        school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
        school.advance(31);
        let mut students = school.enter_all(&sitting).await;
        let mut student = students.remove(0);
        school.advance(30);
        student.begin().await;
        for question in &paper {
            student.answer(question["id"].as_str().unwrap(), question["answer"].as_str().unwrap()).await;
        }
        let submitted = student.submit().await;
        receiver.wait_for(1).await;
        let manager = crate::hall::token::create(school.hall.settings(), "max@exam.test", "manager").await;
        Self { school, sitting, student, cookie, manager, receiver, submitted, paper, other_template }
    }

    /// Those who must not learn anything.
    fn outsiders(&self) -> Vec<(&'static str, Outsider<'_>)> {
        let base = self.school.hall.base();
        vec![
            ("the candidate", Outsider { caller: Caller::new(&base, None), cookie: Some(&self.cookie) }),
            ("a stranger", Outsider { caller: Caller::new(&base, None), cookie: None }),
            ("a manager of another grade", Outsider { caller: Caller::new(&base, Some(&self.manager)), cookie: None }),
        ]
    }

    /// What a road gives to someone, as text.
    async fn walk(&self, road: &str, who: &Outsider<'_>) -> String {
        let session = &self.student.session_id;
        let sitting = self.sitting["id"].as_str().unwrap();
        let get = async |path: String| who.get(&path).await;
        let of_road = road.strip_prefix("`GET ").and_then(|path| path.strip_suffix('`')).unwrap_or(road);
        match of_road {
            "the frame `submitted`" => self.submitted.to_string(),
            "the frame `resumed`" => {
                let mut socket = LiveSocket::connect(&self.school.hall.base(), &[]).await.unwrap();
                socket.send(&self.student.resume_frame()).await;
                socket.expect("resumed").await.to_string()
            }
            "/api/live/{sessionId}" => self.student.state().await.to_string(),
            "`POST /api/live/{sessionId}/commands`" => {
                let submit = json!({ "commands": [{ "type": "submit", "seq": self.student.seq + 1 }] });
                self.student.try_post(&submit).await.text()
            }
            "/api/sessions/{id}" => get(format!("/api/sessions/{session}")).await,
            "/api/sessions/{id}?payload=1" => get(format!("/api/sessions/{session}?payload=1")).await,
            "/api/sessions/{id}?wait=release" => {
                // Only whether it waits: how long is another test.
                let path = format!("/api/sessions/{session}?wait=release");
                let waiting = tokio::time::timeout(Duration::from_millis(300), who.get(&path));
                waiting.await.unwrap_or_default()
            }
            "/api/report/{id}/questions" => get(format!("/api/report/{session}/questions")).await,
            "/api/report/{id}/pdf" => {
                let answer = who.answer(&format!("/api/report/{session}/pdf")).await;
                format!("{} {}", answer.header("content-type"), answer.text())
            }
            "/api/questions" => get("/api/questions?grade=5".to_owned()).await,
            "/api/test-templates/{id}" => {
                let mut all = String::new();
                for template in [&self.school.template, &self.other_template] {
                    all += &get(format!("/api/test-templates/{template}")).await;
                    all += &get(format!("/api/test-templates/{template}?sessionId={session}")).await;
                    let with_token = format!("/api/test-templates/{template}?sessionId={session}");
                    all += &self.student.caller().get(&with_token).await.text();
                }
                all
            }
            "`POST /api/live`" => self.practise(who).await,
            "`POST /api/sessions`" => self.hand_in(who).await,
            "/api/sittings/{id}/paper/{part}" => get(format!("/api/sittings/{sitting}/paper/1")).await,
            "/api/live/sessions" => get("/api/live/sessions?grade=5".to_owned()).await,
            "/api/live/candidates/{candidateId}/events" => {
                let candidate = self.school.candidate(&self.sitting, "Ada").await;
                get(format!("/api/live/candidates/{}/events", candidate["id"].as_str().unwrap())).await
            }
            "/v1/questions" => self.as_data_service(who, "/v1/questions?grade=5").await,
            "/v1/sessions/{id}" => self.as_data_service(who, &format!("/v1/sessions/{session}")).await,
            "`HEAD` of all of these" => self.heads(who).await,
            "/api/live/sessions/{id}/late" => get(format!("/api/live/sessions/{session}/late")).await,
            "/api/live/sessions/{id}/events" => get(format!("/api/live/sessions/{session}/events")).await,
            "the rows that proctors watch" => {
                let admin = self.school.hall.token("admin").await;
                let rows = Proctor::roster(&self.school.hall.base(), &admin, &json!({ "grade": 5 })).await;
                let mut row = rows[session].clone();
                // A name without a value.
                assert_eq!(row.as_object_mut().unwrap().remove("score").filter(|score| !score.is_null()), None);
                row.to_string()
            }
            "the webhook `test.completed`" => {
                self.receiver.calls().iter().map(|call| String::from_utf8_lossy(&call.body).into_owned()).collect()
            }
            "/api/admin/items" | "/api/admin/questions" | "/api/review/questions" => {
                get(format!("{of_road}?grade=5")).await
            }
            "/api/admin/test-templates/{id}" | "/api/manager/test-templates/{id}" => {
                let template = of_road.replace("{id}", &self.school.template);
                let question = self.paper[0]["id"].as_str().unwrap();
                let swap = format!("{template}/swap?bucket=standard&questionId={question}");
                get(template).await + &get(swap).await
            }
            "/api/admin/sittings/{id}/results" => {
                let mut all = String::new();
                for end in ["", ".csv", ".xlsx"] {
                    all += &get(format!("{}/results{end}", path(&self.sitting))).await;
                }
                all
            }
            "/api/manager/results" => {
                let template = &self.school.template;
                let mut all = String::new();
                for end in ["", ".csv", ".xlsx"] {
                    for of in [format!("sittingId={sitting}"), format!("templateId={template}"), "grade=5".to_owned()] {
                        all += &get(format!("{of_road}{end}?{of}")).await;
                    }
                }
                all
            }
            plain => get(plain.to_owned()).await,
        }
    }

    /// What another server gets that has its data here, whoever asks there.
    async fn as_data_service(&self, who: &Outsider<'_>, path: &str) -> String {
        Answer::to(who.request(Method::GET, path).header("x-api-key", PROVIDER_KEY)).await.text()
    }

    async fn heads(&self, who: &Outsider<'_>) -> String {
        let (session, sitting) = (&self.student.session_id, self.sitting["id"].as_str().unwrap());
        let mut all = String::new();
        for path in [
            format!("/api/sessions/{session}"),
            format!("/api/sessions/{session}?payload=1"),
            format!("/api/report/{session}/questions"),
            format!("/api/report/{session}/pdf"),
            "/api/questions?grade=5".to_owned(),
            format!("/api/test-templates/{}", self.school.template),
            format!("/api/sittings/{sitting}/paper/1"),
            format!("/api/live/sessions/{session}/events"),
            format!("{}/results", path(&self.sitting)),
            format!("/api/manager/results?sittingId={sitting}"),
            format!("{}/slips.pdf", path(&self.sitting)),
        ] {
            let answer = Answer::to(who.request(Method::HEAD, &path)).await;
            all += &format!("{path} {} {:?} {}\n", answer.status, answer.header("content-type"), answer.text());
        }
        all
    }

    /// Starts practice in all ways, and gives the papers: none may have a question of the exam.
    async fn practise(&self, who: &Outsider<'_>) -> String {
        let ids: Vec<&Value> = self.paper.iter().map(|question| &question["id"]).collect();
        let mut all = String::new();
        for test in [
            json!({ "grade": 5, "mode": "standard", "durationMinutes": 70, "questionCount": 40 }),
            json!({ "grade": 5, "mode": "adaptive" }),
            json!({ "grade": 5, "mode": "standard", "durationMinutes": 30, "questionIds": ids }),
            json!({ "templateId": self.school.template }),
            json!({ "templateId": self.other_template }),
        ] {
            let mut start = test;
            start["annotations"] = json!({});
            let answer = Answer::to(who.request(Method::POST, "/api/live").json(&start)).await;
            let ids = serde_json::from_slice::<Value>(&answer.body).unwrap_or_default()["questionIds"].to_string();
            for question in &self.paper {
                assert!(!ids.contains(&question["id"].to_string()), "{start}: {}", answer.text());
            }
            all += &answer.text();
        }
        all
    }

    /// Hands in a test with the questions of the exam, and gives all that its report has.
    async fn hand_in(&self, who: &Outsider<'_>) -> String {
        let line = |question: &Value| json!({ "questionId": question["id"], "selected": "A", "correct": "", "isCorrect": false });
        let answers: Vec<Value> = self.paper.iter().map(line).collect();
        let result = json!({
            "score": 200, "correctAnswers": 0, "totalQuestions": answers.len(), "timeTaken": 60,
            "topicBreakdown": [], "difficultyBreakdown": [], "answers": answers,
        });
        let body = json!({
            "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example", "result": result,
        });
        let created = Answer::to(who.request(Method::POST, "/api/sessions").json(&body)).await;
        assert_eq!(created.status, 200, "{}", created.text());
        let id = created.json()["sessionId"].as_str().unwrap().to_owned();
        let stored = who.answer(&format!("/api/sessions/{id}")).await;
        assert_eq!((stored.status, &stored.json()["verified"]), (200, &json!(false)), "{}", stored.text());
        let report = who.answer(&format!("/api/report/{id}/questions")).await;
        let nothing = json!({ "questions": [], "changed": [], "removed": [], "replaced": [], "withheld": null });
        assert_eq!(report.json(), nothing, "not even that an exam has these questions");
        // The rest is what the client has handed in itself.
        let lines = stored.json()["result"]["answers"].as_array().unwrap().clone();
        assert!(lines.iter().all(|line| line.get("correct").is_none()), "{}", stored.text());
        String::new()
    }

    /// Texts that nobody outside may get: questions and explanations that no other question of the bank has.
    fn secrets(&self, bank: &[Value]) -> Vec<String> {
        let ids: Vec<&Value> = self.paper.iter().map(|question| &question["id"]).collect();
        let others: Vec<&Value> = bank.iter().filter(|question| !ids.contains(&&question["id"])).collect();
        let is_own = |name: &str, text: &Value| others.iter().all(|question| &question[name] != text);
        let mut secrets = Vec::new();
        for question in &self.paper {
            for name in ["question", "explanation"] {
                secrets.extend(Some(&question[name]).filter(|text| is_own(name, text)).map(inner));
            }
        }
        assert!(secrets.len() > self.paper.len(), "{secrets:?}");
        secrets
    }
}

/// Someone outside, with an API token, a cookie, or nothing.
struct Outsider<'a> {
    caller: Caller,
    cookie: Option<&'a str>,
}

impl Outsider<'_> {
    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.caller.request(method, path).header("origin", "http://exam.localhost");
        match self.cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        }
    }

    async fn answer(&self, path: &str) -> Answer {
        Answer::to(self.request(Method::GET, path)).await
    }

    async fn get(&self, path: &str) -> String {
        self.answer(path).await.text()
    }
}

/// A text as it stands in JSON, without its quotes.
fn inner(text: &Value) -> String {
    text.to_string().trim_matches('"').to_owned()
}

async fn questions_of(school: &School, template: &str) -> Vec<Value> {
    let answer = school.admin.get(&format!("/api/admin/test-templates/{template}")).await;
    answer.json()["template"]["standardQuestions"].as_array().unwrap().clone()
}

/// A template with this question among others.
async fn template_with(school: &School, question_id: &str, difficulty: &Value) -> String {
    let id = super::template(&school.admin, 5).await;
    let list = questions_of(school, &id).await;
    if list.iter().any(|question| question["id"] == question_id) {
        return id;
    }
    let old = list.iter().find(|question| &question["difficulty"] == difficulty).unwrap();
    let swap = json!({ "bucket": { "kind": "standard" }, "questionId": old["id"], "replacementId": question_id });
    let answer = school.admin.post_json(&format!("/api/admin/test-templates/{id}/swap"), &swap).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    id
}

/// The ids of the questions of the public bank.
async fn public_ids(hall: &Hall) -> BTreeSet<String> {
    let bank = hall.anonymous().get("/api/questions?grade=5").await.json();
    let questions = bank.as_array().unwrap().iter();
    questions.map(|question| question["id"].as_str().unwrap().to_owned()).collect()
}

/// Copies the template of a sitting with these ids, each with a sitting and a question that no other one has; returns
/// these questions.
async fn copy_papers(school: &School, sitting: &Value, copies: &[Uuid]) -> BTreeSet<String> {
    let first = questions_of(school, &school.template).await[0]["id"].clone();
    let (mut public, mut own) = (public_ids(&school.hall).await, BTreeSet::new());
    let copying = Database::connect(school.hall.database_url()).await.unwrap().begin().await.unwrap();
    let template: Uuid = school.template.parse().unwrap();
    for (number, copy) in copies.iter().enumerate() {
        let question = public.pop_last().unwrap();
        let paper = format!("papers = REPLACE(papers, '{first}', '\"{question}\"')");
        school.copy(&copying, "templates", template, (*copy, &paper)).await;
        let code: String = [0, 3, 6, 9].map(|shift| char::from(b"23456789"[number >> shift & 7])).iter().collect();
        let (sitting_copy, changes) = (Uuid::new_v4(), format!("code = 'A{code}'"));
        school.copy(&copying, "sittings", super::id(sitting), (sitting_copy, &changes)).await;
        let change = "UPDATE sittings SET template_id = $1 WHERE id = $2";
        school.within(&copying, change, vec![(*copy).into(), sitting_copy.into()]).await;
        own.insert(question);
    }
    copying.commit().await.unwrap();
    own
}

#[tokio::test]
async fn a_server_that_starts_withholds_the_papers_of_more_templates_than_it_reads_at_once() {
    let mut school = School::open().await;
    let sitting = school.sitting(600, json!({})).await;
    let public = public_ids(&school.hall).await;
    let own = copy_papers(&school, &sitting, &(0..101).map(|_| Uuid::new_v4()).collect::<Vec<_>>()).await;
    school.hall.restart().await;
    assert_eq!(public_ids(&school.hall).await, &public - &own);
}

#[tokio::test]
async fn papers_that_have_come_are_not_read_again_for_those_that_come_late() {
    let school = School::open().await;
    let sitting = school.sitting(600, json!({})).await;
    // They are read in the order of their ids, 100 at once.
    let (early, late) = ((1..=100).map(Uuid::from_u128), Uuid::max());
    let own = copy_papers(&school, &sitting, &early.chain([late]).collect::<Vec<_>>()).await;
    let template: Uuid = school.template.parse().unwrap();
    let database = examhall::database::Database::open(school.hall.database_url(), 4, 1).await.unwrap();
    let embargo = Embargo::new(database.clone(), school.hall.clock.clone());
    let changing = Database::connect(school.hall.database_url()).await.unwrap();
    let spoil = "UPDATE templates SET papers = '!' || papers WHERE id";
    let first = changing.begin().await.unwrap();
    school.within(&first, &format!("{spoil} = $1"), vec![late.into()]).await;
    first.commit().await.unwrap();
    assert!(embargo.prepare().await.is_err(), "the second hundred cannot be read");
    let second = changing.begin().await.unwrap();
    let mend = "UPDATE templates SET papers = SUBSTR(papers, 2) WHERE id = $1";
    school.within(&second, mend, vec![late.into()]).await;
    school.within(&second, &format!("{spoil} NOT IN ($1, $2)"), vec![late.into(), template.into()]).await;
    second.commit().await.unwrap();
    embargo.prepare().await.unwrap();
    let withheld = embargo.withheld().await.unwrap();
    assert!(own.iter().all(|id| withheld.has(id)) && withheld.has_template(template));
    database.close().await;
}

#[tokio::test]
async fn nothing_leaves_before_the_release() {
    let exam = Embargoed::open().await;
    let bank = exam.school.admin.get("/api/admin/questions?grade=5").await.json().as_array().unwrap().clone();
    let secrets = exam.secrets(&bank);
    let mut before: BTreeMap<(&str, &str), String> = BTreeMap::new();
    for (name, who) in exam.outsiders() {
        for road in ROADS {
            let given = exam.walk(road, &who).await;
            for secret in &secrets {
                assert!(!given.contains(secret.as_str()), "{road} gives {name} {secret:?}: {given}");
            }
            if !["/api/questions", "/v1/questions", "/openapi", "/asyncapi", "/metrics"]
                .iter()
                .any(|path| road.contains(path))
            {
                for field in ["\"score\"", "\"isCorrect\"", "\"correctAnswers\"", "\"explanation\"", "%PDF"] {
                    assert!(!given.contains(field), "{road} gives {name} {field}: {given}");
                }
            }
            before.insert((name, road), given);
        }
    }
    for ((name, road), given) in &before {
        let held = match *road {
            "the frame `submitted`" | "the frame `resumed`" | "`GET /api/live/{sessionId}`" => "\"held\":true",
            "`POST /api/live/{sessionId}/commands`" => "\"held\":true",
            road if road.contains("GET /api/sessions/{id}") || road.contains("/api/report") => {
                "Results are not released"
            }
            "`GET /api/test-templates/{id}`" => "The exam has not opened yet",
            "`GET /v1/sessions/{id}`" => "Session not found",
            "the webhook `test.completed`" => "\"result\":null",
            _ => continue,
        };
        assert!(given.contains(held) || given.is_empty() && road.contains("wait"), "{road} for {name}: {given}");
    }
    the_release_shows_it(&exam, &secrets, &before).await;
}

/// The same roads after the release.
async fn the_release_shows_it(exam: &Embargoed, secrets: &[String], before: &BTreeMap<(&str, &str), String>) {
    let staff = exam.school.admin.get(&format!("/api/sessions/{}", exam.student.session_id)).await.json();
    assert_eq!(staff["result"]["correctAnswers"], exam.paper.len(), "staff of the grade are not held up: {staff}");
    let released = exam.school.release(&exam.sitting).await;
    assert_eq!(released.status, 200, "{}", released.text());
    let score = staff["result"]["score"].to_string();
    for (name, who) in exam.outsiders() {
        let bank = exam.walk("`GET /api/questions`", &who).await;
        assert!(bank.len() > before[&(name, "`GET /api/questions`")].len());
        for road in [
            "`GET /api/questions`",
            "`GET /api/test-templates/{id}`",
            "`GET /api/report/{id}/questions`",
            "`GET /v1/questions`",
        ] {
            let given = exam.walk(road, &who).await;
            assert!(secrets.iter().all(|secret| given.contains(secret.as_str())), "{road} for {name}: {given}");
        }
        for road in ["/api/sessions/{id}", "/api/sessions/{id}?payload=1", "/api/sessions/{id}?wait=release"] {
            let given = exam.walk(&format!("`GET {road}`"), &who).await;
            assert!(given.contains(&format!("\"score\":{score}")), "{road} for {name}: {given}");
        }
        let there = exam.walk("`GET /v1/sessions/{id}`", &who).await;
        assert!(there.contains(&format!("\"score\":{score}")), "{there}");
        assert!(exam.walk("`GET /api/report/{id}/pdf`", &who).await.starts_with("application/pdf"));
        let repeated = exam.walk("`POST /api/live/{sessionId}/commands`", &who).await;
        assert!(repeated.contains(&format!("\"score\":{score}")) && !repeated.contains("held"), "{repeated}");
        let resumed = exam.walk("the frame `resumed`", &who).await;
        assert!(resumed.contains("reportUrl") && !resumed.contains("held"), "{resumed}");
    }
    let calls = exam.receiver.wait_for(2).await;
    let events: Vec<Value> = calls.iter().map(|call| call.json()["event"].clone()).collect();
    assert_eq!(events, ["test.completed", "result.released"]);
    let told = calls[1].json();
    assert_eq!((&told["sessionId"], told["result"]["score"].to_string()), (&json!(exam.student.session_id), score));
    assert_ne!(calls[0].header("webhook-id"), calls[1].header("webhook-id"));
}
