//! Entry slips: what stands on them, and that a code is shown once.

use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};

use super::{School, path};
use crate::hall::Answer;

/// The text of the file, which other programs must be able to read.
pub fn text(answer: &Answer) -> String {
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/pdf"), "{}", answer.text());
    assert_eq!(answer.header("cache-control"), "no-store");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("slips.pdf"), &answer.body).unwrap();
    for (program, arguments) in [("qpdf", &["--check", "slips.pdf"][..]), ("pdftotext", &["-raw", "slips.pdf", "-"])] {
        let output = Command::new(program).args(arguments).current_dir(folder.path()).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}; scripts/test installs it"));
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        if program == "pdftotext" {
            return String::from_utf8(output.stdout).unwrap();
        }
    }
    unreachable!()
}

/// What a scanner reads from the pictures of the first page, if there is one on this machine.
pub fn codes(text: &str) -> Vec<String> {
    let code = regex::Regex::new("[2-9A-Y]{5}-[2-9A-Y]{5}").unwrap();
    code.find_iter(text).map(|found| found.as_str().to_owned()).collect()
}

async fn school() -> (School, Value) {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let people = json!([
        { "email": "ada@exam.test", "name": "Ada Nguyễn", "room": "B12", "seat": "4" },
        { "externalId": "9", "name": "Bo 王", "room": "A01" },
        { "email": "cy@exam.test", "name": "Cy", "room": "B12", "seat": "5" },
    ]);
    school.enrol(&sitting, people).await;
    (school, sitting)
}

/// The file with new codes.
pub async fn made(school: &School, sitting: &Value, query: &str) -> Answer {
    Answer::to(school.admin.request(Method::POST, &format!("{}/slips.pdf{query}", path(sitting)))).await
}

/// The file without codes.
async fn read(school: &School, sitting: &Value, query: &str) -> Answer {
    school.admin.get(&format!("{}/slips.pdf{query}", path(sitting))).await
}

#[tokio::test]
async fn a_code_is_shown_once() {
    let (school, sitting) = school().await;
    let first = text(&made(&school, &sitting, "").await);
    for wanted in ["Ada Nguyễn", "Bo 王", "Finals", "B12, seat 4", "A01", "http://exam.localhost/s/"] {
        assert!(first.contains(wanted), "{wanted} is not in:\n{first}");
    }
    let places: Vec<usize> = ["Bo", "Ada", "Cy"].map(|name| first.find(name).unwrap()).to_vec();
    assert!(places.is_sorted(), "by room, then by name:\n{first}");
    let of_first = codes(&first);
    assert_eq!(of_first.len(), 3, "{first}");
    assert!(school.candidates(&sitting).await.iter().all(|candidate| candidate["hasAccessCode"] == true));
    let second = text(&made(&school, &sitting, "").await);
    assert_eq!((codes(&second).len(), second.matches("as on your earlier slip").count()), (0, 3));
    // Someone new gets a code, and the others keep theirs.
    school
        .admin
        .post_json(&format!("{}/candidates", path(&sitting)), &json!({ "name": "Di", "externalId": "10" }))
        .await;
    assert_eq!(codes(&text(&made(&school, &sitting, "").await)).len(), 1);
    let renewed = codes(&text(&made(&school, &sitting, "?renew=true").await));
    assert!(renewed.len() == 4 && renewed.iter().all(|code| !of_first.contains(code)), "{renewed:?}");
    // A roster that is imported again takes no codes away.
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada", "room": "B12" }])).await;
    assert_eq!(codes(&text(&made(&school, &sitting, "").await)).len(), 0);
}

#[tokio::test]
async fn one_who_has_entered_gets_a_new_slip_when_asked_for() {
    let (school, sitting) = school().await;
    let first = codes(&text(&made(&school, &sitting, "").await));
    school.advance(40);
    let ada = school.candidate(&sitting, "Ada Nguyễn").await;
    let _entered = school.enter(&sitting, &ada).await;
    let of_all = codes(&text(&made(&school, &sitting, "?renew=true").await));
    assert_eq!(of_all.len(), 2, "not Ada's");
    let query = format!("?renew=true&candidateId={}", ada["id"].as_str().unwrap());
    let answer = made(&school, &sitting, &query).await;
    let named = answer.header("content-disposition");
    assert!(named.contains("-Ada-Nguyen-slip.pdf\""), "{named}");
    let printed = text(&answer);
    let own = codes(&printed);
    assert!(own.len() == 1 && !first.contains(&own[0]) && !printed.contains("Bo"), "{printed}");
    made(&school, &sitting, "?candidateId=x").await.assert_error(400, "Invalid candidateId");
    let nobody = format!("?candidateId={}", uuid::Uuid::new_v4());
    made(&school, &sitting, &nobody).await.assert_error(409, "There are no candidates");
}

