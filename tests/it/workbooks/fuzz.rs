//! Workbooks by the hundred from a fixed seed: none of them ends the server or costs a good row.

use std::collections::BTreeSet;

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use serde_json::{Value, json};

use super::{
    DRY, changed, empty_hall, good, import, packed, parts, post, questions, workbook, workbook_of, write_row,
    write_rows,
};
use crate::hall::Caller;

const SEED: u64 = 0x00e8_a413;
/// Texts that cells are filled with.
const TEXTS: [&str; 12] =
    ["What?", "=1+1", "الكسور", "分數的加法", "שלום", "😀👩‍👩‍👧", "a\nb", "_x000D_", "<b>&", "1/2", "#N/A", "e\u{301}"];

/// Asserts that a workbook, whatever is in it, has an answer of the contract and leaves the server as it was.
async fn assert_survives(admin: &Caller, what: &str, file: &[u8]) -> u16 {
    let answer = post(admin, DRY, file).await;
    match answer.status {
        200 => assert!(answer.json()["errors"].is_array(), "{what}"),
        status @ (400 | 413) => answer.assert_some_error(status),
        status => panic!("{what}: {status} {}", answer.text()),
    }
    assert_eq!(admin.get("/healthz").await.status, 200, "{what}");
    answer.status
}

/// A workbook with something of everything.
fn varied() -> Vec<u8> {
    workbook(|sheet| {
        let rows: Vec<Value> = (0..30)
            .map(|number| {
                changed(
                    &format!("q-{number}"),
                    &json!({ "question": TEXTS[number % 12], "optionA": 100 + number, "optionB": true }),
                )
            })
            .collect();
        write_rows(sheet, &rows);
        let date = rust_xlsxwriter::Format::new().set_num_format("yyyy-mm-dd");
        sheet.write_number_with_format(3, 8, 46_000, &date).unwrap();
        sheet.write_formula(4, 8, rust_xlsxwriter::Formula::new("=1/0").set_result("#DIV/0!")).unwrap();
        sheet.merge_range(6, 2, 9, 2, "merged", &rust_xlsxwriter::Format::new()).unwrap();
    })
}

#[tokio::test]
async fn files_that_are_cut_short_or_flipped() {
    let (_hall, admin) = empty_hall().await;
    let (mut random, file) = (StdRng::seed_from_u64(SEED), varied());
    for round in 0..150 {
        let end = random.random_range(0..file.len());
        assert_survives(&admin, &format!("cut at {end} in round {round}"), &file[..end]).await;
    }
    for round in 0..150 {
        let mut flipped = file.clone();
        for _ in 0..random.random_range(1..20) {
            let place = random.random_range(0..flipped.len());
            flipped[place] ^= 1 << random.random_range(0..8);
        }
        assert_survives(&admin, &format!("flipped in round {round}"), &flipped).await;
    }
    assert_eq!(post(&admin, DRY, &file).await.json()["added"], 28, "a date is no option, and an error is no value");
}

/// Changes a part's text somewhere in a way that XML or numbers may not survive.
fn mutate(random: &mut StdRng, part: &mut Vec<u8>) {
    const PIECES: [&[u8]; 22] = [
        b"<",
        b">",
        b"\"",
        b"&",
        b"</c>",
        b"<c>",
        b"<v>",
        b"99999999999",
        b"-1",
        b"\xff\xfe",
        b"\0",
        b"<row r=\"4294967295\">",
        b"<!--",
        b"]]>",
        b"&#x110000;",
        b"&bomb;",
        b"e999",
        b"t=\"e\"",
        b"t=\"d\"",
        b"s=\"4000000000\"",
        b"r=\"XFD1048576\"",
        b"<!DOCTYPE x [<!ENTITY bomb \"x\">]>",
    ];
    if part.is_empty() {
        return;
    }
    let place = random.random_range(0..part.len());
    match random.random_range(0..5) {
        0 => part[place] = random.random(),
        1 => part.truncate(place),
        2 => drop(part.splice(place..place, PIECES[random.random_range(0..PIECES.len())].iter().copied())),
        3 => drop(part.drain(place..(place + random.random_range(1..40)).min(part.len()))),
        _ => {
            let end = (place + random.random_range(1..200)).min(part.len());
            let copied = part[place..end].to_vec();
            drop(part.splice(place..place, copied));
        }
    }
}

