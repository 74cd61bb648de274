//! Which sheet of a workbook is read.

use rust_xlsxwriter::{Workbook, Worksheet};
use serde_json::{Value, json};

use super::{IMPORT, changed, empty_hall, good, import, post, questions, write_rows};
use crate::hall::Caller;

/// A workbook of sheets with these names, each with a question that is named after its sheet.
fn book(sheets: &[(&str, bool)], also: impl Fn(&mut Worksheet)) -> Vec<u8> {
    let mut book = Workbook::new();
    for (name, is_hidden) in sheets {
        let sheet = book.add_worksheet();
        sheet.set_name(*name).unwrap();
        if *is_hidden {
            sheet.set_hidden(true);
        } else {
            sheet.set_active(true);
        }
        if name.starts_with("Notes") {
            sheet.write_string(0, 0, "Some remarks").unwrap();
        } else if !name.starts_with("Blank") {
            write_rows(sheet, &[good(name.trim())]);
        }
        also(sheet);
    }
    book.save_to_buffer().unwrap()
}

async fn read_ids(admin: &Caller, file: &[u8]) -> Vec<Value> {
    import(admin, file).await;
    questions(admin, 5).await.into_iter().map(|question| question["id"].clone()).collect()
}

#[tokio::test]
async fn the_sheet_of_questions_is_read() {
    let orders: [&[(&str, bool)]; 7] = [
        &[("First", false), ("Questions", false), ("Last", false)],
        &[("First", false), ("QUESTIONS", false)],
        &[("Notes", false), ("Blank", false), ("First", false), ("Second", false)],
        &[("First", false)],
        &[("Hidden", true), ("First", false)],
        &[("First", false), ("Questions", true)],
        &[("First", false), ("Notes", false), ("Hidden", true), ("Second", false)],
    ];
    let reads: [&[&str]; 7] = [
        &["Questions"],
        &["QUESTIONS"],
        &["First", "Second"],
        &["First"],
        &["First"],
        &["First"],
        &["First", "Second"],
    ];
    for (sheets, read) in orders.into_iter().zip(reads) {
        let (_hall, admin) = empty_hall().await;
        assert_eq!(read_ids(&admin, &book(sheets, |_| ())).await, read, "{sheets:?}");
    }
}

#[tokio::test]
async fn without_a_visible_sheet_of_questions_columns_are_missing() {
    let (_hall, admin) = empty_hall().await;
    let all = "Missing columns: grade, difficulty, question, optionA, optionB, answer";
    let books: [&[(&str, bool)]; 3] = [
        &[("Notes", false), ("Hidden", true)],
        &[("Blank", false), ("Questions", true)],
        &[("Notes", false), ("Blank questions", false)],
    ];
    for sheets in books {
        post(&admin, IMPORT, &book(sheets, |_| ())).await.assert_error(400, all);
    }
    // The sheet that comes nearest is told of, whatever is wrong with others.
    let mut workbook = Workbook::new();
    workbook.add_worksheet().write_string(0, 150, "far away").unwrap();
    workbook.add_worksheet().write_string(0, 0, "grade").unwrap();
    post(&admin, IMPORT, &workbook.save_to_buffer().unwrap())
        .await
        .assert_error(400, "Missing columns: difficulty, question, optionA, optionB, answer");
    // The sheet of that name is meant, whatever others have.
    let mut workbook = Workbook::new();
    write_rows(workbook.add_worksheet(), &[good("a")]);
    workbook.add_worksheet().set_name("Questions").unwrap().write_string(0, 0, "grade").unwrap();
    post(&admin, IMPORT, &workbook.save_to_buffer().unwrap())
        .await
        .assert_error(400, "Missing columns: difficulty, question, optionA, optionB, answer");
    assert!(questions(&admin, 5).await.is_empty());
}

#[tokio::test]
async fn errors_of_later_sheets_name_them() {
    let (_hall, admin) = empty_hall().await;
    let mut workbook = Workbook::new();
    write_rows(
        workbook.add_worksheet().set_name("Grade 5").unwrap(),
        &[good("a"), changed("b", &json!({ "grade": null }))],
    );
    let notes = workbook.add_worksheet().set_name("Wide notes").unwrap();
    notes.write_string(0, 150, "far away").unwrap();
    let rows = [good("a"), changed("c", &json!({ "grade": null })), good("d")];
    write_rows(workbook.add_worksheet().set_name("Grade 6").unwrap(), &rows);
    let mistaken = workbook.add_worksheet().set_name("Grade 7").unwrap();
    write_rows(mistaken, &[good("e")]);
    mistaken.write_string(0, 12, "Answr").unwrap();
    workbook.add_worksheet().set_name("Notes").unwrap().write_string(0, 0, "grade").unwrap();
    let errors = [
        "Row 3: grade required",
        "Row 2: id a stands in row 2 already (sheet Grade 6)",
        "Row 3: grade required (sheet Grade 6)",
        "Row 1: The sheet has more than 100 columns (sheet Wide notes)",
        "Row 1: Column Answr is not known: did you mean answer? (sheet Grade 7)",
    ];
    assert_eq!(
        import(&admin, &workbook.save_to_buffer().unwrap()).await,
        json!({ "added": 2, "updated": 0, "errors": errors })
    );
}

#[tokio::test]
async fn rows_of_all_sheets_are_counted() {
    let (_hall, admin) = empty_hall().await;
    let mut workbook = Workbook::new();
    for name in ["First", "Second"] {
        let sheet = workbook.add_worksheet().set_name(name).unwrap();
        write_rows(sheet, &[]);
        for row in 1..=25_001 {
            sheet.write_number(row, 1, 0).unwrap();
        }
    }
    post(&admin, IMPORT, &workbook.save_to_buffer().unwrap())
        .await
        .assert_error(400, "The sheet has more than 50,000 rows");
}

#[tokio::test]
async fn what_is_around_the_cells_makes_no_difference() {
    let (_hall, admin) = empty_hall().await;
    let file = book(&[("Questions", false)], |sheet| {
        sheet.set_row_hidden(1).unwrap();
        sheet.autofilter(0, 0, 1, 14).unwrap();
        sheet.set_right_to_left(true);
        sheet.insert_note(1, 1, &rust_xlsxwriter::Note::new("a note")).unwrap();
        sheet.write_url(5, 30, "https://exam.example/").unwrap();
        sheet.protect();
    });
    assert_eq!(import(&admin, &file).await, json!({ "added": 1, "updated": 0, "errors": [], "hiddenRows": 1 }));
}
