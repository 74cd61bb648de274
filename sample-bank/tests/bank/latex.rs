//! The LaTeX of the bank: read back as plain text for the solvers, and checked to be what pages take for mathematics.

use std::collections::BTreeSet;

use super::{SOLVERS, none_of, whole_text};
use regex::Regex;
use sample_bank::{SampleQuestion, bank};

/// Commands that pages and reports can show, and what stands for them on paper.
const COMMANDS: [(&str, &str); 17] = [
    ("times", "×"),
    ("div", "÷"),
    ("le", "≤"),
    ("ge", "≥"),
    ("to", "→"),
    ("pi", "π"),
    ("circ", "°"),
    ("square", "□"),
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("log", "log"),
    ("left", ""),
    ("right", ""),
    (",", " "),
    ("%", "%"),
    ("text", ""),
];
const LEVEL: &str = "0123456789+-x";
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ˣ";
const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉";

/// A stretch of a text.
enum Piece<'a> {
    Words(&'a str),
    Formula(&'a str),
}

/// The pieces that pages see, by the rule of `web/src/math/pieces.ts` for one dollar: it opens before anything but a
/// space, and closes after anything but a space and not before a digit.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut words, mut place) = (Vec::new(), 0, 0);
    while let Some(next) = text[place..].chars().next() {
        if next == '\\' {
            place += 1 + text[place + 1..].chars().next().map_or(0, char::len_utf8);
            continue;
        }
        let Some(formula) = text[place..].strip_prefix('$').and_then(formula) else {
            place += next.len_utf8();
            continue;
        };
        pieces.push(Piece::Words(&text[words..place]));
        pieces.push(Piece::Formula(formula));
        place += formula.len() + 2;
        words = place;
    }
    pieces.push(Piece::Words(&text[words..]));
    pieces
}

/// The formula at the beginning of what follows a dollar, if there is one.
fn formula(after: &str) -> Option<&str> {
    let (mut is_escaped, mut last) = (false, ' ');
    for (place, letter) in after.char_indices() {
        if letter == '$' && !is_escaped {
            let is_closed = !after[place + 1..].starts_with(|next: char| next.is_ascii_digit());
            return (is_closed && !last.is_whitespace() && !after.starts_with(' ')).then_some(&after[..place]);
        }
        is_escaped = letter == '\\' && !is_escaped;
        last = letter;
    }
    None
}

/// The text as it would stand on paper, without LaTeX.
pub fn plain(text: &str) -> String {
    let shown = pieces(text).into_iter().map(|piece| match piece {
        Piece::Words(words) => words.replace(r"\$", "$"),
        Piece::Formula(tex) => linear(tex),
    });
    shown.collect()
}

fn linear(tex: &str) -> String {
    let (mut shown, mut rest) = (String::new(), tex);
    while let Some(next) = rest.chars().next() {
        let after = &rest[next.len_utf8()..];
        rest = match next {
            '\\' => command(after, &mut shown),
            '^' | '_' => {
                let (level, after) = argument(after);
                let signs = if next == '^' { RAISED } else { LOWERED };
                let small = |sign| LEVEL.chars().position(|known| known == sign).and_then(|at| signs.chars().nth(at));
                shown += &if level == r"\circ" { "°".to_owned() } else { level.chars().filter_map(small).collect() };
                after
            }
            '{' => {
                let (inside, after) = argument(rest);
                shown += &linear(inside);
                after
            }
            '-' => {
                shown.push('−');
                after
            }
            other => {
                shown.push(other);
                after
            }
        };
    }
    shown
}

fn command<'a>(text: &'a str, shown: &mut String) -> &'a str {
    let (name, after) = named(text);
    match name {
        "frac" | "tfrac" => {
            let (above, after) = argument(after);
            let (below, after) = argument(after);
            let space = if name == "tfrac" { " " } else { "" };
            *shown += &format!("{space}{}/{}", grouped(&linear(above)), grouped(&linear(below)));
            after
        }
        "sqrt" => {
            let (under, after) = argument(after);
            *shown += &format!("√{}", grouped(&linear(under)));
            after
        }
        _ => {
            let sign = COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, sign)| *sign);
            *shown += sign.unwrap_or_else(|| panic!("unknown command: {name}"));
            // A space that only ends the command's name.
            let letters =
                after.strip_prefix(' ').filter(|after| name == "pi" && after.starts_with(char::is_alphabetic));
            letters.unwrap_or(after)
        }
    }
}

