//! Writes one example of each frame of the server to `web/src/exam/testing/golden_frames.ts`, where TypeScript's
//! compiler compares them with the types of the pages. Run with `GOLDEN=write` to update the file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use domain::attempt::{AnswerChange, Attempt, Eliminations, Ending, Mode, Reason, Stamp, Terms};
use domain::calculator::Calculator;
use domain::form::FormLetter;
use domain::grade::Grade;
use domain::option_order::OptionOrder;
use domain::order::hall::HallStanding;
use domain::question::{Choice, Difficulty, KeyedQuestion, Selected};
use domain::question_types::QuestionTypes;
use domain::sitting::Sitting;
use domain::sitting::candidate::{Candidate, Person};
use domain::sitting::code::SittingCode;
use domain::sitting::plan::SittingDraft;
use domain::time::moment::Moment;
use domain::time::times::{Adopted, AttemptTimes, MovedPart};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::fault::{Code, Fault};
use super::write::{OwnTerms, ResumedLabels, ShownPaper, SupersededCommand, WaitingView};
use super::{read, write};
use crate::sittings::entry::current::CurrentSitting;
use crate::sittings::entry::sealing::PartKeys;

const FILE: &str = "web/src/exam/testing/golden_frames.ts";
const OWN: OwnTerms<'_> = OwnTerms { token: "mZ3", line: 1, late_key: Some("MIIBIj") };
const KEYS: &str = r#"{"1":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}"#;
/// The form of one: it is signed by nobody.
const RECEIPT: &str = "eyJhbGciOiJFZERTQSJ9.e30.AA";
const REPORT_URL: &str = "https://exam.example/report/0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90";

/// Frames of students; the server must understand each of them.
const CLIENT_FRAMES: [&str; 23] = [
    r#"{"type":"start","grade":5,"mode":"standard","durationMinutes":30,"questionCount":20,"key":"k3v9x0d2m7q1w8e5","annotations":{"studentId":"s-17"},"webhookUrl":"https://lms.example/hook","baseUrl":"https://exam.example"}"#,
    r#"{"type":"start","grade":5,"shuffleOptions":true,"key":"k3v9x0d2m7q1w8e5","annotations":{}}"#,
    r#"{"type":"start","templateId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e91","key":"k3v9x0d2m7q1w8e5"}"#,
    r#"{"type":"resume","sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","token":"mZ3"}"#,
    r#"{"type":"resume","sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","token":"mZ3","line":1}"#,
    r#"{"type":"answer","seq":1,"questionId":"g5-001","selected":"B","timeTaken":41}"#,
    r#"{"type":"answer","seq":7,"line":2,"questionId":"g5-001","selected":null,"timeTaken":43}"#,
    r#"{"type":"answer","seq":8,"line":2,"questionId":"g5-001","selected":"D","timeTaken":50,"at":"2026-01-05T09:27:14.000Z"}"#,
    r#"{"type":"mark","seq":2,"questionId":"g5-001","marked":true}"#,
    r#"{"type":"eliminate","seq":3,"questionId":"g5-001","eliminated":["A","C"]}"#,
    r#"{"type":"eliminate","seq":4,"questionId":"g5-001","eliminated":[]}"#,
    r#"{"type":"visit","seq":3,"questionId":"g5-002"}"#,
    r#"{"type":"drawing","seq":4,"questionId":"g5-001","drawing":{"v":1,"size":[1100,640],"items":[]}}"#,
    r#"{"type":"enter","code":"K7PQ2","access":"9F3KT-T2M7X","key":"0123456789abcdef","baseUrl":"https://exam.example"}"#,
    r#"{"type":"enter","sittingId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e91","key":"0123456789abcdef"}"#,
    r#"{"type":"ready","seq":1,"sha256":"419c39115914aec9647e2037b69fb85f99432e0ff92dfb8d8066f02b3f6fe770"}"#,
    r#"{"type":"next","seq":5}"#,
    r#"{"type":"submit","seq":6}"#,
    r#"{"type":"submit","seq":8,"line":2}"#,
    r#"{"type":"sync","t":1}"#,
    r#"{"type":"focus","away":true}"#,
    r#"{"type":"trouble","trouble":["storage","clock"]}"#,
    r#"{"type":"receipt"}"#,
];

fn at(minute: i64) -> Moment {
    Moment::from_milliseconds(1_767_603_600_000).plus(minute * 60_000)
}

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).unwrap()
}

