//! `POST /api/sessions`: what is taken, and the name of each thing that is not.

use futures_util::stream;
use reqwest::Method;
use serde_json::{Value, json};

use super::{create, honest};
use crate::hall::{Answer, Hall};

const PATH: &str = "/api/sessions";

#[tokio::test]
async fn the_answer_is_an_id_and_a_link_made_of_it() {
    let hall = Hall::open().await;
    let body = honest(&hall.bank(5).await);
    let answer = hall.anonymous().post_json(PATH, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let json = answer.json();
    let id = uuid::Uuid::parse_str(json["sessionId"].as_str().unwrap()).unwrap();
    assert_eq!(id.get_version_num(), 4);
    assert_eq!(json, json!({ "sessionId": id.to_string(), "reportUrl": format!("https://exam.example/report/{id}") }));
}

fn wrong_values() -> [(&'static str, Vec<Value>); 6] {
    let long = format!("https://exam.example/{}", "x".repeat(2_048));
    [
        ("grade", vec![json!(0), json!(11), json!(-1), json!(5.5), json!("5"), json!(null), json!([5]), json!(1e30)]),
        (
            "startedAt",
            vec![
                json!("yesterday"),
                json!(5),
                json!(null),
                json!(""),
                json!("2026-13-01T00:00:00Z"),
                json!("2026-01-05"),
            ],
        ),
        (
            "baseUrl",
            vec![
                json!("ftp://exam.example"),
                json!("javascript:alert(1)"),
                json!("exam.example"),
                json!("https://"),
                json!(7),
                json!(long),
                json!("https://exam.example/\n"),
            ],
        ),
        ("webhookUrl", vec![json!(7), json!(["http://lms.example"]), json!({}), json!(true)]),
        ("annotations", vec![json!([]), json!("s-17"), json!(7), json!(false)]),
        ("result", vec![json!(null), json!(7), json!([]), json!("800")]),
    ]
}

#[tokio::test]
async fn nul_is_refused_everywhere() {
    let hall = Hall::open().await;
    let honest = honest(&hall.bank(5).await);
    for pointer in [
        "/annotations/studentId",
        "/baseUrl",
        "/result/answers/0/questionId",
        "/result/answers/0/selected",
        "/result/topicBreakdown/0/topic",
    ] {
        let mut body = honest.clone();
        *body.pointer_mut(pointer).unwrap() = json!("before\0after");
        hall.anonymous().post_json(PATH, &body).await.assert_some_error(400);
    }
    let mut body = honest.clone();
    body["annotations"] = json!({ "na\0me": 1 });
    hall.anonymous().post_json(PATH, &body).await.assert_some_error(400);
}

#[tokio::test]
async fn drawings_are_kept() {
    let hall = Hall::open().await;
    let mut body = honest(&hall.bank(5).await);
    body["drawings"] = json!({ "g5-001": { "strokes": [[1, 2], [3, 4]] } });
    let id = create(&hall.anonymous(), &body).await;
    assert_eq!(hall.stored_session(&id).await["drawings"], body["drawings"]);
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn each_wrong_field_is_named() {
        let hall = Hall::open().await;
        let honest = honest(&hall.bank(5).await);
        for (field, values) in wrong_values() {
            for value in values {
                let mut body = honest.clone();
                body[field] = value.clone();
                let answer = hall.anonymous().post_json(PATH, &body).await;
                assert_eq!(
                    (answer.status, answer.json()),
                    (400, json!({ "error": format!("Invalid {field}") })),
                    "{field}: {value}"
                );
            }
        }
    }

    #[tokio::test]
    async fn missing_fields_are_named_except_the_optional_ones() {
        let hall = Hall::open().await;
        let honest = honest(&hall.bank(5).await);
        for field in ["grade", "startedAt", "baseUrl", "result"] {
            let mut body = honest.clone();
            body.as_object_mut().unwrap().remove(field);
            let answer = hall.anonymous().post_json(PATH, &body).await;
            assert_eq!(
                (answer.status, answer.json()),
                (400, json!({ "error": format!("Invalid {field}") })),
                "{field}"
            );
        }
        let mut body = honest.clone();
        body.as_object_mut().unwrap().remove("annotations");
        create(&hall.anonymous(), &body).await;
    }

    #[tokio::test]
    async fn wrong_parts_of_a_result_are_refused() {
        let hall = Hall::open().await;
        let honest = honest(&hall.bank(5).await);
        let wrong = [
            ("score", json!("800")),
            ("score", json!(null)),
            ("correctAnswers", json!(-1)),
            ("totalQuestions", json!("ten")),
            ("timeTaken", json!(-5)),
            ("topicBreakdown", json!({})),
            ("difficultyBreakdown", json!(7)),
            ("difficultyBreakdown", json!([{ "difficulty": "hard", "correct": 1, "total": 1 }])),
            ("answers", json!("A")),
            ("answers", json!([7])),
            ("answers", json!([{ "questionId": 7, "selected": "A", "correct": "A", "isCorrect": true }])),
            ("answers", json!([{ "questionId": "g5-001", "selected": "A", "correct": "A", "isCorrect": "yes" }])),
        ];
        for (field, value) in wrong {
            let mut body = honest.clone();
            body["result"][field] = value.clone();
            let answer = hall.anonymous().post_json(PATH, &body).await;
            answer.assert_some_error(400);
            assert!(
                answer.json()["error"].as_str().unwrap().starts_with("Invalid "),
                "{field}: {value}: {}",
                answer.text()
            );
        }
    }

    #[tokio::test]
    async fn what_is_not_json_fails_as_the_specification_says() {
        let hall = Hall::open().await;
        for body in ["", "{", "grade=5", "{\"grade\":5,}", "\u{feff}{}", "{\"grade\":5} trailing", "NaN", "{'grade':5}"]
        {
            hall.anonymous().post_text(PATH, body).await.assert_error(500, "Failed to create session");
        }
        let not_utf8 = hall.anonymous().request(Method::POST, PATH).body(vec![b'"', 0xff, b'"']);
        Answer::to(not_utf8).await.assert_error(500, "Failed to create session");
    }

    #[tokio::test]
    async fn json_of_another_shape_is_a_bad_request() {
        let hall = Hall::open().await;
        for body in ["null", "[]", "7", "\"text\"", "{}"] {
            hall.anonymous().post_text(PATH, body).await.assert_some_error(400);
        }
    }

    #[tokio::test]
    async fn the_content_type_does_not_matter() {
        let hall = Hall::open().await;
        let body = honest(&hall.bank(5).await).to_string();
        for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8"] {
            let request =
                hall.anonymous().request(Method::POST, PATH).header("content-type", content_type).body(body.clone());
            assert_eq!(Answer::to(request).await.status, 200, "{content_type}");
        }
    }

    #[tokio::test]
    async fn ten_megabytes_are_too_large() {
        let hall = Hall::open().await;
        let mut body = honest(&hall.bank(5).await);
        body["annotations"]["essay"] = json!("x".repeat(10 * 1024 * 1024));
        let text = body.to_string();
        hall.anonymous().post_text(PATH, text.clone()).await.assert_error(413, "Request body too large");
        let chunks: Vec<Result<Vec<u8>, std::io::Error>> =
            text.into_bytes().chunks(64 * 1024).map(|chunk| Ok(chunk.to_vec())).collect();
        let chunked =
            hall.anonymous().request(Method::POST, PATH).body(reqwest::Body::wrap_stream(stream::iter(chunks)));
        Answer::to(chunked).await.assert_error(413, "Request body too large");
        assert_eq!(hall.anonymous().get("/healthz").await.status, 200);
    }

    #[tokio::test]
    async fn deep_and_wide_json_is_refused() {
        let hall = Hall::open().await;
        let honest = honest(&hall.bank(5).await).to_string();
        for depth in [40, 500, 50_000] {
            let deep = format!("{{\"deep\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
            let body = honest.replace("{\"studentId\":\"s-17\"}", &deep);
            hall.anonymous().post_text(PATH, body).await.assert_some_error(400);
        }
        let wide: Vec<String> = (0..1_001).map(|number| format!("\"k{number}\":0")).collect();
        let body = honest.replace("{\"studentId\":\"s-17\"}", &format!("{{{}}}", wide.join(",")));
        hall.anonymous().post_text(PATH, body).await.assert_some_error(400);
    }

    #[tokio::test]
    async fn some_depth_and_width_is_kept() {
        let hall = Hall::open().await;
        let mut body = honest(&hall.bank(5).await);
        let wide: serde_json::Map<String, Value> =
            (0..900).map(|number| (format!("k{number}"), json!(number))).collect();
        body["annotations"] = json!({ "a": [[[[[[[[{ "b": "c" }]]]]]]]], "wide": wide, "text": "Zoë 🦀 \u{202e}" });
        let id = create(&hall.anonymous(), &body).await;
        assert_eq!(hall.stored_session(&id).await["annotations"], body["annotations"]);
    }
}
