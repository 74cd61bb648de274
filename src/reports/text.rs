//! Sets text in lines: which glyphs show it, in which order, and how wide they are. It knows nothing of PDF.

pub mod coverage;
pub mod fonts;
pub mod formula;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use harfrust::{Buffer, BufferFlags, ClusterLevel, Direction, Script, ShapeOptions, ShapePlan, ShaperFont, shape};
use unicode_bidi::BidiInfo;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use fonts::{FaceId, Fonts};

/// Thousandths of an em, the unit of all widths in this module.
pub const EM: f32 = 1_000.0;
const ELLIPSIS: &str = "…";
/// Begins a part that does not turn what is around it (`domain/src/text/direction.rs`).
const ISOLATE: &str = "\u{2068}";
/// The first right-to-left script begins here; text below it needs no reordering.
const FIRST_RIGHT_TO_LEFT: char = '\u{590}';
/// Bytes of the texts whose lines are remembered while a report is made; others are shaped again each time.
const KNOWN_BYTES_MAX: usize = 512 * 1_024;

/// A glyph in its place. Lengths are in thousandths of an em.
#[derive(Clone, Debug)]
pub struct Glyph {
    /// Number of the glyph in its face.
    pub id: u16,
    /// Distance to the next glyph.
    pub advance: f32,
    /// How far the glyph is moved to the right of its place.
    pub right: f32,
    /// How far the glyph is raised above the base line.
    pub up: f32,
    /// The characters that the glyph shows; empty when another glyph stands for them.
    pub text: String,
}

/// Glyphs of one face, from left to right.
#[derive(Clone, Debug)]
pub struct Run {
    pub face: FaceId,
    pub glyphs: Vec<Glyph>,
}

/// A line of text, from left to right.
#[derive(Clone, Debug, Default)]
pub struct TextLine {
    pub runs: Vec<Run>,
    /// In thousandths of an em.
    width: f32,
}

impl TextLine {
    /// Width in points of the line at a size in points.
    #[must_use]
    pub fn width(&self, size: f32) -> f32 {
        self.width / EM * size
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// In points.
    pub size: f32,
    pub is_bold: bool,
}

impl Style {
    #[must_use]
    pub const fn regular(size: f32) -> Self {
        Self { size, is_bold: false }
    }

    #[must_use]
    pub const fn bold(size: f32) -> Self {
        Self { size, is_bold: true }
    }
}

/// Sets the lines of one report. It remembers what it has shaped, since reports repeat topics and labels.
pub struct Typesetter {
    fonts: &'static Fonts,
    shapers: HashMap<FaceId, ShaperFont<'static, 'static>>,
    plans: HashMap<(FaceId, Option<Script>, bool), ShapePlan>,
    buffer: Buffer,
    known: HashMap<(String, bool), Arc<TextLine>>,
    known_bytes_left: usize,
}

impl Typesetter {
    #[must_use]
    pub fn new(fonts: &'static Fonts) -> Self {
        Self {
            fonts,
            shapers: HashMap::new(),
            plans: HashMap::new(),
            buffer: Buffer::new(),
            known: HashMap::new(),
            known_bytes_left: KNOWN_BYTES_MAX,
        }
    }

    /// Sets a text in one line, however long.
    pub fn line(&mut self, text: &str, is_bold: bool) -> Arc<TextLine> {
        if let Some(line) = self.known.get(&(text.to_owned(), is_bold)) {
            return Arc::clone(line);
        }
        let line = Arc::new(self.shaped(&coverage::readable(text, self.fonts), is_bold));
        if let Some(left) = self.known_bytes_left.checked_sub(text.len()) {
            self.known_bytes_left = left;
            self.known.insert((text.to_owned(), is_bold), Arc::clone(&line));
        }
        line
    }

    /// Width in points of a text in one line.
    pub fn width(&mut self, text: &str, style: Style) -> f32 {
        self.line(text, style.is_bold).width(style.size)
    }

    /// Sets a text in lines no wider than `width` points, at most `lines_max` of them. If the text is longer, the last
    /// line ends in an ellipsis.
    pub fn wrap(&mut self, text: &str, style: Style, width: f32, lines_max: usize) -> Vec<Arc<TextLine>> {
        let mut rows = self.rows(&coverage::readable(text, self.fonts), style, width);
        if rows.len() > lines_max {
            rows.truncate(lines_max);
            if let Some(last) = rows.last_mut() {
                *last = self.with_ellipsis(last, style, width);
            }
        }
        let mut open = 0_usize;
        let mut lines = Vec::with_capacity(rows.len());
        for row in &rows {
            // A name that goes on in the next line is isolated there too.
            let begun = if open > 0 { ISOLATE } else { "" };
            lines.push(self.line(&format!("{begun}{row}"), style.is_bold));
            for character in row.chars() {
                match character {
                    '\u{2068}' => open += 1,
                    '\u{2069}' => open = open.saturating_sub(1),
                    _ => {}
                }
            }
        }
        lines
    }

