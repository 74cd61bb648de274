//! Workbooks whose questions go to the external service.

use reqwest::Method;
use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use super::admin;
use crate::hall::{Answer, Browser, External, Told, external_bank};

const HEADER: [&str; 8] = ["id", "grade", "difficulty", "question", "optionA", "optionB", "answer", "topic"];

/// A workbook without columns for explanation, source and more; each row gives an id and an answer.
fn workbook(rows: &[(&str, &str)]) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (place, name) in (0..).zip(HEADER) {
        sheet.write_string(0, place, name).unwrap();
    }
    for (number, (id, answer)) in (1..).zip(rows) {
        for (place, text) in (0..).zip([id, "5", "3", "2 + 2?", "3", "4", answer, "Sums"]) {
            sheet.write_string(number, place, text.to_owned()).unwrap();
        }
    }
    book.save_to_buffer().unwrap()
}

async fn import(admin: &Browser, path: &str, file: &[u8]) -> Answer {
    let head = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"q.xlsx\"\r\nContent-Type: application/octet-stream\r\n\r\n";
    let body = [head.as_bytes(), file, b"\r\n--edge--\r\n"].concat();
    let request =
        admin.with_cookies(Method::POST, path).header("origin", admin.origin()).header("sec-fetch-site", "same-origin");
    Answer::to(request.header("content-type", "multipart/form-data; boundary=edge").body(body)).await
}

#[tokio::test]
async fn good_rows_are_sent_whole_in_one_call() {
    let external = External::open().await;
    let hall = external.hall().await;
    let admin = admin(&hall, &external).await;
    let told =
        json!({ "added": 1, "updated": 0, "errors": ["Row 2: the service says no", "a\u{7}b", "Something else"] });
    external.on("POST /v1/questions/import", Told::Json(200, told));
    // A number of rows of the sheet differs from that of the rows that are sent: the first one is refused here.
    let answer = import(&admin, "/api/admin/import", &workbook(&[("", "E"), ("", "B"), ("x5-001", "A")])).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let errors = json!(["Row 2: answer must be one of A, B, C, D", "Row 4: the service says no", "Something else"]);
    assert_eq!(answer.json(), json!({ "added": 1, "updated": 0, "errors": errors }));
    let calls = external.calls("POST");
    assert_eq!((calls.len(), calls[0].line.as_str()), (1, "POST /v1/questions/import"));
    let rows: Vec<Value> = calls[0].json()["rows"].as_array().unwrap().clone();
    let mut expected = external_bank(5)[1].clone();
    for (name, value) in
        [("difficulty", json!(3)), ("question", json!("2 + 2?")), ("answer", json!("A")), ("topic", json!("Sums"))]
    {
        expected[name] = value;
    }
    expected["options"] = json!(["3", "4", "7/8", "none"]);
    expected["fixedOptions"] = json!(false);
    assert!(rows.contains(&expected), "{rows:?}");
    let new = rows.iter().find(|row| row["id"] != "x5-001").unwrap();
    assert!(uuid::Uuid::parse_str(new["id"].as_str().unwrap()).is_ok(), "{new}");
}

#[tokio::test]
async fn an_import_may_be_sent_again_and_is_named_when_it_fails() {
    let external = External::open().await;
    let hall = external.hall().await;
    let admin = admin(&hall, &external).await;
    let file = workbook(&[("", "B")]);
    external.on("POST /v1/questions/import", Told::Json(200, json!({ "added": 1, "updated": 0, "errors": [] })));
    external.then("POST /v1/questions/import", [Told::error(500, "Oh"), Told::Cut]);
    assert_eq!(
        import(&admin, "/api/admin/import", &file).await.json(),
        json!({ "added": 1, "updated": 0, "errors": [] })
    );
    let ids: Vec<Value> = external.calls("POST").iter().map(|call| call.json()["rows"][0]["id"].clone()).collect();
    assert!(ids.len() == 3 && ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    external.on("POST /v1/questions/import", Told::error(400, "Too many rows"));
    import(&admin, "/api/admin/import", &file).await.assert_error(400, "Too many rows");
}

#[tokio::test]
async fn a_dry_run_only_reads() {
    let external = External::open().await;
    let hall = external.hall().await;
    let admin = admin(&hall, &external).await;
    let answer =
        import(&admin, "/api/admin/import?dryRun=true", &workbook(&[("", "B"), ("x5-001", "A"), ("x6-001", "A")]))
            .await;
    let report = answer.json();
    assert_eq!((&report["added"], &report["updated"], &report["errors"]), (&json!(1), &json!(2), &json!([])));
    assert!(external.calls("").iter().all(|call| call.line.starts_with("GET ")));
}
