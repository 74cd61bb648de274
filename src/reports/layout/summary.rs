//! The first part of a report, with what a parent looks for first: who, when, the score on its scale, and the results
//! by topic, difficulty and stage.

use std::sync::Arc;

use domain::scoring::{SCORE_MAX, SCORE_MIN};

use super::content::{Bar, ReportContent};
use super::mark_panel;
use super::paper::{Paper, WIDTH, height_of};
use super::structure::PartRole;
use super::{Ink, MARGIN, Mark, PAPER_WIDTH};
use crate::reports::text::Style;

/// Lines of the student's name, so that a long one can't push the score off the page.
const NAME_LINES_MAX: usize = 3;
/// Lines of the school's name.
const SCHOOL_LINES_MAX: usize = 2;
/// Height of the crest, and its width at most.
const CREST_HEIGHT: f32 = 34.0;
const CREST_WIDTH_MAX: f32 = 136.0;
/// Distance from the crest to what is beside and below it.
const CREST_GAP: f32 = 8.0;
/// Lines of one annotation's key or value.
const VALUE_LINES_MAX: usize = 3;
/// Lines of the address of the report's page. A longer address is cut off on paper; the link itself has all of it.
const LINK_LINES_MAX: usize = 2;
/// Topics that fit beside the difficulties; more get the full width.
const TOPICS_BESIDE_MAX: usize = 12;

const BODY: Style = Style::regular(9.5);
const SMALL: Style = Style::regular(8.0);
/// Height of the panel with the score.
const PANEL_HEIGHT: f32 = 96.0;
/// Distance between two columns.
const GAP: f32 = 28.0;
const BAR_HEIGHT: f32 = 6.0;

pub(super) fn put(paper: &mut Paper<'_>, content: &ReportContent) {
    title(paper, content);
    annotations(paper, content);
    paper.y += 10.0;
    score(paper, content);
    mark_panel::put(paper, content.mark.as_ref());
    trust(paper, content);
    breakdowns(paper, content);
}

fn title(paper: &mut Paper<'_>, content: &ReportContent) {
    let (right, large) = (PAPER_WIDTH - MARGIN, Style::bold(20.0));
    school(paper, content);
    paper.within(PartRole::Title, |paper| {
        paper.text(MARGIN, paper.y, "Mathematics test report", large, Ink::STRONG);
        paper.text_to(right, paper.y, &content.grade, large, Ink::STRONG);
    });
    paper.y += height_of(1, large) + 3.0;
    paper.block(MARGIN, paper.y, WIDTH, 1.4, Ink::STRONG);
    paper.y += 11.0;
    if let Some(name) = &content.annotations.name {
        paper.paragraph(name, Style::bold(15.0), Ink::TEXT, NAME_LINES_MAX);
        paper.y += 1.0;
    }
    let form = content.form.as_ref().map(|form| format!(" · {form}")).unwrap_or_default();
    paper.paragraph(&format!("{} · time taken {}{form}", content.dates, content.time_taken), BODY, Ink::TEXT, 2);
    link(paper, content);
}

/// Puts the crest, and the school's name beside it.
fn school(paper: &mut Paper<'_>, content: &ReportContent) {
    let (top, mut left, mut height) = (paper.y, MARGIN, 0.0);
    if let Some(crest) = &content.crest {
        let (wide, high) = (crest.width_at(CREST_HEIGHT), CREST_HEIGHT);
        let scale = (CREST_WIDTH_MAX / wide).min(1.0);
        let (width, picture) = (wide * scale, Arc::clone(crest));
        let words = if content.school.is_empty() { "The school's crest" } else { "Crest" };
        paper.within(PartRole::Figure(words.to_owned()), |paper| {
            paper.put(Mark::Crest { x: MARGIN, y: top, width, height: high * scale, picture });
        });
        (left, height) = (left + width + CREST_GAP, high * scale);
    }
    if !content.school.is_empty() {
        let width = PAPER_WIDTH - MARGIN - left;
        let lines = paper.typesetter.wrap(&content.school, BODY, width, SCHOOL_LINES_MAX);
        let of_name = height_of(lines.len(), BODY);
        let below = top + ((height - of_name) / 2.0).max(0.0);
        paper.within(PartRole::Paragraph, |paper| paper.lines(left, below, &lines, BODY, Ink::QUIET));
        height = height.max(of_name);
    }
    if height > 0.0 {
        paper.y = top + height + if content.crest.is_some() { CREST_GAP } else { 2.0 };
    }
}

