//! Each format is recognised by its content, and what is written is read back equal.

use std::collections::{HashMap, HashSet};

use domain::exchange::foreign::Defaults;
use domain::exchange::{ExportFormat, QuestionRows};
use domain::grade::Grade;
use domain::number::{Form, Forms, Language, NumberKey};
use domain::pieces::{TextPiece, pieces};
use domain::question::{Choice, Difficulty, NUMBER, Question};
use domain::school::PageLanguage;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::questions::exchange::exported_bank::ExportedBank;
use crate::questions::exchange::write;
use crate::questions::seed::sample_questions;
use crate::store::pictures::{NewPicture, StoredPicture};

const OURS: [ExportFormat; 3] = [ExportFormat::MoodleXml, ExportFormat::Gift, ExportFormat::Qti3];
const GIFT: &str = "Q: Zürich{=1 ~2 ~3 ~4}";

fn drafts(file: &[u8]) -> Result<QuestionDrafts, FormatFault> {
    let defaults = Defaults { grade: Grade::new(5), topic: None, difficulty: Difficulty::new(2) };
    QuestionFile { defaults, stores_pictures: false }.drafts(file.to_vec(), &mut |_, _| ())
}

fn finish(mut rows: QuestionRows, stored: &[Question]) -> (Vec<Question>, HashSet<String>, Vec<String>) {
    for row in rows.take_waiting() {
        let before = stored.iter().find(|question| question.id == row.id());
        rows.complete(row, before);
    }
    let secure = rows.secure.iter().filter(|(_, is_secure)| *is_secure).map(|(id, _)| id.clone()).collect();
    (std::mem::take(&mut rows.questions), secure, rows.into_errors())
}

#[test]
fn formats_are_recognised_by_their_content() {
    let gift = drafts(GIFT.as_bytes()).unwrap();
    assert_eq!(finish(gift.rows, &[]).0.first().unwrap().question, "Q: Zürich");
    let aiken = drafts(b"Q?\nA. 1\nB. 2\nC. 3\nD. 4\nANSWER: A").unwrap();
    assert_eq!(finish(aiken.rows, &[]).0.len(), 1);
    let sheet =
        drafts(b"grade,difficulty,question,optionA,optionB,answer\n5,1,\"A. {=1 ~2}\nANSWER: B\",1,2,A").unwrap();
    assert_eq!(finish(sheet.rows, &[]).0.len(), 1);
    assert_eq!(drafts(b"<quiz></quiz>").err(), Some(FormatFault::NoQuestions));
    assert_eq!(drafts(b"<a><b/></a>").err(), Some(FormatFault::UnknownXml("a".to_owned())));
    for other in [&b""[..], b"Dear all,\nno exam today", b"%PDF-1.7"] {
        assert!(matches!(drafts(other), Err(FormatFault::Workbook(_))), "{other:?}");
    }
}

#[test]
fn encodings_are_those_of_workbooks() {
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(0xfeff).chain(GIFT.encode_utf16()).flat_map(order).collect()
    };
    let marked = [b"\xef\xbb\xbf", GIFT.as_bytes()].concat();
    for file in [GIFT.as_bytes().to_vec(), marked, wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
        let found = drafts(&file).unwrap();
        assert_eq!(found.guessed_encoding, None);
        assert_eq!(finish(found.rows, &[]).0.first().unwrap().question, "Q: Zürich");
    }
    let western = drafts(b"Q: Z\xfcrich{=1 ~2 ~3 ~4}").unwrap();
    assert_eq!(western.guessed_encoding, Some("windows-1252"));
    assert_eq!(finish(western.rows, &[]).0.first().unwrap().question, "Q: Zürich");
}

#[test]
fn a_file_has_a_limit_of_questions() {
    let many = "Q{=1 ~2 ~3 ~4}\n\n".repeat(QUESTIONS_MAX + 1);
    assert_eq!(drafts(many.as_bytes()).err(), Some(FormatFault::TooManyQuestions(QUESTIONS_MAX)));
}

#[test]
fn what_many_questions_share_counts_for_each() {
    let file = QuestionFile {
        defaults: Defaults { grade: Grade::new(5), topic: Some("x".repeat(200)), difficulty: Difficulty::new(2) },
        stores_pictures: false,
    };
    let many = "Q{=1 ~2 ~3 ~4}\n\n".repeat(100);
    let within = |bytes_max| {
        let read = file.items_within(bytes_max, &mut |_, _| (), |each| gift::read(&many, each));
        read.map(|drafts| drafts.rows.len()).map_err(|fault| fault.to_string())
    };
    assert_eq!(within(100 * 300), Ok(100));
    assert_eq!(within(100 * 200), Err("The file is too large when unpacked".to_owned()));
}

