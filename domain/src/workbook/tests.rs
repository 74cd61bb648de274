//! Tests of the rows of sheets: defaults, limits, repeated ids, and sheets that lack columns.

use super::*;
use crate::exchange::{ExportFormat, Exported, ID_UNITS_MAX, QuestionRows};
use crate::grade::Grade;
use crate::question::{Question, TEXT_UNITS_MAX};
use crate::sheet_cell::CellMark;

mod numbers;

const ID: &str = "new";

fn header() -> Vec<SheetCell<'static>> {
    Heading::ALL.map(|column| SheetCell::text(column.name())).into()
}

/// A valid row with some cells changed.
fn row<'a>(changes: &[(Heading, SheetCell<'a>)]) -> Vec<SheetCell<'a>> {
    let good = |column| match column {
        Heading::Grade => SheetCell::Number(5.0),
        Heading::Difficulty => SheetCell::Number(3.0),
        Heading::Question => SheetCell::text("What is 1 + 1?"),
        Heading::OptionA => SheetCell::Number(2.0),
        Heading::OptionB => SheetCell::Number(3.0),
        Heading::Answer => SheetCell::text("A"),
        _ => SheetCell::Empty,
    };
    Heading::ALL
        .map(|column| {
            changes
                .iter()
                .find(|(changed, _)| *changed == column)
                .map_or_else(|| good(column), |(_, cell)| cell.clone())
        })
        .into()
}

/// The rows of sheets, as a reader of files takes them.
struct SheetRows {
    rows: QuestionRows,
    columns: SheetColumns,
}

impl SheetRows {
    fn below(columns: SheetColumns) -> Self {
        let mut rows = QuestionRows::default();
        rows.begin(columns.given(), columns.ignored(), "");
        Self { rows, columns }
    }

    fn begin(&mut self, columns: SheetColumns, name: &str) {
        self.rows.begin(columns.given(), columns.ignored(), name);
        self.columns = columns;
    }