fn attempt(mode: Mode) -> Attempt {
    let terms = Terms {
        session_id: "0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90".parse::<Uuid>().unwrap(),
        grade: Grade::new(5).unwrap(),
        mode,
        duration_minutes: 30,
        calculator: Calculator::None,
        types: QuestionTypes::default(),
        shuffles: false,
        annotations: "{}".into(),
        webhook_url: None,
        base_url: "https://exam.example".into(),
        template_id: None,
        student: "".into(),
        account: None,
        sitting: None,
        form: None,
        mark_scale: None,
    };
    let question = |number: i64| {
        Arc::new(KeyedQuestion {
            id: format!("g5-{number:03}").as_str().into(),
            topic: "Numbers".into(),
            difficulty: Difficulty::new(1).unwrap(),
            answer: Choice::A.into(),
            options: None,
            version: None,
            order: None,
        })
    };
    Attempt::new(terms, AttemptTimes::new(at(0), 30), (1..=2).map(question).collect(), at(0))
}

/// The same questions, of which the first shows its options in another order.
fn in_another_order(paper: &[Arc<KeyedQuestion>]) -> Vec<Arc<KeyedQuestion>> {
    let mut paper = paper.to_vec();
    if let Some(first) = paper.first_mut() {
        *first = Arc::new(KeyedQuestion { order: OptionOrder::parse("CADB"), ..(**first).clone() });
    }
    paper
}

fn sitting() -> CurrentSitting {
    let draft = SittingDraft { name: Some("Finals".to_owned()), starts_at: Some(at(30)), ..SittingDraft::default() };
    let sitting = Sitting {
        id: "0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e92".parse().unwrap(),
        template_id: Uuid::nil(),
        plan: draft.plan(None).unwrap(),
        code: SittingCode::parse("K7PQ2").unwrap(),
        halls: Vec::new(),
        event_id: None,
        opened_at: Some(at(0)),
        opened_early: false,
        begun_at: None,
        standing: HallStanding::default(),
        released_at: None,
        ended_at: None,
        version: 1,
        created_by: String::new(),
        created_at: at(0),
    };
    CurrentSitting {
        sitting,
        minutes: 75,
        grade: Grade::new(5).unwrap(),
        mode: Mode::Standard,
        calculator: Calculator::None,
        first_own_start: None,
        paper: None,
        read_at_ms: AtomicI64::default(),
    }
}

fn candidate() -> Candidate {
    let person = Person { email: None, external_id: Some("s-17".to_owned()) };
    Candidate { seat: Some("14".to_owned()), ..Candidate::new(Uuid::nil(), person, "Ada".to_owned()) }
}

