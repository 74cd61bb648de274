//! What the files show, as pixels: the marker on the scale, the lengths of bars, white margins.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Report, drawings, open, test};
use crate::hall::Answer;

/// Pixels in a point.
const PIXELS_PER_POINT: f64 = 2.0;
/// Rows of pixels from which on there are bars; above is the scale.
const BARS_FROM: usize = 460;
/// Of headings and bars, where a school has chosen no colour.
const STRONG: [u8; 3] = [0x23, 0x48, 0xC5];
/// Of the part of a bar that is not reached.
const TRACK: [u8; 3] = [0xE3, 0xE5, 0xEE];
/// Of what is read, and of the marker.
const TEXT: [u8; 3] = [0x1B, 0x21, 0x30];

/// A page as pixels.
struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    fn of(report: &Report, page: usize) -> Self {
        let (number, resolution) = (page.to_string(), (72.0 * PIXELS_PER_POINT).to_string());
        report.run("pdftoppm", &["-r", &resolution, "-f", &number, "-l", &number, "-singlefile", "report.pdf", "page"]);
        let bytes = std::fs::read(report.file("page.ppm")).unwrap();
        let mut lines = bytes.splitn(4, |byte| *byte == b'\n');
        assert_eq!(lines.next().unwrap(), b"P6");
        let size = String::from_utf8(lines.next().unwrap().to_vec()).unwrap();
        let (width, height) = size.split_once(' ').unwrap();
        lines.next().unwrap();
        let pixels = lines.next().unwrap().to_vec();
        let picture = Self { width: width.parse().unwrap(), height: height.parse().unwrap(), pixels };
        assert_eq!(picture.pixels.len(), 3 * picture.width * picture.height);
        picture
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let start = 3 * (y * self.width + x);
        self.pixels[start..start + 3].try_into().unwrap()
    }

    /// How much of the page is not white.
    fn ink(&self) -> f64 {
        let inked = self.pixels.chunks(3).filter(|pixel| pixel != &[255, 255, 255]).count();
        f64::from(u32::try_from(inked).unwrap()) / f64::from(u32::try_from(self.width * self.height).unwrap())
    }

    /// Nothing is drawn nearer to an edge than the margin.
    fn assert_margins(&self) {
        let margin = 90;
        for y in 0..self.height {
            for x in 0..self.width {
                let is_inside =
                    (margin..self.width - margin).contains(&x) && (margin..self.height - margin).contains(&y);
                assert!(is_inside || self.at(x, y) == [255, 255, 255], "something at {x}, {y}");
            }
        }
    }

    /// Rows of pixels that have a bar, as its reached and its whole length; a bar counts once.
    fn bars(&self, columns: std::ops::Range<usize>) -> Vec<(usize, usize)> {
        let mut bars = Vec::new();
        let mut was_bar = false;
        for y in BARS_FROM..self.height {
            let count = |colour: [u8; 3]| columns.clone().filter(|x| self.at(*x, y) == colour).count();
            let (reached, rest) = (count(STRONG), count(TRACK));
            let is_bar = reached + rest > columns.len() * 8 / 10 && rest > 0;
            if is_bar && !was_bar {
                bars.push((reached, reached + rest));
            }
            was_bar = is_bar;
        }
        bars
    }
}

/// A result that is believed as it is sent.
fn sent(score: u32, correct: u32) -> Value {
    json!({
        "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example",
        "result": {
            "score": score, "correctAnswers": correct, "totalQuestions": 20, "timeTaken": 60,
            "topicBreakdown": [{ "topic": "Shapes", "correct": correct, "total": 20, "percentage": correct * 5 }],
            "difficultyBreakdown": [{ "difficulty": 1, "correct": correct, "total": 20 }],
            "answers": [{ "questionId": "unknown", "selected": "A", "correct": "A", "isCorrect": true }],
        },
    })
}

#[tokio::test]
async fn the_marker_stands_where_the_score_is() {
    let (hall, _) = open().await;
    let mut last = 0;
    for score in [200, 350, 500, 650, 800] {
        let report = Report::of(&hall.anonymous(), &sent(score, 5)).await;
        let picture = Picture::of(&report, 1);
        // The marker is the only thing of its colour in the panel beside the figures, above the scale.
        let widest = (0..picture.height / 2)
            .map(|y| (350..picture.width - 90).filter(|x| picture.at(*x, y) == TEXT).collect::<Vec<_>>())
            .filter(|row| row.len() >= 16 && row.windows(2).all(|pair| pair[1] == pair[0] + 1))
            .max_by_key(Vec::len)
            .unwrap_or_else(|| panic!("{score} has no marker"));
        let middle = usize::midpoint(widest[0], *widest.last().unwrap());
        assert!(middle > last, "{score} stands right of the one before: {middle}, {last}");
        let share = f64::from(score - 200) / 600.0;
        let (left, width) = (2.0 * (48.0 + 138.0), 2.0 * (595.28 - 96.0 - 160.0));
        let expected = left + width * share;
        assert!(
            (f64::from(u32::try_from(middle).unwrap()) - expected).abs() < 4.0,
            "{score} at {middle}, not {expected}"
        );
        last = middle;
    }
}

