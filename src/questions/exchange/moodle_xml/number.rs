//! Questions of Moodle that ask for a number: its numerical ones, and short answers that are all numbers.

use domain::exchange::foreign::{ForeignNumber, NumberOption, Refusal, Rich};
use domain::number::decimal;

use super::{fraction, rich, text_of};
use crate::questions::exchange::xml::Node;

/// Questions whose answers have a tolerance, and may have units.
pub(super) const NUMERICAL: &str = "numerical";
/// Questions whose answers are texts.
pub(super) const SHORT_ANSWER: &str = "shortanswer";

/// Reads the right number of a question of one of these kinds.
pub(super) fn number(node: &Node, kind: &str, notes: &mut Vec<String>) -> Result<ForeignNumber, Refusal> {
    let options: Vec<NumberOption> = node.children_named("answer").map(option).collect::<Result<_, _>>()?;
    let is_number = |option: &NumberOption| option.fraction <= 0.0 || decimal(&option.text).is_some();
    if kind == SHORT_ANSWER && !options.iter().all(is_number) {
        return Err(Refusal::Kind(kind.to_owned()));
    }
    let number = ForeignNumber::of(options)?;
    Ok(ForeignNumber { unit: unit(node, notes), ..number })
}

fn option(node: &Node) -> Result<NumberOption, Refusal> {
    let tolerance = node.child("tolerance").map(|tolerance| tolerance.text().trim().to_owned());
    Ok(NumberOption {
        text: text_of(node).trim().to_owned(),
        tolerance: tolerance.unwrap_or_default(),
        fraction: fraction(node)?,
        feedback: node.child("feedback").map_or(Ok(Rich::default()), rich)?,
    })
}

/// The unit in which the answers are. Others, with their factors, are left out.
fn unit(node: &Node, notes: &mut Vec<String>) -> String {
    let units: Vec<&Node> = node.child("units").into_iter().flat_map(|units| units.children_named("unit")).collect();
    let name = |unit: &&Node| unit.child("unit_name").map(|name| name.text().trim().to_owned()).unwrap_or_default();
    let factor = |unit: &&&Node| unit.child("multiplier").and_then(|factor| decimal(&factor.text()));
    let own = units.iter().find(|unit| factor(unit).is_some_and(|factor| is_one(&factor)));
    if units.len() > usize::from(own.is_some()) {
        notes.push("other units are left out".to_owned());
    }
    own.map(name).unwrap_or_default()
}

fn is_one(factor: &str) -> bool {
    let factor = if factor.contains('.') { factor.trim_end_matches('0').trim_end_matches('.') } else { factor };
    factor == "1"
}
