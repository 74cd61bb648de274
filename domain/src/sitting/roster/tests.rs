//! Tests of how rosters are read.

use serde_json::json;

use super::*;

fn read(files: &[&[&[&str]]], class: Option<&str>) -> Option<Roster> {
    let mut reader = RosterReader::of_class(class.map(str::to_owned));
    for file in files {
        for (number, row) in (1..).zip(*file) {
            let cells: Vec<SheetCell<'_>> = row.iter().map(|text| SheetCell::text(text)).collect();
            if number == 1 { reader.begin(&cells) } else { reader.take(number, &cells) }
        }
    }
    reader.finish()
}

#[test]
fn all_faults_of_a_row_are_named() {
    let roster = read(
        &[&[
            &["E-Mail", "Student ID", "First name", "Surname", "Factor", "Extra minutes", "Starts at"],
            &["Ada@Exam.test", "7", "Ada", "Lovelace", "125%", "", ""],
            &["nobody", "", "", "", "99", "601", "9:00"],
            &["ada@exam.test", "7", "", "", "", "", ""],
            &["", "", "Somebody", "", "", "", ""],
        ]],
        None,
    )
    .unwrap();
    let [entry] = &roster.entries[..] else { panic!("{roster:?}") };
    assert_eq!((entry.person.shown(), entry.name.as_deref()), ("ada@exam.test", Some("Ada Lovelace")));
    assert_eq!(entry.factor, FieldChange::Set(Factor::new(125).unwrap()));
    assert_eq!((&entry.extra_minutes, &entry.room), (&FieldChange::Keep, &FieldChange::Keep));
    assert_eq!(
        roster.errors,
        [
            "Row 3: email is not an address; factor must be a whole percentage of 100 to 400; \
             extraMinutes must be whole minutes of 0 to 600; \
             startsAt must be a time with its zone, such as 2026-03-02T09:00:00+07:00",
            "Row 4: email ada@exam.test stands in row 2 already; externalId 7 stands in row 2 already",
            "Row 5: email or externalId required",
        ]
    );
}

#[test]
fn a_column_that_may_mean_minutes_or_percent_gives_nobody_the_wrong_time() {
    let rows: &[&[&str]] = &[&["E-mail", "Extra time"], &["ada@exam.test", "25"], &["bo@exam.test", ""]];
    let roster = read(&[rows], None).unwrap();
    assert_eq!(roster.entries.len(), 1, "{roster:?}");
    assert_eq!(roster.errors, ["Row 2: extra may be minutes or percent: name the column extraMinutes or factor"]);
}

#[test]
fn files_of_school_systems_are_joined() {
    let users: &[&[&str]] = &[
        &["sourcedId", "status", "enabledUser", "givenName", "familyName", "role", "email"],
        &["u1", "active", "true", "Ada", "L", "student", "ada@exam.test"],
        &["u2", "active", "true", "Bo", "M", "teacher", "bo@exam.test"],
        &["u3", "tobedeleted", "true", "Cy", "N", "student", "cy@exam.test"],
        &["u4", "active", "false", "Di", "O", "student", "di@exam.test"],
        &["u5", "active", "true", "Ed", "P", "student", "ed@exam.test"],
    ];
    let enrollments: &[&[&str]] = &[
        &["sourcedId", "classSourcedId", "schoolSourcedId", "userSourcedId", "role", "status"],
        &["e1", "c1", "s", "u1", "student", "active"],
        &["e2", "c2", "s", "u5", "student", "active"],
        &["e3", "c1", "s", "u2", "teacher", "active"],
        &["e4", "c1", "s", "u9", "student", "active"],
    ];
    let names = |roster: Roster| roster.entries.into_iter().filter_map(|entry| entry.name).collect::<Vec<_>>();
    assert_eq!(names(read(&[users], None).unwrap()), ["Ada L", "Ed P"]);
    let both = read(&[enrollments, users], None).unwrap();
    assert_eq!(both.errors, ["Row 5: userSourcedId u9 is not among the users"]);
    assert_eq!(names(both), ["Ada L", "Ed P"]);
    assert_eq!(names(read(&[users, enrollments], Some("c2")).unwrap()), ["Ed P"]);
    assert_eq!(read(&[enrollments], None), None);
}

#[test]
fn json_says_what_is_to_become_empty() {
    let roster = Roster::of_json(&[
        json!({ "externalId": "7", "seat": null, "factor": 150, "note": "" }),
        json!(["ada"]),
        json!({ "email": 5 }),
    ]);
    let [entry] = &roster.entries[..] else { panic!("{roster:?}") };
    assert_eq!((&entry.seat, &entry.note, &entry.room), (&FieldChange::Clear, &FieldChange::Clear, &FieldChange::Keep));
    assert_eq!(roster.errors, ["Row 2: a row must be an object", "Row 3: email is not an address"]);
}

#[test]
fn those_who_have_entered_keep_their_times() {
    let roster = Roster::of_json(&[json!({ "email": "a@exam.test", "name": "Ada", "seat": "3", "factor": 200 })]);
    let person = Person { email: Some("a@exam.test".to_owned()), external_id: None };
    let mut candidate = Candidate::new(uuid::Uuid::nil(), person, "A".to_owned());
    candidate.session_id = Some(uuid::Uuid::nil());
    roster.entries[0].clone().apply(&mut candidate);
    assert_eq!((&*candidate.name, candidate.seat.as_deref(), candidate.own.factor), ("Ada", Some("3"), None));
    candidate.session_id = None;
    roster.entries[0].clone().apply(&mut candidate);
    assert_eq!(candidate.own.factor, Factor::new(200));
}
