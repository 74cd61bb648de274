//! Who may watch what: at the door, at each `watch`, and for as long as the socket is open.

use reqwest::Method;
use serde_json::json;

use super::{assign, closed, grade, next, socket, test_of};
use crate::hall::{Answer, Hall, Heard, PROCTOR_PATH, Proctor};

/// What the server answers to an upgrade request with one more header.
async fn upgrade(hall: &Hall, headers: &[(&str, &str)]) -> Answer {
    let mut request = hall
        .anonymous()
        .request(Method::GET, PROCTOR_PATH)
        .header("connection", "Upgrade")
        .header("upgrade", "websocket");
    request = request.header("sec-websocket-version", "13").header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.unwrap();
    Answer { status: response.status().as_u16(), headers: response.headers().clone(), body: Vec::new() }
}

#[tokio::test]
async fn the_door_is_for_staff() {
    let hall = Hall::open().await;
    assert_eq!(upgrade(&hall, &[]).await.status, 401);
    assert_eq!(upgrade(&hall, &[("authorization", "Bearer forged")]).await.status, 401);
    for (role, status) in [("student", 403), ("reviewer", 101), ("manager", 101), ("admin", 101)] {
        let authorization = format!("Bearer {}", hall.token(role).await);
        assert_eq!(upgrade(&hall, &[("authorization", &authorization)]).await.status, status, "{role}");
    }
    let authorization = format!("Bearer {}", hall.token("admin").await);
    assert_eq!(
        upgrade(&hall, &[("authorization", &authorization), ("origin", "http://evil.example")]).await.status,
        403
    );
    assert_eq!(
        upgrade(&hall, &[("authorization", &authorization), ("origin", "http://exam.localhost")]).await.status,
        101
    );
}

#[tokio::test]
async fn each_sees_the_grades_assigned() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assign(&hall, &admin, "assignments", "reviewer@exam.test", &[5]).await;
    assign(&hall, &admin, "managers", "manager@exam.test", &[6]).await;
    for (role, grades) in [("reviewer", vec![5]), ("manager", vec![6]), ("admin", vec![1, 5, 6])] {
        let token = hall.token(role).await;
        let mut socket = socket(&hall, &token).await;
        for grade in [1, 5, 6] {
            socket.send(&json!({ "type": "watch", "grade": grade })).await;
            if grades.contains(&grade) {
                assert_eq!(next(&mut socket, "roster").await["room"], json!({ "grade": grade }), "{role}");
            } else {
                let error = next(&mut socket, "error").await;
                assert_eq!(
                    (&error["code"], &error["error"]),
                    (&json!("forbidden"), &json!("Not assigned to this grade")),
                    "{role}"
                );
            }
        }
    }
}

#[tokio::test]
async fn an_unknown_template_is_said_so() {
    let hall = Hall::open().await;
    let mut socket = socket(&hall, &hall.token("admin").await).await;
    for template_id in ["00000000-0000-4000-8000-000000000000", "none"] {
        socket.send(&json!({ "type": "watch", "templateId": template_id })).await;
        assert_eq!(next(&mut socket, "error").await["code"], "template_not_found");
    }
}

#[tokio::test]
async fn who_loses_the_grade_loses_the_room() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assign(&hall, &admin, "assignments", "reviewer@exam.test", &[5]).await;
    let mut socket = socket(&hall, &hall.token("reviewer").await).await;
    socket.send(&json!({ "type": "watch", "grade": 5 })).await;
    next(&mut socket, "roster").await;
    assign(&hall, &admin, "assignments", "reviewer@exam.test", &[6]).await;
    assert_eq!(next(&mut socket, "error").await["code"], "forbidden");
    assert_eq!(closed(&mut socket).await, Some(4403));
}

#[tokio::test]
async fn who_loses_the_role_can_command_nothing_more() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let ada = hall.sit(test_of("Ada")).await;
    let cookie = hall.cookie("rita@exam.test").await;
    let role = async |role: &str| {
        let request = hall
            .anonymous()
            .request(Method::PATCH, "/api/admin/users/rita%40exam.test")
            .bearer_auth(hall.token("admin").await);
        let answer = Answer::to(request.json(&json!({ "role": role }))).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    };
    role("reviewer").await;
    assign(&hall, &admin, "assignments", "rita@exam.test", &[5]).await;
    let headers = [("cookie", cookie.as_str()), ("origin", "http://exam.localhost")];
    let mut socket = crate::hall::LiveSocket::reach(&hall.base(), PROCTOR_PATH, &headers).await.unwrap();
    socket.send(&json!({ "type": "watch", "grade": 5 })).await;
    next(&mut socket, "roster").await;
    role("student").await;
    socket.send(&json!({ "type": "extend", "id": 1, "sessionId": ada.session_id, "minutes": 5 })).await;
    assert_eq!(next(&mut socket, "error").await["code"], "forbidden");
    assert_eq!(closed(&mut socket).await, Some(4403));
    let proctor = Proctor::watching(&hall.base(), &hall.token("admin").await, &grade()).await;
    assert_eq!(proctor.row(&ada.session_id)["deadline"], ada.started["deadline"]);
}

#[tokio::test]
async fn whose_sign_in_is_gone_is_let_go() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let token = hall.token("reviewer").await;
    let mut socket = socket(&hall, &token).await;
    let tokens = admin.get("/api/admin/tokens").await.json();
    let id =
        tokens["tokens"].as_array().unwrap().iter().find(|one| one["email"] == "reviewer@exam.test").unwrap()["id"]
            .as_str()
            .unwrap()
            .to_owned();
    let revoked = Answer::to(admin.request(Method::DELETE, &format!("/api/admin/tokens/{id}"))).await;
    assert!(revoked.status < 300, "{}", revoked.text());
    assert!(matches!(socket.hear().await, Heard::Closed(Some(4401))));
}
