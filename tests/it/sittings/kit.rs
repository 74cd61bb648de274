//! The morning kit: which papers are in the file, what stands on which of them, and whose codes it makes.

use std::process::Command;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::slips::{codes, text};
use super::{School, id, path, send};
use crate::hall::Answer;

async fn kit(school: &School, sitting: &Value, query: &str) -> Answer {
    Answer::to(school.admin.request(Method::POST, &format!("{}/kit.pdf{query}", path(sitting)))).await
}

/// The text of each page.
fn pages(answer: &Answer) -> Vec<String> {
    let whole = text(answer);
    // Each page ends with a form feed.
    whole.split_terminator('\u{c}').map(str::to_owned).collect()
}

async fn school() -> (School, Value) {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let people = json!([
        { "email": "ada@exam.test", "name": "Ada Nguyễn Thị Ánh Tuyết", "room": "B12", "seat": "A10", "factor": 150 },
        { "externalId": "HS-7", "name": "Bo 王", "room": "B12", "seat": "A9" },
        { "externalId": "HS-8", "name": "Cy", "room": "B12", "seat": "B9", "extraMinutes": 10 },
        { "externalId": "HS-9", "name": "Di", "room": "A01" },
        { "externalId": "HS-10", "name": "Em" },
    ]);
    school.enrol(&sitting, people).await;
    (school, sitting)
}

#[tokio::test]
async fn a_kit_makes_the_codes_that_slips_make() {
    let (school, sitting) = school().await;
    let has_code = async || {
        let all = school.candidates(&sitting).await;
        all.iter().filter(|candidate| candidate["hasAccessCode"] == true).count()
    };
    let without = kit(&school, &sitting, "?parts=door,plan,list").await;
    assert_eq!((codes(&text(&without)).len(), has_code().await), (0, 0));
    let of_hall = codes(&text(&kit(&school, &sitting, "?room=b12").await));
    assert_eq!((of_hall.len(), has_code().await), (3, 3));
    let whole = text(&kit(&school, &sitting, "").await);
    let said = (codes(&whole).len(), whole.matches("as on your earlier slip").count(), has_code().await);
    assert_eq!(said, (2, 3, 5), "{whole}");
    let renewed = codes(&text(&kit(&school, &sitting, "?parts=slips&renew=true").await));
    assert!(renewed.len() == 5 && renewed.iter().all(|code| !of_hall.contains(code)), "{renewed:?}");
    let recorded = school.admin.get("/api/admin/audit?action=kit.printed").await.json();
    let details: Vec<&str> =
        recorded["entries"].as_array().unwrap().iter().map(|entry| entry["detail"].as_str().unwrap()).collect();
    let whole = "door, plan, list, slips";
    let expected = [
        "slips; new codes for 5; renewed".to_owned(),
        format!("{whole}; new codes for 2"),
        format!("{whole}; new codes for 3"),
        "door, plan, list".to_owned(),
    ];
    assert_eq!(details, expected);
    assert_eq!(recorded["entries"][0]["subject"], sitting["id"]);
    // Only a code that there was is on the record of its candidate.
    let em = school.candidate(&sitting, "Em").await;
    let events = school.admin.get(&format!("/api/live/candidates/{}/events", em["id"].as_str().unwrap())).await.json();
    let of_codes = events["events"].as_array().unwrap().iter().filter(|event| event["kind"] == "access_code");
    let by: Vec<&str> = of_codes.map(|event| event["by"].as_str().unwrap()).collect();
    assert_eq!(by, ["admin@exam.test"]);
}

#[tokio::test]
async fn two_who_print_at_once_both_have_their_file() {
    let (school, sitting) = school().await;
    for (query, expected) in [("", [0, 5]), ("?renew=true", [5, 5])] {
        let (one, other) = tokio::join!(kit(&school, &sitting, query), kit(&school, &sitting, query));
        let mut counts = [codes(&text(&one)).len(), codes(&text(&other)).len()];
        counts.sort_unstable();
        assert_eq!(counts, expected, "whoever was second knows of the codes of the first");
    }
}

