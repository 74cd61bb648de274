//! What someone who can write to the Redis of the servers cannot do: put words into a server's mouth, change what
//! students are sent, or learn a token.

use std::time::Duration;

use futures_util::StreamExt;
use redis::AsyncCommands;
use redis::aio::MultiplexedConnection;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::hall::{Caller, Hall, Heard, RedisServer, answer, eventually, need_services};

const BANK: &str = "/api/questions?grade=5";
/// How long a message that must have no effect is given to have one.
const QUIET: Duration = Duration::from_millis(700);

/// Someone who can read and write all of Redis.
struct Intruder {
    connection: MultiplexedConnection,
    messages: redis::aio::PubSub,
    prefix: String,
}

impl Intruder {
    async fn of(hall: &Hall) -> Self {
        need_services();
        let client = redis::Client::open(hall.settings()["REDIS_URL"].as_str()).unwrap();
        let prefix = hall.settings()["REDIS_PREFIX"].clone();
        let mut messages = client.get_async_pubsub().await.unwrap();
        messages.psubscribe(format!("{prefix}:*")).await.unwrap();
        Self { connection: client.get_multiplexed_async_connection().await.unwrap(), messages, prefix }
    }

    async fn publish(&mut self, channel: &str, message: &[u8]) {
        self.connection.publish::<_, _, ()>(format!("{}:{channel}", self.prefix), message).await.unwrap();
    }

    /// The next message for which `is_meant` holds: its channel without the prefix, and its bytes.
    async fn hear(&mut self, is_meant: impl Fn(&str) -> bool) -> (String, Vec<u8>) {
        let mut messages = self.messages.on_message();
        let hearing = async {
            loop {
                let message = messages.next().await.unwrap();
                let text = String::from_utf8_lossy(message.get_payload_bytes()).into_owned();
                if is_meant(&text) {
                    let channel = message.get_channel_name().to_owned();
                    return (channel, message.get_payload_bytes().to_vec());
                }
            }
        };
        let (channel, message) = tokio::time::timeout(crate::hall::PATIENCE, hearing).await.expect("nothing is said");
        (channel[self.prefix.len() + 1..].to_owned(), message)
    }
}

