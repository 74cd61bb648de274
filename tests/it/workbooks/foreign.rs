//! Questions of other systems by the same route, command and dry run as workbooks.

use serde_json::{Value, json};

use super::{DRY, IMPORT, empty_hall, form, packed, post, post_form, questions};
use crate::hall::{Hall, plain};

const GIFT: &str = "// [id:moodle-1]\n::One::What is 1 + 1?{~1 =2 ~3 ~4 ####Count them.}\n\n::Two::Is it {T}?\n\nWhat costs $5?{=This ~That ~Both ~Neither}\n";

/// A dry run that shows the questions.
const SHOWN: &str = "/api/admin/import?dryRun=true&preview=true";

/// The form with fields before the file.
fn with_fields(fields: &[(&str, &str)], file: &[u8]) -> Vec<u8> {
    let field = |(name, value): &(&str, &str)| {
        format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").into_bytes()
    };
    [fields.iter().flat_map(field).collect(), form("file", file)].concat()
}

#[tokio::test]
async fn what_a_dry_run_shows_is_what_is_imported() {
    let (hall, admin) = empty_hall().await;
    let fields = [("grade", "5"), ("topic", "Sums"), ("difficulty", "2")];
    let dry = post_form(&admin, SHOWN, with_fields(&fields, GIFT.as_bytes())).await.json();
    assert_eq!((&dry["added"], &dry["updated"]), (&json!(2), &json!(0)));
    assert_eq!(dry["errors"], json!(["Line 4 (Two): it is no multiple choice: true or false"]));
    let preview = dry["preview"].as_array().unwrap();
    assert_eq!((&preview[0]["id"], &preview[0]["answer"]), (&json!("moodle-1"), &json!("B")));
    assert_eq!((&preview[0]["topic"], &preview[1]["question"]), (&json!("Sums"), &json!("What costs \\$5?")));
    assert!(questions(&admin, 5).await.is_empty());
    let done = post_form(&admin, IMPORT, with_fields(&fields, GIFT.as_bytes())).await.json();
    assert_eq!(done, json!({ "added": 2, "updated": 0, "errors": dry["errors"] }));
    let stored = questions(&admin, 5).await;
    assert_eq!(stored.len(), 2);
    assert_eq!(hall.bank(5).await.questions, plain(stored.clone()), "students get them at once");
    // Fields of the address do as well, and a second time changes nothing.
    let again = post(&admin, &format!("{DRY}&grade=5&topic=Sums&difficulty=2"), GIFT.as_bytes()).await.json();
    assert_eq!((&again["added"], &again["updated"], again.get("changes")), (&json!(0), &json!(2), None));
    post(&admin, &format!("{IMPORT}?grade=5&topic=Sums&difficulty=2"), GIFT.as_bytes()).await;
    assert_eq!(questions(&admin, 5).await, stored);
}

#[tokio::test]
async fn numbers_of_other_systems_are_shown_and_imported() {
    let (hall, admin) = empty_hall().await;
    let gift = "// [id:n1] [tag:unit:cm] [tag:forms:decimal]\n::One::How long is it?{#2.5:0.5}\n\n\
        ::Two::Which?{#=3 =4}\n\n::Three::About how many?{#10..12}\n";
    let fields = [("grade", "5"), ("topic", "Lengths"), ("difficulty", "2")];
    let dry = post_form(&admin, SHOWN, with_fields(&fields, gift.as_bytes())).await.json();
    assert_eq!(dry["errors"], json!(["Line 4 (Two): 2 options give points: only one may be right"]));
    let told = |question: &Value| {
        let names = ["type", "options", "answer", "tolerance", "unit", "forms", "language"];
        json!(names.map(|name| question[name].clone()))
    };
    let expected = [
        json!(["number", [], "2.5", "0.5", "cm", ["decimal"], "en"]),
        json!(["number", [], "11", "1", "", ["decimal", "fraction", "mixed"], "en"]),
    ];
    assert_eq!(dry["preview"].as_array().unwrap().iter().map(told).collect::<Vec<_>>(), expected);
    let done = post_form(&admin, IMPORT, with_fields(&fields, gift.as_bytes())).await.json();
    assert_eq!(done, json!({ "added": 2, "updated": 0, "errors": dry["errors"] }));
    let stored = questions(&admin, 5).await;
    let mut found: Vec<Value> = stored.iter().map(told).collect();
    found.sort_by_key(|question| question[2].to_string().len());
    assert_eq!(found, [expected[1].clone(), expected[0].clone()]);
    assert!(hall.bank(5).await.questions.is_empty(), "nobody has asked for numbers");
}

