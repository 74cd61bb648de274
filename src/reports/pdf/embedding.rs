//! The subsets of the fonts that a report embeds. Only the glyphs that it uses go into the file, which would otherwise
//! carry up to 1.9 MB of fonts.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, Mutex, PoisonError};

use printpdf::{Codepoint, FontId, ParsedFont, PdfFont, TextItem};
use sha2::{Digest, Sha256};
use subsetter::GlyphRemapper;

use super::Unwritable;
use crate::reports::text::fonts::{Face, FaceId, Fonts};
use crate::reports::text::{EM, Run};

/// A step in showing the glyphs of a run.
pub(super) enum GlyphStep {
    Show(Vec<TextItem>),
    /// From here on, raise the glyphs this far above the base line, as a fraction of the text's size.
    Rise(f32),
}

/// Measures of the faces that were used, by the addresses of their data, which live as long as the process does.
static MEASURES: LazyLock<Mutex<HashMap<usize, Option<&'static Measures>>>> = LazyLock::new(Mutex::default);

struct Measures {
    /// Without font file, mappings and widths, which differ from report to report.
    empty: ParsedFont,
    widths: BTreeMap<u16, u16>,
}

impl Measures {
    fn read(data: &[u8]) -> Option<Self> {
        let mut whole = ParsedFont::from_bytes(data, 0, &mut Vec::new())?;
        let widths = std::mem::take(&mut whole.glyph_widths);
        whole.original_bytes = Vec::new();
        whole.codepoint_to_glyph.clear();
        Some(Self { empty: whole, widths })
    }

    fn of(face: &Face) -> Option<&'static Self> {
        let mut known = MEASURES.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || Self::read(face.data).map(|measures| &*Box::leak(Box::new(measures)));
        *known.entry(face.data.as_ptr() as usize).or_insert_with(read)
    }

    /// The width that PDF viewers use for the glyph, in whole thousandths of an em, truncated as printpdf truncates it.
    fn written_width(&self, glyph: u16) -> f32 {
        let units = self.widths.get(&glyph).copied().unwrap_or_default();
        (f32::from(units) * EM / f32::from(self.empty.pdf_font_metrics.units_per_em)).trunc()
    }
}

/// The glyphs used of each face, under their new numbers.
pub(super) struct Embedding {
    fonts: &'static Fonts,
    used: BTreeMap<FaceId, Used>,
}

#[derive(Default)]
struct Used {
    remapper: GlyphRemapper,
    widths: BTreeMap<u16, u16>,
    /// The text that each glyph was first used for. A PDF file can hold only one text for each glyph.
    texts: BTreeMap<u16, String>,
}

impl Embedding {
    pub fn new(fonts: &'static Fonts) -> Self {
        Self { fonts, used: BTreeMap::new() }
    }

    pub fn font_id(&self, face: FaceId) -> Option<FontId> {
        self.fonts.face(face).map(|face| FontId(face.name.clone()))
    }

    /// The glyphs of a run under their new numbers, with offsets that move each to where it was laid out.
    pub fn steps(&mut self, run: &Run) -> Vec<GlyphStep> {
        let Some(measures) = self.fonts.face(run.face).and_then(Measures::of) else { return Vec::new() };
        let used = self.used.entry(run.face).or_default();
        let (mut steps, mut items, mut raised, mut owed) = (Vec::new(), Vec::new(), 0.0, 0.0);
        for glyph in &run.glyphs {
            if glyph.up != raised {
                raised = glyph.up;
                steps.push(GlyphStep::Show(std::mem::take(&mut items)));
                steps.push(GlyphStep::Rise(raised / EM));
            }
            // The distance from where a viewer would put this glyph to where it belongs. Offsets are whole thousandths,
            // so the remainder is carried over to the next glyph.
            let moved = (owed + glyph.right).round();
            if moved != 0.0 {
                items.push(TextItem::Offset(-moved));
            }
            let written = measures.written_width(glyph.id);
            items.push(TextItem::GlyphIds(vec![used.codepoint(glyph.id, &glyph.text, measures)]));
            owed += glyph.advance - written - moved;
        }
        steps.push(GlyphStep::Show(items));
        steps.retain(|step| !matches!(step, GlyphStep::Show(items) if items.is_empty()));
        steps
    }

    /// The subsets of all faces that were used.
    pub fn fonts(&self) -> Result<Vec<(FontId, PdfFont)>, Unwritable> {
        let faces = self.used.iter().filter_map(|(face, used)| Some((self.fonts.face(*face)?, used)));
        faces.map(|(face, used)| Ok((FontId(face.name.clone()), used.font(face)?))).collect()
    }
}

impl Used {
    fn codepoint(&mut self, glyph: u16, text: &str, measures: &Measures) -> Codepoint {
        let number = self.remapper.remap(glyph);
        self.widths.entry(number).or_insert_with(|| measures.widths.get(&glyph).copied().unwrap_or_default());
        let text = self.texts.entry(number).or_insert_with(|| text.to_owned());
        Codepoint::with_cid(number, 0.0, text.clone())
    }

    fn font(&self, face: &Face) -> Result<PdfFont, Unwritable> {
        let unwritable = |cause: &dyn std::fmt::Display| Unwritable::Font(format!("{}: {cause}", face.name));
        let measures = Measures::of(face).ok_or_else(|| unwritable(&"it can't be read"))?;
        let data = subsetter::subset(face.data, 0, &self.remapper).map_err(|error| unwritable(&error))?;
        let mut font = measures.empty.clone();
        font.font_name = Some(format!("{}+{}", tag(&data), face.name));
        font.original_bytes = data;
        font.glyph_widths.clone_from(&self.widths);
        Ok(PdfFont::new(font))
    }
}

/// The six capital letters that PDF requires before the name of a subset, to tell it from other subsets of the face.
fn tag(data: &[u8]) -> String {
    Sha256::digest(data).iter().take(6).map(|byte| char::from(b'A' + byte % 26)).collect()
}
