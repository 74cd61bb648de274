//! Managers keep templates of their grades by routes of their own.

use reqwest::Method;
use serde_json::{Value, json};

use super::{PATH, adaptive, create, lists, names, read, standard, with};
use crate::hall::{Answer, Caller, Hall, token};

const OWN: &str = "/api/manager/test-templates";
const NOT_THEIRS: &str = "Not assigned to this grade";

/// A manager of these grades.
async fn manager(hall: &Hall, admin: &Caller, grades: Value) -> Caller {
    let token = token::create(hall.settings(), "max@exam.test", "manager").await;
    let assignment = json!({ "email": "max@exam.test", "name": "Max", "grades": grades });
    assert_eq!(admin.post_json("/api/admin/review/managers", &assignment).await.status, 200);
    hall.bearer(&token)
}

fn own(template: &Value, end: &str) -> String {
    format!("{OWN}/{}{end}", template["id"].as_str().unwrap())
}

async fn send(caller: &Caller, method: Method, path: &str, body: &Value) -> Answer {
    Answer::to(caller.request(method, path).json(body)).await
}

#[tokio::test]
async fn a_manager_keeps_templates_of_their_grades() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let manager = manager(&hall, &admin, json!([5, 6])).await;
    let made = manager.post_json(OWN, &with(standard(), json!({ "grades": [5, 6] }))).await;
    assert_eq!((made.status, names(&made.json())), (200, ["shortfalls", "template"].into()), "{}", made.text());
    let template = made.json()["template"].clone();
    assert_eq!((&template["createdBy"], &read(&admin, &template).await), (&json!("max@exam.test"), &template));
    assert_eq!(manager.get(&own(&template, "")).await.json()["template"], template);
    let listed = manager.get(OWN).await.json();
    assert_eq!(listed, admin.get(PATH).await.json());
    assert_eq!(listed["templates"][0]["id"], template["id"]);

    let renamed = send(&manager, Method::PUT, &own(&template, ""), &json!({ "name": "Again" })).await;
    assert_eq!((renamed.status, &renamed.json()["template"]["name"]), (200, &json!("Again")));
    let question = lists(&template)["standard"][0].clone();
    let candidates = manager.get(&own(&template, &format!("/swap?bucket=standard&questionId={question}"))).await;
    assert_eq!(candidates.status, 200, "{}", candidates.text());
    let other = candidates.json()["candidates"][0]["id"].clone();
    let exchange = json!({ "bucket": { "kind": "standard" }, "questionId": question, "replacementId": other });
    let swapped = manager.post_json(&own(&template, "/swap"), &exchange).await;
    assert_eq!((swapped.status, &swapped.json()["replacement"]["id"]), (200, &other), "{}", swapped.text());
    let list = json!({ "bucket": { "kind": "standard" }, "questionIds": [other, question] });
    let arranged = send(&manager, Method::PUT, &own(&template, "/questions"), &list).await;
    assert_eq!(arranged.status, 200, "{}", arranged.text());
    assert_eq!(json!(lists(&arranged.json()["template"])["standard"]), list["questionIds"]);
    let drawn = Answer::to(manager.request(Method::POST, &own(&template, "/generate"))).await;
    assert_eq!((drawn.status, &drawn.json()["shortfalls"]), (200, &json!({})), "{}", drawn.text());
    assert_eq!(Answer::to(manager.request(Method::DELETE, &own(&template, ""))).await.status, 200);
    manager.get(&own(&template, "")).await.assert_error(404, "Not found");
}

#[tokio::test]
async fn a_template_with_any_other_grade_is_not_theirs() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let manager = manager(&hall, &admin, json!([5, 6])).await;
    let others = create(&admin, adaptive()).await;
    let partly = create(&admin, with(standard(), json!({ "grades": [5, 7] }))).await;
    let theirs = create(&admin, standard()).await;
    let listed = manager.get(OWN).await.json();
    assert_eq!((listed["templates"].as_array().unwrap().len(), &listed["templates"][0]["id"]), (1, &theirs["id"]));
    for template in [&others, &partly] {
        let question = json!({ "bucket": { "kind": "standard" }, "questionId": "g5-001" });
        let list = json!({ "bucket": { "kind": "standard" }, "questionIds": ["g5-001"] });
        for (method, end, body) in [
            (Method::GET, "", None),
            (Method::PUT, "", Some(json!({ "name": "Mine" }))),
            (Method::PUT, "", Some(json!({ "grades": [5] }))),
            (Method::DELETE, "", None),
            (Method::POST, "/generate", None),
            (Method::GET, "/swap?bucket=standard&questionId=g5-001", None),
            (Method::POST, "/swap", Some(question)),
            (Method::PUT, "/questions", Some(list)),
        ] {
            let request = manager.request(method, &own(template, end));
            let answer = Answer::to(if let Some(body) = body { request.json(&body) } else { request }).await;
            answer.assert_error(403, NOT_THEIRS);
        }
        assert_eq!(&read(&admin, template).await, template);
    }
    for grades in [json!([7]), json!([5, 7])] {
        manager.post_json(OWN, &with(standard(), json!({ "grades": grades }))).await.assert_error(403, NOT_THEIRS);
        let given = send(&manager, Method::PUT, &own(&theirs, ""), &json!({ "grades": grades })).await;
        given.assert_error(403, NOT_THEIRS);
    }
    assert_eq!(read(&admin, &theirs).await, theirs, "nobody gives a template away");
    let listed = admin.get(OWN).await.json();
    assert_eq!(listed["templates"].as_array().unwrap().len(), 3, "admins manage all");
}

#[tokio::test]
async fn a_template_that_people_have_sat_keeps_its_grades() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let manager = manager(&hall, &admin, json!([5, 6])).await;
    let template = create(&admin, standard()).await;
    hall.sit(json!({ "templateId": template["id"] })).await.submit().await;
    let give = json!({ "grades": [6] });
    let given = send(&manager, Method::PUT, &own(&template, ""), &give).await;
    given.assert_error(409, "Template has tests");
    let renamed = send(&manager, Method::PUT, &own(&template, ""), &json!({ "name": "Again" })).await;
    assert_eq!(renamed.status, 200, "{}", renamed.text());
    let path = format!("{PATH}/{}", template["id"].as_str().unwrap());
    assert_eq!(send(&admin, Method::PUT, &path, &give).await.status, 200, "admins see the results of all grades");
}
