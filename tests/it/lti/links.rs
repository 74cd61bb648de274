//! What a link leads to, and for which deployment and course.

use std::collections::BTreeSet;

use examhall::database::Database;
use examhall::store::lti;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Campus, assert_refused, both, custom, exam_of, teacher};
use crate::hall::Answer;
use crate::hall::launch_platform::LTI;

#[tokio::test]
async fn a_deployment_gets_to_what_it_was_given_itself() {
    let deployments = json!([{ "id": "1", "state": "active" }, { "id": "2", "state": "active" }]);
    let campus = Campus::with(json!({ "deployments": deployments })).await;
    let template = campus.template(json!({})).await;
    assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    let other = both(custom("template", &template), json!({ format!("{LTI}deployment_id"): "2" }));
    assert_refused(&campus.launch(other).await, 404, "does not lead to an exam yet");
    // A link that is known leads where it did, whatever somebody has written into it since.
    let page = format!("/continue?template={template}");
    exam_of(&campus.enter(&campus.launch(custom("template", &template)).await).await, &page);
    let others = campus.template(json!({ "name": "Another" })).await;
    exam_of(&campus.enter(&campus.launch(custom("template", &others)).await).await, &page);
    let links = campus.admin.get(&format!("/api/admin/lti/links?templateId={template}")).await.json();
    assert_eq!(links["links"].as_array().unwrap().len(), 1, "{links}");
    assert_eq!(links["links"][0]["contextTitle"], "Maths");
}

#[tokio::test]
async fn a_copied_course_waits_for_a_yes_of_its_staff() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    let asked = custom("template", &template);
    assert_eq!(campus.launch(asked.clone()).await.status, 200);
    let copy = json!({
        format!("{LTI}resource_link"): { "id": "link-of-the-copy" },
        format!("{LTI}context"): { "id": "course-2", "title": "Maths, next year" },
    });
    let copied = both(asked, copy);
    assert_refused(&campus.launch(copied.clone()).await, 403, "was copied from another course");
    let column = |number: u8| ags(&campus, number, &["score"]);
    let asking = campus.launch_in(both(both(copied.clone(), teacher()), column(1)), "iframe").await;
    assert!(
        asking.text().contains("Is it the right exam?") && asking.text().contains("Fractions"),
        "{}",
        asking.text()
    );
    // To be asked says nothing yet.
    assert_refused(&campus.launch(copied.clone()).await, 403, "was copied from another course");
    assert_eq!(campus.enter(&asking).await.status, 200);
    let column_of_copy = async || {
        let links = campus.admin.get(&format!("/api/admin/lti/links?templateId={template}")).await.json();
        let links = links["links"].as_array().unwrap().clone();
        links.iter().find(|link| link["contextTitle"] == "Maths, next year").unwrap()["lineItem"].clone()
    };
    let address = |number: u8| json!(format!("{}/columns/{number}", campus.platform.issuer));
    assert_eq!(column_of_copy().await, address(1), "the launch that asked has told the column");
    let page = format!("/continue?template={template}");
    let exam = exam_of(&campus.enter(&campus.launch(both(copied, column(2))).await).await, &page);
    // A second yes takes nothing back of what launches have told since.
    assert_refused(&campus.enter(&asking).await, 400, "has been used already");
    let entries = campus.admin.get("/api/admin/audit?action=link.confirmed").await.json()["entries"].clone();
    assert_eq!((entries.as_array().unwrap().len(), &entries[0]["subject"]), (1, &json!(template)));
    assert_eq!(column_of_copy().await, address(2));
    campus.hand_in(&exam).await;
    assert_eq!(campus.only_score().await["status"], "pending");
}

/// Where grades go: a column of the platform, with what may be done there.
fn ags(campus: &Campus, column: u8, scopes: &[&str]) -> Value {
    let scopes: Vec<String> =
        scopes.iter().map(|scope| format!("https://purl.imsglobal.org/spec/lti-ags/scope/{scope}")).collect();
    let column = format!("{}/columns/{column}", campus.platform.issuer);
    json!({ "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": { "scope": scopes, "lineitem": column } })
}

impl Campus {
    /// The one score of the ledger.
    async fn only_score(&self) -> Value {
        let page = self.admin.get("/api/admin/lti/scores").await.json();
        assert_eq!(page["total"], 1, "{page}");
        page["scores"][0].clone()
    }
}