#[tokio::test]
async fn those_of_one_room_are_printed_alone() {
    let (school, sitting) = school().await;
    let of_room = text(&made(&school, &sitting, "?room=b12").await);
    assert!(codes(&of_room).len() == 2 && !of_room.contains("Bo"), "{of_room}");
    made(&school, &sitting, "?room=none").await.assert_error(400, "Invalid room");
    made(&school, &sitting, "?renew=perhaps").await.assert_error(400, "Invalid renew");
    let empty = school.sitting(60, json!({})).await;
    made(&school, &empty, "").await.assert_error(409, "There are no candidates");
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn reading_the_slips_makes_no_codes() {
        let (school, sitting) = school().await;
        for method in [Method::HEAD, Method::GET] {
            let request = school.admin.request(method, &format!("{}/slips.pdf", path(&sitting)));
            assert_eq!(Answer::to(request).await.status, 200);
        }
        let before = text(&read(&school, &sitting, "").await);
        assert_eq!((codes(&before).len(), before.matches("none yet").count()), (0, 3), "{before}");
        assert!(school.candidates(&sitting).await.iter().all(|candidate| candidate["hasAccessCode"] == false));
        assert_eq!(codes(&text(&made(&school, &sitting, "?room=A01").await)).len(), 1);
        let after = text(&read(&school, &sitting, "").await);
        let told = ["none yet", "as on your earlier slip"].map(|words| after.matches(words).count());
        assert_eq!((codes(&after).len(), told), (0, [2, 1]), "{after}");
        read(&school, &sitting, "?room=none").await.assert_error(400, "Invalid room");
    }

    #[tokio::test]
    async fn slips_are_in_the_language_that_is_asked_for() {
        let (school, sitting) = school().await;
        let vietnamese = text(&read(&school, &sitting, "?language=vi").await);
        assert!(vietnamese.contains("Mã vào phòng thi") && vietnamese.contains("B12, chỗ 4"), "{vietnamese}");
        let english = text(&made(&school, &sitting, "?language=en").await);
        assert!(english.contains("Access code") && !english.contains("Mã vào"), "{english}");
        for answer in [read(&school, &sitting, "?language=x").await, made(&school, &sitting, "?language=x").await] {
            answer.assert_error(400, "Invalid language");
        }
    }

    #[tokio::test]
    async fn a_class_of_thirty_needs_four_pages() {
        let school = School::open().await;
        let sitting = school.sitting(60, json!({})).await;
        let people: Vec<Value> = (0..30)
            .map(|number| json!({ "externalId": number.to_string(), "name": format!("Student {number}") }))
            .collect();
        school.enrol(&sitting, json!(people)).await;
        let answer = made(&school, &sitting, "").await;
        assert_eq!(lopdf::Document::load_mem(&answer.body).unwrap().get_pages().len(), 4);
        assert_eq!(codes(&text(&answer)).len(), 30);
    }

    #[tokio::test]
    async fn a_large_sitting_is_printed_in_several_files() {
        let school = School::open().await;
        let sitting = school.sitting(60, json!({})).await;
        let people: Vec<Value> = (0..1_030)
            .map(|number| json!({ "externalId": number.to_string(), "name": format!("Student {number:04}") }))
            .collect();
        school.enrol(&sitting, json!(people)).await;
        let told = "Too many candidates for one file: ask for one room, or with from=1, from=1001, and so on";
        made(&school, &sitting, "").await.assert_error(400, told);
        for query in ["?from=0", "?from=x", "?from=1031"] {
            made(&school, &sitting, query).await.assert_error(400, "Invalid from");
        }
        let last = text(&made(&school, &sitting, "?from=1001").await);
        assert_eq!(codes(&last).len(), 30);
        assert!(last.contains("Student 1000") && last.contains("Student 1029") && !last.contains("Student 0999"));
        let have = school.candidates(&sitting).await.iter().filter(|one| one["hasAccessCode"] == true).count();
        assert_eq!(have, 30, "the others get theirs with their own file");
        let first = made(&school, &sitting, "?from=1").await;
        assert_eq!(codes(&text(&first)).len(), 1_000);
    }
}
