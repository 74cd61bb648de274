//! The table of all questions, in the order in which the student had them, with each drawing below the row of its
//! question.

use std::sync::Arc;

use super::content::{QuestionOutcome, QuestionRow, ReportContent};
use super::drawing::Drawing;
use super::paper::{Paper, WIDTH, height_of};
use super::structure::PartRole;
use super::words::PaperWords;
use super::{Ink, MARGIN, drawing, sketch};
use crate::reports::text::{Style, TextLine};

const BODY: Style = Style::regular(8.5);
const BOLD: Style = Style::bold(8.5);
const SMALL: Style = Style::regular(8.0);
/// Distance from the edges of a row to its content.
const PADDING: f32 = 3.0;
/// Distance between two columns.
const BETWEEN: f32 = 6.0;
/// Lines of one cell. A longer text stands below its row, and nothing of it in the cell: no text is there twice.
const CELL_LINES_MAX: usize = 12;
/// Lines of one sentence about the texts of all questions.
const ABOUT_LINES_MAX: usize = 4;
/// Width of a drawing's picture: three fifths of the text, so that what a child has written can be read.
const PICTURE_WIDTH: f32 = WIDTH * 0.6;
/// Cells of a row.
const COLUMNS: u8 = 7;
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

    /// Height of what is put below a row.
    fn height(&self) -> f32 {
        match self {
            Self::None => 0.0,
            Self::Shown(drawing) => height_of(1, SMALL) + sketch::height(drawing, PICTURE_WIDTH) + 2.0 * PADDING,
            Self::TooLarge => height_of(1, SMALL) + PADDING,
        }
    }

    /// Puts the drawing below the row of the question of this number.
    fn put(&self, paper: &mut Paper<'_>, words: PaperWords, columns: &TableColumns, number: &str) {
        let height = self.height();
        let (x, y) = (MARGIN + columns.question, paper.y);
        match self {
            Self::None => return,
            Self::Shown(drawing) => paper.within(PartRole::Cell(COLUMNS), |paper| {
                // Its words say the same to those who hear them.
                paper.decorate(|paper| {
                    paper.text(x, y, &words.drawing_above(number), SMALL, Ink::QUIET);
                });
                paper.within(PartRole::Figure(words.drawing_on(number)), |paper| {
                    let below = y + height_of(1, SMALL) + PADDING;
                    sketch::put(paper, drawing, (x, below), PICTURE_WIDTH);
                });
            }),
            Self::TooLarge => paper.within(PartRole::Cell(COLUMNS), |paper| {
                paper.text(x, y, &words.drawing_too_large(number), SMALL, Ink::QUIET);
            }),
        }
        paper.y += height;
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
}

const TABLE: TableColumns = TableColumns {
    question: 24.0,
    topic: 178.0,
    selected: 258.0,
    correct: 336.0,
    outcome: 414.0,
    points_end: 453.0,
    time_end: WIDTH - 2.0,
};

pub(super) fn put(paper: &mut Paper<'_>, content: &ReportContent) {
    let words = content.head.words;
    if content.rows.is_empty() {
        paper.heading(words.questions(), 20.0);
        paper.paragraph(words.no_questions(), Style::regular(9.5), Ink::TEXT, 1);
        return;
    }
    paper.heading(words.questions(), 70.0);
    if content.rows.iter().any(|row| row.outcome != QuestionOutcome::Hidden) {
        let mut outcomes = vec![QuestionOutcome::Right, QuestionOutcome::Wrong, QuestionOutcome::Open];
        let has_dropped = content.rows.iter().any(|row| row.outcome == QuestionOutcome::Dropped);
        outcomes.extend(has_dropped.then_some(QuestionOutcome::Dropped));
        let sign = |outcome: &QuestionOutcome| format!("{} {}", outcome.sign(), outcome.meaning(words));
        let signs: Vec<String> = outcomes.iter().map(sign).collect();
        paper.paragraph(&signs.join("   ·   "), SMALL, Ink::QUIET, 1);
    }
    for sentence in &content.about_texts {
        paper.paragraph(sentence, SMALL, Ink::QUIET, ABOUT_LINES_MAX);
    }
    paper.y += 4.0;
    paper.within(PartRole::Table, |paper| table(paper, content, &TABLE));
    paper.block(MARGIN, paper.y, WIDTH, 0.6, Ink::RULE);
}