#[tokio::test]
async fn a_score_is_sent_when_its_column_is_known_after_the_end() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    let asked = custom("template", &template);
    let page = format!("/continue?template={template}");
    let exam = exam_of(&campus.enter(&campus.launch(asked.clone()).await).await, &page);
    campus.hand_in(&exam).await;
    let failed = campus.only_score().await;
    assert_eq!(
        (&failed["status"], &failed["lastError"]),
        (&json!("failed"), &json!("the platform does not allow scores for the link"))
    );
    // The teacher allows grades the day after. What learners are told less than staff stays.
    let told = both(asked.clone(), ags(&campus, 1, &["score"]));
    assert!(campus.launch(both(told, teacher())).await.status < 400);
    let queued = campus.only_score().await;
    assert_eq!(queued["status"], "pending");
    assert_eq!(queued["url"], format!("{}/columns/1", campus.platform.issuer));
    assert_eq!(campus.launch(both(asked, ags(&campus, 1, &[]))).await.status, 200);
    assert_eq!(campus.only_score().await["status"], "pending");
}

#[tokio::test]
async fn a_removed_link_leaves_no_score_that_nobody_can_clear() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    let item = format!("template:{template}");
    assert_eq!(campus.place(&item).await.status, 200);
    let asked = both(custom("template", &template), ags(&campus, 1, &[]));
    let page = format!("/continue?template={template}");
    let exam = exam_of(&campus.enter(&campus.launch(asked.clone()).await).await, &page);
    campus.hand_in(&exam).await;
    assert_eq!(campus.only_score().await["status"], "failed");
    let links = campus.admin.get(&format!("/api/admin/lti/links?templateId={template}")).await.json();
    let link = format!("/api/admin/lti/links/{}", links["links"][0]["id"].as_str().unwrap());
    assert_eq!(Answer::to(campus.admin.request(Method::DELETE, &link)).await.status, 200);
    let none = campus.admin.get("/api/admin/lti/scores").await.json();
    assert_eq!(none["total"], 0, "{none}");
    // Whoever comes back when the exam is placed again has their score sent.
    assert_eq!(campus.place(&item).await.status, 200);
    let again = json!({ format!("{LTI}resource_link"): { "id": "placed-again" } });
    let allowed = both(both(custom("template", &template), ags(&campus, 2, &["score"])), again);
    assert_eq!(campus.launch(allowed).await.status, 200);
    let queued = campus.only_score().await;
    assert_eq!(queued["status"], "pending");
    assert_eq!(queued["url"], format!("{}/columns/2", campus.platform.issuer));
}

#[tokio::test]
async fn scores_of_one_template_are_listed_and_sent_again_by_themselves() {
    const SCORES: &str = "/api/admin/lti/scores";
    let campus = Campus::open().await;
    let (one, two) = (campus.template(json!({})).await, campus.template(json!({ "name": "Decimals" })).await);
    let mut tests = Vec::new();
    for template in [&one, &two] {
        assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
        let link = json!({ format!("{LTI}resource_link"): { "id": format!("link to {template}") } });
        let page = campus.launch(both(custom("template", template), link)).await;
        let exam = exam_of(&campus.enter(&page).await, &format!("/continue?template={template}"));
        campus.hand_in(&exam).await;
        tests.push(exam.0);
    }
    for (template, test) in [&one, &two].into_iter().zip(&tests) {
        let page = campus.admin.get(&format!("{SCORES}?templateId={template}")).await.json();
        assert_eq!((&page["total"], &page["scores"][0]["sessionId"]), (&json!(1), &json!(test)), "{page}");
        let links = campus.admin.get(&format!("/api/admin/lti/links?templateId={template}")).await.json();
        assert_eq!(links["links"][0]["waiting"], 1, "{links}");
    }
    let failed = async || campus.admin.get(&format!("{SCORES}?templateId={two}&status=failed")).await.json();
    assert_eq!(failed().await["total"], 1);
    let resent = campus.admin.post_json(&format!("{SCORES}/resend?templateId={one}"), &json!({})).await;
    assert_eq!(resent.json()["queued"], 1, "{}", resent.text());
    assert_eq!(failed().await["total"], 1);
    campus.admin.get(&format!("{SCORES}?templateId=7")).await.assert_error(400, "Invalid templateId");
    let refused = campus.admin.post_json(&format!("{SCORES}/resend?templateId=7"), &json!({})).await;
    refused.assert_error(400, "Invalid templateId");
}

