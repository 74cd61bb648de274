//! Who may do what: every row of the matrix, asked as everyone there is.

use reqwest::Method;
use serde_json::{Value, json};

use super::client::{API, Client, event, found, refused};
use crate::hall::{Answer, Hall};

const ROLES: [&str; 4] = ["student", "reviewer", "manager", "admin"];

#[tokio::test]
async fn anyone_reads_what_is_published() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({ "venue": { "venue": "Hall" }, "organizer": [{ "organizer": "Ada" }], "tags": ["red"], "categories": ["maths"] })).await;
    let paths = [
        String::new(),
        "/doc".to_owned(),
        "/events".to_owned(),
        format!("/events/{}", made["id"]),
        "/events/by-slug/exam".to_owned(),
        format!("/venues/{}", made["venue"]["id"]),
        "/organizers/by-slug/ada".to_owned(),
        format!("/tags/{}", made["tags"][0]["id"]),
        format!("/categories/{}", made["categories"][0]["id"]),
    ];
    let mut everyone = vec![Client::anonymous(&hall)];
    for role in ROLES {
        everyone.push(Client::of(&hall, role).await);
    }
    for client in &everyone {
        for path in &paths {
            assert_eq!(client.get(path).await.status, 200, "{path}");
        }
    }
}

#[tokio::test]
async fn writes_need_a_role() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({ "venue": { "venue": "Hall" }, "organizer": [{ "organizer": "Ada" }], "tags": ["red"], "categories": ["maths"] })).await;
    let rows: [(&str, Value, [u16; 5]); 10] = [
        ("/events", event(json!({})), [401, 403, 201, 201, 201]),
        ("/venues", json!({ "venue": "A" }), [401, 403, 201, 201, 201]),
        ("/organizers", json!({ "organizer": "A" }), [401, 403, 201, 201, 201]),
        ("/categories", json!({ "name": "" }), [400, 400, 400, 400, 400]),
        ("/categories", json!({ "name": "N" }), [401, 403, 403, 201, 201]),
        ("/tags", json!({ "name": "N" }), [401, 403, 403, 201, 201]),
        (&format!("/events/{}", made["id"]), json!({ "title": "B" }), [401, 403, 403, 200, 200]),
        (&format!("/venues/{}", made["venue"]["id"]), json!({ "city": "B" }), [401, 403, 403, 200, 200]),
        (&format!("/organizers/{}", made["organizer"][0]["id"]), json!({ "phone": "B" }), [401, 403, 403, 200, 200]),
        (&format!("/tags/{}", made["tags"][0]["id"]), json!({ "description": "B" }), [401, 403, 403, 200, 200]),
    ];
    let mut clients = vec![Client::anonymous(&hall)];
    for role in ROLES {
        clients.push(Client::of(&hall, role).await);
    }
    for (path, body, expected) in rows {
        for (number, (client, status)) in clients.iter().zip(expected).enumerate() {
            let mut body = body.clone();
            // Terms are told apart by their names.
            if body["name"] == "N" {
                body["name"] = json!(format!("N{number}"));
            }
            let answer = client.post(path, &body).await;
            assert_eq!(answer.status, status, "{path} by {number}: {}", answer.text());
            if status == 401 || status == 403 {
                refused(&answer, status, "rest_forbidden");
            }
        }
    }
}

#[tokio::test]
async fn a_reviewer_writes_and_does_not_publish() {
    let hall = Hall::open().await;
    let reviewer = Client::of(&hall, "reviewer").await;
    for (sent, status) in [
        (None, "draft"),
        (Some("publish"), "pending"),
        (Some("future"), "pending"),
        (Some("private"), "private"),
        (Some("draft"), "draft"),
    ] {
        let made = reviewer.event(sent.map_or_else(|| json!({}), |status| json!({ "status": status }))).await;
        assert_eq!(made["status"], status, "{sent:?}");
    }
    let own = reviewer.make("/venues", &json!({ "venue": "Own", "status": "publish" })).await;
    assert_eq!(own["status"], "pending");
    reviewer.change(&format!("/venues/{}", own["id"]), &json!({ "city": "Ghent" })).await;
    assert_eq!(found(&reviewer.delete(&format!("/venues/{}", own["id"])).await, 200)["status"], "trash");
}

