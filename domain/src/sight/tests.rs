//! Tests of who sees what of a finished test, and that what is kept is not printed.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::*;
use crate::mark::MarkScale;
use crate::question::{Choice, Difficulty, KeyedQuestion};
use crate::scoring::{self, Response};
use crate::session::SessionVersion;

const STUDENT: Reader = Reader::Caller { is_staff: false, reviews: Grades::NONE, has_public_answers: true };

fn session(origin: SessionOrigin) -> Session {
    let question = Arc::new(KeyedQuestion {
        id: "g5-001".into(),
        topic: "Shapes".into(),
        difficulty: Difficulty::new(3).unwrap(),
        answer: Choice::C.into(),
        options: None,
        version: None,
        order: None,
    });
    let response = Response { question: Arc::clone(&question), selected: Some(Choice::C.into()), time_taken: None };
    Session {
        session_id: Uuid::from_u128(7),
        grade: Grade::new(5).unwrap(),
        started_at: Moment::from_milliseconds(0),
        completed_at: Moment::from_milliseconds(60_000),
        webhook_sent: false,
        report_url: String::new(),
        annotations: RawValue::from_string("{}".to_owned()).unwrap(),
        result: Untold::of(scoring::grade(&[response], 60)),
        verified: true,
        origin,
        account: Some("ada@exam.test".to_owned()),
        template_id: None,
        sitting_id: None,
        form: None,
        mark_scale: None,
        sent_orders: BTreeMap::new(),
        drawings: None,
        graded_by: Untold::of(vec![question]),
        version: SessionVersion::submitted(Moment::from_milliseconds(60_000)),
    }
}

/// Whether the account, the result and the keys are shown.
fn shown(reader: Reader, state: EmbargoState, origin: SessionOrigin) -> [bool; 3] {
    let session = session(origin);
    let sight = Sight::of(&session, reader, state);
    let result = session.result(sight);
    let has_keys = result.as_ref().is_some_and(|result| result.answers[0].correct.is_some());
    assert_eq!((result.is_some(), has_keys), (sight.shows_result(), sight.shows_keys()));
    [sight.shows_account(), result.is_some(), has_keys]
}

#[test]
fn each_reader_sees_their_part() {
    use EmbargoState::{Held, KeysWithheld, Open};
    use SessionOrigin::{Client, Live};
    let of = |numbers: &[u32]| numbers.iter().filter_map(|number| Grade::new((*number).into())).collect::<Grades>();
    let staff = |grade| Reader::Caller { is_staff: true, reviews: of(&[grade]), has_public_answers: false };
    let secretive = Reader::Caller { is_staff: false, reviews: Grades::NONE, has_public_answers: false };
    let receiver = |is_of_release| Reader::Receiver { has_public_answers: false, is_of_release };
    for (reader, state, origin, expected) in [
        (STUDENT, Open, Live, [false, true, true]),
        (STUDENT, KeysWithheld, Live, [false, true, false]),
        (STUDENT, Held, Live, [false, false, false]),
        (STUDENT, Open, Client, [false, true, true]),
        (secretive, Open, Client, [false, true, false]),
        (secretive, Open, Live, [false, true, true]),
        (staff(5), Held, Client, [true, true, true]),
        (staff(6), Held, Live, [true, false, false]),
        (staff(6), Open, Client, [true, true, false]),
        (receiver(false), Held, Live, [true, false, false]),
        (receiver(true), KeysWithheld, Live, [true, true, false]),
        (receiver(true), Open, Client, [true, true, false]),
        (Reader::OtherServer, Open, Client, [true, true, true]),
        (Reader::OtherServer, KeysWithheld, Live, [false, false, false]),
        (Reader::OtherServer, Held, Live, [false, false, false]),
    ] {
        assert_eq!(shown(reader, state, origin), expected, "{reader:?} of {state:?} {origin:?}");
    }
}

#[test]
fn letters_of_the_master_copy_are_for_staff() {
    let session = session(SessionOrigin::Live);
    let shown = |reader| Sight::of(&session, reader, EmbargoState::Open).shows_master_letters();
    let staff = Reader::Caller { is_staff: true, reviews: Grades::NONE, has_public_answers: true };
    let receiver = Reader::Receiver { has_public_answers: true, is_of_release: true };
    assert_eq!([STUDENT, staff, receiver, Reader::OtherServer].map(shown), [false, true, false, false]);
    assert!(!Sight::of_seat(session.session_id, EmbargoState::Open).shows_master_letters());
    assert!(!Sight::of_keeper(&session).shows_master_letters());
}

#[test]
fn a_sight_of_another_session_shows_nothing() {
    let session = session(SessionOrigin::Live);
    let other = Session { session_id: Uuid::from_u128(8), ..session.clone() };
    let sight = Sight::of_keeper(&other);
    assert!(session.result(sight).is_none() && session.stored_json(sight).is_err());
    assert!(session.submitted_result().json(sight).is_none() && other.submitted_result().json(sight).is_some());
}

