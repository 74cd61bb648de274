//! What is derived of a venue.

/// Its `stateprovince` when none was sent: the state where there is no country or it is the United States, else the
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
