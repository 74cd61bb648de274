//! Which option of a QTI 1.2 item is right. The item has no key, but conditions that give points and show feedback.
//! They are tried with each option as the answer, since the first condition that names one may only show feedback.

use super::names::{all, attribute, below, first, is, kind};
use crate::questions::exchange::xml::Node;

/// The variable with the points, if a condition does not name one.
const SCORE: &str = "score";
/// The points of a right answer, if the item does not say how many there are.
const POINTS: f64 = 100.0;

/// What an item does when an option is chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The points.
    pub score: f64,
    /// The identifiers of the feedback that is shown.
    pub shown: Vec<String>,
}

/// What an item does for each of its options. Conditions end at the first that holds and does not say that it goes on;
/// some systems write them as if each were tried. Where these readings give points to different options, nobody knows
/// the key: each option then has the points of the kinder one, so that several are right and the question is refused.
pub fn outcomes(item: &Node, response: &str, options: &[String]) -> Vec<Outcome> {
    let score = Scoring::of(item, response);
    let strictly: Vec<Outcome> = options.iter().map(|option| score.outcome(option, false)).collect();
    let all_tried: Vec<Outcome> = options.iter().map(|option| score.outcome(option, true)).collect();
    let (strictly_right, tried_right) = (places_with_points(&strictly), places_with_points(&all_tried));
    if strictly_right.is_empty() {
        return all_tried;
    }
    if tried_right.is_empty() || strictly_right == tried_right {
        return strictly;
    }
    let both = strictly.into_iter().zip(all_tried);
    both.map(|(strict, tried)| Outcome { score: strict.score.max(tried.score), ..strict }).collect()
}

fn places_with_points(outcomes: &[Outcome]) -> Vec<usize> {
    let places = outcomes.iter().enumerate().filter(|(_, outcome)| outcome.score > 0.0);
    places.map(|(place, _)| place).collect()
}

struct Scoring<'a> {
    conditions: Vec<&'a Node>,
    response: &'a str,
    points: f64,
}

impl<'a> Scoring<'a> {
    fn of(item: &'a Node, response: &'a str) -> Self {
        let declared = all(item, &|name| name == "decvar");
        let points = declared.iter().filter(|variable| is_score(variable)).find_map(|variable| {
            attribute(variable, "maxvalue")
                .and_then(|value| value.trim().parse::<f64>().ok())
                .filter(|value| *value > 0.0)
        });
        let conditions = below(item)
            .filter(|node| is(node, "resprocessing"))
            .flat_map(below)
            .filter(|node| is(node, "respcondition"))
            .collect();
        Self { conditions, response, points: points.unwrap_or(POINTS) }
    }

    fn outcome(&self, option: &str, all_are_tried: bool) -> Outcome {
        let mut outcome = Outcome::default();
        for condition in &self.conditions {
            if !first(condition, "conditionvar").is_none_or(|tested| self.all_hold(tested, option)) {
                continue;
            }
            for node in below(condition) {
                match kind(node).as_str() {
                    "setvar" if is_score(node) => self.set(node, &mut outcome.score),
                    "displayfeedback" => outcome.shown.extend(attribute(node, "linkrefid").map(str::to_owned)),
                    _ => {}
                }
            }
            let goes_on = attribute(condition, "continue").is_some_and(|value| value.eq_ignore_ascii_case("yes"));
            if !goes_on && !all_are_tried {
                break;
            }
        }
        outcome
    }

    fn set(&self, node: &Node, score: &mut f64) {
        let text = node.text();
        let text = text.trim();
        let value = if text.eq_ignore_ascii_case("SCORE.max") { Some(self.points) } else { text.parse::<f64>().ok() };
        let Some(value) = value.filter(|value| value.is_finite()) else { return };
        match attribute(node, "action").unwrap_or("Set").to_ascii_lowercase().as_str() {
            "add" => *score += value,
            "subtract" => *score -= value,
            "multiply" => *score *= value,
            "divide" if value != 0.0 => *score /= value,
            "divide" => {}
            _ => *score = value,
        }
    }

    fn all_hold(&self, node: &Node, option: &str) -> bool {
        below(node).all(|test| self.holds(test, option))
    }

    fn holds(&self, test: &Node, option: &str) -> bool {
        match kind(test).as_str() {
            "varequal" => {
                let is_asked = attribute(test, "respident").is_none_or(|asked| asked.trim() == self.response);
                is_asked && test.text().trim() == option
            }
            "not" => !self.all_hold(test, option),
            "and" => self.all_hold(test, option),
            "or" => below(test).any(|test| self.holds(test, option)),
            "other" => true,
            _ => false,
        }
    }
}

/// Returns whether an element is about the points. Systems have other variables beside them.
fn is_score(node: &Node) -> bool {
    let name = attribute(node, "varname").or_else(|| attribute(node, "variablename")).unwrap_or(SCORE);
    name.to_ascii_lowercase().contains(SCORE)
}
