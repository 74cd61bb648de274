//! Time in which the server itself could not save is not the students'.

use std::time::Duration;

use examhall::database::Database;
use examhall::store::outages;
use serde_json::json;

use crate::hall::{Candidate, Hall, eventually, time_of};

const MINUTE: Duration = Duration::from_secs(60);

async fn sit(hall: &Hall) -> Candidate {
    let candidate = hall.sit(json!({ "grade": 5, "questionCount": 10, "durationMinutes": 30 })).await;
    // Until the start is completely stored.
    candidate.state().await;
    candidate
}

/// Stops the server, which has saved something until then.
async fn stop(hall: &mut Hall) {
    let database = Database::open(hall.database_url(), 2, 1).await.unwrap();
    outages::beat(&database, hall.clock.now(), false).await.unwrap();
    hall.stop().await;
}

#[tokio::test]
async fn whose_time_is_up_while_the_server_is_away_gets_it_back() {
    let mut hall = Hall::open().await;
    let mut ada = sit(&hall).await;
    hall.clock.advance(10 * MINUTE);
    let mut bo = sit(&hall).await;
    let deadlines = [ada.state().await["deadline"].clone(), bo.state().await["deadline"].clone()];
    hall.clock.advance(18 * MINUTE);
    ada.cut();
    stop(&mut hall).await;
    // Ada's time is up in these minutes, and Bo's is not.
    hall.clock.advance(5 * MINUTE);
    hall.begin().await;
    for student in [&mut ada, &mut bo] {
        student.move_to(&hall.base());
    }
    let state = ada.state().await;
    assert_eq!(state["state"], "active", "{state}");
    let given = (time_of(&state["deadline"]) - time_of(&deadlines[0])).num_seconds();
    assert!((300..360).contains(&given), "{given}");
    assert_eq!(bo.state().await["deadline"], deadlines[1], "nobody gets what they have not lost");
    ada.resume().await;
    ada.answer(&ada.paper[0].clone(), "B").await;
    hall.clock.advance(5 * MINUTE);
    assert_eq!(ada.socket().until("submitted").await["reason"], "deadline");
    let admin = hall.signed_in("admin").await;
    let events = admin.get(&format!("/api/live/sessions/{}/events", ada.session_id)).await.json();
    let events = events["events"].as_array().unwrap();
    let outage = events.iter().find(|event| event["kind"] == "outage").expect("the record says so");
    let detail = outage["detail"].as_str().unwrap();
    assert!(outage["by"] == "server" && detail.starts_with("nothing could be saved from "), "{outage}");
}

#[tokio::test]
async fn an_outage_gives_ten_minutes_at_most() {
    let mut hall = Hall::open().await;
    let mut ada = sit(&hall).await;
    let before = ada.state().await["deadline"].clone();
    hall.clock.advance(29 * MINUTE);
    ada.cut();
    stop(&mut hall).await;
    hall.clock.advance(60 * MINUTE);
    hall.begin().await;
    ada.move_to(&hall.base());
    let ended =
        eventually("the test is ended", async || Some(ada.state().await).filter(|state| state["state"] == "submitted"))
            .await;
    let given = (time_of(&ended["deadline"]) - time_of(&before)).num_minutes();
    assert_eq!(given, 10, "{ended}");
}
