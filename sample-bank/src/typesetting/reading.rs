//! Reads mathematics as it stands on paper, and writes it in LaTeX. It is separate because the texts around it are read
//! in another way.

/// Signs between two parts of a formula, and what LaTeX writes for them.
const OPERATORS: [(&str, &str); 10] = [
    (" + ", " + "),
    (" − ", " - "),
    (" × ", r" \times "),
    (" ÷ ", r" \div "),
    (" = ", " = "),
    (" < ", " < "),
    (" > ", " > "),
    (" ≤ ", r" \le "),
    (" ≥ ", r" \ge "),
    (" → ", r" \to "),
];
/// Units that have a power.
const UNITS: [(&str, &str); 3] = [(" cm²", r"\,\text{cm}^2"), (" cm³", r"\,\text{cm}^3"), (" m²", r"\,\text{m}^2")];
/// Letters, and products of letters, that are variables wherever they stand by themselves.
const VARIABLES: [&str; 17] = ["x", "y", "n", "t", "k", "p", "q", "r", "h", "b", "c", "u", "v", "kx", "ax", "bx", "pq"];
/// Functions and points, which have parentheses after their name.
const NAMED: [&str; 3] = ["f", "g", "P"];
const RATIOS: [&str; 3] = ["sin", "cos", "tan"];
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ˣ";
const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉";
const LEVEL: &str = "0123456789+-x";

/// Mathematics that was read.
#[derive(Default)]
pub(super) struct Formula {
    pub(super) tex: String,
    /// Whether it has a variable, a fraction, a power, a root or the like, for which letters and digits are not enough.
    pub(super) needs_tex: bool,
    /// Whether it has a sign, as a negative number, a calculation and a pair of coordinates have.
    pub(super) is_compound: bool,
    /// The same without the parentheses around it, if there are any.
    inside: Option<String>,
}

/// What was read, and what follows it.
type Read<'a> = Option<(Formula, &'a str)>;

impl Formula {
    fn of(tex: impl Into<String>, needs_tex: bool) -> Self {
        Self { tex: tex.into(), needs_tex, ..Self::default() }
    }

    /// Appends a part that follows after `sign`.
    fn append(&mut self, sign: &str, part: &Self) {
        let is_command = self.tex.rsplit_once('\\').is_some_and(|(_, name)| name.chars().all(char::is_alphabetic));
        self.tex += sign;
        if sign.is_empty() && is_command && part.tex.starts_with(char::is_alphabetic) {
            self.tex.push(' ');
        }
        self.tex += &part.tex;
        self.needs_tex |= part.needs_tex;
        self.is_compound |= part.is_compound || !sign.is_empty();
        self.inside = None;
    }

    fn without_parentheses(&self) -> &str {
        self.inside.as_deref().unwrap_or(&self.tex)
    }
}

/// Reads formulas; between marks every word is a variable.
#[derive(Clone, Copy)]
pub(super) struct Setter {
    pub(super) is_marked: bool,
}

