//! What the contract's routes read alike: addresses in paths, names and times in bodies.

use domain::access::normal_email;
use domain::text;
use domain::time::moment::Moment;

use crate::clock::Clock;
use crate::error::Error;
use crate::http::fields::JsonFields;

/// The address that a path names, which is also that of the body when the body has one.
///
/// # Errors
/// 400 `Invalid <name>`.
pub(super) fn address_of(path: &str, fields: &JsonFields, name: &str) -> Result<String, Error> {
    let email = normal_email(path).ok_or_else(|| Error::invalid(name))?;
    let named: Option<String> = fields.optional(name)?;
    let is_same = named.is_none_or(|named| normal_email(&named).is_some_and(|named| named == email));
    if is_same { Ok(email) } else { Err(Error::invalid(name)) }
}

/// A name as it is shown, which may be absent or empty.
///
/// # Errors
/// 400 `Invalid <name>`.
pub(super) fn shown_name(fields: &JsonFields, name: &str) -> Result<String, Error> {
    let given: String = fields.optional(name)?.unwrap_or_default();
    if given.trim().is_empty() { Ok(String::new()) } else { text::name(&given).ok_or_else(|| Error::invalid(name)) }
}

/// An address, which may be absent or empty.
///
/// # Errors
/// 400 `Invalid <name>`.
pub(super) fn optional_address(fields: &JsonFields, name: &str) -> Result<String, Error> {
    let given: String = fields.optional(name)?.unwrap_or_default();
    if given.is_empty() { Ok(given) } else { normal_email(&given).ok_or_else(|| Error::invalid(name)) }
}

/// A time; now when it is absent.
///
/// # Errors
/// 400 `Invalid <name>`.
pub(super) fn time(fields: &JsonFields, name: &str, clock: &Clock) -> Result<Moment, Error> {
    Ok(fields.optional(name)?.unwrap_or_else(|| clock.now()))
}
