//! An item of QTI 1.2, as Canvas, Common Cartridge, D2L and Blackboard write it.

mod number;

use domain::exchange::foreign::{ForeignOption, ForeignQuestion, Refusal};

use super::item_scores::{Outcome, outcomes};
use super::names::{all, attribute, below, first, is, kind};
use super::{ItemSource, check_option_count};
use crate::questions::exchange::xml::{Child, Node};

/// Characters of the title of a group, of which each question in it has a copy. No topic is longer.
const GROUP_TITLE_CHARACTERS_MAX: usize = 1_000;
/// Fields of an item that say what kind of question it is: Canvas', Common Cartridge's, and the standard's own.
const KINDS: [&str; 4] = ["question_type", "cc_profile", "qmd_questiontype", "qmd_itemtype"];
/// What the fields of a choice have in common, in small letters without signs.
const CHOICE: [&str; 2] = ["multiplechoice", "mutliplechoice"];
/// A value of `qmd_itemtype` that says only that the answer is one of several.
const LOGICAL: &str = "logicalidentifier";
/// Fields that mean the same as tags.
const TAGS: [&str; 5] = ["grade", "topic", "subtopic", "difficulty", "source"];
/// The field with the title of a question bank.
const BANK_TITLE: &str = "bank_title";
/// The name by which Canvas shows feedback to everyone.
const GENERAL_FEEDBACK: &str = "general_fb";
/// The end of the names by which it shows feedback to those who chose an option.
const OPTION_FEEDBACK: &str = "_fb";
/// Kinds of material that no question here can have.
const UNSHOWABLE: [&str; 5] = ["mataudio", "matvideo", "matapplet", "matapplication", "matref"];

/// The title of an assessment or a section.
pub fn title_of_group(group: &Node) -> Option<String> {
    attribute(group, "title").map(cut_title).filter(|title| !title.is_empty())
}

/// The title that the metadata of a bank says.
pub fn title_in_metadata(metadata: &Node) -> Option<String> {
    let title = value_of(all(metadata, &|_| true).into_iter(), BANK_TITLE);
    title.map(|title| cut_title(&title)).filter(|title| !title.is_empty())
}

fn cut_title(title: &str) -> String {
    title.trim().chars().take(GROUP_TITLE_CHARACTERS_MAX).collect()
}

/// Reads an item.
pub fn question(item: &Node, source: &ItemSource<'_>) -> Result<ForeignQuestion, Refusal> {
    let presentation = first(item, "presentation");
    if let Some((presentation, typed)) = presentation.and_then(|shown| Some((shown, number::response(item, shown)?))) {
        return number::question(item, presentation, typed, source);
    }
    check_kind(item)?;
    let presentation = presentation.ok_or_else(|| other("it shows nothing"))?;
    let response = only_response(presentation, is_named_choice(item))?;
    let labels = all(response, &|name| name == "responselabel");
    check_option_count(labels.len())?;
    let identifiers = identifiers(&labels)?;
    let outcomes = outcomes(item, attribute(response, "ident").unwrap_or_default().trim(), &identifiers);
    let highest = outcomes.iter().map(|outcome| outcome.score).fold(0.0, f64::max);
    let mut notes = Vec::new();
    let feedback = ItemFeedback::of(item, &identifiers, &outcomes, &mut notes);
    let html = format!("{}{}", rubrics(item, &mut notes)?, materials(presentation)?);
    let text = source.rich(&html)?;
    let general_feedback = source.explanation(&feedback.general, &mut notes);
    let mut options = Vec::with_capacity(labels.len());
    for ((label, outcome), said) in labels.iter().zip(&outcomes).zip(&feedback.of_options) {
        let fraction = if highest > 0.0 { outcome.score * 100.0 / highest } else { 0.0 };
        let feedback = source.explanation(said, &mut notes);
        options.push(ForeignOption { text: source.rich(&materials(label)?)?, fraction, feedback });
    }
    let says_no = |node: &Node, name| attribute(node, name).is_some_and(|value| value.eq_ignore_ascii_case("no"));
    let keeps_order = all(response, &|name| name == "renderchoice").iter().any(|node| says_no(node, "shuffle"))
        || labels.iter().any(|label| says_no(label, "rshuffle"));
    Ok(ForeignQuestion {
        id: attribute(item, "ident").map(str::to_owned),
        text,
        options,
        general_feedback,
        tags: tags(item, source),
        keeps_order,
        notes,
        ..ForeignQuestion::default()
    })
}

