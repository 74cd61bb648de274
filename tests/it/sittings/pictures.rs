//! Pictures of questions that an exam withholds: nobody but staff of the grade sees them before the doors open.

use image::ImageFormat;
use serde_json::{Value, json};

use super::School;
use crate::either_database::pictures::{file, show, upload};
use crate::hall::eventually;

#[tokio::test]
async fn a_picture_of_an_exam_is_withheld_until_its_doors_open() {
    let school = School::open().await;
    let staff = school.hall.staff_of("reviewer", 5).await;
    let elsewhere = school.hall.staff_of("manager", 6).await;
    let template = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await.json();
    let list = &template["template"]["standardQuestions"];
    let (first, second) = (list[0]["id"].as_str().unwrap(), list[1]["id"].as_str().unwrap());
    let bank = school.hall.bank(5).await.ids();
    let paper: Vec<&Value> = list.as_array().unwrap().iter().map(|question| &question["id"]).collect();
    let outside = bank.iter().find(|id| !paper.iter().any(|other| other.as_str() == Some(id))).unwrap();
    let secret = upload(&school.admin, file(20, 10, ImageFormat::Png)).await;
    let shared = upload(&school.admin, file(21, 10, ImageFormat::Png)).await;
    show(&school.admin, first, &secret).await;
    show(&school.admin, second, &shared).await;
    show(&school.admin, outside, &shared).await;
    let stranger = school.hall.anonymous();
    assert_eq!(stranger.get(&secret).await.status, 200, "no exam has the question yet");
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    eventually("it is withheld", async || (stranger.get(&secret).await.status == 404).then_some(())).await;
    for known in [stranger.get_with(&secret, "if-none-match", "*").await, elsewhere.get(&secret).await] {
        known.assert_error(404, "Not found");
    }
    let seen = staff.get(&secret).await;
    assert_eq!((seen.status, seen.header("cache-control")), (200, "private, no-cache"));
    assert_eq!(stranger.get(&shared).await.status, 200, "a question that nobody withholds shows it");
    school.advance(31);
    // With the first who enters the paper is on its way.
    let ada = school.candidate(&sitting, "Ada").await;
    let _student = school.enter(&sitting, &ada).await;
    eventually("the doors are open", async || (stranger.get(&secret).await.status == 200).then_some(())).await;
}
