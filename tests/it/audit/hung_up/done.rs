//! What the requests have done, as the routes show it afterwards.

use std::collections::BTreeMap;

use serde_json::Value;

use super::prepared::{CLASSES, LINKS, PLATFORMS, Prepared, SITTINGS, addresses, text, versions};
use super::requests::{IMPORTED_INTO, WRITTEN_INTO};
use super::{Deed, Office, SENT_AT_ONCE, known_by};

/// The values of a field of all items.
fn texts(list: &Value, field: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| text(&item[field])).collect()
}

/// An action, done to each of these.
fn deeds(action: &'static str, subjects: impl IntoIterator<Item = String>) -> Vec<Deed> {
    subjects.into_iter().map(|subject| known_by(action, &subject)).collect()
}

fn all_in(subjects: Vec<String>, list: &[String]) -> Vec<String> {
    subjects.into_iter().filter(|subject| list.contains(subject)).collect()
}

fn missing_in(subjects: Vec<String>, list: &[String]) -> Vec<String> {
    subjects.into_iter().filter(|subject| !list.contains(subject)).collect()
}

/// The ids of those items whose name begins so.
fn named(list: &Value, begin: &str) -> Vec<String> {
    let is_so = |item: &&Value| item["name"].as_str().unwrap().starts_with(begin);
    list.as_array().unwrap().iter().filter(is_so).map(|item| text(&item["id"])).collect()
}

impl Prepared {
    pub async fn done(&self, office: &Office) -> Vec<Deed> {
        let after = versions(office).await;
        let done = [
            self.done_to_users(office).await,
            self.done_to_the_school(office).await,
            self.done_to_templates(office, &after).await,
            self.done_to_sittings(office, &after).await,
            self.done_to_classes(office).await,
            self.done_to_platforms(office).await,
            done_to_scores(office).await,
            done_to_accommodations(office).await,
            done_to_corrections(office).await,
        ];
        done.into_iter().flatten().collect()
    }

    async fn done_to_users(&self, office: &Office) -> Vec<Deed> {
        let users = office.read("/api/admin/users").await;
        let emails = texts(&users, "email");
        let managers: Vec<Value> =
            users.as_array().unwrap().iter().filter(|user| user["role"] == "manager").cloned().collect();
        let managers = texts(&managers.into(), "email");
        let mut signed_out = Vec::new();
        let all = addresses("out").into_iter().zip(self.of("cookie"));
        for (email, cookie) in all.chain(addresses("ended").into_iter().zip(self.of("endedCookie"))) {
            if office.hall.anonymous().get_with("/api/me", "cookie", cookie).await.status == 401 {
                signed_out.push(email);
            }
        }
        let reviewers = texts(&office.read("/api/admin/review/assignments").await["assignments"], "email");
        let signing = texts(&office.read("/api/admin/review/managers").await["assignments"], "email");
        let tokens = office.read("/api/admin/tokens").await["tokens"].clone();
        [
            deeds("user.invited", all_in(addresses("invited"), &emails)),
            deeds("user.role", all_in(addresses("changed"), &managers)),
            deeds("user.removed", missing_in(addresses("removed"), &emails)),
            deeds("user.signed_out", signed_out),
            deeds("user.reviews", all_in(addresses("reviewing"), &reviewers)),
            deeds("user.reviews", missing_in(addresses("unreviewing"), &reviewers)),
            deeds("user.signs_off", all_in(addresses("managing"), &signing)),
            deeds("user.signs_off", missing_in(addresses("unmanaging"), &signing)),
            deeds("token.created", named(&tokens, "made ")),
            deeds("token.revoked", missing_in(self.of("revoked").to_vec(), &texts(&tokens, "id"))),
        ]
        .concat()
    }

