//! Tests of a sitting's states, and of who may enter when.

use super::candidate::{AttendanceMark, CandidateFacts, Person};
use super::entry::EntryRefusal;
use super::plan::{HallDraft, InvalidField, SittingDraft, check_halls};
use super::values::{FieldChange, LateRule};
use super::*;

const MINUTES: u32 = 60;

fn at(minute: i64) -> Moment {
    Moment::from_milliseconds(minute * 60_000)
}

/// Starts at minute 100 by the clock.
fn sitting(change: impl FnOnce(&mut SittingDraft)) -> Sitting {
    let mut draft = SittingDraft { name: Some("Finals".into()), starts_at: Some(at(100)), ..SittingDraft::default() };
    change(&mut draft);
    Sitting {
        id: Uuid::nil(),
        template_id: Uuid::nil(),
        plan: draft.plan(None).unwrap(),
        code: SittingCode::parse("K7PQ2").unwrap(),
        halls: Vec::new(),
        event_id: None,
        opened_at: None,
        opened_early: false,
        begun_at: None,
        standing: HallStanding::default(),
        released_at: None,
        ended_at: None,
        version: 1,
        created_by: String::new(),
        created_at: at(0),
    }
}

fn candidate() -> Candidate {
    Candidate::new(Uuid::nil(), Person::default(), "Ada".to_owned())
}

fn states(sitting: &Sitting, outlook: &RosterOutlook, moments: &[i64]) -> Vec<&'static str> {
    moments.iter().map(|minute| sitting.state(outlook, MINUTES, at(*minute)).name()).collect()
}

#[test]
fn a_sitting_by_the_clock_goes_through_its_states_by_itself() {
    let sitting = sitting(|_| ());
    let nobody = RosterOutlook::default();
    assert_eq!(
        states(&sitting, &nobody, &[69, 70, 99, 100, 160, 161]),
        ["draft", "open", "open", "running", "running", "ended"]
    );
    let working = RosterOutlook { at_work: 1, ..nobody };
    assert_eq!(states(&sitting, &working, &[161]), ["running"]);
    let longer = RosterOutlook { factor_max: Factor::new(150), extra_minutes_max: 10, ..nobody };
    assert_eq!(states(&sitting, &longer, &[161, 200, 201]), ["running", "running", "ended"]);
    let earlier = RosterOutlook { first_own_start: Some(at(90)), last_own_start: Some(at(120)), ..nobody };
    assert_eq!(states(&sitting, &earlier, &[89, 90, 180, 181]), ["open", "running", "running", "ended"]);
}

#[test]
fn a_sitting_that_waits_for_a_proctor_waits() {
    let mut sitting = sitting(|draft| draft.start = Some(StartRule::Proctor));
    let nobody = RosterOutlook::default();
    assert_eq!(states(&sitting, &nobody, &[69, 70, 500]), ["draft", "open", "open"]);
    let plan = HallPlan { name: "B12".into(), ..HallPlan::default() };
    sitting.halls.push(Hall {
        id: Uuid::max(),
        code: sitting.code.clone(),
        plan,
        begun_at: Some(at(105)),
        standing: HallStanding::default(),
    });
    assert_eq!(states(&sitting, &nobody, &[104, 105, 165, 166]), ["open", "running", "running", "ended"]);
    sitting.begun_at = Some(at(110));
    assert_eq!(states(&sitting, &nobody, &[170, 171]), ["running", "ended"]);
    sitting.ended_at = Some(at(120));
    assert_eq!(states(&sitting, &nobody, &[120]), ["ended"]);
}

#[test]
fn doors_that_have_opened_stay_open() {
    let mut sitting = sitting(|_| ());
    sitting.opened_at = Some(at(70));
    sitting.plan.starts_at = at(300);
    assert_eq!(states(&sitting, &RosterOutlook::default(), &[80]), ["open"]);
    let terms = sitting.terms(&candidate(), MINUTES);
    assert_eq!(sitting.admits(&candidate(), &terms, at(80)), Ok(()));
}