#[tokio::test]
async fn a_reviewer_has_only_what_is_own_and_not_published() {
    let hall = Hall::open().await;
    let (manager, reviewer) = (Client::of(&hall, "manager").await, Client::of(&hall, "reviewer").await);
    let own = reviewer.event(json!({ "slug": "own" })).await;
    let foreign = manager.event(json!({ "status": "draft", "slug": "foreign" })).await;
    let (own_path, foreign_path) = (format!("/events/{}", own["id"]), format!("/events/{}", foreign["id"]));
    assert_eq!(reviewer.get(&own_path).await.status, 200);
    assert_eq!(reviewer.get("/events/by-slug/own").await.status, 200);
    refused(&reviewer.get(&foreign_path).await, 403, "event-not-accessible");
    for path in [foreign_path.as_str(), "/events/by-slug/foreign"] {
        refused(&reviewer.post(path, &json!({ "title": "Taken" })).await, 403, "rest_forbidden");
        refused(&reviewer.delete(path).await, 403, "rest_forbidden");
    }
    reviewer.change(&own_path, &json!({ "title": "Better" })).await;
    manager.change(&own_path, &json!({ "status": "publish" })).await;
    refused(&reviewer.post(&own_path, &json!({ "title": "Too late" })).await, 403, "rest_forbidden");
    refused(&reviewer.delete(&own_path).await, 403, "rest_forbidden");
    refused(
        &reviewer
            .post("/events", &event(json!({ "author": foreign["author"].as_str().unwrap().parse::<u64>().unwrap() })))
            .await,
        403,
        "rest_forbidden",
    );
    let given = manager.event(json!({ "author": own["author"].as_str().unwrap() })).await;
    assert_eq!(given["author"], own["author"]);
}

#[tokio::test]
async fn by_slug_asks_the_same_as_by_number() {
    let hall = Hall::open().await;
    let (manager, reviewer) = (Client::of(&hall, "manager").await, Client::of(&hall, "reviewer").await);
    manager.make("/venues", &json!({ "venue": "Hall" })).await;
    manager.make("/organizers", &json!({ "organizer": "Ada" })).await;
    for path in ["/venues/by-slug/hall", "/organizers/by-slug/ada"] {
        refused(&reviewer.post(path, &json!({ "phone": "1" })).await, 403, "rest_forbidden");
        refused(&reviewer.delete(path).await, 403, "rest_forbidden");
        assert_eq!(manager.delete(path).await.status, 200);
    }
}

#[tokio::test]
async fn what_is_not_published_is_read_by_few() {
    let hall = Hall::open().await;
    let (anyone, student, manager) =
        (Client::anonymous(&hall), Client::of(&hall, "student").await, Client::of(&hall, "manager").await);
    for status in ["draft", "pending", "private"] {
        let made = manager.event(json!({ "status": status })).await;
        let venue = manager.make("/venues", &json!({ "venue": "Hall", "status": status })).await;
        let organizer = manager.make("/organizers", &json!({ "organizer": "Ada", "status": status })).await;
        for client in [&anyone, &student] {
            refused(&client.get(&format!("/events/{}", made["id"])).await, 403, "event-not-accessible");
            refused(&client.get(&format!("/venues/{}", venue["id"])).await, 403, "venue-not-accessible");
            refused(&client.get(&format!("/organizers/{}", organizer["id"])).await, 403, "organizer-not-accessible");
        }
        for path in [
            format!("/events/{}", made["id"]),
            format!("/venues/{}", venue["id"]),
            format!("/organizers/{}", organizer["id"]),
        ] {
            assert_eq!(manager.get(&path).await.status, 200);
        }
    }
}

