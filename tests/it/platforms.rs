//! Learning platforms as admins connect them, their links, and what registers itself. Launches and scores have tests of
//! their own.

mod keys;
mod registration;

use std::collections::BTreeSet;

use domain::lti::SCOPE_SCORE;
use domain::lti::link::{BoundLink, LinkGrant, LinkTarget, PlatformPerson};
use domain::lti::platform::DeploymentState;
use domain::time::moment::Moment;
use examhall::database::Database;
use examhall::store::lti::{self, LinkFilter};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::hall::{Answer, Caller, External, Hall, Told};

const PLATFORMS: &str = "/api/admin/lti/platforms";
const LINKS: &str = "/api/admin/lti/links";

/// A link in a course, to this.
pub fn link(platform_id: Uuid, name: &str, target: LinkTarget) -> BoundLink {
    BoundLink {
        id: Uuid::new_v4(),
        platform_id,
        deployment_id: "1".to_owned(),
        resource_link_id: name.to_owned(),
        title: Some(format!("Link {name}")),
        context_id: Some("7".to_owned()),
        context_title: Some("Maths".to_owned()),
        target,
        line_item: None,
        line_items: Some("https://lms.exam.test/items".to_owned()),
        scopes: vec![SCOPE_SCORE.to_owned()],
        memberships: None,
        last_score_at: None,
        created_at: Moment::from_milliseconds(1_000),
    }
}

/// A platform to connect, whose services are at this base.
fn platform(client_id: &str, base: &str) -> Value {
    json!({
        "name": "Moodle", "issuer": "https://lms.exam.test", "clientId": client_id,
        "endpoints": {
            "authorization": format!("{base}/auth"), "token": format!("{base}/token"), "jwks": format!("{base}/keys"),
        },
        "deployments": [{ "id": "1", "state": "active" }],
    })
}

const PUBLIC: &str = "https://lms.exam.test";

async fn send(caller: &Caller, method: Method, path: &str, body: &Value) -> Answer {
    Answer::to(caller.request(method, path).json(body)).await
}

async fn connected(admin: &Caller, body: &Value) -> Value {
    let made = admin.post_json(PLATFORMS, body).await;
    assert_eq!(made.status, 200, "{}", made.text());
    made.json()["platform"].clone()
}

