//! Paper that is filled from top to bottom: when a page is full the next one begins, and every page ends with the same
//! footer.

use std::sync::Arc;

use super::content::ReportContent;
use super::paper_size::PaperSize;
use super::structure::{Outline, PartRole};
use super::{Ink, LaidOut, MARGIN, Mark, PAPER_HEIGHT, PAPER_WIDTH, PlacedMark, ReportPage};
use crate::reports::text::{Style, TextLine, Typesetter};

/// Width between the margins.
pub(super) const WIDTH: f32 = PAPER_WIDTH - 2.0 * MARGIN;
/// Lowest edge of the content; the footer is below it.
const BOTTOM: f32 = PAPER_HEIGHT - MARGIN - 20.0;
/// Distance between the base lines of two lines, as a multiple of the size.
const LEADING: f32 = 1.36;
/// Distance from the top of a line to its base line, as a multiple of the size.
const ASCENT: f32 = 1.06;
const FOOTER: Style = Style::regular(8.0);

pub(super) fn height_of(lines: usize, style: Style) -> f32 {
    f32::from(u16::try_from(lines).unwrap_or(u16::MAX)) * style.size * LEADING
}

/// The pages, and where the next thing goes on the last of them.
pub(super) struct Paper<'a> {
    pub typesetter: &'a mut Typesetter,
    /// Where the next thing goes, from the top of the page.
    pub y: f32,
    pub size: PaperSize,
    /// The school's colour, for headings, bars and what is right.
    pub accent: Ink,
    pages: Vec<ReportPage>,
    page: ReportPage,
    outline: Outline,
}

impl<'a> Paper<'a> {
    /// A4, on which reports are.
    pub fn new(typesetter: &'a mut Typesetter) -> Self {
        Self::of(PaperSize::A4, typesetter)
    }

    pub fn of(size: PaperSize, typesetter: &'a mut Typesetter) -> Self {
        let accent = Ink::STRONG;
        Self { typesetter, y: MARGIN, size, accent, pages: Vec::new(), page: Vec::new(), outline: Outline::new() }
    }

    pub fn has_room(&self, height: f32) -> bool {
        self.y + height <= BOTTOM
    }

    /// Height of the content of an empty page.
    pub const fn whole() -> f32 {
        BOTTOM - MARGIN
    }

    pub fn turn(&mut self) {
        self.pages.push(std::mem::take(&mut self.page));
        self.y = MARGIN;
    }

    /// Puts what belongs to one part of the report.
    pub fn within<T>(&mut self, role: PartRole, put: impl FnOnce(&mut Self) -> T) -> T {
        self.outline.open(role);
        let done = put(self);
        self.outline.close();
        done
    }

    /// Puts what is not part of the text.
    pub fn decorate(&mut self, put: impl FnOnce(&mut Self)) {
        self.outline.open_decoration();
        put(self);
        self.outline.close();
    }

    pub fn put(&mut self, mark: Mark) {
        let is_text = matches!(mark, Mark::Text { .. } | Mark::Link { .. }) || self.outline.is_in_figure();
        let element = self.outline.current().filter(|_| is_text);
        self.page.push(PlacedMark { element, mark });
    }

    pub fn block(&mut self, x: f32, y: f32, width: f32, height: f32, ink: Ink) {
        if width > 0.0 {
            self.put(Mark::Block { x, y, width, height, ink });
        }
    }

    /// Puts a text in one line whose top is at `y`; returns its width.
    pub fn text(&mut self, x: f32, y: f32, text: &str, style: Style, ink: Ink) -> f32 {
        let line = self.typesetter.line(text, style.is_bold);
        let width = line.width(style.size);
        self.put(Mark::Text { x, y: y + style.size * ASCENT, line, size: style.size, ink });
        width
    }

    /// Like [`Self::text`], but the text ends at `right`.
    pub fn text_to(&mut self, right: f32, y: f32, text: &str, style: Style, ink: Ink) {
        let width = self.typesetter.width(text, style);
        self.text(right - width, y, text, style, ink);
    }

