//! What a browser and its system are called, as far as its own description (`User-Agent`) tells. By these two words
//! people know their devices again; nothing else of the description is kept.

/// Bytes of a description that are looked at: those of browsers are shorter.
const DESCRIPTION_BYTES_MAX: usize = 512;

/// Browsers by a part of their descriptions. The first that is found counts, since most name others as well.
const BROWSERS: [(&str, &str); 12] = [
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("coc_coc_browser/", "Cốc Cốc"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// The same for systems.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
];

/// The name of a browser and of its system; `None` for what is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BrowserName {
    /// Such as `Firefox`.
    pub browser: Option<&'static str>,
    /// Such as `Windows`.
    pub system: Option<&'static str>,
}

impl BrowserName {
    /// The names that the description of a browser tells.
    #[must_use]
    pub fn of(description: &str) -> Self {
        let end = description.floor_char_boundary(DESCRIPTION_BYTES_MAX);
        let description = description.get(..end).unwrap_or_default();
        let named = |names: &[(&str, &'static str)]| {
            names.iter().find(|(part, _)| description.contains(part)).map(|(_, name)| *name)
        };
        Self { browser: named(&BROWSERS), system: named(&SYSTEMS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_known_by_their_descriptions() {
        for (description, browser, system) in [
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Windows"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0",
                "Edge",
                "Windows",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
                "Chrome",
                "Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari",
                "iPhone",
            ),
            (
                "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
                "Chrome",
                "ChromeOS",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
                "Safari",
                "Mac",
            ),
        ] {
            assert_eq!(
                BrowserName::of(description),
                BrowserName { browser: Some(browser), system: Some(system) },
                "{description}"
            );
        }
    }

    #[test]
    fn what_is_not_known_has_no_name() {
        assert_eq!(BrowserName::of("curl/8.5.0"), BrowserName::default());
        assert_eq!(BrowserName::of(""), BrowserName::default());
        let long = format!("{}é Firefox/140.0", "x".repeat(DESCRIPTION_BYTES_MAX - 1));
        assert_eq!(BrowserName::of(&long), BrowserName::default());
    }
}
