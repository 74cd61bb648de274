//! Reads the tokens of HTML into a text. It builds no tree: a text of ours has lines, formulas and one picture, and for
//! these it is enough to know which marks are open.

mod held;

use std::cell::RefCell;

use domain::exchange::foreign::{ForeignPicture, PictureSource, Refusal, Rich};
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};

use super::marks::{self, BLOCKS, EMPHASIS, EQUATION, NUMBERING, STYLES, UNSHOWABLE, VOID, equation};
use super::{TEXT_BYTES_MAX, picture};
use crate::questions::exchange::latex::{Notation, Stands};
use crate::questions::exchange::mathml;
use crate::questions::exchange::xml::{Child, Node};
use held::Held;

/// Marks within each other.
const DEPTH_MAX: usize = 256;
/// Elements of a formula within each other.
const FORMULA_DEPTH_MAX: usize = 48;
/// Elements of a formula.
const FORMULA_NODES_MAX: usize = 2_000;
/// What the tokenizer says when a text ends within a mark.
const ENDS: [&str; 2] = ["Saw EOF", "Unexpected EOF"];
/// What the tokens have given so far. The tokenizer hands them to a shared reference.
#[derive(Default)]
pub(super) struct HtmlReader {
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// The parts of the line that is being read.
    line: Vec<Part>,
    lines: Vec<Vec<Part>>,
    /// The lines in which something stands that is being read and becomes a formula.
    held: Vec<Vec<Part>>,
    open: Vec<OpenMark>,
    /// Lists that are open: the number of the next item if they are numbered.
    lists: Vec<Option<u32>>,
    /// The formula that is being read, as the elements that are open.
    formula: Vec<Node>,
    formula_nodes: usize,
    pictures: Vec<(String, String)>,
    dropped: u32,
    colours: u32,
    lines_lost: u32,
    bytes: usize,
    refusal: Option<Refusal>,
}

/// A mark that is open.
struct OpenMark {
    name: String,
    /// Whether white space counts in it.
    keeps_space: bool,
    /// What becomes of the text in it, if it becomes a formula.
    held: Option<Held>,
}

/// A part of a line.
enum Part {
    Text(String),
    /// Something that separates two texts without being seen.
    Mark,
    /// LaTeX.
    Formula(String),
}

