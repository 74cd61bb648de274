//! The table of all questions, in the order in which the student had them, with each drawing in the row of its
//! question.

use std::sync::Arc;

use super::content::{QuestionOutcome, QuestionRow, ReportContent};
use super::drawing::Drawing;
use super::paper::{Paper, WIDTH, height_of};
use super::structure::PartRole;
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
/// Lines of one sentence about the texts of all questions.
const ABOUT_LINES_MAX: usize = 4;
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
        let Some(drawing) = row.drawing.as_ref().and_then(|json| drawing::read_drawing(json.get())) else {
            return Self::None;
        };
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
            Self::Shown(drawing) => paper.within(PartRole::Figure("The student's drawing".to_owned()), |paper| {
                sketch::put(paper, drawing, x, paper.y + PADDING, PICTURE_WIDTH, PICTURE_HEIGHT);
            }),
            Self::TooLarge => {
                paper.text(x, paper.y + PADDING, "too large to show", SMALL, Ink::QUIET);
            }
        }
    }
}

/// The left edges of the columns, from the margin, and the right edges of the columns with figures.
struct TableColumns {
    question: f32,
    topic: f32,
    selected: f32,
    correct: f32,
    outcome: f32,
    points_end: f32,
    time_end: f32,
    picture: Option<f32>,
}

impl TableColumns {
    /// How many cells a row has.
    const fn count(&self) -> u8 {
        if self.picture.is_some() { 8 } else { 7 }
    }

    const fn new(has_pictures: bool) -> Self {
        if has_pictures {
            Self {
                question: 22.0,
                topic: 158.0,
                selected: 222.0,
                correct: 276.0,
                outcome: 330.0,
                points_end: 373.0,
                time_end: 405.0,
                picture: Some(WIDTH - PICTURE_WIDTH - 4.0),
            }
        } else {
            Self {
                question: 24.0,
                topic: 200.0,
                selected: 282.0,
                correct: 350.0,
                outcome: 418.0,
                points_end: 462.0,
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
    if content.rows.iter().any(|row| row.outcome != QuestionOutcome::Hidden) {
        let mut outcomes = vec![QuestionOutcome::Right, QuestionOutcome::Wrong, QuestionOutcome::Open];
        let has_dropped = content.rows.iter().any(|row| row.outcome == QuestionOutcome::Dropped);
        outcomes.extend(has_dropped.then_some(QuestionOutcome::Dropped));
        let sign = |outcome: &QuestionOutcome| format!("{} {}", outcome.sign(), outcome.meaning());
        let signs: Vec<String> = outcomes.iter().map(sign).collect();
        paper.paragraph(&signs.join("   ·   "), SMALL, Ink::QUIET, 1);
    }
    for sentence in &content.about_texts {
        paper.paragraph(sentence, SMALL, Ink::QUIET, ABOUT_LINES_MAX);
    }
    paper.y += 4.0;
    paper.within(PartRole::Table, |paper| table(paper, content, &pictures, &columns));
    paper.block(MARGIN, paper.y, WIDTH, 0.6, Ink::RULE);
}

fn table(paper: &mut Paper<'_>, content: &ReportContent, pictures: &[DrawingMark], columns: &TableColumns) {
    paper.within(PartRole::Row, |paper| head(paper, columns));
    for (index, (row, picture)) in content.rows.iter().zip(pictures).enumerate() {
        let cells = Cells::new(paper, columns, row);
        let height = cells.height().max(if picture.is_there() { PICTURE_HEIGHT } else { 0.0 }) + 2.0 * PADDING;
        if !paper.has_room(height) {
            paper.turn();
            // The head is read once.
            paper.decorate(|paper| head(paper, columns));
        }
        if index % 2 == 1 {
            paper.block(MARGIN, paper.y, WIDTH, height, Ink::GROUND);
        }
        paper.within(PartRole::Row, |paper| {
            cells.put(paper, columns, row);
            if let Some(x) = columns.picture {
                paper.within(PartRole::Cell(1), |paper| picture.put(paper, MARGIN + x));
            }
        });
        paper.y += height;
        let whole = cells.notes.iter().map(|(label, text)| format!("{label} of {}: {text}", row.number));
        let corrected = row.correction.iter().map(|sentence| format!("Question {}: {sentence}", row.number));
        for note in corrected.chain(whole) {
            paper.within(PartRole::Row, |paper| {
                paper.within(PartRole::Cell(columns.count()), |paper| {
                    paper.running_text(&note, SMALL, Ink::TEXT, usize::MAX);
                });
            });
        }
    }
}

fn head(paper: &mut Paper<'_>, columns: &TableColumns) {
    let (y, style) = (paper.y, Style::bold(8.0));
    let mut named = |edge: f32, word: &str, is_right: bool| {
        paper.within(PartRole::HeaderCell, |paper| {
            let left = if is_right { edge - paper.typesetter.width(word, style) } else { edge };
            paper.text(MARGIN + left, y, word, style, Ink::STRONG);
        });
    };
    named(columns.question - BETWEEN, "No.", true);
    named(columns.question, "Question", false);
    named(columns.topic, "Topic", false);
    named(columns.selected, "Chosen", false);
    named(columns.correct, "Right", false);
    named(columns.points_end, "Points", true);
    named(columns.time_end, "Time", true);
    if let Some(x) = columns.picture {
        named(x, "Drawing", false);
    }
    paper.y += height_of(1, style) + 2.0;
    paper.block(MARGIN, paper.y, WIDTH, 0.8, Ink::STRONG);
    paper.y += 1.0;
}

/// The cells whose text may need several lines, and the texts that are written in full below the row.
struct Cells<'a> {
    cells: [TableCell; 5],
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
            ("Question", columns.question, columns.topic, row.text.as_str()),
            ("Topic", columns.topic, columns.selected, row.topic.as_str()),
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
        paper.within(PartRole::Cell(1), |paper| {
            paper.text_to(MARGIN + columns.question - BETWEEN, y, &row.number, BODY, Ink::QUIET);
        });
        let [texts @ .., time] = &self.cells;
        texts.iter().for_each(|cell| cell.put(paper, y));
        let ink = match row.outcome {
            QuestionOutcome::Right => Ink::RIGHT,
            QuestionOutcome::Wrong => Ink::WRONG,
            QuestionOutcome::Open | QuestionOutcome::Hidden | QuestionOutcome::Dropped => Ink::QUIET,
        };
        paper.within(PartRole::Cell(1), |paper| {
            paper.text(MARGIN + columns.outcome, y, row.outcome.sign(), BOLD, ink);
            paper.text_to(MARGIN + columns.points_end, y, &row.points, BODY, Ink::TEXT);
        });
        time.put(paper, y);
    }
}

impl TableCell {
    fn put(&self, paper: &mut Paper<'_>, y: f32) {
        paper.within(PartRole::Cell(1), |paper| {
            for (index, line) in self.lines.iter().enumerate() {
                let left = if self.is_right { self.edge - line.width(BODY.size) } else { self.edge };
                paper.lines(MARGIN + left, y + height_of(index, BODY), std::slice::from_ref(line), BODY, Ink::TEXT);
            }
        });
    }
}
