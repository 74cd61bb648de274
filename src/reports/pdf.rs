//! Writes pages as a PDF file. The same pages always give the same bytes.

mod embedding;
mod tagging;

use domain::school::PageLanguage;
use lopdf::Object;
use lopdf::StringFormat::{Hexadecimal, Literal};
use printpdf::{
    Actions, BorderArray, Color, DictItem, Line as PathLine, LineCapStyle, LineJoinStyle, LinePoint, LinkAnnotation,
    Mm, Op, PaintMode, PdfDocument, PdfFontHandle, PdfPage, PdfSaveOptions, Point, Polygon, PolygonRing, Pt, RawImage,
    RawImageData, RawImageFormat, Rect, Rgb, TextMatrix, XObject, XObjectId, XObjectTransform,
};
use thiserror::Error as ThisError;

use crate::reports::layout::structure::{Element, ElementIndex};
use crate::reports::layout::{Ink, LaidOut, Mark, ReportPage};
use crate::reports::text::fonts::Fonts;
use crate::reports::text::{Run, TextLine};
use crate::school::crest_picture::CrestPicture;
use embedding::{Embedding, GlyphStep};
use tagging::PageParts;

const POINTS_PER_MILLIMETRE: f32 = 72.0 / 25.4;
/// Name of the program that made the file.
const PRODUCER: &str = "Exam Hall";

/// Why a report can't be written.
#[derive(Debug, ThisError)]
pub enum Unwritable {
    /// An embedded font can't be read or reduced to a subset.
    #[error("a font of the report can't be embedded: {0}")]
    Font(String),
    /// The file can't be assembled.
    #[error("the report can't be written: {0}")]
    File(String),
    /// Its reader may not see the result.
    #[error("the result is held")]
    Held,
}

/// What the file says about itself.
pub struct Head {
    pub title: String,
    /// In PDF's notation, as `D:20260105093540Z`.
    pub created: String,
    /// Identifies the content: equal for equal content only.
    pub digest: [u8; 32],
    pub language: PageLanguage,
    /// Whether nothing may be printed on the back of a page, since pages are cut up, or put up on a door.
    pub is_one_sided: bool,
}

/// Writes the pages as a PDF file. It fails only if the embedded fonts can't be read, which the tests rule out.
pub fn write(report: &LaidOut, fonts: &'static Fonts, head: &Head) -> Result<Vec<u8>, Unwritable> {
    let mut embedding = Embedding::new(fonts);
    let mut document = PdfDocument::new(&head.title);
    document.metadata.info.producer = PRODUCER.to_owned();
    document.metadata.info.creator = PRODUCER.to_owned();
    let (width, height) = (report.size.width(), report.size.height());
    let mut parts = Vec::new();
    for page in &report.pages {
        let (operations, of_page) = operations(page, height, &report.elements, &mut embedding);
        let (width, height) = (Mm(width / POINTS_PER_MILLIMETRE), Mm(height / POINTS_PER_MILLIMETRE));
        document.pages.push(PdfPage::new(width, height, operations));
        parts.push(of_page);
    }
    let crest = report.pages.iter().flatten().find_map(|placed| match &placed.mark {
        Mark::Crest { picture, .. } => Some(picture),
        _ => None,
    });
    if let Some(crest) = crest {
        document.resources.xobjects.map.insert(crest_id(), XObject::Image(raw(crest)));
    }
    for (name, font) in embedding.fonts()? {
        document.resources.fonts.map.insert(name, font);
    }
    let mut warnings = Vec::new();
    let mut file = printpdf::serialize::to_lopdf_doc(&document, &PdfSaveOptions::default(), &mut warnings);
    let described = describe(&mut file, head).and_then(|()| tagging::tag(&mut file, &report.elements, &parts));
    described.ok_or_else(|| Unwritable::File("it has no catalog".to_owned()))?;
    file.compress();
    let mut bytes = Vec::new();
    // The tree of elements has hundreds of small objects, which are compressed together.
    file.save_modern(&mut bytes).map_err(|error| Unwritable::File(error.to_string()))?;
    Ok(bytes)
}

/// A report has one picture, so its name is always the same, as are the file's bytes.
fn crest_id() -> XObjectId {
    XObjectId("Crest".to_owned())
}

