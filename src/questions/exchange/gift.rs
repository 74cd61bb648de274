//! Questions in GIFT, the notation in which teachers type questions for Moodle. It is read as Moodle reads it. Where
//! that is rarely what was meant, the question is refused with words for it.

mod number;
mod signs;
mod traps;
mod writer;

use domain::exchange::foreign::{ForeignOption, ForeignQuestion, Refusal, Rich};
use domain::exchange::place::ItemPlace;

use super::foreign_file::EachQuestion;
use super::format_fault::FormatFault;
use super::html::{html_to_rich, lines_to_rich, plain_to_rich};
use signs::{literal, protected};
pub use writer::write;

/// Begins a line that Moodle passes over.
const COMMENT: &str = "//";
/// Begins a line that names the category of what follows.
const CATEGORY: &str = "$CATEGORY:";
/// Stands around the name of a question.
const NAME: &str = "::";
/// Stands before what is said to everyone.
const GENERAL: &str = "####";
/// Stands for the answers when text follows them.
const BLANK: &str = "_____";
/// The most digits of a weight.
const WEIGHT_CHARACTERS_MAX: usize = 12;

/// Options of a question that are read: more than any may have, so that messages can count them.
const OPTIONS_READ_MAX: usize = 64;
/// Tags of a question that are read.
const TAGS_READ_MAX: usize = 64;

/// The way in which a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Moodle,
    Html,
    Markdown,
    Plain,
}

/// A part of the file between empty lines.
#[derive(Default)]
struct Block {
    /// The line in which it begins.
    line: u32,
    comments: Vec<String>,
    text: String,
}

/// Returns whether a text has answers in braces as GIFT has them.
pub fn is_gift(text: &str) -> bool {
    blocks(text).any(|block| {
        let text = protected(&block.text);
        let answers =
            text.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(answers, _)| answers.trim());
        let asks_number = |answers: &str| {
            let rest = answers.strip_prefix(number::NUMBER).unwrap_or_default().trim_start();
            rest.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '=' | '-' | '.'))
        };
        answers.is_some_and(|answers| {
            answers.starts_with(['=', '~']) || asks_number(answers) || text.trim_start().starts_with(NAME)
        })
    })
}

/// Reads the questions of a file, one after the other.
pub fn read(text: &str, each: EachQuestion<'_>) -> Result<(), FormatFault> {
    let (mut category, mut number) = (None, 0);
    for mut block in blocks(text) {
        if let Some(path) = block.text.strip_prefix(CATEGORY) {
            // A question may follow without an empty line.
            let (path, rest) = path.split_once('\n').unwrap_or((path, ""));
            category = super::moodle_xml::innermost(path);
            block.text = rest.to_owned();
            block.line += 1;
        }
        let text = block.text.trim();
        if text.is_empty() {
            continue;
        }
        number += 1;
        let text = protected(text);
        let (name, rest) = named(&text);
        let place = ItemPlace { number, file: None, line: Some(block.line), name: literal(name) };
        each(place.clone(), question(rest, &block, place, category.clone()))?;
    }
    Ok(())
}

fn blocks(text: &str) -> impl Iterator<Item = Block> + '_ {
    let mut lines = (1_u32..).zip(text.lines()).peekable();
    std::iter::from_fn(move || {
        while lines.next_if(|(_, line)| line.trim().is_empty()).is_some() {}
        let mut block = Block::default();
        while let Some((number, line)) = lines.next_if(|(_, line)| !line.trim().is_empty()) {
            let line = line.trim();
            if line.starts_with(COMMENT) {
                block.comments.push(line.to_owned());
            } else {
                block.line = if block.line == 0 { number } else { block.line };
                block.text.push_str(line);
                block.text.push('\n');
            }
        }
        (block.line > 0 || !block.comments.is_empty()).then_some(block)
    })
}

/// The name of a question, and what follows it.
fn named(text: &str) -> (&str, &str) {
    let found = text.strip_prefix(NAME).and_then(|rest| rest.split_once(NAME));
    found.map_or(("", text), |(name, rest)| (name.trim(), rest.trim_start()))
}

fn question(text: &str, block: &Block, place: ItemPlace, category: Option<String>) -> Result<ForeignQuestion, Refusal> {
    traps::check_line_breaks(&block.text)?;
    let (open, close) = match (text.find('{'), text.find('}')) {
        (None, None) => return Err(Refusal::Kind("it has no answers in braces".to_owned())),
        (Some(open), Some(close)) if open < close => (open, close),
        _ => return Err(Refusal::Other("a brace is opened and not closed, or the other way round".to_owned())),
    };
    traps::check_braces(text, open, close)?;
    let (before, after) = (text.get(..open).unwrap_or_default(), text.get(close + 1..).unwrap_or_default());
    let answers = text.get(open + 1..close).unwrap_or_default().trim();
    let asked = if after.trim().is_empty() { before.to_owned() } else { format!("{before}{BLANK}{after}") };
    let (answers, general) = match answers.rfind(GENERAL) {
        Some(at) => {
            (answers.get(..at).unwrap_or_default().trim(), answers.get(at + GENERAL.len()..).unwrap_or_default())
        }
        None => (answers, ""),
    };
    let (format, asked) = formatted(asked.trim(), Format::Moodle);
    let mut notes = Vec::new();
    let number = number::number(answers, format, &mut notes)?;
    let options = if number.is_some() { Vec::new() } else { choices(answers, format)? };
    let (id, tags) = told(&block.comments);
    if answers.contains("[markdown]") || format == Format::Markdown {
        notes.push("its Markdown is read as plain text".to_owned());
    }
    Ok(ForeignQuestion {
        id,
        text: rich(asked, format)?,
        options,
        number,
        general_feedback: formatted_rich(general, format)?,
        tags,
        category,
        keeps_order: false,
        notes,
        place,
    })
}

