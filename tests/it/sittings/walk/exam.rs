//! The exam that the walk goes along: its people, and the moments of its life.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex as StdMutex;
use std::time::Duration;

use domain::session::VersionReason;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::super::entrant::Entrant;
use super::super::{School, path, send, template};
use super::rule::{Role, State};
use super::secrets::Secrets;
use crate::hall::{Answer, Caller, LiveSocket, PROVIDER_KEY, Proctor, Receiver, answer, eventually, time_of, token};

const ADA: &str = "ada-kovalevskaya@exam.test";
const BO: &str = "bo@exam.test";
const PIA: &str = "pia@exam.test";
const NAME: &str = "Ada Kovalevskaya-Quill";
/// Days before its doors the sitting is planned.
const MINUTES_AHEAD: i64 = 3 * 24 * 60;
const DOORS_MINUTES: i64 = 30;
const EXAM_MINUTES: i64 = 45;
/// How long before the end of a state it is walked again. The clock of a test goes on while it walks.
const BEFORE_THE_END: Duration = Duration::from_secs(90);
/// Questions of the paper that the candidate answers wrong. The first of them is corrected so that it counts as right.
const WRONG: [usize; 2] = [1, 3];
/// A question that the candidate answers right, and once more when the time is over.
const CHANGED_LATE: usize = 2;
/// What stands in the documents of the API as examples, which all may read.
const EXAMPLES: [&str; 2] = ["g5-001", "g5-002"];

/// The exam, with all who ask.
pub struct Exam {
    pub school: School,
    pub sitting: Value,
    make_up: Value,
    pub candidate: String,
    /// The candidate, from the doors on.
    pub ada: Option<Entrant>,
    /// The socket that the candidate has now.
    pub socket: Mutex<Option<LiveSocket>>,
    /// The frame that began the exam and the paper that it opened, and the frame of its end.
    pub begun: Option<Value>,
    pub submitted: Option<Value>,
    pub receiver: Receiver,
    /// The number of the candidate's last answer.
    pub last_seq: u64,
    people: BTreeMap<Role, Vec<Asker>>,
    /// Questions of the paper, with their keys.
    pub paper: Vec<Value>,
    /// Another template with one of these questions, and one that is drawn anew again and again.
    pub other_template: String,
    pub scratch: String,
    /// One for which the first question of the paper is the only one that may be swapped in.
    pub spare: String,
    /// A question of that one.
    pub spare_question: String,
    /// The event of the sitting, and a venue, an organizer, a category and a tag.
    pub records: BTreeMap<&'static str, Value>,
    /// A class of the grade.
    pub class: String,
    /// A learning platform.
    pub platform: String,
    /// The digest of a picture that no question shows.
    pub picture: String,
    /// How many questions of the bank are as difficult as the first one of the paper.
    pub of_difficulty: usize,
    /// Held by whoever swaps a question.
    pub swapping: Mutex<()>,
    /// Held by whoever decides about the late work.
    pub deciding: Mutex<()>,
    /// Roads on which somebody has got an answer.
    pub answered: StdMutex<BTreeSet<&'static str>>,
    pub secrets: Secrets,
    /// When the state ends that the walk is in.
    pub until: String,
}

/// One way in which somebody is known.
pub struct Asker {
    caller: Caller,
    /// Header and value.
    pub known_by: Option<(&'static str, String)>,
}

impl Asker {
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.caller.request(method, path).header("origin", "http://exam.localhost");
        match &self.known_by {
            Some((name, value)) => request.header(*name, value),
            None => request,
        }
    }
}

