//! Who a row of a roster is of a platform: said once, by staff too, and gone when the row is somebody else's; and what
//! admins give a deployment.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Campus, assert_refused, both, custom, exam_of, teacher};
use crate::hall::launch_platform::{LTI, LaunchPlatform};
use crate::hall::{Answer, LiveSocket};

/// Another person.
fn grace() -> Value {
    json!({ "sub": "learner-2", "name": "Grace Hopper", "email": "grace@exam.test" })
}

/// A second link in the same course.
fn second_link() -> Value {
    json!({ format!("{LTI}resource_link"): { "id": "link-2", "title": "Again" } })
}

impl Campus {
    /// A sitting in so many minutes that the deployment was given, with these candidates.
    async fn placed_sitting(&self, minutes: i64, candidates: Value) -> (String, Value) {
        let template = self.template(json!({})).await;
        let sitting = self.sitting(&template, minutes).await;
        self.enrol(&sitting, candidates).await;
        let id = sitting["id"].as_str().unwrap().to_owned();
        assert_eq!(self.place(&format!("sitting:{id}")).await.status, 200);
        let asked = custom("sitting", &id);
        (id, asked)
    }

    async fn rows(&self, sitting: &str) -> Vec<Value> {
        let roster = self.admin.get(&format!("/api/admin/sittings/{sitting}/candidates")).await.json();
        roster["candidates"].as_array().unwrap().clone()
    }

    /// The path of the row of this name.
    async fn row(&self, sitting: &str, name: &str) -> String {
        let row = self.rows(sitting).await.into_iter().find(|row| row["name"] == name).unwrap();
        format!("/api/admin/sittings/{sitting}/candidates/{}", row["id"].as_str().unwrap())
    }

