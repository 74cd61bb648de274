//! The table of the walk, as the chapter on security has it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::roads::{Road, UNWALKED};
use super::rule::{EXCEPTIONS, Kind, Role, State, Whom};

/// For whom a cell is, in the shortest words; the first that is part of it.
const NAMES: [(&str, Whom); 8] = [
    ("anyone", Whom::Anyone),
    ("the candidate", Whom::Candidate),
    ("staff", Whom::Staff),
    ("proctors", Whom::Proctors),
    ("managers", Whom::Managers),
    ("admins", Whom::Admins),
    ("the server", Whom::Server),
    ("the receiver", Whom::Receiver),
];

/// The tables, by what the roads have told.
pub fn written(roads: &[Road], told: impl Fn(&Road, State, Kind) -> BTreeSet<Role>) -> String {
    let mut text = String::new();
    for kind in Kind::ALL {
        let _ = write!(text, "\n**{}**\n\n| road |", kind.name());
        for state in State::ALL {
            let _ = write!(text, " {} |", state.name());
        }
        text += "\n|---|---|---|---|---|---|---|---|\n";
        for (names, cells) in grouped(roads, |road| {
            let cells: Vec<String> = State::ALL.map(|state| cell(&told(road, state, kind))).into();
            cells.iter().any(|cell| cell != "–").then_some(cells)
        }) {
            let _ = writeln!(text, "| {} | {} |", names.join("<br>"), cells.join(" | "));
        }
    }
    text += "\n**Exceptions to the rule**\n\n";
    for exception in EXCEPTIONS {
        let roads: Vec<String> = exception.roads.iter().map(|road| quoted(road)).collect();
        let _ = writeln!(text, "- {}: {}.", roads.join(", "), exception.reason);
    }
    text += "\n**Walked, and told nothing**\n\n| road | what it has |\n|---|---|\n";
    for (names, reason) in grouped(roads, |road| (!road.reason.is_empty()).then_some(road.reason)) {
        let _ = writeln!(text, "| {} | {reason} |", names.join("<br>"));
    }
    text += "\n**Not walked**\n\n| road | what it answers |\n|---|---|\n";
    for (reason, roads) in UNWALKED {
        let names: Vec<String> = roads.iter().map(|road| quoted(road)).collect();
        let _ = writeln!(text, "| {} | {reason} |", names.join("<br>"));
    }
    text
}

/// Roads of which something is the same, in their order.
fn grouped<T: PartialEq>(roads: &[Road], key: impl Fn(&Road) -> Option<T>) -> Vec<(Vec<String>, T)> {
    let mut groups: Vec<(Vec<String>, T)> = Vec::new();
    for road in roads {
        let Some(key) = key(road) else { continue };
        match groups.iter_mut().find(|(_, known)| *known == key) {
            Some((names, _)) => names.push(quoted(road.name)),
            None => groups.push((vec![quoted(road.name)], key)),
        }
    }
    groups
}

fn quoted(name: &str) -> String {
    let is_operation = name.split_once(' ').is_some_and(|(method, _)| method.chars().all(char::is_uppercase));
    match name.split_once(", ") {
        Some((operation, rest)) if is_operation => format!("`{operation}`, {rest}"),
        _ if is_operation => format!("`{name}`"),
        _ => name.split_once(": ").map_or_else(|| name.to_owned(), |(whose, frame)| format!("a {whose}'s `{frame}`")),
    }
}

fn cell(roles: &BTreeSet<Role>) -> String {
    let mut left = roles.clone();
    let mut names = Vec::new();
    for (name, whom) in NAMES {
        let these: BTreeSet<Role> = Role::ALL.into_iter().filter(|role| whom.has(*role)).collect();
        if !left.is_empty() && these.is_subset(roles) && !these.is_disjoint(&left) {
            names.push(name.to_owned());
            left.retain(|role| !these.contains(role));
        }
    }
    names.extend(left.iter().map(|role| format!("{role:?}")));
    if names.is_empty() { "–".to_owned() } else { names.join(", ") }
}
