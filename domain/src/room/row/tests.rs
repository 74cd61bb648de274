//! Tests of rows: what they are in JSON, whose name they show, and which of two is newer.

use super::*;

#[test]
fn a_student_is_called_by_the_first_name_that_is_known() {
    let owner = Some("ada@exam.test");
    for (annotations, owner, expected) in [
        (r#"{"name":"Ada","studentId":"s-17"}"#, owner, "Ada"),
        (r#"{"studentId":"s-17"}"#, owner, "s-17"),
        (r#"{"studentId":17}"#, owner, "17"),
        (r#"{"name":"  ","studentId":"s-17"}"#, owner, "s-17"),
        (r#"{"name":["Ada"],"studentId":{}}"#, owner, "ada@exam.test"),
        (r#"{"name":null}"#, None, ""),
        ("{}", owner, "ada@exam.test"),
        ("{}", None, ""),
    ] {
        assert_eq!(&*student(annotations, owner), expected, "{annotations}");
    }
    let long = format!(r#"{{"name":"{}"}}"#, "é".repeat(5_000));
    assert_eq!(student(&long, None).chars().count(), STUDENT_CHARACTERS_MAX);
}

#[test]
fn a_row_is_the_same_after_its_travel() {
    let row = AttemptRow {
        session_id: Some(Uuid::nil()),
        student: "Ada".into(),
        account: Some("ada@exam.test".into()),
        grade: Grade::new(5).unwrap(),
        template_id: None,
        mode: Mode::Adaptive,
        state: SessionState::Active,
        standing: RowStanding::Running,
        taken_over_at: None,
        connected: true,
        stage: 1,
        answered: 3,
        marked: 1,
        total: 20,
        current_question_id: Some("g5-003".into()),
        progress: "aA-v".into(),
        at: Some(2),
        started_at: Moment::from_milliseconds(1_000),
        deadline: Moment::from_milliseconds(61_000),
        away: false,
        away_count: 2,
        trouble: Troubles::of_names(["clock"]),
        refused: 3,
        last_seen_at: Some(Moment::from_milliseconds(5_000)),
        score: None,
        version: None,
        sitting_id: Some(Uuid::from_u128(7)),
        candidate_id: Some(Uuid::from_u128(8)),
        ready: Some(true),
        form: FormLetter::at(1),
        late: None,
    };
    let versioned = VersionedRow { version: RowVersion { fence: 2, number: 7 }, is_held: true, ended_at: None, row };
    let text = serde_json::to_string(&versioned).unwrap();
    assert_eq!(serde_json::from_str::<VersionedRow>(&text).unwrap(), versioned);
    let shown: serde_json::Value = serde_json::to_value(&versioned.row).unwrap();
    assert_eq!((&shown["account"], &shown["form"]), (&"ada@exam.test".into(), &"B".into()));
    let mut earlier: serde_json::Value = serde_json::from_str(&text).unwrap();
    for name in ["account", "progress", "at", "trouble", "refused", "form"] {
        earlier["row"].as_object_mut().unwrap().remove(name);
    }
    let read: VersionedRow = serde_json::from_value(earlier).unwrap();
    let AttemptRow { account, progress, at, trouble, refused, form, .. } = read.row;
    assert_eq!((account, &*progress, at, trouble, refused), (None, "", None, Troubles::NONE, 0), "an earlier server");
    assert_eq!(form, None);
    assert_eq!(
        (&shown["currentQuestionId"], &shown["templateId"], &shown["mode"], &shown["state"]),
        (&"g5-003".into(), &serde_json::Value::Null, &"adaptive".into(), &"active".into())
    );
}

#[test]
fn a_row_is_one_flat_object_with_the_roster_last() {
    let at = Moment::from_milliseconds;
    let attempt = AttemptRow::expected("Ada".into(), Grade::new(5).unwrap(), Mode::Standard, at(0), at(60_000));
    let alone = serde_json::to_string(&attempt).unwrap();
    let mut row = SessionRow { attempt, roster: None };
    assert_eq!(serde_json::to_string(&row).unwrap(), alone);
    row.roster = Some(RosterRow {
        room: Some("B12".into()),
        seat: None,
        factor: 125,
        extra_minutes: Some(10),
        note: None,
        attendance: Some(Attendance::Present),
        attendance_by: Some("pia@exam.test".into()),
        admitted_by: None,
        wrong_codes: None,
    });
    let added =
        r#","room":"B12","factor":125,"extraMinutes":10,"attendance":"present","attendanceBy":"pia@exam.test"}"#;
    assert_eq!(serde_json::to_string(&row).unwrap(), format!("{}{added}", alone.trim_end_matches('}')));
    let RefOr::T(Schema::Object(schema)) = SessionRow::schema() else { panic!("not one object") };
    let row = serde_json::to_value(&row).unwrap();
    let undescribed: Vec<&String> =
        row.as_object().unwrap().keys().filter(|name| !schema.properties.contains_key(*name)).collect();
    assert!(undescribed.is_empty(), "{undescribed:?}");
    assert!(!schema.required.contains(&"factor".to_owned()), "no row outside a sitting has it");
}

#[test]
fn a_higher_fence_wins_whatever_the_number() {
    assert!(RowVersion { fence: 2, number: 0 } > RowVersion { fence: 1, number: 9 });
    assert!(RowVersion { fence: 2, number: 2 } > RowVersion { fence: 2, number: 1 });
}
