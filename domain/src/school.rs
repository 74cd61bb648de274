//! The school whose exams these are: its name, crest, colour, languages and time zone, as pages and reports show them,
//! and what it calls incidents.

use std::collections::BTreeSet;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::mark::MarkScale;
use crate::picture::PictureKind;
use crate::sitting::order::incident_kind;

/// The longest name of a school, in characters.
pub const SCHOOL_NAME_CHARACTERS_MAX: usize = 120;
/// The largest crest, in bytes.
pub const CREST_BYTES_MAX: usize = 256 * 1_024;
/// Kinds of incidents of a school's own: they are offered beside each other.
pub const INCIDENT_KINDS_MAX: usize = 20;
/// The smallest contrast between a button's colour and the white text on it (WCAG 2.2, 1.4.3).
const CONTRAST_MIN: f64 = 4.5;
/// The ground of the pages, which is a little darker than paper.
const GROUND: SchoolColour = SchoolColour([0xf6, 0xf5, 0xf1]);
/// The share of a colour in its tint, and of black in what is under the pointer.
const SOFT: f64 = 0.1;
const DEEP: f64 = 0.22;
/// How much an accent is darkened at a time, until it can be read.
const STEP: f64 = 0.02;

/// A language in which the pages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PageLanguage {
    /// English.
    En,
    /// Vietnamese.
    Vi,
}

impl PageLanguage {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::En, Self::Vi];

    /// The language's code: `en` or `vi`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Vi => "vi",
        }
    }

    /// Parses a code; `None` for any other text.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }
}

/// A colour on which white text can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchoolColour([u8; 3]);

impl SchoolColour {
    /// The colour of a school that has chosen none.
    pub const DEFAULT: Self = Self([0x23, 0x48, 0xc5]);
    const WHITE: Self = Self([0xff; 3]);
    const BLACK: Self = Self([0; 3]);

    /// Parses `#rrggbb`; `None` for another form, and for a colour whose contrast with white is below 4.5.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
        let part = |at: usize| digits.get(at..at + 2).and_then(|part| u8::from_str_radix(part, 16).ok());
        let colour = Self([part(0)?, part(2)?, part(4)?]);
        (digits.bytes().all(|digit| digit.is_ascii_hexdigit()) && colour.contrast_with_white() >= CONTRAST_MIN)
            .then_some(colour)
    }

    /// The form `#rrggbb`.
    #[must_use]
    pub fn hex(self) -> String {
        let Self([red, green, blue]) = self;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Its red, green and blue.
    #[must_use]
    pub const fn parts(self) -> [u8; 3] {
        self.0
    }

    /// The colours of a page in which this one is the accent, as `web/src/school/colours.ts` makes them: darkened until
    /// it can be read on the ground and on its own tint.
    #[must_use]
    pub fn accent(self) -> Accent {
        let soft = Self::WHITE.mixed(self, SOFT);
        let is_read = |accent: Self| accent.contrast(GROUND).min(accent.contrast(soft)) >= CONTRAST_MIN;
        let darker = |step: u32| self.mixed(Self::BLACK, f64::from(step) * STEP);
        let accent = (0..).map(darker).find(|accent| is_read(*accent)).unwrap_or(Self::BLACK);
        Accent { accent, deep: accent.mixed(Self::BLACK, DEEP), soft }
    }

    /// This much of another colour in this one.
    fn mixed(self, other: Self, share: f64) -> Self {
        let mut mixed = self.0;
        for (part, other) in mixed.iter_mut().zip(other.0) {
            let (from, to) = (f64::from(*part), f64::from(other));
            // It lies between two bytes, or is black, when the share is above 1.
            *part = (from + (to - from) * share.min(1.0)).round() as u8;
        }
        Self(mixed)
    }

    fn contrast_with_white(self) -> f64 {
        self.contrast(Self::WHITE)
    }

    /// From 1 to 21, as WCAG 2.2 defines it.
    fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

/// The colours of a page in a school's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accent {
    /// For words and lines on light grounds, and under white words.
    pub accent: SchoolColour,
    /// The same, darker, under the pointer.
    pub deep: SchoolColour,
    /// A tint behind words.
    pub soft: SchoolColour,
}

