//! API tokens, made as `examhall token create` makes them but within this process: hundreds of tests need one, and a
//! process for each would take most of their time.

use domain::access::{Role, normal_email};
use domain::time::moment::Moment;
use examhall::auth::token;
use examhall::clock::Clock;
use examhall::config::Config;
use examhall::database::Database;
use examhall::provider;
use examhall::store::tokens::{self, ApiToken};
use examhall::store::users;
use uuid::Uuid;

use super::Settings;

/// A new token of a role for a user, who is created with that role unless they exist.
pub async fn create(settings: &Settings, email: &str, role: &str) -> String {
    let config = Config::from_environment(|name| settings.get(name).cloned()).unwrap();
    let database = Database::open(&config.store.database_url, 1, 1).await.unwrap();
    let (role, clock) = (Role::parse(role).unwrap(), Clock::system());
    let provider = provider::open(&config, &database, &clock).unwrap().provider;
    let email = &*normal_email(email).unwrap();
    let own_role = provider.ensure_user(email, email.split('@').next().unwrap(), role).await.unwrap();
    assert!(role <= own_role, "{email} is a {own_role:?}");
    // A server of this test may have a clock that is ahead, and a token that is older than its user does not count.
    let user = users::find(&database, email, Moment::from_milliseconds(i64::MAX)).await.unwrap();
    let made_at = user.map_or(Moment::default(), |user| user.created_at);
    let secret = token::new_api_token().unwrap();
    let new = ApiToken {
        id: Uuid::new_v4(),
        email: email.to_owned(),
        name: "tests".to_owned(),
        role,
        created_at: clock.now().max(made_at),
        last_used_at: None,
    };
    tokens::insert(&database, &new, &token::hash(&secret)).await.unwrap();
    database.close().await;
    secret
}