fn id_of(platform: &Value) -> Uuid {
    platform["id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_platform_is_connected_changed_and_deleted() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let made = connected(&admin, &platform("a", PUBLIC)).await;
    assert_eq!(
        (&made["state"], &made["scoreForm"], &made["trustsEmails"]),
        (&json!("active"), &json!("percent"), &json!(false))
    );
    assert_eq!((&made["tokenAudience"], &made["grades"], made.get("registration")), (&Value::Null, &json!([]), None));
    admin.post_json(PLATFORMS, &platform("a", PUBLIC)).await.assert_error(409, "Platform exists");
    let path = format!("{PLATFORMS}/{}", id_of(&made));
    let change = json!({
        "name": "Moodle of the school", "state": "blocked", "grades": [6, 5, 6], "frameOrigins": ["https://lms.exam.test"],
        "tokenAudience": "https://lms.exam.test/aud", "scoreForm": "points", "trustsEmails": true, "staffOnlyChoose": true,
        "deployments": [{ "id": "2", "state": "pending" }, { "id": "1", "state": "active" }],
    });
    let changed = send(&admin, Method::PATCH, &path, &change).await.json()["platform"].clone();
    for (field, expected) in [
        ("name", json!("Moodle of the school")),
        ("state", json!("blocked")),
        ("grades", json!([5, 6])),
        ("frameOrigins", json!(["https://lms.exam.test"])),
        ("tokenAudience", json!("https://lms.exam.test/aud")),
        ("scoreForm", json!("points")),
        ("trustsEmails", json!(true)),
        ("staffOnlyChoose", json!(true)),
        ("deployments", json!([{ "id": "1", "state": "active" }, { "id": "2", "state": "pending" }])),
        ("endpoints", made["endpoints"].clone()),
    ] {
        assert_eq!(changed[field], expected, "{field}");
    }
    let cleared = send(&admin, Method::PATCH, &path, &json!({ "tokenAudience": null })).await.json();
    assert_eq!(
        (&cleared["platform"]["tokenAudience"], &cleared["platform"]["state"]),
        (&Value::Null, &json!("blocked"))
    );
    assert_eq!(admin.get(&path).await.json(), cleared);
    assert_eq!(admin.get(PLATFORMS).await.json(), json!({ "platforms": [cleared["platform"]] }));
    let entries = admin.get("/api/admin/audit?action=platform.changed").await.json()["entries"].clone();
    let details: Vec<&str> =
        entries.as_array().unwrap().iter().map(|entry| entry["detail"].as_str().unwrap()).collect();
    let all = "Moodle of the school: blocked, name, deployments, grades, frameOrigins, tokenAudience, scoreForm, trustsEmails, staffOnlyChoose";
    assert_eq!(details, ["Moodle of the school: tokenAudience", all]);
    assert_eq!(send(&admin, Method::DELETE, &path, &json!({})).await.status, 200);
    admin.get(&path).await.assert_some_error(404);
    send(&admin, Method::DELETE, &path, &json!({})).await.assert_some_error(404);
}

#[tokio::test]
async fn what_is_wrong_with_a_platform_is_named() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let made = connected(&admin, &platform("a", PUBLIC)).await;
    let path = format!("{PLATFORMS}/{}", id_of(&made));
    let endpoints = |base: &str| platform("b", base)["endpoints"].clone();
    for (field, value) in [
        ("name", json!("")),
        ("issuer", json!("lms.exam.test")),
        ("issuer", json!(format!("https://lms.exam.test/{}", "x".repeat(255)))),
        ("clientId", json!("")),
        ("endpoints", json!(null)),
        ("endpoints", endpoints("http://lms.exam.test")),
        ("endpoints", endpoints("https://127.0.0.1")),
        ("endpoints", endpoints("https://a:b@lms.exam.test")),
        ("deployments", json!([{ "id": "1", "state": "blocked" }])),
        ("deployments", json!([{ "id": "1", "state": "active" }, { "id": "1", "state": "active" }])),
        ("grades", json!([11])),
        ("frameOrigins", json!(["https://lms.exam.test/"])),
        ("frameOrigins", json!(["https://lms.exam.test; script-src *"])),
        ("scoreForm", json!("letters")),
        ("trustsEmails", json!("yes")),
    ] {
        let mut body = platform("b", PUBLIC);
        body[field] = value.clone();
        admin.post_json(PLATFORMS, &body).await.assert_error(400, &format!("Invalid {field}"));
        // The issuer and the client id stay as they are.
        if !matches!(field, "issuer" | "clientId") && !value.is_null() {
            let changed = send(&admin, Method::PATCH, &path, &json!({ field: value })).await;
            changed.assert_error(400, &format!("Invalid {field}"));
        }
    }
    assert_eq!(admin.get(&path).await.json()["platform"], made, "nothing has changed");
}

