//! The fonts of reports, and the choice of a face for each character. The embedded ones are parsed once for each
//! process; a school may add a folder of its own.

use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use harfrust::{Font, ShaperFont};
use unicode_normalization::char::is_combining_mark;

/// Files of a folder of fonts that are read.
const OWN_FONTS_MAX: usize = 32;
/// Bytes of one file of fonts. The largest fonts for Chinese have some 20 MB.
const FONT_BYTES_MAX: u64 = 32 * 1_024 * 1_024;
/// The face of the pages, in the two weights that they use for text and for headings.
const LEXEND: &[u8] = include_bytes!("fonts/lexend-regular.ttf");
const LEXEND_BOLD: &[u8] = include_bytes!("fonts/lexend-semibold.ttf");
/// Chinese, Japanese and Korean, compressed to a third. It is unpacked when the server starts.
const FALLBACK: &[u8] = include_bytes!("fonts/droid-sans-fallback.ttf.br");
const FALLBACK_NAME: &str = "DroidSansFallback";

/// A face, by its place in [`Fonts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaceId(usize);

/// A face that lives as long as the process.
pub struct Face {
    /// The PostScript name, or the name of the school's file.
    pub name: String,
    pub data: &'static [u8],
    font: Font,
    is_bold: bool,
}

/// The faces in the order in which characters are looked up: Lexend, as on the pages; Noto Sans for Greek and Cyrillic;
/// DejaVu Sans, which has what both lack (Hebrew, Arabic, Armenian, Georgian, mathematical signs); the school's own;
/// and the fallback.
pub struct Fonts {
    faces: Vec<Face>,
}

/// Why a folder of fonts can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FontsError {
    #[error("the folder can't be read: {0}")]
    Folder(#[from] std::io::Error),
    #[error("it has more than {OWN_FONTS_MAX} fonts")]
    TooMany,
    #[error("{0} is larger than {max} MiB", max = FONT_BYTES_MAX / 1_024 / 1_024)]
    TooLarge(String),
    #[error("{0} is no TrueType font")]
    NoFont(String),
    /// The tests rule this out.
    #[error("the embedded fonts can't be read")]
    Embedded,
}

static EMBEDDED: LazyLock<Option<Fonts>> = LazyLock::new(|| Fonts::read(Vec::new()));

