//! The table of all questions, in the order in which the student had them, with each drawing in the row of its
//! question.

use std::sync::Arc;

use super::content::{QuestionOutcome, QuestionRow, ReportContent};
use super::drawing::Drawing;
use super::paper::{Paper, WIDTH, height_of};
use super::{Ink, MARGIN, drawing, sketch};
use crate::reports::text::{Style, TextLine};

const BODY: Style = Style::regular(8.5);
const BOLD: Style = Style::bold(8.5);
const SMALL: Style = Style::regular(8.0);
/// Distance from the edges of a row to its content.
const PADDING: f32 = 3.0;
/// Distance between two columns.
const BETWEEN: f32 = 6.0;
/// Lines of one cell. A longer text is cut off there and written in full below its row.
const CELL_LINES_MAX: usize = 3;
/// Width of a drawing's picture.
const PICTURE_WIDTH: f32 = 84.0;
/// Height of a drawing's picture. Sixteen rows of it fit on a page, so forty questions and a long first part fit on
/// four.
const PICTURE_HEIGHT: f32 = 38.0;
/// Points of all drawings of a report, so that one report can't keep a processor busy for long. [`Drawing::cost`] says
/// how much a text counts.
const REPORT_POINTS_MAX: usize = 150_000;

/// What stands in the place of a drawing.
enum DrawingMark {
    /// There is no drawing, or none that is understood.
    None,
    Shown(Drawing),
    /// The drawing has too many points; a sentence says so.
    TooLarge,
}

impl DrawingMark {
    fn of(row: &QuestionRow, points_left: &mut usize) -> Self {
        let Some(drawing) = row.drawing.as_ref().and_then(|json| drawing::read(json.get())) else { return Self::None };
        match points_left.checked_sub(drawing.cost()) {
            Some(left) => {
                *points_left = left;
                Self::Shown(drawing)
            }
            None => Self::TooLarge,
        }
    }

    const fn is_there(&self) -> bool {
        !matches!(self, Self::None)
    }

    fn put(&self, paper: &mut Paper<'_>, x: f32) {
        match self {
            Self::None => {}
            Self::Shown(drawing) => sketch::put(paper, drawing, x, paper.y + PADDING, PICTURE_WIDTH, PICTURE_HEIGHT),
            Self::TooLarge => {
                paper.text(x, paper.y + PADDING, "too large to show", SMALL, Ink::QUIET);
            }
        }
    }
}

/// The left edges of the columns, from the margin, and the right edges of the columns with figures.
struct TableColumns {
    id: f32,
    topic: f32,
    difficulty: f32,
    selected: f32,
    correct: f32,
    outcome: f32,
    points_end: f32,
    time_end: f32,
    picture: Option<f32>,
}

impl TableColumns {
    const fn new(has_pictures: bool) -> Self {
        if has_pictures {
            Self {
                id: 22.0,
                topic: 98.0,
                difficulty: 178.0,
                selected: 246.0,
                correct: 283.0,
                outcome: 315.0,
                points_end: 372.0,
                time_end: 405.0,
                picture: Some(WIDTH - PICTURE_WIDTH - 4.0),
            }
        } else {
            Self {
                id: 24.0,
                topic: 130.0,
                difficulty: 240.0,
                selected: 318.0,
                correct: 360.0,
                outcome: 395.0,
                points_end: 457.0,
                time_end: WIDTH - 4.0,
                picture: None,
            }
        }
    }
}

pub(super) fn put(paper: &mut Paper<'_>, content: &ReportContent) {
    if content.rows.is_empty() {
        paper.heading("Questions", 20.0);
        paper.paragraph("This test has no questions.", Style::regular(9.5), Ink::TEXT, 1);
        return;
    }
    let mut points_left = REPORT_POINTS_MAX;
    let pictures: Vec<DrawingMark> = content.rows.iter().map(|row| DrawingMark::of(row, &mut points_left)).collect();
    let columns = TableColumns::new(pictures.iter().any(DrawingMark::is_there));
    paper.heading("Questions", 70.0);
    let signs = [QuestionOutcome::Right, QuestionOutcome::Wrong, QuestionOutcome::Open]
        .map(|outcome| format!("{} {}", outcome.sign(), outcome.meaning()));
    paper.paragraph(&signs.join("   ·   "), SMALL, Ink::QUIET, 1);
    paper.y += 4.0;
    head(paper, &columns);
    for (index, (row, picture)) in content.rows.iter().zip(&pictures).enumerate() {
        let cells = Cells::new(paper, &columns, row);
        let height = cells.height().max(if picture.is_there() { PICTURE_HEIGHT } else { 0.0 }) + 2.0 * PADDING;
        if !paper.has_room(height) {
            paper.turn();
            head(paper, &columns);
        }
        if index % 2 == 1 {
            paper.block(MARGIN, paper.y, WIDTH, height, Ink::GROUND);
        }
        cells.put(paper, &columns, row);
        if let Some(x) = columns.picture {
            picture.put(paper, MARGIN + x);
        }
        paper.y += height;
        for (label, text) in &cells.notes {
            paper.paragraph(&format!("{} of {}: {text}", label, row.number), SMALL, Ink::TEXT, usize::MAX);
        }
    }
    paper.block(MARGIN, paper.y, WIDTH, 0.6, Ink::RULE);
}