/// What a reader sees: `$` and `\$` are the same where neither is a formula, and formulas have no white space.
fn seen(text: &str) -> Vec<(u8, String)> {
    let spaced = |latex: &str| latex.split_whitespace().collect::<Vec<_>>().join(" ");
    let piece = |piece| match piece {
        TextPiece::Plain(text) => (0, text),
        TextPiece::Inline(latex) => (1, spaced(latex)),
        TextPiece::Display(latex) => (2, spaced(latex)),
    };
    pieces(text).into_iter().map(piece).collect()
}

fn assert_same(read: &Question, written: &Question) {
    assert_eq!(seen(&read.question), seen(&written.question), "{written:?}");
    assert_eq!(seen(&read.explanation), seen(&written.explanation), "{written:?}");
    assert_eq!(read.options.len(), written.options.len());
    for (read, written) in read.options.iter().zip(&written.options) {
        assert_eq!(seen(read), seen(written));
    }
    let rest = Question {
        question: written.question.clone(),
        explanation: written.explanation.clone(),
        options: written.options.clone(),
        ..read.clone()
    };
    assert_eq!(rest, *written);
}

fn assert_comes_back(bank: &ExportedBank) {
    for format in OURS {
        let file = write(bank, format, &mut |_| ()).unwrap();
        let none = QuestionFile { defaults: Defaults::default(), stores_pictures: false };
        let (questions, secure, errors) = finish(none.drafts(file.clone(), &mut |_, _| ()).unwrap().rows, &[]);
        assert_eq!(errors, Vec::<String>::new(), "{format:?}");
        assert_eq!((questions.len(), &secure), (bank.questions.len(), &bank.secure), "{format:?}");
        for (read, written) in questions.iter().zip(&bank.questions) {
            assert_same(read, written);
        }
        // To the letter where the bank has it already.
        let again = none.drafts(file, &mut |_, _| ()).unwrap().rows;
        assert_eq!(finish(again, &bank.questions).0, bank.questions, "{format:?}");
    }
}

#[test]
fn the_sample_bank_comes_back() {
    for grade in Grade::all() {
        let questions: Vec<Question> = sample_questions(PageLanguage::En, grade).collect();
        let secure = questions.iter().step_by(7).map(|question| question.id.clone()).collect();
        assert_comes_back(&ExportedBank { questions, secure, ..ExportedBank::default() });
    }
}

/// A question, and another one that shows the picture of this content, which is stored here.
fn pictured(content: &[u8], media_type: &str) -> ExportedBank {
    let digest = domain::picture::content_digest(content);
    let mut samples = Grade::new(5).into_iter().flat_map(|grade| sample_questions(PageLanguage::En, grade));
    let plain = samples.find(|question| question.image.is_empty()).unwrap();
    let shows = Question {
        id: "q-2".to_owned(),
        image: format!("/media/{digest}"),
        image_description: "A \"square\" <1>".to_owned(),
        ..plain.clone()
    };
    let stored = StoredPicture { media_type: media_type.to_owned(), content: content.to_vec() };
    let pictures = HashMap::from([(digest, stored)]);
    ExportedBank { questions: vec![plain, shows], pictures, ..ExportedBank::default() }
}

/// What a server that has never seen the file would store: the questions, and the contents of their pictures.
fn stored_elsewhere(file: Vec<u8>) -> (Vec<Question>, Vec<Vec<u8>>) {
    let here = QuestionFile { defaults: Defaults::default(), stores_pictures: true };
    let QuestionDrafts { rows, pictures, .. } = here.drafts(file, &mut |_, _| ()).unwrap();
    let (questions, _, errors) = finish(rows, &[]);
    assert_eq!(errors, Vec::<String>::new());
    let named = |picture: &NewPicture| questions.iter().any(|question| question.image.ends_with(&picture.digest));
    assert!(pictures.iter().all(named));
    (questions, pictures.into_iter().map(|picture| picture.content).collect())
}

