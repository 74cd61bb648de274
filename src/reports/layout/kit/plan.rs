//! The plan of a hall: its seats in rows as they stand there, or a list if they have none. It says nothing of what
//! somebody needs, so that it may hang in the hall.

use domain::sitting::seat::SeatRows;

use super::super::paper::{Paper, height_of};
use super::super::structure::PartRole;
use super::super::{Ink, Mark};
use super::{KitHall, KitPerson, MorningKit, SIDE, has_room, small_heading, title, width_of};
use crate::reports::text::Style;

/// Seats side by side on one line: a name needs some width. Longer rows have several lines.
const SEATS_BESIDE: usize = 8;
const CELL_HEIGHT: f32 = 44.0;
const CELL_GAP: f32 = 3.0;
/// Distance between rows that have several lines.
const ROW_GAP: f32 = 8.0;
const SEAT: Style = Style::bold(9.0);
const NAME: Style = Style::regular(7.5);
const ENTRY: Style = Style::regular(10.0);
const ENTRY_HEIGHT: f32 = 17.0;
const ENTRIES_BESIDE: usize = 2;

pub(super) fn put(paper: &mut Paper<'_>, kit: &MorningKit, hall: &KitHall) {
    let words = kit.head.words;
    title(paper, kit, hall, words.seat_plan());
    let (seated, others): (Vec<_>, Vec<_>) = hall.people.iter().partition(|person| person.seat.is_some());
    match SeatRows::of(hall.people.iter().map(|person| person.seat.as_deref())) {
        Some(plan) => rows(paper, hall, &plan),
        None => list(paper, &seated),
    }
    if !others.is_empty() {
        paper.y += 8.0;
        small_heading(paper, words.without_seat());
        list(paper, &others);
    }
    paper.turn();
}

fn part(number: usize) -> f32 {
    f32::from(u16::try_from(number).unwrap_or(u16::MAX))
}

fn rows(paper: &mut Paper<'_>, hall: &KitHall, plan: &SeatRows) {
    let columns = plan.rows.first().map_or(1, Vec::len);
    let beside = columns.clamp(1, SEATS_BESIDE);
    let width = width_of(paper) / part(beside);
    for row in &plan.rows {
        for line in row.chunks(beside).filter(|line| line.iter().any(Option::is_some)) {
            if !has_room(paper, CELL_HEIGHT) {
                paper.turn();
            }
            for (column, place) in line.iter().enumerate() {
                let (x, y) = (SIDE + part(column) * width, paper.y);
                outline(paper, (x, y), width, if place.is_some() { Ink::QUIET } else { Ink::TRACK });
                if let Some(person) = place.and_then(|place| hall.people.get(place)) {
                    paper.within(PartRole::Paragraph, |paper| cell(paper, (x, y), width, person));
                }
            }
            paper.y += CELL_HEIGHT;
        }
        paper.y += if columns > SEATS_BESIDE { ROW_GAP } else { 0.0 };
    }
}

fn outline(paper: &mut Paper<'_>, (x, y): (f32, f32), width: f32, ink: Ink) {
    let (right, bottom) = (x + width - CELL_GAP, y + CELL_HEIGHT - CELL_GAP);
    let points = vec![(x, y), (right, y), (right, bottom), (x, bottom)];
    paper.put(Mark::Path { points, is_closed: true, thickness: Some(0.7), ink });
}

fn cell(paper: &mut Paper<'_>, (x, y): (f32, f32), width: f32, person: &KitPerson) {
    let inner = width - CELL_GAP - 8.0;
    let form = person.form.as_deref().unwrap_or_default();
    let of_form = paper.typesetter.width(form, SEAT);
    let seat = paper.typesetter.wrap(person.seat.as_deref().unwrap_or_default(), SEAT, inner - of_form - 4.0, 1);
    paper.lines(x + 4.0, y + 2.0, &seat, SEAT, Ink::TEXT);
    if !form.is_empty() {
        paper.text_to(x + 4.0 + inner, y + 2.0, form, SEAT, paper.accent);
    }
    let name = paper.typesetter.wrap(&person.name, NAME, inner, 2);
    paper.lines(x + 4.0, y + 3.0 + height_of(1, SEAT), &name, NAME, Ink::TEXT);
}

/// Puts people one after another, two on a line.
fn list(paper: &mut Paper<'_>, people: &[&KitPerson]) {
    let width = width_of(paper) / part(ENTRIES_BESIDE);
    let bold = Style::bold(ENTRY.size);
    for line in people.chunks(ENTRIES_BESIDE) {
        if !has_room(paper, ENTRY_HEIGHT) {
            paper.turn();
        }
        for (column, person) in line.iter().enumerate() {
            let (x, y) = (SIDE + part(column) * width, paper.y);
            let seat = person.seat.as_deref().unwrap_or_default();
            let form = person.form.as_deref().unwrap_or_default();
            let of_seat = if seat.is_empty() { 0.0 } else { 74.0 };
            let seat = paper.typesetter.wrap(seat, bold, (of_seat - 8.0_f32).max(0.0), 1);
            let name = paper.typesetter.wrap(&person.name, ENTRY, width - of_seat - 34.0, 1);
            paper.within(PartRole::Paragraph, |paper| {
                paper.lines(x, y, &seat, bold, Ink::TEXT);
                paper.lines(x + of_seat, y, &name, ENTRY, Ink::TEXT);
                if !form.is_empty() {
                    paper.text_to(x + width - 14.0, y, form, bold, paper.accent);
                }
            });
        }
        paper.y += ENTRY_HEIGHT;
    }
}