#[tokio::test]
async fn parts_that_are_changed_within_a_sound_archive() {
    let (_hall, admin) = empty_hall().await;
    let (mut random, parts) = (StdRng::seed_from_u64(SEED), parts(&varied()));
    let mut answers = BTreeSet::new();
    for round in 0..400 {
        let mut mutated = parts.clone();
        for _ in 0..random.random_range(1..4) {
            let index = random.random_range(0..mutated.len());
            mutate(&mut random, &mut mutated[index].1);
        }
        answers.insert(assert_survives(&admin, &format!("changed in round {round}"), &packed(&mutated)).await);
    }
    assert_eq!(answers, BTreeSet::from([200, 400]), "some are read and some are not");
}

/// A row and the sentence that it is refused with, if it is.
fn random_row(random: &mut StdRng, id: &str) -> (Value, Option<&'static str>) {
    let text = TEXTS[random.random_range(0..TEXTS.len())];
    let longest = ["漢".repeat(32_767), "ב".repeat(32_767), "x".repeat(32_767)][random.random_range(0..3)].clone();
    let long = if random.random_range(0..10) == 0 { longest } else { text.to_owned() };
    let good = changed(
        id,
        &json!({ "question": text, "explanation": long, "optionA": text, "grade": random.random_range(1..=10), "difficulty": random.random_range(1..=5) }),
    );
    let (field, value, reason) = match random.random_range(0..20) {
        0 => ("grade", Value::Null, "grade required"),
        1 => ("grade", json!(0), "grade must be 1 to 10"),
        2 => ("grade", json!("fünf"), "grade must be 1 to 10"),
        3 => ("grade", json!(true), "grade must be 1 to 10"),
        4 => ("difficulty", json!(2.5), "difficulty must be 1 to 5"),
        5 => ("difficulty", json!("  "), "difficulty required"),
        6 => ("answer", json!("E"), "answer must be one of A, B, C, D"),
        7 => ("answer", json!(2), "answer must be one of A, B, C, D"),
        8 => ("question", Value::Null, "question required"),
        9 => ("optionC", json!(" "), "optionC is empty, but optionD is not"),
        10 => ("topic", json!("a\u{1}b"), "topic has control characters"),
        11 => ("optionB", Value::Null, "optionB required"),
        _ => return (good, None),
    };
    let mut bad = good;
    bad[field] = value;
    (bad, Some(reason))
}

#[tokio::test]
async fn no_good_row_of_a_mixed_workbook_is_lost() {
    let (_hall, admin) = empty_hall().await;
    let mut random = StdRng::seed_from_u64(SEED);
    for round in 0..100 {
        let (mut expected, mut errors, mut number) = (Vec::new(), Vec::new(), 0);
        let file = workbook(|sheet| {
            write_rows(sheet, &[]);
            for index in 0..random.random_range(1..40) {
                // Some rows are left empty in between.
                number += if random.random_range(0..5) == 0 { random.random_range(2..9) } else { 1 };
                let (row, refused) = random_row(&mut random, &format!("r{round:03}-{index:03}"));
                write_row(sheet, number, &row);
                match refused {
                    Some(reason) => errors.push(format!("Row {}: {reason}", number + 1)),
                    None => expected.push((row["id"].clone(), row["grade"].as_u64().unwrap())),
                }
            }
        });
        assert_eq!(
            import(&admin, &file).await,
            json!({ "added": expected.len(), "updated": 0, "errors": errors }),
            "round {round}"
        );
        if round % 10 == 9 {
            assert_stored(&admin, &format!("r{round:03}-"), &expected).await;
        }
    }
}

async fn assert_stored(admin: &Caller, prefix: &str, expected: &[(Value, u64)]) {
    let mut stored = BTreeSet::new();
    for grade in 1..=10 {
        let ids = questions(admin, grade)
            .await
            .into_iter()
            .filter(|question| question["id"].as_str().unwrap().starts_with(prefix));
        stored.extend(ids.map(|question| (question["id"].to_string(), u64::from(grade))));
    }
    assert_eq!(stored, expected.iter().map(|(id, grade)| (id.to_string(), *grade)).collect());
}

#[tokio::test]
async fn bytes_that_were_never_a_workbook() {
    let (_hall, admin) = empty_hall().await;
    let mut random = StdRng::seed_from_u64(SEED);
    for round in 0..100 {
        let mut bytes = vec![0; random.random_range(0..5_000)];
        random.fill_bytes(&mut bytes);
        if round % 2 == 0 && bytes.len() > 4 {
            bytes[..4].copy_from_slice(b"PK\x03\x04");
        }
        assert_eq!(assert_survives(&admin, &format!("noise in round {round}"), &bytes).await, 400);
    }
    assert_eq!(post(&admin, DRY, &workbook_of(&[good("a")])).await.json()["added"], 1);
}