#[tokio::test]
async fn what_one_launch_leaves_out_stays_known() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    let column = format!("{}/columns/1", campus.platform.issuer);
    let ags = json!({ "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
        "scope": ["https://purl.imsglobal.org/spec/lti-ags/scope/score"], "lineitem": column,
    } });
    let asked = custom("template", &template);
    assert_eq!(campus.launch(both(asked.clone(), ags)).await.status, 200);
    assert_eq!(campus.launch(asked).await.status, 200);
    let links = campus.admin.get(&format!("/api/admin/lti/links?templateId={template}")).await.json();
    assert_eq!(links["links"][0]["lineItem"], column, "{links}");
}

#[tokio::test]
async fn an_edited_link_leads_elsewhere_after_a_yes_of_staff() {
    let campus = Campus::open().await;
    let (before, after) = (campus.template(json!({})).await, campus.template(json!({ "name": "Decimals" })).await);
    for template in [&before, &after] {
        assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    }
    let ags = |column: &str| {
        json!({ "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
            "scope": ["https://purl.imsglobal.org/spec/lti-ags/scope/score"],
            "lineitem": format!("{}/columns/{column}", campus.platform.issuer),
        } })
    };
    let page = |template: &str| format!("/continue?template={template}");
    let first = campus.launch(both(custom("template", &before), ags("1"))).await;
    exam_of(&campus.enter(&first).await, &page(&before));
    // A teacher edits it, and until one of them says yes it leads where it did.
    let edited = both(custom("template", &after), ags("2"));
    exam_of(&campus.enter(&campus.launch(edited.clone()).await).await, &page(&before));
    let asking = campus.launch(both(edited.clone(), teacher())).await;
    for part in ["names another exam now", "Decimals", "Fractions", "1 test that was begun by this link has no score"] {
        assert!(asking.text().contains(part), "{part}: {}", asking.text());
    }
    exam_of(&campus.enter(&campus.launch(edited.clone()).await).await, &page(&before));
    let links = async |template: &str| {
        campus.admin.get(&format!("/api/admin/lti/links?templateId={template}")).await.json()["links"].clone()
    };
    assert_eq!(links(&before).await[0]["lineItem"], format!("{}/columns/1", campus.platform.issuer));
    assert_eq!(campus.enter(&asking).await.status, 200);
    assert_refused(&campus.enter(&asking).await, 400, "has been used already");
    exam_of(&campus.enter(&campus.launch(edited).await).await, &page(&after));
    assert_eq!(links(&before).await, json!([]));
    assert_eq!(links(&after).await[0]["lineItem"], format!("{}/columns/2", campus.platform.issuer));
}

