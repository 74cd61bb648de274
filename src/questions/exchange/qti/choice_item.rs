//! An item of QTI 2.1, 2.2 or 3.0: a choice, or a number that is typed. The versions differ in the names of elements,
//! which are compared without signs.

mod body;
mod feedback;
pub mod number_entry;

use domain::exchange::foreign::{ForeignOption, ForeignQuestion, Refusal};

use self::body::ItemBody;
use self::feedback::{Feedback, FeedbackTo};
use self::number_entry::is_entry;
use super::names::{all, attribute, below, first, is, kind};
use super::{ItemSource, check_option_count};
use crate::questions::exchange::xml::Node;

/// The end of the names of all elements that ask for an answer.
const INTERACTION: &str = "interaction";
/// The interaction that is read.
const CHOICE: &str = "choiceinteraction";
/// The last parts of the addresses of response processing with one right answer. Each occurs with and without `.xml`.
const MATCHES: [&str; 2] = ["match_correct", "CC2_match"];
/// Likewise of those that add the points of each option.
const MAPS: [&str; 2] = ["map_response", "CC2_map_response"];

/// Reads an item.
pub fn question(item: &Node, source: &ItemSource<'_>) -> Result<ForeignQuestion, Refusal> {
    refuse_what_varies(item)?;
    let body = first(item, "itembody").ok_or_else(|| other("it has no item body"))?;
    let interaction = only_interaction(body)?;
    if is_entry(interaction) {
        return number_entry::question(item, body, interaction, source);
    }
    let right = right_answers(item, interaction)?;
    let choices: Vec<&Node> = below(interaction).filter(|child| is(child, "simplechoice")).collect();
    check_option_count(choices.len())?;
    check_identifiers(&choices, &right)?;
    let mut notes = Vec::new();
    let mut feedback = Feedback::of_item(item, &choices, &right);
    let body = ItemBody::read(item, body, source, &mut feedback, &mut notes)?;
    let mut options = Vec::with_capacity(choices.len());
    for choice in &choices {
        let identifier = identifier(choice);
        let html = ItemBody::choice(choice, &identifier, &mut feedback)?;
        let fraction = if right.contains(&identifier) { 100.0 } else { 0.0 };
        options.push((identifier, ForeignOption { text: source.rich(&html)?, fraction, ..ForeignOption::default() }));
    }
    let options = options
        .into_iter()
        .map(|(identifier, option)| {
            let html = feedback.html(&FeedbackTo::Choice(identifier));
            ForeignOption { feedback: source.explanation(&html, &mut notes), ..option }
        })
        .collect();
    let general_feedback = source.explanation(&feedback.html(&FeedbackTo::Everyone), &mut notes);
    feedback.say_lost(&mut notes);
    let has_fixed = choices.iter().any(|choice| attribute(choice, "fixed") == Some("true"));
    Ok(ForeignQuestion {
        id: attribute(item, "identifier").map(str::to_owned),
        text: body,
        options,
        general_feedback,
        tags: source.tags.to_vec(),
        keeps_order: attribute(interaction, "shuffle") == Some("false") || has_fixed,
        notes,
        ..ForeignQuestion::default()
    })
}

fn other(reason: impl Into<String>) -> Refusal {
    Refusal::Other(reason.into())
}

fn identifier(node: &Node) -> String {
    attribute(node, "identifier").unwrap_or_default().trim().to_owned()
}

/// Refuses an item that is another for each student, or in another file.
fn refuse_what_varies(item: &Node) -> Result<(), Refusal> {
    if attribute(item, "adaptive") == Some("true") {
        return Err(other("it is adaptive"));
    }
    let varies = |name: &str| name.starts_with("template") || name == "printedvariable";
    if !all(item, &varies).is_empty() {
        return Err(other("a template makes its values anew for each student"));
    }
    if !all(item, &|name| name == "include").is_empty() {
        return Err(other("a part of it is in another file (XInclude)"));
    }
    Ok(())
}

