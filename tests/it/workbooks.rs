//! The question bank as a workbook: import, export, and malicious workbooks.

mod limits;

#[path = "workbooks"]
mod edge {
    use super::*;

    mod cells;
    mod formats;
    mod fuzz;
    mod sheets;
}

#[path = "workbooks"]
mod either_provider {
    use super::*;

    mod access;
    mod command_line;
    mod export;
    mod foreign;
    mod import;
    mod servers;
}

use std::io::{Cursor, Read, Write};

use reqwest::Method;
use rust_xlsxwriter::{Workbook, Worksheet};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::hall::{Answer, Caller, Hall};

const COLUMNS: [&str; 21] = [
    "id",
    "grade",
    "topic",
    "subtopic",
    "difficulty",
    "source",
    "type",
    "question",
    "optionA",
    "optionB",
    "optionC",
    "optionD",
    "answer",
    "explanation",
    "image",
    "imageDescription",
    "fixedOptions",
    "tolerance",
    "unit",
    "forms",
    "language",
];
const IMPORT: &str = "/api/admin/import";
const DRY: &str = "/api/admin/import?dryRun=true";

/// A good row with every column filled.
fn good(id: &str) -> Value {
    json!({
        "id": id, "grade": 5, "topic": "Sums", "subtopic": "Small ones", "difficulty": 2, "source": "school", "type": "multiple-choice",
        "question": format!("What is 1 + 1? ({id})"), "optionA": "1", "optionB": "2", "optionC": "3", "optionD": "4", "answer": "B",
        "explanation": "One and one are two.", "image": "",
        "imageDescription": "", "fixedOptions": false,
    })
}

/// The same with some cells changed; null leaves one empty.
fn changed(id: &str, changes: &Value) -> Value {
    let mut row = good(id);
    for (name, value) in changes.as_object().unwrap() {
        row[name] = value.clone();
    }
    row
}

/// A question as `GET /api/admin/questions` has it, made from a row.
fn question_of(row: &Value) -> Value {
    let mut question = row.clone();
    let fields = question.as_object_mut().unwrap();
    let options: Vec<Value> =
        ["optionA", "optionB", "optionC", "optionD"].iter().map(|name| fields.remove(*name).unwrap()).collect();
    fields.insert("options".to_owned(), options.into());
    // It is told only where it is so.
    if fields["fixedOptions"] == false {
        fields.remove("fixedOptions");
    }
    question
}

/// Writes the header and a row for each object: texts, numbers and booleans as such, nothing for null.
fn write_rows(sheet: &mut Worksheet, rows: &[Value]) {
    for (place, name) in (0..).zip(COLUMNS) {
        sheet.write_string(0, place, name).unwrap();
    }
    for (number, row) in (1..).zip(rows) {
        write_row(sheet, number, row);
    }
}

fn write_row(sheet: &mut Worksheet, number: u32, row: &Value) {
    for (place, name) in (0..).zip(COLUMNS) {
        match &row[name] {
            Value::String(text) => {
                sheet.write_string(number, place, text).unwrap();
            }
            Value::Number(value) => {
                sheet.write_number(number, place, value.as_f64().unwrap()).unwrap();
            }
            Value::Bool(value) => {
                sheet.write_boolean(number, place, *value).unwrap();
            }
            _ => {}
        }
    }
}

/// A workbook whose one sheet `fill` writes.
fn workbook(fill: impl FnOnce(&mut Worksheet)) -> Vec<u8> {
    let mut book = Workbook::new();
    fill(book.add_worksheet());
    book.save_to_buffer().unwrap()
}

/// A workbook with a header and these rows.
fn workbook_of(rows: &[Value]) -> Vec<u8> {
    workbook(|sheet| write_rows(sheet, rows))
}

/// The parts of a workbook.
fn parts(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
    let part = |index| {
        let mut part = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).unwrap();
        (part.name().unwrap().into_owned(), bytes)
    };
    (0..ZipArchive::new(Cursor::new(file)).unwrap().len()).map(part).collect()
}

/// A workbook of these parts.
fn packed(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The workbook with one part rewritten.
fn with_part(file: &[u8], name: &str, make: impl FnOnce(String) -> Vec<u8>) -> Vec<u8> {
    let mut parts = parts(file);
    let part = parts.iter_mut().find(|(found, _)| found == name).unwrap_or_else(|| panic!("no {name}"));
    part.1 = make(String::from_utf8(std::mem::take(&mut part.1)).unwrap());
    packed(&parts)
}

/// A multipart form with one file part.
fn form(part: &str, file: &[u8]) -> Vec<u8> {
    let head = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"{part}\"; filename=\"q.xlsx\"\r\nContent-Type: application/octet-stream\r\n\r\n"
    );
    [head.as_bytes(), file, b"\r\n--edge--\r\n"].concat()
}

/// Posts any body as a form.
async fn post_form(caller: &Caller, path: &str, body: Vec<u8>) -> Answer {
    Answer::to(
        caller.request(Method::POST, path).header("content-type", "multipart/form-data; boundary=edge").body(body),
    )
    .await
}

/// Posts a workbook.
async fn post(caller: &Caller, path: &str, file: &[u8]) -> Answer {
    post_form(caller, path, form("file", file)).await
}

/// Imports a workbook; gives `{ added, updated, errors }`.
async fn import(caller: &Caller, file: &[u8]) -> Value {
    let answer = post(caller, IMPORT, file).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// The questions of a grade, as admins see them.
async fn questions(admin: &Caller, grade: u8) -> Vec<Value> {
    let answer = admin.get(&format!("/api/admin/questions?grade={grade}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json().as_array().unwrap().clone()
}

/// A hall without the sample bank, and an admin of it.
async fn empty_hall() -> (Hall, Caller) {
    let hall = Hall::with(&[("SAMPLE_BANK", "off")]).await;
    let admin = hall.signed_in("admin").await;
    (hall, admin)
}
