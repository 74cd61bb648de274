//! Formulas of MathML as LaTeX: what school mathematics is made of. A formula with anything else is refused, since half
//! of a formula is another one.

mod signs;

use std::fmt::Write as _;

use domain::exchange::foreign::Refusal;

use super::xml::{Child, Node};
use signs::{FUNCTIONS, SIGNS};

/// What MathML says of a formula in TeX, if its writer kept that.
const TEX: [&str; 2] = ["application/x-tex", "TeX"];
/// Elements that only group others.
const GROUPS: [&str; 5] = ["math", "mrow", "mstyle", "mpadded", "semantics"];
/// Signs that take no room and mean nothing to a reader.
const UNSEEN: [char; 6] = ['\u{2061}', '\u{2062}', '\u{2063}', '\u{2064}', '\u{200B}', '\u{FEFF}'];
/// Marks above or below something, as LaTeX writes them; the first for one sign, the second for more.
const OVER: [(&str, &str, &str); 8] = [
    ("¯", "\\bar", "\\overline"),
    ("‾", "\\overline", "\\overline"),
    ("_", "\\overline", "\\overline"),
    ("→", "\\vec", "\\overrightarrow"),
    ("^", "\\hat", "\\widehat"),
    ("˙", "\\dot", "\\dot"),
    ("~", "\\tilde", "\\widetilde"),
    ("⏞", "\\overbrace", "\\overbrace"),
];
/// What stands above and below, and not beside, such signs.
const LARGE: [&str; 6] = ["∑", "∏", "∫", "lim", "max", "min"];

/// The formula of a `math` element.
pub fn to_latex(math: &Node) -> Result<String, Refusal> {
    let mut latex = Latex::default();
    latex.node(math)?;
    Ok(latex.text.trim().to_owned())
}

#[derive(Default)]
struct Latex {
    text: String,
}

impl Latex {
    /// Adds LaTeX, with a space where a command would else run into a letter.
    fn add(&mut self, latex: &str) {
        let is_command = |text: &str| {
            let letters = text.len() - text.trim_end_matches(|last: char| last.is_ascii_alphabetic()).len();
            letters > 0 && text.get(..text.len() - letters).is_some_and(|before| before.ends_with('\\'))
        };
        if latex.starts_with(|first: char| first.is_ascii_alphabetic()) && is_command(&self.text) {
            self.text.push(' ');
        }
        self.text.push_str(latex);
    }

    fn node(&mut self, node: &Node) -> Result<(), Refusal> {
        match node.name.as_str() {
            "mn" => self.add(&signs(&node.text())),
            "mi" => self.identifier(&node.text()),
            "mo" => self.operator(&node.text()),
            "mtext" | "ms" => self.words(&node.text()),
            "mspace" => self.add("\\ "),
            "none" | "annotation" | "annotation-xml" | "maligngroup" | "malignmark" => {}
            _ => return self.structure(node),
        }
        Ok(())
    }

    /// An element that has others in it.
    fn structure(&mut self, node: &Node) -> Result<(), Refusal> {
        match node.name.as_str() {
            name if GROUPS.contains(&name) => self.group(node),
            "mfrac" => self.fraction(node),
            "msqrt" => {
                self.command("\\sqrt", &[&inner(node)?]);
                Ok(())
            }
            "mroot" => self.root(node),
            "msup" => self.scripts(node, &["^"]),
            "msub" => self.scripts(node, &["_"]),
            "msubsup" => self.scripts(node, &["_", "^"]),
            "munderover" => self.scripts(node, &["_", "^"]),
            "mover" => self.over(node),
            "munder" => self.under(node),
            "mfenced" => self.fenced(node),
            "menclose" => self.enclosed(node),
            "mphantom" => {
                self.command("\\phantom", &[&inner(node)?]);
                Ok(())
            }
            "mtable" => self.table(node),
            "merror" => Err(Refusal::Formula("it has an error in it".to_owned())),
            name => Err(Refusal::Formula(format!("<{}>", name.chars().take(30).collect::<String>()))),
        }
    }

