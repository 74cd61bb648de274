//! Proctors' orders in the database: how one is applied, and how servers find those that wait for their seats.

pub(super) mod apply;
pub(super) mod pending;
