//! Learning platforms in the database: their registrations, links and people, and the keys for what they are sent.

mod grants;
mod keys;
mod links;
mod nonces;
mod people;
mod platforms;

pub use grants::{find_grants, grant, has_grant, revoke};
pub use keys::{StoredKey, delete_ended_keys, end_key, insert_key, load_keys};
pub use links::{LinkFilter, bind, find_link, find_link_by_id, links_of_target, list_links, note_score, unbind};
pub use nonces::spend_nonce;
pub use people::{
    find_person, insert_person, join_candidate, link_of_test, load_people, note_test, person_of, person_of_candidate,
};
pub use platforms::{
    PENDING_DEPLOYMENTS_MAX, count, delete, deployment_state, find_platform, find_platforms_of_issuer, insert, list,
    load_platform, lock_platform, note_deployment, put_deployment, remove_deployment, update,
};

use super::Unreadable;

/// A list in the form in which it is stored.
fn list_text<T: serde::Serialize>(list: &[T]) -> Result<String, sea_orm::DbErr> {
    serde_json::to_string(list).map_err(|_| Unreadable("list").into())
}

/// Reads what [`list_text`] has written.
fn list_of<T: serde::de::DeserializeOwned>(text: &str) -> Result<Vec<T>, Unreadable> {
    serde_json::from_str(text).map_err(|_| Unreadable("list"))
}