impl Setter {
    /// Terms, sums, equations and inequalities, such as `2x + 3 = 7`.
    pub(super) fn chain(self, text: &str) -> Read<'_> {
        let (mut whole, mut rest) = self.signed(text)?;
        while let Some((sign, after)) = OPERATORS.iter().find_map(|(sign, tex)| Some((tex, rest.strip_prefix(sign)?)))
            && let Some((next, after)) = self.signed(after)
        {
            whole.append(sign, &next);
            rest = after;
        }
        Some((whole, rest))
    }

    fn signed(self, text: &str) -> Read<'_> {
        let Some(after) = text.strip_prefix('−') else { return self.product(text) };
        let (value, rest) = self.product(after)?;
        Some((Formula { tex: format!("-{}", value.tex), is_compound: true, inside: None, ..value }, rest))
    }

    /// Factors without a sign between them, such as `6√2` and `3(x − 1)`, and the unit after them. A number with other
    /// letters, such as `12th`, is none.
    fn product(self, text: &str) -> Read<'_> {
        let (mut product, mut rest) = self.fraction(text)?;
        while rest.starts_with(|next: char| next.is_ascii_alphabetic() || "(√π".contains(next)) {
            let (factor, after) = self.fraction(rest)?;
            product.append("", &factor);
            rest = after;
        }
        if let Some((unit, after)) = UNITS.iter().find_map(|(unit, tex)| Some((tex, rest.strip_prefix(unit)?))) {
            product.append("", &Formula::of(*unit, true));
            rest = after;
        }
        Some((product, rest))
    }

    fn fraction(self, text: &str) -> Read<'_> {
        if let Some(mixed) = mixed_number(text) {
            return Some(mixed);
        }
        let (above, rest) = self.power(text)?;
        let Some(after) = rest.strip_prefix('/') else { return Some((above, rest)) };
        let (below, rest) = self.power(after)?;
        let tex = format!(r"\frac{{{}}}{{{}}}", above.without_parentheses(), below.without_parentheses());
        Some((Formula::of(tex, true), rest))
    }

    fn power(self, text: &str) -> Read<'_> {
        let (mut base, rest) = self.base(text)?;
        let (exponent, after) = script(rest, RAISED);
        if !exponent.is_empty() {
            base.append("", &Formula::of(format!("^{exponent}"), true));
            return Some((base, after));
        }
        for (sign, tex) in [('°', r"^\circ"), ('%', r"\%")] {
            if let Some(after) = rest.strip_prefix(sign) {
                base.append("", &Formula::of(tex, false));
                return Some((base, after));
            }
        }
        Some((base, rest))
    }

    fn base(self, text: &str) -> Read<'_> {
        let first = text.chars().next()?;
        let after = text.get(first.len_utf8()..)?;
        match first {
            '√' => {
                let (under, rest) = self.base(after)?;
                Some((Formula::of(format!(r"\sqrt{{{}}}", under.without_parentheses()), true), rest))
            }
            'π' => Some((Formula::of(r"\pi", true), after)),
            '□' => Some((Formula::of(r"\square", false), after)),
            '(' => self.group(after),
            '0'..='9' => number(text).map(|(tex, rest)| (Formula::of(tex, false), rest)),
            _ => self.word(text),
        }
    }

    /// What is in parentheses, after the first of them: a term, or several between commas.
    fn group(self, text: &str) -> Read<'_> {
        let (mut whole, mut rest) = self.chain(text)?;
        while let Some(after) = rest.strip_prefix(", ") {
            let (next, after) = self.chain(after)?;
            whole.append(", ", &next);
            rest = after;
        }
        let rest = rest.strip_prefix(')')?;
        let is_tall = whole.tex.contains("frac");
        let tex = if is_tall { format!(r"\left({}\right)", whole.tex) } else { format!("({})", whole.tex) };
        Some((Formula { inside: Some(whole.tex), tex, ..whole }, rest))
    }

    /// A variable, or a function with its argument.
    fn word(self, text: &str) -> Read<'_> {
        let length = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
        let (word, rest) = text.split_at(length);
        let is_function = RATIOS.contains(&word) || word == "log";
        if is_function {
            let (base, after) = script(rest, LOWERED);
            let (argument, rest) = Self { is_marked: true }.power(after.strip_prefix(' ')?)?;
            let base = if base.is_empty() { base } else { format!("_{base}") };
            return Some((Formula::of(format!(r"\{word}{base} {}", argument.tex), true), rest));
        }
        if let Some(after) = rest.strip_prefix('(').filter(|_| NAMED.contains(&word)) {
            let (argument, rest) = self.group(after)?;
            return Some((Formula::of(format!("{word}{}", argument.tex), true), rest));
        }
        let is_variable = VARIABLES.contains(&word) || word == "a" && is_after_variable(rest);
        (is_variable || self.is_marked && !word.is_empty()).then(|| (Formula::of(word, true), rest))
    }
}

/// Whether the letter a before this text is a variable, and not the article.
fn is_after_variable(rest: &str) -> bool {
    let is_end = rest.is_empty() || rest.starts_with(['?', '.', ',', ')']);
    is_end || !script(rest, RAISED).0.is_empty() || OPERATORS.iter().any(|(sign, _)| rest.starts_with(sign))
}

fn mixed_number(text: &str) -> Read<'_> {
    let (whole, rest) = number(text)?;
    let (above, rest) = number(rest.strip_prefix(' ')?)?;
    let (below, rest) = number(rest.strip_prefix('/')?)?;
    Some((Formula::of(format!(r"{whole}\tfrac{{{above}}}{{{below}}}"), true), rest))
}

/// Digits with commas between thousands and a decimal point, and what follows them.
fn number(text: &str) -> Option<(String, &str)> {
    let (mut tex, mut rest) = (String::new(), text);
    loop {
        let length = rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(length);
        tex += digits;
        let mark = if after.starts_with(',') { "{,}" } else { "." };
        match after.strip_prefix([',', '.']).filter(|after| after.starts_with(|next: char| next.is_ascii_digit())) {
            Some(after) if !digits.is_empty() => {
                tex += mark;
                rest = after;
            }
            _ => return (!tex.is_empty()).then_some((tex, after)),
        }
    }
}

/// The small signs at the beginning as LaTeX writes them after `^` or `_`, and what follows them.
fn script<'a>(text: &'a str, signs: &str) -> (String, &'a str) {
    let level = |sign| signs.chars().position(|known| known == sign).and_then(|place| LEVEL.chars().nth(place));
    let plain: String = text.chars().map_while(level).collect();
    let after = text.trim_start_matches(|sign| level(sign).is_some());
    (if plain.chars().count() > 1 { format!("{{{plain}}}") } else { plain }, after)
}
