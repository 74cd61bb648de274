//! Sets the mathematics of a question in LaTeX between dollars. Templates write `1 3/4`, `x² − 5x` and `√2` as on
//! paper, and only this file knows how pages want it: what needs no more than letters and digits stays as it is.

mod reading;

use super::QuestionDraft;
use reading::{Formula, Setter};

/// Encloses mathematics that its letters don't show to be any, such as the name of a point.
const MARKS: [char; 2] = ['⟨', '⟩'];

/// The draft with its mathematics in LaTeX. If there is any in the question or in an option, then calculations and bare
/// options are set too, so that a page does not show the same numbers in two fonts; and so they are beside a formula in
/// the explanation.
pub(super) fn set(draft: QuestionDraft) -> QuestionDraft {
    let is_formal = std::iter::once(&draft.question)
        .chain([&draft.right])
        .chain(&draft.wrong)
        .any(|text| parts(text).iter().any(Part::needs_tex));
    QuestionDraft {
        question: sentence(&draft.question, is_formal),
        right: option(&draft.right, is_formal),
        wrong: draft.wrong.iter().map(|text| option(text, is_formal)).collect(),
        explanation: sentence(&draft.explanation, is_formal),
        ..draft
    }
}

/// A stretch of a text.
enum Part<'a> {
    Words(&'a str),
    Mathematics {
        formula: Formula,
        written: &'a str,
        /// Whether it goes on a calculation that contains words, such as prices.
        is_rest: bool,
    },
}

impl Part<'_> {
    fn needs_tex(&self) -> bool {
        matches!(self, Self::Mathematics { formula, .. } if formula.needs_tex)
    }

    fn is_calculation(&self) -> bool {
        matches!(self, Self::Mathematics { formula, is_rest: false, .. } if formula.is_compound)
    }
}

fn sentence(text: &str, is_formal: bool) -> String {
    let parts = parts(text);
    let is_formal = is_formal || parts.iter().any(Part::needs_tex);
    joined(&parts, |part| part.needs_tex() || is_formal && part.is_calculation())
}

/// An option, which is set as a whole: a number and its unit, or what a sentence may contain.
fn option(text: &str, is_formal: bool) -> String {
    let parts = parts(text);
    let is_bare = match parts.as_slice() {
        [Part::Mathematics { .. }] => true,
        [Part::Mathematics { .. }, Part::Words(unit)] => unit.starts_with(' '),
        _ => false,
    };
    joined(&parts, |part| part.needs_tex() || is_formal && (is_bare || part.is_calculation()))
}

/// The parts in order, those that `is_set` between dollars. A price has a backslash before its dollar then, so that the
/// dollar opens no formula.
fn joined(parts: &[Part<'_>], is_set: impl Fn(&Part<'_>) -> bool) -> String {
    let has_formula = parts.iter().any(|part| matches!(part, Part::Mathematics { .. }) && is_set(part));
    let shown = parts.iter().map(|part| match part {
        Part::Mathematics { formula, .. } if is_set(part) => format!("${}$", formula.tex),
        Part::Mathematics { written: text, .. } | Part::Words(text) if has_formula => text.replace('$', r"\$"),
        Part::Mathematics { written: text, .. } | Part::Words(text) => (*text).to_owned(),
    });
    shown.collect()
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let (mut parts, mut words, mut rest) = (Vec::new(), text, text);
    while let Some(next) = rest.chars().next() {
        let before = text.strip_suffix(rest).unwrap_or_default();
        let Some((formula, after)) = mathematics(before, rest) else {
            rest = rest.get(next.len_utf8()..).unwrap_or_default();
            continue;
        };
        let said = words.strip_suffix(rest).unwrap_or_default();
        if !said.is_empty() {
            parts.push(Part::Words(said));
        }
        let is_rest = said.trim_end().ends_with(['+', '−', '×', '÷', '=']);
        parts.push(Part::Mathematics { formula, written: rest.strip_suffix(after).unwrap_or(rest), is_rest });
        (words, rest) = (after, after);
    }
    if !words.is_empty() {
        parts.push(Part::Words(words));
    }
    parts
}