fn head(paper: &mut Paper<'_>, columns: &TableColumns) {
    let (y, style) = (paper.y, Style::bold(8.0));
    paper.text_to(MARGIN + columns.id - BETWEEN, y, "No.", style, Ink::STRONG);
    for (x, word) in [
        (columns.id, "Question"),
        (columns.topic, "Topic"),
        (columns.difficulty, "Difficulty"),
        (columns.selected, "Chosen"),
        (columns.correct, "Right"),
    ] {
        paper.text(MARGIN + x, y, word, style, Ink::STRONG);
    }
    paper.text_to(MARGIN + columns.points_end, y, "Points", style, Ink::STRONG);
    paper.text_to(MARGIN + columns.time_end, y, "Time", style, Ink::STRONG);
    if let Some(x) = columns.picture {
        paper.text(MARGIN + x, y, "Drawing", style, Ink::STRONG);
    }
    paper.y += height_of(1, style) + 2.0;
    paper.block(MARGIN, paper.y, WIDTH, 0.8, Ink::STRONG);
    paper.y += 1.0;
}

/// The cells whose text may need several lines, and the texts that are written in full below the row.
struct Cells<'a> {
    cells: [TableCell; 6],
    notes: Vec<(&'static str, &'a str)>,
}

/// The lines of one cell. They begin at its left edge, or end at its right edge.
struct TableCell {
    edge: f32,
    is_right: bool,
    lines: Vec<Arc<TextLine>>,
}

impl<'a> Cells<'a> {
    fn new(paper: &mut Paper<'_>, columns: &TableColumns, row: &'a QuestionRow) -> Self {
        let mut notes = Vec::new();
        let texts = [
            ("Question", columns.id, columns.topic, row.id.as_str()),
            ("Topic", columns.topic, columns.difficulty, row.topic.as_str()),
            ("Difficulty", columns.difficulty, columns.selected, row.difficulty),
            ("Chosen", columns.selected, columns.correct, row.selected.as_str()),
            ("Right", columns.correct, columns.outcome, row.correct.as_str()),
            ("Time", columns.points_end, columns.time_end, row.time.as_str()),
        ];
        let cells = texts.map(|(label, left, right, text)| {
            let is_right = label == "Time";
            let width = right - left - BETWEEN;
            let mut lines = paper.typesetter.wrap(text, BODY, width, usize::MAX);
            if lines.len() > CELL_LINES_MAX {
                lines = paper.typesetter.wrap(text, BODY, width, CELL_LINES_MAX);
                notes.push((label, text));
            }
            TableCell { edge: if is_right { right } else { left }, is_right, lines }
        });
        Self { cells, notes }
    }

    fn height(&self) -> f32 {
        height_of(self.cells.iter().map(|cell| cell.lines.len()).max().unwrap_or(1).max(1), BODY)
    }

    fn put(&self, paper: &mut Paper<'_>, columns: &TableColumns, row: &QuestionRow) {
        let y = paper.y + PADDING;
        paper.text_to(MARGIN + columns.id - BETWEEN, y, &row.number, BODY, Ink::QUIET);
        for TableCell { edge, is_right, lines } in &self.cells {
            for (index, line) in lines.iter().enumerate() {
                let left = if *is_right { edge - line.width(BODY.size) } else { *edge };
                paper.lines(MARGIN + left, y + height_of(index, BODY), std::slice::from_ref(line), BODY, Ink::TEXT);
            }
        }
        let ink = match row.outcome {
            QuestionOutcome::Right => Ink::RIGHT,
            QuestionOutcome::Wrong => Ink::WRONG,
            QuestionOutcome::Open => Ink::QUIET,
        };
        paper.text(MARGIN + columns.outcome, y, row.outcome.sign(), BOLD, ink);
        paper.text_to(MARGIN + columns.points_end, y, &row.points, BODY, Ink::TEXT);
    }
}
