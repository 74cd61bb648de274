//! Rosters: every form that they come in, what a second import does, and what is said of rows that can't be used.

use reqwest::Method;
use rust_xlsxwriter::{Format, Workbook};
use serde_json::{Value, json};

use super::{School, path};
use crate::hall::Answer;

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const PEOPLE: &str = "E-Mail;Name;Room;Seat;Factor\nada@exam.test;Ada Müller;B12;1;\nbo@exam.test;Bo;B12;2;125%\n";

async fn import(school: &School, sitting: &Value, kind: &str, body: Vec<u8>, query: &str) -> Answer {
    let path = format!("{}/candidates{query}", path(sitting));
    Answer::to(school.admin.request(Method::PUT, &path).header("content-type", kind).body(body)).await
}

fn report(added: usize, updated: usize, removed: usize) -> Value {
    json!({ "added": added, "updated": updated, "removed": removed, "errors": [] })
}

/// The counts and errors of a report alone.
fn counted(mut report: Value) -> Value {
    report.as_object_mut().unwrap().retain(|name, _| ["added", "updated", "removed", "errors"].contains(&&**name));
    report
}

#[tokio::test]
async fn a_second_import_loses_nothing() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let people = json!([
        { "email": "ada@exam.test", "externalId": "7", "name": "Ada", "room": "B12", "seat": "1", "factor": 150, "note": "by the door" },
        { "email": "bo@exam.test", "name": "Bo" },
        { "externalId": "9", "name": "Cy" },
    ]);
    assert_eq!(counted(school.enrol(&sitting, people).await), report(3, 0, 0));
    let before = school.candidates(&sitting).await;
    // The same people in a list with fewer columns, one of them with a new address.
    let body = b"student id,email,name\n7,ada@new.test,Ada\n,bo@exam.test,Bob\n9,,Cy\n".to_vec();
    let answer = import(&school, &sitting, "text/csv", body, "").await;
    assert_eq!(answer.json(), report(0, 3, 0));
    let after = school.candidates(&sitting).await;
    let mut expected = before.clone();
    expected[0]["email"] = json!("ada@new.test");
    expected[1]["name"] = json!("Bob");
    assert_eq!(after, expected);
    // What was read is sent back as it is: nothing becomes anybody's own.
    let answer = school.enrol(&sitting, json!(after)).await;
    assert_eq!((answer, school.candidates(&sitting).await), (report(0, 3, 0), after.clone()));
    let explained = school.explain(&sitting, &after[1]).await;
    assert_eq!(explained["factor"], json!({ "value": 100, "source": "sitting" }));
}

#[tokio::test]
async fn those_who_have_entered_stay_with_their_times() {
    let school = School::open().await;
    let sitting = school.sitting(20, json!({})).await;
    school
        .enrol(
            &sitting,
            json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]),
        )
        .await;
    let ada = school.candidate(&sitting, "Ada").await;
    school.enter(&sitting, &ada).await;
    assert_eq!(school.candidate(&sitting, "Ada").await["state"], "waiting");
    let report_of = school.enrol(&sitting, json!([{ "email": "cy@exam.test", "name": "Cy" }])).await;
    assert_eq!(report_of, report(1, 0, 1), "Bo goes and Ada stays");
    let changed = json!([{ "email": "ada@exam.test", "name": "Ada L", "seat": "4", "factor": 200 }]);
    assert_eq!(school.enrol(&sitting, changed).await, report(0, 1, 1));
    let ada = school.candidate(&sitting, "Ada L").await;
    assert_eq!((&ada["seat"], &ada["factor"], ada["sessionId"].is_string()), (&json!("4"), &json!(100), true));
    // Once time counts, nobody goes any more: whoever has not come is absent.
    school.enrol(&sitting, json!([{ "email": "di@exam.test", "name": "Di" }])).await;
    school.advance(21);
    assert_eq!(school.enrol(&sitting, json!([{ "email": "ed@exam.test", "name": "Ed" }])).await, report(1, 0, 0));
    assert_eq!(school.candidates(&sitting).await.len(), 3);
}