impl Exam {
    /// Plans it.
    pub async fn plan() -> Self {
        let settings = [
            ("WEBHOOK_ALLOW", "127.0.0.1"),
            ("PROVIDER_API_KEY", PROVIDER_KEY),
            ("STARTS_PER_ADDRESS", "0"),
            ("STARTS_PER_ADDRESS_BURST", "0"),
        ];
        let school = School::with(&settings).await;
        let receiver = Receiver::open().await;
        draw_without_examples(&school).await;
        put_into_forms(&school).await;
        edit_and_review(&school).await;
        let paper = questions_of(&school, &school.template).await;
        let other_template = template_with(&school, &paper[0]).await;
        let scratch = template_with_all_but(&school, &paper[0]["difficulty"], None).await;
        let spare = template_with_all_but(&school, &paper[0]["difficulty"], Some(&paper[0])).await;
        let spare_question = questions_of(&school, &spare).await[0]["id"].as_str().unwrap().to_owned();
        let bank = school.admin.get("/api/admin/questions?grade=5").await.json().as_array().unwrap().clone();
        let of_difficulty = bank.iter().filter(|question| is_drawn(question, &paper[0]["difficulty"])).count();
        let mut secrets = Secrets::of(&school.template, &paper, &bank);
        secrets.names = vec![NAME.to_owned(), ADA.to_owned()];
        school.hall.cookie("head@exam.test").await;
        let people = people(&school).await;
        let rooms = json!([{ "name": "B12", "proctors": [PIA] }]);
        let plan = json!({
            "rooms": rooms, "publish": true, "webhookUrl": receiver.url(), "doorsAt": school.at(MINUTES_AHEAD - DOORS_MINUTES),
        });
        let sitting = school.sitting(MINUTES_AHEAD, plan).await;
        let roster = json!([{ "email": ADA, "name": NAME, "room": "B12", "seat": "1" }, { "email": BO, "name": "Bo", "room": "B12" }]);
        school.enrol(&sitting, roster).await;
        let needs = json!({ "note": "by the door" });
        let known = send(&school.admin, Method::PUT, "/api/admin/accommodations/cy%40exam.test", &needs).await;
        assert_eq!(known.status, 200, "{}", known.text());
        let class = class_of(&school).await;
        let platform = platform_of(&school).await;
        let crest = school.admin.request(Method::PUT, "/api/admin/school/crest").header("content-type", "image/png");
        let crest = Answer::to(crest.body(crate::either_database::school::crest(image::ImageFormat::Png))).await;
        assert_eq!(crest.status, 200, "{}", crest.text());
        let picture = school.admin.request(Method::POST, "/api/review/pictures");
        let picture = Answer::to(picture.body(crate::either_database::school::crest(image::ImageFormat::Png))).await;
        assert_eq!(picture.status, 201, "{}", picture.text());
        let picture = picture.json()["url"].as_str().unwrap().trim_start_matches("/media/").to_owned();
        let candidate = school.candidate(&sitting, NAME).await["id"].as_str().unwrap().to_owned();
        let records = records(&school, &sitting).await;
        let until = sitting["doorsAt"].as_str().unwrap().to_owned();
        let (ada, socket, begun, submitted, last_seq) = (None, Mutex::default(), None, None, 0);
        let make_up = Value::Null;
        Self {
            school,
            sitting,
            make_up,
            candidate,
            ada,
            socket,
            begun,
            submitted,
            receiver,
            last_seq,
            people,
            paper,
            other_template,
            scratch,
            spare,
            spare_question,
            records,
            class,
            platform,
            picture,
            of_difficulty,
            swapping: Mutex::default(),
            deciding: Mutex::default(),
            answered: StdMutex::default(),
            secrets,
            until,
        }
    }

    /// In how many ways somebody is known.
    pub fn askers(&self, role: Role) -> &[Asker] {
        self.people.get(&role).map_or(&[], Vec::as_slice)
    }

    /// The session of the candidate; before it exists an id that is nobody's.
    pub fn session(&self) -> &str {
        self.ada.as_ref().map_or("00000000-0000-4000-8000-000000000000", |ada| &ada.session_id)
    }

    pub fn sitting_id(&self) -> &str {
        self.sitting["id"].as_str().unwrap()
    }

    /// Goes to the first moment of a state.
    pub async fn begin(&mut self, state: State) {
        match state {
            State::Planned => {}
            State::Doors => self.open_doors().await,
            State::Running => self.start().await,
            State::Ended => self.end().await,
            State::MakeUp => self.plan_make_up().await,
            State::FirstReleased => self.release_first().await,
            State::Released => {
                self.advance_to_the_end();
                assert_eq!(self.release(&self.make_up).await.status, 200);
                self.until = self.school.at(30 * 24 * 60);
            }
        }
        self.sign_in().await;
    }

