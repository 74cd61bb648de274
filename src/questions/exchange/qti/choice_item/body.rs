//! What an item of QTI 2 or 3 asks: its body without the options, with what stands before it.

use domain::exchange::foreign::{ForeignPicture, Refusal, Rich};

use super::feedback::{Feedback, is_feedback};
use super::number_entry::{BLANK, is_entry, is_unit};
use super::{INTERACTION, is_passed_over, other};
use crate::questions::exchange::qti::ItemSource;
use crate::questions::exchange::qti::names::{all, attribute, below, first, is, kind};
use crate::questions::exchange::xml::{Child, Node};

/// Texts in files of their own that may stand before a question.
const STIMULI_MAX: usize = 4;
/// Bytes of the text that they and the question give together: no field is longer.
const JOINED_BYTES_MAX: usize = 128 * 1_024;
/// Whose view of a rubric is part of the question.
const CANDIDATE: &str = "candidate";
/// The element that older items show pictures with.
const OBJECT: &str = "object";

/// A body that is being read.
pub struct ItemBody<'a> {
    /// What is said to the student before the question.
    before: String,
    feedback: &'a mut Feedback,
    /// How many rubrics for others were left out.
    other_views: usize,
    /// How many parts were left out that open on demand.
    folded: usize,
}

impl<'a> ItemBody<'a> {
    /// Reads the question.
    pub fn read(
        item: &Node,
        body: &Node,
        source: &ItemSource<'_>,
        feedback: &'a mut Feedback,
        notes: &mut Vec<String>,
    ) -> Result<Rich, Refusal> {
        let mut read = Self { before: String::new(), feedback, other_views: 0, folded: 0 };
        let rest = read.kept(body, None)?;
        let asked = source.rich(&format!("{}{}", read.before, rest.inner_html()))?;
        if read.other_views > 0 {
            notes.push(format!("rubrics that are not for students are left out: {}", read.other_views));
        }
        if read.folded > 0 {
            notes.push(format!("notes that open on demand are left out: {}", read.folded));
        }
        let stimuli = all(item, &|name| name == "assessmentstimulusref");
        if stimuli.len() > STIMULI_MAX {
            return Err(other(format!("more than {STIMULI_MAX} texts in other files stand before it")));
        }
        let mut whole = Rich::default();
        for stimulus in stimuli {
            whole = joined(whole, stimulus_text(stimulus, source)?)?;
        }
        joined(whole, asked)
    }

    /// The HTML of an option, whose feedback goes elsewhere.
    pub fn choice(choice: &Node, identifier: &str, feedback: &'a mut Feedback) -> Result<String, Refusal> {
        let mut read = Self { before: String::new(), feedback, other_views: 0, folded: 0 };
        read.kept(choice, Some(identifier)).map(|kept| kept.inner_html())
    }

    /// A copy of the element with what belongs to the text.
    fn kept(&mut self, node: &Node, choice: Option<&str>) -> Result<Node, Refusal> {
        let mut children = Vec::with_capacity(node.children.len());
        for child in &node.children {
            match child {
                Child::Text(text) => children.push(Child::Text(text.clone())),
                Child::Node(node) => {
                    if let Some(kept) = self.child(node, choice)? {
                        children.push(Child::Node(kept));
                    }
                }
            }
        }
        Ok(Node {
            name: node.name.clone(),
            attributes: node.attributes.clone(),
            children,
            line: node.line,
            ..Node::default()
        })
    }

    fn child(&mut self, node: &Node, choice: Option<&str>) -> Result<Option<Node>, Refusal> {
        let kind = kind(node);
        if is_feedback(node) {
            self.feedback.add(node, choice);
            return Ok(None);
        }
        match kind.as_str() {
            "rubricblock" => self.rubric(node).map(|()| None),
            "infocontrol" => {
                self.folded += 1;
                Ok(None)
            }
            OBJECT => picture(node).map(Some),
            _ if is_entry(node) => Ok(Some(blank(node.line))),
            "span" if is_unit(node) => Ok(None),
            _ if kind.ends_with(INTERACTION) => match first(node, "prompt") {
                Some(prompt) => self.kept(prompt, choice).map(block).map(Some),
                None => Ok(None),
            },
            _ if is_passed_over(node) => Ok(None),
            _ => self.kept(node, choice).map(Some),
        }
    }

    fn rubric(&mut self, rubric: &Node) -> Result<(), Refusal> {
        let views = attribute(rubric, "view").unwrap_or(CANDIDATE);
        if !views.split_whitespace().any(|view| view == CANDIDATE) {
            self.other_views += 1;
            return Ok(());
        }
        let kept = self.kept(first(rubric, "contentbody").unwrap_or(rubric), None)?;
        self.before.push_str(&format!("<div>{}</div>", kept.inner_html()));
        Ok(())
    }
}

/// What stands for the box into which something is typed.
fn blank(line: u32) -> Node {
    let children = vec![Child::Text(BLANK.to_owned())];
    Node { name: "span".to_owned(), children, line, ..Node::default() }
}

/// The same content as a block of its own.
fn block(node: Node) -> Node {
    Node { name: "div".to_owned(), attributes: Vec::new(), ..node }
}

/// An `object` with a picture as `img`. Its content is what is shown instead.
fn picture(object: &Node) -> Result<Node, Refusal> {
    let media_type = attribute(object, "type").unwrap_or_default();
    let address = attribute(object, "data").filter(|_| media_type.starts_with("image/"));
    let address = address.ok_or_else(|| other("an object in it is no picture"))?;
    let attributes = vec![("src".to_owned(), address.to_owned()), ("alt".to_owned(), object.text().trim().to_owned())];
    Ok(Node { name: "img".to_owned(), attributes, line: object.line, ..Node::default() })
}

/// The text that several items share, which is in a file of its own.
fn stimulus_text(reference: &Node, source: &ItemSource<'_>) -> Result<Rich, Refusal> {
    let address = attribute(reference, "href").unwrap_or_default();
    let missing = || other(format!("the text that stands before it is missing: {address}"));
    let file = source.files.name(source.file, address).ok_or_else(missing)?;
    source.stimuli.text(&file, || {
        let read = source.files.document(&file).ok_or_else(missing)?;
        let stimulus = read.map_err(|fault| other(format!("the text that stands before it can't be read: {fault}")))?;
        let body = below(&stimulus).find(|node| is(node, "stimulusbody"));
        let body = body.ok_or_else(|| other(format!("the text that stands before it is empty: {address}")))?;
        source.rich_from(Some(&file), &body.inner_html())
    })
}

fn joined(before: Rich, after: Rich) -> Result<Rich, Refusal> {
    let texts: Vec<&str> =
        [before.text.trim(), after.text.trim()].into_iter().filter(|text| !text.is_empty()).collect();
    // A line break stands between two.
    if texts.iter().map(|text| text.len() + 1).sum::<usize>() > JOINED_BYTES_MAX + 1 {
        return Err(Refusal::TooLarge);
    }
    let picture: Option<ForeignPicture> = match (before.picture, after.picture) {
        (Some(_), Some(_)) => return Err(Refusal::SecondPicture),
        (before, after) => before.or(after),
    };
    Ok(Rich {
        text: texts.join("\n"),
        picture,
        dropped: before.dropped + after.dropped,
        colours: before.colours + after.colours,
        lines: before.lines + after.lines,
    })
}
