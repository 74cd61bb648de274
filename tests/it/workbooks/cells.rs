//! What cells of each kind become.

use rust_xlsxwriter::{ExcelDateTime, Format, FormatScript, Formula};
use serde_json::{Value, json};

use super::{
    DRY, IMPORT, changed, empty_hall, good, import, post, questions, with_part, workbook, workbook_of, write_rows,
};
use crate::hall::Caller;

const SHEET: &str = "xl/worksheets/sheet1.xml";
const COLUMN_LETTERS: &str = "ABCDEFGHIJKLMNOPQ";
const QUESTION: u16 = 7;
const OPTION_A: u16 = 8;
const OPTION_B: u16 = 9;
const OPTION_C: u16 = 10;
const OPTION_D: u16 = 11;
const GRADE: u16 = 1;

/// The only question there is after an import of a workbook.
async fn imported(admin: &Caller, file: &[u8]) -> Value {
    let report = import(admin, file).await;
    assert_eq!(report["errors"], json!([]));
    let mut list = questions(admin, 5).await;
    assert_eq!(list.len(), 1, "{list:?}");
    list.remove(0)
}

#[tokio::test]
async fn numbers_and_texts_stand_for_each_other() {
    let (_hall, admin) = empty_hall().await;
    let numbers = [json!(5), json!(5.0), json!("5"), json!(" 5 "), json!("5.0"), json!("\u{a0}5\n")];
    for number in numbers {
        let row = changed(
            "a",
            &json!({ "grade": number, "difficulty": number, "optionA": 0.5, "optionB": 12, "optionC": true, "optionD": 0.1 + 0.2 }),
        );
        let question = imported(&admin, &workbook_of(&[row])).await;
        assert_eq!(question["options"], json!(["0.5", "12", "TRUE", "0.3"]), "{number}");
        assert_eq!((&question["grade"], &question["difficulty"]), (&json!(5), &json!(5)));
    }
    let row = changed("", &json!({ "id": 17, "answer": " d ", "question": 2026, "topic": -1.5, "explanation": false }));
    import(&admin, &workbook_of(&[row])).await;
    let list = questions(&admin, 5).await;
    let question = list.iter().find(|question| question["id"] == "17").unwrap();
    assert_eq!(
        (&question["answer"], &question["question"], &question["topic"], &question["explanation"]),
        (&json!("D"), &json!("2026"), &json!("-1.5"), &json!("FALSE"))
    );
}

#[tokio::test]
async fn dates_percents_and_times_are_texts() {
    let (_hall, admin) = empty_hall().await;
    let (topic, subtopic, source, explanation, described) = (2, 3, 5, 13, 15);
    let file = workbook(|sheet| {
        write_rows(sheet, &[good("a")]);
        let format = |code| Format::new().set_num_format(code);
        sheet
            .write_datetime_with_format(1, topic, ExcelDateTime::from_ymd(2026, 2, 1).unwrap(), &format("yyyy-mm-dd"))
            .unwrap();
        let moment = ExcelDateTime::from_ymd(2026, 2, 1).unwrap().and_hms(9, 30, 0).unwrap();
        sheet.write_datetime_with_format(1, subtopic, moment, &format("d.m.yyyy hh:mm")).unwrap();
        sheet
            .write_datetime_with_format(1, source, ExcelDateTime::from_hms(9, 30, 0).unwrap(), &format("hh:mm"))
            .unwrap();
        sheet.write_number_with_format(1, explanation, 2.25, &format("[h]:mm:ss")).unwrap();
        sheet.write_number_with_format(1, described, 0.25, &format("[h]:mm:ss")).unwrap();
        sheet.write_number_with_format(1, OPTION_C, 0.25, &format("0%;[Red]-0%")).unwrap();
        sheet.write_number_with_format(1, OPTION_D, 0.5, &format("0%")).unwrap();
    });
    let question = imported(&admin, &file).await;
    let texts = ["topic", "subtopic", "source", "explanation", "imageDescription"].map(|field| question[field].clone());
    assert_eq!(texts, ["2026-02-01", "2026-02-01T09:30:00", "09:30:00", "54:00:00", "06:00:00"]);
    assert_eq!(question["options"], json!(["1", "2", "25%", "50%"]));
}

