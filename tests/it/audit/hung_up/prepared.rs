//! What the requests are made to: for each row as many things as it has requests.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{SecondsFormat, TimeDelta};
use domain::lti::link::LinkTarget;
use examhall::database::Database;
use examhall::store::lti;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Office, REQUESTS};
use crate::either_database::platforms::link;
use crate::hall::eventually;

/// Minutes until sittings begin that are over before the requests are made, and until the others begin.
const SOON: i64 = 60;
pub const LATER: i64 = 24 * 60;
/// Longer than a sitting that begins soon lasts.
const UNTIL_OVER: Duration = Duration::from_secs(5 * 60 * 60);
pub const SITTINGS: &str = "/api/admin/sittings";
pub const CLASSES: &str = "/api/admin/classes";
pub const PLATFORMS: &str = "/api/admin/lti/platforms";
pub const LINKS: &str = "/api/admin/lti/links";

/// Lists of things by the name of what is done to them.
pub struct Prepared {
    pub ids: BTreeMap<&'static str, Vec<String>>,
    /// The number of each sitting's version, and the time of each template's last change, by id.
    pub before: BTreeMap<String, Value>,
    pub revision: u64,
    /// The template that sittings are planned with.
    pub template: String,
    /// One question of each template whose questions are swapped.
    pub swapped: BTreeMap<&'static str, Vec<String>>,
}

/// An address for each request.
pub fn addresses(name: &str) -> Vec<String> {
    (0..REQUESTS).map(|number| format!("{name}{number}@exam.test")).collect()
}

pub fn paper(name: &str) -> Value {
    let targets = json!({ "1": 1, "2": 2, "3": 2, "4": 2, "5": 3 });
    json!({ "name": name, "grades": [5], "mode": "standard", "durationMinutes": 45, "standardTargets": targets })
}

