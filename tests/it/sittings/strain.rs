//! What staff need for the next exam while answers of another one are saved late. Each save has to be late first, which
//! takes most of a second.

use reqwest::Method;
use serde_json::json;

use super::slips::{codes, made, text};
use super::{School, path, send};
use crate::either_database::operations::shedding::{SOON, send_late};
use crate::hall::{Answer, Candidate};

const BUSY: &str = "The server is busy";
/// A table that is refused first.
const TABLE: &str = "/api/admin/results";
const REGISTER: &str = "/api/admin/accommodations";
/// A save counts as late for two seconds after its end, and a busy machine may need longer for the work.
const TRIES_MAX: usize = 10;

/// Does the work just after a save that was late: on SQLite nothing can be written while it is under way.
async fn while_late(school: &School, at_work: &mut Candidate, mut work: impl AsyncFnMut()) {
    for _ in 0..TRIES_MAX {
        let (hold, seq) = send_late(&school.hall, at_work).await;
        school.admin.get(TABLE).await.assert_error(503, BUSY);
        hold.release().await;
        at_work.socket().expect_saved(seq).await;
        work().await;
        if school.admin.get(TABLE).await.status == 503 {
            return;
        }
    }
    panic!("saves were not late for long enough");
}

#[tokio::test]
async fn who_comes_late_gets_a_code_while_papers_and_tables_are_refused() {
    let school = School::with(&[SOON]).await;
    let sitting = school.sitting(60, json!({})).await;
    let people = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let ada = school.candidate(&sitting, "Ada").await;
    let only = format!("?candidateId={}&renew=true", ada["id"].as_str().unwrap());
    let mut at_work = school.hall.sit(json!({ "grade": 5 })).await;

    let (hold, seq) = send_late(&school.hall, &mut at_work).await;
    for file in ["results.csv", "results.xlsx", "incidents.csv", "reports.zip"] {
        school.admin.get(&format!("{}/{file}", path(&sitting))).await.assert_error(503, BUSY);
    }
    made(&school, &sitting, "").await.assert_error(503, BUSY);
    let kit = school.admin.request(Method::POST, &format!("{}/kit.pdf", path(&sitting)));
    Answer::to(kit).await.assert_error(503, BUSY);
    hold.release().await;
    at_work.socket().expect_saved(seq).await;

    while_late(&school, &mut at_work, async || {
        assert_eq!(codes(&text(&made(&school, &sitting, &only).await)).len(), 1);
    })
    .await;
}

#[tokio::test]
async fn rosters_and_accommodations_are_not_refused() {
    let school = School::with(&[SOON]).await;
    let sitting = school.sitting(60, json!({})).await;
    let list = format!("{}/candidates", path(&sitting));
    let people = json!({ "candidates": [{ "email": "ada@exam.test", "name": "Ada" }] });
    let needs = json!({ "accommodations": [{ "email": "ada@exam.test", "factor": 125 }] });
    let mut at_work = school.hall.sit(json!({ "grade": 5 })).await;
    while_late(&school, &mut at_work, async || {
        for (address, body) in [(&*list, &people), (REGISTER, &needs)] {
            let stored = send(&school.admin, Method::PUT, address, body).await;
            assert_eq!(stored.status, 200, "{address}: {}", stored.text());
        }
        let file = school.admin.request(Method::PUT, &list).header("content-type", "text/csv");
        let stored = Answer::to(file.body("email,name\nada@exam.test,Ada\nbo@exam.test,Bo\n")).await;
        assert_eq!(stored.status, 200, "{}", stored.text());
    })
    .await;
    assert_eq!(school.candidates(&sitting).await.len(), 2);
}

mod several_servers {
    use sea_orm::{ConnectionTrait, Database, Statement};

    use super::super::bundle::files;
    use super::*;
    use crate::hall::{Hold, eventually, need_services};

    /// Only Postgres can hold a report and let saves go on, and the other way round.
    #[tokio::test]
    async fn a_file_of_reports_that_has_begun_is_whole_although_saves_become_late() {
        need_services();
        let school = School::with(&[SOON]).await;
        let sitting = school.sitting(5, json!({})).await;
        let people = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]);
        school.enrol(&sitting, people).await;
        let mut students = school.enter_all(&sitting).await;
        school.advance(6);
        for student in &mut students {
            student.begin().await;
            student.submit().await;
        }
        let mut at_work = school.hall.sit(json!({ "grade": 5 })).await;

        let reports = Hold::take(&school.hall, "", "LOCK TABLE questions IN ACCESS EXCLUSIVE MODE").await;
        let (admin, address) = (school.admin.clone(), format!("{}/reports.zip", path(&sitting)));
        let asked = tokio::spawn(async move { admin.get(&address).await });
        let connection = Database::connect(school.hall.database_url()).await.unwrap();
        let waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%\"questions\"%' AND datname = current_database()";
        eventually("the first report is being made", async || {
            let row = Statement::from_string(connection.get_database_backend(), waits);
            let row = connection.query_one_raw(row).await.unwrap().unwrap();
            (row.try_get_by_index::<i64>(0).unwrap() > 0).then_some(())
        })
        .await;
        connection.close().await.unwrap();
        let (saves, seq) = send_late(&school.hall, &mut at_work).await;
        reports.release().await;
        // Time passes for whatever would be tried again.
        let answer = school.as_time_passes(asked).await.unwrap();
        let names: Vec<String> = files(&answer).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["1-Ada.pdf", "2-Bo.pdf"]);
        school.admin.get(TABLE).await.assert_error(503, BUSY);
        saves.release().await;
        at_work.socket().expect_saved(seq).await;
    }
}