fn other(reason: impl Into<String>) -> Refusal {
    Refusal::Other(reason.into())
}

/// The value of a field of an item's metadata.
fn field(item: &Node, wanted: &str) -> Option<String> {
    let metadata = below(item).filter(|child| is(child, "itemmetadata"));
    value_of(metadata.flat_map(|metadata| all(metadata, &|_| true)), wanted)
}

fn value_of<'a>(mut fields: impl Iterator<Item = &'a Node>, wanted: &str) -> Option<String> {
    fields.find_map(|field| {
        let label = first(field, "fieldlabel")?.text();
        let entry = first(field, "fieldentry")?.text();
        label.trim().eq_ignore_ascii_case(wanted).then(|| entry.trim().to_owned())
    })
}

fn plain(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Refuses an item that says itself that it is no choice.
fn check_kind(item: &Node) -> Result<(), Refusal> {
    let kinds: Vec<String> = KINDS.iter().filter_map(|name| field(item, name)).collect();
    match kinds.iter().find(|kind| plain(kind) != LOGICAL) {
        Some(said) if !is_named_choice(item) => Err(Refusal::Kind(said.clone())),
        _ => Ok(()),
    }
}

fn is_named_choice(item: &Node) -> bool {
    let mut kinds = KINDS.iter().filter_map(|name| field(item, name));
    kinds.any(|kind| CHOICE.iter().any(|choice| plain(&kind).contains(choice)))
}

/// The only place of an item that asks for an answer. D2L says that several options may be chosen, where its own name
/// for the kind says otherwise.
fn only_response(presentation: &Node, is_named: bool) -> Result<&Node, Refusal> {
    let is_response =
        |name: &str| name.starts_with("response") && !matches!(name, "responselabel" | "responseextension");
    let found = all(presentation, &is_response);
    let only = match found.as_slice() {
        [] => return Err(other("it asks for no answer")),
        [only] if is(only, "responselid") => *only,
        [only] => return Err(Refusal::Kind(only.name.clone())),
        several => return Err(other(format!("it asks for {} answers, but a question has one", several.len()))),
    };
    let is_several = attribute(only, "rcardinality").is_some_and(|value| !value.eq_ignore_ascii_case("single"));
    if is_several && !is_named { Err(Refusal::SeveralChosen) } else { Ok(only) }
}

fn identifiers(labels: &[&Node]) -> Result<Vec<String>, Refusal> {
    let mut identifiers: Vec<String> = Vec::with_capacity(labels.len());
    for label in labels {
        let identifier = attribute(label, "ident").unwrap_or_default().trim();
        if identifier.is_empty() || identifiers.iter().any(|known| known == identifier) {
            return Err(other("two of its options have the same identifier, or one has none"));
        }
        identifiers.push(identifier.to_owned());
    }
    Ok(identifiers)
}

fn tags(item: &Node, source: &ItemSource<'_>) -> Vec<String> {
    let said = TAGS.iter().filter_map(|name| field(item, name).map(|value| format!("{name}:{value}")));
    source.tags.iter().cloned().chain(said).collect()
}

/// What is said after the answer, as HTML.
struct ItemFeedback {
    general: String,
    of_options: Vec<String>,
}

impl ItemFeedback {
    fn of(item: &Node, options: &[String], outcomes: &[Outcome], notes: &mut Vec<String>) -> Self {
        let mut feedback = Self { general: String::new(), of_options: vec![String::new(); options.len()] };
        let (mut hints, mut lost) = (0, 0);
        for node in below(item).filter(|node| is(node, "itemfeedback")) {
            let name = attribute(node, "ident").unwrap_or_default();
            hints += all(node, &|name| name == "hint").len();
            let html = materials(node).unwrap_or_else(|refusal| {
                notes.push(format!("feedback is left out: {refusal}"));
                String::new()
            });
            let shown: Vec<bool> = outcomes.iter().map(|outcome| outcome.shown.iter().any(|of| of == name)).collect();
            if name == GENERAL_FEEDBACK || (!shown.is_empty() && shown.iter().all(|is_shown| *is_shown)) {
                feedback.general.push_str(&html);
                continue;
            }
            let of = |place: usize| options.get(place).map(String::as_str) == name.strip_suffix(OPTION_FEEDBACK);
            let mut is_lost = !html.is_empty();
            for (place, said) in feedback.of_options.iter_mut().enumerate() {
                if shown.get(place) == Some(&true) || of(place) {
                    said.push_str(&html);
                    is_lost = false;
                }
            }
            lost += usize::from(is_lost);
        }
        if hints > 0 {
            notes.push(format!("hints are left out: {hints}"));
        }
        if lost > 0 {
            notes.push(format!("feedback that no option shows is left out: {lost}"));
        }
        feedback
    }
}

/// What is said to the student before the question.
fn rubrics(item: &Node, notes: &mut Vec<String>) -> Result<String, Refusal> {
    let (mut before, mut others) = (String::new(), 0);
    for rubric in below(item).filter(|node| is(node, "rubric")) {
        match attribute(rubric, "view").map(str::to_ascii_lowercase).as_deref() {
            None | Some("all" | "candidate") => before.push_str(&materials(rubric)?),
            Some(_) => others += 1,
        }
    }
    if others > 0 {
        notes.push(format!("rubrics that are not for students are left out: {others}"));
    }
    Ok(before)
}

/// All that an element shows but for options, as HTML.
fn materials(node: &Node) -> Result<String, Refusal> {
    let mut html = String::new();
    for child in below(node) {
        match kind(child).as_str() {
            "mattext" | "matemtext" => html.push_str(&format!("<div>{}</div>", written(child)?)),
            "matbreak" => html.push_str("<br>"),
            "matimage" => html.push_str(&picture(child)?),
            "responselabel" | "responseextension" | "hint" | "altmaterial" | "itemfeedback" => {}
            kind if UNSHOWABLE.contains(&kind) => return Err(Refusal::Unshowable(child.name.clone())),
            _ => html.push_str(&materials(child)?),
        }
    }
    Ok(html)
}

/// A text as HTML: it is escaped HTML, HTML as it is, or plain.
fn written(text: &Node) -> Result<String, Refusal> {
    if text.children.iter().any(|child| matches!(child, Child::Node(_))) {
        return Ok(text.inner_html());
    }
    if text.text().trim().is_empty() && attribute(text, "uri").is_some() {
        return Err(other("a text of it is in another file"));
    }
    match attribute(text, "texttype").unwrap_or("text/plain").trim().to_ascii_lowercase().as_str() {
        "text/html" | "text/xhtml" | "text/xml" | "html" => Ok(text.text()),
        "text/plain" | "text" | "" => Ok(escaped(&text.text()).trim().replace('\n', "<br>")),
        other_type => Err(other(format!("a text of it is in {other_type}, which is not read"))),
    }
}

fn picture(image: &Node) -> Result<String, Refusal> {
    let label = escaped(attribute(image, "label").unwrap_or_default());
    if let Some(address) = attribute(image, "uri") {
        return Ok(format!("<img src=\"{}\" alt=\"{label}\">", escaped(address)));
    }
    let media_type = attribute(image, "imagtype").unwrap_or_default();
    let is_base64 = attribute(image, "embedded").is_some_and(|form| form.eq_ignore_ascii_case("base64"));
    if !is_base64 || !media_type.starts_with("image/") {
        return Err(Refusal::MissingPicture(attribute(image, "label").unwrap_or_default().to_owned()));
    }
    let data: String = image.text().split_whitespace().collect();
    Ok(format!("<img src=\"data:{};base64,{}\" alt=\"{label}\">", escaped(media_type), escaped(&data)))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