fn raw(crest: &CrestPicture) -> RawImage {
    let side = |pixels: u32| usize::try_from(pixels).unwrap_or(usize::MAX);
    RawImage {
        pixels: RawImageData::U8(crest.rgb.clone()),
        width: side(crest.width),
        height: side(crest.height),
        data_format: RawImageFormat::RGB8,
        tag: Vec::new(),
    }
}

/// Sets what printpdf can't express: the language, the dates, and an identity that is not random.
fn describe(file: &mut lopdf::Document, head: &Head) -> Option<()> {
    file.version = "1.7".to_owned();
    let catalog = file.catalog_mut().ok()?;
    catalog.set("Lang", Object::String(head.language.code().as_bytes().to_vec(), Literal));
    let mut preferences = lopdf::Dictionary::new();
    preferences.set("DisplayDocTitle", true);
    if head.is_one_sided {
        preferences.set("Duplex", "Simplex");
    }
    catalog.set("ViewerPreferences", preferences);
    let date = Object::String(head.created.clone().into_bytes(), Literal);
    let info = file.trailer.get(b"Info").and_then(Object::as_reference).ok()?;
    let info = file.get_object_mut(info).and_then(Object::as_dict_mut).ok()?;
    info.set("CreationDate", date.clone());
    info.set("ModDate", date);
    // printpdf always writes these entries, although the report has nothing to say in them.
    for key in [b"Identifier".as_slice(), b"GTS_PDFXVersion", b"Author", b"Subject", b"Keywords"] {
        info.remove(key);
    }
    let identity = Object::String(head.digest.iter().take(16).copied().collect(), Hexadecimal);
    file.trailer.set("ID", Object::Array(vec![identity.clone(), identity]));
    Some(())
}

/// Rounds to hundredths of a point: nobody sees more, and the file is smaller.
fn rounded(length: f32) -> f32 {
    (length * 100.0).round() / 100.0
}

fn across(length: f32) -> Pt {
    Pt(rounded(length))
}

fn colour(Ink(red, green, blue): Ink) -> Color {
    let part = |part: u8| (f32::from(part) / 255.0 * 1_000.0).round() / 1_000.0;
    Color::Rgb(Rgb::new(part(red), part(green), part(blue), None))
}

/// Writes the operations of one page. It remembers the current colours and thickness, and does not set them again.
#[derive(Default)]
struct Pen {
    /// Of the page.
    height: f32,
    operations: Vec<Op>,
    fill: Option<Ink>,
    outline: Option<Ink>,
    thickness: Option<f32>,
}

/// The operations of a page, in which the marks of each element are marked as such, and everything else as decoration.
fn operations(page: &ReportPage, height: f32, elements: &[Element], embedding: &mut Embedding) -> (Vec<Op>, PageParts) {
    let (mut pen, mut parts) = (Pen { height, ..Pen::default() }, PageParts::default());
    pen.operations.push(Op::SetLineCapStyle { cap: LineCapStyle::Round });
    pen.operations.push(Op::SetLineJoinStyle { join: LineJoinStyle::Round });
    for marks in page.chunk_by(|one, next| one.element == next.element) {
        let Some(first) = marks.first() else { continue };
        pen.operations.push(begin(first.element, elements, &mut parts));
        for placed in marks {
            match &placed.mark {
                Mark::Text { x, y, line, size, ink } => pen.text(*x, *y, line, *size, *ink, embedding),
                Mark::Block { x, y, width, height, ink } => pen.block(*x, *y, *width, *height, *ink),
                Mark::Path { points, is_closed, thickness, ink } => pen.path(points, *is_closed, *thickness, *ink),
                Mark::Crest { x, y, width, height, .. } => pen.crest(*x, *y, *width, *height),
                Mark::Link { x, y, width, height, url } => {
                    parts.links.extend(placed.element);
                    pen.link(*x, *y, *width, *height, url);
                }
            }
        }
        pen.operations.push(Op::EndMarkedContent);
    }
    (pen.operations, parts)
}

fn begin(element: Option<ElementIndex>, elements: &[Element], parts: &mut PageParts) -> Op {
    let Some((index, element)) = element.and_then(|index| Some((index, elements.get(index)?))) else {
        return Op::BeginMarkedContent { tag: "Artifact".to_owned() };
    };
    let number = i64::try_from(parts.marked.len()).unwrap_or_default();
    parts.marked.push(index);
    let properties = DictItem::Dict { map: [("MCID".to_owned(), DictItem::Int(number))].into() };
    Op::BeginMarkedContentWithProperties { tag: element.role.name().to_owned(), properties }
}