#[test]
fn a_seat_tells_all_or_nothing() {
    let result = session(SessionOrigin::Live).submitted_result();
    let told = |state| result.json(Sight::of_seat(Uuid::from_u128(7), state)).map(RawValue::get);
    assert!(told(EmbargoState::Open).unwrap().contains("\"correct\":\"C\""));
    assert_eq!((told(EmbargoState::KeysWithheld), told(EmbargoState::Held)), (None, None));
    assert_eq!(result.score(OpenResults::default()), None);
    assert_eq!(result.score(OpenResults::WITHOUT_SITTING), OpenResults::WITHOUT_SITTING.seen_score(800));
}

#[test]
fn results_open_by_their_rule_and_by_a_release() {
    let moment = Moment::from_milliseconds(1);
    for (rule, released_at, is_shown, holds_begun, holds_unbegun) in [
        (ResultsRule::Held, None, false, true, true),
        (ResultsRule::At(moment), None, false, true, true),
        (ResultsRule::Now, None, true, false, true),
        (ResultsRule::Now, Some(moment), true, false, false),
        (ResultsRule::Held, Some(moment), true, false, false),
    ] {
        let open = OpenResults::of(rule, released_at);
        assert_eq!((open.are_shown(), open.holds(true), open.holds(false)), (is_shown, holds_begun, holds_unbegun));
        assert_eq!(open.seen_score(640).is_some(), is_shown);
    }
}

#[test]
fn lists_are_for_staff_of_all_their_grades() {
    let grades = |numbers: &[i64]| -> Vec<Grade> { numbers.iter().filter_map(|number| Grade::new(*number)).collect() };
    let someone = |role| Identity {
        email: "ada@exam.test".to_owned(),
        name: "Ada".to_owned(),
        image: String::new(),
        role,
        reviewer_of: grades(&[4, 5]).into_iter().collect(),
        manager_of: grades(&[5]).into_iter().collect(),
        deployment: None,
    };
    let people = |role, of: &[i64]| StaffSight::of(&someone(role), &grades(of)).map(StaffSight::shows_people);
    assert_eq!((people(Role::Student, &[5]), people(Role::Reviewer, &[5])), (None, Some(false)));
    assert_eq!((people(Role::Manager, &[5]), people(Role::Manager, &[4, 5])), (Some(true), Some(false)));
    assert_eq!((people(Role::Manager, &[5, 6]), people(Role::Manager, &[])), (None, None));
    assert_eq!((people(Role::Admin, &[6]), people(Role::Admin, &[])), (Some(true), Some(true)));
    assert!(SchoolSight::of(&someone(Role::Manager)).is_none() && SchoolSight::of(&someone(Role::Admin)).is_some());
}

#[test]
fn what_is_kept_is_not_printed() {
    let printed = format!("{:?}", session(SessionOrigin::Live));
    assert!(printed.contains("result: Untold") && printed.contains("graded_by: Untold"), "{printed}");
}

#[test]
fn a_mark_is_told_where_the_score_is_but_to_no_other_server() {
    use EmbargoState::{Held, KeysWithheld, Open};
    let scale = r#"{"type":"numbers","basis":"points","worst":0,"best":10,"step":0.5,"rounding":"up","pass":5}"#;
    let marked = Session { mark_scale: MarkScale::parse(scale).map(Arc::new), ..session(SessionOrigin::Live) };
    let staff = Reader::Caller { is_staff: true, reviews: Grades::ALL, has_public_answers: true };
    let receiver = Reader::Receiver { has_public_answers: true, is_of_release: false };
    let told = |reader, state| {
        let sight = Sight::of(&marked, reader, state);
        assert!(sight.shows_result() || !sight.shows_mark());
        marked.mark(sight).map(|mark| (mark.text, mark.passed))
    };
    let mark = Some(("10.0".to_owned(), Some(true)));
    for reader in [STUDENT, receiver] {
        assert_eq!(
            (told(reader, Held), told(reader, KeysWithheld), told(reader, Open)),
            (None, mark.clone(), mark.clone())
        );
    }
    assert_eq!(told(staff, Held), mark);
    assert_eq!(told(Reader::OtherServer, Open), None);
    assert_eq!(marked.mark(Sight::of_keeper(&marked)), None);
    let other = Session { session_id: Uuid::from_u128(8), ..marked.clone() };
    assert_eq!(marked.mark(Sight::of(&other, staff, Open)), None, "a sight of another session");
    assert_eq!(session(SessionOrigin::Live).mark(Sight::of(&marked, staff, Open)), None, "no scale");
}
