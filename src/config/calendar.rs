//! The address of the calendar, apart from the other options, since all addresses and names that its clients know
//! follow from it.

/// First parts of all paths that are not the calendar's.
pub(super) const OWN_PATHS: [&str; 20] = [
    ".well-known",
    "api",
    "auth",
    "v1",
    "t",
    "s",
    "sittings",
    "event",
    "staff",
    "test",
    "report",
    "continue",
    "verify",
    "verify-worker.js",
    "assets",
    "icon.svg",
    "service-worker.js",
    "healthz",
    "readyz",
    "metrics",
];

/// Where the calendar is served, and under which names (docs/calendar.md).
#[derive(Clone, Debug)]
pub struct CalendarConfig {
    /// The beginning of all addresses of the calendar's API: either empty, or with a slash at its beginning and none at
    /// its end.
    pub rest_root: String,
    /// The first part of the API's namespace, and of the names of its record types.
    pub vendor: String,
    /// The beginning of links to this server, if `AUTH_URL` is set.
    pub site: Option<String>,
}

impl CalendarConfig {
    /// Such as `tribe/events/v1`.
    #[must_use]
    pub fn namespace(&self) -> String {
        format!("{}/events/v1", self.vendor)
    }

    /// The path above all of the calendar's routes, such as `/wp-json/tribe`.
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

    #[test]
    fn the_calendar_cannot_take_the_path_of_a_page() {
        let routes = include_str!("../app/routes.rs");
        let firsts = routes.split(".route(\"/").skip(1).filter_map(|rest| rest.split(['/', '"']).next());
        let missing: Vec<_> = firsts.filter(|first| !first.is_empty() && !OWN_PATHS.contains(first)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