    /// Who was seen at links to a sitting, and is on no row of it.
    async fn unjoined(&self, sitting: &str) -> Vec<Value> {
        let answer = self.admin.get(&format!("/api/admin/sittings/{sitting}/lti/people")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["people"].as_array().unwrap().clone()
    }

    async fn join(&self, row: &str, person: &Value) -> Answer {
        self.admin.post_json(&format!("{row}/lti"), &json!({ "personId": person })).await
    }

    /// Enters a sitting with an account of this server.
    async fn enters_without_a_link(&self, sitting: &str, email: &str) -> LiveSocket {
        // The first one to sign in becomes admin.
        self.hall.cookie("head@exam.test").await;
        let cookie = self.hall.cookie(email).await;
        let mut socket = LiveSocket::connect(&self.hall.base(), &[("cookie", &cookie)]).await.unwrap();
        socket.send(&json!({ "type": "enter", "sittingId": sitting })).await;
        socket.expect("waiting").await;
        socket
    }

    /// The titles of the links by which candidates with a test came, who cannot be graded.
    async fn came_by(&self, sitting: &str) -> Vec<String> {
        let links = self.admin.get(&format!("/api/admin/lti/links?sittingId={sitting}")).await.json();
        let links = links["links"].as_array().unwrap().clone();
        let has_somebody = |link: &&Value| !link["ungraded"].as_array().unwrap().is_empty();
        links.iter().filter(has_somebody).map(|link| link["title"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn a_row_that_becomes_somebody_elses_lets_its_person_go() {
    let campus = Campus::with(json!({ "trustsEmails": true })).await;
    let (id, asked) = campus.placed_sitting(10, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let framed = campus.launch_in(asked.clone(), "iframe").await;
    let row = campus.row(&id, "Ada").await;
    let change = async |body: Value| {
        let changed = Answer::to(campus.admin.request(Method::PATCH, &row).json(&body)).await;
        assert_eq!(changed.status, 200, "{}", changed.text());
        changed.json()["letGo"].clone()
    };
    // An id beside the address says nothing of the kind.
    assert_eq!(change(json!({ "externalId": "7", "seat": "4" })).await, Value::Null);
    let other = json!({ "email": "grace@exam.test", "externalId": "8", "name": "Grace" });
    assert_eq!(change(other).await, true);
    assert_refused(&campus.enter(&framed).await, 403, "not on the roster");
    assert_refused(&campus.launch(asked.clone()).await, 403, "not on the roster");
    exam_of(&campus.launch(both(asked, grace())).await, &format!("/s/{id}"));
}

#[tokio::test]
async fn staff_say_who_somebody_is_where_the_platform_is_not_believed() {
    let campus = Campus::open().await;
    let roster = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]);
    let (id, asked) = campus.placed_sitting(10, roster).await;
    assert!(campus.unjoined(&id).await.is_empty());
    for person in [json!({}), grace()] {
        assert_refused(&campus.launch(both(asked.clone(), person)).await, 403, "not on the roster");
    }
    let people = campus.unjoined(&id).await;
    assert_eq!(people.len(), 2);
    let ada = &people[0];
    let facts = [("name", "Ada Lovelace"), ("subject", "learner-1"), ("email", "ada@exam.test")];
    for (field, value) in facts.into_iter().chain([("platform", "Moodle of the tests"), ("contextTitle", "Maths")]) {
        assert_eq!(ada[field], value, "{ada}");
    }
    let (row, other) = (campus.row(&id, "Ada").await, campus.row(&id, "Bo").await);
    let nobody = json!("00000000-0000-4000-8000-000000000000");
    campus.join(&row, &nobody).await.assert_error(400, "Invalid personId");
    campus.admin.post_json(&format!("{row}/lti"), &json!({})).await.assert_error(400, "Invalid personId");
    // A slip of the pen is taken back.
    assert_eq!(campus.join(&other, &ada["id"]).await.status, 200);
    assert_eq!(campus.join(&other, &Value::Null).await.status, 200);
    for _ in 0..2 {
        assert_eq!(campus.join(&row, &ada["id"]).await.status, 200, "the same again changes nothing");
    }
    campus.join(&other, &ada["id"]).await.assert_error(409, "Another candidate is this person");
    campus.join(&row, &people[1]["id"]).await.assert_error(409, "Candidate is somebody else of a learning platform");
    let left = campus.unjoined(&id).await;
    assert_eq!((left.len(), &left[0]["id"]), (1, &people[1]["id"]));
    let exam = exam_of(&campus.launch(asked.clone()).await, &format!("/s/{id}"));
    assert_eq!(exam_of(&campus.launch(asked.clone()).await, &format!("/s/{id}")).0, exam.0);
    campus.join(&row, &Value::Null).await.assert_error(409, "Candidate has entered");
    assert_refused(&campus.launch(both(asked, grace())).await, 403, "not on the roster");
    let entries = campus.admin.get("/api/admin/audit?action=candidate.joined").await.json()["entries"].clone();
    let said = "Ada: is Ada Lovelace, learner-1 of a learning platform";
    assert!(entries.as_array().unwrap().iter().any(|entry| entry["detail"] == said), "{entries}");
}

#[tokio::test]
async fn a_launch_after_an_import_that_was_taken_back_leads_where_it_did() {
    let campus = Campus::open().await;
    let (ada, bo) =
        (json!({ "email": "ada@exam.test", "name": "Ada" }), json!({ "email": "bo@exam.test", "name": "Bo" }));
    let (id, asked) = campus.placed_sitting(90, json!([ada, bo])).await;
    assert_refused(&campus.launch(asked.clone()).await, 403, "not on the roster");
    let person = campus.unjoined(&id).await[0]["id"].clone();
    assert_eq!(campus.join(&campus.row(&id, "Ada").await, &person).await.status, 200);
    assert_eq!(campus.launch(asked.clone()).await.status, 200);
    // A list from which she is missing takes her away, and what staff have said of her.
    campus.enrol(&json!({ "id": id }), json!([bo])).await;
    assert_refused(&campus.launch(asked.clone()).await, 403, "not on the roster");
    let undo = format!("/api/admin/sittings/{id}/candidates/undo");
    assert_eq!(campus.admin.post_json(&undo, &json!({})).await.status, 200);
    assert!(campus.unjoined(&id).await.is_empty());
    campus.hall.clock.advance(std::time::Duration::from_secs(60 * 60 + 1));
    exam_of(&campus.launch(asked).await, &format!("/s/{id}"));
}

#[tokio::test]
async fn whoever_has_entered_stays_with_the_link_by_which_they_did() {
    let campus = Campus::with(json!({ "trustsEmails": true })).await;
    let (id, asked) = campus.placed_sitting(90, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    // Before the doors open the last link counts.
    assert_eq!(campus.launch(both(asked.clone(), second_link())).await.status, 200);
    let page = campus.launch(asked.clone()).await;
    campus.hall.clock.advance(std::time::Duration::from_secs(60 * 60 + 1));
    let exam = exam_of(&campus.enter(&page).await, &format!("/s/{id}"));
    assert_eq!(campus.came_by(&id).await, ["Finals"]);
    let again = exam_of(&campus.launch(both(asked, second_link())).await, &format!("/s/{id}"));
    assert_eq!((again.0, campus.came_by(&id).await), (exam.0, vec!["Finals".to_owned()]));
}

#[tokio::test]
async fn nobody_goes_on_with_the_exam_of_whoever_had_entered_before() {
    let campus = Campus::open().await;
    let (id, asked) = campus.placed_sitting(10, json!([{ "email": "bo@exam.test", "name": "Bo" }])).await;
    let _bo = campus.enters_without_a_link(&id, "bo@exam.test").await;
    assert_refused(&campus.launch(asked.clone()).await, 403, "not on the roster");
    let (row, ada) = (campus.row(&id, "Bo").await, campus.unjoined(&id).await[0]["id"].clone());
    // Somebody has picked the wrong name.
    assert_eq!(campus.join(&row, &ada).await.status, 200);
    assert_refused(&campus.launch(asked.clone()).await, 403, "The entry is over: ask your teacher");
    assert_eq!(campus.join(&row, &Value::Null).await.status, 200);
    assert_refused(&campus.launch(asked).await, 403, "not on the roster");
    assert_eq!(campus.unjoined(&id).await[0]["id"], ada);
}

#[tokio::test]
async fn who_came_by_a_removed_link_comes_by_it_again() {
    let campus = Campus::with(json!({ "trustsEmails": true })).await;
    let roster = json!([
        { "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" },
        { "email": "grace@exam.test", "name": "Grace" },
    ]);
    let (id, asked) = campus.placed_sitting(10, roster).await;
    let page = format!("/s/{id}");
    // Nobody knows who Bo is on a platform.
    let _bo = campus.enters_without_a_link(&id, "bo@exam.test").await;
    exam_of(&campus.launch(asked.clone()).await, &page);
    exam_of(&campus.launch(both(both(asked.clone(), grace()), second_link())).await, &page);
    let links =
        async || campus.admin.get(&format!("/api/admin/lti/links?sittingId={id}")).await.json()["links"].clone();
    let reasons = async || {
        let links = links().await;
        let ungraded = links.as_array().unwrap().iter().flat_map(|link| link["ungraded"].as_array().unwrap());
        let text = |one: &Value| format!("{} {}", one["name"].as_str().unwrap(), one["reason"].as_str().unwrap());
        let mut reasons: Vec<String> = ungraded.map(text).collect();
        reasons.sort();
        // Whoever came by no link is named with each.
        reasons.dedup();
        reasons
    };
    // Neither link can be given scores, so that both candidates are named with their link.
    assert_eq!(reasons().await, ["Ada scope", "Bo unknown", "Grace scope"]);
    let listed = links().await;
    let first = listed.as_array().unwrap().iter().find(|link| link["title"] == "Finals").unwrap();
    let path = format!("/api/admin/lti/links/{}", first["id"].as_str().unwrap());
    assert_eq!(Answer::to(campus.admin.request(Method::DELETE, &path)).await.status, 200);
    assert_eq!(reasons().await, ["Ada removed", "Bo unknown", "Grace scope"]);
    let asking = campus.launch(both(asked, teacher())).await;
    assert_eq!(campus.enter(&asking).await.status, 200);
    assert_eq!(reasons().await, ["Ada scope", "Bo unknown", "Grace scope"]);
}

#[tokio::test]
async fn who_came_by_the_only_link_is_named_when_it_was_removed() {
    let campus = Campus::with(json!({ "trustsEmails": true })).await;
    let roster = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]);
    let (id, asked) = campus.placed_sitting(10, roster).await;
    let _bo = campus.enters_without_a_link(&id, "bo@exam.test").await;
    exam_of(&campus.launch(asked).await, &format!("/s/{id}"));
    let listed = async |query: &str| campus.admin.get(&format!("/api/admin/lti/links{query}")).await.json();
    let of_sitting = format!("?sittingId={id}");
    let before = listed(&of_sitting).await;
    assert_eq!((before["links"].as_array().unwrap().len(), &before["cameByRemoved"]), (1, &json!([])));
    let path = format!("/api/admin/lti/links/{}", before["links"][0]["id"].as_str().unwrap());
    assert_eq!(Answer::to(campus.admin.request(Method::DELETE, &path)).await.status, 200);
    let after = listed(&of_sitting).await;
    let named = after["cameByRemoved"].as_array().unwrap();
    assert_eq!((&after["links"], named.len()), (&json!([]), 1), "{after}");
    assert_eq!((&named[0]["name"], &named[0]["reason"]), (&json!("Ada"), &json!("removed")));
    assert_eq!(listed("").await["cameByRemoved"], json!([]));
    // Other grades are none of theirs.
    let other = campus.hall.staff_of("manager", 6).await;
    let none = other.get(&format!("/api/admin/lti/links{of_sitting}")).await.json();
    assert_eq!((&none["links"], &none["cameByRemoved"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn a_ticket_of_a_removed_link_lets_nobody_in() {
    let campus = Campus::with(json!({ "trustsEmails": true })).await;
    let roster = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "grace@exam.test", "name": "Grace" }]);
    let (id, asked) = campus.placed_sitting(10, roster).await;
    let page = format!("/s/{id}");
    let ticket = campus.launch_in(asked.clone(), "iframe").await;
    let at_work = campus.launch_in(both(asked, grace()), "iframe").await;
    exam_of(&campus.enter(&at_work).await, &page);
    let links = campus.admin.get(&format!("/api/admin/lti/links?sittingId={id}")).await.json();
    let path = format!("/api/admin/lti/links/{}", links["links"][0]["id"].as_str().unwrap());
    assert_eq!(Answer::to(campus.admin.request(Method::DELETE, &path)).await.status, 200);
    assert_refused(&campus.enter(&ticket).await, 404, "does not lead to an exam yet");
    // Whoever is at work goes on.
    exam_of(&campus.enter(&at_work).await, &page);
}

#[tokio::test]
async fn an_admin_gives_a_deployment_what_its_links_lead_to() {
    let campus = Campus::with(json!({ "trustsEmails": true })).await;
    let template = campus.template(json!({})).await;
    let sitting = campus.sitting(&template, 10).await;
    campus.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let id = sitting["id"].as_str().unwrap();
    let second = LaunchPlatform::open(&campus.hall, json!({ "trustsEmails": true })).await;
    let path = |platform: &LaunchPlatform| format!("/api/admin/lti/platforms/{}/grants", platform.id);
    let asked = custom("sitting", id);
    assert_refused(&campus.launch(asked.clone()).await, 404, "does not lead to an exam yet");
    let unknown = "00000000-0000-4000-8000-000000000000";
    for (body, field) in [
        (json!({ "deploymentId": "2", "sittingId": id }), "deploymentId"),
        (json!({ "sittingId": id }), "deploymentId"),
        (json!({ "deploymentId": "1", "sittingId": id, "templateId": template }), "sittingId"),
        (json!({ "deploymentId": "1" }), "sittingId"),
        (json!({ "deploymentId": "1", "sittingId": unknown }), "sittingId"),
        (json!({ "deploymentId": "1", "templateId": id }), "templateId"),
    ] {
        let refused = campus.admin.post_json(&path(&campus.platform), &body).await;
        refused.assert_error(400, &format!("Invalid {field}"));
    }
    let given = json!({ "deploymentId": "1", "sittingId": id });
    for platform in [&campus.platform, &campus.platform, &second] {
        assert_eq!(campus.admin.post_json(&path(platform), &given).await.status, 200);
    }
    let grants = campus.admin.get(&path(&campus.platform)).await.json()["grants"].clone();
    assert_eq!(grants.as_array().unwrap().len(), 1, "{grants}");
    assert_eq!((&grants[0]["targetName"], &grants[0]["deploymentId"]), (&json!("Finals"), &json!("1")));
    exam_of(&campus.launch(asked.clone()).await, &format!("/s/{id}"));
    // The row is somebody's of one platform, and no other one takes it.
    let other = campus.launch_from(&second, asked.clone(), "document").await;
    assert_refused(&other, 403, "not on the roster");
    exam_of(&campus.launch(asked).await, &format!("/s/{id}"));
}

#[tokio::test]
async fn what_an_admin_takes_back_opens_for_nobody() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    let other = campus.template(json!({ "name": "Decimals" })).await;
    let grants = format!("/api/admin/lti/platforms/{}/grants", campus.platform.id);
    for one in [&template, &other] {
        let given = json!({ "deploymentId": "1", "templateId": one });
        assert_eq!(campus.admin.post_json(&grants, &given).await.status, 200);
    }
    let take = async |query: &str| Answer::to(campus.admin.request(Method::DELETE, &format!("{grants}{query}"))).await;
    for (query, field) in [
        ("".to_owned(), "deploymentId"),
        (format!("?templateId={template}"), "deploymentId"),
        ("?deploymentId=1".to_owned(), "sittingId"),
        (format!("?deploymentId=1&templateId={template}&sittingId={template}"), "sittingId"),
        ("?deploymentId=1&templateId=7".to_owned(), "templateId"),
    ] {
        take(&query).await.assert_error(400, &format!("Invalid {field}"));
    }
    for query in [format!("?deploymentId=2&templateId={template}"), format!("?deploymentId=1&sittingId={template}")] {
        take(&query).await.assert_some_error(404);
    }
    // A page that leads into the exam was opened before, and another exam stays.
    let asked = custom("template", &template);
    let page = campus.launch(asked.clone()).await;
    let taken = format!("?deploymentId=1&templateId={template}");
    assert_eq!(take(&taken).await.status, 200);
    take(&taken).await.assert_some_error(404);
    assert_refused(&campus.enter(&page).await, 404, "does not lead to an exam yet");
    assert_refused(&campus.launch(asked.clone()).await, 404, "does not lead to an exam yet");
    let listed = campus.admin.get(&grants).await.json()["grants"].clone();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["targetName"]), (1, &json!("Decimals")), "{listed}");
    let entries = campus.admin.get("/api/admin/audit?action=platform.taken_back").await.json()["entries"].clone();
    assert_eq!(
        (entries.as_array().unwrap().len(), &entries[0]["detail"]),
        (1, &json!("Moodle of the tests, 1: Fractions"))
    );
    // Its link is there still, and leads there when the exam is given again.
    let given = json!({ "deploymentId": "1", "templateId": template });
    assert_eq!(campus.admin.post_json(&grants, &given).await.status, 200);
    exam_of(&campus.enter(&campus.launch(asked).await).await, &format!("/continue?template={template}"));
}
