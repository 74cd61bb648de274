//! Names of elements and attributes in QTI. Version 3 writes `qti-item-body` where version 2 writes `itemBody`, and D2L
//! writes `qti_metadatafield` where others write `qtimetadatafield`: all of them are compared without signs and prefix.

use crate::questions::exchange::xml::{Child, Node};

/// The name of an element in small letters, without `qti` and without the signs between its words.
pub fn kind(node: &Node) -> String {
    let name = joined(&node.name);
    name.strip_prefix("qti").map(str::to_owned).unwrap_or(name)
}

/// Returns whether an element has this name, which is written as [`kind`] gives it.
pub fn is(node: &Node, name: &str) -> bool {
    kind(node) == name
}

/// The value of an attribute, whose name is written in small letters without signs.
pub fn attribute<'a>(node: &'a Node, name: &str) -> Option<&'a str> {
    node.attributes.iter().find(|(written, _)| joined(written) == name).map(|(_, value)| value.as_str())
}

/// The elements directly below another.
pub fn below(node: &Node) -> impl Iterator<Item = &Node> {
    node.children.iter().filter_map(|child| match child {
        Child::Node(node) => Some(node),
        Child::Text(_) => None,
    })
}

/// The first element directly below another that has this name.
pub fn first<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    below(node).find(|child| is(child, name))
}

/// All elements below another that have one of these names, in their order.
pub fn all<'a>(node: &'a Node, is_wanted: &dyn Fn(&str) -> bool) -> Vec<&'a Node> {
    let mut found = Vec::new();
    for child in below(node) {
        if is_wanted(&kind(child)) {
            found.push(child);
        }
        found.append(&mut all(child, is_wanted));
    }
    found
}

fn joined(name: &str) -> String {
    let signs = |letter: &char| !matches!(letter, '-' | '_');
    name.chars().filter(signs).map(|letter| letter.to_ascii_lowercase()).collect()
}