    /// Goes to the last moments of the state.
    pub async fn almost_end(&mut self, state: State) {
        self.advance_before(&self.until, BEFORE_THE_END);
        if state == State::Ended {
            let admin = self.school.hall.token("admin").await;
            for room in [json!({ "grade": 5 }), json!({ "templateId": self.school.template })] {
                eventually("the row of the finished test leaves the room", async || {
                    let rows = Proctor::roster(&self.school.hall.base(), &admin, &room).await;
                    (!rows.contains_key(self.session())).then_some(())
                })
                .await;
            }
        }
        self.sign_in().await;
    }

    /// Those who sign in do so again: a sign-in ends after a while.
    async fn sign_in(&mut self) {
        for (role, email) in [(Role::Candidate, ADA), (Role::Absent, BO), (Role::Proctor, PIA)] {
            let cookie = self.school.hall.cookie(email).await;
            self.people.get_mut(&role).unwrap()[0].known_by = Some(("cookie", cookie));
        }
        for (role, askers) in &self.people {
            let me = Answer::to(askers[0].request(Method::GET, "/api/me")).await;
            let is_known = !matches!(role, Role::Nobody | Role::Server);
            assert_eq!(me.status == 200, is_known, "{role:?}: {} {}", me.status, me.text());
        }
    }

    /// Fails if the walk took so long that the state has ended meanwhile.
    pub fn assert_not_over(&self) {
        assert!(self.left() > Duration::ZERO, "the walk took longer than {BEFORE_THE_END:?}");
    }

    fn left(&self) -> Duration {
        let until = time_of(&json!(self.until));
        (until - self.school.hall.clock.now().utc()).to_std().unwrap_or_default()
    }

    fn advance_before(&self, moment: &str, early: Duration) {
        let until = time_of(&json!(moment)) - self.school.hall.clock.now().utc();
        self.school.hall.clock.advance(until.to_std().unwrap_or_default().saturating_sub(early));
    }

    fn advance_to_the_end(&self) {
        self.advance_before(&self.until, Duration::ZERO);
    }

    async fn open_doors(&mut self) {
        self.advance_to_the_end();
        let entry = json!({ "sittingId": self.sitting["id"] });
        eventually("the doors open", async || {
            (self.school.read(&self.sitting).await["state"] != "draft").then_some(())
        })
        .await;
        let mut entrant = Entrant::signed_in(&self.school.hall, ADA, entry).await;
        entrant.prepare().await;
        let askers = self.people.get_mut(&Role::Candidate).unwrap();
        askers.push(Asker { caller: entrant.caller(), known_by: None });
        self.secrets.names.push(entrant.session_id.clone());
        self.secrets.sealed = Some(entrant.sealed["1"].clone());
        self.ada = Some(entrant);
        self.until = self.sitting["startsAt"].as_str().unwrap().to_owned();
    }

    /// The exam begins, and the candidate answers all but the first question, two of them wrong.
    async fn start(&mut self) {
        self.advance_to_the_end();
        let ada = self.ada.as_mut().unwrap();
        let begun = self.socket.get_mut().as_mut().unwrap_or(&mut ada.socket).until("begin").await;
        let paper = ada.open("1", &begun["keys"]);
        self.last_seq = begun["seq"].as_u64().unwrap_or_default().max(100);
        let mut commands = Vec::new();
        for (index, question) in self.paper.iter().enumerate().skip(1) {
            let key = question["answer"].as_str().unwrap();
            let chosen = if WRONG.contains(&index) { other_than(key) } else { key };
            self.last_seq += 1;
            let mut command = answer(question["id"].as_str().unwrap(), chosen);
            command["seq"] = json!(self.last_seq);
            commands.push(command);
        }
        let path = format!("/api/live/{}/commands", ada.session_id);
        let saved = ada.caller().post_json(&path, &json!({ "commands": commands })).await;
        assert_eq!((saved.status, &saved.json()["saved"]), (200, &json!(self.last_seq)), "{}", saved.text());
        self.begun = Some(json!({ "frame": begun, "paper": paper }));
        let starts_at = time_of(&self.sitting["startsAt"]);
        self.until = super::super::time(starts_at + chrono::TimeDelta::minutes(EXAM_MINUTES));
    }

