//! Where the calendar is, apart from the other options: from it follow the addresses and names that its clients know.

/// Where the calendar is (`calendar.md`).
#[derive(Clone, Debug)]
pub struct CalendarConfig {
    /// What the addresses of its interface begin with: empty, or with a slash at its beginning and none at its end.
    pub rest_root: String,
    /// The first part of its namespace, and of the names of its kinds of records.
    pub vendor: String,
    /// What links to this service begin with, when `AUTH_URL` says it.
    pub site: Option<String>,
}

impl CalendarConfig {
    /// Such as `tribe/events/v1`.
    #[must_use]
    pub fn namespace(&self) -> String {
        format!("{}/events/v1", self.vendor)
    }

    /// The path that all of its routes are below, such as `/wp-json/tribe`.
    #[must_use]
    pub fn mount(&self) -> String {
        format!("{}/{}", self.rest_root, self.vendor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn load(environment: &[(&str, &str)]) -> Result<CalendarConfig, String> {
        let of = |name: &str| environment.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
        Config::from_environment(of).map(|config| config.calendar).map_err(|error| error.to_string())
    }

    #[test]
    fn the_calendar_is_where_it_is_said_to_be() {
        let calendar = load(&[]).unwrap();
        assert_eq!(
            (calendar.mount().as_str(), calendar.namespace().as_str(), calendar.site),
            ("/wp-json/tribe", "tribe/events/v1", None)
        );
        let calendar =
            load(&[("CALENDAR_REST_ROOT", "/"), ("CALENDAR_VENDOR", "school"), ("AUTH_URL", "https://exam.example/")])
                .unwrap();
        assert_eq!((calendar.mount().as_str(), calendar.site.as_deref()), ("/school", Some("https://exam.example")));
        assert!(
            load(&[("CALENDAR_REST_ROOT", "/"), ("CALENDAR_VENDOR", "api")])
                .unwrap_err()
                .starts_with("CALENDAR_REST_ROOT: ")
        );
    }
}
