//! What servers share besides the database: copies of banks and templates, and what they tell each other.

pub mod redis;