/// A command's name, and what follows it.
fn named(text: &str) -> (&str, &str) {
    let length = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    text.split_at(length.max(1))
}

/// One character, or one command, or what is in braces.
fn argument(text: &str) -> (&str, &str) {
    let Some(inside) = text.strip_prefix('{') else {
        let length = text.strip_prefix('\\').map_or(1, |after| 1 + named(after).0.len());
        return text.split_at(length);
    };
    let mut open = 1;
    for (place, letter) in inside.char_indices() {
        open += i32::from(letter == '{') - i32::from(letter == '}');
        if open == 0 {
            return (&inside[..place], &inside[place + 1..]);
        }
    }
    panic!("no end of {text}");
}

fn grouped(text: &str) -> String {
    if text.contains(' ') { format!("({text})") } else { text.to_owned() }
}

fn texts(question: &SampleQuestion) -> impl Iterator<Item = &str> {
    [&question.question, &question.explanation].into_iter().chain(&question.options).map(String::as_str)
}

#[test]
fn what_pages_take_for_mathematics_is_read_back() {
    assert_eq!(plain(r"$1\tfrac{3}{4}$ of \$5, $-\frac{1}{2{,}048}$"), "1 3/4 of $5, −1/2,048");
    assert_eq!(plain(r"$\pi r^2h = 2\pi\,\text{cm}^3$ and $10^{-12}$"), "πr²h = 2π cm³ and 10⁻¹²");
    assert_eq!(plain(r"$\log_{10} \left(\frac{1}{8}\right)$, $\sqrt{3^2 + x}$"), "log₁₀ (1/8), √(3² + x)");
    assert_eq!(plain(r"$3 and $4, $30^\circ$, $5$0"), "$3 and $4, 30°, $5$0");
}

/// Returns whether all mathematics of a text is LaTeX.
pub fn is_set(text: &str) -> bool {
    thread_local! {
        static LEFT: Regex =
            Regex::new(r"[⁰¹²³⁴-⁹⁺⁻ˣ₀-₉√π≤≥⟨⟩]|\d/\d|(?:^|[ (])[xyknpqth](?:[ .,?)]|$)|\$\$|[<>]").unwrap();
    }
    let pieces = pieces(text);
    let has_formula = pieces.len() > 1;
    pieces.into_iter().all(|piece| match piece {
        Piece::Words(words) => {
            let is_price_open = has_formula && words.replace(r"\$", "").contains('$');
            !LEFT.with(|left| left.is_match(words)) && !is_price_open
        }
        Piece::Formula(tex) => !tex.is_empty() && !tex.contains(|letter: char| "√π≤≥×÷−⟨⟩²³".contains(letter)),
    })
}

#[test]
fn all_mathematics_is_latex() {
    let mut failures = Vec::new();
    for question in SOLVERS.iter().flat_map(|(grade, _)| bank(*grade)) {
        let left = texts(&question).filter(|text| !is_set(text));
        failures.extend(left.map(|text| format!("{text}: {}", whole_text(&question))));
    }
    none_of(&failures);
}

#[test]
fn much_of_the_bank_is_latex_and_the_lowest_grades_stay_plain() {
    let formal = |grade: u8| {
        let questions = bank(grade);
        questions.iter().filter(|question| texts(question).any(|text| pieces(text).len() > 1)).count()
    };
    assert_eq!(formal(1), 0);
    assert!((6..=10).all(|grade| formal(grade) >= 30), "{:?}", (1..=10).map(formal).collect::<Vec<_>>());
}

#[test]
fn one_question_has_one_font() {
    let is_number = Regex::new(r"^[−\d,./ ]+$").unwrap();
    for question in SOLVERS.iter().flat_map(|(grade, _)| bank(*grade)) {
        let bare = question.options.iter().filter(|option| is_number.is_match(&plain(option)));
        let fonts: BTreeSet<bool> = bare.map(|option| option.starts_with('$')).collect();
        assert!(fonts.len() < 2, "{}", whole_text(&question));
    }
}
