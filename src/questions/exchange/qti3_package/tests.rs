//! What is written is read back: the whole sample bank field by field, and any text in the form that it is read in.

use std::collections::HashSet;
use std::io::Read as _;

use domain::exchange::foreign::{ForeignQuestion, Refusal};
use domain::grade::Grade;
use domain::number::NumberKey;
use domain::pieces::{TextPiece, pieces};
use domain::question::{Choice, Difficulty, Key, NUMBER, Question};
use domain::school::PageLanguage;
use proptest::prelude::*;
use zip::ZipArchive;

use super::*;
use crate::questions::exchange::qti::tests::outcomes_of;
use crate::questions::exchange::qti_package::{is_package, read};
use crate::questions::seed::sample_questions;

fn bank(questions: Vec<Question>) -> ExportedBank {
    ExportedBank { questions, ..ExportedBank::default() }
}

/// The questions of a package, none of which is refused or loses anything.
fn read_back(package: &[u8]) -> Vec<Question> {
    let outcomes = outcomes_of(|each| read(package, each)).unwrap();
    outcomes
        .into_iter()
        .map(|outcome| {
            let (question, notes) = outcome.unwrap();
            assert!(notes.iter().all(|note| note.contains("no description")), "{notes:?}");
            question
        })
        .collect()
}

fn files(package: &[u8]) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(package)).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut file = archive.by_index(index).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (file.name().unwrap().into_owned(), String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect()
}

fn plain() -> Question {
    Question {
        id: "q-1".to_owned(),
        grade: Grade::new(5).unwrap(),
        topic: "Fractions".to_owned(),
        subtopic: String::new(),
        difficulty: Difficulty::new(4).unwrap(),
        source: "own".to_owned(),
        kind: "multiple-choice".to_owned(),
        question: "What is $\\frac{1}{2}$ of \\$5?".to_owned(),
        options: ["\\$2.50", "\\$2", "\\$3", "\\$10"].map(str::to_owned).to_vec(),
        answer: Choice::A.into(),
        explanation: "Halve it.".to_owned(),
        image: String::new(),
        image_description: String::new(),
        fixed_options: false,
    }
}

#[test]
fn the_sample_bank_is_read_back() {
    let questions: Vec<Question> = Grade::all().flat_map(|grade| sample_questions(PageLanguage::En, grade)).collect();
    assert!(questions.len() >= 1_400);
    let package = write(&bank(questions.clone())).unwrap();
    assert!(is_package(&package));
    let back = read_back(&package);
    assert_eq!(back.len(), questions.len());
    // A dollar sign that is no formula comes back with a backslash, which is shown alike.
    let plain = |question: &Question| format!("{question:?}").replace("\\\\$", "$");
    for (back, question) in back.iter().zip(&questions) {
        assert_eq!(plain(back), plain(question));
    }
    let pictures = files(&package).into_iter().filter(|(name, _)| name.starts_with("pictures/")).count();
    let addresses: HashSet<_> =
        questions.iter().map(|question| &question.image).filter(|image| !image.is_empty()).collect();
    assert_eq!(pictures, addresses.len());
}

#[test]
fn the_same_questions_give_the_same_bytes() {
    let questions: Vec<Question> =
        Grade::new(5).into_iter().flat_map(|grade| sample_questions(PageLanguage::En, grade)).collect();
    let of = || write(&bank(questions.clone())).unwrap();
    assert_eq!(of(), of());
}

#[test]
fn a_number_is_typed_beside_its_unit() {
    let key = NumberKey { tolerance: "0.05".to_owned(), unit: "<m²>".to_owned(), ..NumberKey::exact("2.5") };
    let number = Question {
        kind: NUMBER.to_owned(),
        options: Vec::new(),
        answer: key.into(),
        question: "The area is _____".to_owned(),
        ..plain()
    };
    let package = write(&bank(vec![number.clone()])).unwrap();
    let item = &files(&package)[0].1;
    assert!(item.contains("base-type=\"float\""), "{item}");
    assert!(item.contains("tolerance-mode=\"absolute\" tolerance=\"0.05 0.05\""), "{item}");
    assert!(item.contains("<span class=\"examhall-unit\">&lt;m²&gt;</span>"), "{item}");
    assert_eq!(read_back(&package), [number]);
}

#[test]
fn an_item_has_its_formulas_and_dollars_as_others_write_them() {
    let secure = HashSet::from(["q-1".to_owned()]);
    let package = write(&ExportedBank { questions: vec![plain()], secure, ..ExportedBank::default() }).unwrap();
    let written = files(&package);
    let names: Vec<&str> = written.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["items/item-00001.xml", "imsmanifest.xml"]);
    let (item, manifest) = (&written[0].1, &written[1].1);
    assert!(item.contains(r"<div>What is \(\frac{1}{2}\) of $5?</div>"), "{item}");
    assert!(item.contains("<qti-simple-choice identifier=\"A\">$2.50</qti-simple-choice>"), "{item}");
    for keyword in ["grade:5", "topic:Fractions", "difficulty:4", "source:own", "secure:yes"] {
        assert!(manifest.contains(&format!("<keyword><string>{keyword}</string></keyword>")), "{manifest}");
    }
    let mut secure = None;
    let mut each = |_, question: Result<ForeignQuestion, Refusal>| {
        secure = question.unwrap().tags.into_iter().find(|tag| tag.starts_with("secure"));
        Ok(())
    };
    read(&package, &mut each).unwrap();
    assert_eq!(secure.as_deref(), Some("secure:yes"));
}