/// What a crest may be: a picture that cannot contain a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrestKind {
    /// Portable Network Graphics.
    Png,
    /// A photograph.
    Jpeg,
    /// WebP.
    WebP,
}

impl CrestKind {
    /// The kind of these bytes by their first ones, whatever the sender calls them; `None` for anything else, and for
    /// more than [`CREST_BYTES_MAX`].
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > CREST_BYTES_MAX {
            return None;
        }
        match PictureKind::of(bytes)? {
            PictureKind::Png => Some(Self::Png),
            PictureKind::Jpeg => Some(Self::Jpeg),
            PictureKind::WebP => Some(Self::WebP),
            PictureKind::Svg => None,
        }
    }

    /// The media type, such as `image/png`.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
        }
    }
}

/// The school's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct School {
    /// Empty if none was given.
    pub name: String,
    /// The colour of buttons and of what is chosen.
    pub colour: SchoolColour,
    /// The languages that pages offer, the default first; never empty.
    pub languages: Vec<PageLanguage>,
    /// `None` if none was chosen: pages then show the time of the device.
    pub time_zone: Option<Tz>,
    /// Kinds of incidents of its own, beside those that every desk offers.
    pub incident_kinds: Vec<String>,
    /// The scale by which results are marked unless a template says otherwise; `None` for no marks.
    pub mark_scale: Option<MarkScale>,
}

impl School {
    /// The language of what the school prints for everyone: its first.
    #[must_use]
    pub fn first_language(&self) -> PageLanguage {
        self.languages.first().copied().unwrap_or(PageLanguage::En)
    }
}

impl Default for School {
    fn default() -> Self {
        Self {
            name: String::new(),
            colour: SchoolColour::DEFAULT,
            languages: PageLanguage::ALL.to_vec(),
            time_zone: None,
            incident_kinds: Vec::new(),
            mark_scale: None,
        }
    }
}

/// The name of a school without surrounding white space, which may be empty; `None` for one that is too long or has
/// characters that names may not have.
#[must_use]
pub fn school_name(text: &str) -> Option<String> {
    let name = text.trim();
    let is_sound = name.chars().count() <= SCHOOL_NAME_CHARACTERS_MAX && !name.chars().any(super::text::is_refused);
    is_sound.then(|| name.to_owned())
}

/// The languages of these codes in their order; `None` if there is none, or one is unknown or named twice.
#[must_use]
pub fn page_languages<'a>(codes: impl IntoIterator<Item = &'a str>) -> Option<Vec<PageLanguage>> {
    let mut found: Vec<PageLanguage> = Vec::new();
    for code in codes {
        let language = PageLanguage::parse(code).filter(|language| !found.contains(language))?;
        found.push(language);
    }
    (!found.is_empty()).then_some(found)
}

/// Kinds of incidents of the school's own, without surrounding white space; `None` for more than
/// [`INCIDENT_KINDS_MAX`], for one that is named twice, and for one that no incident can have.
#[must_use]
pub fn incident_kinds(texts: &[String]) -> Option<Vec<String>> {
    if texts.len() > INCIDENT_KINDS_MAX {
        return None;
    }
    let kinds: Vec<String> = texts.iter().map(|text| incident_kind(text)).collect::<Option<_>>()?;
    let is_distinct = kinds.iter().collect::<BTreeSet<_>>().len() == kinds.len();
    is_distinct.then_some(kinds)
}

