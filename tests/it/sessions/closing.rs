//! `CLIENT_RESULTS`: from whom results are taken that were not sat live.

use serde_json::json;

use super::{create, honest, sit};
use crate::hall::{Answer, Hall};

const PATH: &str = "/api/sessions";

#[tokio::test]
async fn each_setting_takes_results_from_those_it_names() {
    const TOKENS_ALONE: &str = "This server takes results from API tokens alone";
    const NOT_TAKEN: &str = "This server takes no results from clients";
    for (setting, anyone, signed_in, token) in [
        ("open", None, None, None),
        ("signed-in", Some((401, "Unauthorized")), None, None),
        ("token", Some((401, "Unauthorized")), Some((403, TOKENS_ALONE)), None),
        ("off", Some((403, NOT_TAKEN)), Some((403, NOT_TAKEN)), Some((403, NOT_TAKEN))),
    ] {
        let hall = Hall::with(&[("CLIENT_RESULTS", setting)]).await;
        let body = honest(&hall.bank(5).await).to_string();
        let by_cookie = hall.cookie("ada@exam.test").await;
        let base = hall.base();
        let request = || hall.anonymous().request(reqwest::Method::POST, PATH).body(body.clone());
        let answers = [
            (anyone, Answer::to(request()).await),
            // A token that nobody has counts as none.
            (anyone, hall.bearer("forged").post_text(PATH, body.clone()).await),
            (signed_in, Answer::to(request().header("cookie", by_cookie).header("origin", base)).await),
            (token, hall.signed_in("student").await.post_text(PATH, body.clone()).await),
        ];
        for (index, (refusal, answer)) in answers.into_iter().enumerate() {
            match refusal {
                Some((status, message)) => answer.assert_error(status, message),
                None => assert_eq!(answer.status, 200, "{setting}, caller {index}: {}", answer.text()),
            }
        }
        // Live exams are not touched by it.
        sit(&hall, &hall.anonymous(), json!({})).await;
    }
}

#[tokio::test]
async fn a_refused_caller_need_not_send_the_body() {
    let hall = Hall::with(&[("CLIENT_RESULTS", "off")]).await;
    hall.anonymous().post_text(PATH, "{").await.assert_error(403, "This server takes no results from clients");
    let hall = Hall::open().await;
    create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
}