#[tokio::test]
async fn an_edited_link_can_be_led_back() {
    let campus = Campus::open().await;
    let (before, after) = (campus.template(json!({})).await, campus.template(json!({ "name": "Decimals" })).await);
    for template in [&before, &after] {
        assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    }
    let given = async || {
        let grants = campus.admin.get(&format!("/api/admin/lti/platforms/{}/grants", campus.platform.id)).await.json();
        let grants = grants["grants"].as_array().unwrap().clone();
        grants.iter().map(|grant| grant["target"]["id"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let named = |link: &str, template: &str| {
        both(custom("template", template), json!({ format!("{LTI}resource_link"): { "id": link } }))
    };
    for link in ["link-1", "link-2"] {
        assert_eq!(campus.launch(named(link, &before)).await.status, 200);
    }
    let both_exams = BTreeSet::from([before.clone(), after.clone()]);
    for (link, exam) in [("link-1", &after), ("link-2", &after), ("link-1", &before)] {
        let asking = campus.launch(both(named(link, exam), teacher())).await;
        assert_eq!(campus.enter(&asking).await.status, 200);
        assert_eq!(given().await, both_exams, "{link}");
    }
    // A link that nobody has opened until now.
    assert_eq!(campus.launch(named("link-3", &before)).await.status, 200);
}

#[tokio::test]
async fn a_removed_link_comes_back_after_a_yes_of_staff_alone() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    let asked = custom("template", &template);
    let beside = both(asked.clone(), json!({ format!("{LTI}resource_link"): { "id": "link-2" } }));
    for link in [&asked, &beside] {
        assert_eq!(campus.launch(link.clone()).await.status, 200);
    }
    let links = campus.admin.get(&format!("/api/admin/lti/links?templateId={template}")).await.json();
    let one = links["links"].as_array().unwrap().iter().find(|link| link["title"] == "Finals").unwrap();
    let path = format!("/api/admin/lti/links/{}", one["id"].as_str().unwrap());
    assert_eq!(Answer::to(campus.admin.request(Method::DELETE, &path)).await.status, 200);
    // The other one still has what they were given, and by that it would be bound again.
    assert_eq!(campus.launch(beside).await.status, 200);
    assert_refused(&campus.launch(asked.clone()).await, 403, "was removed in Exam Hall");
    let asking = campus.launch(both(asked.clone(), teacher())).await;
    assert!(asking.text().contains("was removed in Exam Hall"), "{}", asking.text());
    assert_eq!(campus.enter(&asking).await.status, 200);
    exam_of(&campus.enter(&campus.launch(asked).await).await, &format!("/continue?template={template}"));
}

#[tokio::test]
async fn a_copy_that_is_opened_first_is_known_by_its_history() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    let of = |id: &str, course: &str, history: &str| {
        json!({
            format!("{LTI}custom"): { "template": template, "history": history },
            format!("{LTI}resource_link"): { "id": id }, format!("{LTI}context"): { "id": course },
        })
    };
    let copy = of("link-of-the-copy", "course-2", "link-0,link-1");
    assert_refused(&campus.launch(copy).await, 403, "was copied from another course");
    // The original is none, whatever the platform says of what it cannot tell; nor is a second one in its course.
    let original = of("link-1", "course-1", "$ResourceLink.id.history");
    assert_eq!(campus.launch(original).await.status, 200);
    assert_eq!(campus.launch(of("link-3", "course-1", "link-1")).await.status, 200);
}

#[tokio::test]
async fn a_learner_who_is_told_less_takes_no_rights_from_a_link() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    let scope = |name: &str| format!("https://purl.imsglobal.org/spec/lti-ags/scope/{name}");
    let told = |scopes: &[String], by: Value| {
        let ags = json!({ "scope": scopes, "lineitem": format!("{}/columns/1", campus.platform.issuer) });
        let claims = json!({ "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": ags });
        both(both(custom("template", &template), claims), by)
    };
    let bound = async |launch: Value| -> BTreeSet<String> {
        assert_eq!(campus.launch(launch).await.status, 200);
        let database = Database::open(campus.hall.database_url(), 1, 1).await.unwrap();
        let platform_id = campus.platform.id.parse().unwrap();
        let link = lti::find_link(&database.read, platform_id, "1", "link-1").await.unwrap().unwrap();
        database.close().await;
        link.scopes.into_iter().collect()
    };
    let (score, column) = (scope("score"), scope("lineitem"));
    let both_scopes = BTreeSet::from([score.clone(), column.clone()]);
    assert_eq!(bound(told(&[score.clone(), column.clone()], teacher())).await, both_scopes);
    assert_eq!(bound(told(&[], json!({}))).await, both_scopes);
    assert_eq!(bound(told(std::slice::from_ref(&column), json!({}))).await, both_scopes);
    // Staff are told all that there is, and so they take away as well.
    assert_eq!(bound(told(std::slice::from_ref(&score), teacher())).await, BTreeSet::from([score.clone()]));
    assert_eq!(bound(told(&[column], json!({}))).await, both_scopes);
}

/// Two launches come at once, and the one that is told less is stored last.
#[tokio::test]
async fn a_launch_that_has_read_the_link_before_takes_nothing_away() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    assert_eq!(campus.launch(custom("template", &template)).await.status, 200);
    let database = Database::open(campus.hall.database_url(), 1, 1).await.unwrap();
    let platform_id = campus.platform.id.parse().unwrap();
    let read = lti::find_link(&database.read, platform_id, "1", "link-1").await.unwrap().unwrap();
    let mut told = read.clone();
    told.scopes = vec!["https://purl.imsglobal.org/spec/lti-ags/scope/score".to_owned()];
    told.line_items = Some(format!("{}/columns", campus.platform.issuer));
    told.memberships = Some(format!("{}/members", campus.platform.issuer));
    assert_eq!(lti::bind(&database.write, &told).await.unwrap(), told);
    let stored = lti::bind(&database.write, &read).await.unwrap();
    database.close().await;
    assert_eq!(stored, told);
}
