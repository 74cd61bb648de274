//! The field of a venue that is derived from others.

/// `stateprovince` if none was sent: the state if there is no country or it is the United States, otherwise the
/// province.
#[must_use]
pub fn stateprovince<'a>(country: &str, state: &'a str, province: &'a str) -> &'a str {
    match country {
        "" | "US" | "United States" => state,
        _ => province,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_country_says_which_counts() {
        for country in ["", "US", "United States"] {
            assert_eq!(stateprovince(country, "Ohio", "Tirol"), "Ohio", "{country}");
        }
        assert_eq!(stateprovince("Austria", "Ohio", "Tirol"), "Tirol");
        assert_eq!(stateprovince("Austria", "Ohio", ""), "");
    }
}