#[tokio::test]
async fn bars_are_as_long_as_what_they_tell() {
    let (hall, _) = open().await;
    for correct in [0, 5, 13, 19] {
        let report = Report::of(&hall.anonymous(), &sent(500, correct)).await;
        let picture = Picture::of(&report, 1);
        for columns in [98..564, 630..1092] {
            let bars = picture.bars(columns);
            assert_eq!(bars.len(), 1, "one bar in each column: {bars:?}");
            let (reached, whole) = bars[0];
            let share = f64::from(u32::try_from(reached).unwrap()) / f64::from(u32::try_from(whole).unwrap());
            assert!((share - f64::from(correct) / 20.0).abs() < 0.02, "{correct} of 20 is {share}");
        }
    }
}

#[tokio::test]
async fn headings_and_bars_have_the_colour_of_the_school() {
    const SCHOOL: [u8; 3] = [0x0B, 0x6E, 0x4F];
    let (hall, _) = open().await;
    let admin = hall.signed_in("admin").await;
    let before = Report::of(&hall.anonymous(), &sent(500, 5)).await;
    let patch = admin.request(Method::PATCH, "/api/admin/school").json(&json!({ "colour": "#0b6e4f" }));
    assert_eq!(Answer::to(patch).await.status, 200);
    let after = Report::of_session(&hall.anonymous(), &before.session_id).await;
    let count = |report: &Report, colour: [u8; 3]| {
        Picture::of(report, 1).pixels.chunks(3).filter(|pixel| *pixel == colour.as_slice()).count()
    };
    assert_eq!((count(&before, SCHOOL), count(&after, STRONG)), (0, 0));
    assert!(count(&before, STRONG) > 1_000 && count(&after, SCHOOL) > 1_000);
}

#[tokio::test]
async fn every_page_has_something_on_it_and_white_margins() {
    let (hall, bank) = open().await;
    let mut body = test(&bank, 40, json!({ "name": "Ada", "note": "W".repeat(900) }));
    let without = Report::of(&hall.anonymous(), &body).await;
    body["drawings"] = drawings(&bank.ids()[..40]);
    let with = Report::of(&hall.anonymous(), &body).await;
    for report in [&without, &with] {
        for page in 1..=report.pages() {
            let picture = Picture::of(report, page);
            assert!(picture.ink() > 0.005, "page {page} is blank");
            picture.assert_margins();
        }
    }
    let red = |report: &Report| {
        Picture::of(report, 2)
            .pixels
            .chunks(3)
            .filter(|pixel| pixel[0] > 190 && pixel[1] < 100 && pixel[2] < 100)
            .count()
    };
    assert!(red(&with) > 500, "the drawings are shown in their colour");
    assert_eq!(red(&without), 0);
    let page = Picture::of(&with, 2);
    let is_red = |[red, green, blue]: [u8; 3]| red > 190 && green < 100 && blue < 100;
    let columns = (0..page.width).filter(|x| (0..page.height).any(|y| is_red(page.at(*x, y)))).count();
    assert!(columns * 2 >= page.width - 2 * 96, "a drawing has half of the text's width at least: {columns} pixels");
}

#[tokio::test]
async fn drawings_that_are_not_understood_are_no_pictures() {
    let (hall, bank) = open().await;
    let ids = bank.ids();
    let mut body = test(&bank, 10, json!({}));
    body["drawings"] = json!({ ids[0].clone(): { "strokes": 7 }, ids[1].clone(): { "p": "xxxx" }, "elsewhere": { "strokes": [[[1, 2], [3, 4]]] } });
    let report = Report::of(&hall.anonymous(), &body).await;
    assert!(!report.text().contains("Drawing"), "{}", report.text());
}

#[tokio::test]
async fn the_crest_stands_at_the_top_as_long_as_there_is_one() {
    const MAGENTA: [u8; 3] = [200, 0, 200];
    // Whoever draws a picture smaller than it is rounds each part of its colours.
    let is_magenta = |pixel: [u8; 3]| pixel.iter().zip(MAGENTA).all(|(part, other)| part.abs_diff(other) < 4);
    let (hall, _) = open().await;
    let admin = hall.signed_in("admin").await;
    let mut crest = Cursor::new(Vec::new());
    RgbImage::from_pixel(400, 200, Rgb(MAGENTA)).write_to(&mut crest, ImageFormat::Png).unwrap();
    let put = admin.request(Method::PUT, "/api/admin/school/crest").body(crest.into_inner());
    assert_eq!(Answer::to(put).await.status, 200);
    let report = Report::of(&hall.anonymous(), &sent(500, 5)).await;
    let picture = Picture::of(&report, 1);
    let at: Vec<(usize, usize)> = (0..picture.height)
        .flat_map(|y| (0..picture.width).map(move |x| (x, y)))
        .filter(|(x, y)| is_magenta(picture.at(*x, *y)))
        .collect();
    let (first, last) = (at[0], *at.last().unwrap());
    let (width, height) = (last.0 - first.0 + 1, last.1 - first.1 + 1);
    assert!(first.0.abs_diff(96) < 3 && first.1.abs_diff(96) < 3, "{first:?}");
    assert!(width.abs_diff(136) < 4 && height.abs_diff(68) < 4, "{width} {height}");
    assert!(at.len() > width * height * 9 / 10, "{} pixels", at.len());
    picture.assert_margins();
    assert_eq!(Answer::to(admin.request(Method::DELETE, "/api/admin/school/crest")).await.status, 200);
    let report = Report::of_session(&hall.anonymous(), &report.session_id).await;
    assert!(
        Picture::of(&report, 1).pixels.chunks(3).all(|pixel| !is_magenta([pixel[0], pixel[1], pixel[2]])),
        "it is gone"
    );
}
