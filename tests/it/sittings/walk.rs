//! The walk of all roads by which something leaves the server: each as everybody, in each state of an exam, from its
//! first moment to its last. It takes longer than a second, since it asks some ten thousand times.

mod exam;
mod roads;
mod rule;
mod secrets;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use domain::transfer::TransferKind;
use futures_util::future::join;
use futures_util::{StreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};

use exam::{Asker, Exam};
use roads::{Road, Special, Way};
use rule::{Kind, Role, State};

use crate::hall::{Answer, Hall, Heard, LiveSocket, PROCTOR_PATH, PROVIDER_KEY};

/// Requests at once.
const AT_ONCE: usize = 12;
/// How long an answer that waits for something is waited for.
const WAITED: Duration = Duration::from_millis(150);

/// Documents that list roads.
const DOCUMENTS: [&str; 3] = ["/api/openapi.json", "/v1/openapi.json", "/wp-json/tribe/events/v1/doc"];
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];
/// How the events of webhooks begin in the rows.
const WEBHOOK: &str = "webhook: ";
/// Roads on which nobody in the walk gets an answer: one is for those who come back from an identity provider.
const UNANSWERED: [&str; 1] = ["GET /auth/callback"];
const CHAPTER: &str = "docs/security.md";
const MARKS: [&str; 2] =
    ["<!-- The walk begins: written by tests/it/sittings/walk.rs. -->\n", "\n<!-- The walk ends. -->"];

