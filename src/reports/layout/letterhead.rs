//! What a school puts on its papers: its name, its crest and its colour, in its language.

use std::sync::Arc;

use super::paper::Paper;
use super::words::PaperWords;
use super::{Ink, Mark};
use crate::school::crest_picture::CrestPicture;

/// The school as its papers show it.
#[derive(Clone, Debug)]
pub struct Letterhead {
    /// Empty if the school has given none.
    pub school: String,
    pub crest: Option<Arc<CrestPicture>>,
    /// The school's colour.
    pub accent: Ink,
    pub words: PaperWords,
}

/// Where a crest may be: the upper left corner, and the most that it may take.
#[derive(Clone, Copy)]
pub(super) struct CrestBox {
    pub x: f32,
    pub y: f32,
    pub width_max: f32,
    pub height: f32,
}

impl Letterhead {
    pub(super) fn is_empty(&self) -> bool {
        self.school.is_empty() && self.crest.is_none()
    }

    /// Width of the crest when it is as large as the box allows, whatever its shape; 0 without one.
    pub(super) fn crest_width(&self, width_max: f32, height: f32) -> f32 {
        self.crest.as_ref().map_or(0.0, |crest| crest.width_at(height).min(width_max))
    }

    /// Puts the crest at the left of the box, in the middle of its height; returns its width, 0 without one.
    pub(super) fn put_crest(&self, paper: &mut Paper<'_>, within: CrestBox) -> f32 {
        let Some(crest) = &self.crest else { return 0.0 };
        let width = self.crest_width(within.width_max, within.height);
        let height = within.height * width / crest.width_at(within.height).max(f32::MIN_POSITIVE);
        let y = within.y + (within.height - height) / 2.0;
        paper.put(Mark::Crest { x: within.x, y, width, height, picture: Arc::clone(crest) });
        width
    }
}

#[cfg(test)]
mod tests {
    use domain::school::PageLanguage;

    use super::*;

    #[test]
    fn a_crest_of_any_shape_fits_into_its_box() {
        let width = |width: u32, height: u32| {
            let crest = CrestPicture { width, height, rgb: Vec::new() };
            let (words, accent) = (PaperWords(PageLanguage::En), Ink::STRONG);
            Letterhead { school: String::new(), crest: Some(Arc::new(crest)), accent, words }.crest_width(60.0, 20.0)
        };
        assert_eq!([width(320, 320), width(320, 160), width(320, 40), width(40, 320)], [20.0, 40.0, 60.0, 2.5]);
        // A small one is enlarged.
        assert_eq!([width(8, 8), width(1, 1), width(320, 1)], [20.0, 20.0, 60.0]);
    }
}
