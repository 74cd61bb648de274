//! Files with late work: saved without a network, handed in by staff, and refused by name when they are not whole.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::{digest, hkdf, hmac};
use rsa::pkcs8::DecodePublicKey;
use rsa::rand_core::OsRng;
use rsa::sha2::Sha256;
use rsa::{Oaep, RsaPublicKey};
use serde_json::{Value, json};

use super::short_test;
use crate::hall::{Answer, Caller, Candidate, Hall, answer, eventually};

const FORMAT: &str = "examhall.late.v1";
const PATH: &str = "/api/live/late-files";

/// A file as the page of this candidate would save it, made by a second implementation.
fn sealed(candidate: &Candidate, late_key: &str, commands: &Value) -> Value {
    let sha256 = |bytes: &[u8]| digest::digest(&digest::SHA256, bytes).as_ref().to_vec();
    let spki = STANDARD.decode(late_key).unwrap();
    let public = RsaPublicKey::from_public_key_der(&spki).unwrap();
    let (key, iv) = ([7; 32], [9; 12]);
    let mut data = json!({ "commands": commands }).to_string().into_bytes();
    let cipher = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &key).unwrap());
    cipher.seal_in_place_append_tag(Nonce::assume_unique_for_key(iv), Aad::from(FORMAT.as_bytes()), &mut data).unwrap();
    let hash = sha256(candidate.token.as_bytes());
    let device = sha256(&[FORMAT.as_bytes(), &hash].concat());
    let mut file = json!({
        "format": FORMAT,
        "key": URL_SAFE_NO_PAD.encode(sha256(&spki)),
        "sessionId": candidate.session_id,
        "device": URL_SAFE_NO_PAD.encode(&device[..8]),
        "wrapped": STANDARD.encode(public.encrypt(&mut OsRng, Oaep::new::<Sha256>(), &key).unwrap()),
        "iv": STANDARD.encode(iv),
        "data": STANDARD.encode(&data),
    });
    sign(&mut file, &hash);
    file
}

fn sign(file: &mut Value, token_hash: &[u8]) {
    let text = |name: &str| file[name].as_str().unwrap().to_owned();
    let salt = hkdf::Salt::new(hkdf::HKDF_SHA256, text("sessionId").as_bytes());
    let mut key = [0; 32];
    salt.extract(token_hash).expand(&[FORMAT.as_bytes()], hkdf::HKDF_SHA256).unwrap().fill(&mut key).unwrap();
    let signed = ["format", "key", "sessionId", "device", "wrapped", "iv", "data"].map(text).join("\n");
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), signed.as_bytes());
    file["mac"] = json!(STANDARD.encode(tag.as_ref()));
}

/// A test that has ended without its student, and the key for its file.
struct Saved {
    hall: Hall,
    admin: Caller,
    ada: Candidate,
    late_key: String,
}

impl Saved {
    async fn new() -> Self {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        let mut ada = hall.sit(short_test()).await;
        // The key of a process is made in the background, and everyone gets it from then on.
        let asking = async || {
            let state = ada.state().await;
            state["lateKey"].as_str().map(str::to_owned)
        };
        let late_key = eventually("the key for files is there", asking).await;
        ada.cut();
        hall.clock.advance(Duration::from_secs(34 * 60));
        let saved = Self { hall, admin, ada, late_key };
        let path = format!("/api/sessions/{}", saved.ada.session_id);
        eventually("the test has ended", async || {
            Some(saved.admin.get(&path).await).filter(|answer| answer.status == 200)
        })
        .await;
        saved
    }

    fn commands(&self) -> Value {
        let commands = self.ada.paper.iter().zip(1..).map(|(id, seq): (_, u64)| {
            let mut command = answer(id, "B");
            command["seq"] = json!(seq);
            command["at"] = json!("2026-01-05T09:29:00.000Z");
            command
        });
        commands.collect()
    }

    fn file(&self) -> Value {
        sealed(&self.ada, &self.late_key, &self.commands())
    }

    async fn hand_in(&self, file: &Value) -> Answer {
        self.admin.post_json(PATH, file).await
    }

    async fn late(&self) -> Value {
        self.admin.get(&format!("/api/live/sessions/{}/late", self.ada.session_id)).await.json()
    }
}

