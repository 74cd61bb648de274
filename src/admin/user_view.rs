//! A user as administration shows them (`assessment.md` 2.7).

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::access::{Role, User};
use crate::domain::moment::Moment;

/// A user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserView {
    email: String,
    name: String,
    /// Link or empty.
    image: String,
    role: Role,
    #[schema(value_type = String)]
    created_at: Moment,
    /// Null when they have never signed in.
    #[schema(value_type = Option<String>)]
    last_login: Option<Moment>,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        let User { email, name, image, role, created_at, last_login } = user;
        Self { email, name, image, role, created_at, last_login }
    }
}