#[tokio::test]
async fn a_deleted_platform_takes_all_that_is_known_of_it_along() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let [gone, left] =
        [connected(&admin, &platform("a", PUBLIC)).await, connected(&admin, &platform("b", PUBLIC)).await]
            .map(|platform| id_of(&platform));
    let database = Database::open(hall.database_url(), 2, 1).await.unwrap();
    let (write, target, now) = (&database.write, LinkTarget::Sitting(Uuid::new_v4()), Moment::from_milliseconds(5));
    let mut people = Vec::new();
    for platform_id in [gone, left] {
        let link = lti::bind(write, &link(platform_id, "x", target)).await.unwrap();
        let (deployment_id, granted_by) = ("1".to_owned(), "admin@exam.test".to_owned());
        lti::grant(write, &LinkGrant { platform_id, deployment_id, target, granted_by, granted_at: now })
            .await
            .unwrap();
        let (name, email) = (Some("Ada".to_owned()), None);
        let person =
            PlatformPerson { id: Uuid::new_v4(), platform_id, subject: "s".to_owned(), name, email, created_at: now };
        let person = lti::insert_person(write, &person).await.unwrap();
        let candidate = Uuid::new_v4();
        lti::join_candidate(write, candidate, person.id, Some(link.id)).await.unwrap();
        lti::note_test(write, Uuid::new_v4(), link.id, person.id).await.unwrap();
        people.push((person, candidate, link));
    }
    assert_eq!(send(&admin, Method::DELETE, &format!("{PLATFORMS}/{gone}"), &json!({})).await.status, 200);
    for (platform_id, (person, _, link), stays) in [(gone, &people[0], false), (left, &people[1], true)] {
        assert_eq!(lti::find_link_by_id(write, link.id).await.unwrap().is_some(), stays);
        assert_eq!(lti::person_of(write, platform_id, &person.subject).await.unwrap().is_some(), stays);
        assert_eq!(lti::has_grant(write, platform_id, "1", target).await.unwrap(), stays);
        let state = stays.then_some(DeploymentState::Active);
        assert_eq!(lti::deployment_state(write, platform_id, "1").await.unwrap(), state);
    }
    database.close().await;
}

#[tokio::test]
async fn what_a_platform_tells_anew_replaces_what_it_told() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let platform_id = id_of(&connected(&admin, &platform("a", PUBLIC)).await);
    let database = Database::open(hall.database_url(), 2, 1).await.unwrap();
    let (write, now) = (&database.write, Moment::from_milliseconds(5));
    let [target, other] = [(); 2].map(|()| LinkTarget::Template(Uuid::new_v4()));
    let first = lti::bind(write, &link(platform_id, "x", target)).await.unwrap();
    let line_item = Some("https://lms.exam.test/items/1".to_owned());
    let told = BoundLink { title: None, line_item: line_item.clone(), ..link(platform_id, "x", other) };
    let again = lti::bind(write, &told).await.unwrap();
    assert_eq!((again.id, again.target, &again.line_item, &again.title), (first.id, target, &line_item, &None));
    let silent = lti::bind(write, &link(platform_id, "x", target)).await.unwrap();
    assert_eq!(silent.line_item, line_item, "a column that is known is not forgotten");
    let person = |name: &str, email: Option<&str>| PlatformPerson {
        id: Uuid::new_v4(),
        platform_id,
        subject: "s".to_owned(),
        name: Some(name.to_owned()),
        email: email.map(str::to_owned),
        created_at: now,
    };
    let ada = lti::insert_person(write, &person("Ada", None)).await.unwrap();
    let told = lti::insert_person(write, &person("Ada L.", Some("ada@exam.test"))).await.unwrap();
    assert_eq!((told.id, told.name.as_deref(), told.email.as_deref()), (ada.id, Some("Ada L."), Some("ada@exam.test")));
    // What is left out stays.
    let silent = PlatformPerson { name: None, email: None, ..person("", None) };
    assert_eq!(lti::insert_person(write, &silent).await.unwrap(), told);
    assert_eq!(lti::load_people(write, platform_id, &["s", "t"]).await.unwrap(), [told]);
    // A candidate stays the person that they are.
    let (candidate, other) = (Uuid::new_v4(), Uuid::new_v4());
    assert!(lti::join_candidate(write, candidate, ada.id, None).await.unwrap());
    assert!(!lti::join_candidate(write, candidate, other, Some(first.id)).await.unwrap());
    assert_eq!(lti::person_of_candidate(write, candidate).await.unwrap(), Some((ada.id, None)));
    assert!(lti::join_candidate(write, candidate, ada.id, Some(first.id)).await.unwrap());
    assert_eq!(lti::person_of_candidate(write, candidate).await.unwrap(), Some((ada.id, Some(first.id))));
    // A nonce is good once, for one platform, and forgotten when it has expired.
    let spend = async |platform_id, at: i64| {
        let now = Moment::from_milliseconds(at);
        lti::spend_nonce(write, platform_id, "n", now.plus(1_000), now).await.unwrap()
    };
    assert!(spend(platform_id, 0).await && !spend(platform_id, 1_000).await && spend(Uuid::nil(), 1_000).await);
    assert!(spend(platform_id, 1_001).await, "it had expired");
    // A deployment that a launch names waits once.
    assert!(lti::note_deployment(write, platform_id, "9", now).await.unwrap());
    assert!(!lti::note_deployment(write, platform_id, "9", now).await.unwrap());
    assert!(!lti::note_deployment(write, platform_id, "1", now).await.unwrap());
    let states = admin.get(&format!("{PLATFORMS}/{platform_id}")).await.json()["platform"]["deployments"].clone();
    assert_eq!(states, json!([{ "id": "1", "state": "active" }, { "id": "9", "state": "pending" }]));
    for number in 10..100 {
        lti::note_deployment(write, platform_id, &number.to_string(), now).await.unwrap();
    }
    let found = lti::load_platform(write, platform_id).await.unwrap().unwrap();
    assert_eq!(found.deployments.len(), 51, "no more wait than an admin can look at");
    assert_eq!(lti::find_only_platform(write, "https://lms.exam.test").await.unwrap(), Some(found));
    connected(&admin, &platform("b", PUBLIC)).await;
    assert_eq!(lti::find_only_platform(write, "https://lms.exam.test").await.unwrap(), None, "there are two");
    database.close().await;
}

