//! Who calls: API tokens, and the types that state a route's rights.

pub mod caller;
pub mod token;