#[test]
fn a_picture_that_is_stored_here_goes_with_its_question() {
    let drawing = b"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 30\"><circle r=\"4\"/></svg>";
    let mut photograph = std::io::Cursor::new(Vec::new());
    let colours = image::RgbImage::from_fn(80, 60, |x, y| image::Rgb([x, y, x ^ y].map(|of| of.to_be_bytes()[3])));
    image::DynamicImage::from(colours).write_to(&mut photograph, image::ImageFormat::Jpeg).unwrap();
    for (content, media_type) in [(&drawing[..], "image/svg+xml"), (&photograph.get_ref()[..], "image/jpeg")] {
        let bank = pictured(content, media_type);
        for format in OURS {
            let file = write(&bank, format, &mut |_| ()).unwrap();
            let (questions, pictures) = stored_elsewhere(file);
            assert_eq!(pictures, [content.to_vec()], "{format:?}");
            for (read, written) in questions.iter().zip(&bank.questions) {
                assert_same(read, written);
            }
            assert_eq!(questions.len(), 2);
        }
    }
}

#[test]
fn a_picture_that_gift_has_no_room_for_is_said_to_be_left_out() {
    let large = format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><text>{}</text></svg>", "x".repeat(40_000));
    let bank = pictured(large.as_bytes(), "image/svg+xml");
    let file = write(&bank, ExportFormat::Gift, &mut |_| ()).unwrap();
    let text = String::from_utf8(file.clone()).unwrap();
    assert_eq!(text.matches("// Its picture is not in this file.").count(), 1, "{text}");
    let (questions, pictures) = stored_elsewhere(file);
    assert_eq!((questions.len(), pictures.len()), (2, 0));
    assert_same(questions.last().unwrap(), bank.questions.last().unwrap());
    let (_, pictures) = stored_elsewhere(write(&bank, ExportFormat::MoodleXml, &mut |_| ()).unwrap());
    assert_eq!(pictures, [large.into_bytes()]);
}

#[test]
fn a_picture_of_another_system_is_stored_once_and_made_harmless() {
    let answers = "<answer fraction='100'><text>1</text></answer><answer fraction='0'><text>2</text></answer>\
        <answer fraction='0'><text>3</text></answer><answer fraction='0'><text>4</text></answer>";
    let drawing =
        domain::picture::data_address("image/svg+xml", b"<svg onload='a()'><rect/><script>b()</script></svg>");
    let shows = |name: &str| {
        format!(
            "<question type='multichoice'><questiontext format='html'><text><![CDATA[{name}? <img src=\"{drawing}\" alt=\"A\">]]>\
             </text></questiontext>{answers}<tags><tag><text>grade:5</text></tag><tag><text>difficulty:1</text></tag></tags></question>"
        )
    };
    let file = format!("<quiz>{}{}</quiz>", shows("One"), shows("Two"));
    let (questions, pictures) = stored_elsewhere(file.clone().into_bytes());
    let harmless = "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect/></svg>";
    assert_eq!(pictures, [harmless.as_bytes().to_vec()]);
    let address = format!("/media/{}", domain::picture::content_digest(harmless.as_bytes()));
    assert!(questions.len() == 2 && questions.iter().all(|question| question.image == address), "{questions:?}");
    // The same file again changes nothing, and elsewhere it stays in its address.
    let here = QuestionFile { defaults: Defaults::default(), stores_pictures: true };
    let again = here.drafts(file.clone().into_bytes(), &mut |_, _| ()).unwrap().rows;
    assert_eq!(finish(again, &questions).0, questions);
    let elsewhere = finish(drafts(file.as_bytes()).unwrap().rows, &[]).0;
    assert!(elsewhere.iter().all(|question| question.image == drawing));
}

/// Texts of what could be taken for a sign of one of the formats.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-z0-9 ]{1,6}",
        1 => "[~=#{}:\\[\\]<>&\"'%;/().,_-]{1,3}",
        1 => Just("\n".to_owned()),
        1 => Just(" $x^{2}$ ".to_owned()),
        1 => Just("$\\frac{1}{2} \\neq 3$".to_owned()),
        1 => Just("\n$$y = \\nu$$\n".to_owned()),
        1 => Just("\\$5".to_owned()),
        1 => Just(" $5 ".to_owned()),
        1 => Just("\\n".to_owned()),
        1 => Just("\\(".to_owned()),
        1 => Just("<b>ü</b>".to_owned()),
        1 => Just("&amp;".to_owned()),
        1 => Just("// ]]>".to_owned()),
        1 => Just("Phân số \u{1F600}".to_owned()),
        1 => Just("\t ".to_owned()),
    ];
    vec(part, 0..6).prop_map(|parts| domain::question::normal_text(&parts.concat()))
}

fn picture() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        1 => Just("https://school.example/a.png?b=c#d~e".to_owned()),
        1 => Just("/media/0b7e".to_owned()),
        1 => Just(domain::picture::data_address("image/png", b"\x89PNG\r\n\x1a\n.")),
        1 => Just("data:image/svg+xml,%3Csvg%20viewBox='0%200%201%201'/%3E".to_owned()),
        1 => Just("data:image/webp;utf8,x".to_owned()),
    ]
}