    /// Like [`Self::text`], but the text is centred at `middle`.
    pub fn text_around(&mut self, middle: f32, y: f32, text: &str, style: Style, ink: Ink) {
        let width = self.typesetter.width(text, style);
        self.text(middle - width / 2.0, y, text, style, ink);
    }

    /// Puts lines below each other; returns their height.
    pub fn lines(&mut self, x: f32, y: f32, lines: &[Arc<TextLine>], style: Style, ink: Ink) -> f32 {
        let mut below = y;
        for line in lines {
            self.put(Mark::Text { x, y: below + style.size * ASCENT, line: Arc::clone(line), size: style.size, ink });
            below += style.size * LEADING;
        }
        below - y
    }

    /// Puts a text of a few lines at the left, no wider than `width`.
    pub fn narrow(&mut self, text: &str, style: Style, ink: Ink, width: f32, lines_max: usize) {
        let (lines, y) = (self.typesetter.wrap(text, style, width, lines_max), self.y);
        self.y += self.within(PartRole::Paragraph, |paper| paper.lines(MARGIN, y, &lines, style, ink));
    }

    /// Puts a text across the whole width, over several pages if necessary.
    pub fn paragraph(&mut self, text: &str, style: Style, ink: Ink, lines_max: usize) {
        self.within(PartRole::Paragraph, |paper| paper.running_text(text, style, ink, lines_max));
    }

    /// Like [`Self::paragraph`], as part of something else.
    pub fn running_text(&mut self, text: &str, style: Style, ink: Ink, lines_max: usize) {
        for line in self.typesetter.wrap(text, style, WIDTH, lines_max) {
            if !self.has_room(height_of(1, style)) {
                self.turn();
            }
            self.y += self.lines(MARGIN, self.y, &[line], style, ink);
        }
    }

    /// Puts a heading on the page of what follows it, so that it never stands alone at the end of a page. `with` is the
    /// height of the first thing that follows.
    pub fn heading(&mut self, text: &str, with: f32) {
        let style = Style::bold(12.0);
        if !self.has_room(height_of(1, style) + 8.0 + with) {
            self.turn();
        }
        self.within(PartRole::Heading, |paper| paper.text(MARGIN, paper.y, text, style, paper.accent));
        self.y += height_of(1, style) + 5.0;
    }

    /// How many pages are full.
    pub const fn pages_full(&self) -> usize {
        self.pages.len()
    }

    /// Puts a footer on each full page from one on, counted from 0, when their number is known: `put` gets the number
    /// of the page among them, from 1, and how many they are.
    pub fn put_footers(&mut self, from: usize, put: impl Fn(&mut Self, usize, usize)) {
        let begun = std::mem::take(&mut self.page);
        self.outline.open_decoration();
        let count = self.pages.len().saturating_sub(from);
        for number in 1..=count {
            let place = from + number - 1;
            if let Some(page) = self.pages.get_mut(place) {
                self.page = std::mem::take(page);
            }
            put(self, number, count);
            if let Some(page) = self.pages.get_mut(place) {
                *page = std::mem::take(&mut self.page);
            }
        }
        self.outline.close();
        self.page = begun;
    }

    /// All pages, without a footer.
    pub fn finish_plain(mut self) -> LaidOut {
        if !self.page.is_empty() {
            self.turn();
        }
        LaidOut { pages: self.pages, elements: self.outline.elements, size: self.size }
    }

    /// All pages, each with its footer.
    pub fn finish(mut self, content: &ReportContent) -> LaidOut {
        self.turn();
        self.put_footers(0, |paper, number, count| {
            let y = PAPER_HEIGHT - MARGIN - 11.0;
            paper.block(MARGIN, y - 4.0, WIDTH, 0.6, Ink::RULE);
            paper.text(MARGIN, y, &content.reference, FOOTER, Ink::QUIET);
            paper.text_to(PAPER_WIDTH - MARGIN, y, &content.head.words.page(number, count), FOOTER, Ink::QUIET);
        });
        LaidOut { pages: self.pages, elements: self.outline.elements, size: self.size }
    }
}
