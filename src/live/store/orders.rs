//! Proctors' orders in the database: how an order is applied, and how servers find orders for their seats.

pub(super) mod apply;
mod devices;
mod halls;
pub(super) mod pending;
pub(super) mod repeats;
mod sessions;