prop_compose! {
    fn question()(
        number in 0..1_000_000_u32,
        texts in vec(text(), 5),
        options in vec(text(), 2..=4),
        (grade, difficulty, answer, is_fixed) in (1..=10_i64, 1..=5_i64, 0..2_usize, any::<bool>()),
        image in picture(),
    ) -> Question {
        let [asked, topic, subtopic, explanation, description] = <[String; 5]>::try_from(texts).unwrap();
        // No two options may look the same, and none be empty.
        let options = options.iter().zip("ABCD".chars()).map(|(option, letter)| format!("{letter} {option}").trim().to_owned());
        Question {
            id: format!("q]{number}"),
            grade: Grade::new(grade).unwrap(),
            topic: format!("T {topic}").trim().to_owned(),
            subtopic,
            difficulty: Difficulty::new(difficulty).unwrap(),
            source: "s".to_owned(),
            kind: "multiple-choice".to_owned(),
            question: format!("Q {asked}").trim().to_owned(),
            options: options.collect(),
            answer: Choice::ALL[answer].into(),
            explanation,
            image_description: description,
            image,
            fixed_options: is_fixed,
        }
    }
}

prop_compose! {
    /// The same question as one that asks for a number.
    fn number()(
        of in question(),
        (answer, tolerance) in ("-?[1-9][0-9]{0,3}(\\.[0-9]{0,2}[1-9])?", "(0|0\\.[0-9]{0,2}[1-9]|[1-9][0-9]?)"),
        unit in prop_oneof![Just(""), Just("%"), Just("cm²"), Just("a;b, [c]\\:"), Just("<b> & c")],
        forms in prop_oneof![
            Just(Forms::ALL), Just(Forms::of([Form::Decimal]).unwrap()), Just(Forms::of([Form::Mixed, Form::Fraction]).unwrap()),
        ],
        language in prop_oneof![Just(Language::En), Just(Language::Vi)],
    ) -> Question {
        let unit = unit.to_owned();
        let key = NumberKey { answer, tolerance, unit, forms, language };
        Question { kind: NUMBER.to_owned(), options: Vec::new(), answer: key.into(), fixed_options: false, ..of }
    }
}

proptest! {
    #[test]
    fn numbers_are_read_back(question in number()) {
        assert_comes_back(&ExportedBank { questions: vec![question], ..ExportedBank::default() });
    }

    #[test]
    fn what_is_written_is_read_back(question in question(), is_secure in any::<bool>()) {
        let secure = if is_secure { HashSet::from([question.id.clone()]) } else { HashSet::new() };
        assert_comes_back(&ExportedBank { questions: vec![question], secure, ..ExportedBank::default() });
    }

    /// Whatever a file has in it, reading it ends, and each question is taken or refused.
    #[test]
    fn no_file_breaks_a_reader(parts in vec(prop_oneof![
        Just("<quiz>"), Just("<question type='multichoice'>"), Just("<question type='numerical'>"), Just("<tolerance>"),
        Just("{#"), Just("1..5"), Just("=3:1"), Just("</question>"), Just("<text>"), Just("</text>"),
        Just("<answer fraction='100'>"), Just("</answer>"), Just("<![CDATA["), Just("]]>"), Just("&amp;"), Just("&x;"),
        Just("<p>"), Just("<sup>"), Just("</sup>"), Just("<math>"), Just("<mfrac>"), Just("</math>"), Just("<img src='a'>"),
        Just("{"), Just("}"), Just("~"), Just("="), Just("%50%"), Just("#"), Just("####"), Just("::"), Just("\\"), Just("\\n"),
        Just("//"), Just("[id:"), Just("]"), Just("[html]"), Just("$CATEGORY:"), Just("\n"), Just("\n\n"), Just("A. "),
        Just("B) "), Just("ANSWER: "), Just("A"), Just("\\("), Just("\\)"), Just("$$"), Just("$"), Just("x"), Just("\u{FDD0}"),
    ], 0..60), start in 0..4_usize) {
        let start = ["", "<quiz>", "Q{=", "Q\nA. 1\n"][start];
        let file = format!("{start}{}", parts.concat());
        drop(drafts(file.as_bytes()));
        for read in [moodle_xml::read, gift::read, aiken::read] {
            drop(read(&file, &mut |_, question| {
                drop(question.map(|question| question.draft(&Defaults::default())));
                Ok(())
            }));
        }
    }
}
