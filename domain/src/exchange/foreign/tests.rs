//! The rules by which a question of another system becomes one of ours.

use std::collections::{HashMap, HashSet};

use super::*;
use crate::exchange::{QuestionRows, StoredRowMarks};
use crate::number::{Form, Forms, Language};
use crate::picture::content_digest;
use crate::question::{NUMBER, Question};

fn text(text: &str) -> Rich {
    Rich { text: text.to_owned(), ..Rich::default() }
}

fn option(said: &str, fraction: f64) -> ForeignOption {
    ForeignOption { text: text(said), fraction, feedback: Rich::default() }
}

fn question() -> ForeignQuestion {
    ForeignQuestion {
        place: ItemPlace { number: 1, line: Some(3), name: "One".to_owned(), ..ItemPlace::default() },
        text: text("What is 1 + 1?"),
        options: vec![option("1", 0.0), option("2", 100.0), option("3", 0.0), option("4", 0.0)],
        tags: vec!["grade:5".to_owned(), "difficulty:3".to_owned()],
        ..ForeignQuestion::default()
    }
}

/// The question, or why it is refused, as an import of nothing else says it.
fn read(question: ForeignQuestion, defaults: &Defaults, stored: Option<&Question>) -> (Vec<Question>, Vec<String>) {
    let mut rows = QuestionRows::default();
    rows.take_item(question.place.clone(), question.draft(defaults));
    for row in rows.take_waiting() {
        rows.complete(row, stored);
    }
    (std::mem::take(&mut rows.questions), rows.into_errors())
}

fn refusal(question: ForeignQuestion) -> String {
    let (questions, errors) = read(question, &Defaults::default(), None);
    assert!(questions.is_empty(), "{questions:?}");
    errors.join("\n")
}

#[test]
fn tags_and_the_import_say_what_the_format_does_not() {
    let (questions, errors) = read(question(), &Defaults::default(), None);
    assert_eq!(errors, Vec::<String>::new());
    let found = questions.first().unwrap();
    assert_eq!((found.grade.number(), found.difficulty.number(), found.answer.letter_or_number()), (5, 3, "B"));
    assert_eq!((found.topic.as_str(), found.id.len()), ("General", 2 + 2 * ID_DIGEST_BYTES));
    let defaults = Defaults { grade: Grade::new(7), topic: Some("Sums".to_owned()), difficulty: Difficulty::new(1) };
    let untagged = ForeignQuestion { tags: Vec::new(), category: Some("Last".to_owned()), ..question() };
    let (questions, _) = read(untagged.clone(), &defaults, None);
    let found = questions.first().unwrap();
    assert_eq!((found.grade.number(), found.topic.as_str()), (7, "Sums"));
    let (questions, _) = read(untagged, &Defaults { topic: None, ..defaults }, None);
    assert_eq!(questions.first().unwrap().topic, "Last");
}

