//! A proctor on another server than the student: orders arrive, with Redis and without, and a repeated one does nothing
//! twice.

use std::time::Instant;

use super::*;
use crate::hall::{Candidate, Proctor, time_of};

/// From a proctor's command to the student's frame, with every service well: a second, and what a busy machine takes.
const HEALTHY_MAX: Duration = Duration::from_secs(5);
/// The same without Redis: the student's server looks into the database by itself.
const WITHOUT_REDIS_MAX: Duration = Duration::from_secs(8);

#[tokio::test]
async fn orders_reach_a_student_of_another_server() {
    let cluster = Cluster::open(Setup::default()).await;
    give_every_order(&cluster, HEALTHY_MAX).await;
}

#[tokio::test]
async fn orders_reach_a_student_of_another_server_without_redis() {
    let mut cluster = Cluster::open(Setup::default()).await;
    cluster.redis.kill().await;
    give_every_order(&cluster, WITHOUT_REDIS_MAX).await;
    cluster.redis.start().await;
    let mut proctor = cluster.proctor(0, &room()).await;
    proctor.until("the picture is whole again", |proctor| !proctor.is_partial).await;
    proctor.until_alike(&cluster.base_of(1)).await;
}

async fn give_every_order(cluster: &Cluster, time: Duration) {
    let mut candidate =
        Candidate::start(&cluster.base_of(0), json!({ "grade": 5, "questionCount": 10, "durationMinutes": 30 })).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    let mut proctor = cluster.proctor(2, &room()).await;
    let id = candidate.session_id.clone();

    let extended = order(
        &mut proctor,
        json!({ "type": "extend", "sessionId": id, "minutes": 5 }),
        &mut candidate,
        "extended",
        time,
    )
    .await;
    let moved = time_of(&extended["deadline"]) - time_of(&candidate.started["deadline"]);
    assert_eq!((moved, &extended["minutes"]), (chrono::Duration::minutes(5), &json!(5)));

    order(&mut proctor, json!({ "type": "pause", "sessionId": id }), &mut candidate, "paused", time).await;
    let refused = candidate
        .try_post(&json!({ "commands": [{ "type": "visit", "seq": candidate.seq + 1, "questionId": question }] }))
        .await
        .json();
    assert_eq!(refused["replies"][0]["code"], "paused", "{refused}");
    let unpaused =
        order(&mut proctor, json!({ "type": "unpause", "sessionId": id }), &mut candidate, "unpaused", time).await;
    assert!(time_of(&unpaused["deadline"]) > time_of(&extended["deadline"]), "the pause is given back");

    let told = order(
        &mut proctor,
        json!({ "type": "notice", "sessionId": "*", "text": "Ten minutes" }),
        &mut candidate,
        "notice",
        time,
    )
    .await;
    assert_eq!(told["text"], "Ten minutes");
    repeat_by_every_server(cluster, &mut candidate, &time_of(&unpaused["deadline"])).await;

    let submitted =
        order(&mut proctor, json!({ "type": "finish", "sessionId": id }), &mut candidate, "submitted", time).await;
    assert_eq!((&submitted["reason"], &submitted["sessionId"]), (&json!("proctor"), &json!(id)));
    proctor.until("the row is submitted", |proctor| proctor.row(&id)["state"] == "submitted").await;
    assert_eq!(cluster.number("SELECT count(*) FROM sessions").await, 1);
}

/// Gives an order; the student must hear of it in time.
async fn order(proctor: &mut Proctor, command: Value, candidate: &mut Candidate, heard: &str, time: Duration) -> Value {
    let given_at = Instant::now();
    let (count, frame) = tokio::join!(proctor.done(command.clone()), candidate.socket().until(heard));
    assert!(given_at.elapsed() < time, "{command} took {:?}", given_at.elapsed());
    assert_eq!(count, 1, "{command}");
    frame
}

/// One command id, by proctors of all servers, one after the other and all at once.
async fn repeat_by_every_server(
    cluster: &Cluster,
    candidate: &mut Candidate,
    deadline: &chrono::DateTime<chrono::Utc>,
) {
    let command = json!({ "type": "extend", "id": "only-once", "sessionId": candidate.session_id, "minutes": 7 });
    let mut answers = Vec::new();
    for server in [1, 2] {
        answers.push(cluster.proctor(server, &room()).await.command(command.clone()).await);
    }
    let mut together = (cluster.proctor(0, &room()).await, cluster.proctor(1, &room()).await);
    let (one, other) = tokio::join!(together.0.command(command.clone()), together.1.command(command.clone()));
    answers.extend([one, other]);
    assert!(
        answers.iter().all(|answer| *answer == json!({ "type": "done", "id": "only-once", "count": 1 })),
        "{answers:?}"
    );
    let extended = candidate.socket().until("extended").await;
    assert_eq!(time_of(&extended["deadline"]) - *deadline, chrono::Duration::minutes(7));
    let state = candidate.state().await;
    assert_eq!(state["deadline"], extended["deadline"], "the order was carried out twice");
}
