//! Learning platforms in the database: their registrations, links and people, and the keys for what they are sent.

mod arrivals;
mod grants;
mod keys;
mod launches;
mod links;
mod nonces;
mod people;
mod platforms;
mod removed;
mod targets;

pub use arrivals::{Arrival, find_arrival, list_arrivals, note_arrivals};
pub use grants::{grant, grants_of, has_grant, revoke, revoke_unlinked};
pub use keys::{SealedKey, delete_ended_keys, delete_key, end_key, insert_key, load_keys, sign_from};
pub use launches::{NewestTest, candidate_of_person, comes_by, newest_test, newest_test_of_link};
pub use links::{
    LinkFilter, bind, bind_new, find_link, find_link_by_id, links_of_target, list_links, return_way, unbind,
};
pub use nonces::spend_nonce;
pub use people::{
    deployment_of_candidate, find_person, insert_person, is_after_entry, join_candidate, load_people, note_after_entry,
    note_test, person_of, person_of_candidate,
};
pub(super) use people::{is_same_person, told_or_known};
pub use platforms::{
    PENDING_DEPLOYMENTS_MAX, count, delete, deployment_state, find_only_platform, find_platform, insert, list,
    load_platform, lock_platform, note_deployment, put_deployment, remove_deployment, update,
};
pub use removed::{note_removed, was_removed};
pub use targets::{NamedTarget, UngradedCandidate, came_by_link, came_by_none, came_by_removed, name_targets};

use super::Unreadable;

/// A list in the form in which it is stored.
fn list_text<T: serde::Serialize>(list: &[T]) -> Result<String, sea_orm::DbErr> {
    serde_json::to_string(list).map_err(|_| Unreadable("list").into())
}

/// Reads what [`list_text`] has written.
fn list_of<T: serde::de::DeserializeOwned>(text: &str) -> Result<Vec<T>, Unreadable> {
    serde_json::from_str(text).map_err(|_| Unreadable("list"))
}
