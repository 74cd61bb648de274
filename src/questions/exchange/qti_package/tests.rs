//! Packages in the shapes of Canvas, Common Cartridge, D2L and the standard, and zips that would do harm.

mod faults;

use std::io::{Cursor, Write};

use domain::exchange::place::ItemPlace;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::*;
use crate::questions::exchange::qti::tests::{Outcomes, outcomes_of};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n1";
const PNG_ADDRESS: &str = "data:image/png;base64,iVBORw0KGgox";

fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn read_all(file: &[u8]) -> Result<Outcomes, String> {
    outcomes_of(|each| read(file, each))
}

/// An item of version 3 with this in its body before the options.
fn item(identifier: &str, body: &str) -> String {
    format!(
        r#"<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="{identifier}" title="{identifier}" adaptive="false" time-dependent="false">
<qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="identifier"><qti-correct-response><qti-value>B</qti-value></qti-correct-response></qti-response-declaration>
{body}
<qti-choice-interaction response-identifier="RESPONSE" shuffle="true" max-choices="1">
<qti-simple-choice identifier="A">1</qti-simple-choice><qti-simple-choice identifier="B">2</qti-simple-choice>
<qti-simple-choice identifier="C">3</qti-simple-choice><qti-simple-choice identifier="D">4</qti-simple-choice>
</qti-choice-interaction></qti-item-body></qti-assessment-item>"#
    )
}

fn body(html: &str) -> String {
    format!("<qti-item-body>{html}")
}

fn manifest(resources: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><manifest xmlns=\"http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1\" identifier=\"m\"><metadata><schema>QTI Package</schema></metadata><organizations/><resources>{resources}</resources></manifest>"
    )
}

fn resource(href: &str, keywords: &[&str]) -> String {
    let keywords: String = keywords
        .iter()
        .map(|keyword| {
            format!("<imsmd:keyword><imsmd:langstring xml:lang=\"en\">{keyword}</imsmd:langstring></imsmd:keyword>")
        })
        .collect();
    format!(
        "<resource identifier=\"r\" type=\"imsqti_item_xmlv3p0\" href=\"{href}\"><metadata><imsmd:lom xmlns:imsmd=\"x\"><imsmd:general>{keywords}</imsmd:general></imsmd:lom></metadata><file href=\"{href}\"/></resource>"
    )
}

/// The only reason for which questions of a package are refused, or the package itself.
fn refused(file: &[u8]) -> String {
    match read_all(file) {
        Err(fault) => fault,
        Ok(outcomes) => outcomes.into_iter().next().unwrap().unwrap_err(),
    }
}

#[test]
fn a_manifest_names_questions_and_says_their_tags() {
    let named = manifest(
        &(resource("items/b.xml", &["grade:7", "topic:Sets", "difficulty:1"]) + &resource("items/a.xml", &[])),
    );
    let file = packed(&[
        ("imsmanifest.xml", named.as_bytes()),
        ("items/a.xml", item("a", &body("<p>Add.</p>")).as_bytes()),
        ("items/b.xml", item("b", &body("<p>Count <img src=\"../pictures/s%201.png\" alt=\"Stars\"/></p>")).as_bytes()),
        ("items/not-named.xml", item("c", &body("")).as_bytes()),
        ("pictures/s 1.png", PNG),
    ]);
    let outcomes = read_all(&file).unwrap();
    let questions: Vec<_> = outcomes.into_iter().map(|outcome| outcome.unwrap().0).collect();
    let [b, a] = questions.as_slice() else { panic!("{questions:?}") };
    assert_eq!((b.id.as_str(), b.topic.as_str(), b.grade.number(), b.difficulty.number()), ("b", "Sets", 7, 1));
    assert_eq!((b.image.as_str(), b.image_description.as_str()), (PNG_ADDRESS, "Stars"));
    assert_eq!((a.id.as_str(), a.grade.number(), a.question.as_str()), ("a", 5, "Add."));
}

#[test]
fn a_package_is_known_by_its_files() {
    for (names, is_theirs) in [
        (&["imsmanifest.xml"][..], true),
        (&["Quiz/imsmanifest.xml", "Quiz/a.xml"], true),
        (&["a.xml"], true),
        (&["other.zip"], true),
        (&["[Content_Types].xml", "xl/workbook.xml"], false),
        (&["mimetype", "content.xml"], false),
        (&["a.png"], false),
    ] {
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b"x"[..])).collect();
        assert_eq!(is_package(&packed(&files)), is_theirs, "{names:?}");
    }
    assert!(!is_package(b"PK\x03\x04"));
    assert!(!is_package(b"<manifest/>"));
}

