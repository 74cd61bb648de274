//! Which form a seat gives: neighbours get different ones, however a hall writes its seats, and whoever has entered
//! keeps theirs.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};

use super::super::entrant::{Entrant, access_codes};
use super::super::{School, candidate_path, send};
use super::exam::{Kind, school, template, turned};
use super::student::id;
use crate::hall::oracle;

const ROWS: usize = 5;
const COLUMNS: usize = 6;
/// How halls write a seat by its row and its column, from 1 on.
const WRITTEN: [fn(usize, usize) -> String; 6] = [
    |row, column| format!("{}{column}", letter(row)),
    |row, column| format!("R{row}S{column}"),
    |row, column| format!("Row {row} Seat {column}"),
    |row, column| format!("{row}/{column}"),
    |row, column| format!("{row}-{column}"),
    |row, column| format!("{row}{}", letter(column)),
];

fn letter(number: usize) -> char {
    char::from(b'A' - 1 + u8::try_from(number).unwrap())
}

/// A sitting in a hall for each way of writing, and its candidates by name: hall, row and column.
async fn seated(school: &School, forms: usize) -> BTreeMap<String, Value> {
    let made = template(school, Kind { forms, has_parallel: false, is_shuffled: false }).await;
    let sitting = school.sitting(60, json!({ "name": format!("{forms} forms"), "templateId": made["id"] })).await;
    let places = (0..WRITTEN.len()).flat_map(|hall| (0..ROWS * COLUMNS).map(move |place| (hall, place)));
    let person = |(hall, place): (usize, usize)| {
        let (row, column) = (place / COLUMNS + 1, place % COLUMNS + 1);
        let (name, seat) = (format!("{hall} {row} {column}"), WRITTEN[hall](row, column));
        json!({ "externalId": name, "name": name, "room": format!("Hall {hall}"), "seat": seat })
    };
    school.enrol(&sitting, places.map(person).collect()).await;
    let candidates = school.candidates(&sitting).await;
    candidates.into_iter().map(|one| (one["name"].as_str().unwrap().to_owned(), one)).collect()
}

#[tokio::test]
async fn neighbours_get_different_forms() {
    let (school, _) = school(Kind { forms: 2, has_parallel: false, is_shuffled: false }).await;
    for forms in [2, 3, 4, 7] {
        let candidates = seated(&school, forms).await;
        let seats: Vec<Value> = candidates.values().map(|one| json!([one["seat"], forms])).collect();
        let expected = oracle::ask("forms.py", &[json!({ "seats": seats })]).remove(0);
        let expected: Vec<&str> = expected.as_array().unwrap().iter().map(|form| form.as_str().unwrap()).collect();
        let found: Vec<&str> = candidates.values().map(|one| one["form"].as_str().unwrap()).collect();
        // By name they are hall by hall.
        for (found, expected) in found.chunks(ROWS * COLUMNS).zip(expected.chunks(ROWS * COLUMNS)) {
            assert_eq!(found, turned(expected, found[0], forms), "{forms} forms");
        }
        let form = |hall: usize, row: usize, column: usize| {
            let one = candidates.get(&format!("{hall} {row} {column}"));
            one.map(|one| one["form"].as_str().unwrap())
        };
        for (hall, written) in WRITTEN.iter().enumerate() {
            let mut seen = BTreeMap::new();
            for (row, column) in (1..=ROWS).flat_map(|row| (1..=COLUMNS).map(move |column| (row, column))) {
                let own = form(hall, row, column).unwrap();
                *seen.entry(own).or_insert(0) += 1;
                let beside = [(row, column + 1), (row + 1, column)];
                let diagonal = [(row + 1, column + 1), (row + 1, column - 1)];
                let diagonal = diagonal.into_iter().filter(|_| forms >= 4);
                for (other_row, other_column) in beside.into_iter().chain(diagonal) {
                    let other = form(hall, other_row, other_column);
                    let seat = written(row, column);
                    assert_ne!(other, Some(own), "{forms} forms, {seat}, row {other_row} column {other_column}");
                }
            }
            let counts: BTreeSet<usize> = seen.values().copied().collect();
            let even = ROWS * COLUMNS / forms;
            assert_eq!(seen.len(), forms, "{seen:?}");
            assert!(counts.iter().all(|count| count.abs_diff(even) <= 2), "{seen:?}: about as many of each");
        }
    }
}

#[tokio::test]
async fn those_without_a_seat_have_a_form_that_stays() {
    let kind = Kind { forms: 4, has_parallel: false, is_shuffled: false };
    let (school, _) = school(kind).await;
    let sitting = school.sitting(60, json!({})).await;
    let person = |place: usize| {
        let seat = place.is_multiple_of(2).then_some("window");
        json!({ "externalId": place.to_string(), "name": format!("Student {place:03}"), "seat": seat })
    };
    school.enrol(&sitting, (0..120).map(person).collect()).await;
    let forms = async || -> Vec<String> {
        let candidates = school.candidates(&sitting).await;
        candidates.iter().map(|one| one["form"].as_str().unwrap().to_owned()).collect()
    };
    let found = forms().await;
    assert_eq!(forms().await, found, "nobody has been given another one");
    for letter in kind.letters() {
        let count = found.iter().filter(|form| **form == letter).count();
        assert!((10..=60).contains(&count), "{letter}: {count} of {}", found.len());
    }
}

#[tokio::test]
async fn whoever_has_entered_keeps_the_form() {
    let (school, _) = school(Kind { forms: 4, has_parallel: true, is_shuffled: false }).await;
    let sitting = school.sitting(40, json!({})).await;
    school.enrol(&sitting, json!([{ "externalId": "1", "name": "Ada", "seat": "A1" }])).await;
    let ada = school.candidate(&sitting, "Ada").await;
    let first = ada["form"].clone();
    let sits_at = async |seat: &str| {
        let moved = send(&school.admin, Method::PATCH, &candidate_path(&sitting, &ada), &json!({ "seat": seat })).await;
        assert_eq!(moved.status, 200, "{}", moved.text());
        school.candidate(&sitting, "Ada").await["form"].clone()
    };
    let second = sits_at("A2").await;
    assert_ne!(second, first, "before she enters the seat decides");
    let code = access_codes(&school, &sitting).await["Ada"].clone();
    school.advance(11);
    let mut entrant = Entrant::enter(&school.hall, json!({ "sittingId": sitting["id"], "access": code })).await;
    assert_eq!(entrant.waiting["form"], second);
    let sealed = entrant.waiting["sealed"].clone();
    assert_eq!(sits_at("A3").await, second, "she has entered");
    let told = entrant.socket.expect("waiting").await;
    assert_eq!((&told["seat"], &told["form"], &told["sealed"]), (&json!("A3"), &second, &sealed));
    entrant.prepare().await;
    school.advance(30);
    let begun = entrant.socket.until("begin").await;
    let asked: Vec<Value> = entrant.open("1", &begun["keys"]).iter().map(|question| json!(id(question))).collect();
    let read = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await.json();
    let lists = read["template"]["formLists"].as_array().unwrap().clone();
    let list = lists.iter().find(|list| list["form"] == second).unwrap();
    assert_eq!(list["questions"], json!(asked));
    let resumed = entrant.resume("resumed").await;
    assert_eq!((&resumed["form"], &resumed["questionIds"]), (&second, &list["questions"]));
}