    /// The text of each line. Lines are broken between words, and within words that are too long for a line.
    fn rows(&mut self, text: &str, style: Style, width: f32) -> Vec<String> {
        let space = self.width("x x", style) - self.width("xx", style);
        let (mut rows, mut row, mut taken) = (Vec::new(), String::new(), 0.0);
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let word_width = self.width(word, style);
            let needed = if row.is_empty() { word_width } else { taken + space + word_width };
            if needed <= width {
                row.extend((!row.is_empty()).then_some(' '));
                row.push_str(word);
                taken = needed;
                continue;
            }
            rows.extend((!row.is_empty()).then(|| std::mem::take(&mut row)));
            let mut pieces = if word_width <= width { vec![word.to_owned()] } else { self.pieces(word, style, width) };
            row = pieces.pop().unwrap_or_default();
            rows.append(&mut pieces);
            taken = self.width(&row, style);
        }
        rows.extend((!row.is_empty()).then_some(row));
        rows
    }

    /// Splits a word into pieces that fit. A combining mark stays with its letter.
    fn pieces(&mut self, word: &str, style: Style, width: f32) -> Vec<String> {
        let (mut pieces, mut piece, mut taken) = (Vec::new(), String::new(), 0.0);
        for character in word.chars() {
            let wide = self.width(character.encode_utf8(&mut [0; 4]), style);
            if taken + wide > width && !piece.is_empty() && !is_combining_mark(character) {
                pieces.push(std::mem::take(&mut piece));
                taken = 0.0;
            }
            piece.push(character);
            taken += wide;
        }
        pieces.push(piece);
        pieces
    }

    fn with_ellipsis(&mut self, row: &str, style: Style, width: f32) -> String {
        let mut kept = row.to_owned();
        loop {
            let cut = format!("{kept}{ELLIPSIS}");
            if kept.is_empty() || self.width(&cut, style) <= width {
                return cut;
            }
            kept.pop();
        }
    }

    fn shaped(&mut self, text: &str, is_bold: bool) -> TextLine {
        let mut line = TextLine::default();
        if text.chars().all(|character| character < FIRST_RIGHT_TO_LEFT) {
            self.shape_run(text, is_bold, false, &mut line);
            return line;
        }
        let bidi = BidiInfo::new(text, None);
        for paragraph in &bidi.paragraphs {
            let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
            for run in runs {
                let is_rtl = levels.get(run.start).is_some_and(unicode_bidi::Level::is_rtl);
                let run = text.get(run).unwrap_or_default().replace(coverage::is_isolate, "");
                self.shape_run(&run, is_bold, is_rtl, &mut line);
            }
        }
        line
    }

    /// Shapes text of one direction, with the faces that have its characters.
    fn shape_run(&mut self, text: &str, is_bold: bool, is_rtl: bool, line: &mut TextLine) {
        let mut parts = self.fonts.parts(text, is_bold);
        if is_rtl {
            parts.reverse();
        }
        for (face, part) in parts {
            let run = self.shape_part(face, part, is_rtl);
            line.width += run.glyphs.iter().map(|glyph| glyph.advance).sum::<f32>();
            line.runs.push(run);
        }
    }

    fn shape_part(&mut self, face: FaceId, text: &str, is_rtl: bool) -> Run {
        let Self { fonts, shapers, plans, buffer, .. } = self;
        let empty = Run { face, glyphs: Vec::new() };
        let (Some(of), Some(font)) = (fonts.face(face), fonts.font(face)) else { return empty };
        if !shapers.contains_key(&face) {
            shapers.extend(fonts.shaper(face).map(|shaper| (face, shaper)));
        }
        let Some(shaper) = shapers.get(&face) else { return empty };
        let direction = if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight };
        buffer.reset();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        buffer.set_direction(direction);
        buffer.set_language(None);
        buffer.set_cluster_level(ClusterLevel::MonotoneCharacters);
        buffer.set_flags(BufferFlags::REMOVE_DEFAULT_IGNORABLES);
        let script = buffer.script();
        let plan =
            plans.entry((face, script, is_rtl)).or_insert_with(|| ShapePlan::new(font, direction, script, None, &[]));
        match shape(shaper, buffer, ShapeOptions::new().plan(Some(plan))) {
            Ok(()) => Run { face, glyphs: glyphs(buffer, text, is_rtl, EM / of.units_per_em()) },
            Err(_) => empty,
        }
    }
}

/// The shaped glyphs with the characters that each of them shows.
fn glyphs(buffer: &Buffer, text: &str, is_rtl: bool, scale: f32) -> Vec<Glyph> {
    let infos = buffer.glyph_infos();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for info in infos {
        *counts.entry(info.cluster as usize).or_default() += 1;
    }
    let ends = counts.keys().skip(1).copied().chain([text.len()]);
    let mut shown: HashMap<usize, Vec<String>> = HashMap::new();
    for ((start, count), end) in counts.iter().zip(ends) {
        let mut texts = texts(text.get(*start..end).unwrap_or_default(), *count, is_rtl);
        // `pop` below takes them from the end.
        if !is_rtl {
            texts.reverse();
        }
        shown.insert(*start, texts);
    }
    let glyph = |(info, position): (&harfrust::GlyphInfo, &harfrust::GlyphPosition)| Glyph {
        id: u16::try_from(info.glyph_id).unwrap_or_default(),
        advance: length(position.x_advance) * scale,
        right: length(position.x_offset) * scale,
        up: length(position.y_offset) * scale,
        text: shown.get_mut(&(info.cluster as usize)).and_then(Vec::pop).unwrap_or_default(),
    };
    infos.iter().zip(buffer.glyph_positions()).map(glyph).collect()
}

