//! `GET /api/admin/results`: the table for spreadsheets.

use calamine::{Data, Reader, Xlsx, open_workbook_from_rs};
use serde_json::json;

use super::{create, honest, sit};
use crate::hall::{Caller, Hall};

const HEADINGS: &str = "sessionId,student,studentId,account,grade,template,event,startedAt (UTC),completedAt (UTC),\
    timeTaken (s),score,correctAnswers,totalQuestions,accuracy (%),origin,verified,webhookSent,templateId,reportUrl";

async fn table(admin: &Caller, query: &str) -> Vec<String> {
    let answer = admin.get(&format!("/api/admin/results{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(
        (answer.header("content-type"), answer.header("cache-control")),
        ("text/csv; charset=utf-8", "no-store")
    );
    let named = regex::Regex::new(r#"^attachment; filename="results-\d{4}-\d{2}-\d{2}\.csv"$"#).unwrap();
    assert!(named.is_match(answer.header("content-disposition")), "{}", answer.header("content-disposition"));
    answer.text().strip_prefix('\u{feff}').unwrap().lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn live_results_are_a_table_and_others_when_asked_for() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assert_eq!(table(&admin, "").await, [HEADINGS]);
    let student = hall.signed_in("student").await;
    let annotations = json!({ "name": "Ada, \"the first\"", "studentId": "s-17", "event": 23 });
    let live = sit(&hall, &student, json!({ "annotations": annotations })).await;
    let client = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    let session = hall.stored_session(&live).await;
    let text = |name: &str| session[name].as_str().unwrap().to_owned();
    let result = &session["result"];
    let row = format!(
        r#"{live},"Ada, ""the first""",s-17,student@exam.test,5,,23,{},{},{},{},{},10,{},live,yes,no,,{}"#,
        text("startedAt"),
        text("completedAt"),
        result["timeTaken"],
        result["score"],
        result["correctAnswers"],
        result["accuracy"].as_f64().unwrap(),
        format_args!("http://exam.localhost/report/{live}"),
    );
    assert_eq!(table(&admin, "").await, [HEADINGS.to_owned(), row.clone()]);
    let all = table(&admin, "?origin=all&format=csv&grade=5").await;
    assert_eq!((all.len(), &all[2]), (3, &row), "the newest first");
    assert!(all[1].starts_with(&client) && all[1].contains(",client,yes,no,"), "{}", all[1]);
    assert_eq!(table(&admin, "?event=24&origin=all").await.len(), 1);
    assert_eq!(table(&admin, "?q=ada").await.len(), 2);
}

#[tokio::test]
async fn no_name_is_a_formula() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let names =
        ["=HYPERLINK(\"http://evil.example\")", "+1", "-1", "@SUM(A1)", " =1", "Ada", "x;=1+1", "＝1+1", "y;\"=1\""];
    for name in names {
        let mut body = honest(&hall.bank(5).await);
        body["annotations"] = json!({ "name": name, "studentId": "=2" });
        create(&hall.anonymous(), &body).await;
    }
    let rows = table(&admin, "?origin=client").await;
    let shown = rows[1..].join("\n");
    for name in
        ["\"'=HYPERLINK(", ",'+1,", ",'-1,", ",'@SUM(A1),", ",'=1,", ",Ada,", ",x;'=1+1,", ",'＝1+1,", "y;'\"\"=1"]
    {
        assert!(shown.contains(name), "{name}: {shown}");
    }
    assert!(rows[1..].iter().all(|row| row.contains(",'=2,")), "{shown}");
}

#[tokio::test]
async fn the_accuracy_is_that_of_the_session() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut unknown = honest(&hall.bank(5).await);
    unknown["result"]["answers"][0]["questionId"] = json!("elsewhere");
    unknown["result"]["accuracy"] = json!(12.34);
    let mut third = honest(&hall.bank(5).await);
    third["result"]["answers"].as_array_mut().unwrap().truncate(3);
    third["result"]["answers"][0]["selected"] = json!("");
    third["result"]["totalQuestions"] = json!(3);
    third["result"]["correctAnswers"] = json!(2);
    for (body, verified) in [(unknown, false), (third, true)] {
        let id = create(&hall.anonymous(), &body).await;
        let session = hall.stored_session(&id).await;
        let accuracy = session["result"]["accuracy"].as_f64().unwrap();
        assert_eq!((accuracy, &session["verified"]), (if verified { 66.7 } else { 12.3 }, &json!(verified)));
        let rows = table(&admin, "?origin=client").await;
        let row = rows.iter().find(|row| row.starts_with(&id)).unwrap();
        assert!(row.contains(&format!(",{accuracy},client,")), "{row}");
    }
}

#[tokio::test]
async fn the_workbook_has_the_same_rows() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let live = sit(&hall, &hall.anonymous(), json!({ "annotations": { "name": "=1+1", "studentId": 17 } })).await;
    let session = hall.stored_session(&live).await;
    let answer = admin.get("/api/admin/results?format=xlsx").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.header("content-disposition").ends_with(".xlsx\""), "{}", answer.header("content-disposition"));
    let mut workbook: Xlsx<_> = open_workbook_from_rs(std::io::Cursor::new(answer.body)).unwrap();
    let sheet = workbook.worksheet_range("Results").unwrap();
    let rows: Vec<&[Data]> = sheet.rows().collect();
    let heads: Vec<String> = rows[0].iter().map(ToString::to_string).collect();
    assert_eq!((heads.join(","), rows.len()), (HEADINGS.to_owned(), 2));
    assert_eq!(
        (&rows[1][0], &rows[1][1], &rows[1][2], &rows[1][4]),
        (&Data::String(live), &Data::String("=1+1".into()), &Data::String("17".into()), &Data::Float(5.0))
    );
    assert_eq!(rows[1][10], Data::Float(session["result"]["score"].as_f64().unwrap()));
    let Data::DateTime(moment) = &rows[1][7] else { panic!("no time: {:?}", rows[1][7]) };
    let (year, ..) = moment.to_ymd_hms_milli();
    assert_eq!(year.to_string(), session["startedAt"].as_str().unwrap()[..4]);
    let formulas = workbook.worksheet_formula("Results").unwrap();
    assert!(formulas.used_cells().next().is_none(), "a name is no formula");
}

#[tokio::test]
async fn each_wrong_parameter_is_named() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for (query, name) in [("format=pdf", "format"), ("grade=0", "grade"), ("origin=x", "origin"), ("from=x", "from")] {
        admin.get(&format!("/api/admin/results?{query}")).await.assert_error(400, &format!("Invalid {name}"));
    }
}
