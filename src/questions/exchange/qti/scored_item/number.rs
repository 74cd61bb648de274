//! An item of QTI 1.2 in which a number is typed: Canvas' numerical questions, and blanks that are filled with numbers.

use domain::exchange::foreign::{ForeignNumber, ForeignQuestion, NumberOption, Refusal, between, is_same_number};
use domain::number::decimal;

use super::{ItemFeedback, KINDS, field, materials, other, plain, rubrics, tags};
use crate::questions::exchange::qti::ItemSource;
use crate::questions::exchange::qti::names::{all, attribute, below, first, is};
use crate::questions::exchange::xml::Node;

/// What the fields of such an item have in common, in small letters without signs.
const NUMBERS: [&str; 6] = ["numerical", "numeric", "shortanswer", "fib", "fillin", "arithmetic"];
/// The places for an answer that is typed.
const RESPONSES: [&str; 2] = ["responsestr", "responsenum"];
/// The points of a right answer, by their name.
const ALL_POINTS: &str = "SCORE.max";

/// The only place for an answer, if an item asks for something typed, and its metadata says nothing else.
pub(super) fn response<'a>(item: &Node, presentation: &'a Node) -> Option<&'a Node> {
    let kinds: Vec<String> = KINDS.iter().filter_map(|name| field(item, name)).map(|kind| plain(&kind)).collect();
    let is_number = kinds.iter().any(|kind| NUMBERS.iter().any(|known| kind.contains(known)));
    let responses = all(presentation, &|name| RESPONSES.contains(&name) || name == "responselid");
    let [only] = responses.as_slice() else { return None };
    let may_be = if kinds.is_empty() { is(only, "responsenum") } else { is_number };
    (may_be && RESPONSES.iter().any(|name| is(only, name))).then_some(*only)
}

/// Reads the item.
pub(super) fn question(
    item: &Node,
    presentation: &Node,
    response: &Node,
    source: &ItemSource<'_>,
) -> Result<ForeignQuestion, Refusal> {
    let number = right_number(item, attribute(response, "ident").unwrap_or_default().trim())?;
    if decimal(&number.answer).is_none() {
        let kind = KINDS.iter().find_map(|name| field(item, name)).unwrap_or_else(|| response.name.clone());
        return Err(Refusal::Kind(kind));
    }
    let mut notes = Vec::new();
    let feedback = ItemFeedback::of(item, &[], &[], &mut notes);
    let html = format!("{}{}", rubrics(item, &mut notes)?, materials(presentation)?);
    Ok(ForeignQuestion {
        id: attribute(item, "ident").map(str::to_owned),
        text: source.rich(&html)?,
        number: Some(number),
        general_feedback: source.explanation(&feedback.general, &mut notes),
        tags: tags(item, source),
        notes,
        ..ForeignQuestion::default()
    })
}

fn right_number(item: &Node, response: &str) -> Result<ForeignNumber, Refusal> {
    let conditions = below(item).filter(|node| is(node, "resprocessing")).flat_map(below);
    let conditions = conditions.filter(|node| is(node, "respcondition"));
    let giving: Vec<(&Node, f64)> =
        conditions.map(|condition| (condition, points(condition))).filter(|(_, points)| *points > 0.0).collect();
    let most = giving.iter().map(|(_, points)| *points).fold(0.0, f64::max);
    let mut options = Vec::new();
    for (condition, points) in giving {
        let fraction = points * 100.0 / most;
        let tested = first(condition, "conditionvar").ok_or_else(|| other("any answer gives points"))?;
        options.extend(answers(tested, response, fraction)?);
    }
    ForeignNumber::of(options)
}

/// The points that a condition gives.
fn points(condition: &Node) -> f64 {
    let set = below(condition).filter(|node| is(node, "setvar"));
    let points = set.filter_map(|node| {
        let text = node.text();
        if text.trim().eq_ignore_ascii_case(ALL_POINTS) { Some(100.0) } else { text.trim().parse::<f64>().ok() }
    });
    points.filter(|points| points.is_finite()).fold(0.0, f64::max)
}

/// The numbers for which a condition holds.
fn answers(tested: &Node, response: &str, fraction: f64) -> Result<Vec<NumberOption>, Refusal> {
    let texts = |names: &[&str]| -> Vec<String> {
        let nodes = all(tested, &|name| names.contains(&name));
        let own = nodes.into_iter().filter(|node| attribute(node, "respident").is_none_or(|of| of.trim() == response));
        own.map(|node| node.text().trim().to_owned()).collect()
    };
    if !all(tested, &|name| name == "not").is_empty() {
        return Err(other("it gives points for what is not typed"));
    }
    let equals = texts(&["varequal"]);
    let option = |text: String, tolerance: &str| NumberOption {
        text,
        tolerance: tolerance.to_owned(),
        fraction,
        ..NumberOption::default()
    };
    match (texts(&["vargte", "vargt"]).as_slice(), texts(&["varlte", "varlt"]).as_slice()) {
        ([], []) => Ok(equals.into_iter().map(|text| option(text, "")).collect()),
        ([low], [high]) => {
            let (middle, apart) = between(low, high).ok_or_else(|| other("its range has no numbers"))?;
            if equals.iter().any(|equal| !is_same_number(&middle, equal)) {
                return Err(other("its range is not around its answer"));
            }
            Ok(vec![option(equals.into_iter().next().unwrap_or(middle), &apart)])
        }
        _ => Err(other("it has several ranges of numbers")),
    }
}
