//! Splits a text into plain text and LaTeX between dollar signs, without taking prices for LaTeX. The pages do the same
//! (`web/src/math/pieces.ts`), and a test of both reads `tests/golden`.

use std::ops::Range;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPiece<'a> {
    /// As it is shown: `\$` is a dollar.
    Plain(String),
    /// LaTeX within a line.
    Inline(&'a str),
    /// LaTeX in a line of its own. The line breaks around it are not needed.
    Display(&'a str),
}

/// The pieces of a text in their order; none is empty, and two plain ones never follow each other.
#[must_use]
pub fn pieces(text: &str) -> Vec<TextPiece<'_>> {
    spans(text).into_iter().map(|(_, piece)| piece).collect()
}

/// The same with the bytes of the text that each takes. Those of a formula have its dollars and the line breaks around
/// it.
#[must_use]
pub fn spans(text: &str) -> Vec<(Range<usize>, TextPiece<'_>)> {
    let mut found = Vec::new();
    let (mut plain_from, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(Formula { latex, is_display, length }) = formula(rest) else {
            at += escape(rest).or_else(|| rest.chars().next().map(char::len_utf8)).unwrap_or(1);
            continue;
        };
        if !latex.is_empty() {
            push_plain(&mut found, text, plain_from..at);
            let piece = if is_display { TextPiece::Display(latex) } else { TextPiece::Inline(latex) };
            found.push((at..at + length, piece));
            plain_from = at + length;
        }
        at += length;
    }
    push_plain(&mut found, text, plain_from..text.len());
    found
}

fn push_plain<'a>(found: &mut Vec<(Range<usize>, TextPiece<'a>)>, text: &'a str, range: Range<usize>) {
    if let Some(plain) = text.get(range.clone()).filter(|plain| !plain.is_empty()) {
        found.push((range, TextPiece::Plain(plain.replace("\\$", "$"))));
    }
}

struct Formula<'a> {
    latex: &'a str,
    is_display: bool,
    /// Bytes of the formula with its dollars, and the line breaks that it swallows.
    length: usize,
}

/// The formula at the beginning of the text, if there is one.
fn formula(text: &str) -> Option<Formula<'_>> {
    display(text).or_else(|| inline(text))
}

fn display(text: &str) -> Option<Formula<'_>> {
    let from_dollars = text.strip_prefix('\n').unwrap_or(text);
    let body = from_dollars.strip_prefix("$$").filter(|body| !body.starts_with('$'))?;
    let length = run(body).filter(|length| *length > 0)?;
    let after = body.get(length..)?.strip_prefix("$$").filter(|after| !after.starts_with('$'))?;
    let after = after.strip_prefix('\n').unwrap_or(after);
    Some(Formula { latex: body.get(..length)?.trim(), is_display: true, length: text.len() - after.len() })
}

fn inline(text: &str) -> Option<Formula<'_>> {
    let body = text.strip_prefix('$').filter(|body| body.starts_with(|first: char| !first.is_whitespace()))?;
    let length = run(body).filter(|length| *length > 0)?;
    let latex = body.get(..length)?;
    let after = body.get(length..)?.strip_prefix('$')?;
    // A space that is escaped ends a formula; any other does not.
    let ends_well = latex.ends_with(|last: char| !last.is_whitespace()) || ends_with_escape(latex);
    (ends_well && !after.starts_with(|next: char| next.is_ascii_digit())).then_some(Formula {
        latex,
        is_display: false,
        length: length + 2,
    })
}

/// Bytes up to the next dollar that is not escaped, or `None` if there is none or a backslash ends the text.
fn run(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        at += match rest.chars().next()? {
            '$' => return Some(at),
            '\\' => escape(rest)?,
            character => character.len_utf8(),
        };
    }
}

/// Bytes of the backslash at the beginning of the text and of what it escapes.
fn escape(text: &str) -> Option<usize> {
    let escaped = text.strip_prefix('\\')?.chars().next()?;
    Some('\\'.len_utf8() + escaped.len_utf8())
}

fn ends_with_escape(latex: &str) -> bool {
    let before = latex.trim_end_matches(|last: char| last != '\\');
    let backslashes = before.len() - before.trim_end_matches('\\').len();
    latex.get(before.len()..).is_some_and(|rest| rest.chars().count() == 1) && backslashes % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_and_prices_are_told_apart_as_the_pages_do() {
        let cases: Vec<(String, Vec<(String, String)>)> =
            serde_json::from_str(include_str!("../../tests/golden/pieces.json")).unwrap();
        assert!(cases.len() > 10);
        for (text, expected) in cases {
            let found = pieces(&text).into_iter().map(|piece| match piece {
                TextPiece::Plain(text) => ("plain".to_owned(), text),
                TextPiece::Inline(latex) => ("inline".to_owned(), latex.to_owned()),
                TextPiece::Display(latex) => ("display".to_owned(), latex.to_owned()),
            });
            assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
