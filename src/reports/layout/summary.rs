//! The first part of a report, with what a parent looks for first: who, when, the score on its scale, and the results
//! by topic, difficulty and stage.

use domain::scoring::{SCORE_MAX, SCORE_MIN};

use super::content::{Bar, ReportContent};
use super::letterhead::CrestBox;
use super::mark_panel;
use super::paper::{Paper, WIDTH, height_of};
use super::report_link::ReportLink;
use super::structure::PartRole;
use super::words::PaperWords;
use super::{Ink, MARGIN, Mark, PAPER_WIDTH, qr};
use crate::reports::text::Style;

/// Lines of the exam's name.
const TITLE_LINES_MAX: usize = 3;
/// Edge of the code that leads to the report's page, large enough for the camera of any phone.
const CODE_EDGE: f32 = 72.0;
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
/// Lines of the link to the report's page, which names its host.
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
    let large = Style::bold(20.0);
    school(paper, content);
    let (lines, y) = (paper.typesetter.wrap(&content.title, large, WIDTH, TITLE_LINES_MAX), paper.y);
    paper.y += paper.within(PartRole::Title, |paper| paper.lines(MARGIN, y, &lines, large, paper.accent));
    paper.paragraph(&content.subject, BODY, Ink::QUIET, 1);
    paper.y += 3.0;
    paper.block(MARGIN, paper.y, WIDTH, 1.4, paper.accent);
    paper.y += 9.0;
    let top = paper.y;
    let beside = if content.link.is_some() { WIDTH - CODE_EDGE - CREST_GAP } else { WIDTH };
    if let Some(name) = &content.annotations.name {
        paper.narrow(name, Style::bold(15.0), Ink::TEXT, beside, NAME_LINES_MAX);
        paper.y += 1.0;
    }
    let form = content.form.as_ref().map(|form| format!(" · {form}")).unwrap_or_default();
    let taken = content.head.words.time_taken(&content.time_taken);
    paper.narrow(&format!("{} · {taken}{form}", content.dates), BODY, Ink::TEXT, beside, 2);
    if let Some(link) = &content.link {
        put_link(paper, content.head.words, link, beside);
        put_code(paper, content.head.words, link, top);
    }
}

/// Puts the crest, and the school's name beside it.
fn school(paper: &mut Paper<'_>, content: &ReportContent) {
    let head = &content.head;
    if head.is_empty() {
        return;
    }
    let top = paper.y;
    let within = CrestBox { x: MARGIN, y: top, width_max: CREST_WIDTH_MAX, height: CREST_HEIGHT };
    let crest = if head.crest.is_some() {
        paper.within(PartRole::Figure(head.words.crest().to_owned()), |paper| head.put_crest(paper, within))
    } else {
        0.0
    };
    let (left, high) = if crest > 0.0 { (MARGIN + crest + CREST_GAP, CREST_HEIGHT) } else { (MARGIN, 0.0) };
    let lines = paper.typesetter.wrap(&head.school, BODY, PAPER_WIDTH - MARGIN - left, SCHOOL_LINES_MAX);
    let of_name = height_of(lines.len(), BODY);
    if !lines.is_empty() {
        let below = top + ((high - of_name) / 2.0).max(0.0);
        paper.within(PartRole::Paragraph, |paper| paper.lines(left, below, &lines, BODY, Ink::QUIET));
    }
    paper.y = top + high.max(of_name) + if crest > 0.0 { CREST_GAP } else { 2.0 };
}

/// Puts the link to the report's page. Its address, which nobody types, is in the code beside it.
fn put_link(paper: &mut Paper<'_>, words: PaperWords, link: &ReportLink, beside: f32) {
    let lines = paper.typesetter.wrap(&words.report_online(&link.host), SMALL, beside, LINK_LINES_MAX);
    let width = lines.iter().map(|line| line.width(SMALL.size)).fold(0.0, f32::max);
    paper.y += paper.within(PartRole::Paragraph, |paper| {
        paper.within(PartRole::Link, |paper| {
            let height = paper.lines(MARGIN, paper.y, &lines, SMALL, paper.accent);
            paper.put(Mark::Link { x: MARGIN, y: paper.y, width, height, url: link.url.clone() });
            height
        })
    });
}