    fn group(&mut self, node: &Node) -> Result<(), Refusal> {
        let annotation = |known: &&Node| known.attribute("encoding").is_some_and(|kind| TEX.contains(&kind));
        if let Some(tex) = node.children_named("annotation").find(annotation) {
            self.add(tex.text().trim());
            return Ok(());
        }
        let first = (node.name == "semantics").then_some(1);
        for child in node.nodes().take(first.unwrap_or(usize::MAX)) {
            self.node(child)?;
        }
        // Letters that stand alone are no MathML, but some editors write them.
        let own = node.children.iter().any(|child| matches!(child, Child::Text(text) if !text.trim().is_empty()));
        if own { Err(Refusal::Formula("text outside of its elements".to_owned())) } else { Ok(()) }
    }

    fn identifier(&mut self, text: &str) {
        let text = seen(text);
        if FUNCTIONS.contains(&text.as_str()) {
            self.add(&format!("\\{text}"));
        } else if text.chars().count() > 1 && text.chars().all(char::is_alphabetic) {
            self.add(&format!("\\mathrm{{{text}}}"));
        } else {
            self.add(&signs(&text));
        }
    }

    fn operator(&mut self, text: &str) {
        let text = seen(text);
        match text.as_str() {
            "{" | "}" => self.add(&format!("\\{text}")),
            "|" | "∣" => self.add("|"),
            name if FUNCTIONS.contains(&name) => self.add(&format!("\\{name}")),
            _ => self.add(&signs(&text)),
        }
    }

    fn words(&mut self, text: &str) {
        let text = text.replace('\u{a0}', " ");
        if !text.is_empty() {
            let plain = text.chars().fold(String::new(), |mut plain, character| {
                if "%#&_{}$".contains(character) {
                    plain.push('\\');
                }
                plain.push(if character == '\\' { '/' } else { character });
                plain
            });
            self.add(&format!("\\text{{{plain}}}"));
        }
    }

    fn command(&mut self, command: &str, parts: &[&str]) {
        self.add(command);
        for part in parts {
            let _ = write!(self.text, "{{{part}}}");
        }
    }

    fn fraction(&mut self, node: &Node) -> Result<(), Refusal> {
        let [above, below] = parts(node)?;
        let is_binomial = node.attribute("linethickness").is_some_and(|width| width.trim_start().starts_with('0'));
        // A line of no width is that of a binomial coefficient, whose brackets stand around it.
        if is_binomial {
            self.add(&format!("{{{} \\atop {}}}", whole(above)?, whole(below)?));
            return Ok(());
        }
        self.command("\\frac", &[&whole(above)?, &whole(below)?]);
        Ok(())
    }

    fn root(&mut self, node: &Node) -> Result<(), Refusal> {
        let [radicand, index] = parts(node)?;
        self.add(&format!("\\sqrt[{}]{{{}}}", whole(index)?, whole(radicand)?));
        Ok(())
    }

    fn scripts(&mut self, node: &Node, signs: &[&str]) -> Result<(), Refusal> {
        let parts: Vec<&Node> = node.nodes().collect();
        let [base, scripts @ ..] = parts.as_slice() else { return Err(missing(node)) };
        if scripts.len() != signs.len() {
            return Err(missing(node));
        }
        let base = whole(base)?;
        let is_number = base.chars().all(|digit| digit.is_ascii_digit());
        let is_single = base.chars().count() == 1 || is_number || is_one_command(&base) || base.ends_with(')');
        self.add(&if is_single { base } else { format!("{{{base}}}") });
        for (sign, script) in signs.iter().zip(scripts) {
            let script = whole(script)?;
            match script.as_str() {
                "'" | "''" if *sign == "^" => self.text.push_str(&script),
                "^{\\circ}" if *sign == "^" => self.text.push_str("^{\\circ}"),
                _ => {
                    let _ = write!(self.text, "{sign}{{{script}}}");
                }
            }
        }
        Ok(())
    }

    fn over(&mut self, node: &Node) -> Result<(), Refusal> {
        let [base, mark] = parts(node)?;
        let (sign, base_text) = (seen(&mark.text()), whole(base)?);
        if let Some((_, one, more)) = OVER.iter().find(|(known, ..)| *known == sign) {
            let command = if seen(&base.text()).chars().count() > 1 { more } else { one };
            self.command(command, &[&base_text]);
            return Ok(());
        }
        if LARGE.contains(&seen(&base.text()).as_str()) {
            return self.scripts(node, &["^"]);
        }
        self.command("\\overset", &[&whole(mark)?, &base_text]);
        Ok(())
    }