    async fn done_to_the_school(&self, office: &Office) -> Vec<Deed> {
        let is_test = |call: &&crate::hall::Call| call.json()["event"] == "webhook.test";
        let tests = office.receiver.calls().iter().filter(is_test).count();
        let deliveries = office.hall.deliveries(&office.admin()).await;
        let replayed = deliveries.iter().filter(|delivery| delivery["attempts"].as_u64().unwrap() < 9);
        let revision = office.read("/api/admin/school").await["revision"].as_u64().unwrap();
        let bank = office.read(&format!("/api/admin/questions?grade={IMPORTED_INTO}")).await;
        let imported = texts(&bank, "id").into_iter().filter(|id| id.starts_with("imported-")).count();
        let marks = office.read("/api/admin/questions/secure?grade=7").await;
        let secure = texts_of(&marks["secure"]);
        let marked = all_in(self.of("marked").to_vec(), &texts_of(&marks["noPractice"])).len();
        let bank = office.read(&format!("/api/admin/questions?grade={WRITTEN_INTO}")).await;
        let written = bank.as_array().unwrap().iter().filter(|question| question["source"] == "hung up");
        let written: Vec<String> = written.map(|question| text(&question["id"])).collect();
        let retired = texts(&office.read("/api/admin/questions?grade=8&retired=true").await, "id");
        let approvals = office.read("/api/manager/approvals").await["approvals"].clone();
        let grades = approvals.as_array().unwrap().iter().map(|approval| format!("grade {}", approval["grade"]));
        [
            deeds(SENT_AT_ONCE, vec![String::new(); tests]),
            deeds("webhook.replayed", replayed.map(|delivery| text(&delivery["id"]))),
            deeds("school.changed", (self.revision..revision).map(|_| String::new())),
            deeds("questions.imported", vec![String::new(); imported]),
            deeds("question.secured", all_in(self.of("secured").to_vec(), &secure)),
            deeds("questions.marked", vec![String::new(); marked]),
            deeds("question.written", written),
            deeds("question.retired", all_in(self.of("retired").to_vec(), &retired)),
            deeds("question.restored", missing_in(self.of("restored").to_vec(), &retired)),
            deeds("grade.signed_off", grades),
        ]
        .concat()
    }

    async fn done_to_templates(&self, office: &Office, after: &BTreeMap<String, Value>) -> Vec<Deed> {
        let templates = office.read("/api/admin/test-templates").await["templates"].clone();
        let left = texts(&templates, "id");
        let mut done = deeds("template.created", named(&templates, "made at "));
        for (action, names) in [
            ("template.changed", ["admin changed", "manager changed"]),
            ("template.drawn", ["admin drawn", "manager drawn"]),
            ("template.swapped", ["admin swapped", "manager swapped"]),
            ("template.arranged", ["admin arranged", "manager arranged"]),
        ] {
            for name in names {
                let changed = self.of(name).iter().filter(|id| self.before[*id] != after[*id]).cloned();
                done.extend(deeds(action, changed));
            }
        }
        for name in ["admin removed", "manager removed"] {
            done.extend(deeds("template.removed", missing_in(self.of(name).to_vec(), &left)));
        }
        done
    }

    async fn done_to_sittings(&self, office: &Office, after: &BTreeMap<String, Value>) -> Vec<Deed> {
        let sittings = office.read(SITTINGS).await["sittings"].clone();
        let of = |name: &str, is_so: &dyn Fn(&Value) -> bool| -> Vec<String> {
            let found = sittings.as_array().unwrap().iter().filter(|sitting| is_so(sitting));
            let found: Vec<String> = found.map(|sitting| text(&sitting["id"])).collect();
            all_in(self.of(name).to_vec(), &found)
        };
        let second = |number: &usize| !named(&sittings, &format!("second {number}")).is_empty();
        let firsts = self.of("made up").iter().enumerate().filter(|(number, _)| second(number));
        let again = |number: &usize| !named(&sittings, &format!("again {number}")).is_empty();
        let repeated = self.of("repeated").iter().enumerate().filter(|(number, _)| again(number));
        // A change of a roster raises the version of its sitting.
        let rises = |name: &str, subjects: &str| -> Vec<String> {
            let version = |versions: &BTreeMap<String, Value>, id: &String| versions[id].as_u64().unwrap();
            let risen = self.of(name).iter().zip(self.of(subjects));
            risen
                .flat_map(|(id, subject)| (version(&self.before, id)..version(after, id)).map(|_| subject.clone()))
                .collect()
        };
        [
            deeds("sitting.created", named(&sittings, "planned ")),
            deeds("sitting.changed", of("patched", &|sitting| sitting["name"] == "Patched")),
            deeds("sitting.removed", missing_in(self.of("deleted").to_vec(), &texts(&sittings, "id"))),
            deeds("sitting.begun", of("begun", &|sitting| sitting["begunAt"].is_string())),
            deeds("results.released", of("released", &|sitting| sitting["released"] == true)),
            deeds("sitting.made_up", firsts.map(|(_, id)| id.clone())),
            deeds("sitting.repeated", repeated.map(|(_, id)| id.clone())),
            deeds("roster.extended", rises("extended", "extended")),
            deeds("roster.from_course", rises("from a course", "from a course")),
            deeds("roster.replaced", rises("enrolled", "enrolled")),
            deeds("roster.undone", rises("undone", "undone")),
            deeds("candidate.added", rises("joined", "joined")),
            deeds("candidate.changed", rises("with a change", "changed candidate")),
            deeds("candidate.removed", rises("with a removal", "removed candidate")),
            deeds("candidate.joined", rises("joining", "joining candidate")),
            deeds("slips.printed", rises("with slips", "with slips")),
            deeds("kit.printed", rises("with a kit", "with a kit")),
        ]
        .concat()
    }