#[tokio::test]
async fn rows_that_cannot_be_used_are_named_and_take_nobody_away() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test" }, { "email": "bo@exam.test" }])).await;
    let body =
        b"email,factor,starts at\ncy@exam.test,125,2026-06-01T09:00:00+07:00\n\nnobody,401,soon\ncy@exam.test,,\n"
            .to_vec();
    let dry = import(&school, &sitting, "text/csv", body.clone(), "?dryRun=true").await;
    let done = import(&school, &sitting, "text/csv", body, "").await;
    assert_eq!(dry.json(), done.json());
    assert_eq!(
        done.json(),
        json!({ "added": 1, "updated": 0, "removed": 0, "errors": [
            "Row 4: email is not an address; factor must be a whole percentage of 100 to 400; \
             startsAt must be a time with its zone, such as 2026-03-02T09:00:00+07:00",
            "Row 5: email cy@exam.test stands in row 2 already",
        ]})
    );
    assert_eq!(school.candidates(&sitting).await.len(), 3);
    let cy = school.candidate(&sitting, "cy@exam.test").await;
    assert_eq!((&cy["startsAt"], &cy["factor"]), (&json!("2026-06-01T02:00:00.000Z"), &json!(125)));
}

#[tokio::test]
async fn a_dry_run_writes_nothing() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let answer = import(&school, &sitting, "text/csv", PEOPLE.into(), "?dryRun=true").await;
    assert_eq!((counted(answer.json()), answer.header("etag")), (report(2, 0, 0), "\"1\""));
    let now = school.read(&sitting).await;
    assert_eq!((&now["version"], &now["rooms"], &now["counts"]["total"]), (&json!(1), &json!([]), &json!(0)));
    import(&school, &sitting, "text/csv", PEOPLE.into(), "?dryRun=perhaps").await.assert_error(400, "Invalid dryRun");
}

#[tokio::test]
async fn names_are_joined_and_sorted_as_their_language_does() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let table = "E-mail,Họ đệm,Tên\na@exam.test,Nguyễn Thu,Hà\nb@exam.test,Nguyễn Thị Minh,Khai\nc@exam.test,Emma,\n\
                 d@exam.test,Đức,\ne@exam.test,Zoë,\nf@exam.test,Ánh,Trần\n";
    let dry = import(&school, &sitting, "text/csv", table.into(), "?dryRun=true").await.json();
    let joined = [(2, "Nguyễn Thu Hà"), (3, "Nguyễn Thị Minh Khai"), (7, "Ánh Trần")];
    assert_eq!(dry["joinedNames"], json!(joined.map(|(row, name)| json!({ "row": row, "name": name }))), "{dry}");
    import(&school, &sitting, "text/csv", table.into(), "").await;
    let names: Vec<String> =
        school.candidates(&sitting).await.iter().map(|one| one["name"].as_str().unwrap().into()).collect();
    assert_eq!(names, ["Ánh Trần", "Đức", "Emma", "Nguyễn Thị Minh Khai", "Nguyễn Thu Hà", "Zoë"]);
}

#[tokio::test]
async fn a_report_names_what_was_not_read_what_is_new_and_how_the_text_was_read() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({ "rooms": [{ "name": "B12" }] })).await;
    let table = b"E-Mail;Name;Phone;Room\nada@exam.test;Ada M\xfcller;1;\xa0b12 \nbo@exam.test;Bo;2;C1\n".to_vec();
    let dry = import(&school, &sitting, "text/csv", table, "?dryRun=true").await.json();
    let expected = json!({ "added": 2, "updated": 0, "removed": 0, "errors": [],
        "ignoredColumns": ["Phone"], "newRooms": ["C1"], "readAs": "windows-1252" });
    assert_eq!(dry, expected);
    for (table, sentence) in [
        ("email,Rooom\na@exam.test,B12\n", "Column Rooom is not known: did you mean room?"),
        ("Emial,Name\na@exam.test,A\n", "Column Emial is not known: did you mean email?"),
        ("email,name\na@exam.test,\"A\nb@exam.test,B\n", "Row 2: a quotation mark is opened and not closed"),
    ] {
        import(&school, &sitting, "text/csv", table.into(), "").await.assert_error(400, sentence);
    }
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (row, cells) in (0..).zip([["Student ID", "Name"], ["", "Ada"], ["", "Bo"]]) {
        sheet.write_row(row, 0, cells).unwrap();
    }
    sheet.write_number_with_format(1, 0, 42, &Format::new().set_num_format("00000")).unwrap();
    sheet.write_number(2, 0, 12_345_678_901_234_567_u64 as f64).unwrap();
    sheet.set_row_hidden(1).unwrap();
    let report = import(&school, &sitting, XLSX, book.save_to_buffer().unwrap(), "").await.json();
    let errors = ["Row 3: externalId has lost digits: format the column as text and type it again"];
    assert_eq!(report, json!({ "added": 1, "updated": 0, "removed": 0, "errors": errors, "hiddenRows": 1 }));
    assert_eq!(school.candidate(&sitting, "Ada").await["externalId"], "00042");
}