#[test]
fn what_is_refused_says_why() {
    let with = |change: fn(&mut ForeignQuestion)| {
        let mut question = question();
        change(&mut question);
        refusal(question)
    };
    for (found, expected) in [
        (with(|q| drop(q.options.pop())), "it has 3 options, but 4 are needed (or the tag options:3)"),
        (with(|q| q.options.push(option("5", 0.0))), "it has 5 options, but 4 are needed"),
        (with(|q| q.options.clear()), "it has 0 options, but 4 are needed"),
        (with(|q| q.options[1].fraction = 0.0), "no option is right"),
        (with(|q| q.options[1].fraction = 50.0), "its best option gives only 50 % of the points"),
        (with(|q| q.options[0].fraction = 50.0), "2 options give points: only one may be right"),
        (with(|q| q.tags.clear()), "grade required: choose one for the import, or give it a tag such as grade:5"),
        (
            with(|q| q.tags = vec!["grade:5".into()]),
            "difficulty required: choose one for the import, or give it a tag such as difficulty:3",
        ),
        (with(|q| q.tags.push("grade:11".into())), "tag grade:11: a grade is 1 to 10"),
        (with(|q| q.tags.push("Grade: 6".into())), "it has several tags grade"),
        (with(|q| q.tags.push("difficulty:x".into())), "tag difficulty:x: a difficulty is 1 to 5"),
        (with(|q| q.tags.push("secure:perhaps".into())), "tag secure:perhaps: secure is yes or no"),
        (with(|q| q.text.text.clear()), "question required"),
        (with(|q| q.options[2].text.text = " 1 ".into()), "optionA and optionC are equal"),
        (with(|q| q.options[2].text.text = "a\u{7}".into()), "optionC has control characters"),
        (with(|q| q.text.text = "x".repeat(40_000)), "question is longer than 32767 characters"),
        (with(|q| q.id = Some("x".repeat(101))), "id is longer than 100 characters"),
        (with(|q| q.id = Some("a\u{1}b".into())), "id has control characters"),
        (with(|q| q.options[0].text.picture = picture(1)), "option A has a picture: only the question may have one"),
        (
            with(|q| q.general_feedback = Rich { text: "a".into(), picture: picture(1), ..Rich::default() }),
            "the explanation has a picture: only the question may have one",
        ),
        (with(|q| q.text.picture = picture(25_000)), "the picture has 25000 bytes: a question keeps about 24000"),
        (
            with(|q| {
                q.text.picture = Some(ForeignPicture {
                    source: PictureSource::Bytes { media_type: "text/plain", bytes: vec![1] },
                    description: String::new(),
                });
            }),
            "the picture is no PNG, JPEG, GIF, WebP or SVG",
        ),
        (
            with(|q| q.tags.push("image:https://school.example/a.png".into())),
            "tag image:https://school.example/a.png: an image is a path below /media, /pictures or /assets",
        ),
        (
            with(|q| q.text.picture = linked("http://school.example/a.png")),
            "the picture has an address that is not kept: only https addresses and pictures in the file are",
        ),
    ] {
        assert_eq!(found, format!("Line 3 (One): {expected}"));
    }
}

fn picture(bytes: usize) -> Option<ForeignPicture> {
    let source = PictureSource::Bytes { media_type: "image/png", bytes: vec![7; bytes] };
    Some(ForeignPicture { source, description: "A".to_owned() })
}

fn linked(address: &str) -> Option<ForeignPicture> {
    Some(ForeignPicture { source: PictureSource::Address(address.to_owned()), description: String::new() })
}

#[test]
fn what_is_left_out_is_said() {
    let mut asked = question();
    asked.options[0].fraction = -33.3;
    asked.options[0].feedback = text("No.");
    asked.options[1].feedback = text("Yes.");
    asked.text.dropped = 2;
    asked.text.colours = 1;
    asked.options[0].text.lines = 3;
    asked.text.picture = linked("https://school.example/a.png");
    asked.tags.push("homework".to_owned());
    let drafted = asked.clone().draft(&Defaults::default()).unwrap();
    assert_eq!(
        drafted.notes,
        [
            "2 marks of bold, italic or the like are left out",
            "1 passages lose their colour",
            "3 underlined passages are too long for a line and lose it",
            "points are not taken off here: 1 penalties become 0",
            "feedback to 1 options is left out",
            "tags are left out: homework",
            "the picture has no description for those who can't see it",
        ]
    );
    let (questions, _) = read(asked, &Defaults::default(), None);
    assert_eq!(questions.first().unwrap().explanation, "Yes.");
}

#[test]
fn an_import_of_what_is_stored_changes_nothing() {
    let (questions, _) = read(question(), &Defaults::default(), None);
    let mut stored = questions.into_iter().next().unwrap();
    stored.topic = "Sums".to_owned();
    stored.question = "It costs $5.".to_owned();
    stored.options = vec!["1".into(), "2".into(), "$3".into(), "4".into()];
    stored.image = "data:image/svg+xml;utf8,%3Csvg%2F%3E".to_owned();
    let mut again = question();
    again.id = Some(stored.id.clone());
    again.text.text = r"It costs \$5.".to_owned();
    again.options[2].text.text = r"\$3".to_owned();
    let source = PictureSource::Bytes { media_type: "image/svg+xml", bytes: b"<svg/>".to_vec() };
    again.text.picture = Some(ForeignPicture { source, description: String::new() });
    let (questions, errors) = read(again, &Defaults::default(), Some(&stored));
    assert_eq!((questions, errors), (vec![stored], Vec::new()));
}