#[test]
fn a_quiz_of_canvas_has_its_pictures_in_the_files_of_the_course() {
    let quiz = "<questestinterop xmlns=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2\"><assessment title=\"Quiz\"><section><item ident=\"g1\"><presentation><material><mattext texttype=\"text/html\">&lt;img src=\"$IMS-CC-FILEBASE$/Uploaded%20Media/s.png?canvas_download=1\" alt=\"Star\"&gt;How many?</mattext></material><response_lid ident=\"r\" rcardinality=\"Single\"><render_choice><response_label ident=\"1\"><material><mattext>1</mattext></material></response_label><response_label ident=\"2\"><material><mattext>2</mattext></material></response_label><response_label ident=\"3\"><material><mattext>3</mattext></material></response_label><response_label ident=\"4\"><material><mattext>4</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing><respcondition><conditionvar><varequal respident=\"r\">1</varequal></conditionvar><setvar varname=\"SCORE\">100</setvar></respcondition></resprocessing></item></section></assessment></questestinterop>";
    let dependency = "<resource identifier=\"d\" type=\"associatedcontent/imscc_xmlv1p1/learning-application-resource\" href=\"g1/assessment_meta.xml\"><file href=\"g1/assessment_meta.xml\"/></resource>";
    for kind in
        ["imsqti_xmlv1p2", "imsqti_xmlv1p2/imscc_xmlv1p1/assessment", "imsqti_xmlv1p2/imscc_xmlv1p3/question-bank"]
    {
        let named = manifest(&format!(
            "<resource identifier=\"g1\" type=\"{kind}\"><file href=\"g1/g1.xml\"/><dependency identifierref=\"d\"/></resource>{dependency}"
        ));
        for folder in ["web_resources/Uploaded Media", "Uploaded Media"] {
            let file = packed(&[
                ("imsmanifest.xml", named.as_bytes()),
                ("g1/g1.xml", quiz.as_bytes()),
                ("g1/assessment_meta.xml", b"<quiz/>"),
                (&format!("{folder}/s.png"), PNG),
            ]);
            let outcomes = read_all(&file).unwrap();
            let (question, _) = outcomes.first().unwrap().as_ref().unwrap();
            assert_eq!(
                (outcomes.len(), question.image.as_str(), question.question.as_str()),
                (1, PNG_ADDRESS, "How many?")
            );
        }
    }
    let d2l = "<manifest xmlns:d2l_2p0=\"x\"><resources><resource identifier=\"q\" type=\"webcontent\" d2l_2p0:material_type=\"d2lquiz\" href=\"quiz_d2l_1.xml\"/></resources></manifest>";
    let file = packed(&[("imsmanifest.xml", d2l.as_bytes()), ("quiz_d2l_1.xml", quiz.as_bytes())]);
    assert_eq!(
        refused(&file),
        "the picture $IMS-CC-FILEBASE$/Uploaded%20Media/s.png?canvas_download=1 is not in the file"
    );
}

#[test]
fn a_text_that_several_questions_share_stands_before_each() {
    let stimulus = "<qti-assessment-stimulus identifier=\"s\" title=\"s\"><qti-stimulus-body><p>Read <img src=\"p.png\" alt=\"\"/> this.</p></qti-stimulus-body></qti-assessment-stimulus>";
    let reference =
        |href: &str| format!("<qti-assessment-stimulus-ref identifier=\"s\" href=\"{href}\"/>{}", body("<p>Why?</p>"));
    let with = |stimulus: &str, body: &str| {
        packed(&[
            ("imsmanifest.xml", manifest(&resource("items/a.xml", &[])).as_bytes()),
            ("items/a.xml", item("a", body).as_bytes()),
            ("texts/s.xml", stimulus.as_bytes()),
            ("texts/p.png", PNG),
        ])
    };
    let outcomes = read_all(&with(stimulus, &reference("../texts/s.xml"))).unwrap();
    let (question, _) = outcomes.first().unwrap().as_ref().unwrap();
    assert_eq!((question.question.as_str(), question.image.as_str()), ("Read this.\nWhy?", PNG_ADDRESS));
    assert_eq!(refused(&with(stimulus, &reference("../s.xml"))), "the text that stands before it is missing: ../s.xml");
    assert_eq!(
        refused(&with("<qti-assessment-stimulus>", &reference("../texts/s.xml"))),
        "the text that stands before it can't be read: Line 1: the file ends within an element: it is cut off"
    );
    assert_eq!(
        refused(&with("<a/>", &reference("../texts/s.xml"))),
        "the text that stands before it is empty: ../texts/s.xml"
    );
    let second = reference("../texts/s.xml").replace("Why?", "Why? <img src=\"../texts/p.png\" alt=\"\"/>");
    assert_eq!(refused(&with(stimulus, &second)), "it has more than one picture");
}