#[tokio::test]
async fn exports_come_back_elsewhere() {
    let (hall, (_other, elsewhere)) = (Hall::open().await, empty_hall().await);
    let admin = hall.signed_in("admin").await;
    for format in ["moodle-xml", "gift", "qti3"] {
        let file = admin.get(&format!("/api/admin/export?grade=5&format={format}")).await;
        assert_eq!(file.status, 200, "{}", file.text());
        let told = post(&elsewhere, IMPORT, &file.body).await.json();
        assert_eq!(told["errors"], json!([]), "{format}");
        // A dollar sign that is no formula may be written with a backslash or without, and a picture that was in its
        // address is stored as a file there.
        let plain = |questions: &[Value]| {
            let mut questions = questions.to_vec();
            for question in &mut questions {
                question["image"] = json!(!question["image"].as_str().unwrap().is_empty());
            }
            json!(questions).to_string().replace("\\\\$", "$")
        };
        let (theirs, ours) = (questions(&elsewhere, 5).await, questions(&admin, 5).await);
        assert!(ours.iter().any(|question| question["type"] == "number"));
        assert_eq!(plain(&theirs), plain(&ours), "{format}");
        let same = post(&admin, DRY, &file.body).await.json();
        assert_eq!((same.get("changes"), &same["added"]), (None, &json!(0)), "{format}");
    }
}

/// With an external service pictures stay in their addresses.
mod own_tables {
    use image::ImageFormat;

    use super::*;
    use crate::either_database::pictures::{file, show, upload};
    use crate::hall::Caller;

    /// The question of grade 5 with this id.
    async fn question(admin: &Caller, id: &str) -> Value {
        questions(admin, 5).await.into_iter().find(|question| question["id"] == id).unwrap()
    }