fn link(paper: &mut Paper<'_>, content: &ReportContent) {
    let Some(url) = &content.link else { return };
    let lines = paper.typesetter.wrap(url, SMALL, WIDTH, LINK_LINES_MAX);
    let width = lines.iter().map(|line| line.width(SMALL.size)).fold(0.0, f32::max);
    paper.y += paper.within(PartRole::Paragraph, |paper| {
        paper.within(PartRole::Link, |paper| {
            let height = paper.lines(MARGIN, paper.y, &lines, SMALL, Ink::STRONG);
            paper.put(Mark::Link { x: MARGIN, y: paper.y, width, height, url: url.clone() });
            height
        })
    });
}

/// Puts the annotations in two columns, in the order in which they were sent.
fn annotations(paper: &mut Paper<'_>, content: &ReportContent) {
    let width = (WIDTH - GAP) / 2.0;
    if !content.annotations.pairs.is_empty() {
        paper.y += 7.0;
    }
    for pair in content.annotations.pairs.chunks(2) {
        let mut height = 0.0_f32;
        for (column, (key, value)) in pair.iter().enumerate() {
            let x = if column == 0 { MARGIN } else { MARGIN + width + GAP };
            let keys = paper.typesetter.wrap(key, SMALL, width * 0.36, VALUE_LINES_MAX);
            let values = paper.typesetter.wrap(value, BODY, width * 0.62, VALUE_LINES_MAX);
            let of_pair = paper.within(PartRole::Paragraph, |paper| {
                let of_keys = paper.lines(x, paper.y + 1.6, &keys, SMALL, Ink::QUIET);
                of_keys.max(paper.lines(x + width * 0.38, paper.y, &values, BODY, Ink::TEXT))
            });
            height = height.max(of_pair);
        }
        paper.y += height + 1.0;
    }
    let words = match content.annotations.left_out {
        0 => return,
        1 => "One more annotation is left out here.".to_owned(),
        count => format!("{count} more annotations are left out here."),
    };
    paper.paragraph(&words, SMALL, Ink::QUIET, 1);
}

/// Puts the score in figures and on its scale, with the numbers that it is made of.
fn score(paper: &mut Paper<'_>, content: &ReportContent) {
    let top = paper.y;
    paper.block(MARGIN, top, WIDTH, PANEL_HEIGHT, Ink::GROUND);
    paper.block(MARGIN, top, 3.0, PANEL_HEIGHT, Ink::STRONG);
    let of_scale = format!("on a scale of {SCORE_MIN} to {SCORE_MAX}");
    paper.within(PartRole::Paragraph, |paper| {
        paper.text(MARGIN + 18.0, top + 12.0, "Score", BODY, Ink::QUIET);
        paper.text(MARGIN + 18.0, top + 22.0, &content.score.to_string(), Style::bold(38.0), Ink::STRONG);
        paper.text(MARGIN + 18.0, top + 73.0, &of_scale, SMALL, Ink::QUIET);
    });
    let picture = format!("A marker at {} {of_scale}", content.score);
    paper.within(PartRole::Figure(picture), |paper| {
        scale(paper, content.score_share, MARGIN + 138.0, top + 22.0, WIDTH - 138.0 - 22.0);
    });
    let facts = [
        ("Correct", Some(&content.correct)),
        ("Accuracy", Some(&content.accuracy)),
        ("Points", content.points.as_ref()),
    ];
    let mut x = MARGIN + 138.0;
    for (label, value) in facts {
        let Some(value) = value else { continue };
        x += 30.0
            + paper.within(PartRole::Paragraph, |paper| {
                let under = paper.text(x, top + 80.0, label, SMALL, Ink::QUIET);
                under.max(paper.text(x, top + 64.0, value, Style::bold(12.0), Ink::TEXT))
            });
    }
    paper.y = top + PANEL_HEIGHT + 6.0;
}

/// Puts a bar from the lowest to the highest score with a tick at each hundred, and a marker at the student's score.
fn scale(paper: &mut Paper<'_>, share: f32, x: f32, y: f32, width: f32) {
    paper.block(x, y, width, 10.0, Ink::TRACK);
    paper.block(x, y, width * share, 10.0, Ink::STRONG);
    for hundreds in (SCORE_MIN..=SCORE_MAX).step_by(100) {
        let part = f32::from(u16::try_from(hundreds - SCORE_MIN).unwrap_or_default())
            / f32::from(u16::try_from(SCORE_MAX - SCORE_MIN).unwrap_or(1));
        paper.block(x + width * part - 0.4, y + 10.0, 0.8, 4.0, Ink::QUIET);
        paper.text_around(x + width * part, y + 15.0, &hundreds.to_string(), SMALL, Ink::QUIET);
    }
    let at = x + width * share;
    // The marker is drawn twice, first a little larger in the colour of the panel, so that it stands out from the bar.
    let marker = |grown: f32| {
        vec![(at - 5.5 - grown, y - 9.0 - grown), (at + 5.5 + grown, y - 9.0 - grown), (at, y + 3.0 + grown * 1.5)]
    };
    paper.put(Mark::Path { points: marker(1.2), is_closed: true, thickness: None, ink: Ink::GROUND });
    paper.put(Mark::Path { points: marker(0.0), is_closed: true, thickness: None, ink: Ink::TEXT });
}

