//! Tells whether a question that comes back from another system says the same as the stored one. Other systems have no
//! sign for `\$` and keep a picture as a file, so what comes back is often written in another way.

use crate::number::{NumberKey, has_value_of};
use crate::picture::{content_digest, data_of, stored_digest};
use crate::pieces::{TextPiece, pieces};
use crate::question::{Key, Question, normal_text};

/// Keeps the stored wording of each field that says the same, so that an import of what was exported changes nothing.
/// `picture` is the digest of the picture that the file brings.
pub(super) fn keep_what_says_the_same(question: &mut Question, stored: &Question, picture: Option<&str>) {
    keep_text(&mut question.question, &stored.question);
    keep_text(&mut question.explanation, &stored.explanation);
    for (option, stored) in question.options.iter_mut().zip(&stored.options) {
        keep_text(option, stored);
    }
    if let (Key::Number(number), Key::Number(stored)) = (&mut question.answer, &stored.answer) {
        keep_number(number, stored);
    }
    let is_same = || {
        let is_within =
            || data_of(&stored.image).is_some_and(|(_, content)| Some(&*content_digest(&content)) == picture);
        picture.is_some() && (stored_digest(&stored.image) == picture || is_within())
    };
    if question.image != stored.image && is_same() {
        question.image.clone_from(&stored.image);
    }
}

/// Other systems write `0.50` as `0.5`.
fn keep_number(number: &mut NumberKey, stored: &NumberKey) {
    let pairs = [(&mut number.answer, &stored.answer), (&mut number.tolerance, &stored.tolerance)];
    for (text, stored) in pairs.into_iter().filter(|(text, stored)| has_value_of(text, stored)) {
        text.clone_from(stored);
    }
}

fn keep_text(text: &mut String, stored: &String) {
    if text != stored && says(text) == says(stored) {
        text.clone_from(stored);
    }
}

/// What a reader sees. White space within formulas is not seen.
fn says(text: &str) -> Vec<(u8, String)> {
    let spaced = |latex: &str| latex.split_whitespace().collect::<Vec<_>>().join(" ");
    let piece = |piece: TextPiece<'_>| match piece {
        TextPiece::Plain(text) => (0, text),
        TextPiece::Inline(latex) => (1, spaced(latex)),
        TextPiece::Display(latex) => (2, spaced(latex)),
    };
    pieces(&normal_text(text)).into_iter().map(piece).collect()
}