    fn take(&mut self, number: u32, cells: &[SheetCell<'_>]) {
        if !self.columns.are_empty(cells) {
            self.rows.take(number, self.columns.draft(cells), &mut || ID.to_owned());
        }
    }
}

fn read(changes: &[(Heading, SheetCell<'_>)]) -> Result<Question, String> {
    let mut rows = SheetRows::below(SheetColumns::find(&header()).unwrap());
    rows.take(2, &row(changes));
    let SheetRows { mut rows, .. } = rows;
    rows.questions.pop().ok_or_else(|| rows.into_errors().pop().unwrap_or_default())
}

#[track_caller]
fn assert_refused(changes: &[(Heading, SheetCell<'_>)], reason: &str) {
    assert_eq!(read(changes).unwrap_err(), format!("Row 2: {reason}"));
}

#[test]
fn what_is_left_empty_has_a_meaning() {
    let question = read(&[]).unwrap();
    assert_eq!(
        (question.id.as_str(), question.topic.as_str(), question.source.as_str(), question.kind.as_str()),
        (ID, "General", "import", "multiple-choice")
    );
    assert_eq!(
        (question.subtopic, question.explanation, question.image, question.image_description),
        (String::new(), String::new(), String::new(), String::new())
    );
    assert_eq!(question.options, ["2", "3"]);
}

#[test]
fn a_picture_is_an_address_of_one() {
    let kept = "/media/a.png";
    assert_eq!(read(&[(Heading::Image, SheetCell::text(kept))]).unwrap().image, kept);
    let reason = "image must be an https address, a data:image address, or a path below /media, /pictures or /assets";
    assert_refused(&[(Heading::Image, SheetCell::text("/api/admin/sittings/1/slips.pdf?renew=true"))], reason);
}

#[test]
fn every_kind_of_cell_is_understood() {
    for (cell, grade) in [(SheetCell::Number(10.0), 10), (SheetCell::text("５"), 5), (SheetCell::text(" 5.0 "), 5)] {
        assert_eq!(
            read(&[(Heading::Grade, cell.clone()), (Heading::Difficulty, SheetCell::text(" 4"))])
                .unwrap()
                .grade
                .number(),
            grade,
            "{cell:?}"
        );
    }
    let options = [
        (Heading::OptionA, SheetCell::Number(0.5)),
        (Heading::OptionB, SheetCell::Boolean(true)),
        (Heading::OptionC, SheetCell::Percent(0.5)),
        (Heading::OptionD, SheetCell::text("  four \n")),
        (Heading::Answer, SheetCell::text(" ｄ ")),
        (Heading::Id, SheetCell::Number(17.0)),
        (Heading::Topic, SheetCell::Date("2026-01-05".into())),
        (Heading::Question, SheetCell::text("a\r\nb\rc\n ")),
    ];
    let question = read(&options).unwrap();
    assert_eq!(question.options, ["0.5", "TRUE", "50%", "four"]);
    assert_eq!((question.answer.letter_or_number(), question.id.as_str()), ("D", "17"));
    assert_eq!((question.topic.as_str(), question.question.as_str()), ("2026-01-05", "a\nb\nc"));
}

#[test]
fn each_fault_has_its_sentence() {
    use Heading::{Answer, Difficulty, Explanation, Grade, Id, OptionA, OptionB, OptionC, OptionD, Question, Topic};
    assert_refused(&[(Grade, SheetCell::Empty)], "grade required");
    assert_refused(&[(Grade, SheetCell::text("  "))], "grade required");
    for cell in [
        SheetCell::Number(0.0),
        SheetCell::Number(11.0),
        SheetCell::Number(5.5),
        SheetCell::text("five"),
        SheetCell::Boolean(true),
        SheetCell::Date("2026-01-05".into()),
    ] {
        assert_refused(&[(Grade, cell)], "grade must be 1 to 10");
    }
    assert_refused(&[(Difficulty, SheetCell::Empty)], "difficulty required");
    assert_refused(&[(Difficulty, SheetCell::Number(6.0))], "difficulty must be 1 to 5");
    assert_refused(&[(Question, SheetCell::text(" "))], "question required");
    assert_refused(&[(OptionA, SheetCell::Empty)], "optionA required");
    assert_refused(&[(OptionB, SheetCell::Empty), (OptionC, SheetCell::text("x"))], "optionB required");
    assert_refused(&[(OptionD, SheetCell::text("x"))], "optionC is empty, but optionD is not");
    for cell in
        [SheetCell::Empty, SheetCell::text("E"), SheetCell::text("AB"), SheetCell::Number(1.0), SheetCell::text("А")]
    {
        assert_refused(&[(Answer, cell)], "answer must be one of A, B, C, D");
    }
    assert_refused(&[(Answer, SheetCell::text("D"))], "answer D has no option");
    assert_refused(&[(Answer, SheetCell::text("c"))], "answer C has no option");
    assert_refused(&[(Explanation, SheetCell::TooLong)], "explanation is longer than 32767 characters");
    assert_refused(&[(Topic, SheetCell::text("a\0b"))], "topic has control characters");
    assert_refused(&[(Topic, SheetCell::text("a\u{85}b"))], "topic has control characters");
    assert_refused(&[(Id, SheetCell::text("a\nb"))], "id has control characters");
    assert_refused(
        &[(Question, SheetCell::Marked(CellMark::Struck)), (OptionA, SheetCell::Marked(CellMark::Raised))],
        "question has text that is struck out: remove it, or the whole row; \
         optionA has raised or lowered text: write it as a formula, such as $x^{n}$",
    );
    assert_refused(
        &[(Id, SheetCell::text("1.23457E+12"))],
        "id has lost digits: format the column as text and type it again",
    );
    assert_refused(
        &[(Id, SheetCell::Date("2026-01-05".into()))],
        "id is a date: format the cell as text and type it again",
    );
    assert_refused(&[(OptionA, SheetCell::Error("#REF!".to_owned()))], "optionA has the error #REF!");
    assert_refused(&[(Grade, SheetCell::Error("#N/A".to_owned()))], "grade has the error #N/A");
    assert_refused(
        &[(OptionA, SheetCell::Date("2026-02-01".into()))],
        "optionA is a date: format the cell as text and type it again",
    );
    assert_refused(
        &[(OptionD, SheetCell::Date("03:04:00".into()))],
        "optionD is a time: format the cell as text and type it again",
    );
    for same in [" 2 ", "２", "2\u{200B}"] {
        assert_refused(&[(OptionB, SheetCell::text(same))], "optionA and optionB are equal");
    }
    assert!(read(&[(OptionA, SheetCell::text("x²")), (OptionB, SheetCell::text("x2"))]).is_ok());
    assert_refused(&[(Question, SheetCell::text("\u{200B}"))], "question required");
    assert_refused(
        &[(OptionC, SheetCell::text("x")), (OptionD, SheetCell::text("x"))],
        "optionC and optionD are equal",
    );
}

#[test]
fn all_faults_of_a_row_are_named() {
    use Heading::{Answer, Difficulty, Grade, OptionA, OptionB, OptionC, OptionD, Question};
    let date = || SheetCell::Date("2026-02-01".into());
    assert_refused(
        &[(OptionA, date()), (OptionB, date()), (OptionC, date()), (OptionD, SheetCell::Date("03:04:00".into()))],
        "optionA, optionB and optionC are dates: format the cells as text and type them again; \
         optionD is a time: format the cell as text and type it again",
    );
    assert_refused(
        &[
            (Grade, SheetCell::Number(11.0)),
            (Difficulty, SheetCell::Empty),
            (Question, SheetCell::Empty),
            (OptionA, date()),
            (OptionB, date()),
            (Answer, SheetCell::text("E")),
        ],
        "grade must be 1 to 10; difficulty required; question required; \
         optionA and optionB are dates: format the cells as text and type them again; answer must be one of A, B, C, D",
    );
    assert_refused(
        &[(OptionB, SheetCell::Number(2.0)), (Answer, SheetCell::text("D"))],
        "optionA and optionB are equal; answer D has no option",
    );
}

#[test]
fn texts_are_bounded_as_cells_are() {
    let (longest, longer) = ("𝒳".repeat(TEXT_UNITS_MAX / 2), "𝒳".repeat(TEXT_UNITS_MAX / 2 + 1));
    assert_eq!(read(&[(Heading::Question, SheetCell::text(&longest))]).unwrap().question, longest);
    assert_refused(&[(Heading::Question, SheetCell::text(&longer))], "question is longer than 32767 characters");
    let (longest, longer) = ("x".repeat(ID_UNITS_MAX), "x".repeat(ID_UNITS_MAX + 1));
    assert_eq!(read(&[(Heading::Id, SheetCell::text(&longest))]).unwrap().id, longest);
    assert_refused(&[(Heading::Id, SheetCell::text(&longer))], "id is longer than 100 characters");
}

#[test]
fn an_id_is_taken_by_its_first_good_row() {
    let mut rows = SheetRows::below(SheetColumns::find(&header()).unwrap());
    let of = |grade: f64| row(&[(Heading::Id, SheetCell::text("q-1")), (Heading::Grade, SheetCell::Number(grade))]);
    for (number, grade) in [(4, 99.0), (7, 1.0), (9, 2.0)] {
        rows.take(number, &of(grade));
    }
    let SheetRows { rows, .. } = rows;
    assert_eq!(rows.questions.len(), 1);
    assert_eq!(rows.questions[0].grade.number(), 1);
    assert_eq!(rows.into_errors(), ["Row 4: grade must be 1 to 10", "Row 9: id q-1 stands in row 7 already"]);
}

/// A row with the required columns and an id, and with the named ones.
fn of_columns<'a>(also: &[(Heading, SheetCell<'a>)], answer: &'a str) -> (SheetColumns, Vec<SheetCell<'a>>) {
    let mut named = vec![Heading::Id];
    named.extend(Heading::REQUIRED);
    named.extend(also.iter().map(|(column, _)| *column));
    let good =
        row(&[also, &[(Heading::Id, SheetCell::text("q")), (Heading::Answer, SheetCell::text(answer))]].concat());
    let columns =
        SheetColumns::find(&named.iter().map(|column| SheetCell::text(column.name())).collect::<Vec<_>>()).unwrap();
    (columns, named.iter().map(|column| good[*column as usize].clone()).collect())
}

#[test]
fn what_has_no_column_stays_as_it_is_stored() {
    let filled = Heading::ALL.map(|column| (column, SheetCell::text(column.name())));
    let numbers = [
        (Heading::Grade, SheetCell::Number(1.0)),
        (Heading::Difficulty, SheetCell::Number(1.0)),
        (Heading::Answer, SheetCell::text("D")),
        (Heading::Image, SheetCell::text("https://exam.test/picture.png")),
        (Heading::FixedOptions, SheetCell::text("yes")),
    ];
    let stored = read(&[&numbers[..], &filled].concat()).unwrap();
    let complete = |also: &[(Heading, SheetCell<'_>)], answer: &str, stored: Option<&Question>| {
        let (columns, cells) = of_columns(also, answer);
        let mut rows = SheetRows::below(columns);
        rows.take(2, &cells);
        let SheetRows { mut rows, .. } = rows;
        for waiting in rows.take_waiting() {
            assert_eq!(waiting.id(), "q");
            rows.complete(waiting, stored);
        }
        rows.questions.pop().ok_or_else(|| rows.into_errors().join("; "))
    };
    let question = complete(&[], "D", Some(&stored)).unwrap();
    let of_row = Question {
        id: "q".into(),
        grade: question.grade,
        difficulty: question.difficulty,
        question: "What is 1 + 1?".into(),
        ..stored.clone()
    };
    assert_eq!(question, Question { options: ["2", "3", "optionC", "optionD"].map(str::to_owned).to_vec(), ..of_row });
    assert_eq!(question.grade.number(), 5);
    // An empty cell overwrites the stored text.
    let question =
        complete(&[(Heading::Topic, SheetCell::Empty), (Heading::Explanation, SheetCell::Empty)], "A", Some(&stored))
            .unwrap();
    assert_eq!(
        (question.topic.as_str(), question.explanation.as_str(), question.image.as_str()),
        ("General", "", "https://exam.test/picture.png")
    );
    assert_eq!(question.image_description, "imageDescription");
    assert_eq!(
        complete(&[(Heading::OptionD, SheetCell::Empty)], "C", Some(&stored)).unwrap().options,
        ["2", "3", "optionC"]
    );
    assert_eq!(
        complete(&[(Heading::OptionD, SheetCell::text("4"))], "D", Some(&stored)).unwrap().options,
        ["2", "3", "optionC", "4"]
    );
    assert_eq!(
        complete(&[(Heading::OptionD, SheetCell::Empty)], "D", Some(&stored)).unwrap_err(),
        "Row 2: answer D has no option"
    );
    assert_eq!(
        complete(&[(Heading::OptionC, SheetCell::Empty)], "A", Some(&stored)).unwrap_err(),
        "Row 2: optionC is empty, but optionD is not"
    );
    // Without a stored question the missing columns count as empty cells.
    assert_eq!(complete(&[], "C", None).unwrap_err(), "Row 2: answer C has no option");
    let question = complete(&[], "B", None).unwrap();
    assert_eq!((question.topic.as_str(), question.options.len()), ("General", 2));
}

#[test]
fn rows_of_later_sheets_name_them() {
    let mut rows = SheetRows::below(SheetColumns::find(&header()).unwrap());
    let of = |id: &'static str, grade: f64| {
        row(&[(Heading::Id, SheetCell::text(id)), (Heading::Grade, SheetCell::Number(grade))])
    };
    rows.take(2, &of("a", 1.0));
    rows.take(3, &of("b", 0.0));
    rows.begin(SheetColumns::find(&header()).unwrap(), "Grade 6");
    rows.take(2, &of("a", 1.0));
    rows.take(3, &of("b", 1.0));
    let SheetRows { rows, .. } = rows;
    assert_eq!((rows.questions.len(), rows.len()), (2, 4));
    assert_eq!(
        rows.into_errors(),
        ["Row 3: grade must be 1 to 10", "Row 2: id a stands in row 2 already (sheet Grade 6)"]
    );
}

#[test]
fn a_row_without_anything_is_skipped() {
    let mut rows =
        SheetRows::below(SheetColumns::find(&[header(), vec![SheetCell::text("remarks")]].concat()).unwrap());
    for cells in [
        vec![],
        vec![SheetCell::Empty; 3],
        vec![SheetCell::text("  "); Heading::COUNT],
        [vec![SheetCell::Empty; Heading::COUNT], vec![SheetCell::text("a remark")]].concat(),
    ] {
        rows.take(2, &cells);
    }
    assert!(rows.rows.is_empty());
}

#[test]
fn a_header_is_found_whatever_its_order_case_and_spaces() {
    let names =
        [" ANSWER ", "Option B", "option a", "remarks", "Question", "GRADE", "difficulty\n", "Image description"];
    let columns = SheetColumns::find(&names.map(SheetCell::text)).unwrap();
    let cells = ["b", "two", "one", "?", "What?", "5", "1", "A clock"].map(SheetCell::text);
    let question = columns.draft(&cells).unwrap().complete(columns.given(), None).unwrap();
    assert_eq!(question.image_description, "A clock");
    assert_eq!((question.answer.letter_or_number(), question.options), ("B", vec!["one".to_owned(), "two".to_owned()]));
    assert_eq!(
        SheetColumns::find(&["id", "Grade", "answers"].map(SheetCell::text)).unwrap_err(),
        HeaderError::Missing(vec!["difficulty", "question", "optionA", "optionB", "answer"])
    );
    let unclear = |heading: &'static str| SheetColumns::find(&[header(), vec![SheetCell::text(heading)]].concat());
    for heading in ["Secured", "is secure", "secur", "Secure (exam)"] {
        let Err(HeaderError::Unclear(found)) = unclear(heading) else { panic!("{heading} is like secure") };
        assert_eq!((&*found.heading, found.meant), (heading, SECURE));
    }
    assert_eq!(unclear("remarks").unwrap().ignored(), ["remarks"]);
    assert_eq!(unclear("Option E").unwrap().ignored(), ["Option E"]);
    let mistyped: Vec<_> =
        ["grade", "difficulty", "question", "optionA", "optionB", "Anwser"].map(SheetCell::text).into();
    let Err(HeaderError::Unclear(found)) = SheetColumns::find(&mistyped) else { panic!("it is mistyped") };
    assert_eq!((&*found.heading, found.meant), ("Anwser", "answer"));
    let twice =
        [header(), vec![SheetCell::text("remarks"), SheetCell::text("Answer "), SheetCell::text("remarks")]].concat();
    assert_eq!(SheetColumns::find(&twice).unwrap_err(), HeaderError::Repeated("answer"));
}

#[test]
fn what_is_exported_is_read_again() {
    let question = read(&[
        (Heading::OptionC, SheetCell::text("=1+1")),
        (Heading::Topic, SheetCell::text("الكسور")),
        (Heading::Id, SheetCell::text("q")),
    ])
    .unwrap();
    let columns = SheetColumns::find(&header()).unwrap();
    let cells = Heading::ALL.map(|column| column.of(&question));
    assert_eq!(columns.draft(&cells).unwrap().complete(columns.given(), None).unwrap(), question);
}

#[test]
fn an_export_is_of_one_grade_or_of_all() {
    assert_eq!(Exported::parse("all"), Some(Exported::All));
    assert_eq!(Exported::parse("7").unwrap().grades().map(Grade::number).collect::<Vec<_>>(), [7]);
    assert_eq!(Exported::All.grades().count(), Grade::COUNT);
    let name_of = |grade| Exported::parse(grade).unwrap().file_name(ExportFormat::Xlsx).as_str().to_owned();
    assert_eq!([name_of("all"), name_of("7")], ["questions-gradeall.xlsx", "questions-grade7.xlsx"]);
    assert!(["", "0", "11", "ALL", "1,2"].into_iter().all(|text| Exported::parse(text).is_none()));
}