/// What can be read as mathematics at the beginning of `rest`, and what follows it.
fn mathematics<'a>(before: &str, rest: &'a str) -> Option<(Formula, &'a str)> {
    let [open, close] = MARKS;
    if let Some(marked) = rest.strip_prefix(open) {
        let (mut formula, after) = Setter { is_marked: true }.chain(marked)?;
        formula.needs_tex = true;
        return Some((formula, after.strip_prefix(close)?));
    }
    let is_start = before.chars().next_back().is_none_or(|last| last.is_whitespace() || last == '(');
    let (formula, after) = Setter { is_marked: false }.chain(rest).filter(|_| is_start)?;
    (!after.starts_with(char::is_alphanumeric)).then_some((formula, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_letters_cannot_show_is_set() {
        for (text, shown) in [
            ("What is 3/4 + 1 1/2?", r"What is $\frac{3}{4} + 1\tfrac{1}{2}$?"),
            ("What is −3/4 − 1/2?", r"What is $-\frac{3}{4} - \frac{1}{2}$?"),
            ("3/4 = □/12", r"$\frac{3}{4} = \frac{\square}{12}$"),
            ("Solve 2(x − 3) = −x + 1,200.", r"Solve $2(x - 3) = -x + 1{,}200$."),
            ("y = −x³ − 2.5x² and x⁻¹²", r"$y = -x^3 - 2.5x^2$ and $x^{-12}$"),
            ("Simplify √72 = 6√2.", r"Simplify $\sqrt{72} = 6\sqrt{2}$."),
            ("√(13² − 5²) = 12 cm", r"$\sqrt{13^2 - 5^2} = 12$ cm"),
            ("h√3 and h/√3 meters", r"$h\sqrt{3}$ and $\frac{h}{\sqrt{3}}$ meters"),
            ("πr²h ÷ 3 = 1,049π cm³", r"$\pi r^2h \div 3 = 1{,}049\pi\,\text{cm}^3$"),
            ("log₂ (1/8) = −3 and log₁₀ x", r"$\log_2 \left(\frac{1}{8}\right) = -3$ and $\log_{10} x$"),
            ("27ˣ⁻² = 3²ˣ⁺¹", r"$27^{x-2} = 3^{2x+1}$"),
            ("−3 < k ≤ 3 or k = 5", r"$-3 < k \le 3$ or $k = 5$"),
            ("(p + q)/(pq) = 1/p + 1/q", r"$\frac{p + q}{pq} = \frac{1}{p} + \frac{1}{q}$"),
            ("f(g(x)) at P(3, −5)", r"$f(g(x))$ at $P(3, -5)$"),
            ("What is a? a + b and 3a", r"What is $a$? $a + b$ and $3a$"),
            ("12 × sin 30° m, sin A", r"$12 \times \sin 30^\circ$ m, $\sin A$"),
            ("the y-axis of ⟨ABC⟩, ⟨AB = 5⟩ cm", r"the $y$-axis of $ABC$, $AB = 5$ cm"),
            ("1/2 of it costs $5 or $6.", r"$\frac{1}{2}$ of it costs \$5 or \$6."),
        ] {
            assert_eq!(sentence(text, false), shown, "{text}");
        }
    }

    #[test]
    fn what_letters_can_show_stays() {
        for text in [
            "What is 12 + 7?",
            "It costs $5 and $6, 20% of $1,200.",
            "The 1st, 2nd and 12th of a 5-digit number a day",
            "At 9:05 it was −5 °C at 18 km/h. Don't (4 days).",
            "(3, −5) and 7 + □ = 12",
            "I am a number (mean).",
        ] {
            assert_eq!(sentence(text, false), text);
        }
    }

    #[test]
    fn a_formal_question_is_set_in_one_font() {
        assert_eq!(sentence("Then 3 × 4 = 12, and 5 is left.", true), r"Then $3 \times 4 = 12$, and 5 is left.");
        assert_eq!(sentence("$5 × 4 ÷ 2 = $10", true), "$5 × 4 ÷ 2 = $10");
        assert_eq!(sentence("x = 2, so −3 × 2 is −6.", false), "$x = 2$, so $-3 \\times 2$ is $-6$.");
        assert_eq!(["7", "−2", "15 liters", "$5"].map(|text| option(text, true)), ["$7$", "$-2$", "$15$ liters", "$5"]);
        assert_eq!(["7", "x = 2, y = 3"].map(|text| option(text, false)), ["7", "$x = 2$, $y = 3$"]);
    }
}