#[tokio::test]
async fn what_a_cell_shows_is_what_is_read() {
    let (_hall, admin) = empty_hall().await;
    let file = workbook(|sheet| {
        write_rows(sheet, &[good("a"), good("b")]);
        let format = |code| Format::new().set_num_format(code);
        sheet.write_number_with_format(1, 0, 42, &format("000000")).unwrap();
        sheet.write_number_with_format(1, OPTION_A, 0.5, &format("0.00")).unwrap();
        sheet.write_number_with_format(1, OPTION_B, 0.5, &format("# ?/?")).unwrap();
        sheet.write_number_with_format(1, OPTION_C, 5, &format("0 \"kg\"")).unwrap();
        sheet.write_number_with_format(1, OPTION_D, 1_234, &format("#,##0")).unwrap();
        sheet.write_number(2, 0, 12_345_678_901_234_567_u64 as f64).unwrap();
    });
    let errors = ["Row 3: id has lost digits: format the column as text and type it again"];
    assert_eq!(import(&admin, &file).await, json!({ "added": 1, "updated": 0, "errors": errors }));
    let question = questions(&admin, 5).await.remove(0);
    assert_eq!(question["id"], "000042");
    assert_eq!(question["options"], json!(["0.50", "1/2", "5 kg", "1,234"]));
}

#[tokio::test]
async fn marks_that_mean_something_are_read_or_refused_and_hidden_rows_are_told() {
    let (_hall, admin) = empty_hall().await;
    let file = workbook(|sheet| {
        write_rows(sheet, &[good("a"), good("b"), good("c"), good("d")]);
        let (plain, struck) = (Format::new(), Format::new().set_font_strikethrough());
        let raised = Format::new().set_font_script(FormatScript::Superscript);
        let lowered = Format::new().set_font_script(FormatScript::Subscript);
        sheet
            .write_rich_string(
                1,
                QUESTION,
                &[(&plain, "x"), (&raised, "-12"), (&plain, " & H"), (&lowered, "2"), (&plain, "O?")],
            )
            .unwrap();
        sheet.write_rich_string(2, QUESTION, &[(&plain, "x"), (&raised, "y"), (&plain, "?")]).unwrap();
        sheet.write_rich_string(3, OPTION_A, &[(&plain, "1"), (&struck, "2")]).unwrap();
        sheet.write_number_with_format(4, OPTION_B, 7, &struck).unwrap();
        sheet.set_row_hidden(1).unwrap();
        sheet.set_row_hidden(9).unwrap();
    });
    let errors = [
        "Row 3: question has raised or lowered text: write it as a formula, such as $x^{n}$",
        "Row 4: optionA has text that is struck out: remove it, or the whole row",
        "Row 5: optionB has text that is struck out: remove it, or the whole row",
    ];
    assert_eq!(import(&admin, &file).await, json!({ "added": 1, "updated": 0, "errors": errors, "hiddenRows": 1 }));
    assert_eq!(questions(&admin, 5).await[0]["question"], "x⁻¹² & H₂O?");
}

#[tokio::test]
async fn columns_that_are_not_read_are_named_and_a_mistyped_one_is_refused() {
    let (_hall, admin) = empty_hall().await;
    let with = |heading: &'static str| {
        workbook(|sheet| {
            write_rows(sheet, &[good("a")]);
            sheet.write_string(0, 20, heading).unwrap();
            sheet.write_string(1, 20, "yes").unwrap();
        })
    };
    let answer = json!({ "added": 1, "updated": 0, "errors": [], "ignoredColumns": ["Remarks"] });
    assert_eq!(import(&admin, &with("Remarks")).await, answer);
    for heading in ["Secured", "secure?!x"] {
        let sentence = format!("Column {heading} is not known: did you mean secure?");
        post(&admin, IMPORT, &with(heading)).await.assert_error(400, &sentence);
    }
    let text = "grade,difficulty,question,optionA,optionB,anwser\n5,1,?,1,2,A\n";
    post(&admin, IMPORT, text.as_bytes()).await.assert_error(400, "Column anwser is not known: did you mean answer?");
    let text = "grade,difficulty,question,optionA,optionB,answer\n5,1,\"What?,1,2,A\n5,1,\"?\",1,2,A\n";
    let sentence = "Row 2: a quotation mark is opened and not closed";
    post(&admin, IMPORT, text.as_bytes()).await.assert_error(400, sentence);
}

