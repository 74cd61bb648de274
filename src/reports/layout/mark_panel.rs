//! The mark of the school's own scale, below the score: large, with its scale in words beside it.

use super::paper::{Paper, WIDTH, height_of};
use super::structure::PartRole;
use super::{Ink, MARGIN};
use crate::reports::marks::MarkOnPaper;
use crate::reports::text::Style;

/// Height of the panel.
const HEIGHT: f32 = 40.0;
/// Between the edge of the panel and its text, and between the parts of that.
const INSET: f32 = 18.0;
const GAP: f32 = 12.0;
/// From its top to that of the words, and to that of a mark in the largest size.
const BODY_TOP: f32 = 14.0;
const LARGE_TOP: f32 = 4.0;
/// Sizes of the mark, the largest in which it leaves room for the rest.
const SIZES: [f32; 4] = [24.0, 18.0, 14.0, 11.0];
/// The widest mark: as wide as the longest label in the smallest size.
const MARK_WIDTH: f32 = 300.0;
const BODY: Style = Style::regular(9.5);
/// More lines of words than this stand below the mark, over the whole width.
const LINES_BESIDE: usize = 2;
const LINES_BELOW: usize = 4;

/// Puts the mark, if there is one.
pub(super) fn put(paper: &mut Paper<'_>, mark: Option<&MarkOnPaper>) {
    let Some(mark) = mark else { return };
    let large = size_of(paper, &mark.text);
    let text = paper.typesetter.wrap(&mark.text, large, MARK_WIDTH, 1);
    let text_width = text.iter().map(|line| line.width(large.size)).sum::<f32>();
    let before = INSET + paper.typesetter.width(mark.heading, BODY) + GAP + text_width + GAP;
    let mut words = paper.typesetter.wrap(&mark.words, BODY, WIDTH - GAP - before, LINES_BESIDE + 1);
    let is_below = words.len() > LINES_BESIDE;
    if is_below {
        words = paper.typesetter.wrap(&mark.words, BODY, WIDTH - INSET - GAP, LINES_BELOW);
    }
    let height = HEIGHT + if is_below { height_of(words.len(), BODY) } else { 0.0 };
    if !paper.has_room(height) {
        paper.turn();
    }
    let top = paper.y;
    paper.block(MARGIN, top, WIDTH, height, Ink::GROUND);
    paper.block(MARGIN, top, 3.0, height, paper.accent);
    paper.within(PartRole::Paragraph, |paper| {
        let mut x = MARGIN + INSET;
        x += paper.text(x, top + BODY_TOP, mark.heading, BODY, Ink::QUIET) + GAP;
        paper.lines(x, top + top_of(large), &text, large, paper.accent);
        let (x, y) = match words.len() {
            _ if is_below => (MARGIN + INSET, top + HEIGHT - 5.0),
            1 => (MARGIN + before, top + BODY_TOP),
            _ => (MARGIN + before, top + 7.0),
        };
        paper.lines(x, y, &words, BODY, Ink::TEXT);
    });
    paper.y = top + height + 6.0;
}

/// The size in which a mark is set: a long label is set smaller.
fn size_of(paper: &mut Paper<'_>, text: &str) -> Style {
    let [.., smallest] = SIZES;
    let fits = |size: &f32| paper.typesetter.width(text, Style::bold(*size)) <= MARK_WIDTH;
    Style::bold(SIZES.into_iter().find(fits).unwrap_or(smallest))
}

/// From the top of the panel to the top of a mark, so that its base line is that of the words beside it.
fn top_of(style: Style) -> f32 {
    let [largest, ..] = SIZES;
    LARGE_TOP + (largest - style.size) * (BODY_TOP - LARGE_TOP) / (largest - BODY.size)
}

#[cfg(test)]
mod tests {
    use super::super::Mark;
    use super::*;
    use crate::reports::text::Typesetter;
    use crate::reports::text::fonts::Fonts;

    /// The texts of the panel with their sizes, and its height.
    fn panel(text: &str, words: &str) -> (Vec<(String, f32)>, f32) {
        let mut typesetter = Typesetter::new(Fonts::embedded().unwrap());
        let mut paper = Paper::new(&mut typesetter);
        let mark = MarkOnPaper { heading: "Điểm của trường", text: text.to_owned(), words: words.to_owned() };
        put(&mut paper, Some(&mark));
        let bottom = paper.y - 6.0;
        let mut texts = Vec::new();
        for placed in paper.finish_plain().pages.iter().flatten() {
            let Mark::Text { x, y, line, size, .. } = &placed.mark else { continue };
            assert!(x + line.width(*size) <= MARGIN + WIDTH, "{text}: beyond the panel");
            assert!(*y < bottom, "{text}: below the panel");
            let shown = line.runs.iter().flat_map(|run| &run.glyphs).map(|glyph| glyph.text.as_str()).collect();
            texts.push((shown, *size));
        }
        (texts, bottom - MARGIN)
    }

    #[test]
    fn a_long_label_and_the_words_about_it_are_whole_within_the_panel() {
        let (texts, height) = panel("7,5", "trên 10, mức đạt là 5 · đạt");
        assert_eq!((texts[1].clone(), texts.len(), height), (("7,5".to_owned(), 24.0), 3, HEIGHT));
        let words = "trên thang từ Chưa hoàn thành đến Hoàn thành tốt, cao nhất là Hoàn thành tốt, \
                     mức đạt là Hoàn thành · chưa đạt";
        for label in ["Chưa hoàn thành", "nicht bestanden", &"W".repeat(24)] {
            let (texts, height) = panel(label, words);
            assert_eq!(texts[1].0, label, "no part of a label is cut off");
            let said: Vec<&str> = texts.iter().skip(2).map(|(text, _)| text.as_str()).collect();
            assert_eq!(said.join(" "), words);
            assert!(height > HEIGHT, "{label}");
        }
        assert!(panel("Chưa hoàn thành", words).0[1].1 > panel(&"W".repeat(24), words).0[1].1);
    }
}