    /// The time of the candidate is over.
    async fn end(&mut self) {
        self.advance_to_the_end();
        self.school.hall.clock.advance(Duration::from_secs(1));
        let socket = &mut self.ada.as_mut().unwrap().socket;
        let submitted = self.socket.get_mut().as_mut().unwrap_or(socket).until("submitted").await;
        let session = format!("/api/sessions/{}", self.session());
        let stored = eventually("the session is stored", async || {
            Some(self.school.admin.get(&session).await).filter(|answer| answer.status == 200)
        })
        .await;
        let score = stored.json()["result"]["score"].as_u64().unwrap();
        self.receiver.wait_for(1).await;
        // No road tells of a version before the release, nor of what late work would make of it.
        let corrected = self.correct().await;
        let late = self.work_late(corrected).await;
        assert!(score < corrected && late < corrected, "{score}, {corrected}, {late}");
        self.secrets.know_scores(&[score, corrected, late]);
        let first = self.paper[0]["id"].to_string();
        eventually("the test is counted", async || {
            self.school.admin.get("/api/admin/items?grade=5").await.text().contains(&first).then_some(())
        })
        .await;
        self.submitted = Some(submitted);
        self.until = self.school.at(3 * 24 * 60);
    }

    /// The key of a question is corrected, so that the candidate's answer counts as right. Returns the score then.
    async fn correct(&self) -> u64 {
        let question = &self.paper[WRONG[0]];
        let body = json!({
            "questionId": question["id"], "kind": "also", "options": [other_than(question["answer"].as_str().unwrap())],
            "scope": { "sittingId": self.sitting["id"] }, "nobodyLoses": true,
        });
        let made = self.school.admin.post_json("/api/manager/corrections", &body).await;
        assert_eq!(made.status, 200, "{}", made.text());
        let session = format!("/api/sessions/{}", self.session());
        eventually("the test has followed", async || {
            let newest = self.school.admin.get(&session).await.json();
            (newest["version"] == 2).then(|| newest["result"]["score"].as_u64().unwrap())
        })
        .await
    }

    /// The candidate has changed an answer without a network. Returns the score that this would make of another.
    async fn work_late(&mut self, score: u64) -> u64 {
        let ada = self.ada.as_ref().unwrap();
        let question = &self.paper[CHANGED_LATE];
        self.last_seq += 1;
        let mut command = answer(question["id"].as_str().unwrap(), other_than(question["answer"].as_str().unwrap()));
        command["seq"] = json!(self.last_seq);
        let path = format!("/api/live/{}/commands", ada.session_id);
        let sent = ada.caller().post_json(&path, &json!({ "commands": [command] })).await;
        let reply = &sent.json()["replies"][0];
        assert_eq!((&reply["code"], &reply["kept"]), (&json!("late"), &json!(true)), "{}", sent.text());
        let path = format!("/api/live/sessions/{}/late", ada.session_id);
        let late = self.school.admin.get(&path).await.json();
        assert_eq!(late["score"]["before"], json!(score), "{late}");
        late["score"]["after"].as_u64().unwrap()
    }

    /// Who was absent is to write the same paper a week later.
    async fn plan_make_up(&mut self) {
        let starts_at = self.school.at(24 * 60);
        let plan = json!({ "startsAt": starts_at, "doorsAt": self.school.at(24 * 60 - DOORS_MINUTES) });
        let made = send(&self.school.admin, Method::POST, &format!("{}/make-up", path(&self.sitting)), &plan).await;
        assert_eq!(made.status, 200, "{}", made.text());
        self.make_up = made.json()["sitting"].clone();
        assert_eq!(
            (&self.make_up["counts"]["expected"], &self.make_up["templateId"]),
            (&json!(1), &json!(self.school.template)),
            "{}",
            self.make_up
        );
        self.until = starts_at;
    }

