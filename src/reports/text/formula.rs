//! Mathematics as plain text: paper has no typesetter for LaTeX, and a parent should read `√2`, not `$\sqrt{2}$`.

/// Commands with one sign. What is not here is shown by its name, without the backslash.
const SIGNS: [(&str, &str); 49] = [
    ("times", "×"),
    ("cdot", "·"),
    ("div", "÷"),
    ("pm", "±"),
    ("le", "≤"),
    ("leq", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("approx", "≈"),
    ("equiv", "≡"),
    ("pi", "π"),
    ("theta", "θ"),
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("Delta", "Δ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("sigma", "σ"),
    ("Sigma", "Σ"),
    ("phi", "φ"),
    ("omega", "ω"),
    ("angle", "∠"),
    ("triangle", "△"),
    ("circ", "°"),
    ("degree", "°"),
    ("infty", "∞"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("Rightarrow", "⇒"),
    ("in", "∈"),
    ("cup", "∪"),
    ("cap", "∩"),
    ("subset", "⊂"),
    ("perp", "⊥"),
    ("parallel", "∥"),
    ("square", "□"),
    ("ldots", "…"),
    ("dots", "…"),
    ("left", ""),
    ("right", ""),
    ("displaystyle", ""),
    ("quad", " "),
    ("qquad", " "),
    ("sum", "∑"),
    ("int", "∫"),
];
/// Commands whose argument is shown as it is.
const PLAIN: [&str; 8] = ["text", "mathrm", "mathbf", "mathit", "operatorname", "overline", "boxed", "textbf"];
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿˣ";
const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙₓ";
const LEVEL: &str = "0123456789+−=()nx";
/// Braces within braces that are read; deeper ones are left out.
const DEPTH_MAX: usize = 16;

/// The text with its formulas in plain signs. A formula is what the pages take for one: between `$$`, or between
/// dollars that do not look like prices.
#[must_use]
pub fn plain(text: &str) -> String {
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(place) = rest.find(['$', '\\']) {
        let (before, from) = rest.split_at(place);
        shown.push_str(before);
        rest = if let Some(after) = from.strip_prefix("\\$") {
            shown.push('$');
            after
        } else if let Some((formula, after)) = formula(from) {
            let words: Vec<String> = linear(formula, DEPTH_MAX).split_whitespace().map(str::to_owned).collect();
            shown.push_str(&words.join(" "));
            after
        } else {
            let mut characters = from.chars();
            shown.extend(characters.next());
            characters.as_str()
        };
    }
    shown + rest
}

/// The formula that begins at a dollar, and what follows it.
fn formula(from: &str) -> Option<(&str, &str)> {
    if let Some(display) = from.strip_prefix("$$").filter(|display| !display.starts_with('$')) {
        let end = closing(display, |_, _| true)?;
        let after = display.get(end..)?.strip_prefix("$$").filter(|after| !after.starts_with('$'))?;
        return display.get(..end).filter(|formula| !formula.trim().is_empty()).map(|formula| (formula, after));
    }
    let inside = from.strip_prefix('$').filter(|inside| inside.starts_with(|next: char| !next.is_whitespace()))?;
    let is_end = |before: Option<char>, after: Option<char>| {
        before.is_some_and(|before| !before.is_whitespace()) && !after.is_some_and(|after| after.is_ascii_digit())
    };
    let end = closing(inside, is_end)?;
    inside
        .get(..end)
        .filter(|formula| !formula.is_empty())
        .map(|formula| (formula, inside.get(end + 1..).unwrap_or("")))
}

/// The place of the next dollar without a backslash; `None` if it does not close what is before it.
fn closing(text: &str, is_end: impl Fn(Option<char>, Option<char>) -> bool) -> Option<usize> {
    let (mut before, mut characters) = (None, text.char_indices());
    while let Some((place, character)) = characters.next() {
        match character {
            '\\' => before = characters.next().map(|(_, escaped)| escaped),
            '$' => return is_end(before, text.get(place + 1..)?.chars().next()).then_some(place),
            other => before = Some(other),
        }
    }
    None
}

/// A formula in one line.
fn linear(formula: &str, depth: usize) -> String {
    let (mut shown, mut rest) = (String::new(), formula);
    while let Some(character) = rest.chars().next() {
        let after = rest.get(character.len_utf8()..).unwrap_or_default();
        rest = match character {
            '\\' => command(after, &mut shown, depth),
            '^' | '_' => {
                let (argument, after) = argument(after, depth);
                shown.push_str(&script(&argument, character == '^'));
                after
            }
            '{' => {
                let (argument, after) = argument(rest, depth);
                shown.push_str(&argument);
                after
            }
            '}' => after,
            '~' | '\n' => {
                shown.push(' ');
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

/// Shows the command that begins here, after its backslash; returns what follows it.
fn command<'a>(text: &'a str, shown: &mut String, depth: usize) -> &'a str {
    let length = text.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(text.len());
    let (name, after) = text.split_at(length);
    match name {
        "" => {
            let mut characters = text.chars();
            match characters.next() {
                Some(',' | ';' | ':' | '!' | ' ' | '\\') => shown.push(' '),
                other => shown.extend(other),
            }
            characters.as_str()
        }
        "frac" | "dfrac" | "tfrac" => {
            let (above, after) = argument(after, depth);
            let (below, after) = argument(after, depth);
            // 1½ would otherwise read 11/2.
            shown.push_str(if shown.ends_with(|last: char| last.is_ascii_digit()) { " " } else { "" });
            shown.push_str(&format!("{}/{}", grouped(&above, true), grouped(&below, false)));
            after
        }
        "sqrt" => {
            let (root, after) = match after.strip_prefix('[').and_then(|after| after.split_once(']')) {
                Some((root, after)) => (script(root, true), after),
                None => (String::new(), after),
            };
            let (under, after) = argument(after, depth);
            shown.push_str(&format!("{root}√{}", grouped(&under, false)));
            after
        }
        "underline" => {
            let (argument, after) = argument(after, depth);
            shown.push_str(&format!("_{argument}_"));
            after
        }
        name if PLAIN.contains(&name) => {
            let (argument, after) = argument(after, depth);
            // A hyphen of a word is no minus sign.
            shown.push_str(&if name.starts_with("text") { argument.replace('−', "-") } else { argument });
            after
        }
        name => {
            let sign = SIGNS.iter().find(|(known, _)| *known == name).map(|(_, sign)| *sign);
            shown.push_str(sign.unwrap_or(name));
            after
        }
    }
}

/// The argument of a command, one character or what is in braces; and what follows it.
fn argument(text: &str, depth: usize) -> (String, &str) {
    let text = text.trim_start();
    let Some(inside) = text.strip_prefix('{') else {
        if let Some(after) = text.strip_prefix('\\') {
            let mut shown = String::new();
            let after = if depth == 0 { "" } else { command(after, &mut shown, depth - 1) };
            return (shown, after);
        }
        let mut characters = text.chars();
        return (characters.next().map(String::from).unwrap_or_default(), characters.as_str());
    };
    let (mut open, mut is_escaped) = (1_usize, false);
    for (place, character) in inside.char_indices() {
        match character {
            '{' if !is_escaped => open += 1,
            '}' if !is_escaped => open -= 1,
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
        if open == 0 {
            let (within, after) =
                (inside.get(..place).unwrap_or_default(), inside.get(place + 1..).unwrap_or_default());
            return (if depth == 0 { String::new() } else { linear(within, depth - 1) }, after);
        }
    }
    (if depth == 0 { String::new() } else { linear(inside, depth - 1) }, "")
}

/// In parentheses if it has more than one part. Before a stroke a product such as `2x` is one part; elsewhere only a
/// number or a letter is, each also under a root.
fn grouped(text: &str, is_product_whole: bool) -> String {
    let text = text.trim();
    let part = text.strip_prefix('√').unwrap_or(text);
    let is_number = part.chars().all(|character| character.is_numeric() || ".,".contains(character));
    let is_product = is_product_whole && part.chars().all(char::is_alphanumeric);
    if is_number || is_product || part.chars().count() == 1 { text.to_owned() } else { format!("({text})") }
}

/// Small and above or below the line if there are such signs, and else after `^` or `_`.
fn script(text: &str, is_raised: bool) -> String {
    let signs = if is_raised { RAISED } else { LOWERED };
    let small =
        |character| LEVEL.chars().position(|level| level == character).and_then(|place| signs.chars().nth(place));
    match text.chars().map(small).collect::<Option<String>>() {
        Some(small) => small,
        None if text == "°" => text.to_owned(),
        None => format!("{}{}", if is_raised { '^' } else { '_' }, grouped(text, false)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_read_without_latex() {
        for (text, shown) in [
            ("What is $\\frac{3}{4} + 1\\frac{1}{2}$?", "What is 3/4 + 1 1/2?"),
            ("$x^2 + y^{10} \\le \\sqrt{2}$", "x² + y¹⁰ ≤ √2"),
            ("$\\sqrt[3]{x+1}$ and $a_1$", "³√(x+1) and a₁"),
            ("$\\frac{x+1}{y}$, $2^{x}$, $90^\\circ$", "(x+1)/y, 2ˣ, 90°"),
            ("$$\\pi r^2$$", "π r²"),
            ("$-1\\tfrac{3}{4} = \\frac{\\square}{2{,}048}$", "−1 3/4 = □/2,048"),
            ("$\\frac{p + q}{pq} = \\frac{h}{\\sqrt{3}} - \\frac{\\sqrt{2}}{2}$", "(p + q)/(pq) = h/√3 − √2/2"),
            ("$\\log_2 \\left(\\frac{1}{8}\\right) = -3$", "log₂ (1/8) = −3"),
            ("$8^{x-2} \\div 10^{-12} \\ge \\sin 30^\\circ$", "8ˣ⁻² ÷ 10⁻¹² ≥ sin 30°"),
            ("$(20 + 6\\pi)\\,\\text{cm}^2$, $P(3, -5) \\to 25\\%$", "(20 + 6π) cm², P(3, −5) → 25%"),
            ("$6 \\times 7 \\text{ cm-wide}$", "6 × 7 cm-wide"),
            ("4$\\underline{7}3$ is $\\underline{\\text{not}}$ it", "4_7_3 is _not_ it"),
            ("It costs $5 and $6.", "It costs $5 and $6."),
            ("\\$5 or $5\\,\\%$", "$5 or 5 %"),
            ("a \\ b $", "a \\ b $"),
            ("$\\unknown{x}$", "unknownx"),
            ("$\\frac{1$", "1/"),
            ("$$$5", "$$$5"),
        ] {
            assert_eq!(plain(text), shown, "{text}");
        }
        let deep = format!("${}x{}$", "{".repeat(5_000), "}".repeat(5_000));
        assert!(plain(&deep).len() < 10);
    }
}