    #[tokio::test]
    async fn a_picture_that_is_stored_here_comes_with_its_question() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        let ids = hall.bank(5).await.ids();
        let photograph = upload(&admin, file(60, 40, ImageFormat::Jpeg)).await;
        show(&admin, &ids[0], &photograph).await;
        let drawing = upload(&admin, "<svg viewBox='0 0 4 3'><text>Đồng hồ</text></svg>").await;
        show(&admin, &ids[1], &drawing).await;
        for format in ["moodle-xml", "gift", "qti3"] {
            let exported = admin.get(&format!("/api/admin/export?grade=5&format={format}")).await;
            let same = post(&admin, DRY, &exported.body).await.json();
            assert_eq!((same.get("changes"), &same["added"]), (None, &json!(0)), "{format}");
            let (other, elsewhere) = empty_hall().await;
            let dry = post(&elsewhere, SHOWN, &exported.body).await.json();
            let shown = &dry["preview"].as_array().unwrap()[0];
            assert!(shown["image"].as_str().unwrap().starts_with("data:image/jpeg;base64,"), "{format}: {shown}");
            for picture in [&photograph, &drawing] {
                assert_eq!(other.anonymous().get(picture).await.status, 404, "{format}: a dry run stores nothing");
            }
            let told = post(&elsewhere, IMPORT, &exported.body).await.json();
            assert_eq!(told["errors"], json!([]), "{format}");
            for (id, picture) in [(&ids[0], &photograph), (&ids[1], &drawing)] {
                assert_eq!(question(&elsewhere, id).await["image"], **picture, "{format}");
                let (ours, theirs) = (hall.anonymous().get(picture).await, other.anonymous().get(picture).await);
                assert_eq!((theirs.status, &theirs.body), (200, &ours.body), "{format}");
            }
        }
    }

    #[tokio::test]
    async fn a_dry_run_tells_which_questions_become_secure() {
        let (_hall, admin) = empty_hall().await;
        let file = |marks: [&str; 3]| {
            let rows =
                (1..=3).zip(marks).map(|(number, mark)| format!("q{number},5,1,Why {number}?,one,two,A,{mark}\n"));
            format!("id,grade,difficulty,question,optionA,optionB,answer,secure\n{}", rows.collect::<String>())
        };
        post(&admin, IMPORT, file(["no", "yes", ""]).as_bytes()).await;
        let change = |row: u32, id: &str| json!({ "row": row, "id": id, "fields": ["secure"] });
        let dry = post(&admin, DRY, file(["yes", "no", ""]).as_bytes()).await.json();
        assert_eq!((&dry["updated"], &dry["changes"]), (&json!(3), &json!([change(2, "q1"), change(3, "q2")])));
        for same in [["no", "yes", ""], ["", "", ""]] {
            assert_eq!(post(&admin, DRY, file(same).as_bytes()).await.json().get("changes"), None, "{same:?}");
        }
    }

    #[tokio::test]
    async fn a_picture_of_another_system_is_made_small_and_stored() {
        let (hall, admin) = empty_hall().await;
        let picture = domain::picture::data_address("image/png", &file(3_200, 1_600, ImageFormat::Png));
        let shows = |text: &str| {
            format!("<p>{text}</p><img src=\"{picture}\" alt=\"A wall\">").replace('&', "&amp;").replace('<', "&lt;")
        };
        let answers = ["100", "0", "0", "0"].into_iter().enumerate();
        let answers: String =
            answers.map(|(place, of)| format!("<answer fraction='{of}'><text>{place}</text></answer>")).collect();
        let asked = |text: &str| {
            let html = format!("<questiontext format='html'><text>{}</text></questiontext>", shows(text));
            format!("<question type='multichoice'>{html}{answers}</question>")
        };
        let refused = asked("Three").replace("fraction='100'", "fraction='0'");
        let xml = format!("<quiz>{}{}{refused}</quiz>", asked("One"), asked("Two"));
        let path = format!("{IMPORT}?grade=5&difficulty=2");
        let told = post(&admin, &path, xml.as_bytes()).await.json();
        assert_eq!((&told["added"], &told["errors"]), (&json!(2), &json!(["Line 1: no option is right"])));
        let stored = questions(&admin, 5).await;
        assert_eq!(stored[0]["image"], stored[1]["image"]);
        let served = hall.anonymous().get(stored[0]["image"].as_str().unwrap()).await;
        assert_eq!((served.status, served.header("content-type")), (200, "image/png"));
        let size = image::load_from_memory(&served.body).unwrap();
        assert_eq!((size.width(), size.height()), (1_600, 800));
        // The same file again finds what it has stored.
        let again = post(&admin, &format!("{DRY}&grade=5&difficulty=2"), xml.as_bytes()).await.json();
        assert_eq!((&again["updated"], again.get("changes")), (&json!(2), None));
    }
}

mod edge {
    use sea_orm::{ConnectionTrait, Database, Statement};

    use super::*;
    use crate::hall::Caller;

    /// What an import may write: how many rows each table has, and how often each bank has changed.
    const WRITTEN: [&str; 7] = [
        "SELECT COUNT(*) FROM questions",
        "SELECT COUNT(*) FROM retired_questions",
        "SELECT COUNT(*) FROM former_questions",
        "SELECT COUNT(*) FROM pictures",
        "SELECT COUNT(*) FROM edits",
        "SELECT COUNT(*) FROM reviews",
        "SELECT COALESCE(SUM(version), 0) FROM bank_versions",
    ];

