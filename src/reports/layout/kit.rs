//! Lays out the morning kit of a sitting: for each hall a sign for its door, a plan of its seats, a list to sign, and
//! the slips of who sits there, with page numbers of its own.

mod door;
mod list;
mod plan;

use domain::text::direction::isolated;

use super::letterhead::Letterhead;
use super::paper::{Paper, height_of};
use super::paper_size::PaperSize;
use super::slips::{Slip, put_slips};
use super::structure::PartRole;
use super::{Ink, LaidOut};
use crate::reports::text::{Style, Typesetter};

/// Distance from the sides of the paper, and from its lower edge.
const SIDE: f32 = 40.0;
const BOTTOM: f32 = 50.0;
/// Distance from the top of a footer to the lower edge of the paper: below the last row of slips.
const FOOTER_EDGE: f32 = 24.0;
/// Room for the number of a page, beside what else stands in a footer.
const PAGE_NUMBER_WIDTH: f32 = 90.0;
const FOOTER: Style = Style::regular(7.0);
const SMALL: Style = Style::regular(9.0);

/// A part of the kit. They are printed in this order, hall by hall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KitPart {
    Door,
    Plan,
    List,
    Slips,
}

impl KitPart {
    pub const ALL: [Self; 4] = [Self::Door, Self::Plan, Self::List, Self::Slips];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Door => "door",
            Self::Plan => "plan",
            Self::List => "list",
            Self::Slips => "slips",
        }
    }

    /// Parses names with commas between them; `None` if one is unknown or stands twice.
    #[must_use]
    pub fn parse_all(names: &str) -> Option<Vec<Self>> {
        let mut parts = Vec::new();
        for name in names.split(',') {
            let part = Self::ALL.into_iter().find(|part| part.name() == name.trim())?;
            if parts.contains(&part) {
                return None;
            }
            parts.push(part);
        }
        parts.sort_unstable();
        Some(parts)
    }
}

/// What is printed for the halls of a sitting.
pub struct MorningKit {
    pub head: Letterhead,
    pub size: PaperSize,
    /// In their order.
    pub parts: Vec<KitPart>,
    /// The name of the sitting.
    pub sitting: String,
    /// Its code.
    pub code: String,
    /// The address of its page.
    pub address: String,
    pub halls: Vec<KitHall>,
}

/// One hall, or everyone if a sitting has none.
pub struct KitHall {
    /// `None` for a sitting without halls, and for those who sit in none.
    pub name: Option<String>,
    /// False for those who sit in none of a sitting that has some: they have no door and no plan.
    pub is_place: bool,
    /// When it is to start, as it is written for people.
    pub day: String,
    pub time: String,
    /// From when one may enter.
    pub doors: String,
    /// In the order of their seats, like their slips.
    pub people: Vec<KitPerson>,
    pub slips: Vec<Slip>,
}

/// Somebody on the plan and on the list.
#[derive(Default)]
pub struct KitPerson {
    pub seat: Option<String>,
    pub name: String,
    /// The id of the school's own system, or an address.
    pub known_as: String,
    /// The letter of the form, if there are several.
    pub form: Option<String>,
    /// How their time differs, in words; empty for the usual time. It stands on the list alone.
    pub needs: String,
}

impl KitHall {
    fn has_seats(&self) -> bool {
        self.people.iter().any(|person| person.seat.is_some())
    }
}

impl MorningKit {
    /// What a page says that it is about.
    fn place(&self, hall: &KitHall) -> String {
        match &hall.name {
            Some(name) => name.clone(),
            None if hall.is_place => self.sitting.clone(),
            None => self.head.words.without_hall().to_owned(),
        }
    }

    /// Whether any page would be printed.
    #[must_use]
    pub fn has_pages(&self) -> bool {
        let of_hall = |hall: &KitHall, part: KitPart| match part {
            KitPart::Door => hall.is_place,
            KitPart::Plan => hall.is_place && hall.has_seats(),
            KitPart::List | KitPart::Slips => !hall.people.is_empty(),
        };
        self.halls.iter().any(|hall| self.parts.iter().any(|part| of_hall(hall, *part)))
    }
}

/// Lays out the kit, hall by hall.
pub fn lay_out_kit(kit: &MorningKit, typesetter: &mut Typesetter) -> LaidOut {
    let mut paper = Paper::of(kit.size, typesetter);
    paper.accent = kit.head.accent;
    for hall in &kit.halls {
        let first = paper.pages_full();
        for part in &kit.parts {
            match part {
                KitPart::Door if hall.is_place => door::put(&mut paper, kit, hall),
                KitPart::Plan if hall.is_place && hall.has_seats() => plan::put(&mut paper, kit, hall),
                KitPart::List if !hall.people.is_empty() => list::put(&mut paper, kit, hall),
                KitPart::Slips => put_slips(&mut paper, &hall.slips, &kit.head),
                _ => {}
            }
        }
        let place = kit.place(hall);
        let about =
            if place == kit.sitting { place } else { format!("{} · {}", isolated(&place), isolated(&kit.sitting)) };
        paper.put_footers(first, |paper, number, count| footer(paper, &about, &kit.head.words.page(number, count)));
    }
    paper.finish_plain()
}

fn footer(paper: &mut Paper<'_>, about: &str, page: &str) {
    let (y, width) = (paper.size.height() - FOOTER_EDGE, width_of(paper) - PAGE_NUMBER_WIDTH);
    let lines = paper.typesetter.wrap(about, FOOTER, width, 1);
    paper.lines(SIDE, y, &lines, FOOTER, Ink::QUIET);
    paper.text_to(paper.size.width() - SIDE, y, page, FOOTER, Ink::QUIET);
}

/// Width between the sides.
const fn width_of(paper: &Paper<'_>) -> f32 {
    paper.size.width() - 2.0 * SIDE
}

fn has_room(paper: &Paper<'_>, height: f32) -> bool {
    paper.y + height <= paper.size.height() - BOTTOM
}

/// Puts what a page is, and of which hall, on top of it.
fn title(paper: &mut Paper<'_>, kit: &MorningKit, hall: &KitHall, what: &str) {
    let (large, width) = (Style::bold(16.0), width_of(paper));
    let count = kit.head.words.candidates(hall.people.len());
    let place = kit.place(hall);
    let sitting = if place == kit.sitting { "" } else { kit.sitting.as_str() };
    let sitting = isolated(sitting);
    let about = [&*sitting, hall.day.as_str(), hall.time.as_str(), count.as_str()];
    let about: Vec<&str> = about.into_iter().filter(|text| !text.is_empty()).collect();
    for (role, text, style, ink) in [
        (PartRole::Title, format!("{what}: {}", isolated(&place)), large, paper.accent),
        (PartRole::Paragraph, about.join(" · "), SMALL, Ink::QUIET),
    ] {
        let lines = paper.typesetter.wrap(&text, style, width, 2);
        let y = paper.y;
        paper.y += paper.within(role, |paper| paper.lines(SIDE, y, &lines, style, ink));
    }
    paper.y += 4.0;
    paper.block(SIDE, paper.y, width, 1.2, paper.accent);
    paper.y += 8.0;
}

/// Puts a small heading, with room for one line below it.
fn small_heading(paper: &mut Paper<'_>, text: &str) {
    let style = Style::bold(11.0);
    if !has_room(paper, height_of(1, style) + 24.0) {
        paper.turn();
    }
    let y = paper.y;
    paper.within(PartRole::Heading, |paper| paper.text(SIDE, y, text, style, paper.accent));
    paper.y += height_of(1, style) + 4.0;
}

#[cfg(test)]
mod tests;
