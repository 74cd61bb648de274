//! What a link leads to, and for which deployment and course.

use serde_json::json;

use super::{Campus, assert_refused, both, custom, exam_of, teacher};
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
    let asking = campus.launch_in(both(copied.clone(), teacher()), "iframe").await;
    assert!(
        asking.text().contains("Is it the right exam?") && asking.text().contains("Fractions"),
        "{}",
        asking.text()
    );
    // To be asked says nothing yet.
    assert_refused(&campus.launch(copied.clone()).await, 403, "was copied from another course");
    assert_eq!(campus.enter(&asking).await.status, 200);
    exam_of(&campus.enter(&campus.launch(copied).await).await, &format!("/continue?template={template}"));
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
