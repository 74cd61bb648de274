//! Small trees of XML: the questions of a file one after the other, within limits, so that no file becomes far larger
//! in memory than it is. Nothing is fetched and no entity is expanded but those that every XML has.

use std::fmt::Write as _;

use quick_xml::Reader;
use quick_xml::errors::{Error as XmlError, SyntaxError};
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use thiserror::Error;

/// Elements within each other, and likewise groups. Recursion through the tree goes no deeper.
const DEPTH_MAX: usize = 64;
/// Elements of one tree, with their attributes.
const NODES_MAX: usize = 200_000;
/// Attributes of one element.
const ATTRIBUTES_MAX: usize = 64;
/// Characters of an entity's name that messages repeat.
const ENTITY_CHARACTERS_MAX: usize = 30;
/// Elements of HTML that have no end tag.
const VOID: [&str; 8] = ["br", "img", "hr", "wbr", "col", "source", "track", "input"];

/// Why a file is no XML that is read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum XmlFault {
    #[error("Line {0}: the XML is damaged")]
    Damaged(u32),
    #[error("Line {0}: the file ends within an element: it is cut off")]
    CutOff(u32),
    #[error("Line {0}: the XML is nested too deeply")]
    TooDeep(u32),
    #[error("Line {0}: an element has too many parts")]
    TooManyParts(u32),
}

/// An element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Its name in lower case without a prefix.
    pub name: String,
    /// Names in lower case without a prefix, and values.
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Child>,
    /// The line in which it begins.
    pub line: u32,
    /// The first entity in it or in an element within it that is not expanded.
    pub entity: Option<String>,
}

/// What stands in an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    Node(Node),
    Text(String),
}

impl Node {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The first child of this name.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.nodes().find(|node| node.name == name)
    }

    pub fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.nodes().filter(move |node| node.name == name)
    }

    /// Its children that are elements.
    pub fn nodes(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(|child| match child {
            Child::Node(node) => Some(node),
            Child::Text(_) => None,
        })
    }

    /// All text in it, also in elements within it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.add_text(&mut text);
        text
    }

    fn add_text(&self, text: &mut String) {
        for child in &self.children {
            match child {
                Child::Node(node) => node.add_text(text),
                Child::Text(own) => text.push_str(own),
            }
        }
    }

    /// Its content written as HTML.
    pub fn inner_html(&self) -> String {
        let mut html = String::new();
        self.add_html(&mut html);
        html
    }

    fn add_html(&self, html: &mut String) {
        for child in &self.children {
            match child {
                Child::Text(text) => html.push_str(&quick_xml::escape::partial_escape(text.as_str())),
                Child::Node(node) => {
                    let _ = write!(html, "<{}", node.name);
                    for (name, value) in &node.attributes {
                        let _ = write!(html, " {name}=\"{}\"", quick_xml::escape::escape(value.as_str()));
                    }
                    html.push('>');
                    if !VOID.contains(&node.name.as_str()) {
                        node.add_html(html);
                        let _ = write!(html, "</{}>", node.name);
                    }
                }
            }
        }
    }
}

/// A part of a file whose elements stand within groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum XmlStep {
    /// A group begins; this is its element without children.
    Open(Node),
    Node(Node),
    /// The innermost group ends.
    Close,
}

/// A file whose root's children are read one after the other.
pub struct XmlFile<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a str,
    /// The root, without its children.
    pub root: Node,
    is_over: bool,
    /// How many groups are open.
    groups: usize,
    counted_to: usize,
    line: u32,
}

impl<'a> XmlFile<'a> {
    /// Reads down to the root.
    pub fn open(text: &'a str) -> Result<Self, XmlFault> {
        let reader = reader(text);
        let mut file = Self { reader, text, root: Node::default(), is_over: false, groups: 0, counted_to: 0, line: 1 };
        loop {
            match file.event()? {
                Event::Start(tag) => {
                    file.root = file.node(&tag)?;
                    return Ok(file);
                }
                Event::Eof => return Err(XmlFault::Damaged(file.line)),
                _ => {}
            }
        }
    }

    /// The next child of the root that is an element; `None` at the end.
    pub fn next_child(&mut self) -> Result<Option<Node>, XmlFault> {
        while !self.is_over {
            match self.event()? {
                Event::Start(tag) => {
                    let node = self.node(&tag)?;
                    return self.tree(node).map(Some);
                }
                Event::End(_) => self.is_over = true,
                Event::Eof => return Err(XmlFault::CutOff(self.line)),
                _ => {}
            }
        }
        Ok(None)
    }