#[tokio::test]
async fn a_date_is_no_option() {
    let (_hall, admin) = empty_hall().await;
    let file = workbook(|sheet| {
        write_rows(sheet, &[good("a"), good("b"), good("c")]);
        let format = |code| Format::new().set_num_format(code);
        sheet
            .write_datetime_with_format(1, OPTION_A, ExcelDateTime::from_ymd(2026, 2, 1).unwrap(), &format("d-mmm"))
            .unwrap();
        sheet
            .write_datetime_with_format(2, OPTION_D, ExcelDateTime::from_hms(3, 4, 0).unwrap(), &format("hh:mm"))
            .unwrap();
    });
    let errors = [
        "Row 2: optionA is a date: format the cell as text and type it again",
        "Row 3: optionD is a time: format the cell as text and type it again",
    ];
    assert_eq!(import(&admin, &file).await, json!({ "added": 1, "updated": 0, "errors": errors }));
}

#[tokio::test]
async fn a_date_is_no_grade() {
    let (_hall, admin) = empty_hall().await;
    let file = workbook(|sheet| {
        write_rows(sheet, &[good("a"), good("b")]);
        let format = Format::new().set_num_format("yyyy-mm-dd");
        sheet.write_datetime_with_format(1, GRADE, ExcelDateTime::from_ymd(1900, 1, 5).unwrap(), &format).unwrap();
    });
    assert_eq!(
        import(&admin, &file).await,
        json!({ "added": 1, "updated": 0, "errors": ["Row 2: grade must be 1 to 10"] })
    );
}

#[tokio::test]
async fn a_formula_is_its_saved_value() {
    let (_hall, admin) = empty_hall().await;
    let file = workbook(|sheet| {
        write_rows(sheet, &[changed("a", &json!({ "grade": null })), good("b")]);
        sheet.write_formula(1, GRADE, Formula::new("=2+3").set_result("5")).unwrap();
        // Evaluated they would be 4 and an address of someone else's.
        sheet.write_formula(1, OPTION_A, Formula::new("=2+2").set_result("saved")).unwrap();
        sheet
            .write_formula(1, OPTION_B, Formula::new("=WEBSERVICE(\"http://127.0.0.1/\")").set_result("text"))
            .unwrap();
        sheet.write_formula(2, GRADE, Formula::new("=1/0").set_result("#DIV/0!")).unwrap();
    });
    assert_eq!(
        import(&admin, &file).await,
        json!({ "added": 1, "updated": 0, "errors": ["Row 3: grade has the error #DIV/0!"] })
    );
    assert_eq!(questions(&admin, 5).await[0]["options"], json!(["saved", "text", "3", "4"]));
}

#[tokio::test]
async fn errors_of_newer_spreadsheets_cost_their_row_alone() {
    let (_hall, admin) = empty_hall().await;
    let file = workbook(|sheet| {
        write_rows(sheet, &[good("a"), good("b"), good("c"), good("d")]);
        sheet.write_formula(2, OPTION_A, Formula::new("=1").set_result("#N/A")).unwrap();
        sheet.write_formula(3, GRADE, Formula::new("=1").set_result("#N/A")).unwrap();
    });
    let values = [
        "<v>#SPILL!</v>",
        "<v>#CALC!</v>",
        "<v>#GETTING_DATA</v>",
        "<v>#</v>",
        "<v>Err:522</v>",
        "<v xml:space=\"preserve\">#FIELD!</v>",
    ];
    for value in values.into_iter().chain([
        "<x:v>#SPILL!</x:v>",
        "<v>&five;</v>",
        "<v>#SPILL!</v><extLst><ext uri=\"u\"/></extLst>",
    ]) {
        let file = with_part(&file, SHEET, |sheet| sheet.replacen("<v>#N/A</v>", value, 1).into_bytes());
        let errors = ["Row 3: optionA has the error #VALUE!", "Row 4: grade has the error #N/A"];
        let report = import(&admin, &file).await;
        assert_eq!(report["errors"], json!(errors), "{value}");
        assert_eq!(report["added"].as_u64().unwrap() + report["updated"].as_u64().unwrap(), 2);
    }
}

/// The sheet with a cell's attributes after its place, and its content, rewritten.
fn with_cell(file: &[u8], place: &str, cell: &str) -> Vec<u8> {
    with_part(file, SHEET, |sheet| {
        let begin = sheet.find(&format!("<c r=\"{place}\"")).unwrap();
        let end = begin + sheet[begin..].find("</c>").unwrap();
        format!("{}<c r=\"{place}\" {cell}{}", &sheet[..begin], &sheet[end..]).into_bytes()
    })
}

#[tokio::test]
async fn a_text_that_begins_like_an_error_is_a_text() {
    let (_hall, admin) = empty_hall().await;
    for (cell, text) in [
        ("t=\"str\"><f>A1</f><v>#5 is what?</v>", "#5 is what?"),
        ("t=\"str\"><v xml:space=\"preserve\">#N/A</v>", "#N/A"),
    ] {
        let file = with_cell(&workbook_of(&[good("a")]), "H2", cell);
        assert_eq!(imported(&admin, &file).await["question"], text);
    }
}