fn table(paper: &mut Paper<'_>, content: &ReportContent, columns: &TableColumns) {
    let words = content.head.words;
    let mut points_left = REPORT_POINTS_MAX;
    paper.within(PartRole::Row, |paper| head(paper, words, columns));
    for (index, row) in content.rows.iter().enumerate() {
        let cells = Cells::new(paper, words, columns, row);
        let height = cells.height() + 2.0 * PADDING;
        make_room(paper, words, columns, height);
        if index % 2 == 1 {
            paper.block(MARGIN, paper.y, WIDTH, height, Ink::GROUND);
        }
        paper.within(PartRole::Row, |paper| cells.put(paper, columns, row));
        paper.y += height;
        let whole = cells.notes.iter().map(|(label, text)| words.in_full(label, &row.number, text));
        let corrected = row.correction.iter().map(|sentence| words.about_question(&row.number, sentence));
        for note in corrected.chain(whole) {
            paper.within(PartRole::Row, |paper| {
                paper.within(PartRole::Cell(COLUMNS), |paper| {
                    paper.running_text(&note, SMALL, Ink::TEXT, usize::MAX);
                });
            });
        }
        let picture = DrawingMark::of(row, &mut points_left);
        if !matches!(picture, DrawingMark::None) {
            make_room(paper, words, columns, picture.height());
            paper.within(PartRole::Row, |paper| picture.put(paper, words, columns, &row.number));
        }
    }
}

/// Begins a page where this height no longer fits.
fn make_room(paper: &mut Paper<'_>, words: PaperWords, columns: &TableColumns, height: f32) {
    if !paper.has_room(height) {
        paper.turn();
        // The head is read once.
        paper.decorate(|paper| head(paper, words, columns));
    }
}

fn head(paper: &mut Paper<'_>, words: PaperWords, columns: &TableColumns) {
    let (y, style) = (paper.y, Style::bold(8.0));
    let mut named = |edge: f32, word: &str, is_right: bool| {
        paper.within(PartRole::HeaderCell, |paper| {
            let left = if is_right { edge - paper.typesetter.width(word, style) } else { edge };
            paper.text(MARGIN + left, y, word, style, paper.accent);
        });
    };
    named(columns.question - BETWEEN, words.number_column(), true);
    named(columns.question, words.question_column(), false);
    named(columns.topic, words.topic_column(), false);
    named(columns.selected, words.chosen_column(), false);
    named(columns.correct, words.right_column(), false);
    named(columns.points_end, words.points_column(), true);
    named(columns.time_end, words.time_column(), true);
    paper.y += height_of(1, style) + 2.0;
    paper.block(MARGIN, paper.y, WIDTH, 0.8, paper.accent);
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
    fn new(paper: &mut Paper<'_>, words: PaperWords, columns: &TableColumns, row: &'a QuestionRow) -> Self {
        let mut notes = Vec::new();
        let texts = [
            (words.question_column(), columns.question, columns.topic, row.text.as_str()),
            (words.topic_column(), columns.topic, columns.selected, row.topic.as_str()),
            (words.chosen_column(), columns.selected, columns.correct, row.selected.as_str()),
            (words.right_column(), columns.correct, columns.outcome, row.correct.as_str()),
            (words.time_column(), columns.points_end, columns.time_end, row.time.as_str()),
        ];
        let cells = texts.map(|(label, left, right, text)| {
            let is_right = label == words.time_column();
            let width = right - left - BETWEEN;
            let mut lines = paper.typesetter.wrap(text, BODY, width, usize::MAX);
            if lines.len() > CELL_LINES_MAX {
                lines = paper.typesetter.wrap(words.see_below(), BODY, width, CELL_LINES_MAX);
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
            QuestionOutcome::Right => paper.accent,
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
