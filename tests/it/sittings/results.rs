//! The results of a sitting, in all three forms.

use calamine::{Data, Reader, Xlsx};
use reqwest::Method;
use serde_json::{Value, json};

use super::entrant::{Entrant, knock};
use super::{School, path};
use crate::hall::Answer;

#[tokio::test]
async fn every_candidate_has_a_row() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let people = json!([{ "email": "ada@exam.test", "name": "Ada", "room": "B12", "seat": "4" }, { "externalId": "=1+1", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let ada = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &ada).await;
    school.advance(6);
    student.begin().await;
    assert_eq!(student.submit().await["held"], true);
    let session = school.admin.get(&format!("/api/sessions/{}", student.session_id)).await.json();
    let result = &session["result"];
    let rows = school.admin.get(&format!("{}/results", path(&sitting))).await;
    assert_eq!(rows.header("cache-control"), "no-store");
    let rows = rows.json()["rows"].clone();
    let report = format!("http://exam.localhost/report/{}", student.session_id);
    assert_eq!(
        rows[0],
        json!({
            "candidate": { "id": ada["id"], "email": "ada@exam.test", "name": "Ada", "room": "B12", "seat": "4" },
            "state": "submitted", "sessionId": student.session_id, "score": result["score"],
            "right": result["correctAnswers"], "questions": 10, "time": result["timeTaken"], "report": report,
        })
    );
    let bo = &rows[1];
    assert_eq!(
        (&bo["state"], &bo["score"], &bo["candidate"]["externalId"]),
        (&json!("expected"), &Value::Null, &json!("=1+1"))
    );

    let text = school.admin.get(&format!("{}/results.csv", path(&sitting))).await;
    let day = &sitting["startsAt"].as_str().unwrap()[..10];
    let named = format!("attachment; filename=\"Finals-{day}-results.csv\"");
    assert_eq!((text.status, text.header("content-disposition")), (200, &*named));
    let text = text.text();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert!(lines[0].starts_with("name,email,externalId,room,seat,state,"), "{text}");
    assert!(lines[1].starts_with("Ada,ada@exam.test,,B12,4,submitted,100,0,"), "{text}");
    assert!(lines[2].starts_with("Bo,,'=1+1,,,expected,"), "{text}");
    assert_eq!(lines.len(), 3);

    let file = school.admin.get(&format!("{}/results.xlsx", path(&sitting))).await;
    assert_eq!(file.status, 200, "{}", file.text());
    let mut workbook = Xlsx::new(std::io::Cursor::new(file.body)).unwrap();
    let sheet = workbook.worksheet_range("Results").unwrap();
    let cells: Vec<Vec<Data>> = sheet.rows().map(<[Data]>::to_vec).collect();
    assert_eq!((cells.len(), cells[1][0].to_string(), cells[1][13].to_string()), (3, "Ada".to_owned(), report));
    assert_eq!(cells[2][2], Data::String("=1+1".to_owned()));
}

#[tokio::test]
async fn the_link_of_a_report_is_the_server_s_own_whatever_the_candidate_sends() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({ "results": "now" })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let enter = json!({ "sittingId": sitting["id"], "baseUrl": "https://evil.example" });
    let mut ada = Entrant::signed_in(&school.hall, "ada@exam.test", enter).await;
    school.advance(6);
    ada.socket.expect("begin").await;
    let submitted = ada.submit(1).await;
    let link = format!("http://exam.localhost/report/{}", ada.session_id);
    assert_eq!(submitted["reportUrl"], link);
    assert_eq!(school.hall.stored_session(&ada.session_id).await["reportUrl"], link);
    let table = school.admin.get(&format!("{}/results.csv", path(&sitting))).await.text();
    assert!(table.contains(&link), "{table}");
    let malformed = json!({ "sittingId": sitting["id"], "baseUrl": "ftp://evil.example" });
    knock(&school.hall.base(), &[], malformed).await.expect_error("bad_message").await;
}

#[tokio::test]
async fn files_are_named_after_the_sitting_and_its_day_at_the_school() {
    let school = School::open().await;
    let zone =
        school.admin.request(Method::PATCH, "/api/admin/school").json(&json!({ "timeZone": "Asia/Ho_Chi_Minh" }));
    assert_eq!(Answer::to(zone).await.status, 200);
    // Before midnight in UTC, and already the next day at the school.
    let plan = json!({ "name": "Kiểm tra giữa kỳ: Toán 5", "startsAt": "2030-11-19T20:00:00Z" });
    let sitting = school.sitting(60, plan).await;
    school.enrol(&sitting, json!([{ "externalId": "9", "name": "Bo", "room": "Phòng 12" }])).await;
    let of_sitting = path(&sitting);
    let of_template = format!("/api/manager/results.csv?templateId={}", school.template);
    let today = school.at(7 * 60)[..10].to_owned();
    for (address, plain, full) in [
        (format!("{of_sitting}/results.csv"), "Kiem-tra-giua-ky-Toan-5-2030-11-20-results.csv", "-results.csv"),
        (format!("{of_sitting}/results.xlsx"), "Kiem-tra-giua-ky-Toan-5-2030-11-20-results.xlsx", "-results.xlsx"),
        (format!("{of_sitting}/incidents.csv"), "Kiem-tra-giua-ky-Toan-5-2030-11-20-incidents.csv", "-incidents.csv"),
        (format!("{of_sitting}/slips.pdf"), "Kiem-tra-giua-ky-Toan-5-2030-11-20-slips.pdf", "-slips.pdf"),
        (
            format!("{of_sitting}/slips.pdf?room=ph%C3%B2ng%2012"),
            "Kiem-tra-giua-ky-Toan-5-2030-11-20-phong-12-slips.pdf",
            "-ph%C3%B2ng-12-slips.pdf",
        ),
        (of_template, &*format!("Final-paper-{today}-results.csv"), ""),
        ("/api/manager/results.csv?grade=5".to_owned(), &*format!("grade5-{today}-results.csv"), ""),
        ("/api/admin/results?format=csv".to_owned(), &*format!("results-{today}.csv"), ""),
        ("/api/admin/audit/export".to_owned(), &*format!("audit-{today}.csv"), ""),
    ] {
        let answer = school.admin.get(&address).await;
        let expected = match full {
            "" => format!("attachment; filename=\"{plain}\""),
            ending => format!(
                "attachment; filename=\"{plain}\"; \
                filename*=UTF-8''Ki%E1%BB%83m-tra-gi%E1%BB%AFa-k%E1%BB%B3-To%C3%A1n-5-2030-11-20{ending}"
            ),
        };
        assert_eq!((answer.status, answer.header("content-disposition")), (200, &*expected), "{address}");
    }
}
