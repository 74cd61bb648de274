//! What the monitor knows of the nodes: which one takes writes, and whether the other has everything. Pure.

use serde::Deserialize;

/// A node as `pg_autoctl show state --json` tells of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct NodeState {
    #[serde(rename = "nodename")]
    pub name: String,
    /// What the node says that it is.
    #[serde(rename = "current_group_state")]
    reported: String,
    /// What it is to become.
    #[serde(rename = "assigned_group_state")]
    assigned: String,
}

impl NodeState {
    pub fn is_primary(&self) -> bool {
        self.is("primary")
    }

    /// Whether the node is what it is to be.
    pub fn is_settled(&self) -> bool {
        self.reported == self.assigned
    }

    fn is(&self, state: &str) -> bool {
        self.reported == state && self.is_settled()
    }
}

/// Whether there are a primary and a standby that can take its place.
pub fn are_whole(states: &[NodeState]) -> bool {
    let number_of = |state: &str| states.iter().filter(|node| node.is(state)).count();
    states.len() == 2 && number_of("primary") == 1 && number_of("secondary") == 1
}

/// For messages.
pub fn in_words(states: &[NodeState]) -> String {
    let word = |node: &NodeState| format!("{} is {} and is to be {}", node.name, node.reported, node.assigned);
    states.iter().map(word).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(names: [(&str, &str); 2]) -> Vec<NodeState> {
        let node = |(place, (reported, assigned)): (usize, (&str, &str))| {
            serde_json::json!({
                "health": 1, "node_id": place, "nodename": format!("n{place}"), "nodeport": 5432,
                "current_group_state": reported, "assigned_group_state": assigned,
            })
        };
        let list: Vec<_> = names.into_iter().enumerate().map(node).collect();
        serde_json::from_value(list.into()).unwrap()
    }

    #[test]
    fn a_pair_is_whole_when_both_are_what_they_are_to_be() {
        for (names, is_whole) in [
            ([("primary", "primary"), ("secondary", "secondary")], true),
            ([("secondary", "secondary"), ("primary", "primary")], true),
            ([("wait_primary", "primary"), ("secondary", "secondary")], false),
            ([("wait_primary", "wait_primary"), ("catchingup", "catchingup")], false),
            ([("primary", "demote_timeout"), ("prepare_promotion", "stop_replication")], false),
            ([("primary", "primary"), ("primary", "primary")], false),
        ] {
            assert_eq!(are_whole(&states(names)), is_whole, "{names:?}");
        }
        assert!(!are_whole(&states([("primary", "primary"), ("secondary", "secondary")])[..1]));
    }

    #[test]
    fn a_message_names_both() {
        let words = in_words(&states([("primary", "demoted"), ("single", "single")]));
        assert_eq!(words, "n0 is primary and is to be demoted, n1 is single and is to be single");
    }
}