#[tokio::test]
async fn a_file_becomes_late_work_once() {
    let saved = Saved::new().await;
    let file = saved.file();
    let taken = saved.hand_in(&file).await;
    assert_eq!(taken.status, 200, "{}", taken.text());
    assert_eq!(taken.json(), json!({ "sessionId": saved.ada.session_id, "commands": 10, "added": 10 }));
    let late = saved.late().await;
    let first = &late["commands"][0];
    assert_eq!(
        (&late["seen"], &first["fromFile"], &first["at"]),
        (&json!(10), &json!(true), &json!("2026-01-05T09:29:00.000Z"))
    );
    saved.hand_in(&file).await.assert_fault(409, "The file has been handed in before", "file_known");
    // The same work in another file adds nothing.
    let again = saved.hand_in(&saved.file()).await;
    assert_eq!((again.status, &again.json()["added"]), (200, &json!(0)), "{}", again.text());
    let body = json!({ "decision": "accept", "comment": "By a file" });
    let decided = saved.admin.post_json(&format!("/api/live/sessions/{}/late", saved.ada.session_id), &body).await;
    assert_eq!((decided.status, &decided.json()["accepted"]), (200, &json!(10)), "{}", decided.text());
}

#[tokio::test]
async fn a_file_that_comes_after_the_student_saw_the_key_needs_force_however_late() {
    let saved = Saved::new().await;
    let (file, hours) = (saved.file(), |hours: u64| Duration::from_secs(hours * 60 * 60));
    saved.hall.clock.advance(hours(25));
    let session = format!("/api/sessions/{}", saved.ada.session_id);
    assert_eq!(saved.hall.anonymous().get(&session).await.status, 200, "the student reads the report");
    saved.hall.clock.advance(hours(60));
    let taken = saved.hand_in(&file).await;
    assert_eq!(taken.status, 200, "{}", taken.text());
    let late = saved.late().await;
    assert!(late["answersSeenAt"].as_str() < late["commands"][0]["receivedAt"].as_str(), "{late}");
    assert!(late["answersSeenAt"].is_string() && late["releasedAt"].is_null(), "{late}");
    let path = format!("/api/live/sessions/{}/late", saved.ada.session_id);
    saved.admin.post_json(&path, &json!({ "decision": "accept" })).await.assert_fault(
        409,
        "The student may have seen the answers before this work came: accept it with force",
        "answers_seen",
    );
    let forced = saved.admin.post_json(&path, &json!({ "decision": "accept", "force": true })).await;
    assert_eq!((forced.status, &forced.json()["accepted"]), (200, &json!(10)), "{}", forced.text());
    let versions = saved.admin.get(&format!("{session}/versions")).await.json();
    assert_eq!(versions["versions"][1]["comment"], "Accepted after the student had seen the answers");
}

#[tokio::test]
async fn the_same_key_serves_after_a_restart_and_on_another_server() {
    let mut saved = Saved::new().await;
    let file = saved.file();
    saved.hall.restart().await;
    let beside = saved.hall.beside().await;
    saved.ada.move_to(&saved.hall.base());
    assert_eq!(saved.ada.state().await["lateKey"], saved.late_key);
    let admin = beside.signed_in("admin").await;
    let taken = admin.post_json(PATH, &file).await;
    assert_eq!(taken.status, 200, "{}", taken.text());
}

#[tokio::test]
async fn what_is_not_whole_is_refused_and_changes_nothing() {
    let saved = Saved::new().await;
    let altered = "The file is damaged, or was changed after it was saved";
    for name in ["wrapped", "iv", "data", "mac"] {
        let mut file = saved.file();
        let mut bytes = STANDARD.decode(file[name].as_str().unwrap()).unwrap();
        bytes[3] ^= 1;
        file[name] = json!(STANDARD.encode(&bytes));
        saved.hand_in(&file).await.assert_fault(400, altered, "file_altered");
        file[name] = json!("?");
        saved.hand_in(&file).await.assert_fault(400, altered, "file_altered");
        file.as_object_mut().unwrap().remove(name);
        saved.hand_in(&file).await.assert_fault(400, altered, "file_altered");
    }
    // Whoever has the token may sign what they like, and learns no more from the answer.
    let mut file = saved.file();
    file["wrapped"] = json!(STANDARD.encode([1; 256]));
    sign(&mut file, digest::digest(&digest::SHA256, saved.ada.token.as_bytes()).as_ref());
    saved.hand_in(&file).await.assert_fault(400, altered, "file_altered");
    let bo = saved.hall.sit(short_test()).await;
    let of_other = "The file is not of this test, or its device was ended";
    let mut renamed = saved.file();
    renamed["sessionId"] = json!(bo.session_id);
    saved.hand_in(&renamed).await.assert_fault(409, of_other, "file_of_other_session");
    let for_bo = format!("{PATH}?sessionId={}", bo.session_id);
    saved.admin.post_json(&for_bo, &saved.file()).await.assert_fault(
        409,
        "The file is of another test",
        "file_of_other_session",
    );
    let mut elsewhere = saved.file();
    elsewhere["key"] = json!("another");
    sign(&mut elsewhere, digest::digest(&digest::SHA256, saved.ada.token.as_bytes()).as_ref());
    saved.hand_in(&elsewhere).await.assert_fault(
        409,
        "The file was encrypted for another server",
        "file_of_other_server",
    );
    let large: Value =
        (1..2_500).map(|seq| json!({ "type": "mark", "seq": seq, "questionId": "q", "marked": true })).collect();
    saved.hand_in(&sealed(&saved.ada, &saved.late_key, &large)).await.assert_some_error(413);
    let drawings: Value = (1..4)
        .map(|seq| json!({ "type": "drawing", "seq": seq, "questionId": "q", "drawing": { "p": "x".repeat(100_000) } }))
        .collect();
    saved.hand_in(&sealed(&saved.ada, &saved.late_key, &drawings)).await.assert_some_error(413);
    saved.admin.post_text(PATH, "x".repeat(1_100_000)).await.assert_some_error(413);
    assert_eq!(saved.late().await["seen"], 0);
}

