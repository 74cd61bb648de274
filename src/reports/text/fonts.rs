//! The embedded fonts, and the choice of a face for each character. They are parsed once for each process.

use std::sync::LazyLock;

use harfrust::{Font, ShaperFont};
use unicode_normalization::char::is_combining_mark;

pub const FACES: usize = 4;

/// A face, by its index in [`Fonts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaceId {
    /// The first choice for regular text.
    Noto,
    NotoBold,
    /// Has what Noto Sans lacks: Hebrew, Arabic, Armenian, Georgian, mathematical signs.
    DejaVu,
    DejaVuBold,
}

impl FaceId {
    pub const ALL: [Self; FACES] = [Self::Noto, Self::NotoBold, Self::DejaVu, Self::DejaVuBold];

    /// The face's PostScript name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Noto => "NotoSans-Regular",
            Self::NotoBold => "NotoSans-Bold",
            Self::DejaVu => "DejaVuSans",
            Self::DejaVuBold => "DejaVuSans-Bold",
        }
    }

    #[must_use]
    pub fn data(self) -> &'static [u8] {
        match self {
            Self::Noto => notosans::REGULAR_TTF,
            Self::NotoBold => notosans::BOLD_TTF,
            Self::DejaVu => dejavu::sans::regular(),
            Self::DejaVuBold => dejavu::sans::bold(),
        }
    }

    /// The faces to look a character up in, the best first. A face of the wrong weight is better than none.
    const fn in_turn(is_bold: bool) -> [Self; FACES] {
        if is_bold {
            [Self::NotoBold, Self::DejaVuBold, Self::DejaVu, Self::Noto]
        } else {
            [Self::Noto, Self::DejaVu, Self::NotoBold, Self::DejaVuBold]
        }
    }
}

pub struct Fonts {
    fonts: [Font; FACES],
}

static EMBEDDED: LazyLock<Option<Fonts>> = LazyLock::new(Fonts::read);

impl Fonts {
    /// The fonts in this program; `None` if they can't be read, which the tests rule out.
    #[must_use]
    pub fn embedded() -> Option<&'static Self> {
        EMBEDDED.as_ref()
    }

    fn read() -> Option<Self> {
        let [a, b, c, d] = FaceId::ALL.map(|face| Font::new(face.data(), 0));
        Some(Self { fonts: [a?, b?, c?, d?] })
    }

    pub(super) fn font(&self, face: FaceId) -> &Font {
        let [noto, noto_bold, dejavu, dejavu_bold] = &self.fonts;
        match face {
            FaceId::Noto => noto,
            FaceId::NotoBold => noto_bold,
            FaceId::DejaVu => dejavu,
            FaceId::DejaVuBold => dejavu_bold,
        }
    }

    pub(super) fn shapers(&'static self) -> [ShaperFont<'static, 'static>; FACES] {
        self.fonts.each_ref().map(ShaperFont::new)
    }

    #[must_use]
    pub fn units_per_em(&self, face: FaceId) -> f32 {
        f32::from(self.font(face).units_per_em())
    }

    fn has(&self, face: FaceId, character: char) -> bool {
        self.font(face).charmap().map_unicode(character).is_some_and(|glyph| glyph.to_u32() != 0)
    }

    /// Whether any face has this character.
    pub(super) fn can_show(&self, character: char) -> bool {
        FaceId::ALL.into_iter().any(|face| self.has(face, character))
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

    /// The first face that has all of these characters, or else the first that has the first of them.
    fn face_of(&self, cluster: &str, is_bold: bool) -> FaceId {
        let [first, ..] = FaceId::in_turn(is_bold);
        let with = |has: &dyn Fn(FaceId) -> bool| FaceId::in_turn(is_bold).into_iter().find(|face| has(*face));
        let has_all = |face| cluster.chars().all(|character| is_joiner(character) || self.has(face, character));
        let has_first = |face| cluster.chars().next().is_some_and(|character| self.has(face, character));
        with(&has_all).or_else(|| with(&has_first)).unwrap_or(first)
    }
}

fn is_attached(character: char) -> bool {
    is_combining_mark(character) || is_joiner(character)
}

/// Whether the character joins or separates letters and has no shape of its own.
pub(super) const fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200C}' | '\u{200D}')
}
