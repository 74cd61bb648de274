//! The list that candidates sign. It alone says whose time differs, so it is for proctors.

use std::sync::Arc;

use super::super::Ink;
use super::super::paper::{Paper, height_of};
use super::super::structure::PartRole;
use super::super::words::PaperWords;
use super::{KitHall, KitPerson, MorningKit, SIDE, has_room, title, width_of};
use crate::reports::text::{Style, TextLine};

/// High enough to sign in.
const ROW_HEIGHT_MIN: f32 = 27.0;
const CELL_LINES: usize = 3;
const PADDING: f32 = 3.0;
const HEAD: Style = Style::bold(8.5);
const NAME: Style = Style::regular(10.0);
const OTHER: Style = Style::regular(8.5);
const CLOSING: Style = Style::regular(10.0);
const CLOSING_HEIGHT: f32 = 40.0;

/// A column: what stands over it, and its sides.
struct Column {
    word: &'static str,
    x: f32,
    width: f32,
    style: Style,
    text: fn(&KitPerson) -> &str,
}

pub(super) fn put(paper: &mut Paper<'_>, kit: &MorningKit, hall: &KitHall) {
    let words = kit.head.words;
    title(paper, kit, hall, words.attendance());
    let (style, y) = (Style::bold(9.0), paper.y);
    paper.within(PartRole::Paragraph, |paper| paper.text(SIDE, y, words.for_proctors(), style, Ink::WRONG));
    paper.y += height_of(1, style) + 6.0;
    let has_forms = hall.people.iter().any(|person| person.form.is_some());
    let columns = columns(words, width_of(paper), has_forms);
    paper.within(PartRole::Table, |paper| {
        paper.within(PartRole::Row, |paper| head(paper, &columns));
        for person in &hall.people {
            row(paper, &columns, person);
        }
    });
    if !has_room(paper, CLOSING_HEIGHT) {
        paper.turn();
    }
    let y = paper.y + CLOSING_HEIGHT - height_of(1, CLOSING);
    paper.within(PartRole::Paragraph, |paper| paper.text(SIDE, y, words.closing(), CLOSING, Ink::TEXT));
    paper.turn();
}

fn columns(words: PaperWords, width: f32, has_forms: bool) -> Vec<Column> {
    type Text = fn(&KitPerson) -> &str;
    let seat: Text = |person| person.seat.as_deref().unwrap_or_default();
    let form: Text = |person| person.form.as_deref().unwrap_or_default();
    let name: Text = |person| &person.name;
    let known_as: Text = |person| &person.known_as;
    let needs: Text = |person| &person.needs;
    let signed: Text = |_| "";
    let of_form = if has_forms { 42.0 } else { 0.0 };
    let mut all = vec![(words.seat(), 54.0, NAME, seat)];
    all.extend(has_forms.then_some((words.forms(), of_form, NAME, form)));
    all.extend([
        (words.name(), width - of_form - 54.0 - 92.0 - 104.0 - 112.0, NAME, name),
        (words.id(), 92.0, OTHER, known_as),
        (words.needs(), 104.0, OTHER, needs),
        (words.signature(), 112.0, OTHER, signed),
    ]);
    let mut left = SIDE;
    let column = |(word, width, style, text)| {
        let x = left;
        left += width;
        Column { word, x, width, style, text }
    };
    all.into_iter().map(column).collect()
}

fn head(paper: &mut Paper<'_>, columns: &[Column]) {
    let y = paper.y;
    for Column { word, x, .. } in columns {
        paper.within(PartRole::HeaderCell, |paper| paper.text(x + PADDING, y, word, HEAD, paper.accent));
    }
    paper.y += height_of(1, HEAD) + 2.0;
    paper.block(SIDE, paper.y, width_of(paper), 0.9, paper.accent);
    paper.y += 1.0;
}

fn row(paper: &mut Paper<'_>, columns: &[Column], person: &KitPerson) {
    let mut lines: Vec<Vec<Arc<TextLine>>> = Vec::new();
    let mut height = ROW_HEIGHT_MIN;
    for Column { width, style, text, .. } in columns {
        let of_cell = paper.typesetter.wrap(text(person), *style, width - 2.0 * PADDING, CELL_LINES);
        height = height.max(height_of(of_cell.len(), *style) + 2.0 * PADDING);
        lines.push(of_cell);
    }
    if !has_room(paper, height) {
        paper.turn();
        // The head is read once.
        paper.decorate(|paper| head(paper, columns));
    }
    let y = paper.y;
    paper.within(PartRole::Row, |paper| {
        for (Column { x, style, .. }, of_cell) in columns.iter().zip(&lines) {
            paper.within(PartRole::Cell(1), |paper| {
                paper.lines(x + PADDING, y + PADDING, of_cell, *style, Ink::TEXT);
            });
        }
    });
    paper.y += height;
    paper.block(SIDE, paper.y, width_of(paper), 0.5, Ink::EDGE);
}
