//! A candidate's client: it enters, waits with the sealed paper, and opens it when the time begins.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

use super::School;
use crate::hall::{Answer, Caller, Hall, LiveSocket};

/// Someone who has entered.
pub struct Entrant {
    /// The server's address.
    pub base: String,
    pub socket: LiveSocket,
    /// The first `waiting`.
    pub waiting: Value,
    pub session_id: String,
    pub token: String,
    /// The sealed parts, by name.
    pub sealed: BTreeMap<String, Vec<u8>>,
}

impl Entrant {
    /// Enters over a WebSocket; the fields of `enter` without its type.
    pub async fn enter(hall: &Hall, enter: Value) -> Self {
        Self::enter_at(&hall.base(), &[], enter).await
    }

    /// Enters as someone who has signed in with that address.
    pub async fn signed_in(hall: &Hall, email: &str, enter: Value) -> Self {
        let cookie = hall.cookie(email).await;
        Self::enter_at(&hall.base(), &[("cookie", &cookie)], enter).await
    }

    pub async fn enter_at(base: &str, headers: &[(&str, &str)], enter: Value) -> Self {
        let mut socket = knock(base, headers, enter).await;
        let waiting = socket.expect("waiting").await;
        let text = |name: &str| waiting[name].as_str().unwrap().to_owned();
        let (session_id, token) = (text("sessionId"), text("token"));
        Self { base: base.to_owned(), socket, waiting, session_id, token, sealed: BTreeMap::new() }
    }

    /// Fetches the parts, verifies them, and says so; returns the number of the last command.
    pub async fn prepare(&mut self) -> u64 {
        let mut seq = 0;
        for part in self.waiting["sealed"].as_array().unwrap().clone() {
            let answer = Caller::new(&self.base, None).get(part["url"].as_str().unwrap()).await;
            assert_eq!((answer.status, answer.body.len() as u64), (200, part["bytes"].as_u64().unwrap()));
            assert_eq!(hexadecimal(digest(&SHA256, &answer.body).as_ref()), part["sha256"].as_str().unwrap());
            self.sealed.insert(part["part"].as_str().unwrap().to_owned(), answer.body.to_vec());
            seq += 1;
            self.socket.send(&json!({ "type": "ready", "seq": seq, "sha256": part["sha256"] })).await;
        }
        self.socket.expect_saved(seq).await;
        seq
    }

    /// The questions of a part.
    pub fn open(&self, part: &str, keys: &Value) -> Vec<Value> {
        opened(&self.sealed[part], &keys[part]).unwrap()
    }

    /// Comes back on another socket; returns the answer.
    pub async fn resume(&mut self, kind: &str) -> Value {
        self.socket = LiveSocket::connect(&self.base, &[]).await.unwrap();
        let resume = json!({ "type": "resume", "sessionId": self.session_id, "token": self.token });
        self.socket.send(&resume).await;
        self.socket.expect(kind).await
    }

    /// Answers a question, and waits until that is saved.
    pub async fn answer(&mut self, seq: u64, question: &Value, selected: &str) {
        let answer = json!({ "type": "answer", "seq": seq, "questionId": question["id"], "selected": selected });
        self.socket.send(&answer).await;
        self.socket.expect_saved(seq).await;
    }

    pub async fn submit(&mut self, seq: u64) -> Value {
        self.socket.send(&json!({ "type": "submit", "seq": seq })).await;
        self.socket.expect("submitted").await
    }

    /// Who has the session's token.
    pub fn caller(&self) -> Caller {
        Caller::new(&self.base, Some(&self.token))
    }
}

/// The questions of a sealed part, if this is its key.
pub fn opened(sealed: &[u8], key: &Value) -> Option<Vec<Value>> {
    let (nonce, rest) = sealed.split_first_chunk::<12>()?;
    let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &STANDARD.decode(key.as_str()?).ok()?).ok()?);
    let mut text = rest.to_vec();
    let clear = key.open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::empty(), &mut text).ok()?;
    Some(serde_json::from_slice(clear).unwrap())
}

/// Opens a socket and asks to enter.
pub async fn knock(base: &str, headers: &[(&str, &str)], mut enter: Value) -> LiveSocket {
    enter["type"] = json!("enter");
    let mut socket = LiveSocket::connect(base, headers).await.unwrap();
    socket.send(&enter).await;
    socket
}

/// The access codes of a sitting without halls, by name. Each call makes new ones.
pub async fn access_codes(school: &School, sitting: &Value) -> BTreeMap<String, String> {
    let answer: Answer = super::slips::made(school, sitting, "?renew=true").await;
    let text = super::slips::text(&answer);
    let codes = super::slips::codes(&text);
    let mut names: Vec<String> =
        school.candidates(sitting).await.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
    names.sort_by_key(|name| text.find(name.as_str()));
    assert_eq!(names.len(), codes.len(), "{text}");
    names.into_iter().zip(codes).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