    /// The bank of a grade, and all that an import may write.
    async fn bank(hall: &Hall, admin: &Caller) -> (Vec<Value>, Vec<i64>) {
        let connection = Database::connect(hall.database_url()).await.unwrap();
        let mut written = Vec::new();
        for query in WRITTEN {
            let statement = Statement::from_string(connection.get_database_backend(), query);
            let row = connection.query_one_raw(statement).await.unwrap().unwrap();
            written.push(row.try_get_by_index::<i64>(0).unwrap());
        }
        connection.close().await.unwrap();
        (questions(admin, 5).await, written)
    }

    /// Questions of all formats that are read and refused.
    fn refused_questions() -> Vec<Vec<u8>> {
        let png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        let moodle = |text: &str, right: &str| {
            let answers: String = [right, "0", "0", "0"]
                .map(|of| format!("<answer fraction='{of}'><text>{of}?</text></answer>"))
                .concat();
            format!(
                "<quiz><question type='multichoice'><questiontext format='html'><text>{text}</text></questiontext>{answers}</question></quiz>"
            )
        };
        let pictured = format!("&lt;img src='{png}' alt='A dot'&gt;Which?");
        let scored = "<questestinterop><section><item ident='i'><presentation><material><mattext>Which?</mattext></material></presentation></item></section></questestinterop>";
        let qti2 = "<assessmentItem xmlns='http://www.imsglobal.org/xsd/imsqti_v2p1' identifier='i' adaptive='true'><itemBody/></assessmentItem>";
        let qti3 = "<qti-assessment-item identifier='i'><qti-item-body><script>alert(1)</script></qti-item-body></qti-assessment-item>";
        let bomb = moodle("&xxe;", "100")
            .replace("<quiz>", "<!DOCTYPE quiz [<!ENTITY a 'ha'><!ENTITY xxe '&a;&a;&a;&a;'>]><quiz>");
        let texts = [
            "Q{=<script>alert(1)</script> ~2 ~3 ~4}".to_owned(),
            "::N::\\frac{1}{2}?{=1 ~2 ~3 ~4}".to_owned(),
            "Q\nA. 1\nB. 2\nC. 3\nD. 4\nANSWER: E".to_owned(),
            moodle(&pictured, "0"),
            moodle("&lt;script&gt;alert(1)&lt;/script&gt;", "100"),
            bomb,
            scored.to_owned(),
            qti2.to_owned(),
            qti3.to_owned(),
        ];
        let latin = |text: &[u8]| [&b"<?xml version='1.0' encoding='windows-1252'?>"[..], text].concat();
        let package = packed(&[("a.xml".to_owned(), qti3.as_bytes().to_vec())]);
        texts
            .map(String::into_bytes)
            .into_iter()
            .chain([latin(b"<assessmentItem title='\xe9'><itemBody/></assessmentItem>"), package])
            .collect()
    }

    /// Files of all formats that are not read at all.
    fn unreadable_files() -> Vec<Vec<u8>> {
        let good = b"<qti-assessment-item/>".to_vec();
        let zip = |files: &[(&str, &[u8])]| {
            packed(&files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect::<Vec<_>>())
        };
        let whole = zip(&[("a.xml", &good)]);
        let cut = whole[..whole.len() - 10].to_vec();
        let large = vec![b' '; 2 * 1_024 * 1_024];
        let texts = [
            "<quiz><question type='multichoice'>",
            "<quiz/>",
            "<questestinterop><section><item ident='i'>",
            "<assessmentItem identifier='i'><itemBody>",
            "<qti-assessment-item identifier='i'><qti-item-body>",
            "<assessmentTest identifier='t'/>",
            "<rss><channel/></rss>",
            "<?xml version='1.0' encoding='klingon'?><quiz/>",
        ];
        let zips = [
            cut,
            zip(&[("a.xml", &good), ("../b.xml", &good)]),
            zip(&[("a.xml", &good), ("/etc/b.xml", &good)]),
            zip(&[("a.xml", &large)]),
            zip(&[("quiz.zip", &whole)]),
            zip(&[("imsmanifest.xml", b"<manifest>"), ("a.xml", &good)]),
        ];
        texts.map(|text| text.as_bytes().to_vec()).into_iter().chain(zips).collect()
    }