/// What is told, by road, state and kind.
type Told = BTreeMap<(&'static str, State, Kind), BTreeSet<Role>>;

/// Walks one road as one role. Returns what that tells.
async fn walk(exam: &Exam, road: &Road, role: Role) -> BTreeSet<Kind> {
    let mut told = BTreeSet::new();
    match road.way {
        Way::Special(Special::Webhooks) if role == Role::Receiver => {
            for call in exam.receiver.everything() {
                told.extend(exam.secrets.told_by_json(&call.json(), &[]));
            }
        }
        Way::Special(Special::Begun) if role == Role::Candidate && exam.submitted.is_none() => {
            told.extend(exam.begun.iter().flat_map(|frame| exam.secrets.told_by_json(frame, &[])));
        }
        Way::Special(Special::Submitted) if role == Role::Candidate => {
            told.extend(exam.submitted.iter().flat_map(|frame| exam.secrets.told_by_json(frame, &[])));
        }
        Way::Special(Special::Webhooks | Special::Begun | Special::Submitted) => {}
        Way::Get(_) | Way::Send(_) | Way::Special(_) => {
            for asker in exam.askers(role) {
                match road.way {
                    Way::Get(queries) => {
                        if matches!(role, Role::Nobody | Role::Candidate) {
                            told.extend(head(exam, asker, road, queries[0]).await);
                        }
                        for query in queries {
                            told.extend(ask(exam, asker, road, query, None).await);
                        }
                    }
                    Way::Send(bodies) => {
                        for body in bodies(exam) {
                            let query = if road.name.ends_with("/release") { "?dryRun=true" } else { "" };
                            told.extend(ask(exam, asker, road, query, Some(&body)).await);
                        }
                    }
                    Way::Special(special) => told.extend(by_hand(exam, asker, road, role, special).await),
                }
            }
        }
    }
    told
}

async fn ask(exam: &Exam, asker: &Asker, road: &Road, query: &str, body: Option<&Value>) -> Vec<Kind> {
    let (method, path) = roads::address(exam, road.name, query);
    let mut request = asker.request(method, &path);
    if let Some(body) = body {
        request = request.json(body);
    }
    let answering = Answer::to(request);
    let answer = if query.contains("wait=") {
        match tokio::time::timeout(WAITED, answering).await {
            Ok(answer) => answer,
            Err(_) => return Vec::new(),
        }
    } else {
        answering.await
    };
    assert!(!matches!(answer.status, 429 | 500..), "{path}: {} {}", answer.status, answer.text());
    if answer.status == 200 || answer.status == 204 {
        exam.answered.lock().unwrap().insert(road.name);
    }
    exam.secrets.told_by(&answer)
}

/// `HEAD`, whose answer has headers alone.
async fn head(exam: &Exam, asker: &Asker, road: &Road, query: &str) -> Vec<Kind> {
    let answer = Answer::to(asker.request(Method::HEAD, &roads::address(exam, road.name, query).1)).await;
    assert!(answer.body.is_empty(), "HEAD of {}: {}", road.name, answer.text());
    exam.secrets.told_by(&answer)
}

async fn by_hand(exam: &Exam, asker: &Asker, road: &Road, role: Role, special: Special) -> Vec<Kind> {
    exam.answered.lock().unwrap().insert(road.name);
    match special {
        Special::Resume => resume(exam, asker, role).await,
        Special::Watch => watch(exam, asker).await,
        Special::Start => start(exam, asker).await,
        Special::HandIn => hand_in(exam, asker).await,
        Special::Swap => swap(exam, asker, road.name).await,
        Special::Decide => decide(exam, asker, road).await,
        Special::Receipt => receipt(exam, asker, road).await,
        Special::Begun | Special::Submitted | Special::Webhooks => unreachable!(),
    }
}

async fn open(exam: &Exam, asker: &Asker, path: &str) -> Option<LiveSocket> {
    let headers: Vec<(&str, &str)> = asker
        .known_by
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .chain([("origin", "http://exam.localhost")])
        .collect();
    LiveSocket::reach(&exam.school.hall.base(), path, &headers).await
}

/// Comes back on another socket; everybody but the candidate with a wrong token.
async fn resume(exam: &Exam, asker: &Asker, role: Role) -> Vec<Kind> {
    let Some(mut socket) = open(exam, asker, "/api/live").await else { return Vec::new() };
    // Of the two ways in which the candidate is known only the token opens a socket.
    let ada = exam.ada.as_ref().filter(|_| role == Role::Candidate && asker.known_by.is_none());
    let token = ada.map_or("wrong", |ada| ada.token.as_str());
    socket.send(&json!({ "type": "resume", "sessionId": exam.session(), "token": token })).await;
    let Heard::Frame(frame) = socket.hear().await else { return Vec::new() };
    let told = exam.secrets.told_by_json(&frame, &[]);
    if ada.is_some() && exam.submitted.is_none() {
        assert!(["resumed", "waiting"].iter().any(|kind| frame["type"] == *kind), "{frame}");
        *exam.socket.lock().await = Some(socket);
    }
    told
}

/// Asks for a receipt of what is saved. There is one a minute, so that only one of the ways by which the candidate is
/// known gets it.
async fn receipt(exam: &Exam, asker: &Asker, road: &Road) -> Vec<Kind> {
    let (method, path) = roads::address(exam, road.name, "");
    let answer = Answer::to(asker.request(method, &path)).await;
    assert!(answer.status < 500, "{path}: {} {}", answer.status, answer.text());
    exam.secrets.told_by(&answer)
}

/// Watches all rooms in which the candidate is, and reads their history.
async fn watch(exam: &Exam, asker: &Asker) -> Vec<Kind> {
    let mut told = Vec::new();
    for room in [
        json!({ "sittingId": exam.sitting["id"], "room": "B12" }),
        json!({ "sittingId": exam.sitting["id"] }),
        json!({ "templateId": exam.school.template }),
        json!({ "grade": 5 }),
    ] {
        let Some(mut socket) = open(exam, asker, PROCTOR_PATH).await else { return told };
        let mut watch = room;
        watch["type"] = json!("watch");
        socket.send(&watch).await;
        let by =
            if exam.ada.is_some() { ("sessionId", exam.session()) } else { ("candidateId", exam.candidate.as_str()) };
        let mut asked = false;
        loop {
            let Heard::Frame(frame) = socket.hear().await else { break };
            told.extend(exam.secrets.told_by_json(&frame, &[]));
            if frame["type"] == "roster" && frame["complete"] == true && !asked {
                asked = true;
                socket.send(&json!({ "type": "history", "id": "1", by.0: by.1 })).await;
            } else if ["history", "error"].iter().any(|kind| frame["type"] == *kind) {
                break;
            }
        }
    }
    told
}

/// Starts practice with the template over a socket.
async fn start(exam: &Exam, asker: &Asker) -> Vec<Kind> {
    let Some(mut socket) = open(exam, asker, "/api/live").await else { return Vec::new() };
    socket.send(&json!({ "type": "start", "annotations": {}, "templateId": exam.school.template })).await;
    match socket.hear().await {
        Heard::Frame(frame) => exam.secrets.told_by_json(&frame, &[]),
        Heard::Closed(_) => Vec::new(),
    }
}

/// Hands in a finished test with the questions of the exam, and reads all that its report has.
async fn hand_in(exam: &Exam, asker: &Asker) -> Vec<Kind> {
    let line =
        |question: &Value| json!({ "questionId": question["id"], "selected": "A", "correct": "", "isCorrect": false });
    let answers: Vec<Value> = exam.paper.iter().map(line).collect();
    let result = json!({
        "score": 200, "correctAnswers": 0, "totalQuestions": answers.len(), "timeTaken": 60,
        "topicBreakdown": [], "difficultyBreakdown": [], "answers": answers,
    });
    let body = json!({
        "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example", "result": result,
    });
    let created = Answer::to(asker.request(Method::POST, "/api/sessions").json(&body)).await;
    assert_eq!(created.status, 200, "{}", created.text());
    let id = created.json()["sessionId"].as_str().unwrap().to_owned();
    let mut told = exam.secrets.told_by(&created);
    let report = Answer::to(asker.request(Method::GET, &format!("/api/report/{id}/questions"))).await;
    told.extend(exam.secrets.told_by(&report));
    // Ids and a score are what the caller has sent itself.
    let stored = Answer::to(asker.request(Method::GET, &format!("/api/sessions/{id}"))).await;
    told.extend(exam.secrets.told_by(&stored).into_iter().filter(|kind| *kind == Kind::Keys));
    told
}

/// Swaps a question that is not of the paper, in a template with one that is.
async fn swap(exam: &Exam, asker: &Asker, name: &str) -> Vec<Kind> {
    let _alone = exam.swapping.lock().await;
    let template = format!("/api/admin/test-templates/{}", exam.other_template);
    let list = exam.school.admin.get(&template).await.json()["template"]["standardQuestions"].clone();
    let is_own = |question: &&Value| exam.paper.iter().any(|own| own["id"] == question["id"]);
    let other = list.as_array().unwrap().iter().find(|question| !is_own(question)).unwrap();
    let body = json!({ "bucket": { "kind": "standard" }, "questionId": other["id"] });
    let path = roads::address(exam, name, "@other").1;
    let answer = Answer::to(asker.request(Method::POST, &path).json(&body)).await;
    exam.secrets.told_by(&answer)
}

/// Accepts the late work, and takes that back, so that the next one finds it as it was.
async fn decide(exam: &Exam, asker: &Asker, road: &Road) -> Vec<Kind> {
    let _alone = exam.deciding.lock().await;
    let (method, path) = roads::address(exam, road.name, "");
    let mut told = Vec::new();
    for decision in ["accept", "decline"] {
        let body = json!({ "decision": decision, "comment": "" });
        let answer = Answer::to(asker.request(method.clone(), &path).json(&body)).await;
        assert!(answer.status < 500, "{path}: {} {}", answer.status, answer.text());
        told.extend(exam.secrets.told_by(&answer));
    }
    told
}

/// Walks all roads as everybody.
async fn walk_all(exam: &Exam, roads: &[Road]) -> BTreeMap<(usize, Kind), BTreeSet<Role>> {
    let each = roads.iter().enumerate().flat_map(|road| Role::ALL.map(|role| (road, role)));
    let walks =
        stream::iter(each.map(|((index, road), role)| async move { (index, role, walk(exam, road, role).await) }));
    let all: Vec<_> = walks.buffer_unordered(AT_ONCE).collect().await;
    let mut told: BTreeMap<_, BTreeSet<Role>> = BTreeMap::new();
    for (index, role, kinds) in all {
        for kind in kinds {
            told.entry((index, kind)).or_default().insert(role);
        }
    }
    told
}

/// Walks along the whole life of an exam. Returns what each road has told, and each cell that is not as the rule says.
async fn walk_along(roads: &[Road]) -> (Told, Vec<String>) {
    let mut exam = Exam::plan().await;
    let (mut told, mut wrong) = (Told::new(), Vec::new());
    for state in State::ALL {
        exam.begin(state).await;
        for is_last in [false, true] {
            if is_last {
                exam.almost_end(state).await;
            }
            let mut walked = walk_all(&exam, roads).await;
            exam.assert_not_over();
            for ((index, road), kind) in roads.iter().enumerate().flat_map(|road| Kind::ALL.map(|kind| (road, kind))) {
                let found = walked.remove(&(index, kind)).unwrap_or_default();
                let is_told = |role: &Role| rule::is_told(road, *role, state, kind);
                let expected: BTreeSet<Role> = Role::ALL.into_iter().filter(is_told).collect();
                if found != expected {
                    let moment = if is_last { "last" } else { "first" };
                    let place = format!("{}, {kind:?}, {moment} moment of {}", road.name, state.name());
                    wrong.push(format!("{place}: told to {found:?}, and by the rule to {expected:?}"));
                }
                told.entry((road.name, state, kind)).or_default().extend(found);
            }
        }
    }
    let received: Vec<Value> = exam.receiver.everything().iter().map(|call| call.json()["event"].clone()).collect();
    let events = roads.iter().flat_map(|road| &road.covers).filter_map(|name| name.strip_prefix(WEBHOOK));
    let unsent = events.filter(|event| !received.iter().any(|told| told == event));
    wrong.extend(unsent.map(|event| format!("{event}: the receiver has not got it")));
    let answered = exam.answered.into_inner().unwrap();
    let walked_by_request = |road: &&Road| !matches!(road.way, Way::Special(_));
    let unanswered = roads.iter().filter(walked_by_request).map(|road| road.name);
    let unanswered = unanswered.filter(|name| !answered.contains(name) && !UNANSWERED.contains(name));
    wrong.extend(unanswered.map(|name| format!("{name}: nobody has got an answer")));
    (told, wrong)
}

#[tokio::test]
async fn each_road_tells_what_the_rule_says() {
    let (deeds, reads): (Vec<Road>, Vec<Road>) = roads::all().into_iter().partition(Road::leaves_something);
    let ((mut told, mut wrong), of_deeds) = join(walk_along(&reads), walk_along(&deeds)).await;
    told.extend(of_deeds.0);
    wrong.extend(of_deeds.1);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let written = table::written(&roads::all(), |road, state, kind| told[&(road.name, state, kind)].clone());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(CHAPTER);
    let chapter = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = chapter.split_once(MARKS[0]).expect("the chapter has the first mark");
    let (stored, after) = rest.split_once(MARKS[1]).expect("the chapter has the second mark");
    if std::env::var("GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(&path, [before, MARKS[0], &written, MARKS[1], after].concat()).unwrap();
        return;
    }
    assert_eq!(stored, written, "{CHAPTER} is not what the walk has found: run this test with GOLDEN=write");
}

#[tokio::test]
async fn the_roads_are_those_of_the_documents() {
    let hall = Hall::with(&[("PROVIDER_API_KEY", PROVIDER_KEY)]).await;
    let mut documented: BTreeSet<String> = roads::pages().into_iter().collect();
    for document in DOCUMENTS {
        let document = hall.anonymous().get(document).await.json();
        let server = document["servers"][0]["url"].as_str().unwrap();
        let root = server.strip_prefix("http://exam.localhost").unwrap_or(server).trim_end_matches('/');
        for (path, item) in document["paths"].as_object().unwrap() {
            let methods = METHODS.iter().filter(|method| item[**method].is_object());
            documented.extend(methods.map(|method| format!("{} {root}{path}", method.to_uppercase())));
        }
    }
    let sockets = hall.anonymous().get("/api/asyncapi.json").await.json();
    for operation in sockets["operations"].as_object().unwrap().values().filter(|one| one["action"] == "send") {
        let whose = operation["channel"]["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        let names = operation["messages"].as_array().unwrap().iter().map(|message| message["$ref"].as_str().unwrap());
        documented.extend(names.map(|name| format!("{whose}: {}", name.rsplit('/').next().unwrap())));
    }
    documented.extend(hall.outgoing_events().iter().map(|event| format!("{WEBHOOK}{event}")));
    documented.extend(TransferKind::ALL.map(|kind| format!("transfer: {}", kind.name())));
    let roads = roads::all();
    let unwalked = roads::UNWALKED.iter().flat_map(|(_, roads)| *roads).copied();
    let listed: Vec<&str> = roads.iter().flat_map(|road| road.covers.iter().copied()).chain(unwalked).collect();
    let known: BTreeSet<String> = listed.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(known.len(), listed.len(), "each is listed once: {listed:?}");
    let without_row: Vec<&String> = documented.difference(&known).collect();
    let gone: Vec<&String> = known.difference(&documented).collect();
    assert!(without_row.is_empty() && gone.is_empty(), "without a row: {without_row:?}; no longer there: {gone:?}");
    for road in &roads {
        assert_ne!(road.tells.is_empty(), road.reason.is_empty(), "{}: it tells something, or has a reason", road.name);
    }
}
