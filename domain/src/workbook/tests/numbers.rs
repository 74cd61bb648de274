//! Rows of sheets whose answer is a number.

use super::*;
use crate::number::{Forms, Language, NumberKey};
use crate::question::NUMBER;

/// A valid row about a number, with some cells changed.
fn read_number(changes: &[(Heading, SheetCell<'_>)]) -> Result<Question, String> {
    let of_number = [
        (Heading::Type, SheetCell::text("Number")),
        (Heading::OptionA, SheetCell::Empty),
        (Heading::OptionB, SheetCell::Empty),
        (Heading::Answer, SheetCell::Number(2.5)),
    ];
    read(&[changes, &of_number[..]].concat())
}

#[test]
fn what_is_left_empty_has_a_meaning() {
    let question = read_number(&[]).unwrap();
    assert_eq!((&question.answer, question.kind.as_str()), (&NumberKey::exact("2.5").into(), NUMBER));
    assert!(question.options.is_empty() && !question.fixed_options);
}

#[test]
fn a_number_counts_by_its_value() {
    let question = read_number(&[
        (Heading::Answer, SheetCell::Shown(-0.125, "-0,13".into())),
        (Heading::Tolerance, SheetCell::Shown(0.001, "0".into())),
        (Heading::Unit, SheetCell::text(" cm ")),
        (Heading::Forms, SheetCell::text("Mixed; decimal")),
        (Heading::Language, SheetCell::text("VI")),
    ]);
    let question = question.unwrap();
    let key = question.answer.number().unwrap();
    assert_eq!((key.answer.as_str(), key.tolerance.as_str(), key.unit.as_str()), ("-0.125", "0.001", "cm"));
    assert_eq!((Some(key.forms), key.language), (Forms::parse("decimal mixed"), Language::Vi));
    let columns = SheetColumns::find(&header()).unwrap();
    let cells = Heading::ALL.map(|column| column.of(&question));
    assert_eq!(columns.draft(&cells).unwrap().complete(columns.given(), None).unwrap(), question);
}

#[test]
fn each_fault_has_its_sentence() {
    let number = "answer must be a number in digits, such as 12, -3 or 0.5";
    for (heading, cell, reason) in [
        (Heading::Answer, SheetCell::Empty, number),
        (Heading::Answer, SheetCell::text("A"), number),
        (Heading::Answer, SheetCell::text("1/2"), number),
        (Heading::Answer, SheetCell::text("1,000"), number),
        (Heading::Answer, SheetCell::Percent(0.5), number),
        (
            Heading::Answer,
            SheetCell::Date("2026-02-01".into()),
            "answer is a date: format the cell as text and type it again",
        ),
        (
            Heading::Answer,
            SheetCell::Number(1e15),
            "answer has lost digits: format the column as text and type it again",
        ),
        (Heading::OptionA, SheetCell::text("1"), "a question of the type number has no options"),
        (Heading::Tolerance, SheetCell::Number(-1.0), "tolerance must be a number in digits that is not negative"),
        (Heading::Unit, SheetCell::text("5 cm"), "unit must have at most 20 characters, and not begin like a number"),
        (Heading::Forms, SheetCell::text("roman"), "forms must be some of decimal, fraction, mixed"),
        (Heading::Language, SheetCell::text("fr"), "language must be en or vi"),
    ] {
        assert_eq!(read_number(&[(heading, cell)]).unwrap_err(), format!("Row 2: {reason}"));
    }
}

#[test]
fn columns_of_numbers_mean_nothing_to_letters() {
    let question = read(&[(Heading::Unit, SheetCell::text("Unit 3")), (Heading::Language, SheetCell::text("fr"))]);
    assert_eq!(question.unwrap().answer.letter_or_number(), "A");
}

#[test]
fn a_sheet_without_columns_of_numbers_is_read_at_once_until_it_has_one() {
    let names: Vec<_> = Heading::ALL.into_iter().filter(|column| !Heading::OF_NUMBERS.contains(column)).collect();
    let columns = SheetColumns::find(&names.iter().map(|column| SheetCell::text(column.name())).collect::<Vec<_>>());
    let mut rows = SheetRows::below(columns.unwrap());
    let id = |id: &'static str| (Heading::Id, SheetCell::text(id));
    let number = |name: &'static str, answer: f64| {
        row(&[
            id(name),
            (Heading::Type, SheetCell::text("number")),
            (Heading::OptionA, SheetCell::Empty),
            (Heading::OptionB, SheetCell::Empty),
            (Heading::Answer, SheetCell::Number(answer)),
        ])
    };
    rows.take(2, &row(&[id("a")]));
    rows.take(3, &number("n", 3.0));
    rows.take(4, &row(&[id("n")]));
    let SheetRows { mut rows, .. } = rows;
    assert_eq!(rows.questions.len(), 1, "the others wait");
    let key = NumberKey { unit: "cm".to_owned(), ..NumberKey::exact("7") };
    let stored = Question { answer: key.into(), ..read_number(&[]).unwrap() };
    for waiting in rows.take_waiting() {
        rows.complete(waiting, Some(&stored));
    }
    let key = rows.questions[1].answer.number().unwrap();
    assert_eq!((key.answer.as_str(), key.unit.as_str()), ("3", "cm"));
    assert_eq!(rows.into_errors(), ["Row 4: id n stands in row 3 already"]);
}

#[test]
fn what_is_like_a_column_of_numbers_is_one_only_beside_types() {
    let required = || Heading::REQUIRED.map(|column| SheetCell::text(column.name())).to_vec();
    let columns = SheetColumns::find(&[required(), vec![SheetCell::text("Tolerence")]].concat()).unwrap();
    assert_eq!(columns.ignored(), ["Tolerence"]);
    let typed = [required(), vec![SheetCell::text("Type"), SheetCell::text("Tolerence")]].concat();
    let Err(HeaderError::Unclear(found)) = SheetColumns::find(&typed) else { panic!("it is mistyped") };
    assert_eq!((&*found.heading, found.meant), ("Tolerence", "tolerance"));
}
