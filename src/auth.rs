//! Authentication and rights: sign-in through the identity provider, the cookie that it leaves, API tokens, and who may
//! do what.

pub mod caller;
pub mod cookie;
pub mod cross_site;
pub mod gate;
pub mod identity_provider;
pub mod me;
pub mod page;
pub mod sign_in;
pub mod token;
