//! An item of QTI 2 or 3 in which a number is typed.

use domain::exchange::foreign::{ForeignNumber, ForeignQuestion, NumberOption, Refusal, Rich};

use super::body::ItemBody;
use super::feedback::{Feedback, FeedbackTo};
use super::{check_points, correct_values, declaration, other, scores_by_option};
use crate::questions::exchange::qti::ItemSource;
use crate::questions::exchange::qti::names::{all, attribute, first, is};
use crate::questions::exchange::xml::Node;

/// The interaction that is read.
pub(super) const ENTRY: &str = "textentryinteraction";
/// The class of what stands behind the box, which is the unit.
pub const UNIT_CLASS: &str = "examhall-unit";
/// Stands for the box in the middle of a text.
pub(super) const BLANK: &str = "_____";
/// What compares the answer with something else than one number.
const OTHER_COMPARISONS: [&str; 10] =
    ["equalrounded", "patternmatch", "substring", "gt", "gte", "lt", "lte", "member", "contains", "customoperator"];
/// What compares it as it is.
const MATCHES: [&str; 2] = ["match", "stringmatch"];

/// Reads an item whose only interaction this is.
pub(super) fn question(
    item: &Node,
    body: &Node,
    interaction: &Node,
    source: &ItemSource<'_>,
) -> Result<ForeignQuestion, Refusal> {
    let declaration = declaration(item, interaction)?;
    let right = correct_values(declaration);
    if scores_by_option(item)? {
        check_points(declaration, &right)?;
    }
    let tolerance = tolerance(item)?;
    let option = |text: &String| NumberOption {
        text: text.clone(),
        tolerance: tolerance.clone(),
        fraction: 100.0,
        ..NumberOption::default()
    };
    let number = ForeignNumber::of(right.iter().map(option).collect())?;
    let mut notes = Vec::new();
    let mut feedback = Feedback::of_item(item, &[], &right);
    let text = ItemBody::read(item, body, source, &mut feedback, &mut notes)?;
    let to_right = right.first().map(|right| feedback.html(&FeedbackTo::Choice(right.clone()))).unwrap_or_default();
    let general_feedback = source.explanation(&feedback.html(&FeedbackTo::Everyone), &mut notes);
    let unit = all(body, &|name| name == "span").into_iter().find(|node| is_unit(node));
    let number = ForeignNumber {
        unit: unit.map(|unit| unit.text().trim().to_owned()).unwrap_or_default(),
        feedback: source.explanation(&to_right, &mut notes),
        ..number
    };
    feedback.say_lost(&mut notes);
    Ok(ForeignQuestion {
        id: attribute(item, "identifier").map(str::to_owned),
        text: without_blank(text),
        number: Some(number),
        general_feedback,
        tags: source.tags.to_vec(),
        notes,
        ..ForeignQuestion::default()
    })
}

/// Returns whether an element is the unit behind the box, which is no part of the text.
pub(super) fn is_unit(node: &Node) -> bool {
    attribute(node, "class").is_some_and(|classes| classes.split_whitespace().any(|class| class == UNIT_CLASS))
}

/// A box at the end of the text is where every question has one.
fn without_blank(rich: Rich) -> Rich {
    let text = rich.text.trim_end();
    let text = text.strip_suffix(BLANK).map_or(text, str::trim_end).to_owned();
    Rich { text, ..rich }
}

/// How far an answer may be from the right one; empty for not at all.
fn tolerance(item: &Node) -> Result<String, Refusal> {
    let Some(processing) = first(item, "responseprocessing") else { return Ok(String::new()) };
    let others = all(processing, &|name| OTHER_COMPARISONS.contains(&name));
    let matches = all(processing, &|name| MATCHES.contains(&name));
    let equals = all(processing, &|name| name == "equal");
    match (others.as_slice(), matches.as_slice(), equals.as_slice()) {
        ([], [] | [_], []) => Ok(String::new()),
        ([], [], [equal]) => tolerance_of(equal),
        _ => Err(other("its response processing compares the answer with more than one number")),
    }
}

fn tolerance_of(equal: &Node) -> Result<String, Refusal> {
    let widths: Vec<&str> = attribute(equal, "tolerance").unwrap_or_default().split_whitespace().collect();
    match (attribute(equal, "tolerancemode").unwrap_or("exact"), widths.as_slice()) {
        ("exact", _) => Ok(String::new()),
        ("absolute", [width]) => Ok((*width).to_owned()),
        ("absolute", [below, above]) if below == above => Ok((*below).to_owned()),
        _ => Err(other("its tolerance is not the same on both sides of the number")),
    }
}

/// Returns whether this is the interaction.
pub(super) fn is_entry(interaction: &Node) -> bool {
    is(interaction, ENTRY)
}