/// How many messages and bodies a server has not believed.
async fn refused(hall: &Hall) -> u64 {
    let metrics = hall.anonymous().get("/metrics").await.text();
    let line = metrics.lines().find(|line| line.starts_with("examhall_redis_refused_total")).unwrap().to_owned();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_body_that_was_changed_in_redis_reaches_nobody() {
    let hall = Hall::open().await;
    let mut intruder = Intruder::of(&hall).await;
    let plain = hall.anonymous().get(BANK).await.body;
    let key_of = async |intruder: &mut Intruder| {
        let keys: Vec<String> = intruder.connection.keys(format!("{}:bank:*", intruder.prefix)).await.unwrap();
        keys
    };
    let keys =
        eventually("the bank is in Redis", async || Some(key_of(&mut intruder).await).filter(|keys| !keys.is_empty()))
            .await;
    for key in &keys {
        for field in ["gzip", "brotli"] {
            intruder.connection.hset::<_, _, _, ()>(key, field, b"something else").await.unwrap();
        }
    }
    let other = hall.beside().await;
    for encoding in ["gzip", "br"] {
        let answer = other.anonymous().get_with(BANK, "accept-encoding", encoding).await;
        assert_eq!((answer.header("content-encoding"), answer.decoded()), (encoding, plain.clone()));
    }
    assert!(refused(&other).await > 0);
    // It is stored anew, so the next server believes it again.
    let third = hall.beside().await;
    let answer = third.anonymous().get_with(BANK, "accept-encoding", "gzip").await;
    assert_eq!((answer.decoded(), refused(&third).await), (plain, 0));
}

/// The bodies in Redis that have this text.
async fn bodies_with(intruder: &mut Intruder, text: &str) -> Vec<String> {
    let keys: Vec<String> = intruder.connection.keys(format!("{}:*", intruder.prefix)).await.unwrap();
    let mut found = Vec::new();
    for key in keys {
        let plain: Option<Vec<u8>> = intruder.connection.hget(&key, "plain").await.unwrap();
        if plain.is_some_and(|plain| String::from_utf8_lossy(&plain).contains(text)) {
            found.push(key);
        }
    }
    found
}

#[tokio::test]
async fn what_becomes_secret_goes_while_redis_cannot_be_searched_for_the_rest() {
    let server = RedisServer::open().await;
    let url = format!("redis://{}", server.address);
    let client = redis::Client::open(url.as_str()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let forbid = ["SETUSER", "default", "-scan"];
    redis::cmd("ACL").arg(&forbid).query_async::<()>(&mut connection).await.unwrap();
    let hall = Hall::with(&[("REDIS_URL", &url)]).await;
    let mut intruder = Intruder::of(&hall).await;
    let secret = hall.anonymous().get(BANK).await.json()[0]["id"].as_str().unwrap().to_owned();
    let keys = eventually("the bank is in Redis", async || {
        Some(bodies_with(&mut intruder, &format!("\"{secret}\"")).await).filter(|keys| !keys.is_empty())
    })
    .await;
    let kept: i64 = connection.ttl(&keys[0]).await.unwrap();
    assert!(kept > 0, "it does not stay for ever: {kept}");
    let admin = hall.signed_in("admin").await;
    let mark = admin.request(reqwest::Method::PUT, &format!("/api/admin/questions/{secret}/secure"));
    assert_eq!(crate::hall::Answer::to(mark.json(&json!({ "secure": true }))).await.status, 200);
    eventually("the secure question is gone", async || {
        bodies_with(&mut intruder, &format!("\"{secret}\"")).await.is_empty().then_some(())
    })
    .await;
}

#[tokio::test]
async fn redis_has_no_question_that_is_not_for_everyone() {
    let hall = Hall::open().await;
    let mut intruder = Intruder::of(&hall).await;
    let (admin, anyone) = (hall.signed_in("admin").await, hall.anonymous());
    let targets = json!({ "1": 1, "2": 2, "3": 2, "4": 2, "5": 3 });
    let config = json!({ "name": "Final paper", "grades": [5], "mode": "standard", "durationMinutes": 45, "standardTargets": targets });
    let template = admin.post_json("/api/admin/test-templates", &config).await.json()["template"].clone();
    let shared = format!("/api/test-templates/{}", template["id"].as_str().unwrap());
    let question = template["standardQuestions"][0]["id"].to_string();
    assert_eq!((anyone.get(BANK).await.status, anyone.get(&shared).await.status), (200, 200));
    let key = format!("{}:bank:5", intruder.prefix);
    let mut bodies = bodies_with(&mut intruder, &question).await;
    bodies.sort_unstable();
    assert_eq!(bodies, [key.clone(), format!("{key}:all")], "the public bank, and no template");
    // An exam takes the question away, on each server, and whatever is read there.
    let other = hall.beside().await;
    let starts_at = hall.clock.now().plus(3 * 24 * 60 * 60_000).utc().to_rfc3339();
    let plan = json!({ "name": "Finals", "templateId": template["id"], "startsAt": starts_at });
    let planned = admin.post_json("/api/admin/sittings", &plan).await;
    assert_eq!(planned.status, 200, "{}", planned.text());
    for server in [&hall, &other] {
        for caller in [server.anonymous(), server.signed_in("admin").await] {
            caller.get(BANK).await;
            caller.get(&shared).await;
        }
    }
    eventually("the question is gone", async || bodies_with(&mut intruder, &question).await.is_empty().then_some(()))
        .await;
    // So does the mark of a question that is for exams alone.
    let secret = anyone.get(BANK).await.json()[0]["id"].as_str().unwrap().to_owned();
    let mark = admin.request(reqwest::Method::PUT, &format!("/api/admin/questions/{secret}/secure"));
    assert_eq!(crate::hall::Answer::to(mark.json(&json!({ "secure": true }))).await.status, 200);
    assert!(admin.get(BANK).await.text().contains(&secret));
    eventually("the secure question is gone", async || {
        bodies_with(&mut intruder, &format!("\"{secret}\"")).await.is_empty().then_some(())
    })
    .await;
    // What a server of an earlier version has left is removed by the next one that starts.
    let earlier = format!("{}:body:0123456789abcdef", intruder.prefix);
    intruder.connection.hset::<_, _, _, ()>(&earlier, "plain", &question).await.unwrap();
    let _upgraded = hall.beside().await;
    eventually("the body of an earlier version is gone", async || {
        bodies_with(&mut intruder, &question).await.is_empty().then_some(())
    })
    .await;
}

#[tokio::test]
async fn redis_has_no_keys_where_they_are_for_staff_alone() {
    let hall = Hall::with(&[("PUBLIC_ANSWERS", "false")]).await;
    let mut intruder = Intruder::of(&hall).await;
    for caller in [hall.anonymous(), hall.signed_in("admin").await] {
        assert_eq!(caller.get(BANK).await.status, 200);
    }
    assert_eq!(bodies_with(&mut intruder, "\"question\"").await.len(), 3, "with options, with numbers, and all");
    assert_eq!(bodies_with(&mut intruder, "\"explanation\"").await, [""; 0]);
}

/// A message as a server says it, without a signature.
fn forged(word: &Value) -> Vec<u8> {
    json!({ "from": Uuid::new_v4(), "word": word }).to_string().into_bytes()
}

#[tokio::test]
async fn nobody_but_a_server_speaks_for_a_server() {
    let hall = Hall::open().await;
    let mut intruder = Intruder::of(&hall).await;
    let other = hall.beside().await;
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    let question = candidate.paper[0].clone();
    candidate.send(answer(&question, "A")).await;
    candidate.settle().await;

    let elsewhere = Caller::new(&other.base(), Some(&candidate.token));
    let path = format!("/api/live/{}", candidate.session_id);
    // A request at the other server is forwarded, with everything that a server says of it.
    let (resumed, (channel, asked)) =
        tokio::join!(elsewhere.get(&path), intruder.hear(|text| text.contains("\"Ask\"")),);
    assert_eq!((resumed.status, &resumed.json()["token"]), (200, &json!(candidate.token)), "{}", resumed.text());
    assert!(!String::from_utf8_lossy(&asked).contains(&candidate.token), "the token is in Redis");
    let (_, (_, answered)) = tokio::join!(elsewhere.get(&path), intruder.hear(|text| text.contains("\"Answer\"")));
    assert!(!String::from_utf8_lossy(&answered).contains(&candidate.token), "the token is in Redis");

    // What is not from a server ends nothing, neither the student's socket nor the servers' hearing.
    let before = refused(&hall).await;
    let taken = json!({ "Taken": { "session_id": candidate.session_id, "fence": 1_000, "by_socket": true } });
    for message in [forged(&taken), b"\xff\xfe\x00 not a text".to_vec(), Vec::new(), forged(&json!("Echo"))] {
        intruder.publish("live", &message).await;
        intruder.publish(&channel, &message).await;
        intruder.publish("banks-changed", &message).await;
    }
    // A message that was signed for one channel is worth nothing on another.
    intruder.publish("live", &asked).await;
    eventually("the messages are counted", async || (refused(&hall).await > before + 3).then_some(())).await;
    assert!(
        candidate
            .socket()
            .hear_within(QUIET)
            .await
            .is_none_or(|heard| matches!(heard, Heard::Frame(frame) if frame["type"] == "time"))
    );
    candidate.send(answer(&question, "B")).await;
    candidate.settle().await;
    let (resumed, _) = tokio::join!(elsewhere.get(&path), intruder.hear(|text| text.contains("\"Answer\"")),);
    assert_eq!(resumed.json()["answers"][0]["selected"], "B");
}
