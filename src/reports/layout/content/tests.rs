//! Tests of what a report says for sessions of every kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::access::Grades;
use domain::form::FormLetter;
use domain::grade::Grade;
use domain::mark::{MarkScale, MarkedFacts};
use domain::option_order::OptionOrder;
use domain::question::{Choice, Difficulty, KeyedQuestion, OptionsDigest};
use domain::school::PageLanguage;
use domain::scoring::{self, Response, TestResult};
use domain::session::{SessionOrigin, SessionVersion, VersionReason};
use domain::sight::{EmbargoState, Reader, Untold};
use domain::time::moment::Moment;

use super::*;
use crate::reports::layout::Ink;

fn around() -> Surroundings {
    Surroundings { asked: AskedPaper::default(), time_zone: Tz::UTC, head: head("", PageLanguage::En), exam: None }
}

fn head(school: &str, language: PageLanguage) -> Letterhead {
    Letterhead { school: school.to_owned(), crest: None, accent: Ink::STRONG, words: PaperWords(language) }
}

fn graded(answers: &[(&str, i64, bool)]) -> Session {
    graded_and(answers, |_| {})
}

/// The test with a result that has been changed since.
fn graded_and(answers: &[(&str, i64, bool)], change: impl FnOnce(&mut TestResult)) -> Session {
    let response = |(id, difficulty, is_right): &(&str, i64, bool)| {
        let question = Arc::new(KeyedQuestion {
            id: (*id).into(),
            topic: "Shapes".into(),
            difficulty: Difficulty::new(*difficulty).unwrap(),
            answer: Choice::A.into(),
            options: None,
            version: None,
            order: None,
        });
        Response {
            question,
            selected: Some(if *is_right { Choice::A } else { Choice::B }.into()),
            time_taken: Some(65),
        }
    };
    let responses: Vec<Response> = answers.iter().map(response).collect();
    let mut result = scoring::grade(&responses, 2_052);
    change(&mut result);
    Session {
        session_id: uuid::Uuid::nil(),
        grade: Grade::new(5).unwrap(),
        started_at: Moment::parse("2026-01-05T09:00:00Z").unwrap(),
        completed_at: Moment::parse("2026-01-05T09:35:00Z").unwrap(),
        webhook_sent: false,
        report_url: "https://exam.example/report/0".to_owned(),
        annotations: RawValue::from_string(r#"{"name":"Ada"}"#.to_owned()).unwrap(),
        result: Untold::of(result),
        verified: true,
        origin: SessionOrigin::Live,
        account: None,
        template_id: None,
        sitting_id: None,
        form: None,
        mark_scale: None,
        sent_orders: BTreeMap::new(),
        drawings: None,
        graded_by: Untold::of(responses.into_iter().map(|response| response.question).collect()),
        version: SessionVersion::submitted(Moment::parse("2026-01-05T09:35:00Z").unwrap()),
    }
}

/// What the report says to whoever may see all of it.
fn whole(session: &Session, course: Option<Course>, around: &Surroundings) -> ReportContent {
    let reader = Reader::Caller { is_staff: true, reviews: Grades::ALL, has_public_answers: true };
    let sight = Sight::of(session, reader, EmbargoState::Open);
    ReportContent::of(session, course, sight, around).unwrap()
}

#[test]
fn the_numbers_are_those_of_the_session() {
    let content = whole(&graded(&[("a", 5, true), ("b", 1, false), ("c", 2, false)]), None, &around());
    assert_eq!((content.score, content.correct.as_str(), content.accuracy.as_str()), (575, "1 of 3", "33.3 %"));
    assert_eq!(content.points.as_deref(), Some("5 of 8"));
    assert!((content.score_share - 0.625).abs() < 0.001);
    assert_eq!(content.topics, [Bar { label: "Shapes".to_owned(), share: 0.33, words: "1 of 3 · 33 %".to_owned() }]);
    assert_eq!(
        content.difficulties.iter().map(|bar| bar.label.as_str()).collect::<Vec<_>>(),
        ["Easy", "Easy to medium", "Hard"]
    );
    let row = &content.rows[0];
    assert_eq!(
        (row.selected.as_str(), row.correct.as_str(), row.points.as_str(), row.time.as_str()),
        ("A", "A", "5/5", "1:05")
    );
    assert!(content.stages.is_empty());
}

#[test]
fn a_report_is_in_the_language_that_is_asked_for() {
    let session = graded_and(&[("a", 5, true), ("b", 1, false), ("c", 2, false)], |result| {
        "Fractions".clone_into(&mut result.topic_breakdown[0].topic);
    });
    let in_vietnamese = Surroundings { head: head("", PageLanguage::Vi), ..around() };
    let content = whole(&session, Some(Course { first_stage: 2, band: Band::Below60 }), &in_vietnamese);
    assert_eq!((content.title.as_str(), content.subject.as_str()), ("Kết quả bài kiểm tra Toán", "Lớp 5"));
    assert_eq!((content.correct.as_str(), content.accuracy.as_str()), ("1/3", "33,3 %"));
    let labels = |bars: &[Bar]| bars.iter().map(|bar| format!("{}: {}", bar.label, bar.words)).collect::<Vec<_>>();
    assert_eq!(labels(&content.topics), ["Phân số: 1/3 · 33 %"]);
    assert_eq!(labels(&content.difficulties), ["Dễ: 0/1", "Dễ đến vừa: 0/1", "Khó: 1/1"]);
    assert_eq!(labels(&content.stages), ["Phần 1: 1/2", "Phần 2 (mức dưới 60 %): 0/1"]);
    assert_eq!(content.rows[0].text, "Không có nội dung câu này.");
}

#[test]
fn an_exam_gives_its_name_and_nothing_is_said_twice() {
    let mut session = graded(&[("a", 5, true)]);
    let annotations = r#"{"name":"Ada","school":"Lê Lợi","test":"Finals","class":"5 b"}"#;
    session.annotations = RawValue::from_string(annotations.to_owned()).unwrap();
    let around =
        Surroundings { exam: Some("Finals".to_owned()), head: head("Lê Lợi", PageLanguage::En), ..around() };
    let content = whole(&session, None, &around);
    let said = (content.title.as_str(), content.subject.as_str());
    assert_eq!(said, ("Finals", "Test report · Mathematics, grade 5"));
    assert_eq!(content.annotations.pairs, [("Class".to_owned(), "5 b".to_owned())]);
}

#[test]
fn no_id_of_a_program_is_on_a_report() {
    let session = graded(&[("g5-017", 5, true)]);
    let content = whole(&session, None, &around());
    assert_eq!(content.reference, "Reference 00000000");
    let shown = format!("{content:?}");
    let shown = shown.replace(&content.link.as_ref().unwrap().url, "");
    assert!(!shown.contains("g5-017") && !shown.contains(&session.session_id.to_string()), "{shown}");
}

#[test]
fn an_adaptive_test_has_its_stages() {
    let session = graded(&[("a", 5, true), ("b", 1, false), ("c", 2, true), ("d", 2, true)]);
    let content = whole(&session, Some(Course { first_stage: 2, band: Band::From80 }), &around());
    let said: Vec<(&str, &str)> = content.stages.iter().map(|bar| (bar.label.as_str(), bar.words.as_str())).collect();
    assert_eq!(said, [("Stage 1", "1 of 2"), ("Stage 2 (band 80–90 %)", "2 of 2")]);
}

#[test]
fn what_a_session_does_not_know_is_a_dash() {
    let mut session = graded_and(&[("a", 5, true), ("b", 1, false)], |result| {
        let line = &mut result.answers[1];
        line.time_taken = None;
        line.selected.clear();
        line.correct.clear();
    });
    session.graded_by = Untold::of(Vec::new());
    session.verified = false;
    "ftp://exam.example/".clone_into(&mut session.report_url);
    let content = whole(&session, None, &around());
    let row = &content.rows[1];
    assert_eq!(
        (row.points.as_str(), row.time.as_str(), row.selected.as_str(), row.correct.as_str(), row.outcome),
        ("–", "–", "–", "–", QuestionOutcome::Open)
    );
    assert_eq!((content.points, content.link, content.is_unverified), (None, None, true));
}

#[test]
fn a_drawing_belongs_to_its_question() {
    let mut session = graded(&[("a", 5, true), ("b", 1, false)]);
    session.drawings = Some(RawValue::from_string(r#"{"b":{"strokes":[]},"x":{}}"#.to_owned()).unwrap());
    let content = whole(&session, None, &around());
    assert!(content.rows[0].drawing.is_none());
    assert_eq!(content.rows[1].drawing.as_ref().unwrap().get(), r#"{"strokes":[]}"#);
}

#[test]
fn what_a_reader_may_not_know_is_on_no_page() {
    let session = graded(&[("a", 5, true), ("b", 1, false)]);
    let reader = Reader::Caller { is_staff: false, reviews: Grades::NONE, has_public_answers: true };
    let seen = |state| ReportContent::of(&session, None, Sight::of(&session, reader, state), &around());
    assert!(seen(EmbargoState::Held).is_none());
    let content = seen(EmbargoState::KeysWithheld).unwrap();
    assert!(content.topics.is_empty() && content.difficulties.is_empty() && content.points.is_none());
    for row in &content.rows {
        assert_eq!((row.correct.as_str(), row.points.as_str(), row.outcome.sign()), ("–", "–", ""), "{row:?}");
    }
    assert_eq!(content.rows[0].selected, "A");
}

fn question(options: [&str; 2]) -> Question {
    Question {
        id: "a".to_owned(),
        grade: Grade::new(5).unwrap(),
        topic: "Shapes".to_owned(),
        subtopic: String::new(),
        difficulty: Difficulty::new(5).unwrap(),
        source: String::new(),
        kind: "multiple-choice".to_owned(),
        question: "How many?".to_owned(),
        options: options.map(str::to_owned).to_vec(),
        answer: Choice::A.into(),
        explanation: String::new(),
        image: String::new(),
        image_description: String::new(),
        fixed_options: false,
    }
}

/// A test of the question `a`, graded with this key, when the bank has this, and a former version may be kept.
fn shown(key: KeyedQuestion, bank: Option<Question>, former: Option<Question>) -> (QuestionRow, Vec<String>) {
    let mut session = graded(&[("a", 5, false)]);
    session.graded_by = Untold::of(vec![Arc::new(key)]);
    let by_id = |question: Option<Question>| question.into_iter().map(|one| (one.id.clone(), one)).collect();
    let questions = session.asked(by_id(bank), by_id(former));
    let around = Surroundings { asked: AskedPaper { questions, withheld: None }, ..around() };
    let mut content = whole(&session, None, &around);
    (content.rows.remove(0), content.about_texts)
}

#[test]
fn a_letter_has_a_text_only_if_it_still_is_what_the_student_saw() {
    for (then, selected, correct) in [
        (Some(["five", "six"]), "B: six", "A: five"),
        // The wrong option has been edited, the options have changed places, or nobody knows.
        (Some(["five", "seven"]), "B", "A"),
        (Some(["six", "five"]), "B", "A"),
        (Some(["fives", "ix"]), "B", "A"),
        (None, "B", "A"),
    ] {
        let options = then.map(|options| OptionsDigest::of(&options.map(str::to_owned)));
        let key = KeyedQuestion { options, version: None, ..question(["five", "six"]).keyed() };
        let (row, _) = shown(key, Some(question(["five", "six"])), None);
        assert_eq!((row.selected.as_str(), row.correct.as_str(), row.text.as_str()), (selected, correct, "How many?"));
    }
}

#[test]
fn a_report_shows_what_was_asked_and_says_what_the_bank_has_become() {
    let then = question(["five", "six"]);
    let now =
        Question { question: "How many sides?".to_owned(), answer: Choice::B.into(), ..question(["six", "five"]) };
    let asked = "Questions are shown as they were asked.".to_owned();
    let told = |bank: Option<&Question>| {
        let (row, sentences) = shown(then.keyed(), bank.cloned(), Some(then.clone()).filter(|then| bank != Some(then)));
        assert_eq!(
            (row.text.as_str(), row.selected.as_str(), row.correct.as_str()),
            ("How many?", "B: six", "A: five")
        );
        assert_eq!(sentences[0], asked);
        sentences.get(1).cloned()
    };
    assert_eq!(told(Some(&then)), None);
    assert_eq!(told(Some(&now)).unwrap(), "The bank has changed question 1 since the test.");
    assert_eq!(told(None).unwrap(), "The bank no longer has question 1.");
    let (row, sentences) = shown(KeyedQuestion { version: None, ..then.keyed() }, Some(now), None);
    assert_eq!((row.text.as_str(), row.selected.as_str()), ("This question was changed after the test.", "B"));
    assert!(sentences[0].starts_with("Questions are shown as they are in the bank today"), "{sentences:?}");
    assert_eq!(sentences[1], "The bank has changed question 1 since the test, and what was asked was not kept.");
}

/// What a test of the question `a` says to a reader, where its two options stood the other way round.
fn turned(is_staff: bool, change: impl FnOnce(&mut TestResult)) -> (QuestionRow, ReportContent) {
    let asked = question(["five", "six"]);
    let mut session = graded_and(&[("a", 5, false)], change);
    let key = KeyedQuestion { order: OptionOrder::parse("BA"), ..asked.keyed() };
    (session.form, session.graded_by) = (FormLetter::parse("B"), Untold::of(vec![Arc::new(key)]));
    let questions = session.asked(HashMap::from([("a".to_owned(), asked)]), HashMap::new());
    let around = Surroundings { asked: AskedPaper { questions, withheld: None }, ..around() };
    let reader = Reader::Caller { is_staff, reviews: Grades::NONE, has_public_answers: true };
    let sight = Sight::of(&session, reader, EmbargoState::Open);
    let mut content = ReportContent::of(&session, None, sight, &around).unwrap();
    (content.rows.remove(0), content)
}

#[test]
fn letters_are_those_that_the_student_saw() {
    for (is_staff, selected, correct, sentence) in [
        (false, "A: six", "B: five", "Options have the letters that they had in this test."),
        (
            true,
            "A (B): six",
            "B (A): five",
            "Options have the letters that they had in this test; those of the master copy are in brackets.",
        ),
    ] {
        let (row, content) = turned(is_staff, |_| {});
        assert_eq!(
            (row.selected.as_str(), row.correct.as_str(), row.outcome),
            (selected, correct, QuestionOutcome::Wrong)
        );
        assert_eq!(content.about_texts.last().map(String::as_str), Some(sentence));
        assert_eq!(content.form.as_deref(), Some("form B"));
    }
    let content = whole(&graded(&[("a", 5, false)]), None, &around());
    assert_eq!((content.rows[0].selected.as_str(), content.form, content.about_texts.len()), ("B", None, 0));
}

#[test]
fn a_correction_names_letters_as_the_student_saw_them() {
    let said = |is_staff, kind: CorrectionKind, also: &[&str]| {
        let also: Vec<String> = also.iter().map(|letter| (*letter).to_owned()).collect();
        let change = |result: &mut TestResult| {
            (result.answers[0].correction, result.answers[0].also_correct) = (Some(kind), also);
        };
        turned(is_staff, change).0.correction.unwrap()
    };
    let key = "The key of this question was corrected:";
    assert_eq!(said(false, CorrectionKind::Key, &[]), format!("{key} B is right."));
    assert_eq!(said(true, CorrectionKind::Key, &[]), format!("{key} B (A) is right."));
    assert_eq!(said(false, CorrectionKind::Also, &["B"]), format!("{key} A and B count as right."));
    assert_eq!(said(true, CorrectionKind::Also, &["B"]), format!("{key} A (B) and B (A) count as right."));
}

#[test]
fn a_mark_stands_beside_the_score_with_its_scale_in_words() {
    let scale = serde_json::json!({
        "type": "numbers", "basis": "percent", "worst": 0, "best": 10, "step": 0.5, "rounding": "nearest", "pass": 5,
    });
    let session = graded(&[("a", 1, true), ("b", 1, true), ("c", 1, true), ("d", 1, false)]);
    assert_eq!(whole(&session, None, &around()).mark, None);
    let marked = Session { mark_scale: MarkScale::read(&scale).map(Arc::new), ..session };
    let mark = whole(&marked, None, &around()).mark.unwrap();
    assert_eq!((mark.text.as_str(), mark.words.as_str()), ("7.5", "of 10, pass mark 5 · passed"));

    let facts = MarkedFacts { score: 350, correct: 1, questions: 4, points: None };
    let version = SessionVersion {
        number: 2,
        reason: VersionReason::KeyCorrected,
        previous_score: Some(Untold::of(350)),
        previous_facts: Some(Untold::of(facts)),
        ..marked.version.clone()
    };
    let change = whole(&Session { version, ..marked }, None, &around()).change.unwrap();
    assert!(change.ends_with("The score was 350 before. The mark was 2.5 before."), "{change}");
}