#[tokio::test]
async fn our_own_table_comes_back_as_it_was() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let people = json!([
        { "externalId": "00042", "name": "=Ada", "room": "B;+1", "seat": "-1" },
        { "externalId": "=1+1", "name": "'=Bo", "room": "B12", "factor": 125 },
        { "email": "cy@exam.test", "name": "Cy \"C\", the third" },
    ]);
    school.enrol(&sitting, people).await;
    let before = school.candidates(&sitting).await;
    let table = school.admin.get(&format!("{}/results.csv", path(&sitting))).await.body;
    let report = import(&school, &sitting, "text/csv", table, "").await.json();
    assert_eq!(
        (&report["added"], &report["updated"], &report["errors"]),
        (&json!(0), &json!(3), &json!([])),
        "{report}"
    );
    assert_eq!(school.candidates(&sitting).await, before);
}

#[tokio::test]
async fn ten_thousand_candidates_are_imported_at_once() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let mut text = "email,name,room,seat\n".to_owned();
    for number in 0..10_000 {
        text += &format!("student{number}@exam.test,Student {number},Hall {},{number}\n", number / 100);
    }
    let answer = import(&school, &sitting, "text/csv", text.clone().into_bytes(), "").await;
    assert_eq!((answer.status, counted(answer.json())), (200, report(10_000, 0, 0)));
    let answer = import(&school, &sitting, "text/csv", text.into_bytes(), "").await;
    assert_eq!(answer.json(), report(0, 10_000, 0));
    let sitting = school.read(&sitting).await;
    assert_eq!((&sitting["counts"]["expected"], sitting["rooms"].as_array().unwrap().len()), (&json!(10_000), 100));
    assert!(sitting["rooms"].as_array().unwrap().iter().all(|room| room["candidates"] == 100));
}