#[test]
fn candidates_enter_between_the_doors_and_the_end_of_the_entry() {
    let own_start = |minute: i64| {
        let mut candidate = candidate();
        candidate.own.starts_at = Some(at(minute));
        candidate
    };
    let with_end = sitting(|draft| draft.entry_until = FieldChange::Set(at(115)));
    let may = |sitting: &Sitting, candidate: &Candidate, minute: i64| {
        sitting.admits(candidate, &sitting.terms(candidate, MINUTES), at(minute))
    };
    let (not_open, closed) = (|minute| Err(EntryRefusal::NotOpen(at(minute))), Err(EntryRefusal::Closed));
    assert_eq!(may(&with_end, &candidate(), 69), not_open(70));
    assert_eq!((may(&with_end, &candidate(), 70), may(&with_end, &candidate(), 115)), (Ok(()), Ok(())));
    assert_eq!(may(&with_end, &candidate(), 116), closed);
    assert_eq!((may(&with_end, &own_start(80), 49), may(&with_end, &own_start(80), 50)), (not_open(50), Ok(())));
    assert_eq!((may(&with_end, &own_start(130), 145), may(&with_end, &own_start(130), 146)), (Ok(()), closed));
    let admitted = Candidate { admitted_by: Some("proctor@exam.test".into()), ..candidate() };
    assert_eq!(may(&with_end, &admitted, 150), Ok(()));
    let plain = sitting(|_| ());
    assert_eq!((may(&plain, &candidate(), 159), may(&plain, &candidate(), 160)), (Ok(()), closed));
    assert_eq!(may(&with_end, &admitted, 160), closed, "whose time is up gains nothing by entering");
    let full = sitting(|draft| draft.late = Some(LateRule::Full));
    assert_eq!(may(&full, &admitted, 200), Ok(()));
    let released = Sitting { released_at: Some(at(120)), ..plain };
    assert_eq!(may(&released, &candidate(), 121), closed);
}

#[test]
fn results_wait_for_those_who_begin_later() {
    let awaited = |sitting: &Sitting, candidate: &Candidate, minute: i64| {
        sitting.expects(candidate, &sitting.terms(candidate, MINUTES), at(minute))
    };
    let plain = sitting(|_| ());
    assert!(awaited(&plain, &candidate(), 60) && awaited(&plain, &candidate(), 99));
    assert!(!awaited(&plain, &candidate(), 100), "the time runs without them");
    let mut later = candidate();
    later.own.starts_at = Some(at(130));
    assert!(awaited(&plain, &later, 129) && !awaited(&plain, &later, 130));
    later.session_id = Some(Uuid::nil());
    assert!(!awaited(&plain, &later, 110), "who has entered is at work, or has handed in");
    let admitted = Candidate { admitted_by: Some("proctor@exam.test".into()), ..candidate() };
    assert!(awaited(&plain, &admitted, 120) && !awaited(&plain, &admitted, 160));
    let own = sitting(|draft| (draft.start, draft.entry_until) = (Some(StartRule::Own), FieldChange::Set(at(150))));
    assert!(awaited(&own, &candidate(), 149) && !awaited(&own, &candidate(), 151));
    let absent = Candidate { absent: Some(AttendanceMark { by: "p@exam.test".into(), at: at(90) }), ..candidate() };
    assert!(!awaited(&plain, &absent, 95));
}

