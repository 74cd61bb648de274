//! `GET /api/admin/export`, and that an export can be imported and exported again.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use domain::grade::Grade;
use examhall::database::Database;
use examhall::store::questions::{load_bank, put};
use serde_json::{Value, json};

use super::{changed, empty_hall, good, import, parts, question_of, questions, workbook_of};
use crate::hall::{Caller, Hall};

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

async fn export(admin: &Caller, grade: &str) -> Vec<u8> {
    let answer = admin.get(&format!("/api/admin/export?grade={grade}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), XLSX);
    assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"questions-grade{grade}.xlsx\""));
    answer.body
}

/// All cells of a sheet, row by row.
fn cells(file: &[u8], sheet: &str) -> Vec<Vec<Data>> {
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(file.to_vec())).unwrap();
    book.worksheet_range(sheet).unwrap().rows().map(<[Data]>::to_vec).collect()
}

#[tokio::test]
async fn a_grade_or_all_are_exported() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let rows = cells(&export(&admin, "5").await, "Questions");
    let columns = super::COLUMNS.into_iter().chain(["secure", "practice"]);
    assert_eq!(rows[0], columns.map(|name| Data::String(name.to_owned())).collect::<Vec<_>>());
    assert_eq!(rows.len(), 141);
    let first = &hall.bank(5).await.questions[0];
    assert_eq!(rows[1][0], Data::String(first["id"].as_str().unwrap().to_owned()));
    assert_eq!((&rows[1][1], &rows[1][4]), (&Data::Float(5.0), &Data::Float(first["difficulty"].as_f64().unwrap())));
    assert_eq!(cells(&export(&admin, "all").await, "Questions").len(), 1_401);
    for query in ["", "?grade=", "?grade=0", "?grade=11", "?grade=ALL", "?grade=5,6", "?grade=%0d%0a"] {
        admin.get(&format!("/api/admin/export{query}")).await.assert_error(400, "Invalid grade");
    }
}

/// Texts that formats, spreadsheets and databases like to change.
fn nasty() -> Vec<String> {
    let mut texts: Vec<String> = [
        "=1+1",
        "=HYPERLINK(\"http://exam.example\",\"x\")",
        "+1",
        "-1",
        "@SUM(A1)",
        "'quoted",
        "\"quoted\"",
        "<b>&amp;</b>",
        "]]>",
        "1",
        "007",
        "1e5",
        "TRUE",
        "5%",
        "1/2",
        "2026-01-05",
        "#N/A",
        "#REF!",
        "a\nb\n\nc",
        "a\tb",
        "two  spaces",
        "_x000D_",
        "_x005F_x000D_",
        "_x005F_",
        "__x0041_x0042_",
        "_xD83D__xDE00_",
        "_x0000_",
        "_X000d_",
        "_x00",
        "x\u{feff}y",
        "x\u{200b}",
        "שלום עולם",
        "\u{202e}abc\u{202c}",
        "الكسور ١/٢",
        "分數的加法",
        "分数",
        "ありがとう",
        "😀👩‍👩‍👧‍👦🏳️‍🌈",
        "𝒳² ≤ √2",
        "e\u{301}",
        "\u{fffd}",
        "\u{fffe}",
        "\u{10ffff}",
        "NULL",
        "'; DROP TABLE questions; --",
        "${jndi}",
        "{{7*7}}",
        "\\n",
        "%s%n",
    ]
    .map(str::to_owned)
    .into();
    texts.extend([
        "x".repeat(32_767),
        "é".repeat(32_767),
        "𝒳".repeat(16_383),
        "_x0041_".repeat(4_000),
        "=\n".repeat(10_000) + ".",
    ]);
    texts
}

#[tokio::test]
async fn an_export_can_be_imported_and_exported_again() {
    let (_hall, admin) = empty_hall().await;
    let rows: Vec<Value> = nasty()
        .iter()
        .enumerate()
        .map(|(index, text)| {
            let changes = json!({ "topic": text, "subtopic": text, "question": text, "optionA": text, "optionD": "another", "explanation": text, "imageDescription": text, "source": text, "type": text });
            changed(&format!("q-{index:03}"), &changes)
        })
        .collect();
    let count = rows.len();
    assert_eq!(import(&admin, &workbook_of(&rows)).await, json!({ "added": count, "updated": 0, "errors": [] }));
    let (list, first) = (questions(&admin, 5).await, export(&admin, "5").await);
    for (question, row) in list.iter().zip(&rows) {
        assert_eq!(question, &question_of(row));
    }
    let sheet = parts(&first).into_iter().find(|(name, _)| name == "xl/worksheets/sheet1.xml").unwrap().1;
    assert!(!String::from_utf8(sheet).unwrap().contains("<f>"), "no text is a formula");
    assert_eq!(import(&admin, &first).await, json!({ "added": 0, "updated": count, "errors": [] }));
    assert_eq!(questions(&admin, 5).await, list);
    let again = export(&admin, "5").await;
    assert_eq!(cells(&again, "Questions"), cells(&first, "Questions"));
    assert_eq!(sheet_of(&again), sheet_of(&first), "formats, lists and all");
}