/// Renews all codes, while the row of Em is changed before they are stored.
async fn renewed_while(school: &School, sitting: &Value, change: &str, value: sea_orm::Value) -> Answer {
    let em = school.candidate(sitting, "Em").await;
    let held = school.hold(sitting).await;
    let (answer, ()) = tokio::join!(kit(school, sitting, "?parts=slips&renew=true"), async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        let changing = format!("UPDATE candidates SET {change} = $1 WHERE id = $2");
        school.within(&held, &changing, vec![value, id(&em).into()]).await;
        held.commit().await.unwrap();
    });
    answer
}

#[tokio::test]
async fn whoever_enters_while_it_is_printed_keeps_the_code() {
    let (school, sitting) = school().await;
    kit(&school, &sitting, "").await;
    let answer = renewed_while(&school, &sitting, "session_id", Uuid::new_v4().into()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let recorded = school.admin.get("/api/admin/audit?action=kit.printed").await.json();
    assert_eq!(recorded["entries"][0]["detail"], "slips; new codes for 4; renewed");
}

#[tokio::test]
async fn a_code_that_is_made_while_it_is_printed_is_not_lost() {
    let (school, sitting) = school().await;
    kit(&school, &sitting, "").await;
    let made = renewed_while(&school, &sitting, "access_code_hash", vec![7_u8; 32].into()).await;
    made.assert_error(409, "Sitting has changed");
    // A change of something else costs nobody the file.
    let renewed = renewed_while(&school, &sitting, "seat", "12".into()).await;
    assert_eq!(codes(&text(&renewed)).len(), 5);
}

mod edge {
    use std::io::Cursor;

    use chrono::{DateTime, TimeDelta};
    use chrono_tz::Tz;
    use image::{DynamicImage, ImageFormat};

    use super::*;

    /// The number of the page that has this text, which no other has.
    fn page_of(pages: &[String], text: &str) -> usize {
        let found: Vec<usize> = (0..pages.len()).filter(|page| pages[*page].contains(text)).collect();
        assert_eq!(found.len(), 1, "{text} is on the pages {found:?} of {pages:#?}");
        found[0]
    }

    #[tokio::test]
    async fn each_room_has_its_papers_in_the_order_of_its_seats() {
        let (school, sitting) = school().await;
        let answer = kit(&school, &sitting, "").await;
        let day = &sitting["startsAt"].as_str().unwrap()[..10];
        let named = format!("attachment; filename=\"Finals-{day}-kit.pdf\"");
        assert_eq!(answer.header("content-disposition"), named);
        let pages = pages(&answer);
        // A01 has no seats, so no plan, and those without a room have neither plan nor door.
        assert_eq!(pages.len(), 3 + 4 + 2, "{pages:#?}");
        for (page, footer) in [(0, "Page 1 of 3"), (2, "Page 3 of 3"), (3, "Page 1 of 4"), (8, "Page 2 of 2")] {
            assert!(pages[page].contains(footer), "{footer}: {}", pages[page]);
        }
        let code = sitting["code"].as_str().unwrap();
        for (page, room) in [(0, "A01"), (3, "B12")] {
            let door = &pages[page];
            for wanted in [room, "Finals", code, &format!("http://exam.localhost/s/{code}"), "Doors open at"] {
                assert!(door.contains(wanted), "{wanted} is not on the door:\n{door}");
            }
            for name in ["Ada", "Bo", "Di", "HS-", "percent"] {
                assert!(!door.contains(name), "{name} is on the door:\n{door}");
            }
        }
        assert_eq!(page_of(&pages, "Seat plan: B12"), 4);
        assert_eq!(page_of(&pages, "Attendance list: B12"), 5);
        for page in [4, 5, 6] {
            let places: Vec<Option<usize>> = ["Bo 王", "Ada", "Cy"].map(|name| pages[page].find(name)).to_vec();
            assert!(places.iter().all(Option::is_some) && places.is_sorted(), "by seats: {}", pages[page]);
        }
        assert!(!pages[4].contains("HS-7") && !pages[4].contains("ada@exam.test"), "{}", pages[4]);
        let list = pages[5].replace('\n', " ");
        for wanted in ["HS-7", "ada@exam.test", "50 percent more time", "10 more minutes", "Signature", "For proctors"]
        {
            assert!(list.contains(wanted), "{wanted} is not on the list:\n{list}");
        }
        assert_eq!(page_of(&pages, "percent"), 5, "what somebody needs is on the list alone");
        assert_eq!(page_of(&pages, "Attendance list: Without a room"), 7);
        assert!(!pages.concat().contains(sitting["id"].as_str().unwrap()));
    }

    #[tokio::test]
    async fn it_is_in_the_language_and_the_time_of_the_school() {
        let (school, sitting) = school().await;
        let settings =
            json!({ "name": "Trường THCS Lê Lợi", "languages": ["vi", "en"], "timeZone": "Asia/Ho_Chi_Minh" });
        assert_eq!(send(&school.admin, Method::PATCH, "/api/admin/school", &settings).await.status, 200);
        let mut crest = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(900, 90).write_to(&mut crest, ImageFormat::Png).unwrap();
        let crest = school.admin.request(Method::PUT, "/api/admin/school/crest").body(crest.into_inner());
        assert_eq!(Answer::to(crest.header("content-type", "image/png")).await.status, 200);
        // Until the doors open, the register counts.
        let needs = json!({ "factor": 125 });
        let register = "/api/admin/accommodations/tuyet%40exam.test";
        assert_eq!(send(&school.admin, Method::PUT, register, &needs).await.status, 200);
        let tuyet = json!([{ "email": "tuyet@exam.test", "name": "Đặng Thị Ánh Tuyết", "room": "B12", "seat": "1" }]);
        school.enrol(&sitting, tuyet).await;
        let answer = kit(&school, &sitting, "?room=B12").await;
        let named = answer.header("content-disposition");
        assert!(named.ends_with("-B12-kit.pdf\""), "{named}");
        let pages = pages(&answer);
        assert_eq!(pages.len(), 4, "{pages:#?}");
        let starts: DateTime<chrono::Utc> = sitting["startsAt"].as_str().unwrap().parse().unwrap();
        let time = starts.with_timezone(&Tz::Asia__Ho_Chi_Minh).format("%H:%M").to_string();
        for (page, wanted) in [
            (0, ["Trường THCS Lê Lợi", "Mở cửa phòng thi lúc", "Trang 1/4", time.as_str()]),
            (1, ["Sơ đồ chỗ ngồi: B12", "Đặng Thị Ánh Tuyết", "1 thí sinh", "Trang 2/4"]),
            (2, ["Danh sách ký tên: B12", "Đặng Thị Ánh Tuyết", "thêm 25 phần trăm", "Chữ ký"]),
            (3, ["Trường THCS Lê Lợi", "Đặng Thị Ánh Tuyết", "B12, chỗ 1", "Mã vào phòng thi"]),
        ] {
            let flat = pages[page].replace('\n', " ");
            for wanted in wanted {
                assert!(flat.contains(wanted), "{wanted} is not on page {page}:\n{flat}");
            }
        }
        assert!(pages[3].contains(&format!("{time} ngày")), "{}", pages[3]);
        let file = lopdf::Document::load_mem(&answer.body).unwrap();
        assert_eq!(file.catalog().unwrap().get(b"Lang").unwrap().as_str().unwrap(), b"vi");
        // The slips that are printed alone are the same.
        let slips = text(&super::super::slips::made(&school, &sitting, "?room=B12").await);
        for wanted in ["Trường THCS Lê Lợi", "B12, chỗ 1", "như trên phiếu trước"] {
            assert!(slips.contains(wanted), "{wanted}:\n{slips}");
        }
    }

    #[tokio::test]
    async fn a_door_says_when_it_opens() {
        let school = School::open().await;
        let now = school.hall.clock.now().utc();
        let hour = |hours| (now + TimeDelta::hours(hours)).format("%Y-%m-%dT%H:00:00.000Z").to_string();
        // The doors of a room that starts an hour earlier open an hour earlier.
        let rooms = json!([{ "name": "A01" }, { "name": "B12", "startsAt": hour(5) }]);
        let plan = json!({ "startsAt": hour(6), "doorsAt": hour(5), "rooms": rooms });
        let sitting = school.sitting(360, plan).await;
        let settings = json!({ "timeZone": "Etc/UTC" });
        assert_eq!(send(&school.admin, Method::PATCH, "/api/admin/school", &settings).await.status, 200);
        let doors = pages(&kit(&school, &sitting, "?parts=door").await);
        assert_eq!(doors.len(), 2, "{doors:#?}");
        for (door, opens) in doors.iter().zip([hour(5), hour(4)]) {
            let opens = &opens[11..16];
            assert!(door.contains(&format!("Doors open at {opens}")), "{opens}: {door}");
        }
    }

    #[tokio::test]
    async fn it_is_printed_on_the_paper_that_is_asked_for() {
        let (school, sitting) = school().await;
        for (query, size) in [("", "(A4)"), ("?paper=a4", "(A4)"), ("?paper=letter", "(letter)")] {
            let answer = kit(&school, &sitting, query).await;
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("kit.pdf"), &answer.body).unwrap();
            let about = Command::new("pdfinfo").arg("kit.pdf").current_dir(folder.path()).output().unwrap();
            let about = String::from_utf8(about.stdout).unwrap();
            assert!(about.contains(size) && about.contains("Tagged:          yes"), "{query}: {about}");
        }
    }

    #[tokio::test]
    async fn what_cannot_be_printed_is_refused_by_name() {
        let (school, sitting) = school().await;
        for (query, field) in [
            ("?parts=door,windows", "parts"),
            ("?parts=door,door", "parts"),
            ("?paper=a3", "paper"),
            ("?room=none", "room"),
            ("?renew=perhaps", "renew"),
        ] {
            kit(&school, &sitting, query).await.assert_error(400, &format!("Invalid {field}"));
        }
        kit(&school, &sitting, "?room=A01&parts=plan").await.assert_error(409, "There are no candidates");
        let empty = school.sitting(60, json!({})).await;
        kit(&school, &empty, "?parts=list,slips").await.assert_error(409, "There are no candidates");
        assert_eq!(pages(&kit(&school, &empty, "").await).len(), 1, "the sign for the door");
        assert_eq!(school.admin.get(&format!("{}/kit.pdf", path(&sitting))).await.status, 405, "it is made by POST");
    }

    #[tokio::test]
    async fn a_thousand_candidates_are_in_one_file_and_more_are_not() {
        let school = School::open().await;
        let sitting = school.sitting(60, json!({})).await;
        let people = |count: usize| -> Vec<Value> {
            let seat = |number: usize| format!("{}/{}", number / 25 + 1, number % 25 + 1);
            let person = |number| json!({ "externalId": format!("n{number}"), "name": format!("No{number:04}"), "seat": seat(number) });
            (0..count).map(person).collect()
        };
        school.enrol(&sitting, json!(people(1_000))).await;
        let pages = pages(&kit(&school, &sitting, "?parts=door,plan,list").await);
        let listed: Vec<&String> = pages.iter().filter(|page| page.contains("No0999")).collect();
        assert!(listed.len() == 2 && pages.len() < 80, "on the plan and on the list of {} pages", pages.len());
        school.enrol(&sitting, json!(people(1_001))).await;
        let told = "Too many candidates for one file: ask for one room";
        kit(&school, &sitting, "?parts=door").await.assert_error(400, told);
    }
}