    /// Released although the make-up needs the paper. Rows show scores a moment later.
    async fn release_first(&self) {
        self.release(&self.sitting).await;
        let rows = format!("/api/live/sessions?sittingId={}", self.sitting_id());
        eventually("the rows have the score", async || {
            let rows = self.school.admin.get(&rows).await.json();
            rows["sessions"].as_array().unwrap().iter().any(|row| row["score"].is_number()).then_some(())
        })
        .await;
        // Only now is a change told by an event of its own.
        let hall = &self.school.hall;
        hall.change_result(self.session(), VersionReason::KeyCorrected, |result| result.time_taken += 1).await;
        eventually("the change is told", async || {
            self.receiver.calls().iter().any(|call| call.json()["event"] == "result.changed").then_some(())
        })
        .await;
    }

    async fn release(&self, sitting: &Value) -> Answer {
        let answer = self.school.release_before_all_have_come(sitting).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer
    }
}

fn other_than(key: &str) -> &'static str {
    if key == "A" { "B" } else { "A" }
}

/// Everyone who asks, with all that they are known by.
async fn people(school: &School) -> BTreeMap<Role, Vec<Asker>> {
    let hall = &school.hall;
    let asker = |name: &'static str, value: String| Asker { caller: hall.anonymous(), known_by: Some((name, value)) };
    let bearer = |token: &str| asker("authorization", format!("Bearer {token}"));
    let reviewer = token::create(hall.settings(), "reviewer-of-none@exam.test", "reviewer").await;
    let mut people = BTreeMap::from([
        (Role::Nobody, vec![Asker { caller: hall.anonymous(), known_by: None }]),
        (Role::Candidate, vec![asker("cookie", hall.cookie(ADA).await)]),
        (Role::Absent, vec![asker("cookie", hall.cookie(BO).await)]),
        (Role::Proctor, vec![asker("cookie", hall.cookie(PIA).await)]),
        (Role::ReviewerOfNone, vec![bearer(&reviewer)]),
        (Role::Admin, vec![bearer(&hall.token("admin").await)]),
        (Role::Server, vec![asker("x-api-key", PROVIDER_KEY.to_owned())]),
    ]);
    for (role, name, grade) in [
        (Role::ReviewerElsewhere, "reviewer", 6),
        (Role::ManagerElsewhere, "manager", 6),
        (Role::Reviewer, "reviewer", 5),
        (Role::Manager, "manager", 5),
    ] {
        hall.staff_of(name, grade).await;
        let token = token::create(hall.settings(), &format!("{name}-of-{grade}@exam.test"), name).await;
        people.insert(role, vec![bearer(&token)]);
    }
    people
}

/// Draws the template until no question of it is an example in the documents of the API.
async fn draw_without_examples(school: &School) {
    let draw = format!("/api/admin/test-templates/{}/generate", school.template);
    loop {
        assert_eq!(Answer::to(school.admin.request(Method::POST, &draw)).await.status, 200);
        let paper = questions_of(school, &school.template).await;
        if paper.iter().all(|question| EXAMPLES.iter().all(|example| question["id"] != *example)) {
            return;
        }
    }
}

/// The first question of the paper has been flagged and edited, so that logs and reviews have it.
async fn edit_and_review(school: &School) {
    let question = &questions_of(school, &school.template).await[0];
    let flag = json!({ "questionId": question["id"], "grade": 5, "status": "flagged", "note": "Too easy" });
    assert_eq!(school.admin.post_json("/api/review/submit", &flag).await.status, 200);
    let explanation = format!("{} And so it is.", question["explanation"].as_str().unwrap());
    let edit = json!({ "questionId": question["id"], "grade": 5, "comment": "Clearer", "updates": { "explanation": explanation } });
    let edited = school.admin.post_json("/api/review/edit", &edit).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
}

/// Two forms, of which seat 1 gets the second, and options in an order of each candidate's own.
async fn put_into_forms(school: &School) {
    let template = format!("/api/admin/test-templates/{}", school.template);
    let changed = send(&school.admin, Method::PUT, &template, &json!({ "forms": 2, "shuffleOptions": true })).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
}

async fn questions_of(school: &School, template: &str) -> Vec<Value> {
    let answer = school.admin.get(&format!("/api/admin/test-templates/{template}")).await;
    answer.json()["template"]["standardQuestions"].as_array().unwrap().clone()
}