    async fn done_to_classes(&self, office: &Office) -> Vec<Deed> {
        let classes = office.read(CLASSES).await["classes"].clone();
        let has_people = |class: &&Value| class["people"] == 1;
        let listed = classes.as_array().unwrap().iter().filter(has_people).map(|class| text(&class["id"]));
        let listed = all_in(self.of("listed class").to_vec(), &listed.collect::<Vec<_>>());
        [
            deeds("class.created", named(&classes, "made ")),
            deeds("class.changed", named(&classes, "patched ")),
            deeds("class.removed", missing_in(self.of("removed class").to_vec(), &texts(&classes, "id"))),
            deeds("class.people_replaced", listed),
        ]
        .concat()
    }

    async fn done_to_platforms(&self, office: &Office) -> Vec<Deed> {
        let platforms = office.read(PLATFORMS).await["platforms"].clone();
        let links = texts(&office.read(LINKS).await["links"], "id");
        let mut given = Vec::new();
        for id in self.of("given platform") {
            let grants = office.read(&format!("{PLATFORMS}/{id}/grants")).await["grants"].clone();
            given.extend(grants.as_array().unwrap().iter().map(|_| id.clone()));
        }
        let mut emptied = Vec::new();
        for id in self.of("emptied platform") {
            let grants = office.read(&format!("{PLATFORMS}/{id}/grants")).await["grants"].clone();
            emptied.extend(grants.as_array().unwrap().is_empty().then(|| id.clone()));
        }
        [
            deeds("platform.connected", named(&platforms, "made ")),
            deeds("platform.changed", named(&platforms, "patched ")),
            deeds("platform.removed", missing_in(self.of("removed platform").to_vec(), &texts(&platforms, "id"))),
            deeds("platform.given", given),
            deeds("platform.taken_back", emptied),
            deeds("link.removed", missing_in(self.of("removed link").to_vec(), &links)),
        ]
        .concat()
    }
}

async fn done_to_scores(office: &Office) -> Vec<Deed> {
    let scores = office.read("/api/admin/lti/scores").await["scores"].clone();
    let resent = scores.as_array().unwrap().iter().filter(|score| score["attempts"].as_u64().unwrap() < 9);
    deeds("score.resent", resent.map(|score| text(&score["id"])))
}

async fn done_to_accommodations(office: &Office) -> Vec<Deed> {
    let register = texts(&office.read("/api/admin/accommodations").await["accommodations"], "email");
    let listed = all_in(addresses("listed"), &register).len();
    [
        deeds("accommodations.replaced", vec![String::new(); listed]),
        deeds("accommodation.changed", all_in(addresses("needing"), &register)),
        deeds("accommodation.removed", missing_in(addresses("unneeding"), &register)),
    ]
    .concat()
}

async fn done_to_corrections(office: &Office) -> Vec<Deed> {
    let list = office.read("/api/manager/corrections").await["corrections"].clone();
    let of = |is_so: &dyn Fn(&Value) -> bool, field: &str| -> Vec<String> {
        list.as_array().unwrap().iter().filter(|one| is_so(one)).map(|one| text(&one[field])).collect()
    };
    [
        deeds("key.corrected", of(&|one| one["kind"] == "all", "questionId")),
        deeds("key.correction_reverted", of(&|one| one["revertedBy"].is_string(), "id")),
    ]
    .concat()
}

fn texts_of(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(text).collect()
}