/// Distributes the characters of a cluster over its glyphs, in the order of the text. If they can't be matched one to
/// one, the first glyph gets all of them.
fn texts(cluster: &str, count: usize, is_rtl: bool) -> Vec<String> {
    let parts: Vec<String> = cluster.nfd().map(String::from).collect();
    match count {
        1 if is_rtl => vec![cluster.chars().map(mirrored).collect()],
        1 => vec![cluster.to_owned()],
        _ if parts.len() == count => parts,
        _ => std::iter::once(cluster.to_owned())
            .chain(std::iter::repeat_n(String::new(), count.saturating_sub(1)))
            .collect(),
    }
}

/// In right-to-left text a bracket is shown by the mirrored glyph. A glyph has one text in the file, so a reader gets
/// the bracket that is seen.
const fn mirrored(character: char) -> char {
    match character {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        other => other,
    }
}

/// Measures of a font fit into 16 bits, which a float holds exactly.
fn length(units: i32) -> f32 {
    f32::from(i16::try_from(units).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn typesetter() -> Typesetter {
        Typesetter::new(Fonts::embedded().unwrap())
    }

    fn shown(line: &TextLine) -> String {
        line.runs.iter().flat_map(|run| &run.glyphs).map(|glyph| glyph.text.as_str()).collect()
    }

    #[test]
    fn letters_of_many_scripts_are_shown_in_their_order() {
        let mut typesetter = typesetter();
        for text in [
            "Zoë Müller-Łukasz",
            "Αθηνά Παπαδοπούλου",
            "Юлия Ёлкина",
            "Nguyễn Thị Ánh Tuyết",
            "x² ≤ √2 × π − ½",
            "Դավիթ",
            "დავითი",
        ] {
            assert_eq!(shown(&typesetter.line(text, false)), text);
            assert_eq!(shown(&typesetter.line(text, true)), text);
        }
        // Glyphs of right-to-left text are in reverse order.
        assert_eq!(shown(&typesetter.line("דנה", false)).chars().rev().collect::<String>(), "דנה");
    }

    #[test]
    fn an_isolated_name_does_not_turn_its_line() {
        let mut typesetter = typesetter();
        assert_eq!(shown(&typesetter.line("\u{2068}חדר 12\u{2069} · Finals", false)), "12 רדח · Finals");
        assert_eq!(shown(&typesetter.line("\u{2068}Ada\u{2069}", false)), "Ada", "nothing of the marks is drawn");
        // A text of its own has the direction of its letters.
        assert_eq!(shown(&typesetter.line("חדר!", false)), "!רדח");
        let name = "חדר ".repeat(6);
        let rows = typesetter.wrap(&format!("\u{2068}{name}\u{2069}· Finals"), Style::regular(9.0), 60.0, 9);
        assert!(rows.len() > 1 && shown(rows.last().unwrap()).ends_with("Finals"), "{rows:?}");
    }

    #[test]
    fn a_long_text_takes_no_more_for_each_character_than_a_short_one() {
        let began = Instant::now();
        let line = typesetter().line(&"\u{1F9D1}\u{200D}".repeat(10_000), false);
        assert!(line.runs.iter().map(|run| run.glyphs.len()).sum::<usize>() >= 90_000);
        // Work that grows with the square of the length takes minutes.
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }

    #[test]
    fn arabic_letters_are_joined() {
        let mut typesetter = typesetter();
        let apart: f32 = ["م", "ح", "م", "د"].iter().map(|letter| typesetter.width(letter, Style::regular(10.0))).sum();
        assert!(typesetter.width("محمد", Style::regular(10.0)) < apart, "joined letters are narrower");
    }

    #[test]
    fn lines_are_no_wider_than_they_may_be_and_lose_nothing() {
        let mut typesetter = typesetter();
        let style = Style::regular(9.0);
        let text =
            "A long sentence with a word-that-is-much-too-long-for-any-line-of-this-width-and-goes-on and an end";
        let lines = typesetter.wrap(text, style, 60.0, usize::MAX);
        assert!(lines.iter().all(|line| line.width(9.0) <= 60.5));
        let joined: String = lines.iter().map(|line| shown(line)).collect();
        assert_eq!(joined.replace(' ', ""), text.replace(' ', ""));
        let cut = typesetter.wrap(text, style, 60.0, 2);
        assert_eq!(cut.len(), 2);
        assert!(shown(&cut[1]).ends_with('…') && cut[1].width(9.0) <= 60.0);
        assert!(typesetter.wrap("", style, 60.0, 3).is_empty());
    }
}