/// Puts the code that leads to the report's page at the right of what begins at `top`.
fn put_code(paper: &mut Paper<'_>, words: PaperWords, link: &ReportLink, top: f32) {
    paper.within(PartRole::Figure(words.qr_code_of_report().to_owned()), |paper| {
        qr::put(paper, &link.url, PAPER_WIDTH - MARGIN - CODE_EDGE, top, CODE_EDGE);
    });
    paper.y = paper.y.max(top + CODE_EDGE);
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
    if content.annotations.left_out > 0 {
        let words = content.head.words.annotations_left_out(content.annotations.left_out);
        paper.paragraph(&words, SMALL, Ink::QUIET, 1);
    }
}

/// Puts the score in figures and on its scale, with the numbers that it is made of.
fn score(paper: &mut Paper<'_>, content: &ReportContent) {
    let (top, words) = (paper.y, content.head.words);
    paper.block(MARGIN, top, WIDTH, PANEL_HEIGHT, Ink::GROUND);
    paper.block(MARGIN, top, 3.0, PANEL_HEIGHT, paper.accent);
    let of_scale = words.on_scale(SCORE_MIN, SCORE_MAX);
    paper.within(PartRole::Paragraph, |paper| {
        paper.text(MARGIN + 18.0, top + 12.0, words.score(), BODY, Ink::QUIET);
        paper.text(MARGIN + 18.0, top + 22.0, &content.score.to_string(), Style::bold(38.0), paper.accent);
        paper.text(MARGIN + 18.0, top + 73.0, &of_scale, SMALL, Ink::QUIET);
    });
    paper.within(PartRole::Figure(words.marker(content.score, &of_scale)), |paper| {
        scale(paper, content.score_share, MARGIN + 138.0, top + 22.0, WIDTH - 138.0 - 22.0);
    });
    let facts = [
        (words.correct_answers(), Some(&content.correct)),
        (words.accuracy(), Some(&content.accuracy)),
        (words.raw_points(), content.points.as_ref()),
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
    paper.block(x, y, width * share, 10.0, paper.accent);
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
    let words = content.head.words;
    if content.is_sent_by_client {
        // A parent must not take it for an exam that was sat here.
        paper.paragraph(words.sent_by_client(), Style::bold(9.5), Ink::TEXT, 2);
        paper.y += 2.0;
    }
    if let Some(change) = &content.change {
        paper.paragraph(change, Style::bold(9.5), Ink::TEXT, 3);
        paper.y += 2.0;
    }
    let graded = match (content.is_unverified, &content.points) {
        (true, _) => words.not_graded_here(),
        (false, Some(_)) => words.graded_with_points(),
        (false, None) => words.graded(),
    };
    paper.paragraph(graded, SMALL, Ink::QUIET, 2);
    paper.y += 12.0;
}

fn breakdowns(paper: &mut Paper<'_>, content: &ReportContent) {
    let words = content.head.words;
    let mut right = vec![(words.by_difficulty(), &content.difficulties)];
    if !content.stages.is_empty() {
        right.push((words.by_stage(), &content.stages));
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
        column(paper, words.by_topic(), &content.topics, MARGIN, width);
        paper.y = top;
        for (heading, bars) in right {
            column(paper, heading, bars, MARGIN + width + GAP, width);
        }
        paper.y = top + needed;
    } else {
        for (heading, bars) in right.into_iter().chain([(words.by_topic(), &content.topics)]) {
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
    paper.within(PartRole::Heading, |paper| paper.text(x, paper.y, heading, Style::bold(12.0), paper.accent));
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
        paper.block(x, paper.y + below + 1.0, width * bar.share, BAR_HEIGHT, paper.accent);
        paper.y += height;
    }
    paper.y += AFTER_COLUMN;
}
