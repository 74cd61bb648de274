//! The signs that mean something in GIFT: while a question is taken apart, those that are escaped are other characters.

/// What is escaped in GIFT, and the character that stands for it meanwhile, which no text has.
const ESCAPED: [(char, char); 7] = [
    (':', '\u{FDD0}'),
    ('#', '\u{FDD1}'),
    ('=', '\u{FDD2}'),
    ('{', '\u{FDD3}'),
    ('}', '\u{FDD4}'),
    ('~', '\u{FDD5}'),
    ('\n', '\u{FDD6}'),
];

/// The text with other characters in the place of those that are escaped. A backslash that is escaped becomes a plain
/// one.
pub(super) fn protected(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\\' {
            let next = characters.peek().copied();
            // A real line break behind a backslash is one of the file.
            let sign = if next == Some('n') { Some('\n') } else { next.filter(|next| *next != '\n') };
            let stands = sign.and_then(|sign| ESCAPED.iter().find(|(known, _)| *known == sign));
            if let Some((_, stands)) = stands {
                found.push(*stands);
                characters.next();
                continue;
            }
            if next == Some('\\') {
                characters.next();
            }
        }
        found.push(if is_stand_in(character) { char::REPLACEMENT_CHARACTER } else { character });
    }
    found
}

/// The text as it was meant.
pub(super) fn literal(text: &str) -> String {
    let sign = |character: char| ESCAPED.iter().find(|(_, stands)| *stands == character).map(|(sign, _)| *sign);
    text.chars().map(|character| sign(character).unwrap_or(character)).collect()
}

/// The text with each sign escaped, so that none means anything.
pub(super) fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut found, character| {
        match character {
            '\n' => found.push_str("\\n"),
            '\\' => found.push_str("\\\\"),
            character if ESCAPED.iter().any(|(sign, _)| *sign == character) => found.extend(['\\', character]),
            character => found.push(character),
        }
        found
    })
}

fn is_stand_in(character: char) -> bool {
    ESCAPED.iter().any(|(_, stands)| *stands == character)
}