impl TokenSink for HtmlReader {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.state.borrow_mut();
        if state.refusal.is_some() {
            return TokenSinkResult::Continue;
        }
        match token {
            Token::CharacterTokens(text) => state.text(&text),
            Token::NullCharacterToken => state.text("\0"),
            Token::TagToken(tag) => {
                let read = match tag.kind {
                    TagKind::StartTag => state.start(&tag),
                    TagKind::EndTag => state.end(&tag.name),
                };
                if let Err(refusal) = read {
                    state.refusal = Some(refusal);
                }
                if tag.kind == TagKind::StartTag && matches!(&*tag.name, "script" | "style") {
                    return TokenSinkResult::RawData(RawKind::Rawtext);
                }
            }
            Token::ParseError(fault) if ENDS.iter().any(|end| fault.contains(end)) => {
                state.refusal = Some(open_bracket());
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// A text as `0<x<1` would else end where the mark seems to begin.
fn open_bracket() -> Refusal {
    Refusal::Other("it has a mark that is not closed: write &lt; for a < that is meant as such".to_owned())
}

impl HtmlReader {
    /// The text, once all tokens have been read.
    pub(super) fn finish(self, pictures: &dyn Fn(&str) -> Option<PictureSource>) -> Result<Rich, Refusal> {
        let mut state = self.state.into_inner();
        let is_closed = |open: &OpenMark| BLOCKS.contains(&&*open.name) || VOID.contains(&&*open.name);
        if state.refusal.is_none() && !(state.held.is_empty() && state.open.iter().all(is_closed)) {
            return Err(open_bracket());
        }
        while let Some(mut before) = state.held.pop() {
            before.append(&mut state.line);
            state.line = before;
        }
        state.end_line();
        if let Some(refusal) = state.refusal {
            return Err(refusal);
        }
        if !state.formula.is_empty() {
            return Err(Refusal::Formula("it has no end".to_owned()));
        }
        let found: Vec<ForeignPicture> = state
            .pictures
            .iter()
            .map(|(source, description)| picture(source, description, pictures))
            .collect::<Result<_, _>>()?;
        if found.len() > 1 {
            return Err(Refusal::SecondPicture);
        }
        let mut written = Notation::default();
        for (index, line) in state.lines.iter().enumerate() {
            if index > 0 {
                written.line_break();
            }
            write_line(line, &mut written);
        }
        Ok(Rich {
            text: domain::question::normal_text(&written.text),
            picture: found.into_iter().next(),
            dropped: state.dropped,
            colours: state.colours,
            lines: state.lines_lost,
        })
    }
}

fn write_line(line: &[Part], written: &mut Notation) {
    let is_blank = |part: &Part| match part {
        Part::Text(text) => text.trim().is_empty(),
        Part::Mark => true,
        Part::Formula(_) => false,
    };
    let first = line.iter().position(|part| !is_blank(part)).unwrap_or_default();
    let last = line.iter().rposition(|part| !is_blank(part)).unwrap_or_default();
    for (place, part) in line.iter().enumerate() {
        match part {
            Part::Text(text) => written.theirs(text, Stands { at_start: place <= first, at_end: place >= last }),
            Part::Formula(latex) => written.formula(latex, false),
            Part::Mark => {}
        }
    }
}

impl State {
    fn text(&mut self, text: &str) {
        self.bytes += text.len();
        if self.bytes > TEXT_BYTES_MAX {
            self.refusal = Some(Refusal::TooLarge);
            return;
        }
        if let Some(node) = self.formula.last_mut() {
            return match node.children.last_mut() {
                Some(Child::Text(before)) => before.push_str(text),
                _ => node.children.push(Child::Text(text.to_owned())),
            };
        }
        if self.keeps_space() {
            for (index, line) in text.split('\n').enumerate() {
                if index > 0 {
                    self.break_line();
                }
                self.add(line.trim_end_matches('\r'));
            }
            return;
        }
        let mut collapsed = String::with_capacity(text.len());
        let mut is_spaced = self.ends_with_space();
        for character in text.chars() {
            let is_space = matches!(character, ' ' | '\n' | '\r' | '\t' | '\u{c}');
            if !is_space {
                collapsed.push(character);
            } else if !is_spaced {
                collapsed.push(' ');
            }
            is_spaced = is_space;
        }
        self.add(&collapsed);
    }

    /// Whether another space would not be seen: one is there, or the line has just begun.
    fn ends_with_space(&self) -> bool {
        let seen = self.line.iter().rev().find(|part| !matches!(part, Part::Mark));
        match seen {
            // White space that begins what is underlined stands before its line.
            None => !self.is_lined(),
            Some(Part::Text(text)) => text.ends_with([' ', '\t']),
            Some(_) => false,
        }
    }

    fn keeps_space(&self) -> bool {
        self.open.last().is_some_and(|open| open.keeps_space)
    }

    fn add(&mut self, text: &str) {
        match self.line.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Text(before)) => before.push_str(text),
            _ => self.line.push(Part::Text(text.to_owned())),
        }
    }

    /// Separates two texts, so that no formula begins in one and ends in the other.
    fn mark(&mut self) {
        if !matches!(self.line.last(), None | Some(Part::Mark)) {
            self.line.push(Part::Mark);
        }
    }

    /// Ends the line, if anything is in it.
    fn end_line(&mut self) {
        self.release_lined();
        if self.line.iter().any(|part| !matches!(part, Part::Mark)) {
            self.break_line();
        } else {
            self.line.clear();
        }
    }

    /// Ends the line, also an empty one.
    fn break_line(&mut self) {
        self.release_lined();
        // What is raised or lowered has one line.
        if !self.held.is_empty() {
            return self.add(" ");
        }
        let mut line = std::mem::take(&mut self.line);
        if !self.keeps_space()
            && let Some(Part::Text(text)) = line.iter_mut().rev().find(|part| !matches!(part, Part::Mark))
        {
            text.truncate(text.trim_end_matches(' ').len());
        }
        self.lines.push(line);
    }

    fn start(&mut self, tag: &Tag) -> Result<(), Refusal> {
        let name: &str = &tag.name;
        let name = name.rsplit(':').next().unwrap_or(name);
        if !self.formula.is_empty() || name == "math" {
            return self.start_in_formula(name, tag);
        }
        if let Some((_, words)) = UNSHOWABLE.iter().find(|(known, _)| *known == name) {
            return Err(Refusal::Unshowable((*words).to_owned()));
        }
        match name {
            "br" => self.break_line(),
            "hr" => self.end_line(),
            "wbr" => {}
            "img" => self.image(tag)?,
            _ => {
                self.mark();
                self.open(name, tag)?;
            }
        }
        Ok(())
    }

    fn open(&mut self, name: &str, tag: &Tag) -> Result<(), Refusal> {
        if BLOCKS.contains(&name) {
            self.end_line();
        }
        match name {
            "ul" => self.lists.push(None),
            "ol" => self.lists.push(Some(1)),
            "li" => self.item(),
            _ if EMPHASIS.contains(&name) => self.dropped += 1,
            _ => {}
        }
        if self.open.len() == DEPTH_MAX {
            return Err(Refusal::TooLarge);
        }
        let style = marks::plain_style(&attribute(tag, "style").unwrap_or_default());
        if let Some((_, words)) = STYLES.iter().find(|(known, _)| style.contains(known)) {
            return Err(Refusal::Unshowable((*words).to_owned()));
        }
        let is_numbered = |known: &str| attribute(tag, known).is_some_and(|value| value.trim() != "1");
        if matches!(name, "ol" | "li") && NUMBERING.into_iter().any(is_numbered) {
            return Err(Refusal::Unshowable("a list that is numbered in its own way".to_owned()));
        }
        let is_preserved = name == "pre" || style.contains("white-space:pre");
        self.dropped += u32::from(marks::is_emphatic(&style));
        let is_coloured = marks::is_coloured(&style) || name == "font" && attribute(tag, "color").is_some();
        self.colours += u32::from(is_coloured);
        let held = Held::of(name, &style);
        if held.is_some() {
            self.held.push(std::mem::take(&mut self.line));
        }
        if !tag.self_closing {
            let keeps_space = self.keeps_space() || is_preserved;
            self.open.push(OpenMark { name: name.to_owned(), keeps_space, held });
        }
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), Refusal> {
        let name = name.rsplit(':').next().unwrap_or(name);
        if !self.formula.is_empty() {
            return self.end_in_formula(name);
        }
        let place = self.open.iter().rposition(|open| open.name == name).unwrap_or(self.open.len());
        self.end_held_from(place)?;
        match name {
            "br" => self.break_line(),
            "ul" | "ol" => drop(self.lists.pop()),
            _ => {}
        }
        if BLOCKS.contains(&name) {
            self.end_line();
        }
        self.mark();
        self.open.truncate(place);
        Ok(())
    }

    /// Begins an item of a list with its number, or with a dash.
    fn item(&mut self) {
        let sign = match self.lists.last_mut() {
            Some(Some(number)) => {
                let sign = format!("{number}. ");
                *number = number.saturating_add(1);
                sign
            }
            _ => "– ".to_owned(),
        };
        self.add(&sign);
    }

    fn image(&mut self, tag: &Tag) -> Result<(), Refusal> {
        let of = |name: &str| attribute(tag, name).unwrap_or_default();
        let (source, description) = (of("src"), of("alt"));
        let is_equation = of("class").split_ascii_whitespace().any(|class| class == EQUATION)
            || !of("data-equation-content").is_empty()
            || source.contains("/equation_images/");
        if is_equation {
            let latex = equation(&of("data-equation-content"), &description, &source)
                .ok_or_else(|| Refusal::Formula(source.chars().take(80).collect()))?;
            self.line.push(Part::Formula(latex));
            return Ok(());
        }
        // One more than is allowed is enough to refuse them.
        if self.pictures.len() < 2 {
            self.pictures.push((source, description));
        }
        self.mark();
        Ok(())
    }

    fn start_in_formula(&mut self, name: &str, tag: &Tag) -> Result<(), Refusal> {
        self.formula_nodes += 1;
        if self.formula.len() == FORMULA_DEPTH_MAX || self.formula_nodes > FORMULA_NODES_MAX {
            return Err(Refusal::TooLarge);
        }
        let attributes = tag.attrs.iter().map(|one| (one.name.local.to_string(), one.value.to_string())).collect();
        self.formula.push(Node { name: name.to_owned(), attributes, ..Node::default() });
        if tag.self_closing { self.end_in_formula(name) } else { Ok(()) }
    }

    fn end_in_formula(&mut self, name: &str) -> Result<(), Refusal> {
        // An end tag that opens nothing ends nothing.
        if self.formula.last().is_none_or(|node| node.name != name) {
            return Ok(());
        }
        let Some(node) = self.formula.pop() else { return Ok(()) };
        match self.formula.last_mut() {
            Some(parent) => parent.children.push(Child::Node(node)),
            None => self.line.push(Part::Formula(mathml::to_latex(&node)?)),
        }
        Ok(())
    }
}

fn attribute(tag: &Tag, name: &str) -> Option<String> {
    tag.attrs.iter().find(|one| &*one.name.local == name).map(|one| one.value.to_string())
}
