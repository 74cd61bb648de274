//! Two servers of one store: a proctor on either sees the whole room, whichever server the students are on.

use serde_json::json;

use super::{grade, test_of};
use crate::hall::{Hall, Proctor, answer, need_services};

#[tokio::test]
async fn a_room_has_the_students_of_every_server() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let _here = hall.sit(test_of("Ada")).await;
    let _there = other.sit(test_of("Bob")).await;
    let token = hall.token("admin").await;
    for server in [&hall, &other] {
        let proctor = Proctor::watching(&server.base(), &token, &grade()).await;
        assert_eq!(proctor.rows.len(), 2, "from the store, when from nowhere else");
        let list = server.bearer(&token).get("/api/live/sessions?grade=5").await;
        assert_eq!((list.status, list.json()["sessions"].as_array().unwrap().len()), (200, 2));
    }
}

/// Servers hear each other over Redis alone.
mod several_servers {
    use super::*;

    #[tokio::test]
    async fn a_proctor_sees_what_students_of_every_server_do() {
        need_services();
        let hall = Hall::open().await;
        let other = hall.beside().await;
        let mut students = [hall.sit(test_of("Ada")).await, other.sit(test_of("Bob")).await];
        let token = hall.token("admin").await;
        let mut proctors = [
            Proctor::watching(&hall.base(), &token, &grade()).await,
            Proctor::watching(&other.base(), &token, &grade()).await,
        ];
        for student in &mut students {
            let question = student.paper[0].clone();
            student.send(answer(&question, "A")).await;
            student.settle().await;
        }
        for proctor in &mut proctors {
            proctor
                .until("both answers", |proctor| {
                    students.iter().all(|student| {
                        let row = proctor.row(&student.session_id);
                        row["answered"] == 1 && row["connected"] == true
                    })
                })
                .await;
        }
    }

    #[tokio::test]
    async fn students_of_a_server_that_stops_are_shown_by_the_other() {
        need_services();
        let hall = Hall::open().await;
        let mut other = hall.beside().await;
        let there = other.sit(test_of("Bob")).await;
        let token = hall.token("admin").await;
        let mut proctor = Proctor::watching(&hall.base(), &token, &grade()).await;
        let id = there.session_id.clone();
        let is_so = |proctor: &Proctor, is_connected: bool| {
            proctor.rows.get(&id).is_some_and(|row| row["connected"] == is_connected && row["state"] == json!("active"))
        };
        proctor.until("the student", |proctor| is_so(proctor, true)).await;
        other.stop().await;
        proctor.until("nobody is connected there", |proctor| is_so(proctor, false)).await;
    }
}