#[tokio::test]
async fn a_list_moves_nobody_at_work_into_another_time() {
    let school = School::open().await;
    let rooms = json!([{ "name": "B12" }, { "name": "B13", "factor": 150 }, { "name": "B14" }]);
    let sitting = school.sitting(20, json!({ "start": "proctor", "perRoom": true, "rooms": rooms })).await;
    let people = json!([{ "email": "ada@exam.test", "name": "Ada", "room": "B12" }]);
    school.enrol(&sitting, people).await;
    let ada = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &ada).await;
    // Before anybody has begun, she may wait in another room with the same times.
    let moved = |room: &str| json!([{ "email": "ada@exam.test", "room": room, "seat": "5" }]);
    assert_eq!(school.enrol(&sitting, moved("B14")).await, report(0, 1, 0));
    assert_eq!(school.enrol(&sitting, moved("B12")).await, report(0, 1, 0));
    let refused = json!({ "added": 0, "updated": 0, "removed": 0, "errors": [
        "Row 1: the candidate has entered, and the room has other times: change the candidate alone",
    ]});
    assert_eq!(school.enrol(&sitting, moved("B13")).await, refused, "with half the time more");
    let orders = format!("/api/live/rooms/orders?sittingId={}&room=B12", sitting["id"].as_str().unwrap());
    let begun = school.admin.post_json(&orders, &json!({ "id": "b", "type": "begin" })).await;
    assert_eq!(begun.json(), json!({ "count": 1 }), "{}", begun.text());
    student.begin().await;
    let before = student.state().await;
    assert_eq!(school.enrol(&sitting, moved("B14")).await, refused, "which has not begun");
    assert_eq!(student.state().await["deadline"], before["deadline"]);
    let ada = school.candidate(&sitting, "Ada").await;
    assert_eq!((&ada["room"], &ada["state"]), (&json!("B12"), &json!("active")));
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn a_table_is_read_in_every_form_that_spreadsheets_save() {
        let school = School::open().await;
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        for (row, line) in (0..).zip(PEOPLE.trim().lines()) {
            for (column, text) in (0..).zip(line.split(';')) {
                sheet.write_string(row, column, text).unwrap();
            }
        }
        let latin = encoding_rs::WINDOWS_1252.encode(PEOPLE).0.into_owned();
        let forms = [
            PEOPLE.as_bytes().to_vec(),
            PEOPLE.replace(';', ",").into_bytes(),
            PEOPLE.replace(';', "\t").replace('\n', "\r\n").into_bytes(),
            [b"\xef\xbb\xbf", PEOPLE.as_bytes()].concat(),
            latin,
            workbook.save_to_buffer().unwrap(),
        ];
        for body in forms {
            let sitting = school.sitting(60, json!({})).await;
            let answer = import(&school, &sitting, "text/csv", body, "").await;
            assert_eq!((answer.status, counted(answer.json()), answer.header("etag")), (200, report(2, 0, 0), "\"2\""));
            let ada = school.candidate(&sitting, "Ada Müller").await;
            for (name, value) in [
                ("email", json!("ada@exam.test")),
                ("room", json!("B12")),
                ("seat", json!("1")),
                ("factor", json!(100)),
                ("extraMinutes", json!(0)),
                ("state", json!("expected")),
                ("sessionId", Value::Null),
            ] {
                assert_eq!(ada[name], value, "{name}");
            }
            assert!(ada.get("externalId").is_none());
            assert_eq!(school.candidate(&sitting, "Bo").await["factor"], 125);
            assert_eq!(school.read(&sitting).await["counts"]["expected"], 2);
        }
    }

    #[tokio::test]
    async fn files_of_a_school_system_come_in_one_form() {
        let school = School::open().await;
        let users = "sourcedId,status,enabledUser,givenName,familyName,role,email\n\
        u1,active,true,Ada,L,student,ada@exam.test\nu2,active,true,Bo,M,teacher,bo@exam.test\nu3,active,true,Cy,N,student,\n";
        let enrollments =
            "sourcedId,classSourcedId,schoolSourcedId,userSourcedId,role\ne1,c1,s,u1,student\ne2,c2,s,u3,student\n";
        let send = async |sitting: &Value, files: &[(&'static str, &'static str)], query: &str| {
            let part = |(name, text): &(&str, &str)| {
                format!(
                    "--edge\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}.csv\"\r\n\r\n{text}\r\n"
                )
            };
            let body = files.iter().map(part).collect::<String>() + "--edge--\r\n";
            let path = format!("{}/candidates{query}", path(sitting));
            let request = school.admin.request(Method::PUT, &path);
            Answer::to(request.header("content-type", "multipart/form-data; boundary=edge").body(body)).await
        };
        let sitting = school.sitting(60, json!({})).await;
        let answer = send(&sitting, &[("users", users), ("enrollments", enrollments)], "?class=c1").await;
        assert_eq!((answer.status, counted(answer.json())), (200, report(1, 0, 0)), "{}", answer.text());
        let answer = send(&sitting, &[("enrollments", enrollments), ("users", users)], "").await;
        assert_eq!(counted(answer.json()), report(1, 1, 0));
        let cy = school.candidate(&sitting, "Cy N").await;
        assert_eq!((&cy["externalId"], cy.get("email")), (&json!("u3"), None));
        let alone = send(&sitting, &[("enrollments", enrollments)], "").await;
        alone.assert_error(400, "Missing columns: email or externalId");
        send(&sitting, &[], "").await.assert_error(400, "Invalid file");
    }

    #[tokio::test]
    async fn what_is_no_roster_is_refused() {
        let school = School::open().await;
        let sitting = school.sitting(60, json!({})).await;
        for (kind, body, message) in [
            ("text/csv", "Dear all, the exam is on Monday.", "Missing columns: email or externalId"),
            ("text/csv", "room,seat\nB12,1\n", "Missing columns: email or externalId"),
            ("text/csv", "\0\0\0", "Missing columns: email or externalId"),
            ("application/json", "{}", "Invalid candidates"),
            ("application/json", "{\"candidates\":5}", "Invalid candidates"),
            ("application/json", "oh", "Invalid body"),
            ("application/octet-stream", "PK\u{3}\u{4}", "Not a spreadsheet workbook"),
        ] {
            import(&school, &sitting, kind, body.into(), "").await.assert_error(400, message);
        }
        let request =
            school.admin.request(Method::PUT, &format!("{}/candidates", path(&sitting))).header("if-match", "\"7\"");
        Answer::to(request.json(&json!([]))).await.assert_error(412, "Sitting has changed");
    }
}
