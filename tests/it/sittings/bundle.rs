//! The reports of a class in one file.

use std::io::{Cursor, Read};

use serde_json::json;
use zip::ZipArchive;

use super::{School, path};
use crate::hall::Answer;

/// The files of an archive, in its order.
pub fn files(answer: &Answer) -> Vec<(String, Vec<u8>)> {
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/zip"), "{}", answer.text());
    let mut archive = ZipArchive::new(Cursor::new(answer.body.clone())).unwrap();
    let all = 0..archive.len();
    all.map(|index| {
        let mut file = archive.by_index(index).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        (file.name().unwrap().into_owned(), content)
    })
    .collect()
}

#[tokio::test]
async fn the_reports_of_a_class_are_one_file_by_name() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({ "name": "Toán 5" })).await;
    let people = json!([
        { "email": "zoe@exam.test", "name": "Zoë", "room": "B12" },
        { "email": "duc@exam.test", "name": "Nguyễn Văn Đức", "room": "A01" },
        { "email": "bo@exam.test", "name": "Bo", "room": "B12" },
        { "email": "at.work@exam.test", "name": "Carla", "room": "B12" },
        { "email": "absent@exam.test", "name": "Absent", "room": "B12" },
    ]);
    school.enrol(&sitting, people).await;
    let address = format!("{}/reports.zip", path(&sitting));
    assert!(files(&school.admin.get(&address).await).is_empty(), "nobody has handed in");
    let mut students = Vec::new();
    for name in ["Bo", "Nguyễn Văn Đức", "Zoë", "Carla"] {
        let candidate = school.candidate(&sitting, name).await;
        students.push(school.enter(&sitting, &candidate).await);
    }
    school.advance(6);
    for student in &mut students {
        student.begin().await;
    }
    let _at_work = students.pop();
    for student in &mut students {
        assert_eq!(student.submit().await["held"], true);
    }

    let answer = school.admin.get(&address).await;
    let day = &sitting["startsAt"].as_str().unwrap()[..10];
    let named = format!("filename=\"Toan-5-{day}-reports.zip\"");
    assert!(answer.header("content-disposition").contains(&named), "{}", answer.header("content-disposition"));
    assert_eq!(answer.header("cache-control"), "no-store");
    let found = files(&answer);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["1-Bo.pdf", "2-Nguyễn-Văn-Đức.pdf", "3-Zoë.pdf"]);
    for ((name, content), student) in found.iter().zip(&students) {
        let single = school.admin.get(&format!("/api/report/{}/pdf", student.session_id)).await;
        assert!(single.status == 200 && &single.body == content, "{name} is the report of {}", student.session_id);
    }

    let of_room = files(&school.admin.get(&format!("{address}?room=b12")).await);
    assert_eq!(of_room.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["1-Bo.pdf", "2-Zoë.pdf"]);
    school.admin.get(&format!("{address}?room=none")).await.assert_error(400, "Invalid room");
    let entries = school.admin.get("/api/admin/audit?action=reports.exported").await.json();
    assert_eq!((&entries["total"], &entries["entries"][0]["subject"]), (&json!(3), &sitting["id"]));
    let details: Vec<&str> =
        entries["entries"].as_array().unwrap().iter().map(|entry| entry["detail"].as_str().unwrap()).collect();
    assert_eq!(details, ["2 reports, room B12", "3 reports", "0 reports"]);
    school.admin.get(&format!("{address}?language=x")).await.assert_error(400, "Invalid language");
    let vietnamese = files(&school.admin.get(&format!("{address}?language=vi")).await);
    let single = school.admin.get(&format!("/api/report/{}/pdf?language=vi", students[0].session_id)).await;
    assert!(single.status == 200 && vietnamese[0].1 == single.body && vietnamese[0].1 != found[0].1);
}

#[tokio::test]
async fn a_test_that_goes_on_is_named_and_its_old_result_is_not_in_the_file() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let people = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let mut students = Vec::new();
    for name in ["Ada", "Bo"] {
        let candidate = school.candidate(&sitting, name).await;
        students.push(school.enter(&sitting, &candidate).await);
    }
    school.advance(6);
    for student in &mut students {
        student.begin().await;
    }
    for student in &mut students {
        student.submit().await;
    }
    let order = json!({ "id": "again", "type": "reopen", "minutes": 5 });
    let orders = format!("/api/live/sessions/{}/orders", students[1].session_id);
    assert_eq!(school.admin.post_json(&orders, &order).await.status, 200);

    let address = format!("{}/reports.zip", path(&sitting));
    let found = files(&school.admin.get(&address).await);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["1-Ada.pdf", "not-included.txt"]);
    assert_eq!(String::from_utf8_lossy(&found[1].1), "Bo: The test goes on\r\n");

    assert_eq!(students[1].resume().await["state"], "active");
    students[1].submit().await;
    let names: Vec<String> = files(&school.admin.get(&address).await).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["1-Ada.pdf", "2-Bo.pdf"], "it has ended again");
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn nobody_else_gets_the_reports_of_a_class() {
        let school = School::open().await;
        let sitting = school.sitting(5, json!({})).await;
        school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
        let address = format!("{}/reports.zip", path(&sitting));
        school.hall.anonymous().get(&address).await.assert_error(401, "Unauthorized");
        for who in ["student", "reviewer"] {
            school.hall.signed_in(who).await.get(&address).await.assert_error(403, "Forbidden");
        }
        // A manager, but of another grade.
        school.hall.staff_of("manager", 6).await.get(&address).await.assert_error(403, "Not assigned to this grade");
    }
}