#[test]
fn a_candidates_state_follows_from_the_facts() {
    let entered = CandidateFacts { has_entered: true, ..CandidateFacts::default() };
    let begun = CandidateFacts { has_begun: true, ..entered };
    let all = [
        (CandidateFacts::default(), CandidateState::Expected),
        (CandidateFacts { is_over: true, ..CandidateFacts::default() }, CandidateState::Absent),
        (CandidateFacts { is_marked_absent: true, ..CandidateFacts::default() }, CandidateState::Absent),
        (entered, CandidateState::Waiting),
        (CandidateFacts { is_ready: true, ..entered }, CandidateState::Ready),
        (CandidateFacts { is_ready: true, is_marked_absent: true, ..begun }, CandidateState::Active),
        (CandidateFacts { is_paused: true, ..begun }, CandidateState::Paused),
        (CandidateFacts { is_paused: true, is_over: true, has_submitted: true, ..begun }, CandidateState::Submitted),
    ];
    for (facts, state) in all {
        assert_eq!(facts.state(), state, "{facts:?}");
    }
}

#[test]
fn results_are_seen_by_the_rule_or_when_they_are_released() {
    let mut sitting = sitting(|_| ());
    assert!(!sitting.is_released() && !sitting.is_release_due(at(1_000)));
    sitting.plan.results = ResultsRule::At(at(500));
    assert!(!sitting.is_released(), "a time releases nothing by itself");
    assert!(!sitting.is_release_due(at(499)) && sitting.is_release_due(at(500)));
    sitting.released_at = Some(at(300));
    assert!(sitting.is_released() && !sitting.is_release_due(at(500)));
    sitting.released_at = None;
    sitting.plan.results = ResultsRule::Now;
    assert!(sitting.is_released() && !sitting.is_release_due(at(500)));
}

#[test]
fn a_draft_is_refused_by_the_field_that_is_wrong() {
    let refused = |change: fn(&mut SittingDraft)| {
        let mut draft = SittingDraft { name: Some("F".into()), starts_at: Some(at(100)), ..SittingDraft::default() };
        change(&mut draft);
        draft.plan(None).unwrap_err().0
    };
    assert_eq!(refused(|draft| draft.name = None), "name");
    assert_eq!(refused(|draft| draft.name = Some(" ".into())), "name");
    assert_eq!(refused(|draft| draft.starts_at = None), "startsAt");
    assert_eq!(refused(|draft| draft.doors_at = FieldChange::Set(at(101))), "doorsAt");
    assert_eq!(refused(|draft| draft.entry_until = FieldChange::Set(at(69))), "entryUntil");
    assert_eq!(refused(|draft| draft.ends_at = FieldChange::Set(at(100))), "endsAt");
    assert_eq!(refused(|draft| draft.webhook_url = FieldChange::Set("ftp://x".into())), "webhookUrl");
    let stored = sitting(|draft| draft.late = Some(LateRule::Full)).plan;
    let draft =
        SittingDraft { name: Some("New".into()), ends_at: FieldChange::Set(at(170)), ..SittingDraft::default() };
    let changed = draft.plan(Some(&stored)).unwrap();
    assert_eq!((&*changed.name, changed.late, changed.ends_at), ("New", LateRule::Full, Some(at(170))));
    let moved = changed.moved(|moment| moment.plus(60_000));
    assert_eq!((moved.starts_at, moved.doors_at(), moved.ends_at), (at(101), at(71), Some(at(171))));
}

#[test]
fn halls_have_names_of_their_own() {
    let hall = |name: &str, proctor: &str| HallDraft {
        id: None,
        plan: HallPlan { name: name.into(), proctors: vec![proctor.into()], ..HallPlan::default() },
    };
    let checked = check_halls(vec![hall(" B12 ", "P@exam.test"), hall("B13", "p@exam.test")]).unwrap();
    assert_eq!((&*checked[0].plan.name, &*checked[0].plan.proctors[0]), ("B12", "p@exam.test"));
    let same = ["b12", "Ｂ１２", "B\u{200B}12"].map(|name| vec![hall("B12", "a@b"), hall(name, "a@b")]);
    let others = [vec![hall("", "a@b")], vec![hall("\u{200B}", "a@b")], vec![hall("B12", "nobody")]];
    for halls in same.into_iter().chain(others) {
        assert_eq!(check_halls(halls).unwrap_err(), InvalidField("rooms"));
    }
}