fn sheet_of(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    parts(file)
        .into_iter()
        .filter(|(name, _)| name.contains("sheet") || name.contains("haredStrings") || name.contains("styles"))
        .collect()
}

#[tokio::test]
async fn the_sample_bank_goes_round() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let before: Vec<Vec<Value>> = banks(&admin).await;
    let file = export(&admin, "all").await;
    assert_eq!(import(&admin, &file).await, json!({ "added": 0, "updated": 1_400, "errors": [] }));
    assert_eq!(banks(&admin).await, before);
    let (other, other_admin) = empty_hall().await;
    assert_eq!(import(&other_admin, &file).await, json!({ "added": 1_400, "updated": 0, "errors": [] }));
    assert_eq!(banks(&other_admin).await, before);
    drop(other);
}

async fn banks(admin: &Caller) -> Vec<Vec<Value>> {
    let mut banks = Vec::new();
    for grade in 1..=10 {
        banks.push(questions(admin, grade).await);
    }
    banks
}

mod own_tables {
    use super::*;

    #[tokio::test]
    async fn a_question_that_no_cell_holds_is_not_cut_short() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        let database = Database::open(hall.database_url(), 2, 1).await.unwrap();
        let mut bank = load_bank(&database, Grade::new(5).unwrap()).await.unwrap();
        bank[0].question = "x".repeat(32_768);
        put(&database, &bank[..1]).await.unwrap();
        database.close().await;
        admin.get("/api/admin/export?grade=5").await.assert_error(500, "A question is too long for a spreadsheet cell");
        assert_eq!(admin.get("/api/admin/export?grade=6").await.status, 200);
    }

    #[tokio::test]
    async fn questions_for_exams_alone_travel_as_such() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        let public = async || hall.bank(5).await.questions.len();
        let header = "id,grade,difficulty,question,optionA,optionB,answer,secure";
        let csv = |rows: &str| format!("{header}\n{rows}").into_bytes();
        let rows = "new-1,5,1,Never public?,yes,no,A,yes\nnew-2,5,1,Public?,yes,no,A,no\nnew-3,5,1,Unsaid?,yes,no,A,\n";
        let report = import(&admin, &csv(rows)).await;
        assert_eq!(report, json!({ "added": 3, "updated": 0, "errors": [] }));
        assert_eq!(public().await, 122, "it was public at no moment");
        let file = export(&admin, "5").await;
        let marks = |file: &[u8]| -> Vec<String> {
            let rows = cells(file, "Questions");
            let marked = rows.iter().filter(|row| row[super::super::COLUMNS.len()] == Data::String("yes".to_owned()));
            marked.map(|row| row[0].to_string()).collect()
        };
        assert_eq!(marks(&file), ["new-1"]);
        // An empty cell, and a sheet without the column, leave it as it was.
        import(&admin, &csv("new-1,5,1,Never public?,yes,no,A,\n")).await;
        import(&admin, b"id,grade,difficulty,question,optionA,optionB,answer\nnew-1,5,1,Never?,yes,no,A\n").await;
        assert_eq!(public().await, 122);
        let report =
            import(&admin, &csv("new-2,5,1,Public?,yes,no,A,TRUE\nnew-3,5,1,Unsaid?,yes,no,A,perhaps\n")).await;
        assert_eq!(report["errors"], json!(["Row 3: secure must be yes or no"]));
        assert_eq!(public().await, 121);
        assert_eq!(marks(&export(&admin, "5").await), ["new-1", "new-2"]);
        // The file that was exported first says of each what it was.
        import(&admin, &file).await;
        assert_eq!(marks(&export(&admin, "5").await), ["new-1"]);
    }

    #[tokio::test]
    async fn what_is_said_of_practice_travels_with_questions() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        let header = "id,grade,difficulty,question,optionA,optionB,answer,practice";
        let csv = |rows: &str| format!("{header}\n{rows}").into_bytes();
        let listed = async || {
            let marks = admin.get("/api/admin/questions/secure?grade=5").await.json();
            [marks["practice"].clone(), marks["noPractice"].clone()]
        };
        let rows = "new-1,5,1,Open?,yes,no,A,yes\nnew-2,5,1,Kept?,yes,no,A,no\nnew-3,5,1,Unsaid?,yes,no,A,\n";
        assert_eq!(import(&admin, &csv(rows)).await, json!({ "added": 3, "updated": 0, "errors": [] }));
        assert_eq!(listed().await, [json!(["new-1"]), json!(["new-2"])]);
        let public = hall.anonymous().get("/api/questions?grade=5").await.json();
        let keyless = public.as_array().unwrap().iter().filter(|question| question["answer"].is_null());
        assert_eq!(keyless.map(|question| question["id"].clone()).collect::<Vec<_>>(), [json!("new-2")]);
        let file = export(&admin, "5").await;
        // What an import says of new questions changes nothing of those that are there, and of rows that say it.
        let path = format!("{}?practice=false", super::super::IMPORT);
        let rows = "new-3,5,1,Unsaid?,yes,no,A,\nnew-4,5,1,New?,yes,no,A,\nnew-5,5,1,Said?,yes,no,A,yes\n";
        assert_eq!(super::super::post(&admin, &path, &csv(rows)).await.status, 200);
        assert_eq!(listed().await, [json!(["new-1", "new-5"]), json!(["new-2", "new-4"])]);
        let turned = import(&admin, &csv("new-1,5,1,Open?,yes,no,A,no\nnew-2,5,1,Kept?,yes,no,A,perhaps\n")).await;
        assert_eq!(turned["errors"], json!(["Row 3: practice must be yes or no"]));
        assert_eq!(listed().await[1], json!(["new-1", "new-2", "new-4"]));
        // The file that was exported first says of each what it was.
        import(&admin, &file).await;
        assert_eq!(listed().await, [json!(["new-1", "new-5"]), json!(["new-2", "new-4"])]);
        let unknown = format!("{}?practice=perhaps", super::super::IMPORT);
        super::super::post(&admin, &unknown, &file).await.assert_error(400, "Invalid practice");
        let misspelt = b"id,grade,difficulty,question,optionA,optionB,answer,practise\nn,5,1,?,yes,no,A,no\n";
        let refused = super::super::post(&admin, super::super::IMPORT, misspelt).await;
        refused.assert_error(400, "Column practise is not known: did you mean practice?");
    }
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn an_empty_bank_is_a_sheet_to_fill() {
        let (_hall, admin) = empty_hall().await;
        let file = export(&admin, "3").await;
        assert_eq!(cells(&file, "Questions").len(), 1);
        assert_eq!(import(&admin, &file).await, json!({ "added": 0, "updated": 0, "errors": [] }));
    }

    #[tokio::test]
    async fn the_sheet_helps_who_fills_it() {
        let hall = Hall::open().await;
        let file = export(&hall.signed_in("admin").await, "1").await;
        let parts = parts(&file);
        let part =
            |name: &str| String::from_utf8(parts.iter().find(|(found, _)| found == name).unwrap().1.clone()).unwrap();
        let sheet = part("xl/worksheets/sheet1.xml");
        assert!(sheet.contains("<pane ySplit=\"1\"") && sheet.contains("state=\"frozen\""), "the header stays");
        for list in ["\"A,B,C,D\"", "\"1,2,3,4,5\"", "\"1,2,3,4,5,6,7,8,9,10\""] {
            assert!(
                sheet.contains(&format!("<formula1>{list}</formula1>").replace('"', "&quot;"))
                    || sheet.contains(&format!("<formula1>{list}</formula1>")),
                "{list}"
            );
        }
        assert!(sheet.matches("<col ").count() >= 5 && !sheet.contains("<f>"));
        let instructions: Vec<String> = cells(&file, "Instructions").concat().iter().map(ToString::to_string).collect();
        for word in super::super::COLUMNS {
            assert!(instructions.iter().any(|cell| cell == word), "{word} is explained");
        }
        assert!(
            instructions.iter().any(|cell| cell.contains("/api/admin/import"))
                && instructions.iter().any(|cell| cell.contains("empty id"))
        );
    }

    #[tokio::test]
    async fn a_text_that_starts_a_formula_is_marked_as_text() {
        let (_hall, admin) = empty_hall().await;
        import(&admin, &workbook_of(&[changed("a", &json!({ "question": "=1+1" })), good("b")])).await;
        let styles = parts(&export(&admin, "5").await).into_iter().find(|(name, _)| name == "xl/styles.xml").unwrap().1;
        assert!(String::from_utf8(styles).unwrap().contains("quotePrefix=\"1\""));
    }
}
