//! Staff of a platform: what they may do here, and whose reports they see.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Campus, assert_refused, both, custom, exam_of, teacher};
use crate::hall::Answer;
use crate::hall::launch_platform::{LTI, MEMBERSHIP};

impl Campus {
    async fn get_as(&self, cookie: &str, path: &str) -> Answer {
        self.hall.anonymous().get_with(path, "cookie", cookie).await
    }

    async fn placed(&self, grade: u8) -> String {
        let template = self.template(json!({ "grades": [grade] })).await;
        assert_eq!(self.place(&format!("template:{template}")).await.status, 200);
        template
    }
}

/// The sign-in that an answer sets.
#[track_caller]
fn cookie_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_teacher_gets_the_grades_of_their_platform_and_is_no_admin() {
    let campus = Campus::open().await;
    let template = campus.placed(5).await;
    // Whoever has the same address here has nothing to do with it.
    let claims = both(both(custom("template", &template), teacher()), json!({ "email": "admin@exam.test" }));
    let administrator = json!({ format!("{LTI}roles"): [
        format!("{MEMBERSHIP}Administrator"), "http://purl.imsglobal.org/vocab/lis/v2/system/person#SysAdmin",
    ] });
    let page = campus.launch(both(claims.clone(), administrator)).await;
    let entered = campus.enter(&page).await;
    assert_eq!(entered.header("location"), format!("/staff/templates/{template}"));
    let cookie = cookie_of(&entered);
    let me = campus.get_as(&cookie, "/api/me").await.json();
    assert_eq!((&me["role"], &me["grades"], &me["name"]), (&json!("manager"), &json!([5]), &json!("Ada Lovelace")));
    assert!(me["email"].as_str().unwrap().starts_with("lti:"), "{me}");
    assert_eq!(campus.get_as(&cookie, "/api/admin/users").await.status, 403);
    assert_eq!(campus.get_as(&cookie, "/api/admin/lti/platforms").await.status, 403);
    assert_eq!(campus.get_as(&cookie, &format!("/api/manager/test-templates/{template}")).await.status, 200);
    // Whoever finds the page later is not signed in by it.
    assert_refused(&campus.enter(&page).await, 400, "has been used already");
    let entries = campus.admin.get("/api/admin/audit?action=platform.signed_in").await.json()["entries"].clone();
    assert_eq!((entries.as_array().unwrap().len(), &entries[0]["actor"]), (1, &me["email"]));
    assert_eq!(entries[0]["detail"], "template, Moodle of the tests, 1, Ada Lovelace");
    // Not looked up yet, so nothing of it is cached.
    let unused = cookie_of(&campus.enter(&campus.launch(claims.clone()).await).await);
    let page = campus.launch(claims).await;
    let path = format!("/api/admin/lti/platforms/{}", campus.platform.id);
    let blocked = Answer::to(campus.admin.request(Method::PATCH, &path).json(&json!({ "state": "blocked" }))).await;
    assert_eq!(blocked.status, 200, "{}", blocked.text());
    assert_eq!(campus.get_as(&unused, "/api/me").await.status, 401);
    assert_refused(&campus.enter(&page).await, 403, "has blocked this learning platform");
}

#[tokio::test]
async fn staff_without_the_grade_see_nothing_and_an_admin_stays_an_admin() {
    let campus = Campus::with(json!({ "grades": [5] })).await;
    let template = campus.placed(5).await;
    let path = format!("/api/admin/lti/platforms/{}", campus.platform.id);
    let page = campus.launch(both(custom("template", &template), teacher())).await;
    let changed = Answer::to(campus.admin.request(Method::PATCH, &path).json(&json!({ "grades": [6] }))).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert_refused(&campus.enter(&page).await, 403, "have no rights for the grades");
    let head = campus.hall.cookie("admin@exam.test").await;
    let headers = [("cookie", head.as_str()), ("sec-fetch-site", "same-origin")];
    let entered = campus.enter_as(&page, &headers).await;
    assert_eq!((entered.status, entered.header("set-cookie")), (303, ""));
    assert_eq!(campus.get_as(&head, "/api/me").await.json()["role"], "admin");
}