    /// The next part of a file whose elements stand within groups: the start or the end of a group, or an element with
    /// all that is in it. The end of the root is the last.
    pub fn step(&mut self, is_group: &dyn Fn(&str) -> bool) -> Result<XmlStep, XmlFault> {
        loop {
            match self.event()? {
                Event::Start(tag) => {
                    let node = self.node(&tag)?;
                    if !is_group(&node.name) {
                        return self.tree(node).map(XmlStep::Node);
                    }
                    self.groups += 1;
                    if self.groups > DEPTH_MAX {
                        return Err(XmlFault::TooDeep(self.line));
                    }
                    return Ok(XmlStep::Open(node));
                }
                Event::End(_) => {
                    // The last is the end of the root, which is no group.
                    self.groups = self.groups.saturating_sub(1);
                    return Ok(XmlStep::Close);
                }
                Event::Eof => return Err(XmlFault::CutOff(self.line)),
                _ => {}
            }
        }
    }

    /// The element with all that is in it; its start tag has been read.
    fn tree(&mut self, node: Node) -> Result<Node, XmlFault> {
        let mut nodes = 1 + node.attributes.len();
        let mut open = vec![node];
        loop {
            let line = self.line;
            match self.event()? {
                Event::Start(tag) => {
                    let node = self.node(&tag)?;
                    nodes += 1 + node.attributes.len();
                    open.push(node);
                    if open.len() > DEPTH_MAX {
                        return Err(XmlFault::TooDeep(self.line));
                    }
                    if nodes > NODES_MAX {
                        return Err(XmlFault::TooManyParts(self.line));
                    }
                }
                Event::End(_) => {
                    let Some(node) = open.pop() else { return Err(XmlFault::Damaged(line)) };
                    let Some(parent) = open.last_mut() else { return Ok(node) };
                    if parent.entity.is_none() {
                        parent.entity.clone_from(&node.entity);
                    }
                    parent.children.push(Child::Node(node));
                }
                Event::Text(text) => add(&mut open, &text.xml10_content()),
                Event::CData(text) => add(&mut open, &text.xml10_content()),
                Event::GeneralRef(entity) => match resolved(&entity) {
                    Some(text) => add(&mut open, &text),
                    None => note_entity(&mut open, &entity),
                },
                Event::Eof => return Err(XmlFault::CutOff(self.line)),
                _ => {}
            }
        }
    }

    fn event(&mut self) -> Result<Event<'a>, XmlFault> {
        let event = self.reader.read_event();
        let place = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX).min(self.text.len());
        let passed = self.text.as_bytes().get(self.counted_to..place).unwrap_or_default();
        self.counted_to = place;
        self.line += u32::try_from(passed.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(u32::MAX);
        event.map_err(|error| match error {
            XmlError::Syntax(SyntaxError::InvalidBangMarkup) => XmlFault::Damaged(self.line),
            // All others are about something that is opened and not closed.
            XmlError::Syntax(_) => XmlFault::CutOff(self.line),
            _ => XmlFault::Damaged(self.line),
        })
    }

    fn node(&self, tag: &BytesStart<'_>) -> Result<Node, XmlFault> {
        let mut node = Node { name: lower(tag.local_name().as_ref()), line: self.line, ..Node::default() };
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|_| XmlFault::Damaged(self.line))?;
            if node.attributes.len() == ATTRIBUTES_MAX {
                return Err(XmlFault::TooManyParts(self.line));
            }
            let value = match quick_xml::escape::unescape(&attribute.value) {
                Ok(value) => value.into_owned(),
                Err(_) => {
                    node.entity = Some(entity_in(&attribute.value));
                    String::new()
                }
            };
            node.attributes.push((lower(attribute.key.local_name().as_ref()), value));
        }
        Ok(node)
    }
}

/// All of a file.
pub fn parse(text: &str) -> Result<Node, XmlFault> {
    let mut file = XmlFile::open(text)?;
    let root = std::mem::take(&mut file.root);
    file.tree(root)
}

fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    reader
}

fn lower(name: &str) -> String {
    name.to_ascii_lowercase()
}

fn add(open: &mut [Node], text: &str) {
    let Some(node) = open.last_mut() else { return };
    match node.children.last_mut() {
        Some(Child::Text(before)) => before.push_str(text),
        _ => node.children.push(Child::Text(text.to_owned())),
    }
}

fn note_entity(open: &mut [Node], entity: &BytesRef<'_>) {
    if let Some(node) = open.last_mut().filter(|node| node.entity.is_none()) {
        node.entity = Some(entity.chars().take(ENTITY_CHARACTERS_MAX).collect());
    }
}

/// The name of the first entity in an attribute that isn't one of the five.
fn entity_in(value: &str) -> String {
    let names = value.split('&').skip(1).filter_map(|rest| rest.split_once(';')).map(|(name, _)| name);
    let unknown = names.into_iter().find(|name| !name.starts_with('#') && resolve_predefined_entity(name).is_none());
    unknown.unwrap_or_default().chars().take(ENTITY_CHARACTERS_MAX).collect()
}

/// What a reference stands for, if it is a character or one of the five entities of every XML.
fn resolved(entity: &BytesRef<'_>) -> Option<String> {
    let character = entity.resolve_char_ref().ok()?;
    character.map(String::from).or_else(|| resolve_predefined_entity(entity).map(str::to_owned))
}

#[cfg(test)]
mod tests;
