//! Reads what many routes of the contract share: addresses in paths, names and times in bodies.

use domain::access::normal_email;
use domain::text;
use domain::time::moment::Moment;

use crate::clock::Clock;
use crate::error::Error;
use crate::http::fields::JsonFields;

/// Reads the address in a path. A body that repeats the address must repeat it correctly.
///
/// # Errors
/// 400 `Invalid <name>`.
pub(super) fn address_of(path: &str, fields: &JsonFields, name: &str) -> Result<String, Error> {
    let email = normal_email(path).ok_or_else(|| Error::invalid(name))?;
    let named: Option<String> = fields.optional(name)?;
    let is_same = named.is_none_or(|named| normal_email(&named).is_some_and(|named| named == email));
    if is_same { Ok(email) } else { Err(Error::invalid(name)) }
}

/// Reads a displayed name, which may be absent or empty.
///
/// # Errors
/// 400 `Invalid <name>`.
pub(super) fn shown_name(fields: &JsonFields, name: &str) -> Result<String, Error> {
    let given: String = fields.optional(name)?.unwrap_or_default();
    if given.trim().is_empty() { Ok(String::new()) } else { text::name(&given).ok_or_else(|| Error::invalid(name)) }
}

/// Reads an address, which may be absent or empty.
///
/// # Errors
/// 400 `Invalid <name>`.
pub(super) fn optional_address(fields: &JsonFields, name: &str) -> Result<String, Error> {
    let given: String = fields.optional(name)?.unwrap_or_default();
    if given.is_empty() { Ok(given) } else { normal_email(&given).ok_or_else(|| Error::invalid(name)) }
}

/// Reads a time. An absent one is the present time.
///
/// # Errors
/// 400 `Invalid <name>`.
pub(super) fn time(fields: &JsonFields, name: &str, clock: &Clock) -> Result<Moment, Error> {
    Ok(fields.optional(name)?.unwrap_or_else(|| clock.now()))
}
