//! Reads what many routes of the contract share: addresses, in paths and in bodies.

use crate::error::Error;
use crate::http::fields::Field;
use domain::access::normal_email;

/// Reads the address in a path. A body that repeats the address must repeat it correctly.
pub(super) fn address_of(path: &str, repeated: Field<'_>) -> Result<String, Error> {
    let refusal = repeated.invalid();
    let Some(email) = normal_email(path) else { return Err(refusal) };
    let is_same = |named: &str| normal_email(named).is_some_and(|named| named == email).then_some(());
    repeated.optional_text(is_same)?;
    Ok(email)
}

/// Reads an address, which may be absent or empty.
pub(super) fn optional_address(field: Field<'_>) -> Result<String, Error> {
    let address = |given: &str| if given.is_empty() { Some(String::new()) } else { normal_email(given) };
    Ok(field.optional_text(address)?.unwrap_or_default())
}
