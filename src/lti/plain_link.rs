//! A link of which nothing is known but what it leads to, for tests: each says itself what it is about.

use domain::lti::link::{BoundLink, LinkTarget};
use domain::time::moment::Moment;
use uuid::Uuid;

pub fn plain_link() -> BoundLink {
    BoundLink {
        id: Uuid::nil(),
        platform_id: Uuid::nil(),
        deployment_id: "1".to_owned(),
        resource_link_id: "link".to_owned(),
        title: None,
        context_id: None,
        context_title: None,
        target: LinkTarget::Sitting(Uuid::nil()),
        line_item: None,
        line_items: None,
        scopes: Vec::new(),
        memberships: None,
        last_score_at: None,
        created_at: Moment::default(),
    }
}
