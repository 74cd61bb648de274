//! Control characters in names, annotations and links are refused wherever they enter.

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Hall, Heard, LiveSocket, PROVIDER_KEY, run};

/// A bell, a line end, an escape and a delete: in JSON, each is a text like any other.
const CONTROLS: [&str; 5] = ["A\u{7}da", "A\nda", "\u{1b}[31mAda", "Ada\u{7f}", "Ada\u{85}"];

/// A finished test with these annotations and this link.
fn finished(annotations: &Value, base_url: &str) -> Value {
    json!({
        "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": base_url, "annotations": annotations,
        "result": { "score": 800, "correctAnswers": 0, "totalQuestions": 0, "timeTaken": 60, "topicBreakdown": [], "difficultyBreakdown": [], "answers": [] },
    })
}

#[tokio::test]
async fn annotations_of_tests_have_none() {
    let hall = Hall::open().await;
    let anyone = hall.anonymous();
    let site = "https://exam.example";
    assert_eq!(anyone.post_json("/api/sessions", &finished(&json!({ "name": "Zoë 王" }), site)).await.status, 200);
    for control in CONTROLS {
        for annotations in [json!({ "name": control }), json!({ control: 1 }), json!({ "deep": [{ "a": control }] })] {
            let sent = anyone.post_json("/api/sessions", &finished(&annotations, site)).await;
            sent.assert_error(400, "Invalid annotations");
            let start = json!({ "grade": 5, "questionCount": 10, "annotations": annotations });
            assert_eq!(anyone.post_json("/api/live", &start).await.status, 400, "{start}");
            let mut socket = LiveSocket::connect(&hall.base(), &[]).await.unwrap();
            let mut frame = start.clone();
            frame["type"] = json!("start");
            socket.send(&frame).await;
            let Heard::Frame(refused) = socket.hear().await else { panic!("it closes the socket") };
            assert_eq!((&refused["type"], &refused["code"]), (&json!("error"), &json!("bad_message")), "{refused}");
        }
        let linked = finished(&json!({}), &format!("{site}/{control}"));
        anyone.post_json("/api/sessions", &linked).await.assert_error(400, "Invalid baseUrl");
        let start = json!({ "grade": 5, "questionCount": 10, "baseUrl": format!("{site}/{control}") });
        assert_eq!(anyone.post_json("/api/live", &start).await.status, 400, "{start}");
    }
}

#[tokio::test]
async fn sessions_of_another_service_have_none() {
    let hall = Hall::with(&[("DATA_PROVIDER", "local"), ("PROVIDER_API_KEY", PROVIDER_KEY)]).await;
    let id = uuid::Uuid::new_v4().to_string();
    let put = async |annotations: Value| {
        let mut session = finished(&annotations, "https://exam.example");
        session["completedAt"] = json!("2026-01-05T09:30:00.000Z");
        let request =
            hall.anonymous().request(Method::PUT, &format!("/v1/sessions/{id}")).header("x-api-key", PROVIDER_KEY);
        Answer::to(request.json(&session)).await
    };
    assert_eq!(put(json!({ "name": "Ada" })).await.status, 200);
    for control in CONTROLS {
        put(json!({ "name": control })).await.assert_error(400, "Invalid session");
    }
}

#[tokio::test]
async fn names_that_staff_give_have_none() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let targets = json!({ "1": 2, "2": 2, "3": 2, "4": 2, "5": 2 });
    for control in CONTROLS {
        let token = admin.post_json("/api/admin/tokens", &json!({ "name": control, "role": "student" })).await;
        token.assert_error(400, "Invalid name");
        let template = json!({ "name": control, "grades": [5], "mode": "standard", "durationMinutes": 30, "standardTargets": targets });
        admin.post_json("/api/admin/test-templates", &template).await.assert_error(400, "Invalid name");
        let assignment = json!({ "email": "rita@exam.test", "name": control, "grades": [5] });
        admin.post_json("/api/admin/review/assignments", &assignment).await.assert_error(400, "Invalid name");
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.extend_pairs([("email", "ada@exam.test"), ("name", control), ("return_to", "/")]);
        let request = hall
            .anonymous()
            .request(Method::POST, "/auth/local")
            .header("content-type", "application/x-www-form-urlencoded");
        Answer::to(request.body(form.finish())).await.assert_error(400, "Invalid name");
    }
    let output = run(hall.settings(), &["token", "create", "ada@exam.test", "--name", "A\u{7}da"]).await;
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && complaint.contains("--name"), "{complaint}");
}

#[tokio::test]
async fn names_in_the_calendar_have_none() {
    let hall = Hall::open().await;
    let manager = hall.signed_in("manager").await;
    let api = "/wp-json/tribe/events/v1";
    let times = json!({ "start_date": "2027-01-01 09:00", "end_date": "2027-01-01 10:00" });
    let event = |name: &str, value: Value| {
        let mut event = times.clone();
        event["title"] = json!("Exam");
        event[name] = value;
        event
    };
    for control in CONTROLS.into_iter().chain(["A\0da"]) {
        for (path, body, named) in [
            ("events", event("title", json!(control)), "title"),
            ("events", event("tags", json!([control])), "tags"),
            ("events", event("venue", json!({ "venue": control })), "venue"),
            ("events", event("organizer", json!([{ "organizer": control }])), "organizer"),
            ("events", event("website", json!(format!("https://a.example/{control}"))), "website"),
            ("venues", json!({ "venue": control }), "venue"),
            ("organizers", json!({ "organizer": control }), "organizer"),
            ("categories", json!({ "name": control }), "name"),
            ("tags", json!({ "name": control }), "name"),
        ] {
            let answer = manager.post_json(&format!("{api}/{path}"), &body).await;
            let refused = answer.json();
            assert_eq!((answer.status, &refused["code"]), (400, &json!("rest_invalid_param")), "{path} {body}");
            assert!(refused["data"]["params"].get(named).is_some(), "{path} {body}: {refused}");
        }
    }
    for (name, value) in [("city", "A\u{7}"), ("address", "A\0"), ("zip", "\u{1b}")] {
        let answer = manager.post_json(&format!("{api}/venues"), &json!({ "venue": "Hall", name: value })).await;
        assert_eq!(answer.status, 400, "{name}: {}", answer.text());
    }
    for (name, value) in [("description", json!("A\0")), ("cost", json!("5\u{7}")), ("timezone", json!("UTC\0"))] {
        let answer = manager.post_json(&format!("{api}/events"), &event(name, value)).await;
        assert_eq!(answer.status, 400, "{name}: {}", answer.text());
    }
    for query in ["categories=a%00", "search=a%00", "tags[]=%00"] {
        assert_eq!(manager.get(&format!("{api}/events?{query}")).await.status, 400, "{query}");
    }
}