impl Pen {
    /// PDF measures from the lower edge of the page.
    fn upwards(&self, y: f32) -> Pt {
        Pt(rounded(self.height - y))
    }

    fn fill(&mut self, ink: Ink) {
        if self.fill.replace(ink) != Some(ink) {
            self.operations.push(Op::SetFillColor { col: colour(ink) });
        }
    }

    fn text(&mut self, x: f32, y: f32, line: &TextLine, size: f32, ink: Ink, embedding: &mut Embedding) {
        self.fill(ink);
        self.operations.push(Op::StartTextSection);
        let mut from = x;
        for run in &line.runs {
            let Some(font) = embedding.font_id(run.face) else { continue };
            self.operations.push(Op::SetFont { font: PdfFontHandle::External(font), size: Pt(rounded(size)) });
            self.operations.push(Op::SetTextMatrix { matrix: TextMatrix::Translate(across(from), self.upwards(y)) });
            from += self.run(run, size, embedding);
        }
        self.operations.push(Op::EndTextSection);
    }

    /// Shows the glyphs of a run; returns their width in points.
    fn run(&mut self, run: &Run, size: f32, embedding: &mut Embedding) -> f32 {
        let mut raised = 0.0;
        for step in embedding.steps(run) {
            match step {
                GlyphStep::Show(items) => self.operations.push(Op::ShowText { items }),
                GlyphStep::Rise(up) if rounded(up * size) != raised => {
                    raised = rounded(up * size);
                    self.operations.push(Op::SetLineOffset { multiplier: raised });
                }
                GlyphStep::Rise(_) => {}
            }
        }
        if raised != 0.0 {
            self.operations.push(Op::SetLineOffset { multiplier: 0.0 });
        }
        run.glyphs.iter().map(|glyph| glyph.advance).sum::<f32>() / crate::reports::text::EM * size
    }

    fn block(&mut self, x: f32, y: f32, width: f32, height: f32, ink: Ink) {
        self.fill(ink);
        let mut rectangle = Rect::from_xywh(across(x), self.upwards(y + height), across(width), across(height));
        rectangle.mode = Some(PaintMode::Fill);
        self.operations.push(Op::DrawRectangle { rectangle });
    }

    fn path(&mut self, points: &[(f32, f32)], is_closed: bool, thickness: Option<f32>, ink: Ink) {
        let points = points
            .iter()
            .map(|(x, y)| LinePoint { p: Point { x: across(*x), y: self.upwards(*y) }, bezier: false })
            .collect();
        let Some(thickness) = thickness else {
            self.fill(ink);
            let polygon = Polygon { rings: vec![PolygonRing { points }], mode: PaintMode::Fill, ..Polygon::default() };
            self.operations.push(Op::DrawPolygon { polygon });
            return;
        };
        if self.outline.replace(ink) != Some(ink) {
            self.operations.push(Op::SetOutlineColor { col: colour(ink) });
        }
        if self.thickness.replace(thickness) != Some(thickness) {
            self.operations.push(Op::SetOutlineThickness { pt: across(thickness) });
        }
        self.operations.push(Op::DrawLine { line: PathLine { points, is_closed } });
    }

    fn crest(&mut self, x: f32, y: f32, width: f32, height: f32) {
        let transform = XObjectTransform {
            translate_x: Some(across(x)),
            translate_y: Some(self.upwards(y + height)),
            scale_x: Some(rounded(width)),
            scale_y: Some(rounded(height)),
            no_auto_scale: true,
            ..XObjectTransform::default()
        };
        self.operations.push(Op::UseXobject { id: crest_id(), transform });
    }

    fn link(&mut self, x: f32, y: f32, width: f32, height: f32, url: &str) {
        let rect = Rect::from_xywh(across(x), self.upwards(y + height), across(width), across(height));
        let link =
            LinkAnnotation::new(rect, Actions::uri(url.to_owned()), Some(BorderArray::Solid([0.0; 3])), None, None);
        self.operations.push(Op::LinkAnnotation { link });
    }
}