fn server_frames() -> Vec<String> {
    let mut answered = attempt(Mode::Standard);
    let mut change = |question: &str, change: AnswerChange, seq| {
        answered.apply(question, &change, Stamp { line: 1, seq }, at(1)).unwrap()
    };
    change("g5-001", AnswerChange::Choice { selected: Some(Choice::B.into()), time_taken: Some(41) }, 1);
    change("g5-001", AnswerChange::Mark(true), 2);
    change("g5-001", AnswerChange::Elimination(Eliminations::of_letters(["A", "C"]).unwrap()), 4);
    change("g5-002", AnswerChange::Visit, 3);
    let drawings = BTreeMap::from([(0, raw(r#"{"v":1,"size":[1100,640],"items":[]}"#))]);
    let mut adaptive = attempt(Mode::Adaptive);
    adaptive.begin_second_stage(adaptive.band_reached(&[]), attempt(Mode::Adaptive).paper().to_vec());
    let staged = write::stage(&adaptive, None, 5);
    let mut shuffled = attempt(Mode::Adaptive);
    shuffled.begin_second_stage(shuffled.band_reached(&[]), in_another_order(shuffled.paper()));
    let staged_in_another_order = write::stage(&shuffled, None, 5);
    let mut shuffled = attempt(Mode::Standard);
    shuffled.terms.form = FormLetter::at(1);
    shuffled.replace_paper(in_another_order(shuffled.paper()));
    adaptive.end(Ending { reason: Reason::Deadline, at: at(30) });
    let (session_id, result) = (answered.terms.session_id, raw(r#"{"score":500}"#));
    let fault = |code, error: &str| Fault::new(code, error);
    let keys: PartKeys = serde_json::from_str(KEYS).unwrap();
    let waiting = WaitingView {
        session_id,
        token: OWN.token,
        line: OWN.line,
        late_key: OWN.late_key,
        current: &sitting(),
        candidate: &candidate(),
        form: None,
        times: &AttemptTimes::new(at(30), 75),
        is_ready: false,
        pause_text: None,
    };
    let stopped = AttemptTimes::new(at(30), 75).paused(at(1));
    let waiting_of_form = WaitingView { form: FormLetter::at(1), ..waiting };
    let waiting_in_pause = WaitingView { times: &stopped, pause_text: Some("Fire alarm"), ..waiting };
    let not_open = Fault { doors_at: Some(at(0)), ..fault(Code::NotOpen, "The doors have not opened yet") };
    let standing = Selected::Choice(Choice::D);
    let overtaken =
        SupersededCommand { seq: 7, question_id: "g5-001", line: 2, device: Some(2), selected: Some(Some(&standing)) };
    let frames = [
        write::waiting(&waiting, at(0)),
        write::waiting(&waiting_in_pause, at(2)),
        write::waiting(&waiting_of_form, at(0)),
        write::begin(at(30), &keys, answered.paper()),
        write::begin(at(30), &keys, shuffled.paper()),
        write::error(&not_open),
        write::started(&answered, OWN, at(0)),
        write::started(&shuffled, OWN, at(0)),
        write::resumed(&answered, OWN, &drawings, None, ShownPaper::Whole(None), ResumedLabels::default(), at(5)),
        write::resumed(
            &adaptive,
            OWN,
            &BTreeMap::new(),
            Some((REPORT_URL, false)),
            ShownPaper::Whole(None),
            ResumedLabels::default(),
            at(31),
        ),
        write::resumed(
            &adaptive,
            OWN,
            &BTreeMap::new(),
            Some((REPORT_URL, true)),
            ShownPaper::Whole(None),
            ResumedLabels::default(),
            at(31),
        ),
        write::resumed(
            &shuffled,
            OWN,
            &BTreeMap::new(),
            None,
            ShownPaper::Whole(None),
            ResumedLabels::default(),
            at(5),
        ),
        write::saved(3),
        staged,
        staged_in_another_order,
        write::submitted(session_id, REPORT_URL, "student", Some(&result), Some(RECEIPT), Some(6)),
        write::submitted(session_id, REPORT_URL, "deadline", Some(&result), None, None),
        write::submitted(session_id, REPORT_URL, "student", None, Some(RECEIPT), Some(6)),
        write::receipt(RECEIPT, 4, at(6)),
        write::time(Some("1"), &answered.timer, at(1)),
        write::time(None, &answered.timer, at(1)),
        write::adopted(Adopted::Moved(MovedPart::End), None, &answered.timer, at(2)),
        write::alert(300_000),
        write::adopted(Adopted::Paused, None, &answered.timer, at(2)),
        write::adopted(Adopted::Paused, Some("Fire alarm"), &answered.timer, at(2)),
        write::adopted(Adopted::Unpaused, None, &answered.timer, at(2)),
        write::adopted(Adopted::Extended { minutes: 10 }, None, &answered.timer, at(2)),
        write::notice("Ten minutes more for all", "ada@school.example"),
        write::superseded(),
        write::restarting(),
        write::error(&fault(Code::UnknownQuestion, "The question is not on the paper").of(7)),
        write::superseded_by(overtaken),
        write::superseded_by(SupersededCommand { device: None, selected: None, ..overtaken }),
        write::error(&Fault { kept: Some(true), ..fault(Code::Late, "The time is up").of(7) }),
        write::error(&Fault::storage()),
    ];
    frames.iter().map(ToString::to_string).collect()
}

fn typescript() -> String {
    let list = |name: &str, kind: &str, frames: &[String]| {
        let lines: String = frames.iter().map(|frame| format!("  {frame},\n")).collect();
        format!("\nexport const {name} = [\n{lines}] satisfies {kind}[];\n")
    };
    let client_frames = CLIENT_FRAMES.map(str::to_owned);
    format!(
        "// Written by the test `golden_frames` of the server; do not edit.\n\
         import type {{ ClientFrame, ServerFrame }} from \"../protocol\";\n{}{}",
        list("serverFrames", "ServerFrame", &server_frames()),
        list("clientFrames", "ClientFrame", &client_frames),
    )
}

#[test]
fn the_pages_examples_are_those_that_the_server_writes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let written = typescript();
    if std::env::var("GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(&path, &written).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        stored, written,
        "{FILE} is not what the server writes: run this test with GOLDEN=write, then npm run check in web"
    );
}

#[test]
fn the_server_understands_each_example_of_a_student() {
    for frame in CLIENT_FRAMES {
        assert!(read::parse(frame).is_ok(), "{frame}");
    }
}