/// The only place of an item that asks for an answer.
fn only_interaction(body: &Node) -> Result<&Node, Refusal> {
    let found = all(body, &|name| name.ends_with(INTERACTION));
    match found.as_slice() {
        [] => Err(other("it asks for no answer")),
        [only] if is(only, CHOICE) || is_entry(only) => Ok(only),
        [only] => Err(Refusal::Kind(only.name.clone())),
        several => Err(other(format!("it asks for {} answers, but a question has one", several.len()))),
    }
}

/// What the item declares of its answer.
fn declaration<'a>(item: &'a Node, interaction: &Node) -> Result<&'a Node, Refusal> {
    let wanted = attribute(interaction, "responseidentifier").unwrap_or("RESPONSE");
    below(item)
        .find(|node| is(node, "responsedeclaration") && attribute(node, "identifier") == Some(wanted))
        .ok_or_else(|| other("it does not declare its answer"))
}

/// What is right: the identifiers of options, or what is typed.
fn correct_values(declaration: &Node) -> Vec<String> {
    let values = first(declaration, "correctresponse").into_iter().flat_map(below).filter(|value| is(value, "value"));
    values.map(|value| value.text().trim().to_owned()).collect()
}

/// The identifiers of the right options.
fn right_answers(item: &Node, interaction: &Node) -> Result<Vec<String>, Refusal> {
    let declaration = declaration(item, interaction)?;
    let is_single = attribute(declaration, "cardinality").is_none_or(|cardinality| cardinality == "single");
    if !is_single && attribute(interaction, "maxchoices") != Some("1") {
        return Err(Refusal::SeveralChosen);
    }
    let right = correct_values(declaration);
    if scores_by_option(item)? {
        check_points(declaration, &right)?;
    }
    Ok(right)
}

/// Returns whether the points are those of the chosen option, and not those of the right answer.
fn scores_by_option(item: &Node) -> Result<bool, Refusal> {
    let Some(processing) = first(item, "responseprocessing") else { return Ok(false) };
    let template = attribute(processing, "template").unwrap_or_default();
    let last = template.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let name = last.strip_suffix(".xml").unwrap_or(last);
    if MAPS.contains(&name) {
        return Ok(true);
    }
    if name.is_empty() || MATCHES.contains(&name) {
        return Ok(!all(processing, &|name| name == "mapresponse").is_empty());
    }
    Err(other(format!("its response processing is not known: {name}")))
}

/// Refuses an item whose points are not those of its right answer: nobody knows which of them its author meant.
fn check_points(declaration: &Node, right: &[String]) -> Result<(), Refusal> {
    let entries = all(declaration, &|name| name == "mapentry");
    let rewarded = entries.iter().filter(|entry| is_positive(entry, "mappedvalue"));
    let rewarded: Vec<&str> = rewarded.map(|entry| attribute(entry, "mapkey").unwrap_or_default().trim()).collect();
    if rewarded.len() > 1 {
        return Err(other("several options give points"));
    }
    let mappings = all(declaration, &|name| name == "mapping");
    if mappings.iter().any(|mapping| is_positive(mapping, "defaultvalue")) {
        return Err(other("options without points of their own give points"));
    }
    if rewarded != right {
        return Err(other("the option that gives points is not its right answer"));
    }
    Ok(())
}

fn is_positive(node: &Node, name: &str) -> bool {
    attribute(node, name).and_then(|value| value.trim().parse::<f64>().ok()).is_some_and(|value| value > 0.0)
}

fn check_identifiers(choices: &[&Node], right: &[String]) -> Result<(), Refusal> {
    let identifiers: Vec<String> = choices.iter().map(|choice| identifier(choice)).collect();
    for (place, known) in identifiers.iter().enumerate() {
        if known.is_empty() || identifiers.iter().take(place).any(|before| before == known) {
            return Err(other("two of its options have the same identifier, or one has none"));
        }
    }
    match right.iter().find(|right| !identifiers.contains(right)) {
        Some(_) => Err(other("its right answer is none of its options")),
        None => Ok(()),
    }
}

/// Elements that only say how an item looks or where it comes from.
fn is_passed_over(node: &Node) -> bool {
    matches!(kind(node).as_str(), "stylesheet" | "cataloginfo" | "companionmaterialsinfo")
}
