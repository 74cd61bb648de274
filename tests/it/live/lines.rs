//! Two devices of one student, one of which is offline without knowing it: the older one never goes over what the newer
//! one has set, on either road, after a restart and on another server.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::{selected, short_test};
use crate::hall::{Answer, Caller, Hall, Hold, LiveSocket, token};

/// A device: its base, and what is its own.
struct Device {
    base: String,
    session_id: Value,
    token: String,
    line: Value,
}

impl Device {
    async fn first(hall: &Hall, test: Value) -> (Self, Vec<String>) {
        let mut socket = hall.socket().await;
        socket.send(&test).await;
        let started = socket.expect("started").await;
        let paper =
            started["questionIds"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
        let token = started["token"].as_str().unwrap().to_owned();
        let first =
            Self { base: hall.base(), session_id: started["sessionId"].clone(), token, line: started["line"].clone() };
        (first, paper)
    }

    /// Another device that has only what a link to the test has.
    fn by_link(&self) -> Self {
        Self { base: self.base.clone(), session_id: self.session_id.clone(), token: self.token.clone(), line: json!(0) }
    }

    /// By socket, which takes the session over.
    async fn resume(&mut self) -> (LiveSocket, Value) {
        let mut socket = LiveSocket::connect(&self.base, &[]).await.unwrap();
        let frame = json!({ "type": "resume", "sessionId": self.session_id, "token": self.token, "line": self.line });
        socket.send(&frame).await;
        let resumed = socket.expect("resumed").await;
        self.line = resumed["line"].clone();
        (socket, resumed)
    }

    fn caller(&self) -> Caller {
        Caller::new(&self.base, Some(&self.token))
    }

    fn path(&self) -> String {
        format!("/api/live/{}", self.session_id.as_str().unwrap())
    }

    /// By HTTPS, which takes nothing over.
    async fn look(&mut self) -> Value {
        let answer = self.caller().get(&format!("{}?line={}", self.path(), self.line)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        self.line = answer.json()["line"].clone();
        answer.json()
    }

    async fn post(&self, commands: &[Value]) -> Value {
        let answer =
            self.caller().post_json(&format!("{}/commands", self.path()), &json!({ "commands": commands })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    fn choose(&self, seq: u64, question: &str, option: &str) -> Value {
        json!({ "type": "answer", "seq": seq, "line": self.line, "questionId": question, "selected": option })
    }
}

fn start() -> Value {
    let mut start = short_test();
    start["type"] = json!("start");
    start
}

#[tokio::test]
async fn an_older_device_does_not_go_over_a_newer_one() {
    let mut hall = Hall::open().await;
    let (mut ada, paper) = Device::first(&hall, start()).await;
    assert_eq!(ada.line, 1);
    let late = [ada.choose(7, &paper[0], "A"), ada.choose(8, &paper[1], "B")];
    let mut other = ada.by_link();
    let (mut socket, resumed) = other.resume().await;
    assert_eq!((&other.line, &resumed["seq"]), (&json!(2), &json!(0)));
    socket.send(&other.choose(1, &paper[0], "D")).await;
    socket.expect_saved(1).await;

    // What was answered before on the first device, and comes now, by HTTPS and by socket.
    let performed = ada.post(&late).await;
    let refused = json!({
        "type": "error", "code": "superseded_by", "error": "Another device has set this later", "seq": 7,
        "questionId": paper[0], "line": 2, "device": 2, "selected": "D",
    });
    assert_eq!((&performed["replies"], &performed["saved"]), (&json!([refused]), &json!(8)));
    let (mut back, resumed) = ada.resume().await;
    assert_eq!((&ada.line, selected(&resumed, &paper[0]).as_deref()), (&json!(3), Some("D")));
    assert_eq!(selected(&resumed, &paper[1]).as_deref(), Some("B"), "what the other has left alone");
    back.send(&late[0]).await;
    assert_eq!(back.expect_error("superseded_by").await["selected"], "D");
    back.expect_saved(7).await;
    back.send(&json!({ "type": "visit", "seq": 8, "line": 1, "questionId": paper[0] })).await;
    back.expect_saved(8).await;

    // Who has seen that, and answers again, is later; the other device, which does not know of it, is not.
    back.send(&ada.choose(9, &paper[0], "C")).await;
    back.expect_saved(9).await;
    assert_eq!(other.post(&[other.choose(30, &paper[0], "B")]).await["replies"][0]["line"], 3);
    hall.restart().await;
    ada.base = hall.base();
    other.base = hall.base();
    assert_eq!(other.post(&[other.choose(31, &paper[0], "B")]).await["replies"][0]["line"], 3, "after a restart");
    let state = ada.look().await;
    assert_eq!(
        (selected(&state, &paper[0]).as_deref(), &ada.line),
        (Some("C"), &json!(3)),
        "its own line is the newest"
    );
    let state = other.look().await;
    assert_eq!((&other.line, selected(&state, &paper[0]).as_deref()), (&json!(4), Some("C")));
    assert_eq!(other.post(&[other.choose(32, &paper[0], "B")]).await["replies"], json!([]));
    assert_eq!(selected(&ada.look().await, &paper[0]).as_deref(), Some("B"));
}

#[tokio::test]
async fn a_reload_keeps_the_line_and_so_does_a_client_that_names_none() {
    let hall = Hall::open().await;
    let (mut ada, paper) = Device::first(&hall, start()).await;
    for _ in 0..3 {
        let (_socket, _) = ada.resume().await;
        assert_eq!(ada.line, 1);
    }
    ada.look().await;
    assert_eq!(ada.line, 1);
    // As clients did before there were lines: all that they send is of line 0, and numbers decide among them.
    let bare =
        |seq: u64, option: &str| json!({ "type": "answer", "seq": seq, "questionId": paper[0], "selected": option });
    assert_eq!(ada.post(&[bare(5, "A"), bare(4, "B")]).await["replies"], json!([]));
    assert_eq!(selected(&ada.look().await, &paper[0]).as_deref(), Some("A"));
    let mut socket = hall.socket().await;
    socket.send(&json!({ "type": "resume", "sessionId": ada.session_id, "token": ada.token })).await;
    assert_eq!(socket.expect("resumed").await["line"], 1);
    socket.send(&bare(6, "C")).await;
    socket.expect_saved(6).await;
    // A device that knows lines goes over them, whatever their numbers are, and they never over it.
    assert_eq!(ada.post(&[ada.choose(1, &paper[0], "D"), bare(7, "A")]).await["replies"][0]["code"], "superseded_by");
    assert_eq!(selected(&ada.look().await, &paper[0]).as_deref(), Some("D"));
}

#[tokio::test]
async fn a_further_token_has_a_line_which_holds_on_another_server() {
    let hall = Hall::open().await;
    let there = hall.beside().await;
    let api_token = token::create(hall.settings(), "ada@exam.test", "student").await;
    let caller = hall.bearer(&api_token);
    let begun = caller.post_json("/api/live", &short_test()).await.json();
    let question = begun["questionIds"][0].as_str().unwrap();
    let first = Device {
        base: hall.base(),
        session_id: begun["sessionId"].clone(),
        token: begun["token"].as_str().unwrap().to_owned(),
        line: begun["line"].clone(),
    };
    let given = Answer::to(caller.request(Method::POST, &format!("{}/token", first.path()))).await.json();
    assert_eq!((&begun["line"], &given["line"]), (&json!(1), &json!(2)));
    let token = given["token"].as_str().unwrap().to_owned();
    let mut second =
        Device { base: there.base(), session_id: first.session_id.clone(), token, line: given["line"].clone() };
    let (mut socket, _) = second.resume().await;
    assert_eq!(second.line, 2, "a token that comes first keeps the line that it was given");
    socket.send(&second.choose(1, question, "D")).await;
    socket.expect_saved(1).await;
    let refused = first.post(&[first.choose(50, question, "A")]).await;
    assert_eq!((&refused["replies"][0]["device"], &refused["replies"][0]["selected"]), (&json!(2), &json!("D")));
    // Without naming a line, the token tells the device.
    let state = first.caller().get(&first.path()).await.json();
    assert_eq!((&state["line"], selected(&state, question).as_deref()), (&json!(3), Some("D")));
    let refused = second.caller().get(&format!("{}?line=1001", second.path())).await;
    assert_eq!(refused.status, 400, "{}", refused.text());
}

/// The client forgets its own answer when it is refused, so the one that stands must be stored by then.
#[tokio::test]
async fn nothing_is_refused_before_the_value_that_stands_is_committed() {
    let hall = Hall::open().await;
    let (mut ada, paper) = Device::first(&hall, start()).await;
    let (mut socket, _) = ada.resume().await;
    let mut other = ada.by_link();
    other.look().await;
    socket.send(&json!({ "type": "visit", "seq": 1, "line": 1, "questionId": paper[0] })).await;
    socket.expect_saved(1).await;
    let on_postgres = "LOCK TABLE journal_entries IN ACCESS EXCLUSIVE MODE";
    let hold = Hold::take(&hall, "DELETE FROM journal_entries WHERE seq < 0", on_postgres).await;
    let newer = [other.choose(2, &paper[0], "D")];
    let early = tokio::time::timeout(Duration::from_millis(500), other.post(&newer)).await;
    assert!(early.is_err(), "answered while nothing could be committed: {early:?}");
    let older = ada.choose(3, &paper[0], "A");
    socket.send(&older).await;
    socket.expect_silence(Duration::from_millis(500)).await;
    let early = tokio::time::timeout(Duration::from_millis(500), ada.post(std::slice::from_ref(&older))).await;
    assert!(early.is_err(), "refused while what stands was not committed: {early:?}");
    hold.release().await;
    // Whoever is slow has been told that nothing could be saved.
    let refused = loop {
        let error = socket.until("error").await;
        if error["code"] != "storage_unavailable" {
            break error;
        }
    };
    assert_eq!(
        (&refused["code"], &refused["seq"], &refused["selected"]),
        (&json!("superseded_by"), &json!(3), &json!("D"))
    );
    assert_eq!(selected(&other.look().await, &paper[0]).as_deref(), Some("D"));
}
