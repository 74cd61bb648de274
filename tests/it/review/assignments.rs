//! Who is assigned to which grades, and that it counts at once.

use serde_json::{Value, json};

use super::{assert_done, assign, delete, found, person};
use crate::hall::{Hall, time_of};

const KINDS: [&str; 2] = ["assignments", "managers"];

#[tokio::test]
async fn assignments_are_listed_with_the_users() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    person(&hall, "Zoe@Exam.test", "reviewer").await;
    for kind in KINDS {
        let path = format!("/api/admin/review/{kind}");
        assert_eq!(found(&admin.get(&path).await)["assignments"], json!([]));
        assert_done(
            &admin
                .post_json(
                    &path,
                    &json!({ "email": " Rita@EXAM.test ", "name": " Rita Müller ", "grades": [7, 1, 7, 10] }),
                )
                .await,
        );
        assign(&admin, kind, "ada@exam.test", &[2]).await;
        let mut list = found(&admin.get(&path).await);
        for assignment in list["assignments"].as_array_mut().unwrap() {
            time_of(&assignment["assignedAt"].take());
        }
        let expected = json!([
            { "email": "ada@exam.test", "name": "Name of ada@exam.test", "grades": [2], "assignedBy": "admin@exam.test", "assignedAt": null },
            { "email": "rita@exam.test", "name": "Rita Müller", "grades": [1, 7, 10], "assignedBy": "admin@exam.test", "assignedAt": null },
        ]);
        assert_eq!(list["assignments"], expected);
        let users: Vec<&Value> = list["users"].as_array().unwrap().iter().collect();
        for user in &users {
            time_of(&user["createdAt"]);
        }
        let shown: Vec<_> = users
            .iter()
            .map(|user| {
                (user["email"].as_str().unwrap(), user["name"].as_str().unwrap(), user["role"].as_str().unwrap())
            })
            .collect();
        assert_eq!(
            shown,
            [("admin@exam.test", "admin", "admin"), ("zoe@exam.test", "zoe", "reviewer")],
            "an assignment makes no user"
        );
        assert_eq!(
            (&users[0]["image"], &users[0]["lastLogin"], users[0].as_object().unwrap().len()),
            (&json!(""), &Value::Null, 6)
        );
    }
}

#[tokio::test]
async fn the_two_kinds_are_kept_apart() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assign(&admin, "assignments", "rita@exam.test", &[1]).await;
    assign(&admin, "managers", "rita@exam.test", &[2]).await;
    assign(&admin, "assignments", "Rita@exam.test", &[3, 4]).await;
    let grades = async |kind: &str| {
        found(&admin.get(&format!("/api/admin/review/{kind}")).await)["assignments"][0]["grades"].clone()
    };
    assert_eq!(
        (grades("assignments").await, grades("managers").await),
        (json!([3, 4]), json!([2])),
        "replaced, not added"
    );
    assert_done(&delete(&admin, "/api/admin/review/assignments/RITA%40exam.test").await);
    assert_eq!((grades("assignments").await, grades("managers").await), (Value::Null, json!([2])));
}

#[tokio::test]
async fn any_address_can_be_removed() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for kind in KINDS {
        for (email, encoded) in [
            ("ada+maths@exam.test", "ada%2Bmaths%40exam.test"),
            ("ada+plain@exam.test", "ada+plain@exam.test"),
            ("a/b@exam.test", "a%2Fb%40exam.test"),
            ("100%@exam.test", "100%25%40exam.test"),
            ("zoë@exam.test", "zo%C3%AB%40exam.test"),
            ("o'neil?#@exam.test", "o%27neil%3F%23%40exam.test"),
        ] {
            assign(&admin, kind, email, &[5]).await;
            assert_done(&delete(&admin, &format!("/api/admin/review/{kind}/{encoded}")).await);
            assert_eq!(
                found(&admin.get(&format!("/api/admin/review/{kind}")).await)["assignments"],
                json!([]),
                "{email}"
            );
        }
        for unknown in ["nobody%40exam.test", "nobody", "%20", "%00", "%FF"] {
            let answer = delete(&admin, &format!("/api/admin/review/{kind}/{unknown}")).await;
            assert!(answer.status == 200 || answer.status == 400, "{unknown}: {} {}", answer.status, answer.text());
        }
        assert_done(&delete(&admin, &format!("/api/admin/review/{kind}/nobody%40exam.test")).await);
    }
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let good = json!({ "email": "rita@exam.test", "name": "Rita", "grades": [5] });
    let wrong = [
        (
            "email",
            vec![
                json!("rita"),
                json!(""),
                json!("@exam.test"),
                json!("a b@exam.test"),
                json!(5),
                Value::Null,
                json!(format!("{}@exam.test", "x".repeat(250))),
            ],
        ),
        ("name", vec![json!(""), json!("  "), json!("a\nb"), json!("x".repeat(201)), json!(5), Value::Null]),
        (
            "grades",
            vec![
                json!([]),
                json!([0]),
                json!([11]),
                json!([5, 11]),
                json!(["5"]),
                json!([5.5]),
                json!(5),
                json!("5"),
                json!({}),
                Value::Null,
            ],
        ),
    ];
    for kind in KINDS {
        let path = format!("/api/admin/review/{kind}");
        for (field, values) in &wrong {
            for value in values {
                let mut body = good.clone();
                body[field] = value.clone();
                admin.post_json(&path, &body).await.assert_error(400, &format!("Invalid {field}"));
            }
        }
        assert_eq!(found(&admin.get(&path).await)["assignments"], json!([]));
    }
}

#[tokio::test]
async fn a_changed_assignment_counts_at_once() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (rita, max) =
        (person(&hall, "rita@exam.test", "reviewer").await, person(&hall, "max@exam.test", "manager").await);
    let approve = json!({ "grade": 5, "status": "approved" });
    for _ in 0..3 {
        rita.get("/api/review/questions?grade=5").await.assert_error(403, "Not assigned to this grade");
        max.post_json("/api/manager/approvals", &approve).await.assert_error(403, "Not assigned to this grade");
        assign(&admin, "assignments", "rita@exam.test", &[5]).await;
        assign(&admin, "managers", "max@exam.test", &[5]).await;
        found(&rita.get("/api/review/questions?grade=5").await);
        found(&max.post_json("/api/manager/approvals", &approve).await);
        assign(&admin, "assignments", "rita@exam.test", &[6]).await;
        rita.get("/api/review/questions?grade=5").await.assert_error(403, "Not assigned to this grade");
        assert_done(&delete(&admin, "/api/admin/review/assignments/rita%40exam.test").await);
        assert_done(&delete(&admin, "/api/admin/review/managers/max%40exam.test").await);
        rita.get("/api/review/questions?grade=6").await.assert_error(403, "Not assigned to this grade");
    }
}