/// The zone of that name in the IANA database; `Some(None)` for an empty text, `None` for any other.
#[must_use]
#[allow(
    clippy::option_option,
    reason = "the outer one says whether the text is sound, the inner one whether a zone was chosen"
)]
pub fn time_zone(text: &str) -> Option<Option<Tz>> {
    if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_text_can_be_read_on_the_colour() {
        for (text, is_sound) in [
            ("#2348c5", true),
            ("#2348C5", true),
            ("#000000", true),
            ("#767676", true),
            ("#777777", false),
            ("#ffffff", false),
            ("#ffd700", false),
            ("2348c5", false),
            ("#2348c", false),
            ("#+348c5", false),
            ("#2348cé", false),
            ("", false),
        ] {
            assert_eq!(SchoolColour::parse(text).is_some(), is_sound, "{text}");
        }
        assert_eq!(SchoolColour::parse("#2348C5").unwrap().hex(), "#2348c5");
        assert_eq!(SchoolColour::parse(&SchoolColour::DEFAULT.hex()), Some(SchoolColour::DEFAULT));
    }

    #[test]
    fn pages_have_the_accents_that_their_scripts_make() {
        for (colour, expected) in [
            ("#2348c5", ["#2348c5", "#1b389a", "#e9edf9"]),
            ("#7a1f1f", ["#7a1f1f", "#5f1818", "#f2e9e9"]),
            ("#0b6e4f", ["#0b6e4f", "#09563e", "#e7f1ed"]),
            ("#767676", ["#6d6d6d", "#555555", "#f1f1f1"]),
            ("#c2410c", ["#be400c", "#943209", "#f9ece7"]),
            ("#000000", ["#000000", "#000000", "#e6e6e6"]),
        ] {
            let Accent { accent, deep, soft } = SchoolColour::parse(colour).unwrap().accent();
            assert_eq!([accent, deep, soft].map(SchoolColour::hex), expected);
        }
    }

    #[test]
    fn a_crest_is_known_by_its_bytes() {
        assert_eq!(CrestKind::of(b"\x89PNG\r\n\x1a\nrest"), Some(CrestKind::Png));
        assert_eq!(CrestKind::of(b"\xff\xd8\xff\xe0"), Some(CrestKind::Jpeg));
        assert_eq!(CrestKind::of(b"RIFF\0\0\0\0WEBPVP8 "), Some(CrestKind::WebP));
        for other in [&b"<svg xmlns"[..], b"GIF89a", b"RIFF\0\0\0\0WAVE", b"", b"\x89PNG"] {
            assert_eq!(CrestKind::of(other), None);
        }
        let large = [&b"\x89PNG\r\n\x1a\n"[..], &vec![0; CREST_BYTES_MAX]].concat();
        assert_eq!(CrestKind::of(&large), None);
    }

    #[test]
    fn pages_have_at_least_one_language() {
        assert_eq!(page_languages(["vi", "en"]), Some(vec![PageLanguage::Vi, PageLanguage::En]));
        assert_eq!(page_languages(["vi"]), Some(vec![PageLanguage::Vi]));
        for codes in [&[][..], &["fr"], &["en", "en"], &["EN"]] {
            assert_eq!(page_languages(codes.iter().copied()), None, "{codes:?}");
        }
    }

    #[test]
    fn names_may_be_empty_and_zones_may_be_none() {
        assert_eq!(school_name("  Trường Lê Lợi "), Some("Trường Lê Lợi".to_owned()));
        assert_eq!(school_name(" "), Some(String::new()));
        assert_eq!(school_name(&"x".repeat(121)), None);
        assert_eq!(school_name("a\u{202e}b"), None);
        assert_eq!(time_zone(""), Some(None));
        assert_eq!(time_zone("Asia/Ho_Chi_Minh"), Some(Some(Tz::Asia__Ho_Chi_Minh)));
        assert_eq!(time_zone("Mars/Olympus"), None);
    }

    #[test]
    fn kinds_of_incidents_are_few_and_each_is_another() {
        let kinds = |texts: &[&str]| incident_kinds(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        assert_eq!(kinds(&[" Sổ đầu bài ", "Fire"]), Some(vec!["Sổ đầu bài".to_owned(), "Fire".to_owned()]));
        assert_eq!(kinds(&[]), Some(Vec::new()));
        for wrong in [&["Fire", " Fire"][..], &[""], &["a\nb"], &["x".repeat(51).as_str()]] {
            assert_eq!(kinds(wrong), None, "{wrong:?}");
        }
        let many: Vec<String> = (0..=INCIDENT_KINDS_MAX).map(|number| format!("kind {number}")).collect();
        assert_eq!(incident_kinds(&many), None);
        assert_eq!(incident_kinds(&many[1..]).as_ref().map(Vec::len), Some(INCIDENT_KINDS_MAX));
    }
}