#[test]
fn whether_a_question_is_for_exams_alone_is_a_change_too() {
    let (questions, _) = read(question(), &Defaults::default(), None);
    let stored = questions.into_iter().next().unwrap();
    let by_id = HashMap::from([(stored.id.clone(), stored.clone())]);
    let changed = |tag: Option<&str>, is_secure: bool| {
        let mut asked = question();
        asked.tags.extend(tag.map(str::to_owned));
        let mut rows = QuestionRows::default();
        rows.take_item(asked.place.clone(), asked.draft(&Defaults::default()));
        for row in rows.take_waiting() {
            rows.complete(row, Some(&stored));
        }
        let secure = if is_secure { HashSet::from([stored.id.clone()]) } else { HashSet::new() };
        let practice = HashMap::from([(stored.id.clone(), false)]);
        rows.changes(&rows.questions, &by_id, &StoredRowMarks { secure, practice })
            .into_iter()
            .flat_map(|change| change.fields)
            .collect::<Vec<_>>()
    };
    for (tag, is_secure, expected) in [
        (Some("secure:yes"), false, vec!["secure"]),
        (Some("secure:no"), true, vec!["secure"]),
        (Some("secure:yes"), true, vec![]),
        (Some("secure:no"), false, vec![]),
        (None, true, vec![]),
        (Some("practice:yes"), false, vec!["practice"]),
        (Some("practice:no"), false, vec![]),
    ] {
        assert_eq!(changed(tag, is_secure), expected, "{tag:?} {is_secure}");
    }
    let mut new = QuestionRows::default();
    new.secure.push((stored.id.clone(), true));
    assert_eq!(new.changes(&[stored], &HashMap::new(), &StoredRowMarks::default()), []);
}

/// Keeps pictures as a server does that writes them anew: with another content than the file has.
struct Store;

impl PictureKeeper for Store {
    fn keep(&mut self, source: &PictureSource) -> Result<String, Refusal> {
        let content = source.content().ok_or(Refusal::PictureFormat)?;
        Ok(format!("/media/{}", content_digest(&[&*content, b"anew"].concat())))
    }
}

fn read_into_store(question: ForeignQuestion, stored: Option<&Question>) -> Question {
    let mut rows = QuestionRows::default();
    rows.take_item(question.place.clone(), question.draft_with(&Defaults::default(), &mut Store));
    for row in rows.take_waiting() {
        rows.complete(row, stored);
    }
    rows.questions.remove(0)
}

#[test]
fn a_picture_that_the_file_brings_counts_more_than_where_it_was_stored() {
    let kept = format!("/media/{}", content_digest(b"png anew"));
    let of_tag = |tag: &str, source: Option<PictureSource>| {
        let mut asked = question();
        asked.tags.push(format!("image:{tag}"));
        asked.text.picture = source.map(|source| ForeignPicture { source, description: "A".to_owned() });
        read_into_store(asked, None).image
    };
    let elsewhere = format!("/media/{}", content_digest(b"png"));
    let bytes = || PictureSource::Bytes { media_type: "image/png", bytes: b"png ".to_vec() };
    assert_eq!(of_tag(&elsewhere, Some(bytes())), kept);
    assert_eq!(of_tag(&elsewhere, Some(PictureSource::Address("data:image/png,png%20".to_owned()))), kept);
    // To the letter where it is the same, and as it is where the file brings none or the operator has put it there.
    assert_eq!(of_tag(&format!("{kept}?v=2"), Some(bytes())), format!("{kept}?v=2"));
    assert_eq!(of_tag(&elsewhere, None), elsewhere);
    assert_eq!(of_tag("/pictures/clock.png", Some(bytes())), "/pictures/clock.png");
}

#[test]
fn a_picture_that_is_stored_here_stays_where_it_is() {
    let bytes = || PictureSource::Bytes { media_type: "image/png", bytes: b"png".to_vec() };
    let asked = || {
        let picture = ForeignPicture { source: bytes(), description: String::new() };
        ForeignQuestion { text: Rich { picture: Some(picture), ..text("What is 1 + 1?") }, ..question() }
    };
    let first = read_into_store(asked(), None);
    for image in [format!("/media/{}", content_digest(b"png")), "data:image/png;base64,cG5n".to_owned()] {
        let stored = Question { image, ..first.clone() };
        assert_eq!(read_into_store(asked(), Some(&stored)), stored);
    }
    let other = Question { image: format!("/media/{}", content_digest(b"other")), ..first.clone() };
    assert_eq!(read_into_store(asked(), Some(&other)), first);
}

