//! Files other than xlsx: text with commas, semicolons or tabs, OpenDocument, and formats that are refused by name.

use std::io::{Cursor, Write};

use rust_xlsxwriter::{ExcelDateTime, Format};
use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{IMPORT, changed, empty_hall, good, import, post, questions, workbook, workbook_of, write_rows};

const OPTION_A: u16 = 8;
const OPTION_B: u16 = 9;
const OPTION_C: u16 = 10;

fn packed(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// An OpenDocument spreadsheet with this body, as spreadsheet programs frame it.
fn ods(body: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><office:document-content xmlns:office=\"o\" xmlns:table=\"t\" xmlns:text=\"x\" \
         xmlns:style=\"s\" xmlns:calcext=\"c\"><office:automatic-styles>\
         <style:style style:name=\"ta2\" style:family=\"table\"><style:table-properties table:display=\"false\"/></style:style>\
         </office:automatic-styles><office:body><office:spreadsheet>{body}</office:spreadsheet></office:body>\
         </office:document-content>"
    );
    packed(&[("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", &content)])
}

fn text_cell(text: &str) -> String {
    format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
}

fn header(columns: &[&str]) -> String {
    format!("<table:table-row>{}</table:table-row>", columns.iter().map(|name| text_cell(name)).collect::<String>())
}

