//! Who may, the list, and what is not there.

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    PATH, adaptive, create, delete, generate, lists, names, path_of, public_path, read, standard, swap, update, with,
};
use crate::hall::{Answer, Caller, Hall, time_of};

/// Every admin route of a template, with a body that is wrong.
async fn every_route(caller: &Caller, id: &str) -> Vec<Answer> {
    let of_template = format!("{PATH}/{id}");
    let requests = [
        (Method::GET, PATH.to_owned()),
        (Method::POST, PATH.to_owned()),
        (Method::GET, of_template.clone()),
        (Method::PUT, of_template.clone()),
        (Method::DELETE, of_template.clone()),
        (Method::POST, format!("{of_template}/generate")),
        (Method::GET, format!("{of_template}/swap?bucket=wrong&bucket=twice")),
        (Method::POST, format!("{of_template}/swap")),
    ];
    let mut answers = Vec::new();
    for (method, path) in requests {
        answers
            .push(Answer::to(caller.request(method, &path).header("content-type", "application/json").body("{")).await);
    }
    answers
}

#[tokio::test]
async fn templates_are_for_admins() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    for id in [template["id"].as_str().unwrap(), "nothing"] {
        for caller in [hall.anonymous(), hall.bearer("forged")] {
            for answer in every_route(&caller, id).await {
                answer.assert_error(401, "Unauthorized");
            }
        }
        for role in ["student", "reviewer", "manager"] {
            // Each has a token that nobody has seen yet, so that who it is must be found out while the body is there.
            for answer in every_route(&hall.signed_in(role).await, id).await {
                answer.assert_error(403, "Forbidden");
            }
        }
    }
    assert_eq!(read(&admin, &template).await, template);
}

#[tokio::test]
async fn an_unknown_template_is_not_found() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let unknown = [
        uuid::Uuid::new_v4().to_string(),
        "nothing".to_owned(),
        "7".to_owned(),
        "%00".to_owned(),
        "5e0c39a5-31c1-4a60-a9a0".to_owned(),
    ];
    for id in unknown {
        let template = json!({ "id": id });
        admin.get(&path_of(&template)).await.assert_error(404, "Not found");
        update(&admin, &template, json!({ "name": "Final" })).await.assert_error(404, "Not found");
        delete(&admin, &template).await.assert_error(404, "Not found");
        Answer::to(admin.request(Method::POST, &format!("{}/generate", path_of(&template))))
            .await
            .assert_error(404, "Not found");
        admin
            .get(&format!("{}/swap?bucket=standard&questionId=g5-001", path_of(&template)))
            .await
            .assert_error(404, "Not found");
        let body = json!({ "bucket": { "kind": "standard" }, "questionId": "g5-001" });
        swap(&admin, &template, body).await.assert_error(404, "Not found");
        hall.anonymous().get(&public_path(&template)).await.assert_error(404, "Not found");
    }
}

#[tokio::test]
async fn the_list_has_the_last_changed_first_and_no_questions() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut templates = Vec::new();
    for name in ["first", "second", "third", "fourth"] {
        templates.push(create(&admin, with(standard(), json!({ "name": name, "grades": [5, 6] }))).await);
    }
    let order = async || -> Vec<String> {
        let list = admin.get(PATH).await.json();
        list["templates"]
            .as_array()
            .unwrap()
            .iter()
            .map(|template| template["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let minute = std::time::Duration::from_secs(60);
    hall.clock.advance(minute);
    update(&admin, &templates[1], json!({ "durationMinutes": 20 })).await;
    hall.clock.advance(minute);
    generate(&admin, &templates[0]).await;
    hall.clock.advance(minute);
    let question_id = lists(&templates[2])["standard"][0].clone();
    let swapped =
        swap(&admin, &templates[2], json!({ "bucket": { "kind": "standard" }, "questionId": question_id })).await;
    assert_eq!(swapped.status, 200, "{}", swapped.text());
    assert_eq!(order().await, ["third", "first", "second", "fourth"]);
    let list = admin.get(PATH).await.json();
    let expected =
        ["calculator", "createdAt", "createdBy", "durationMinutes", "grades", "id", "mode", "name", "updatedAt"];
    for line in list["templates"].as_array().unwrap() {
        assert_eq!(names(line), expected.into());
        assert!(time_of(&line["createdAt"]) <= time_of(&line["updatedAt"]));
        assert_eq!(
            (&line["createdBy"], &line["grades"], &line["mode"]),
            (&json!("admin@exam.test"), &json!([5, 6]), &json!("standard"))
        );
    }
    let (second, whole) = (&list["templates"][2], read(&admin, &templates[1]).await);
    for name in expected {
        assert_eq!(second[name], whole[name], "{name}");
    }
}

#[tokio::test]
async fn a_change_is_always_later_than_the_one_before() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, adaptive()).await;
    assert_eq!(template["createdAt"], template["updatedAt"]);
    let mut before = time_of(&template["updatedAt"]);
    for name in ["a", "b", "c", "d", "e", "f"] {
        let changed: Value = update(&admin, &template, json!({ "name": name })).await.json()["template"].clone();
        assert!(time_of(&changed["updatedAt"]) > before, "{changed}");
        assert_eq!((&changed["createdAt"], &changed["createdBy"]), (&template["createdAt"], &template["createdBy"]));
        before = time_of(&changed["updatedAt"]);
    }
}

#[tokio::test]
async fn a_removed_template_is_gone() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (template, other) = (create(&admin, standard()).await, create(&admin, adaptive()).await);
    assert_eq!(hall.anonymous().get(&public_path(&template)).await.status, 200);
    let answer = delete(&admin, &template).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "ok": true })));
    hall.anonymous().get(&public_path(&template)).await.assert_error(404, "Not found");
    admin.get(&path_of(&template)).await.assert_error(404, "Not found");
    delete(&admin, &template).await.assert_error(404, "Not found");
    assert_eq!(read(&admin, &other).await, other);
    assert_eq!(admin.get(PATH).await.json()["templates"].as_array().unwrap().len(), 1);
}