/// Says where the result comes from and who graded it, in a place where no annotation can stand.
fn trust(paper: &mut Paper<'_>, content: &ReportContent) {
    if content.is_sent_by_client {
        // A parent must not take it for an exam that was sat here.
        let words = "Sent by a client: this server has not seen the test being taken.";
        paper.paragraph(words, Style::bold(9.5), Ink::TEXT, 2);
        paper.y += 2.0;
    }
    if let Some(change) = &content.change {
        paper.paragraph(change, Style::bold(9.5), Ink::TEXT, 3);
        paper.y += 2.0;
    }
    let words = match (content.is_unverified, &content.points) {
        (true, _) => "This result was sent by a client and was not graded by the server.",
        (false, Some(_)) => {
            "Graded by the server. A right answer earns as many points as its question is difficult, 1 to 5."
        }
        (false, None) => "Graded by the server.",
    };
    paper.paragraph(words, SMALL, Ink::QUIET, 2);
    paper.y += 12.0;
}

fn breakdowns(paper: &mut Paper<'_>, content: &ReportContent) {
    let mut right = vec![("By difficulty", &content.difficulties)];
    if !content.stages.is_empty() {
        right.push(("By stage", &content.stages));
    }
    right.retain(|(_, bars)| !bars.is_empty());
    let width = (WIDTH - GAP) / 2.0;
    let of_topics = column_height(paper, &content.topics, width);
    let of_right: f32 = right.iter().map(|(_, bars)| column_height(paper, bars, width)).sum();
    let needed = of_topics.max(of_right);
    if !content.topics.is_empty() && content.topics.len() <= TOPICS_BESIDE_MAX && needed <= Paper::whole() {
        if !paper.has_room(needed) {
            paper.turn();
        }
        let top = paper.y;
        column(paper, "By topic", &content.topics, MARGIN, width);
        paper.y = top;
        for (heading, bars) in right {
            column(paper, heading, bars, MARGIN + width + GAP, width);
        }
        paper.y = top + needed;
    } else {
        for (heading, bars) in right.into_iter().chain([("By topic", &content.topics)]) {
            column(paper, heading, bars, MARGIN, WIDTH);
        }
    }
}

const HEADING_HEIGHT: f32 = 21.4;
const AFTER_COLUMN: f32 = 10.0;

fn column_height(paper: &mut Paper<'_>, bars: &[Bar], width: f32) -> f32 {
    if bars.is_empty() {
        return 0.0;
    }
    HEADING_HEIGHT + AFTER_COLUMN + bars.iter().map(|bar| bar_height(paper, bar, width)).sum::<f32>()
}

fn bar_height(paper: &mut Paper<'_>, bar: &Bar, width: f32) -> f32 {
    let label = label_width(paper, bar, width);
    height_of(paper.typesetter.wrap(&bar.label, BODY, label, usize::MAX).len().max(1), BODY) + BAR_HEIGHT + 6.0
}

fn label_width(paper: &mut Paper<'_>, bar: &Bar, width: f32) -> f32 {
    width - paper.typesetter.width(&bar.words, BODY) - 10.0
}

/// Puts a heading and its bars, over several pages if there are many.
fn column(paper: &mut Paper<'_>, heading: &str, bars: &[Bar], x: f32, width: f32) {
    let Some(first) = bars.first() else { return };
    let with = bar_height(paper, first, width);
    if !paper.has_room(HEADING_HEIGHT + with) {
        paper.turn();
    }
    paper.within(PartRole::Heading, |paper| paper.text(x, paper.y, heading, Style::bold(12.0), Ink::STRONG));
    paper.y += HEADING_HEIGHT;
    for bar in bars {
        let height = bar_height(paper, bar, width);
        if !paper.has_room(height) {
            paper.turn();
        }
        let label = label_width(paper, bar, width);
        let lines = paper.typesetter.wrap(&bar.label, BODY, label, usize::MAX);
        let below = paper.within(PartRole::Paragraph, |paper| {
            let below = paper.lines(x, paper.y, &lines, BODY, Ink::TEXT).max(height_of(1, BODY));
            paper.text_to(x + width, paper.y, &bar.words, BODY, Ink::TEXT);
            below
        });
        paper.block(x, paper.y + below + 1.0, width, BAR_HEIGHT, Ink::TRACK);
        paper.block(x, paper.y + below + 1.0, width * bar.share, BAR_HEIGHT, Ink::STRONG);
        paper.y += height;
    }
    paper.y += AFTER_COLUMN;
}