#[tokio::test]
async fn text_is_read_whatever_stands_between_the_cells() {
    let (_hall, admin) = empty_hall().await;
    let rows = "id|grade|difficulty|question|optionA|optionB|answer\nQ|5|2|\"How much is\n1/2 + 1/2, in Zürich?\"|1/2|50 €|b\n\nr|5|2|Why?|1|1|A\n";
    for (place, delimiter) in [",", ";", "\t"].into_iter().enumerate() {
        let text = rows.replace('|', delimiter).replace('Q', &format!("q{place}"));
        let forms = [
            text.clone().into_bytes(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            encoding_rs::WINDOWS_1252.encode(&text).0.into_owned(),
        ];
        for (form, (added, read_as)) in forms.iter().zip([(1, None), (0, None), (0, Some("windows-1252"))]) {
            let report = import(&admin, form).await;
            let errors = ["Row 4: optionA and optionB are equal"];
            let mut expected = json!({ "added": added, "updated": 1 - added, "errors": errors });
            if let Some(encoding) = read_as {
                expected["readAs"] = json!(encoding);
            }
            assert_eq!(report, expected, "{delimiter:?}");
            let list = questions(&admin, 5).await;
            let question = list.iter().find(|question| question["id"] == format!("q{place}")).unwrap();
            assert_eq!(question["question"], "How much is\n1/2 + 1/2, in Zürich?");
            assert_eq!((&question["options"], &question["answer"]), (&json!(["1/2", "50 €"]), &json!("B")));
        }
    }
}

#[tokio::test]
async fn letters_are_not_guessed() {
    let (_hall, admin) = empty_hall().await;
    let rows = "id,grade,difficulty,question,optionA,optionB,answer\nq1,5,2,Ai là Nguyễn Văn Đức?,1,2,A\nq2,5,2,Trần Thị Ánh Tuyết?,1,2,A\n";
    let mut broken = rows.as_bytes().to_vec();
    broken[rows.find("ần").unwrap()] = b' ';
    let unknown = "The encoding of the text is not known: save it as UTF-8 or as .xlsx";
    let dos = rows.replace("Nguyễn Văn Đức", "Müller, Zürich").replace("Trần Thị Ánh Tuyết", "Jörg");
    let dos: Vec<u8> = dos
        .chars()
        .flat_map(|letter| match letter {
            'ü' => vec![0x81],
            'ö' => vec![0x94],
            'à' => vec![0x85],
            letter => letter.to_string().into_bytes(),
        })
        .collect();
    let vietnamese =
        rows.replace("Ai là Nguyễn Văn Đức?", "Ai? NNN V\u{103}n \u{110}?").replace("Trần Thị Ánh Tuyết", "TTT");
    let vietnamese = encoding_rs::WINDOWS_1258.encode(&vietnamese).0.into_owned();
    // Tones are signs of their own, which follow their letters.
    let vietnamese =
        replaced(&replaced(&vietnamese, b"NNN", b"Nguy\xea\xden"), b"TTT", b"Tr\xe2\xccn Thi\xf2 A\xecnh Tuy\xea\xect");
    for (file, error) in [
        (broken, "Row 3: a letter is not in UTF-8: save the file as UTF-8 or as .xlsx"),
        (vietnamese, unknown),
        (dos, unknown),
    ] {
        post(&admin, IMPORT, &file).await.assert_error(400, error);
    }
    assert!(questions(&admin, 5).await.is_empty());
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let place = bytes.windows(from.len()).position(|window| window == from).unwrap();
    [&bytes[..place], to, &bytes[place + from.len()..]].concat()
}

#[tokio::test]
async fn tables_within_and_beside_a_sheet_are_no_part_of_it() {
    let (_hall, admin) = empty_hall().await;
    let columns = ["id", "grade", "difficulty", "question", "optionA", "optionB", "answer"];
    let row = |id: &str, question: &str| {
        let cells = [id, "5", "2"].map(text_cell).concat() + question + &["1", "2", "A"].map(text_cell).concat();
        format!("<table:table-row>{cells}</table:table-row>")
    };
    let inner = |id: &str| {
        format!(
            "<table:table table:name=\"Questions\">{}{}</table:table>",
            header(&columns),
            row(id, &text_cell("Inner?"))
        )
    };
    let framed = |table: String| {
        format!(
            "<table:table-cell office:value-type=\"string\"><text:p>Outer?<draw:frame>{table}</draw:frame></text:p>{table}</table:table-cell>"
        )
    };
    let file = ods(&format!(
        "<table:table table:name=\"Sheet\"><table:shapes>{}</table:shapes>{}<table:table-row-group><table:table-rows>{}{}</table:table-rows>\
         </table:table-row-group>{}</table:table><table:dde-links><table:dde-link>{}</table:dde-link></table:dde-links>",
        inner("shape"),
        header(&columns),
        row("q1", &framed(inner("cell"))),
        inner("between"),
        row("q2", &text_cell("Last?")),
        inner("link"),
    ));
    assert_eq!(import(&admin, &file).await, json!({ "added": 2, "updated": 0, "errors": [] }));
    let mut found: Vec<(String, String)> = questions(&admin, 5)
        .await
        .iter()
        .map(|question| ["id", "question"].map(|name| question[name].as_str().unwrap().to_owned()).into())
        .collect();
    found.sort();
    assert_eq!(found, [("q1".to_owned(), "Outer?".to_owned()), ("q2".to_owned(), "Last?".to_owned())]);
}

#[tokio::test]
async fn an_open_document_is_read() {
    let (_hall, admin) = empty_hall().await;
    let columns =
        ["id", "grade", "difficulty", "question", "optionA", "optionB", "optionC", "optionD", "answer", "topic"];
    let cells = [
        text_cell("q1"),
        "<table:table-cell office:value-type=\"float\" office:value=\"5\"><text:p>5</text:p></table:table-cell>".into(),
        "<table:table-cell office:value-type=\"float\" office:value=\"2\"><text:p>2,0</text:p></table:table-cell>".into(),
        "<table:table-cell office:value-type=\"string\"><office:annotation><text:p>a comment</text:p></office:annotation>\
         <text:p>Is <text:span>x</text:span> &lt; 5<text:s text:c=\"2\"/>&amp; y&#233;?</text:p><text:p>Yes?</text:p></table:table-cell>"
            .into(),
        "<table:table-cell office:value-type=\"currency\" office:currency=\"EUR\" office:value=\"0.5\"><text:p>0,50 €</text:p></table:table-cell>".into(),
        "<table:table-cell office:value-type=\"percentage\" office:value=\"0.5\"><text:p>50 %</text:p></table:table-cell>".into(),
        "<table:table-cell office:value-type=\"boolean\" office:boolean-value=\"true\"><text:p>WAHR</text:p></table:table-cell>".into(),
        "<table:table-cell office:value-type=\"float\" office:value=\"0.30000000000000004\"><text:p>0,3</text:p></table:table-cell>".into(),
        text_cell("a"),
        "<table:table-cell office:value-type=\"time\" office:time-value=\"PT09H30M00S\"><text:p>09:30</text:p></table:table-cell>".into(),
    ];
    let of = |cells: &[String]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let mut dated = cells.clone();
    dated[0] = text_cell("q2");
    let date = "<table:table-cell office:value-type=\"date\" office:date-value=\"2026-02-01\"><text:p>1. Feb</text:p></table:table-cell>";
    (dated[4], dated[5]) = (date.to_owned(), date.to_owned());
    dated[6] = "<table:table-cell office:value-type=\"string\" calcext:value-type=\"error\"><text:p>#REF!</text:p></table:table-cell>".into();
    let far = "<table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>";
    let file = ods(&format!(
        "<table:table table:name=\"Old\" table:style-name=\"ta2\">{}<table:table-row>{}</table:table-row></table:table>\
         <table:table table:name=\"&lt;New&gt;\">{}<table:table-row table:number-rows-repeated=\"3\"><table:table-cell/></table:table-row>{}{}{far}</table:table>",
        header(&columns),
        text_cell("hidden"),
        header(&columns),
        of(&cells),
        of(&dated),
    ));
    let errors = [
        "Row 6: optionC has the error #REF!; optionA and optionB are dates: format the cells as text and type them again",
    ];
    assert_eq!(import(&admin, &file).await, json!({ "added": 1, "updated": 0, "errors": errors }));
    let question = questions(&admin, 5).await.remove(0);
    assert_eq!(question["question"], "Is x < 5  & yé?\nYes?");
    assert_eq!(question["options"], json!(["0,50 €", "50%", "TRUE", "0.3"]));
    assert_eq!((&question["id"], &question["topic"]), (&json!("q1"), &json!("09:30:00")));
}

#[tokio::test]
async fn an_open_document_can_not_repeat_without_end() {
    let (_hall, admin) = empty_hall().await;
    let columns = ["grade", "difficulty", "question", "optionA", "optionB", "answer"];
    let table =
        |row: &str| ods(&format!("<table:table table:name=\"Questions\">{}{row}</table:table>", header(&columns)));
    for (row, error) in [
        (
            "<table:table-row table:number-rows-repeated=\"1048576\"><table:table-cell office:value-type=\"string\"><text:p>a</text:p></table:table-cell></table:table-row>",
            "The sheet has more than 50,000 rows",
        ),
        (
            "<table:table-row><table:table-cell table:number-columns-repeated=\"16384\" office:value-type=\"string\"><text:p>a</text:p></table:table-cell></table:table-row>",
            "The sheet has more than 100 columns",
        ),
        (
            "<table:table-row table:number-rows-repeated=\"4294967295\"/><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row>",
            "The sheet has more than 50,000 rows",
        ),
        ("<table:table-row table:number-rows-repeated=\"-1\"/>", "Not a spreadsheet workbook"),
        ("<table:table-row><table:table-cell><text:p>&unknown;", "Not a spreadsheet workbook"),
    ] {
        post(&admin, IMPORT, &table(row)).await.assert_error(400, error);
    }
}

#[tokio::test]
async fn other_formats_are_told_what_to_do() {
    let (_hall, admin) = empty_hall().await;
    let compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    let encrypted: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let odt = packed(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", "<a/>")]);
    for (file, error) in [
        (compound.to_vec(), "An .xls workbook is not read: save it as .xlsx"),
        ([&compound[..], &encrypted].concat(), "The workbook is protected by a password: save it without one"),
        (packed(&[("xl/workbook.bin", "")]), "An .xlsb workbook is not read: save it as .xlsx"),
        (packed(&[("Index/Document.iwa", "")]), "A Numbers document is not read: save it as .xlsx"),
        (odt, "Not a spreadsheet workbook"),
        (encrypted_ods("content.xml"), "The workbook is protected by a password: save it without one"),
        (encrypted_ods("encrypted-package"), "The workbook is protected by a password: save it without one"),
        (b"%PDF-1.7\n\0".to_vec(), "Not a spreadsheet workbook"),
        (b"Dear all,\nno exam today".to_vec(), "Not a spreadsheet workbook"),
        (b"grade;question;optionA\n5;Why?;1".to_vec(), "Missing columns: difficulty, optionB, answer"),
    ] {
        post(&admin, IMPORT, &file).await.assert_error(400, error);
    }
}

/// A spreadsheet of which one part is encrypted, as LibreOffice writes it.
fn encrypted_ods(part: &str) -> Vec<u8> {
    let manifest = format!(
        "<manifest:manifest xmlns:manifest=\"m\"><manifest:file-entry manifest:full-path=\"{part}\" manifest:size=\"4211\">\
         <manifest:encryption-data manifest:checksum-type=\"SHA256\"/></manifest:file-entry></manifest:manifest>"
    );
    packed(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        (part, "\u{1}\u{2}encrypted"),
        ("META-INF/manifest.xml", &manifest),
    ])
}

#[tokio::test]
async fn a_currency_is_part_of_an_option() {
    let (_hall, admin) = empty_hall().await;
    let file = workbook(|sheet| {
        write_rows(sheet, &[good("a")]);
        let format = |code| Format::new().set_num_format(code);
        sheet.write_number_with_format(1, OPTION_A, 5, &format("\"$\"#,##0.00")).unwrap();
        sheet.write_number_with_format(1, OPTION_B, 1_234.5, &format("#,##0.00\\ [$€-407]")).unwrap();
        sheet.write_number_with_format(1, OPTION_C, 6, &Format::new().set_num_format_index(44)).unwrap();
    });
    import(&admin, &file).await;
    assert_eq!(questions(&admin, 5).await[0]["options"], json!(["$5.00", "1,234.50 €", "$6.00", "4"]));
}

#[tokio::test]
async fn equal_options_and_all_faults_of_a_row_are_named() {
    let (_hall, admin) = empty_hall().await;
    let file = workbook(|sheet| {
        write_rows(
            sheet,
            &[changed("a", &json!({ "optionD": " 2 " })), changed("b", &json!({ "grade": 11, "answer": "x" }))],
        );
        let date = ExcelDateTime::from_ymd(2026, 2, 1).unwrap();
        for option in [OPTION_A, OPTION_B] {
            sheet.write_datetime_with_format(2, option, &date, &Format::new().set_num_format("d-mmm")).unwrap();
        }
    });
    let errors = [
        "Row 2: optionB and optionD are equal",
        "Row 3: grade must be 1 to 10; optionA and optionB are dates: format the cells as text and type them again; \
         answer must be one of A, B, C, D",
    ];
    assert_eq!(import(&admin, &file).await, json!({ "added": 0, "updated": 0, "errors": errors }));
    assert_eq!(import(&admin, &workbook_of(&[good("a")])).await["added"], 1);
}
