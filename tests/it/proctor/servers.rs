//! Two servers of one store: a proctor on either sees the whole room, whichever server the students are on.

use serde_json::json;

use super::{grade, test_of};
use crate::hall::{Hall, Proctor, answer};

/// Servers hear each other over Redis alone.
fn has_redis() -> bool {
    std::env::var("TEST_REDIS_URL").is_ok()
}

#[tokio::test]
async fn a_proctor_sees_the_students_of_every_server() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let mut here = hall.sit(test_of("Ada")).await;
    let mut there = other.sit(test_of("Bob")).await;
    let token = hall.token("admin").await;
    let mut proctors = [
        Proctor::watching(&hall.base(), &token, &grade()).await,
        Proctor::watching(&other.base(), &token, &grade()).await,
    ];
    for proctor in &proctors {
        assert_eq!(proctor.rows.len(), 2, "from the store, when from nowhere else");
    }
    let ids = [here.session_id.clone(), there.session_id.clone()];
    let question = here.paper[0].clone();
    here.send(answer(&question, "A")).await;
    here.settle().await;
    let question = there.paper[0].clone();
    there.send(answer(&question, "A")).await;
    there.settle().await;
    for proctor in proctors.iter_mut().filter(|_| has_redis()) {
        proctor
            .until("both answers", |proctor| {
                ids.iter().all(|id| proctor.row(id)["answered"] == 1 && proctor.row(id)["connected"] == true)
            })
            .await;
    }
    let list = other.bearer(&token).get("/api/live/sessions?grade=5").await;
    assert_eq!((list.status, list.json()["sessions"].as_array().unwrap().len()), (200, 2));
}

#[tokio::test]
async fn students_of_a_server_that_stops_are_shown_by_the_other() {
    let hall = Hall::open().await;
    let mut other = hall.beside().await;
    let there = other.sit(test_of("Bob")).await;
    let token = hall.token("admin").await;
    let mut proctor = Proctor::watching(&hall.base(), &token, &grade()).await;
    let id = there.session_id.clone();
    if has_redis() {
        proctor.until("the student", |proctor| proctor.rows.get(&id).is_some_and(|row| row["connected"] == true)).await;
    }
    other.stop().await;
    proctor
        .until("nobody is connected there", |proctor| {
            proctor.rows.get(&id).is_some_and(|row| row["connected"] == false && row["state"] == json!("active"))
        })
        .await;
}
