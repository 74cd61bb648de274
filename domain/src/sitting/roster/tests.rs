//! Tests of how rosters are read.

use serde_json::json;

use super::*;
use crate::sheet_cell::CellMark;

fn read(files: &[&[&[&str]]], class: Option<&str>) -> Option<Roster> {
    let mut reader = RosterReader::of_class(class.map(str::to_owned));
    for file in files {
        for (number, row) in (1..).zip(*file) {
            let cells: Vec<SheetCell<'_>> = row.iter().map(|text| SheetCell::text(text)).collect();
            if number == 1 { reader.begin(&cells).unwrap() } else { reader.take(number, &cells) }
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
            &["nobody", "", "", "", "401", "601", "9:00"],
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
fn the_parts_of_a_name_stand_in_the_order_of_their_columns() {
    for (headings, cells, name) in [
        (vec!["Họ đệm", "Tên"], vec!["Nguyễn Thị Minh", "Khai"], "Nguyễn Thị Minh Khai"),
        (vec!["Surname", "First name"], vec!["Lovelace", "Ada"], "Lovelace Ada"),
        (vec!["First name", "Surname"], vec!["Ada", "Lovelace"], "Ada Lovelace"),
        (vec!["Họ", "Tên đệm", "Tên"], vec!["Nguyễn", "Thị Minh", "Khai"], "Nguyễn Thị Minh Khai"),
        (vec!["givenName", "familyName", "middleName"], vec!["Ada", "Lovelace", "King"], "Ada King Lovelace"),
        (vec!["Surname", "First name"], vec!["", "Ada"], "Ada"),
        (vec!["Tên", "Họ và tên"], vec!["Khai", "Nguyễn Thị Minh Khai"], "Nguyễn Thị Minh Khai"),
    ] {
        let (headings, cells) = ([&["E-mail"], &headings[..]].concat(), [&["a@exam.test"], &cells[..]].concat());
        let roster = read(&[&[&headings, &cells]], None).unwrap();
        assert_eq!(roster.entries[0].name.as_deref(), Some(name), "{headings:?}");
        let is_joined = cells.iter().skip(1).all(|cell| !cell.is_empty()) && !headings.contains(&"Họ và tên");
        assert_eq!(roster.entries[0].has_joined_name, is_joined, "{headings:?}");
    }
}

#[test]
fn nobody_stands_twice_on_a_list_because_of_what_nobody_sees() {
    let rows: &[&[&str]] = &[
        &["E-Mail", "Student ID", "Name"],
        &["ada@exam.test", "HS-01", "Ada"],
        &["ａｄａ＠exam.test", "", "Ada"],
        &["b\u{200B}o@exam.test", "ＨＳ–０１", "Bo"],
        &["cy@exam.test", "9", "\u{200B}\u{3164}"],
    ];
    let roster = read(&[rows], None).unwrap();
    assert_eq!(
        roster.errors,
        ["Row 3: email ada@exam.test stands in row 2 already", "Row 4: externalId ＨＳ–０１ stands in row 2 already",]
    );
    let cy = &roster.entries[1];
    assert_eq!((cy.person.shown(), &cy.name), ("cy@exam.test", &None), "nobody sees a name there");
    let refused = Roster::of_json(&[json!({ "email": "cy@exam.test", "name": "\u{200B}" })]);
    assert_eq!(refused.errors, ["Row 1: name must be a text of 1 to 200 characters"]);
    let users: &[&[&str]] = &[&["sourcedId", "email", "role"], &["Ｕ１", "ada@exam.test", "student"]];
    let enrolled: &[&[&str]] = &[&["userSourcedId", "classSourcedId"], &["U1", "C‑1"]];
    assert_eq!(read(&[users, enrolled], Some("C-1")).unwrap().entries.len(), 1);
}

#[test]
fn what_a_spreadsheet_has_made_of_an_id_or_a_seat_is_refused() {
    let mut reader = RosterReader::of_class(None);
    reader.begin(&["Student ID", "Name", "Seat"].map(SheetCell::text)).unwrap();
    reader.take(2, &[SheetCell::Shown(42.0, "00042".into()), SheetCell::text("Ada"), SheetCell::text("1/2")]);
    reader.take(3, &[SheetCell::text("1.23457E+12"), SheetCell::text("Bo")]);
    reader.take(4, &[SheetCell::Number(1e17), SheetCell::text("Cy")]);
    reader.take(5, &[SheetCell::text("'00043"), SheetCell::text("Di"), SheetCell::Date("2026-02-01".into())]);
    let roster = reader.finish().unwrap();
    assert_eq!(roster.entries[0].person.external_id.as_deref(), Some("00042"));
    assert_eq!(
        roster.errors,
        [
            "Row 3: externalId has lost digits: format the column as text and type it again",
            "Row 4: externalId has lost digits: format the column as text and type it again",
            "Row 5: seat is a date: format the cell as text and type it again",
        ]
    );
}

#[test]
fn what_is_not_read_is_named_and_what_is_mistyped_is_refused() {
    let roster = read(&[&[&["E-Mail", "Phone", "Lớp", "Room", "ROOM"], &["a@exam.test", "1", "6A", "B1", "B2"]]], None);
    assert_eq!(roster.unwrap().ignored, ["Phone", "Lớp", "ROOM"]);
    for (headings, heading, meant) in [
        (&["E-Mail", "Rooom"][..], "Rooom", "room"),
        (&["Emial", "Name"], "Emial", "email"),
        (&["email", "Extra minuts"], "Extra minuts", "extraMinutes"),
    ] {
        let header: Vec<SheetCell<'_>> = headings.iter().map(|text| SheetCell::text(text)).collect();
        assert!(RosterReader::known_columns(&header) > 0, "{headings:?}");
        let unclear = RosterReader::default().begin(&header).unwrap_err();
        assert_eq!((&*unclear.heading, unclear.meant), (heading, meant));
    }
    let second = read(&[&[&["E-Mail", "email2"], &["a@exam.test", "b@exam.test"]]], None).unwrap();
    assert_eq!(second.ignored, ["email2"], "the column that it is like stands beside it");
    let roster = Roster::of_json(&[
        json!({ "email": "a@exam.test", "rooom": "B1" }),
        json!({ "Email": "b@exam.test" }),
        json!({ "email": "c@exam.test", "id": "1", "state": "expected", "pet": "cat" }),
    ]);
    assert_eq!(
        roster.errors,
        ["Row 1: rooom is not known: did you mean room?", "Row 2: Email is not known: did you mean email?"]
    );
    assert_eq!(roster.ignored, ["rooom", "Email", "pet"]);
}

#[test]
fn what_is_struck_out_is_nobodys() {
    let mut reader = RosterReader::default();
    reader.begin(&["email", "name"].map(SheetCell::text)).unwrap();
    reader.take(2, &[SheetCell::text("a@exam.test"), SheetCell::Marked(CellMark::Struck)]);
    let roster = reader.finish().unwrap();
    assert_eq!(roster.errors, ["Row 2: name has text that is struck out: remove it, or the whole row"]);
}

#[test]
fn a_column_that_may_mean_minutes_or_percent_gives_nobody_the_wrong_time() {
    for heading in ["Extra time", "More time", "Thêm giờ"] {
        let rows: &[&[&str]] = &[
            &["E-mail", heading],
            &["ada@exam.test", "25"],
            &["bo@exam.test", ""],
            &["cy@exam.test", "1/3"],
            &["di@exam.test", "+10 min"],
            &["ed@exam.test", "+25 %"],
        ];
        let roster = read(&[rows], None).unwrap();
        let given: Vec<_> = roster.entries.iter().map(|one| (one.factor.clone(), one.extra_minutes.clone())).collect();
        let percent = |percent| (FieldChange::Set(Factor::new(percent).unwrap()), FieldChange::Keep);
        let minutes: (FieldChange<Factor>, FieldChange<u32>) = (FieldChange::Keep, FieldChange::Set(10));
        assert_eq!(given, [(FieldChange::Keep, FieldChange::Keep), percent(133), minutes, percent(125)], "{heading}");
        assert_eq!(roster.errors, ["Row 2: extra may be minutes or percent: name the column extraMinutes or factor"]);
    }
}

#[test]
fn more_time_is_read_from_whichever_column_it_stands_in_but_once() {
    let mut reader = RosterReader::default();
    reader.begin(&["email", "factor", "extraMinutes", "extra"].map(SheetCell::text)).unwrap();
    let cells = |row: [&'static str; 4]| row.map(SheetCell::text);
    reader.take(2, &cells(["ada@exam.test", "25", "", ""]));
    reader.take(3, &cells(["bo@exam.test", "+10 min", "", ""]));
    reader.take(4, &cells(["cy@exam.test", "1/4", "5", ""]));
    reader.take(5, &cells(["di@exam.test", "125", "1/3", ""]));
    reader.take(6, &cells(["ed@exam.test", "", "5", "10 min"]));
    reader.take(7, &[SheetCell::text("flo@exam.test"), SheetCell::Date("2027-03-01".into())]);
    let roster = reader.finish().unwrap();
    let set = |percent| FieldChange::Set(Factor::new(percent).unwrap());
    let given: Vec<_> = roster.entries.iter().map(|one| (one.factor.clone(), one.extra_minutes.clone())).collect();
    assert_eq!(
        given,
        [(set(125), FieldChange::Keep), (FieldChange::Keep, FieldChange::Set(10)), (set(125), FieldChange::Set(5)),]
    );
    assert_eq!(
        roster.errors,
        [
            "Row 5: extraMinutes says again what another column says",
            "Row 6: extra says again what another column says",
            "Row 7: factor is a date: format the cell as text and type it again",
        ]
    );
    // A program says what it means by the name of the field.
    let of_program = Roster::of_json(&[json!({ "email": "a@exam.test", "factor": 25 })]);
    assert_eq!(of_program.errors, ["Row 1: factor must be a whole percentage of 100 to 400"]);
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
