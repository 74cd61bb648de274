//! English texts with holes, and which texts fit them.

use super::numerals;

/// What the name of a hole for a number begins with.
const NUMBER: char = 'n';

/// An English text with holes.
pub(super) struct Pattern {
    pieces: Vec<Piece>,
    /// The names of the holes, in the order in which they first occur.
    names: Vec<&'static str>,
}

/// A stretch of an English text.
enum Piece {
    Fixed(&'static str),
    /// A number or a price, as long as possible.
    Number,
    /// Any text, as short as possible.
    Text,
    /// The text in the hole at this place among the names once more.
    Again(usize),
}

impl Pattern {
    pub(super) fn read(english: &'static str) -> Self {
        let (mut pieces, mut names) = (Vec::new(), Vec::new());
        let mut rest = english;
        while let Some((fixed, name, after)) = next_hole(rest) {
            if !fixed.is_empty() {
                pieces.push(Piece::Fixed(fixed));
            }
            pieces.push(match names.iter().position(|known| *known == name) {
                Some(place) => Piece::Again(place),
                None if name.starts_with(NUMBER) => Piece::Number,
                None => Piece::Text,
            });
            if !names.contains(&name) {
                names.push(name);
            }
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Fixed(rest));
        }
        Self { pieces, names }
    }

    /// The names of its holes, in the order in which they first occur.
    pub(super) fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// What stands in each hole of a text, in the order of the names, and whether the hole is for a number; `None` when
    /// the text does not fit.
    pub(super) fn parts<'a>(&self, text: &'a str) -> Option<Vec<(&'a str, bool)>> {
        // Most phrases differ from a text at its end already.
        if let Some(Piece::Fixed(end)) = self.pieces.last()
            && !text.ends_with(end)
        {
            return None;
        }
        let mut found = Vec::with_capacity(self.names.len());
        let are_numbers = self.names.iter().map(|name| name.starts_with(NUMBER));
        fits(&self.pieces, text, &mut found).then(|| found.into_iter().zip(are_numbers).collect())
    }
}

/// Splits a text at its first hole: what stands before it, its name, and what follows.
fn next_hole(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('{').find_map(|(start, brace)| {
        let (before, after) = (text.get(..start)?, text.get(start + brace.len()..)?);
        let (name, rest) = hole_name(after)?;
        Some((before, name, rest.strip_prefix('}')?))
    })
}

/// The name of a hole at the beginning of a text, and what follows.
pub(super) fn hole_name(text: &str) -> Option<(&str, &str)> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = text.find(|letter| !is_of_name(letter)).unwrap_or(text.len());
    text.split_at_checked(end).filter(|(name, _)| name.starts_with(|first: char| first.is_ascii_lowercase()))
}

/// Whether a text is what the pieces say from its beginning to its end. What stands in their holes is added to `found`.
fn fits<'a>(pieces: &[Piece], text: &'a str, found: &mut Vec<&'a str>) -> bool {
    let Some((piece, later)) = pieces.split_first() else { return text.is_empty() };
    let ends: Vec<usize> = match piece {
        Piece::Fixed(fixed) => return text.strip_prefix(fixed).is_some_and(|rest| fits(later, rest, found)),
        Piece::Again(place) => {
            let rest = found.get(*place).and_then(|same| text.strip_prefix(same));
            return rest.is_some_and(|rest| fits(later, rest, found));
        }
        Piece::Number => numerals::ends(text),
        Piece::Text if later.is_empty() => Some(text.len()).filter(|length| *length > 0).into_iter().collect(),
        Piece::Text => text.char_indices().map(|(start, letter)| start + letter.len_utf8()).collect(),
    };
    ends.into_iter().filter_map(|end| text.split_at_checked(end)).any(|(part, rest)| {
        found.push(part);
        let is_fitting = fits(later, rest, found);
        if !is_fitting {
            found.pop();
        }
        is_fitting
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts<'a>(english: &'static str, text: &'a str) -> Option<Vec<&'a str>> {
        Pattern::read(english).parts(text).map(|parts| parts.into_iter().map(|(part, _)| part).collect())
    }

    #[test]
    fn a_text_is_as_short_as_possible_and_a_number_as_long() {
        assert_eq!(parts("{a} and {b}", "salt and pepper and oil"), Some(vec!["salt", "pepper and oil"]));
        assert_eq!(parts("{n1}{a}", "1,200.5, or so"), Some(vec!["1,200.5", ", or so"]));
        assert_eq!(parts("{n1}{n2}", "12"), Some(vec!["1", "2"]));
        assert_eq!(parts("{n1}.{n2}", "1.2.3"), Some(vec!["1.2", "3"]));
        assert_eq!(parts(r"{n1} + ${n2}$", r"−\$2 + $1{,}200$"), None);
        assert_eq!(parts(r"{n1} + ${n2}$", r"\$2 + $1{,}200$"), Some(vec![r"\$2", "1{,}200"]));
    }

    #[test]
    fn what_stands_there_twice_is_the_same() {
        assert_eq!(parts("{a} is {a}", "two is two"), Some(vec!["two"]));
        assert_eq!(parts("{n1} = {n1}0", "10 = 100"), Some(vec!["10"]));
        assert_eq!(parts("{a} is {a}", "two is three"), None);
    }

    #[test]
    fn the_whole_text_fits_or_none() {
        for text in ["", "x and ", " and y", "x and", "x or y"] {
            assert_eq!(parts("{a} and {b}", text), None, "{text}");
        }
        assert_eq!(parts("no hole", "no hole"), Some(Vec::new()));
        assert_eq!(parts("{A} {1} {a-b}", "{A} {1} {a-b}"), Some(Vec::new()));
    }
}
