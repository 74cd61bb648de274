//! What a link leads to, and for which deployment and course.

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
    // A second yes takes nothing back of what launches have told since, whether it is heard or not.
    campus.enter(&asking).await;
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
    assert_eq!(Answer::to(campus.admin.request(reqwest::Method::DELETE, &link)).await.status, 200);
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