impl Fonts {
    /// The fonts in this program; `None` if they can't be read, which the tests rule out.
    #[must_use]
    pub fn embedded() -> Option<&'static Self> {
        EMBEDDED.as_ref()
    }

    /// The embedded fonts and those of a folder. They stay in memory until the process ends.
    pub fn with_folder(folder: &Path) -> Result<&'static Self, FontsError> {
        let mut paths: Vec<_> =
            std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ttf")));
        // The order decides which face shows a character that several have.
        paths.sort();
        if paths.len() > OWN_FONTS_MAX {
            return Err(FontsError::TooMany);
        }
        let own = paths.iter().enumerate().map(|(place, path)| own_face(place, path)).collect::<Result<_, _>>()?;
        Self::read(own).map(|fonts| &*Box::leak(Box::new(fonts))).ok_or(FontsError::Embedded)
    }

    fn read(own: Vec<Face>) -> Option<Self> {
        let mut faces = vec![
            Face::new("Lexend-Regular", LEXEND, false)?,
            Face::new("Lexend-SemiBold", LEXEND_BOLD, true)?,
            Face::new("NotoSans-Regular", notosans::REGULAR_TTF, false)?,
            Face::new("NotoSans-Bold", notosans::BOLD_TTF, true)?,
            Face::new("DejaVuSans", dejavu::sans::regular(), false)?,
            Face::new("DejaVuSans-Bold", dejavu::sans::bold(), true)?,
        ];
        faces.extend(own);
        let mut fallback = Vec::new();
        brotli::Decompressor::new(FALLBACK, FALLBACK.len()).read_to_end(&mut fallback).ok()?;
        faces.push(Face::new(FALLBACK_NAME, Vec::leak(fallback), false)?);
        Some(Self { faces })
    }

    #[must_use]
    pub fn face(&self, face: FaceId) -> Option<&Face> {
        self.faces.get(face.0)
    }

    pub(super) fn shaper(&'static self, face: FaceId) -> Option<ShaperFont<'static, 'static>> {
        self.face(face).map(|face| ShaperFont::new(&face.font))
    }

    pub(super) fn font(&self, face: FaceId) -> Option<&Font> {
        self.face(face).map(|face| &face.font)
    }

    /// Returns whether any face has this character.
    pub(super) fn can_show(&self, character: char) -> bool {
        self.faces.iter().any(|face| face.has(character))
    }

    /// Splits the text by the faces that show it. A mark is shown by the face of its letter, or it would be misplaced.
    pub(super) fn parts<'a>(&self, text: &'a str, is_bold: bool) -> Vec<(FaceId, &'a str)> {
        let mut parts: Vec<(FaceId, usize)> = Vec::new();
        let mut rest = text.char_indices().peekable();
        while let Some((start, character)) = rest.next() {
            let mut end = start + character.len_utf8();
            while let Some((next, mark)) = rest.next_if(|(_, next)| is_attached(*next)) {
                end = next + mark.len_utf8();
            }
            let face = self.face_of(text.get(start..end).unwrap_or_default(), is_bold);
            if parts.last().is_none_or(|(last, _)| *last != face) {
                parts.push((face, start));
            }
        }
        let ends = parts.iter().skip(1).map(|(_, start)| *start).chain([text.len()]);
        parts.iter().zip(ends).filter_map(|((face, start), end)| Some((*face, text.get(*start..end)?))).collect()
    }

    /// The faces to look a character up in, the best first. A face of the wrong weight is better than none.
    fn in_turn(&self, is_bold: bool) -> impl Iterator<Item = (FaceId, &Face)> {
        let of = move |is_wanted: bool| {
            let faces = self.faces.iter().enumerate().map(|(place, face)| (FaceId(place), face));
            faces.filter(move |(_, face)| (face.is_bold == is_bold) == is_wanted)
        };
        of(true).chain(of(false))
    }

    /// The first face that has all of these characters, or else the first that has the first of them.
    fn face_of(&self, cluster: &str, is_bold: bool) -> FaceId {
        let with =
            |has: &dyn Fn(&Face) -> bool| self.in_turn(is_bold).find(|(_, face)| has(face)).map(|(place, _)| place);
        let has_all = |face: &Face| cluster.chars().all(|character| is_joiner(character) || face.has(character));
        let has_first = |face: &Face| cluster.chars().next().is_some_and(|character| face.has(character));
        with(&has_all).or_else(|| with(&has_first)).unwrap_or(FaceId(usize::from(is_bold)))
    }
}

impl Face {
    fn new(name: &str, data: &'static [u8], is_bold: bool) -> Option<Self> {
        Some(Self { name: name.to_owned(), data, font: Font::new(data, 0)?, is_bold })
    }

    #[must_use]
    pub fn units_per_em(&self) -> f32 {
        f32::from(self.font.units_per_em())
    }

    fn has(&self, character: char) -> bool {
        self.font.charmap().map_unicode(character).is_some_and(|glyph| glyph.to_u32() != 0)
    }
}

fn own_face(place: usize, path: &Path) -> Result<Face, FontsError> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    if std::fs::metadata(path)?.len() > FONT_BYTES_MAX {
        return Err(FontsError::TooLarge(stem.into_owned()));
    }
    let data = std::fs::read(path)?.leak();
    // A font's name in a PDF file has letters and digits alone.
    let name: String = stem.chars().filter(char::is_ascii_alphanumeric).collect();
    let is_bold = stem.to_ascii_lowercase().contains("bold");
    let face = Face::new(&format!("Own{place}{name}"), data, is_bold);
    face.filter(|face| face.has(' ')).ok_or_else(|| FontsError::NoFont(stem.into_owned()))
}

fn is_attached(character: char) -> bool {
    is_combining_mark(character) || is_joiner(character)
}

/// Returns whether the character joins or separates letters and has no shape of its own.
pub(super) const fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200C}' | '\u{200D}')
}
