//! `CLIENT_RESULTS`: from whom results are taken that were not sat live.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{honest, sit};
use crate::hall::{Answer, Hall, Process, TestStore};

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
    let mut stream = TcpStream::connect(hall.base().trim_start_matches("http://")).await.unwrap();
    let head = format!("POST {PATH} HTTP/1.1\r\nHost: exam.localhost\r\nContent-Length: 5000000\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let read = async {
        while !answer.ends_with(b"}") {
            assert_ne!(stream.read_buf(&mut answer).await.unwrap(), 0, "{}", String::from_utf8_lossy(&answer));
        }
    };
    timeout(Duration::from_secs(5), read).await.expect("it waits for the body");
    let answer = String::from_utf8(answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 403 ") && answer.contains("This server takes no results from clients"),
        "{answer}"
    );
}

#[tokio::test]
async fn hidden_answers_beside_an_open_road_are_warned_of() {
    const WARNING: &str = "PUBLIC_ANSWERS=false hides no keys while CLIENT_RESULTS=open";
    for (answers, results, is_warned) in [("false", "open", true), ("false", "token", false), ("true", "open", false)] {
        let store = TestStore::with_sample_bank().await;
        let settings = store.settings(&[("PUBLIC_ANSWERS", answers), ("CLIENT_RESULTS", results)]);
        let process = Process::serve(&settings).await;
        assert_eq!(process.log().contains(WARNING), is_warned, "{answers} {results}: {}", process.log());
        process.kill().await;
    }
}