#[test]
fn texts_before_a_question_have_limits() {
    let with = |times: usize, text: &str| {
        let references = "<qti-assessment-stimulus-ref identifier=\"s\" href=\"s.xml\"/>".repeat(times);
        let stimulus = format!(
            "<qti-assessment-stimulus identifier=\"s\"><qti-stimulus-body><p>{text}</p></qti-stimulus-body></qti-assessment-stimulus>"
        );
        packed(&[
            ("imsmanifest.xml", manifest(&resource("a.xml", &[])).as_bytes()),
            ("a.xml", item("a", &(references + &body("<p>Why?</p>"))).as_bytes()),
            ("s.xml", stimulus.as_bytes()),
        ])
    };
    let outcomes = read_all(&with(4, "Read.")).unwrap();
    assert_eq!(outcomes[0].as_ref().unwrap().0.question, "Read.\nRead.\nRead.\nRead.\nWhy?");
    assert_eq!(refused(&with(5, "Read.")), "more than 4 texts in other files stand before it");
    assert_eq!(refused(&with(2, &"word ".repeat(16_000))), "its text is too long or nested too deeply");
}

#[test]
fn keywords_of_a_file_have_a_limit() {
    let words: Vec<String> = (0..63).map(|number| format!("w{number}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).chain(["grade:7", "difficulty:1"]).collect();
    let file = packed(&[
        ("imsmanifest.xml", manifest(&resource("a.xml", &words)).as_bytes()),
        ("a.xml", item("a", &body("<p>Add.</p>")).as_bytes()),
    ]);
    let outcomes = read_all(&file).unwrap();
    let (question, _) = outcomes[0].as_ref().unwrap();
    assert_eq!((question.grade.number(), question.difficulty.number()), (7, 3));
}

#[test]
fn a_damaged_file_gives_none_of_its_questions() {
    let later = format!("<items>{}", item("a", &body("<p>Add.</p>")));
    let scored = "<questestinterop><section><item ident=\"a\"/><item ident=\"b\"/>";
    for (start, end) in [(later.as_str(), "</items>"), (scored, "</section></questestinterop>")] {
        let with = |end: &str| packed(&[("a.xml", format!("{start}{end}").as_bytes())]);
        let outcomes = read_all(&with("")).unwrap();
        assert_eq!(outcomes.len(), 1, "{outcomes:?}");
        assert!(outcomes[0].as_ref().is_err_and(|reason| reason.contains("cut off")), "{outcomes:?}");
        let outcomes = read_all(&with(end)).unwrap();
        assert!(outcomes.iter().all(|outcome| !outcome.as_ref().is_err_and(|reason| reason.contains("cut off"))));
    }
}

#[test]
fn one_bad_file_costs_its_own_questions_alone() {
    let named = manifest(
        &["gone.xml", "cut.xml", "page.xml", "letters.xml", "good.xml"].map(|href| resource(href, &[])).concat(),
    );
    let cut = item("cut", &body(""));
    let file = packed(&[
        ("imsmanifest.xml", named.as_bytes()),
        ("cut.xml", &cut.as_bytes()[..cut.len() / 2]),
        ("page.xml", b"<html/>"),
        ("letters.xml", b"<qti-assessment-item>\xe9</qti-assessment-item>"),
        ("good.xml", item("good", &body("<p>Add.</p>")).as_bytes()),
    ]);
    let outcomes = read_all(&file).unwrap();
    let reasons: Vec<_> =
        outcomes.iter().map(|outcome| outcome.as_ref().map(|(question, _)| question.id.as_str())).collect();
    let gone = "the manifest names it, but it is not in the package".to_owned();
    let page = "the manifest says that it has questions, but it is not QTI".to_owned();
    let letters = "A letter is not in UTF-8: save the file as UTF-8".to_owned();
    assert!(reasons[1].is_err_and(|reason| reason.contains("cut off")), "{reasons:?}");
    assert_eq!([reasons[0], reasons[2], reasons[3], reasons[4]], [Err(&gone), Err(&page), Err(&letters), Ok("good")]);
    let mut files = Vec::new();
    let mut each = |place: ItemPlace, _| {
        files.push(place.file.unwrap());
        Ok(())
    };
    read(&file, &mut each).unwrap();
    assert_eq!(files, ["gone.xml", "cut.xml", "page.xml", "letters.xml", "good.xml"]);
}

#[test]
fn without_a_manifest_what_is_in_the_files_counts() {
    let file = packed(&[
        ("notes.xml", b"<notes/>"),
        ("b.xml", item("b", &body("<p>x</p>")).as_bytes()),
        ("a/a.xml", item("a", &body("<p>x</p>")).as_bytes()),
    ]);
    let outcomes = read_all(&file).unwrap();
    let ids: Vec<_> = outcomes.iter().map(|outcome| outcome.as_ref().unwrap().0.id.as_str()).collect();
    assert_eq!(ids, ["a", "b"]);
    // So it does with a manifest that names no questions.
    let file =
        packed(&[("imsmanifest.xml", manifest("").as_bytes()), ("b.xml", item("b", &body("<p>x</p>")).as_bytes())]);
    assert_eq!(read_all(&file).unwrap().len(), 1);
}

#[test]
fn a_manifest_that_is_none_is_refused() {
    for (manifest, reason) in [
        ("<resources/>", "imsmanifest.xml can't be read: it is no manifest"),
        (
            "<manifest><resources>",
            "imsmanifest.xml can't be read: Line 1: the file ends within an element: it is cut off",
        ),
        ("", "imsmanifest.xml can't be read: Line 1: the XML is damaged"),
    ] {
        let file = packed(&[("imsmanifest.xml", manifest.as_bytes()), ("a.xml", item("a", &body("")).as_bytes())]);
        assert_eq!(refused(&file), reason);
    }
    // A folder around everything is usual, and so is a base.
    let inside = manifest(&resource("a.xml", &[])).replace("<resources>", "<resources xml:base=\"items/\">");
    let file = packed(&[
        ("Export/imsmanifest.xml", inside.as_bytes()),
        ("Export/items/a.xml", item("a", &body("<p>x</p>")).as_bytes()),
    ]);
    assert_eq!(read_all(&file).unwrap().len(), 1);
    assert!(read_all(&file).unwrap()[0].is_ok());
}

#[test]
fn a_zip_that_would_do_harm_is_refused_by_name() {
    let good = item("a", &body("<p>x</p>"));
    let good = ("a.xml", good.as_bytes());
    for (name, reason) in [
        ("../b.xml", "The zip has a file outside of its folder: ../b.xml"),
        ("a/../../b.png", "The zip has a file outside of its folder: a/../../b.png"),
        ("..\\b.txt", "The zip has a file outside of its folder: ../b.txt"),
        ("/etc/b.xml", "The zip has a file outside of its folder: /etc/b.xml"),
        ("C:\\b.xml", "The zip has a file outside of its folder: C:/b.xml"),
        (".\\a.xml", "The zip has the file a.xml twice"),
    ] {
        assert_eq!(refused(&packed(&[good, (name, b"x")])), reason);
    }
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.add_symlink("b.xml", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    assert_eq!(refused(&archive.finish().unwrap().into_inner()), "The zip holds a link: b.xml");
    let nested = packed(&[("quiz.zip", &packed(&[good])), ("readme.xml", b"<a/>")]);
    assert_eq!(refused(&nested), "The zip has no questions, but holds another one: import quiz.zip by itself");
    assert_eq!(read_all(&packed(&[good, ("material.zip", b"PK")])).unwrap().len(), 1);
    assert_eq!(refused(&packed(&[("a.txt", b"x")])), "The file has no questions");
    assert_eq!(refused(b"PK\x03\x04"), "The zip is damaged: download it once more");
    let whole = packed(&[good]);
    assert_eq!(refused(&whole[..whole.len() - 10]), "The zip is damaged: download it once more");
}

#[test]
fn a_zip_with_a_password_is_refused_by_name() {
    // The first flag of each header says that its file is encrypted.
    let mut bytes = packed(&[("a.xml", b"<a/>")]);
    for (signature, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let place = bytes.windows(4).position(|window| window == signature).unwrap();
        bytes[place + flags] |= 1;
    }
    assert_eq!(refused(&bytes), "The zip is protected by a password: pack it without one");
}

#[test]
fn a_zip_that_is_far_larger_unpacked_is_refused() {
    let large = "The file is too large when unpacked";
    let zeros = vec![b' '; 2 * 1_024 * 1_024];
    assert_eq!(refused(&packed(&[("a.xml", &zeros)])), large);
    // What is not read costs nothing.
    let good = item("a", &body("<p>x</p>"));
    assert_eq!(read_all(&packed(&[("a.mp4", &zeros), ("b.xml", good.as_bytes())])).unwrap().len(), 1);
    // Many that are allowed by themselves.
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for number in 0..101 {
        archive.start_file(format!("{number}.xml"), stored).unwrap();
        archive.write_all(&zeros[..1_024 * 1_024]).unwrap();
    }
    assert_eq!(refused(&archive.finish().unwrap().into_inner()), large);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..=20_000 {
        archive.start_file(format!("{number}.xml"), stored).unwrap();
    }
    assert_eq!(refused(&archive.finish().unwrap().into_inner()), "The zip has more than 20000 files");
}