#[tokio::test]
async fn a_review_leads_staff_to_the_report_of_one_person() {
    let campus = Campus::open().await;
    let template = campus.placed(5).await;
    let asked = custom("template", &template);
    let page = format!("/continue?template={template}");
    let exam = exam_of(&campus.enter(&campus.launch(asked.clone()).await).await, &page);
    let review = |who: &str, by: Value| {
        let message = json!({
            format!("{LTI}message_type"): "LtiSubmissionReviewRequest", format!("{LTI}for_user"): { "user_id": who },
        });
        both(both(asked.clone(), by), message)
    };
    let early = campus.launch(review("learner-1", teacher())).await;
    assert_refused(&early, 404, "Nothing was handed in");
    let body = json!({ "commands": [{ "type": "submit", "seq": 1_000 }] });
    let path = format!("/api/live/{}/commands", exam.0);
    assert_eq!(campus.hall.bearer(&exam.1).post_json(&path, &body).await.status, 200);
    campus.hall.stored_session(&exam.0).await;
    let entered = campus.enter(&campus.launch(review("learner-1", teacher())).await).await;
    assert_eq!(entered.header("location"), format!("/report/{}", exam.0));
    cookie_of(&entered);
    let own = campus.launch(review("learner-1", json!({}))).await;
    assert!(own.text().contains(&format!("href=\"/report/{}\"", exam.0)), "{}", own.text());
    let other = campus.launch(review("learner-1", json!({ "sub": "learner-2" }))).await;
    assert_refused(&other, 403, "names you as neither");
    assert_refused(&campus.launch(review("learner-7", teacher())).await, 404, "Nothing was handed in");
}

#[tokio::test]
async fn staff_who_only_choose_see_nothing_with_the_rights_of_their_platform() {
    let campus = Campus::with(json!({ "staffOnlyChoose": true })).await;
    let template = campus.placed(5).await;
    let page = campus.choosing(json!({})).await;
    assert!(page.text().contains(&template) && !page.text().contains("name=\"look\""), "{}", page.text());
    let asked = both(custom("template", &template), teacher());
    let page = campus.launch(asked.clone()).await;
    assert_refused(&campus.enter(&page).await, 403, "only choose exams here");
    let head = campus.hall.cookie("admin@exam.test").await;
    let entered = campus.enter_as(&page, &[("cookie", head.as_str()), ("sec-fetch-site", "same-origin")]).await;
    assert_eq!(entered.header("location"), format!("/staff/templates/{template}"));
    // The option ends the sign-ins that there are, too.
    let path = format!("/api/admin/lti/platforms/{}", campus.platform.id);
    let change = async |only: bool| {
        let body = json!({ "staffOnlyChoose": only });
        let changed = Answer::to(campus.admin.request(Method::PATCH, &path).json(&body)).await;
        assert_eq!(changed.status, 200, "{}", changed.text());
    };
    change(false).await;
    let cookie = cookie_of(&campus.enter(&campus.launch(asked).await).await);
    change(true).await;
    assert_eq!(campus.get_as(&cookie, "/api/me").await.status, 401);
}

#[tokio::test]
async fn what_was_taken_since_is_closed_to_the_pages_that_there_are() {
    let deployments = json!([{ "id": "1", "state": "active" }]);
    let campus = Campus::with(json!({ "deployments": deployments })).await;
    let template = campus.placed(5).await;
    let asked = custom("template", &template);
    let (learner, staff) = (campus.launch(asked.clone()).await, campus.launch(both(asked.clone(), teacher())).await);
    let path = format!("/api/admin/lti/platforms/{}", campus.platform.id);
    let set = async |state: &str| {
        let body = json!({ "deployments": [{ "id": "1", "state": state }] });
        let changed = Answer::to(campus.admin.request(Method::PATCH, &path).json(&body)).await;
        assert_eq!(changed.status, 200, "{}", changed.text());
    };
    set("pending").await;
    for page in [&learner, &staff] {
        assert_refused(&campus.enter(page).await, 403, "waits for the approval");
    }
    set("active").await;
    let links = campus.admin.get(&format!("/api/admin/lti/links?templateId={template}")).await.json();
    let link = format!("/api/admin/lti/links/{}", links["links"][0]["id"].as_str().unwrap());
    assert_eq!(Answer::to(campus.admin.request(Method::DELETE, &link)).await.status, 200);
    assert_refused(&campus.enter(&learner).await, 404, "does not lead to an exam yet");
    assert_refused(&campus.enter(&staff).await, 404, "was given to your learning platform");
}
