//! What Moodle reads in GIFT otherwise than nearly every teacher means it, told in words instead of read.

use domain::exchange::foreign::Refusal;

/// Commands of LaTeX that begin with the `n` of a line break and mean nothing else.
const ALWAYS: [&str; 10] =
    ["neq", "nabla", "notin", "nleq", "ngeq", "nsubseteq", "nexists", "nparallel", "nearrow", "newline"];
/// Those that may be a line break and a word outside of a formula.
const IN_FORMULA: [&str; 6] = ["ne", "nu", "ni", "neg", "not", "nmid"];
/// Bytes in which the beginning of a formula is looked for.
const FORMULA_WITHIN: usize = 2_048;
/// How formulas are opened and closed.
const BRACKETS: [(&str, &str); 3] = [("\\(", "\\)"), ("\\[", "\\]"), ("[tex]", "[/tex]")];

/// `\neq` typed with one backslash is a line break and the letters `eq`.
pub(super) fn check_line_breaks(text: &str) -> Result<(), Refusal> {
    let mut before_end = 0;
    while let Some(found) = text.get(before_end..).and_then(|rest| rest.find("\\n")) {
        let at = before_end + found;
        before_end = at + 1;
        let before = text.get(..at).unwrap_or_default();
        let is_escaped = (before.len() - before.trim_end_matches('\\').len()) % 2 == 1;
        let rest = text.get(at + 1..).unwrap_or_default();
        let command = rest.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
        let is_trap = ALWAYS.contains(&command) || (IN_FORMULA.contains(&command) && is_in_formula(before));
        if is_trap && !is_escaped {
            let rest = command.get(1..).unwrap_or_default();
            return Err(Refusal::Other(format!(
                "\\{command} is a line break and \"{rest}\" in GIFT: write \\\\{command}"
            )));
        }
    }
    Ok(())
}

/// `\frac{1}{2}` ends the answers, or begins them.
pub(super) fn check_braces(text: &str, open: usize, close: usize) -> Result<(), Refusal> {
    let before = text.get(..open).unwrap_or_default();
    let inside = text.get(open + 1..close).unwrap_or_default();
    if is_of_latex(before) || inside.contains('{') {
        return Err(Refusal::Other(
            "a brace of a formula is not escaped: write \\{ and \\}, as in \\frac\\{1\\}\\{2\\}".to_owned(),
        ));
    }
    Ok(())
}

/// `~x=5` is a wrong option `x` and a right one `5`.
pub(super) fn check_equals(answers: &str, right: usize, options: usize) -> Result<(), Refusal> {
    let is_within = |(at, _): (usize, &str)| {
        let before = answers.get(..at).unwrap_or_default();
        before.ends_with(|last: char| !last.is_whitespace() && last != '~')
    };
    if (right > 1 || options != 4) && answers.match_indices('=').any(is_within) {
        return Err(Refusal::Other("an = within an option begins another one: write \\=".to_owned()));
    }
    Ok(())
}

/// Returns whether the brace behind this text belongs to a command or a script of LaTeX.
fn is_of_latex(before: &str) -> bool {
    let name = before.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    before.ends_with(['^', '_']) || (name.len() < before.len() && name.ends_with('\\'))
}

fn is_in_formula(before: &str) -> bool {
    let before =
        before.get(before.floor_char_boundary(before.len().saturating_sub(FORMULA_WITHIN))..).unwrap_or_default();
    let is_open = |(open, close): &(&str, &str)| before.rfind(open) > before.rfind(close);
    BRACKETS.iter().any(is_open) || before.matches("$$").count() % 2 == 1
}
