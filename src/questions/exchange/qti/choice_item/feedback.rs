//! What an item of QTI 2 or 3 says after the answer. It shows each text by the value of a variable, which the item may
//! compute as it likes; here the value is taken by its name.

use crate::questions::exchange::qti::names::{attribute, below, first, is, kind};
use crate::questions::exchange::xml::Node;

/// Names of the value by which systems show a text to everyone.
const EVERYONE: [&str; 8] =
    ["explanation", "general", "generalfb", "generalfeedback", "solution", "rationale", "feedback", "yes"];
/// Names of the value by which they show one to those who were right.
const RIGHT: [&str; 6] = ["correct", "correctfb", "right", "true", "t", "positive"];

/// To whom a text is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedbackTo {
    Everyone,
    /// Those who chose the option with this identifier.
    Choice(String),
    /// Nobody knows.
    Others,
}

/// What is said after the answer, in the order of the item, as HTML.
pub struct Feedback {
    said: Vec<(FeedbackTo, String)>,
    choices: Vec<String>,
    right: Option<String>,
}

impl Feedback {
    /// What the item says outside of its body.
    pub fn of_item(item: &Node, choices: &[&Node], right: &[String]) -> Self {
        let choices =
            choices.iter().filter_map(|choice| attribute(choice, "identifier")).map(|id| id.trim().to_owned());
        let mut feedback = Self { said: Vec::new(), choices: choices.collect(), right: right.first().cloned() };
        for modal in below(item).filter(|node| is(node, "modalfeedback")) {
            feedback.add(modal, None);
        }
        feedback
    }

    /// Adds an element with feedback; `within` is the option in which it stands.
    pub fn add(&mut self, node: &Node, within: Option<&str>) {
        let value = attribute(node, "identifier").unwrap_or_default();
        let is_hidden = attribute(node, "showhide") == Some("hide");
        let to = match within {
            _ if is_hidden => FeedbackTo::Others,
            Some(choice) => FeedbackTo::Choice(choice.to_owned()),
            None => self.to(value),
        };
        // Version 3 has the content in an element of its own.
        let content = first(node, "contentbody").unwrap_or(node);
        self.said.push((to, content.inner_html()));
    }

    fn to(&self, value: &str) -> FeedbackTo {
        let plain: String =
            value.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect();
        if let Some(choice) = self.choices.iter().find(|choice| *choice == value) {
            return FeedbackTo::Choice(choice.clone());
        }
        match &self.right {
            Some(right) if RIGHT.contains(&plain.as_str()) => FeedbackTo::Choice(right.clone()),
            _ if EVERYONE.contains(&plain.as_str()) => FeedbackTo::Everyone,
            _ => FeedbackTo::Others,
        }
    }

    /// All that is said to them.
    pub fn html(&self, to: &FeedbackTo) -> String {
        let said = self.said.iter().filter(|(of, _)| of == to);
        said.map(|(_, html)| format!("<div>{html}</div>")).collect()
    }

    /// Says how many texts are left out, since nobody knows to whom they are said.
    pub fn say_lost(&self, notes: &mut Vec<String>) {
        let lost = self.said.iter().filter(|(to, _)| *to == FeedbackTo::Others).count();
        if lost > 0 {
            notes.push(format!(
                "feedback is left out {lost} times, which neither the right answer nor everyone is shown"
            ));
        }
    }
}

/// Returns whether an element within a text is feedback.
pub fn is_feedback(node: &Node) -> bool {
    matches!(kind(node).as_str(), "feedbackblock" | "feedbackinline")
}