    #[tokio::test]
    async fn a_bad_file_of_any_format_leaves_the_bank_as_it_was() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        let path = format!("{IMPORT}?grade=5&difficulty=2");
        let told = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(200).collect::<String>();
        let before = bank(&hall, &admin).await;
        assert!(before.0.len() > 100 && before.1[6] > 0, "{:?}", before.1);
        for file in refused_questions() {
            let answer = post(&admin, &path, &file).await;
            assert_eq!(answer.status, 200, "{}: {}", told(&file), answer.text());
            let said = answer.json();
            assert_eq!((&said["added"], &said["updated"]), (&json!(0), &json!(0)), "{}", told(&file));
            assert_eq!(said["errors"].as_array().map(Vec::len), Some(1), "{}: {said}", told(&file));
            assert_eq!(bank(&hall, &admin).await, before, "{}", told(&file));
        }
        for file in unreadable_files() {
            let answer = post(&admin, &path, &file).await;
            assert_eq!(answer.status, 400, "{}: {}", told(&file), answer.text());
            assert_eq!(bank(&hall, &admin).await, before, "{}", told(&file));
        }
        // A good one is seen in what is looked at.
        let good = post(&admin, &path, b"// [id:g5-001]\nQ{=1 ~2 ~3 ~4}").await.json();
        assert_eq!(good["updated"], 1, "{good}");
        let after = bank(&hall, &admin).await;
        let differ = before.1.iter().zip(&after.1).map(|(before, after)| after - before).collect::<Vec<_>>();
        assert_eq!((after.0 != before.0, differ), (true, vec![0, 0, 1, 0, 1, 0, 1]));
    }

    #[tokio::test]
    async fn fields_are_checked_by_name() {
        let (_hall, admin) = empty_hall().await;
        let long = "x".repeat(201);
        for (name, value) in [
            ("grade", "11"),
            ("grade", "five"),
            ("difficulty", "0"),
            ("difficulty", "x"),
            ("topic", "a\u{7}"),
            ("topic", long.as_str()),
        ] {
            let answer = post_form(&admin, DRY, with_fields(&[(name, value)], GIFT.as_bytes())).await;
            answer.assert_error(400, &format!("Invalid {name}"));
        }
        let empty = post_form(&admin, DRY, with_fields(&[("grade", " "), ("topic", "")], GIFT.as_bytes())).await.json();
        let required = "grade required: choose one for the import, or give it a tag such as grade:5";
        assert_eq!(empty["errors"][0], json!(format!("Line 2 (One): {required}")));
    }

    #[tokio::test]
    async fn formats_are_asked_for_by_name() {
        let (_hall, admin) = empty_hall().await;
        for format in ["", "XLSX", "moodle", "csv"] {
            let path = format!("/api/admin/export?grade=5&format={format}");
            admin.get(&path).await.assert_error(400, "Invalid format");
        }
        admin.get("/api/admin/export?grade=x&format=csv").await.assert_error(400, "Invalid grade");
    }

    #[tokio::test]
    async fn damaged_files_change_nothing() {
        let (_hall, admin) = empty_hall().await;
        for (file, error) in [
            ("<quiz><question type='multichoice'>", "Line 1: the file ends within an element: it is cut off"),
            ("<quiz></quiz>", "The file has no questions"),
            ("<rss><channel/></rss>", "The file has no questions in a format that is known: it is XML of \"rss\""),
        ] {
            post(&admin, IMPORT, file.as_bytes()).await.assert_error(400, error);
        }
    }

    #[tokio::test]
    async fn a_preview_has_a_limit() {
        let (_hall, admin) = empty_hall().await;
        let many: String = (0..150).map(|number| format!("Number {number}?{{=1 ~2 ~3 ~4}}\n\n")).collect();
        let dry = post(&admin, &format!("{SHOWN}&grade=5&difficulty=1"), many.as_bytes()).await.json();
        assert_eq!((dry["preview"].as_array().map(Vec::len), &dry["added"]), (Some(100), &json!(150)));
        let none: Option<&Value> = dry.get("notes");
        assert_eq!(none, None);
    }
}