#[tokio::test]
async fn a_value_that_can_not_be_costs_its_row_alone() {
    let (_hall, admin) = empty_hall().await;
    let good = workbook_of(&[good("a"), good("b")]);
    for cell in
        ["t=\"n\"><v>five</v>", "t=\"s\"><v>9999</v>", "t=\"s\"><v>-1</v>", "t=\"b\"><v>7</v>", "t=\"other\"><v>1</v>"]
    {
        let answer = post(&admin, DRY, &with_cell(&good, "K2", cell)).await;
        assert_eq!(
            answer.json(),
            json!({ "added": 1, "updated": 0, "errors": ["Row 2: optionC has the error #VALUE!"] }),
            "{cell}"
        );
    }
    import(&admin, &with_cell(&good, "K2", "><v>five</v>")).await;
    assert_eq!(questions(&admin, 5).await[0]["options"][2], "five", "a text, though the cell does not say so");
    let file = with_cell(&good, "K2", "><v>7</v><extLst><ext uri=\"u\"><v>8</v></ext></extLst>");
    import(&admin, &file).await;
    assert_eq!(questions(&admin, 5).await[0]["options"][2], "7");
}

#[tokio::test]
async fn two_rows_of_one_number_are_two_rows() {
    let (_hall, admin) = empty_hall().await;
    let file = with_part(&workbook_of(&[good("a"), good("b")]), SHEET, |sheet| {
        let place = sheet.find("<row r=\"3\"").unwrap();
        let (before, row) = sheet.split_at(place);
        let row = COLUMN_LETTERS.chars().fold(row.replacen("<row r=\"3\"", "<row r=\"2\"", 1), |row, letter| {
            row.replace(&format!("r=\"{letter}3\""), &format!("r=\"{letter}2\""))
        });
        format!("{before}{row}").into_bytes()
    });
    assert_eq!(import(&admin, &file).await, json!({ "added": 2, "updated": 0, "errors": [] }));
}

#[tokio::test]
async fn merged_cells_have_their_value_once() {
    let (_hall, admin) = empty_hall().await;
    let file = workbook(|sheet| {
        write_rows(
            sheet,
            &[
                good("a"),
                changed("b", &json!({ "topic": null })),
                changed("c", &json!({ "optionC": null, "optionD": null })),
                good("d"),
            ],
        );
        let format = Format::new();
        sheet.merge_range(1, 2, 2, 2, "Merged", &format).unwrap();
        sheet.merge_range(3, OPTION_C, 3, OPTION_D, "wide", &format).unwrap();
        sheet.merge_range(4, GRADE, 6, GRADE, "5", &format).unwrap();
    });
    assert_eq!(import(&admin, &file).await, json!({ "added": 4, "updated": 0, "errors": [] }));
    let list = questions(&admin, 5).await;
    assert_eq!(
        (&list[0]["topic"], &list[1]["topic"], &list[2]["options"]),
        (&json!("Merged"), &json!("General"), &json!(["1", "2", "wide"]))
    );
}

#[tokio::test]
async fn texts_within_cells_and_rich_texts_are_read() {
    let (_hall, admin) = empty_hall().await;
    let file = with_part(&workbook_of(&[good("a")]), "xl/sharedStrings.xml", |table| {
        let rich = "<si><r><t>What </t></r><r><rPr><b/></rPr><t xml:space=\"preserve\">is </t></r><r><t>1 + 1?</t></r><rPh sb=\"0\" eb=\"1\"><t>no</t></rPh></si>";
        table.replace("<si><t>What is 1 + 1? (a)</t></si>", rich).into_bytes()
    });
    let file = with_part(&file, "xl/worksheets/sheet1.xml", |sheet| {
        let place = sheet.find("<c r=\"N2\"").unwrap();
        let end = place + sheet[place..].find("</c>").unwrap();
        format!(
            "{}<c r=\"N2\" t=\"inlineStr\"><is><t>within &lt;the&gt; cell</t></is>{}",
            &sheet[..place],
            &sheet[end..]
        )
        .into_bytes()
    });
    let question = imported(&admin, &file).await;
    assert_eq!(
        (&question["question"], &question["explanation"]),
        (&json!("Whatis 1 + 1?"), &json!("within <the> cell"))
    );
}