    fn under(&mut self, node: &Node) -> Result<(), Refusal> {
        let [base, mark] = parts(node)?;
        let sign = seen(&mark.text());
        if matches!(sign.as_str(), "_" | "¯" | "‾" | "\u{332}") {
            self.command("\\underline", &[&whole(base)?]);
            return Ok(());
        }
        if LARGE.contains(&seen(&base.text()).as_str()) {
            return self.scripts(node, &["_"]);
        }
        self.command("\\underset", &[&whole(mark)?, &whole(base)?]);
        Ok(())
    }

    fn fenced(&mut self, node: &Node) -> Result<(), Refusal> {
        let sign = |name: &str, usual: &str| node.attribute(name).map_or_else(|| usual.to_owned(), seen);
        let (open, close) = (sign("open", "("), sign("close", ")"));
        let separators: Vec<char> = sign("separators", ",").chars().filter(|sign| !sign.is_whitespace()).collect();
        self.add(&format!("\\left{}", bracket(&open)));
        for (place, child) in node.nodes().enumerate() {
            if let Some(separator) =
                place.checked_sub(1).and_then(|before| separators.get(before).or(separators.last()))
            {
                self.add(&signs(&separator.to_string()));
            }
            self.node(child)?;
        }
        self.add(&format!("\\right{}", bracket(&close)));
        Ok(())
    }

    fn enclosed(&mut self, node: &Node) -> Result<(), Refusal> {
        let notation = node.attribute("notation").unwrap_or("longdiv");
        let command = match notation.trim() {
            "top" => "\\overline",
            "bottom" => "\\underline",
            "box" | "roundedbox" => "\\boxed",
            "radical" => "\\sqrt",
            _ => {
                return Err(Refusal::Formula(format!(
                    "<menclose> of {}",
                    notation.chars().take(30).collect::<String>()
                )));
            }
        };
        self.command(command, &[&inner(node)?]);
        Ok(())
    }

    fn table(&mut self, node: &Node) -> Result<(), Refusal> {
        let mut rows = Vec::new();
        for row in node.children_named("mtr") {
            let cells: Vec<String> = row.children_named("mtd").map(inner).collect::<Result<_, _>>()?;
            rows.push(cells.join(" & "));
        }
        self.add(&format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ ")));
        Ok(())
    }
}

/// The two parts that an element must have.
fn parts(node: &Node) -> Result<[&Node; 2], Refusal> {
    let found: Vec<&Node> = node.nodes().collect();
    <[&Node; 2]>::try_from(found).map_err(|_| missing(node))
}

fn missing(node: &Node) -> Refusal {
    Refusal::Formula(format!("<{}> has other parts than it should", node.name))
}

/// An element by itself.
fn whole(node: &Node) -> Result<String, Refusal> {
    let mut latex = Latex::default();
    latex.node(node)?;
    Ok(latex.text.trim().to_owned())
}

/// What is in an element, side by side.
fn inner(node: &Node) -> Result<String, Refusal> {
    let mut latex = Latex::default();
    node.nodes().try_for_each(|child| latex.node(child))?;
    Ok(latex.text.trim().to_owned())
}

/// A text without what no reader sees.
fn seen(text: &str) -> String {
    text.trim().chars().filter(|character| !UNSEEN.contains(character)).collect()
}

/// A text with the commands of LaTeX for its signs.
fn signs(text: &str) -> String {
    let mut latex = Latex::default();
    for character in seen(text).chars() {
        let sign = character.encode_utf8(&mut [0; 4]).to_owned();
        match SIGNS.iter().find(|(known, _)| *known == sign) {
            Some((_, command)) => latex.add(command),
            None if "#&_${}".contains(character) => latex.add(&format!("\\{character}")),
            None if character == '\\' => latex.add("\\backslash"),
            None if character == '~' => latex.add("\\sim"),
            None if character == '^' => latex.add("\\wedge"),
            None if character.is_whitespace() => latex.add("\\ "),
            None => latex.add(&sign),
        }
    }
    latex.text
}

fn bracket(sign: &str) -> String {
    match sign {
        "" => ".".to_owned(),
        "{" | "}" => format!("\\{sign}"),
        "⟨" | "〈" => "\\langle".to_owned(),
        "⟩" | "〉" => "\\rangle".to_owned(),
        sign => sign.chars().take(1).collect(),
    }
}

fn is_one_command(latex: &str) -> bool {
    latex
        .strip_prefix('\\')
        .is_some_and(|name| !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests;