#[test]
fn a_picture_is_a_file_where_it_comes_back_the_same() {
    for (image, is_file) in [
        ("data:image/png;base64,iVBORw0KGgox", true),
        ("data:image/svg+xml,%3Csvg%20viewBox=%220%200%201%201%22/%3E", true),
        // These would come back in another form, so they stay where they are.
        ("data:image/svg+xml;base64,PHN2Zy8+", false),
        ("data:image/png,iVBORw0KGgox", false),
        ("data:image/png;base64,AAAA", false),
        ("https://school.example/a.png?x=1&y=2", false),
        ("/media/0b7e", false),
    ] {
        let question =
            Question { image: image.to_owned(), image_description: "A \"square\" <1>\n& more".to_owned(), ..plain() };
        let package = write(&bank(vec![question.clone()])).unwrap();
        assert_eq!(files(&package).iter().any(|(name, _)| name.starts_with("pictures/")), is_file, "{image}");
        assert_eq!(read_back(&package), [question]);
    }
}

#[test]
fn a_question_may_have_fewer_options_and_no_explanation() {
    for count in 2..=4 {
        let mut question = Question { explanation: String::new(), id: "an id / with <signs>".to_owned(), ..plain() };
        question.options.truncate(count);
        assert_eq!(read_back(&write(&bank(vec![question.clone()])).unwrap()), [question]);
    }
}

#[test]
fn a_formula_may_have_a_dollar() {
    let question = Question { question: "Solve\n$$x + \\$5$$\nfor $x$".to_owned(), ..plain() };
    assert_eq!(read_back(&write(&bank(vec![question.clone()])).unwrap()), [question]);
}

#[test]
fn an_empty_bank_is_a_package_without_questions() {
    let package = write(&bank(Vec::new())).unwrap();
    assert!(is_package(&package));
    assert_eq!(outcomes_of(|each| read(&package, each)), Err("The file has no questions".to_owned()));
}

/// Texts with everything that means something in XML, HTML, LaTeX or our notation.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a",
        "Số ",
        "1",
        " ",
        "  ",
        "\n",
        "\t",
        "$",
        "$$",
        // No backslash by itself, and no brackets of other systems: within a formula they are no LaTeX.
        "\\$",
        "{",
        "}",
        "^",
        "_",
        "$x$",
        "$$y$$",
        "$\\frac{1}{2}$",
        "<",
        ">",
        "&",
        "&lt;",
        "<br>",
        "<p>",
        "\"",
        "'",
        "]]>",
        "\u{a0}",
        "\u{2212}",
        "😀",
        "[tex]",
        "[/tex]",
        "%",
        "#",
        "= 5",
    ]);
    prop::collection::vec(pieces, 1..12).prop_map(|pieces| pieces.concat())
}

fn questions() -> impl Strategy<Value = Question> {
    let options = prop::collection::vec(texts(), 2..=4);
    (texts(), options, texts(), texts(), 0_usize..4).prop_map(|(text, options, explanation, topic, answer)| {
        let options: Vec<String> = options
            .iter()
            .enumerate()
            .map(|(place, text)| format!("{place}. {}", text.trim()).trim().to_owned())
            .collect();
        let answer = Choice::ALL[answer % options.len()];
        let normal = |text: &str| domain::question::normal_text(text);
        Question {
            question: format!("Q {}", text.trim()).trim().to_owned(),
            options,
            answer: Key::Choice(answer),
            explanation: normal(&explanation),
            topic: format!("T {}", topic.replace(char::is_control, " ")).trim().to_owned(),
            ..plain()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Our notation can write one text in several ways, such as a single dollar with and without a backslash. It is
    /// read back in one of them, and from then on stays as it is.
    #[test]
    fn any_question_is_read_back_as_it_is_shown(question in questions()) {
        // A backslash that is shown before a dollar sign is lost: elsewhere it is no text but marks the dollar.
        let is_lost = |text: &String| text.contains("\\\\$") || text.contains("\\\\\\$");
        prop_assume!(![&question.question, &question.explanation].into_iter().chain(&question.options).any(is_lost));
        let first = write(&bank(vec![question.clone()])).unwrap();
        let once = read_back(&first);
        let [back] = once.as_slice() else { panic!("{once:?}") };
        prop_assert_eq!((&back.id, &back.answer, back.grade, &back.topic), (&question.id, &question.answer, question.grade, &question.topic));
        // White space within a formula shows nothing.
        let shown = |text: &str| -> Vec<String> {
            let spaced = |latex: &str| latex.split_whitespace().collect::<Vec<_>>().join(" ");
            let pieces = pieces(text).into_iter().map(|piece| match piece {
                TextPiece::Plain(text) => format!("plain {text}"),
                TextPiece::Inline(latex) => format!("inline {}", spaced(latex)),
                TextPiece::Display(latex) => format!("display {}", spaced(latex)),
            });
            pieces.collect()
        };
        prop_assert_eq!(shown(&back.question), shown(&question.question));
        for (back, option) in back.options.iter().zip(&question.options) {
            prop_assert_eq!(shown(back), shown(option));
        }
        prop_assert_eq!(shown(&back.explanation), shown(&question.explanation));
        let twice = read_back(&write(&bank(once.clone())).unwrap());
        prop_assert_eq!(twice, once);
    }
}