#[test]
fn tags_are_read_as_they_are_written() {
    let (questions, _) = read(question(), &Defaults::default(), None);
    let asked = Question {
        topic: "50%25, [a] <b> \\ Phân số".to_owned(),
        subtopic: String::new(),
        kind: "other\nkind".to_owned(),
        ..questions.into_iter().next().unwrap()
    };
    let read = ReadTags::of(&tags_of(&asked, true, Some(false))).unwrap();
    assert_eq!((read.topic.as_deref(), read.kind.as_deref()), (Some(asked.topic.as_str()), Some(asked.kind.as_str())));
    assert_eq!((read.secure, read.subtopic.as_deref(), read.unknown), (Some(true), Some(""), Vec::new()));
    assert_eq!((read.practice, ReadTags::of(&tags_of(&asked, true, None)).unwrap().practice), (Some(false), None));
    let others = ["practice", "practice:exam 3"].map(str::to_owned);
    let read = ReadTags::of(&others).unwrap();
    assert_eq!((read.practice, read.unknown.len()), (None, 2), "others have such tags");
    let text = tags_of(&asked, true, Some(false)).concat();
    assert!(!text.contains(['<', '>', '`', '[', ']', '\n']), "{text}");
}

#[test]
fn one_id_stands_for_one_question() {
    let mut rows = QuestionRows::default();
    for number in 1..=2 {
        let mut asked = question();
        asked.place = ItemPlace { number, line: Some(number * 10), ..ItemPlace::default() };
        rows.take_item(asked.place.clone(), asked.draft(&Defaults::default()));
    }
    for row in rows.take_waiting() {
        rows.complete(row, None);
    }
    let id = rows.questions.first().unwrap().id.clone();
    assert_eq!(rows.into_errors(), [format!("Line 20: id {id} stands in line 10 already")]);
}

fn number(answer: &str) -> ForeignQuestion {
    let right = ForeignNumber { answer: answer.to_owned(), feedback: text("Count."), ..ForeignNumber::default() };
    ForeignQuestion { options: Vec::new(), number: Some(right), ..question() }
}

#[test]
fn a_number_is_asked_for_without_options() {
    let (questions, errors) = read(number("−0,5"), &Defaults::default(), None);
    assert_eq!(errors, Vec::<String>::new());
    let found = questions.first().unwrap();
    assert_eq!((found.kind.as_str(), found.options.len(), found.explanation.as_str()), (NUMBER, 0, "Count."));
    let key = found.answer.number().unwrap();
    assert_eq!((key.answer.as_str(), key.tolerance.as_str(), key.unit.as_str()), ("-0.5", "0", ""));
    assert_eq!(refusal(number("half")), "Line 3 (One): answer must be a number in digits, such as 12, -3 or 0.5");
    let tagged = |tag: &str| {
        let mut asked = number("5");
        asked.tags.push(tag.to_owned());
        refusal(asked)
    };
    assert_eq!(tagged("forms:roman"), "Line 3 (One): tag forms:roman: forms are some of decimal, fraction, mixed");
    let long = "x".repeat(21);
    assert!(
        tagged(&format!("unit:{long}")).ends_with("unit must have at most 20 characters, and not begin like a number")
    );
    let mut other = number("7");
    other.tags = number("5").tags;
    let ids = [number("5"), other].map(|asked| read(asked, &Defaults::default(), None).0.remove(0).id);
    assert_ne!(ids.first(), ids.last(), "the number is part of the question");
}

#[test]
fn tags_of_a_number_are_read_as_they_are_written() {
    let mut asked = number("5");
    asked.tags.extend(["unit:%25".to_owned(), "forms:mixed;fraction".to_owned(), "language:vi".to_owned()]);
    let (questions, errors) = read(asked.clone(), &Defaults::default(), None);
    assert_eq!(errors, Vec::<String>::new());
    let found = questions.first().unwrap();
    let key = found.answer.number().unwrap();
    assert_eq!((key.unit.as_str(), key.language), ("%", Language::Vi));
    assert_eq!(Some(key.forms), Forms::of([Form::Fraction, Form::Mixed]));
    let again = ForeignQuestion { tags: tags_of(found, false, None), id: Some(found.id.clone()), ..number("5") };
    assert!(again.tags.iter().all(|tag| !tag.starts_with("options:") && !tag.starts_with("type:")));
    assert_eq!(read(again, &Defaults::default(), None).0, questions);
    // What a file does not say stays as it is stored.
    let bare = ForeignQuestion { id: Some(found.id.clone()), ..number("5") };
    let (kept, _) = read(bare, &Defaults::default(), Some(found));
    assert_eq!(kept.first().unwrap().answer, found.answer);
}