/// A template with this question among others.
async fn template_with(school: &School, question: &Value) -> String {
    let id = template(&school.admin, 5).await;
    let list = questions_of(school, &id).await;
    if list.iter().all(|other| other["id"] != question["id"]) {
        let old = list.iter().find(|other| other["difficulty"] == question["difficulty"]).unwrap();
        let swap =
            json!({ "bucket": { "kind": "standard" }, "questionId": old["id"], "replacementId": question["id"] });
        let answer = school.admin.post_json(&format!("/api/admin/test-templates/{id}/swap"), &swap).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    id
}

/// The body of a template that has all questions of this difficulty, so that each draw is the same.
pub fn all_of(difficulty: &Value, count: usize) -> Value {
    let mut targets = json!({ "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 });
    targets[difficulty.to_string()] = json!(count);
    json!({ "name": "Scratch", "grades": [5], "mode": "standard", "durationMinutes": 45, "standardTargets": targets })
}

/// Whether a template that says nothing of types may have a question of the bank.
fn is_drawn(question: &Value, difficulty: &Value) -> bool {
    &question["difficulty"] == difficulty && question["type"] == "multiple-choice"
}

/// A template that has all questions of a difficulty, or all but one.
async fn template_with_all_but(school: &School, difficulty: &Value, left_out: Option<&Value>) -> String {
    let bank = school.admin.get("/api/admin/questions?grade=5").await.json();
    let count = bank.as_array().unwrap().iter().filter(|question| is_drawn(question, difficulty)).count();
    let body = all_of(difficulty, count - usize::from(left_out.is_some()));
    let made = school.admin.post_json("/api/admin/test-templates", &body).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let id = made.json()["template"]["id"].as_str().unwrap().to_owned();
    let list = questions_of(school, &id).await;
    if let Some(left_out) = left_out.filter(|question| list.contains(question)) {
        // Only one other question is left.
        let swap = json!({ "bucket": { "kind": "standard" }, "questionId": left_out["id"] });
        let answer = school.admin.post_json(&format!("/api/admin/test-templates/{id}/swap"), &swap).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    id
}

/// The id of a class of the grade, with somebody in it.
async fn class_of(school: &School) -> String {
    let made = school.admin.post_json("/api/admin/classes", &json!({ "name": "5A", "grade": 5 })).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let id = made.json()["class"]["id"].as_str().unwrap().to_owned();
    let people = json!({ "people": [{ "email": "cy@exam.test", "name": "Cy", "factor": 125 }] });
    let listed = send(&school.admin, Method::PUT, &format!("/api/admin/classes/{id}/people"), &people).await;
    assert_eq!(listed.status, 200, "{}", listed.text());
    id
}

/// The id of a learning platform.
async fn platform_of(school: &School) -> String {
    let [authorization, token, jwks] = ["auth", "token", "keys"].map(|end| format!("https://lms.exam.test/{end}"));
    let endpoints = json!({ "authorization": authorization, "token": token, "jwks": jwks });
    let platform =
        json!({ "name": "Moodle", "issuer": "https://lms.exam.test", "clientId": "a", "endpoints": endpoints });
    let made = school.admin.post_json("/api/admin/lti/platforms", &platform).await;
    assert_eq!(made.status, 200, "{}", made.text());
    made.json()["platform"]["id"].as_str().unwrap().to_owned()
}

/// What the calendar has, by the names of its lists.
async fn records(school: &School, sitting: &Value) -> BTreeMap<&'static str, Value> {
    let mut records = BTreeMap::new();
    for (list, record) in [
        ("venues", json!({ "venue": "Aula", "status": "publish" })),
        ("organizers", json!({ "organizer": "Office", "status": "publish" })),
        ("categories", json!({ "name": "Exams" })),
        ("tags", json!({ "name": "Spring" })),
    ] {
        let made = school.admin.post_json(&format!("/wp-json/tribe/events/v1/{list}"), &record).await;
        assert_eq!(made.status, 201, "{}", made.text());
        records.insert(list, made.json());
    }
    let event = school.admin.get(&format!("/wp-json/tribe/events/v1/events/{}", sitting["eventId"])).await;
    assert_eq!(event.status, 200, "{}", event.text());
    records.insert("events", event.json());
    records
}
