//! The file itself: its headers, its size, its pages, and sessions of every kind.

use serde_json::json;

use super::{Report, drawings, open, test};
use crate::hall::{Hall, run};

#[tokio::test]
async fn a_report_is_a_private_file_with_a_name() {
    let (hall, bank) = open().await;
    let report = Report::of(&hall.anonymous(), &test(&bank, 20, json!({ "name": "Ada Lovelace" }))).await;
    let name = format!("attachment; filename=\"math-test-report-grade5-{}.pdf\"", &report.session_id[..8]);
    assert_eq!(report.answer.header("content-disposition"), name);
    assert_eq!(report.answer.header("content-type"), "application/pdf");
    assert_eq!(report.answer.header("cache-control"), "no-store");
    assert_eq!(report.answer.header("x-robots-tag"), "noindex");
    assert_eq!(report.answer.header("referrer-policy"), "no-referrer");
    assert!(report.answer.body.len() < 60_000, "{} bytes", report.answer.body.len());
    assert!(report.pages() <= 2, "{} pages", report.pages());
}

#[tokio::test]
async fn there_is_no_report_of_an_unknown_session() {
    let hall = Hall::open().await;
    for id in ["00000000-0000-4000-8000-000000000000", "nothing", "0", "%20"] {
        hall.anonymous().get(&format!("/api/report/{id}/pdf")).await.assert_error(404, "Session not found");
    }
}

#[tokio::test]
async fn a_report_is_the_same_on_every_server() {
    let (hall, bank) = open().await;
    let report = Report::of(&hall.anonymous(), &test(&bank, 20, json!({ "name": "Ada" }))).await;
    let other = hall.beside().await;
    let again = Report::of_session(&other.anonymous(), &report.session_id).await;
    assert!(report.answer.body == again.answer.body, "the same session gives the same bytes");
}

#[tokio::test]
async fn the_file_says_what_it_is_and_where_its_page_is() {
    let (hall, bank) = open().await;
    let report = Report::of(&hall.anonymous(), &test(&bank, 10, json!({ "name": "Zoë \u{202e}王\u{1F9D1}" }))).await;
    let stored = hall.stored_session(&report.session_id).await;
    let about = report.run("pdfinfo", &["-isodates", "report.pdf"]);
    assert!(about.contains("Mathematics test report, grade 5: Zoë 王\u{1F9D1}"), "{about}");
    assert!(about.contains(&stored["completedAt"].as_str().unwrap()[..19]), "{about}");
    assert!(about.contains("A4"), "{about}");
    let document = report.parsed();
    assert_eq!(document.catalog().unwrap().get(b"Lang").unwrap().as_str().unwrap(), b"en");
    let page = document.get_dictionary(document.get_pages()[&1]).unwrap();
    let link = page.get(b"Annots").unwrap().as_array().unwrap()[0].as_reference().unwrap();
    let link = document.get_dictionary(link).unwrap().get(b"A").unwrap().as_dict().unwrap();
    assert_eq!(link.get(b"URI").unwrap().as_str().unwrap(), stored["reportUrl"].as_str().unwrap().as_bytes());
    let fonts = report.run("pdffonts", &["report.pdf"]);
    assert!(
        fonts.lines().skip(2).all(|line| line.contains("yes yes yes")),
        "embedded, a subset, and with its characters: {fonts}"
    );
    assert!(fonts.contains("+Lexend-Regular") && fonts.contains("+Lexend-SemiBold"), "as on the pages: {fonts}");
}

#[tokio::test]
async fn programs_that_read_aloud_know_what_is_what() {
    let (hall, bank) = open().await;
    let mut body = test(&bank, 40, json!({ "name": "Ada", "class": "5 b" }));
    body["drawings"] = drawings(&bank.ids()[..2]);
    let report = Report::of(&hall.anonymous(), &body).await;
    assert!(report.run("pdfinfo", &["report.pdf"]).contains("Tagged:          yes"));
    let parts = report.run("pdfinfo", &["-struct-text", "report.pdf"]);
    let count =
        |name: &str| parts.lines().filter(|line| line.trim_start().split([' ', ':']).next() == Some(name)).count();
    assert_eq!((count("H1"), count("Table"), count("TH"), count("Link")), (1, 1, 7, 1), "{parts}");
    assert!(count("H2") >= 3 && count("Figure") == 4 && count("TR") >= 41, "{parts}");
    // A head that is repeated on a page, and what stands at its foot, are not read.
    assert_eq!(parts.matches("\"No.\"").count(), 1, "{parts}");
    assert!(!parts.contains("Page 1"), "{parts}");
    let document = report.parsed();
    let of = |holder: &lopdf::Dictionary, name: &[u8]| holder.get(name).unwrap().as_reference().unwrap();
    let tree = document.get_dictionary(of(document.catalog().unwrap(), b"StructTreeRoot")).unwrap();
    let parents = document.get_dictionary(of(tree, b"ParentTree")).unwrap().get(b"Nums").unwrap().as_array().unwrap();
    let keys: Vec<i64> = parents.iter().step_by(2).map(|key| key.as_i64().unwrap()).collect();
    assert!(report.pages() > 1 && keys.is_sorted(), "{keys:?}");
    let place = |text: &str| parts.find(text).unwrap_or_else(|| panic!("{text} is not in {parts}"));
    let order = ["Mathematics test report", "Ada", "Score", "By topic", "By difficulty", "Question"];
    assert!(order.windows(2).all(|pair| place(pair[0]) < place(pair[1])), "{parts}");
}

#[tokio::test]
async fn a_school_may_add_fonts() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("School-Bold.ttf"), dejavu::sans_mono::bold()).unwrap();
    let path = folder.path().to_str().unwrap();
    let hall = Hall::with(&[("REPORT_FONTS", path)]).await;
    let bank = hall.bank(5).await;
    Report::of(&hall.anonymous(), &test(&bank, 10, json!({ "name": "Ada" }))).await;
    std::fs::write(folder.path().join("broken.ttf"), "no font").unwrap();
    let refused = run(hall.settings(), &["serve"]).await;
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("REPORT_FONTS: broken is no TrueType font"), "{said}");
}

#[tokio::test]
async fn forty_large_drawings_fit_on_twelve_pages() {
    let (hall, bank) = open().await;
    let mut body = test(&bank, 40, json!({ "name": "Ada", "studentId": "s-17", "school": "North" }));
    body["drawings"] = drawings(&bank.ids()[..40]);
    let report = Report::of(&hall.anonymous(), &body).await;
    assert!((6..=12).contains(&report.pages()), "{} pages", report.pages());
    let text = report.text();
    let reference = &report.session_id[..8];
    for number in 1..=report.pages() {
        assert!(text.contains(&format!("Reference {reference} Page {number} of {}", report.pages())), "{text}");
    }
    assert!(!text.contains(&report.session_id), "the whole id says nothing to a reader: {text}");
}

#[tokio::test]
async fn an_empty_test_has_a_report() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let report = Report::of(&hall.anonymous(), &test(&bank, 0, json!({}))).await;
    let text = report.text();
    assert!(text.contains("This test has no questions.") && text.contains("0 of 0") && text.contains("200"), "{text}");
    assert_eq!(report.pages(), 1);
}