#[tokio::test]
async fn each_method_of_each_route_asks_for_a_role() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({ "venue": { "venue": "Hall" }, "organizer": [{ "organizer": "Ada" }], "tags": ["red"], "categories": ["maths"] })).await;
    let paths = [
        format!("/events/{}", made["id"]),
        "/events/by-slug/exam".to_owned(),
        format!("/venues/{}", made["venue"]["id"]),
        "/venues/by-slug/hall".to_owned(),
        format!("/organizers/{}", made["organizer"][0]["id"]),
        "/organizers/by-slug/ada".to_owned(),
        format!("/categories/{}", made["categories"][0]["id"]),
        format!("/tags/{}", made["tags"][0]["id"]),
    ];
    let refusing = [
        (Client::anonymous(&hall), 401),
        (Client::of(&hall, "student").await, 403),
        (Client::of(&hall, "reviewer").await, 403),
    ];
    for path in &paths {
        for (client, status) in &refusing {
            for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                refused(&client.send(method, path, &json!({})).await, *status, "rest_forbidden");
            }
        }
        assert_eq!(manager.get(path).await.status, 200, "{path} is still there");
    }
    for path in paths.iter().filter(|path| !path.contains("by-slug")) {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            found(&manager.send(method, path, &json!({})).await, 200);
        }
    }
}

#[tokio::test]
async fn lists_show_what_is_for_the_caller() {
    let hall = Hall::open().await;
    let (manager, window) = (Client::of(&hall, "manager").await, "start_date=2027-01-01&end_date=2027-01-02");
    for status in ["publish", "draft", "pending", "private", "trash"] {
        manager.event(json!({ "title": status, "status": status })).await;
    }
    for (role, expected) in [("", 1), ("student", 1), ("reviewer", 4), ("manager", 4), ("admin", 4)] {
        let client = if role.is_empty() { Client::anonymous(&hall) } else { Client::of(&hall, role).await };
        let list = client.read(&format!("/events?{window}")).await;
        assert_eq!(list["total"], expected, "{role}");
        let drafts = client.get(&format!("/events?{window}&status=draft,trash")).await;
        if expected == 1 {
            super::client::invalid(&drafts, &["status"]);
            assert_eq!(client.read(&format!("/events?{window}&status=publish")).await["total"], 1);
        } else {
            assert_eq!(found(&drafts, 200)["total"], 2);
        }
        super::client::invalid(&client.get("/events?status=any").await, &["status"]);
        super::client::invalid(&client.get("/venues?status=publish,nonsense").await, &["status"]);
    }
}

#[tokio::test]
async fn a_token_is_a_bearer_or_a_password() {
    let hall = Hall::open().await;
    let token = hall.token("manager").await;
    let post = |request: reqwest::RequestBuilder| Answer::to(request.json(&event(json!({}))));
    let path = format!("{API}/events");
    found(&post(hall.anonymous().request(Method::POST, &path).bearer_auth(&token)).await, 201);
    found(&post(hall.anonymous().request(Method::POST, &path).basic_auth("whoever", Some(&token))).await, 201);
    for path in ["", "/events", "/nothing", "/events/1", "/doc"] {
        let ask = |name: &'static str, value: &str| {
            let request = hall.anonymous().request(Method::GET, &format!("{API}{path}")).header(name, value);
            async move { refused(&Answer::to(request).await, 401, "incorrect_password") }
        };
        ask("authorization", "Bearer nonsense").await;
        ask("authorization", "Basic bm9ib2R5Om5vdGhpbmc=").await;
    }
    // What is no token names nobody.
    for value in ["", "Digest username=\"a\"", "Negotiate abc", "Token abc"] {
        let read = hall.anonymous().request(Method::GET, &path).header("authorization", value);
        found(&Answer::to(read).await, 200);
        let write =
            hall.anonymous().request(Method::POST, &path).header("authorization", value).json(&event(json!({})));
        refused(&Answer::to(write).await, 401, "rest_forbidden");
    }
}