#[tokio::test]
async fn links_are_listed_for_those_who_manage_what_they_lead_to() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let platform_id = id_of(&connected(&admin, &platform("a", PUBLIC)).await);
    let targets = json!({ "1": 1, "2": 2, "3": 2, "4": 2, "5": 3 });
    let paper = json!({ "name": "Paper", "grades": [5], "mode": "standard", "durationMinutes": 45, "standardTargets": targets });
    let template = admin.post_json("/api/admin/test-templates", &paper).await.json()["template"]["id"].clone();
    let template: Uuid = template.as_str().unwrap().parse().unwrap();
    let database = Database::open(hall.database_url(), 2, 1).await.unwrap();
    let write = &database.write;
    let (to_paper, to_nothing) = (LinkTarget::Template(template), LinkTarget::Sitting(Uuid::new_v4()));
    for (name, target) in [("x", to_paper), ("y", to_paper), ("gone", to_nothing)] {
        let link = link(platform_id, name, target);
        lti::bind(write, &link).await.unwrap();
        let (deployment_id, granted_by) = ("1".to_owned(), "admin@exam.test".to_owned());
        let grant = LinkGrant { platform_id, deployment_id, target, granted_by, granted_at: link.created_at };
        lti::grant(write, &grant).await.unwrap();
    }
    let listed = async |caller: &Caller, query: &str| -> BTreeSet<String> {
        let answer = caller.get(&format!("{LINKS}{query}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let links = answer.json()["links"].clone();
        links.as_array().unwrap().iter().map(|link| link["title"].as_str().unwrap().to_owned()).collect()
    };
    let names = |names: &[&str]| -> BTreeSet<String> { names.iter().map(|name| format!("Link {name}")).collect() };
    let (of_5, of_6) = (hall.staff_of("manager", 5).await, hall.staff_of("manager", 6).await);
    assert_eq!(listed(&admin, "").await, names(&["x", "y", "gone"]));
    assert_eq!(listed(&of_5, "").await, names(&["x", "y"]));
    assert_eq!(listed(&of_6, "").await, names(&[]));
    assert_eq!(listed(&admin, &format!("?templateId={template}")).await, names(&["x", "y"]));
    assert_eq!(listed(&admin, &format!("?sittingId={}", to_nothing.id())).await, names(&["gone"]));
    assert_eq!(listed(&admin, &format!("?platformId={}", Uuid::new_v4())).await, names(&[]));
    let filter = LinkFilter { platform_id: Some(platform_id), deployment: None, target: Some(to_paper), count: 1 };
    assert_eq!(lti::list_links(write, &filter).await.unwrap().len(), 1);
    let all = admin.get(&format!("{LINKS}?templateId={template}")).await.json()["links"].clone();
    let view = &all[0];
    assert_eq!(
        (&view["platform"], &view["targetName"], &view["contextTitle"]),
        (&json!("Moodle"), &json!("Paper"), &json!("Maths"))
    );
    assert_eq!(view["target"], json!({ "kind": "template", "id": template }));
    let path = |link: &Value| format!("{LINKS}/{}", link["id"].as_str().unwrap());
    send(&of_6, Method::DELETE, &path(view), &json!({})).await.assert_some_error(403);
    assert_eq!(send(&of_5, Method::DELETE, &path(view), &json!({})).await.status, 200);
    send(&of_5, Method::DELETE, &path(view), &json!({})).await.assert_some_error(404);
    assert!(lti::has_grant(write, platform_id, "1", to_paper).await.unwrap(), "another link leads there");
    assert_eq!(send(&of_5, Method::DELETE, &path(&all[1]), &json!({})).await.status, 200);
    assert!(!lti::has_grant(write, platform_id, "1", to_paper).await.unwrap());
    assert!(lti::has_grant(write, platform_id, "1", to_nothing).await.unwrap());
    database.close().await;
}

#[tokio::test]
async fn a_connection_is_tried_out_and_says_what_is_in_the_way() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let admin = hall.signed_in("admin").await;
    let service = External::open().await;
    let base = format!("http://{}", service.address);
    let id = id_of(&connected(&admin, &platform("a", &base)).await);
    let test = async || admin.post_json(&format!("{PLATFORMS}/{id}/test"), &json!({})).await.json();
    let key = json!({ "kty": "RSA", "kid": "1", "alg": "RS256", "use": "sig", "n": "AQAB", "e": "AQAB" });
    service.on("GET /keys", Told::Json(200, json!({ "keys": [key] })));
    service.on("POST /token", Told::Json(200, json!({ "access_token": "t", "token_type": "bearer" })));
    let checks =
        json!([{ "name": "keys", "ok": true, "message": "1 key" }, { "name": "token", "ok": true, "message": "" }]);
    assert_eq!(test().await, json!({ "ok": true, "checks": checks }));
    service.on("GET /keys", Told::Json(200, json!({ "keys": [] })));
    service.on("POST /token", Told::Json(400, json!({ "error": "invalid_client" })));
    let report = test().await;
    assert_eq!(
        (&report["ok"], &report["checks"][0]["ok"], &report["checks"][1]["ok"]),
        (&json!(false), &json!(false), &json!(false))
    );
    assert_eq!(report["checks"][0]["message"], "the platform's key set has no keys");
    let said = report["checks"][1]["message"].as_str().unwrap();
    assert!(said.contains("invalid_client"), "{said}");
    // Scores may go where columns may not be made.
    let refused = Told::Json(400, json!({ "error": "invalid_scope" }));
    let given = Told::Json(200, json!({ "access_token": "t", "token_type": "bearer" }));
    service.then("POST /token", [refused.clone(), refused.clone(), given, refused]);
    let token = test().await["checks"][1].clone();
    let said = token["message"].as_str().unwrap();
    assert!(token["ok"] == true && said.starts_with("given for score, refused for lineitem, "), "{token}");
    let entries = admin.get("/api/admin/audit?action=platform.tested").await.json()["entries"].clone();
    assert_eq!((entries.as_array().unwrap().len(), &entries[0]["detail"]), (3, &json!("Moodle: fails")));
}