#[tokio::test]
async fn commands_that_cannot_be_read_are_kept_out_and_no_others() {
    let saved = Saved::new().await;
    let commands = json!([
        { "type": "answer", "seq": 1, "questionId": saved.ada.paper[0], "selected": "E" },
        7,
        { "type": "dance", "seq": 3 },
        { "type": "answer", "seq": 4, "questionId": saved.ada.paper[1], "selected": "B" },
        { "type": "submit", "seq": 5 },
    ]);
    let taken = saved.hand_in(&sealed(&saved.ada, &saved.late_key, &commands)).await;
    assert_eq!((taken.status, &taken.json()["added"]), (200, &json!(4)), "{}", taken.text());
    let late = saved.late().await;
    let reasons: Vec<&Value> = late["commands"].as_array().unwrap().iter().map(|one| &one["keptOut"]).collect();
    assert_eq!(reasons, [&json!("invalid"), &json!("invalid"), &json!("invalid"), &json!(null)]);
    let body = json!({ "decision": "accept", "comment": "" });
    let decided = saved.admin.post_json(&format!("/api/live/sessions/{}/late", saved.ada.session_id), &body).await;
    assert_eq!((decided.status, &decided.json()["accepted"]), (200, &json!(1)), "{}", decided.text());
}

#[tokio::test]
async fn only_who_may_order_for_the_session_hands_in_and_only_after_its_end() {
    let saved = Saved::new().await;
    let file = saved.file();
    saved.hall.anonymous().post_json(PATH, &file).await.assert_some_error(401);
    saved.hall.signed_in("student").await.post_json(PATH, &file).await.assert_some_error(403);
    saved.hall.staff_of("reviewer", 6).await.post_json(PATH, &file).await.assert_some_error(403);
    let bo = saved.hall.sit(short_test()).await;
    let running = sealed(&bo, &saved.late_key, &json!([]));
    saved.hand_in(&running).await.assert_fault(409, "The test goes on: decide when it has ended", "not_submitted");
    assert_eq!(saved.hand_in(&file).await.status, 200);
}

#[tokio::test]
async fn two_of_one_file_at_once_are_one() {
    let saved = Saved::new().await;
    let file = saved.file();
    let answers = futures_util::future::join_all((0..4).map(|_| saved.hand_in(&file))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409]);
    assert_eq!(saved.late().await["seen"], 10);
}

#[tokio::test]
async fn too_many_files_are_refused() {
    let saved = Saved::new().await;
    let junk = json!({ "format": FORMAT });
    let answers = futures_util::future::join_all((0..80).map(|_| saved.hand_in(&junk))).await;
    assert!(answers.iter().any(|answer| answer.status == 429), "the budget of a person");
}

#[tokio::test]
async fn two_thousand_commands_are_kept_by_whatever_way_they_come() {
    let mut saved = Saved::new().await;
    let question = saved.ada.paper[0].clone();
    let mark =
        |seq: u64| json!({ "type": "mark", "seq": seq, "questionId": question, "marked": seq.is_multiple_of(2) });
    let marks: Value = (1..=1_990).map(mark).collect();
    let taken = saved.hand_in(&sealed(&saved.ada, &saved.late_key, &marks)).await;
    assert_eq!((taken.status, &taken.json()["added"]), (200, &json!(1_990)), "{}", taken.text());
    saved.ada.seq = 1_990;
    let seqs: Vec<u64> = (0..20).map(|_| saved.ada.act(json!({ "type": "visit", "questionId": question }))).collect();
    let performed = saved.ada.post(&seqs).await;
    let kept = performed["replies"].as_array().unwrap().iter().filter(|reply| reply["kept"] == true).count();
    assert_eq!(kept, 10);
}
