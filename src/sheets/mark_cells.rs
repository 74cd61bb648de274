//! The mark of a result in a table: two columns, which only tables of results on a scale have.

use domain::mark::{Hundredths, ResultMark};

use super::write::{TableCell, without_unused_column};

/// The heading of the column of marks.
pub const MARK: &str = "mark";
/// The heading of the column that says whether they pass.
pub const PASSED: &str = "passed";

/// The cells of a mark, and of whether it passes. A number is one, so that programs reckon with it.
pub fn mark_cells(mark: Option<ResultMark>) -> [TableCell; 2] {
    let Some(ResultMark { text, passed }) = mark else { return [TableCell::Empty, TableCell::Empty] };
    let number: Option<f64> = Hundredths::parse(&text).and_then(|_| text.parse().ok());
    let passed = passed.map(|passed| if passed { "yes" } else { "no" });
    [
        number.map_or(TableCell::Text(text), TableCell::Number),
        passed.map_or(TableCell::Empty, |passed| TableCell::Text(passed.to_owned())),
    ]
}

/// Takes those of the two columns off a table that nothing stands in.
pub fn without_unused_marks<Heading: AsRef<str>>(
    headings: Vec<Heading>,
    rows: Vec<Vec<TableCell>>,
) -> (Vec<Heading>, Vec<Vec<TableCell>>) {
    let (headings, rows) = without_unused_column(MARK, headings, rows);
    without_unused_column(PASSED, headings, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_number_and_a_label_a_text() {
        let of = |text: &str, passed| mark_cells(Some(ResultMark { text: text.to_owned(), passed }));
        assert!(matches!(of("7.5", Some(true)), [TableCell::Number(number), TableCell::Text(passed)]
            if (number - 7.5).abs() < 1e-9 && passed == "yes"));
        assert!(matches!(of("B", None), [TableCell::Text(text), TableCell::Empty] if text == "B"));
        assert!(matches!(of("inf", Some(false)), [TableCell::Text(text), TableCell::Text(passed)]
            if text == "inf" && passed == "no"));
        assert!(matches!(mark_cells(None), [TableCell::Empty, TableCell::Empty]));
    }

    #[test]
    fn a_table_without_marks_has_no_columns_for_them() {
        let headings = vec!["score", MARK, PASSED];
        let row = |mark| std::iter::once(TableCell::Number(640.0)).chain(mark_cells(mark)).collect::<Vec<_>>();
        let shape = |mark| without_unused_marks(headings.clone(), vec![row(mark)]).0;
        assert_eq!(shape(None), ["score"]);
        assert_eq!(shape(Some(ResultMark { text: "B".to_owned(), passed: None })), ["score", MARK]);
        assert_eq!(shape(Some(ResultMark { text: "B".to_owned(), passed: Some(true) })), headings);
    }
}