/// A learning platform to connect. Its addresses are closed.
pub fn platform(name: &str, number: usize) -> Value {
    let [authorization, token, jwks] = ["auth", "token", "keys"].map(|end| format!("http://127.0.0.1:1024/{end}"));
    let endpoints = json!({ "authorization": authorization, "token": token, "jwks": jwks });
    let (client_id, name) = (format!("{name} {number}"), format!("{name} {number}"));
    let deployments = json!([{ "id": "1", "state": "active" }]);
    json!({
        "name": name, "issuer": "https://lms.exam.test", "clientId": client_id, "endpoints": endpoints,
        "deployments": deployments,
    })
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

impl Prepared {
    pub async fn by(office: &Office) -> Self {
        let paper = make_template(office, "Paper").await;
        let template = text(&paper["id"]);
        let (ids, before, swapped) = Default::default();
        let mut prepared = Self { ids, before, revision: 0, template, swapped };
        prepared.people(office).await;
        prepared.deliveries(office).await;
        prepared.templates(office).await;
        prepared.sittings(office).await;
        prepared.classes(office).await;
        prepared.platforms(office).await;
        prepared.courses(office).await;
        prepared.corrections(office, &paper).await;
        prepared.revision = office.read("/api/admin/school").await["revision"].as_u64().unwrap();
        prepared.before = versions(office).await;
        prepared
    }

    pub fn of(&self, what: &str) -> &[String] {
        self.ids.get(what).unwrap_or_else(|| panic!("nothing is prepared to be {what}"))
    }

    async fn platforms(&mut self, office: &Office) {
        for name in ["changed platform", "removed platform", "tested platform", "given platform", "emptied platform"] {
            for number in 0..REQUESTS {
                let made = office.did(Method::POST, PLATFORMS, platform(name, number)).await;
                self.ids.entry(name).or_default().push(text(&made["platform"]["id"]));
            }
        }
        for id in self.of("emptied platform") {
            let given = json!({ "deploymentId": "1", "templateId": self.template });
            office.did(Method::POST, &format!("{PLATFORMS}/{id}/grants"), given).await;
        }
        let database = Database::open(office.hall.database_url(), 2, 1).await.unwrap();
        let platform_id = self.of("changed platform")[0].parse().unwrap();
        for number in 0..REQUESTS {
            let link = link(platform_id, &number.to_string(), LinkTarget::Template(self.template.parse().unwrap()));
            let bound = lti::bind(&database.write, &link).await.unwrap();
            self.ids.entry("removed link").or_default().push(bound.id.to_string());
        }
        database.close().await;
    }

    async fn people(&mut self, office: &Office) {
        for name in ["changed", "removed"] {
            for email in addresses(name) {
                office.did(Method::PUT, &format!("/api/admin/users/{email}"), json!({ "role": "reviewer" })).await;
            }
        }
        for (name, duty) in [("unreviewing", "assignments"), ("unmanaging", "managers")] {
            for email in addresses(name) {
                let body = json!({ "email": email, "name": "Somebody", "grades": [3] });
                office.did(Method::POST, &format!("/api/admin/review/{duty}"), body).await;
            }
        }
        for email in addresses("unneeding") {
            let path = format!("/api/admin/accommodations/{email}");
            office.did(Method::PUT, &path, json!({ "factor": 125 })).await;
        }
        for email in addresses("out") {
            let cookie = office.hall.cookie(&email).await;
            self.ids.entry("cookie").or_default().push(cookie);
        }
        for email in addresses("ended") {
            let cookie = office.hall.cookie(&email).await;
            self.ids.entry("endedCookie").or_default().push(cookie);
            let listed = office.read(&format!("/api/admin/users/{email}/sign-ins")).await;
            self.ids.entry("signIn").or_default().push(text(&listed["signIns"][0]["id"]));
        }
        for number in 0..REQUESTS {
            let body = json!({ "name": format!("revoked {number}"), "role": "student" });
            let made = office.did(Method::POST, "/api/admin/tokens", body).await;
            self.ids.entry("revoked").or_default().push(text(&made["id"]));
        }
        let mut questions = office.hall.bank(7).await.ids();
        self.ids.insert("marked", questions[REQUESTS..2 * REQUESTS].to_vec());
        questions.truncate(REQUESTS);
        self.ids.insert("secured", questions);
        let questions = office.hall.bank(8).await.ids();
        self.ids.insert("retired", questions[..REQUESTS].to_vec());
        let restored = questions[REQUESTS..2 * REQUESTS].to_vec();
        for id in &restored {
            office.did(Method::DELETE, &format!("/api/admin/questions/{id}"), json!({})).await;
        }
        self.ids.insert("restored", restored);
    }

    /// Deliveries that were attempted many times.
    async fn deliveries(&mut self, office: &Office) {
        let bank = office.hall.bank(5).await;
        let line = |id: &String| json!({ "questionId": id, "selected": bank.key(id), "correct": bank.key(id), "isCorrect": true });
        let lines: Vec<Value> = bank.ids()[..10].iter().map(line).collect();
        for _ in 0..REQUESTS {
            let finished = json!({
                "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example",
                "webhookUrl": office.receiver.url(),
                "result": {
                    "score": 800, "correctAnswers": 10, "totalQuestions": 10, "timeTaken": 60, "topicBreakdown": [],
                    "difficultyBreakdown": [], "answers": lines,
                },
            });
            office.did(Method::POST, "/api/sessions", finished).await;
        }
        let delivered = eventually("all are delivered", async || {
            let deliveries = office.hall.deliveries(&office.admin()).await;
            let are_delivered = deliveries.iter().filter(|delivery| delivery["status"] == "delivered").count();
            (are_delivered == REQUESTS).then_some(deliveries)
        });
        self.ids.insert("replayed", delivered.await.iter().map(|delivery| text(&delivery["id"])).collect());
        office.hall.alter("UPDATE deliveries SET attempts = 9").await;
    }

    async fn templates(&mut self, office: &Office) {
        for use_of_it in [
            "admin changed",
            "admin removed",
            "admin drawn",
            "admin swapped",
            "admin arranged",
            "manager changed",
            "manager removed",
            "manager drawn",
            "manager swapped",
            "manager arranged",
        ] {
            for number in 0..REQUESTS {
                let template = make_template(office, &format!("{use_of_it} {number}")).await;
                self.ids.entry(use_of_it).or_default().push(text(&template["id"]));
                let question = text(&template["standardQuestions"][0]["id"]);
                self.swapped.entry(use_of_it).or_default().push(question);
            }
        }
    }

    /// The questions that are corrected, and corrections of each.
    async fn corrections(&mut self, office: &Office, paper: &Value) {
        let questions = paper["standardQuestions"].as_array().unwrap().iter().take(REQUESTS);
        let questions: Vec<String> = questions.map(|question| text(&question["id"])).collect();
        for question in &questions {
            let scope = json!({ "templateId": self.template });
            let body = json!({ "questionId": question, "kind": "drop", "scope": scope });
            let made = office.did(Method::POST, "/api/manager/corrections", body).await;
            self.ids.entry("reverted").or_default().push(text(&made["id"]));
        }
        self.ids.insert("corrected", questions);
    }

    async fn sittings(&mut self, office: &Office) {
        for use_of_it in ["released", "made up"] {
            self.plan(office, use_of_it, SOON, use_of_it == "made up").await;
        }
        office.hall.clock.advance(UNTIL_OVER);
        for use_of_it in ["patched", "deleted", "begun", "enrolled", "joined", "extended", "repeated"] {
            self.plan(office, use_of_it, LATER, false).await;
        }
        self.plan(office, "undone", LATER, false).await;
        for id in self.of("undone").to_vec() {
            let roster = json!({ "candidates": [{ "externalId": "7", "name": "Somebody" }] });
            office.did(Method::PUT, &format!("{SITTINGS}/{id}/candidates"), roster).await;
        }
        for use_of_it in ["with a change", "with a removal", "with slips", "with a kit"] {
            self.plan(office, use_of_it, LATER, true).await;
        }
    }

    async fn classes(&mut self, office: &Office) {
        let made = async |name: &str| {
            let class = office.did(Method::POST, CLASSES, json!({ "name": name, "grade": 5 })).await;
            text(&class["class"]["id"])
        };
        for use_of_it in ["changed class", "removed class", "listed class"] {
            for number in 0..REQUESTS {
                let id = made(&format!("{use_of_it} {number}")).await;
                self.ids.entry(use_of_it).or_default().push(id);
            }
        }
        let joining = made("joining").await;
        let people = json!({ "people": [{ "externalId": "from a class", "name": "Somebody" }] });
        office.did(Method::PUT, &format!("{CLASSES}/{joining}/people"), people).await;
        self.ids.insert("joining class", vec![joining]);
    }

    pub(super) async fn plan(&mut self, office: &Office, use_of_it: &'static str, minutes: i64, has_candidate: bool) {
        for number in 0..REQUESTS {
            let body = sitting(office, &self.template, &format!("{use_of_it} {number}"), minutes);
            let id = text(&office.did(Method::POST, SITTINGS, body).await["sitting"]["id"]);
            if has_candidate {
                let candidate = json!({ "externalId": number.to_string(), "name": "Somebody" });
                let made = office.did(Method::POST, &format!("{SITTINGS}/{id}/candidates"), candidate).await;
                let candidates = match use_of_it {
                    "with a change" => "changed candidate",
                    "with a removal" => "removed candidate",
                    "made up" => "absent",
                    "joining" => "joining candidate",
                    _ => "candidate with a slip",
                };
                self.ids.entry(candidates).or_default().push(text(&made["candidate"]["id"]));
            }
            self.ids.entry(use_of_it).or_default().push(id);
        }
    }
}

/// A sitting that somebody begins.
pub fn sitting(office: &Office, template: &str, name: &str, minutes: i64) -> Value {
    let starts_at = office.hall.clock.now().utc() + TimeDelta::minutes(minutes);
    let starts_at = starts_at.to_rfc3339_opts(SecondsFormat::Millis, true);
    let start = if minutes == SOON { "clock" } else { "proctor" };
    json!({ "name": name, "templateId": template, "startsAt": starts_at, "start": start, "results": "held" })
}

async fn make_template(office: &Office, name: &str) -> Value {
    office.did(Method::POST, "/api/admin/test-templates", paper(name)).await["template"].clone()
}

/// The versions of all sittings, and the times of all templates, by id.
pub async fn versions(office: &Office) -> BTreeMap<String, Value> {
    let (sittings, templates) = (office.read(SITTINGS).await, office.read("/api/admin/test-templates").await);
    let of = |list: &Value, field: &str| -> Vec<(String, Value)> {
        list.as_array().unwrap().iter().map(|one| (text(&one["id"]), one[field].clone())).collect()
    };
    of(&sittings["sittings"], "version").into_iter().chain(of(&templates["templates"], "updatedAt")).collect()
}