/// The options to choose from.
fn choices(answers: &str, format: Format) -> Result<Vec<ForeignOption>, Refusal> {
    check_kind(answers)?;
    let options = options(answers, format)?;
    traps::check_equals(answers, options.iter().filter(|option| option.fraction > 0.0).count(), options.len())?;
    Ok(options)
}

/// Besides numbers, only a choice of one text among several is a question here.
fn check_kind(answers: &str) -> Result<(), Refusal> {
    let plain = answers.split('#').next().unwrap_or_default().trim();
    let kind = match plain {
        "" => "an essay",
        "T" | "TRUE" | "F" | "FALSE" => "true or false",
        _ if answers.contains('~') => return Ok(()),
        _ if answers.contains("->") => "matching",
        _ => "a short answer",
    };
    Err(Refusal::Kind(kind.to_owned()))
}

fn options(answers: &str, format: Format) -> Result<Vec<ForeignOption>, Refusal> {
    let marked = answers.replace('=', "~=");
    let parts = marked.split('~').map(str::trim);
    // What stands before the first sign is an option only if there is something.
    let parts = parts.enumerate().filter(|(place, part)| *place > 0 || !part.is_empty()).map(|(_, part)| part);
    parts.take(OPTIONS_READ_MAX).map(|part| option(part, format)).collect()
}

fn option(part: &str, format: Format) -> Result<ForeignOption, Refusal> {
    let (fraction, rest) = match part.strip_prefix('=') {
        // A weight behind the sign of the right answer says how right it is.
        Some(rest) => weight(rest.trim_start()).unwrap_or((100.0, rest)),
        None => weight(part).unwrap_or((0.0, part)),
    };
    let (text, feedback) = rest.split_once('#').unwrap_or((rest, ""));
    Ok(ForeignOption { text: formatted_rich(text, format)?, fraction, feedback: formatted_rich(feedback, format)? })
}

/// The weight at the beginning of an option, such as `%-50%`.
fn weight(part: &str) -> Option<(f64, &str)> {
    let (number, rest) = part.strip_prefix('%')?.split_once('%')?;
    let is_number = number.len() <= WEIGHT_CHARACTERS_MAX
        && number.chars().all(|character| character.is_ascii_digit() || matches!(character, '.' | '-'));
    let number = number.parse::<f64>().ok().filter(|_| is_number)?;
    Some((number, rest))
}

/// The format that a text names, and what follows. Options have that of their question.
fn formatted(text: &str, inherited: Format) -> (Format, &str) {
    let text = text.trim();
    let named = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match named {
        Some(("html", rest)) => (Format::Html, rest.trim()),
        Some(("markdown", rest)) => (Format::Markdown, rest.trim()),
        Some(("plain", rest)) => (Format::Plain, rest.trim()),
        Some(("moodle", rest)) => (Format::Moodle, rest.trim()),
        _ => (inherited, text),
    }
}

fn formatted_rich(text: &str, inherited: Format) -> Result<Rich, Refusal> {
    let (format, text) = formatted(text, inherited);
    rich(text, format)
}

fn rich(text: &str, format: Format) -> Result<Rich, Refusal> {
    let text = literal(text);
    match format {
        Format::Plain => plain_to_rich(&text),
        Format::Html => html_to_rich(&text, &|_| None),
        Format::Moodle | Format::Markdown => lines_to_rich(&text, &|_| None),
    }
}

/// The id and the tags that comments tell.
fn told(comments: &[String]) -> (Option<String>, Vec<String>) {
    let all = comments.join("\n");
    let id = bracketed(&all, "[id:").next().filter(|id| !id.is_empty());
    (id, bracketed(&all, "[tag:").take(TAGS_READ_MAX).collect())
}

/// What stands behind each such bracket, up to the closing one that is not escaped.
fn bracketed<'a>(text: &'a str, open: &'a str) -> impl Iterator<Item = String> + 'a {
    text.split(open).skip(1).filter_map(|rest| {
        let mut value = String::new();
        let mut characters = rest.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\n' => return None,
                ']' => return Some(value.trim().to_owned()),
                '\\' if characters.peek() == Some(&']') => {
                    value.push(']');
                    characters.next();
                }
                character => value.push(character),
            }
        }
        None
    })
}

#[cfg(test)]
mod tests;
