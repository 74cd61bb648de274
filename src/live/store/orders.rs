//! SQL of proctors' orders: what they change, which were given before, and how servers find those for their seats.

pub(super) mod command;
pub(in crate::live) mod devices;
mod ends;
mod halls;
pub(super) mod pending;
pub(super) mod reopening;
pub(in crate::live) mod repeats;
pub(in crate::live) mod sessions;
